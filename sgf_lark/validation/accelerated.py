"""The accelerated validation: finds what the plain one finds, and skips what must be clean.

It does what :class:`CachingRunner` does for the nodes that need checking, which a compiled scan
finds (:mod:`sgf_lark.engine.node_filter`). What may be skipped is derived from the declarations
of the rules (:mod:`sgf_lark.validation.derivation`).
"""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.engine.columns import Columns, PropertyCache, columns_of
from sgf_lark.engine.kinds import Traits
from sgf_lark.engine.node_filter import ScanResult
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import walk
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.node_filters import node_filter_of
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context
from sgf_lark.validation.caching import (
    LONGEST_PROPERTY,
    CachingRunner,
    FindingsCache,
    cache_for,
    how_decoded,
)
from sgf_lark.validation.derivation import clean_tables
from sgf_lark.validation.runner import ActiveRules, Runner


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
    #: What the scan of the tree found; None if its setup changes too many points to keep track of.
    scan: ScanResult | None
    #: Whether bytes above 127 mean something wherever they are in the tree.
    high_bytes: bool

    def check_collection(self, collection: Collection) -> None:
        """Ask the rules of the collection that may report it, then those of each tree."""
        self.columns = columns_of(collection.flat)
        super().check_collection(collection)

    def check_tree(self, tree: GameTree) -> None:
        """Ask the rules that may report a tree, and check its nodes that need it."""
        self.cache = cache = cache_for(
            ScanCache, self.rules, tree.parsed.context, how_decoded(tree)
        )
        numbers, self.high_bytes = tree.parsed.numbers, tree.parsed.decodes_everywhere
        self.scan = cache.node_filter.scan(self.columns, numbers[0], numbers[-1], self.high_bytes)
        super().check_tree(tree)

    def traits_of(self, tree: GameTree) -> int:
        """The :class:`Traits` of a tree, as the scan found them."""
        return super().traits_of(tree) if self.scan is None else self.scan.flags

    def check_nodes(self, tree: GameTree) -> None:
        """Ask the rules that may report a position of a tree, and check its nodes that need it."""
        scan = self.scan
        if scan is None:
            Runner.check_nodes(self, tree)
            return
        if scan.flags & Traits.OCCUPIED:
            self.check_positions(self.positions(tree, scan))
        for number, out_of_turn, is_leaf in scan.nodes_to_check():
            self.check_node_of_scan(tree, number, is_leaf, out_of_turn)
            self.drop_repeated()

    def positions(self, tree: GameTree, scan: ScanResult) -> Iterator[tuple[Node, Board | None]]:
        """The nodes whose position rules may report, each with the board before it; all nodes where
        the scan does not know the position."""
        snapshots = self.cache.node_filter.snapshots(scan)
        if snapshots is None or tree.size is None:
            yield from walk(tree)
            return
        for number, cells in snapshots:
            yield Node(tree, number), Board(*tree.size, cells=cells)

    def check_node_of_scan(
        self, tree: GameTree, number: int, is_leaf: bool, out_of_turn: bool
    ) -> None:
        """Ask the rules that may report a node, and check its properties that are not cached."""
        idents, plain_lists, unknown = self.columns.cached_findings(
            number, self.cache.properties, self.high_bytes, self.found
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
