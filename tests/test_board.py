"""The Go board, compared with a plain implementation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.model.board import BLACK, EMPTY, WHITE, MutableBoard

Point = tuple[int, int]


def played(stones: dict[Point, int], size: int, point: Point, color: int) -> dict[Point, int]:
    """The position after a move, according to the rules of Go."""

    def neighbours(at: Point) -> list[Point]:
        around = [(at[0] + 1, at[1]), (at[0] - 1, at[1]), (at[0], at[1] + 1), (at[0], at[1] - 1)]
        return [(x, y) for x, y in around if 0 <= x < size and 0 <= y < size]

    def group(at: Point) -> set[Point]:
        found = {at}
        while True:
            more = {n for p in found for n in neighbours(p) if stones.get(n) == stones[at]} - found
            if not more:
                return found
            found |= more

    stones = {**stones, point: color}
    for own in (False, True):
        for at in [point] if own else neighbours(point):
            if at in stones and (stones[at] == color) == own:
                members = group(at)
                if all(n in stones for p in members for n in neighbours(p)):
                    stones = {p: c for p, c in stones.items() if p not in members}
    return stones


SIZE = 4
MOVES = st.lists(
    st.tuples(
        st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)),
        st.sampled_from([BLACK, WHITE]),
        st.booleans(),
    ),
    max_size=40,
)


def stones_of(board: MutableBoard) -> dict[Point, int]:
    return {point: color for color in (BLACK, WHITE) for point in board.stones(color)}


@given(MOVES, st.integers(0, 40))
def test_board_plays_and_takes_back(moves: list[tuple[Point, int, bool]], at: int) -> None:
    board = MutableBoard(SIZE, SIZE)
    stones: dict[Point, int] = {}
    mark, remembered = 0, stones
    for number, (point, color, setup) in enumerate(moves):
        if number == at:
            mark, remembered = board.mark(), stones
        before = len(stones) + (point not in stones)
        if setup:
            board.place(point, color)
            stones = {**stones, point: color}
        else:
            captured = board.play(point, color)
            stones = played(stones, SIZE, point, color)
            assert captured == before - len(stones)
        assert stones_of(board) == stones
    board.undo_to(mark)
    assert stones_of(board) == remembered


def test_edges_do_not_join() -> None:
    board = MutableBoard(3, 2)
    board.play((2, 0), BLACK)
    assert board[0, 1] == EMPTY
    for point in ((1, 0), (2, 1)):
        board.play(point, WHITE)
    assert board[2, 0] == EMPTY


def test_suicide_is_executed() -> None:
    board = MutableBoard(2, 1)
    board.play((0, 0), BLACK)
    assert board.play((1, 0), BLACK) == 2
    assert stones_of(board) == {}


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_fill_and_swap(columns: int, rows: int, data: st.DataObject) -> None:
    """Both are what they would be point by point, with and without a history."""
    board, plain = MutableBoard(columns, rows), MutableBoard(columns, rows)
    board.keep_history = data.draw(st.booleans())
    stones: dict[Point, int] = {}
    for _ in range(data.draw(st.integers(0, 4))):
        left, right = sorted(data.draw(st.tuples(*[st.integers(0, columns - 1)] * 2)))
        top, bottom = sorted(data.draw(st.tuples(*[st.integers(0, rows - 1)] * 2)))
        color = data.draw(st.sampled_from([EMPTY, BLACK, WHITE]))
        board.fill((left, top), (right, bottom), color)
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                plain.place((column, row), color)
        assert board.snapshot() == plain.snapshot()
    stones = stones_of(board)
    board.swap_colors()
    assert stones_of(board) == {
        (row, column): 3 - color
        for (column, row), color in stones.items()
        if row < columns and column < rows
    }
