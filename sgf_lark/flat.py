"""The structure of a collection as flat arrays."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sgf_lark.engine.layout import Room


def _integers() -> array[int]:
    return array("i")


@dataclass
class FlatTree:
    """The structure of a collection. All offsets are byte offsets into `data`.

    Nodes, properties and values are numbered in the order of the file. The
    properties of node `n` are ``range(*tree.properties_of(n))``, the values of
    property `p` are ``range(*tree.values_of(p))``.
    """

    data: bytes
    #: First node of each game tree of the collection.
    roots: list[int] = field(default_factory=list)
    #: Node -> its parent node; -1 for a root.
    parent: array[int] = field(default_factory=_integers)
    #: Node -> offset of its ";".
    node_start: array[int] = field(default_factory=_integers)
    #: Node -> number of properties in all nodes up to and with it.
    property_end: array[int] = field(default_factory=_integers)
    #: Property -> offsets of its identifier.
    ident_start: array[int] = field(default_factory=_integers)
    ident_end: array[int] = field(default_factory=_integers)
    #: Property -> number of values in all properties up to and with it.
    value_end: array[int] = field(default_factory=_integers)
    #: Value -> offset of the first byte after "[" and of its "]".
    value_from: array[int] = field(default_factory=_integers)
    value_to: array[int] = field(default_factory=_integers)
    #: First node of a GameTree -> offsets of its "(" and ")".
    opening: dict[int, int] = field(default_factory=dict)
    closing: dict[int, int] = field(default_factory=dict)
    #: Property -> its identifier, where damage makes it differ from the bytes.
    names: dict[int, str] = field(default_factory=dict)
    #: Where the engine left all these numbers, of which the arrays are parts.
    arena: array[int] | None = field(default=None, compare=False, repr=False)
    room: Room | None = field(default=None, compare=False, repr=False)

    def properties_of(self, node: int) -> tuple[int, int]:
        return (self.property_end[node - 1] if node else 0), self.property_end[node]

    def values_of(self, prop: int) -> tuple[int, int]:
        return (self.value_end[prop - 1] if prop else 0), self.value_end[prop]

    def ident(self, prop: int) -> str:
        if self.names and prop in self.names:
            return self.names[prop]
        written = self.data[self.ident_start[prop] : self.ident_end[prop]]
        return _IDENTS.get(written) or _ident(written)

    def raw(self, prop: int) -> list[bytes]:
        """The values of a property as they stand between the brackets."""
        return [
            self.data[self.value_from[value] : self.value_to[value]]
            for value in range(*self.values_of(prop))
        ]

    def only_value(self, prop: int) -> bytes | None:
        """The value of a property that has one, as it stands between the brackets."""
        first = self.value_end[prop - 1] if prop else 0
        if self.value_end[prop] - first != 1:
            return None
        return self.data[self.value_from[first] : self.value_to[first]]

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


@dataclass
class DamagedTree:
    """What was read in spite of everything, and what was wrong with it."""

    flat: FlatTree
    damage: list[Damage] = field(default_factory=list)
    #: Lowercase letters in identifiers; whether they may stand there depends on FF.
    lowercase: list[Damage] = field(default_factory=list)


#: The identifiers that were met: few, and each again and again.
_IDENTS: dict[bytes, str] = {}


def _ident(written: bytes) -> str:
    ident = written.decode("latin-1")
    if len(_IDENTS) < 10_000 and len(written) < 10:
        _IDENTS[written] = ident
    return ident
