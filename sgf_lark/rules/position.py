"""Rules about the position on the board, in games like Go (8xx)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sgf_lark.model.board import EMPTY, SET_UP
from sgf_lark.model.node import Node
from sgf_lark.model.position import played_point
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Point
from sgf_lark.rules.registry import Finding, Needs, PathVisitor, Scope, Stones, at, rule

#: A message names at most this many points.
_NAMED_POINTS = 5


@rule("SGF801", Scope.PATH, needs=Needs.OCCUPIED)
def move_on_occupied_point(tree: GameTree) -> PathVisitor:
    """Reports a move on a point that has a stone."""

    def visit(node: Node, board: Stones | None) -> Iterator[Finding]:
        for entry in node.moves() if board is not None else ():
            point = played_point(entry)
            if point is not None and board is not None and board[point] != EMPTY:
                yield at(entry, value=entry.raw[0])

    return visit


@rule("SGF802", Scope.PATH, needs=Needs.OCCUPIED)
def setup_without_effect(tree: GameTree) -> PathVisitor:
    """Reports AB on black stones, AW on white ones, AE on empty points."""

    def visit(node: Node, board: Stones | None) -> Iterator[Finding]:
        for entry in node.of_type("setup"):
            color = SET_UP.get(entry.ident)
            if color is None or board is None:
                continue
            useless = [*islice(_with_color(entry, board, color), _NAMED_POINTS + 1)]
            if useless:
                points = " ".join(map(str, useless[:_NAMED_POINTS]))
                more = " …" if len(useless) > _NAMED_POINTS else ""
                yield at(entry, point=points + more)

    return visit


def _with_color(entry: Property, board: Stones, color: int) -> Iterator[Point]:
    """The points in the list of a property that have that color on the board, each once."""
    found: set[Point] = set()
    for value in entry.prop_values():
        if value.area is None:
            continue
        (left, top), (right, bottom) = value.area
        for row in range(top, bottom + 1):
            colors = board.colors(row, left, right)
            place = colors.find(color)
            while place >= 0:
                point = Point(left + place, row)
                if point not in found:
                    found.add(point)
                    yield point
                place = colors.find(color, place + 1)
