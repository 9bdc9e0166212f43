"""The validator: every rule on every node, then a report.

Each rule is a small function in one of the modules here, under its code; what it
says and how grave that is stands in ``rules.toml``.
"""

from __future__ import annotations

import importlib
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from lark.exceptions import UnexpectedInput

from sgf_lark import charset as charsets
from sgf_lark import grammar
from sgf_lark.decoding import Reading, readings
from sgf_lark.diagnostics import Diagnostic, Severity, SourceText, make, shorten
from sgf_lark.grammar import CharsetMode, PropertyDefinition
from sgf_lark.reading import parse_best
from sgf_lark.report import Report, TreeSummary
from sgf_lark.tolerant import DamagedTree, parse_tolerant
from sgf_lark.transform import FILE_FORMATS
from sgf_lark.validation.position import Position
from sgf_lark.validation.views import (
    RULES,
    CollectionView,
    Finding,
    NodeView,
    PropertyView,
    Registered,
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

#: Values up to this many bytes are remembered when no rule speaks of them, and so many of them.
_SHORT = 16
_REMEMBERED = 100_000

PROFILES = ("strict", "default", "archive")


def validate(
    data: bytes | str,
    *,
    profile: str = "strict",
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "auto",
    file_format: int | None = None,
    game: int | None = None,
) -> Report:
    """Everything that `data` breaks, as a Report. Bad input never raises.

    `data` is the content of a file; a `str` is taken as UTF-8. `profile` is
    "strict" (the letter of the specification), "default" (what every reader
    should object to) or "archive" (what loses or distorts information).
    `select` and `ignore` are codes or beginnings of codes: only those, or all
    but those. `charset`, `default_charset` and `charset_mode` tell how text is
    decoded, as for :func:`sgf_lark.loads`. `file_format` (1 to 4) and `game` (from
    1) go before FF and GM. Raises ValueError for a profile, charset mode, file
    format or game that does not exist, LookupError for an unknown charset.
    """
    if profile not in PROFILES:
        raise ValueError(f"unknown profile: {profile!r}; one of {', '.join(PROFILES)}")
    if file_format not in (None, *FILE_FORMATS):
        raise ValueError(f"no such file format: {file_format}")
    if game is not None and game < 1:
        raise ValueError(f"no such game: {game}")
    if isinstance(data, str):
        data, charset = data.encode("utf-8", "surrogatepass"), charset or "UTF-8"
    found = readings(data, charset=charset, default_charset=default_charset, mode=charset_mode)
    return examine(found, profile, codes(select, ignore), file_format=file_format, game=game).report


class Examination(NamedTuple):
    """A report and what it was made of: a finding, and its node, for each diagnostic."""

    report: Report
    collection: CollectionView
    findings: list[tuple[str, Finding, int]]


def examine(
    found: list[Reading],
    profile: str,
    codes: frozenset[str],
    *,
    file_format: int | None = None,
    game: int | None = None,
) -> Examination:
    """All findings under the first of these readings that makes sense."""
    try:
        reading, flat = parse_best(found)
        damaged = DamagedTree(flat)
    except UnexpectedInput:
        reading, damaged = found[0], parse_tolerant(found[0].data)
    collection = CollectionView(damaged.flat, reading, file_format, game)
    run = _Run(profile, codes)
    return Examination(run.collection(collection, damaged), collection, run.found)


def codes(select: Iterable[str] | None, ignore: Iterable[str] | None) -> frozenset[str]:
    """The codes of the catalogue that are selected and not ignored, by their beginnings."""
    wanted = ("",) if select is None else tuple(select)
    unwanted = tuple(ignore or ())
    return frozenset(
        code
        for code in grammar.rules()
        if code.startswith(wanted) and not code.startswith(unwanted)
    )


@cache
def load_rules() -> None:
    """Import the modules of all rules and corrections, which register themselves."""
    for family in _FAMILIES:
        importlib.import_module(f"sgf_lark.validation.{family}")


def _rules(scope: Scope) -> list[Registered]:
    load_rules()
    return RULES[scope]


#: Codes and functions of rules that are to run.
_Active = list[tuple[str, Callable[..., Any]]]


@lru_cache(maxsize=16)
def _clean_properties(
    context: Context, profile: str, codes: frozenset[str]
) -> set[tuple[str, bytes]]:
    """(ident, raw) of single, short values of which no rule speaks in that context."""
    return set()


class _Run:
    """One validation under way."""

    def __init__(self, profile: str, codes: frozenset[str]) -> None:
        self.profile = profile
        self.codes = codes
        self.severities = {
            code: Severity(rule.severity[profile])
            for code, rule in grammar.rules().items()
            if code in codes and rule.severity[profile] != "off"
        }
        self.found: list[tuple[str, Finding, int]] = []
        self._active_rules: dict[Scope, _Active] = {}
        self._rules_about: dict[PropertyDefinition, tuple[_Active, _Active]] = {}

    def collection(self, collection: CollectionView, damaged: DamagedTree) -> Report:
        self._damage(collection, damaged)
        if not collection.trees:
            return self._report(collection)
        for code, rule in self._active("collection"):
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

    def _active(self, scope: Scope) -> _Active:
        if scope not in self._active_rules:
            self._active_rules[scope] = [
                (entry.code, entry.function)
                for entry in _rules(scope)
                if entry.code in self.severities
            ]
        return self._active_rules[scope]

    def _tree(self, tree: TreeView) -> None:
        for code, rule in self._active("tree"):
            for finding in rule(tree):
                self._note(code, finding, finding.node)
        clean = _clean_properties(tree.context, self.profile, self.codes)
        path_rules = [(code, rule(tree)) for code, rule in self._active("path")]
        position = Position(tree)
        for number in tree.flat.nodes_of(tree.number):
            node = NodeView(tree, number)
            position.enter(number)
            for code, visit in path_rules:
                for finding in visit(node, position.board):
                    self._note(code, finding, number if finding.node is None else finding.node)
            self._node(node, clean)
            position.leave(node)

    def _node(self, node: NodeView, clean: set[tuple[str, bytes]]) -> None:
        if not _is_lone_move(node):
            for code, rule in self._active("node"):
                for finding in rule(node):
                    self._note(code, finding, node.number)
        for entry in node.properties:
            single = entry.only_value
            if single is not None and (entry.ident, single) in clean:
                continue
            before = len(self.found)
            self._property(entry)
            if single is not None and len(single) <= _SHORT and len(self.found) == before:
                if len(clean) >= _REMEMBERED:
                    clean.clear()
                clean.add((entry.ident, single))

    def _property(self, entry: PropertyView) -> None:
        for code, rule in self._active("property"):
            for finding in rule(entry):
                self._note(code, finding, entry.node)
        # What its file format does not know has no type to be held to.
        if entry.definition is None or entry.tree.file_format not in entry.definition.file_formats:
            return
        for value in entry.values():
            # An empty value of an elist is no value of its own (SGF308).
            if value.raw or not entry.definition.alternatives[0].empty:
                self._value(value)

    def _value(self, value: ValueView) -> None:
        first, others = self._about(value.definition)
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

    def _about(self, definition: PropertyDefinition) -> tuple[_Active, _Active]:
        """The rules that can speak of values of that property: of "value" all, of
        "content" those that are wanted."""
        if definition not in self._rules_about:
            self._rules_about[definition] = (
                [
                    (entry.code, entry.function)
                    for entry in _rules("value")
                    if entry.about(definition)
                ],
                [
                    (entry.code, entry.function)
                    for entry in _rules("content")
                    if entry.about(definition) and entry.code in self.severities
                ],
            )
        return self._rules_about[definition]

    def _note(self, code: str, finding: Finding, node: int | None) -> None:
        self.found.append((code, finding, -1 if node is None else node))

    def _report(self, collection: CollectionView) -> Report:
        source = collection.reading.source(_codec_at(collection))
        self.found.sort(key=lambda item: (item[1].start, item[0], item[1].end))
        diagnostics = [
            self._diagnostic(collection, source, code, finding, node)
            for code, finding, node in self.found
        ]
        summaries = [
            TreeSummary(
                tree.context.game,
                tree.file_format,
                tree.context.size,
                tree.root["CA"].decode("latin-1") if "CA" in tree.root else None,
            )
            for tree in collection.trees
        ]
        return Report(diagnostics, summaries, source)

    def _diagnostic(
        self,
        collection: CollectionView,
        source: SourceText,
        code: str,
        finding: Finding,
        node: int,
    ) -> Diagnostic:
        tree = _tree_of(collection, node)
        codec = collection.trees[tree].context.codec if collection.trees else "latin-1"
        values: dict[str, Any] = {
            key: shorten(value.decode(codec, "replace")) if isinstance(value, bytes) else value
            for key, value in finding.values.items()
        }
        return make(
            code,
            self.severities[code],
            source.span(finding.start, finding.end),
            tree=tree if collection.trees else None,
            node=node - collection.flat.roots[tree] if collection.trees else None,
            ident=finding.ident,
            sgfc=finding.sgfc,
            related=tuple(source.span(*place) for place in finding.related),
            **values,
        )


def _is_lone_move(node: NodeView) -> bool:
    """The bulk of all nodes: one move and nothing else, inside the game.

    Nothing in such a node can meet anything else, so node rules are silent.
    """
    if len(node.properties) != 1 or node.is_root or node.is_leaf:
        return False
    definition = node.properties[0].definition
    return definition is not None and definition.exclusive == "move"


def _node_at(collection: CollectionView, offset: int) -> int:
    """The last node that begins at `offset` or before it, or the first of all."""
    return max(0, bisect_right(collection.flat.node_start, offset) - 1)


def _tree_of(collection: CollectionView, node: int) -> int:
    return max(0, bisect_right(collection.flat.roots, node) - 1)


def _codec_at(collection: CollectionView) -> Callable[[int], str]:
    """The codec in which columns are counted at a byte offset: that of its tree."""
    starts = [collection.flat.opening[root] for root in collection.flat.roots]

    def codec(offset: int) -> str:
        if not starts:
            return charsets.default_codec()
        return collection.trees[max(0, bisect_right(starts, offset) - 1)].context.codec

    return codec
