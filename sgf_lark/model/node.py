"""A node: its properties, its place in the tree, and editing."""

from __future__ import annotations

from collections.abc import (
    ItemsView,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
    ValuesView,
)
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack, overload

from sgf_lark.grammar import PropertyType
from sgf_lark.model import moving
from sgf_lark.model.assigning import check_declared, write_values
from sgf_lark.model.context import GO
from sgf_lark.model.pictures import PictureOptions, drawing
from sgf_lark.model.property import (
    Property,
    excerpt,
    replaced,
    same_properties,
    set_properties,
    value_in,
)
from sgf_lark.model.turns import turn_after
from sgf_lark.model.values import Color, Move
from sgf_lark.model.values.basic import LARGEST
from sgf_lark.model.values.reader import SGFValueError
from sgf_lark.model.wrong_names import NoOtherAttributes

if TYPE_CHECKING:
    from sgf_lark._built.property_types import PropertyTypes
    from sgf_lark.model.board import Board
    from sgf_lark.model.tree import GameTree
else:
    PropertyTypes = MutableMapping


#: For a property that a node does not have, and for a move that was not given, as None is a pass.
_MISSING = object()
#: The types of properties that hold for all nodes below.
_OF_ALL_BELOW = (PropertyType.ROOT, PropertyType.GAME_INFO)


class Node(NoOtherAttributes, PropertyTypes):
    """A node: a mutable mapping of property identifiers to typed values, within a tree.

    ``node["B"]`` reads, ``node["B"] = …`` writes, ``del node["B"]`` removes. `number` is its
    index among all nodes of the parsed file, 0-based; new nodes have the numbers after those.

    A value that does not follow the type of its property raises SGFValueError where it is asked
    for by ``node[ident]`` or :attr:`move`. Everything else passes over it: :meth:`get` and
    :meth:`inherited` give their default, :meth:`keys`, :meth:`items` and :meth:`values` leave it
    out, so that ``dict(node)`` works, and the attributes of :class:`GameInfo` are None.
    :attr:`invalid` has the errors.

    ``==`` holds only for a node and itself, so that nodes can be kept in sets and be found among
    their siblings; :meth:`equals` compares contents. A node counts as true even if it is empty.

    A pickled or deeply copied node has its whole game tree with it, and is the same node of that
    tree: it is the node of ``pickle.loads(pickle.dumps((tree, node)))[0]`` at the same place. A
    copied tree keeps all properties as written, the bytes between them, and the charset. Use
    :meth:`copy` for a node without its tree.
    """

    __slots__ = ("__dict__", "__weakref__", "number", "tree")

    _own = frozenset({"number", "tree"})
    _comes_from = MappingProxyType({"move": "B", "color": "B", "move_number": "MN"})
    tree: GameTree
    number: int
    #: The hash that a node keeps which became one of another file.
    _hash: int | None = None

    def __init__(self, tree: GameTree, number: int | None = None) -> None:
        """A node of the parsed file by its number, or a new one without parent.

        Ask :meth:`GameTree.node` for the node of that number that is part of the tree.
        """
        _set_tree(self, tree)
        _set_number(self, tree._store.add(self) if number is None else number)

    # Reading

    @property
    def properties(self) -> list[Property]:
        """The properties in the order of the file, repeated ones included."""
        return self.tree._store.properties(self)

    # Type checkers take the types of these from the stub of PropertyTypes.
    if not TYPE_CHECKING:

        def __getitem__(self, ident: str) -> Any:
            found = self.tree._store.read(self, ident, _MISSING, self.tree.parsed.reader)
            if found is _MISSING:
                raise KeyError(ident)
            return found

        def get(self, ident: str, default: Any = None) -> Any:
            """The typed value of `ident`, or `default` where the node has none that can be read."""
            try:
                return self.tree._store.read(self, ident, default, self.tree.parsed.reader)
            except SGFValueError:
                return default

        def pop(self, ident: str, *default: Any) -> Any:
            """Remove a property, and return its typed value.

            `default` takes the place of a value that is missing or cannot be read. Without it
            this raises what ``node[ident]`` raises, and nothing is removed.
            """
            found = self.get(ident, *default) if default else self[ident]
            if ident in self:
                del self[ident]
            return found

    # As `get` does, these pass over what cannot be read.

    def keys(self) -> KeysView[str]:
        """The identifiers whose values can be read; iterating over the node gives all."""
        return self._readable()[0].keys()

    def items(self) -> ItemsView[str, Any]:
        """The identifiers whose values can be read, each with its typed value."""
        return self._readable()[0].items()

    def values(self) -> ValuesView[Any]:
        """The typed values that can be read."""
        return self._readable()[0].values()

    @property
    def invalid(self) -> dict[str, SGFValueError]:
        """The identifiers whose values do not follow the type of the property, each with the
        error that ``node[ident]`` raises."""
        return self._readable()[1]

    def _readable(self) -> tuple[dict[str, Any], dict[str, SGFValueError]]:
        """The values that can be read, and the errors of the others, by identifier."""
        found: dict[str, Any] = {}
        errors: dict[str, SGFValueError] = {}
        for ident in self:
            try:
                found[ident] = self[ident]
            except SGFValueError as error:
                errors[ident] = error
        return found, errors

    def __contains__(self, ident: object) -> bool:
        return self.tree._store.first(self, ident) is not None

    def __iter__(self) -> Iterator[str]:
        """The identifiers, each once, in the order of the file."""
        return iter(dict.fromkeys(self.tree._store.idents(self.number)))

    def __len__(self) -> int:
        return len(set(self))

    def __bool__(self) -> bool:
        return True

    def select(self, *idents: str, **attribute: object) -> list[Property]:
        """The properties with one of these identifiers, or with that attribute of their definition
        in ``properties.toml``.

        ``node.select("AB", "AW")``, ``node.select(type="setup")``. A node has more
        than one property of an identifier only if it breaks SGF501. Raises TypeError for anything
        but identifiers or one attribute.
        """
        store = self.tree._store
        if idents and not attribute:
            if len(idents) == 1:
                return store.of_ident(self, idents[0])
            return store.select(self, idents)
        if idents or len(attribute) != 1:
            raise TypeError("select takes identifiers, or one attribute of definitions")
        ((name, wanted),) = attribute.items()
        return store.select(self, self.tree.parsed.reader.identifiers_with(name, wanted))

    def moves(self) -> list[Property]:
        """The properties that play a move: B and W."""
        moves = self.tree.parsed.reader.identifiers_with("is_move", True)
        return self.tree._store.select(self, moves)

    # The place in the tree

    @property
    def _is_root(self) -> bool:
        """Whether it is the root of a game tree; a detached node has no parent either."""
        return self.number == self.tree.parsed.numbers[0]

    @property
    def parent(self) -> Node | None:
        """The node before; None for a root and for a detached node."""
        number = self.tree._store.parent(self.number)
        return self.tree.node(number) if number >= 0 else None

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes that follow: the first continues the main line."""
        node_of = self.tree.node
        return tuple([node_of(number) for number in self.tree._store.children(self.number)])

    # Walking; no walk is recursive

    @property
    def depth(self) -> int:
        """The number of nodes before it on its path: 0 for a root."""
        depth, node = 0, self.parent
        while node is not None:
            depth, node = depth + 1, node.parent
        return depth

    def path(self) -> list[Node]:
        """The nodes from the root to this one, both included."""
        found: list[Node] = []
        node: Node | None = self
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def main_line(self) -> Iterator[Node]:
        """This node, and from it always the first child."""
        node = self
        yield node
        while children := self.tree._store.children(node.number):
            node = self.tree.node(children[0])
            yield node

    def nodes(self) -> Iterator[Node]:
        """This node and all after it in pre-order.

        The order must not be changed meanwhile.
        """
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.children[::-1])

    if not TYPE_CHECKING:

        def inherited(self, ident: str, default: Any = None) -> Any:
            """The value of a property that holds in this node, which may be set before it.

            That is the value in the node itself or in the last node before it on its path that has
            the property; `default` where there is none. An empty list, such as that of ``VW[]``,
            ends what was set before (sgf4, inherit). Game information and root properties hold for
            all nodes below, too. Of a value that cannot be read, `default` takes the place. Raises
            ValueError for a property that only concerns its own node.
            """
            definition = self.tree.define(ident)
            if definition is None or not (definition.inherit or definition.type in _OF_ALL_BELOW):
                raise ValueError(
                    f"{ident} concerns only the node that has it; inherited are PM, DD and VW, "
                    "root properties and game information"
                )
            node: Node | None = self
            while node is not None:
                if ident in node:
                    return node.get(ident, default)
                node = node.parent
            return default

    # Moves

    @property
    def move(self) -> Move | Any:
        """The move in this node, of the type that the game has; None where it has none.

        In Go that is a :class:`Move`, also for a pass. Raises SGFValueError where the value is
        no move of the game.
        """
        moves = self.moves()
        return moves[0].value if moves else None

    @property
    def color(self) -> Color | None:
        """The color of the move in this node; None where it has none."""
        moves = self.moves()
        return Color(moves[0].ident) if moves else None

    @property
    def move_number(self) -> int:
        """The number of the last move up to this node, 0 before the first.

        Moves count from 1, also those that cannot be read; MN sets the number of the move in
        its node, from which the moves after it count on (properties.html, MN).
        """
        count = 0
        node: Node | None = self
        while node is not None:
            moves = node.moves()
            number = value_in(node, "MN") if moves else None
            if number is not None:
                # Python refuses to print numbers of more than 4,300 digits, which counting could
                # reach.
                return min(int(number), LARGEST) + count
            count += len(moves)
            node = node.parent
        return count

    @overload
    def play(self, move: Any, *, color: str | None = None) -> Node: ...
    @overload
    def play(self, *, gtp: str, color: str | None = None) -> Node: ...
    def play(
        self, move: Any = _MISSING, *, color: str | None = None, gtp: str | None = None
    ) -> Node:
        """The node after this one with that move: the child that has it, or else a new one.

        `move` is a move of the game, a point, its text in SGF such as ``"pd"``, or None for a
        pass. In Go `gtp` may take its place, a move as people and the Go Text Protocol write it,
        such as "Q16" or "pass". `color` is "B" or "W", a :class:`Color`. Without `color` it is
        the turn of

        - the player whom PL names, in this node or before it, if no move comes after that;
        - else the opponent of whoever moved last, but after swap-sides of Hex the same player;
        - else White if the game is Go with handicap stones (HA above 1 and AB), or else Black.

        Whether the rules of the game allow the move is not checked. Raises TypeError or
        ValueError, with nothing changed, for what is not a move of the game or not on the board.
        """
        if (move is _MISSING) is (gtp is None):
            raise TypeError('play takes a move, such as "pd", or gtp, such as "Q16"')
        if gtp is not None:
            move = self._from_gtp(gtp)
        ident = str(turn_after(self) if color is None else Color(color))
        try:
            (raws,) = write_values(self.tree, {ident: move}).values()
        except ValueError as error:
            try:
                self._from_gtp(move)
            except (ValueError, TypeError):
                raise error from None
            raise ValueError(f"{error}; for the notation of people: play(gtp={move!r})") from error
        wanted = self.tree.parsed.reader.read_all(self.tree.define(ident), raws)
        for child in self.children:
            if child.color == ident and value_in(child, ident) == wanted:
                return child
        return self.add_child({ident: wanted})

    def _from_gtp(self, text: str) -> Move:
        """The move of Go that the Go Text Protocol writes like that."""
        if self.tree.game != GO or self.tree.size is None:
            raise ValueError(f"gtp names moves of Go, not of {self.tree.game_definition.name}")
        return Move.from_gtp(text, self.tree.size)

    # The position

    def board(self) -> Board:
        """The position after this node, with its setup and moves executed.

        Every move is executed, also an illegal one (properties.html, B; go.html, "How to execute a
        move"); what follows no type and points outside the board are passed over, but as moves they
        count. A walk that asks for the board of each node takes linear time. The board is a copy,
        which later edits do not change. Raises BoardError for a game without a board: only Go,
        Hex, Amazons and Lines of Action have one.
        """
        return self.tree._boards.after(self)

    def svg(
        self, *, numbers: bool | tuple[int, int] = False, **options: Unpack[PictureOptions]
    ) -> str:
        """The picture of the board after this node as an SVG document, with the node's markup.

        With `numbers` it shows the moves of the path with their numbers instead, as diagrams in
        books do: all of them, or those from the first to the last number given; moves that have
        no room are listed below. :class:`PictureOptions` has the other options. Raises
        DrawingError (a ValueError) for a game without a board, a board too large to draw, and
        numbers of moves that the path lacks; ValueError for options that name no point.
        """
        return drawing("options").node_svg(self, numbers, options)  # type: ignore[no-any-return]

    def png(
        self, *, numbers: bool | tuple[int, int] = False, **options: Unpack[PictureOptions]
    ) -> bytes:
        """The picture of the board after this node as PNG, 800 pixels wide unless `size` says so.

        Options and errors are those of :meth:`svg`; ImportError names the extra "png" where it
        is not installed.
        """
        picture = self.svg(numbers=numbers, **options)
        return drawing("options").as_png(picture, options)  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        """Board, players and comment, for notebooks."""
        return drawing("notebook").node_html(self)  # type: ignore[no-any-return]

    def _repr_svg_(self) -> str | None:
        """The board with the markup of the node; None for a game without one."""
        return drawing("notebook").node_svg(self)  # type: ignore[no-any-return]

    # Editing

    def __setitem__(self, ident: str, value: Any) -> None:
        """Set a property, in place where the node has it, else at the node's end.

        Where a list is repeated, the new one replaces all of them, as reading gives them all. Of
        another property that is repeated the first is replaced, which is the one that is read.

        Raises TypeError or ValueError for a value that the property cannot
        hold, and the node stays as it was. Setting CA, SZ or FF in a root
        rewrites what would otherwise be read differently from then on.

        A tree without CA gets one as soon as text outside ASCII is written to it: CA[UTF-8] if
        all else is ASCII or the charset of the tree lacks a character, else the charset in which
        the tree was read. If a tree with CA lacks a character, ValueError is raised; write
        ``node.tree.root["CA"] = "UTF-8"`` before, or use ``dumps(charset="UTF-8")`` and read again.
        """
        if ident == "CA" and self._is_root:
            check_declared(self.tree, value)
        (raws,) = write_values(self.tree, {ident: value}).values()
        self._replace(Property(self, ident, raws))

    def clear(self) -> None:
        """Remove all properties, also those whose values cannot be read."""
        if self._is_root:
            # One by one: without some of them the others are read differently.
            for ident in [*self]:
                del self[ident]
        else:
            set_properties(self, [])

    def __delitem__(self, ident: str) -> None:
        """Remove a property, all its occurrences; raises KeyError."""
        self.property(ident)
        self._commit([entry for entry in self.properties if entry.ident != ident], ident)

    def _replace(self, new: Property) -> None:
        """Put a property in the place of those of its identifier, or at the end."""
        self._commit(replaced(self.properties, new), new.ident)

    def _commit(self, kept: list[Property], ident: str) -> None:
        """Take these properties, of which those of that identifier are changed."""
        if self._is_root:
            self.tree._change_root(self, kept, ident)
        set_properties(self, kept)

    def add_child(
        self,
        properties: Mapping[str, Any] | None = None,
        *,
        index: int | None = None,
        **more: Any,
    ) -> Node:
        """A new node after this one, as last variation or at `index`.

        It has these properties, given as a mapping, another node or by keyword:
        ``node.add_child(B="pd", C="joseki")``. Raises what setting them raises, with nothing
        changed.
        """
        check_index(index)
        given = {} if properties is None else properties
        if isinstance(given, Mapping):
            # Not by `items`, which leaves out what cannot be read.
            given = {ident: given[ident] for ident in given} | more
        raws = write_values(self.tree, given)
        child = Node(self.tree)
        entries = [Property(child, ident, values) for ident, values in raws.items()]
        self.tree._store.set_properties(child.number, entries)
        self.tree._insert(child, self, index)
        return child

    def detach(self) -> Node:
        """Take this node and all after it out of the tree, and return it.

        It stays as it is, and :meth:`move_to` puts it back or elsewhere. Raises ValueError for a
        root: delete its game tree from the collection.
        """
        if self._is_root:
            raise ValueError(
                "the root of a game tree cannot be detached; delete the game tree from its "
                "collection, or use copy()"
            )
        self.tree._detach(self)
        return self

    def move_to(self, parent: Node, index: int | None = None) -> Node:
        """Put this node and all after it after `parent`, as last variation or at `index`.

        `parent` may be in another game tree, of another collection. There the values are written
        anew as far as its charset, size and file format ask for that. `index` counts the
        children of `parent` without this node. Returns the node. Raises ValueError, with nothing
        changed, for a root, for a `parent` that comes after this node, and where a value cannot
        be kept: its point is not on that board, or the games differ.
        """
        if not isinstance(parent, Node):
            raise TypeError(
                f"a node is moved to another node, which becomes its parent: {parent!r}"
            )
        check_index(index)
        moving.move(self, parent, index)
        return self

    def copy(self) -> Node:
        """A detached copy of this node and all after it, for :meth:`move_to`.

        The copy of a root has no root properties, such as SZ, as no other node may have them.
        """
        return self.tree._copied(self)

    def __copy__(self) -> Node:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the node as its game tree, and its place in that."""
        return _node_in, (self.tree, self.tree._index_of(self))

    def _renumber(self, number: int) -> None:
        """Be a node of another file; where it is in a set or a mapping, it is found as before."""
        self._hash = hash(self)
        self.number = number

    # Comparing

    def equals(self, other: Node) -> bool:
        """Whether both nodes, and all after them, have the same properties and children.

        Properties are the same if identifiers, in their order, and typed values are, or the text
        of values that cannot be read. Charsets and CA, white space and compressed point lists
        make no difference.
        """
        if not isinstance(other, Node):
            return False
        pairs: list[tuple[Node, Node]] = [(self, other)]
        while pairs:
            one, two = pairs.pop()
            if len(one.children) != len(two.children) or not same_properties(one, two):
                return False
            pairs.extend(zip(one.children, two.children, strict=True))
        return True

    def __eq__(self, other: object) -> bool:
        """Whether both are the same node, or views of the same one in the file."""
        if self is other:
            return True
        return (
            isinstance(other, Node)
            and self.number == other.number
            and self.tree._store.fresh is other.tree._store.fresh
        )

    def __hash__(self) -> int:
        if self._hash is not None:
            return self._hash
        return hash((id(self.tree._store.fresh), self.number))

    def __repr__(self) -> str:
        return f"Node(;{excerpt(self.properties)})"

    # Last in the class, because the name hides the decorator.
    @overload
    def property(self, ident: str) -> Property: ...
    @overload
    def property(self, ident: str, default: None) -> Property | None: ...
    def property(self, ident: str, default: object = _MISSING) -> Property | None:
        """The (first) property of that identifier; KeyError, or None as `default`, without one."""
        found = self.tree._store.first(self, ident)
        if found is None and default is _MISSING:
            raise KeyError(ident)
        return found


#: They set attributes as `__setattr__` does, in no time: nodes are made by the thousand.
_set_tree, _set_number = (vars(Node)[name].__set__ for name in ("tree", "number"))


def _node_in(tree: GameTree, index: int) -> Node:
    """The node at that place in pre-order: what a pickled node becomes."""
    return tree._node_at(index)


def check_index(index: object) -> None:
    """Raise TypeError for what is not a place among children."""
    if index is not None and not isinstance(index, int):
        raise TypeError(f"index is {index!r}; expected a number, or None for the last place")
