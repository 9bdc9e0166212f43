"""Typed values: what the bytes between the brackets say.

A value is read by ``values.lark`` and the Transformer below, which has a method
for each start rule that means something of its own. Which rule a property takes
stands in ``properties.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sgf_lark import grammar
from sgf_lark.games import GameTransformer, integer, rectangle
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.types import (
    INDEX,
    NOTATIONS,
    Color,
    Compose,
    Double,
    Move,
    Point,
    Stone,
)
from sgf_lark.value_parser import Token

#: Up to this many lines "tt" is a pass (go.html, Move).
_LARGEST_BOARD_WITH_TT = 19


class SGFValueError(ValueError):
    """A property's value does not follow its type; `ident` and `raw` tell which."""

    def __init__(self, ident: str, raw: bytes, expected: str) -> None:
        self.ident = ident
        self.raw = raw
        self.expected = expected
        super().__init__(f"{ident}[{raw.decode('latin-1')}]: expected {expected}")


class Context(NamedTuple):
    """What the reading of a value depends on besides its type.

    `size` is (columns, rows) or None, `codec` a Python codec name for texts.
    """

    game: int = 1
    file_format: int = 4
    size: tuple[int, int] | None = (19, 19)
    codec: str = "latin-1"


def _replacement(terminal: str, text: str, line_break: str) -> str:
    """What a part of a text stands for."""
    if terminal == "ESCAPED":
        return text[1:]
    return {"LINE_BREAK": line_break, "SOFT_BREAK": "", "PLAIN": text}.get(terminal, " ")


class ValueTransformer(GameTransformer):
    """What the rules of ``values.lark`` stand for, one method a value type: the callbacks
    of a parser of values."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def none(self, children: list[Any]) -> None:
        return None

    def number(self, children: list[Token]) -> int:
        return integer(children[0])

    def real(self, children: list[Token]) -> float:
        return float(children[0])

    def double(self, children: list[Token]) -> Double:
        return Double(int(children[0]))

    def color(self, children: list[Token]) -> Color:
        return Color(str(children[0]))

    def simpletext(self, children: list[Token]) -> str:
        return self._decode(children, " ")

    def text(self, children: list[Token]) -> str:
        return self._decode(children, "\n")

    def _decode(self, children: list[Token], line_break: str) -> str:
        return self.unescape(children, line_break).decode(self.context.codec, "replace")

    @staticmethod
    def unescape(children: list[Token], line_break: str) -> bytes:
        """The bytes of a text behind its escapes, not yet decoded."""
        return "".join(_replacement(token.type, token, line_break) for token in children).encode(
            "latin-1"
        )

    def first_half(self, children: list[Token]) -> bytes:
        return "".join(children).encode("latin-1")

    second_half = first_half
    unknown = first_half

    def compose(self, children: list[Any]) -> Compose:
        left, _, right = children
        return Compose(left, right)

    def go_point(self, children: list[Token]) -> Point:
        column, row = children
        return Point(INDEX[column], INDEX[row])

    def go_move(self, children: list[Any]) -> Move:
        point = children[0]
        size = self.context.size
        if point == (19, 19) and size is not None and max(size) <= _LARGEST_BOARD_WITH_TT:
            return Move(None)
        return Move(point)

    go_rectangle = rectangle

    def size(self, children: list[Token]) -> tuple[int, int]:
        columns = integer(children[0])
        return columns, integer(children[-1]) if len(children) > 1 else columns

    def date(self, children: list[Token]) -> list[tuple[int, ...]]:
        """Each date as (year), (year, month) or (year, month, day), shortcuts filled in."""
        dates: list[tuple[int, ...]] = []
        for token in children:
            parts = tuple(int(part) for part in token.lstrip(",").split("-"))
            if token.type.removeprefix("NEXT_") in {"MONTH", "MONTH_DAY"}:
                parts = (*dates[-1][:1], *parts)
            elif token.type == "NEXT_DAY":
                parts = (*dates[-1][:2], *parts)
            dates.append(parts)
        return dates


def _pass(self: ValueTransformer, children: list[Any]) -> None:
    return None


# "pass" is a keyword of Python, so the method of that rule cannot be written above.
setattr(ValueTransformer, "pass", _pass)


@cache
def _terminals_of_texts() -> dict[str, str]:
    """The grammar's own terminals of a text, as regular expressions."""
    names = ("PLAIN", "LINE_BREAK", "SOFT_BREAK", "ESCAPED", "TAB", "ESCAPED_TAB")
    return {name: grammar.value_parser().terminals[name] for name in names}


@cache
def _plain_text() -> re.Pattern[bytes]:
    """Texts in which nothing has to be done."""
    return re.compile(f"(?:{_terminals_of_texts()['PLAIN']})?".encode("latin-1"))


@cache
def _replaced_in_texts() -> re.Pattern[str]:
    """The parts of a text that stand for something else."""
    parts = (
        f"(?P<{name}>{pattern})"
        for name, pattern in _terminals_of_texts().items()
        if name != "PLAIN"
    )
    return re.compile("(?s)" + "|".join(parts))


def _without_last_escape(raw: bytes) -> bytes:
    """A text without the "\\" at its very end, where a damaged file breaks off: that
    escapes nothing."""
    return raw[:-1] if (len(raw) - len(raw.rstrip(b"\\"))) % 2 else raw


def _unescaped(value_type: str, raw: bytes) -> bytes:
    """What Lark's parse of a text gives, without a parse: a text is nothing but a row of
    such parts. Raises ValueError where `raw` is no text."""
    raw = _without_last_escape(raw)
    if not grammar.pattern(value_type).fullmatch(raw):
        raise ValueError(f"{raw!r} is no {value_type}")
    line_break = "\n" if value_type == "text" else " "

    def replaced(part: re.Match[str]) -> str:
        return _replacement(part.lastgroup or "", part[0], line_break)

    return _replaced_in_texts().sub(replaced, raw.decode("latin-1")).encode("latin-1")


#: A rectangle may have so many points on any board, and so many on a board that is larger.
_USUAL_POINTS = 10_000
_MOST_POINTS = 1_000_000

#: What values up to this many bytes say is remembered, for so many.
_SHORT = 48
_REMEMBERED = 50_000


@lru_cache(maxsize=64)
def short_values(size: tuple[int, int] | None) -> dict[tuple[str, bytes], Any]:
    """What short values say that are no texts, by their rule of ``values.lark`` and their
    bytes: besides these only the size of the board counts."""
    return {}


class ValueReader:
    """Reads the values of one game tree; get one from :func:`reader`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._game = grammar.game(context.game)
        self._transformer = ValueTransformer(context)
        self._short = short_values(context.size)
        named = {kind: getattr(self._game, kind) for kind in ("point", "move", "stone")}
        self._rules: dict[str, str] = {
            kind: rule if rule in grammar.value_types() else "unknown"
            for kind, rule in named.items()
        }
        self._matching: dict[str, Callable[[bytes], object]] = {}
        #: Values that nobody can change, by identifier and bytes, of properties that were read.
        self.known: dict[tuple[str, bytes], Any] = {}
        #: What such values should be that cannot be read.
        self._refused: dict[tuple[str, bytes], str] = {}
        self._definitions: dict[str, PropertyDefinition | None] = {}
        #: By definitions, which are there for good: the values that values of lists stand for.
        self._items: dict[int, dict[bytes, tuple[Any, ...]]] = {}
        self._points: dict[tuple[str, bytes], Point | None] = {}

    def definition(self, ident: str) -> PropertyDefinition | None:
        """What `ident` means in this tree, or None."""
        if ident not in self._definitions:
            if len(self._definitions) >= _REMEMBERED:
                self._definitions.clear()
            context = self.context
            found = grammar.definition(ident, context.game, context.file_format)
            self._definitions[ident] = found
        return self._definitions[ident]

    def rule(self, value_type: str) -> str:
        """The start rule of ``values.lark`` for a type of a value expression."""
        return self._rules.get(value_type, value_type)

    def matches(self, value_type: str, raw: bytes) -> bool:
        """Whether `raw` belongs to the type."""
        matching = self._matching.get(value_type)
        if matching is None:
            matching = grammar.pattern(self.rule(value_type)).fullmatch
            self._matching[value_type] = matching
        return matching(raw) is not None

    def read(self, value_type: str, raw: bytes) -> Any:
        """The value of `raw`; raises ValueError where it does not follow the type."""
        rule = self.rule(value_type)
        if rule in grammar.TEXT_TYPES:
            return self.unescape(rule, raw).decode(self.context.codec, "replace")
        if len(raw) > _SHORT:
            return self._parse(rule, raw)
        key = rule, raw
        if key not in self._short:
            if len(self._short) >= _REMEMBERED:
                self._short.clear()
            self._short[key] = self._parse(rule, raw)
        return self._short[key]

    def _parse(self, rule: str, raw: bytes) -> Any:
        return grammar.value_parser().parse(raw.decode("latin-1"), rule, self._transformer)

    def unescape(self, value_type: str, raw: bytes) -> bytes:
        """The bytes that a SimpleText or Text stands for, before they are decoded."""
        return raw if _plain_text().fullmatch(raw) else _unescaped(value_type, raw)

    def plain_point(self, value_type: str, raw: bytes) -> Point | None:
        """The point that `raw` is, where it is written as this game writes points."""
        key = value_type, raw
        if key not in self._points:
            if len(self._points) >= _REMEMBERED:
                self._points.clear()
            point = self.read(value_type, raw) if self.matches(value_type, raw) else None
            plain = isinstance(point, Point) and written(self.rule(value_type), point) == raw
            self._points[key] = point if plain else None
        return self._points[key]

    def rectangle(self, value_type: str, raw: bytes) -> tuple[Point, Point] | None:
        """The corners of a compressed value, or None where it is none.

        They come as written: whether they are in order is not looked at. One of more
        points than any board has is none: in Hex a few letters and digits would stand
        for more points than there is memory.
        """
        rule = self.rule(value_type)
        if value_type not in {"point", "stone"} or not rule.endswith("_point"):
            return None
        corners = rule.removesuffix("point") + "rectangle"
        if corners not in grammar.value_types() or not grammar.pattern(corners).fullmatch(raw):
            return None
        first, last = self.read(corners, raw)
        columns, rows = abs(first.column - last.column) + 1, abs(first.row - last.row) + 1
        return (first, last) if columns * rows <= self._most_points() else None

    def _most_points(self) -> int:
        columns, rows = self.context.size or (0, 0)
        return min(max(columns * rows, _USUAL_POINTS), _MOST_POINTS)

    def read_alternative(self, alternative: ValueType, raw: bytes) -> Any:
        """The value of `raw` by one alternative of a value expression.

        Raises ValueError where it does not fit.
        """
        if alternative.composed:
            left, right = self.read("compose", raw)
            return Compose(self.read(alternative.first, left), self.read(alternative.second, right))
        value = self.read(alternative.first, raw)
        if alternative.first == "stone" and isinstance(value, Point):
            return Stone(*value)
        return value

    def read_one(self, definition: PropertyDefinition, raw: bytes) -> Any:
        """The value of `raw` by the first alternative that it fits.

        Raises SGFValueError where it fits none.
        """
        for alternative in definition.alternatives:
            try:
                return self.read_alternative(alternative, raw)
            except ValueError:
                continue
        raise SGFValueError(definition.ident, raw, definition.value)

    def read_single(self, ident: str, raw: bytes) -> Any:
        """What ``node[ident]`` gives where the property has that one value.

        Values that nobody can change are remembered. Raises SGFValueError.
        """
        key = ident, raw
        found = self.known.get(key, self)
        if found is not self:
            return found
        refused = self._refused.get(key)
        if refused is not None:
            raise SGFValueError(ident, raw, refused)
        try:
            value = self.read_all(self.definition(ident), (raw,))
        except SGFValueError as error:
            self._remember(self._refused, key, error.expected)
            raise
        if not isinstance(value, list):
            self._remember(self.known, key, value)
        return value

    def _remember(
        self, known: dict[tuple[str, bytes], Any], key: tuple[str, bytes], value: Any
    ) -> None:
        if len(key[1]) <= _SHORT:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[key] = value

    def read_all(self, definition: PropertyDefinition | None, raws: Sequence[bytes]) -> Any:
        """What ``node[ident]`` gives: a list for list properties, else one value.

        Rectangles are expanded, in order, row by row. The values of a property
        without definition come as the bytes they are. Raises SGFValueError.
        """
        if definition is None:
            return list(raws)
        if not definition.takes_many:
            if len(raws) != 1:
                raise SGFValueError(definition.ident, b"][".join(raws), "one value")
            return self.read_one(definition, raws[0])
        if definition.alternatives[0].empty and list(raws) == [b""]:
            return []
        values: list[Any] = []
        known = self._items.setdefault(id(definition), {})
        for raw in raws:
            found = known.get(raw)
            if found is None:
                found = tuple(self._read_item(definition, raw))
                if len(raw) <= _SHORT and len(found) <= _SHORT and len(known) < _REMEMBERED:
                    known[raw] = found
            values.extend(found)
        return values

    def _read_item(self, definition: PropertyDefinition, raw: bytes) -> Iterable[Any]:
        """The values that one value of a list stands for."""
        kind = definition.alternatives[0]
        corners = None if kind.composed else self.rectangle(kind.first, raw)
        if corners is None:
            return [self.read_one(definition, raw)]
        made: Callable[[int, int], Point] = Stone if kind.first == "stone" else Point
        return (made(*point) for point in expand(*corners))


def expand(first: Point, last: Point) -> Iterator[Point]:
    """The points of a rectangle, row by row; both corners belong to it.

    Corners in another order than upper left, lower right are sorted.
    """
    columns = sorted((first.column, last.column))
    for row in range(min(first.row, last.row), max(first.row, last.row) + 1):
        for column in range(columns[0], columns[1] + 1):
            yield Point(column, row)


def written(rule: str, point: Point) -> bytes:
    """A point in the notation of that start rule of ``values.lark``."""
    return NOTATIONS[rule](point).encode()


def shortest(days: list[tuple[int, ...]]) -> str:
    """Dates (year, month, day, or the first of these) in their order, each as short as
    the one before it allows (properties.html, DT)."""
    written: list[str] = []
    previous: tuple[int, ...] = ()
    for day in days:
        full = "-".join([f"{day[0]:04}", *(f"{part:02}" for part in day[1:])])
        kept = 0
        if len(previous) > 1 and len(day) >= len(previous) and day[0] == previous[0]:
            kept = 2 if len(day) == 3 == len(previous) and day[1] == previous[1] else 1
        written.append(full if not kept else "-".join(f"{part:02}" for part in day[kept:]))
        previous = day
    return ",".join(written)


@lru_cache(maxsize=64)
def reader(context: Context) -> ValueReader:
    """The reader for a context; readers are shared."""
    return ValueReader(context)
