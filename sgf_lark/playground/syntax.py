"""The parse tree of a text as flat lists, and its terminals for highlighting."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax.grammars import tables
from sgf_lark.syntax.lalr import LALRParser, Skip, Token
from sgf_lark.syntax.tolerant import TolerantBuilder

#: The punctuation of the structure: highlighted, but not in the tree, as in Lark.
PUNCTUATION = frozenset({"LPAR", "RPAR", "SEMICOLON"})

#: The items of a property without its values, and those of a value.
_PROPERTY = ("property", "propident", "UCLETTERS")
_VALUE = ("propvalue", "BRACKETED_VALUE")


@dataclass
class Syntax:
    """The rules and terminals of a parse tree, numbered in pre-order.

    Offsets are in bytes. `last` is the number of the last item below an item, or its own if
    there is none.
    """

    names: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    #: All terminals, including punctuation: name, start and end.
    terminals: list[tuple[str, int, int]] = field(default_factory=list)

    def children(self, item: int) -> list[int]:
        """The items right below `item`."""
        found = []
        child = item + 1
        while child <= self.last[item]:
            found.append(child)
            child = self.last[child] + 1
        return found

    def path(self, item: int) -> list[int]:
        """The items from the root to `item`."""
        found = [item]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found[::-1]

    def at(self, start: int, end: int) -> int:
        """The innermost item that contains the range from `start` to `end`.

        For an empty range that is the item that starts there, or else one that ends there.
        """
        item = bisect_right(self.starts, start) - 1
        wanted = max(end, start + 1)
        found = self._enclosing(item, wanted)
        if start == end:
            ending = self._enclosing(bisect_right(self.starts, start - 1) - 1, end)
            if self.ends[ending] == end and (found == 0 or found in self.path(ending)):
                return ending
        return found

    def _enclosing(self, item: int, end: int) -> int:
        while item > 0 and self.ends[item] < end:
            item = self.parents[item]
        return max(item, 0)

    # Building

    def open(self, name: str, parent: int) -> int:
        """Add a production, whose items and terminals follow; return its number."""
        self.names.append(name)
        # Until it is closed: the number of terminals before it.
        self.starts.append(len(self.terminals))
        self.ends.append(0)
        self.parents.append(parent)
        self.last.append(0)
        return len(self.names) - 1

    def close(self, item: int) -> None:
        """End a production after its last item: it reaches from its first terminal to its last.

        Only a collection can be without terminals.
        """
        before = self.starts[item]
        is_empty = before == len(self.terminals)
        self.starts[item] = 0 if is_empty else self.terminals[before][1]
        self.ends[item] = 0 if is_empty else self.terminals[-1][2]
        self.last[item] = len(self.names) - 1

    def add_terminal(self, name: str, start: int, end: int, parent: int) -> None:
        """Add a terminal to a production."""
        self.terminals.append((name, start, end))
        if name not in PUNCTUATION:
            self.last.append(len(self.names))
            self.names.append(name)
            self.starts.append(start)
            self.ends.append(end)
            self.parents.append(parent)

    def add_nodes(self, flat: FlatTree, nodes: range, parent: int) -> None:
        """Add intact nodes of a flat tree to a production."""
        for node in nodes:
            item = self.open("node", parent)
            start = flat.node_start[node]
            self.terminals.append(("SEMICOLON", start, start + 1))
            for prop in range(*flat.properties_of(node)):
                self._add_property(flat, prop, item)
            self.close(item)

    def _add_property(self, flat: FlatTree, prop: int, node: int) -> None:
        """Add an intact property to a node: all its items at once, as most items are in these."""
        item = len(self.names)
        start, ident_end = flat.ident_start[prop], flat.ident_end[prop]
        first, end = flat.values_of(prop)
        last = item + 2 + 2 * (end - first)
        self.names += _PROPERTY
        self.starts += (start, start, start)
        self.ends += (flat.value_to[end - 1] + 1, ident_end, ident_end)
        self.parents += (node, item, item + 1)
        self.last += (last, item + 2, item + 2)
        self.terminals.append(("UCLETTERS", start, ident_end))
        for value in range(first, end):
            number, start, stop = len(self.names), flat.value_from[value] - 1, flat.value_to[value]
            self.names += _VALUE
            self.starts += (start, start)
            self.ends += (stop + 1, stop + 1)
            self.parents += (item, number)
            self.last += (number + 1, number + 1)
            self.terminals.append(("BRACKETED_VALUE", start, stop + 1))

    def add_trees(
        self, flat: FlatTree, trees: Iterable[int], end: int, parent: int, *, sequences: bool
    ) -> None:
        """Add intact GameTree productions, in the order of their "(", to a production.

        Their nodes end before the node `end`. `sequences` is whether the grammar has a production
        for the nodes of each.
        """
        order = list(trees)
        firsts = [flat.tree_node[tree] for tree in order]
        opened: list[tuple[int, int]] = []
        for tree, first, following in zip(order, firsts, [*firsts[1:], end], strict=True):
            opening = flat.tree_open[tree]
            while opened and opened[-1][1] < opening:
                self._close_tree(*opened.pop())
            item = self.open("gametree", opened[-1][0] if opened else parent)
            self.terminals.append(("LPAR", opening, opening + 1))
            nodes = range(first, following)
            if sequences:
                sequence = self.open("sequence", item)
                self.add_nodes(flat, nodes, sequence)
                self.close(sequence)
            else:
                self.add_nodes(flat, nodes, item)
            opened.append((item, flat.tree_close[tree]))
        while opened:
            self._close_tree(*opened.pop())

    def _close_tree(self, item: int, closing: int) -> None:
        self.terminals.append(("RPAR", closing, closing + 1))
        self.close(item)


def strict(flat: FlatTree) -> Syntax:
    """The parse tree by ``sgf.lark`` of a text without damage, from its flat tree."""
    syntax = Syntax()
    root = syntax.open("collection", -1)
    syntax.add_trees(flat, range(len(flat.tree_node)), flat.count, root, sequences=True)
    syntax.close(root)
    return syntax


# --- Damaged texts ------------------------------------------------------------------------


class _Production(NamedTuple):
    """A production of ``tolerant.lark`` with its items."""

    name: str
    children: list[Any]


class _Intact(NamedTuple):
    """A region that the engine read: GameTree productions, or nodes outside of any of them."""

    trees: range
    nodes: range


class _TreeBuilder:
    """Makes a production of each symbol, and leaves intact regions as they are in `flat`."""

    def __init__(self, data: bytes) -> None:
        builder = TolerantBuilder(data)
        self.flat = builder.result.flat
        self.skips = {
            symbol: (terminal, self._region(skip))
            for symbol, (terminal, skip) in builder.skips().items()
        }

    def _region(self, skip: Skip) -> Skip:
        def read(begin: int) -> tuple[_Intact, int] | None:
            trees, nodes = len(self.flat.tree_node), self.flat.count
            found = skip(begin)
            if found is None:
                return None
            inside = range(trees, len(self.flat.tree_node)), range(nodes, self.flat.count)
            return _Intact(*inside), found[1]

        return read

    def __default__(self, name: str, children: list[Any], meta: object) -> _Production:
        """A production of any name."""
        return _Production(name, children)


def tolerant(data: bytes) -> Syntax:
    """The parse tree by ``tolerant.lark``."""
    builder = _TreeBuilder(data)
    parser = LALRParser(tables("tolerant"), builder, builder.skips)
    root = parser.parse(data.decode("latin-1"), "collection")
    syntax = Syntax()
    # Items to add, each with the number of its parent, and numbers of productions to close.
    stack: list[tuple[Any, int]] = [(root, -1)]
    while stack:
        item, parent = stack.pop()
        if isinstance(item, int):
            syntax.close(item)
        elif isinstance(item, _Intact):
            _add_intact(syntax, builder.flat, item, parent)
        elif isinstance(item, Token):
            syntax.add_terminal(item.type, item.start_pos, item.start_pos + len(item), parent)
        else:
            number = syntax.open(item.name, parent)
            stack.append((number, parent))
            stack += [(child, number) for child in reversed(item.children)]
    return syntax


def _add_intact(syntax: Syntax, flat: FlatTree, intact: _Intact, parent: int) -> None:
    if intact.trees:
        trees = sorted(intact.trees, key=flat.tree_open.__getitem__)
        syntax.add_trees(flat, trees, intact.nodes.stop, parent, sequences=False)
    else:
        syntax.add_nodes(flat, intact.nodes, parent)
