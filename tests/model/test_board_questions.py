"""What boards of Go answer: groups, liberties, captures, areas; boards from text, and keys."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Board, BoardError, Color, Point
from sgf_lark.drawing.characters import ASCII, text
from sgf_lark.drawing.positions import of_board
from sgf_lark.model.board import GAMES
from tests.kit.tables import for_each

ascii_boards = pytest.importorskip("sgfmill.ascii_boards")
boards = pytest.importorskip("sgfmill.boards")

#: Sizes of boards, also of one row, one column and one point.
SIZES = st.tuples(st.integers(1, 9), st.integers(1, 9))


@st.composite
def random_boards(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]] = SIZES) -> Board:
    """A board of Go after random moves."""
    board = Board.empty(draw(sizes))
    points = st.sampled_from([*board.points()])
    for point, color in draw(st.lists(st.tuples(points, st.sampled_from("BW")), max_size=60)):
        board = board.played(point, color)
    return board


def as_sgfmill(board: Board) -> Any:
    """The same position on sgfmill's board, which has as many rows as columns."""
    other = boards.Board(board.columns)
    for row in range(board.rows):
        for column in range(board.columns):
            color = board[column, row]
            if color is not None:
                other.board[board.rows - 1 - row][column] = color.lower()
    return other


SQUARES = st.integers(2, 9).map(lambda side: (side, side))


@given(random_boards(SQUARES))
def test_area_score_is_that_of_sgfmill(board: Board) -> None:
    assert board.area_score() == as_sgfmill(board).area_score()
    assert board.area_score(komi=6.5) == board.area_score() - 6.5


@given(random_boards(), st.integers(0, 80), st.sampled_from("BW"))
def test_groups_and_captures(board: Board, pick: int, color: str) -> None:
    for point, owner in board.stones.items():
        group, liberties = board.group(point), board.liberties(point)
        assert point in group and {board[each] for each in group} == {owner}
        assert {board[each] for each in liberties} <= {None}
        assert all(board.group(each) == group for each in group)
        near = {
            Point(x, y)
            for a, b in group
            for x, y in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1))
            if (x, y) in board
        } - group
        assert liberties == {each for each in near if board[each] is None}
        assert all(board[each] is not owner for each in near)
    point = [*board.points()][pick % len([*board.points()])]
    captured, after = board.captured_by(point, color), board.played(point, color)
    assert captured == {each for each in board.stones if after[each] is None}


@given(random_boards(), st.sets(st.integers(0, 80), max_size=3))
def test_dead_groups_become_territory(board: Board, picks: set[int]) -> None:
    points = [*board.points()]
    dead = [points[pick % len(points)] for pick in picks]
    cleared = Board.empty(board.size)
    gone = {each for point in dead for each in board.group(point)}
    for point, color in board.stones.items():
        if point not in gone:
            cleared = cleared.played(point, color)
    if len(cleared.stones) == len(board.stones) - len(gone):  # nothing was captured on the way
        assert board.territory(dead) == cleared.territory()
        assert board.area_score(dead=dead) == cleared.area_score()
    both = board.territory(dead)
    assert not both[Color.BLACK] & both[Color.WHITE]


def test_answers_of_a_small_board() -> None:
    board = Board.from_text("""
        . X . O .
        X X . O O
        . . . . .
        O . . X .
    """)
    assert board.group("ab") == {Point(0, 1), Point(1, 0), Point(1, 1)}
    assert {str(each) for each in board.liberties("db")} == {"ca", "ea", "cb", "dc", "ec"}
    assert board.group("aa") == board.liberties("aa") == frozenset()
    assert board.territory() == {Color.BLACK: {Point(0, 0)}, Color.WHITE: {Point(4, 0)}}
    assert board.territory(["ad", "dd"]) == board.territory(["dd", (0, 3)])
    assert board.area_score() == 0 and board.area_score(5.5) == -5.5
    assert board.area_score(dead=["db", "ad"]) == 20
    suicide = Board.from_text(". O\nO .", to_play="B")
    assert suicide.captured_by("aa") == frozenset() and suicide.captured_by(None) == frozenset()
    taken = suicide.played("aa", "W").captured_by("bb", "B")
    assert taken == {Point(0, 0), Point(1, 0), Point(0, 1)}


@pytest.mark.parametrize("game", sorted({*GAMES} - {1}))
@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("group", ["a1"]),
        ("liberties", ["a1"]),
        ("captured_by", [None]),
        ("territory", []),
        ("area_score", []),
    ],
)
def test_other_games_have_no_such_answers(game: int, question: str, arguments: list[Any]) -> None:
    board = sgf_lark.loads(b"(;FF[4]GM[%d])" % game)[0].root.board()
    with pytest.raises(BoardError):
        getattr(board, question)(*arguments)


# --- Boards from text ---------------------------------------------------------------------


@given(random_boards())
def test_what_is_drawn_is_read_again(board: Board) -> None:
    for drawn in (str(board), text(of_board(board), symbols=ASCII)):
        again = Board.from_text(drawn, to_play=board.to_play)
        assert (again.stones, again.size, again.to_play) == (
            board.stones,
            board.size,
            board.to_play,
        )


@for_each(GAMES)
def test_boards_of_all_games_are_read_again(game: int) -> None:
    source = random.Random(game)
    board = sgf_lark.loads(b"(;FF[4]GM[%d])" % game)[0].root.board()
    points: list[Any] = [*board.points()]
    moves = {9: ["b1-b3", "a2-c2"], 18: ["djddde", "dagaha"]}.get(game)
    for move in moves or source.sample(points, 8):
        board = board.played(move)
    again = Board.from_text(str(board), game=game, to_play=board.to_play)
    assert again.stones == board.stones and again.arrows == board.arrows
    assert again.size == board.size


@given(random_boards(SQUARES))
def test_diagrams_of_sgfmill_are_read(board: Board) -> None:
    drawn = ascii_boards.render_board(as_sgfmill(board))
    assert Board.from_text(drawn).stones == board.stones


DIAGRAMS = {
    "GNU Go": """
           A B C D E
         5 . . . . . 5
         4 . X + O . 4
         3 . + . + . 3     WHITE (O) has captured 0 stones
         2 . + . + . 2     BLACK (X) has captured 0 stones
         1 . . . . . 1
           A B C D E
    """,
    "a frame": """
        +-----------+
        | . . . . . |
        | . X . O . |
        | . . . . . |
        | . . . . . |
        | . . . . . |
        +-----------+
    """,
    "Sensei's Library": """
        $$  -----------
        $$ | . . . . . |
        $$ | . X . O . |
        $$ | . . . . . |
        $$ | . . . . . |
        $$ | . . . . . |
        $$  -----------
    """,
    "no blanks": ".....\n.X.O.\n.....\n.....\n.....",
    "other signs": "+++++\n+#+o+\n+++++\n+++++\n+++++\n",
    "wide signs": "・・・・・\n・●・○・\n・・・・・\n・・・・・\n・・・・・",
}


@for_each(DIAGRAMS.values())
def test_diagrams_that_people_paste(diagram: str) -> None:
    board = Board.from_text(diagram, to_play="W")
    assert board.stones == {Point(1, 1): Color.BLACK, Point(3, 1): Color.WHITE}
    assert board.size == (5, 5) and board.to_play is Color.WHITE
    assert board.played("cc").stones[Point(2, 2)] is Color.WHITE


@for_each(["", "  A B\n", ". X\n. a", ". X\n. . .", ". 1 .\n. . .", ". \0"])
def test_what_is_no_diagram(diagram: str) -> None:
    with pytest.raises(ValueError):
        Board.from_text(diagram)


# --- Keys ---------------------------------------------------------------------------------


@given(random_boards(), random_boards())
def test_equal_boards_have_equal_keys(one: Board, two: Board) -> None:
    assert (one.key == two.key) is (one == two)
    assert len(one.key) == 16 and int(one.key, 16) >= 0


def test_transpositions_have_the_same_key() -> None:
    game = sgf_lark.new_game(9)
    first = game.root.play("aa").play("bb").play("cc")
    second = game.root.play("cc").play("bb").play("aa")
    assert first.board().key == second.board().key != game.root.board().key
    assert game.root.board().key == "ffe93c06d8ca2a23"  # the same in every run


# --- Setting up ---------------------------------------------------------------------------


@given(random_boards(), st.sampled_from([Color.BLACK, Color.WHITE]))
def test_setup_gives_the_board_again(board: Board, color: Color) -> None:
    board = Board.from_text(str(board), to_play=color)
    game = sgf_lark.new_game(board.size, **board.setup())
    assert game.root.board() == board
    node = sgf_lark.new_game(board.size).root.add_child()
    node.update(board.setup())
    assert node.board() == board


@for_each(GAMES)
def test_setup_of_every_game(game: int) -> None:
    moves = {1: "aa", 9: "b1-b3", 11: "a1", 18: "adaiag"}
    board = sgf_lark.new_game(game=game).root.play(moves[game]).board()
    made = sgf_lark.new_game(board.size, game=game, **board.setup())
    assert made.root.board() == board
    assert sgf_lark.validate(sgf_lark.dumps(made)).ok
    assert Board.empty(board.size, game=game).stones == {}


@for_each(
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 Q4"),
        (19, 4, "D4 Q16 Q4 D16"),
        (19, 5, "D4 Q16 Q4 D16 K10"),
        (19, 6, "D4 Q16 Q4 D16 D10 Q10"),
        (19, 7, "D4 Q16 Q4 D16 D10 Q10 K10"),
        (19, 8, "D4 Q16 Q4 D16 D10 Q10 K16 K4"),
        (19, 9, "D4 Q16 Q4 D16 D10 Q10 K16 K4 K10"),
        (13, 5, "D4 K10 K4 D10 G7"),
        (12, 4, "C3 K10 K3 C10"),
        ((9, 13), 2, "C4 G10"),
        (7, 4, "C3 E5 E3 C5"),
    ]
)
def test_handicap_stones(size: int | tuple[int, int], count: int, vertices: str) -> None:
    game = sgf_lark.new_game(size, handicap=count, KM=0.5)
    wanted = {Point.from_gtp(vertex, size) for vertex in vertices.split()}
    assert {*game.root.board().stones} == wanted
    assert game.info.handicap == count and game.root.play("aa").color is Color.WHITE


@for_each(
    [
        {"size": 19, "handicap": 1},
        {"size": 19, "handicap": 10},
        {"size": 19, "handicap": True},
        {"size": 19, "handicap": "3"},
        {"size": 6, "handicap": 2},
        {"size": 7, "handicap": 5},
        {"size": 12, "handicap": 5},
        {"size": 19, "handicap": 2, "HA": 2},
        {"size": 19, "handicap": 2, "AB": ["dd"]},
        {"game": 11, "handicap": 2},
    ]
)
def test_no_such_handicap(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        sgf_lark.new_game(**arguments)


@pytest.mark.parametrize("size", [0, -1, (9, 0), "9", 9.0, (1, 2, 3), None, 600])
def test_no_such_board(size: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Board.empty(size)
