"""The strict parser: bytes to a flat tree, by Lark and the grammar ``sgf.lark``.

Lark's callbacks write the tree into plain arrays, so that no depth of nesting costs
recursion, here or in whatever reads the tree.
"""

from __future__ import annotations

import threading
from typing import Any

from lark import Lark, Token, Transformer

from sgf_lark import grammar
from sgf_lark.flat import FlatTree


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

    The engine reads what is in the grammar; Lark says what is not, and where.
    Raises Lark's UnexpectedInput at the first place where `data` leaves the grammar.
    """
    return parse_by_lark(data)


def parse_by_lark(data: bytes) -> FlatTree:
    """What :func:`parse` gives, by Lark's own parser."""
    if not _parsers:
        _parsers.append(_Parser())
    return _parsers[0].parse(data)
