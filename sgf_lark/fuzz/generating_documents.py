"""Files together with what a strict parser has to make of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Literal

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.generating_files import Options, make_file
from sgf_lark.fuzz.generating_grammatical import make_grammatical, make_syntactic
from sgf_lark.fuzz.violations import codes, make_violation

#: "accept": the file conforms. "reject": it does not follow the EBNF. "either": it does, or
#: nearly, but may break other rules, and how strict a parser is about these is its own affair.
Verdict = Literal["accept", "reject", "either"]


@dataclass(frozen=True)
class Document:
    """A file, the verdict on it, and the codes of the rules that it was made to break.

    A file for which any verdict does may break others too.
    """

    data: bytes
    verdict: Verdict
    codes: frozenset[str] = frozenset()


def document(source: random.Random) -> Document:
    """A file with a verdict, all of it picked from `source`."""
    return make_document(RandomChoices(source))


def make_document(choices: Choices) -> Document:
    """:func:`document` for any source of choices."""
    match choices.integer(0, 3):
        case 0 | 1:
            return Document(make_file(choices, Options()), "accept")
        case 2:
            meaningless = choices.chance(3)
            data = make_syntactic(choices) if meaningless else make_grammatical(choices, Options())
            return Document(data, "either")
    data, code = make_violation(choices)
    return Document(data, "reject" if code in syntax_codes() else "either", frozenset({code}))


#: Rules of the syntax have codes below this one.
_END_OF_SYNTAX = "SGF200"


@cache
def syntax_codes() -> frozenset[str]:
    """The rules of the syntax whose every violation leaves the EBNF.

    The examples of the catalogue tell: an identifier that is too long is none of them,
    and a NUL byte can stand in a value.
    """
    return frozenset(code for code in codes() if code < _END_OF_SYNTAX and _always_refused(code))


def _always_refused(code: str) -> bool:
    for example in grammar.rule(code).bad:
        try:
            sgf_lark.loads(example.data)
        except sgf_lark.SGFSyntaxError:
            continue
        return False
    return True
