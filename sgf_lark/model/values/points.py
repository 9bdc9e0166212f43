"""Points of a board, in all games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from sgf_lark.text.escaping import short_repr

#: The letters of columns and rows in Go.
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
INDEX = {letter: index for index, letter in enumerate(LETTERS)}


#: The letters of columns for people and in the Go Text Protocol, which leave out I.
GTP_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def _sides(size: int | tuple[int, int]) -> tuple[int, int]:
    """The columns and rows of a board whose columns have letters."""
    sides = (size, size) if isinstance(size, int) else size
    if not (isinstance(sides, tuple) and [*map(type, sides)] == [int, int]):
        raise TypeError(f"a size is a number or (columns, rows), not {short_repr(size)}")
    columns, rows = sides
    if not (1 <= columns <= len(GTP_LETTERS) and rows >= 1):
        raise ValueError(f"columns have letters on boards of 1 to 25 columns, not of {columns}")
    return columns, rows


class Point(NamedTuple):
    """A point of the board: `column` and `row`, 0-based from the upper left."""

    column: int
    row: int

    def __str__(self) -> str:
        """The two letters of SGF (go.html, Point); wider boards have none."""
        if not (0 <= self.column < len(LETTERS) and 0 <= self.row < len(LETTERS)):
            raise ValueError(f"no letters for the point {tuple(self)}")
        return LETTERS[self.column] + LETTERS[self.row]

    @classmethod
    def from_gtp(cls, vertex: str, size: int | tuple[int, int]) -> Point:
        """The point that people and the Go Text Protocol call "Q16", in either case.

        `size` is that of the board, a number or (columns, rows), up to 25 columns: letters
        without I count columns from the left, numbers count rows from the bottom, from 1. Raises
        ValueError for what is not a point of the board; a pass is None in :meth:`Node.play`.
        """
        columns, rows = _sides(size)
        if not isinstance(vertex, str):
            raise TypeError(f'a vertex is a text such as "Q16", not {short_repr(vertex)}')
        letters, digits = vertex[:1].upper(), vertex[1:]
        if letters in GTP_LETTERS and letters and digits.isascii() and digits.isdecimal():
            column, row = GTP_LETTERS.index(letters), rows - int(digits[:4])
            if column < columns and 0 <= row < rows:
                return cls(column, row)
        last = cls(columns - 1, 0).gtp(size)
        hint = "; a pass is not a point: play(None)" if vertex.lower() == "pass" else ""
        raise ValueError(f"{vertex!r} is not a point of the board from A1 to {last}{hint}")

    def gtp(self, size: int | tuple[int, int]) -> str:
        """The point as people and the Go Text Protocol write it, such as "Q16".

        `size` is that of the board, a number or (columns, rows). Raises ValueError for a point
        that is not on the board.
        """
        columns, rows = _sides(size)
        if not (0 <= self.column < columns and 0 <= self.row < rows):
            raise ValueError(f"{tuple(self)} is not on the board of {columns} by {rows}")
        return f"{GTP_LETTERS[self.column]}{rows - self.row}"


class Stone(Point):
    """A point at which a stone is meant; it equals the Point."""

    __slots__ = ()


#: The corners of a compressed point list, as written.
Rectangle = tuple[Point, Point]


def is_on_board(point: tuple[int, int], size: tuple[int, int] | None) -> bool:
    """Whether a point is on a board of that many columns and rows; true where there is no size."""
    return size is None or (0 <= point[0] < size[0] and 0 <= point[1] < size[1])


def ordered(first: Point, last: Point) -> Rectangle:
    """The upper left and the lower right corner of a rectangle, given any two opposite corners."""
    left, right = sorted((first.column, last.column))
    top, bottom = sorted((first.row, last.row))
    return Point(left, top), Point(right, bottom)


def count_points(first: Point, last: Point) -> int:
    """The number of points of a rectangle, given any two opposite corners."""
    return (abs(last.column - first.column) + 1) * (abs(last.row - first.row) + 1)


def clipped(first: Point, last: Point, size: tuple[int, int] | None) -> Rectangle | None:
    """The part of a rectangle that is on a board, from its upper left to its lower right point;
    None where no point of it is. Corners may be in any order."""
    first, last = ordered(first, last)
    if not is_on_board(first, size):
        return None
    if size is not None:
        last = Point(min(last.column, size[0] - 1), min(last.row, size[1] - 1))
    return first, last


def rectangle(self: Any, children: list[Any]) -> Rectangle:
    """A production ``…_rectangle: …_point COLON …_point``, which is the same in all games."""
    first, _, last = children
    return first, last


def expand(first: Point, last: Point, point_class: type[Point] = Point) -> list[Point]:
    """The points of a rectangle, row by row; both corners belong to it.

    Corners in another order than upper left, lower right are sorted.
    """
    (left, top), (right, bottom) = ordered(first, last)
    if right < len(LETTERS) and bottom < len(LETTERS):
        points: list[Point] = []
        for row in _rows_with_letters(point_class is Stone)[top : bottom + 1]:
            points += row[left : right + 1]
        return points
    return [
        point_class(column, row)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    ]


class PointSet:
    """A set of points that takes and searches whole rectangles, not point by point.

    A few bytes can name a whole board, in each of many nodes.
    """

    #: The number of rows, and of columns, whose bits are kept together.
    _SIDE = 64

    def __init__(self) -> None:
        #: The place of a block of rows and columns -> the bits of its points, row by row.
        self._blocks: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return sum(map(int.bit_count, self._blocks.values()))

    def add(self, area: Rectangle, unless: PointSet | None = None) -> None:
        """Add the points of an area, an upper left and a lower right point; not those in the
        other set."""
        blocks, others = self._blocks, unless._blocks if unless is not None else {}
        for key, bits in self._bits(area):
            blocks[key] = blocks.get(key, 0) | bits & ~others.get(key, 0)

    def first_in(self, area: Rectangle) -> Point | None:
        """The first point of the set in an area, row by row; None if it has none there."""
        if not self._blocks:
            return None
        found = [
            self._lowest(key, common)
            for key, bits in self._bits(area)
            if (common := self._blocks.get(key, 0) & bits)
        ]
        return min(found, key=by_row, default=None)

    def missing_in(self, area: Rectangle) -> list[Point]:
        """The points of an area that are not in the set, row by row."""
        found = []
        for key, bits in self._bits(area):
            left = bits & ~self._blocks.get(key, 0)
            while left:
                found.append(self._lowest(key, left))
                left &= left - 1
        return sorted(found, key=by_row)

    def _lowest(self, key: tuple[int, int], bits: int) -> Point:
        """The first point of a block with some of its points."""
        row, column = divmod((bits & -bits).bit_length() - 1, self._SIDE)
        return Point(key[1] * self._SIDE + column, key[0] * self._SIDE + row)

    def _bits(self, area: Rectangle) -> Iterator[tuple[tuple[int, int], int]]:
        """The keys of the blocks with points of an area, and the bits of these points."""
        (left, top), (right, bottom) = area
        side = self._SIDE
        for block_row in range(top // side, bottom // side + 1):
            first, end = max(top - block_row * side, 0), min(bottom - block_row * side + 1, side)
            rows = _FIRST_COLUMN[end] - _FIRST_COLUMN[first]
            for block in range(left // side, right // side + 1):
                first, end = max(left - block * side, 0), min(right - block * side + 1, side)
                yield (block_row, block), rows * ((1 << end) - (1 << first))


#: The bits of the first column of a block, in that many rows from the first one.
_FIRST_COLUMN = [sum(1 << row * PointSet._SIDE for row in range(n)) for n in range(65)]

#: The order of points row by row.
by_row = itemgetter(1, 0)


@cache
def _rows_with_letters(of_stones: bool) -> list[list[Point]]:
    """The rows of the largest board of Go, of which all rectangles consist."""
    point_class = Stone if of_stones else Point
    sides = range(len(LETTERS))
    return [[point_class(column, row) for column in sides] for row in sides]


def letter_index(letter: str) -> int:
    """0 for "a" or "A" to 25 for "z" or "Z"."""
    return ord(letter.lower()) - ord("a")


def write_column_and_number(point: Point) -> str:
    """Letters for the column, "aa" after "z", and the number of the row, from 1."""
    letters, rest = "", point.column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = LETTERS[letter] + letters
    return f"{letters}{point.row + 1}"
