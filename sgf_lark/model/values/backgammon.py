"""Backgammon, GM[6]: points of one letter, dice, and the checkers that they move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.model.values.points import LETTERS, Point, letter_index, rectangle

#: A checker's way, from and to.
CheckerPlay = tuple[Point, Point]


def _write_backgammon_point(point: Point) -> str:
    """The letter of a point."""
    return LETTERS[point.column]


@dataclass(frozen=True, slots=True)
class BackgammonMove:
    """A move of Backgammon: `dice` and what they move, or a word about the cube.

    `plays` are pairs of points, from and to; a point is (0 to 23, 0) for "a" to
    "x", (24, 0) for the bar, (25, 0) for the tray. `action` is "double", "take"
    or "drop" where there are no dice.
    """

    dice: tuple[int, int] | None = None
    plays: tuple[CheckerPlay, ...] = ()
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """All points of the plays, in their order."""
        return tuple(point for play in self.plays for point in play)

    def __str__(self) -> str:
        if self.dice is None:
            return self.action
        return "".join([*map(str, self.dice), *map(_write_backgammon_point, self.points)])


class BackgammonNotation:
    """The productions of Backgammon; methods of a Lark Transformer."""

    def backgammon_point(self, children: list[str]) -> Point:
        """``backgammon_point: BACKGAMMON_POINT``."""
        (letter,) = children
        return Point(letter_index(letter), 0)

    backgammon_rectangle = rectangle

    def checker_play(self, children: list[str]) -> CheckerPlay:
        """``checker_play: FROM_POINT TO_POINT``."""
        start, end = children
        return Point(letter_index(start), 0), Point(letter_index(end), 0)

    def backgammon_move(self, children: list[Any]) -> BackgammonMove:
        """``backgammon_move: DIE DIE checker_play~0..4 | CUBE_ACTION``."""
        if len(children) == 1:
            return BackgammonMove(action=str(children[0]))
        first, second, *plays = children
        return BackgammonMove((int(first), int(second)), tuple(plays))
