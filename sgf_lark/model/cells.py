"""The cells of boards: numbers row by row, with a margin on all sides; what is connected in them.

A row of cells is one longer than a row of points, so that every point has four neighbors: the cell
after the end of a row is that before the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sgf_lark.engine.kinds import PropertyBits
from sgf_lark.model.values import Color, Point

#: What is on a point; arrows are those of Amazons.
EMPTY, BLACK, WHITE, ARROW = 0, 1, 2, 3
#: What is around the points.
BORDER = 4
#: Marks stones while a liberty of their group is searched for.
_SEARCHED = 5
COLORS = {BLACK: Color.BLACK, WHITE: Color.WHITE}
CELLS = {color: cell for cell, color in COLORS.items()}
#: The other color for each cell.
OTHER_COLOR = bytes.maketrans(bytes([BLACK, WHITE]), bytes([WHITE, BLACK]))

#: The color that a move plays, and what a setup property puts on its points.
PLAYED = {"B": BLACK, "W": WHITE}
SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
PLACED = {**SET_UP, "AA": ARROW}
#: The properties that a board depends on, besides those of the root that set up the game.
EXECUTED = frozenset({*PLAYED, *PLACED, "PL", "MN"})
#: What the compiled filter knows of them.
BITS_OF_BOARD = {
    "B": PropertyBits.BLACK_MOVE,
    "W": PropertyBits.WHITE_MOVE,
    "AB": PropertyBits.SETUP | PropertyBits.SETS_BLACK,
    "AW": PropertyBits.SETUP | PropertyBits.SETS_WHITE,
    "AE": PropertyBits.SETUP | PropertyBits.SETS_EMPTY,
}


@lru_cache(maxsize=64)
def empty_cells(columns: int, rows: int) -> bytes:
    """The cells of an empty board of that size."""
    return with_margins([bytes(columns)] * rows)


def with_margins(rows: Sequence[bytes]) -> bytes:
    """The cells of a board with that on its points, row by row."""
    border = bytes([BORDER])
    above = border * (len(rows[0]) + 1)
    return above + b"".join([border + row for row in rows]) + above


# A board of Hex may have a quarter of a million points, so that few are kept.
@lru_cache(maxsize=8)
def points_of_size(columns: int, rows: int) -> tuple[Point, ...]:
    """All points of a board, row by row."""
    return tuple(Point(column, row) for row in range(rows) for column in range(columns))


def captured_group(cells: bytearray, start: int, width: int) -> list[int]:
    """The group at the index `start`; nothing if it has a liberty."""
    color, group, has_liberty = cells[start], [start], False
    cells[start] = _SEARCHED
    # All stones of the list are marked; it grows until all next to them are in it, too.
    for index in group:
        for near in (index - width, index - 1, index + 1, index + width):
            cell = cells[near]
            if cell == color:
                cells[near] = _SEARCHED
                group.append(near)
            elif cell == EMPTY:
                has_liberty = True
        if has_liberty:
            break
    for index in group:
        cells[index] = color
    return [] if has_liberty else group


def region(cells: Sequence[int], start: int, width: int) -> tuple[set[int], set[int]]:
    """The cells connected with the one at the index `start` that hold the same, and the cells
    next to them."""
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


def territory(cells: Sequence[int], width: int) -> dict[Color, set[int]]:
    """The empty cells of the regions next to stones of one color only, by that color."""
    found: dict[Color, set[int]] = {Color.BLACK: set(), Color.WHITE: set()}
    seen: set[int] = set()
    for start, cell in enumerate(cells):
        if cell == EMPTY and start not in seen:
            inside, border = region(cells, start, width)
            seen |= inside
            owners = {cells[index] for index in border} & COLORS.keys()
            if len(owners) == 1:
                found[COLORS[owners.pop()]] |= inside
    return found
