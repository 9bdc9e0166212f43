"""The strict and the tolerant parser, and their syntax errors: as modules, and as the public
functions show them."""

from __future__ import annotations

import pickle
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

import sgf_lark
from sgf_lark import engine, grammar
from sgf_lark.flat_tree import TREE_COLUMNS
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.syntax.errors import SGFSyntaxError, syntax_error
from sgf_lark.syntax.parse_trees import parse_tree
from sgf_lark.syntax.strict import parse_by_lark
from sgf_lark.syntax.tolerant import parse_old_identifiers, parse_tolerant
from tests.kit.tables import for_each


def test_error_text_shows_line_caret_and_what_was_allowed() -> None:
    error = syntax_error(b"(;FF[4]\n;B[aa]\n;W[bb],;B[cc])")
    assert (error.diagnostic.span.line, error.diagnostic.span.column) == (3, 7)
    lines = str(error).splitlines()
    excerpt = next(line for line in lines if ",;B[cc]" in line)
    caret = lines[lines.index(excerpt) + 1]
    assert excerpt[caret.index("^")] == ","
    assert "SEMICOLON" in error.expected
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@given(
    st.binary(max_size=60)
    | st.text("()[];AB1a\\ \n:,x\0\xe9", max_size=40).map(lambda text: text.encode("latin-1"))
)
def test_loads_raises_nothing_but_a_syntax_error(data: bytes) -> None:
    try:
        collection = sgf_lark.loads(data)
    except SGFSyntaxError as error:
        span = error.diagnostic.span
        assert 0 <= span.start <= span.end <= len(data)
        # Up to FF[3] identifiers may have lowercase letters, which the EBNF lacks.
        assert not sgf_lark.validate(data).ok or error.diagnostic.code == "SGF114"
    else:
        assert sgf_lark.dumps(collection) == data


@given(collections() | mutants())
def test_trees_are_in_the_order_of_their_parentheses(data: bytes) -> None:
    flat = parse_tolerant(data).flat
    assert list(flat.tree_open) == sorted(flat.tree_open)
    assert len({len(getattr(flat, name)) for name in TREE_COLUMNS}) == 1
    assert set(flat.roots) == {node for node, above in enumerate(flat.parent) if above < 0}


def test_depth_costs_no_recursion() -> None:
    depth = 2_000
    data = b"(;B[aa]" * depth + b")" * depth
    flat = parse_by_lark(data)
    assert list(flat.parent) == list(range(-1, depth - 1))
    assert parse_tolerant(data).flat == flat
    assert sum(1 for _ in parse_tree(data).iter_subtrees()) > depth
    collection = sgf_lark.loads(data)
    assert sum(1 for _ in collection[0].nodes()) == depth
    assert sum(1 for _ in collection[0].main_line()) == depth
    collection[0].root["C"] = "edited"
    assert sgf_lark.dumps(collection) == data.replace(b"(;B[aa]", b"(;B[aa]C[edited]", 1)
    assert sgf_lark.validate(data).diagnostics


def test_unclosed_depth_is_one_damage() -> None:
    report = sgf_lark.validate(b"(;" * 5_000, select=["SGF1"])
    assert [(found.code, found.span.start) for found in report.diagnostics] == [("SGF107", 9_998)]


@given(st.text("()[];AB1a\\ \n:,x\0\xe9", max_size=60).map(lambda text: text.encode("latin-1")))
def test_tolerant_grammar_accepts_anything(data: bytes) -> None:
    result = parse_tolerant(data)
    assert parse_tree(data, tolerant=True).data == "collection"
    for damage in result.damage:
        assert 0 <= damage.start <= damage.end <= len(data)
    try:
        strict = parse_by_lark(data)
    except UnexpectedInput:
        assert result.damage or result.lowercase
    else:
        assert not result.damage
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
    assert parse_tolerant(data) == parse_tolerant(data, "lark")


@for_each(
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
    ]
)
def test_long_damage_is_read_to_its_end(head: bytes, part: bytes, tail: bytes) -> None:
    """Each of these would take many seconds if the lookahead of any step were unlimited."""
    data = head + part * 4_000 + tail
    report = sgf_lark.validate(data)
    assert report.diagnostics
    assert report.diagnostics[-1].span.end <= len(data)


@given(mutants() | st.binary(max_size=60) | st.text("(;[]\\ABa", max_size=30).map(str.encode))
def test_every_property_has_a_value_and_everything_has_its_place(data: bytes) -> None:
    """Compiled code relies on it: it checks no bounds."""
    flat = parse_tolerant(data).flat
    first = 0
    for prop, following in enumerate(flat.value_end):
        assert first < following
        place = flat.ident_start[prop]
        assert 0 <= place <= flat.ident_end[prop] <= flat.value_from[first]
        for value in range(first, following):
            assert place <= flat.value_from[value] <= flat.value_to[value] <= len(data)
            place = flat.value_to[value]
        first = following
    assert first == len(flat.value_from) == len(flat.value_to)
    ends = [0, *flat.property_end]
    assert ends == sorted(ends) and ends[-1] == len(flat.ident_start)
    starts = list(flat.node_start)
    assert starts == sorted(starts) and all(0 <= start <= len(data) for start in starts)
    assert all(-1 <= above < node for node, above in enumerate(flat.parent))


def test_tolerant_tree_names_the_damage() -> None:
    tree = parse_tree(b"x (;B[aa](W[bb])KO)", tolerant=True)
    names = {str(each.data) for each in tree.iter_subtrees()}
    assert {"text_outside", "missing_semicolon", "property_after_variation"} <= names
    assert "property_without_value" in names
    with pytest.raises(SGFSyntaxError):
        parse_tree(b"x (;B[aa])")


@pytest.mark.usefixtures("interegular")
def test_tolerant_grammar_has_no_conflicts() -> None:
    # With its terminals made distinct, strict mode checks only the productions.
    text = re.sub(r"(?m)^([A-Z_]+)(\.-?\d)?: .*$", r'\1: "<\1>"', grammar.source("tolerant.lark"))
    Lark(text, parser="lalr", start="collection", strict=True)


# --- The LALR(1) loop ------------------------------------------------------------


@for_each(["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_parse_trees_of_files_in_unicode(codec: str) -> None:
    tokens = sgf_lark.parse_tree("(;C[é])".encode(codec)).scan_values(lambda token: True)
    assert [token.encode("latin-1").decode() for token in tokens] == ["C", "[é]"]


#: What is put into files with lowercase letters in identifiers: damage, and what may look like it.
_INSERTED = st.sampled_from(
    [*"[]()\\;aZ1: \n\0", "Co[x]", "cO[x]", "co[x]", "] Co [", "[Co[x\\]]", "\\]Co[", "(;"]
)


@given(
    collections(charset="UTF-8"), st.randoms(use_true_random=False), st.lists(_INSERTED, max_size=2)
)
def test_lowercase_letters_in_identifiers(data: bytes, source: Random, inserted: list[str]) -> None:
    """What the strict grammar reads with them in uppercase is what the tolerant grammar reads."""
    flat = parse_by_lark(data)
    changed = data
    for start in reversed(flat.ident_start):
        if source.random() < 0.3:
            letters = source.choice((b"o", b"oP", b"a", b"Zz")) if source.random() < 0.9 else b""
            changed = changed[: start + 1] + letters + changed[start + 1 :]
    assert parse_tolerant(changed) == parse_tolerant(changed, "lark")
    has_lowercase = re.search(rb"[a-z]", re.sub(rb"(?s)\[(?:[^\]\\]|\\.)*\]", b"", changed))
    assert (parse_old_identifiers(changed) is not None) == bool(has_lowercase and engine.available)
    for text in inserted:
        place = source.randrange(len(changed) + 1)
        changed = changed[:place] + text.encode() + changed[place:]
    assert parse_tolerant(changed) == parse_tolerant(changed, "lark")
