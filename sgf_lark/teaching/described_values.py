"""Describes each value of a node: the rules of the grammar that parse it, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sgf_lark.diagnostics import Language, Words
from sgf_lark.drawing.positions import COLOR_NAMES, LARGEST, coordinates
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.model.board import GAMES
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Color, Compose, Double, Move, Point
from sgf_lark.model.values.points import count_points
from sgf_lark.model.values.reader import ValueReader
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.teaching.facts import chosen

_POINT = Words("column {column}, row {row}", "第 {column} 列，第 {row} 行")
_RECTANGLE = Words("{count} points: from {first} to {last}", "{count} 个点：从 {first} 到 {last}")
_NAMED_POINT = Words("{name} ({place})", "{name}（{place}）")
_PASS = Words("pass", "停一手")
_NOTHING = Words("nothing", "空")
_DOUBLES = {Double.NORMAL: Words("normal", "普通"), Double.EMPHASIZED: Words("emphasized", "强调")}
_NO_DEFINITION = Words(
    "kept as it is: no property of this name is known", "按原样保留：没有这个名称的属性"
)
_DOES_NOT_FIT = Words("does not follow the type", "不符合类型")


@dataclass(frozen=True)
class DescribedValue:
    """A value: `raw` is its text, `result` its meaning in words, or the reason for an error.

    `type` is the type of its property, in the notation of the specification; `rules` are the
    rules of ``values.lark`` for it. `start` and `end` are byte offsets, including brackets.
    """

    ident: str
    name: str
    type: str
    raw: str
    result: str
    fits: bool
    rules: tuple[str, ...]
    start: int
    end: int


def by_place(file: ParsedFile, language: Language = "en") -> dict[int, DescribedValue]:
    """All values of a parsed file, by the byte offsets of their "["."""
    found: dict[int, DescribedValue] = {}
    for tree in Collection.of_file(file):
        for node in tree.nodes():
            found.update((value.start, value) for value in described_values(node, language))
    return found


def described_values(node: Node, language: Language) -> Iterator[DescribedValue]:
    """The values of a node of a parsed file, in order."""
    flat = node.tree.parsed.flat
    for entry in node.properties:
        if entry.number is not None:
            for value in range(*flat.values_of(entry.number)):
                start, end = flat.value_span(value)
                place = start - 1, min(end + 1, len(flat.data))
                yield _described(entry, flat.value(value), place, language)


def _described(
    entry: Property, raw: bytes, place: tuple[int, int], language: Language
) -> DescribedValue:
    definition, reader = entry.definition, entry.node.tree.parsed.reader
    shown = raw.decode(reader.context.codec, "replace")
    if definition is None:
        result = _NO_DEFINITION.in_language(language)
        return DescribedValue(entry.ident, "", "", shown, result, True, ("unknown",), *place)
    name = chosen(definition, "name", language)
    rules, found = _read(definition, reader, raw)
    fits = found is not _DOES_NOT_FIT
    names = point_names(entry.node.tree)
    result = in_words(found, language, names) if fits else _DOES_NOT_FIT.in_language(language)
    return DescribedValue(entry.ident, name, definition.value, shown, result, fits, rules, *place)


def _read(
    definition: PropertyDefinition, reader: ValueReader, raw: bytes
) -> tuple[tuple[str, ...], Any]:
    """The rules of the value, and the value, or _DOES_NOT_FIT."""
    first = definition.alternatives[0]
    corners = None if first.composed else reader.rectangle(first.first, raw)
    if corners is not None:
        return (reader.rule(first.first).removesuffix("point") + "rectangle",), corners
    if first.empty and not raw:
        return ("none",), None
    if definition.format == "date" and value_grammar.pattern("date").fullmatch(raw):
        return ("date",), reader.read("date", raw)
    rules = _rules(first, reader)
    value: Any = _DOES_NOT_FIT
    for alternative in definition.alternatives:
        try:
            value = reader.read_alternative(alternative, raw)
        except ValueError:
            continue
        rules = _rules(alternative, reader)
        break
    # A format is narrower than the type; a text may be outside it.
    return (
        (definition.format,) if definition.format in value_grammar.value_types() else rules
    ), value


def _rules(alternative: ValueType, reader: ValueReader) -> tuple[str, ...]:
    if not alternative.composed:
        return (reader.rule(alternative.first),)
    return "compose", reader.rule(alternative.first), reader.rule(alternative.second)


#: The name of a point beside the board, such as "C6", or "" for a point that has none.
PointNames = Callable[[Point], str]


def point_names(tree: GameTree) -> PointNames:
    """The names of points beside the board of a tree, as drawn boards show them."""
    size = tree.size if tree.game in GAMES else None

    def name(point: Point) -> str:
        if size is None or max(size) > LARGEST or not tree.has_point(point):
            return ""
        return "".join(coordinates(tree.game, size[1], point))

    return name


def in_words(value: Any, language: Language, names: PointNames) -> str:
    """A value in words; columns and rows are counted from 1, from the upper left."""
    match value:
        case None:
            return _NOTHING.in_language(language)
        case Color():
            return COLOR_NAMES[value].in_language(language)
        case Double():
            return f"{int(value)} ({_DOUBLES[value].in_language(language)})"
        case Move(point=point):
            passed = _PASS.in_language(language)
            return passed if point is None else in_words(point, language, names)
        case Compose(left, right):
            return f"{in_words(left, language, names)} : {in_words(right, language, names)}"
        case list():
            return ", ".join(in_words(part, language, names) for part in value)
        case Point(column, row):
            place = _POINT.in_language(language).format(column=column + 1, row=row + 1)
            name = names(value)
            named = _NAMED_POINT.in_language(language)
            return named.format(name=name, place=place) if name else place
        case (Point() as first, Point() as last):
            return _RECTANGLE.in_language(language).format(
                count=count_points(first, last),
                first=names(first) or in_words(first, language, names),
                last=names(last) or in_words(last, language, names),
            )
        case tuple() if all(isinstance(part, int) for part in value):
            # A date can consist of year, year and month, or all three.
            return "-".join(f"{part:02}" for part in value)
        case _:
            return str(value)
