"""A game tree: one game of a collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

from sgf_lark import grammar
from sgf_lark.diagnostics import Diagnostic
from sgf_lark.grammar import Charset, Game, PropertyDefinition
from sgf_lark.model.context import root_context
from sgf_lark.model.moving import reread_nodes
from sgf_lark.model.node import Node
from sgf_lark.model.parsed_tree import ParsedTree
from sgf_lark.model.pictures import PictureOptions, drawing
from sgf_lark.model.property import Property, replaced, set_properties
from sgf_lark.model.store import NodeStore
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.model.values.points import is_on_board
from sgf_lark.model.wrong_names import NoOtherAttributes
from sgf_lark.syntax.parsing import ParsedFile, plain_file

if TYPE_CHECKING:
    from sgf_lark.model.board_walk import NodeBoards
    from sgf_lark.model.info import GameInfo
    from sgf_lark.model.symmetry import Symmetry

#: A property: its identifier, and its values as written or its number in the parsed file.
_PackedProperty = tuple[str, list[bytes] | int]
#: A node: the place of its parent in pre-order, its number in the parsed file, and its properties
#: if they are not those of the parsed file; None for what it does not have. Numbers count from
#: the start of the tree.
_PackedNode = tuple[int | None, int | None, list[_PackedProperty] | None]


class GameTree(NoOtherAttributes):
    """One game of a collection.

    `number` is its index in its file, 0-based; `edited` records whether anything was changed
    since it was parsed. `parsed` has what rules and tools need beyond that, see
    :class:`ParsedTree`.

    The nodes of a game tree that was parsed are views of the file, and what is not edited keeps
    its bytes, see :class:`NodeStore`.
    """

    _own = frozenset({"edited", "parsed"})
    _node = "game.root"
    _comes_from = MappingProxyType(
        {"size": "SZ", "game": "GM", "file_format": "FF", "charset": "CA"}
    )
    parsed: ParsedTree
    edited: bool = False
    _store: NodeStore
    #: The boards that are kept for nodes, see :attr:`_boards`.
    _kept_boards: NodeBoards | None = None
    #: The nodes in pre-order and their places, as long as an edited tree keeps its structure.
    _order: tuple[dict[Node, int], list[Node]] | None = None

    def __init__(self, file: ParsedFile, number: int, context: Context | None = None) -> None:
        # At once, as each attribute that is set is checked, see NoOtherAttributes.
        vars(self).update(parsed=ParsedTree(file, number, context), _store=NodeStore(file.flat))

    def _set_context(self, context: Context) -> None:
        """Read the values of the tree in that context from now on."""
        self.parsed = ParsedTree(self.parsed.file, self.parsed.number, context)
        self._forget_boards()

    @property
    def number(self) -> int:
        """The index of the game in its file, 0-based."""
        return self.parsed.number

    @property
    def game(self) -> int:
        """GM; 1 (Go) where the root has none."""
        return self.parsed.context.game

    @property
    def file_format(self) -> int:
        """FF; where the root has none, the format that the properties and values are in."""
        return self.parsed.context.file_format

    @property
    def size(self) -> tuple[int, int] | None:
        """The board as (columns, rows); None where the game has no default."""
        return self.parsed.context.size

    @property
    def charset(self) -> str:
        """Python's name of the codec in which the texts are decoded."""
        return self.parsed.context.codec

    @property
    def _boards(self) -> NodeBoards:
        """The boards of the nodes."""
        if self._kept_boards is None:
            from sgf_lark.model.board_walk import NodeBoards

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
        return self.node(self.parsed.numbers[0])

    def node(self, number: int) -> Node:
        """The parsed node of that number, counted through the file, 0-based."""
        nodes = self._store.nodes
        node = nodes.get(number)
        if node is None:
            node = nodes[number] = Node(self, number)
        return node

    def forget_nodes(self) -> None:
        """Make all nodes anew when they are asked for. Edits are lost."""
        if self._store.nodes:
            self._store = NodeStore(self.parsed.flat)
        self.parsed.last_movers.clear()
        self._forget_boards()

    def nodes(self) -> Iterator[Node]:
        """All nodes in pre-order, that is, in the order of the file.

        The order must not be changed meanwhile.
        """
        if self._store.is_rearranged:
            return self.root.nodes()
        return map(self.node, self.parsed.numbers)

    def leaves(self) -> Iterator[Node]:
        """The nodes that no node follows, in pre-order: the ends of the variations."""
        return (node for node in self.nodes() if not node.children)

    def main_line(self) -> Iterator[Node]:
        """The root and always the first child."""
        return self.root.main_line()

    def split(self) -> Iterator[GameTree]:
        """A game for each variation, in the order of :meth:`leaves`: a copy of the game with the
        nodes from the root to that leaf.

        :meth:`Collection.merged` joins them again.
        """
        for leaf in [*self.leaves()]:
            yield restored(
                self.parsed.file, self.number, self.parsed.context, self._pack(leaf.path())
            )

    def equals(self, other: GameTree) -> bool:
        """Whether both trees have the same game, file format, size and content.

        See :meth:`Node.equals`. ``==`` holds only for a game tree and itself.
        """
        return (
            isinstance(other, GameTree)
            and self.parsed.context[:3] == other.parsed.context[:3]
            and self.root.equals(other.root)
        )

    @property
    def damage(self) -> Sequence[Diagnostic]:
        """What a tolerant parser passed over in this tree, in the order of the file."""
        damage = self.parsed.file.damage
        if len(self.parsed.file.root_values) == 1:
            return damage
        return [each for each in damage if each.tree == self.number]

    # What properties, points and charsets mean in this tree

    @property
    def game_definition(self) -> Game:
        """The entry of its game in ``properties.toml``."""
        return grammar.game(self.parsed.context.game)

    def define(self, ident: str) -> PropertyDefinition | None:
        """The meaning of a property in this game and file format, or None."""
        return self.parsed.reader.definitions[ident]

    def write_point(self, point: Point) -> str:
        """A point in the notation of the game."""
        return NOTATIONS[self.game_definition.point](point)

    def has_point(self, point: Point) -> bool:
        """Whether a point is on the board; true where the game has no board size."""
        return is_on_board(point, self.parsed.context.size)

    @property
    def has_certain_charset(self) -> bool:
        """Whether the charset of the texts is not a guess: the user, the file or CA names it, the
        bytes are UTF-8 and cannot be anything else, or all of them are ASCII.

        It is one if the bytes are UTF-8 and CA names another charset, as some programs do.
        """
        return self.parsed.has_certain_charset

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
        old, codec = self.parsed.context, self.parsed.context.codec
        decoding = self.parsed.file.decoding
        if ident == "CA" and self.parsed.section.offset_map is None:
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
                set_properties(node, changed)

    def _declare_charset(self, charset: Charset) -> None:
        """Write the texts in that charset, a superset of ASCII, and its name in CA.

        Raises ValueError, with nothing changed, where a text cannot be written in it.
        """
        new = self.parsed.context._replace(codec=charset.codec, other=None)
        rewritten = reread_nodes(self.nodes(), self.parsed.context, new, {})
        self._set_context(new)
        for node, changed in rewritten:
            set_properties(node, changed)
        root = self.root
        if root._is_root:
            declared = Property(root, "CA", [charset.name.encode()])
            set_properties(root, replaced(root.properties, declared))

    def _insert(self, node: Node, parent: Node, index: int | None) -> None:
        """Put a node without parent after another, at that index or as the last child."""
        self._store.insert(node.number, parent.number, index)
        self._change_structure(node)

    def _unlink(self, node: Node) -> None:
        """Let a node be without parent."""
        if node.parent is not None:
            self._forget_boards(node)
            self._store.remove(node.number)
            self._change_structure(node)

    def _change_structure(self, node: Node) -> None:
        """Record that a node came from or to another place."""
        self.edited = True
        self._order = None
        self._forget_boards(node)

    def _detach(self, top: Node) -> None:
        """Let a node and all after it be a fragment of their own."""
        self._unlink(top)
        fragment = Fragment(self.parsed, NodeStore(self.parsed.flat, self._store.fresh))
        fragment._top = top
        fragment._take([*top.nodes()])

    def _take(self, nodes: list[Node]) -> None:
        """Take nodes, one without parent and all after it, out of another tree."""
        self._store.take(nodes, nodes[0].tree._store)
        for node in nodes:
            node.tree = self

    # Copies

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
            if node._is_root:
                roots = set(node.select(type="root"))
                entries = [entry for entry in entries if entry not in roots]
            above = None if node is top or node.parent is None else places[node.parent]
            nodes.append((above, None, [(entry.ident, entry.raw) for entry in entries]))
        fragment = Fragment(self.parsed, NodeStore(self.parsed.flat))
        fragment._top = fragment._build(nodes)
        return fragment._top

    def _index_of(self, node: Node) -> int:
        """The place of a node of the tree in pre-order, 0-based."""
        if self._store.is_rearranged:
            return self._places()[0][node]
        return node.number - self.parsed.numbers[0]

    def _node_at(self, index: int) -> Node:
        """The node at that place in pre-order, 0-based."""
        if self._store.is_rearranged:
            return self._places()[1][index]
        return self.node(self.parsed.numbers[0] + index)

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
        store, numbers = self._store, self.parsed.numbers
        first = self.parsed.flat.properties_of(numbers[0])[0]
        places: dict[int, int | None] = {-1: None}
        found: list[_PackedNode] = []
        for place, node in enumerate(nodes):
            places[node.number] = place
            entries: list[_PackedProperty] | None = None
            if store.is_edited(node.number):
                entries = [
                    (entry.ident, entry.raw if entry.number is None else entry.number - first)
                    for entry in node.properties
                ]
            number = None if store.is_new(node.number) else node.number - numbers[0]
            found.append((places[store.parent(node.number)], number, entries))
        return found

    def _build(self, nodes: Iterable[_PackedNode]) -> Node:
        """Have these nodes, as :meth:`_packed` gave them; the first is returned."""
        store, numbers = self._store, self.parsed.numbers
        self.edited = True
        first = self.parsed.flat.properties_of(numbers[0])[0]
        built: list[Node] = []
        for above, number, entries in nodes:
            node = Node(self) if number is None else self.node(numbers[0] + number)
            store.set_links(node.number, -1, [])
            if above is not None:
                store.insert(node.number, built[above].number)
            if entries is not None:
                properties = [
                    Property(node, ident, store.flat, first + each)
                    if isinstance(each, int)
                    else Property(node, ident, each)
                    for ident, each in entries
                ]
                store.set_properties(node.number, properties)
            built.append(node)
        return built[0]

    def __copy__(self) -> GameTree:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> GameTree:
        """A game tree of its own; the bytes of the file, which never change, are shared."""
        return restored(self.parsed.file, self.number, self.parsed.context, self._packed())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the tree with its part of the file and its edits."""
        part, number = self.parsed.file.part(self.number)
        return restored, (part, number, self.parsed.context, self._packed())

    def __repr__(self) -> str:
        size = "" if self.size is None else f" {self.size[0]}x{self.size[1]}"
        name = self.game_definition.name
        return f"<GameTree: {name}{size}, FF[{self.file_format}], {self.root!r}>"


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

    _top: Node

    def __init__(self, parsed: ParsedTree, store: NodeStore) -> None:
        """A fragment that takes nodes of `parsed`, or is to be built."""
        store.is_rearranged = True
        vars(self).update(parsed=parsed, _store=store, edited=True)

    @property
    def root(self) -> Node:
        """The detached node."""
        return self._top

    def __deepcopy__(self, memo: dict[int, Any]) -> GameTree:
        return self._copied(self.root).tree

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the nodes, with the values as written."""
        return _restored_fragment, (self.parsed.context, self._copied(self.root).tree._packed())


def _restored_fragment(context: Context, nodes: list[_PackedNode]) -> GameTree:
    parsed = ParsedTree(plain_file(b"(;)"), 0, context)
    fragment = Fragment(parsed, NodeStore(parsed.flat))
    fragment._top = fragment._build(nodes)
    return fragment
