"""Boards, compared with a small reader and plain rules of Go; the boards of nodes are kept, so that
edits are seen and memory is bounded."""

from __future__ import annotations

import copy
import gc
import pickle
import string
from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Board, Color, GameTree, Node, Point, loads
from sgf_lark.model.board import GAMES
from sgf_lark.model.board_walk import start
from sgf_lark.model.cells import BLACK, EMPTY, WHITE
from tests.kit.readers import RawNode, read_classically
from tests.kit.tables import for_each

Pair = tuple[int, int]
PLAYED = {"B": BLACK, "W": WHITE}
SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}


def last(sgf: str) -> Board:
    """The board at the end of the main line."""
    *_, node = loads(sgf)[0].main_line()
    return node.board()


def shown(board: Board) -> str:
    """The stones by the letters of Go, row by row: ``aa:B ba:W``."""
    return " ".join(f"{point}:{color}" for point, color in board.stones.items())


#: The points of a board of 3 by 3.
NINE = [column + row for row in "abc" for column in "abc"]

# --- Tables ---------------------------------------------------------------------------


@for_each([
        ("(;SZ[3];B[aa];W[ba];B[cc];W[ab])", "ba:W ab:W cc:B", (0, 1)),
        ("(;SZ[3]AB[aa:bb]AW[cc];AE[aa:ba])", "ab:B bb:B cc:W", (0, 0)),
        # Suicide of one stone and of a group: the stones count for the opponent.
        ("(;SZ[3]AW[ba][ab];B[aa])", "ba:W ab:W", (0, 1)),
        ("(;SZ[2]AB[aa][ba];B[ab];B[bb])", "", (0, 4)),
        # A capture comes before suicide.
        ("(;SZ[3]AW[ba][ab]AB[ca][bb][ac];B[aa])", "aa:B ca:B bb:B ac:B", (2, 0)),
        # Occupied points and the other color's own stones are overwritten.
        ("(;SZ[3];B[bb];W[bb])", "bb:W", (0, 0)),
        # Setup captures nothing, and positions without liberties are possible.
        ("(;SZ[2]AB[aa][ba][ab][bb])", "aa:B ba:B ab:B bb:B", (0, 0)),
        # Only groups next to the stone are captured (go.html, "How to execute a move").
        ("(;SZ[2]AB[aa]AW[ba][ab];W[bb])", "aa:B", (3, 0)),
        # Passes, points outside the board and what is no move.
        ("(;SZ[3];B[];W[tt];B[zz];W[x];B[aa])", "aa:B", (0, 0)),
        ("(;SZ[3]AB[zz][aa:zz]AW[cc:aa])", " ".join(map("{}:W".format, NINE)), (0, 0)),
        ("(;SZ[3];B[aa][bb])", "aa:B", (0, 0)),
        ("(;SZ[2:4];B[bd];W[db])", "bd:B", (0, 0)),
        # In Hex nothing is captured; the swap mirrors.
        ("(;GM[11]SZ[5];B[a2];W[swap-pieces];B[c3])", "ba:W cc:B", (0, 0)),
        ("(;GM[11]SZ[5];B[a2];W[swap-sides];W[b2];B[pass];W[resign])", "ab:B bb:W", (0, 0)),
    ])  # fmt: skip
def test_stones_and_captures(sgf: str, stones: str, captures: tuple[int, int]) -> None:
    board = last(sgf)
    assert shown(board) == stones
    assert tuple(board.captures.values()) == captures


@for_each(
    [
        ("(;SZ[9])", "B", 0, None),
        ("(;SZ[9]HA[2]AB[cc][gg])", "W", 0, None),
        ("(;SZ[9]HA[2];AB[cc][gg])", "W", 0, None),
        ("(;SZ[9]HA[2]PL[B];AB[cc][gg])", "B", 0, None),
        ("(;SZ[9]HA[2])", "B", 0, None),
        ("(;SZ[9]HA[2];B[cc];AB[gg])", "W", 1, None),
        ("(;SZ[9]HA[0])", "B", 0, None),
        ("(;SZ[9]HA[1]AB[cc])", "B", 0, None),
        ("(;SZ[9]AB[cc];HA[2])", "B", 0, None),
        ("(;SZ[9]HA[2]AB[cc][gg];C[x];W[aa])", "B", 1, "aa"),
        ("(;SZ[9];B[aa]MN[x];W[bb])", "B", 2, "bb"),
        ("(;SZ[9];B[aa];AB[bb]PL[W])", "W", 1, None),
        ("(;SZ[9]PL[W])", "W", 0, None),
        ("(;SZ[9];B[aa]PL[x])", "W", 1, "aa"),
        ("(;SZ[9];B[aa]MN[7])", "W", 7, "aa"),
        ("(;SZ[9];B[aa]MN[7];W[bb])", "B", 8, "bb"),
        ("(;SZ[9];B[aa];B[bb])", "W", 2, "bb"),
        ("(;SZ[9];B[aa];W[])", "B", 2, None),
        ("(;SZ[9];B[aa];PL[B])", "B", 1, "aa"),
        ("(;SZ[9];B[aa];AW[bb])", "W", 1, None),
        ("(;GM[11];B[a1];W[swap-sides])", "W", 2, None),
        ("(;GM[11];B[a1];W[swap-pieces])", "B", 2, None),
        # Several moves in a node are executed; MN has the number of a move in its own node.
        ("(;SZ[9];B[aa]W[bb])", "B", 2, "bb"),
        ("(;SZ[9];W[aa]B[bb])", "W", 2, "bb"),
        ("(;SZ[9]MN[5];B[aa])", "W", 1, "aa"),
        # What cannot be read was a move nevertheless.
        ("(;SZ[9];B[aa];W[a])", "B", 2, None),
        ("(;SZ[9];B[zz])", "W", 1, None),
        ("(;FF[4]GM[11];B[a1];W[SWAP])", "B", 2, None),
    ]
)
def test_turn_number_and_last_move(
    sgf: str, to_play: str, number: int, last_move: str | None
) -> None:
    *_, node = loads(sgf)[0].main_line()
    board = node.board()
    assert (board.to_play, board.move_number) == (Color(to_play), number)
    assert board.last_move == (None if last_move is None else board.point(last_move))
    # The node answers in the same way, without a board.
    assert (node.play("a1" if board.game == 11 else "dd").color, node.move_number) == (
        *(Color(to_play), number),
    )


# --- The value ------------------------------------------------------------------------


def test_boards_are_copies() -> None:
    tree = loads("(;SZ[9];B[aa];W[bb])")[0]
    *_, node = tree.main_line()
    board = node.board()
    text = str(board)
    for other in (copy.deepcopy(board), copy.copy(board), pickle.loads(pickle.dumps(board))):
        assert other == board and other.key == board.key and str(other) == text
    node["AB"] = [Point(4, 4)]
    assert str(board) == text and node.board() != board
    assert last("(;SZ[9];B[aa];W[bb])") == last("(;SZ[9];B[];W[bb];B[aa]PL[B])")
    with pytest.raises(AttributeError):
        board.rows = 3  # type: ignore[misc]
    assert "Go, 9 by 9, after move 2, Black to play" in repr(board)
    assert repr(last("(;GM[11]SZ[60])")) == str(last("(;GM[11]SZ[60])"))


# --- Against plain rules and other readers ---------------------------------------------


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


def reference(data: bytes, size: int) -> Iterator[dict[tuple[int, int], int]]:
    """The stones after each node, by the small reader and the plain rules."""
    for game in read_classically(data) or []:
        positions: list[dict[tuple[int, int], int]] = []
        for node in game.nodes:
            stones = dict(positions[node.parent]) if node.parent >= 0 else {}
            positions.append(executed(stones, node, size))
        yield from positions


def executed(
    stones: dict[tuple[int, int], int], node: RawNode, size: int
) -> dict[tuple[int, int], int]:
    for ident, raws in node.properties:
        for point in (point for raw in raws for point in points(raw, size)):
            if ident in PLAYED:
                stones = played(stones, size, point, PLAYED[ident])
            elif ident in SET_UP:
                stones[point] = SET_UP[ident]
                if stones[point] == EMPTY:
                    del stones[point]
    return stones


def points(raw: bytes, size: int) -> list[tuple[int, int]]:
    """The points of the board that a value of two letters, or a rectangle, names."""
    indices = [
        string.ascii_letters.find(letter) for letter in raw.decode("latin-1") if letter != ":"
    ]
    if len(indices) not in (2, 4) or min(indices) < 0:
        return []
    columns, rows = sorted(indices[::2]), sorted(indices[1::2])
    found = product(range(columns[0], columns[-1] + 1), range(rows[0], rows[-1] + 1))
    return [(column, row) for column, row in found if column < size and row < size]


@st.composite
def games(draw: st.DrawFn) -> tuple[bytes, int]:
    """Games on a small board, with variations, captures, suicide, setup and rectangles."""
    size = draw(st.integers(1, 5))
    letters = st.sampled_from(string.ascii_lowercase[:size])
    point = st.builds(str.__add__, letters, letters)
    place = point | st.builds("{}:{}".format, point, point)
    move = st.builds(
        "{}[{}]".format, st.sampled_from("BW"), point | st.sampled_from(["", "tt", "zz"])
    )
    setup = st.builds(
        "{}[{}]".format,
        st.sampled_from(["AB", "AW", "AE"]),
        st.lists(place, min_size=1, max_size=2).map("][".join),
    )
    node = st.builds(";{}".format, move | move | move | setup | st.just("C[x]"))
    line = st.lists(node, min_size=1, max_size=12).map("".join)
    tree = st.recursive(
        line, lambda below: st.builds("{}({})({})".format, line, below, below), max_leaves=4
    )
    return f"(;SZ[{size}]{draw(tree)})".encode(), size


def stones_by_pair(board: Board) -> dict[tuple[int, int], int]:
    return {tuple(point): 1 if color is Color.BLACK else 2 for point, color in board.stones.items()}  # type: ignore[misc]


@given(games())
def test_boards_are_those_of_a_small_reader(game: tuple[bytes, int]) -> None:
    data, size = game
    found = [stones_by_pair(node.board()) for tree in loads(data) for node in tree.nodes()]
    assert found == list(reference(data, size))


# --- A board that changes --------------------------------------------------------------


@given(games(), st.data())
def test_what_is_played_is_taken_back(game: tuple[bytes, int], data: st.DataObject) -> None:
    """Stones, turn, ko, captures and numbers; neither the node nor a copy sees any of it."""
    node = data.draw(st.sampled_from([*loads(game[0])[0].nodes()]))
    board, before = node.board(), node.board()
    marks = [(board.mark(), board.copy())]
    for _ in range(data.draw(st.integers(0, 12))):
        point = data.draw(st.sampled_from([*board]))
        color = data.draw(st.sampled_from([None, "B", "W"]))
        if data.draw(st.booleans()):
            expected = board.played(point, color)
            board.play(point, color)
            assert state(board) == state(expected)
        else:
            board.set_up([point], color)
            assert board[point] == color and board.last_move is board.ko is None
        marks.append((board.mark(), board.copy()))
    for mark, copied in reversed(marks):
        board.undo_to(mark)
        assert state(board) == state(copied)
    assert state(board) == state(before) == state(node.board())


def state(board: Board) -> tuple[object, ...]:
    return (
        *(board.stones, board.captures, board.to_play, board.ko, board.key),
        *(board.last_move, board.move_number, repr(board)),
    )


@for_each(GAMES)
def test_a_board_is_a_mapping(game: int) -> None:
    board = Board.empty(10, game=game)
    assert isinstance(board, Mapping) and len(board) == 100 == len([*board])
    first, last = board.point((0, 0)), board.point((9, 9))
    board.set_up([first, last], "W")
    assert dict(board) == {point: board[point] for point in board.points()}
    assert {point: color for point, color in board.items() if color} == board.stones
    assert board.get((10, 0), "none") == "none" and board.get(first) is Color.WHITE
    board.set_up([first], None)
    assert [*board.stones] == [last]
    with pytest.raises(TypeError):
        hash(board)
    before = board.copy()
    for wrong in ([first, (10, 0)], [first, "?"], [first, 3]):
        with pytest.raises((IndexError, TypeError, ValueError)):
            board.set_up(wrong, "B")  # type: ignore[arg-type]
    assert board == before


# --- The boards that are kept -----------------------------------------------------------


def anew(node: Node) -> Board:
    """The board of a node, from the root."""
    path = [node]
    while (parent := path[-1].parent) is not None:
        path.append(parent)
    board = start(node.tree)
    for step in reversed(path):
        board.execute(step.properties)
    return board


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["move", "setup", "remove", "comment", "child", "detach", "order", "size"]),
        st.integers(0, 1000),
        st.sampled_from(["aa", "ab", "ba", "bb", "cc", ""]),
    ),
    max_size=12,
)


@given(games(), EDITS)
def test_edits_are_seen(game: tuple[bytes, int], edits: list[tuple[str, int, str]]) -> None:
    tree = loads(game[0])[0]
    for kind, at, point in edits:
        nodes = list(tree.nodes())
        edit(tree, nodes[at % len(nodes)], kind, point)
        nodes = list(tree.nodes())
        for node in (nodes[at % len(nodes)], nodes[-1], nodes[len(nodes) // 2]):
            assert node.board() == anew(node)
            assert node.board().captures == anew(node).captures
    assert [node.board() for node in tree.nodes()] == [anew(node) for node in tree.nodes()]


def edit(tree: GameTree, node: Node, kind: str, point: str) -> None:
    """Edit a node at random."""
    value = Point(*(ord(letter) - 97 for letter in point)) if point else None
    is_on_board = value is None or tree.has_point(value)
    if kind == "move" and is_on_board:
        node["W"] = sgf_lark.Move(value)
    elif kind == "setup" and value is not None and is_on_board:
        node["AB"] = [value]
    elif kind == "remove":
        for ident in [ident for ident in node if ident != "SZ"]:
            del node[ident]
    elif kind == "comment":
        node["C"] = point
    elif kind == "child" and is_on_board:
        node.add_child({"B": sgf_lark.Move(value)}, index=0).board()
    elif kind == "detach" and node.parent is not None:
        node.detach()
        assert node.board() == anew(node)
    elif kind == "order":
        [child.move_to(node) for child in node.children[::-1]]
    elif kind == "size" and tree.size == (5, 5):
        tree.root["C"] = "the size stays"


def test_deep_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards from below and back, and with a variation at each node; few nodes are executed twice,
    as each time all of the way would take time in line with the square of the depth."""
    executed: list[None] = []
    execute_move = Board.execute_move

    def counted(board: Board, move: object, cell: int) -> None:
        executed.append(None)
        execute_move(board, move, cell)

    monkeypatch.setattr(Board, "execute_move", counted)
    depth = 6_000
    tree = loads("(;SZ[5]" + ";B[aa];W[ba]" * (depth // 2) + ")")[0]
    nodes = list(tree.main_line())
    assert [node.board().move_number for node in reversed(nodes)] == [*range(depth, -1, -1)]
    assert len(executed) < 3 * depth
    pairs = depth // 10
    data = f"(;SZ[5]{';B[aa](;W[ba]' * pairs}(;B[cc])(;B[dd]){')(;W[bb])' * pairs})"
    for node in loads(data)[0].nodes():
        assert node.board().move_number == node.depth
    assert len(executed) < 3 * depth + 4 * 3 * pairs


def _boards() -> int:
    """The number of boards that there are, those of other tests too."""
    gc.collect()
    return sum(isinstance(each, Board) for each in gc.get_objects())


def test_memory_of_boards() -> None:
    """Large boards are dropped again; those of nodes far away are right all the same."""
    count, before = 600, _boards()
    tree = loads("(;GM[11]SZ[512]" + ";B[a1];W[b2]" * (count // 2) + ")")[0]
    nodes = [*tree.main_line()]
    assert nodes[-1].board().move_number == count
    assert _boards() < before + 140
    for place in (count // 2, 5, count - 100):
        assert nodes[place].board().move_number == place
