"""Making, editing, moving and copying: what ``test_model_machine.py`` does not try."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, MutableMapping, MutableSequence
from typing import Any

import pytest

import sgf_lark
from sgf_lark import Collection, GameTree, Move, Point
from tests.kit.tables import for_each

DEEP = 5_000


def game_of(text: str | bytes) -> GameTree:
    return sgf_lark.loads(text if isinstance(text, bytes) else text.encode())[0]


# --- Values -------------------------------------------------------------------------


@for_each(
    [
        (lambda: sgf_lark.new_game(C="棋"), "ISO-8859-1", ValueError),
        (lambda: sgf_lark.new_game(), "UTF-7", ValueError),
        (lambda: sgf_lark.new_game(), "no-such", LookupError),
        (lambda: game_of(b"(;FF[4]CA[UTF-8]C[" + b"\xc3\xa9" * 9 + b"\xff])"), "GBK", ValueError),
        (lambda: Collection(), None, ValueError),
        (lambda: [sgf_lark.new_game()], None, TypeError),
        (lambda: sgf_lark.new_game().root, None, TypeError),
        (lambda: sgf_lark.new_game().root.play("aa").detach().tree, None, TypeError),
    ]
)
def test_what_cannot_be_dumped(
    games: Callable[[], Any], charset: str | None, error: type[Exception]
) -> None:
    with pytest.raises(error):
        sgf_lark.dumps(games(), charset=charset)


def test_child_gets_the_properties_of_another_node() -> None:
    game = game_of("(;FF[4];B[aa]C[x])")
    child = game.root.add_child(game.root.children[0], C="y", index=0)
    assert game.root.children[0] is child and dict(child) == {"B": Move(Point(0, 0)), "C": "y"}


# --- Moving ---------------------------------------------------------------------------


def test_detached_node_is_independent_of_its_tree() -> None:
    game = game_of("(;FF[4]CA[UTF-8]SZ[19];C[é]B[tt];W[pd])")
    node = game.root.children[0].detach()
    game.root["CA"] = "ISO-8859-1"
    game.root["SZ"] = 9
    assert node["C"] == "é" and node.parent is None and node.tree.root is node
    assert node.detach() is node
    node["N"] = "棋"
    with pytest.raises(ValueError):
        node.move_to(game.root)
    game.root["SZ"], game.root["CA"] = 19, "UTF-8"
    node.move_to(game.root)
    assert sgf_lark.dumps(game).decode() == "(;FF[4]CA[UTF-8]SZ[19];C[é]B[tt]N[棋];W[pd])"


# --- Collections ------------------------------------------------------------------------


def test_collection_keeps_bytes_while_games_come_and_go() -> None:
    collection = sgf_lark.loads(b" (;FF[4] C[a] )\n(;C[b]) (;C[c])")
    assert isinstance(collection, MutableSequence) and isinstance(
        collection[0].root, MutableMapping
    )
    first, second, third = collection
    collection[1:2] = []
    assert sgf_lark.dumps(collection) == b" (;FF[4] C[a] )\n(;C[c])"
    collection.insert(0, second)
    collection.reverse()
    assert list(collection) == [third, first, second]
    collection[0] = sgf_lark.loads(b"(;CA[GBK]N[\xc6\xe5])")[0]
    assert sgf_lark.dumps(collection[:1]) == b" (;CA[GBK]N[\xc6\xe5])"
    wrong: list[Any] = [b"(;)", first.root, None, [first], first.root.copy().tree]
    for game in wrong:
        with pytest.raises(TypeError):
            collection.append(game)
    with pytest.raises(TypeError):
        collection[0:1] = first  # type: ignore[call-overload]
    assert len(collection) == 3


@for_each([
        ("(;C[é])".encode("utf-16"), b"(;CA[GBK]N[\xc6\xe5])",
         "\ufeff(;C[é])(;CA[UTF-16]N[棋])".encode("utf-16-le")),
        (b"\xef\xbb\xbf(;C[a])", b"(;CA[GBK]N[\xc6\xe5])",
         "\ufeff(;C[a])(;CA[UTF-8]N[棋])".encode()),
        (b"(;C[a])", "(;N[棋])".encode("utf-16"), "(;C[a])(;N[棋]CA[UTF-8])".encode()),
        (b"(;C[a])", "\ufeff(;N[é])".encode(), "(;C[a])(;N[é]CA[UTF-8])".encode()),
        (b"(;C[a])", b"(;N[\xe9])", b"(;C[a])(;N[\xe9])"),
    ])  # fmt: skip
def test_game_is_written_in_the_charset_of_its_new_file(
    container: bytes, game: bytes, written: bytes
) -> None:
    collection = sgf_lark.loads(container)
    collection += sgf_lark.loads(game)
    assert sgf_lark.dumps(collection) == written
    assert sgf_lark.loads(written).equals(collection)


# --- Copies -----------------------------------------------------------------------------

COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))]


@for_each(COPIES)
def test_detached_and_damaged_nodes_are_copied(copied: Callable[[Any], Any]) -> None:
    top = game_of("(;FF[4]CA[UTF-8];C[é];B[aa])").root.children[0].detach()
    again, child = copied((top, top.children[0]))
    assert again.equals(top) and again.children == (child,) and again.parent is None
    damaged = sgf_lark.loads(b"(;FF[4]a[b];Aa[x] ] (;C[d", tolerant=True)
    again = copied(damaged)
    assert again.equals(damaged) and again.damage == damaged.damage
    assert copied(damaged[0]).equals(damaged[0])


def test_shallow_copies() -> None:
    collection = sgf_lark.loads(b"(;FF[4]C[a];B[aa])")
    shallow = copy.copy(collection)
    assert shallow[0] is collection[0] and shallow is not collection
    game = copy.copy(collection[0])
    assert game is not collection[0] and game.equals(collection[0])
    node = copy.copy(collection[0].root.children[0])
    assert node.parent is None and node.equals(collection[0].root.children[0])


def test_deep_trees_are_walked_without_recursion() -> None:
    game = game_of(b"(;FF[4]" + b"(;B[aa]" * DEEP + b")" * DEEP + b")")
    *_, last = game.nodes()
    assert last.depth == DEEP == len(last.path()) - 1 == last.move_number
    assert list(game.leaves()) == [last] and list(game.main_line())[-1] is last
    assert last.inherited("VW") is None
    last.play("bb")
    for copied in COPIES:
        again, node = copied((game, last))
        assert again.equals(game) and node.depth == DEEP
    first = game.root.children[0]
    assert first.copy().equals(first)
    other = sgf_lark.new_game()
    first.detach().move_to(other.root)
    assert pickle.loads(pickle.dumps(first)).equals(first)
    assert sgf_lark.loads(sgf_lark.dumps(other, charset="UTF-16"))[0].equals(other)


# --- Playing and inheriting ---------------------------------------------------------------


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
    assert sgf_lark.new_game(game=11).root.play(None).move == sgf_lark.HexMove(action="pass")
    with pytest.raises(ValueError):
        sgf_lark.new_game(game=9).root.play(None)


def test_inherited_values() -> None:
    game = game_of("(;FF[4]PB[x]VW[aa]VW[bb]DD[bb];B[aa];VW[]DD[cc];C[x])")
    *_, last = nodes = list(game.nodes())
    assert [node.inherited("VW") for node in nodes] == [[(0, 0), (1, 1)]] * 2 + [[]] * 2
    assert last.inherited("DD") == [Point(2, 2)] and last.inherited("PM") is None
    assert last.inherited("PM", 1) == 1 and last.inherited("PB") == "x"
    for ident in ("C", "B", "XX"):
        with pytest.raises(ValueError, match=ident):
            last.inherited(ident)
