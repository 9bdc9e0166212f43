"""The hashes of main lines and positions, and what they do not depend on."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark.archive.main_lines import MainLine, main_line, plain_line
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.model.cells import BLACK, WHITE

Point = tuple[int, int]
Moves = list[tuple[int, Point | None]]


def line_of(columns: int, rows: int, moves: Moves, setup: dict[int, list[Point]]) -> MainLine:
    def written(point: Point | None) -> str:
        return "" if point is None else "".join(string.ascii_letters[each] for each in point)

    placed = "".join(
        ["AB", "AW"][color - 1] + "".join(f"[{written(point)}]" for point in points)
        for color, points in setup.items()
        if points
    )
    played = "".join(f";{' BW'[color]}[{written(point)}]" for color, point in moves)
    found = main_line(sgf_lark.loads(f"(;FF[4]SZ[{columns}:{rows}]{placed}{played})")[0])
    assert found is not None
    return found


@st.composite
def games(draw: st.DrawFn) -> tuple[int, int, Moves, dict[int, list[Point]]]:
    columns = draw(st.integers(2, 6))
    rows = draw(st.sampled_from([columns, draw(st.integers(2, 6))]))
    points = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1))
    moves = draw(
        st.lists(st.tuples(st.sampled_from([BLACK, WHITE]), st.none() | points), max_size=12)
    )
    if draw(st.booleans()):
        moves = [(BLACK + index % 2, point) for index, (_, point) in enumerate(moves)]
    placed = draw(st.lists(points, max_size=4, unique=True))
    cut = draw(st.integers(0, len(placed)))
    return columns, rows, moves, {BLACK: placed[:cut], WHITE: placed[cut:]}


def turned(columns: int, rows: int, number: int, point: Point | None) -> Point | None:
    if point is None:
        return None
    column, row = point
    if number & 1:
        column = columns - 1 - column
    if number & 2:
        row = rows - 1 - row
    return (row, column) if number & 4 else (column, row)


@given(games(), st.integers(0, 7), st.booleans())
def test_hashes_are_the_same_under_symmetries_and_swapped_colors(
    game: tuple[int, int, Moves, dict[int, list[Point]]], number: int, swap: bool
) -> None:
    columns, rows, moves, setup = game
    if columns != rows:
        number &= 3

    def color(value: int) -> int:
        return BLACK + WHITE - value if swap else value

    def turn(point: Point) -> Point:
        found = turned(columns, rows, number, point)
        assert found is not None
        return found

    other_moves = [(color(value), turned(columns, rows, number, point)) for value, point in moves]
    other_setup = {color(value): [turn(point) for point in setup[value]] for value in setup}
    line = line_of(columns, rows, moves, setup)
    other = line_of(columns, rows, other_moves, other_setup)
    assert line.canonical()[0] == other.canonical()[0]
    assert line.position_hash() == other.position_hash()
    if line.canonical()[1] == other.canonical()[1] and moves:
        assert (line.xs, line.ys, line.colors) == (other.xs, other.ys, other.colors)


@given(games(), st.data())
def test_line_of_a_beginning_is_the_beginning_of_the_line(
    game: tuple[int, int, Moves, dict[int, list[Point]]], data: st.DataObject
) -> None:
    columns, rows, moves, setup = game
    cut = data.draw(st.integers(min(1, len(moves)), len(moves)))
    whole = line_of(columns, rows, moves, setup).canonical()[0]
    assert whole.startswith(line_of(columns, rows, moves[:cut], setup).canonical()[0])


@pytest.mark.parametrize(
    ("text", "line", "moves"),
    [
        ("(;SZ[9];B[cd];W[ee])", "cdee", 2),
        ("(;SZ[9];W[cd];B[ee])", "cdee", 2),
        ("(;SZ[9];B[gf];W[])", "cd--", 2),
        ("(;FF[3]SZ[9];B[cd];W[tt])", "cd--", 2),
        ("(;FF[4]SZ[21];B[tt])", "bb", 1),
        ("(;SZ[9];B[cd];B[ee])", "cd+ee", 2),
        ("(;SZ[9]AB[dc][gg];W[ee])", "{bccfgwe}Wee", 1),
        ("(;SZ[9];B[aa]AW[bb])", None, 1),
        ("(;SZ[9];B[zz])", "--", 1),
        ("(;SZ[9];B[a])", "--", 1),
        ("(;GM[1]SZ[5:7];B[be])", "bc", 1),
        ("(;SZ[9])", "", 0),
    ],
)
def test_line(text: str, line: str | None, moves: int) -> None:
    found = main_line(sgf_lark.loads(text, tolerant=True)[0])
    assert found is not None
    assert len(found.colors) == moves
    if line is not None:
        assert found.canonical()[0] == line


@pytest.mark.parametrize(
    "setup",
    [
        "AB[aa][bb]AW[cc:cd]",
        "AB[aa][aa:bb][bb]",
        "AB[aa]AW[bb]AE[aa]AB[cc]",
        "AB[jj]",
        "AB[aa:zz]",
        "AB[bb:aa]",
        "AB[]",
        "AE[aa]PL[W]AA[bb]",
    ],
)
def test_setup(setup: str) -> None:
    """Each point is written once, whatever the board that executes it."""
    tree = sgf_lark.loads(f"(;FF[4]SZ[5];B[ee];{setup};W[dd])", tolerant=True)[0]
    found = main_line(tree)
    assert found == plain_line(tree)
    assert found is not None and len(found.setups) == 1
    for points in found.setups[0].points.values():
        assert len(points) == len(set(points))
        assert all(point.column < 5 and point.row < 5 for point in points)


@given(collections(game=1) | mutants())
def test_the_compiled_board_and_the_plain_one_give_the_same_line(data: bytes) -> None:
    for tree in sgf_lark.loads(data, tolerant=True):
        if tree.game == 1:
            line = main_line(tree)
            assert line == plain_line(tree)
            assert line is not None
            stones = [*tree.main_line()][-1].board().stones
            cells = [stones.get(point) for point in [*tree.main_line()][-1].board()]
            assert [{BLACK: "B", WHITE: "W"}.get(cell) for cell in line.cells] == cells


def test_position_is_that_after_captures() -> None:
    captured = main_line(sgf_lark.loads("(;SZ[5];B[aa];W[ab];B[ee];W[ba])")[0])
    placed = main_line(sgf_lark.loads("(;SZ[5]AW[ab][ba]AB[ee])")[0])
    assert captured is not None and placed is not None
    assert captured.position_hash() == placed.position_hash()


def test_signature() -> None:
    points = [chr(97 + n % 19) + chr(97 + n // 19) for n in range(71)]
    moves = "".join(f";{'BW'[n % 2]}[{point}]" for n, point in enumerate(points))
    whole = main_line(sgf_lark.loads(f"(;SZ[19]{moves})")[0])
    short = main_line(sgf_lark.loads("(;SZ[19]" + ";B[]" * 25 + ")")[0])
    assert whole is not None and short is not None
    assert whole.dyer_signature == "".join(points[n - 1] for n in (20, 40, 60, 31, 51, 71))
    assert short.dyer_signature == "--" + "??" * 5


def test_other_games_have_no_line() -> None:
    assert main_line(sgf_lark.loads("(;GM[11]SZ[11];B[a1])")[0]) is None
