"""Amounts in a file: of its nodes, of the bytes of a value, and the numbers in it.

A parser often fails from some amount on, so the feature of a file is an amount "or more", and the
change that removes it leaves one less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from sgf_lark.fuzz.tokens import PARENTHESES, PROPERTY, mark_value, narrow

#: Changes a part of marked text, a value with its brackets or the text of the file, so that it does
#: not have the amount of that argument.
Change = Callable[[str, str], str]


@dataclass(frozen=True)
class Amount:
    """One kind of amount in a part of marked text.

    `measure` gives the amounts in a part, `less` has the changes of a part, the smallest first.
    Smaller amounts than `least` are no features; it is None for numbers: of one, both its value and
    "its value or more" are features.
    """

    measure: Callable[[str], Iterable[int]]
    less: tuple[Change, ...]
    least: int | None = None

    def find(self, part: str) -> Iterator[str]:
        """Yield the arguments of the features of a part."""
        for number in self.measure(part):
            if self.least is None:
                yield from (str(number), f"{number}+")
            elif number >= self.least:
                yield str(number)

    def has(self, part: str, argument: str) -> bool:
        """Whether a part has the feature with that argument."""
        limit = argument if self.least is None else f"{argument}+"
        return any(_fits(number, limit) for number in self.measure(part))


def _fits(number: int, argument: str) -> bool:
    limit = int(argument.removesuffix("+"))
    return number >= limit if argument.endswith("+") else number == limit


# --- Values -------------------------------------------------------------------------------------

_NUMBER = re.compile("[0-9]+")
#: A value that has only numbers: digits in other values may mean nothing.
_NUMERIC = re.compile("［[0-9+:-]{1,400}］")


def _numbers(value: str) -> Iterable[int]:
    return map(int, _NUMBER.findall(value)) if _NUMERIC.fullmatch(value) else ()


def _other_numbers(argument: str, value: str) -> str:
    new = int(argument.removesuffix("+")) + (-1 if argument.endswith("+") else 1)
    if new < 0 or not _NUMERIC.fullmatch(value):
        return value
    return _NUMBER.sub(
        lambda found: str(new) if _fits(int(found[0]), argument) else found[0], value
    )


def _beginning(argument: str, value: str, share: int = 1) -> str:
    content = narrow(value[1:-1])[: (int(argument) - 1) // share].rstrip("\\")
    return f"［{mark_value(content)}］"


def _end(argument: str, value: str, share: int = 1) -> str:
    # An escape cut in two must not close the value.
    content = narrow(value[1:-1])[-((int(argument) - 1) // share) :].lstrip("\\]")
    return f"［{mark_value(content)}］"


# --- The file -----------------------------------------------------------------------------------

_OPEN, _CLOSE = PARENTHESES[::2], PARENTHESES[1::2]
_OTHER_TREE = PARENTHESES[2]
_TREE = re.compile("[（｟][^｟]*")
_NODE = re.compile(f"；[^；{PARENTHESES}]*")


def _shorter_identifiers(argument: str, text: str) -> str:
    return PROPERTY.sub(lambda found: found[1][: int(argument) - 1] + found[2], text)


def _other_identifiers(argument: str, text: str) -> str:
    # Rules are about what is shorter, or like a property, but not about these letters.
    return PROPERTY.sub(
        lambda found: (found[1] if len(found[1]) < int(argument) else "ＸＸ") + found[2], text
    )


def _fewer_nodes(argument: str, text: str) -> str:
    left = iter(range(int(argument) - 1))
    return _NODE.sub(lambda node: node[0] if next(left, None) is not None else "", text)


def _first_trees(argument: str, text: str) -> str:
    return "".join(_TREE.findall(text)[: int(argument) - 1])


def _last_trees(argument: str, text: str) -> str:
    return "".join(_TREE.findall(text)[1 - int(argument) :])


def _depth(text: str) -> int:
    steps = ((character in _OPEN) - (character in _CLOSE) for character in text)
    return max(accumulate(steps, lambda above, step: max(0, above + step)), default=0)


def _less_depth(argument: str, text: str, whole: bool = False) -> str:
    """Return marked text without the parentheses, or the `whole` trees, nested too deep."""
    kept = []
    depth = 0
    for character in text:
        depth += character in _OPEN
        if depth < int(argument) or not (whole or character in PARENTHESES):
            kept.append(character)
        depth = max(0, depth - (character in _CLOSE))
    return "".join(kept)


#: The kinds of amounts by the families of their features. The first two are measured in each value.
AMOUNTS = {
    "number": Amount(_numbers, (_other_numbers,)),
    "long-value": Amount(
        lambda value: [len(narrow(value[1:-1]))],
        (_beginning, _end, partial(_beginning, share=2), partial(_end, share=2)),
        65,
    ),
    "long-identifier": Amount(
        lambda text: (len(found[1]) for found in PROPERTY.finditer(text)),
        (_shorter_identifiers, _other_identifiers),
        3,
    ),
    "nodes": Amount(lambda text: [text.count("；")], (_fewer_nodes,), 10),
    "nesting": Amount(
        lambda text: [_depth(text)], (_less_depth, partial(_less_depth, whole=True)), 10
    ),
    "game-trees": Amount(
        lambda text: [text.count(_OTHER_TREE) + 1], (_first_trees, _last_trees), 3
    ),
}
