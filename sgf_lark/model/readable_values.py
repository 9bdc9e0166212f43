"""The values of a property as far as they follow its type: others are passed over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sgf_lark.model.property import Property

if TYPE_CHECKING:
    from sgf_lark.model.node import Node


def values_of(entry: Property) -> Iterator[Any]:
    """The values that follow the type of the property, each once; rectangles are none of them,
    see :meth:`Property.areas`. A property without definition has no such values.
    """
    definition = entry.definition
    if definition is None:
        return
    reader = entry.node.tree.reader
    for raw in dict.fromkeys(entry.raw):
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
    reader = entry.node.tree.reader
    definition = reader.definitions[entry.ident]
    if definition is None:
        return None
    raw = entry.raw[0]
    try:
        if definition.takes_many:
            return reader.read_one(definition, raw)
        return reader.read_single(entry.ident, raw)
    except ValueError:
        return None


def value_in(node: Node, ident: str) -> Any:
    """The first value of a property of a node; None where it is missing or not of its type."""
    found = node.find(ident)
    return None if found is None else first_value(found)
