"""Pictures that boards, nodes and games give of themselves."""

from __future__ import annotations

import importlib.util
import io
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

import sgf_lark
from sgf_lark.drawing import DrawingError

SVG = "{http://www.w3.org/2000/svg}"
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
