"""Where the nodes of a game tree are: in the parsed file, and what edits have put in its place."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.property import Property

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.values.reader import ValueReader


class NodeStore:
    """The parent, the children and the properties of each node, by its number.

    They are read from the flat tree, as long as nothing else is recorded for the node: the first
    edit copies nothing but what it changes, and all else keeps its bytes. New nodes have the
    numbers after those of the file.

    Nodes that are detached go to a store of their own, together with what is recorded for them,
    so that no store keeps nodes that nobody has. It has the same `fresh` numbers: wherever in
    these stores a node goes, its number and so its bytes stay.
    """

    def __init__(self, flat: FlatTree, fresh: Iterator[int] | None = None) -> None:
        self.flat = flat
        #: The numbers for new nodes.
        self.fresh = count(flat.count) if fresh is None else fresh
        #: Whether nodes are in another order than in the file, or others.
        self.is_rearranged = False
        #: The nodes that were asked for.
        self.nodes: dict[int, Node] = {}
        # What was edited.
        self._parents: dict[int, int] = {}
        self._children: dict[int, list[int]] = {}
        #: They are searched one by one, unlike those of a file, which may have any number for a
        #: node: each edit takes time in line with their number anyway.
        self._properties: dict[int, list[Property]] = {}

    # Links

    def parent(self, number: int) -> int:
        """The parent of a node; -1 for a root and for a detached node."""
        found = self._parents.get(number)
        return self.flat.parent[number] if found is None else found

    def children(self, number: int) -> Sequence[int]:
        """The children of a node, not to be changed."""
        found = self._children.get(number)
        return self.flat.children_of(number) if found is None else found

    def add(self, node: Node) -> int:
        """Add a node without parent, children and properties; its number."""
        number = next(self.fresh)
        self.nodes[number] = node
        self._properties[number] = []
        self.set_links(number, -1, [])
        return number

    def set_links(self, number: int, parent: int, children: list[int]) -> None:
        """Record the parent and the children of a node."""
        self._parents[number] = parent
        self._children[number] = children
        self.is_rearranged = True

    def insert(self, number: int, parent: int, index: int | None = None) -> None:
        """Put a node without parent after another, at that index or as the last child."""
        siblings = self._children_to_change(parent)
        siblings.insert(len(siblings) if index is None else index, number)
        self._parents[number] = parent

    def remove(self, number: int) -> None:
        """Let a node be without parent."""
        self._children_to_change(self.parent(number)).remove(number)
        self._parents[number] = -1

    def _children_to_change(self, number: int) -> list[int]:
        self.is_rearranged = True
        if number not in self._children:
            self._children[number] = [*self.flat.children_of(number)]
        return self._children[number]

    def take(self, nodes: Sequence[Node], other: NodeStore) -> None:
        """Take nodes, one without parent and all after it, out of another store.

        Those of another file get new numbers, and give up the bytes between their properties.
        """
        numbers = [node.number for node in nodes]
        if other.fresh is not self.fresh:
            new = {number: next(self.fresh) for number in numbers}
            for node, number in zip(nodes, numbers, strict=True):
                entries = other.properties(node)
                self.nodes[new[number]] = node
                self.set_links(
                    new[number],
                    new.get(other.parent(number), -1),
                    [new[each] for each in other.children(number)],
                )
                own = [Property(node, entry.ident, entry.raw) for entry in entries]
                self._properties[new[number]] = own
            for node in nodes:
                node._renumber(new[node.number])
        for number in numbers:
            for kept, left in zip(self._records, other._records, strict=True):
                if number in left:
                    found = left.pop(number)
                    if other.fresh is self.fresh:
                        kept[number] = found

    @property
    def _records(self) -> tuple[dict[int, Any], ...]:
        return self.nodes, self._parents, self._children, self._properties

    # Properties

    def properties(self, node: Node) -> list[Property]:
        """The properties of a node in their order; those of the file are made anew each time: if
        they were kept, each would keep the node alive, and the node them."""
        edited = self._properties.get(node.number)
        if edited is not None:
            return [*edited]
        idents = self.flat.idents(node.number)
        return [Property(node, ident, self.flat, prop) for prop, ident in idents]

    def idents(self, number: int) -> list[str]:
        """The identifiers of the properties of a node in their order."""
        edited = self._properties.get(number)
        if edited is not None:
            return [entry.ident for entry in edited]
        return [*self.flat.identifiers(number)]

    def select(self, node: Node, wanted: Container[str]) -> list[Property]:
        """The properties of a node with one of these identifiers."""
        edited = self._properties.get(node.number)
        if edited is not None:
            return [entry for entry in edited if entry.ident in wanted]
        found = self.flat.of_idents(node.number, wanted)
        return [Property(node, ident, self.flat, prop) for prop, ident in found]

    def only(self, number: int, wanted: Container[str]) -> tuple[str, bytes] | None:
        """The property of a node with one of these identifiers, and its value as written, if there
        is one such property, as it is in the file, and it has one value."""
        if number in self._properties:
            return None
        found = self.flat.of_idents(number, wanted)
        if len(found) != 1:
            return None
        prop, ident = found[0]
        raw = self.flat.only_value(prop)
        return None if raw is None else (ident, raw)

    def of_ident(self, node: Node, ident: str) -> list[Property]:
        """The properties of a node with that identifier, in order."""
        edited = self._properties.get(node.number)
        if edited is not None:
            return [entry for entry in edited if entry.ident == ident]
        props = self.flat.of_ident(node.number, ident)
        return [Property(node, ident, self.flat, prop) for prop in props]

    def first(self, node: Node, ident: object) -> Property | None:
        """The first property of a node with that identifier."""
        edited = self._properties.get(node.number)
        if edited is not None:
            return next((entry for entry in edited if entry.ident == ident), None)
        prop = self.flat.first_of_ident(node.number, ident)
        return None if prop < 0 else Property(node, str(ident), self.flat, prop)

    def read(self, node: Node, ident: str, default: Any, reader: ValueReader) -> Any:
        """The typed value of `ident`, or `default` where the node does not have it. Where a list
        is repeated, the lists are read as one, as boards execute them."""
        if node.number not in self._properties:
            # Most values, without an object for the property.
            prop = self.flat.first_of_ident(node.number, ident)
            if prop < 0:
                return default
            raw = self.flat.only_value(prop)
            value = None if raw is None else reader.read_single(ident, raw)
            if not (raw is None or isinstance(value, list)):
                return value
        repeated = self.of_ident(node, ident)
        if not repeated:
            return default
        value = repeated[0].value
        if not isinstance(value, list) or len(repeated) == 1:
            return value
        raws = [raw for entry in repeated for raw in entry.raw if raw]
        return reader.read_all(repeated[0].definition, raws) if raws else value

    def set_properties(self, number: int, properties: list[Property]) -> None:
        """Put these in the place of all properties of a node."""
        self._properties[number] = properties

    # What writing asks for

    def is_new(self, number: int) -> bool:
        """Whether the node is not from the file."""
        return number >= self.flat.count

    def is_edited(self, number: int) -> bool:
        """Whether the properties of a node differ from those of the file."""
        edited = self._properties.get(number)
        if edited is None:
            return False
        return self.is_new(number) or [entry.number for entry in edited] != [
            *range(*self.flat.properties_of(number))
        ]

    def is_ascii(self, number: int) -> bool:
        """Whether all bytes of the properties of a node are ASCII."""
        edited = self._properties.get(number)
        if edited is not None:
            return all(raw.isascii() for entry in edited for raw in entry.raw)
        return self.flat.data[slice(*self.flat.node_span(number))].isascii()
