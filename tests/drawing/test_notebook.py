"""What notebooks show: well-formed HTML and SVG with all text escaped."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from sgf_lark import Collection, loads
from sgf_lark.fuzz.strategies import collections, mutants

HOSTILE = r"<script>alert\\(1)</script>&amp;\"' \]\[ \\"


def parsed(html: str) -> ElementTree.Element:
    """The HTML, which is well-formed as XML too."""
    return ElementTree.fromstring(f"<div>{html}</div>")


def text_of(html: str) -> str:
    return "".join(parsed(html).itertext())


def representations(collection: Collection) -> list[Any]:
    """The collection, its first games, and their first and last nodes."""
    found: list[Any] = [collection]
    for tree in collection[:3]:
        *_, last = tree.main_line()
        found += [tree, tree.root, last]
    return found


def test_board_players_and_comment() -> None:
    tree = loads(
        "(;FF[4]SZ[9]PB[Cho]BR[9p]PW[Ko]WT[Japan]RE[B+R]KM[6.5]DT[1996-05-06]EV[Cup]"
        ";B[cc];W[dd]N[here]C[first\nsecond])"
    )[0]
    *_, node = tree.main_line()
    html = node._repr_html_()
    assert "<svg" in html and tree._repr_html_() == html
    text = text_of(html)
    for part in (
        "Cho 9p",
        "Ko (Japan)",
        "B+R",
        "6.5",
        "1996-05-06",
        "Cup",
        "here",
        "first\nsecond",
    ):
        assert part in text
    assert "Move 2, Black to play" in text
    svg = node._repr_svg_()
    assert svg is not None and svg == tree._repr_svg_() and svg.startswith("<svg")
    assert "Move 2" not in text_of(tree.root._repr_html_())


def test_text_is_escaped() -> None:
    for ident in ("PB", "BT", "EV", "C", "N", "RE", "KM"):
        for sgf in (f"(;FF[4]{ident}[{HOSTILE}])", f"(;GM[3]{ident}[{HOSTILE}])"):
            for shown in representations(loads(sgf + sgf)) + representations(loads(sgf)):
                html = shown._repr_html_()
                parsed(html)
                assert "<script" not in html
    tree = loads("(;CA[UTF-8]PB[\u202eabc\x07]LB[aa:<b>])")[0]
    assert "\u202e" not in tree._repr_html_() and "<b>" not in (tree._repr_svg_() or "")


def test_long_texts_and_collections_are_cut() -> None:
    tree = loads(f"(;C[{'x' * 100_000}]PB[{'y' * 100_000}])")[0]
    assert len(tree._repr_html_()) < 50_000
    html = loads("(;GN[x])" * 21)._repr_html_()
    assert len(parsed(html).findall(".//tbody/tr")) == 20
    assert "1 more game" in text_of(html) and "more games" not in html
    assert loads("(;PB[a])(;PB[b])")._repr_svg_() is not None


@pytest.mark.parametrize("sgf", ["(;GM[6];B[31ad])", "(;GM[11]SZ[60];B[a1])", "(;GM[2])"])
def test_games_that_cannot_be_drawn(sgf: str) -> None:
    for shown in representations(loads(sgf)):
        assert shown._repr_svg_() is None
        assert "<svg" not in shown._repr_html_()


@given(collections() | mutants())
def test_nothing_raises(data: bytes) -> None:
    for shown in representations(loads(data, tolerant=True)):
        parsed(shown._repr_html_())
        svg = shown._repr_svg_()
        if svg is not None:
            ElementTree.fromstring(svg)
