"""The geometry of a drawn board: points, grid and coordinates, in units of the drawing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from math import sqrt
from typing import NamedTuple

from sgf_lark.drawing.positions import Position
from sgf_lark.model.board import GO, HEX
from sgf_lark.model.star_points import star_points
from sgf_lark.model.values import Point

#: The distance between adjacent points.
CELL = 24.0
_HALF = CELL / 2
#: The distance from the cells of a Go board to the middle of its coordinates.
_OUTSIDE = CELL * 0.4


class Place(NamedTuple):
    """A point of the drawing: `x` to the right, `y` downwards."""

    x: float
    y: float

    def __str__(self) -> str:
        """The point in a path of SVG."""
        return f"{number(self.x)} {number(self.y)}"


class Box(NamedTuple):
    """A rectangle of the drawing."""

    left: float
    top: float
    right: float
    bottom: float


def number(value: float) -> str:
    """`value` with at most two decimals."""
    return f"{round(value, 2):g}"


def polygon(places: list[Place]) -> str:
    """A closed path through these places."""
    return "M" + "L".join(map(str, places)) + "z"


class GoLayout:
    """The layout of a Go board, or of the visible part of it: a grid of lines."""

    #: The radius of a stone.
    radius = CELL * 0.47

    def __init__(self, position: Position) -> None:
        """Lay out the board of a position."""
        self.position = position
        self._shown = set(position.points())
        columns = [point.column for point in self._shown]
        rows = [point.row for point in self._shown]
        self._columns = range(min(columns), max(columns) + 1)
        self._rows = range(min(rows), max(rows) + 1)

    def center(self, point: Point) -> Place:
        """The center of a point of the board."""
        return Place(point.column * CELL, point.row * CELL)

    def box(self) -> Box:
        """The rectangle around the visible cells, without coordinates."""
        left, top = self.center(Point(self._columns[0], self._rows[0]))
        right, bottom = self.center(Point(self._columns[-1], self._rows[-1]))
        return Box(left - _HALF, top - _HALF, right + _HALF, bottom + _HALF)

    def outline(self, point: Point) -> str:
        """The path around the cell of a point."""
        x, y = self.center(point)
        return f"M{number(x - _HALF)} {number(y - _HALF)}h{CELL:g}v{CELL:g}h{-CELL:g}z"

    def grid(self) -> str:
        """The path of the lines, which extend to the edge of the visible part."""
        lines = []
        for row in self._rows:
            shown = [column for column in self._columns if (column, row) in self._shown]
            y = number(self.center(Point(0, row)).y)
            for first, last in _runs(shown):
                left = self.center(Point(first, row)).x - _HALF * (first > 0)
                right = self.center(Point(last, row)).x
                right += _HALF * (last < self.position.columns - 1)
                lines.append(f"M{number(left)} {y}H{number(right)}")
        for column in self._columns:
            shown = [row for row in self._rows if (column, row) in self._shown]
            x = number(self.center(Point(column, 0)).x)
            for first, last in _runs(shown):
                top = self.center(Point(column, first)).y - _HALF * (first > 0)
                bottom = self.center(Point(column, last)).y
                bottom += _HALF * (last < self.position.rows - 1)
                lines.append(f"M{x} {number(top)}V{number(bottom)}")
        return "".join(lines)

    def stars(self) -> Iterator[Point]:
        """The visible star points."""
        columns, rows = self.position.columns, self.position.rows
        for point in star_points(columns, rows):
            if point in self._shown:
                yield point

    def coordinates(self) -> Iterator[tuple[Place, str]]:
        """The center and the text of each coordinate."""
        left, top, right, bottom = self.box()
        for column in self._columns:
            point = Point(column, 0)
            text, x = self.position.coordinates(point)[0], self.center(point).x
            yield from ((Place(x, y), text) for y in (top - _OUTSIDE, bottom + _OUTSIDE))
        for row in self._rows:
            point = Point(0, row)
            text, y = self.position.coordinates(point)[1], self.center(point).y
            yield from ((Place(x, y), text) for x in (left - _OUTSIDE, right + _OUTSIDE))


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of each run of consecutive numbers."""
    for _, run in groupby(enumerate(numbers), lambda item: item[1] - item[0]):
        values = [value for _, value in run]
        yield values[0], values[-1]


class SquareLayout(GoLayout):
    """The layout of a board whose pieces are on squares, such as that of Amazons."""

    def center(self, point: Point) -> Place:
        """The center of a square of the board."""
        row = self.position.rows - 1 - point.row if self.position.is_upward else point.row
        return Place(point.column * CELL, row * CELL)

    def box(self) -> Box:
        """The rectangle around the visible squares, without coordinates."""
        xs, ys = zip(*map(self.center, self._shown), strict=True)
        return Box(min(xs) - _HALF, min(ys) - _HALF, max(xs) + _HALF, max(ys) + _HALF)

    def grid(self) -> str:
        """The path around all squares."""
        return "".join(map(self.outline, sorted(self._shown)))

    def stars(self) -> Iterator[Point]:
        """No points are marked."""
        return iter(())


class HexLayout:
    """The layout of a Hex board: hexagons, each row half a cell to the right of the one above."""

    #: The radius of a stone.
    radius = CELL * 0.43
    _pitch = CELL * sqrt(3) / 2
    #: The corners of a cell, clockwise from the uppermost.
    _corners = tuple(
        Place(x * CELL / 2, y * CELL / sqrt(3) / 2)
        for x, y in ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
    )

    def __init__(self, position: Position) -> None:
        """Lay out the board of a position."""
        self.position = position
        self._shown = list(position.points())

    def center(self, point: Point) -> Place:
        """The center of a point of the board."""
        return Place((point.column + point.row / 2) * CELL, point.row * self._pitch)

    def _corner(self, point: Point, index: int) -> Place:
        x, y = self.center(point)
        return Place(x + self._corners[index].x, y + self._corners[index].y)

    def box(self) -> Box:
        """The rectangle around the visible cells, without coordinates."""
        xs, ys = zip(*(self._corner(p, i) for p in self._shown for i in range(6)), strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))

    def outline(self, point: Point) -> str:
        """The path around the cell of a point."""
        return polygon([self._corner(point, index) for index in range(6)])

    def grid(self) -> str:
        """The path of all cells."""
        return "".join(map(self.outline, self._shown))

    def sides(self) -> tuple[str, str]:
        """The paths of the sides that Black has to connect, above and below, and of White's.

        They are empty if only a part of the board is visible.
        """
        if self.position.visible is not None:
            return "", ""
        columns, rows = range(self.position.columns), range(self.position.rows)
        above = [self._corner(Point(column, 0), at) for column in columns for at in (5, 0, 1)]
        below = [
            self._corner(Point(column, rows[-1]), at) for column in columns for at in (4, 3, 2)
        ]
        left = [self._corner(Point(0, row), at) for row in rows for at in (5, 4)]
        right = [self._corner(Point(columns[-1], row), at) for row in rows for at in (1, 2)]
        black, white = (
            "".join("M" + "L".join(map(str, side)) for side in pair)
            for pair in ((above, below), (left, right))
        )
        return black, white

    def coordinates(self) -> Iterator[tuple[Place, str]]:
        """The center and the text of each coordinate."""
        shown = self._shown
        for column in sorted({point.column for point in shown}):
            rows = [point.row for point in shown if point.column == column]
            text = self.position.coordinates(Point(column, 0))[0]
            for row in (min(rows) - 1, max(rows) + 1):
                yield self.center(Point(column, row)), text
        for row in sorted({point.row for point in shown}):
            columns = [point.column for point in shown if point.row == row]
            text = self.position.coordinates(Point(0, row))[1]
            for column in (min(columns) - 1, max(columns) + 1):
                yield self.center(Point(column, row)), text


Layout = GoLayout | HexLayout


def layout(position: Position) -> Layout:
    """The layout for the game of a position."""
    return _layout(position.game, position.columns, position.rows, position.visible)


@lru_cache(maxsize=16)
def _layout(game: int, columns: int, rows: int, visible: frozenset[Point] | None) -> Layout:
    """The layout of a board, or of its visible part; animations have hundreds of it."""
    position = Position(game, columns, rows, visible=visible)
    if game == HEX:
        return HexLayout(position)
    return GoLayout(position) if game == GO else SquareLayout(position)
