"""The strict parser and its error texts."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import SGFSyntaxError
from sgf_lark.parser import parse, parse_tree, pre_order
from tests.strategies import collections

# (input, code, byte offset of the place)
ERRORS = [
    (b"", "SGF002", 0),
    (b" \n", "SGF002", 2),
    (b"hello", "SGF002", 0),
    (b"hello (;GM[1])", "SGF101", 0),
    (b"(;GM[1]) hello (;GM[1])", "SGF102", 9),
    (b"( FF[4]GM[1])", "SGF103", 2),
    (b"(;B[aa](W[bb]))", "SGF103", 8),
    (b"()", "SGF104", 0),
    (b"(;B[aa] ( ))", "SGF104", 8),
    (b"(;B[aa]((;W[bb])))", "SGF105", 8),
    (b"(;GM[1](;B[aa]);B[bb])", "SGF106", 15),
    (b"(;GM[1](;B[aa])B[bb])", "SGF106", 15),
    (b"(;B[aa](;W[bb])", "SGF107", 0),
    (b"(;B[aa](;W[bb]", "SGF107", 7),
    (b"(", "SGF107", 0),
    (b"(;B[aa]))", "SGF108", 8),
    (b"(;GM[1])W[tt]", "SGF109", 8),
    (b"(;GM[1];B)", "SGF110", 8),
    (b"(;GM[1];B", "SGF110", 8),
    (b"(;GM[1];KO B[aa])", "SGF110", 8),
    (b"(;[aa])", "SGF111", 2),
    (b"(;B[aa]B L[30])", "SGF112", 7),
    (b"(;GM[1]C1[x])", "SGF113", 7),
    (b"(;GM[1]\xc4B[x])", "SGF113", 7),
    (b"(;Black[aa])", "SGF114", 2),
    (b"(;GM[1]comment[x])", "SGF114", 7),
    (b"(;C[see [a] here])", "SGF118", 12),
    (b"(;C[a]])", "SGF118", 6),
    (b"(;C[open", "SGF119", 3),
    (b"(;C[open\\])", "SGF119", 3),
    (b"(;B[aa],;W[bb])", "SGF120", 7),
    (b"(;FF[4]\0GM[1])", "SGF121", 7),
    (b"\0(;FF[4])", "SGF121", 0),
]


@pytest.mark.parametrize(("data", "code", "place"), ERRORS)
def test_error_has_its_code_and_place(data: bytes, code: str, place: int) -> None:
    with pytest.raises(SGFSyntaxError) as caught:
        sgf_lark.loads(data)
    diagnostic = caught.value.diagnostic
    assert (diagnostic.code, diagnostic.span.start) == (code, place)
    assert [found.code for found in sgf_lark.validate(data).diagnostics] == [code]


def test_error_text_shows_line_caret_and_what_was_allowed() -> None:
    with pytest.raises(SGFSyntaxError) as caught:
        sgf_lark.loads(b"(;FF[4]\n;B[aa]\n;W[bb],;B[cc])")
    error = caught.value
    assert error.diagnostic.span.line == 3
    assert error.diagnostic.span.column == 7
    lines = str(error).splitlines()
    excerpt = next(line for line in lines if ",;B[cc]" in line)
    caret = lines[lines.index(excerpt) + 1]
    assert excerpt[caret.index("^")] == ","
    assert "SEMICOLON" in error.expected
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@given(st.binary(max_size=60))
def test_random_bytes_raise_nothing_else(data: bytes) -> None:
    try:
        collection = sgf_lark.loads(data)
    except SGFSyntaxError as error:
        span = error.diagnostic.span
        assert 0 <= span.start <= span.end <= len(data)
    else:
        assert sgf_lark.dumps(collection) == data


@given(st.text("()[];AB1a\\ \n:,x\0\xe9", max_size=40))
def test_bytes_like_sgf_raise_nothing_else(text: str) -> None:
    data = text.encode("latin-1")
    report = sgf_lark.validate(data)
    for found in report.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(data)
        assert found.span.line >= 1 and found.span.column >= 1
    try:
        sgf_lark.loads(data)
    except SGFSyntaxError:
        assert not report.ok


@given(collections(), st.data())
def test_flat_tree_agrees_with_the_parse_tree(data: bytes, _: st.DataObject) -> None:
    flat = parse(data)
    tree = parse_tree(data)
    nodes = [item for _, item in pre_order(tree) if getattr(item, "data", "") == "node"]
    assert len(nodes) == len(flat.parent)
    for number, node in enumerate(nodes):
        props = range(*flat.properties_of(number))
        assert [flat.ident(p) for p in props] == [
            str(child.children[0].children[0]) for child in node.children
        ]
        assert [b"[" + raw + b"]" for p in props for raw in flat.raw(p)] == [
            value.children[0].encode("latin-1")
            for child in node.children
            for value in child.children[1:]
        ]


@pytest.mark.parametrize("depth", [3, 20_000])
def test_depth_costs_no_recursion(depth: int) -> None:
    data = b"(;B[aa]" * depth + b")" * depth
    collection = sgf_lark.loads(data)
    assert sum(1 for _ in collection[0].nodes()) == depth
    assert sum(1 for _ in collection[0].main_line()) == depth
    collection[0].root["C"] = "edited"
    assert sgf_lark.dumps(collection) == data.replace(b"(;B[aa]", b"(;B[aa]C[edited]", 1)
    assert sgf_lark.validate(data).diagnostics
    assert sum(1 for _ in pre_order(parse_tree(data))) > depth


def test_unclosed_depth_is_one_diagnostic() -> None:
    report = sgf_lark.validate(b"(;" * 20_000)
    assert [found.code for found in report.diagnostics] == ["SGF107"]
