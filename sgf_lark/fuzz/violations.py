"""Files that break exactly one rule of the catalogue, rule by rule."""

from __future__ import annotations

import random

from sgf_lark import grammar
from sgf_lark.fuzz import violations_bytes, violations_formats, violations_nodes, violations_values
from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.violations_scene import RECIPES

__all__ = ["COMPANIONS", "UNREACHABLE", "codes", "make_violation", "violate"]

#: Where the recipes stand; each module registers its own.
_RECIPES_OF = (violations_bytes, violations_values, violations_formats, violations_nodes)

#: Rules that no bytes can break, and why.
UNREACHABLE = {"SGF001": "it is about files that cannot be read, not about what is in them"}

#: Notes of style that come with a violation whether one wants it or not.
COMPANIONS = {
    "SGF115": frozenset({"SGF804"}),
    "SGF116": frozenset({"SGF804"}),
    "SGF436": frozenset({"SGF905"}),
    "SGF702": frozenset({"SGF701"}),
    "SGF703": frozenset({"SGF701"}),
    "SGF704": frozenset({"SGF701"}),
}


def codes() -> tuple[str, ...]:
    """The rules that files can be made to break."""
    return tuple(code for code in grammar.rules() if code in RECIPES)


def violate(source: random.Random, code: str | None = None) -> tuple[bytes, str]:
    """A file that breaks the rule `code`, or else one of all, and which one it is.

    In the profile "strict" nothing else is said of it but what :data:`COMPANIONS` lists,
    and SGF701, a note, where the violation stands in one of several trees. Raises
    KeyError for a code that :func:`codes` lacks.
    """
    return make_violation(RandomChoices(source), code)


def make_violation(choices: Choices, code: str | None = None) -> tuple[bytes, str]:
    """:func:`violate` for any source of choices."""
    if code is None:
        code = choices.choice(codes())
    return choices.choice(RECIPES[code])(choices), code
