"""The star points of a Go board, and the handicap stones on them."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.model.values import Point


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
