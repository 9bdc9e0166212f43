"""How points and moves of each game are written, by the production of ``values.lark``."""

from __future__ import annotations

from collections.abc import Callable

from sgf_lark.model.values import backgammon, hex, lines_of_action, octi
from sgf_lark.model.values.amazons import AmazonsMove
from sgf_lark.model.values.backgammon import BackgammonMove
from sgf_lark.model.values.gess import GessMove
from sgf_lark.model.values.go import Move
from sgf_lark.model.values.hex import HexMove
from sgf_lark.model.values.lines_of_action import LinesOfActionMove
from sgf_lark.model.values.octi import OctiMove
from sgf_lark.model.values.points import Point

#: The text of a point.
NOTATIONS: dict[str, Callable[[Point], str]] = {
    "go_point": str,
    "backgammon_point": backgammon.write_point,
    "loa_point": lines_of_action.write_point,
    "hex_point": hex.write_point,
    "octi_point": octi.write_point,
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


def write_point(production: str, point: Point) -> bytes:
    """A point in the notation of that production of ``values.lark``."""
    return NOTATIONS[production](point).encode()
