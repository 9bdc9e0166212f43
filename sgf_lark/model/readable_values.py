"""The values of a property as far as they follow its type: others are passed over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sgf_lark.model.property import Property
from sgf_lark.model.values import Compose, Point
from sgf_lark.model.values.points import Rectangle, expand


def values_of(entry: Property) -> Iterator[Any]:
    """The values that follow the type of the property; a rectangle as its two corners.

    A property without definition has none.
    """
    definition = entry.definition
    if definition is None:
        return
    reader = entry.node.tree.reader
    first = definition.alternatives[0]
    # A value that is repeated again and again may name a whole board each time.
    for raw in dict.fromkeys(entry.raw):
        # A composed value is no rectangle: the second part can be a label such as "XG".
        corners = None if first.composed else reader.rectangle(first.first, raw)
        if corners is not None:
            yield Compose(*corners)
            continue
        try:
            value = reader.read_one(definition, raw)
        except ValueError:
            continue
        if value is not None:
            yield value


def first_value(entry: Property) -> Any:
    """The first value of a property, or None if that does not follow its type.

    Programs use the first value where a property that takes one has several.
    """
    definition = entry.definition
    if definition is None:
        return None
    try:
        if not definition.takes_many and entry.count == 1:
            return entry.value
        return entry.node.tree.reader.read_one(definition, entry.raw[0])
    except ValueError:
        return None


def rectangles_on_board(entry: Property, columns: int, rows: int) -> Iterator[Rectangle]:
    """The parts of a list property that are on a board of that size: the upper left and the
    lower right corner of each rectangle, and each point as both."""
    for value in values_of(entry):
        if isinstance(value, Compose):
            left, top = (min(pair) for pair in zip(*value, strict=True))
            right, bottom = (max(pair) for pair in zip(*value, strict=True))
            if left < columns and top < rows:
                yield Point(left, top), Point(min(right, columns - 1), min(bottom, rows - 1))
        elif isinstance(value, Point) and value.column < columns and value.row < rows:
            yield Point(*value), Point(*value)


def points_on_board(entry: Property, columns: int, rows: int) -> list[Point]:
    """The points of a list property that are on a board of that size, rectangles expanded."""
    rectangles = rectangles_on_board(entry, columns, rows)
    return [point for corners in rectangles for point in expand(*corners)]
