"""Few rectangles that cover a set of points."""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.model.values import Point


def compressed(points: Iterable[Point]) -> list[tuple[Point, Point]]:
    """Rectangles that cover these points and no others, none twice: upper left and lower
    right corners, equal for a single point, from the first row to the last.

    Greedy: of the rectangles that begin at the first point still to be covered, the
    largest is taken. The fewest possible would take a search that costs more than
    it saves.
    """
    left = set(points)
    found: list[tuple[Point, Point]] = []
    for first in sorted(left, key=lambda point: (point.row, point.column)):
        if first not in left:
            continue
        last = _largest_from(first, left)
        found.append((first, last))
        left -= {
            Point(column, row)
            for column in range(first.column, last.column + 1)
            for row in range(first.row, last.row + 1)
        }
    return found


def _largest_from(first: Point, left: set[Point]) -> Point:
    """The lower right corner of the largest rectangle with `first` as the upper left one."""
    best, best_area = first, 1
    widest = len({point.column for point in left})
    row = first.row
    while Point(first.column, row) in left:
        width = 0
        while width < widest and Point(first.column + width, row) in left:
            width += 1
        widest = width
        area = widest * (row - first.row + 1)
        if area > best_area:
            best, best_area = Point(first.column + widest - 1, row), area
        row += 1
    return best
