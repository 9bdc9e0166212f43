"""Few rectangles that cover a set of points."""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.model.values import Point


def compressed(points: Iterable[Point]) -> list[tuple[Point, Point]]:
    """Rectangles that cover exactly these points, each point once, from the first row to the last.

    Each is a pair of the upper left and the lower right corner, which are equal for a single
    point. The algorithm is greedy: it takes the largest rectangle that begins at the first
    uncovered point. To find the smallest number of rectangles would cost more than it saves.
    """
    uncovered = set(points)
    found: list[tuple[Point, Point]] = []
    for first in sorted(uncovered, key=lambda point: (point.row, point.column)):
        if first not in uncovered:
            continue
        last = _largest_from(first, uncovered)
        found.append((first, last))
        uncovered -= {
            Point(column, row)
            for column in range(first.column, last.column + 1)
            for row in range(first.row, last.row + 1)
        }
    return found


def _largest_from(first: Point, uncovered: set[Point]) -> Point:
    """The lower right corner of the largest rectangle with `first` as the upper left one."""
    corners = []
    widest = len({point.column for point in uncovered})
    row = first.row
    while Point(first.column, row) in uncovered:
        width = 0
        while width < widest and Point(first.column + width, row) in uncovered:
            width += 1
        widest = width
        corners.append(Point(first.column + widest - 1, row))
        row += 1
    return max(
        corners,
        key=lambda last: (last.column - first.column + 1) * (last.row - first.row + 1),
    )
