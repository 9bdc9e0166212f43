"""Which program wrote a game tree, by its root (``programs.toml``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
    wanted = _idents_of_signs(flat.identifiers(root))
    if not wanted:
        return ""
    signed = [(ident, tuple(flat.raw(prop))) for prop, ident in flat.of_idents(root, wanted)]
    return _program_with(tuple(signed))


# Most roots of an archive have one of a few sets of properties, and what programs are known by
# (AP, komi, rules) is the same in many games.


@lru_cache(maxsize=1024)
def _idents_of_signs(idents: tuple[str, ...]) -> frozenset[str]:
    """The identifiers in those signs of programs for which a root has all properties."""
    return frozenset(ident for _, sign in _signs_among(frozenset(idents)) for ident in sign)


@lru_cache(maxsize=1024)
def _program_with(properties: tuple[tuple[str, tuple[bytes, ...]], ...]) -> str:
    """The program with a sign that fits these properties, each given as its identifier and its
    values; "" if there is none."""
    found: dict[str, list[bytes]] = {}
    for ident, raw in properties:
        found.setdefault(ident, []).extend(raw)
    signs = _signs_among(frozenset(found))
    return next((name for name, sign in signs if fits(sign, found)), "")


def _signs_among(idents: frozenset[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The signs that are about no other properties, each with its program."""
    return (
        (program.name, sign)
        for program in grammar.programs()
        for sign in program.signs
        if sign.keys() <= idents
    )


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
