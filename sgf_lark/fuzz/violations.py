"""Random files that violate exactly one rule of the catalogue."""

from __future__ import annotations

import random

from sgf_lark import grammar
from sgf_lark.fuzz import (
    violations_bytes,
    violations_formats,
    violations_nodes,
    violations_older_formats,
    violations_values,
)
from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.violations_base import RECIPES

__all__ = ["COMPANIONS", "UNREACHABLE", "codes", "make_violation", "violate"]

#: Importing these modules registers their recipes.
_RECIPE_MODULES = (
    violations_bytes,
    violations_values,
    violations_formats,
    violations_nodes,
    violations_older_formats,
)

#: Rules that no content of a file can violate, and why.
UNREACHABLE = {
    "SGF001": "it is about files that cannot be read, not about what is in them",
    "SGF440": "each property of the standard that has a range has a rule of its own about it",
}

#: Style diagnostics that a violation always causes as well.
COMPANIONS = {
    "SGF115": frozenset({"SGF804"}),
    "SGF116": frozenset({"SGF804"}),
    "SGF436": frozenset({"SGF905"}),
    "SGF702": frozenset({"SGF701"}),
    "SGF703": frozenset({"SGF701"}),
    "SGF704": frozenset({"SGF701"}),
}


def codes() -> tuple[str, ...]:
    """Return the codes of the rules that :func:`violate` can violate."""
    return tuple(code for code in grammar.rules() if code in RECIPES)


def violate(source: random.Random, code: str | None = None) -> tuple[bytes, str]:
    """Return a file that violates the rule `code`, or any one rule, and the code of that rule.

    In the profile "strict" the only other diagnostics are those that :data:`COMPANIONS` lists,
    and SGF701 (style) if the file has several game trees. Raises KeyError for a code that
    :func:`codes` does not contain.
    """
    return make_violation(RandomChoices(source), code)


def make_violation(choices: Choices, code: str | None = None) -> tuple[bytes, str]:
    """Return a file and a code, as :func:`violate` does, from any source of choices."""
    if code is None:
        code = choices.choice(codes())
    return choices.choice(RECIPES[code])(choices), code
