"""The compiled parser against Lark, which reads the same grammar."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark.exceptions import UnexpectedInput

from sgf_lark import engine
from sgf_lark.engine import optimize, tables
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax.strict import parse_by_lark
from sgf_lark.syntax.tolerant import IntactRegions

pytestmark = pytest.mark.skipif(not engine.available, reason="the engine is not compiled")

EXAMPLES = [
    b"(;)",
    b"(;FF[4]GM[1]C[x];B[aa](;W[bb][cc])(;W[dd]))",
    b"(;)(;A[](;)(;(;)(;)))\n(;B[a])",
    rb"(;C[a\]b\\];N[(;]) ",
    b" \t\n(\v;\f AB\r[aa] [bb] ; )",
    b"(;C[\x00\xff\\\xfe])",
    b"",
    b"A",
    b"(",
    b"()",
    b"(;",
    b"(;A",
    b"(;A)",
    b"(;A[",
    b"(;A[\\])",
    b"(;a[x])",
    b"(;A B[x])",
    b"(;A[x]]",
    b"(;A[x](;);)",
    b"(;))",
    b"x(;)",
    b"(;)x",
]
TOKENS = st.lists(
    st.sampled_from(
        [b"(", b")", b";", b"(;", b"B", b"AB", b"[x]", b"[\\]]", b" ", b"\n", b"[", b"]", b"a"]
    ),
    max_size=30,
).map(b"".join)
TREES: st.SearchStrategy[bytes] = st.recursive(
    st.lists(st.sampled_from([b";", b";B[aa]", b";AB[aa][]C[\\]]", b" ; N\n[;]"]), min_size=1),
    lambda trees: st.tuples(
        st.lists(st.sampled_from([b";", b";W[bb]"]), min_size=1),
        st.lists(trees.map(lambda parts: b"(" + b"".join(parts) + b")"), max_size=4),
    ).map(lambda parts: [*parts[0], *parts[1]]),
).map(lambda parts: b"(" + b"".join(parts) + b")")


def by_lark(data: bytes) -> FlatTree | None:
    """The flat tree, None where Lark refuses the file."""
    try:
        return parse_by_lark(data)
    except UnexpectedInput:
        return None


@pytest.mark.parametrize("data", EXAMPLES)
def test_examples_are_read_as_lark_reads_them(data: bytes) -> None:
    assert engine.parse(data) == by_lark(data)


@given(st.binary(max_size=60) | TOKENS | TREES)
def test_all_is_read_as_lark_reads_it(data: bytes) -> None:
    assert engine.parse(data) == by_lark(data)


@given(TREES, st.integers(0, 200), st.sampled_from([b"", b"(", b")", b"]", b"[", b";", b"x"]))
def test_damage_is_refused_where_lark_refuses_it(data: bytes, offset: int, damage: bytes) -> None:
    data = data[:offset] + damage + data[offset + 1 :]
    region = engine.region_parser(data)
    assert region is not None
    refused = region.parse("collection", 0)
    try:
        parse_by_lark(data)
    except UnexpectedInput as error:
        # At the end of the input Lark gives the place of the last token.
        assert refused in (error.pos_in_stream, len(data))
    else:
        assert refused == -1


def test_depth_does_not_matter() -> None:
    flat = engine.parse(b"(;" * 100_000 + b")" * 100_000)
    assert flat is not None and flat.count == 100_000 == len(flat.tree_open)


def test_without_a_compiler_there_is_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "available", False)
    engine.get_parser.cache_clear()
    try:
        assert engine.parse(b"(;)") is None
        assert engine.region_parser(b"(;)") is None
    finally:
        engine.get_parser.cache_clear()


# --- Intact regions --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "begin", "nodes", "end"),
    [
        (b";B[aa];W[bb])x", 0, 2, 12),
        (b";B[aa];W[bb](;))", 0, 2, 12),
        (b"xx;B[aa];W[bb", 2, 1, 8),
        (b";B[aa];W bb];", 0, 1, 6),
        (b";B[aa] ;;x", 0, 2, 8),
        (b";B", 0, None, None),
        (b"B[aa]", 0, None, None),
    ],
)
def test_nodes_up_to_the_damage(
    data: bytes, begin: int, nodes: int | None, end: int | None
) -> None:
    flat = FlatTree(data)
    found = IntactRegions(flat, flat.data).nodes(begin)
    assert found == (None if nodes is None else (range(nodes), end))
    assert list(flat.parent) == list(range(-1, (nodes or 0) - 1))


@given(st.lists(TREES | TOKENS, max_size=4).map(b"x".join))
def test_intact_trees_are_those_that_lark_reads(data: bytes) -> None:
    """Each tree that was read is what is there as a file of its own, moved by its place."""
    flat = FlatTree(data)
    regions = IntactRegions(flat, flat.data)
    offset = 0
    while offset < len(data):
        found = regions.tree(offset) if data[offset : offset + 1] == b"(" else None
        if found is None:
            ends = [end for end in range(offset, len(data)) if data[end : end + 1] == b")"]
            if data[offset : offset + 1] == b"(":
                assert not any(by_lark(data[offset : end + 1]) for end in ends)
            offset += 1
            continue
        (first,), end = found
        alone = by_lark(data[offset:end])
        assert alone is not None
        assert list(flat.node_start)[first:] == [start + offset for start in alone.node_start]
        assert [max(parent - first, -1) for parent in flat.parent[first:]] == list(alone.parent)
        offset = end
    for node in range(flat.count):
        assert flat.data[flat.node_start[node] :].startswith(b";")
        assert all(flat.raw(prop) for prop in range(*flat.properties_of(node)))


# --- Tables ----------------------------------------------------------------------------


def test_tables_are_plain_data_and_always_the_same() -> None:
    computed = tables.compute_tables()
    assert set(computed["starts"]) == set(tables.STARTS)
    assert pickle.loads(pickle.dumps(computed)) == computed == tables.compute_tables()


def test_optimized_tables_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from sgf_lark.engine.parser import Parser

    monkeypatch.setattr(tables, "optimize", lambda table: table)
    plain = Parser(tables.compute_tables())
    for data in EXAMPLES:
        assert plain.parse(data) == engine.parse(data)
    monkeypatch.setattr(tables, "optimize", optimize._without_unit_reductions)
    assert Parser(tables.compute_tables()).parse(EXAMPLES[1]) == plain.parse(EXAMPLES[1])
