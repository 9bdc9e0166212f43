"""Go, GM[1]: points of two letters, and moves that are points or passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.model.values.context import Context
from sgf_lark.model.values.points import INDEX, Point, rectangle

#: On boards of at most this many lines "tt" is a pass (go.html, Move).
_LARGEST_BOARD_WITH_TT = 19


@dataclass(frozen=True, slots=True)
class Move:
    """A move of Go: the `point` played, or None for a pass."""

    point: Point | None = None

    @property
    def is_pass(self) -> bool:
        """Whether no stone is played."""
        return self.point is None

    @property
    def points(self) -> tuple[Point, ...]:
        """The point played, if there is one."""
        return () if self.point is None else (self.point,)

    def __str__(self) -> str:
        """A pass is written [] (go.html, Move); in older files it was [tt]."""
        return "" if self.point is None else str(self.point)


class GoNotation:
    """The productions of Go; methods of a Lark Transformer."""

    context: Context

    def go_point(self, children: list[str]) -> Point:
        """``go_point: LETTER LETTER``."""
        column, row = children
        return Point(INDEX[column], INDEX[row])

    def go_move(self, children: list[Any]) -> Move:
        """``go_move: go_point | pass``."""
        point = children[0]
        size = self.context.size
        if point == (19, 19) and size is not None and max(size) <= _LARGEST_BOARD_WITH_TT:
            return Move(None)
        return Move(point)

    def pass_(self, children: list[Any]) -> None:
        """``pass:`` (empty); see below for the name."""

    go_rectangle = rectangle


# Lark calls the method that has the name of the production, and "pass" is a Python keyword.
setattr(GoNotation, "pass", GoNotation.pass_)
