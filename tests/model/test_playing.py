"""Playing and asking: turns, move numbers, inherited values, points for people."""

from __future__ import annotations

from typing import Any

import pytest

import sgf_lark
from sgf_lark import HexMove, Move, Point
from tests.model.test_editing import game_of


@pytest.mark.parametrize(
    ("before", "color"),
    [
        ("", "B"),
        ("HA[2]AB[dd][pp]", "W"),
        ("HA[2]", "B"),
        ("HA[1]AB[dd]", "B"),
        ("AB[dd]", "B"),
        ("HA[2]AB[dd][pp]PL[B]", "B"),
        ("PL[W]", "W"),
        ("PL[W];W[aa]", "B"),
        (";B[aa]", "W"),
        (";B[aa];C[x]", "W"),
        (";B[aa]PL[B]", "B"),
        (";B[aa];AB[bb]PL[W]", "W"),
        ("HA[2];AB[dd][pp]", "W"),
        ("HA[2]PL[no]", "B"),
        ("GM[11]HA[2]", "B"),
        ("GM[11];W[swap-sides]B[a1]", "W"),
        ("GM[11];B[a1]W[swap-sides]", "W"),
        ("AB[dd];HA[2]", "B"),
        ("HA[2]AB[dd];C[x];C[y]", "W"),
        ("HA[2]AB[dd];C[x];W[aa]", "B"),
    ],
)
def test_color_of_the_next_move(before: str, color: str) -> None:
    *_, last = game_of(f"(;FF[4]{before})").main_line()
    assert last.play(HexMove(Point(2, 2)) if "GM" in before else "cc").color == color


def test_play_follows_a_child_with_that_move() -> None:
    game = game_of("(;FF[4](;B[aa])(;B[bb]C[x])(;W[bb])(;B[tt]))")
    children = game.root.children
    for move, color, index in [
        ("bb", None, 1), (Point(1, 1), "W", 2), (Move(Point(0, 0)), "B", 0), (None, None, 3),
    ]:  # fmt: skip
        assert game.root.play(move, color=color) is children[index]
    assert not game.edited
    new = game.root.play((2, 2))
    assert new.move == Move(Point(2, 2)) and game.root.children[4] is new
    wrong: list[tuple[Any, Any]] = [
        ("tu", None),
        ("Q16", None),
        ("aa", "X"),
        (3, None),
        (b"aa", None),
    ]
    for move, color in wrong:
        with pytest.raises((TypeError, ValueError)):
            game.root.play(move, color=color)
    assert len(game.root.children) == 5
    assert sgf_lark.new_game(game=11).root.play(None).move == HexMove(action="pass")
    with pytest.raises(ValueError, match="no pass"):
        sgf_lark.new_game(game=9).root.play(None)


@pytest.mark.parametrize(
    ("nodes", "numbers"),
    [
        (";B[aa];W[bb];C[x];B[]", [0, 1, 2, 2, 3]),
        (";B[aa]MN[10];W[bb];B[cc]MN[1]", [0, 10, 11, 1]),
        ("MN[5];B[aa]", [0, 1]),
        (";B[aa]MN[x];W[bb]", [0, 1, 2]),
    ],
)
def test_move_numbers(nodes: str, numbers: list[int]) -> None:
    game = game_of(f"(;FF[4]{nodes})")
    assert [node.move_number for node in game.nodes()] == numbers
    assert [node.depth for node in game.main_line()] == list(range(len(numbers)))


def test_inherited_values() -> None:
    game = game_of("(;FF[4]PB[x]VW[aa]DD[bb];B[aa];VW[]DD[cc];C[x])")
    *_, last = nodes = list(game.nodes())
    assert [node.inherited("VW") for node in nodes] == [[Point(0, 0)]] * 2 + [[]] * 2
    assert last.inherited("DD") == [Point(2, 2)] and last.inherited("PM") is None
    assert last.inherited("PM", 1) == 1 and last.inherited("PB") == "x"
    for ident in ("C", "B", "XX"):
        with pytest.raises(ValueError, match=ident):
            last.inherited(ident)


@pytest.mark.parametrize(
    ("vertex", "size", "point"),
    [
        ("Q16", 19, (15, 3)),
        ("a1", 19, (0, 18)),
        ("J9", 9, (8, 0)),
        ("T1", (19, 5), (18, 4)),
        ("Z25", 25, (24, 0)),
    ],
)
def test_points_for_people(vertex: str, size: Any, point: tuple[int, int]) -> None:
    assert Point.from_gtp(vertex, size) == point
    assert Point(*point).gtp(size) == vertex.upper()


@pytest.mark.parametrize(
    "vertex", ["", "I5", "Q0", "Q20", "A01x", "K10", "pass", "5A", "A١", "A-1"]
)
def test_no_points_for_people(vertex: str) -> None:
    with pytest.raises(ValueError, match="A1 to J9"):
        Point.from_gtp(vertex, 9)
    with pytest.raises(ValueError):
        Point(9, 0).gtp(9)
    with pytest.raises(ValueError):
        Point(0, 0).gtp(26)
