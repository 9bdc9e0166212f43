"""Positions and their drawings."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark.drawing import DrawingError, Position, position, svg
from sgf_lark.fuzz.strategies import collections
from sgf_lark.model.values import Color, Point

SVG = "{http://www.w3.org/2000/svg}"


def last_position(sgf: str) -> Position:
    """The position at the end of the main line."""
    tree = sgf_lark.loads(sgf)[0]
    *_, node = tree.main_line()
    return position(tree, node)


def test_what_a_node_draws() -> None:
    found = last_position(
        "(;SZ[9]DD[aa:ab];B[cc]CR[aa]TR[bb:cb]TB[ii]LB[dd:ee][zz:y]LN[aa:cc]AR[dd:ee][ff:ff]VW[aa:ee])"
    )
    assert found.marks == {
        "CR": {Point(0, 0)},
        "TR": {Point(1, 1), Point(2, 1)},
        "TB": {Point(8, 8)},
    }
    assert found.labels == {Point(3, 3): "ee"}
    assert found.lines == ((Point(0, 0), Point(2, 2)),)
    assert found.arrows == ((Point(3, 3), Point(4, 4)),)
    assert found.dimmed == {Point(0, 0), Point(0, 1)}
    assert found.visible is not None and len(found.visible) == 25
    assert (found.move_number, found.to_move, found.last_move) == (1, Color.WHITE, Point(2, 2))


def test_stones_captures_turn_and_number() -> None:
    found = last_position("(;SZ[3]AB[aa]AW[ba];W[ab]MN[7]PL[W])")
    assert found.stones == {Point(1, 0): Color.WHITE, Point(0, 1): Color.WHITE}
    assert found.captured == {Color.BLACK: 1, Color.WHITE: 0}
    assert (found.move_number, found.to_move) == (7, Color.WHITE)
    assert last_position("(;HA[2]AB[dd][pp])").to_move is Color.WHITE


@pytest.mark.parametrize("sgf", ["(;GM[6])", "(;GM[2])", "(;GM[11]SZ[60])"])
def test_what_has_no_drawing_says_so(sgf: str) -> None:
    with pytest.raises(DrawingError):
        last_position(sgf)


def shapes(text: str, name: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(text)
    return [element for element in root.iter() if element.get("class") == name]


@pytest.mark.parametrize(("game", "size"), [(1, 1), (1, 19), (1, 52), (11, 11), (11, 52)])
def test_every_point_can_be_clicked(game: int, size: int) -> None:
    found = last_position(f"(;GM[{game}]SZ[{size}])")
    points = shapes(svg(found, clickable=True), "sgf-point")
    assert len({point.get("data-point") for point in points}) == size * size
    assert not shapes(svg(found), "sgf-point")


def test_only_the_visible_part_is_drawn() -> None:
    found = last_position("(;SZ[19]AB[aa][ss]VW[aa:ee])")
    assert len(shapes(svg(found, clickable=True), "sgf-point")) == 25
    (black,) = shapes(svg(found), "sgf-black")
    assert len(black) == 1


def test_themes_differ_in_looks_alone() -> None:
    found = last_position("(;SZ[9];B[cc];W[dd]LB[cc:<&>])")
    light, dark = (ElementTree.fromstring(svg(found, theme=theme)) for theme in ("light", "dark"))
    assert [element.tag for element in light.iter()] == [element.tag for element in dark.iter()]
    assert any(element.text == "<&>" for element in light.iter(f"{SVG}text"))
    assert "prefers-color-scheme" in svg(found, theme="auto")
    with pytest.raises(ValueError, match="theme"):
        svg(found, theme="blue")  # type: ignore[arg-type]


@given(
    collections(game=st.sampled_from([1, 11]), trees=1, nodes=st.integers(1, 4)),
    st.sampled_from(["en", "zh"]),
)
def test_any_node_is_drawn(data: bytes, language: str) -> None:
    for tree in sgf_lark.loads(data):
        for node in tree.nodes():
            found = position(tree, node)
            text = svg(found, clickable=True, language=language)  # type: ignore[arg-type]
            assert len(shapes(text, "sgf-point")) == len(list(found.points()))
            assert not set("\0\x1f") & set(text)
