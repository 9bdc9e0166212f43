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
from sgf_lark.engine.node_filter import CleanNodeFilter, ScanResult

LETTERS = bytes(
    byte - 97 if 97 <= byte <= 122 else byte - 65 + 26 if 65 <= byte <= 90 else 255
    for byte in range(256)
)
BITS = {
    "B": PropertyBits.BLACK_MOVE | PropertyBits.PLAIN_MOVE,
    "W": PropertyBits.WHITE_MOVE | PropertyBits.PLAIN_MOVE,
    "AB": PropertyBits.SETUP | PropertyBits.SETS_BLACK,
    "AW": PropertyBits.SETUP | PropertyBits.SETS_WHITE,
    "AE": PropertyBits.SETUP | PropertyBits.SETS_EMPTY,
    "PL": PropertyBits.SETUP,
    "C": PropertyBits.PLAIN_TEXT,
    "CR": PropertyBits.PLAIN_POINTS,
    "TR": PropertyBits.PLAIN_POINTS,
    "LB": PropertyBits.PLAIN_LABELS,
    "BL": PropertyBits.PLAIN_REAL,
    "OB": PropertyBits.PLAIN_NUMBER,
    "PB": PropertyBits.GAME_INFO,
}


def parsed(data: bytes) -> FlatTree:
    flat = engine.parse(data)
    assert flat is not None
    return flat


def columns_of(data: bytes) -> Columns:
    return Columns(parsed(data))


def points_of(size: int, production: str = "go_point") -> PointTable:
    return PointTable(names_of_points(production, (size, size)), size, size)


def node_filter_of(size: int, bits: dict[str, PropertyBits] = BITS) -> CleanNodeFilter:
    return CleanNodeFilter(bits, points_of(size), True, b"tt", True)


def scan(data: bytes, size: int = 19, high_bytes: bool = True) -> ScanResult:
    columns = columns_of(data)
    result = node_filter_of(size).scan(columns, 0, columns.count - 1, high_bytes)
    assert result is not None
    return result


def nodes_to_check(result: ScanResult) -> list[int]:
    return [node for node, *_ in result.nodes_to_check()]


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
            node_filter_of(19, {ident: PropertyBits.SETUP})


POINTS = st.tuples(*[st.sampled_from(b"abc")] * 2).map(bytes)
MOVES = st.tuples(st.sampled_from([b"B", b"W"]), POINTS | st.sampled_from([b"", b"tt"]))
SETUPS = st.tuples(
    st.sampled_from([b"AB", b"AW", b"AE"]),
    POINTS | st.tuples(POINTS, POINTS).map(lambda pair: bytes(map(min, *pair)) + b":" + b"cc"),
)
NODES = st.lists(MOVES | MOVES | SETUPS, min_size=1, max_size=2).map(
    lambda found: b";" + b"".join(b"%s[%s]" % item for item in found)
)
TREES = st.recursive(
    st.lists(NODES, min_size=1, max_size=6).map(b"".join),
    lambda trees: st.tuples(
        st.lists(NODES, min_size=1, max_size=6).map(b"".join),
        st.lists(trees.map(lambda tree: b"(%s)" % tree), min_size=2, max_size=3).map(b"".join),
    ).map(b"".join),
    max_leaves=5,
).map(lambda tree: b"(;FF[4]%s)" % tree)


def position_before(flat: FlatTree, node: int) -> bytes:
    """The cells of a board of 3x3 before a node, worked out from the root."""
    path = []
    parent = flat.parent[node]
    while parent >= 0:
        path.append(parent)
        parent = flat.parent[parent]
    board = PlainBoard(3, 3)
    for above in reversed(path):
        properties = [(flat.ident(p), flat.raw(p)[0]) for p in range(*flat.properties_of(above))]
        for ident, raw in properties:
            if ident in ("AB", "AW", "AE"):
                left, top, right, bottom = (LETTERS[byte] for byte in raw[:2] + raw[-2:])
                for row in range(top, bottom + 1):
                    for column in range(left, right + 1):
                        board.put((column, row), ("AE", "AB", "AW").index(ident))
        for ident, raw in properties:
            if ident in ("B", "W") and raw not in (b"", b"tt"):
                board.add_stone((LETTERS[raw[0]], LETTERS[raw[1]]), "BW".index(ident) + 1)
    return board.cells


@given(TREES, st.sampled_from([1, 25, 1000]))
def test_snapshots_are_the_positions_of_the_plain_board(data: bytes, memory: int) -> None:
    columns = columns_of(data)
    node_filter = node_filter_of(3)
    result = node_filter.scan(columns, 0, columns.count - 1, True)
    assert result is not None
    found_snapshots = node_filter.snapshots(result, memory)
    assert found_snapshots is not None
    snapshots = list(found_snapshots)
    assert len(snapshots) == result.board_nodes
    assert all(cells == position_before(parsed(data), node) for node, cells in snapshots)


def test_positions_are_unknown_after_a_setup_that_is_not_understood() -> None:
    result = scan(b"(;FF[4];AB[xx:aa];W[bb])")
    assert result.board_nodes == -1 and result.flags == Traits.OCCUPIED
    assert node_filter_of(19).snapshots(result) is None
