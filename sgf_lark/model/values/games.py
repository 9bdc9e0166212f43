"""How points and moves of each game are written, by the production of ``values.lark``.

A production that no table has can be read; as a value only its text in SGF is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from sgf_lark.model.values.amazons import AmazonsMove
from sgf_lark.model.values.backgammon import BackgammonMove
from sgf_lark.model.values.gess import GessMove
from sgf_lark.model.values.go import Move
from sgf_lark.model.values.hex import HexMove
from sgf_lark.model.values.lines_of_action import LinesOfActionMove
from sgf_lark.model.values.octi import OctiMove
from sgf_lark.model.values.points import Point, write_column_and_number
from sgf_lark.syntax.values import pattern

#: The text of a point.
NOTATIONS: dict[str, Callable[[Point], str]] = {
    "go_point": str,
    "backgammon_point": _write_backgammon_point,
    "loa_point": _write_loa_point,
    "hex_point": write_column_and_number,
    "octi_point": _write_octi_point,
}

#: The classes of moves. Each has ``points``, in the order of the notation, and its ``str`` is
#: its text in SGF.
MOVES: dict[str, type] = {
    "go_move": Move,
    "backgammon_move": BackgammonMove,
    "loa_move": LinesOfActionMove,
    "hex_move": HexMove,
    "amazons_move": AmazonsMove,
    "gess_move": GessMove,
    "octi_move": OctiMove,
}


#: In games in which a point is a move as well: the move to a point.
MOVES_TO_A_POINT: dict[str, Callable[[Point], Any]] = {
    "go_move": Move,
    "hex_move": HexMove,
    "octi_move": new_pod,
}

#: In games with a pass: that move, which None stands for.
PASSES: dict[str, Any] = {"go_move": Move(None), "hex_move": HexMove(action="pass")}

#: The productions whose values are written from objects as well as from their text.
WITH_OBJECTS = {*NOTATIONS, *MOVES, "octi_stone"}

#: How messages show a move or a stone; they show none that is not here.
EXAMPLES = {
    "go_move": "Move(Point(2, 2))",
    "backgammon_move": "BackgammonMove((3, 1), ((Point(7, 0), Point(4, 0)),))",
    "loa_move": 'LinesOfActionMove(Point(2, 0), Point(2, 2), "-")',
    "hex_move": "HexMove(Point(2, 2))",
    "amazons_move": "AmazonsMove(Point(3, 0), Point(3, 3), Point(3, 6))",
    "gess_move": "GessMove(Point(2, 2), Point(2, 3))",
    "octi_move": "OctiMove((OctiPlay(OctiStone(Point(2, 2))),))",
    "octi_stone": 'OctiStone(Point(2, 2), "AB")',
}


def has_empty_step(move: Any) -> bool:
    """Whether a step of a move ends where it begins: a piece stays, or an arrow of Amazons lands
    on the amazon that shoots it. False for a move of a notation without a class."""
    ways: Iterable[Sequence[Point]] = (getattr(move, "points", ()),)
    if isinstance(move, BackgammonMove):
        ways = move.plays
    elif isinstance(move, OctiMove):
        ways = ([play.stone.point, *(step.point for step in play.steps)] for play in move.plays)
    return any(start == end for way in ways for start, end in pairwise(way))


def write_point(production: str, point: Point) -> bytes:
    """A point in the notation of that production of ``values.lark``."""
    return NOTATIONS[production](point).encode()


#: The names of points are kept for boards with these sides; smaller boards have some of them.
_SIDES = (19, 52)


def names_of_points(production: str, size: tuple[int, int] | None) -> list[bytes]:
    """The points of a board as they are written, row by row; b"" for one that the notation
    does not reach.

    None are given for a game without such points, and for boards of more than 52 lines.
    """
    if production not in NOTATIONS or size is None or max(size) > _SIDES[-1]:
        return []
    columns, rows = size
    written = _names(production, next(side for side in _SIDES if side >= max(size)))
    return [name for row in written[:rows] for name in row[:columns]]


@lru_cache
def _names(production: str, side: int) -> list[list[bytes]]:
    """The names of the points of a square board by rows and columns."""
    is_point = pattern(production).fullmatch

    def name(point: Point) -> bytes:
        try:
            written = write_point(production, point)
        except ValueError:
            return b""
        return written if is_point(written) else b""

    return [[name(Point(column, row)) for column in range(side)] for row in range(side)]
