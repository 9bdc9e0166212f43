"""A property of a node, and each of its values as written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sgf_lark import grammar
from sgf_lark.diagnostics import Span
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.assigning import checked_raws
from sgf_lark.model.values import Point
from sgf_lark.model.values.points import PointSet, Rectangle, by_row
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree


class Property:
    """A property in a node.

    `ident` is its identifier; `number` is its index among all properties of the parsed
    file, 0-based, or None where it was made or changed since.
    """

    __slots__ = ("_written", "ident", "node", "number")

    def __init__(
        self, node: Node, ident: str, written: list[bytes] | FlatTree, number: int | None = None
    ) -> None:
        #: Its node, or the node from which it was removed.
        self.node = node
        self.ident = ident
        #: The values as written, or the structure of the file that has them: it stays the same
        #: where the node is moved to a game of another file, which has other properties then.
        self._written = written
        self.number = number

    @property
    def tree(self) -> GameTree:
        """The game tree that its node is in."""
        return self.node.tree

    @property
    def raw(self) -> list[bytes]:
        """The values as written, without brackets.

        They can be set, to write what no typed value gives: bytes, or a list of at least one.
        Anything that ends at its bracket and is text in the charset of the tree is taken,
        whether or not it follows the property's type. Raises TypeError or ValueError, with
        nothing changed.
        """
        if isinstance(self._written, list):
            return list(self._written)
        assert self.number is not None
        return self._written.raw(self.number)

    @raw.setter
    def raw(self, values: bytes | Sequence[bytes]) -> None:
        raws = checked_raws(self.tree, self.ident, values)
        entries = self.node.properties
        if self not in entries:
            raise ValueError(f"the node no longer has {self!r}")
        before = self._written, self.number
        changed = [self if entry == self else entry for entry in entries]
        self._written, self.number = raws, None
        try:
            self.node._commit(changed, self.ident)
        except ValueError:
            self._written, self.number = before
            raise
        self.tree._forget_boards(self.node)

    @property
    def count(self) -> int:
        """The number of values."""
        if self.number is None or isinstance(self._written, list):
            return len(self.raw)
        first, end = self._written.values_of(self.number)
        return end - first

    @property
    def definition(self) -> PropertyDefinition | None:
        """The property's entry in ``properties.toml`` for this tree's game and file format, or
        None."""
        return self.node.tree.parsed.reader.definitions[self.ident]

    @property
    def value(self) -> Any:
        """The typed value: a list for a list property, else one value.

        A property that no standard defines gives a list of bytes. Raises
        SGFValueError where the value does not follow the property's type.
        """
        reader, written = self.node.tree.parsed.reader, self._written
        # Most properties have one value: they need no list, which saves a walk 7 % of its time.
        if self.number is not None and not isinstance(written, list):
            raw = written.only_value(self.number)
            if raw is not None:
                return reader.read_single(self.ident, raw)
        return reader.read_all(self.definition, self.raw)

    @property
    def values(self) -> list[Any]:
        """The typed values as a list, for every kind of property."""
        definition = self.definition
        found = self.value
        return found if definition is None or definition.takes_many else [found]

    @property
    def offsets(self) -> tuple[int, int]:
        """The byte offsets of the identifier and of the end of the last value, with its "]".

        They count in the data that the grammar reads. Raises ValueError for a property that
        was not parsed from a file.
        """
        if self.number is None or isinstance(self._written, list):
            raise ValueError(f"{self!r} was not parsed from a file")
        return self._written.property_span(self.number)

    @property
    def span(self) -> Span | None:
        """The place in the parsed file, from identifier to last bracket; None for a new one, and
        for one of a node that was moved to the game of another file."""
        file = self.node.tree.parsed.file
        return file.source.span(*self.offsets) if self._written is file.flat else None

    def __eq__(self, other: object) -> bool:
        """Whether both are the same property of the same node, as it was parsed."""
        if self is other:
            return True
        if not isinstance(other, Property) or self.number is None:
            return False
        return self.node == other.node and self.number == other.number

    def __hash__(self) -> int:
        if self.number is None:
            return id(self)
        return hash((self.node, self.number))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the property as its node, and its place in that or, if it was removed, its
        values."""
        entries = self.node.properties
        if self in entries:
            return _property_in, (self.node, entries.index(self))
        return Property, (self.node, self.ident, self.raw)

    def __bytes__(self) -> bytes:
        return self.ident.encode("ascii") + b"".join(b"[" + raw + b"]" for raw in self.raw)

    def __repr__(self) -> str:
        return f"Property({excerpt([self])})"

    def areas(self) -> Iterator[Rectangle]:
        """The parts of the board that the values name: the upper left and the lower right point
        of each rectangle, and each single point as both.

        Values that are equal to an earlier one are left out, as are those that name no point of
        the board: a few bytes can name a whole board again and again.
        """
        definition, reader = self.definition, self.tree.parsed.reader
        if definition is not None:
            for raw in dict.fromkeys(self.raw):
                area = reader.area(definition, raw)
                if area is not None:
                    yield area

    # Values one by one, as rules and fixes need them

    def prop_values(self) -> Iterator[PropValue]:
        """Each PropValue of a parsed property, in the order of the file."""
        assert self.number is not None
        for number in range(*self.node.tree.parsed.flat.values_of(self.number)):
            yield PropValue(self, number)

    def points(self) -> list[tuple[PropValue, Point]]:
        """The points of the board that the values name, each with its value; rectangles are
        expanded.

        A value that names points which earlier values named already gives only the first of
        these: a few bytes can name a whole board again and again. Values that are no points of
        the board are left out.
        """
        seen = PointSet()
        found: list[tuple[PropValue, Point]] = []
        for value in self.prop_values():
            area = value.area
            if area is None:
                continue
            points, repeated = seen.missing_in(area), seen.first_in(area)
            if repeated is not None:
                points = sorted([*points, repeated], key=by_row)
            found += [(value, point) for point in points]
            seen.add(area)
        return found


def _property_in(node: Node, place: int) -> Property:
    """The property at that place in a node: what a pickled property becomes."""
    return node.properties[place]


def replaced(entries: list[Property], new: Property) -> list[Property]:
    """The properties with `new` in the place of what is read for its identifier, or at the end.

    What is read are all lists of a property that takes lists, and of another one the first.
    """
    places = [place for place, entry in enumerate(entries) if entry.ident == new.ident]
    if not places:
        return [*entries, new]
    first, *others = places
    definition = new.definition
    dropped = {*others} if definition is None or definition.takes_many else set()
    return [
        new if place == first else entry
        for place, entry in enumerate(entries)
        if place not in dropped
    ]


def set_properties(node: Node, properties: list[Property]) -> None:
    """Put these in the place of all properties of a node, as they are and unchecked."""
    tree, store = node.tree, node.tree._store
    if tree._kept_boards is not None:
        tree._kept_boards.change(node, store.properties(node), properties)
    store.set_properties(node.number, properties)
    tree.edited = True


#: The characters and the values that are shown of a property, and the characters of all.
_SHOWN_TEXT, _SHOWN_VALUES, _SHOWN = 60, 6, 240


def excerpt(entries: Sequence[Property]) -> str:
    """Properties as they are written, in one line of readable characters; cut short by "…"."""
    parts: list[str] = []
    length = 0
    for entry in entries:
        raws = entry.raw
        values = [
            text if len(text) <= _SHOWN_TEXT else text[:_SHOWN_TEXT] + "…"
            for raw in raws[:_SHOWN_VALUES]
            for text in [entry.tree.parsed.context.decode(raw[: 4 * _SHOWN_TEXT + 4])]
        ]
        dots = "…" if len(raws) > _SHOWN_VALUES else ""
        parts.append(entry.ident + "".join(f"[{escape(text)}]" for text in values) + dots)
        length += len(parts[-1])
        if length > _SHOWN:
            return "".join(parts) + "…" * (entry is not entries[-1])
    return "".join(parts)


class PropValue:
    """One value of a parsed property, as written (production PropValue of ``sgf.ebnf``).

    `raw` are the bytes between the brackets, which begin at offset `start` and end before
    offset `end`; `number` is its index among all values of the file, 0-based.
    """

    def __init__(self, owner: Property, number: int) -> None:
        self.property = owner
        self.tree = owner.node.tree
        self.number = number
        self._definition = owner.definition
        flat = self.tree.parsed.flat
        self.start = flat.value_from[number]
        self.end = flat.value_to[number]
        self.raw = flat.value(number)

    @property
    def offsets(self) -> tuple[int, int]:
        """The byte offsets of the value without its brackets; with them where it is empty."""
        if self.start == self.end:
            return self.start - 1, min(self.end + 1, len(self.tree.parsed.flat.data))
        return self.start, self.end

    @property
    def definition(self) -> PropertyDefinition:
        """The entry of the property in ``properties.toml``, which must have one."""
        assert self._definition is not None
        return self._definition

    @property
    def kind(self) -> str:
        """The type of a plain value in the first alternative: "number", "point" and so on."""
        return self.definition.alternatives[0].first

    @property
    def composed(self) -> bool:
        """Whether the property takes composed values and nothing else but None."""
        alternatives = self.definition.alternatives
        return any(each.composed for each in alternatives) and all(
            each.composed or each.first == "none" for each in alternatives
        )

    @cached_property
    def halves(self) -> tuple[bytes, bytes] | None:
        """Both sides of the first ":" that is not escaped; None where there is none."""
        if not value_grammar.pattern("compose").fullmatch(self.raw):
            return None
        left, right = self.tree.parsed.reader.read("compose", self.raw)
        return left, right

    @cached_property
    def parts(self) -> list[tuple[str, bytes]]:
        """The value, or each half of a composed one, with its type."""
        for alternative in self.definition.alternatives:
            if alternative.composed and self.halves:
                left, right = self.halves
                return [(alternative.first, left), (alternative.second, right)]
        return [(self.kind, self.raw)]

    @property
    def text_parts(self) -> list[tuple[str, bytes]]:
        """The parts that are SimpleText or Text."""
        return [part for part in self.parts if part[0] in grammar.TEXT_TYPES]

    @property
    def other_parts(self) -> list[tuple[str, bytes]]:
        """The parts that are neither SimpleText nor Text."""
        return [part for part in self.parts if part[0] not in grammar.TEXT_TYPES]

    @property
    def is_point(self) -> bool:
        """Whether a Point, Move or Stone of a game with a known notation is meant."""
        return self.kind in {"point", "move", "stone"} and self.is_known(self.kind)

    def is_known(self, kind: str) -> bool:
        """Whether the game's notation for a point, move or stone is known."""
        return self.tree.parsed.reader.rule(kind) != "unknown"

    @property
    def stone_is_point(self) -> bool:
        """Whether the game writes stones as it does points."""
        return self.tree.game_definition.stone == self.tree.game_definition.point

    @cached_property
    def rectangle(self) -> tuple[Point, Point] | None:
        """The corners of a compressed list of points, as written; None where it is none."""
        definition = self.definition
        if not definition.takes_many or definition.alternatives[0].composed:
            return None
        return self.tree.parsed.reader.rectangle(self.kind, self.raw)

    @cached_property
    def area(self) -> Rectangle | None:
        """The points of the board that the value, or the first half of it, names: the upper left
        and the lower right one. None where it names none."""
        definition = self._definition
        return None if definition is None else self.tree.parsed.reader.area(definition, self.raw)

    def names_pass(self, raw: bytes) -> bool:
        """Whether `raw` would be a pass if it were the value of a move (go.html, Move)."""
        if not self.tree.parsed.reader.rule("move").startswith("go_"):
            return False
        try:
            return bool(self.tree.parsed.reader.read("move", raw).is_pass)
        except ValueError:
            return False

    def matches(self, value_type: str, raw: bytes | None = None) -> bool:
        """Whether `raw`, or else the value, belongs to the type or format of that name."""
        return self.tree.parsed.reader.matches(value_type, self.raw if raw is None else raw)

    @cached_property
    def text(self) -> str:
        """The decoded text of a SimpleText or Text."""
        return str(self.tree.parsed.reader.read(self.kind, self.raw))


def points_in(value: Any) -> list[Point]:
    """The points that a value names: a Point, a Stone or Move of whatever game, or a list; none
    for a value without points."""
    if isinstance(value, Point):
        return [value]
    found: list[Point] = []
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, Point):
            found.append(part)
        elif isinstance(part, (list, tuple)):
            left.extend(reversed(part))
        else:
            found += getattr(part, "points", ())
    return found


# The values of a property as far as they follow its type: others are passed over.


def values_of(entry: Property) -> Iterator[Any]:
    """The values that follow the type of the property, each once; rectangles are none of them,
    see :meth:`Property.areas`. A property without definition has no such values.
    """
    definition = entry.definition
    if definition is None:
        return
    reader = entry.node.tree.parsed.reader
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
    reader = entry.node.tree.parsed.reader
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
    found = node.property(ident, None)
    return None if found is None else first_value(found)


# Whether nodes have the same content.


def same_properties(one: Node, two: Node) -> bool:
    """Whether two nodes have the same properties in the same order, except CA."""
    first, second = compared(one), compared(two)
    return len(first) == len(second) and all(map(same_property, first, second))


def compared(node: Node) -> list[Property]:
    """The properties that are compared: all but CA."""
    return [entry for entry in node.properties if entry.ident != "CA"]


def same_property(one: Property, two: Property) -> bool:
    """Whether two properties have the same identifier and the same content."""
    if one.ident != two.ident:
        return False
    if one.raw == two.raw and one.tree.parsed.context == two.tree.parsed.context:
        return True
    return bool(content(one) == content(two))


def content(entry: Property) -> Any:
    """The typed value; of one that cannot be read, the text as written, in any charset."""
    if entry.definition is not None:
        try:
            return entry.value
        except ValueError:
            pass
    codec_of = entry.tree.parsed.context.codec_of
    return "as written", [raw.decode(codec_of(raw), "surrogateescape") for raw in entry.raw]


# A limit for the points of rectangles, where all of them have to be written.

#: The rectangles of a file may have this many points, and more in a larger file.
_USUAL_POINTS = 1_000_000
_POINTS_OF_BYTE = 10


class Expansion:
    """Counts the points that a file names without writing them: ten bytes can name all points of
    a board, in each of many nodes.

    A file of `size` bytes may have a million, or ten for each byte.
    """

    def __init__(self, size: int) -> None:
        self._most = max(_USUAL_POINTS, _POINTS_OF_BYTE * size)
        self._count = 0

    def add(self, points: int) -> None:
        """Add points; raises ValueError if there are too many together."""
        self._count += points
        if self._count > self._most:
            raise ValueError(f"the rectangles of the file have more than {self._most:,} points")
