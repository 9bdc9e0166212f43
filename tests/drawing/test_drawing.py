"""Positions and their drawings, pictures of boards, nodes and games, and what notebooks show."""

from __future__ import annotations

import importlib.util
import io
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Collection, loads
from sgf_lark.drawing import DrawingError, Position, position, svg
from sgf_lark.fuzz.strategies import collections, mutants
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


# --- Pictures that boards, nodes and games give of themselves -------------------------


DATA = (
    b"(;FF[4]GM[1]SZ[9]AB[cc]TR[cc];B[ee]LB[ee:x];W[ff];B[];W[ee]C[again];B[aa]VW[aa:cc]AR[aa:bb])"
)


def end() -> sgf_lark.Node:
    *_, node = sgf_lark.loads(DATA)[0].main_line()
    return node


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in fromstring(picture).iter(f"{SVG}text")]


def test_a_node_shows_its_markup_and_a_board_does_not() -> None:
    node = end().parent
    assert node is not None and node.parent is not None
    first = node.path()[1]
    assert "x" in texts(first.svg(coordinates=False))
    assert texts(first.board().svg(coordinates=False)) == []
    assert "A" in texts(first.board().svg())


@pytest.mark.parametrize(
    ("look", "shown"),
    [
        ({"labels": {"bb": "here", (3, 3): "p"}}, {"here", "p"}),
        ({"labels": {"bb": "<&>"}}, {"<&>"}),
        ({"region": "aa:dd"}, {"A", "D", "9", "6"}),
        ({"region": ("dd", (0, 0))}, {"A", "D", "9", "6"}),
        ({}, {"J", "1"}),
    ],
)
def test_labels_and_region(look: dict[str, Any], shown: set[str]) -> None:
    found = texts(end().board().svg(**look))
    assert shown <= {*found}
    assert ("J" in found) is ("region" not in look)


def test_arrows_are_drawn_besides_those_of_the_node() -> None:
    node = end()

    def count(picture: str) -> int:
        return picture.count("sgf-arrow-head")

    one = count(node.svg())
    assert count(node.svg(arrows=[("bb", (2, 2))])) > one > count(node.board().svg()) == 0


@pytest.mark.parametrize("size", [100, 333])
def test_size_is_the_width(size: int) -> None:
    for picture in (end().svg(size=size), end().svg(size=size, numbers=True)):
        root = fromstring(picture)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        assert root.attrib["width"] == str(size)
        assert abs(float(root.attrib["height"]) / size - height / width) < 0.01


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        (True, ["1", "2", "5", "3 pass", "4 at 1"]),
        ((1, 2), ["1", "2"]),
        ((2, 5), ["2", "5", "3 pass", "4 at E5"]),
        ((5, 5), ["5"]),
    ],
)
def test_numbers_of_moves(numbers: bool | tuple[int, int], shown: list[str]) -> None:
    found = texts(end().svg(numbers=numbers, coordinates=False))
    joined = " ".join(found)
    assert all(each in found or each in joined for each in shown), found


@pytest.mark.parametrize(
    ("look", "error", "message"),
    [
        ({"region": "aa"}, ValueError, "region is 'aa'; expected two points of the board"),
        ({"region": "aa:tt"}, ValueError, "region is 'aa:tt'"),
        ({"region": "aa:bb:cc"}, ValueError, "region is"),
        ({"labels": {"Q": "x"}}, ValueError, "'Q' is not a point of Go"),
        ({"arrows": [("aa", 5)]}, TypeError, "a point is a Point"),
        ({"theme": "pink"}, ValueError, "unknown theme: 'pink'"),
        ({"numbers": (0, 2)}, DrawingError, "no moves 0 to 2: the path has 5"),
        ({"numbers": (3, 9)}, DrawingError, "no moves 3 to 9: the path has 5"),
    ],
)
def test_what_cannot_be_drawn(look: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        end().svg(**look)


def test_games_without_boards() -> None:
    game = sgf_lark.loads(b"(;FF[4]GM[2])")[0]
    for draw in (game.root.svg, game.root.png, game.gif):
        with pytest.raises(DrawingError, match="for Othello"):
            draw()


@pytest.mark.parametrize("theme", ["light", "dark", "book"])
def test_png_and_gif(theme: Any) -> None:
    if not (importlib.util.find_spec("PIL") and importlib.util.find_spec("resvg_py")):
        pytest.skip("the extra animation is not installed")
    from PIL import Image

    node = end()
    for data in (node.png(size=120, theme=theme), node.board().png(size=120, theme=theme)):
        assert Image.open(io.BytesIO(data)).size[0] == 120
    found = Image.open(io.BytesIO(node.tree.gif(size=90, seconds=0.1, theme=theme)))
    assert found.size[0] == 90 and getattr(found, "n_frames", 1) == 5 + 1


def test_reports_are_tables_in_notebooks() -> None:
    report = sgf_lark.validate(b"(;FF[4]GM[1]KM[<b>];B[aa]W[bb])")
    html = report._repr_html_()
    for found in report.diagnostics:
        assert found.code in html and str(found.span.line) in html
    assert "[<b>]" not in html and html.count("<tr>") == len(report.diagnostics) + 1
    assert "conforms" not in html and " more<" not in html
    html = sgf_lark.validate(b"(;FF[4]GM[1]SZ[9])")._repr_html_()
    assert "conforms" in html and "<table>" not in html
    html = sgf_lark.validate(b"(;FF[4]GM[1]%s)" % (b";B[zz];W[zz]" * 51))._repr_html_()
    assert html.count("<tr>") == 100 + 1 and "and 2 more<" in html


@pytest.mark.parametrize("size", [0, -3, "x", True, 1.5])
def test_no_such_size(size: Any) -> None:
    board = end().board()
    for draw in (board.svg, board.png, end().svg, end().tree.gif):
        with pytest.raises(ValueError, match="expected the width"):
            draw(size=size)


# --- What notebooks show: well-formed HTML and SVG with all text escaped --------------


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
