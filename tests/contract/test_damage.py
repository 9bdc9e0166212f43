"""Damage is local: what comes before and after it is read all the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.fuzz.violations import UNREACHABLE
from sgf_lark.syntax.tolerant import parse_tolerant
from tests.kit.tables import for_each

HEAD = b"(;FF[4]GM[1]SZ[19]C[before];B[pd];W[dp])\n"
#: A game with one error at its very end.
TAIL = b"\n(;FF[4]GM[1]SZ[19]PB[after];B[pd];W[dp];B[zz])"

#: Damage after which the rest of the file cannot be recognized, or that no file has, and why.
WITHOUT_REST = {
    **UNREACHABLE,
    "SGF002": "there is no game tree",
    "SGF119": "a value that nothing ends holds the rest of the file",
    "SGF214": "one file has one charset",
}
#: What can only be at the beginning of a file.
AT_THE_BEGINNING = {"SGF101", "SGF201"}

EXAMPLES = [
    (rule.code, example)
    for rule in grammar.rules().values()
    for example in (
        rule.bad
        or [example for other in grammar.rules().values() for example in other.good
            if rule.code in example.also]
    )
    if rule.code not in WITHOUT_REST
]  # fmt: skip


@for_each(EXAMPLES, by=lambda code, example: code)
def test_the_file_is_read_on_after_every_kind_of_damage(
    code: str, example: grammar.Example
) -> None:
    data = (b"" if code in AT_THE_BEGINNING else HEAD) + example.data
    select = [code, "SGF401"] if code in grammar.on_request() else None
    report = sgf_lark.validate(data + TAIL, charset_mode=example.charset_mode, select=select)
    found = [item.code for item in report.diagnostics]
    assert code in found
    last = report.diagnostics[-1]
    assert last.code == "SGF401"
    assert (data + TAIL)[last.span.start : last.span.end] == b"zz"


def test_every_code_is_shown_in_the_middle_of_a_file() -> None:
    assert {code for code, _ in EXAMPLES} | WITHOUT_REST.keys() == grammar.rules().keys()


@given(st.binary(max_size=200) | mutants())
def test_spans_lie_within_the_input_and_are_ordered(data: bytes) -> None:
    report = sgf_lark.validate(data)
    last = 0
    for found in report.diagnostics:
        assert last <= found.span.start <= found.span.end <= len(data)
        assert found.span.line >= 1 and found.span.column >= 1
        last = found.span.start
        for span in found.related:
            assert 0 <= span.start <= span.end <= len(data)


_VALUE = re.compile(rb"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


@given(collections(charset="UTF-8"), st.data())
def test_removing_a_value_loses_nothing_of_nodes_before_it(
    data: bytes, draw: st.DataObject
) -> None:
    values = list(_VALUE.finditer(data))
    if not values:
        return
    value = draw.draw(st.sampled_from(values))
    node = data.rfind(b";", 0, value.start())
    before = sgf_lark.validate(data).diagnostics
    after = sgf_lark.validate(data[: value.start(1)] + data[value.end(1) :]).diagnostics
    kept = [(item.code, item.span) for item in after]
    for item in before:
        if item.span.end <= node and not item.related:
            assert (item.code, item.span) in kept


@for_each(grammar.properties())
def test_a_file_may_break_off_after_a_backslash(entry: grammar.PropertyDefinition) -> None:
    game = b"%d" % (entry.games[0] if entry.games else 1)
    for value in (b"\\", b"1996\\", b"aa:x\xe9\\", b"\xe9\\\\\\"):
        data = b"(;FF[4]GM[" + game + b"];" + entry.ident.encode() + b"[" + value
        assert "SGF119" in {found.code for found in sgf_lark.validate(data).diagnostics}
        fixed = sgf_lark.fix(data).data
        assert sgf_lark.fix(fixed).data == fixed


@pytest.mark.parametrize(
    "data", [b"(;FF[4])(", b"(;FF[4])\n( ", b"(;FF[4](", b"(;FF[4](;C[x]((", b"("]
)
def test_a_tree_that_is_only_begun_is_reported_and_fixed(data: bytes) -> None:
    with pytest.raises(sgf_lark.SGFSyntaxError):
        sgf_lark.loads(data)
    assert not sgf_lark.validate(data).ok
    if b";" in data:
        sgf_lark.loads(sgf_lark.fix(data).data)


@given(mutants(changes=2))
def test_what_the_strict_grammar_refuses_has_an_error(data: bytes) -> None:
    report = sgf_lark.validate(data, charset_mode="text")
    try:
        sgf_lark.loads(data)
    except sgf_lark.SGFSyntaxError:
        # Up to FF[3] identifiers may have lowercase letters, which the EBNF lacks.
        assert not report.ok or parse_tolerant(data).lowercase
