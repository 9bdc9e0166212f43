"""Diagrams with numbered moves, sheets of boards, and animations."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result
from PIL import Image, ImageChops

import sgf_lark
from sgf_lark.drawing import DrawingError, Picture, animation, diagram, png, position, sheet, svg
from sgf_lark.model.values import Color, Point
from tests.kit.commands import invoke

#: A ko is taken three times; a pass; a stone on an empty point.
KO = (
    b"(;FF[4]GM[1]SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[ee];W[ed];B[cb];W[];B[ce]"
    b";W[bb])"
)
#: Two stones are captured, and one of the points is played again: no ko.
AGAIN = b"(;FF[4]GM[1]SZ[3]AW[aa][ba]AB[ab][bb];B[ca];W[ba])"


def show(*arguments: str | Path, data: bytes = KO) -> Result:
    return invoke("show", "-", *arguments, stdin=data)


def moves(data: bytes) -> list[sgf_lark.Node]:
    tree = sgf_lark.loads(data)[0]
    return [node for node in tree.main_line() if "B" in node or "W" in node]


# --- Diagrams -------------------------------------------------------------------------


def test_moves_are_numbered_and_kos_are_captions() -> None:
    found = diagram(moves(KO))
    assert found.captions == ("2, 8 ko at B4", "5 ko at 1", "6 pass")
    assert found.position.labels == {
        Point(2, 1): "1",
        Point(4, 4): "3",
        Point(4, 3): "4",
        Point(2, 4): "7",
    }
    assert found.position.stones[Point(2, 1)] is Color.BLACK


def test_a_point_that_is_played_again_is_no_ko() -> None:
    assert diagram(moves(AGAIN)).captions == ("2 at B3",)


@pytest.mark.parametrize(
    ("data", "captions", "numbers"),
    [
        (
            b"GM[11]SZ[5];B[c3];W[swap-pieces];B[a1];W[pass];B[resign]",
            ("2 swap-pieces", "4 pass", "5 resign"),
            {"1", "3"},
        ),
        (b"GM[11]SZ[5];B[c3];W[SWAP];B[a1]", (), {"1", "3"}),
        (b"GM[1]SZ[5];B[cc];W[];B[zz];W[xxx];B[aa]", ("2 pass", "3 zz"), {"1", "5"}),
    ],
)
def test_moves_without_a_point_are_captions(
    data: bytes, captions: tuple[str, ...], numbers: set[str]
) -> None:
    found = diagram(moves(b"(;FF[4]%s)" % data))
    assert found.captions == captions
    assert set(found.position.labels.values()) == numbers


def test_moves_that_cannot_be_read_count() -> None:
    game = b"(;FF[4]GM[11]SZ[5];B[c3];W[SWAP];B[a1])"
    assert "move 2" in show("--move", "2", data=game).output
    assert "move 3" in show("--move", "3", data=game).output
    assert show("--move", "4", data=game).exit_code == 2
    assert "1 at 1" not in show("--numbers", "1-2", data=game).output


def test_numbers_go_on_in_a_later_diagram() -> None:
    found = diagram(moves(KO)[4:])
    assert set(found.position.labels.values()) == {"5", "7"}
    assert found.captions == ("6 pass", "8 ko at B4")


def test_first_move_in_the_root() -> None:
    found = diagram(moves(b"(;FF[4]GM[1]SZ[3]B[aa];W[bb])"))
    assert found.position.labels == {Point(0, 0): "1", Point(1, 1): "2"}


def test_no_moves_to_number() -> None:
    with pytest.raises(DrawingError):
        diagram([])


# --- Sheets ---------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), [(0, 2), (1, 4), (2, 2), (9, 1)])
def test_boards_of_a_sheet_do_not_overlap(columns: int, rows: int) -> None:
    tree = sgf_lark.loads(KO)[0]
    board = svg(position(tree, tree.root))
    root = ElementTree.fromstring(sheet([Picture(board, "<1>", ["a", "b"])] * 4, columns=columns))
    boards = root.findall("{*}svg")
    places = [(float(each.attrib["x"]), float(each.attrib["y"])) for each in boards]
    assert len(set(places)) == 4
    assert len({y for _, y in places}) == rows
    for (x, y), each in zip(places, boards, strict=True):
        assert x + float(each.attrib["width"]) < float(root.attrib["width"])
        assert y + float(each.attrib["height"]) < float(root.attrib["height"])
    texts = [text.text for text in root.findall("{*}text")]
    assert texts == ["<1>", "a; b"] * 4


def test_a_sheet_without_pictures() -> None:
    with pytest.raises(ValueError, match="no picture"):
        sheet([])


# --- Animations -----------------------------------------------------------------------


def test_an_animation_has_a_frame_for_each_position(tmp_path: Path) -> None:
    result = show("-o", tmp_path / "game.gif", "--width", "60", "--seconds", "0.5")
    assert result.exit_code == 0, result.output
    with Image.open(tmp_path / "game.gif") as image:
        # Frames without a change, such as that of a pass, may be joined to the one before.
        assert 8 <= image.n_frames <= 9  # type: ignore[attr-defined]
        assert image.width == 60
        assert image.info["loop"] == 0
        assert image.info["duration"] == 500
        first, pixels = image.convert("RGB"), set()
        image.seek(image.n_frames - 1)  # type: ignore[attr-defined]
        last = image.convert("RGB")
        pixels = {first.tobytes(), last.tobytes()}
    assert len(pixels) == 2


def test_chosen_moves_of_an_animation() -> None:
    tree = sgf_lark.loads(KO)[0]
    pictures = [svg(position(tree, node)) for node in list(tree.main_line())[:3]]
    with Image.open(io.BytesIO(animation(pictures, width=50))) as image:
        assert image.n_frames == 3  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no frame"):
        animation([])


def test_frames_are_the_pictures() -> None:
    """Stones, captures, the last move, labels, marks, and a label across an edge of the board."""
    game = (
        b"(;FF[4]GM[1]SZ[9]RU[Japanese];B[ba];W[aa];B[ab];W[ii]LB[aa:1][ie:abcdefgh];B[ee]TR[ii]"
        b"LB[dd:x];W[ab];AB[cc][dd][ee];AE[cc:gg])"
    )
    tree = sgf_lark.loads(game)[0]
    pictures = [svg(position(tree, node)) for node in tree.main_line()]
    with Image.open(io.BytesIO(animation(pictures, width=123))) as image:
        assert image.n_frames == len(pictures)  # type: ignore[attr-defined]
        for number, picture in enumerate(pictures):
            image.seek(number)
            whole = Image.open(io.BytesIO(png(picture, width=123))).convert("RGB")
            difference = ImageChops.difference(image.convert("RGB"), whole).convert("L")
            assert sum(difference.histogram()[60:]) <= 15  # a palette has not all colors


@pytest.mark.parametrize("picture", ["", "<svg", "(;)"])
def test_frames_that_are_no_pictures(picture: str) -> None:
    with pytest.raises(ValueError):
        animation([picture])


# --- The command ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "titles"),
    [
        (["--move", "1,3"], ["move 1", "move 3"]),
        (["--move", "0-8/4"], ["move 0", "move 4", "move 8"]),
        (["--move", "7-"], ["move 7", "move 8"]),
        (["--node", "0,1"], ["move 0", "move 1"]),
        (["--move", "1,3", "--lang", "zh"], ["第 1 手", "第 3 手"]),
        (["--numbers", "1-4,5-"], ["1–4", "2 ko at B4", "5–8", "6 pass; 8 ko at B4"]),
        (["--numbers", "1-"], ["2, 8 ko at B4", "5 ko at 1; 6 pass"]),
    ],
)
def test_sheets(arguments: list[str], titles: list[str]) -> None:
    root = ElementTree.fromstring(show("--format", "svg", *arguments).stdout)
    assert [text.text for text in root.findall("{*}text")] == titles


def test_several_boards_in_the_terminal() -> None:
    output = show("--move", "1-2").output
    assert "node 1, move 1 (Black C4)" in output
    assert "node 2, move 2 (White B4)" in output
    assert "2, 8 ko at B4\n" in show("--numbers", "1-8").output


@pytest.mark.parametrize("arguments", [["--move", "1-9"], ["--numbers", "9-"], ["--node", "3,99"]])
def test_numbers_that_are_not_there(arguments: list[str]) -> None:
    result = show(*arguments)
    assert result.exit_code == 2
    assert "there is no" in result.stderr
