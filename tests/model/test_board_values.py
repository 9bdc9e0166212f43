"""Boards as values, by tables: start positions, legal moves, equality and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sgf_lark import AmazonsMove, Board, BoardError, Color, HexMove, Move, Point, loads

GO = "(;FF[4]SZ[9])"
AMAZONS, LINES, HEX = "(;FF[4]GM[18])", "(;FF[4]GM[9])", "(;FF[4]GM[11]SZ[5])"


def last(sgf: str) -> Board:
    """The board at the end of the main line."""
    *_, node = loads(sgf)[0].main_line()
    return node.board()


def grid(board: Board) -> str:
    """The rows, with the number of each cell; by the array and by the stones."""
    rows = [bytes(row + ord("0")).decode() for row in board.to_numpy()]
    numbers = {None: 0, Color.BLACK: 1, Color.WHITE: 2}
    for point in board:
        number = 3 if point in board.arrows else numbers[board[point]]
        assert rows[point.row][point.column] == str(number)
        assert board.stones.get(point) == board[point]
    assert len(board.stones) == sum(row.count("1") + row.count("2") for row in rows)
    return " ".join(rows)


KO = "(;SZ[4]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb])"


@pytest.mark.parametrize(
    ("sgf", "expected"),
    [
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
        # A stone is captured by the last liberty, at each side and in each corner.
        ("(;SZ[3]AB[ba][ab][cb]AW[bb];B[bc])", "010 101 010"),
        ("(;SZ[3]AB[ba][ab][bc]AW[bb];B[cb])", "010 101 010"),
        ("(;SZ[3]AB[ba][cb][bc]AW[bb];B[ab])", "010 101 010"),
        ("(;SZ[3]AB[ab][cb][bc]AW[bb];B[ba])", "010 101 010"),
        ("(;SZ[2:3]AB[ab]AW[ac];B[bc])", "00 10 01"),
        ("(;SZ[3:2]AB[ba]AW[ca];B[cb])", "010 001"),
        ("(;FF[4]GM[11]SZ[2:3]AB[b3];B[a2];W[swap-pieces])", "02 00 00"),
    ],
)  # fmt: skip
def test_cells(sgf: str, expected: str) -> None:
    if expected == "error":
        with pytest.raises(BoardError, match=r"SU\[x\] is not known"):
            last(sgf)
    else:
        assert grid(last(sgf)) == expected.strip()


@pytest.mark.parametrize(
    ("sgf", "ko"),
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
        (KO + "", "bb"),
    ],
)
def test_ko(sgf: str, ko: str | None) -> None:
    board = last(sgf)
    assert board.ko == (None if ko is None else board.point(ko))
    if ko is not None:
        mover, other = board.to_play, board.to_play.opponent
        assert not board.legal(ko) and not board.legal(ko, mover)
        # The color that took the stone may fill the ko, and after a pass it can be retaken.
        assert board.legal(ko, other)
        assert board.play(None).play(None, other).legal(ko, mover)
        # The way to the position does not matter, but ko and turn do.
        again = board.play(None).play(None)
        assert again.to_numpy().tolist() == board.to_numpy().tolist() and again != board


@pytest.mark.parametrize(
    ("sgf", "move", "color", "expected"),
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
    ],
)
def test_legal(sgf: str, move: Any, color: Any, expected: bool) -> None:
    assert last(sgf).legal(move, color) is expected


@pytest.mark.parametrize(
    ("sgf", "ask", "error", "message"),
    [
        (GO, lambda board: board["x"], ValueError,
         "^'x' is not a point of Go: expected one letter for the column and one for the row$"),
        (GO, lambda board: board.play("x"), ValueError,
         "^'x' is not a move of Go: expected a point of two letters, or nothing for a pass$"),
        (LINES, lambda board: board["ix"], ValueError, "'ix' is not a point of Lines of Action: "),
        (LINES, lambda board: board.play("aa"), ValueError, "'aa' is not a move of Lines of Act"),
        (GO, lambda board: board["é"], ValueError, "'é' is not a point of Go"),
        (GO, lambda board: board["ja"], IndexError, "'ja' is not on the board of 9 by 9: col"),
        (GO, lambda board: board[0, 9], IndexError, r"\(0, 9\) is not on the board of 9 by 9"),
        (GO, lambda board: board[9, 0], IndexError, r"\(9, 0\) is not on"),
        (GO, lambda board: board[-1, 0], IndexError, r"\(-1, 0\) is not on"),
        (GO, lambda board: board[0, -1], IndexError, r"\(0, -1\) is not on"),
        (GO, lambda board: board.play((9, 0)), IndexError, r"\(9, 0\) is not on the board of 9 by"),
        (GO, lambda board: board.play((0, -1)), IndexError, r"\(0, -1\) is not on the board"),
        (GO, lambda board: board[3], TypeError, 'its SGF text, such as "cd", not 3'),
        (HEX, lambda board: board[0, 1, 2], TypeError, r'such as "c4", not \(0, 1, 2\)'),
        (GO, lambda board: board[0, "a"], TypeError, r"not \(0, 'a'\)"),
        (GO, lambda board: board[[0, 1]], TypeError, r"not \[0, 1\]"),
        (GO, lambda board: board.play("aa", "X"), ValueError, "\"B\" or \"W\", not 'X'"),
        (AMAZONS, lambda board: board.play((1, 2)), TypeError, "a AmazonsMove or its SGF text"),
        (AMAZONS, lambda board: board.play(None), TypeError, "not None"),
        (AMAZONS, lambda board: board.play(AmazonsMove(*[Point(0, 10)] * 3)), IndexError,
         r"\(0, 10\) is not on the board of 10 by 10"),
        (AMAZONS, lambda board: board.legal("djddgd"), BoardError,
         r"knows the rules of Go and Hex, not those of Amazons, GM\[18\]"),
    ],
)  # fmt: skip
def test_what_a_board_refuses(
    sgf: str, ask: Callable[[Board], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask(last(sgf))


@pytest.mark.parametrize(
    ("sgf", "message"),
    [
        ("(;GM[11]SZ[513:3])", "a board of 513 by 3 is too large: at most 512 by 512"),
        ("(;GM[11]SZ[3:513])", "a board of 3 by 513 is too large"),
        ("(;GM[6])", r"no board for Backgammon, GM\[6\]: .* Go GM\[1\], Lines of Action GM\[9\], "),
        ("(;GM[2]SZ[8])", r"no board for Othello, GM\[2\]"),
        ("(;FF[4]GM[9]SU[Gemma])", r"SU\[Gemma\] is not known: only Standard and Custom"),
    ],
)
def test_games_without_a_board(sgf: str, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        last(sgf)
    assert last("(;GM[11]SZ[512])").size == (512, 512)


@pytest.mark.parametrize(
    ("setup", "same"),
    [
        # Points outside the board are passed over, and values that cannot be read.
        ("AB[da][ad][dd]", ""),
        ("AB[da:dd][ad:dd]", ""),
        ("AB[ca:da][ac:ad]", "AB[ca][ac]"),
        ("AB[bb:zz]", "AB[bb][cb][bc][cc]"),
        ("AB[cc:ba]", "AB[ba:cc]"),
        ("AB[x][][aa]", "AB[aa]"),
        ("AB[aa][aa][aa:ba]", "AB[aa][ba]"),
    ],
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
    assert len({*boards}) == len(boards)
    for board, sgf in zip(boards, different, strict=True):
        assert board == last(sgf) and hash(board) == hash(last(sgf))
        assert board != sgf and board != (board.game, *board.size)
        assert (board.columns, board.rows) == board.size
        points = [*board.points()]
        assert len(points) == board.columns * board.rows == len({*points})
        assert all(point in board for point in points)
        outside = [(-1, 0), (0, -1), (board.columns, 0), (0, board.rows), "x", None, (0,)]
        assert not any(point in board for point in outside)
