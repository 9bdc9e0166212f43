"""One validation: which rules are asked about what, and what is known from earlier ones."""

from __future__ import annotations

import importlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from sgf_lark import charset as charsets
from sgf_lark import grammar
from sgf_lark.diagnostics import Diagnostic, Language, Severity, SourceText, make, shorten
from sgf_lark.flat import DamagedTree
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.report import Report, TreeSummary
from sgf_lark.validation.position import Position
from sgf_lark.validation.screening import Picture, Screened, is_plain_text, screened
from sgf_lark.validation.views import (
    RULES,
    CollectionView,
    Finding,
    NodeView,
    PropertyView,
    Scope,
    TreeView,
    ValueView,
)
from sgf_lark.values import Context

#: The order matters for value rules: the first that speaks has the last word.
_FAMILIES = (
    "damage",
    "values",
    "ranges",
    "text",
    "file_formats",
    "games",
    "nodes",
    "paths",
    "position",
    "style",
)

#: What rules say of a property up to this many bytes is remembered, for so many
#: properties in a context, and for so many contexts.
_SHORT = 48
_SHORT_NODE = 64
_REMEMBERED = 50_000
_CONTEXTS = 32


@cache
def load_rules() -> None:
    """Import the modules of all rules and corrections, which register themselves.

    Whichever of them was imported first, the rules come in the order of the families.
    """
    for family in _FAMILIES:
        importlib.import_module(f"sgf_lark.validation.{family}")
    for rules in RULES.values():
        rules.sort(key=lambda entry: _FAMILIES.index(entry.function.__module__.split(".")[-1]))


#: Codes and functions of rules that are to run.
_Active = list[tuple[str, Callable[..., Any]]]

#: What rules say of a property: codes and findings, with offsets from its identifier.
_Said = tuple[tuple[str, Finding], ...]


class Plan:
    """What is to be run under a profile, and what is known from earlier runs."""

    def __init__(self, profile: str, codes: frozenset[str]) -> None:
        self.severities = {
            code: Severity(rule.severity[profile])
            for code, rule in grammar.rules().items()
            if code in codes and rule.severity[profile] != "off"
        }
        load_rules()
        self.active: dict[Scope, _Active] = {
            scope: [
                (entry.code, entry.function) for entry in rules if entry.code in self.severities
            ]
            for scope, rules in RULES.items()
        }
        self.of_collection: tuple[_Active, _Active] = (
            self._collection_rules(several=False),
            self._collection_rules(several=True),
        )
        self.paths = [entry for entry in RULES["path"] if entry.code in self.severities]
        self._about: dict[PropertyDefinition, tuple[_Active, _Active]] = {}
        self._memories: dict[Context, _Memory] = {}

    def _collection_rules(self, *, several: bool) -> _Active:
        return [
            (entry.code, entry.function)
            for entry in RULES["collection"]
            if entry.code in self.severities and (several or entry.when != "several")
        ]

    def about(self, definition: PropertyDefinition) -> tuple[_Active, _Active]:
        """The rules that can speak of values of that property: of "value" all, of
        "content" those that are wanted."""
        found = self._about.get(definition)
        if found is None:
            found = (
                [
                    (entry.code, entry.function)
                    for entry in RULES["value"]
                    if entry.about(definition)
                ],
                [
                    (entry.code, entry.function)
                    for entry in RULES["content"]
                    if entry.about(definition) and entry.code in self.severities
                ],
            )
            self._about[definition] = found
        return found

    def of_node(self, node: NodeView, turned: bool) -> _Active:
        """The rules that can speak of a node of that shape; `turned` tells whether moves
        in it may be out of turn."""
        return [
            (entry.code, entry.function)
            for entry in RULES["node"]
            if entry.code in self.severities
            and (turned or entry.when != "turn")
            and (entry.shape is None or entry.shape(node))
        ]

    def memory(self, context: Context) -> _Memory:
        """What is known of nodes and properties in such a tree."""
        if context not in self._memories:
            if len(self._memories) >= _CONTEXTS:
                self._memories.clear()
            self._memories[context] = _Memory()
        return self._memories[context]


class _Memory:
    """What rules said, which holds for the same elsewhere in trees of a context."""

    def __init__(self) -> None:
        #: Of a short property, by its bytes from the identifier to the last bracket.
        self.said: dict[bytes, _Said] = {}
        #: Lists of which nothing is said while their points are plain: identifiers, and
        #: how many points where that counts.
        self.plain_lists: set[tuple[str, int]] = set()
        #: Identifiers that nobody knows, and what is said of the property as a whole.
        self.unknown: dict[str, _Said] = {}
        #: Identifiers of texts of which nothing is said but of their content.
        self.plain_texts: set[str] = set()
        #: Which rules can speak of a node, by whether moves are out of turn, whether it is
        #: a root or a leaf, and the identifiers in it.
        self.of_node: dict[tuple[object, ...], _Active] = {}
        #: The bytes of short nodes of which nothing is said: of leaves, and of others.
        self.silent: tuple[set[bytes], set[bytes]] = set(), set()

    def remember(self, key: bytes, said: _Said) -> None:
        if len(self.said) >= _REMEMBERED:
            self.said.clear()
        self.said[key] = said


@lru_cache(maxsize=16)
def plan(profile: str, codes: frozenset[str]) -> Plan:
    return Plan(profile, codes)


class Run:
    """One validation under way."""

    def __init__(self, plan: Plan, screening: bool, language: Language) -> None:
        self.plan = plan
        self.language = language
        self.screening = screening
        self.severities = plan.severities
        self.found: list[tuple[str, Finding, int]] = []

    def collection(self, collection: CollectionView, damaged: DamagedTree) -> Report:
        self._damage(collection, damaged)
        if not collection.trees:
            return self._report(collection)
        several = len(collection.trees) > 1
        for code, rule in self.plan.of_collection[several]:
            for finding in rule(collection):
                self._note(code, finding, finding.node)
        for tree in collection.trees:
            self._tree(tree)
        return self._report(collection)

    def _damage(self, collection: CollectionView, damaged: DamagedTree) -> None:
        """What the parser noted. Lowercase letters are damage from FF[4] on, and
        where an identifier has no other."""
        found = list(damaged.damage)
        for damage in damaged.lowercase:
            tree = collection.trees[_tree_of(collection, _node_at(collection, damage.start))]
            if tree.file_format >= 4 or (damage.ident or "").islower():
                found.append(damage)
        for damage in found:
            if damage.code in self.severities:
                value = collection.flat.data[damage.start : damage.end]
                finding = Finding(damage.start, damage.end, {"value": value}, damage.ident)
                self._note(damage.code, finding, _node_at(collection, damage.start))

    def _tree(self, tree: TreeView) -> None:
        for code, rule in self.plan.active["tree"]:
            for finding in rule(tree):
                self._note(code, finding, finding.node)
        seen = screened(tree) if self.screening else None
        memory = self.plan.memory(tree.context)
        if seen is None:
            self._walk(tree, None)
            for number in tree.flat.nodes_of(tree.number):
                self._node(tree, number, True, memory)
            return
        tree.children = seen.children
        if seen.flags:
            self._walk(tree, seen)
        if tree.flat.names:
            for look in seen.look:
                self._node(tree, look >> 1, bool(look & 1), memory)
        else:
            self._look(tree, seen.look, memory)

    def _look(self, tree: TreeView, look: Iterable[int], memory: _Memory) -> None:
        """All rules of nodes that deserve it, but for those whose bytes are known to be
        beyond reproach."""
        flat, children, first = tree.flat, tree.children, tree.first
        data, node_start, property_end = flat.data, flat.node_start, flat.property_end
        value_end, value_to = flat.value_end, flat.value_to
        for entry in look:
            number = entry >> 1
            silent = memory.silent[children[number - first] > 0]
            end = property_end[number]
            key = data[node_start[number] : value_to[value_end[end - 1] - 1] + 1] if end else b""
            if key in silent:
                continue
            before = len(self.found)
            no_rules = self._node(tree, number, bool(entry & 1), memory)
            if no_rules and 0 < len(key) <= _SHORT_NODE and len(self.found) == before:
                if len(silent) >= _REMEMBERED:
                    silent.clear()
                silent.add(key)

    def _walk(self, tree: TreeView, seen: Screened | None) -> None:
        """The rules of paths, on all nodes, where their condition holds."""
        if seen is not None and seen.boards:
            self._with_boards(tree, seen.boards)
        known_boards = seen is not None and seen.boards is not None
        entries = [
            entry
            for entry in self.plan.paths
            if (seen is None or seen.holds(entry.when))
            and not (known_boards and entry.when == "board")
        ]
        if not entries:
            return
        rules = [(entry.code, entry.function(tree)) for entry in entries]
        position = Position(tree)
        needs_board = not known_boards
        numbers: Iterable[int] = tree.flat.nodes_of(tree.number)
        if seen is not None and all(entry.when == "single" for entry in entries):
            numbers = [look >> 1 for look in seen.look]  # every node with setup is among them
        for number in numbers:
            node = NodeView(tree, number)
            if needs_board:
                position.enter(number)
            for code, visit in rules:
                for finding in visit(node, position.board):
                    self._note(code, finding, number if finding.node is None else finding.node)
            if needs_board:
                position.leave(node)

    def _with_boards(self, tree: TreeView, boards: list[tuple[int, Picture]]) -> None:
        """The rules of paths that need the board, on the nodes where it was seen."""
        rules = [
            (entry.code, entry.function(tree)) for entry in self.plan.paths if entry.when == "board"
        ]
        for number, board in boards:
            node = NodeView(tree, number)
            for code, visit in rules:
                for finding in visit(node, board):
                    self._note(code, finding, number)

    def _node(self, tree: TreeView, number: int, turned: bool, memory: _Memory) -> bool:
        """All rules of a node and of what is in it; views are made where they are needed.

        `turned` tells whether moves may be out of turn. Gives whether no rule but those
        of properties and values can speak of the node.
        """
        flat = tree.flat
        data, starts, ends, names = flat.data, flat.ident_start, flat.ident_end, flat.names
        first, last = flat.properties_of(number)
        shape = (
            turned,
            number == tree.first,
            not tree.children[number - tree.first],
            *[names.get(prop) or data[starts[prop] : ends[prop]] for prop in range(first, last)],
        )
        rules = memory.of_node.get(shape)
        if rules is None:
            if len(memory.of_node) >= _REMEMBERED:
                memory.of_node.clear()
            rules = memory.of_node[shape] = self.plan.of_node(NodeView(tree, number), turned)
        if rules:
            node = NodeView(tree, number)
            for code, rule in rules:
                for finding in rule(node):
                    self._note(code, finding, number)
        said, value_end, value_to = memory.said, flat.value_end, flat.value_to
        for prop in range(first, last):
            start, end = starts[prop], value_to[value_end[prop] - 1]
            if end - start > _SHORT or prop in names:
                self._long(PropertyView(tree, prop, number), memory)
                continue
            key = data[start : end + 1]  # with the bracket, which damage may lack
            known = said.get(key)
            if known is None:
                self._short(PropertyView(tree, prop, number), start, key, memory)
                continue
            for code, finding in known:
                self._note(code, _moved(finding, start), number)
        return not rules

    def _short(self, entry: PropertyView, start: int, key: bytes, memory: _Memory) -> None:
        """A short property, of which nothing is known yet."""
        before = len(self.found)
        several = len(entry.raw) > 1
        if several:
            self._long(entry, memory)
        else:
            self._property(entry)
        new = self.found[before:]
        if several and not new:
            return  # lists are too many to be remembered one by one
        # What is said of bytes without meaning tells how a whole file is stored.
        if not new or entry.tree.collection.reading.stored is None:
            said = tuple((code, _moved(finding, -start)) for code, finding, _ in new)
            memory.remember(key, said)

    def _long(self, entry: PropertyView, memory: _Memory) -> None:
        """A property of many values, or of a long one.

        Of lists of different points of the board, one by one, with or without a short
        label, rules say what the identifier alone tells, or nothing. So they do of a
        text as a property; its content is looked at unless all of it is plain.
        """
        if entry.definition is None:
            self._unknown(entry, memory)
            return
        raw = entry.only_value
        if raw is not None and entry.ident in memory.plain_texts:
            if not is_plain_text(raw):
                self._values(entry)
            return
        is_plain = entry.plain_points() is not None
        # Before FF[4] the number of points had a meaning in VW.
        key = entry.ident, 0 if entry.tree.file_format >= 4 else len(entry.raw)
        if is_plain and key in memory.plain_lists:
            return
        before = len(self.found)
        self._rules_of(entry)
        is_text = entry.definition.is_text and not entry.definition.format
        if is_text and raw is not None and len(self.found) == before:
            memory.plain_texts.add(entry.ident)
        self._values(entry)
        if is_plain and len(self.found) == before:
            memory.plain_lists.add(key)

    def _unknown(self, entry: PropertyView, memory: _Memory) -> None:
        """A property that nobody knows: what its values are has no meaning."""
        known = memory.unknown.get(entry.ident)
        if known is None:
            before = len(self.found)
            self._rules_of(entry)
            known = tuple((code, finding) for code, finding, _ in self.found[before:])
            if all((finding.start, finding.end) == entry.span for _, finding in known):
                memory.unknown[entry.ident] = known
            return
        start, end = entry.span
        for code, finding in known:
            self._note(code, finding._replace(start=start, end=end), entry.node)

    def _property(self, entry: PropertyView) -> None:
        self._rules_of(entry)
        self._values(entry)

    def _rules_of(self, entry: PropertyView) -> None:
        for code, rule in self.plan.active["property"]:
            for finding in rule(entry):
                self._note(code, finding, entry.node)

    def _values(self, entry: PropertyView) -> None:
        # What its file format does not know has no type to be held to.
        if entry.definition is None or entry.tree.file_format not in entry.definition.file_formats:
            return
        for value in entry.values():
            # An empty value of an elist is no value of its own (SGF308).
            if value.raw or not entry.definition.alternatives[0].empty:
                self._value(value)

    def _value(self, value: ValueView) -> None:
        first, others = self.plan.about(value.definition)
        for code, rule in first:
            finding = rule(value)
            if finding is not None:
                if code in self.severities:
                    self._note(code, finding, value.owner.node)
                return
        for code, rule in others:
            finding = rule(value)
            if finding is not None:
                self._note(code, finding, value.owner.node)

    def _note(self, code: str, finding: Finding, node: int | None) -> None:
        self.found.append((code, finding, -1 if node is None else node))

    def _report(self, collection: CollectionView) -> Report:
        source = collection.reading.source(_CodecAt(collection))
        counts = Counter[Severity]()
        if self.found:
            self.found.sort(key=lambda item: (item[1].start, item[0], item[1].end))
            counts.update(self.severities[code] for code, _, _ in self.found)
        summaries = [
            TreeSummary(
                tree.context.game,
                tree.file_format,
                tree.context.size,
                tree.root["CA"].decode("latin-1") if "CA" in tree.root else None,
            )
            for tree in collection.trees
        ]
        return Report.deferred(
            counts,
            lambda: [
                self._diagnostic(collection, source, code, finding, node)
                for code, finding, node in self.found
            ],
            summaries,
            source,
        )

    def _diagnostic(
        self,
        collection: CollectionView,
        source: SourceText,
        code: str,
        finding: Finding,
        node: int,
    ) -> Diagnostic:
        start, end, values, ident, sgfc, related, _ = finding
        trees = collection.trees
        tree = _tree_of(collection, node) if len(trees) > 1 else 0
        if values:
            codec = trees[tree].context.codec if trees else "latin-1"
            values = {
                key: shorten(value.decode(codec, "replace")) if isinstance(value, bytes) else value
                for key, value in values.items()
            }
        return make(
            code,
            self.severities[code],
            source.span(start, end),
            tree=tree if trees else None,
            node=node - trees[tree].first if trees else None,
            ident=ident,
            sgfc=sgfc,
            related=tuple(source.span(*place) for place in related) if related else (),
            language=self.language,
            **values,
        )


def _moved(finding: Finding, distance: int) -> Finding:
    """The same finding elsewhere; those of properties have no related places."""
    start, end, values, ident, sgfc, related, node = finding
    return Finding(start + distance, end + distance, values, ident, sgfc, related, node)


def _node_at(collection: CollectionView, offset: int) -> int:
    """The last node that begins at `offset` or before it, or the first of all."""
    return max(0, bisect_right(collection.flat.node_start, offset) - 1)


def _tree_of(collection: CollectionView, node: int) -> int:
    return max(0, bisect_right(collection.flat.roots, node) - 1)


class _CodecAt:
    """The codec in which columns are counted at a byte offset: that of its tree."""

    def __init__(self, collection: CollectionView) -> None:
        self.starts = [collection.flat.opening[root] for root in collection.flat.roots]
        self.codecs = [tree.context.codec for tree in collection.trees]

    def __call__(self, offset: int) -> str:
        if not self.starts:
            return charsets.default_codec()
        return self.codecs[max(0, bisect_right(self.starts, offset) - 1)]
