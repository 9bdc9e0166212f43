"""Validation that remembers: what was found for some bytes holds for equal bytes in an equal
context, and the rules that can report a node depend on its identifiers.

This is the validation where nothing is compiled, and the part of the accelerated one
(:mod:`sgf_lark.validation.accelerated`) that is written in Python. All that is kept from one file
to the next is here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import TypeVar

from sgf_lark.caches import SharedLimit
from sgf_lark.engine.kinds import Traits
from sgf_lark.grammar import Charset, PropertyDefinition
from sgf_lark.model.cells import SET_UP
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context, reader
from sgf_lark.rules.registry import Finding, Needs, Rule, Scope, plays
from sgf_lark.text.charsets import Reason
from sgf_lark.validation.derivation import numbered, selectors_of
from sgf_lark.validation.report import FoundAt
from sgf_lark.validation.runner import ActiveRules, RulesOfProperty, Runner

#: Findings are cached for properties up to this many bytes.
LONGEST_PROPERTY = 128

#: For all contexts together at most this number of entries are kept.
_KEPT = SharedLimit(50_000)

#: The identifiers of a node, and whether it is the root, is a leaf, and has a move of the color
#: of the move before it.
NodeShape = tuple[tuple[bytes, ...], bool, bool, bool]


class ShapeRules:
    """What is known of all nodes of one shape.

    `definitions` are the definitions of its properties. `rules` may report such a node;
    `without_shared_points` are those of them that may do so where no point is named twice.
    """

    def __init__(
        self,
        definitions: list[PropertyDefinition | None],
        rules: list[Rule],
        without_shared_points: list[Rule],
    ) -> None:
        self.rules = rules
        self.without_shared_points = without_shared_points
        naming = [each for each in definitions if each is not None and each.unique]
        #: How many properties are lists of points; None if others name points, too.
        self.point_lists = len(naming) if all(each.list_kind for each in naming) else None


class FindingsCache:
    """What is known of trees of one `context` under some `rules`.

    `findings` has, for the bytes of a property from its identifier to after its last value, what
    is found in it: start, end, code and finding, with offsets from where it begins. `clean_values`
    has values of lists in which nothing is found, each after its identifier. `shapes` has what is
    known of nodes, by their shape.
    """

    def __init__(self, rules: ActiveRules, context: Context) -> None:
        self.findings: dict[bytes, tuple[tuple[int, int, str, Finding], ...]] = {}
        self.clean_values: set[tuple[str, bytes]] = set()
        self.shapes: dict[NodeShape, ShapeRules] = {}
        _KEPT.register(self)

    def clear(self) -> None:
        """Forget all findings that are kept."""
        self.findings.clear()
        self.clean_values.clear()
        self.shapes.clear()

    def add_property(self, data: bytes, start: int, found: list[FoundAt]) -> None:
        """Cache what was found in the property that is written as `data` at offset `start`."""
        _KEPT.make_room()
        self.findings[data] = tuple(
            (first - start, last - start, code, finding) for first, code, last, finding, _ in found
        )

    def add_shape(self, shape: NodeShape, rules: ShapeRules) -> None:
        """Cache what is known of nodes of a shape."""
        _KEPT.make_room()
        self.shapes[shape] = rules


Kept = TypeVar("Kept", bound=FindingsCache)


class CachingRunner(Runner):
    """One run of the active rules over a collection, in which equal properties are checked once.

    Without a compiler nothing scans for the nodes in which nothing can be found, so that each
    node is looked at; what is asked about it is less than :class:`Runner` asks.
    """

    #: What is known of trees like the one that is being checked.
    cache: FindingsCache

    def rules_of_collection(self, collection: Collection) -> Sequence[Rule]:
        """The rules that may report a collection."""
        decoding = collection.file.decoding
        return _rules_of_collection(
            self.rules,
            len(collection) > 1,
            not decoding.sections.are_bytes,
            decoding.unicode_signature.charset != "",
        )

    def rules_of_tree(self, tree: GameTree) -> Sequence[Rule]:
        """The rules that may report a tree."""
        parsed = tree.parsed
        return _rules_of_tree(
            self.rules,
            not parsed.file.decoding.is_ascii,
            "FF" not in parsed.root_values,
            parsed.context.program != "",
            bool(parsed.values_with_brackets()),
            self.traits_of(tree),
        )

    def traits_of(self, tree: GameTree) -> int:
        """The :class:`Traits` that a tree may have, by the identifiers after its root."""
        flat, reader, numbers = tree.parsed.flat, tree.parsed.reader, tree.parsed.numbers
        props = range(flat.property_end[numbers[0]], flat.property_end[numbers[-1]])
        idents = {*map(flat.ident, props)}
        has_info = not idents.isdisjoint(reader.identifiers_with("type", "game-info"))
        has_setup = not idents.isdisjoint(SET_UP)
        return has_info * Traits.INFO_BELOW_ROOT | has_setup * Traits.SINGLE_STONE_SETUPS

    def check_nodes(self, tree: GameTree) -> None:
        """Ask the rules of positions, and those that may report the nodes of a tree."""
        self.cache = cache_for(FindingsCache, self.rules, tree.parsed.context, how_decoded(tree))
        super().check_nodes(tree)

    def check_node(self, node: Node) -> None:
        """Ask the rules that may report the node, then those of its properties."""
        properties = node.properties
        idents = tuple([entry.ident.encode("latin-1") for entry in properties])
        # Whose turn it is would have to be found out for each node; the few rules that need it
        # find it out themselves.
        shape = idents, node.parent is None, not node.children, True
        for rule in self.shape_rules(node.tree, shape).rules:
            self.report_all(rule, rule.function(node), node.number)
        for entry in properties:
            self.check_property(entry)

    def check_property(self, entry: Property) -> None:
        """Find what was found in an equal property, or ask the rules."""
        start, end = entry.offsets
        flat = entry.tree.parsed.flat
        if end - start > LONGEST_PROPERTY or entry.number in flat.names:
            Runner.check_property(self, entry)
            return
        data = flat.data[start:end]
        known = self.cache.findings.get(data)
        if known is None:
            self.check_new_property(entry, data)
            return
        for first, last, code, finding in known:
            self.found.append((start + first, code, start + last, finding, entry.node.number))

    def check_new_property(self, entry: Property, data: bytes) -> None:
        """Ask the rules about a property that is written as `data`, and cache what they find.

        Findings about undecodable bytes depend on how the file is stored, related places
        on the node.
        """
        before = len(self.found)
        Runner.check_property(self, entry)
        found = self.found[before:]
        is_decoded = entry.tree.parsed.section.charset is not None
        if not found or not (is_decoded or any(finding.related for _, _, _, finding, _ in found)):
            self.cache.add_property(data, entry.offsets[0], found)

    def check_value(self, value: PropValue, rules: RulesOfProperty) -> None:
        """Ask the rules about a value, unless nothing was found in an equal one.

        That is for lists: a long one with a point that is repeated or a rectangle is seldom equal
        to another, but the board has few points.
        """
        if not value.definition.takes_many or len(value.raw) > LONGEST_PROPERTY:
            super().check_value(value, rules)
            return
        key = value.property.ident, value.raw
        if key in self.cache.clean_values:
            return
        before = len(self.found)
        super().check_value(value, rules)
        if len(self.found) == before:
            _KEPT.make_room()
            self.cache.clean_values.add(key)

    def shape_rules(self, tree: GameTree, shape: NodeShape) -> ShapeRules:
        """The rules that may report a node of that shape."""
        known = self.cache.shapes.get(shape)
        if known is None:
            known = self._derived_rules(tree, shape)
            self.cache.add_shape(shape, known)
        return known

    def _derived_rules(self, tree: GameTree, shape: NodeShape) -> ShapeRules:
        idents, is_root, is_leaf, out_of_turn = shape
        definitions = [tree.define(ident.decode("latin-1")) for ident in idents]
        holds = _holding(
            (Needs.ROOT, is_root),
            (Needs.NOT_ROOT, not is_root),
            (Needs.LEAF, is_leaf),
            (Needs.OUT_OF_TURN, out_of_turn),
            (Needs.EMPTY, not idents),
            (Needs.REPEATED_IDENTIFIER, len({*idents}) < len(idents)),
            (Needs.ONLY_PASS, len(idents) == 1),
            (Needs.NO_MOVE, not any(each is not None and plays(each) for each in definitions)),
            (Needs.SHARED_POINT, True),
        )
        selecting = [
            selector
            for definition in definitions
            if definition is not None
            for selector in selectors_of(self.rules, definition)
        ]
        having = numbered(tuple(selecting))
        rules = [
            rule
            for rule in rules_where(self.rules, Scope.NODE, holds)
            if numbered(rule.having) <= having
        ]
        without_shared_points = [rule for rule in rules if Needs.SHARED_POINT not in rule.needs]
        return ShapeRules(definitions, rules, without_shared_points)


@lru_cache(maxsize=256)
def _rules_of_collection(
    rules: ActiveRules, several_trees: bool, whole_file_charset: bool, byte_order_mark: bool
) -> list[Rule]:
    """The rules that may report a collection of which these conditions hold or not."""
    holds = _holding(
        (Needs.SEVERAL_TREES, several_trees),
        (Needs.WHOLE_FILE_CHARSET, whole_file_charset),
        (Needs.BYTE_ORDER_MARK, byte_order_mark),
    )
    return rules_where(rules, Scope.COLLECTION, holds)


@lru_cache(maxsize=256)
def _rules_of_tree(
    rules: ActiveRules,
    non_ascii: bool,
    no_file_format: bool,
    program: bool,
    bracket_in_value: bool,
    traits: int,
) -> list[Rule]:
    """The rules that may report a tree of which these conditions hold or not."""
    holds = _holding(
        (Needs.NON_ASCII, non_ascii),
        (Needs.NO_FILE_FORMAT, no_file_format),
        (Needs.PROGRAM, program),
        (Needs.BRACKET_IN_VALUE, bracket_in_value),
        (Needs.INFO_BELOW_ROOT, traits & Traits.INFO_BELOW_ROOT),
        (Needs.SINGLE_STONE_SETUPS, traits & Traits.SINGLE_STONE_SETUPS),
    )
    return rules_where(rules, Scope.TREE, holds)


def _holding(*conditions: tuple[Needs, object]) -> Needs:
    """Those of these conditions that hold."""
    return reduce(or_, [need for need, is_held in conditions if is_held], Needs.NOTHING)


@lru_cache(maxsize=256)
def rules_where(rules: ActiveRules, scope: Scope, holds: Needs) -> list[Rule]:
    """The rules of a scope that need nothing but these conditions."""
    return [rule for rule in rules.by_scope[scope] if not rule.needs & ~holds]


@lru_cache(maxsize=64)
def cache_for(
    kind: type[Kept],
    rules: ActiveRules,
    context: Context,
    texts: tuple[Reason, Charset | None] | None,
) -> Kept:
    """What is known of trees of that context under these rules, in a cache of that kind; `texts` is
    :func:`how_decoded`."""
    return kind(rules, context)


def how_decoded(tree: GameTree) -> tuple[Reason, Charset | None] | None:
    """Why the texts of a tree are read in its charset, and in place of which one; None for ASCII.
    Whether bytes that are no text in it are reported depends on that."""
    if tree.parsed.file.decoding.is_ascii:
        return None
    found = tree.parsed.text_charset
    return found.reason, found.refuted


def clear() -> None:
    """Forget all findings, so that the next file is validated as the first one is."""
    cache_for.cache_clear()
    reader.clear_caches()
