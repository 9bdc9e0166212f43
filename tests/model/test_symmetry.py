"""Games, nodes and boards that are turned: by the eight symmetries, with colors swapped or not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Board, Color, GameTree, Point, Symmetry
from sgf_lark.fuzz.strategies import collections
from tests.kit.tables import for_each

SYMMETRIES = st.sampled_from([*Symmetry])
#: The symmetries of a game, and whether they swap the colors.
OF_GAMES = {
    1: [(symmetry, swap) for symmetry in Symmetry for swap in (False, True)],
    9: [(symmetry, symmetry.transposes) for symmetry in Symmetry],
    11: [
        (symmetry, symmetry.transposes)
        for symmetry in Symmetry
        if symmetry.name in ("IDENTITY", "ROTATE_180", "TRANSPOSE", "TRANSVERSE")
    ],
}


def random_game(game: int, seed: int) -> GameTree:
    """A game with moves and variations, some of them out of turn."""
    source = random.Random(seed)
    made = {1: b"SZ[7:5]", 9: b"", 11: b"SZ[5]"}[game]
    tree = sgf_lark.loads(b"(;FF[4]GM[%d]%b)" % (game, made))[0]
    node = tree.root
    points = [*node.board().points()]
    for _ in range(12):
        if source.random() < 0.2 and node.parent is not None:
            node = node.parent
        if game == 9:
            move: Any = f"{_name(source.choice(points))}-{_name(source.choice(points))}"
        else:
            move = source.choice([*points, None])
        node = node.play(move, color=source.choice("BW"))
    return tree


def _name(point: Point) -> str:
    return f"{'abcdefgh'[point.column]}{point.row + 1}"


@for_each(OF_GAMES)
def test_the_board_of_each_node_is_turned(game: int) -> None:
    for seed in range(6):
        tree = random_game(game, seed)
        for symmetry, swap in OF_GAMES[game]:
            turned = tree.transformed(symmetry, swap)
            for node, other in zip(tree.nodes(), turned.nodes(), strict=True):
                wanted = node.board().transformed(symmetry, swap)
                assert other.board().stones == wanted.stones
                assert other.board().captures == wanted.captures
                assert other.board().last_move == wanted.last_move
                if node.move_number:
                    assert other.board() == wanted
            assert turned.transformed(symmetry.inverse, swap).equals(tree)


@given(collections(game=1, charset="UTF-8"), SYMMETRIES)
def test_twice_is_as_before(data: bytes, symmetry: Symmetry) -> None:
    for tree in sgf_lark.loads(data):
        turned = tree.transformed(symmetry)
        again = turned.transformed(symmetry.inverse)
        assert again.equals(tree)
        written = sgf_lark.loads(sgf_lark.dumps(turned))[0]
        assert written.equals(turned)
        if symmetry is Symmetry.IDENTITY:
            assert sgf_lark.dumps(turned) == sgf_lark.dumps(tree)


@given(SYMMETRIES, SYMMETRIES, st.integers(1, 9), st.integers(1, 9))
def test_points_and_boards(one: Symmetry, two: Symmetry, columns: int, rows: int) -> None:
    size = columns, rows
    board = Board.empty(size).played((0, 0)).played((columns - 1, 0))
    points = [*board.points()]
    found = [one.point(point, size) for point in points]
    assert {*found} == {*Board.empty(one.size(size)).points()}
    assert [one.inverse.point(point, one.size(size)) for point in found] == points
    # Two symmetries, one after the other, are a symmetry.
    both = [two.point(point, one.size(size)) for point in found]
    same = {each for each in Symmetry if [each.point(p, size) for p in points] == both}
    assert len(same) >= 1
    turned = board.transformed(one).transformed(two)
    assert turned == board.transformed(same.pop())


VALUES = [
    ("B[ab]", "B[hb]"),
    ("B[]", "B[]"),
    ("AB[aa:bc][ii]", "AB[ga:hc][ii]"),
    ("LB[aa:x\\:y][zz:off]", "LB[ha:x\\:y][zz:off]"),
    ("AR[aa:bb]LN[ab:hb]", "AR[ha:gb]LN[hb:ab]"),
    ("VW[aa:dd]DD[]", "VW[ea:hd]DD[]"),
    ("TR[a][aa]C[aa \\] [bb\\]]", "TR[a][ha]C[aa \\] [bb\\]]"),
    ("XX[aa]TB[aa]KO[]", "XX[aa]TB[ha]KO[]"),
]


@for_each(VALUES)
def test_values_follow_the_board(before: str, after: str) -> None:
    game = sgf_lark.loads(f"(;FF[4]GM[1]SZ[8];{before})")[0]
    turned = game.transformed(Symmetry.FLIP_LEFT_RIGHT)
    assert sgf_lark.dumps(turned) == f"(;FF[4]GM[1]SZ[8];{after})".encode()
    assert sgf_lark.dumps(game) == f"(;FF[4]GM[1]SZ[8];{before})".encode()


def test_colors_are_swapped() -> None:
    game = sgf_lark.loads(
        "(;FF[4]GM[1]SZ[5:4]PB[Ann]PW[Bea]BR[1d]KM[6.5]HA[2]RE[B+3.5]AB[aa][bb]PL[W]"
        ";W[cc]WL[10]OW[3]GW[1]V[-2.5];B[dd]TB[aa]C[Black])"
    )[0]
    turned = game.transformed(Symmetry.TRANSPOSE, swap_colors=True)
    assert sgf_lark.dumps(turned) == (
        b"(;FF[4]GM[1]SZ[4:5]PW[Ann]PB[Bea]WR[1d]KM[-6.5]RE[W+3.5]AW[aa][bb]PL[B]"
        b";B[cc]BL[10]OB[3]GB[1]V[2.5];W[dd]TW[aa]C[Black])"
    )
    assert turned.size == (4, 5) and turned.info.result == sgf_lark.Result(Color.WHITE, 3.5)


@for_each(
    [
        ("GM[11]", Symmetry.ROTATE_90, True),
        ("GM[11]", Symmetry.TRANSPOSE, False),
        ("GM[11]", Symmetry.ROTATE_180, True),
        ("GM[9]", Symmetry.ROTATE_90, False),
        ("GM[18]", Symmetry.ROTATE_180, False),
        ("GM[2]", Symmetry.IDENTITY, False),
    ]
)
def test_what_games_do_not_have(root: str, symmetry: Symmetry, swap: bool) -> None:
    game = sgf_lark.loads(f"(;FF[4]{root})")[0]
    with pytest.raises(ValueError):
        game.transformed(symmetry, swap)


def test_other_start_positions_of_lines_of_action() -> None:
    game = sgf_lark.loads("(;FF[4]GM[9]SU[Custom]AB[a1];B[a1-a3])")[0]
    turned = game.transformed(Symmetry.ROTATE_90)
    *_, node = game.main_line()
    *_, last = turned.main_line()
    assert last.board().stones == node.board().transformed(Symmetry.ROTATE_90).stones


def test_wrong_types() -> None:
    wrong: Any = 90
    with pytest.raises(TypeError):
        sgf_lark.new_game().transformed(wrong)


@given(SYMMETRIES, st.integers(1, 6), st.integers(1, 6))
def test_cells_are_turned_as_points_are(symmetry: Symmetry, columns: int, rows: int) -> None:
    size = columns, rows
    turned = symmetry.cells(bytes(range(columns * rows)), size)
    width, _ = symmetry.size(size)
    for row in range(rows):
        for column in range(columns):
            point = symmetry.point((column, row), size)
            assert turned[point.row * width + point.column] == row * columns + column


def test_a_board_that_is_not_square_has_four_symmetries() -> None:
    assert Symmetry.of_size((9, 9)) == list(Symmetry)
    sizes = {each: each.size((9, 13)) for each in Symmetry}
    assert Symmetry.of_size((9, 13)) == [each for each in Symmetry if sizes[each] == (9, 13)]
    assert len(Symmetry.of_size((9, 13))) == 4
