"""Features that are amounts: numbers, bytes of a value, nodes, and the depth of game trees.

An argument ``27+``, or ``27`` where only "or more" has a meaning, is 27 or more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import accumulate

from sgf_lark.fuzz.features import DECLARATIONS, Feature, Row
from sgf_lark.fuzz.tokens import (
    PARENTHESES,
    PROPERTY,
    change_values,
    mark_value,
    narrow,
    values,
)

#: Fewer nodes or levels, and shorter values and identifiers, are no features.
_LEAST = {"nodes": 10, "nesting": 10, "long-value": 65, "long-identifier": 9}
_OPEN, _CLOSE = PARENTHESES[::2], PARENTHESES[1::2]
_NUMBER, _NUMERIC = re.compile("[0-9]+"), re.compile("[0-9+:-]{1,400}")
_NODE = re.compile(f"；[^；{PARENTHESES}]*")


def least(feature: Feature) -> Feature:
    """Return the most general feature of its family, if only "or more" has a meaning there."""
    if feature.family not in _LEAST:
        return feature
    return Feature(feature.family, str(_LEAST[feature.family]), feature.ident)


def is_limit(feature: Feature) -> bool:
    """Whether it is an amount of which a file may have less."""
    return feature.family in _LEAST or (
        feature.family == "number" and feature.argument.endswith("+")
    )


def at_most(text: str, feature: Feature, number: int) -> str:
    """Return marked text with no more than that amount, of which the feature is a limit."""
    argument = f"{number + 1}{'+' * feature.argument.endswith('+')}"
    return next(iter(feature.row.changes(text, replace(feature, argument=argument))), text)


def is_of_structure(feature: Feature) -> bool:
    """Whether it is a number of parts of a file."""
    return feature.family in ("nodes", "nesting")


# --- Measuring ------------------------------------------------------------------------------


def _amounts(text: str, family: str) -> Iterator[tuple[str, int]]:
    """Yield the amounts of a family in marked text, and the property in whose value each is."""
    match family:
        case "number":
            for ident, raw in values(text):
                if ident not in DECLARATIONS and _NUMERIC.fullmatch(raw):
                    yield from ((ident, int(digits)) for digits in _NUMBER.findall(raw))
        case "long-value":
            yield from ((ident, len(narrow(raw))) for ident, raw in values(text))
        case "long-identifier":
            yield from (("", len(found[1])) for found in PROPERTY.finditer(text))
        case "nodes":
            yield "", text.count("；")
        case "nesting":
            yield "", max(accumulate(map(_step, text), _depth), default=0)


def _step(character: str) -> int:
    return (character in _OPEN) - (character in _CLOSE)


def _depth(above: int, step: int) -> int:
    return max(0, above + step)


def amount(text: str, feature: Feature) -> int:
    """Return the amount in marked text of which a feature is a limit."""
    found = _amounts(text, feature.family)
    return max((each for ident, each in found if feature.ident in ("", ident)), default=0)


def _find(family: str, text: str) -> Iterator[Feature]:
    for ident, found in _amounts(text, family):
        if found >= _LEAST.get(family, 0):
            yield Feature(family, str(found), ident)
            if family == "number":
                yield Feature(family, f"{found}+", ident)


def _fits(number: int, argument: str) -> bool:
    limit = int(argument.removesuffix("+"))
    return number >= limit if argument.endswith("+") else number == limit


def _has(text: str, feature: Feature) -> bool:
    argument = feature.argument + "+" * (feature.family in _LEAST)
    found = _amounts(text, feature.family)
    return any(_fits(each, argument) for ident, each in found if feature.ident in ("", ident))


# --- Removing -------------------------------------------------------------------------------


def _change_contents(text: str, ident: str, change: Callable[[str], str]) -> str:
    """Return marked text with other values, in the properties of that name or in all."""
    return change_values(
        text,
        lambda value: f"［{change(value[1:-1])}］",
        lambda name: name not in DECLARATIONS and ident in ("", name),
    )


def _change_number(text: str, feature: Feature) -> Iterator[str]:
    argument = feature.argument
    new = int(argument.removesuffix("+")) + (-1 if argument.endswith("+") else 1)
    if new < 0:
        return

    def replaced(found: re.Match[str]) -> str:
        return str(new) if _fits(int(found[0]), argument) else found[0]

    def changed(raw: str) -> str:
        return _NUMBER.sub(replaced, raw) if _NUMERIC.fullmatch(raw) else raw

    yield _change_contents(text, feature.ident, changed)


def _number_title(argument: str) -> str:
    number = int(argument.removesuffix("+"))
    return f"number {number} or more" if argument.endswith("+") else f"number {number}"


def _change_long(text: str, feature: Feature) -> Iterator[str]:
    limit = int(feature.argument) - 1

    def cut(length: int) -> Callable[[str], str]:
        return lambda raw: mark_value(narrow(raw)[:length].rstrip("\\"))

    for length in (limit, limit // 2):
        yield _change_contents(text, feature.ident, cut(length))


def _change_identifiers(text: str, feature: Feature) -> Iterator[str]:
    limit = int(feature.argument)

    def with_long(change: Callable[[str], str]) -> str:
        return PROPERTY.sub(
            lambda found: (found[1] if len(found[1]) < limit else change(found[1])) + found[2],
            text,
        )

    yield with_long(lambda ident: ident[: limit - 1])
    # Rules are about what is shorter, or like a property, but not about these letters.
    yield with_long(lambda ident: "ＸＸ")


def _change_nodes(text: str, feature: Feature) -> Iterator[str]:
    """Yield marked text with one node fewer than the limit."""
    nodes = list(_NODE.finditer(text))
    for node in reversed(nodes[int(feature.argument) - 1 :]):
        text = text[: node.start()] + text[node.end() :]
    yield text


def _change_depth(text: str, feature: Feature) -> Iterator[str]:
    """Yield marked text without the parentheses, or the trees, that are nested too deep."""
    for whole in (False, True):
        kept = []
        depth = 0
        for character in text:
            depth += character in _OPEN
            if depth < int(feature.argument) or not (whole or character in PARENTHESES):
                kept.append(character)
            depth = max(0, depth - (character in _CLOSE))
        yield "".join(kept)


_CHANGERS = {
    "number": _change_number,
    "long-value": _change_long,
    "long-identifier": _change_identifiers,
    "nodes": _change_nodes,
    "nesting": _change_depth,
}
ROWS = tuple(
    Row(
        f"{family}:{{}}",
        finder=partial(_find, family),
        changer=changer,
        checker=_has,
        titles=_number_title if family == "number" else None,
    )
    for family, changer in _CHANGERS.items()
)
