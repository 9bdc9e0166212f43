"""Lines of Action, GM[9]: points as in Chess, and moves from one to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.model.values.points import (
    Point,
    letter_index,
    rectangle,
    write_column_and_number,
)

#: Writes a point: "c8".
_write_loa_point = write_column_and_number


@dataclass(frozen=True, slots=True)
class LinesOfActionMove:
    """A move of Lines of Action from `start` to `end`, or a word in `action`.

    `separator` is "-", ":" (a capture) or nothing; `remark` are the characters after
    the move, such as "!". `action` is "pass", "resign", "forfeit" or "escape".
    """

    start: Point | None = None
    end: Point | None = None
    separator: str = ""
    remark: str = ""
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """Start and end, if there are any."""
        return () if self.start is None or self.end is None else (self.start, self.end)

    def __str__(self) -> str:
        if self.start is None or self.end is None:
            return self.action
        return f"{_write_loa_point(self.start)}{self.separator}{_write_loa_point(self.end)}{self.remark}"


class LinesOfActionNotation:
    """The productions of Lines of Action; methods of a Lark Transformer.

    Rows are numbered upwards, from 0, as the notation does from 1.
    """

    def loa_point(self, children: list[str]) -> Point:
        """``loa_point: LOA_POINT``."""
        (name,) = children
        return Point(letter_index(name[0]), int(name[1:]) - 1)

    loa_rectangle = rectangle

    def remark(self, children: list[str]) -> str:
        """``remark: (SIGN | MINUS | COLON)*``."""
        return "".join(children)

    def loa_move(self, children: list[Any]) -> LinesOfActionMove:
        """``loa_move: loa_point (MINUS | COLON)? loa_point remark | LOA_ACTION``."""
        if len(children) == 1:
            return LinesOfActionMove(action=children[0].lower())
        start, *separator, end, remark = children
        return LinesOfActionMove(start, end, "".join(separator), remark)
