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
    idents = flat.idents(root)
    signs = _signs_among(tuple([ident for _, ident in idents]))
    if not signs:
        return ""
    found: dict[str, list[bytes]] = {}
    for prop, ident in idents:
        found.setdefault(ident, []).extend(flat.raw(prop))
    return next((name for name, sign in signs if fits(sign, found)), "")


# Most roots of an archive have one of a few sets of properties.
@lru_cache(maxsize=1024)
def _signs_among(idents: tuple[str, ...]) -> list[tuple[str, Mapping[str, str]]]:
    """The signs of programs for which a root has all properties, each with the program."""
    return [
        (program.name, sign)
        for program in grammar.programs()
        for sign in program.signs
        if sign.keys() <= {*idents}
    ]


def fits(patterns: Mapping[str, str], values: Mapping[str, list[bytes]]) -> bool:
    """Whether each pattern matches one of the values of its property."""
    return patterns.keys() <= values.keys() and all(
        any(matches(pattern, raw) for raw in values[ident]) for ident, pattern in patterns.items()
    )


# Most games of an archive have one of a few komi, rules and programs.
@lru_cache(maxsize=1024)
def matches(pattern: str, raw: bytes) -> bool:
    """Whether the regular expression matches the whole value."""
    return re.fullmatch(pattern, raw.decode("utf-8", "replace")) is not None
