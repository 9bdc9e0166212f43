"""The parse tree of a text as flat lists, and its terminals for highlighting."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from lark import Lark, Token

from sgf_lark.syntax.grammars import load_lark
from sgf_lark.syntax.parsing import parse_if_strict

#: The punctuation of the structure: highlighted, but not in the tree, as in Lark.
PUNCTUATION = frozenset({"LPAR", "RPAR", "SEMICOLON"})


@cache
def _parser(tolerant: bool) -> Lark:
    """Lark's parser that keeps all terminals.

    The offsets of rules follow from those of the terminals. That takes half the time of
    Lark's option ``propagate_positions``.
    """
    return load_lark("tolerant" if tolerant else "strict")


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


def read(data: bytes) -> Syntax:
    """Parse by ``sgf.lark``, or by ``tolerant.lark`` if the text does not follow that."""
    syntax = Syntax()
    root = _parser(parse_if_strict(data) is None).parse(data.decode("latin-1"))
    stack: list[tuple[Any, int]] = [(root, -1)]
    while stack:
        item, parent = stack.pop()
        if isinstance(item, Token):
            start = item.start_pos or 0
            end = start + len(item)
            syntax.terminals.append((item.type, start, end))
            if item.type in PUNCTUATION:
                _widen(syntax, parent, start, end)
            else:
                _add(syntax, item.type, start, end, parent)
        else:
            number = _add(syntax, item.data, len(data), 0, parent)
            stack += [(child, number) for child in reversed(item.children)]
    _close(syntax)
    return syntax


def _add(syntax: Syntax, name: str, start: int, end: int, parent: int) -> int:
    syntax.names.append(str(name))
    syntax.starts.append(start)
    syntax.ends.append(end)
    syntax.parents.append(parent)
    syntax.last.append(len(syntax.last))
    return len(syntax.names) - 1


def _widen(syntax: Syntax, item: int, start: int, end: int) -> None:
    syntax.starts[item] = min(syntax.starts[item], start)
    syntax.ends[item] = max(syntax.ends[item], end)


def _close(syntax: Syntax) -> None:
    """Set the offsets of rules from their items, and `last`."""
    for item in range(len(syntax.names) - 1, 0, -1):
        parent = syntax.parents[item]
        _widen(syntax, parent, syntax.starts[item], syntax.ends[item])
        syntax.last[parent] = max(syntax.last[parent], syntax.last[item])
    # Only the collection can be empty.
    syntax.starts[0] = min(syntax.starts[0], syntax.ends[0])
