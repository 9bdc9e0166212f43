# cython: language_level=3, binding=False, annotation_typing=False
"""What a rule sees: a collection, a tree, a node, a property or a value in its context.

Plain Python, and with the types of ``views.pxd`` compiled to C.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from sgf_lark import charset as charsets
from sgf_lark import engine, grammar
from sgf_lark.annotations import TYPE_CHECKING, Any
from sgf_lark.diagnostics import Words
from sgf_lark.engine.columns import Columns
from sgf_lark.engine.layout import zeros
from sgf_lark.engine.screen import Looked
from sgf_lark.flat import FlatTree
from sgf_lark.grammar import Charset, Game, PropertyDefinition
from sgf_lark.records import lazy
from sgf_lark.transform import root_context
from sgf_lark.types import INDEX, NOTATIONS, OctiStone, Point
from sgf_lark.validation.registry import Finding
from sgf_lark.values import Context, ValueReader, expand, reader

if TYPE_CHECKING:
    from sgf_lark.decoding import Reading


class CollectionView:
    """The whole input. Without a `reading` it is plain: the same in all charsets that are
    supersets of ASCII, and nothing is given that goes before what it says of itself."""

    def __init__(
        self,
        columns: Columns,
        reading: Reading | None = None,
        file_format: int | None = None,
        game: int | None = None,
    ) -> None:
        #: What is asked of many nodes.
        self.columns = columns
        self._reading = reading
        self.is_plain = reading is None
        #: What goes before FF and GM.
        self.file_format = file_format
        self.game = game
        roots = self.columns.roots()
        ends = [*roots[1:], self.columns.count]
        self.trees = [
            TreeView(self, number, roots[number], ends[number] - 1) for number in range(len(roots))
        ]

    @property
    def flat(self) -> FlatTree:
        return self.columns.flat

    @property
    def reading(self) -> Reading:
        """How its bytes are read."""
        if self._reading is None:
            self._reading = _plain_reading(self.columns.data)
        return self._reading

    def conditions(self) -> tuple[str, str, str]:
        """Which of the conditions of rules hold, see :func:`registry.rule`."""
        several = "several" if len(self.trees) > 1 else ""
        if self.is_plain:
            return several, "", ""
        stored = "stored" if self.reading.stored else ""
        return several, stored, "marked" if self.reading.mark.charset else ""


def _plain_reading(data: bytes) -> Reading:
    from sgf_lark.decoding import readings

    [reading] = readings(data)
    return reading


#: Where points are letters: the column or row of each byte, 255 for those that are none.
BOARD_LETTERS = bytes(INDEX.get(chr(byte), 255) for byte in range(256))


@cache
def _keeps_ascii(codec: str) -> bool:
    """Whether no byte below 128 is a part of another character."""
    charset, _ = charsets.lookup(codec)
    return charset is not None and charset.superset and not charset.trail


@lru_cache(maxsize=256)
def lettered_board(context: Context) -> tuple[int, int]:
    """The columns and rows of the board, (0, 0) where its points are not two letters."""
    has_letters = reader(context).rule("point") == "go_point"
    return context.size if context.size and has_letters else (0, 0)


_UNMARKED = b"(;", b"(\n", b"(\r"


def plain_view(data: bytes) -> CollectionView | None:
    """The view of bytes that are plain and that the engine takes; None of others."""
    # What begins so has no mark of its charset.
    if not data.startswith(_UNMARKED) or not charsets.is_plain(data):
        return None
    numbers = engine.read(data)
    return None if numbers is None else CollectionView(Columns(data, numbers))


@lru_cache(maxsize=1024)
def plain_context(
    ff: bytes | None, gm: bytes | None, sz: bytes | None, ca: bytes | None
) -> Context:
    """The context of a tree in plain bytes, by the first values of what governs its reading."""
    said = {"FF": ff, "GM": gm, "SZ": sz}
    # ASCII looks like no other charset: there is nothing to guess.
    codec = (ca and charsets.codec_of(ca)) or charsets.default_codec()
    return root_context({ident: raw for ident, raw in said.items() if raw is not None}, codec)


def _context_of(collection: CollectionView, root: dict[str, bytes], first: int) -> Context:
    """The context of the tree with that first node and these root values."""
    if collection.is_plain:
        return plain_context(root.get("FF"), root.get("GM"), root.get("SZ"), root.get("CA"))
    codec = collection.reading.tree_codec(root, collection.flat, first)
    return root_context(root, codec, file_format=collection.file_format, game=collection.game)


class TreeView:
    """A game tree. `root` maps identifiers to the first raw value in the root node."""

    def __init__(self, collection: CollectionView, number: int, first: int, last: int) -> None:
        # Nothing leads back to the collection, so that all of it is gone with the last
        # reference and has not to be looked for as garbage.
        self.is_plain = collection.is_plain
        self._reading = None if self.is_plain else collection.reading
        #: What goes before FF.
        self.given_format = collection.file_format
        self.number = number
        self.columns = collection.columns
        #: Its first and its last node.
        self.first = first
        self.last = last
        self.root = self.columns.governing(first)
        self.context = _context_of(collection, self.root, first)
        self.file_format = self.context.file_format
        #: Property -> its points one by one, of the last ones that were asked for.
        self.expanded: dict[int, list[tuple[ValueView, Point]]] = {}
        #: What the screen told of it, if it was asked.
        self.seen: Looked | None = None
        self._reader: ValueReader | None = None
        self._children: array[int] | None = None
        self._is_all_text: bool | None = None

    @property
    def flat(self) -> FlatTree:
        return self.columns.flat

    @property
    def reading(self) -> Reading:
        """How its bytes are read."""
        if self._reading is None:
            self._reading = _plain_reading(self.columns.data)
        return self._reading

    def conditions(self) -> tuple[str, str]:
        """Which of the conditions of rules hold, see :func:`registry.rule`."""
        beyond = "" if self.is_plain or self.reading.is_ascii else "beyond"
        return beyond, "" if "FF" in self.root else "unsaid"

    @property
    def reader(self) -> ValueReader:
        """What reads its values."""
        if self._reader is None:
            self._reader = reader(self.context)
        return self._reader

    @lazy
    def game(self) -> Game:
        """What is known of its game."""
        return grammar.game(self.context.game)

    @lazy
    def declared(self) -> Charset | None:
        """The charset that CA names, or None where it names none that is known."""
        name = self.root.get("CA")
        return None if name is None else charsets.lookup(name.decode("latin-1"))[0]

    @property
    def children(self) -> array[int]:
        """Node -> number of its children, by index from the tree's first node."""
        if self._children is None:
            self._children = self._count_children() if self.seen is None else self.seen.children()
        return self._children

    def _count_children(self) -> array[int]:
        counts = zeros(len(self.flat.nodes_of(self.number)))
        for node in self.flat.nodes_of(self.number)[1:]:
            counts[self.flat.parent[node] - self.first] += 1
        return counts

    @lazy
    def variations(self) -> dict[int, list[int]]:
        """Node -> its children."""
        found: dict[int, list[int]] = {}
        for node in self.flat.nodes_of(self.number)[1:]:
            found.setdefault(self.flat.parent[node], []).append(node)
        return found

    @lazy
    def movers(self) -> dict[int, str]:
        """Node -> who moved last on the way to it and in it, as far as that was asked."""
        return {}

    @lazy
    def in_main_line(self) -> range:
        """The nodes of the main line: a first child always stands next in the file."""
        if self.seen is not None:
            return range(self.first, self.seen.numbers[1] + 1)
        return range(self.first, self.first + self.children.index(0) + 1)

    def write(self, point: Point) -> str:
        """A point in the notation of the game."""
        return NOTATIONS[self.game.point](point)

    def forget(self) -> None:
        """Forgets what only rules ask for: points lead back to the tree, and what the screen
        told takes more room than a small tree."""
        self.expanded.clear()
        self.seen = self._children = None

    @property
    def has_letters(self) -> bool:
        """Whether points of the board are written as two letters."""
        return lettered_board(self.context) != (0, 0)

    def is_all_text(self) -> bool:
        """Whether bytes above 127 mean something wherever they stand in the tree."""
        if self._is_all_text is None:
            self._is_all_text = self._decodes()
        return self._is_all_text

    def _decodes(self) -> bool:
        codec = self.context.codec
        if not _keeps_ascii(codec):
            return False
        if self.is_plain or self.reading.is_ascii:
            return True
        start, end = self.flat.bounds(self.first)
        return bool(self.reading.decodes(start, end, codec))

    def are_plain_lists(self, entries: Sequence[PropertyView]) -> bool:
        """Whether lists name different points of the board, one by one: none of them is
        named again, in its list or in another, and each has a short label where the lists
        are for labels."""
        kinds = [entry.definition and entry.definition.list_kind for entry in entries]
        are_labels = kinds[0] == "label"
        if None in kinds or any((kind == "label") != are_labels for kind in kinds[1:]):
            return False
        if self.has_letters:
            numbers = [entry.number for entry in entries]
            columns, rows = lettered_board(self.context)
            return self.columns.are_plain(numbers, are_labels, BOARD_LETTERS, columns, rows)
        size = self.context.size
        if size is None or are_labels:
            return False
        points = set[Point]()
        for entry, kind in zip(entries, kinds, strict=True):
            points.update(self._plain_points(entry, str(kind), size))
        return 0 < len(points) == sum(entry.count for entry in entries)

    def _plain_points(
        self, entry: PropertyView, kind: str, size: tuple[int, int]
    ) -> Iterator[Point]:
        """The points of the board among the values, up to the first that is none."""
        if self.reader.rule(kind) not in NOTATIONS:
            return
        for raw in entry.raw:
            point = self.reader.plain_point(kind, raw)
            if point is None or point.column >= size[0] or point.row >= size[1]:
                return
            yield point

    def define(self, ident: str) -> PropertyDefinition | None:
        return self.reader.definition(ident)


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

    @lazy
    def kind(self) -> str:
        """The type of a plain value, of the first alternative: "number", "point", …"""
        return self.definition.alternatives[0].first

    @lazy
    def composed(self) -> bool:
        """Whether the property takes composed values and nothing else but None."""
        return all(
            alternative.composed or alternative.first == "none"
            for alternative in self.definition.alternatives
        ) and any(alternative.composed for alternative in self.definition.alternatives)

    @lazy
    def halves(self) -> tuple[bytes, bytes] | None:
        """Both sides of the first ":" that is not escaped; None where there is none."""
        if not grammar.pattern("compose").fullmatch(self.raw):
            return None
        left, right = self.tree.reader.read("compose", self.raw)
        return left, right

    @lazy
    def parts(self) -> list[tuple[str, bytes]]:
        """The value, or each half of a composed one, with its type."""
        for alternative in self.definition.alternatives:
            if alternative.composed and self.halves:
                left, right = self.halves
                return [(alternative.first, left), (alternative.second, right)]
        return [(self.kind, self.raw)]

    @lazy
    def text_parts(self) -> list[tuple[str, bytes]]:
        return [part for part in self.parts if part[0] in grammar.TEXT_TYPES]

    @lazy
    def other_parts(self) -> list[tuple[str, bytes]]:
        return [part for part in self.parts if part[0] not in grammar.TEXT_TYPES]

    @lazy
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

    @lazy
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

    @lazy
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
