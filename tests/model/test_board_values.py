"""Boards as values, by tables: start positions, legal moves, equality and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sgf_lark import AmazonsMove, Board, BoardError, Color, HexMove, Move, Point, loads
from tests.kit.tables import for_each
from tests.model.test_node_board import last

GO = "(;FF[4]SZ[9])"
AMAZONS, LINES, HEX = "(;FF[4]GM[18])", "(;FF[4]GM[9])", "(;FF[4]GM[11]SZ[5])"


def grid(board: Board) -> str:
    """The rows, with the number of each cell; by the array, which is a copy, and by the stones."""
    array = board.to_numpy()
    assert (array.shape, array.dtype.name) == ((board.rows, board.columns), "uint8")
    rows = [bytes(row + ord("0")).decode() for row in array]
    array[:] = 3
    numbers = {None: 0, Color.BLACK: 1, Color.WHITE: 2}
    for point in board:
        number = 3 if point in board.arrows else numbers[board[point]]
        assert rows[point.row][point.column] == str(number)
        assert board.stones.get(point) == board[point]
    assert len(board.stones) == sum(row.count("1") + row.count("2") for row in rows)
    return " ".join(rows)


KO = "(;SZ[4]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb])"


@for_each([
        (LINES, "01111110 20000002 20000002 20000002 20000002 20000002 20000002 01111110"),
        ("(;FF[4]GM[9]SZ[5:4])", "01110 20002 20002 01110"),
        ("(;FF[4]GM[9]SZ[3]SU[STANDARD])", "010 202 010"),
        ("(;FF[4]GM[9]SZ[3]SU[x][y])", "error"),
        ("(;FF[4]GM[9]SZ[3]SU[custom]AW[c1])", "002 000 000"),
        ("(;FF[4]GM[9]SZ[3];B[pass];W[resign])", "010 202 010"),
        ("(;FF[4]GM[9]SZ[3];B[b1:c2];W[c3])", "000 201 010"),
        (AMAZONS, "0002002000 0000000000 0000000000 2000000002 0000000000 0000000000 1000000001 "
         "0000000000 0000000000 0001001000"),
        ("(;FF[4]GM[18]SZ[10:2])", "0000000000 0000000000"),
        ("(;FF[4]GM[18]SZ[3]AA[aa:ba]AB[ca])", "331 000 000"),
        *((f"(;FF[4]GM[18]{ident}[aa];AE[aa])", "0000000000 " * 10)
          for ident in ("AB", "AW", "AE", "AA")),
        ("(;FF[4]GM[18]SZ[4]AB[aa];B[aadddb])", "0000 0003 0000 0001"),
        ("(;SZ[2:3]AB[ab]AW[ac];B[bc])", "00 10 01"),
        ("(;SZ[3:2]AB[ba]AW[ca];B[cb])", "010 001"),
        ("(;FF[4]GM[11]SZ[2:3]AB[b3];B[a2];W[swap-pieces])", "02 00 00"),
        ("(;FF[4]GM[11]SZ[3:2]AB[c1];B[a2];W[swap-pieces])", "020 000"),
    ])  # fmt: skip
def test_cells(sgf: str, expected: str) -> None:
    if expected == "error":
        with pytest.raises(BoardError):
            last(sgf)
    else:
        assert grid(last(sgf)) == expected.strip()


@for_each(
    [
        # The point of the captured stone at each side of the one that captured it.
        (KO, "bb"),
        ("(;SZ[4]AB[ca][db][cc]AW[ba][ab][bc][cb];B[bb])", "cb"),
        ("(;SZ[4]AB[ab][cb][ba]AW[ac][cc][bd][bb];B[bc])", "bb"),
        ("(;SZ[4]AB[ac][cc][bd]AW[ab][cb][ba][bc];B[bb])", "bc"),
        # At the edge and in the corner.
        ("(;SZ[3]AB[ab]AW[aa][bb][ca];B[ba])", "aa"),
        ("(;SZ[3]AW[ba]AB[bb][ca]AW[ab];B[aa])", "ba"),
        ("(;SZ[3]AW[cb]AB[bc][cc]AB[ca][bb];W[aa])", None),
        # The capturing stone is part of a group.
        (KO.replace("AW[ca]", "AB[ca]AW[da]"), None),
        (KO.replace("B[cb]", "B[dd]"), None),
        (KO.replace("B[cb]", "B[cb];W[]"), None),
        (KO.replace("B[cb]", "B[cb]PL[B]"), None),
        (KO.replace("B[cb]", "B[cb];AB[dd]"), None),
        # Retaking captures two stones, or the stone has another liberty.
        (KO.replace("AB[ba]", "AB[ba][da]").replace("AW[ca]", "AW"), None),
        ("(;SZ[3]AB[ba]AW[aa];B[ab])", None),
        # Two stones are captured at once.
        ("(;SZ[4]AB[ca][ab][bb]AW[aa][ba][cb];B[dd];W[dc])", None),
    ]
)
def test_ko(sgf: str, ko: str | None) -> None:
    board = last(sgf)
    assert board.ko == (None if ko is None else board.point(ko))
    if ko is not None:
        mover, other = board.to_play, board.to_play.opponent
        assert not board.legal(ko) and not board.legal(ko, mover)
        # The color that took the stone may fill the ko, and after a pass it can be retaken.
        assert board.legal(ko, other)
        assert board.played(None).played(None, other).legal(ko, mover)
        # The way to the position does not matter, but ko and turn do.
        again = board.played(None).played(None)
        assert again.to_numpy().tolist() == board.to_numpy().tolist() and again != board


@for_each(
    [
        (GO, "aa", None, True),
        (GO, "aa", "W", True),
        (GO, None, None, True),
        (GO, "ii", None, True),
        (GO, "ja", None, False),
        (GO, (0, 9), None, False),
        (GO, (-1, 0), None, False),
        (GO, Move(Point(0, 0)), None, True),
        ("(;SZ[3]AB[aa])", "aa", "W", False),
        # Suicide, and what looks like it but captures.
        ("(;SZ[3]AW[ba][ab])", "aa", "B", False),
        ("(;SZ[3]AW[ba][ab])", "aa", "W", True),
        ("(;SZ[3]AW[ba][ab]AB[ca][bb])", "aa", "B", True),
        ("(;SZ[2]AB[aa][ba][ab])", "bb", "B", False),
        ("(;SZ[1])", "aa", None, False),
        (HEX, "a1", None, True),
        (HEX, "e5", None, True),
        (HEX, "f1", None, False),
        (HEX, "resign", None, True),
        (HEX, HexMove(Point(4, 4)), None, True),
        ("(;FF[4]GM[11]SZ[5]AW[a1])", "a1", "B", False),
    ]
)
def test_legal(sgf: str, move: Any, color: Any, expected: bool) -> None:
    assert last(sgf).legal(move, color) is expected


#: Questions that a board refuses, by the error.
REFUSED: dict[type[Exception], list[tuple[str, Callable[[Board], object]]]] = {
    ValueError: [
        (GO, lambda board: board["x"]),
        (GO, lambda board: board["é"]),
        (GO, lambda board: board.play("x")),
        (GO, lambda board: board.play("aa", "X")),
        (LINES, lambda board: board["ix"]),
        (LINES, lambda board: board.play("aa")),
        (AMAZONS, lambda board: board.legal("djddgd")),
    ],
    IndexError: [
        (GO, lambda board: board["ja"]),
        (GO, lambda board: board[0, 9]),
        (GO, lambda board: board[9, 0]),
        (GO, lambda board: board[-1, 0]),
        (GO, lambda board: board[0, -1]),
        (GO, lambda board: board.play((9, 0))),
        (GO, lambda board: board.play((0, -1))),
        (AMAZONS, lambda board: board.play(AmazonsMove(*[Point(0, 10)] * 3))),
    ],
    TypeError: [
        (GO, lambda board: board[3]),  # type: ignore[index]
        (GO, lambda board: board[0, "a"]),  # type: ignore[index]
        (GO, lambda board: board[[0, 1]]),  # type: ignore[index]
        (HEX, lambda board: board[0, 1, 2]),  # type: ignore[index]
        (AMAZONS, lambda board: board.play((1, 2))),
        (AMAZONS, lambda board: board.play(None)),
    ],
}


@for_each((error, *row) for error, rows in REFUSED.items() for row in rows)
def test_what_a_board_refuses(
    error: type[Exception], sgf: str, ask: Callable[[Board], object]
) -> None:
    with pytest.raises(error):
        ask(last(sgf))


@for_each(["(;GM[11]SZ[513:3])", "(;GM[11]SZ[3:513])", "(;GM[6])", "(;GM[2]SZ[8])", "(;GM[19])",
     "(;GM[99])", "(;FF[4]GM[9]SU[Gemma])"])  # fmt: skip
def test_games_without_a_board(sgf: str) -> None:
    root = loads(sgf)[0].root
    with pytest.raises(BoardError):
        root.board()
    assert root._repr_svg_() is None and root._repr_html_()
    assert last("(;GM[11]SZ[512])").size == (512, 512)


@for_each(
    [
        # Points outside the board are passed over, and values that cannot be read.
        ("AB[da][ad][dd]", ""),
        ("AB[da:dd][ad:dd]", ""),
        ("AB[ca:da][ac:ad]", "AB[ca][ac]"),
        ("AB[bb:zz]", "AB[bb][cb][bc][cc]"),
        ("AB[cc:ba]", "AB[ba:cc]"),
        ("AB[x][][aa]", "AB[aa]"),
        ("AB[aa][aa][aa:ba]", "AB[aa][ba]"),
    ]
)
def test_setup_outside_the_board(setup: str, same: str) -> None:
    assert last(f"(;FF[4]SZ[3]{setup})") == last(f"(;FF[4]SZ[3]{same})")


def test_equality_of_boards() -> None:
    different = [
        *("(;SZ[3])", "(;SZ[4])", "(;SZ[3:4])", "(;SZ[4:3])", "(;SZ[3]AB[aa])", "(;SZ[3]AW[aa])"),
        *("(;SZ[3]PL[W])", "(;FF[4]GM[11]SZ[3])", "(;FF[4]GM[18]SZ[3])", KO),
        KO.replace("B[cb]", "B[cb];W[];B[]"),
    ]
    boards = [last(sgf) for sgf in different]
    assert len({board.key for board in boards}) == len(boards)
    for board, sgf in zip(boards, different, strict=True):
        assert board == last(sgf) and board.key == last(sgf).key
        assert board != sgf and board != (board.game, *board.size)
        assert (board.columns, board.rows) == board.size
        points = [*board.points()]
        assert len(points) == board.columns * board.rows == len({*points})
        assert all(point in board for point in points)
        outside = [(-1, 0), (0, -1), (board.columns, 0), (0, board.rows), "x", None, (0,)]
        assert not any(point in board for point in outside)
