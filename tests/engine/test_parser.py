"""The compiled parser against Lark, which reads the same grammar."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from sgf_lark import engine, grammar
from sgf_lark.engine import optimize, tables
from sgf_lark.flat_tree import FlatTree
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


class Builder(Transformer[Token, Any]):
    """A flat tree of Lark's callbacks."""

    def __init__(self, data: bytes) -> None:
        super().__init__(visit_tokens=False)
        self.flat = FlatTree(data)
        self.trees: list[tuple[int, int, int]] = []

    def property(self, children: list[Any]) -> None:
        ident, *values = (child.children[0] for child in children)
        self.flat.ident_start.append(ident.start_pos)
        self.flat.ident_end.append(ident.end_pos)
        self.flat.value_from.extend(value.start_pos + 1 for value in values)
        self.flat.value_to.extend(value.end_pos - 1 for value in values)
        self.flat.value_end.append(len(self.flat.value_from))

    def node(self, children: list[Any]) -> int:
        self.flat.parent.append(self.flat.count - 1)
        self.flat.node_start.append(children[0].start_pos)
        self.flat.property_end.append(len(self.flat.ident_start))
        return self.flat.count - 1

    def gametree(self, children: list[Any]) -> int:
        opening, sequence, *variations, closing = children
        first, last = sequence.children[0], sequence.children[-1]
        for variation in variations:
            self.flat.parent[variation] = last
        self.trees.append((opening.start_pos, first, closing.start_pos))
        return int(first)

    def collection(self, children: list[int]) -> None:
        for root in children:
            self.flat.parent[root] = -1
        for start, first, end in sorted(self.trees):
            self.flat.tree_open.append(start)
            self.flat.tree_node.append(first)
            self.flat.tree_close.append(end)


LARK = Lark(
    grammar.source("sgf.lark"),
    parser="lalr",
    start=["collection", "gametree"],
    keep_all_tokens=True,
)


def by_lark(data: bytes) -> FlatTree | None:
    try:
        tree = LARK.parse(data.decode("latin-1"), "collection")
    except UnexpectedInput:
        return None
    builder = Builder(data)
    builder.transform(tree)
    return builder.flat


def accepts_tree(data: bytes) -> bool:
    try:
        LARK.parse(data.decode("latin-1"), "gametree")
    except UnexpectedInput:
        return False
    return True


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
        LARK.parse(data.decode("latin-1"), "collection")
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


@pytest.mark.parametrize(
    ("data", "begin", "end"),
    [
        (b"(;B[aa])x", 0, 8),
        (b"x(;B[aa](;)(;C[x]))x", 1, 19),
        (b"x(;B[aa](;)(;C[x]))x", 8, 11),
        (b"(;)", 0, 3),
        (b"(;B[aa]", 0, None),
        (b"(;B[aa],)", 0, None),
        (b"()", 0, None),
    ],
)
def test_tree_up_to_its_end(data: bytes, begin: int, end: int | None) -> None:
    flat = FlatTree(data)
    found = IntactRegions(flat, flat.data).tree(begin)
    assert found == (None if end is None else ([0], end))
    assert flat.count == data[begin:end].count(b";") * (end is not None)


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
                assert not any(accepts_tree(data[offset : end + 1]) for end in ends)
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
