"""The words of a text for highlighting: semantic tokens, and the lexer of Pygments."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from lsprotocol import types

from sgf_lark import grammar
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import PropertyDefinition, PropertyType
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree


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

LEGEND = types.SemanticTokensLegend([str(kind) for kind in Kind], ["deprecated"])
_NUMBERS = {kind: number for number, kind in enumerate(Kind)}


def words(collection: Collection) -> Iterator[Word]:
    """The identifiers and values of a parsed text, in order."""
    flat = collection.flat
    for tree in collection:
        known: dict[str, tuple[Kind, Kind, bool]] = {}
        for prop in _properties(flat, tree):
            ident = flat.ident(prop)
            if ident not in known:
                known[ident] = _kinds(tree.define(ident), tree.file_format)
            of_ident, of_values, is_old = known[ident]
            yield Word(flat.ident_start[prop], flat.ident_end[prop], of_ident, is_old)
            for value in range(*flat.values_of(prop)):
                start, end = flat.value_from[value], flat.value_to[value]
                if end > start:
                    yield Word(start, end, of_values, False)


def _properties(flat: FlatTree, tree: GameTree) -> range:
    """The numbers of the properties of a tree."""
    return range(flat.properties_of(tree.numbers[0])[0], flat.properties_of(tree.numbers[-1])[1])


def _kinds(definition: PropertyDefinition | None, file_format: int) -> tuple[Kind, Kind, bool]:
    """The kind of an identifier and of its values, and whether it is out of date."""
    if definition is None:
        return Kind.UNKNOWN, Kind.TEXT, False
    first = definition.alternatives[0]
    of_values = Kind.TEXT if first.second in grammar.TEXT_TYPES else _VALUES.get(first.first)
    is_old = definition.obsolete or file_format not in definition.file_formats
    return _IDENTS.get(definition.type, Kind.PROPERTY), of_values or Kind.TEXT, is_old


def semantic_tokens(analysis: Analysis, start: int, end: int) -> list[int]:
    """The tokens between two byte offsets, as the protocol encodes them.

    Each is five numbers: lines and columns since the one before, length, type, modifiers.
    """
    text = analysis.text
    data: list[int] = []
    line = column = 0
    for placed in analysis.pieces:
        if placed.start + len(placed.piece.data) <= start or placed.start >= end:
            continue
        for word in words(placed.piece.collection):
            first, last = placed.start + word.start, placed.start + word.end
            if last <= start or first >= end:
                continue
            for begin, stop in _lines(analysis, first, last):
                position = text.position(begin)
                length = text.position(stop).character - position.character
                if length <= 0:
                    continue
                down = position.line - line
                data += (
                    down,
                    position.character - (0 if down else column),
                    length,
                    _NUMBERS[word.kind],
                    int(word.is_old),
                )
                line, column = position.line, position.character
    return data


def _lines(analysis: Analysis, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a word on each line: no token may have several lines."""
    text = analysis.text
    line = text.position(start).line
    while start < end:
        stop = min(end, text.line_end(line))
        yield start, stop
        line += 1
        if line >= len(text.line_starts):
            return
        start = text.line_starts[line]
