"""The accelerated validation: finds what the plain one finds, and skips what must be clean.

It does what :class:`CachingRunner` does for the nodes that need checking, which a compiled scan
finds (:mod:`sgf_lark.engine.node_filter`). What may be skipped is derived from the declarations
of the rules (:mod:`sgf_lark.validation.derivation`).
"""

from __future__ import annotations

from functools import lru_cache

from sgf_lark.engine.columns import Columns, PropertyCache, columns_of
from sgf_lark.engine.kinds import Traits
from sgf_lark.engine.node_filter import CleanNodeFilter, ScanResult
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import walk
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.node_filters import node_filter_of
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context
from sgf_lark.rules.registry import Needs, Rule, Scope
from sgf_lark.validation.caching import (
    LONGEST_PROPERTY,
    CachingRunner,
    FindingsCache,
    cache_for,
    how_decoded,
    rules_where,
)
from sgf_lark.validation.derivation import clean_tables
from sgf_lark.validation.runner import ActiveRules, Runner

#: The conditions of rules of paths that a scan finds out.
_TRAITS = {
    Needs.INFO_BELOW_ROOT: Traits.INFO_BELOW_ROOT,
    Needs.SINGLE_STONE_SETUPS: Traits.SINGLE_STONE_SETUPS,
    Needs.OCCUPIED: Traits.OCCUPIED,
}


class ScanCache(FindingsCache):
    """What is known of trees of one context, and the filter that finds their nodes to check."""

    def __init__(self, rules: ActiveRules, context: Context) -> None:
        super().__init__(rules, context)
        clean_if, bits = clean_tables(rules, context.game, context.file_format, context.program)
        self.node_filter = node_filter_of(context, bits)
        self.properties = PropertyCache(LONGEST_PROPERTY, self.node_filter.points)
        self.properties.clean_if.update(clean_if)
        self.findings = self.properties.findings


class AcceleratedRunner(CachingRunner):
    """One run of the active rules over a collection, which skips nodes that must be clean."""

    #: What is known of trees like the one that is being checked.
    cache: ScanCache
    #: The nodes and properties of the file.
    columns: Columns

    def check_collection(self, collection: Collection) -> None:
        """Ask the rules of the collection that may report it, then those of each tree."""
        self.columns = columns_of(collection.flat)
        super().check_collection(collection)

    def check_nodes(self, tree: GameTree) -> None:
        """Ask the rules that may report a path of a tree, and check its nodes that need it."""
        self.cache = cache = cache_for(
            ScanCache, self.rules, tree.parsed.context, how_decoded(tree)
        )
        high_bytes = tree.parsed.decodes_everywhere
        numbers = tree.parsed.numbers
        scan = cache.node_filter.scan(self.columns, numbers[0], numbers[-1], high_bytes)
        if scan is None:  # its setup changes too many points to keep track of
            Runner.check_nodes(self, tree)
            return
        rules = _rules_of_paths(self.rules, scan.flags)
        if rules:
            self.check_paths_of_scan(tree, rules, scan, cache.node_filter)
        for number, out_of_turn, is_leaf in scan.nodes_to_check():
            self.check_node_of_scan(tree, number, is_leaf, out_of_turn, high_bytes)
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
            if snapshots is None or tree.size is None:
                self.check_paths(tree, of_board, walk(tree))
            else:
                columns, rows = tree.size
                before = (
                    (Node(tree, number), Board(columns, rows, cells=cells))
                    for number, cells in snapshots
                )
                self.check_paths(tree, of_board, before)
        if others:
            self.check_paths(
                tree, others, ((Node(tree, each), None) for each in tree.parsed.numbers)
            )

    def check_node_of_scan(
        self, tree: GameTree, number: int, is_leaf: bool, out_of_turn: bool, high_bytes: bool
    ) -> None:
        """Ask the rules that may report a node, and check its properties that are not cached.

        `high_bytes` is whether bytes above 127 mean something wherever they are.
        """
        idents, plain_lists, unknown = self.columns.cached_findings(
            number, self.cache.properties, high_bytes, self.found
        )
        known = self.shape_rules(
            tree, (idents, number == tree.parsed.numbers[0], is_leaf, out_of_turn)
        )
        is_disjoint = plain_lists == known.point_lists
        rules = known.without_shared_points if is_disjoint else known.rules
        node = Node(tree, number)
        for rule in rules:
            self.report_all(rule, rule.function(node), number)
        for prop, data in unknown:
            entry = Property(node, self.columns.ident(prop), node.tree.parsed.flat, prop)
            if data is None:
                Runner.check_property(self, entry)
            else:
                self.check_new_property(entry, data)


@lru_cache(maxsize=256)
def _rules_of_paths(rules: ActiveRules, flags: int) -> list[Rule]:
    """The rules that may report paths of a tree in which a scan found these traits."""
    holds = Needs.NOTHING
    for need, trait in _TRAITS.items():
        holds |= need if flags & trait else Needs.NOTHING
    return rules_where(rules, Scope.PATH, holds)
