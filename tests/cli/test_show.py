"""``sgf-lark show``: boards in the terminal and as pictures."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import sgf_lark
from sgf_lark.drawing import position
from sgf_lark.drawing.characters import ASCII, UNICODE, characters, legend, text
from sgf_lark.fuzz.strategies import collections
from tests.kit.commands import invoke
from tests.kit.tables import for_each

GAME = (
    b"(;FF[4]GM[1]SZ[5]PB[Ann]BR[9p]PW[Bea];B[cc];W[bb]N[Two]C[A \x1b[1mfirst\nlook.\\]]"
    b"LB[dd:A][ee:long \x1b[31m]CR[cc]LN[aa:ba]AR[aa:ab]DD[ea]"
    b"(;B[dd];W[])(;B[ba];W[ab])(;AB[ab][ba];B[bc];B[cb]))"
)


def show(*arguments: object, data: bytes = GAME) -> Result:
    return invoke("show", *arguments, "-", stdin=data)


BOARDS = {
    "stones, edges and the last move": (
        "(;SZ[5]AB[aa][ba];W[ec])",
        [
            "  A B C D E",
            "5 ●─●─┬─┬─┐  5",
            "4 ├─┼─┼─┼─┤  4",
            "3 ├─┼─╋─┼(○) 3",
            "2 ├─┼─┼─┼─┤  2",
            "1 └─┴─┴─┴─┘  1",
            "  A B C D E",
        ],
    ),
    "no letter I, rectangular": (
        "(;SZ[9:2])",
        [
            "  A B C D E F G H J",
            "2 ┌─┬─┬─┬─┬─┬─┬─┬─┐  2",
            "1 └─┴─┴─┴─┴─┴─┴─┴─┘  1",
            "  A B C D E F G H J",
        ],
    ),
    "names of two letters": (
        "(;SZ[26:1];B[za])",
        [
            " " * 52 + "A",
            "  A B C D E F G H J K L M N O P Q R S T U V W X Y Z A",
            "1 ╶" + "──" * 24 + "(●) 1",
            " " * 52 + "A",
            "  A B C D E F G H J K L M N O P Q R S T U V W X Y Z A",
        ],
    ),
    "a single point": ("(;SZ[1])", ["  A", "1 ·  1", "  A"]),
    "marks, on stones before them": (
        "(;SZ[3]AB[aa]AW[ba]TR[aa]LB[ba:a][bb:x]SQ[cc]DD[ac])",
        ["  A B C", "3△●a○─┐  3", "2 ├─x─┤  2", "1 :─┴─□  1", "  A B C"],
    ),
    "labels of two columns": (
        "(;SZ[3]AB[aa]LB[aa:10][bb:11][cc:long])",
        ["   A  B  C", "310●──┬──┐  3", "2  ├─11──┤  2", "1  └──┴──*  1", "   A  B  C"],
    ),
    "a mark replaces the parentheses": (
        "(;SZ[3];B[bb]CR[bb])",
        ["  A B C", "3 ┌─┬─┐  3", "2 ├◦●─┤  2", "1 └─┴─┘  1", "  A B C"],
    ),
    "a part of the board": ("(;SZ[9]VW[dd:ee])", ["  D E", "6─┼─┼─ 6", "5─┼─╋─ 5", "  D E"]),
    "Hex is slanted": (
        "(;GM[11]SZ[3];B[a2];W[c2])",
        ["  a b c", "1 · · ·  1", " 2 ● ·(○) 2", "  3 · · ·  3", "     a b c"],
    ),
}


@for_each(BOARDS.values())
def test_boards(sgf: str, expected: list[str]) -> None:
    tree = sgf_lark.loads(sgf)[0]
    *_, node = tree.main_line()
    assert text(position(tree, node)).splitlines() == expected


@for_each(
    [
        (["--move", 0], ["┌─┬─┬─┬─┐", "├─┼─┼─┼─┤", "├─┼─╋─┼─┤"]),
        (["--move", 1], ["┌─┬─┬─┬─┐", "├─┼─┼─┼─┤", "├─┼(●)┼─┤"]),
        # The mark is left of its stone; a dimmed point is a colon.
        (["--node", 2], ["┌─┬─┬─┬─:", "├(○)┼─┼─┤", "├─┼◦●─┼─┤", "├─┼─┼─A─┤", "└─┴─┴─┴─*"]),
        ([], ["┌─┬─┬─┬─:", "├─○─┼─┼─┤", "├─┼─●─┼─┤", "├─┼─┼─●─┤"]),
        # A capture.
        (["--node", 9], ["┌─●─┬─┬─:", "●─┼(●)┼─┤", "├─●─●─┼─┤"]),
    ]
)
def test_board_at_a_node(arguments: list[object], rows: list[str]) -> None:
    shown = show("--no-coordinates", *arguments)
    assert shown.exit_code == 0, shown.output
    assert [line.strip() for line in shown.stdout.splitlines()[: len(rows)]] == rows


def test_lines_around_the_board() -> None:
    shown = show("--node", 2).stdout
    assert shown.splitlines()[0] == "  A B C D E"
    for line in (
        "● Black: Ann 9p   ○ White: Bea",
        "node 2, move 2 (White B4), Black to move",
        "◦ circle   : dimmed",
        "* labels: E1 long \\x1b[31m",
        "lines: A5-B5",
        "arrows: A5→A4",
        "Two",
        "A [1mfirst",  # without the escape character
        "look.]",
    ):
        assert line in shown.splitlines()
    chinese = show("--node", 2, "--lang", "zh").stdout
    assert "节点 2，第 2 手（白方 B4），轮到黑方" in chinese and "◦ 圆圈" in chinese
    assert "captured: 0 black, 1 white" in show("--node", 9).stdout
    assert "node 4, move 4 (White pass), Black to move" in show().stdout


@for_each(
    [
        (["--move", 9], GAME, "there is no move 9; the main line has 4"),
        (["--node", 99], GAME, "there is no node 99; the last is 9"),
        (["--game", 2], GAME, "there is no game tree 2; the file has 1"),
        ([], b"(;GM[6])", "no drawing for Backgammon"),
        ([], b"(;GM[11]SZ[99])", "too large to draw"),
    ]
)
def test_nothing_to_show(arguments: list[object], data: bytes, message: str) -> None:
    shown = show(*arguments, data=data)
    assert shown.exit_code == 2 and message in shown.stderr


@for_each(
    [
        ["--move", 1, "--node", 1],
        ["--numbers", "1-2", "--node", 1],
        ["--move", "2-1"],
        ["--move", "x"],
        ["--move", "1/0"],
    ]
)
def test_options_that_make_no_sense(arguments: list[object]) -> None:
    assert show(*arguments).exit_code == 2


def test_damaged_files_are_shown_and_reported() -> None:
    shown = show("--no-coordinates", data=b"(;FF[4]GM[1]SZ[3];B[bb]x;W[aa")
    assert "the file is damaged" in shown.stderr
    assert shown.stdout.splitlines()[1].strip() == "├─●─┤"


@for_each([("Shift_JIS", "cp932"), ("Big5", "big5")])
def test_damaged_files_are_shown_in_the_charset_that_has_a_meaning(
    charset: str, codec: str
) -> None:
    """Some characters have "\\" as their second byte, which is not escaped."""
    data = f"(;FF[4]SZ[3]CA[{charset}]PB[表示功許蓋]C[x".encode(codec)
    assert "Black: 表示功許蓋 " in show(data=data).stdout
    tree = invoke("tree", "--tolerant", "-", stdin=data)
    assert "[表示功許蓋]" in tree.stdout


@for_each(
    [
        (["--gm", 11], b"(;GM[1]SZ[3];B[a1])", "  3 · · ·  3"),
        (["--charset", "GBK"], "(;SZ[3]CA[UTF-8]C[围棋])".encode("gbk"), "围棋"),
        (["--game", 2], b"(;SZ[3])(;SZ[2];B[aa])", "2(●)┐  2"),
    ]
)
def test_how_a_file_is_read(options: list[object], data: bytes, expected: str) -> None:
    assert expected in show(*options, data=data).stdout.splitlines()


def test_pictures(tmp_path: Path) -> None:
    target = tmp_path / "board.svg"
    assert show("-o", target, "--theme", "dark").exit_code == 0
    assert ElementTree.parse(target).getroot().tag.endswith("svg")
    assert list(tmp_path.iterdir()) == [target]
    assert show("--format", "svg", "--theme", "dark").stdout == target.read_text("utf-8")
    pytest.importorskip("resvg_py")
    target = tmp_path / "board.PNG"
    assert show("-o", target, "--width", 321).exit_code == 0
    data = target.read_bytes()
    assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20], "big") == 321


def test_nothing_but_ascii_where_that_is_all_there_is() -> None:
    tree = sgf_lark.loads("(;SZ[9]AB[aa]TR[bb]AR[aa:bb];W[cc])")[0]
    for node in tree.main_line():
        found = position(tree, node)
        assert text(found, symbols=ASCII).isascii()
        assert "".join(legend(found, symbols=ASCII)).isascii()


def test_characters_fit_the_encoding() -> None:
    assert characters("utf-8") is UNICODE
    assert characters("ascii") is ASCII is characters("no such")


@given(
    collections(game=st.sampled_from([1, 11]), trees=1, nodes=st.integers(1, 4)),
    st.sampled_from([UNICODE, ASCII]),
    st.sampled_from(["en", "zh"]),
)
def test_any_node_has_a_board(data: bytes, symbols: object, language: str) -> None:
    for tree in sgf_lark.loads(data):
        for node in tree.nodes():
            found = position(tree, node)
            plain = text(found, coordinates=False, symbols=symbols)  # type: ignore[arg-type]
            rows = plain.splitlines()
            shown = {point.row for point in found.points()}
            assert len(rows) == max(shown) - min(shown) + 1
            lines = legend(found, symbols=symbols, language=language)  # type: ignore[arg-type]
            assert all(line.isprintable() for line in rows + lines)
            colored = text(found, color=True, coordinates=False)
            uncolored = re.sub("\x1b\\[[0-9;]*m", "", colored)
            widths = {cell_len(line) for line in uncolored.splitlines()}
            assert len(widths) == 1 or tree.game != 1
            if symbols is UNICODE:
                # Stones of one shape in two colors.
                stripped = [line.rstrip() for line in uncolored.splitlines()]
                assert [line.replace("○", "●") for line in stripped] == [
                    line.replace("○", "●") for line in rows
                ]
