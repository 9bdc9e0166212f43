"""Random files with the verdict that a strict parser must give."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Literal

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.generating_files import Options, make_file
from sgf_lark.fuzz.mutants import make_grammatical, make_syntactic
from sgf_lark.fuzz.violations import codes, make_violation

#: "accept": the file conforms. "reject": it does not follow the EBNF. "either": it follows the
#: EBNF, or nearly, but may violate other rules, which a parser may or may not enforce.
Verdict = Literal["accept", "reject", "either"]


@dataclass(frozen=True)
class Document:
    """A file, its verdict, and the codes of the rules that it violates on purpose.

    A file with the verdict "either" may violate others too.
    """

    data: bytes
    verdict: Verdict
    codes: frozenset[str] = frozenset()


def document(source: random.Random) -> Document:
    """Return a file with its verdict; `source` makes all choices."""
    return make_document(RandomChoices(source))


def make_document(choices: Choices) -> Document:
    """Return a file with its verdict, as :func:`document` does, from any source of choices."""
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
    return frozenset(code for code in codes() if code < _END_OF_SYNTAX and _always_rejected(code))


def _always_rejected(code: str) -> bool:
    for example in grammar.rule(code).bad:
        try:
            sgf_lark.loads(example.data)
        except sgf_lark.SGFSyntaxError:
            continue
        return False
    return True
