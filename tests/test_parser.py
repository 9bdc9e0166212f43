"""The strict parser and its error texts."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

import sgf_lark
from sgf_lark import SGFSyntaxError, grammar
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.syntax.parse_trees import parse_tree, pre_order
from sgf_lark.syntax.parsing import parse_strictly as parse
from sgf_lark.syntax.tolerant import parse_tolerant

# (input, code, byte offset of the place)
ERRORS = [
    (b"", "SGF002", 0),
    (b" \n", "SGF002", 0),
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
    (b"(", "SGF002", 0),
    (b"(;B[aa]))", "SGF108", 8),
    (b"(;GM[1])W[tt]", "SGF109", 8),
    (b"(;GM[1];B)", "SGF110", 8),
    (b"(;GM[1];B", "SGF110", 8),
    (b"(;GM[1];KO B[aa])", "SGF110", 8),
    (b"(;[aa])", "SGF111", 2),
    (b"(;B[aa]B L[30])", "SGF112", 7),
    (b"(;GM[1]C1[x])", "SGF113", 7),
    (b"(;GM[1]\xc4B[x])", "SGF113", 7),
    (b"(;FF[4]Black[aa])", "SGF114", 7),
    (b"(;GM[1]comment[x])", "SGF114", 7),
    (b"(;C[see [a] here])", "SGF118", 10),
    (b"(;C[a]])", "SGF118", 5),
    (b"(;C[open", "SGF119", 3),
    (b"(;C[open\\])", "SGF119", 3),
    (b"(;B[aa],;W[bb])", "SGF120", 7),
    (b"(;FF[4]\0GM[1])", "SGF121", 7),
    (b"\0(;FF[4])", "SGF101", 0),
]


@pytest.mark.parametrize(("data", "code", "place"), ERRORS)
def test_error_has_its_code_and_place(data: bytes, code: str, place: int) -> None:
    with pytest.raises(SGFSyntaxError) as caught:
        sgf_lark.loads(data)
    diagnostic = caught.value.diagnostic
    assert (diagnostic.code, diagnostic.span.start) == (code, place)
    found = [(item.code, item.span.start) for item in sgf_lark.validate(data).diagnostics]
    assert (code, place) in found


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


@given(collections())
def test_flat_tree_agrees_with_the_parse_tree(data: bytes) -> None:
    flat = parse(data)
    found: list[tuple[int, list[str]]] = []
    for _, item in pre_order(parse_tree(data)):
        if isinstance(item, Tree) and item.data == "node":
            found.append((item.meta.start_pos, []))
        elif isinstance(item, Token) and item.type in {"UCLETTERS", "BRACKETED_VALUE"}:
            found[-1][1].append(str(item))
    assert [start for start, _ in found] == list(flat.node_start)
    for number, (_, tokens) in enumerate(found):
        expected = []
        for prop in range(*flat.properties_of(number)):
            expected.append(flat.ident(prop))
            expected += [f"[{raw.decode('latin-1')}]" for raw in flat.raw(prop)]
        assert tokens == expected


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
    report = sgf_lark.validate(b"(;" * 20_000, select=["SGF1"])
    assert [(found.code, found.span.start) for found in report.diagnostics] == [("SGF107", 39_998)]


# (input, codes of damage, bytes of the same file without it)
DAMAGED = [
    (b"hello (;FF[4];B[aa])", ["SGF101"], b"(;FF[4];B[aa])"),
    (b"From: a (b) c\n[xy]\n(;FF[4];B[aa])", ["SGF101"], b"(;FF[4];B[aa])"),
    (b"(;FF[4]);;x)(;B[aa])", ["SGF102"], b"(;FF[4])(;B[aa])"),
    (b"(;FF[4]))) x (;B[aa])", ["SGF108", "SGF108", "SGF102"], b"(;FF[4])(;B[aa])"),
    (b"(;FF[4](B[aa];W[bb]))", ["SGF103"], b"(;FF[4](;B[aa];W[bb]))"),
    (b"(;FF[4]()(;B[aa])())", ["SGF104", "SGF104"], b"(;FF[4](;B[aa]))"),
    (b"(;FF[4]((;B[aa])(;B[bb])))", ["SGF105"], b"(;FF[4](;B[aa])(;B[bb]))"),
    (b"((;FF[4];B[aa]))", ["SGF105"], b"(;FF[4];B[aa])"),
    (b"(;FF[4](;B[aa]);B[bb];W[cc])", ["SGF106"], b"(;FF[4](;B[aa])(;B[bb];W[cc]))"),
    (b"(;FF[4](;B[aa])B[bb];W[cc])", ["SGF106"], b"(;FF[4](;B[aa])(;B[bb];W[cc]))"),
    (b"(;FF[4](;B[aa](;W[bb]", ["SGF107"], b"(;FF[4](;B[aa](;W[bb])))"),
    (b"(;FF[4];B;W[bb])", ["SGF110"], b"(;FF[4];;W[bb])"),
    (b"(;FF[4];KO B[aa])", ["SGF110"], b"(;FF[4];B[aa])"),
    (b"(;FF[4];[aa][bb]B[cc])", ["SGF111"], b"(;FF[4];B[cc])"),
    (b"(;FF[4];B L[30]W[aa])", ["SGF112"], b"(;FF[4];BL[30]W[aa])"),
    (b"(;FF[4];C1[x]_N[y])", ["SGF113", "SGF113"], b"(;FF[4];C[x]N[y])"),
    (b"(;FF[4];Black[aa];COmment[x])", ["SGF114", "SGF114"], b"(;FF[4];B[aa];CO[x])"),
    (b"(;FF[3];Black[aa];WHite[bb])", [], b"(;FF[3];B[aa];WH[bb])"),
    (b"(;C[see [a] here];B[aa])", ["SGF118"], b"(;C[see [a\\] here];B[aa])"),
    (b"(;C[a [1], b [2] c]N[x])", ["SGF118"] * 2, b"(;C[a [1\\], b [2\\] c]N[x])"),
    (b"(;C[a (see [1]) c]N[x])", ["SGF118"], b"(;C[a (see [1\\]) c]N[x])"),
    (b"(;B[aa]];W[bb])", ["SGF118"], b"(;B[aa\\]];W[bb])"),
    (b"(;FF[4];C[open", ["SGF119"], b"(;FF[4];C[open])"),
    (b"(;B[aa],, ..;W[bb]7)", ["SGF120", "SGF120"], b"(;B[aa];W[bb])"),
    (b"(;B[aa]\0;W[bb])", ["SGF121"], b"(;B[aa];W[bb])"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "codes", "meant"), DAMAGED)
def test_what_follows_damage_is_read_as_meant(data: bytes, codes: list[str], meant: bytes) -> None:
    found = sgf_lark.validate(data, select=["SGF0", "SGF1"], ignore=["SGF115"]).diagnostics
    assert [item.code for item in found] == codes
    damaged, whole = parse_tolerant(data).flat, parse(meant)
    assert damaged.roots == whole.roots
    assert damaged.parent == whole.parent
    for node in range(len(whole.parent)):
        assert damaged.properties_of(node) == whole.properties_of(node)
    for prop in range(len(whole.ident_start)):
        assert damaged.ident(prop) == whole.ident(prop)
        assert [raw.replace(b"\\]", b"]") for raw in whole.raw(prop)] == damaged.raw(prop)


@given(st.text("()[];AB1a\\ \n:,x\0\xe9", max_size=60).map(lambda text: text.encode("latin-1")))
def test_tolerant_grammar_accepts_anything(data: bytes) -> None:
    result = parse_tolerant(data)
    assert sgf_lark.parse_tree(data, tolerant=True).data == "collection"
    for damage in result.damage:
        assert 0 <= damage.start <= damage.end <= len(data)
    try:
        strict = parse(data)
    except UnexpectedInput:
        assert result.damage or result.lowercase
    else:
        assert not result.damage
        result.flat.data = strict.data
        assert result.flat == strict


#: Parts that make damaged files of trees and nodes without damage.
PARTS = st.lists(
    st.sampled_from(
        ["(;B[aa]", "(;C[x [y] z]", "(;", ";W[bb]C[a]", "(", ")", "))", "]", "[", "?", "B"]
    )
    | collections().map(lambda data: data.decode("latin-1")),
    max_size=12,
).map(lambda parts: "".join(parts).encode("latin-1"))


@given(
    PARTS | mutants() | st.text("()[];AB1a\\ \n:,\0\xe9").map(lambda text: text.encode("latin-1"))
)
def test_damage_is_read_as_lark_reads_it(data: bytes) -> None:
    found, meant = parse_tolerant(data), parse_tolerant(data, "lark")
    assert found.flat == meant.flat
    assert found.damage == meant.damage
    assert found.lowercase == meant.lowercase


def test_tolerant_tree_names_the_damage() -> None:
    tree = sgf_lark.parse_tree(b"x (;B[aa](W[bb])KO)", tolerant=True)
    names = {str(item.data) for _, item in pre_order(tree) if isinstance(item, Tree)}
    assert {"text_outside", "missing_semicolon", "property_after_variation"} <= names
    assert "property_without_value" in names
    with pytest.raises(SGFSyntaxError):
        sgf_lark.parse_tree(b"x (;B[aa])")


def test_tolerant_grammar_has_no_conflicts() -> None:
    # With its terminals made distinct, strict mode has only the productions to judge.
    text = re.sub(r"(?m)^([A-Z_]+)(\.\d)?: /.*/$", r'\1: "<\1>"', grammar.source("tolerant.lark"))
    Lark(text, parser="lalr", start="collection", strict=True)


@pytest.mark.parametrize(
    ("head", "part", "tail"),
    [
        (b"(;", b"a1", b" )"),
        (b"(;", b"1", b"[x])"),
        (b"(", b" ", b"x"),
        (b"(;", b"[],", b""),
        (b"(;C[a", b"] b", b"])"),
        (b"(;C[a", b"]", b""),
        (b"(;C", b"[", b""),
        (b"", b"(", b""),
        (b"", b"(a) ", b"(;)"),
        (b"(;", b"B ", b")"),
        (b"(;", b"A", b"[x])"),
        (b"(;C[", b"\\", b"]"),
        (b"", b"\0", b""),
    ],
)
def test_long_damage_is_read_to_its_end(head: bytes, part: bytes, tail: bytes) -> None:
    """Each of these would take minutes if any step looked ahead without bound."""
    data = head + part * 30_000 + tail
    report = sgf_lark.validate(data)
    assert report.diagnostics
    assert report.diagnostics[-1].span.end <= len(data)
