"""What differs between two games."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Collection, GameTree
from sgf_lark.fuzz.strategies import collections
from tests.kit.tables import for_each

BASE = "(;FF[4]GM[1]SZ[9]KM[6.5];B[aa];W[bb](;B[cc]C[good];W[dd])(;B[ee]))"


def game(text: str) -> GameTree:
    return sgf_lark.loads(text)[0]


@for_each(
    [
        (BASE, []),
        (BASE.replace("KM[6.5]", "KM[7.5]"), ["root: KM[6.5] -> [7.5]"]),
        (BASE.replace("KM[6.5]", ""), ["root: KM[6.5] removed"]),
        (BASE.replace("SZ[9]", "SZ[9]PB[Ann]"), ["root: PB[Ann] added"]),
        (BASE.replace("W[bb]", "W[bc]"), ["move 2 (W[bb]): W[bb] -> [bc]"]),
        (BASE.replace("C[good]", "C[bad]"), ["move 3 (B[cc]): C[good] -> [bad]"]),
        (BASE.replace("(;B[ee])", ""), ["move 3 (B[ee]) in variation 2 after move 2: removed"]),
        (
            BASE.replace("(;B[ee])", "(;B[ee])(;B[ff];W[gg])"),
            ["move 3 (B[ff]) in variation 3 after move 2 and 1 after it: added"],
        ),
        (
            "(;FF[4]GM[1]SZ[9]KM[6.5];B[aa];W[bb](;B[ee])(;B[cc]C[good];W[dd]))",
            ["move 2 (W[bb]): the order of properties or variations differs"],
        ),
        (
            BASE.replace("B[cc]C[good]", "C[good]B[cc]"),
            ["move 3 (B[cc]): the order of properties or variations differs"],
        ),
        (BASE.replace("KM[6.5]", "KM[6.50]\n"), []),
        (BASE.replace("B[aa]", "B[aa]AB[aa:bb]"), ["move 1 (B[aa]): AB[aa:bb] added"]),
        (BASE.replace("KM[6.5]", "KM[6.5]CA[UTF-8]"), []),
    ]
)
def test_differences_in_words(changed: str, lines: list[str]) -> None:
    found = sgf_lark.compare(game(BASE), game(changed))
    assert str(found).splitlines() == lines
    assert len(found) == len(lines) and bool(found) is bool(lines)
    assert repr(found).startswith(f"<Comparison: {len(lines)} difference")


def test_differences_as_data() -> None:
    one, two = game(BASE), game(BASE.replace("C[good]", "C[bad]").replace("(;B[ee])", ""))
    changed, removed = sgf_lark.compare(one, two)
    assert (changed.kind, changed.ident, changed.before, changed.after) == (
        *("changed", "C", "[good]"), "[bad]",
    )  # fmt: skip
    assert changed.first is not None and changed.first["C"] == "good"
    assert changed.second is not None and changed.second["C"] == "bad"
    assert (removed.kind, removed.ident, removed.second) == ("removed", None, None)


def test_collections() -> None:
    one = sgf_lark.loads(BASE + BASE)
    two = sgf_lark.loads(BASE + BASE.replace("KM[6.5]", "KM[0]") + "(;GM[1])")
    assert str(sgf_lark.compare(one, two)).splitlines() == [
        "game 2, root: KM[6.5] -> [0]",
        "game 3, root: added",
    ]
    assert not sgf_lark.compare(one, copy.deepcopy(one))


@given(collections(game=1), collections(game=1), st.integers(0, 99))
def test_no_difference_means_equal(one: bytes, two: bytes, seed: int) -> None:
    first, second = sgf_lark.loads(one), sgf_lark.loads(two)
    assert bool(sgf_lark.compare(first, second)) is not first.equals(second)
    source = random.Random(seed)
    edited = copy.deepcopy(first)
    nodes = [node for tree in edited for node in tree.nodes()]
    node = source.choice(nodes)
    match source.randrange(4):
        case 0:
            node["C"] = "new"
        case 1:
            node.add_child(B="aa")
        case 2 if node.parent is not None:
            node.detach()
        case _:
            for child in node.children[::-1]:
                child.move_to(node)
    found = sgf_lark.compare(first, edited)
    assert bool(found) is not first.equals(edited)
    assert len(str(found).splitlines()) >= len(found)


def test_many_variations_and_long_games() -> None:
    wide = "(;FF[4]GM[1]SZ[19]" + "(;B[aa])" * 3000 + ")"
    long = "(;FF[4]GM[1]SZ[19]" + ";B[aa];W[bb]" * 3000 + ")"
    for text in (wide, long):
        assert not sgf_lark.compare(game(text), game(text))
        assert len(sgf_lark.compare(game(text), game("(;FF[4]GM[1]SZ[19])"))) >= 1


@for_each([None, "(;)", b"(;)", 5])
def test_wrong_types(wrong: Any) -> None:
    for one, two in ((game(BASE), wrong), (wrong, Collection()), (Collection(), game(BASE))):
        with pytest.raises(TypeError):
            sgf_lark.compare(one, two)
