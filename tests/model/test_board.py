"""The Go board, compared with a plain implementation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.model.board import Board
from sgf_lark.model.cells import BLACK, EMPTY, WHITE

Pair = tuple[int, int]


def played(stones: dict[Pair, int], size: int, point: Pair, color: int) -> dict[Pair, int]:
    """The position after a move, according to the rules of Go."""

    def neighbours(at: Pair) -> list[Pair]:
        around = [(at[0] + 1, at[1]), (at[0] - 1, at[1]), (at[0], at[1] + 1), (at[0], at[1] - 1)]
        return [(x, y) for x, y in around if 0 <= x < size and 0 <= y < size]

    def group(at: Pair) -> set[Pair]:
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


@given(MOVES, st.integers(0, 40), st.integers(0, 40))
def test_changes_are_reverted_by_new_ones(
    moves: list[tuple[Pair, int, bool]], at: int, then: int
) -> None:
    """Also where they change a point several times, as a suicide does."""
    board = Board(SIZE, SIZE)
    marks, positions = [board.mark()], [board.cells]
    for point, color, setup in moves:
        if setup:
            board.put(point, color)
        else:
            board.add_stone(point, color)
        marks.append(board.mark())
        positions.append(board.cells)
    first = at % len(marks)
    board.revert(marks[first], marks[-1])
    assert board.cells == positions[first]
    last = then % len(marks)
    board.undo_to(marks[last])
    assert board.cells == positions[last]


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_liberties_rows_and_snapshots(columns: int, rows: int, data: st.DataObject) -> None:
    """Positions without captures: any stones, with the liberties of their groups."""
    board = Board(columns, rows)
    points = [(column, row) for row in range(rows) for column in range(columns)]
    colors = st.sampled_from([EMPTY, BLACK, WHITE, BLACK, WHITE])
    stones = {point: data.draw(colors) for point in points}
    for point, color in stones.items():
        board.put(point, color)
    assert [board.cell(point) for point in points] == [*stones.values()]
    placed = [point for point, color in stones.items() if color != EMPTY]
    found_dead = [*board.without_liberty(placed)]
    assert found_dead == [point for point in placed if not board.liberties(point)]
    row, first = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    last = data.draw(st.integers(first, columns - 1))
    found = bytes(stones[column, row] for column in range(first, last + 1))
    assert board.cells_of_row(row, first, last) == found
    before, mark = board.cells, board.mark()
    for point in data.draw(st.lists(st.sampled_from(points), max_size=5)):
        board.add_stone(point, data.draw(st.sampled_from([BLACK, WHITE])))
    board.undo_to(mark)
    assert board.cells == before
    copied = board.copy()
    copied.put(points[0], WHITE)
    assert board.cells == before and copied.cell(points[0]) == WHITE
