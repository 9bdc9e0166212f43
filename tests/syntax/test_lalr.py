"""The LALR(1) loop against Lark's own parser, on small grammars."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import Lark, Transformer
from lark.exceptions import UnexpectedInput

from sgf_lark.lalr_tables import tables_of
from sgf_lark.syntax import grammars
from sgf_lark.syntax.lalr import LALRParser, Token
from tests.kit.tables import for_each

#: Repetition, an alias, brackets that are left out, a production without a name of its own, an
#: empty production, and a terminal that is ignored.
LISTS = r"""
start: "(" item* ")" end
item: WORD | "[" start "]" -> nested | _pair
_pair: "<" WORD WORD ">"
end: "!"?
WORD: /[ab]/
SPACE: / +/
%ignore SPACE
"""

TEXTS = st.text("([<ab>]) !", max_size=14)
OPTIONS = [{}, {"keep_all_tokens": True}]


class Methods(Transformer[Any, Any]):
    """Two productions have methods, the others give trees."""

    def nested(self, children: list[Any]) -> Any:
        return "nested", *children

    def end(self, children: list[Any]) -> Any:
        return len(children)


LARK = [Lark(LISTS, parser="lalr", transformer=Methods(), **options) for options in OPTIONS]
PARSERS = [
    LALRParser(tables_of(Lark(LISTS, parser="lalr", **options)), Methods()) for options in OPTIONS
]


def outcome(parse: Any, text: str, *arguments: str) -> Any:
    try:
        return parse(text, *arguments)
    except (UnexpectedInput, ValueError):
        return None


@given(TEXTS)
@example("()")
@example("(ab)!")
@example("( a <ab> [(b)!] )")
@example("([()][([(a)])])")
@example("(<ab><ba>b)!")
@example("(<a>)")
@example("")
@example("   ")
@example("(a) x")
def test_small_grammar_is_parsed_as_lark_does(text: str) -> None:
    for lark, parser in zip(LARK, PARSERS, strict=True):
        assert outcome(parser.parse, text, "start") == outcome(lark.parse, text)


def test_tokens_have_their_type_and_offset() -> None:
    class Offsets(Methods):
        def item(self, children: list[Token]) -> Any:
            return [(token, token.type, token.start_pos) for token in children]

    parser = LALRParser(tables_of(Lark(LISTS, parser="lalr")), Offsets())
    tree = parser.parse("( a  b<ba>)", "start")
    *items, end = tree.children
    assert items == [[("a", "WORD", 2)], [("b", "WORD", 5)], [("b", "WORD", 7), ("a", "WORD", 8)]]
    assert end == 0


def test_ignored_terminals_call_their_method() -> None:
    class Spaces(Methods):
        found: list[tuple[str, int]]

        def SPACE(self, token: Token) -> None:
            self.found.append((token, token.start_pos))

    methods = Spaces()
    methods.found = []
    LALRParser(tables_of(Lark(LISTS, parser="lalr")), methods).parse(" (a  b)   ", "start")
    assert methods.found == [(" ", 0), ("  ", 3), ("   ", 7)]


@for_each(
    [
        ('?start: "a" | b b\nb: "b"', {}, "options"),
        ('start: [A] "b"\nA: "a"', {"maybe_placeholders": True}, "options"),
        ('start: twice{"a"}\ntwice{x}: x x', {}, "options"),
    ]
)
def test_grammars_with_other_options_are_refused(
    text: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(RuntimeError, match=message):
        tables_of(Lark(text, parser="lalr", **options))


def test_terminals_that_another_may_replace_are_refused() -> None:
    with pytest.raises(RuntimeError):
        tables_of(Lark('start: "if" | WORD\nWORD: /[a-z]+/', parser="lalr"))


def test_other_versions_of_lark_are_refused() -> None:
    with pytest.raises(RuntimeError):
        tables_of(Lark("start: /a/", parser="earley"))


def test_parsers_that_are_lent_come_back() -> None:
    at_rest: list[list[int]] = []
    made: list[list[int]] = []

    def make() -> list[int]:
        made.append([])
        return made[-1]

    with grammars.lent(at_rest, make) as one, grammars.lent(at_rest, make) as two:
        assert one is made[0] and two is made[1]
        assert at_rest == []
    assert len(at_rest) == 2
    with pytest.raises(KeyError), grammars.lent(at_rest, make):
        raise KeyError
    assert len(at_rest) == 2 and len(made) == 2
