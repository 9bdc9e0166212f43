"""Finds the points of the board in values."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark import grammar
from sgf_lark.drawing.positions import LARGEST
from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.values import Compose, Point
from sgf_lark.model.values.games import NOTATIONS
from sgf_lark.model.values.points import expand

#: The upper left and the lower right corner of a rectangle; a point is both corners.
Area = tuple[Point, Point]


def areas(entry: Property, raw: bytes) -> Iterator[Area]:
    """The points and rectangles in a value of a property."""
    definition = entry.definition
    if definition is None:
        return
    reader, first = entry.node.tree.reader, definition.alternatives[0]
    corners = None if first.composed else reader.rectangle(first.first, raw)
    if corners is not None:
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(*corners, strict=True))
        yield Point(left, top), Point(right, bottom)
        return
    try:
        value = reader.read_one(definition, raw)
    except ValueError:
        return
    for part in value if isinstance(value, Compose) else getattr(value, "points", [value]):
        if isinstance(part, Point):
            yield part, part


def named_points(entry: Property, raw: bytes) -> list[str]:
    """The points in a value, as SGF writes them, without those outside any drawn board."""
    edge = LARGEST - 1
    write = NOTATIONS.get(grammar.game(entry.node.tree.game).point, str)
    return [
        write(point)
        for first, last in areas(entry, raw)
        if first.column <= edge and first.row <= edge
        for point in expand(first, Point(min(last.column, edge), min(last.row, edge)))
    ]


def source_of(node: Node, flat: FlatTree, at: Point) -> tuple[int, int] | None:
    """The byte offsets of the last value with the point `at` on the path from the root to `node`.

    They include the brackets. The value is the origin of the stone or mark at the point.
    """
    current: Node | None = node
    while current is not None:
        for entry in reversed(current.properties):
            if entry.number is None:
                continue
            for value in reversed(range(*flat.values_of(entry.number))):
                start, end = flat.value_from[value], flat.value_to[value]
                for first, last in areas(entry, flat.data[start:end]):
                    if first.column <= at.column <= last.column and first.row <= at.row <= last.row:
                        return start - 1, min(end + 1, len(flat.data))
        current = current.parent
    return None
