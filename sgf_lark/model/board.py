"""A board that plays moves and takes them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from sgf_lark.engine.kinds import PropertyBits
from sgf_lark.model.values import Color, Move, Point
from sgf_lark.model.values.points import Rectangle, is_on_board

#: The games that have boards, by their GM numbers.
GO, LINES_OF_ACTION, HEX, AMAZONS = 1, 9, 11, 18

#: What is on a point; arrows are those of Amazons.
EMPTY, BLACK, WHITE, ARROW = 0, 1, 2, 3
_BORDER = 4
#: The color that a move plays, and what a setup property puts on its points.
PLAYED = {"B": BLACK, "W": WHITE}
SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
#: What the compiled filter knows of these properties.
BITS_OF_BOARD = {
    "B": PropertyBits.BLACK_MOVE,
    "W": PropertyBits.WHITE_MOVE,
    "AB": PropertyBits.SETUP | PropertyBits.SETS_BLACK,
    "AW": PropertyBits.SETUP | PropertyBits.SETS_WHITE,
    "AE": PropertyBits.SETUP | PropertyBits.SETS_EMPTY,
}
COLORS = {BLACK: Color.BLACK, WHITE: Color.WHITE}
CELLS = {color: cell for cell, color in COLORS.items()}
#: The other color for each cell.
_OTHER_COLOR = bytes.maketrans(bytes([BLACK, WHITE]), bytes([WHITE, BLACK]))


def point_of(move: Any, size: tuple[int, int] | None) -> Point | None:
    """The point of a board of that size which a move of Go plays; None for a pass, for a point
    outside the board, and for what is not a move of Go."""
    point = move.point if isinstance(move, Move) else None
    return point if point is not None and is_on_board(point, size) else None


class MutableBoard:
    """Stones on a board of `columns` by `rows`; points are (column, row), 0-based.

    While `keep_history` is set, changes are recorded, so that :meth:`undo_to` can return to any
    :meth:`mark`. Rules, generators and :class:`sgf_lark.model.board_value.Board`, the position
    that is given to users, are built on this class.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        #: Columns and rows.
        self.size = columns, rows
        # One array of rows, with a margin of border cells around the points, so that every
        # point has four neighbors.
        self._width = columns + 1
        self._cells = bytearray(empty_cells(columns, rows))
        self._neighbors = (-self._width, -1, 1, self._width)
        #: Where cells changed, and what they were before.
        self._history: list[tuple[int, bytearray]] = []
        self.keep_history = True

    def _index(self, point: tuple[int, int]) -> int:
        """The index of the point in the cells."""
        return (point[1] + 1) * self._width + point[0] + 1

    def __getitem__(self, point: tuple[int, int]) -> int:
        """EMPTY, BLACK or WHITE; of the points next to the board none of these."""
        return self._cells[self._index(point)]

    def _set(self, index: int, color: int) -> None:
        """Change a cell and record its old value."""
        if self.keep_history:
            self._history.append((index, self._cells[index : index + 1]))
        self._cells[index] = color

    # What a node changes, see :func:`sgf_lark.model.board_execution.execute`

    def set_up(self, areas: Iterable[Rectangle], color: int) -> None:
        """Set up the points of areas of the board; nothing is captured (properties.html, AB)."""
        for first, last in areas:
            self.fill(first, last, color)

    def move(self, move: Any, color: int) -> None:
        """Execute a move of Go; a pass, and what is not a move on the board, changes nothing."""
        point = point_of(move, self.size)
        if point is not None:
            self.play(point, color)

    # Points

    def place(self, point: tuple[int, int], color: int) -> None:
        """Set up a point, whatever is on it; nothing is captured."""
        self._set(self._index(point), color)

    def fill(self, first: tuple[int, int], last: tuple[int, int], color: int) -> None:
        """Set up a rectangle, from the upper left to the lower right point, like :meth:`place`."""
        width = last[0] - first[0] + 1
        for row in range(first[1], last[1] + 1):
            start = self._index((first[0], row))
            cells = slice(start, start + width)
            if self.keep_history:
                self._history.append((start, self._cells[cells]))
            self._cells[cells] = bytes([color]) * width

    def colors(self, row: int, first: int, last: int) -> bytes:
        """EMPTY, BLACK or WHITE at the points of a row from the column `first` to `last`."""
        start = self._index((first, row))
        return bytes(self._cells[start : start + last - first + 1])

    def swap_colors(self) -> None:
        """Change the color of all stones, and mirror them at the diagonal from the upper left.

        Stones that are mirrored off the board are lost; the history is cleared.
        """
        width, side = self._width, min(self.columns, self.rows)
        old = self._cells.translate(_OTHER_COLOR)
        self.restore(empty_cells(self.columns, self.rows))
        for row in range(side):
            start = self._index((0, row))
            column = old[self._index((row, 0)) :: width]
            self._cells[start : start + side] = column[:side]

    def play(self, point: tuple[int, int], color: int) -> int:
        """Play a stone; return the number of stones taken off the board.

        In suicide these are stones of the player.
        """
        index = self._index(point)
        self._set(index, color)
        cells, other, captured, has_liberty = self._cells, 3 - color, 0, False
        for step in self._neighbors:
            cell = cells[index + step]
            if cell == other:
                captured += self._capture(index + step)
            elif cell == EMPTY:
                has_liberty = True
        return captured if captured or has_liberty else self._capture(index)

    def _capture(self, start: int) -> int:
        """Remove the group at `start` if it has no liberty; return the number of its stones."""
        cells = self._cells
        # Most groups have a liberty next to the first stone that is examined.
        for step in self._neighbors:
            if cells[start + step] == EMPTY:
                return 0
        color = cells[start]
        group = {start}
        pending = [start]
        while pending:
            index = pending.pop()
            for step in self._neighbors:
                cell = cells[index + step]
                if cell == EMPTY:
                    return 0
                if cell == color and index + step not in group:
                    group.add(index + step)
                    pending.append(index + step)
        for index in group:
            self._set(index, EMPTY)
        return len(group)

    def snapshot(self) -> bytes:
        """The position, for :meth:`restore`."""
        return bytes(self._cells)

    def restore(self, snapshot: bytes) -> None:
        """Return to a position of this board, and clear the history."""
        self._cells[:] = snapshot
        self._history.clear()

    def has_liberty(self, point: tuple[int, int]) -> bool:
        """Whether the group at a point that has a stone has a liberty."""
        _, border = region(self._cells, self._index(point), self._width)
        return any(self._cells[index] == EMPTY for index in border)

    def mark(self) -> int:
        """The present place in the history, for :meth:`undo_to`."""
        return len(self._history)

    def undo_to(self, mark: int) -> None:
        """Take back every change since `mark`."""
        while len(self._history) > mark:
            index, before = self._history.pop()
            self._cells[index : index + len(before)] = before

    def revert(self, start: int, end: int) -> None:
        """Undo the changes between two marks by new changes, which :meth:`undo_to` takes back."""
        for index, before in reversed(self._history[start:end]):
            cells = slice(index, index + len(before))
            self._history.append((index, self._cells[cells]))
            self._cells[cells] = before

    def stones(self, color: int) -> Iterable[tuple[int, int]]:
        """The points with a stone of that color."""
        for index, cell in enumerate(self._cells):
            if cell == color:
                row, column = divmod(index, self._width)
                yield column - 1, row - 1


def region(cells: Sequence[int], start: int, width: int) -> tuple[set[int], set[int]]:
    """The cells connected with the one at the index `start` that hold the same, and the cells
    next to them.

    `cells` are rows of `width` cells with margins, as :meth:`MutableBoard.snapshot` gives them.
    """
    content = cells[start]
    found, border, pending = {start}, set(), [start]
    while pending:
        index = pending.pop()
        for near in (index - width, index - 1, index + 1, index + width):
            if cells[near] != content:
                border.add(near)
            elif near not in found:
                found.add(near)
                pending.append(near)
    return found, border


@lru_cache(maxsize=64)
def empty_cells(columns: int, rows: int) -> bytes:
    """The cells of an empty board of that size, as :meth:`MutableBoard.snapshot` gives them."""
    border = bytes([_BORDER])
    row = border + bytes(columns)
    return border * (columns + 1) + row * rows + border * (columns + 1)


# Groups, liberties and areas on a board of Go.

#: Whose area an empty region is, by the stones next to it.
_OWNERS = {frozenset({BLACK}): BLACK, frozenset({WHITE}): WHITE}


def liberties(cells: Sequence[int], start: int, width: int) -> set[int]:
    """The empty cells next to the group at the index `start`."""
    _, border = region(cells, start, width)
    return {index for index in border if cells[index] == EMPTY}


def without(cells: bytes, dead: Iterable[int], width: int) -> bytes:
    """The cells without the groups that have a stone at one of the indices `dead`."""
    found = bytearray(cells)
    for start in dead:
        if found[start] in (BLACK, WHITE):
            for index in region(found, start, width)[0]:
                found[index] = EMPTY
    return bytes(found)


def territory(cells: bytes, width: int) -> dict[int, set[int]]:
    """The empty cells of the regions next to stones of one color only, by that color."""
    found: dict[int, set[int]] = {BLACK: set(), WHITE: set()}
    seen: set[int] = set()
    for start, cell in enumerate(cells):
        if cell == EMPTY and start not in seen:
            inside, border = region(cells, start, width)
            seen |= inside
            stones = frozenset(cells[index] for index in border) & {BLACK, WHITE}
            if stones in _OWNERS:
                found[_OWNERS[stones]] |= inside
    return found


# The star points of a Go board, and the handicap stones on them.


def star_points(columns: int, rows: int) -> Iterator[Point]:
    """The star points of a Go board: near the corners, in the middle of long sides, the center."""
    across, down = _star_lines(columns), _star_lines(rows)
    middle = Point(columns // 2, rows // 2)
    for column in across:
        for row in down:
            yield Point(column, row)
    if columns % 2 and rows % 2 and min(columns, rows) > 4:
        yield middle
    if columns % 2 and columns > 14:
        yield from (Point(middle.column, row) for row in down)
    if rows % 2 and rows > 14:
        yield from (Point(column, middle.row) for column in across)


def handicap_points(size: tuple[int, int], count: int) -> list[Point]:
    """The usual points of 2 to 9 handicap stones, from 7 lines on; a board that has no middle
    point, or only 7 lines, has room for 4.

    The first are in the lower left and the upper right corner; with 3 stones the upper left one
    stays empty. Raises ValueError for another number.
    """
    columns, rows = size
    most = 0 if min(size) < 7 else 9 if columns % 2 and rows % 2 and min(size) > 7 else 4
    if isinstance(count, bool) or not isinstance(count, int) or not 2 <= count <= most:
        what = f"2 to {most}" if most else "no"
        raise ValueError(
            f"a board of {columns} by {rows} has {what} handicap stones, not {count!r}"
        )
    (left, right), (top, bottom) = _star_lines(columns), _star_lines(rows)
    middle = Point(columns // 2, rows // 2)
    corners = [(left, bottom), (right, top), (right, bottom), (left, top)]
    sides = [(left, middle.row), (right, middle.row), (middle.column, top), (middle.column, bottom)]
    even = count - count % 2 if count > 4 else count
    return [*(Point(*each) for each in [*corners, *sides][:even]), *[middle] * (count - even)]


def _star_lines(count: int) -> tuple[int, ...]:
    """The first and the last line with star points: the third ones, from 13 lines on the fourth."""
    if count < 7:
        return ()
    distance = 2 if count < 13 else 3
    return distance, count - 1 - distance
