"""Games that begin alike, joined into one tree."""

from __future__ import annotations

import random

import pytest

import sgf_lark
from sgf_lark import Collection
from tests.kit.tables import for_each

ROOT = "(;FF[4]GM[1]SZ[9]"


def merged(*games: str) -> list[str]:
    made = Collection([sgf_lark.loads(game)[0] for game in games])
    return [sgf_lark.dumps(game).decode() for game in made.merged()]


@for_each(
    [
        (["PB[Ann];B[aa])"], ["PB[Ann];B[aa])"]),
        (
            ["PB[Ann];B[aa];W[bb])", "PB[Bea];B[aa];W[cc])"],
            ["CA[UTF-8];B[aa](;W[bb]PB[Ann])(;W[cc]PB[Bea]))"],
        ),
        (["PB[Ann];B[aa];W[bb])", "PB[Bea];B[aa])"], ["CA[UTF-8];B[aa]C[PB[Bea\\]];W[bb]PB[Ann])"]),
        (
            ["C[one];B[aa]TR[aa])", "C[two];B[aa]TR[aa][bb])", "C[one];W[aa])"],
            ["C[one\n\ntwo]CA[UTF-8](;B[aa]TR[aa][bb])(;W[aa]))"],
        ),
        (
            ["AB[aa];W[bb])", "AB[bb];W[cc])", "AB[aa];W[cc])"],
            ["AB[aa]CA[UTF-8](;W[bb])(;W[cc]))", "AB[bb];W[cc])"],
        ),
        (["N[x];B[aa]V[1])", "N[y];B[aa]V[2])"], ["N[x]CA[UTF-8]C[N[y\\]];B[aa]V[1]C[V[2\\]])"]),
        (["(;B[aa])(;B[bb]))", "(;B[bb];W[cc])(;B[dd]))"], None),
    ]
)
def test_games_are_joined(games: list[str], wanted: list[str] | None) -> None:
    found = merged(*(ROOT + game for game in games))
    if wanted is not None:
        assert found == [ROOT + each for each in wanted]
    else:
        tree = sgf_lark.loads(found[0])[0]
        assert [str(node["B"]) for node in tree.root.children] == ["aa", "bb", "dd"]


def random_games(count: int, seed: int) -> list[sgf_lark.GameTree]:
    source, found = random.Random(seed), []
    for number in range(count):
        game = sgf_lark.new_game(9, PB=f"Player {number}", RE="B+1")
        node = game.root
        for move in range(source.randint(0, 6)):
            node = node.play(source.choice(["aa", "bb", "cc"]))
            if source.random() < 0.5:
                node["C"] = f"{number} {move}"
        found.append(game)
    return found


@for_each(range(5))
def test_every_game_is_a_path_of_the_joined_one(seed: int) -> None:
    games = random_games(12, seed)
    before = [sgf_lark.dumps(game) for game in games]
    (tree,) = Collection(games).merged()
    assert [sgf_lark.dumps(game) for game in games] == before
    paths = [[str(each.move) for each in node.path() if each.moves()] for node in tree.nodes()]
    comments = "\n".join(str(node.get("C", "")) for node in tree.nodes())
    players = comments + "".join(str(node.get("PB", "")) for node in tree.nodes())
    for number, game in enumerate(games):
        moves = [str(node.move) for node in game.main_line() if node.moves()]
        assert moves in paths
        assert f"Player {number}" in players
        assert all(str(node["C"]) in comments for node in game.nodes() if "C" in node)
    # No two variations of a node play the same, and no path has the information of two games.
    for node in tree.nodes():
        assert len({child.property(child.color or "").raw[0] for child in node.children}) == len(
            node.children
        )
    assert sgf_lark.validate(sgf_lark.dumps(tree), profile="interchange").counts["error"] == 0


def test_games_in_several_charsets() -> None:
    text = ROOT + "CA[{}];B[aa]C[{}];W[bb])"
    games = [
        sgf_lark.loads(text.format(name, word).encode(name))[0]
        for name, word in (("GBK", "黑棋"), ("Shift_JIS", "ソ表"), ("UTF-8", "é"))
    ]
    (tree,) = Collection(games).merged()
    again = sgf_lark.loads(sgf_lark.dumps(tree))[0]
    assert again.root.children[0]["C"] == "黑棋\n\nソ表\n\né"


def test_what_cannot_be_joined_stays() -> None:
    broken = sgf_lark.loads(b"(;FF[4]GM[1]CA[GBK];B[aa]C[\xba\xda\xb0\xd7\xc6\xe5\xff])")[0]
    fine = sgf_lark.loads(b"(;FF[4]GM[1]CA[UTF-8];B[aa])")[0]
    hex_game = sgf_lark.loads(b"(;FF[4]GM[11];B[a1])")[0]
    found = Collection([broken, fine, hex_game]).merged()
    assert broken in found and hex_game in found
    assert [*Collection().merged()] == []


# --- Split games --------------------------------------------------------------------------

VARIATIONS = ROOT + "PB[Ann]\n;B[aa] (;W[bb]C[x\\]])(;W[cc];B[dd](;W[ee])(;W[ff])))"


@pytest.mark.parametrize("edited", [False, True])
def test_split_gives_a_game_for_each_variation(edited: bool) -> None:
    game = sgf_lark.loads(VARIATIONS)[0]
    if edited:
        game.root.play("bb")["C"] = "new"
        game.root.children[0].pop("B")
    lines = [*game.split()]
    assert [
        [dict(node) for node in line.nodes()] for line in lines
    ] == [[dict(node) for node in leaf.path()] for leaf in game.leaves()]  # fmt: skip
    for line in lines:
        (again,) = sgf_lark.loads(sgf_lark.dumps(line))
        assert again.equals(line) and next(line.nodes()) is line.root
        line.root.play("ii")
    assert len([*game.nodes()]) == (8 if edited else 7)
    if not edited:
        (joined,) = Collection(sgf_lark.loads(VARIATIONS)[0].split()).merged()
        for tree in (joined, game):  # the information is where the joined games differ
            for node in tree.nodes():
                node.pop("PB", None)
            tree.root.pop("CA", None)
        assert joined.equals(game)
