"""The parse tree of a text as flat lists."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from lark import Token

from sgf_lark.syntax.parse_trees import structure_of


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


def read(data: bytes, *, tolerant: bool) -> Syntax:
    """The parse tree by ``sgf.lark`` or ``tolerant.lark``.

    A production reaches from its first terminal to its last, punctuation included, which is not an
    item; only a collection can be without.
    """
    syntax = Syntax()
    # Items to add, each with the number of its parent.
    stack: list[tuple[Any, int]] = [(structure_of(data, tolerant=tolerant), -1)]
    while stack:
        item, parent = stack.pop()
        number = len(syntax.names)
        if isinstance(item, Token):
            start, end = item.start_pos or 0, (item.start_pos or 0) + len(item)
        else:
            start, end = (getattr(item.meta, f"{name}_pos", 0) for name in ("start", "end"))
            stack += [(child, number) for child in reversed(item.children)]
        syntax.names.append(str(item.type if isinstance(item, Token) else item.data))
        syntax.starts.append(start)
        syntax.ends.append(end)
        syntax.parents.append(parent)
        syntax.last.append(number)
    for item in range(len(syntax.names) - 1, 0, -1):
        above = syntax.parents[item]
        syntax.last[above] = max(syntax.last[above], syntax.last[item])
    return syntax
