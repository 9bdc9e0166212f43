"""A node: its properties, its place in the tree, and editing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.property import Property, replaced, shown
from sgf_lark.model.values import Color

if TYPE_CHECKING:
    from sgf_lark._built.property_types import PropertyTypes
    from sgf_lark.model.board_value import Board
    from sgf_lark.model.tree import GameTree
else:
    PropertyTypes = MutableMapping


class Node(PropertyTypes):
    """A node: a mutable mapping of property identifiers to typed values, within a tree.

    ``node["B"]`` reads, ``node["B"] = …`` writes, ``del node["B"]`` removes. `number` is its
    index among all nodes of the parsed file, 0-based, or None for a new node.

    ``==`` holds only for a node and itself, so that nodes can be kept in sets and be found among
    their siblings; :meth:`equals` compares contents. A node counts as true even if it is empty.

    A pickled or deeply copied node has its whole game tree with it, and is the same node of that
    tree: it is the node of ``pickle.loads(pickle.dumps((tree, node)))[0]`` at the same place. A
    copied tree keeps all properties as written, the bytes between them, and the charset. Use
    :meth:`copy` for a node without its tree.
    """

    # What follows is as in the parsed file while it is None.
    _properties: list[Property] | None = None
    _children: list[Node] | None = None
    #: The parent of a node that is new or was detached, if it has one.
    _parent: Node | None = None
    _was_moved = False
    #: The hash, once it has become a node of another tree.
    _hash: int | None = None

    def __init__(self, tree: GameTree, number: int | None = None) -> None:
        """A node of the parsed file by its number, or a new one without parent.

        Ask :meth:`GameTree.node` for the node of that number that is part of the tree.
        """
        self.tree = tree
        self.number = number
        if number is None:
            self._properties, self._children = [], []

    # Reading

    @property
    def properties(self) -> list[Property]:
        """The properties in the order of the file, repeated ones included."""
        if self._properties is not None:
            return list(self._properties)
        flat, number = self.tree._flat, self.number
        assert number is not None
        # Made anew each time: if the node kept them, each would keep the other alive.
        return [Property(self, ident, None, prop) for prop, ident in flat.idents(number)]

    def _find(self, ident: object) -> Property | None:
        """The first property of that identifier."""
        if self._properties is not None:
            return next((entry for entry in self._properties if entry.ident == ident), None)
        flat, number = self.tree._flat, self.number
        assert number is not None
        prop = flat.first_of_ident(number, ident)
        return None if prop < 0 else Property(self, str(ident), None, prop)

    # Type checkers take the types of these from the stub of PropertyTypes.
    if not TYPE_CHECKING:

        def __getitem__(self, ident: str) -> Any:
            return self.property(ident).value

        def get(self, ident: str, default: Any = None) -> Any:
            """The typed value of `ident`, or `default` where the node lacks it.

            Raises SGFValueError where the value does not follow the property's type.
            """
            found = self._find(ident)
            return default if found is None else found.value

    def find(self, ident: str) -> Property | None:
        """The (first) property of that identifier, or None."""
        return self._find(ident)

    def __contains__(self, ident: object) -> bool:
        return self._find(ident) is not None

    def __iter__(self) -> Iterator[str]:
        """The identifiers, each once, in the order of the file."""
        return iter(dict.fromkeys(entry.ident for entry in self.properties))

    def __len__(self) -> int:
        return len(set(self))

    def __bool__(self) -> bool:
        return True

    def select(self, selector: Callable[[PropertyDefinition], bool]) -> list[Property]:
        """The properties with a definition that the selector accepts."""
        define = self.tree.define
        if self._properties is not None:
            return [
                entry
                for entry in self._properties
                if (definition := define(entry.ident)) is not None and selector(definition)
            ]
        assert self.number is not None
        return [
            Property(self, ident, None, prop)
            for prop, ident in self.tree._flat.idents(self.number)
            if (definition := define(ident)) is not None and selector(definition)
        ]

    def of_ident(self, ident: str) -> list[Property]:
        """The properties of that identifier: at most one, unless the node breaks SGF501."""
        return [entry for entry in self.properties if entry.ident == ident]

    def of_type(self, wanted: str) -> list[Property]:
        """The properties of a property type: move, setup, root, game-info or none."""
        return self.select(lambda definition: definition.type == wanted)

    def of_format(self, wanted: str) -> list[Property]:
        """The properties whose values have that format, such as "date"."""
        return self.select(lambda definition: definition.format == wanted)

    def of_group(self, unique: str) -> list[Property]:
        """The properties that name points, or stones, of which each may be named once."""
        return self.select(lambda definition: definition.unique == unique)

    def exclusive(self, group: str) -> list[Property]:
        """The properties of a group of which a node may have one, such as "move"."""
        return self.select(lambda definition: definition.exclusive == group)

    def annotations_of_moves(self) -> list[Property]:
        """The properties that annotate the move in the same node, such as KO."""
        return self.select(lambda definition: definition.needs_move)

    def moves(self) -> list[Property]:
        """The properties that play a move: B and W."""
        return self.select(lambda definition: definition.is_move)

    # The place in the tree

    @property
    def is_root(self) -> bool:
        """Whether it is the root of its game tree."""
        return self.number is not None and self.number == self.tree._first

    @property
    def root(self) -> Node:
        """The root of its game tree; of detached nodes, the first."""
        return self.tree.root

    @property
    def parent(self) -> Node | None:
        """The node before; None for a root and for a detached node."""
        if self._was_moved or self.number is None:
            return self._parent
        number = self.tree._flat.parent[self.number]
        return self.tree.node(number) if number >= 0 else None

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes that follow: the first continues the main line."""
        if self._children is not None:
            return tuple(self._children)
        return tuple(self._parsed_children())

    @property
    def is_leaf(self) -> bool:
        """Whether no node follows."""
        if self._children is None and self.number is not None:
            return not self.tree._flat.children_of(self.number)
        return not self._children

    def _parsed_children(self) -> list[Node]:
        assert self.number is not None
        tree = self.tree
        return [tree.node(number) for number in tree._flat.children_of(self.number)]

    def _own_children(self) -> list[Node]:
        """The list of the children, to be changed."""
        if self._children is None:
            self._children = self._parsed_children()
        self.tree._mark_restructured()
        return self._children

    @property
    def offsets(self) -> tuple[int, int]:
        """The byte offsets of ";" and of the end of the last property of a parsed node.

        They count in the data that the grammar reads. Raises ValueError for a node that was
        not parsed from a file.
        """
        if self.number is None:
            raise ValueError(f"{self!r} was not parsed from a file")
        return self.tree._flat.node_span(self.number)

    @property
    def _is_ascii(self) -> bool:
        """Whether all bytes of its properties are ASCII."""
        if self._properties is None:
            return self.tree._flat.data[
                slice(*self.tree._flat.node_span(self.number or 0))
            ].isascii()
        return all(raw.isascii() for entry in self._properties for raw in entry.raw)

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
        while True:
            yield node
            children = node.children
            if not children:
                return
            node = children[0]

    def nodes(self) -> Iterator[Node]:
        """This node and all after it in pre-order.

        The order must not be changed meanwhile.
        """
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.children[::-1])

    def leaves(self) -> Iterator[Node]:
        """The nodes from this one on that no node follows, in pre-order."""
        return (node for node in self.nodes() if node.is_leaf)

    if not TYPE_CHECKING:

        def inherited(self, ident: str, default: Any = None) -> Any:
            """The value of a property that holds in this node, which may be set before it.

            That is the value in the node itself or in the last node before it on its path that has
            the property; `default` where there is none. An empty list, such as that of ``VW[]``,
            ends what was set before (sgf4, inherit). Game information and root properties hold for
            all nodes below, too. Raises ValueError for a property that only concerns its own node,
            SGFValueError for a value that does not follow its type.
            """
            from sgf_lark.model.turns import inherited

            return inherited(self, ident, default)

    # Moves

    @property
    def move(self) -> Any:
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
        its node, from which the moves after it count on (sgf4, MN).
        """
        from sgf_lark.model.turns import move_number

        return move_number(self)

    def play(self, move: Any, *, color: str | None = None) -> Node:
        """The node after this one with that move: the child that has it, or else a new one.

        `move` is a move of the game, a point, its text in SGF such as ``"pd"``, or None for a
        pass; :meth:`Point.from_gtp` reads the notation of people, such as ``"Q16"``. `color` is
        "B" or "W", a :class:`Color`. Without `color` it is the turn of

        - the player whom PL names, in this node or before it, if no move comes after that;
        - else the opponent of whoever moved last, but after swap-sides of Hex the same player;
        - else White if the game is Go with handicap stones (HA above 1 and AB), or else Black.

        Whether the rules of the game allow the move is not checked. Raises TypeError or
        ValueError, with nothing changed, for what is no move of the game or not on the board.
        """
        from sgf_lark.model.turns import played

        return played(self, move, color)

    # The position

    def board(self) -> Board:
        """The position after this node, with its setup and moves executed.

        Every move is executed, also an illegal one (sgf4, B; go.html, "How to execute a move");
        what follows no type and points outside the board are passed over, but as moves they
        count. A walk that asks for
        the board of each node takes linear time; a board is a value that later edits do not
        change. Raises BoardError for a game without a board: only Go, Hex, Amazons and Lines of
        Action have one.
        """
        return self.tree._boards.after(self)

    def _repr_html_(self) -> str:
        """Board, players and comment, for notebooks."""
        from sgf_lark.drawing.notebook import node_html

        return node_html(self)

    def _repr_svg_(self) -> str | None:
        """The board with the markup of the node; None for a game without one."""
        from sgf_lark.drawing.notebook import node_svg

        return node_svg(self)

    # Editing

    def __setitem__(self, ident: str, value: Any) -> None:
        """Set a property, in place where the node has it, else at the node's end.

        Raises TypeError or ValueError for a value that the property cannot
        hold, and the node stays as it was. Setting CA, SZ or FF in a root
        rewrites what would otherwise be read differently from then on.

        A tree without CA gets one as soon as text outside ASCII is written to it: CA[UTF-8] if
        all else is ASCII or the charset of the tree lacks a character, else the charset in which
        the tree was read. If a tree with CA lacks a character, ValueError is raised; write
        ``node.root["CA"] = "UTF-8"`` before, or use ``dumps(charset="UTF-8")`` and read again.
        """
        from sgf_lark.model.declaring import check_declared, write_values

        if ident == "CA" and self.is_root:
            check_declared(self.tree, value)
        (raws,) = write_values(self.tree, {ident: value}).values()
        self._replace(Property(self, ident, raws))

    def __delitem__(self, ident: str) -> None:
        """Remove a property, all its occurrences; raises KeyError."""
        self.property(ident)
        self._commit([entry for entry in self.properties if entry.ident != ident], ident)

    def _replace(self, new: Property) -> None:
        """Put a property in the place of those of its identifier, or at the end."""
        self._commit(replaced(self.properties, new), new.ident)

    def _commit(self, kept: list[Property], ident: str) -> None:
        """Take these properties, of which those of that identifier are changed."""
        if self.is_root:
            self.tree._change_root(self, kept, ident)
        self._set_properties(kept)

    def _set_properties(self, properties: list[Property]) -> None:
        """Put these in the place of all properties, as they are."""
        if self.tree._kept_boards is not None:
            self.tree._kept_boards.change(self, self.properties, properties)
        self._properties = properties
        self._mark_edited()

    def _mark_edited(self) -> None:
        """Record that the tree differs from that of the parsed file."""
        self.tree.edited = True

    @property
    def edited(self) -> bool:
        """Whether the properties differ from those of the parsed file."""
        return self._properties is not None

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
        from sgf_lark.model.declaring import write_values

        check_index(index)
        child = Node(self.tree)
        given = {} if properties is None else properties
        raws = write_values(self.tree, {**given, **more} if isinstance(given, Mapping) else given)
        child._properties = [Property(child, ident, values) for ident, values in raws.items()]
        child._parent = self
        siblings = self._own_children()
        siblings.insert(len(siblings) if index is None else index, child)
        return child

    def order_children(self, children: Sequence[Node]) -> None:
        """Put the variations in that order; raises ValueError for other nodes than them."""
        if {*children} != {*self.children} or len(children) != len(self.children):
            raise ValueError("these are not the children of this node")
        self._own_children()[:] = children

    def detach(self) -> Node:
        """Take this node and all after it out of the tree, and return it.

        It stays as it is, and :meth:`move_to` puts it back or elsewhere. Raises ValueError for a
        root: delete its game tree from the collection.
        """
        from sgf_lark.model.copying import detached

        self._unlink()
        detached(self)
        return self

    def _unlink(self) -> None:
        """Be no child of any node; raises ValueError for a root."""
        parent = self.parent
        if parent is None:
            if self.is_root:
                raise ValueError(
                    "the root of a game tree cannot be detached; delete the game tree from its "
                    "collection, or use copy()"
                )
            return
        self.tree._forget_boards(self)
        siblings = parent._own_children()
        del siblings[next(i for i, each in enumerate(siblings) if each is self)]
        self._parent, self._was_moved = None, True

    def move_to(self, parent: Node, index: int | None = None) -> Node:
        """Put this node and all after it after `parent`, as last variation or at `index`.

        `parent` may be in another game tree, of another collection. There the values are written
        anew as far as its charset, size and file format ask for that. `index` counts the
        children of `parent` without this node. Returns the node. Raises ValueError, with nothing
        changed, for a root, for a `parent` that comes after this node, and where a value cannot
        be kept: its point is not on that board, or the games differ.
        """
        from sgf_lark.model.moving import move

        move(self, parent, index)
        return self

    def copy(self) -> Node:
        """A detached copy of this node and all after it, for :meth:`move_to`.

        The copy of a root has no root properties, such as SZ, as no other node may have them.
        """
        from sgf_lark.model.copying import copied

        return copied(self)

    def __copy__(self) -> Node:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the node as its game tree, and its place in that."""
        from sgf_lark.model.copying import node_in

        return node_in, (self.tree, self.tree._index_of(self))

    # What copying and moving need

    def _place_under(self, parent: Node | None) -> None:
        """Be a node without children, the last child of such a one or without parent."""
        self._parent, self._children, self._was_moved = parent, [], True
        if parent is not None:
            assert parent._children is not None
            parent._children.append(self)

    def _insert_under(self, parent: Node, index: int | None) -> None:
        """Be the child of a node at that index, or the last one."""
        siblings = parent._own_children()
        siblings.insert(len(siblings) if index is None else index, self)
        self._parent, self._was_moved = parent, True
        parent.tree._forget_boards(self)

    def _materialize(self) -> None:
        """Depend no longer on the parsed file: bytes between the properties are given up."""
        parent, children = self.parent, [*self.children]
        properties = [Property(self, entry.ident, entry.raw) for entry in self.properties]
        self._hash, self.number = hash(self), None
        self._properties, self._children = properties, children
        self._parent = parent

    # Comparing

    def equals(self, other: Node) -> bool:
        """Whether both nodes, and all after them, have the same properties and children.

        Properties are the same if identifiers, in their order, and typed values are, or the bytes
        of values that cannot be read. Charsets and CA, white space and compressed point lists
        make no difference.
        """
        from sgf_lark.model.comparing import equal

        return isinstance(other, Node) and equal(self, other)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same node, made or parsed."""
        if self is other:
            return True
        if not isinstance(other, Node) or self.number is None:
            return False
        return self.number == other.number and self.tree._identity is other.tree._identity

    def __hash__(self) -> int:
        if self._hash is not None:
            return self._hash
        return id(self) if self.number is None else hash((id(self.tree._identity), self.number))

    def __repr__(self) -> str:
        return f"Node(;{shown(self.properties)})"

    # Last in the class, because the name hides the decorator.
    def property(self, ident: str) -> Property:
        """The (first) property of that identifier; raises KeyError."""
        found = self._find(ident)
        if found is None:
            raise KeyError(ident)
        return found


def check_index(index: object) -> None:
    """Raise TypeError for what is no place among children."""
    if index is not None and not isinstance(index, int):
        raise TypeError(f"index is {index!r}; expected a number, or None for the last place")
