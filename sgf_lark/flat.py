"""The structure of a collection as flat arrays."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sgf_lark.engine.layout import Numbers


class FlatTree:
    """The structure of a collection. All offsets are byte offsets into `data`.

    Nodes, properties and values are numbered in the order of the file. The
    properties of node `n` are ``range(*tree.properties_of(n))``, the values of
    property `p` are ``range(*tree.values_of(p))``.
    """

    #: First node of each game tree of the collection.
    roots: list[int]
    #: Node -> its parent node; -1 for a root.
    parent: array[int]
    #: Node -> offset of its ";".
    node_start: array[int]
    #: Node -> number of properties in all nodes up to and with it.
    property_end: array[int]
    #: Property -> offsets of its identifier.
    ident_start: array[int]
    ident_end: array[int]
    #: Property -> number of values in all properties up to and with it.
    value_end: array[int]
    #: Value -> offset of the first byte after "[" and of its "]".
    value_from: array[int]
    value_to: array[int]
    #: First node of a GameTree -> offsets of its "(" and ")".
    opening: dict[int, int]
    closing: dict[int, int]

    def __init__(self, data: bytes) -> None:
        self.data = data
        #: Property -> its identifier, where damage makes it differ from the bytes.
        self.names: dict[int, str] = {}
        #: Where the engine left all these numbers, of which the arrays are parts.
        self.arena: Numbers | None = None
        self.roots, self.opening, self.closing = [], {}, {}
        self.parent, self.node_start, self.property_end = array("i"), array("i"), array("i")
        self.ident_start, self.ident_end, self.value_end = array("i"), array("i"), array("i")
        self.value_from, self.value_to = array("i"), array("i")

    def __eq__(self, other: object) -> bool:
        """Whether the same was read from the same bytes, wherever the numbers were left."""
        if not isinstance(other, FlatTree):
            return NotImplemented
        names = ("data", "names", *FlatTree.__annotations__)
        return all(getattr(self, name) == getattr(other, name) for name in names)

    @property
    def count(self) -> int:
        """The number of nodes."""
        return len(self.parent)

    def properties_of(self, node: int) -> tuple[int, int]:
        return (self.property_end[node - 1] if node else 0), self.property_end[node]

    def values_of(self, prop: int) -> tuple[int, int]:
        return (self.value_end[prop - 1] if prop else 0), self.value_end[prop]

    def ident(self, prop: int) -> str:
        if self.names and prop in self.names:
            return self.names[prop]
        written = self.data[self.ident_start[prop] : self.ident_end[prop]]
        return IDENTS.get(written) or _ident(written)

    def raw(self, prop: int) -> list[bytes]:
        """The values of a property as they stand between the brackets."""
        return [
            self.data[self.value_from[value] : self.value_to[value]]
            for value in range(*self.values_of(prop))
        ]

    def property_span(self, prop: int) -> tuple[int, int]:
        """From the identifier to behind the last "]"."""
        end = self.value_to[self.value_end[prop] - 1] + 1
        return self.ident_start[prop], min(end, len(self.data))

    def bounds(self, root: int) -> tuple[int, int]:
        """The offsets of "(" and ")" of the GameTree whose first node that is."""
        return self.opening[root], self.closing[root]

    def node_at(self, offset: int) -> int:
        """The last node that begins at `offset` or before it, or the first of all."""
        return max(0, last_up_to(self.node_start, offset))

    def property_at(self, offset: int) -> int:
        """The last property that begins at `offset` or before it; -1 where there is none."""
        return last_up_to(self.ident_start, offset)

    def tree_of(self, node: int) -> int:
        """The number of the game tree that a node is in."""
        return max(0, last_up_to(self.roots, node))

    def nodes_of(self, tree: int) -> range:
        """The nodes of a game tree, 0-based, in pre-order."""
        end = self.roots[tree + 1] if tree + 1 < len(self.roots) else self.count
        return range(self.roots[tree], end)


def last_up_to(numbers: Sequence[int], wanted: int) -> int:
    """The index of the last of these numbers, which ascend, that is not above `wanted`; -1
    where all are."""
    # Of a small file few places are asked for, or none.
    from bisect import bisect_right

    return bisect_right(numbers, wanted) - 1


class Damage(NamedTuple):
    """A place at which the input leaves the grammar: the bytes from `start` to `end`.

    `ident` is the property concerned, or None.
    """

    code: str
    start: int
    end: int
    ident: str | None = None


class DamagedTree:
    """What was read in spite of everything, and what was wrong with it."""

    def __init__(self, flat: FlatTree) -> None:
        self.flat = flat
        self.damage: list[Damage] = []
        #: Lowercase letters in identifiers; whether they may stand there depends on FF.
        self.lowercase: list[Damage] = []


#: The identifiers that were met: few, and each again and again.
IDENTS: dict[bytes, str] = {}


def _ident(written: bytes) -> str:
    ident = written.decode("latin-1")
    if len(IDENTS) < 10_000 and len(written) < 10:
        IDENTS[written] = ident
    return ident
