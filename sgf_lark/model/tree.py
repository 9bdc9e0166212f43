"""A game tree: one game of a collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

from sgf_lark import grammar
from sgf_lark.diagnostics import Diagnostic
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import Charset, Game, PropertyDefinition
from sgf_lark.model.context import DEFAULT_GAME, root_context
from sgf_lark.model.moving import reread_nodes
from sgf_lark.model.node import EditedNode, Node
from sgf_lark.model.pictures import PictureOptions, drawing
from sgf_lark.model.property import Property, replaced
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.model.values.points import is_on_board
from sgf_lark.model.values.reader import ValueReader, reader
from sgf_lark.model.wrong_names import NoOtherAttributes
from sgf_lark.syntax.parsing import ParsedFile, plain_file
from sgf_lark.syntax.programs import program_of_root
from sgf_lark.text import charsets
from sgf_lark.text.charsets import TextCharset
from sgf_lark.text.sections import Section

if TYPE_CHECKING:
    from sgf_lark.model.info import GameInfo
    from sgf_lark.model.node_boards import NodeBoards
    from sgf_lark.model.symmetry import Symmetry

#: Properties with which a game begins: no other node has them.
_OF_ROOTS = frozenset({"FF", "GM"})
_MOVES = frozenset({"B", "W"})

#: A property: its identifier, and its values as written or its number in the parsed file.
_PackedProperty = tuple[str, list[bytes] | int]
#: A node: the place of its parent in pre-order, its number in the parsed file, and its properties
#: if they are not those of the parsed file; None for what it does not have. Numbers count from
#: the start of the tree.
_PackedNode = tuple[int | None, int | None, list[_PackedProperty] | None]


class GameTree(NoOtherAttributes):
    """One game of a collection.

    `file` is the parsed file and `number` the index of the game in it, 0-based; `edited`
    records whether anything was changed since. Byte offsets and numbers of nodes count in
    the whole file.

    Rules and tools that need more than the values ask for these: `flat`, the structure of the
    file as columns of numbers; `numbers`, those of the nodes of this tree in it, in pre-order;
    `context`, what the reading of a value depends on, and `reader`, which reads values in it;
    `root_values`, the first value as written of each root property that the context comes from.
    They are what was parsed, also after edits.

    The nodes of a game tree that was parsed are views of the file. The first edit turns all of
    them, once and in linear time, into plain nodes, each with its parent, children and properties.
    A node is the same object before and after, and what is not edited keeps its bytes, because
    nodes and properties keep their numbers in the file.
    """

    _own = frozenset(
        {"context", "edited", "file", "flat", "number", "numbers", "reader", "root_values"}
    )
    _node = "game.root"
    _comes_from = MappingProxyType(
        {"size": "SZ", "game": "GM", "file_format": "FF", "charset": "CA"}
    )
    file: ParsedFile
    flat: FlatTree
    number: int
    edited: bool = False
    numbers: range
    root_values: dict[str, bytes]
    context: Context
    reader: ValueReader
    #: Whether its nodes are plain ones.
    _is_plain: bool = False
    #: The boards that are kept for nodes, see :attr:`_boards`.
    _kept_boards: NodeBoards | None = None
    #: Nodes -> who moved last up to and including them, as far as that was asked for.
    _last_movers: dict[int, str]
    #: The nodes of the parsed file that were asked for, by their numbers.
    _nodes: dict[int, Node]
    #: The nodes in pre-order and their places, as long as an edited tree keeps its structure.
    _order: tuple[dict[Node, int], list[Node]] | None = None

    def __init__(self, file: ParsedFile, number: int, context: Context | None = None) -> None:
        flat, root_values = file.flat, file.root_values[number]
        if context is None:
            texts = file.charsets[number]
            file_format = file.file_format_of(number)
            context = root_context(root_values, texts.codec, file_format, file.game)
            if context.game == DEFAULT_GAME:
                context = context._replace(program=program_of_root(flat, flat.roots[number]))
            if texts.other is not None:
                context = context._replace(other=texts.other)
        # At once, as each attribute that is set is checked, see NoOtherAttributes.
        vars(self).update(
            file=file,
            flat=flat,
            number=number,
            numbers=flat.nodes_of(number),
            root_values=root_values,
            context=context,
            reader=reader(context),
            _last_movers={},
            _nodes={},
        )

    def _set_context(self, context: Context) -> None:
        """Read the values of the tree in that context from now on."""
        vars(self).update(context=context, reader=reader(context))
        self._forget_boards()

    @property
    def game(self) -> int:
        """GM; 1 (Go) where the root has none."""
        return self.context.game

    @property
    def file_format(self) -> int:
        """FF; where the root has none, the format that the properties and values are in."""
        return self.context.file_format

    @property
    def size(self) -> tuple[int, int] | None:
        """The board as (columns, rows); None where the game has no default."""
        return self.context.size

    @property
    def charset(self) -> str:
        """Python's name of the codec in which the texts are decoded."""
        return self.context.codec

    @property
    def section(self) -> Section:
        """The section of the file that the tree is in."""
        return self.file.decoding.sections.at(self.bounds[0])

    @property
    def text_charset(self) -> TextCharset:
        """The charset in which the texts of the file were decoded, and why it is that."""
        return self.file.charsets[self.number]

    @property
    def _boards(self) -> NodeBoards:
        """The boards of the nodes."""
        if self._kept_boards is None:
            from sgf_lark.model.node_boards import NodeBoards

            self._kept_boards = NodeBoards(self)
        return self._kept_boards

    def _forget_boards(self, node: Node | None = None) -> None:
        """Work out the boards of a node and of all that follow anew, or those of the whole tree.

        To be called where moves or setup of a node changed, or the nodes before it.
        """
        if self._kept_boards is not None:
            self._kept_boards.forget(node)

    @property
    def info(self) -> GameInfo:
        """Players, result, dates, komi and so on, to be read and written."""
        from sgf_lark.model.info import GameInfo

        return GameInfo(self)

    def transformed(self, symmetry: Symmetry, swap_colors: bool = False) -> GameTree:
        """A copy of the game with its board turned: moves, setup and markup follow.

        With `swap_colors` Black and White change places in all properties, texts aside; komi and
        node values change their sign, and HA, which only Black has, is left out. What cannot be
        read and points outside the board stay as written. Go has all symmetries, Hex ROTATE_180
        and, with the colors swapped, TRANSPOSE and TRANSVERSE; in Lines of Action those that
        change columns and rows swap the colors, unless SU is Custom. Raises ValueError for
        others and for other games.
        """
        from sgf_lark.model.symmetry import transformed_game

        return transformed_game(self, symmetry, swap_colors)

    def gif(self, *, seconds: float = 1.0, **options: Unpack[PictureOptions]) -> bytes:
        """The main line as an animated GIF, 400 pixels wide unless `size` says another width.

        Each move is shown for that many seconds, the last one three times as long.
        :class:`PictureOptions` has the other options. Raises DrawingError (a ValueError) for a
        game without a board or with one too large to draw; ImportError names the extra
        "animation" where it is not installed.
        """
        return drawing("options").game_gif(self, seconds, options)  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        """Players, result and the board at the end of the main line, for notebooks."""
        return drawing("notebook").tree_html(self)  # type: ignore[no-any-return]

    def _repr_svg_(self) -> str | None:
        """The board at the end of the main line; None for a game without one."""
        return drawing("notebook").tree_svg(self)  # type: ignore[no-any-return]

    @property
    def root(self) -> Node:
        """The first node."""
        return self.node(self.numbers[0])

    def node(self, number: int) -> Node:
        """The parsed node of that number, counted through the file, 0-based."""
        node = self._nodes.get(number)
        if node is None:
            node = self._nodes[number] = Node(self, number)
        return node

    def _release(self, numbers: Iterable[int]) -> None:
        """Forget parsed nodes that became nodes of another tree."""
        for number in numbers:
            del self._nodes[number]

    def forget_nodes(self) -> None:
        """Make all nodes anew when they are asked for. Edits are lost."""
        self._nodes.clear()
        self._last_movers.clear()
        self._forget_boards()

    def nodes(self) -> Iterator[Node]:
        """All nodes in pre-order, that is, in the order of the file.

        The order must not be changed meanwhile.
        """
        if self._is_plain:
            return self.root.nodes()
        return map(self.node, self.numbers)

    def leaves(self) -> Iterator[Node]:
        """The nodes that no node follows, in pre-order: the ends of the variations."""
        return (node for node in self.nodes() if node.is_leaf)

    def main_line(self) -> Iterator[Node]:
        """The root and always the first child."""
        return self.root.main_line()

    def split(self) -> Iterator[GameTree]:
        """A game for each variation, in the order of :meth:`leaves`: a copy of the game with the
        nodes from the root to that leaf.

        :meth:`Collection.merged` joins them again.
        """
        for leaf in [*self.leaves()]:
            yield restored(self.file, self.number, self.context, self._pack(leaf.path()))

    def equals(self, other: GameTree) -> bool:
        """Whether both trees have the same game, file format, size and content.

        See :meth:`Node.equals`. ``==`` holds only for a game tree and itself.
        """
        return (
            isinstance(other, GameTree)
            and self.context[:3] == other.context[:3]
            and self.root.equals(other.root)
        )

    @property
    def bounds(self) -> tuple[int, int]:
        """The byte offsets of its "(" and of its ")", in the data that the grammar reads."""
        return self.flat.bounds(self.numbers[0])

    @property
    def damage(self) -> Sequence[Diagnostic]:
        """What a tolerant parser passed over in this tree, in the order of the file."""
        damage = self.file.damage
        if len(self.file.root_values) == 1:
            return damage
        return [each for each in damage if each.tree == self.number]

    # What properties, points and charsets mean in this tree

    @property
    def game_definition(self) -> Game:
        """The entry of its game in ``properties.toml``."""
        return grammar.game(self.context.game)

    def define(self, ident: str) -> PropertyDefinition | None:
        """The meaning of a property in this game and file format, or None."""
        return self.reader.definitions[ident]

    def write_point(self, point: Point) -> str:
        """A point in the notation of the game."""
        return NOTATIONS[self.game_definition.point](point)

    def has_point(self, point: Point) -> bool:
        """Whether a point is on the board; true where the game has no board size."""
        return is_on_board(point, self.context.size)

    @cached_property
    def declared_charset(self) -> Charset | None:
        """The charset that CA names, or None where it names none that is known."""
        return charsets.declared(self.root_values.get("CA"))

    @cached_property
    def has_certain_charset(self) -> bool:
        """Whether the charset of the texts is not a guess: the user, the file or CA names it, the
        bytes are UTF-8 and cannot be anything else, or all of them are ASCII.

        It is one if the bytes are UTF-8 and CA names another charset, as some programs do.
        """
        if self.flat.data[slice(*self.bounds)].isascii():
            return True
        return self.text_charset.is_certain and self.charset == self.text_charset.codec

    @property
    def decodes_everywhere(self) -> bool:
        """Whether each byte above 127 of the tree is part of a character, wherever it is, and no
        other byte is."""
        charset, _ = charsets.lookup(self.charset)
        if charset is None or not charset.superset or charset.trail:
            return False
        if self.file.decoding.is_ascii:
            return True
        return charsets.decodes(self.flat.data[slice(*self.bounds)], self.charset)

    @cached_property
    def main_line_numbers(self) -> range:
        """The numbers of the nodes of the main line, as parsed."""
        variations = self.flat.variations_of(self.numbers)
        return range(self.numbers.start, variations[0] if variations else self.numbers.stop)

    @cached_property
    def nested_roots(self) -> list[int]:
        """The numbers of the nodes after the root, as parsed, that have FF or GM.

        In a damaged file a game may begin at each of them.
        """
        flat = self.flat
        first, end = flat.property_end[self.numbers[0]], flat.property_end[self.numbers[-1]]
        found = (prop for prop in range(first, end) if flat.ident(prop) in _OF_ROOTS)
        return list(dict.fromkeys(map(flat.node_of_property, found)))

    @cached_property
    def nested_games(self) -> list[int]:
        """The numbers of the nodes after the root, as parsed, at which another game begins.

        Such a node has FF and GM, or one of them and no move. The second node may have them in
        place of the root.
        """
        flat = self.flat
        found = []
        for number in self.nested_roots:
            idents = {flat.ident(prop) for prop in range(*flat.properties_of(number))}
            is_second = flat.parent[number] == self.numbers[0]
            is_root = is_second and self.root_values.keys().isdisjoint(idents & _OF_ROOTS)
            if (idents >= _OF_ROOTS or idents.isdisjoint(_MOVES)) and not is_root:
                found.append(number)
        return found

    # Editing

    def _change_root(self, root: Node, properties: list[Property], ident: str) -> None:
        """Read the tree by these root properties from now on; `ident` is the one that changed.

        Values that would then be read differently are rewritten. Raises
        ValueError, with nothing changed, where one cannot be. A new CA overrides
        the charset that the tree was loaded with, unless the whole
        file was decoded in one, or has a byte order mark.
        """
        values: dict[str, bytes] = {}
        for entry in properties:
            values.setdefault(entry.ident, entry.raw[0])
        old, codec = self.context, self.context.codec
        decoding = self.file.decoding
        if ident == "CA" and self.section.offset_map is None:
            codec = decoding.charsets._replace(override=None).choose(values.get("CA"), b"").codec
        file_format = None if "FF" in values else old.file_format
        new = root_context(values, codec, file_format)._replace(program=old.program)
        if codec == old.codec:
            new = new._replace(other=old.other)
        if new == old:
            return
        rewritten: list[tuple[Node, list[Property]]] = []
        if new.game == old.game:
            rewritten = reread_nodes(self.nodes(), old, new, {root: properties})
        self._set_context(new)
        for node, changed in rewritten:
            if node is root:
                properties[:] = changed
            else:
                node.set_properties(changed)

    def _declare_charset(self, charset: Charset) -> None:
        """Write the texts in that charset, a superset of ASCII, and its name in CA.

        Raises ValueError, with nothing changed, where a text cannot be written in it.
        """
        new = self.context._replace(codec=charset.codec, other=None)
        rewritten = reread_nodes(self.nodes(), self.context, new, {})
        self._set_context(new)
        for node, changed in rewritten:
            node.set_properties(changed)
        root = self.root
        if root.is_root:
            declared = Property(root, "CA", [charset.name.encode()])
            root.set_properties(replaced(root.properties, declared))

    def _make_plain(self) -> None:
        """Turn the views of the parsed file into plain nodes, once."""
        if self._is_plain:
            return
        self._is_plain = True
        nodes = [self.node(number) for number in self.numbers]
        for node, number in zip(nodes, self.numbers, strict=True):
            above = self.flat.parent[number]
            _make_plain(node, nodes[above - self.numbers[0]] if above >= 0 else None)

    def _change_structure(self) -> None:
        """Record that nodes were added, removed or put in another order."""
        self.edited = True
        self._order = None

    # Copies

    @property
    def _home(self) -> GameTree:
        """The tree that was parsed, of which this one may be a fragment."""
        return self

    def _give_up(self, top: Node) -> None:
        """Let a node that has no parent any more, and all after it, be a fragment of their own."""
        fragment = Fragment(self, top)
        for node in [*top.nodes()]:
            node.tree = fragment

    def _copied(self, top: Node) -> Node:
        """A detached copy of a node and all nodes after it.

        A copy of a root has no root properties: no other node may have them, and it is read in
        the same context all the same.
        """
        places: dict[Node, int] = {}
        nodes: list[_PackedNode] = []
        for place, node in enumerate(top.nodes()):
            places[node] = place
            entries = node.properties
            if node.is_root:
                roots = set(node.of_type("root"))
                entries = [entry for entry in entries if entry not in roots]
            above = None if node is top or node.parent is None else places[node.parent]
            nodes.append((above, None, [(entry.ident, entry.raw) for entry in entries]))
        return Fragment(self).build(nodes)

    def _index_of(self, node: Node) -> int:
        """The place of a node of the tree in pre-order, 0-based."""
        if not self._is_plain and node.number is not None:
            return node.number - self.numbers[0]
        return self._places()[0][node]

    def _node_at(self, index: int) -> Node:
        """The node at that place in pre-order, 0-based."""
        return self._places()[1][index] if self._is_plain else self.node(self.numbers[0] + index)

    def _places(self) -> tuple[dict[Node, int], list[Node]]:
        if self._order is None:
            nodes = [*self.nodes()]
            self._order = {node: index for index, node in enumerate(nodes)}, nodes
        return self._order

    def _packed(self) -> list[_PackedNode] | None:
        """The nodes in pre-order; None if the tree is as it was parsed."""
        return self._pack(self.nodes()) if self.edited else None

    def _pack(self, nodes: Iterable[Node]) -> list[_PackedNode]:
        """These nodes, each after its parent."""
        first = self.flat.properties_of(self.numbers[0])[0]
        places: dict[Node | None, int | None] = {None: None}
        found: list[_PackedNode] = []
        for place, node in enumerate(nodes):
            places[node] = place
            entries: list[_PackedProperty] | None = None
            if node.edited:
                entries = [
                    (entry.ident, entry.raw if entry.number is None else entry.number - first)
                    for entry in node.properties
                ]
            number = None if node.number is None else node.number - self.numbers[0]
            found.append((places[node.parent], number, entries))
        return found

    def _build(self, nodes: Iterable[_PackedNode]) -> Node:
        """Have these nodes, as :meth:`_packed` gave them; the first is returned."""
        self._is_plain = self.edited = True
        first = self.flat.properties_of(self.numbers[0])[0]
        built: list[Node] = []
        for above, number, entries in nodes:
            node = Node(self) if number is None else self.node(self.numbers[0] + number)
            plain = _make_plain(node, None if above is None else built[above])
            if entries is not None:
                plain.properties = [
                    Property(node, ident, None, first + each)
                    if isinstance(each, int)
                    else Property(node, ident, each)
                    for ident, each in entries
                ]
            built.append(node)
        return built[0]

    def __copy__(self) -> GameTree:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> GameTree:
        """A game tree of its own; the bytes of the file, which never change, are shared."""
        return restored(self.file, self.number, self.context, self._packed())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the tree with its part of the file and its edits."""
        part, number = self.file.part(self.number)
        return restored, (part, number, self.context, self._packed())

    def __repr__(self) -> str:
        size = "" if self.size is None else f" {self.size[0]}x{self.size[1]}"
        name = self.game_definition.name
        return f"<GameTree: {name}{size}, FF[{self.file_format}], {self.root!r}>"


def _make_plain(node: Node, parent: Node | None) -> EditedNode:
    """Turn a node into a plain one after `parent`, with the properties that it was parsed with."""
    plain = EditedNode(node, parent)
    if node.number is not None:
        plain.properties = node.properties
    node._plain = plain
    if parent is not None:
        assert parent._plain is not None
        parent._plain.children.append(node)
    return plain


def restored(
    file: ParsedFile, number: int, context: Context, nodes: list[_PackedNode] | None
) -> GameTree:
    """The game tree of that number in a file, with the nodes that were packed."""
    tree = GameTree(file, number, context)
    if nodes is not None:
        tree._build(nodes)
    return tree


class Fragment(GameTree):
    """What a detached node and the nodes after it belong to.

    It is a game tree without root properties. Its values are read in the context of the tree
    that the nodes came from, whatever is edited there afterwards.
    """

    def __init__(self, origin: GameTree, top: Node | None = None) -> None:
        """A fragment with that first node, or to be built."""
        super().__init__(origin.file, origin.number, origin.context)
        # Parsed nodes that are detached are still the nodes of these numbers.
        self._nodes = origin._nodes
        self._is_plain = self.edited = True
        self._origin = origin._home
        self._top = top

    def build(self, nodes: Iterable[_PackedNode]) -> Node:
        """Have these nodes; the first is returned."""
        self._top = self._build(nodes)
        return self._top

    @property
    def root(self) -> Node:
        """The detached node."""
        assert self._top is not None
        return self._top

    @property
    def _home(self) -> GameTree:
        return self._origin

    def __deepcopy__(self, memo: dict[int, Any]) -> GameTree:
        return self._copied(self.root).tree

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the nodes, with the values as written."""
        return _restored_fragment, (self.context, self._copied(self.root).tree._packed())


def _restored_fragment(context: Context, nodes: list[_PackedNode]) -> GameTree:
    fragment = Fragment(GameTree(plain_file(b"(;)"), 0, context))
    fragment.build(nodes)
    return fragment
