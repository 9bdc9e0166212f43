"""The points of parsed properties, as rules take them; and positions along a walk."""

from __future__ import annotations

from typing import Any

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
from sgf_lark.model.values.basic import Context
from sgf_lark.model.values.reader import reader
from tests.kit.tables import for_each
from tests.model.test_node_board import games


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
