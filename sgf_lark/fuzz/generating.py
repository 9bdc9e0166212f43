"""Random words of the languages that the grammar files define.

Generators take every decision as an integer from a :class:`Choices`. The integers come from a
random number generator, or from Hypothesis, which can then shrink them.
"""

from __future__ import annotations

import ast
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any, TypeVar

from lark import Tree

from sgf_lark.syntax import grammars as lark_grammars

Item = TypeVar("Item")


class Choices(ABC):
    """A source of decisions; of several options the first is the simplest."""

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""

    @abstractmethod
    def bulk(self) -> Choices:
        """Return choices for more than some hundred nodes, all determined by one choice of these.

        Hypothesis limits how many choices one example may take.
        """

    def octets(self, count: int) -> Iterable[int]:
        """Return `count` numbers from 0 to 255."""
        return [self.integer(0, 255) for _ in range(count)]

    def count(self, low: int, high: int) -> int:
        """Return how many parts follow: a number from `low` to `high`, both included."""
        return self.integer(low, high)

    def part(self, make: Callable[[], Item]) -> Item:
        """Return what `make` returns: a node, or another part that can be left out as a whole."""
        return make()

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of `items`."""
        return items[self.integer(0, len(items) - 1)]

    def chance(self, out_of: int) -> bool:
        """Return True once in `out_of` times."""
        return self.integer(0, out_of - 1) == out_of - 1

    def some(self, items: Sequence[Item], limit: int) -> list[Item]:
        """Return at most `limit` different ones of `items`."""
        left = list(items)
        count = self.integer(0, min(limit, len(left)))
        return [left.pop(self.integer(0, len(left) - 1)) for _ in range(count)]


class RandomChoices(Choices):
    """Choices made by a ``random.Random``."""

    def __init__(self, source: random.Random) -> None:
        """Take all decisions from `source`."""
        self._random = source.random

    def integer(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""
        # Not randint(): it takes several times as long, and only random() is the same in all
        # versions of Python.
        return low + int(self._random() * (high - low + 1))

    def bulk(self) -> Choices:
        """Return these choices: they have no limit."""
        return self


# --- Words --------------------------------------------------------------------------

#: Generators that replace the production of a symbol, by the name of the symbol.
Overrides = Mapping[str, Callable[[Choices], bytes]]


@dataclass(slots=True)
class Making:
    """The state while one word is generated.

    `fuel` limits how many optional repetitions the whole word may have; `gap` generates
    what separates the parts of a rule.
    """

    choices: Choices
    overrides: Overrides = field(default_factory=dict)
    fuel: int = 1_000
    gap: Callable[[], bytes] | None = None

    def join(self, parts: list[bytes]) -> bytes:
        """Return the parts as one, with a gap between each two."""
        if self.gap is None:
            return b"".join(parts)
        joined = parts[:1]
        for part in parts[1:]:
            joined += self.gap(), part
        return b"".join(joined)


Maker = Callable[[Making], bytes]

#: The highest number of repetitions in addition to the required ones.
_MAX_OPTIONAL = 4


def word(file: str, symbol: str, making: Making) -> bytes:
    """Return a word of a rule or terminal of a grammar file, such as ``"values.lark"``.

    Where the grammar allows any character, it is a visible ASCII character without a meaning
    in SGF.
    """
    return _makers(file)(symbol)(making)


@cache
def _makers(file: str) -> Callable[[str], Maker]:
    """Return the function that gives the maker of each symbol of a grammar file."""
    rules = lark_grammars.rule_trees(file)
    terminals = lark_grammars.terminal_patterns(file)

    @cache
    def maker(symbol: str) -> Maker:
        make = of_tree(rules[symbol]) if symbol in rules else _of_pattern(terminals[symbol])

        def make_or_override(making: Making) -> bytes:
            override = making.overrides.get(symbol)
            return make(making) if override is None else override(making.choices)

        return make_or_override

    def of_tree(tree: Any) -> Maker:
        if not isinstance(tree, Tree):
            name = str(getattr(tree, "name", tree))
            # Rules may be recursive: the maker is found when it is called.
            return lambda making: maker(name)(making)
        if tree.data == "literal":
            return _constant(str(ast.literal_eval(str(tree.children[0]))).encode("latin-1"))
        operators = [str(child) for child in tree.children if lark_grammars.is_operator(child)]
        parts = [of_tree(child) for child in tree.children if not lark_grammars.is_operator(child)]
        if tree.data == "expansions":
            return _alternation(parts)
        if tree.data in {"maybe", "expr"}:
            return _repetition(parts[0], *_bounds(operators or ["?"]))
        return parts[0] if len(parts) == 1 else _sequence(parts)

    return maker


def _constant(data: bytes) -> Maker:
    return lambda making: data


def _alternation(makers: list[Maker]) -> Maker:
    if len(makers) == 1:
        return makers[0]
    return lambda making: making.choices.choice(makers)(making)


def _sequence(makers: list[Maker]) -> Maker:
    return lambda making: making.join([make(making) for make in makers])


def _repetition(make: Maker, low: int, high: int) -> Maker:
    def repeat(making: Making) -> bytes:
        limit = max(low, min(high, low + making.fuel))
        count = making.choices.integer(low, limit)
        making.fuel -= count - low
        return making.join([make(making) for _ in range(count)])

    return repeat


def _bounds(operators: list[str]) -> tuple[int, int]:
    """Return the least and the greatest count that Lark's "?", "*", "+" or "~ 2..4" allows."""
    if operators[0] == "~":
        return int(operators[1]), int(operators[-1])
    return {"?": (0, 1), "*": (0, _MAX_OPTIONAL), "+": (1, 1 + _MAX_OPTIONAL)}[operators[0]]


# --- Regular expressions --------------------------------------------------------------

# The terminals of Lark are expressions of Python, which only Python's own parser reads as they are
# meant; it has had no public name since Python 3.11.

#: Preferred where the pattern of a terminal allows them.
_VISIBLE = frozenset(range(0x21, 0x7F)) - frozenset(b"[]\\")


def word_of_pattern(pattern: str, choices: Choices) -> bytes:
    """Return a word of a regular expression over bytes, each written as the character of its
    number.

    The expression may not contain assertions, such as ``(?=…)``.
    """
    return _of_pattern(pattern)(Making(choices))


@cache
def _of_pattern(pattern: str) -> Maker:
    return _of_items(_parser.parse(pattern, re.ASCII), 0)


def _of_items(items: Any, flags: int) -> Maker:
    """Return the maker of a parsed expression, which never has gaps; `flags` are those of `re`."""
    makers = [_of_item(items, item, flags) for item in items]
    if len(makers) == 1:
        return makers[0]
    return lambda making: b"".join([make(making) for make in makers])


def _of_item(items: Any, item: Any, flags: int) -> Maker:
    kind, value = item
    match str(kind):
        case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
            one = _parser.SubPattern(items.state, [item])
            return _one_byte(_compiler.compile(one, flags))
        case "BRANCH":
            return _alternation([_of_items(branch, flags) for branch in value[1]])
        case "SUBPATTERN":
            _, added, removed, inner = value
            return _of_items(inner, (flags | added) & ~removed)
        case "MAX_REPEAT" | "MIN_REPEAT":
            low, high, inner = value
            make = _of_items(inner, flags)
            repeat = _repetition(make, low, min(int(high), low + _MAX_OPTIONAL))
            return lambda making: repeat(Making(making.choices, making.overrides))
    raise ValueError(f"not supported in a regular expression: {kind}")


def _one_byte(pattern: re.Pattern[str]) -> Maker:
    members = {number for number in range(256) if pattern.fullmatch(chr(number))}
    # The simplest first: letters and digits, then ASCII.
    options = [
        bytes([number])
        for number in sorted(
            members & _VISIBLE or members,
            key=lambda each: (not chr(each).isalnum(), each > 127, each),
        )
    ]
    if len(options) == 1:
        return _constant(options[0])
    return lambda making: making.choices.choice(options)
