"""The structure of a collection as flat arrays."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from sgf_lark.records import NamedTuple

if TYPE_CHECKING:
    from sgf_lark.engine.layout import Room


class FlatTree:
    """The structure of a collection. All offsets are byte offsets into `data`.

    Nodes, properties and values are numbered in the order of the file. The
    properties of node `n` are ``range(*tree.properties_of(n))``, the values of
    property `p` are ``range(*tree.values_of(p))``.
    """

    def __init__(
        self,
        data: bytes,
        roots: list[int] | None = None,
        parent: array[int] | None = None,
        node_start: array[int] | None = None,
        property_end: array[int] | None = None,
        ident_start: array[int] | None = None,
        ident_end: array[int] | None = None,
        value_end: array[int] | None = None,
        value_from: array[int] | None = None,
        value_to: array[int] | None = None,
        opening: dict[int, int] | None = None,
        closing: dict[int, int] | None = None,
        names: dict[int, str] | None = None,
        arena: array[int] | None = None,
        room: Room | None = None,
    ) -> None:
        self.data = data
        #: First node of each game tree of the collection.
        self.roots = roots or []
        #: Node -> its parent node; -1 for a root.
        self.parent = parent or array("i")
        #: Node -> offset of its ";".
        self.node_start = node_start or array("i")
        #: Node -> number of properties in all nodes up to and with it.
        self.property_end = property_end or array("i")
        #: Property -> offsets of its identifier.
        self.ident_start = ident_start or array("i")
        self.ident_end = ident_end or array("i")
        #: Property -> number of values in all properties up to and with it.
        self.value_end = value_end or array("i")
        #: Value -> offset of the first byte after "[" and of its "]".
        self.value_from = value_from or array("i")
        self.value_to = value_to or array("i")
        #: First node of a GameTree -> offsets of its "(" and ")".
        self.opening = opening or {}
        self.closing = closing or {}
        #: Property -> its identifier, where damage makes it differ from the bytes.
        self.names = names or {}
        #: Where the engine left all these numbers, of which the arrays are parts.
        self.arena = arena
        self.room = room

    def __eq__(self, other: object) -> bool:
        """Whether the same was read from the same bytes, wherever the numbers were left."""
        if not isinstance(other, FlatTree):
            return NotImplemented
        elsewhere = {"arena": None, "room": None}
        return {**vars(self), **elsewhere} == {**vars(other), **elsewhere}

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

    def nodes_of(self, tree: int) -> range:
        """The nodes of a game tree, 0-based, in pre-order."""
        end = self.roots[tree + 1] if tree + 1 < len(self.roots) else len(self.parent)
        return range(self.roots[tree], end)


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
