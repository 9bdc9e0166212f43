"""A node: its properties, its place in the tree, and editing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.property import Property
from sgf_lark.model.values.writer import write_all

if TYPE_CHECKING:
    from sgf_lark.model.board_value import Board
    from sgf_lark.model.tree import GameTree


class Node:
    """A node: a mapping of property identifiers to typed values, within a tree.

    ``node["B"]`` reads, ``node["B"] = …`` writes, ``del node["B"]`` removes. `number` is its
    index among all nodes of the parsed file, 0-based, or None for a new node.
    """

    # What follows is as in the parsed file while it is None.
    _properties: list[Property] | None = None
    _children: list[Node] | None = None
    #: The parent of a node that is new or was detached, if it has one.
    _parent: Node | None = None
    _was_moved = False

    def __init__(self, tree: GameTree, number: int | None = None) -> None:
        """A node of the parsed file by its number, or a new one without parent.

        Ask :meth:`GameTree.node` for the node of that number that is part of the tree.
        """
        self.tree = tree
        self.number = number
        if number is None:
            self._properties, self._children, self._was_moved = [], [], True

    # Reading

    @property
    def properties(self) -> list[Property]:
        """The properties in the order of the file, repeated ones included."""
        if self._properties is not None:
            return list(self._properties)
        flat, number = self.tree.flat, self.number
        assert number is not None
        # Made anew each time: if the node kept them, each would keep the other alive.
        return [Property(self, ident, None, prop) for prop, ident in flat.idents(number)]

    def _find(self, ident: object) -> Property | None:
        """The first property of that identifier."""
        if self._properties is not None:
            return next((entry for entry in self._properties if entry.ident == ident), None)
        flat, number = self.tree.flat, self.number
        assert number is not None
        prop = flat.first_of_ident(number, ident)
        return None if prop < 0 else Property(self, str(ident), None, prop)

    def __getitem__(self, ident: str) -> Any:
        return self.property(ident).value

    def get(self, ident: str, default: Any = None) -> Any:
        """The value of `ident`, or `default` where the node lacks it."""
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

    def keys(self) -> list[str]:
        """The identifiers, each once, in the order of the file."""
        return list(self)

    def items(self) -> list[tuple[str, Any]]:
        """The identifiers with their typed values."""
        return [(ident, self[ident]) for ident in self]

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
            for prop, ident in self.tree.flat.idents(self.number)
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
        return self.number == self.tree.first if self.number is not None else self.parent is None

    @property
    def parent(self) -> Node | None:
        """The node before; None for a root and for a detached node."""
        if self._was_moved or self.number is None:
            return self._parent
        number = self.tree.flat.parent[self.number]
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
            return not self.tree.flat.children_of(self.number)
        return not self._children

    def _parsed_children(self) -> list[Node]:
        assert self.number is not None
        tree = self.tree
        return [tree.node(number) for number in tree.flat.children_of(self.number)]

    def _own_children(self) -> list[Node]:
        """The list of the children, to be changed."""
        if self._children is None:
            self._children = self._parsed_children()
        self.tree.restructured = self.tree.edited = True
        return self._children

    @property
    def offsets(self) -> tuple[int, int]:
        """The byte offsets of ";" and of the end of the last property of a parsed node.

        They count in the data that the grammar reads. Raises ValueError for a node that was
        not parsed from a file.
        """
        if self.number is None:
            raise ValueError(f"{self!r} was not parsed from a file")
        return self.tree.flat.node_span(self.number)

    # The position

    def board(self) -> Board:
        """The position after this node, with its setup and moves executed.

        Every move is executed, also an illegal one (sgf4, B; go.html, "How to execute a move");
        what follows no type and points outside the board are passed over. A walk that asks for
        the board of each node takes linear time; a board is a value that later edits do not
        change. Raises BoardError for a game without a board: only Go, Hex, Amazons and Lines of
        Action have one.
        """
        return self.tree.boards.after(self)

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
        """
        if not ident.isascii() or not ident.isalpha() or not ident.isupper():
            raise ValueError(f"an identifier consists of the letters A to Z: {ident!r}")
        raw = write_all(self.tree.define(ident), value, self.tree.context)
        self._replace(ident, Property(self, ident, raw))

    def __delitem__(self, ident: str) -> None:
        """Remove a property, all its occurrences; raises KeyError."""
        self.property(ident)
        self._replace(ident, None)

    def _replace(self, ident: str, new: Property | None) -> None:
        kept: list[Property] = []
        for entry in self.properties:
            if entry.ident != ident:
                kept.append(entry)
            elif new is not None:
                kept.append(new)
                new = None
        if new is not None:
            kept.append(new)
        if self.parent is None and self is self.tree.root:
            self.tree.change_root(self, kept, ident)
        self.set_properties(kept)

    def set_properties(self, properties: list[Property]) -> None:
        """Put these in the place of all properties, as they are."""
        if self.tree.kept_boards is not None:
            self.tree.kept_boards.change(self, self.properties, properties)
        self._properties = properties
        self.mark_edited()

    def mark_edited(self) -> None:
        """Record that the tree differs from that of the parsed file."""
        self.tree.edited = True

    @property
    def edited(self) -> bool:
        """Whether the properties differ from those of the parsed file."""
        return self._properties is not None

    def add_child(
        self, properties: Mapping[str, Any] | None = None, *, index: int | None = None
    ) -> Node:
        """A new node after this one, as last variation or at `index`."""
        child = Node(self.tree)
        child._parent = self
        for ident, value in (properties or {}).items():
            child[ident] = value
        siblings = self._own_children()
        siblings.insert(len(siblings) if index is None else index, child)
        return child

    def order_children(self, children: Sequence[Node]) -> None:
        """Put the variations in that order; raises ValueError for other nodes than them."""
        if {*children} != {*self.children} or len(children) != len(self.children):
            raise ValueError("these are not the children of this node")
        self._own_children()[:] = children

    def detach(self) -> None:
        """Take this node and all after it out of the tree; raises ValueError for a root."""
        parent = self.parent
        if parent is None:
            raise ValueError("the root of a game tree cannot be detached")
        self.tree.forget_boards(self)
        parent._own_children().remove(self)
        self._parent, self._was_moved = None, True

    def __eq__(self, other: object) -> bool:
        """Whether both are the same node, made or parsed."""
        if self is other:
            return True
        if not isinstance(other, Node) or self.number is None:
            return False
        return self.number == other.number and self.tree is other.tree

    def __hash__(self) -> int:
        return id(self) if self.number is None else hash((id(self.tree), self.number))

    def __repr__(self) -> str:
        return "Node(;" + b"".join(map(bytes, self.properties)).decode("latin-1") + ")"

    # Last in the class, because the name hides the decorator.
    def property(self, ident: str) -> Property:
        """The (first) property of that identifier; raises KeyError."""
        found = self._find(ident)
        if found is None:
            raise KeyError(ident)
        return found
