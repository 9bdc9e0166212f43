"""The parse tree of a text as flat lists, and its terminals for highlighting."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from lark import Lark, Token

from sgf_lark.syntax.grammars import load_lark

#: The punctuation of the structure: highlighted, but not in the tree, as in Lark.
PUNCTUATION = frozenset({"LPAR", "RPAR", "SEMICOLON"})


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


@cache
def _parser(name: str) -> Lark:
    """Lark's parser of that name, which keeps all terminals."""
    return load_lark(name)


def read(data: bytes, *, tolerant: bool) -> Syntax:
    """Lark's parse tree by ``sgf.lark`` or ``tolerant.lark``.

    A production reaches from its first terminal to its last; only a collection can be without.
    """
    root = _parser("tolerant" if tolerant else "strict").parse(data.decode("latin-1"))
    syntax = Syntax()
    # Items to add, each with the number of its parent, and numbers of productions to end.
    stack: list[tuple[Any, int]] = [(root, -1)]
    while stack:
        item, parent = stack.pop()
        if isinstance(item, int):
            # Until now, the number of terminals before it.
            first = syntax.starts[item]
            is_empty = first == len(syntax.terminals)
            syntax.starts[item] = 0 if is_empty else syntax.terminals[first][1]
            syntax.ends[item] = 0 if is_empty else syntax.terminals[-1][2]
            syntax.last[item] = len(syntax.names) - 1
            continue
        is_token = isinstance(item, Token)
        start = (item.start_pos or 0) if is_token else len(syntax.terminals)
        end = start + len(item) if is_token else 0
        number = len(syntax.names)
        if is_token:
            syntax.terminals.append((item.type, start, end))
            if item.type in PUNCTUATION:
                continue
        else:
            stack.append((number, parent))
            stack += [(child, number) for child in reversed(item.children)]
        syntax.names.append(str(item.type if is_token else item.data))
        syntax.starts.append(start)
        syntax.ends.append(end)
        syntax.parents.append(parent)
        syntax.last.append(number)
    return syntax
