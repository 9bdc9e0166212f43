"""What a rule sees of a file as a whole: the collection, and each game tree.

Plain Python, and with the types of ``trees.pxd`` compiled to C.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from sgf_lark import engine, grammar
from sgf_lark.engine.columns import Columns
from sgf_lark.engine.layout import zeros
from sgf_lark.engine.screen import Looked
from sgf_lark.flat import FlatTree
from sgf_lark.grammar import Charset, Game, PropertyDefinition
from sgf_lark.model.context import root_context
from sgf_lark.text import charsets
from sgf_lark.types import INDEX, NOTATIONS, Point
from sgf_lark.values import Context, ValueReader, reader

if TYPE_CHECKING:
    from sgf_lark.text.decoding import Decoding
    from sgf_lark.validation.views import PropertyView, ValueView


class Viewed:
    """What is seen of a file, by its columns. Without a `reading` it is plain: the same in all
    charsets that are supersets of ASCII, and nothing is given that goes before what it says
    of itself."""

    def _see(self, columns: Columns, reading: Decoding | None) -> None:
        #: What is asked of many nodes.
        self.columns = columns
        self._reading = reading
        self.is_plain = reading is None

    @property
    def flat(self) -> FlatTree:
        return self.columns.flat

    @property
    def reading(self) -> Decoding:
        """How its bytes are read."""
        if self._reading is None:
            self._reading = _plain_reading(self.columns.data)
        return self._reading

    def is_ascii(self) -> bool:
        """Whether all bytes of the file are ASCII."""
        return self.is_plain or self.reading.is_ascii

    def stored(self) -> Charset | None:
        """The charset in which the file is stored, where that is not its text's."""
        return None if self.is_plain else self.reading.whole_file_charset


class CollectionView(Viewed):
    """The whole input."""

    def __init__(
        self,
        columns: Columns,
        reading: Decoding | None = None,
        file_format: int | None = None,
        game: int | None = None,
    ) -> None:
        self._see(columns, reading)
        #: What goes before FF and GM.
        self.file_format = file_format
        self.game = game
        roots = self.columns.roots()
        ends = [*roots[1:], self.columns.count]
        self.trees = [
            TreeView(self, number, roots[number], ends[number] - 1) for number in range(len(roots))
        ]

    def conditions(self) -> tuple[str, str, str]:
        """Which of the conditions of rules hold, see :func:`registry.rule`."""
        several = "several" if len(self.trees) > 1 else ""
        stored = "stored" if self.stored() else ""
        marked = "" if self.is_plain or not self.reading.signature.charset else "marked"
        return several, stored, marked


def _plain_reading(data: bytes) -> Decoding:
    from sgf_lark.text.decoding import decodings

    [reading] = decodings(data)
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


def plain_view(data: bytes) -> CollectionView | None:
    """The view of bytes that are plain and that the engine takes; None of others."""
    if charsets.unicode_signature(data) is not charsets.NO_SIGNATURE or not charsets.is_plain_ascii(
        data
    ):
        return None
    numbers = engine.read(data)
    return None if numbers is None else CollectionView(Columns(data, numbers))


def _context_of(collection: CollectionView, root: dict[str, bytes], first: int) -> Context:
    """The context of the tree with that first node and these root values."""
    if collection.is_plain:
        # ASCII looks like no other charset: there is nothing to guess.
        name = root.get("CA")
        codec = (name and charsets.codec_of(name)) or charsets.default_codec()
    else:
        codec = collection.reading.tree_codec(root, *collection.flat.bounds(first))
    return root_context(root, codec, file_format=collection.file_format, game=collection.game)


class TreeView(Viewed):
    """A game tree. `root` maps identifiers to the first raw value in the root node."""

    def __init__(self, collection: CollectionView, number: int, first: int, last: int) -> None:
        # Nothing leads back to the collection, so that all of it is gone with the last
        # reference and has not to be looked for as garbage.
        self._see(collection.columns, None if collection.is_plain else collection.reading)
        #: What goes before FF.
        self.given_format = collection.file_format
        self.number = number
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

    def conditions(self) -> tuple[str, str]:
        """Which of the conditions of rules hold, see :func:`registry.rule`."""
        beyond = "" if self.is_ascii() else "beyond"
        return beyond, "" if "FF" in self.root else "unsaid"

    @property
    def reader(self) -> ValueReader:
        """What reads its values."""
        if self._reader is None:
            self._reader = reader(self.context)
        return self._reader

    @cached_property
    def game(self) -> Game:
        """What is known of its game."""
        return grammar.game(self.context.game)

    @cached_property
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

    @cached_property
    def variations(self) -> dict[int, list[int]]:
        """Node -> its children."""
        found: dict[int, list[int]] = {}
        for node in self.flat.nodes_of(self.number)[1:]:
            found.setdefault(self.flat.parent[node], []).append(node)
        return found

    @cached_property
    def movers(self) -> dict[int, str]:
        """Node -> who moved last on the way to it and in it, as far as that was asked."""
        return {}

    @cached_property
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
        if self.is_ascii():
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
