"""What a rule sees in a game tree: a node, a property or a value in its context.

Plain Python, and with the types of ``views.pxd`` compiled to C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from sgf_lark import grammar
from sgf_lark.diagnostics import Words
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.rules.registry import Finding
from sgf_lark.types import OctiStone, Point
from sgf_lark.validation.trees import BOARD_LETTERS, TreeView, lettered_board
from sgf_lark.values import expand


class Shape:
    """The identifier and meaning of each property of a node, and which are of a kind."""

    __slots__ = ("_places", "first", "kinds", "lists")

    def __init__(self, kinds: tuple[tuple[str, PropertyDefinition | None], ...]) -> None:
        self.kinds = kinds
        #: The place of the first property of each identifier.
        self.first: dict[str, int] = {}
        #: How many are lists of points; None where some name points in another way.
        self.lists: int | None = 0
        self._places: dict[tuple[str, object], list[int]] = {}
        for place, (ident, entry) in enumerate(kinds):
            self.first.setdefault(ident, place)
            if entry is None:
                continue
            for role in entry.roles:
                self._places.setdefault(role, []).append(place)
            if entry.list_kind and self.lists is not None:
                self.lists += 1
            elif entry.unique:
                self.lists = None

    def places(self, attribute: str, wanted: object) -> Sequence[int]:
        """The places of the properties with that role, see :attr:`PropertyDefinition.roles`."""
        return self._places.get((attribute, wanted), ())


class NodeView:
    """A node; `number` counts through the collection. `shape` is what is known of its
    properties; views of these are made where a rule asks for them."""

    __slots__ = ("_first", "_properties", "_shape", "number", "tree")

    def __init__(self, tree: TreeView, number: int, shape: Shape | None = None) -> None:
        self.tree = tree
        self.number = number
        self._properties: dict[int, PropertyView] | None = None
        self._shape = shape
        self._first = tree.columns.first_property(number)

    @property
    def shape(self) -> Shape:
        """The identifiers and meanings of its properties."""
        return self._known_shape()

    def _known_shape(self) -> Shape:
        if self._shape is None:
            columns, define = self.tree.columns, self.tree.reader.definition
            kinds = []
            for prop in range(self._first, columns.behind_properties(self.number)):
                ident = columns.ident(prop)
                kinds.append((ident, define(ident)))
            self._shape = Shape(tuple(kinds))
        return self._shape

    def _view(self, place: int) -> PropertyView:
        if self._properties is None:
            self._properties = {}
        found = self._properties.get(place)
        if found is None:
            kind = self._known_shape().kinds[place]
            found = PropertyView(self.tree, self._first + place, self.number, kind)
            self._properties[place] = found
        return found

    @property
    def properties(self) -> list[PropertyView]:
        return [self._view(place) for place in range(len(self._known_shape().kinds))]

    @property
    def is_root(self) -> bool:
        return self.number == self.tree.first

    @property
    def is_leaf(self) -> bool:
        return not self.tree.children[self.number - self.tree.first]

    @property
    def span(self) -> tuple[int, int]:
        """From ";" to behind the last property."""
        flat = self.tree.flat
        start = flat.node_start[self.number]
        first, last = flat.properties_of(self.number)
        return start, flat.property_span(last - 1)[1] if last > first else start + 1

    def get(self, ident: str) -> PropertyView | None:
        place = self._known_shape().first.get(ident)
        return None if place is None else self._view(place)

    def of(self, attribute: str, wanted: object) -> list[PropertyView]:
        """The properties with that role, see :attr:`PropertyDefinition.roles`."""
        return [self._view(place) for place in self._known_shape().places(attribute, wanted)]

    def of_type(self, role: str) -> list[PropertyView]:
        """The properties of a property type: move, setup, root, game-info, none."""
        return self.of("type", role)

    def of_format(self, wanted: str) -> list[PropertyView]:
        """The properties whose values have that format."""
        return self.of("format", wanted)

    def of_group(self, unique: str) -> list[PropertyView]:
        """The properties that name points, or stones, of which each may be named once."""
        return self.of("unique", unique)

    def moves(self) -> list[PropertyView]:
        """The properties that play a move: B and W."""
        found = self.of("exclusive", "move")
        return [entry for entry in found if entry.definition and entry.definition.type == "move"]


class PropertyView:
    """A property where it stands."""

    __slots__ = ("definition", "ident", "node", "number", "tree")

    def __init__(
        self,
        tree: TreeView,
        number: int,
        node: int,
        kind: tuple[str, PropertyDefinition | None] | None = None,
    ) -> None:
        self.tree = tree
        self.number = number
        self.node = node
        if kind is None:
            self.ident = tree.flat.ident(number)
            self.definition = tree.define(self.ident)
        else:
            self.ident, self.definition = kind

    @property
    def raw(self) -> list[bytes]:
        return self.tree.columns.raw(self.number)

    @property
    def span(self) -> tuple[int, int]:
        return self.tree.columns.span(self.number)

    @property
    def count(self) -> int:
        """How many values it has."""
        columns = self.tree.columns
        return columns.behind_values(self.number) - columns.first_value(self.number)

    @property
    def only_value(self) -> bytes | None:
        """The raw value where there is exactly one."""
        return self.tree.columns.only_value(self.number)

    @property
    def in_root(self) -> bool:
        return self.node == self.tree.first

    def finding(self, sgfc: int | None = None, **values: object) -> Finding:
        """A finding at the whole property."""
        return Finding(*self.span, values, self.ident, sgfc)

    def values(self) -> Iterator[ValueView]:
        for value in range(*self.tree.flat.values_of(self.number)):
            yield ValueView(self, value)

    @property
    def is_plain_list(self) -> bool:
        """Whether it names different points of the board, one by one."""
        return self.tree.are_plain_lists((self,))

    @property
    def is_plain_move(self) -> bool:
        """Whether it plays one point of the board, of a game in which points are two letters."""
        tree, definition = self.tree, self.definition
        if definition is None or definition.exclusive != "move" or self.count != 1:
            return False
        if not tree.has_letters or not tree.reader.rule("move").startswith("go_"):
            return False
        columns, rows = lettered_board(tree.context)
        return tree.columns.are_plain([self.number], False, BOARD_LETTERS, columns, rows)

    def count_points(self) -> int:
        """How many different points it names."""
        return self.count if self.is_plain_list else len({point for _, point in self.points()})

    def points(self) -> list[tuple[ValueView, Point]]:
        """The points that a list of points or stones names, rectangles expanded.

        Of those that earlier values named already each value gives the first alone: a
        few bytes can name a whole board again and again. Values that are no points of
        the board are left out: other rules speak of them.
        """
        known = self.tree.expanded
        if self.number not in known:
            if len(known) >= _EXPANDED:
                known.pop(next(iter(known)))
            known[self.number] = list(self._expand())
        return known[self.number]

    def _expand(self) -> Iterator[tuple[ValueView, Point]]:
        seen: set[Point] = set()
        for value in self.values() if self.definition is not None else ():
            again = False
            for point in value.named_points():
                if point not in seen:
                    seen.add(point)
                    yield value, point
                elif not again:
                    again = True
                    yield value, point


#: The points of so many properties of a tree are kept: rules ask for the same ones.
_EXPANDED = 8


class ValueView:
    """One value of a property."""

    def __init__(self, owner: PropertyView, number: int) -> None:
        self.owner = owner
        self.number = number
        self.tree = owner.tree
        self.raw = self.tree.columns.value(number)

    @property
    def definition(self) -> PropertyDefinition:
        """What the property means; rules about values see defined properties alone."""
        definition = self.owner.definition
        assert definition is not None
        return definition

    @property
    def start(self) -> int:
        return self.tree.flat.value_from[self.number]

    @property
    def end(self) -> int:
        return self.tree.flat.value_to[self.number]

    def finding(self, sgfc: int | None = None, **values: object) -> Finding:
        """A finding at the value, without its brackets; an empty one gets them."""
        empty = 1 if self.start == self.end else 0
        values.setdefault("value", self.raw)
        end = min(self.end + empty, len(self.tree.flat.data))
        return Finding(self.start - empty, end, values, self.owner.ident, sgfc)

    @cached_property
    def kind(self) -> str:
        """The type of a plain value, of the first alternative: "number", "point", …"""
        return self.definition.alternatives[0].first

    @cached_property
    def composed(self) -> bool:
        """Whether the property takes composed values and nothing else but None."""
        return all(
            alternative.composed or alternative.first == "none"
            for alternative in self.definition.alternatives
        ) and any(alternative.composed for alternative in self.definition.alternatives)

    @cached_property
    def halves(self) -> tuple[bytes, bytes] | None:
        """Both sides of the first ":" that is not escaped; None where there is none."""
        if not grammar.pattern("compose").fullmatch(self.raw):
            return None
        left, right = self.tree.reader.read("compose", self.raw)
        return left, right

    @cached_property
    def parts(self) -> list[tuple[str, bytes]]:
        """The value, or each half of a composed one, with its type."""
        for alternative in self.definition.alternatives:
            if alternative.composed and self.halves:
                left, right = self.halves
                return [(alternative.first, left), (alternative.second, right)]
        return [(self.kind, self.raw)]

    @cached_property
    def text_parts(self) -> list[tuple[str, bytes]]:
        return [part for part in self.parts if part[0] in grammar.TEXT_TYPES]

    @cached_property
    def other_parts(self) -> list[tuple[str, bytes]]:
        return [part for part in self.parts if part[0] not in grammar.TEXT_TYPES]

    @cached_property
    def is_point(self) -> bool:
        """Whether a Point, Move or Stone of a game with a known notation is meant."""
        return self.kind in {"point", "move", "stone"} and self.is_known(self.kind)

    def is_known(self, kind: str) -> bool:
        """Whether the game's notation for a point, move or stone is known."""
        return self.tree.reader.rule(kind) != "unknown"

    @property
    def stone_is_point(self) -> bool:
        """Whether the game writes stones as it does points."""
        return self.tree.game.stone == self.tree.game.point

    def form(self, kind: str) -> Words:
        """What a point, move or stone of the game looks like."""
        game = self.tree.game
        return Words(getattr(game, f"{kind}_form"), getattr(game, f"{kind}_form_zh"))

    @cached_property
    def rectangle(self) -> tuple[Point, Point] | None:
        definition = self.definition
        if not definition.takes_many or definition.alternatives[0].composed:
            return None
        return self.tree.reader.rectangle(self.kind, self.raw)

    def named_points(self) -> Iterable[Point]:
        """The points of the board that the value names, or the first half of it."""
        kind = self.definition.alternatives[0]
        if kind.first not in {"point", "stone", "move"}:
            return ()
        try:
            corners = self.rectangle
            if corners is not None:
                found = expand(*corners)
                if all(map(self.on_board, corners)):
                    return found
                return (point for point in found if self.on_board(point))
            raw = self.parts[0][1] if kind.composed else self.raw
            point = self.tree.reader.read(kind.first, raw)
        except (ValueError, IndexError):
            return ()
        return (point,) if isinstance(point, Point) and self.on_board(point) else ()

    def on_board(self, point: Point) -> bool:
        size = self.tree.context.size
        return size is None or (point.column < size[0] and point.row < size[1])

    def names_pass(self, raw: bytes) -> bool:
        """Whether `raw` would be a pass if it stood in a move (go.html, Move)."""
        if not self.tree.reader.rule("move").startswith("go_"):
            return False
        try:
            return bool(self.tree.reader.read("move", raw).is_pass)
        except ValueError:
            return False

    def matches(self, value_type: str, raw: bytes | None = None) -> bool:
        return self.tree.reader.matches(value_type, self.raw if raw is None else raw)

    def text(self) -> str:
        """The value of a plain text."""
        return self._text

    @cached_property
    def _text(self) -> str:
        return str(self.tree.reader.read(self.kind, self.raw))


def points_in(value: Any) -> tuple[Point, ...]:
    """The points that a Point, Stone or Move of whatever game names."""
    if isinstance(value, Point):
        return (value,)
    if isinstance(value, OctiStone):
        return (value.point,)
    found: tuple[Point, ...] = value.points
    return found
