"""Several moves, or moves and setup, in one node: whether their order matters, and how to split.

Some programs execute setup first, others follow the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from sgf_lark.model.board import EMPTY, PLAYED, SET_UP, MutableBoard
from sgf_lark.model.board_execution import execute_property
from sgf_lark.model.node import Node
from sgf_lark.model.position import (
    BoardWalk,
    Positions,
    changes_of_board,
    has_board,
    is_certain,
    played_point,
)
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.points import PointSet, Rectangle
from sgf_lark.rules.fixes import FIXED_WITH_ANOTHER, Edit, Fix, Site

#: Groups of properties that list points, each of which is to be in one of the lists only.
_LISTS = ("setup", "markup", "territory")


def has_no_order(entries: list[Property]) -> bool:
    """Whether properties with one identifier mean the same in the place of the first of them.

    Lists of points do if no list of the same group between them has, or may have, one of their
    points. Setup also must have no move between.
    """
    first, last = entries[0], entries[-1]
    group = _group(first)
    if group not in _LISTS:
        return True
    properties = first.node.properties
    between = properties[properties.index(first) : properties.index(last)]
    if group == "setup" and any(entry.ident in PLAYED for entry in between):
        return False
    others = [entry for entry in between if entry.ident != first.ident and _group(entry) == group]
    points = PointSet()
    for area in _areas(entries):
        if area is None:
            return not others
        points.add(area)
    return all(area is not None and points.first_in(area) is None for area in _areas(others))


def _group(entry: Property) -> str:
    """The group of lists that the property belongs to, or ""."""
    return entry.definition.unique if entry.definition is not None else ""


def _areas(entries: Iterable[Property]) -> Iterator[Rectangle | None]:
    """The points of the board that each value of the properties names; None if unknown."""
    return (value.area for entry in entries for value in entry.prop_values())


def are_one(site: Site, entries: list[Property]) -> bool:
    """Whether equal properties of the node of the site mean the same as only the first of them.

    Moves of one value do if nothing is executed between them, and if the first one certainly is
    no suicide, after which the second one may stay on the board.
    """
    if entries[0].ident not in PLAYED:
        return has_no_order(entries)
    if entries[0].count > 1:
        return False
    numbers = {entry.number for entry in entries}
    moves = site.node.moves()
    first = next(place for place, move in enumerate(moves) if move.number in numbers)
    in_a_row = {move.number for move in moves[first : first + len(entries)]} == numbers
    if not in_a_row or site.node.of_type("setup"):
        return False
    if not has_board(site.tree.context):
        return True
    kept = [move for move in moves if move.number not in numbers or move is moves[first]]
    return all(map(is_certain, moves)) and _give_one_position(site, moves, kept)


def commutes(site: Site, setup: list[Property], moves: list[Property]) -> bool:
    """Whether the setup and moves of the node of the site give the same position in any order.

    Only the board of Go is known.
    """
    if not setup:
        return True
    if not all(map(is_certain, (*setup, *moves))):
        return False
    orders = [*setup, *moves], [*moves, *setup], changes_of_board(site.node)
    # The order of the file is mostly one of the others.
    return _give_one_position(site, *dict.fromkeys(map(tuple, orders)))


def known_positions(site: Site, *, in_order: bool = False) -> Positions:
    """The positions before the nodes of the tree of the site, computed once for all sites.

    Setup is executed before moves, or as the properties of a node are `in_order`.
    """
    return site.cached(
        ("positions", site.tree.number, in_order),
        partial(Positions, site.tree, in_order=in_order),
    )


def _give_one_position(site: Site, *orders: Iterable[Property]) -> bool:
    """Whether the properties of the node give the same position in each of these orders.

    The position before is what programs get that execute setup first in all nodes, and what
    those get that follow the order of the file.
    """
    number = site.flat.node_at(site.start)
    for in_order in (False, True):
        known = known_positions(site, in_order=in_order)
        results = set()
        for entries in orders:
            board = known.before(number)
            if board is None:
                return False
            for entry in entries:
                execute_property(entry, board)
            results.add(board.snapshot())
        if len(results) > 1:
            return False
        if not known.depends_on_order:
            break
    return True


def _can_be_split(site: Site, moves: list[Property]) -> bool:
    """Whether programs that read all moves of the node of the site, and those that read one, still
    read at least the same if the moves are in nodes of their own.

    Programs that follow the order of the file execute setup between the moves. Most play the first
    value of a move only. Those with a list of moves for each color play Black first. Some reject
    a game with a move on an occupied point.
    """
    idents = [move.ident for move in moves]
    if site.node.of_type("setup") or idents != sorted(idents):
        return False
    written = {(move.ident, b"".join(move.raw[0].lower().split())) for move in moves}
    if not all(map(is_certain, moves)) or len(written) < len(moves):
        return False
    tree = site.tree
    return site.cached(("legal", tree.number), lambda: _has_moves_on_empty_points_only(tree))


def _has_moves_on_empty_points_only(tree: GameTree) -> bool:
    """Whether each move of the tree is a pass or on an empty point of the board, if all moves of a
    node are played; also for games other than Go, of which the board is not known."""
    illegal: list[Property] = []

    def execute_and_check(node: Node, board: MutableBoard) -> None:
        for entry in changes_of_board(node):
            if entry.ident in SET_UP:
                execute_property(entry, board)
        for move in node.moves():
            value, point = next(move.prop_values()), played_point(move)
            if board[point] != EMPTY if point is not None else not value.names_pass(value.raw):
                illegal.append(move)
            execute_property(move, board)

    walk = BoardWalk(tree, execute_and_check)
    for number in tree.numbers:
        walk.enter(number)
        walk.leave(tree.node(number))
    return not illegal


def split_moves(site: Site) -> Fix | None:
    """Move all moves but the first of the node to nodes of their own after it, in order.

    A property that is equal to the one before it is deleted; this is not safe.
    """
    node = site.node
    if not site.is_first("moves", node.number):
        return FIXED_WITH_ANOTHER
    first, *others = node.moves()
    values = list(first.prop_values())
    edits = [Edit(*entry.offsets) for entry in others]
    if len(values) > 1:
        edits.append(Edit(values[1].start - 1, values[-1].end + 1))
    moves = [(first.ident, raw) for raw in first.raw[1:]]
    safe = _can_be_split(site, [first, *others])
    for before, entry in zip([first, *others], others, strict=False):
        if (entry.ident, entry.raw) != (before.ident, before.raw):
            moves += [(entry.ident, raw) for raw in entry.raw]
    end = node.offsets[1]
    new = b"".join(b";" + ident.encode() + b"[" + raw + b"]" for ident, raw in moves)
    return Fix((*edits, Edit(end, end, new)), safe)
