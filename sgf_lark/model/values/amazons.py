"""Amazons, GM[18]: points as in Go, three of them a move."""

from __future__ import annotations

from dataclasses import dataclass

from sgf_lark.model.values.points import Point


@dataclass(frozen=True, slots=True)
class AmazonsMove:
    """A move of Amazons: from `start` to `end`, and the `arrow` shot from there."""

    start: Point
    end: Point
    arrow: Point

    @property
    def points(self) -> tuple[Point, ...]:
        """Start, end and arrow."""
        return self.start, self.end, self.arrow

    def __str__(self) -> str:
        return "".join(map(str, self.points))


class AmazonsNotation:
    """The production of Amazons; a method of a Lark Transformer."""

    def amazons_move(self, children: list[Point]) -> AmazonsMove:
        """``amazons_move: go_point go_point go_point``."""
        return AmazonsMove(*children)
