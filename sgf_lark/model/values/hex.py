"""Hex, GM[11]: cells with a column of letters and a numbered row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.model.values.points import (
    Point,
    letter_index,
    rectangle,
    write_column_and_number,
)

@dataclass(frozen=True, slots=True)
class HexMove:
    """A move of Hex: the cell `point`, or a word in `action`.

    `action` is "swap-sides", "swap-pieces", "resign", "forfeit" or "pass".
    """

    point: Point | None = None
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """The cell played, if there is one."""
        return () if self.point is None else (self.point,)

    def __str__(self) -> str:
        return self.action if self.point is None else write_column_and_number(self.point)


class HexNotation:
    """The productions of Hex; methods of a Lark Transformer."""

    def hex_point(self, children: list[str]) -> Point:
        """``hex_point: HEX_POINT``; the columns after "z" are "aa", "ab" and so on."""
        (name,) = children
        letters = name.rstrip("0123456789")
        column = 0
        for letter in letters:
            column = 26 * column + letter_index(letter) + 1
        return Point(column - 1, int(name[len(letters) :]) - 1)

    hex_rectangle = rectangle

    def hex_move(self, children: list[Any]) -> HexMove:
        """``hex_move: hex_point | HEX_ACTION``."""
        (played,) = children
        if isinstance(played, Point):
            return HexMove(played)
        return HexMove(action=played.lower())
