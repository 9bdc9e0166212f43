"""Random files that violate exactly one rule of the catalogue.

A file starts as an example of the catalogue. Changes of :mod:`~sgf_lark.fuzz.mutants` follow: other
words and identifiers, nearly the same values, more properties, nodes, game trees and white space. A
change is kept if the validator still reports that rule and no other.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.generating_files import Options, make_file
from sgf_lark.fuzz.mutants import ADDITIONS, SMALL_CHANGES, make_grammatical, make_syntactic
from sgf_lark.fuzz.outcomes import Expected
from sgf_lark.validation import validate

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
    unreachable = UNREACHABLE.keys() | grammar.on_request()
    return tuple(code for code in grammar.rules() if code not in unreachable)


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


# --- Documents with a verdict -------------------------------------------------------------------


@dataclass(frozen=True)
class Document:
    """A file, its verdict, and the codes of the rules that it violates on purpose.

    A file with the verdict "either" may violate others too.
    """

    data: bytes
    verdict: Expected
    codes: frozenset[str] = frozenset()


def make_document(choices: Choices) -> Document:
    """Return a file with its verdict."""
    match choices.integer(0, 3):
        case 0 | 1:
            return Document(make_file(choices, Options()), "accept")
        case 2:
            syntactic = choices.chance(3)
            data = make_syntactic(choices) if syntactic else make_grammatical(choices, Options())
            return Document(data, "either")
    data, code = make_violation(choices)
    return Document(data, "reject" if code in syntax_codes() else "either", frozenset({code}))


#: Rules of the syntax have codes below this one.
_END_OF_SYNTAX = "SGF200"


@cache
def syntax_codes() -> frozenset[str]:
    """Return the syntax rules of which every violation is outside the EBNF.

    They are those of which the strict parser rejects all bad examples in the catalogue. An
    identifier that is too long is not among them, nor is a NUL byte: a value may contain it.
    """
    found = {code: grammar.rule(code).bad for code in codes() if code < _END_OF_SYNTAX}
    return frozenset(
        code
        for code, bad in found.items()
        if all(sgf_lark.loads(example.data, tolerant=True).damage for example in bad)
    )
