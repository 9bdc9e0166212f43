"""Which program wrote a game tree, by its root (``programs.toml``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from sgf_lark import grammar
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import Program


@cache
def program_named(name: str) -> Program:
    """The program of that name."""
    return next(each for each in grammar.programs() if each.name == name)


def program_of_root(flat: FlatTree, root: int) -> str:
    """The name of the program that wrote the game tree of Go with that root; "" if unknown."""
    telling = _telling_idents()
    return _program_of(
        tuple((ident, *flat.raw(prop)) for prop, ident in flat.idents(root) if ident in telling)
    )


# Most games of an archive have one of a few komi, rules and programs.
@lru_cache(maxsize=1024)
def _program_of(properties: tuple[tuple[str | bytes, ...], ...]) -> str:
    """The name of the program that writes these properties, each an identifier and its values."""
    found: dict[str, list[bytes]] = {}
    for ident, *raws in properties:
        found.setdefault(str(ident), []).extend(raw for raw in raws if isinstance(raw, bytes))
    for program in grammar.programs() if found else ():
        if any(fits(sign, found) for sign in program.signs):
            return program.name
    return ""


@cache
def _telling_idents() -> frozenset[str]:
    """The properties by which programs are known."""
    return frozenset(
        ident for program in grammar.programs() for sign in program.signs for ident in sign
    )


def fits(patterns: Mapping[str, str], values: Mapping[str, list[bytes]]) -> bool:
    """Whether each pattern matches one of the values of its property."""
    return patterns.keys() <= values.keys() and all(
        any(matches(pattern, raw) for raw in values[ident]) for ident, pattern in patterns.items()
    )


# As above: few values in many games.
@lru_cache(maxsize=1024)
def matches(pattern: str, raw: bytes) -> bool:
    """Whether the regular expression matches the whole value."""
    return re.fullmatch(pattern, raw.decode("utf-8", "replace")) is not None
