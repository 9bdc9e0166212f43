"""Measures what boards answer, and what joins and compares games, beside sgfmill in one run.

python benchmarks/questions.py [FOLDER] [--rounds N] [--games N]

The input is the boards after the main lines of games of Go on 19 by 19: those in the .sgf files of
FOLDER, or generated ones. One core is used; parsing is not measured, but in the rows that say so.
Both libraries do the same task, and the rounds are interleaved; the result is the median. Where
sgfmill has nothing for a task, the row says what it does instead.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from boards import inputs_and_rounds
from sgfmill import ascii_boards
from sgfmill.boards import Board as SgfmillBoard
from sgfmill.sgf import Sgf_game

import sgf_lark
from sgf_lark import Board, Collection, Symmetry


class Row(NamedTuple):
    """A task: for each input of both libraries what they do with it."""

    name: str
    inputs: list[Any]
    own: Callable[[Any], object]
    others: list[Any]
    other: Callable[[Any], object]


def as_sgfmill(board: Board) -> SgfmillBoard:
    """The same position on sgfmill's board."""
    found = SgfmillBoard(board.columns)
    for point, color in board.stones.items():
        found.board[board.rows - 1 - point.row][point.column] = color.lower()
    return found


def last_board(data: bytes) -> Board:
    return next(sgf_lark.loads(data)[0].leaves()).board()


def empty_point(board: Board) -> Any:
    return next(point for point in board if board.legal(point))


def sgfmill_played(given: tuple[SgfmillBoard, int, int]) -> object:
    board, row, column = given
    board = board.copy()
    return board.play(row, column, "b")


def sgfmill_key(board: SgfmillBoard) -> int:
    return hash(tuple(map(tuple, board.board)))


def rows(files: list[bytes]) -> list[Row]:
    """The tasks on the boards and games of `files`."""
    boards = [last_board(data) for data in files]
    others = [as_sgfmill(board) for board in boards]
    moves = [(board, empty_point(board)) for board in boards]
    other_moves = [
        (other, board.rows - 1 - point.row, point.column)
        for other, (board, point) in zip(others, moves, strict=True)
    ]
    texts = [str(board) for board in boards]
    other_texts = [ascii_boards.render_board(other) for other in others]
    games = [sgf_lark.loads(data)[0] for data in files]
    edited = [sgf_lark.loads(data)[0] for data in files]
    for game in edited:
        next(game.leaves())["C"] = "new"

    def read_by_sgfmill(data: bytes) -> object:
        return Sgf_game.from_bytes(data)

    def interpreted(text: str) -> object:
        return ascii_boards.interpret_diagram(text, 19)

    def area(board: Any) -> object:
        return board.area_score()

    def joined(files: list[bytes]) -> object:
        return Collection(sgf_lark.loads(data)[0] for data in files).merged()

    def played(given: tuple[Board, Any]) -> object:
        return given[0].played(given[1], "B")

    def captured(given: tuple[Board, Any]) -> object:
        return given[0].captured_by(given[1], "B")

    def compared(pair: tuple[Any, Any]) -> object:
        return sgf_lark.compare(*pair)

    def turned(game: Any) -> object:
        return game.transformed(Symmetry.ROTATE_90)

    same, changed = [*zip(games, games, strict=True)], [*zip(games, edited, strict=True)]
    return [
        Row("area_score()", boards, area, others, area),
        Row("played(move), a copy", moves, played, other_moves, sgfmill_played),
        Row("captured_by(move)", moves, captured, other_moves, sgfmill_played),
        Row("key; there a hash of the lists", boards, lambda each: each.key, others, sgfmill_key),
        Row("from_text()", texts, Board.from_text, other_texts, interpreted),
        Row("str(board)", boards, str, others, ascii_boards.render_board),
        Row("transformed(); there reading the game", games, turned, files, read_by_sgfmill),
        Row("compare(), equal; there reading both", same, compared, files * 2, read_by_sgfmill),
        Row("compare(), edited; there reading both", changed, compared, files * 2, read_by_sgfmill),
        Row("merged(), with parsing; there parsing", [files], joined, files, read_by_sgfmill),
    ]


def seconds(work: Callable[[Any], object], inputs: list[Any]) -> float:
    gc.collect()
    start = time.process_time()
    for each in inputs:
        work(each)
    return time.process_time() - start


def main() -> None:
    files, rounds = inputs_and_rounds(__doc__)
    print(f"{len(files)} games; one core, median of {rounds} rounds; us a game")
    for row in rows(files):
        times = [
            (seconds(row.own, row.inputs), seconds(row.other, row.others)) for _ in range(rounds)
        ]
        own, other = (
            statistics.median(each) / len(files) * 1e6 for each in zip(*times, strict=True)
        )
        print(f"{row.name:46} {own:9.1f}  sgfmill {other:9.1f}  {other / own:6.2f} x sgfmill")


if __name__ == "__main__":
    main()
