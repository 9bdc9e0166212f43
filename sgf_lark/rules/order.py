"""Several moves, or moves and setup, in one node: whether their order matters, and how to split.

Some programs execute setup first, others follow the order of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import (
    Positions,
    changes_of_board,
    is_certain,
    played_point,
    walk,
)
from sgf_lark.model.cells import EMPTY, PLAYED, SET_UP
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.points import PointSet, Rectangle
from sgf_lark.rules.fixes import FIXED_WITH_ANOTHER, Edit, Fix, FixContext, count_open_brackets

#: Groups of properties that list points, each of which is to be in one of the lists only.
_LISTS = ("setup", "markup", "territory")
#: Words in a value.
_WORDS = re.compile(rb"\S{3}\s|\s\S{3}")
#: Texts that are often the last of a node.
_LAST_TEXTS = ("C", "N")


def has_no_order(site: FixContext, entries: list[Property]) -> bool:
    """Whether the properties with one identifier of the node of the site mean the same in the place
    of the first of them.

    They do not if they may be of two nodes. Lists of points do if no list of the same group between
    them has, or may have, one of their points.
    """
    if _may_be_of_two_nodes(site, entries):
        return False
    first, group = entries[0], _group(entries[0])
    if group not in _LISTS:
        return True
    start, end = first.offsets[0], entries[-1].offsets[0]
    others = [
        entry
        for entry in site.node.properties
        if start < entry.offsets[0] < end and entry.ident != first.ident and _group(entry) == group
    ]
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


def by_identifier(entries: Iterable[Property]) -> dict[str, list[Property]]:
    """Properties by their identifiers, in their order."""
    found: dict[str, list[Property]] = {}
    for entry in entries:
        found.setdefault(entry.ident, []).append(entry)
    return found


def may_be_several_nodes(site: FixContext) -> bool:
    """Whether the ";" of another node may be missing in the node of the site, or be in a value."""
    if any(map(_has_run_over, site.node.properties)):
        return True
    found = by_identifier(site.node.properties)
    repeated = (entries for ident, entries in found.items() if ident not in PLAYED)
    return any(_may_be_of_two_nodes(site, entries) for entries in repeated)


def _has_small_letters(site: FixContext) -> bool:
    """Whether an identifier of the node has small letters in the file. To programs that read it as
    it is written the property is an unknown one, and would go to another node."""
    flat = site.flat
    return any(
        flat.ident_end[number] - flat.ident_start[number] != len(flat.ident(number))
        for number in range(*flat.properties_of(site.node.number))
    )


def _may_be_of_two_nodes(site: FixContext, entries: list[Property]) -> bool:
    """Whether the first and the last of these properties may be in two nodes: because a move is
    between them, a text, with which many programs end a node, or a value that may have run over
    the properties of the next node.

    Texts one after the other are of one node, as long as it repeats nothing else.
    """
    if entries[0].ident in _LAST_TEXTS:
        others = [each.ident for each in site.node.properties if each.ident != entries[0].ident]
        is_of_one = _are_adjacent(site, entries) and len(others) == len(set(others))
        return not is_of_one or any(map(_has_run_over, entries[:-1]))

    def possible_ends() -> list[int]:
        """The offsets of the properties after which another node may begin."""
        return [
            entry.offsets[0]
            for entry in site.node.properties
            if entry.ident in PLAYED or entry.ident in _LAST_TEXTS or _has_run_over(entry)
        ]

    ends = site.cached(("possible ends", site.node.number), possible_ends)
    place = bisect_left(ends, entries[0].offsets[0])
    return place < len(ends) and ends[place] < entries[-1].offsets[0]


def _are_adjacent(site: FixContext, entries: list[Property]) -> bool:
    """Whether no other property is between these, which are all of one identifier in the node."""
    start, end = entries[0].offsets[0], entries[-1].offsets[0]
    between = (each for each in site.node.properties if start < each.offsets[0] < end)
    return all(each.ident == entries[0].ident for each in between)


def _has_run_over(entry: Property) -> bool:
    """Whether the property has a value in which a bracket is open: its "]" may be lost."""
    return any(map(count_open_brackets, entry.raw))


def commutes(site: FixContext, setup: list[Property], moves: list[Property]) -> bool:
    """Whether the setup and moves of the node of the site give the same position in any order.

    The position before has to be known. Only the board of Go is.
    """
    if not setup:
        return True
    if not all(map(is_certain, (*setup, *moves))) or not site.may_be_safe:
        return False
    orders = [*setup, *moves], [*moves, *setup], changes_of_board(site.node)
    before = known_positions(site).before(site.flat.node_at(site.start))
    if before is None:
        return False
    results = set()
    # The order of the file is mostly one of the others.
    for entries in dict.fromkeys(map(tuple, orders)):
        board = before.copy()
        for entry in entries:
            board.execute([entry])
        results.add(board.cells)
    return len(results) == 1


def known_positions(site: FixContext) -> Positions:
    """The positions before the nodes of the tree of the site, computed once for all sites."""
    return site.cached(("positions", site.tree.number), lambda: Positions(site.tree))


def _can_be_split(site: FixContext, moves: list[Property]) -> bool:
    """Whether programs that read all moves of the node of the site, and those that read one, still
    read at least the same if the moves are in nodes of their own.

    Most programs play the first value of a move only. Those with a list of moves for each color
    play Black first. Some reject a game with a move on an occupied point.
    """
    idents = [move.ident for move in moves]
    if idents != sorted(idents):
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

    def execute_and_check(node: Node, board: Board) -> None:
        for entry in changes_of_board(node):
            if entry.ident in SET_UP:
                board.execute([entry])
        for move in node.moves():
            value, point = next(move.prop_values()), played_point(move)
            if board.cell(point) != EMPTY if point is not None else not value.names_pass(value.raw):
                illegal.append(move)
            board.execute([move])

    for _ in walk(tree, execute_and_check):
        if illegal:
            return False
    return not illegal


def split_moves(site: FixContext) -> Fix | None:
    """Begin a node at each move of the node but the first.

    What is of the game as a whole stays in the node, which may be the root; what else follows a
    move stays with it. This is not safe if there is any such thing, or anything before the moves:
    it may belong to any of them. Nor is it if something is there twice, which is one thing in a
    node and two in several, or if an identifier has small letters. A property that is equal to the
    one before it is deleted, unless it is a pass, which may be another move; neither is safe.
    """
    node, data = site.node, site.data
    if not site.is_first("moves", node.number):
        return FIXED_WITH_ANOTHER
    moves = node.moves()
    starts: list[Edit] = []
    deletions: list[Edit] = []
    for before, entry in zip([None, *moves], moves, strict=False):
        start, end = entry.offsets
        is_repeated = before and (entry.ident, entry.raw) == (before.ident, before.raw)
        if is_repeated and not is_pass(entry):
            deletions.append(Edit(start, end))
            continue
        if before is not None:
            starts.append(Edit(start, start, b";"))
        for value in list(entry.prop_values())[1:]:
            # Words after a move are about it.
            begin = b"C[" if _WORDS.search(value.raw) else f";{entry.ident}[".encode()
            starts.append(Edit(value.start - 1, value.start, begin))
    others = [entry for entry in node.properties if entry.ident not in PLAYED]
    if not starts:
        return FIXED_WITH_ANOTHER  # all moves are equal, and are merged
    end = starts[0].start
    staying = [each.offsets for each in others if _is_of_game(each) and each.offsets[0] > end]
    kept = b"".join(data[slice(*offsets)] for offsets in staying)
    starts[0] = Edit(end, starts[0].end, kept + starts[0].replacement)
    deletions += [Edit(*offsets) for offsets in staying]
    is_of_moves_only = all(map(_is_of_game, others)) and not any(map(_has_run_over, others))
    has_each_once = len({entry.ident for entry in others}) == len(others)
    safe = is_of_moves_only and has_each_once and _can_be_split(site, moves)
    safe = safe and not _has_small_letters(site)
    return Fix((*starts, *deletions), safe)


def is_pass(entry: Property) -> bool:
    """Whether the property is a pass in Go."""
    is_move = entry.ident in PLAYED and entry.tree.game == 1
    return is_move and is_certain(entry) and played_point(entry) is None


def _is_of_game(entry: Property) -> bool:
    """Whether the property is of the game as a whole."""
    return entry.definition is not None and entry.definition.type in ("root", "game-info")
