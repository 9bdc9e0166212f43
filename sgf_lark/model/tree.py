"""A game tree: one game of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sgf_lark import grammar
from sgf_lark.grammar import Charset, Game, PropertyDefinition
from sgf_lark.model.context import root_context
from sgf_lark.model.node import Node
from sgf_lark.model.parsed import ParsedFile
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.games import NOTATIONS
from sgf_lark.model.values.reader import reader
from sgf_lark.model.values.writer import recode, write_all
from sgf_lark.text import charsets

if TYPE_CHECKING:
    from sgf_lark.model.board_cache import BoardCache
    from sgf_lark.model.info import GameInfo

#: Properties with which a game begins: no other node has them.
_OF_ROOTS = frozenset({"FF", "GM"})


class GameTree:
    """One game of a collection.

    `file` is the parsed file and `number` the index of the game in it, 0-based; `edited`
    records whether anything was changed since. Byte offsets and numbers of nodes count in
    the whole file.
    """

    def __init__(self, file: ParsedFile, number: int) -> None:
        self.file = file
        self.flat = file.flat
        self.number = number
        self.edited = False
        #: The boards that are kept for nodes, see :attr:`boards`.
        self.kept_boards: BoardCache | None = None
        #: Whether nodes were added, detached or put in another order.
        self.restructured = False
        #: Nodes -> who moved last up to and including them, as far as that was asked for.
        self.last_movers: dict[int, str] = {}
        #: The nodes of the parsed file that were asked for, by their numbers.
        self._nodes: dict[int, Node] = {}
        nodes = self.flat.nodes_of(number)
        #: The numbers of its first and its last node in the parsed file.
        self.first = nodes[0]
        self.last = nodes[-1]
        self.root_values = file.root_values[number]
        self.set_context(
            root_context(
                self.root_values,
                file.codecs[number],
                file_format=file.file_format,
                game=file.game,
            )
        )
        #: The latest results of :meth:`Property.points`, by the number of the property.
        self.expanded_points: dict[int, list[tuple[PropValue, Point]]] = {}

    def set_context(self, context: Context) -> None:
        """Read the values of the tree in that context from now on."""
        self.context = context
        #: GM; 1 (Go) where the root has none.
        self.game = context.game
        #: FF; 1 where the root has none.
        self.file_format = context.file_format
        #: The board as (columns, rows); None where the game has no default.
        self.size = context.size
        #: Python's name of the codec in which the texts are decoded.
        self.charset = context.codec
        #: What reads the values.
        self.reader = reader(context)
        self.forget_boards()

    @property
    def boards(self) -> BoardCache:
        """The boards of the nodes."""
        if self.kept_boards is None:
            from sgf_lark.model.board_cache import BoardCache

            self.kept_boards = BoardCache(self)
        return self.kept_boards

    def forget_boards(self, node: Node | None = None) -> None:
        """Work out the boards of a node and of all that follow anew, or those of the whole tree.

        To be called where moves or setup of a node changed, or the nodes before it.
        """
        if self.kept_boards is not None:
            self.kept_boards.forget(node)

    @property
    def info(self) -> GameInfo:
        """Players, result, dates, komi and so on, to be read and written."""
        from sgf_lark.model.info import GameInfo

        return GameInfo(self)

    def _repr_html_(self) -> str:
        """Players, result and the board at the end of the main line, for notebooks."""
        from sgf_lark.drawing.notebook import tree_html

        return tree_html(self)

    def _repr_svg_(self) -> str | None:
        """The board at the end of the main line; None for a game without one."""
        from sgf_lark.drawing.notebook import tree_svg

        return tree_svg(self)

    @property
    def root(self) -> Node:
        """The first node."""
        return self.node(self.first)

    def node(self, number: int) -> Node:
        """The parsed node of that number, counted through the file, 0-based."""
        node = self._nodes.get(number)
        if node is None:
            node = self._nodes[number] = Node(self, number)
        return node

    def forget_nodes(self) -> None:
        """Make all nodes anew when they are asked for. Edits are lost."""
        self._nodes.clear()
        self.expanded_points.clear()
        self.last_movers.clear()
        self.forget_boards()

    def nodes(self) -> Iterator[Node]:
        """All nodes in pre-order, that is, in the order of the file.

        The order must not be changed meanwhile.
        """
        if not self.restructured:
            yield from map(self.node, range(self.first, self.last + 1))
            return
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.children[::-1])

    def main_line(self) -> Iterator[Node]:
        """The root and always the first child."""
        node = self.root
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]

    # What properties, points and charsets mean in this tree

    @property
    def game_definition(self) -> Game:
        """The entry of its game in ``properties.toml``."""
        return grammar.game(self.context.game)

    def define(self, ident: str) -> PropertyDefinition | None:
        """The meaning of a property in this game and file format, or None."""
        return self.reader.definition(ident)

    def write_point(self, point: Point) -> str:
        """A point in the notation of the game."""
        return NOTATIONS[self.game_definition.point](point)

    def has_point(self, point: Point) -> bool:
        """Whether a point is on the board; true where the game has no board size."""
        size = self.context.size
        return size is None or (point.column < size[0] and point.row < size[1])

    @cached_property
    def declared_charset(self) -> Charset | None:
        """The charset that CA names, or None where it names none that is known."""
        name = self.root_values.get("CA")
        return None if name is None else charsets.lookup(name.decode("latin-1"))[0]

    @cached_property
    def has_certain_charset(self) -> bool:
        """Whether the charset of the texts is no guess: the user, the file or CA names it, the
        bytes are UTF-8 and cannot be anything else, or all of them are ASCII."""
        decoding, declared = self.file.decoding, self.declared_charset
        if decoding.is_ascii:
            return True
        is_named = self.charset == (decoding.codec or decoding.declared_codec(self.root_values))
        if is_named and decoding.named_by_user:
            return True
        if decoding.signature.charset and declared is not None:
            return is_named and declared.codec == self.charset
        if decoding.codec is not None:
            return is_named and decoding.guess is None
        if declared is not None:
            return is_named and declared.codec == self.charset
        start, end = self.flat.bounds(self.first)
        return self.charset == "utf-8" and charsets.is_certainly_utf_8(self.flat.data[start:end])

    def decodes_everywhere(self) -> bool:
        """Whether each byte above 127 of the tree is part of a character, wherever it is, and no
        other byte is."""
        charset, _ = charsets.lookup(self.charset)
        if charset is None or not charset.superset or charset.trail:
            return False
        decoding = self.file.decoding
        return decoding.is_ascii or decoding.decodes(*self.flat.bounds(self.first), self.charset)

    @cached_property
    def parsed_main_line(self) -> range:
        """The numbers of the nodes of the main line, as parsed."""
        parent = self.flat.parent
        end = self.first + 1
        while end <= self.last and parent[end] == end - 1:
            end += 1
        return range(self.first, end)

    @cached_property
    def nested_roots(self) -> list[int]:
        """The numbers of the nodes after the root, as parsed, that have FF or GM.

        In a damaged file a game may begin at each of them.
        """
        flat = self.flat
        first, end = flat.property_end[self.first], flat.property_end[self.last]
        found = (prop for prop in range(first, end) if flat.ident(prop) in _OF_ROOTS)
        return list(dict.fromkeys(map(flat.node_of_property, found)))

    # Editing

    def change_root(self, root: Node, properties: list[Property], ident: str) -> None:
        """Read the tree by these root properties from now on; `ident` is the one that changed.

        Values that would then be read differently are rewritten. Raises
        ValueError, with nothing changed, where one cannot be. A new CA overrides
        the charset that the tree was loaded with, unless the whole
        file is stored in one that is no superset of ASCII.
        """
        values: dict[str, bytes] = {}
        for entry in properties:
            values.setdefault(entry.ident, entry.raw[0])
        old, codec = self.context, self.context.codec
        if ident == "CA" and self.file.decoding.whole_file_charset is None:
            codec = self.file.decoding.declared_codec(values)
        new = root_context(values, codec)
        if new == old:
            return
        rewritten: list[tuple[Node, list[Property]]] = []
        if new.game == old.game:
            for node in self.nodes():
                entries = properties if node is root else node.properties
                changed = [_rewritten(node, entry, old, new) for entry in entries]
                if any(a is not b for a, b in zip(changed, entries, strict=True)):
                    rewritten.append((node, changed))
        self.set_context(new)
        for node, changed in rewritten:
            if node is root:
                properties[:] = changed
            else:
                node.set_properties(changed)

    def __repr__(self) -> str:
        return f"<GameTree GM[{self.game}] FF[{self.file_format}] {self.root!r}>"


def _rewritten(node: Node, entry: Property, old: Context, new: Context) -> Property:
    """The property as it has to be written in the context `new` to keep its value."""
    definition = grammar.definition(entry.ident, old.game, old.file_format)
    try:
        before = reader(old).read_all(definition, entry.raw)
    except ValueError:
        definition = None
    if definition is None or _has_bytes(before):
        return _recoded(node, entry, old.codec, new.codec)
    try:
        if reader(new).read_all(definition, entry.raw) == before:
            return entry
    except ValueError:
        pass
    return Property(node, entry.ident, write_all(definition, before, new))


def _has_bytes(value: Any) -> bool:
    """Whether a value, or a part of it, is of a type that nobody can read."""
    return isinstance(value, bytes) or (
        isinstance(value, (list, tuple)) and any(map(_has_bytes, value))
    )


def _recoded(node: Node, entry: Property, old: str, new: str) -> Property:
    """A property whose values nobody can read: they may be text all the same."""
    if old == new or all(raw.isascii() for raw in entry.raw):
        return entry
    raws = [recode(raw, old, new) for raw in entry.raw]
    return Property(node, entry.ident, raws)
