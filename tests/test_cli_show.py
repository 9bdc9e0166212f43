"""``sgf-lark show``: boards in the terminal and as pictures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark.cli import main
from sgf_lark.drawing import DrawingError, position
from sgf_lark.drawing.characters import ASCII, UNICODE, characters, legend, text
from sgf_lark.fuzz.strategies import collections

GAME = (
    b"(;FF[4]GM[1]SZ[5]PB[Ann]PW[Bea];B[cc];W[bb]N[Two]C[A \x1b[1mfirst\nlook.\\]]"
    b"LB[dd:A][ee:long]CR[cc]LN[aa:ba]AR[aa:ab]DD[ea]"
    b"(;B[dd];W[])(;B[ba];W[ab])(;AB[ab][ba];B[bc];B[cb]))"
)


def show(*arguments: object, data: bytes = GAME) -> Result:
    return CliRunner().invoke(main, ["show", *map(str, arguments), "-"], input=data)


def board(*arguments: object, data: bytes = GAME) -> list[str]:
    """The rows of the board, without coordinates."""
    shown = show("--no-coordinates", *arguments, data=data)
    assert shown.exit_code == 0, shown.output
    return [line.strip() for line in shown.stdout.splitlines() if "·" in line]


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        (["--move", 0], ["· · · · ·", "· · · · ·", "· · + · ·", "· · · · ·", "· · · · ·"]),
        (["--move", 1], ["· · · · ·", "· · · · ·", "· ·(●)· ·", "· · · · ·", "· · · · ·"]),
        # The mark stands before its stone, what is dimmed is a colon.
        (["--node", 2], ["· · · · :", "·(○)· · ·", "· ·◦● · ·", "· · · A ·", "· · · · *"]),
        ([], ["· · · · :", "· ○ · · ·", "· · ● · ·", "· · · ● ·", "· · · · ·"]),
        # A capture.
        (["--node", 9], ["· ● · · :", "● ·(●)· ·", "· ● ● · ·", "· · · · ·", "· · · · ·"]),
    ],
)
def test_board_at_a_node(arguments: list[object], rows: list[str]) -> None:
    assert board(*arguments) == rows


def test_what_stands_around_the_board() -> None:
    shown = show("--node", 2).stdout
    assert shown.splitlines()[:2] == ["Ann (Black) against Bea (White)", "  A B C D E"]
    for line in (
        "node 2, move 2, Black to move",
        "◦ circle",
        "labels: E1 long",
        "lines: A5-B5",
        "arrows: A5→A4",
        "Two",
        "A [1mfirst",  # without the escape character
        "look.]",
    ):
        assert line in shown.splitlines()
    chinese = show("--node", 2, "--lang", "zh").stdout
    assert "节点 2，第 2 手，轮到黑方" in chinese and "◦ 圆圈" in chinese
    assert "captured: 0 black, 1 white" in show("--node", 9).stdout


@pytest.mark.parametrize(
    ("arguments", "data", "message"),
    [
        (["--move", 9], GAME, "there is no move 9; the main line has 4"),
        (["--node", 99], GAME, "there is no node 99; the last is 9"),
        (["--game", 2], GAME, "there is no game tree 2; the file has 1"),
        ([], b"", "there is no game tree in it"),
        ([], b"\0\xff junk", "there is no game tree in it"),
        ([], b"(;GM[6])", "no drawing for Backgammon"),
        ([], b"(;GM[11]SZ[99])", "too large to draw"),
    ],
)
def test_nothing_to_show(arguments: list[object], data: bytes, message: str) -> None:
    shown = show(*arguments, data=data)
    assert shown.exit_code == 2 and message in shown.stderr


@pytest.mark.parametrize("arguments", [["--move", 1, "--node", 1], ["-o", "board.gif"]])
def test_options_that_make_no_sense(arguments: list[object]) -> None:
    assert show(*arguments).exit_code == 2


def test_damaged_files_are_shown_and_told() -> None:
    shown = show("--no-coordinates", data=b"(;FF[4]GM[1]SZ[3];B[bb]x;W[aa")
    assert "the file is damaged" in shown.stderr
    assert [line for line in shown.stdout.splitlines() if "·" in line][1].strip() == "· ● ·"


def test_hex_leans_to_the_right() -> None:
    shown = show(data=b"(;FF[4]GM[11]SZ[3];B[a1];W[c3])").stdout.splitlines()
    assert shown[:4] == ["  a b c", "1 ● · ·", " 2 · · ·", "  3 · ·(○)"]


def test_pictures(tmp_path: Path) -> None:
    target = tmp_path / "board.svg"
    assert show("-o", target, "--theme", "dark").exit_code == 0
    assert ElementTree.parse(target).getroot().tag.endswith("svg")
    assert list(tmp_path.iterdir()) == [target]
    pytest.importorskip("resvg_py")
    target = tmp_path / "board.PNG"
    assert show("-o", target, "--width", 321).exit_code == 0
    data = target.read_bytes()
    assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20], "big") == 321


def test_png_names_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    shown = show("-o", tmp_path / "board.png")
    assert shown.exit_code == 2 and "sgf-lark[png]" in shown.stderr
    assert not list(tmp_path.iterdir())


def test_characters_fit_the_encoding() -> None:
    assert characters("utf-8") is UNICODE
    assert characters("ascii") is ASCII is characters("no such")


@given(collections(game=st.sampled_from([1, 11])), st.booleans())
def test_every_node_of_every_game_can_be_shown(data: bytes, color: bool) -> None:
    for tree in sgf_lark.loads(data):
        for node in tree.nodes():
            try:
                found = position(tree, node)
            except DrawingError:
                continue
            lines = text(found, color=color).splitlines()
            assert len(lines) >= len({point.row for point in found.points()})
            legend(found, language="zh")
