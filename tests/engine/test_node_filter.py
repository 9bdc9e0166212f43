"""The board, the columns and the filter against plain Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import engine
from sgf_lark.engine.kinds import CleanIf, PropertyBits, Traits
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import games
from sgf_lark.model.board import Board as PlainBoard
from sgf_lark.model.values import Context
from sgf_lark.model.values.notations import NOTATIONS, names_of_points
from sgf_lark.model.values.reader import reader

if not engine.available:
    pytest.skip("the engine is not compiled", allow_module_level=True)

from sgf_lark.engine.board import Board
from sgf_lark.engine.columns import Columns, PointTable, PropertyCache
from sgf_lark.engine.node_filter import CleanNodeFilter


def parsed(data: bytes) -> FlatTree:
    flat = engine.parse(data)
    assert flat is not None
    return flat


def columns_of(data: bytes) -> Columns:
    return Columns(parsed(data))


def points_of(size: int, production: str = "go_point") -> PointTable:
    return PointTable(names_of_points(production, (size, size)), size, size)


def node_filter_of(bits: dict[str, PropertyBits]) -> CleanNodeFilter:
    return CleanNodeFilter(bits, points_of(19), True, b"tt", True)


# --- The board -------------------------------------------------------------------------

CHANGES = st.lists(
    st.tuples(st.sampled_from(["play"] * 8 + ["put", "mark", "undo"]), *[st.integers(0, 99)] * 3),
    max_size=150,
)


@given(st.integers(1, 5), st.integers(1, 5), CHANGES)
def test_board_plays_as_the_plain_board_does(
    columns: int, rows: int, changes: list[tuple[str, int, int, int]]
) -> None:
    plain, compiled = PlainBoard(columns, rows), Board(columns, rows, 100_000)
    marks = [(plain.mark(), 0, plain.cells)]
    for action, column, row, number in changes:
        point = column % columns, row % rows
        place = compiled.place_of(*point)
        if action == "play":
            plain.add_stone(point, number % 2 + 1)
            compiled.play(place, number % 2 + 1)
        elif action == "put":
            plain.put(point, number % 3)
            compiled.put(place, number % 3)
        elif action == "mark":
            marks.append((plain.mark(), compiled.changes, compiled.snapshot(compiled.changes)))
        else:
            del marks[number % len(marks) + 1 :]
            plain.undo_to(marks[-1][0])
            compiled.undo_to(marks[-1][1])
        assert compiled.snapshot(compiled.changes) == plain.cells
        assert all(compiled.snapshot(mark) == cells for _, mark, cells in marks)


def test_board_says_when_it_cannot_take_a_change_back() -> None:
    board = Board(2, 2, 2)
    board.put(board.place_of(0, 0), 1)
    board.put(board.place_of(1, 0), 1)
    assert not board.overflowed
    board.put(board.place_of(0, 1), 1)
    assert board.overflowed and board.changes == 2


# --- Columns ---------------------------------------------------------------------------

DATA = b"(;FF[4]GM[1]ABC[x][y](;B[aa])(;W[bb](;)(;))(;C[]C[z]))"


def test_columns_give_what_the_flat_tree_gives() -> None:
    flat = parsed(DATA)
    columns = Columns(flat)
    for node in range(flat.count):
        bounds = columns.first_property(node), columns.end_of_properties(node)
        assert bounds[0] == bounds[1] or bounds == flat.properties_of(node)
        children = [child for child in range(flat.count) if flat.parent[child] == node]
        found = []
        child = columns.first_child(node)
        while child >= 0:
            found.append(child)
            child = columns.next_sibling(child)
        assert found == children
    for prop in range(len(flat.ident_start)):
        assert columns.ident(prop) == flat.ident(prop)
        assert columns.raw(prop) == flat.raw(prop)
        assert columns.span(prop) == flat.property_span(prop)
        raw = flat.raw(prop)
        assert columns.only_value(prop) == (raw[0] if len(raw) == 1 else None)
    assert columns.first_values(0, frozenset({"FF", "GM", "SZ"})) == {"FF": b"4", "GM": b"1"}
    values = range(1, len(flat.value_from))
    for byte in (b"a", b"b", b"1", b"["):
        expected = FlatTree.values_with(flat, byte, values)
        assert columns.values_with(ord(byte), values.start, values.stop) == expected


# --- The points of a board ---------------------------------------------------------------


def find(points: PointTable, name: bytes) -> bool:
    """Whether the table has a point of that name."""
    cache = PropertyCache(20, points)
    cache.clean_if[b"TR"] = CleanIf.POINT
    _, _, unknown = columns_of(b"(;TR[%s])" % name).cached_findings(0, cache, True, [])
    return not unknown


@pytest.mark.parametrize("production", sorted({*NOTATIONS} - {"backgammon_point"}))
@pytest.mark.parametrize("size", [(1, 1), (5, 3), (19, 19), (26, 9), (52, 52), (53, 1)])
def test_names_of_points_are_those_that_the_reader_reads(
    production: str, size: tuple[int, int]
) -> None:
    names = names_of_points(production, size)
    assert len(names) == (0 if max(size) > 52 else size[0] * size[1])
    game = next(game for game in games().values() if game.point == production)
    known = reader(Context(game.number, 4, size))
    for index, name in enumerate(names):
        row, column = divmod(index, size[0])
        if name:
            assert known.read("point", name) == (column, row)
        else:
            assert production not in ("go_point", "hex_point")
    assert names_of_points("unknown", size) == names_of_points(production, None) == []


@pytest.mark.parametrize(
    ("production", "size", "others"),
    [
        ("go_point", 9, [b"ja", b"aj", b"a", b"aaa", b"AA", b"", b"aa:bb", b"a" * 8]),
        ("go_point", 52, [b"a", b"a1"]),
        ("hex_point", 30, [b"a31", b"ae1", b"A1", b"a01", b"a", b"1", b"aa", b"swap"]),
        ("loa_point", 8, [b"i1", b"a9", b"a1b1", b"H1"]),
    ],
)
def test_points_are_found_by_their_names(production: str, size: int, others: list[bytes]) -> None:
    points, names = points_of(size, production), names_of_points(production, (size, size))
    assert all(find(points, name) for name in names[:: size + 1])
    assert not any(find(points, name) for name in others)


def test_names_that_make_no_table() -> None:
    for names in ([b"a"], [b"a", b"a"]):
        with pytest.raises(ValueError):
            PointTable(names, 2, 1)
    points = PointTable([b"a" * 7, b"b" * 8], 2, 1)
    assert find(points, b"a" * 7) and not find(points, b"b" * 8)


# --- The filter ------------------------------------------------------------------------


def test_other_identifiers_are_refused() -> None:
    for ident in ("ABC", "a", "A1", ""):
        with pytest.raises(ValueError):
            node_filter_of({ident: PropertyBits.SETUP})


def test_positions_are_unknown_after_a_setup_that_is_not_understood() -> None:
    node_filter = node_filter_of({
        "W": PropertyBits.WHITE_MOVE | PropertyBits.PLAIN_MOVE,
        "AB": PropertyBits.SETUP | PropertyBits.SETS_BLACK,
    })  # fmt: skip
    columns = columns_of(b"(;FF[4];AB[xx:aa];W[bb])")
    result = node_filter.scan(columns, 0, columns.count - 1, True)
    assert result is not None
    assert result.board_nodes == -1 and result.flags == Traits.OCCUPIED
    assert node_filter.snapshots(result) is None
