"""The strict parser: bytes to a flat tree, by the grammar ``sgf.lark``.

Lark does the parsing. Its callbacks write the tree into plain arrays, so that
no depth of nesting costs recursion, here or in whatever reads the tree.
"""

from __future__ import annotations

import threading
from array import array
from dataclasses import dataclass, field
from typing import Any

from lark import Lark, Token, Transformer

from sgf_lark import grammar


def _integers() -> array[int]:
    return array("q")


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

    def properties_of(self, node: int) -> tuple[int, int]:
        return (self.property_end[node - 1] if node else 0), self.property_end[node]

    def values_of(self, prop: int) -> tuple[int, int]:
        return (self.value_end[prop - 1] if prop else 0), self.value_end[prop]

    def ident(self, prop: int) -> str:
        if self.names and prop in self.names:
            return self.names[prop]
        return self.data[self.ident_start[prop] : self.ident_end[prop]].decode("latin-1")

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


class _Builder(Transformer[Token, Any]):
    """Lark's callbacks; each returns only what the rule above it needs."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.flat = FlatTree(b"")

    def propident(self, children: list[Token]) -> Token:
        return children[0]

    def propvalue(self, children: list[Token]) -> Token:
        return children[0]

    def property(self, children: list[Token]) -> None:
        flat = self.flat
        ident = children[0]
        start = ident.start_pos or 0
        flat.ident_start.append(start)
        flat.ident_end.append(start + len(ident))
        for value in children[1:]:
            start = value.start_pos or 0
            flat.value_from.append(start + 1)
            flat.value_to.append(start + len(value) - 1)
        flat.value_end.append(len(flat.value_from))

    def node(self, children: list[Any]) -> int:
        flat = self.flat
        number = len(flat.node_start)
        flat.node_start.append(children[0].start_pos)
        flat.property_end.append(len(flat.ident_start))
        flat.parent.append(number - 1)
        return number

    def sequence(self, children: list[int]) -> tuple[int, int]:
        return children[0], children[-1]

    def gametree(self, children: list[Any]) -> int:
        opening, (first, last), *variations, closing = children
        for variation in variations:
            self.flat.parent[variation] = last
        self.flat.opening[first] = opening.start_pos
        self.flat.closing[first] = closing.start_pos
        return int(first)

    def collection(self, children: list[int]) -> None:
        self.flat.roots = children
        for root in children:
            self.flat.parent[root] = -1


class _Parser(threading.local):
    """One parser for each thread, because its callbacks write into one tree."""

    def __init__(self) -> None:
        self.builder = _Builder()
        self.lark = Lark(
            grammar.source("sgf.lark"),
            parser="lalr",
            start="collection",
            transformer=self.builder,
            keep_all_tokens=True,
        )

    def parse(self, data: bytes) -> FlatTree:
        flat = self.builder.flat = FlatTree(data)
        try:
            self.lark.parse(data.decode("latin-1"))
        finally:
            self.builder.flat = FlatTree(b"")
        return flat


_parsers: list[_Parser] = []


def parse(data: bytes) -> FlatTree:
    """The flat tree of `data`, a collection without a byte order mark.

    Raises Lark's UnexpectedInput at the first place where `data` leaves the grammar.
    """
    if not _parsers:
        _parsers.append(_Parser())
    return _parsers[0].parse(data)
