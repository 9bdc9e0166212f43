"""Gess, GM[20]: points as in Go, and moves of a footprint from one to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.model.values.points import Point


@dataclass(frozen=True, slots=True)
class GessMove:
    """A move of Gess: where the center of the footprint goes from and to."""

    start: Point
    end: Point

    @property
    def points(self) -> tuple[Point, ...]:
        """Start and end."""
        return self.start, self.end

    def __str__(self) -> str:
        return f"{self.start}:{self.end}"


class GessNotation:
    """The production of Gess; a method of a Lark Transformer."""

    def gess_move(self, children: list[Any]) -> GessMove:
        """``gess_move: go_point COLON go_point``."""
        start, _, end = children
        return GessMove(start, end)
