"""Features that are amounts: numbers, bytes of a value, nodes, and the depth of game trees.

An argument ``27+``, or ``27`` where only "or more" has a meaning, is 27 or more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sgf_lark.fuzz.features import DECLARATIONS, Feature, Row
from sgf_lark.fuzz.tokens import (
    PARENTHESES,
    PROPERTY,
    VALUE_MARKS,
    ident_of,
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
    """Whether it is a length or a number of parts, of which a file may have fewer."""
    return feature.family in _LEAST


def is_of_structure(feature: Feature) -> bool:
    """Whether it is a number of parts of a file."""
    return feature.family in ("nodes", "nesting")


def _change_values(text: str, ident: str, change: Callable[[str], str]) -> str:
    """Return marked text with other values, in the properties of that name or in all."""

    def changed(found: re.Match[str]) -> str:
        name = ident_of(found[1])
        if name in DECLARATIONS or ident not in ("", name):
            return found[0]
        return found[1] + VALUE_MARKS.sub(lambda value: f"［{change(value[1])}］", found[2])

    return PROPERTY.sub(changed, text)


# --- Numbers --------------------------------------------------------------------------------


def _numbers(text: str, ident: str = "") -> Iterator[tuple[str, int]]:
    for name, raw in values(text):
        if name not in DECLARATIONS and ident in ("", name) and _NUMERIC.fullmatch(raw):
            for digits in _NUMBER.findall(raw):
                yield name, int(digits)


def _find_numbers(text: str) -> Iterator[Feature]:
    for ident, number in _numbers(text):
        yield Feature("number", f"{number}", ident)
        yield Feature("number", f"{number}+", ident)


def _fits(number: int, argument: str) -> bool:
    limit = int(argument.removesuffix("+"))
    return number >= limit if argument.endswith("+") else number == limit


def _change_number(text: str, feature: Feature) -> Iterator[str]:
    argument = feature.argument
    new = int(argument.removesuffix("+")) + (-1 if argument.endswith("+") else 1)
    if new < 0:
        return

    def replaced(found: re.Match[str]) -> str:
        return str(new) if _fits(int(found[0]), argument) else found[0]

    def changed(raw: str) -> str:
        return _NUMBER.sub(replaced, raw) if _NUMERIC.fullmatch(raw) else raw

    yield _change_values(text, feature.ident, changed)


def _number_title(argument: str) -> str:
    number = int(argument.removesuffix("+"))
    return f"number {number} or more" if argument.endswith("+") else f"number {number}"


# --- Lengths and counts -----------------------------------------------------------------------


def amount(text: str, feature: Feature) -> int:
    """Return the amount in marked text of which a feature is a limit."""
    match feature.family:
        case "number":
            return max((number for _, number in _numbers(text, feature.ident)), default=-1)
        case "long-value":
            found = (len(narrow(raw)) for name, raw in values(text) if feature.ident in ("", name))
            return max(found, default=0)
        case "long-identifier":
            return max((len(found[1]) for found in PROPERTY.finditer(text)), default=0)
        case "nodes":
            return text.count("；")
    depth = deepest = 0
    for character in text:
        depth = max(0, depth + (character in _OPEN) - (character in _CLOSE))
        deepest = max(deepest, depth)
    return deepest


def _has(text: str, feature: Feature) -> bool:
    if feature.family != "number":
        return amount(text, feature) >= int(feature.argument)
    return any(_fits(number, feature.argument) for _, number in _numbers(text, feature.ident))


def _find_amount(family: str) -> Callable[[str], Iterator[Feature]]:
    def find(text: str) -> Iterator[Feature]:
        found = amount(text, Feature(family))
        if found >= _LEAST[family]:
            yield Feature(family, str(found))

    return find


def _find_long(text: str) -> Iterator[Feature]:
    for ident, raw in values(text):
        if len(raw) >= _LEAST["long-value"]:
            yield Feature("long-value", str(len(narrow(raw))), ident)


def _change_long(text: str, feature: Feature) -> Iterator[str]:
    limit = int(feature.argument) - 1

    def cut(length: int) -> Callable[[str], str]:
        return lambda raw: mark_value(narrow(raw)[:length].rstrip("\\"))

    for length in (limit, limit // 2):
        yield _change_values(text, feature.ident, cut(length))


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


ROWS = (
    Row(
        "number:{}",
        finder=_find_numbers,
        changer=_change_number,
        checker=_has,
        titles=_number_title,
    ),
    Row("long-value:{}", finder=_find_long, changer=_change_long, checker=_has),
    Row(
        "long-identifier:{}",
        finder=_find_amount("long-identifier"),
        changer=_change_identifiers,
        checker=_has,
    ),
    Row("nodes:{}", finder=_find_amount("nodes"), changer=_change_nodes, checker=_has),
    Row("nesting:{}", finder=_find_amount("nesting"), changer=_change_depth, checker=_has),
)
