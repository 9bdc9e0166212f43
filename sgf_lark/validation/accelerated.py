"""The accelerated validation: finds what the plain one finds, and skips what must be clean.

It wraps :class:`Runner`. A compiled scan finds the nodes that need checking
(:mod:`sgf_lark.engine.node_filter`), what was found in equal properties comes from a cache, and
only the rules that may report a node are asked about it. What may be skipped is derived from the
declarations of the rules (:mod:`sgf_lark.validation.derivation`).
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from sgf_lark.engine.columns import Columns, columns_of
from sgf_lark.engine.kinds import Traits
from sgf_lark.engine.node_filter import CleanNodeFilter, ScanResult
from sgf_lark.model.board_walk import walk
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.registry import Finding, Needs, Rule, Scope, plays
from sgf_lark.validation.caching import (
    FindingsCache,
    NodeShape,
    ShapeRules,
    findings_cache,
)
from sgf_lark.validation.derivation import numbered, selectors_of
from sgf_lark.validation.report import PlacedFinding
from sgf_lark.validation.runner import ActiveRules, Runner

#: The conditions of rules of paths that a scan finds out.
_TRAITS = {
    Needs.INFO_BELOW_ROOT: Traits.INFO_BELOW_ROOT,
    Needs.SINGLE_STONE_SETUPS: Traits.SINGLE_STONE_SETUPS,
    Needs.OCCUPIED: Traits.OCCUPIED,
}


class _TreeInFile(NamedTuple):
    """A tree with what is asked for at each of its nodes; `high_bytes` is whether bytes above
    127 mean something wherever they are."""

    tree: GameTree
    columns: Columns
    cache: FindingsCache
    high_bytes: bool


class AcceleratedRunner(Runner):
    """One run of the active rules over a collection, with less work than :class:`Runner`."""

    def check_collection(self, collection: Collection) -> None:
        """Ask the rules of the collection that may report it, then those of each tree."""
        decoding = collection.file.decoding
        for rule in _rules_of_collection(
            self.rules,
            len(collection) > 1,
            not decoding.sections.are_bytes,
            decoding.unicode_signature.charset != "",
        ):
            self.report_bounded(rule, rule.function(collection), None)
        columns = columns_of(collection.flat)
        for tree in collection:
            self.check_tree_in(tree, columns)
            tree.forget_nodes()

    def check_tree_in(self, tree: GameTree, columns: Columns) -> None:
        """Ask the rules that may report a tree, its paths, and the nodes that need checking."""
        is_ascii = tree.parsed.file.decoding.is_ascii
        for rule in _rules_of_tree(self.rules, not is_ascii, "FF" not in tree.parsed.root_values):
            self.report_bounded(rule, rule.function(tree), None)
        cache = findings_cache(self.rules, tree.parsed.context)
        node_filter = cache.node_filter
        context = _TreeInFile(tree, columns, cache, tree.parsed.decodes_everywhere)
        scan = node_filter.scan(
            columns, tree.parsed.numbers[0], tree.parsed.numbers[-1], context.high_bytes
        )
        if scan is None:  # its setup changes too many points to keep track of
            self.check_paths(tree, self.rules.by_scope[Scope.PATH], walk(tree))
            for number in tree.parsed.numbers:
                self.check_node(Node(tree, number))
                self.drop_repeated()
            return
        rules = _rules_of_paths(self.rules, scan.flags)
        if rules:
            self.check_paths_of_scan(tree, rules, scan, node_filter)
        for number, out_of_turn, is_leaf in scan.nodes_to_check():
            self.check_node_in(context, number, is_leaf, out_of_turn)
            self.drop_repeated()

    def check_paths_of_scan(
        self, tree: GameTree, rules: list[Rule], scan: ScanResult, node_filter: CleanNodeFilter
    ) -> None:
        """Ask rules of paths about a tree.

        Those that need nodes with occupied points are asked about these only, if the scan
        knows the position there.
        """
        of_board = [rule for rule in rules if Needs.OCCUPIED in rule.needs]
        others = [rule for rule in rules if Needs.OCCUPIED not in rule.needs]
        if of_board:
            snapshots = node_filter.snapshots(scan)
            if snapshots is None:
                self.check_paths(tree, of_board, walk(tree))
            else:
                before = ((Node(tree, number), board) for number, board in snapshots)
                self.check_paths(tree, of_board, before)
        if others:
            self.check_paths(
                tree, others, ((Node(tree, each), None) for each in tree.parsed.numbers)
            )

    def check_node_in(
        self, context: _TreeInFile, number: int, is_leaf: bool, out_of_turn: bool
    ) -> None:
        """Ask the rules that may report a node, and check its properties that are not cached."""
        tree, columns, cache, high_bytes = context
        cached: list[tuple[int, str, int, Finding, int]] = []
        idents, plain_lists, unknown = columns.cached_findings(
            number, cache.properties, high_bytes, cached
        )
        self.found += map(PlacedFinding._make, cached)
        shape = idents, number == tree.parsed.numbers[0], is_leaf, out_of_turn
        known = cache.shapes.get(shape)
        if known is None:
            known = self._shape_rules(tree, shape)
            cache.add_shape(shape, known)
        is_disjoint = plain_lists == known.point_lists
        rules = known.without_shared_points if is_disjoint else known.rules
        node = Node(tree, number)
        for rule in rules:
            self.report_all(rule, rule.function(node), number)
        for prop, data in unknown:
            entry = Property(node, columns.ident(prop), None, prop)
            before = len(self.found)
            self.check_property(entry)
            if data is not None:
                self._cache_property(entry, data, before, cache)

    def _shape_rules(self, tree: GameTree, shape: NodeShape) -> ShapeRules:
        """The rules that may report a node of that shape."""
        idents, is_root, is_leaf, out_of_turn = shape
        definitions = [tree.define(ident.decode("latin-1")) for ident in idents]
        conditions = (
            (Needs.ROOT, is_root),
            (Needs.NOT_ROOT, not is_root),
            (Needs.LEAF, is_leaf),
            (Needs.OUT_OF_TURN, out_of_turn),
            (Needs.EMPTY, not idents),
            (Needs.REPEATED_IDENTIFIER, len({*idents}) < len(idents)),
            (Needs.ONLY_PASS, len(idents) == 1),
            (Needs.NO_MOVE, not any(each is not None and plays(each) for each in definitions)),
        )
        held = [need for need, is_held in conditions if is_held]
        holds = reduce(or_, held, Needs.SHARED_POINT)
        selecting = [
            selector
            for definition in definitions
            if definition is not None
            for selector in selectors_of(self.rules, definition)
        ]
        having = numbered(tuple(selecting))
        rules = [
            rule for rule in _rules_of_nodes(self.rules, holds) if numbered(rule.having) <= having
        ]
        without_shared_points = [rule for rule in rules if Needs.SHARED_POINT not in rule.needs]
        return ShapeRules(definitions, rules, without_shared_points)

    def _cache_property(
        self, entry: Property, data: bytes, before: int, cache: FindingsCache
    ) -> None:
        """Cache what was found in a property since there were `before` findings.

        Findings about undecodable bytes depend on how the file is stored, related places
        on the node.
        """
        found = self.found[before:]
        is_decoded = entry.tree.parsed.section.charset is not None
        if not found or not (is_decoded or any(each.finding.related for each in found)):
            cache.add_property(data, entry.offsets[0], found)


@lru_cache(maxsize=256)
def _rules_of_collection(
    rules: ActiveRules, several_trees: bool, whole_file_charset: bool, byte_order_mark: bool
) -> list[Rule]:
    """The rules that may report a collection of which these conditions hold or not."""
    holds = Needs.SEVERAL_TREES if several_trees else Needs.NOTHING
    holds |= Needs.WHOLE_FILE_CHARSET if whole_file_charset else Needs.NOTHING
    holds |= Needs.BYTE_ORDER_MARK if byte_order_mark else Needs.NOTHING
    return _rules_where(rules, Scope.COLLECTION, holds)


@lru_cache(maxsize=256)
def _rules_of_tree(rules: ActiveRules, non_ascii: bool, no_file_format: bool) -> list[Rule]:
    """The rules that may report a tree of which these conditions hold or not."""
    holds = Needs.NON_ASCII if non_ascii else Needs.NOTHING
    holds |= Needs.NO_FILE_FORMAT if no_file_format else Needs.NOTHING
    return _rules_where(rules, Scope.TREE, holds)


@lru_cache(maxsize=256)
def _rules_of_paths(rules: ActiveRules, flags: int) -> list[Rule]:
    """The rules that may report paths of a tree in which a scan found these traits."""
    holds = Needs.NOTHING
    for need, trait in _TRAITS.items():
        holds |= need if flags & trait else Needs.NOTHING
    return _rules_where(rules, Scope.PATH, holds)


@lru_cache(maxsize=256)
def _rules_of_nodes(rules: ActiveRules, holds: Needs) -> list[Rule]:
    """The rules that may report a node of which these conditions hold."""
    return _rules_where(rules, Scope.NODE, holds)


def _rules_where(rules: ActiveRules, scope: Scope, holds: Needs) -> list[Rule]:
    """The rules of a scope that need nothing but these conditions."""
    return [rule for rule in rules.by_scope[scope] if not rule.needs & ~holds]
