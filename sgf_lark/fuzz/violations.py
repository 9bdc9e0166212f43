"""Random files that violate exactly one rule of the catalogue.

A file starts as an example of the catalogue. Changes of :mod:`~sgf_lark.fuzz.mutants` follow: other
words and identifiers, nearly the same values, more properties, nodes, game trees and white space. A
change is kept if the validator still reports that rule and no other.
"""

from __future__ import annotations

import random
from functools import cache, partial

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.mutants import ADDITIONS, SMALL_CHANGES
from sgf_lark.validation import validate

__all__ = ["COMPANIONS", "UNREACHABLE", "codes", "make_violation", "violate"]

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
#: The style diagnostic of a file with several game trees, which a change may add.
_SEVERAL_TREES = "SGF701"
#: At most this many small changes and additions are tried.
MOST_CHANGES, _MOST_ADDITIONS = 10, 2


def codes() -> tuple[str, ...]:
    """Return the codes of the rules that :func:`violate` can violate."""
    return tuple(code for code in grammar.rules() if code not in UNREACHABLE)


def violate(
    source: random.Random, code: str | None = None, *, changes: int = MOST_CHANGES
) -> tuple[bytes, str]:
    """Return a file that violates the rule `code`, or any one rule, and the code of that rule.

    At most so many small `changes` are tried on an example, each of which takes a validation. In
    the profile "strict" the only other diagnostics are those that :data:`COMPANIONS` lists,
    and SGF701 (style) if the file has several game trees. Raises KeyError for a code that
    :func:`codes` does not contain.
    """
    return make_violation(RandomChoices(source), code, changes)


def make_violation(
    choices: Choices, code: str | None = None, most_changes: int = MOST_CHANGES
) -> tuple[bytes, str]:
    """Return a file and a code, as :func:`violate` does, from any source of choices."""
    if code is None:
        code = choices.choice(codes())
    data = choices.choice(examples(code))
    changes = [choices.choice(SMALL_CHANGES) for _ in range(choices.count(1, most_changes))]
    changes += [choices.choice(ADDITIONS) for _ in range(choices.count(0, _MOST_ADDITIONS))]
    for change in changes:
        changed = choices.part(partial(change, data, choices))
        if changed != data and violates_only(changed, code):
            data = changed
    return data, code


def violates_only(data: bytes, code: str) -> bool:
    """Whether the file violates that rule and no other, apart from :data:`COMPANIONS`."""
    found = {kind[0] for kind in validate(data).kinds}
    return found | {_SEVERAL_TREES} == {code, _SEVERAL_TREES, *COMPANIONS.get(code, ())}


@cache
def examples(code: str) -> tuple[bytes, ...]:
    """Return the examples of the catalogue that violate that rule and no other.

    Raises KeyError if there are none.
    """
    rule = grammar.rule(code)
    found = [each.data for each in (*rule.bad, *rule.noted) if violates_only(each.data, code)]
    if not found:
        raise KeyError(code)
    return tuple(found)
