"""Junk between the tokens of a game with variations: unsafe fixes keep its tree."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import fix
from sgf_lark.syntax.tolerant import parse_tolerant

#: What mail, web pages, editors and people leave between tokens.
LEFTOVERS = [
    *(b"*", b"!?", b" > ", b"--", b"//", b"...", b"{", b"}", b"|", b"5", b"1.", b"<", b"&"),
    *(b"<br>", b"<BR/>", b"</p>\n", b"<b>", b'<p style="a:b;c:d">', b"&nbsp;", b"&#160;", b"&gt;"),
    *(b"\\par\n", b"\\'a0", b"\\b0 ", b"=20\n", b"\xa0", b"\xe3\x80\x82", b"\xc2\xa0"),
    *(b"x", b"or", b"Var 2:", b"HELLO ", b"see below ", b"KO ", "变化".encode()),
    b"]",
]
#: Games with variations, whose parentheses and semicolons are numbered by the tests.
GAMES = [
    b"(;FF[4]GM[1]SZ[19];B[pd](;W[dd];B[cc])(;W[dp];B[ff]))",
    b"(;FF[4]GM[1]SZ[19];B[pd](;W[dd])(;W[dp]))",
    b"(;FF[4]GM[1]SZ[19](;B[pd](;W[dd](;B[cc])(;B[cd]))(;W[dp]))(;B[dd]))",
    b"(;FF[4]GM[1]SZ[19]AB[aa][bb]\n(;B[cc]C[see [1\\]];W[dd])\n(;B[dd]N[x]\n(;W[cc])\n(;W[ee])))",
    b"(;GM[1]SZ[9];B[ee]C[(;]\n(;W[cc]C[:-)])\n(;W[gg]\n)\n)\n",
]


def lines_of_play(data: bytes) -> list[list[str]]:
    """The moves on the way to each leaf."""
    return [
        [f"{move.ident}[{move.raw[0].decode()}]" for node in leaf.path() for move in node.moves()]
        for game in sgf_lark.loads(data)
        for leaf in game.leaves()
    ]


def places_in_tree(data: bytes) -> list[int]:
    """The offsets before and after the parentheses of variations and their semicolons."""
    flat = parse_tolerant(data).flat
    places = set()
    for opening, closing in list(zip(flat.tree_open, flat.tree_close, strict=True))[1:]:
        places |= {opening, opening + 1, opening + 2, closing, closing + 1}
    return sorted(places)


def with_junk(data: bytes, places: list[int], junk: bytes) -> bytes:
    """The data with junk at each of the places."""
    parts = [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]
    return junk.join(parts)


@pytest.mark.parametrize("junk", LEFTOVERS, ids=repr)
def test_leftovers_beside_parentheses(junk: bytes) -> None:
    """At all places together, and at each of them: of these a sixth for each kind of junk, unless
    many examples are asked for."""
    step = 1 if settings().max_examples > 100 else 6
    for game in GAMES:
        places = places_in_tree(game)
        chosen = [[place] for place in places[LEFTOVERS.index(junk) % step :: step]]
        openings = [place for place in places if game[place : place + 1] == b"("]
        closings = [place for place in places if game[place - 1 : place] == b")"]
        for each in [*chosen, openings, closings]:
            damaged = with_junk(game, each, junk)
            result = fix(damaged, unsafe=True)
            assert lines_of_play(result.data) == lines_of_play(game), (damaged, result.data)


@pytest.mark.parametrize("junk", [b"[", b" [ ", b"[\n"], ids=repr)
def test_an_opening_bracket_beside_parentheses_hides_no_variation(junk: bytes) -> None:
    """Not after a text, to which what follows may belong, nor where no node follows."""
    for game in GAMES[:3]:
        for place in places_in_tree(game):
            if place <= game.rindex(b"("):
                damaged = with_junk(game, [place], junk)
                result = fix(damaged, unsafe=True)
                assert lines_of_play(result.data) == lines_of_play(game), (damaged, result.data)


def test_junk_after_a_text_does_not_make_it_a_part_of_a_wrong_value_before_it() -> None:
    data = b"(;FF[3]GM[1]SZ[19];B[ad];W[ae]PL[1]\nC[Critical.\nattack\n]\n*(;W[da])(;W[dc]))"
    assert fix(data, unsafe=True).data == data.replace(b"*", b"").replace(b"PL[1]", b"PL[B]")


def test_a_game_in_a_document_is_read_where_markup_is_after_its_first_parenthesis() -> None:
    data = b"{\\rtf1\\ansi\n(\\par\n;FF[4]GM[1]SZ[19];B[pd]\\par\n(;W[dd])\\par\n(;W[dp]))}"
    lines = lines_of_play(fix(data, unsafe=True).data)
    assert lines == [["B[pd]", "W[dd]"], ["B[pd]", "W[dp]"]]


@st.composite
def trees(draw: st.DrawFn) -> bytes:
    """A game with variations, whose moves are in turn and on different points."""
    points = iter([x + y for x in string.ascii_lowercase[:19] for y in string.ascii_lowercase[:19]])

    def tree(mover: int, depth: int) -> str:
        nodes = []
        for _ in range(draw(st.integers(1, 3))):
            nodes.append(f";{'BW'[mover]}[{next(points)}]{draw(st.sampled_from(EXTRAS))}")
            mover = 1 - mover
        count = draw(st.sampled_from([0, 0, 2, 3])) if depth else 0
        return "".join(nodes) + "".join(f"({tree(mover, depth - 1)})" for _ in range(count))

    branches = [f"({tree(0, 2)})" for _ in range(draw(st.integers(2, 3)))]
    return f"(;FF[4]GM[1]SZ[19]{''.join(branches)})".encode()


EXTRAS = ["", "", "C[x (y) \\] z]", "N[;]", "TR[aa][bb]", "\n"]


@given(data=trees(), choice=st.data())
def test_any_junk_between_tokens_keeps_the_lines_of_play(
    data: bytes, choice: st.DataObject
) -> None:
    signs = st.text("*!?.,:<>&#=+-/|{}~^%$@'\"_0123456789xyz\xa0\xe9。", min_size=1, max_size=6)
    junk = choice.draw(st.sampled_from(LEFTOVERS[:-1]) | signs.map(str.encode))
    places = choice.draw(
        st.lists(st.sampled_from(places_in_tree(data)), min_size=1, max_size=6, unique=True)
    )
    damaged = with_junk(data, sorted(places), junk)
    assert lines_of_play(fix(damaged, unsafe=True).data) == lines_of_play(data), damaged
