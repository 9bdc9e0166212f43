# cython: language_level=3, annotation_typing=False
"""The collection as objects: game trees, nodes, properties.

Everything is made when asked for, and what is not edited keeps its bytes. Plain
Python, and with the types of ``model.pxd`` compiled to C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from sgf_lark import grammar, values
from sgf_lark.decoding import Reading
from sgf_lark.diagnostics import Span
from sgf_lark.engine.columns import columns_of
from sgf_lark.flat import FlatTree
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.source_text import SourceText
from sgf_lark.transform import root_context
from sgf_lark.value_writer import recode, write_all
from sgf_lark.values import Context


class Property:
    """A property as it stands in a node.

    `raw` holds its values as written, without brackets; `number` is its place in
    the parsed file, or None where it was made or changed since.
    """

    __slots__ = ("_node", "_raw", "ident", "number")

    def __init__(
        self, node: Node, ident: str, raw: list[bytes] | None = None, number: int | None = None
    ) -> None:
        self._node = node
        self.ident = ident
        self._raw = raw
        self.number = number

    @property
    def node(self) -> Node:
        """The node that it stands in, or stood in when it was taken from there."""
        return self._node

    @property
    def raw(self) -> list[bytes]:
        if self._raw is None:
            assert self.number is not None
            return self._node.tree.columns.raw(self.number)
        return list(self._raw)

    @property
    def definition(self) -> PropertyDefinition | None:
        """What the property means in this tree's game and file format, or None."""
        context = self._node.tree.context
        return grammar.definition(self.ident, context.game, context.file_format)

    @property
    def value(self) -> Any:
        """The typed value: a list for a list property, else one value.

        A property that no standard defines gives a list of bytes. Raises
        SGFValueError where the value does not follow the property's type.
        """
        tree = self._node.tree
        if self._raw is None and self.number is not None:
            single = tree.columns.only_value(self.number)
            if single is not None:
                found = tree.known.get((self.ident, single))
                if found is not None:
                    return found
                return tree.reader.read_single(self.ident, single)
        return tree.reader.read_all(self.definition, self.raw)

    @property
    def values(self) -> list[Any]:
        """The typed values as a list, for every kind of property."""
        definition = self.definition
        found = self.value
        return found if definition is None or definition.takes_many else [found]

    @property
    def span(self) -> Span | None:
        """Where it stands in the parsed file, from identifier to last bracket."""
        if self.number is None:
            return None
        tree = self._node.tree
        return tree.collection.source.span(*tree.flat.property_span(self.number))

    def __eq__(self, other: object) -> bool:
        """Whether both are the same property of the same node, as it was parsed."""
        if self is other:
            return True
        if not isinstance(other, Property) or self.number is None:
            return False
        return self._node is other.node and self.number == other.number

    def __hash__(self) -> int:
        return id(self) if self.number is None else hash((id(self._node), self.number))

    def __bytes__(self) -> bytes:
        return self.ident.encode("ascii") + b"".join(b"[" + raw + b"]" for raw in self.raw)

    def __repr__(self) -> str:
        return f"Property({bytes(self).decode('latin-1')})"


class Node:
    """A node: a mapping of property identifiers to typed values, within a tree.

    ``node["B"]`` reads, ``node["B"] = …`` writes, ``del node["B"]`` removes.
    `number` is the node's place in the parsed file, or None for a new one.
    """

    __slots__ = ("_child", "_children", "_edited", "_parent", "_properties", "number", "tree")

    def __init__(self, tree: GameTree, number: int | None, parent: Node | None) -> None:
        self.tree = tree
        self.number = number
        self._parent = parent
        self._properties: list[Property] | None = None if number is not None else []
        self._children: list[Node] | None = None if number is not None else []
        # The only one, as most nodes have it: a list for each would cost as much again.
        self._child: Node | None = None
        self._edited = number is None

    # Reading

    @property
    def properties(self) -> list[Property]:
        """The properties in the order of the file, repeated ones included."""
        if self._properties is not None:
            return list(self._properties)
        return self._parsed()

    def _parsed(self) -> list[Property]:
        """The properties of the file, made anew each time: kept here, they would hold the
        node, and it them."""
        columns, number = self.tree.columns, self.number
        assert number is not None
        prop, behind = columns.first_property(number), columns.behind_properties(number)
        found = []
        while prop < behind:
            found.append(_parsed_property(self, columns.ident(prop), prop))
            prop += 1
        return found

    def _find(self, ident: object) -> Property | None:
        """The first property of that identifier."""
        if self._properties is not None:
            for entry in self._properties:
                if entry.ident == ident:
                    return entry
            return None
        columns, number = self.tree.columns, self.number
        assert number is not None
        prop, behind = columns.first_property(number), columns.behind_properties(number)
        while prop < behind:
            name = columns.ident(prop)
            if name == ident:
                return _parsed_property(self, name, prop)
            prop += 1
        return None

    def __getitem__(self, ident: str) -> Any:
        return self.property(ident).value

    def get(self, ident: str, default: Any = None) -> Any:
        """The value of `ident`, or `default` where the node lacks it."""
        found = self._find(ident)
        return default if found is None else found.value

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
        return list(self)

    def items(self) -> list[tuple[str, Any]]:
        return [(ident, self[ident]) for ident in self]

    @property
    def parent(self) -> Node | None:
        return self._parent

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes that follow: the first continues the main line."""
        child = self._only_child()
        return tuple(self._child_list()) if child is None else (child,)

    def _only_child(self) -> Node | None:
        """The child of a node that has one in the file and in no list yet."""
        if self._child is None and self._children is None:
            columns = self.tree.columns
            assert self.number is not None
            child = columns.first_child(self.number)
            if child >= 0 and columns.next_sibling(child) < 0:
                self._child = _parsed_node(self.tree, child, self)
        return self._child

    def _child_list(self) -> list[Node]:
        if self._children is None:
            columns = self.tree.columns
            assert self.number is not None
            found = []
            if self._child is not None:
                found.append(self._child)
                self._child = None
            else:
                child = columns.first_child(self.number)
                while child >= 0:
                    found.append(_parsed_node(self.tree, child, self))
                    child = columns.next_sibling(child)
            self._children = found
        return self._children

    # Editing

    def __setitem__(self, ident: str, value: Any) -> None:
        """Set a property, in place where the node has it, else at the node's end.

        Raises TypeError or ValueError for a value that the property cannot
        hold, and the node stays as it was. Setting CA, SZ or FF in a root
        rewrites what would otherwise be read differently from then on.
        """
        if not ident.isascii() or not ident.isalpha() or not ident.isupper():
            raise ValueError(f"an identifier consists of the letters A to Z: {ident!r}")
        definition = grammar.definition(
            ident, self.tree.context.game, self.tree.context.file_format
        )
        raw = write_all(definition, value, self.tree.context)
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
        if self._parent is None and self is self.tree.root:
            self.tree.change_root(self, kept, ident)
        self.set_properties(kept)

    def set_properties(self, properties: list[Property]) -> None:
        """Put these in the place of all properties, as they are."""
        self._properties = properties
        self.mark_edited()

    def mark_edited(self) -> None:
        self._edited = True
        self.tree.collection.edited = True

    @property
    def edited(self) -> bool:
        """Whether the properties differ from those of the parsed file."""
        return self._edited

    def add_child(
        self, properties: Mapping[str, Any] | None = None, *, index: int | None = None
    ) -> Node:
        """A new node behind this one, as last variation or at `index`."""
        child = Node(self.tree, None, self)
        for ident, value in (properties or {}).items():
            child[ident] = value
        siblings = self._child_list()
        siblings.insert(len(siblings) if index is None else index, child)
        self.tree.collection.edited = True
        return child

    def order_children(self, children: Sequence[Node]) -> None:
        """Put the variations in that order; raises ValueError for other nodes than them."""
        if {*children} != {*self._child_list()} or len(children) != len(self._child_list()):
            raise ValueError("these are not the children of this node")
        self._child_list()[:] = children
        self.tree.collection.edited = True

    def detach(self) -> None:
        """Take this node and all behind it out of the tree; a root cannot be."""
        if self._parent is None:
            raise ValueError("the root of a game tree cannot be detached")
        self._parent._child_list().remove(self)
        self._parent = None
        self.tree.collection.edited = True

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return "Node(;" + b"".join(map(bytes, self.properties)).decode("latin-1") + ")"

    # Last in the class, because the name hides the decorator.
    def property(self, ident: str) -> Property:
        """The (first) property of that identifier; raises KeyError."""
        found = self._find(ident)
        if found is None:
            raise KeyError(ident)
        return found


# Without a call of __init__, which would take longer than all the rest.


def _parsed_node(tree: GameTree, number: int, parent: Node) -> Node:
    node = Node.__new__(Node)
    node.tree = tree
    node.number = number
    node._parent = parent
    node._properties = node._children = node._child = None
    node._edited = False
    return node


def _parsed_property(node: Node, ident: str, number: int) -> Property:
    entry = Property.__new__(Property)
    entry._node = node
    entry.ident = ident
    entry._raw = None
    entry.number = number
    return entry


class GameTree:
    """One game of a collection, with its root node and what governs its reading."""

    def __init__(self, collection: Collection, number: int) -> None:
        self.collection = collection
        self.flat = collection.flat
        self.columns = collection.columns
        self.number = number
        first = self.flat.roots[number]
        self.root = Node(self, first, None)
        root = self.columns.governing(first)
        codec = collection.reading.tree_codec(root, self.flat, first)
        self.context = root_context(root, codec)

    @property
    def context(self) -> Context:
        """What governs the reading of the values."""
        return self.reader.context

    @context.setter
    def context(self, context: Context) -> None:
        self.reader = values.reader(context)
        self.known = self.reader.known

    @property
    def game(self) -> int:
        """GM; 1 (Go) where the root does not say."""
        return self.context.game

    @property
    def file_format(self) -> int:
        """FF; 1 where the root does not say."""
        return self.context.file_format

    @property
    def size(self) -> tuple[int, int] | None:
        """The board as (columns, rows); None where the game has no default."""
        return self.context.size

    @property
    def charset(self) -> str:
        """Python's name of the codec in which the texts are read."""
        return self.context.codec

    def nodes(self) -> Iterator[Node]:
        """All nodes in pre-order, that is, in the order of the file."""
        stack = [self.root]
        while stack:
            node: Node | None = stack.pop()
            while node is not None:
                yield node
                child = node._only_child()
                if child is None:
                    stack.extend(reversed(node._child_list()))
                node = child

    def main_line(self) -> Iterator[Node]:
        """The root and always the first child."""
        node = self.root
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]

    def change_root(self, root: Node, properties: list[Property], ident: str) -> None:
        """Read the tree by these root properties from now on; `ident` is the one that changed.

        Values that would then be read differently are rewritten. Raises
        ValueError, with nothing changed, where one cannot be. A CA that is set
        goes before the charset that the tree was loaded with, unless the whole
        file is stored in one that is no superset of ASCII.
        """
        values: dict[str, bytes] = {}
        for entry in properties:
            values.setdefault(entry.ident, entry.raw[0])
        old, codec = self.context, self.context.codec
        if ident == "CA" and self.collection.reading.stored is None:
            codec = self.collection.reading.declared_codec(values)
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
        self.context = new
        for node, changed in rewritten:
            if node is root:
                properties[:] = changed
            else:
                node.set_properties(changed)

    def __repr__(self) -> str:
        return f"<GameTree GM[{self.game}] FF[{self.file_format}] {self.root!r}>"


def _rewritten(node: Node, entry: Property, old: Context, new: Context) -> Property:
    definition = grammar.definition(entry.ident, old.game, old.file_format)
    try:
        before = values.reader(old).read_all(definition, entry.raw)
    except ValueError:
        definition = None
    if definition is None or _has_bytes(before):
        return _recoded(node, entry, old.codec, new.codec)
    try:
        if values.reader(new).read_all(definition, entry.raw) == before:
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


class Collection(Sequence[GameTree]):
    """The game trees of a file.

    `data` are the bytes as given, `reading` tells how they were read; `edited`
    tells whether anything was changed.
    """

    def __init__(self, reading: Reading, flat: FlatTree) -> None:
        self.data = reading.given
        self.reading = reading
        self.flat = flat
        self.columns = columns_of(flat)
        self.edited = False
        self._trees = [GameTree(self, number) for number in range(len(flat.roots))]
        self._source: SourceText | None = None

    @property
    def source(self) -> SourceText:
        """Lines and columns of `data`."""
        if self._source is None:
            codec: str | Callable[[int], str] = self._trees[0].charset
            self._source = self.reading.source(codec)
        return self._source

    @overload
    def __getitem__(self, index: int) -> GameTree: ...
    @overload
    def __getitem__(self, index: slice) -> list[GameTree]: ...
    def __getitem__(self, index: int | slice) -> GameTree | list[GameTree]:
        return self._trees[index]

    def __len__(self) -> int:
        return len(self._trees)

    def __repr__(self) -> str:
        return f"<Collection of {len(self)} game tree{'s' if len(self) != 1 else ''}>"
