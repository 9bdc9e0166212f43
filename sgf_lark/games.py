"""How points, stones and moves of the games other than Go are read (``values.lark``)."""

from __future__ import annotations

from typing import Any

from sgf_lark.types import (
    AmazonsMove,
    BackgammonMove,
    GessMove,
    HexMove,
    LinesOfActionMove,
    OctiMove,
    OctiPlay,
    OctiStep,
    OctiStone,
    Point,
)
from sgf_lark.value_parser import Token

Pair = tuple[Point, Point]


def rectangle(self: Any, children: list[Any]) -> Pair:
    """The corners of a compressed list of points, as written."""
    first, _, last = children
    return first, last


def integer(digits: str) -> int:
    """A Number of any length (Python refuses to read very long ones by itself)."""
    if len(digits) <= 4000:
        return int(digits)
    value = 0
    sign, rest = (-1, digits[1:]) if digits[0] == "-" else (1, digits.lstrip("+"))
    for start in range(0, len(rest), 4000):
        part = rest[start : start + 4000]
        value = value * 10 ** len(part) + int(part)
    return sign * value


def _letter(letter: str) -> int:
    return ord(letter.lower()) - ord("a")


class GameTransformer:
    """One method for each start rule of a game other than Go.

    Rows are numbered as the notation of the game does, from 0: upwards in Lines
    of Action and Octi.
    """

    # Backgammon

    def backgammon_point(self, children: list[Token]) -> Point:
        return Point(_letter(children[0]), 0)

    backgammon_rectangle = rectangle

    def checker_play(self, children: list[Token]) -> Pair:
        start, end = children
        return Point(_letter(start), 0), Point(_letter(end), 0)

    def backgammon_move(self, children: list[Any]) -> BackgammonMove:
        if len(children) == 1:
            return BackgammonMove(action=str(children[0]))
        first, second, *plays = children
        return BackgammonMove((int(first), int(second)), tuple(plays))

    # Lines of Action

    def loa_point(self, children: list[Token]) -> Point:
        return Point(_letter(children[0][0]), integer(children[0][1:]) - 1)

    loa_rectangle = rectangle

    def remark(self, children: list[Token]) -> str:
        return "".join(children)

    def loa_move(self, children: list[Any]) -> LinesOfActionMove:
        if len(children) == 1:
            return LinesOfActionMove(action=children[0].lower())
        start, *separator, end, remark = children
        return LinesOfActionMove(start, end, "".join(separator), remark)

    # Hex

    def hex_point(self, children: list[Token]) -> Point:
        letters = children[0].rstrip("0123456789")
        column = 0
        for letter in letters:
            column = column * 26 + _letter(letter) + 1
        return Point(column - 1, integer(children[0][len(letters) :]) - 1)

    hex_rectangle = rectangle

    def hex_move(self, children: list[Any]) -> HexMove:
        (played,) = children
        if isinstance(played, Point):
            return HexMove(played)
        return HexMove(action=played.lower())

    # Amazons and Gess

    def amazons_move(self, children: list[Any]) -> AmazonsMove:
        return AmazonsMove(*children)

    def gess_move(self, children: list[Any]) -> GessMove:
        start, _, end = children
        return GessMove(start, end)

    # Octi

    def octi_point(self, children: list[Token]) -> Point:
        column, row = children[0]
        return Point(int(column) - 1, int(row) - 1)

    octi_rectangle = rectangle

    def prong(self, children: list[Token]) -> str:
        return str(children[0])

    def octi_stone(self, children: list[Any]) -> OctiStone:
        point, *prongs = children
        return OctiStone(point, "".join(prongs))

    def octi_capture(self, children: list[Any]) -> str:
        return "".join(children[1:])

    def octi_step(self, children: list[Any]) -> OctiStep:
        _, point, *captures = children
        return OctiStep(point, tuple(captures))

    def added_prong(self, children: list[Any]) -> dict[str, Any]:
        return {"added": children[1], "is_super": len(children) > 2}

    def turned_prong(self, children: list[Any]) -> dict[str, Any]:
        _, before, _, after = children
        return {"turned": before, "added": after}

    def octi_play(self, children: list[Any]) -> OctiPlay:
        stone, *rest = children
        if isinstance(stone, OctiStone) and isinstance(rest[0], dict):
            return OctiPlay(stone, **rest[0])
        if not isinstance(stone, OctiStone):
            stone = OctiStone(stone)
        return OctiPlay(stone, tuple(rest))

    def octi_move(self, children: list[Any]) -> OctiMove:
        return OctiMove(tuple(child for child in children if isinstance(child, OctiPlay)))
