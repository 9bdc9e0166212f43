"""Words of the languages that the grammar files define, made by one choice after another.

All that is made here and in the modules beside is made of integers that a
:class:`Choices` picks: at random, or by Hypothesis, which can then shrink it.
"""

from __future__ import annotations

import ast
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from lark import Tree

from sgf_lark.syntax import grammars as lark_grammars

Item = TypeVar("Item")


class Choices(ABC):
    """Where decisions come from. Of all that can be picked the first is the simplest."""

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included."""

    @abstractmethod
    def apart(self) -> Choices:
        """For much of the same: choices that cost nothing, all fixed by one of these."""

    def choice(self, items: Sequence[Item]) -> Item:
        """One of `items`."""
        return items[self.integer(0, len(items) - 1)]

    def chance(self, out_of: int) -> bool:
        """True once in `out_of` times."""
        return self.integer(0, out_of - 1) == out_of - 1

    def some(self, items: Sequence[Item], most: int) -> list[Item]:
        """Up to `most` different ones of `items`."""
        left = list(items)
        count = self.integer(0, min(most, len(left)))
        return [left.pop(self.integer(0, len(left) - 1)) for _ in range(count)]


class RandomChoices(Choices):
    """Choices of a ``random.Random``."""

    def __init__(self, source: random.Random) -> None:
        self._random = source.random

    def integer(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def apart(self) -> Choices:
        return self


# --- Words --------------------------------------------------------------------------

#: Symbols that are made in another way than the grammar says, by their names.
Own = Mapping[str, Callable[[Choices], bytes]]


@dataclass(slots=True)
class Making:
    """One word in the making. `fuel` bounds how often something may be repeated beyond
    what the grammar asks for; `gap` stands between the parts."""

    choices: Choices
    own: Own = field(default_factory=dict)
    fuel: int = 1_000
    gap: Callable[[], bytes] | None = None

    def join(self, parts: list[bytes]) -> bytes:
        if self.gap is None:
            return b"".join(parts)
        joined = parts[:1]
        for part in parts[1:]:
            joined += self.gap(), part
        return b"".join(joined)


Maker = Callable[[Making], bytes]

#: How many more repetitions there are at most than there have to be.
_MORE = 4


def word(file: str, symbol: str, making: Making) -> bytes:
    """A word of a rule or terminal of a grammar file, such as ``"values.lark"``.

    Where a character can be any, it is a visible one of ASCII without a meaning to SGF.
    """
    return _makers(file)(symbol)(making)


@cache
def _makers(file: str) -> Callable[[str], Maker]:
    rules = lark_grammars.rule_trees(file)
    terminals = lark_grammars.terminal_patterns(file)

    @cache
    def maker(symbol: str) -> Maker:
        made = of_tree(rules[symbol]) if symbol in rules else of_pattern(terminals[symbol])

        def make(making: Making) -> bytes:
            own = making.own.get(symbol)
            return made(making) if own is None else own(making.choices)

        return make

    def of_tree(tree: Any) -> Maker:
        if not isinstance(tree, Tree):
            name = str(getattr(tree, "name", tree))
            return lambda making: maker(name)(making)
        if tree.data == "literal":
            return _constant(str(ast.literal_eval(str(tree.children[0]))).encode("latin-1"))
        operators = [str(child) for child in tree.children if lark_grammars.is_operator(child)]
        parts = [of_tree(child) for child in tree.children if not lark_grammars.is_operator(child)]
        if tree.data == "expansions":
            return _one_of(parts)
        if tree.data in {"maybe", "expr"}:
            return _repeated(parts[0], *_bounds(operators or ["?"]))
        return parts[0] if len(parts) == 1 else _all_of(parts)

    return maker


def _constant(data: bytes) -> Maker:
    return lambda making: data


def _one_of(makers: list[Maker]) -> Maker:
    if len(makers) == 1:
        return makers[0]
    return lambda making: making.choices.choice(makers)(making)


def _all_of(makers: list[Maker]) -> Maker:
    return lambda making: making.join([make(making) for make in makers])


def _repeated(make: Maker, low: int, high: int) -> Maker:
    def repeat(making: Making) -> bytes:
        most = max(low, min(high, low + making.fuel))
        count = making.choices.integer(low, most)
        making.fuel -= count - low
        return making.join([make(making) for _ in range(count)])

    return repeat


def _bounds(operators: list[str]) -> tuple[int, int]:
    """Lark's "?", "*", "+" or "~ 2..4" as how often at least and at most."""
    if operators[0] == "~":
        return int(operators[1]), int(operators[-1])
    return {"?": (0, 1), "*": (0, _MORE), "+": (1, 1 + _MORE)}[operators[0]]


# --- Regular expressions --------------------------------------------------------------

#: Preferred where the pattern of a terminal allows it.
_VISIBLE = frozenset(range(0x21, 0x7F)) - frozenset(b"[]\\")


@cache
def of_pattern(pattern: str) -> Maker:
    """Makes words of a regular expression over bytes, each as the character of its number.

    Assertions, such as ``(?=…)``, are not known.
    """
    parsed = import_module("re._parser").parse(pattern)
    return _of_sequence(parsed, bool(parsed.state.flags & 2))


def _of_sequence(sequence: Any, any_case: bool) -> Maker:
    makers = [_of_item(str(kind), value, any_case) for kind, value in sequence]
    return makers[0] if len(makers) == 1 else _all_in_one(makers)


def _all_in_one(makers: list[Maker]) -> Maker:
    """The parts of a terminal, between which there is never a gap."""
    return lambda making: b"".join([make(making) for make in makers])


def _of_item(kind: str, value: Any, any_case: bool) -> Maker:
    match kind:
        case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
            return _one_byte(_members(kind, value), any_case)
        case "BRANCH":
            return _one_of([_of_sequence(branch, any_case) for branch in value[1]])
        case "SUBPATTERN":
            _, added, removed, inner = value
            return _of_sequence(inner, (any_case or bool(added & 2)) and not removed & 2)
        case "MAX_REPEAT" | "MIN_REPEAT":
            low, high, inner = value
            make = _of_sequence(inner, any_case)
            return _closed_up(_repeated(make, low, min(int(high), low + _MORE)))
    raise ValueError(f"not known in a regular expression: {kind}")


def _closed_up(make: Maker) -> Maker:
    return lambda making: make(Making(making.choices, making.own))


def _members(kind: str, value: Any) -> set[int]:
    match kind:
        case "LITERAL":
            return {value}
        case "NOT_LITERAL":
            return set(range(256)) - {value}
        case "ANY":
            return set(range(256))
        case "RANGE":
            return set(range(value[0], value[1] + 1))
        case "CATEGORY":
            return _category(str(value))
    members: set[int] = set()
    negated = False
    for inner, argument in value:
        if str(inner) == "NEGATE":
            negated = True
        else:
            members |= _members(str(inner), argument)
    return set(range(256)) - members if negated else members


def _category(name: str) -> set[int]:
    escape = {"DIGIT": rb"\d", "SPACE": rb"\s", "WORD": rb"\w"}[name.split("_")[-1]]
    members = {number for number in range(256) if re.match(escape, bytes([number]))}
    return set(range(256)) - members if "NOT_" in name else members


def _one_byte(members: set[int], any_case: bool) -> Maker:
    visible = members & _VISIBLE or members
    if any_case:
        visible |= {ord(chr(number).swapcase()) for number in visible if number < 128}
    letters = [bytes([number]) for number in sorted(visible, key=_simplest_first)]
    if len(letters) == 1:
        return _constant(letters[0])
    return lambda making: making.choices.choice(letters)


def _simplest_first(number: int) -> tuple[bool, bool, int]:
    character = chr(number)
    return not character.isalnum(), number > 127, number
