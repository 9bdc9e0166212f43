"""Go, GM[1]: points of two letters, and moves that are points or passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.model.values.context import Context
from sgf_lark.model.values.points import INDEX, Point, rectangle

#: On boards of at most this many lines "tt" is a pass (go.html, Move).
_LARGEST_BOARD_WITH_TT = 19

#: The Go Text Protocol's word for a pass.
_GTP_PASS = "pass"

#: The point that "tt" names on a larger board.
_SHORT_PASS = Point(19, 19)


def has_short_pass(size: tuple[int, int] | None) -> bool:
    """Whether "tt" is a pass, and not a point, on a board of that size."""
    return size is not None and max(size) <= _LARGEST_BOARD_WITH_TT


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

    @classmethod
    def from_gtp(cls, text: str, size: int | tuple[int, int]) -> Move:
        """The move that people and the Go Text Protocol write as "Q16" or "pass", in either case.

        `size` and errors are those of :meth:`Point.from_gtp`.
        """
        is_pass = isinstance(text, str) and text.lower() == _GTP_PASS
        return cls(None if is_pass else Point.from_gtp(text, size))

    def gtp(self, size: int | tuple[int, int]) -> str:
        """The move as people and the Go Text Protocol write it, such as "Q16" or "pass".

        `size` is that of the board, a number or (columns, rows). Raises ValueError for a point
        that is not on the board.
        """
        return _GTP_PASS if self.point is None else self.point.gtp(size)

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
        (point,) = children
        is_pass = point == _SHORT_PASS and has_short_pass(self.context.size)
        return Move(None if is_pass else point)

    def pass_(self, children: list[Any]) -> None:
        """``pass:`` (empty); see below for the name."""

    go_rectangle = rectangle


# Lark calls the method that has the name of the production, and "pass" is a Python keyword.
setattr(GoNotation, "pass", GoNotation.pass_)
