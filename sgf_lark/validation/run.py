"""One examination: every rule where it can speak.

Plain Python, and with the types of ``run.pxd`` compiled to C.
"""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.diagnostics import Language
from sgf_lark.engine.layout import LABELS, LIST, POINT, TEXT
from sgf_lark.engine.screen import Looked
from sgf_lark.flat import DamagedTree
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.rules.position import Position, Stones
from sgf_lark.rules.registry import Finding, PathRule
from sgf_lark.validation.planning import REMEMBERED, SHORT_NODE, Memory, OfNode, Plan
from sgf_lark.validation.report import Report
from sgf_lark.validation.reporting import Found, RunReport, by_place
from sgf_lark.validation.screening import boards, holds, with_names
from sgf_lark.validation.trees import CollectionView, TreeView
from sgf_lark.validation.views import NodeView, PropertyView, Shape, ValueView


class Examination:
    """What all rules say of a collection, and of the `damage` that the parser noted: a
    report, and what it was made of."""

    def __init__(
        self,
        plan: Plan,
        language: Language,
        collection: CollectionView,
        damage: DamagedTree | None = None,
    ) -> None:
        self.plan = plan
        self.severities = self.plan.severities
        self.collection = collection
        #: What was found for each diagnostic.
        self.found: list[Found] = []
        if damage is not None:
            self._damage(damage)
        if self.collection.trees:
            self._collection(self.collection)
        if self.found:
            self.found.sort(key=by_place)
        self.report: Report = RunReport(collection, self.found, self.severities, language)

    @property
    def findings(self) -> list[tuple[str, Finding, int]]:
        """The code, the finding and the number of the node, or -1, for each diagnostic."""
        return [
            (code, finding._replace(start=start, end=end), node)
            for start, code, end, finding, node in self.found
        ]

    def _collection(self, collection: CollectionView) -> None:
        """All rules of a collection, and of each tree in it."""
        several, stored, marked = collection.conditions()
        for code, rule in self.plan.of_whole("collection", several, stored, marked):
            for finding in rule(collection):
                self._note(code, finding, finding.node)
        for tree in collection.trees:
            self._tree(tree)
            tree.forget()

    def _damage(self, damaged: DamagedTree) -> None:
        """What the parser noted. Lowercase letters are damage from FF[4] on, and
        where an identifier has no other."""
        collection, flat = self.collection, self.collection.flat
        found = list(damaged.damage)
        for damage in damaged.lowercase:
            tree = collection.trees[flat.tree_of(flat.node_at(damage.start))]
            if tree.file_format >= 4 or (damage.ident or "").islower():
                found.append(damage)
        for damage in found:
            if damage.code in self.severities:
                value = flat.data[damage.start : damage.end]
                finding = Finding(damage.start, damage.end, {"value": value}, damage.ident)
                self._note(damage.code, finding, flat.node_at(damage.start))

    def _tree(self, tree: TreeView) -> None:
        """All rules of a tree, of its paths and its nodes: of those at which the screen
        points, and whose bytes were not beyond reproach elsewhere."""
        beyond, unsaid = tree.conditions()
        for code, rule in self.plan.of_whole("tree", beyond, unsaid):
            for finding in rule(tree):
                self._note(code, finding, finding.node)
        memory = self.plan.memory(tree.context)
        seen = None
        if memory.screen is not None:
            columns = with_names(tree) if tree.columns.names else tree.columns
            seen = memory.screen.look(columns, tree.first, tree.last, tree.is_all_text(), 0, 0)
        tree.seen = seen
        if seen is None:
            self._walk(tree, None, memory)
            for number in range(tree.first, tree.last + 1):
                is_leaf = tree.children[number - tree.first] == 0
                self._node(tree, number, True, is_leaf, memory)
            return
        if seen.flags:
            self._walk(tree, seen, memory)
        leaves, others = memory.silent
        for number, turned, is_leaf, key in seen.deserving(
            tree.columns, SHORT_NODE, leaves, others
        ):
            before = len(self.found)
            no_rules = self._node(tree, number, turned, is_leaf, memory)
            if key is not None and no_rules and len(self.found) == before:
                silent = leaves if is_leaf else others
                if len(silent) >= REMEMBERED:
                    silent.clear()
                silent.add(key)

    def _walk(self, tree: TreeView, seen: Looked | None, memory: Memory) -> None:
        """The rules of paths, on all nodes, where their condition holds; those about the
        board on the nodes before which the screen has seen it, if it has."""
        entries = self.plan.paths
        pictures = None
        if seen is not None and memory.screen is not None:
            entries = [entry for entry in entries if holds(seen.flags, entry.when)]
            pictures = boards(tree, memory.screen, seen)
        if pictures is not None:
            about_board = [entry for entry in entries if entry.when == "board"]
            entries = [entry for entry in entries if entry.when != "board"]
            rules = [(entry.code, entry.function(tree)) for entry in about_board]
            for number, board in pictures:
                self._visit(NodeView(tree, number), board, rules)
        if not entries:
            return
        rules = [(entry.code, entry.function(tree)) for entry in entries]
        needs_board = any(entry.when == "board" for entry in entries)
        position = Position(tree) if needs_board else None
        numbers: Iterable[int] = tree.flat.nodes_of(tree.number)
        if seen is not None and all(entry.when == "single" for entry in entries):
            numbers = seen.nodes()  # every node with setup is among them
        for number in numbers:
            node = NodeView(tree, number)
            if position is None:
                self._visit(node, None, rules)
            else:
                position.enter(number)
                self._visit(node, position.board, rules)
                position.leave(node)

    def _visit(
        self, node: NodeView, board: Stones | None, rules: list[tuple[str, PathRule]]
    ) -> None:
        for code, visit in rules:
            for finding in visit(node, board):
                self._note(code, finding, node.number if finding.node is None else finding.node)

    def _node(
        self, tree: TreeView, number: int, turned: bool, is_leaf: bool, memory: Memory
    ) -> bool:
        """All rules of a node and of what is in it; views are made where they are needed.

        `turned` tells whether moves may be out of turn, `is_leaf` whether it is one. Gives
        whether no rule but those of properties and values can speak of the node.
        """
        idents, lists, unknown = tree.columns.look_up(
            number, memory.known, tree.is_all_text(), self.found
        )
        key = turned, number == tree.first, is_leaf, idents
        known = memory.shapes.get(key)
        if known is None:
            if len(memory.shapes) >= REMEMBERED:
                memory.shapes.clear()
            node = NodeView(tree, number)
            known = memory.shapes[key] = *self.plan.of_node(node, turned), node.shape
        rules, apart, shape = known
        if lists == shape.lists:
            rules = apart
        if rules:
            self._rules_of_node(tree, number, shape, rules, memory)
        first = tree.columns.first_property(number)
        for prop, word in unknown:
            self._property(
                PropertyView(tree, prop, number, shape.kinds[prop - first]), word, memory
            )
        return not rules

    def _rules_of_node(
        self, tree: TreeView, number: int, shape: Shape, rules: OfNode, memory: Memory
    ) -> None:
        """What these rules say of a node; one is not asked that said nothing of all it reads."""
        node = None
        for code, rule, reads in rules:
            key = None
            words = tree.columns.words(number, reads, SHORT_NODE) if reads else None
            if words is not None and self.plan.remembers:
                key = code, words
                if key in memory.unsaid:
                    continue
            before = len(self.found)
            node = node or NodeView(tree, number, shape)
            for finding in rule(node):
                self._note(code, finding, number)
            if key is not None and len(self.found) == before:
                if len(memory.unsaid) >= REMEMBERED:
                    memory.unsaid.clear()
                memory.unsaid.add(key)

    def _property(self, entry: PropertyView, word: bytes | None, memory: Memory) -> None:
        """What is said of a property of which nothing is known yet; it is remembered for
        `word`, its bytes, where these are short."""
        before = len(self.found)
        if entry.definition is None:
            self._unknown(entry, memory)
        else:
            self._defined(entry, entry.definition, memory)
        if word is None or not self.plan.remembers:
            return
        start, new = entry.span[0], self.found[before:]
        # Lists of which nothing is said are too many to be remembered one by one; what is
        # said of bytes without meaning tells how a whole file is stored.
        if entry.tree.stored() is None if new else entry.count == 1:
            memory.remember(word, tuple(_relative(item, start) for item in new))

    def _defined(self, entry: PropertyView, definition: PropertyDefinition, memory: Memory) -> None:
        """All rules of a property and of its values, and whether these can be so plain that
        nothing is said: of such, rules say what the identifier alone tells."""
        ident, kinds = entry.ident.encode("latin-1"), memory.known.kinds
        if ident in memory.lists and entry.is_plain_list:
            return
        before = len(self.found)
        is_text = definition.is_text and entry.count == 1
        if not is_text or entry.ident not in memory.texts:
            self._rules_of(entry)
            if is_text and len(self.found) == before and self.plan.remembers:
                memory.texts.add(entry.ident)
                if not definition.format:
                    kinds[ident] = TEXT
        self._values(entry)
        if len(self.found) > before or not self.plan.remembers:
            return
        if entry.is_plain_move:
            kinds[ident] = POINT
        counts = ident == b"VW" and entry.tree.file_format < 4  # Two are corners there.
        if not counts and entry.is_plain_list:
            if entry.tree.has_letters:
                kinds[ident] = LABELS if definition.list_kind == "label" else LIST
            else:
                memory.lists.add(ident)

    def _unknown(self, entry: PropertyView, memory: Memory) -> None:
        """A property that nobody knows: what its values are has no meaning."""
        known = memory.unknown.get(entry.ident)
        start, end = entry.span
        if known is None:
            before = len(self.found)
            self._rules_of(entry)
            new = self.found[before:]
            if self.plan.remembers and all((item[0], item[2]) == (start, end) for item in new):
                memory.unknown[entry.ident] = tuple((code, found) for _, code, _, found, _ in new)
            return
        for code, finding in known:
            self.found.append((start, code, end, finding, entry.node))

    def _rules_of(self, entry: PropertyView) -> None:
        for code, rule in self.plan.of_property(entry.definition):
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
        number = -1 if node is None else node
        self.found.append((finding.start, code, finding.end, finding, number))


def _relative(item: Found, origin: int) -> tuple[str, Finding]:
    """A finding in a property, with its place counted from `origin`. Those of properties
    have no related places."""
    start, code, end, finding, _ = item
    return code, finding._replace(start=start - origin, end=end - origin)
