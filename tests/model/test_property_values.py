"""The values of parsed properties one by one, as rules take them; and positions along a walk."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sgf_lark import Color, GameTree, Node, Point, loads
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import (
    Positions,
    changes_of_board,
    has_board,
    is_certain,
    mover_before,
    walk,
)
from sgf_lark.model.property import Expansion, PropValue
from sgf_lark.model.values.basic import Context
from sgf_lark.model.values.points import expand
from sgf_lark.model.values.reader import reader
from tests.kit.tables import for_each
from tests.model.test_node_board import games

Area = tuple[tuple[int, int], tuple[int, int]]

#: Root properties, a property, and of each value: its type, parts and area; "c" where the
#: property takes composed values, "p" where a point is meant, "x" where it would be a pass.
VALUES: list[tuple[str, str, list[tuple[str, str, list[str], Area | None]]]] = [
    ("FF[4]", "LB[aa:x\\:y][bb][cc:][x:y]", [
        ("point", "cp", ["aa", "x\\:y"], ((0, 0), (0, 0))),
        ("point", "cp", ["bb"], ((1, 1), (1, 1))),
        ("point", "cp", ["cc", ""], ((2, 2), (2, 2))),
        ("point", "cp", ["x", "y"], None),
    ]),
    ("FF[4]", "AR[ab:cd]", [("point", "cp", ["ab", "cd"], ((0, 1), (0, 1)))]),
    ("FF[4]", "AP[a:b]", [("simpletext", "c", ["a", "b"], None)]),
    ("FF[4]", "FG[][1:x]", [
        ("none", "cx", [""], None), ("none", "c", ["1", "x"], None),
    ]),
    ("FF[4]", "C[x:y]", [("text", "", ["x:y"], None)]),
    ("FF[4]SZ[3]", "AB[aa][aa:bc][cc:zz][bd][db][zz][cb:ba][][x]", [
        ("stone", "p", ["aa"], ((0, 0), (0, 0))),
        ("stone", "p", ["aa:bc"], ((0, 0), (1, 2))),
        ("stone", "p", ["cc:zz"], ((2, 2), (2, 2))),
        ("stone", "p", ["bd"], None),
        ("stone", "p", ["db"], None),
        ("stone", "p", ["zz"], None),
        ("stone", "p", ["cb:ba"], ((1, 0), (2, 1))),
        ("stone", "px", [""], None),
        ("stone", "p", ["x"], None),
    ]),
    ("FF[4]SZ[3]", "TR[da:ea][ad:ae]", [
        ("point", "p", ["da:ea"], None), ("point", "p", ["ad:ae"], None),
    ]),
    ("FF[4]SZ[3]", "B[aa][tt][]", [
        ("move", "p", ["aa"], None), ("move", "px", ["tt"], None), ("move", "px", [""], None),
    ]),
    ("FF[4]SZ[4:3]", "AB[aa:zz]", [("stone", "p", ["aa:zz"], ((0, 0), (3, 2)))]),
    ("FF[4]SZ[20]", "B[tt]", [("move", "p", ["tt"], None)]),
    ("FF[4]GM[6]", "AE[a:c][x]", [
        ("point", "p", ["a:c"], ((0, 0), (2, 0))), ("point", "p", ["x"], ((23, 0), (23, 0))),
    ]),
    ("FF[4]GM[11]", "AB[a1:zz999][a1]", [
        ("stone", "p", ["a1:zz999"], None), ("stone", "p", ["a1"], ((0, 0), (0, 0))),
    ]),
    ("FF[4]GM[19]", "AB[11AB]", [("stone", "p", ["11AB"], None)]),
    ("FF[4]GM[2]", "AB[d3][tt]", [
        ("stone", "", ["d3"], None), ("stone", "", ["tt"], None),
    ]),
]  # fmt: skip


def flags(value: PropValue) -> str:
    is_pass = value.names_pass(value.raw)
    return "c" * value.composed + "p" * value.is_point + "x" * is_pass


@for_each(VALUES)
def test_values_one_by_one(root: str, text: str, expected: list[Any]) -> None:
    data = f"(;N[x];{root})(;{root};{text}N[y])".encode()
    tree = loads(data)[1]
    entry = tree.root.children[0].properties[0]
    values = [*entry.prop_values()]
    found = [
        (each.kind, flags(each), [raw.decode() for _, raw in each.parts], each.area)
        for each in values
    ]
    assert found == expected
    for value in values:
        start, end = value.offsets
        assert data[start:end] == (value.raw or b"[]")
        assert (value.start, value.end) == ((start + 1, end - 1) if not value.raw else (start, end))
        area = value.area
        points = [] if area is None else expand(*area)
        assert all(tree.has_point(point) for point in points)
        texts = [part for part in value.parts if part[0] in ("text", "simpletext")]
        assert value.text_parts == texts
        assert value.other_parts == [part for part in value.parts if part not in texts]
    assert [value.number for value in values] == [*range(values[0].number, values[-1].number + 1)]
    for _ in range(2):
        named = [(each.number, point) for each, point in entry.points()]
        assert named == [(each.number, point) for each, point in points_of(values)]


def points_of(values: list[PropValue]) -> list[tuple[PropValue, Point]]:
    """The points of all values; a value that repeats points gives only the first of these."""
    seen: set[Point] = set()
    found: list[tuple[PropValue, Point]] = []
    for value in values:
        points = expand(*value.area) if value.area else []
        repeated = [point for point in points if point in seen][:1]
        found += [(value, point) for point in points if point not in seen or point in repeated]
        seen.update(points)
    return found


def test_areas_on_the_board() -> None:
    """What is outside is left out, also of rectangles; corners may be in any order."""
    raws = b"[da][ad][da:ea][ad:ae][ca:da][ac:ad][x][aa][bb:bb][aa][cc:ba][aa:ss]"
    tree = loads(b"(;FF[4]SZ[3:3]TR%sXX[aa])" % raws)[0]
    entry = tree.root.property("TR")
    expected = [
        ((2, 0), (2, 0)), ((0, 2), (0, 2)), ((0, 0), (0, 0)), ((1, 1), (1, 1)),
        ((1, 0), (2, 2)), ((0, 0), (2, 2)),
    ]  # fmt: skip
    assert [*entry.areas()] == expected and [*tree.root.property("XX").areas()] == []
    tree.root["TR"] = [Point(2, 2)]
    assert [*tree.root.property("TR").areas()] == [((2, 2), (2, 2))]


@for_each(
    [
        # At most 10,000 points, or those of the board, but not more than a million.
        ((11, 11), "a1:cv100", True),
        ((11, 11), "cv100:a1", True),
        ((11, 11), "a1:cw100", False),
        ((11, 11), "a1:cv101", False),
        (None, "a1:cv100", True),
        (None, "a1:cv101", False),
        ((100, 101), "a1:cv101", True),
        ((100, 101), "a1:cw101", False),
        ((1000, 1000), "a1:all1000", True),
        ((1001, 1000), "a1:all1000", True),
        ((1001, 1000), "a1:alm1000", False),
        ((1001, 1000), "a1:all1001", False),
    ]
)
def test_largest_rectangles(size: tuple[int, int] | None, rectangle: str, is_one: bool) -> None:
    found = reader(Context(11, size=size)).rectangle("stone", rectangle.encode())
    assert (found is not None) == is_one


def test_rectangles_that_name_a_board_again_and_again() -> None:
    """After more points than there are on a board, rectangles add only new points."""
    node = loads(b"(;FF[4]GM[11];AB[a1:cv100][a1][d4][a1:b2][b1:cw100][b1:cw100][a1][cw1:cx1])")[
        0
    ].root
    found = node.children[0]["AB"]
    rows = [(column, row) for row in range(100) for column in range(100)]
    new = [(100, row) for row in range(100)]
    assert found == [*rows, (0, 0), (3, 3), *new, (0, 0), (101, 0)]
    text = b"[a1:cv100]" * 3 + b"[b2][c3:d4]"
    node = loads(b"(;FF[4]GM[11];AB" + text + b")")[0].root.children[0]
    assert node["AB"] == [*rows, *rows, (1, 1)]


# --- Positions --------------------------------------------------------------------------


@given(games())
def test_walk_has_the_board_before_each_node(game: tuple[bytes, int]) -> None:
    for tree in loads(game[0] * 2):
        for node, board in walk(tree):
            assert board is not None
            # Like that of the node, with turn, ko and captures; who begins is known by its root.
            above = Board.empty(tree.size) if node.parent is None else node.parent.board()
            assert board == above and board.captures == above.captures


def _has_one_reading(node: Node) -> bool:
    """Whether all changes are certain and give one position, with setup first and as written."""
    changes = changes_of_board(node)
    if not all(map(is_certain, changes)):
        return False
    above = Board.empty(node.tree.size) if node.parent is None else node.parent.board()
    for entry in changes:
        above.execute([entry])
    return above.stones == node.board().stones


@given(games())
def test_positions_in_any_order(game: tuple[bytes, int]) -> None:
    """They are those of a walk, up to the first node that programs may read differently."""
    tree = loads(game[0])[0]
    nodes = [*tree.nodes()]
    certain = [_has_one_reading(node) for node in nodes]
    for order in (nodes[::3], nodes[::-1]):
        found = Positions(tree)
        for node in order:
            assert node.number is not None
            board = found.before(node.number)
            assert (board is not None) == all(certain[: node.number])
            if board is not None:
                above = {} if node.parent is None else node.parent.board().stones
                assert board.stones == above


@given(collections(game=1) | mutants())
def test_who_moved_before(data: bytes) -> None:
    """The last mover on the way, unless there was setup since."""
    for tree in loads(data, tolerant=True):
        for node in reversed([*tree.nodes()]):
            expected, above = "", node.parent
            while above is not None:
                moves = above.moves()
                if moves or above.select(type="setup"):
                    expected = moves[-1].ident if moves else ""
                    break
                above = above.parent
            assert mover_before(node) == expected


@given(collections())
def test_main_line_as_parsed(data: bytes) -> None:
    for tree in loads(data):
        assert [*tree.parsed.main_line_numbers] == [node.number for node in tree.main_line()]


@for_each([
        ("B[aa]AE[aa]", {(0, 0): Color.BLACK}, {}),
        ("AE[aa]B[aa]", {(0, 0): Color.BLACK}, {(0, 0): Color.BLACK}),
        ("B[aa]AW[aa:ba]", {(0, 0): Color.BLACK, (1, 0): Color.WHITE},
         {(0, 0): Color.WHITE, (1, 0): Color.WHITE}),
        ("W[aa]B[ab]AB[ba]", {(0, 1): Color.BLACK, (1, 0): Color.BLACK},
         {(0, 0): Color.WHITE, (0, 1): Color.BLACK, (1, 0): Color.BLACK}),
        ("B[zz]AB[zz][x]C[aa]", {}, None),
    ])  # fmt: skip
def test_orders_of_execution(text: str, setup_first: Any, in_order: Any) -> None:
    tree: GameTree = loads(f"(;FF[4]SZ[9];{text};C[x])".encode())[0]
    assert has_board(tree.parsed.context)
    *_, (_, after) = walk(tree)
    assert after is not None and after.stones == setup_first
    board = Positions(tree).before(tree.parsed.numbers[-1])
    if setup_first == in_order:
        assert board is not None and board.stones == setup_first
    else:  # what cannot be read has no certain position, either
        assert board is None


def test_games_whose_positions_are_not_followed() -> None:
    for root in ("GM[11]", "GM[2]SZ[8]", "GM[6]", "GM[9]"):
        tree = loads(f"(;FF[4]{root};B[a1];W[b2])".encode())[0]
        assert not has_board(tree.parsed.context)
        assert {board for _, board in walk(tree)} == {None} and Positions(tree).before(1) is None


# --- A limit of points ------------------------------------------------------------------


@for_each([(0, 1_000_000), (100_000, 1_000_000), (100_001, 1_000_010), (10**6, 10**7)])
def test_limit_of_points(size: int, most: int) -> None:
    expansion = Expansion(size)
    expansion.add(most - 1)
    expansion.add(1)
    with pytest.raises(ValueError):
        expansion.add(1)
    with pytest.raises(ValueError):
        Expansion(size).add(most + 1)
