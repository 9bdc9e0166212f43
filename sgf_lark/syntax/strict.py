"""Strict parsing with Lark: bytes to a flat tree, by ``sgf.lark``."""

from __future__ import annotations

from typing import Any

from lark import Lark, Token, Transformer

from sgf_lark.flat_tree import FlatTree, sort_trees
from sgf_lark.syntax.grammars import lent, load_lark


class FlatTreeBuilder(Transformer[Token, Any]):
    """Fills the columns of a flat tree: one method for each production of ``sgf.lark``.

    Each method returns only what the production above it needs, so that depth of nesting
    costs no recursion.
    """

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.begin(b"")

    def begin(self, data: bytes) -> FlatTree:
        """Begin a new flat tree, for `data`."""
        self.flat = FlatTree(data)
        return self.flat

    def propident(self, children: list[Token]) -> Token:
        """``propident: UCLETTERS``."""
        return children[0]

    def propvalue(self, children: list[Token]) -> Token:
        """``propvalue: BRACKETED_VALUE``."""
        return children[0]

    def property(self, children: list[Any]) -> None:
        """``property: propident propvalue+``."""
        flat = self.flat
        ident, *values = children
        start = ident.start_pos
        flat.ident_start.append(start)
        flat.ident_end.append(start + len(ident))
        for value in values:
            start = value.start_pos
            flat.value_from.append(start + 1)
            flat.value_to.append(start + len(value) - 1)
        flat.value_end.append(len(flat.value_from))

    def node(self, children: list[Any]) -> int:
        """``node: ";" property*``; returns the number of the node."""
        flat = self.flat
        number = len(flat.node_start)
        flat.node_start.append(children[0].start_pos)
        flat.property_end.append(len(flat.ident_start))
        flat.parent.append(number - 1)
        return number

    def sequence(self, children: list[int]) -> tuple[int, int]:
        """``sequence: node+``; returns the first and the last node."""
        return children[0], children[-1]

    def gametree(self, children: list[Any]) -> int:
        """``gametree: "(" sequence gametree* ")"``; returns the first node."""
        opening, (first, last), *variations, closing = children
        flat = self.flat
        for variation in variations:
            flat.parent[variation] = last
        flat.tree_node.append(first)
        flat.tree_open.append(opening.start_pos)
        flat.tree_close.append(closing.start_pos)
        return int(first)

    def collection(self, children: list[int]) -> None:
        """``collection: gametree+``."""
        for root in children:
            self.flat.parent[root] = -1
        sort_trees(self.flat)


def parse_by_lark(data: bytes) -> FlatTree:
    """The flat tree of `data`, a collection without a byte order mark, by Lark's own parser.

    Raises Lark's UnexpectedInput at the first place where `data` leaves the grammar.
    """
    with lent(_AT_REST, _load) as (parser, builder):
        flat = builder.begin(data)
        try:
            parser.parse(data.decode("latin-1"))
        finally:
            builder.begin(b"")
    return flat


#: Parsers, each with its builder.
_AT_REST: list[tuple[Lark, FlatTreeBuilder]] = []


def _load() -> tuple[Lark, FlatTreeBuilder]:
    builder = FlatTreeBuilder()
    return load_lark("strict", transformer=builder), builder
