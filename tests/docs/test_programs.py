"""Short programs for everyday tasks, each beside the same program with sgfmill.

Both give the same result where sgfmill can do the task, and ours is not longer: it has at most as
many lines and as many characters.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sgfmill import ascii_boards, common, sgf, sgf_moves

import sgf_lark
from sgf_lark import Board, Collection, Symmetry

GAME = (
    b"(;FF[4]CA[UTF-8]GM[1]SZ[19]PB[Lee]PW[\xc3\x96z];B[pd]C[one](;W[dp];B[pp])(;W[dd];B[pq]C[x]))"
)

#: A board of 5 by 5 as both libraries read it.
DIAGRAM = """\
5  .  #  .  o  .
4  #  #  .  o  o
3  .  .  o  .  .
2  o  .  .  #  .
1  .  .  .  .  .
   A  B  C  D  E"""


class MakeAGame:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.new_game(9, PB="Lee", PW="Öz", KM=6.5)
        return sgf_lark.dumps(game)

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game(9)
        game.get_root().set("PB", "Lee")
        game.get_root().set("PW", "Öz")
        game.get_root().set("KM", 6.5)
        return game.serialise()


class SetUpHandicapStones:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.new_game(9, HA=2, AB=["cg", "gc"])
        return sgf_lark.dumps(game)

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game(9)
        game.get_root().set("HA", 2)
        game.get_root().set("AB", [(6, 6), (2, 2)])
        return game.serialise()


class PlayMoves:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.new_game(19)
        game.root.play("pd").play("dd").play(None)["C"] = "pass"
        return sgf_lark.dumps(game)

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game(19)
        game.extend_main_sequence().set_move("b", (15, 15))
        game.extend_main_sequence().set_move("w", (15, 3))
        game.extend_main_sequence().set_move("b", None)
        game.get_last_node().set("C", "pass")
        return game.serialise()


class PlayAsPeopleWriteIt:
    @staticmethod
    def ours() -> Any:
        node = sgf_lark.new_game(19).root.play(gtp="Q16")
        return node.move.gtp(19)

    @staticmethod
    def sgfmill() -> Any:
        node = sgf.Sgf_game(19).extend_main_sequence()
        node.set_move("b", common.move_from_vertex("Q16", 19))
        return common.format_vertex(node.get_move()[1])


class AddAVariation:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0]
        game.root.children[0].play("cc")["N"] = "corner"
        return [str(node.move) for node in game.root.children[0].children]

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game.from_bytes(GAME)
        node = game.get_root()[0].new_child()
        node.set_move("w", (16, 2))
        node.set("N", "corner")
        moves = [child.get_move()[1] for child in game.get_root()[0]]
        return ["abcdefghijklmnopqrs"[column] + "srqponmlkjihgfedcba"[row] for row, column in moves]


class PutAVariationFirst:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0]
        node = game.root.children[0]
        node.children[1].move_to(node, 0)
        return [str(node.move) for node in game.main_line() if node.move]

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game.from_bytes(GAME)
        node = game.get_root()[0]
        node[1].reparent(node, 0)
        moves = [node.get_move()[1] for node in game.get_main_sequence() if node.get_move()[0]]
        return ["abcdefghijklmnopqrs"[column] + "srqponmlkjihgfedcba"[row] for row, column in moves]


class RemoveAVariation:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0]
        game.root.children[0].children[1].detach()
        return len(list(game.nodes()))

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game.from_bytes(GAME)
        game.get_root()[0][1].delete()
        return len(list(game.main_sequence_iter()))


class ReadTheMainLine:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0]
        return [node.color for node in game.main_line() if node.move]

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game.from_bytes(GAME)
        colors = [node.get_move()[0] for node in game.get_main_sequence()]
        return [color.upper() for color in colors if color]


class FollowThePathToANode:
    @staticmethod
    def ours() -> Any:
        node = sgf_lark.loads(GAME)[0].root.children[0].children[1]
        return [list(each) for each in node.path()]

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game.from_bytes(GAME)
        path = [*game.get_sequence_above(game.get_root()[0][1]), game.get_root()[0][1]]
        return [list(node.properties()) for node in path]


class CountVariationsByTheirEnds:
    @staticmethod
    def ours() -> Any:
        return len(list(sgf_lark.loads(GAME)[0].leaves()))

    @staticmethod
    def sgfmill() -> Any:
        stack, count = [sgf.Sgf_game.from_bytes(GAME).get_root()], 0
        while stack:
            children = list(stack.pop())
            count += not children
            stack += children
        return count


class EditAComment:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0]
        game.root["C"] = "Komi: [6.5]"
        return game.root["C"]

    @staticmethod
    def sgfmill() -> Any:
        game = sgf.Sgf_game.from_bytes(GAME)
        game.get_root().set("C", "Komi: [6.5]")
        return game.get_root().get("C")


class WriteInAnotherCharset:
    @staticmethod
    def ours() -> Any:
        data = sgf_lark.dumps(sgf_lark.loads(GAME), charset="ISO-8859-1")
        return data.count(b"\xd6"), b"CA[ISO-8859-1]" in data


class KeepSeveralGamesInAFile:
    @staticmethod
    def ours() -> Any:
        games = sgf_lark.loads(GAME)
        games.append(sgf_lark.new_game(9))
        games += sgf_lark.loads(b"(;GM[1];B[aa])(;GM[11])")
        del games[-1]
        return [game.size for game in sgf_lark.loads(sgf_lark.dumps(games))]


class MoveAVariationToAnotherGame:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.new_game(19, charset="GBK")
        sgf_lark.loads(GAME)[0].root.children[0].move_to(game.root)
        return [node.get("C") for node in game.nodes()]


class KeepCopies:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0]
        copies = [copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
        return [each.equals(game) for each in copies]


class MapOverGames:
    @staticmethod
    def ours() -> Any:
        games = sgf_lark.loads(GAME * 3)
        with ThreadPoolExecutor() as pool:
            return list(pool.map(lambda game: len(list(game.nodes())), games))


class NumberMoves:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(b"(;FF[4];B[aa];W[bb](;B[cc]MN[1];W[dd])(;B[ee]))")[0]
        return [node.move_number for node in game.leaves()]


class WriteWhatNoTypeAllows:
    @staticmethod
    def ours() -> Any:
        node = sgf_lark.loads(GAME)[0].root.play("aa")
        node.property("B").raw = b"A1"
        return bytes(node.property("B"))


class AddToAComment:
    @staticmethod
    def ours() -> Any:
        node = sgf_lark.loads(GAME)[0].root.children[0]
        node.add_comment("two")
        return node["C"]

    @staticmethod
    def sgfmill() -> Any:
        node = sgf.Sgf_game.from_bytes(GAME).get_root()[0]
        node.add_comment_text("two")
        return node.get("C")


class ScoreADiagram:
    @staticmethod
    def ours() -> Any:
        board = Board.from_text(DIAGRAM)
        return board.area_score(komi=0.5)

    @staticmethod
    def sgfmill() -> Any:
        board = ascii_boards.interpret_diagram(DIAGRAM, 5)
        return board.area_score() - 0.5


class PlayOnACopy:
    @staticmethod
    def ours() -> Any:
        before = Board.from_text(DIAGRAM)
        after = before.played("ca", "W")
        return len(before.stones), len(after.stones)

    @staticmethod
    def sgfmill() -> Any:
        before = ascii_boards.interpret_diagram(DIAGRAM, 5)
        after = before.copy()
        after.play(4, 2, "w")
        return len(before.list_occupied_points()), len(after.list_occupied_points())


class SetUpADiagram:
    @staticmethod
    def ours() -> Any:
        board = Board.from_text(DIAGRAM)
        game = sgf_lark.new_game(5, **board.setup())
        return len(game.root.board().stones)

    @staticmethod
    def sgfmill() -> Any:
        board = ascii_boards.interpret_diagram(DIAGRAM, 5)
        game = sgf.Sgf_game(5)
        sgf_moves.set_initial_position(game, board)
        return sum(map(len, game.get_root().get_setup_stones()))


class ReplayAGame:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0]
        return len(next(game.leaves()).board().stones)

    @staticmethod
    def sgfmill() -> Any:
        board, moves = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(GAME))
        for color, (row, column) in moves:
            board.play(row, column, color)
        return len(board.list_occupied_points())


class MirrorAGame:
    @staticmethod
    def ours() -> Any:
        game = sgf_lark.loads(GAME)[0].transformed(Symmetry.FLIP_LEFT_RIGHT)
        return [str(node.move) for node in game.main_line() if node.move]


class MergeGamesAndSplitThem:
    @staticmethod
    def ours() -> Any:
        (tree,) = sgf_lark.loads(b"(;SZ[9];B[aa];W[bb])(;SZ[9];B[aa];W[cc])").merged()
        return len(tree.root.children), len(list(tree.split()))


class SayWhatChanged:
    @staticmethod
    def ours() -> Any:
        before, after = sgf_lark.loads(GAME)[0], sgf_lark.loads(GAME)[0]
        after.info.komi = 6.5
        return str(sgf_lark.compare(before, after))


class GiveAHandicap:
    @staticmethod
    def ours() -> Any:
        node = sgf_lark.new_game(19, handicap=4).root.play("cc")
        return node.color, len(node.board().stones)


#: The tasks, and what our programs give.
TASKS: dict[type, Any] = {
    MakeAGame: b"(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[Lee]PW[\xc3\x96z]KM[6.5])",
    SetUpHandicapStones: b"(;FF[4]CA[UTF-8]GM[1]SZ[9]HA[2]AB[cg][gc])",
    PlayMoves: b"(;FF[4]CA[UTF-8]GM[1]SZ[19];B[pd];W[dd];B[]C[pass])",
    PlayAsPeopleWriteIt: "Q16",
    AddAVariation: ["dp", "dd", "cc"],
    PutAVariationFirst: ["pd", "dd", "pq"],
    RemoveAVariation: 4,
    ReadTheMainLine: ["B", "W", "B"],
    FollowThePathToANode: [["FF", "CA", "GM", "SZ", "PB", "PW"], ["B", "C"], ["W"]],
    CountVariationsByTheirEnds: 2,
    EditAComment: "Komi: [6.5]",
    WriteInAnotherCharset: (1, True),
    KeepSeveralGamesInAFile: [(19, 19), (9, 9), (19, 19)],
    MoveAVariationToAnotherGame: [None, "one", None, None, None, "x"],
    KeepCopies: [True, True],
    MapOverGames: [6, 6, 6],
    NumberMoves: [2, 3],
    WriteWhatNoTypeAllows: b"B[A1]",
    AddToAComment: "one\n\ntwo",
    ScoreADiagram: -1.5,
    PlayOnACopy: (9, 10),
    SetUpADiagram: 9,
    ReplayAGame: 3,
    MirrorAGame: ["dd", "pp", "dp"],
    MergeGamesAndSplitThem: (1, 2),
    SayWhatChanged: "root: KM[6.5] added",
    GiveAHandicap: ("W", 5),
}
COMPARED = [task for task in TASKS if hasattr(task, "sgfmill")]


def content(result: Any) -> Any:
    """A result; of a file the model, because programs write the same root in another order."""
    if not isinstance(result, bytes):
        return result
    return [{**dict(node), "AP": None} for node in sgf_lark.loads(result)[0].nodes()]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_program_gives(task: Any) -> None:
    assert task.ours() == TASKS[task]


def size(program: Callable[[], Any]) -> tuple[int, int]:
    """The lines and the characters of a program, without its head and indentation."""
    lines = inspect.getsource(program).splitlines()[2:]
    return len(lines), len(re.sub(r"\s", "", "".join(lines)))


@pytest.mark.parametrize("task", COMPARED, ids=lambda task: task.__name__)
def test_program_is_not_longer_than_with_sgfmill(task: Any) -> None:
    assert content(task.ours()) == content(task.sgfmill())
    ours, theirs = size(task.ours), size(task.sgfmill)
    assert ours[0] <= theirs[0] and ours[1] <= theirs[1], (ours, theirs)


def test_collection_of_games_from_anywhere() -> None:
    games = Collection([sgf_lark.new_game(9), *sgf_lark.loads(GAME)])
    assert [game.size for game in games[1:]] == [(19, 19)]
