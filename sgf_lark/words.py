"""The words of a text for highlighting: each identifier and each value, with its kind.

Pygments, the language server and the playground show these.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition, PropertyType
from sgf_lark.model.collection import Collection


class Kind(StrEnum):
    """What a word is; the values are types of semantic tokens that all editors know."""

    MOVE = "keyword"
    PROPERTY = "property"
    ROOT = "type"
    UNKNOWN = "variable"
    TEXT = "string"
    NUMBER = "number"
    ENUMERATION = "enumMember"
    POINT = "parameter"


class Word(NamedTuple):
    """A word from byte `start` to `end`; `is_old` if FF[4], or the tree's own FF, lacks it."""

    start: int
    end: int
    kind: Kind
    is_old: bool


_VALUES = {
    "number": Kind.NUMBER,
    "real": Kind.NUMBER,
    "double": Kind.ENUMERATION,
    "color": Kind.ENUMERATION,
    "point": Kind.POINT,
    "move": Kind.POINT,
    "stone": Kind.POINT,
}
_IDENTS = {
    PropertyType.MOVE: Kind.MOVE,
    PropertyType.ROOT: Kind.ROOT,
}


def highlighted_words(
    collection: Collection, start: int = 0, end: float = float("inf")
) -> Iterator[Word]:
    """The identifiers and values of a parsed text, in order; only those of properties that are at
    least in part between the byte offsets `start` and `end`."""
    flat = collection.flat
    before = max(flat.property_at(start), 0)
    for tree in collection:
        known: dict[str, tuple[Kind, Kind, bool]] = {}
        first, last = tree.parsed.numbers[0], tree.parsed.numbers[-1]
        props = range(flat.properties_of(first)[0], flat.properties_of(last)[1])
        for prop in range(max(props.start, before), props.stop):
            if flat.ident_start[prop] >= end:
                return
            ident = flat.ident(prop)
            if ident not in known:
                known[ident] = _kinds_of(tree.define(ident), tree.file_format)
            of_ident, of_values, is_old = known[ident]
            yield Word(flat.ident_start[prop], flat.ident_end[prop], of_ident, is_old)
            for first, last in map(flat.value_span, range(*flat.values_of(prop))):
                if last > first:
                    yield Word(first, last, of_values, False)


def _kinds_of(definition: PropertyDefinition | None, file_format: int) -> tuple[Kind, Kind, bool]:
    """The kind of an identifier, that of its values, and whether FF[4] or that file format lacks
    the property."""
    if definition is None:
        return Kind.UNKNOWN, Kind.TEXT, False
    first = definition.alternatives[0]
    of_values = Kind.TEXT if first.second in grammar.TEXT_TYPES else _VALUES.get(first.first)
    is_old = definition.obsolete or file_format not in definition.file_formats
    return _IDENTS.get(definition.type, Kind.PROPERTY), of_values or Kind.TEXT, is_old
