"""Reading property values: raw bytes to typed values, by the value expression of the property."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any

from sgf_lark import grammar
from sgf_lark.caches import SharedLimit
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.model.values.basic import Compose, replacement
from sgf_lark.model.values.basic import Context as Context
from sgf_lark.model.values.notations import ValueProductions
from sgf_lark.model.values.points import Point, Rectangle, Stone, clipped, count_points, expand
from sgf_lark.syntax.grammars import pattern, value_parser, value_terminals, value_types
from sgf_lark.syntax.lalr import LALRParser


class SGFValueError(ValueError):
    """A property value does not follow its type; `ident` and `raw` identify the value, `codec` is
    that of its text."""

    def __init__(self, ident: str, raw: bytes, expected: str, codec: str = "latin-1") -> None:
        self.ident = ident
        self.raw = raw
        self.expected = expected
        self.codec = codec
        super().__init__(f"{ident}[{raw.decode(codec, 'replace')}]: expected {expected}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.ident, self.raw, self.expected, self.codec)


@lru_cache(maxsize=64)
def reader(context: Context) -> ValueReader:
    """The reader for a context; readers are shared."""
    return ValueReader(context)


@lru_cache(maxsize=64)
def _short_values(size: tuple[int, int] | None) -> dict[tuple[str, bytes], Any]:
    """Short values other than texts, by production and raw bytes: besides these they depend
    only on the size of the board."""
    return {}


def clear_caches() -> None:
    """Empty all caches of values."""
    from sgf_lark.model.values import formats

    reader.cache_clear()
    _short_values.cache_clear()
    formats.read_production.cache_clear()


#: Longer values are not kept: they are seldom the same.
_LONGEST_KEPT = 48
#: All readers together keep at most this number of values.
_KEPT = SharedLimit(50_000)

#: A rectangle may have this many points on any board, and more on a larger board.
_USUAL_POINTS = 10_000
_MOST_POINTS = 1_000_000


class ValueReader:
    """Reads the values of game trees with the same context; get one from :func:`reader`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        game = grammar.game(context.game)
        named = {kind: getattr(game, kind) for kind in ("point", "move", "stone")}
        self._productions: dict[str, str] = {
            kind: production if production in value_types() else "unknown"
            for kind, production in named.items()
        }
        #: The definitions of properties in this context, or None, by identifier.
        self.definitions = grammar.definitions_in(
            context.game, context.file_format, context.program
        )
        self._identifiers: dict[tuple[str, object], frozenset[str]] = {}
        self._matching: dict[str, Callable[[bytes], object]] = {}
        #: Immutable values of properties with one value, by identifier and raw bytes.
        self.known: dict[tuple[str, bytes], Any] = {}
        self._short = _short_values(context.size)
        columns, rows = context.size or (0, 0)
        #: The points that a rectangle may have.
        self._most_points = min(max(columns * rows, _USUAL_POINTS), _MOST_POINTS)
        #: The items that the values of a list represent, by identifier and value expression.
        self._items: dict[tuple[str, str], dict[bytes, tuple[Any, ...]]] = {}
        #: The areas that values name, by value expression and raw bytes.
        self._areas: dict[tuple[str, bytes], Rectangle | None] = {}
        _KEPT.register(self)

    @cached_property
    def _parser(self) -> LALRParser:
        return value_parser(ValueProductions(self.context))

    def clear(self) -> None:
        """Forget all values that are kept."""
        self.known.clear()
        self._short.clear()
        self._items.clear()
        self._areas.clear()

    def identifiers_with(self, attribute: str, wanted: object) -> frozenset[str]:
        """The identifiers whose definition has that value of an attribute."""
        found = self._identifiers.get((attribute, wanted))
        if found is None:
            found = self._identifiers[attribute, wanted] = frozenset(
                ident
                for ident, definition in self.definitions.items()
                if getattr(definition, attribute) == wanted
            )
        return found

    def rule(self, value_type: str) -> str:
        """The start production of ``values.lark`` for a type of a value expression."""
        return self._productions.get(value_type, value_type)

    # One value by its type

    def matches(self, value_type: str, raw: bytes) -> bool:
        """Whether `raw` belongs to the type."""
        matching = self._matching.get(value_type)
        if matching is None:
            matching = self._matching[value_type] = pattern(self.rule(value_type)).fullmatch
        return matching(raw) is not None

    def read(self, value_type: str, raw: bytes) -> Any:
        """The value of `raw`; raises ValueError if it does not follow the type."""
        production = self._productions.get(value_type, value_type)
        if production in grammar.TEXT_TYPES:
            return self._read_text(production, raw)
        if len(raw) > _LONGEST_KEPT:
            return self._parse(production, raw)
        key = production, raw
        value = self._short.get(key)
        if value is None:
            value = self._parse(production, raw)
            _KEPT.make_room()
            self._short[key] = value
        return value

    def _parse(self, production: str, raw: bytes) -> Any:
        return self._parser.parse(raw.decode("latin-1"), production)

    def _read_text(self, production: str, raw: bytes) -> str:
        return self.context.decode(self.unescape(production, raw))

    def unescape(self, value_type: str, raw: bytes) -> bytes:
        """The bytes that a SimpleText or Text represents, before they are decoded."""
        return raw if _plain_text().fullmatch(raw) else _unescaped(value_type, raw)

    def rectangle(self, value_type: str, raw: bytes) -> Rectangle | None:
        """The corners of a compressed point list as written, or None if `raw` is not one.

        One with more points than any board has counts as none: in Hex a few letters and
        digits would represent more points than fit into memory.
        """
        production = self.rule(value_type)
        if value_type not in {"point", "stone"} or not production.endswith("_point"):
            return None
        corners = production.removesuffix("point") + "rectangle"
        if corners not in value_types() or not self.matches(corners, raw):
            return None
        first, last = self.read(corners, raw)
        return (first, last) if count_points(first, last) <= self._most_points else None

    # Values by the definition of their property

    def area(self, definition: PropertyDefinition, raw: bytes) -> Rectangle | None:
        """The points of the board that a value, or the first half of it, names: the upper left
        and the lower right one. None where it names none."""
        if len(raw) > _LONGEST_KEPT:
            return self._read_area(definition, raw)
        key = definition.value, raw
        if key not in self._areas:
            found = self._read_area(definition, raw)
            _KEPT.make_room()
            self._areas[key] = found
        return self._areas[key]

    def _read_area(self, definition: PropertyDefinition, raw: bytes) -> Rectangle | None:
        kind = definition.alternatives[0]
        if kind.first not in {"point", "stone", "move"}:
            return None
        try:
            if definition.takes_many and not kind.composed:
                corners = self.rectangle(kind.first, raw)
                if corners is not None:
                    return clipped(*corners, self.context.size)
            elif kind.composed and self.matches("compose", raw):
                raw, _ = self.read("compose", raw)
            point = self.read(kind.first, raw)
        except (ValueError, IndexError):
            return None
        return clipped(point, point, self.context.size) if isinstance(point, Point) else None

    def read_alternative(self, alternative: ValueType, raw: bytes) -> Any:
        """The value of `raw` by one alternative of a value expression.

        Raises ValueError if it does not fit.
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

        Raises SGFValueError if it fits none.
        """
        for alternative in definition.alternatives:
            try:
                return self.read_alternative(alternative, raw)
            except ValueError:
                continue
        codec = self.context.codec_of(raw)
        raise SGFValueError(definition.ident, raw, definition.value, codec)

    def read_single(self, ident: str, raw: bytes) -> Any:
        """What ``node[ident]`` gives if the property has that one value.

        Raises SGFValueError.
        """
        key = ident, raw
        value = self.known.get(key)
        if value is not None:
            return value
        value = self.read_all(self.definitions[ident], (raw,))
        if len(raw) <= _LONGEST_KEPT and not isinstance(value, list):
            _KEPT.make_room()
            self.known[key] = value
        return value

    def read_all(self, definition: PropertyDefinition | None, raws: Sequence[bytes]) -> Any:
        """What ``node[ident]`` gives: a list for list properties, else one value.

        Compressed point lists are expanded, in order, row by row. A list of more points
        than any board has repeats none of them by rectangles: a few bytes can name a whole
        board again and again. The values of a property without definition stay bytes. Raises
        SGFValueError.
        """
        if definition is None:
            return list(raws)
        if not definition.takes_many:
            if len(raws) != 1:
                raw = b"][".join(raws)
                codec = self.context.codec_of(raw)
                raise SGFValueError(definition.ident, raw, "one value", codec)
            return self.read_one(definition, raws[0])
        if definition.may_be_empty and list(raws) == [b""]:
            return []
        values: list[Any] = []
        items = self._items.setdefault((definition.ident, definition.value), {})
        for number, raw in enumerate(raws):
            found = items.get(raw)
            if found is None:
                found = tuple(self._read_item(definition, raw))
                if len(raw) <= _LONGEST_KEPT and len(found) <= _LONGEST_KEPT:
                    _KEPT.make_room()
                    items[raw] = found
            values += found
            if len(values) > self._most_points:
                return self._read_further(definition, values, raws[number + 1 :])
        return values

    def _read_further(
        self, definition: PropertyDefinition, values: list[Any], raws: Sequence[bytes]
    ) -> list[Any]:
        """Read a list that has more values than points are on a board: add those values to it
        that are no rectangle, and the points of rectangles that it does not have."""
        seen: set[Any] | None = None
        rectangles: set[bytes] = set()
        for raw in raws:
            if raw in rectangles:
                continue
            found = self._read_item(definition, raw)
            if len(found) > 1:
                rectangles.add(raw)
                seen = {*values} if seen is None else seen
                found = [point for point in found if point not in seen]
            values += found
            if seen is not None:
                seen.update(found)
        return values

    def _read_item(self, definition: PropertyDefinition, raw: bytes) -> Sequence[Any]:
        """The values that one value of a list represents."""
        kind = definition.alternatives[0]
        corners = None if kind.composed else self.rectangle(kind.first, raw)
        if corners is None:
            return [self.read_one(definition, raw)]
        return expand(*corners, Stone if kind.first == "stone" else Point)


# --- Texts, without a parse -----------------------------------------------------
#
# A text is a sequence of terminals, most of which represent themselves.


@cache
def _text_terminals() -> dict[str, str]:
    """The terminals of SimpleText and Text as regular expressions."""
    names = ("PLAIN", "LINE_BREAK", "SOFT_BREAK", "ESCAPED", "TAB", "ESCAPED_TAB")
    return {name: value_terminals()[name] for name in names}


@cache
def _plain_text() -> re.Pattern[bytes]:
    """Texts that represent themselves."""
    return re.compile(f"(?:{_text_terminals()['PLAIN']})?".encode("latin-1"))


@cache
def _parts_of_texts() -> re.Pattern[str]:
    """The terminals of a text: mostly plain runs, which are passed over at once."""
    parts = (f"(?P<{name}>{part})" for name, part in _text_terminals().items())
    return re.compile("(?s)" + "|".join(parts))


def without_last_escape(raw: bytes) -> bytes:
    r"""A text without a last "\" that escapes nothing, as where a damaged file breaks off."""
    return raw[:-1] if (len(raw) - len(raw.rstrip(b"\\"))) % 2 else raw


def _unescaped(value_type: str, raw: bytes) -> bytes:
    """The bytes of a text without its escapes; raises ValueError if `raw` is not a text."""
    raw = without_last_escape(raw)
    if not pattern(value_type).fullmatch(raw):
        raise ValueError(f"{raw!r} is not a {value_type}")
    line_break = "\n" if value_type == "text" else " "

    def replaced(part: re.Match[str]) -> str:
        return replacement(part.lastgroup or "", part[0], line_break)

    return _parts_of_texts().sub(replaced, raw.decode("latin-1")).encode("latin-1")
