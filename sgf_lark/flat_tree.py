"""The structure of a collection as columns of numbers."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Sequence
from functools import cached_property

#: The columns of a FlatTree, by what they are numbered by.
NODE_COLUMNS = ("parent", "node_start", "property_end")
PROPERTY_COLUMNS = ("ident_start", "ident_end", "value_end")
VALUE_COLUMNS = ("value_from", "value_to")
TREE_COLUMNS = ("tree_node", "tree_open", "tree_close")
COLUMNS = NODE_COLUMNS + PROPERTY_COLUMNS + VALUE_COLUMNS + TREE_COLUMNS

#: The properties of a node with more of them are found by an index.
FEW_PROPERTIES = 32


class FlatTree:
    """The structure of a collection. All offsets are 0-based byte offsets into `data`.

    Nodes, properties, values and GameTree productions are numbered from 0 in the order of
    the file. The properties of node `n` are ``range(*flat.properties_of(n))``, the values
    of property `p` are ``range(*flat.values_of(p))``.
    """

    #: Node -> its parent node; -1 for a root.
    parent: array[int]
    #: Node -> offset of its ";".
    node_start: array[int]
    #: Node -> number of properties in all nodes up to and including it.
    property_end: array[int]
    #: Property -> offsets of the first byte of its identifier and of the byte after it.
    ident_start: array[int]
    ident_end: array[int]
    #: Property -> number of values in all properties up to and including it.
    value_end: array[int]
    #: Value -> offset of the first byte after "[" and of its "]".
    value_from: array[int]
    value_to: array[int]
    #: GameTree production (game or variation, in the order of their "(") -> its first node,
    #: the offset of its "(" and of its ")".
    tree_node: array[int]
    tree_open: array[int]
    tree_close: array[int]

    #: The first nodes of the game trees, once they were asked for.
    _roots: list[int] | None = None
    #: The node with many properties that was searched last, and its properties by identifier.
    _indexed: tuple[int, dict[object, list[int]]] = -1, {}
    #: The last node whose identifiers were asked for, as each rule asks anew, and these.
    _last_idents: tuple[int, Sequence[tuple[int, str]]] = -1, ()

    def __init__(self, data: bytes) -> None:
        self.data = data
        #: Property -> its identifier, where damage makes it differ from the bytes.
        self.names: dict[int, str] = {}
        for column in COLUMNS:
            setattr(self, column, array("i"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FlatTree):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in ("data", "names", *COLUMNS)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def count(self) -> int:
        """The number of nodes."""
        return len(self.parent)

    @property
    def roots(self) -> list[int]:
        """The first node of each game tree of the collection."""
        if self._roots is None:
            self._roots = sorted({node for node in self.tree_node if self.parent[node] < 0})
        return self._roots

    @cached_property
    def opening(self) -> dict[int, int]:
        """First node of a GameTree production -> offset of its "("."""
        return dict(zip(self.tree_node, self.tree_open, strict=True))

    @cached_property
    def closing(self) -> dict[int, int]:
        """First node of a GameTree production -> offset of its ")"."""
        return dict(zip(self.tree_node, self.tree_close, strict=True))

    def bounds(self, root: int) -> tuple[int, int]:
        """The offsets of "(" and ")" of the GameTree production whose first node that is."""
        if self.tree_node and self.tree_node[0] == root:
            return self.tree_open[0], self.tree_close[0]
        return self.opening[root], self.closing[root]

    def properties_of(self, node: int) -> tuple[int, int]:
        """The first property of `node` and the one after its last."""
        return (self.property_end[node - 1] if node else 0), self.property_end[node]

    def values_of(self, prop: int) -> tuple[int, int]:
        """The first value of `prop` and the one after its last."""
        return (self.value_end[prop - 1] if prop else 0), self.value_end[prop]

    def properties_in(self, nodes: range) -> range:
        """The properties of some nodes, at least one, that follow each other."""
        return range(self.properties_of(nodes[0])[0], self.property_end[nodes[-1]])

    def values_in(self, nodes: range) -> range:
        """The values of these properties."""
        props = self.properties_in(nodes)
        return range(
            self.value_end[props.start - 1] if props.start else 0,
            self.value_end[props.stop - 1] if props.stop else 0,
        )

    def ident(self, prop: int) -> str:
        """The identifier of a property, without what damage put into it."""
        if prop in self.names:
            return self.names[prop]
        return self.data[self.ident_start[prop] : self.ident_end[prop]].decode("latin-1")

    def idents(self, node: int) -> Sequence[tuple[int, str]]:
        """The properties of a node, each with its identifier."""
        if self._last_idents[0] != node:
            found = [(prop, self.ident(prop)) for prop in range(*self.properties_of(node))]
            self._last_idents = node, found
        return self._last_idents[1]

    def identifiers(self, node: int) -> tuple[str, ...]:
        """The identifiers of the properties of a node."""
        return tuple([ident for _, ident in self.idents(node)])

    def of_idents(self, node: int, wanted: Container[str]) -> list[tuple[int, str]]:
        """The properties of a node with one of these identifiers, each with its identifier."""
        return [each for each in self.idents(node) if each[1] in wanted]

    def first_of_ident(self, node: int, ident: object) -> int:
        """The first property of a node with that identifier; -1 where there is none."""
        idents = self.idents(node)
        if len(idents) > FEW_PROPERTIES:
            return next(iter(self.of_ident(node, ident)), -1)
        for prop, name in idents:  # every value that is read begins here
            if name == ident:
                return prop
        return -1

    def of_ident(self, node: int, ident: object) -> Sequence[int]:
        """The properties of a node with that identifier, in order."""
        if self._indexed[0] != node:
            idents = self.idents(node)
            if len(idents) <= FEW_PROPERTIES:
                return [prop for prop, name in idents if name == ident]
            found: dict[object, list[int]] = {}
            for prop, name in idents:
                found.setdefault(name, []).append(prop)
            self._indexed = node, found
        return self._indexed[1].get(ident, ())

    def properties_of_ident(self, nodes: range, ident: str) -> list[int]:
        """The properties of some nodes, at least one, with that identifier, in order."""
        return [prop for prop in self.properties_in(nodes) if self.ident(prop) == ident]

    def first_values(self, node: int, idents: Container[str]) -> dict[str, bytes]:
        """The first value of each property of a node with one of these identifiers."""
        found: dict[str, bytes] = {}
        for prop, ident in self.idents(node):
            if ident in idents and ident not in found:
                found[ident] = self.raw(prop)[0]
        return found

    def value(self, number: int) -> bytes:
        """A value as written between the brackets.

        The bytes of values come from here and from :meth:`raw`, :meth:`only_value` and
        :meth:`first_values` only, so that what a value is can be changed in one place.
        """
        return self.data[self.value_from[number] : self.value_to[number]]

    def values_with(self, byte: bytes, values: range) -> list[int]:
        """Those of these values that have that byte."""
        find, starts, ends = self.data.find, self.value_from, self.value_to
        return [each for each in values if find(byte, starts[each], ends[each]) >= 0]

    def raw(self, prop: int) -> list[bytes]:
        """The values of a property as written between the brackets."""
        first, end = self.values_of(prop)
        # Without value(): every value that is read comes from here.
        return [
            self.data[start:stop]
            for start, stop in zip(
                self.value_from[first:end], self.value_to[first:end], strict=True
            )
        ]

    def value_span(self, number: int) -> tuple[int, int]:
        """Where a value begins and ends, without its brackets."""
        return self.value_from[number], self.value_to[number]

    def only_value(self, prop: int) -> bytes | None:
        """The value of a property that has exactly one, as written between the brackets;
        else None."""
        first, end = self.values_of(prop)
        return self.value(first) if end == first + 1 else None

    def property_span(self, prop: int) -> tuple[int, int]:
        """From the identifier to after the last "]"."""
        end = self.value_to[self.value_end[prop] - 1] + 1
        return self.ident_start[prop], min(end, len(self.data))

    def node_span(self, node: int) -> tuple[int, int]:
        """From ";", which can be missing in a damaged file, to after the last property."""
        start = self.node_start[node]
        first, end = self.properties_of(node)
        if end > first:
            return start, self.property_span(end - 1)[1]
        return start, start + (self.data[start : start + 1] == b";")

    @cached_property
    def _after_other_nodes(self) -> list[int]:
        """The nodes that do not follow their parent directly in the file, in pre-order."""
        return [node for node, parent in enumerate(self.parent) if parent != node - 1]

    def variations_of(self, nodes: range) -> list[int]:
        """The first nodes of the variations in a game tree with these nodes, in pre-order."""
        found = self._after_other_nodes
        return found[bisect_right(found, nodes.start) : bisect_left(found, nodes.stop)]

    @cached_property
    def _later_children(self) -> dict[int, list[int]]:
        """Node -> its children but the one that follows it directly in the file."""
        found: dict[int, list[int]] = {}
        for node in self._after_other_nodes:
            found.setdefault(self.parent[node], []).append(node)
        return found

    def children_of(self, node: int) -> list[int]:
        """The children of a node in the order of the file."""
        following = node + 1
        is_child = following < len(self.parent) and self.parent[following] == node
        later = self._later_children.get(node, [])
        return [following, *later] if is_child else later

    @cached_property
    def child_counts(self) -> Counter[int]:
        """Node -> the number of its children; -1 -> that of the roots."""
        return Counter(self.parent)

    def node_at(self, offset: int) -> int:
        """The last node that begins at `offset` or before it, or the first of all."""
        return max(0, last_up_to(self.node_start, offset))

    def property_at(self, offset: int) -> int:
        """The last property that begins at `offset` or before it; -1 where there is none."""
        return last_up_to(self.ident_start, offset)

    def value_at(self, offset: int) -> int:
        """The value around an offset, its brackets included; -1 where there is none."""
        number = last_up_to(self.value_from, offset + 1)
        return number if number >= 0 and offset <= self.value_to[number] else -1

    def node_of_property(self, prop: int) -> int:
        """The node that contains a property."""
        return bisect_right(self.property_end, prop)

    def tree_of(self, node: int) -> int:
        """The number of the game tree that a node is in."""
        roots = self.roots
        return 0 if len(roots) == 1 else max(0, last_up_to(roots, node))

    def nodes_of(self, tree: int) -> range:
        """The nodes of a game tree, 0-based, in pre-order."""
        end = self.roots[tree + 1] if tree + 1 < len(self.roots) else self.count
        return range(self.roots[tree], end)

    def part(self, tree: int, start: int, data: bytes) -> FlatTree:
        """A game tree of the collection as the only one of a file that contains `data`, the
        bytes from offset `start` on."""
        part = FlatTree(data)
        nodes = self.nodes_of(tree)
        props, values = self.properties_in(nodes), self.values_in(nodes)
        first, last = (bisect_left(self.tree_node, node) for node in (nodes.start, nodes.stop))
        rows = {
            **dict.fromkeys(NODE_COLUMNS, nodes),
            **dict.fromkeys(PROPERTY_COLUMNS, props),
            **dict.fromkeys(VALUE_COLUMNS, values),
            **dict.fromkeys(TREE_COLUMNS, range(first, last)),
        }
        origins = {
            "parent": nodes.start,
            "property_end": props.start,
            "value_end": values.start,
            "tree_node": nodes.start,
        }
        for column, kept in rows.items():
            origin = origins.get(column, start)
            found = getattr(self, column)[kept.start : kept.stop]
            setattr(part, column, array("i", [number - origin for number in found]))
        part.parent[0] = -1
        part.names = {prop - props.start: self.names[prop] for prop in props if prop in self.names}
        return part


def sort_trees(flat: FlatTree) -> None:
    """Sort the columns of GameTree productions, which are complete at their ")", by their "("."""
    order = sorted(range(len(flat.tree_open)), key=flat.tree_open.__getitem__)
    for name in TREE_COLUMNS:
        column = getattr(flat, name)
        column[:] = array("i", [column[place] for place in order])


def last_up_to(numbers: Sequence[int], wanted: int) -> int:
    """The index of the last of these ascending numbers that is not above `wanted`; -1 if all
    are."""
    return bisect_right(numbers, wanted) - 1
