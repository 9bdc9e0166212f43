"""What is written otherwise on request: file formats, lists of points, what is deleted."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import Rewriting, fix
from sgf_lark.fixing.points import compressed
from sgf_lark.fixing.rewriting import DELETABLE
from sgf_lark.model.values import Point
from tests.kit.tables import for_each

#: More points than there are letters, and the labels that they have.
LETTERED = [
    column + row for column, rows in (("a", 19), ("b", 9)) for row in ascii_lowercase[:rows]
]
LETTERS = [*ascii_uppercase, "AA", "BB"]

#: What is requested, and files before and after; None where nothing is changed.
REWRITES: list[tuple[dict[str, Any], list[tuple[bytes, bytes | None]]]] = [
    ({"upgrade": True}, [
        (b"(;FF[3]GaMe[1];Black[tt]L[aa][bb];W[cc]TE[1]BM[1]M[cc][dd])",
         b"(;FF[4]GM[1];B[]LB[aa:A][bb:B];W[cc]IT[]TR[cc]MA[dd])"),
        (f"(;FF[3]GM[1]L[{']['.join(LETTERED)}])".encode(),
         f"(;FF[4]GM[1]LB[{']['.join(map('{}:{}'.format, LETTERED, LETTERS))}])".encode()),
        (b"(;GM[1]KI[11]VW[ba][db])", b"(;FF[4]GM[1]KM[5.5]VW[ba:db])"),
        (b"(;FF[1]KI[11]KM[5])", b"(;FF[4]KI[11]KM[5])"),
        (b"(;FF[1]KI[10]KM[5])", b"(;FF[4]KM[5])"),
        (b"(;FF[1]KI[10]KM[5][6])", b"(;FF[4]KM[5][6])"),
        (b"(;KI[11]GM[1])", b"(;FF[4]KM[5.5]GM[1])"),
        (b"(;FF[4]KI[11];L[aa])", b"(;FF[4]KM[5.5];LB[aa:A])"),
        (b"(;FF[4];M[x]L[aa]LB[aa:x])", None),
        (b"(;FF[4];CR[aa])(;FF[3];B[aa])(;FF[1])", b"(;FF[4];CR[aa])(;FF[4];B[aa])(;FF[4])"),
        (b"(;FF[4];B[tt]VW[ba][db])", None),
        (b"(;GM[1]VW[zz][ba])", b"(;FF[4]GM[1]VW[zz:ba])"),
        (b"(;GM[1]AB[aa]M[aa][bb])", b"(;FF[4]GM[1]AB[aa]TR[aa]MA[bb])"),
        # In FF[4] "tt" is a point of a board of 21 lines.
        (b"(;FF[4]GM[1]SZ[21];B[tt];M[tt][bb])", b"(;FF[4]GM[1]SZ[21];B[tt];TR[tt]MA[bb])"),
        (b"(;GM[1]KI[-12])", b"(;FF[4]GM[1]KM[-6])"),
        (b"(;GM[1]KI[12345679])", b"(;FF[4]GM[1]KM[6172839.5])"),
        (b"(;GM[1]KI[1234567890123456])", b"(;FF[4]GM[1]KI[1234567890123456])"),
    ]),
    ({"points": "compress"}, [
        (b"(;FF[4]AB[aa][ab][ba][bb][dd])", b"(;FF[4]AB[aa:bb][dd])"),
        (b"(;FF[4]LB[aa:x])", None),
        (b"(;FF[3]AB[aa][ab])", None),
        (b"(;FF[3]AB[aa][ab])(;FF[4]AB[aa][ab])", b"(;FF[3]AB[aa][ab])(;FF[4]AB[aa:ab])"),
        (b"(;FF[4]XX[a]LB[aa:x]AB[aa][ab]N[x]TR[aa][ab])",
         b"(;FF[4]XX[a]LB[aa:x]AB[aa:ab]N[x]TR[aa:ab])"),
        (b"(;FF[4]LN[aa:ab]CR[aa][ab])", b"(;FF[4]LN[aa:ab]CR[aa:ab])"),
        (b"(;FF[4]CR[zz][ab]DD[][aa]TR[aa][ab])", b"(;FF[4]CR[zz][ab]DD[][aa]TR[aa:ab])"),
        (b"(;FF[4]GM[9]AB[a1][a2])", None),
        (b"(;FF[4]GM[2]AB[aa][ab])", None),
        (b"(;FF[4]GM[11]AB[a1][a2])", b"(;FF[4]GM[11]AB[a1:a2])"),
        # A point of Backgammon in a list is a checker.
        (b"(;FF[4]GM[6]AB[a][a]CR[a][b])", b"(;FF[4]GM[6]AB[a][a]CR[a:b])"),
    ]),
    ({"points": "expand"}, [
        (b"(;FF[4]AB[aa:bb][dd])", b"(;FF[4]AB[aa][ba][ab][bb][dd])"),
        (b"(;FF[4]DD[])", None),
        (b"(;FF[4]GM[6]AB[a][a])", None),
    ]),
    ({"delete": {"unknown"}}, [
        (b"(;FF[4]C[x];ZZ[1]B[aa]RG[aa])", b"(;FF[4]C[x];B[aa]RG[aa])"),
    ]),
    ({"delete": {"obsolete"}}, [
        (b"(;FF[4]C[x];ZZ[1]B[aa]RG[aa])", b"(;FF[4]C[x];ZZ[1]B[aa])"),
    ]),
    ({"delete": {"C"}}, [
        (b"(;FF[4]C[x];B[aa]C[y])", b"(;FF[4];B[aa])"),
    ]),
    ({"delete": {"empty-nodes"}}, [
        (b"(;FF[4];;B[aa](;)(;;W[bb]))", b"(;FF[4];B[aa](;W[bb]))"),
        (b"(;FF[4];;B[aa](;;W[aa])(;(;W[bb])(;W[cc]))(;))",
         b"(;FF[4];B[aa](;W[aa])(;(;W[bb])(;W[cc])))"),
        (b"(;FF[4](;(;B[aa])(;B[bb])(;B[cc]))(;;)(;;B[cc]))",
         b"(;FF[4](;(;B[aa])(;B[bb])(;B[cc]))(;B[cc]))"),
        (b"(;FF[4](;(;B[aa]))(;B[dd])(;;W[ee]))", b"(;FF[4](;(;B[aa]))(;B[dd])(;W[ee]))"),
        (b"(;FF[4];B[aa];(;W[bb])(;W[cc]))", b"(;FF[4];B[aa](;W[bb])(;W[cc]))"),
    ]),
    ({"delete": {"trailing-passes"}}, [
        (b"(;FF[4];B[aa];W[];B[])", b"(;FF[4];B[aa])"),
        (b"(;FF[4];B[bb];C[x])", None),
        (b"(;FF[4];B[bb];W[]C[x])", None),
        (b"(;FF[4]B[])", None),
        (b"(;FF[4];B[](;W[aa])(;W[bb]))", None),
    ]),
    ({"delete": {"move-markup"}}, [
        (b"(;FF[4];B[aa]CR[aa]MA[bb])", b"(;FF[4];B[aa]MA[bb])"),
        (b"(;FF[4];B[aa]CR[bb][aa][cc])", b"(;FF[4];B[aa]CR[bb][cc])"),
        (b"(;FF[4];B[aa]CR[aa:ab])", None),
        (b"(;FF[4];B[aa]XX[aa]AW[aa]MA[aa];W[bb]LB[bb:1]CR[bb][cc];B[]TR[bb])",
         b"(;FF[4];B[aa]XX[aa]AW[aa];W[bb]LB[bb:1]CR[cc];B[]TR[bb])"),
        (b"(;FF[4];B[aa:bb]CR[aa])", None),
        (b"(;FF[4]GM[99];B[aa]CR[aa])", None),
        (b"(;FF[4];B[zz]CR[zz])", None),
    ]),
    ({}, [
        (b"(;FF[4]CA[ISO-8859-1]C[\xe9])", b"(;FF[4]CA[UTF-8]C[\xc3\xa9])"),
        (b"(;FF[4]C[x])", None),
        # The text before the game would not be UTF-8.
        (b"\xe9(;FF[4]CA[ISO-8859-1]C[\xe9])", None),
        (b"(;FF[4]ZZ[\xe9]C[\xe9])", None),
        ("(;FF[4]ZZ[李昌鎬]C[曹薰鉉])".encode(), "(;FF[4]ZZ[李昌鎬]C[曹薰鉉]CA[UTF-8])".encode()),
        (b"From: me\n(;FF[4]N[x])", None),
    ]),
    ({"charset": None}, [
        (b"(;FF[4]CA[ISO-8859-1]C[\xe9])", None),
    ]),
    ({"charset": "latin1"}, [
        (b"(;FF[4]CA[UTF-8]C[\xc3\xa9])", b"(;FF[4]CA[latin1]C[\xe9])"),
    ]),
    ({"charset": "ISO-8859-1"}, [
        ("(;FF[4]CA[UTF-8]C[棋])(;FF[4]CA[UTF-8]C[é])".encode(),
         "(;FF[4]CA[UTF-8]C[棋])".encode() + b"(;FF[4]CA[ISO-8859-1]C[\xe9])"),
    ]),
    ({"delete": ("trailing-passes", "C")}, [
        (b"(;FF[4](;B[])(;W[cc]C[x]))", b"(;FF[4](;W[cc]))"),
    ]),
]  # fmt: skip


@for_each((data, options, written) for options, files in REWRITES for data, written in files)
def test_rewriting(data: bytes, options: dict[str, Any], written: bytes | None) -> None:
    expected = data if written is None else written
    requested = Rewriting(**{**options, "delete": frozenset(options.get("delete", ()))})
    result = fix(data, ignore=["SGF501", "SGF9", "SGF213"], rewriting=requested)
    assert result.data == expected
    of_rewriting = [change for change in result.applied if not change.code]
    assert bool(result.applied) == (result.data != data)
    if deleting := requested.delete - {"empty-nodes"}:
        assert not any(change.safe for change in of_rewriting)
        names = {name for kind in deleting for name in (kind, f"delete-{kind}")}
        assert {change.name for change in of_rewriting} <= names
    again = fix(result.data, ignore=["SGF501", "SGF9", "SGF213"], rewriting=requested)
    assert again.data == expected


def test_upgrade_needs_no_other_fixes() -> None:
    result = fix(b"(;GM[1]VW[db][ba])", select=["SGF9"], rewriting=Rewriting(upgrade=True))
    assert result.data == b"(;FF[4]GM[1]VW[ba:db])"


@for_each(
    [
        (b"(;FF[3]GM[1]SZ[19];B[pd];W[tt])", b"(;FF[4]GM[1]SZ[19];B[pd];W[])", True),
        (b"(;FF[3]GM[1]SZ[21];B[pd];W[ss])", b"(;FF[4]GM[1]SZ[21];B[pd];W[ss])", True),
        (b"(;FF[3]GM[1]SZ[21];B[pd];W[tt])", b"(;FF[4]GM[1]SZ[21];B[pd];W[tt])", False),
        (b"(;FF[3]GM[2]SZ[21];B[pd];W[tt])", b"(;FF[4]GM[2]SZ[21];B[pd];W[tt])", True),
    ],
    by=lambda data, expected, safe: data.decode(),
)
def test_upgrade_is_unsafe_if_tt_may_be_a_pass(data: bytes, expected: bytes, safe: bool) -> None:
    result = fix(data, select=["SGF9"], rewriting=Rewriting(upgrade=True))
    assert result.data == expected
    assert all(change.safe for change in result.applied) == safe


@pytest.mark.parametrize(
    "options", [{"points": "x"}, {"header": "x"}, {"delete": frozenset({"x"})}]
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Rewriting(**options)
    assert all(Rewriting(delete=frozenset({kind})) for kind in DELETABLE)


#: A file, what is requested, and the changed places in it.
PLACES: list[tuple[bytes, dict[str, Any], list[bytes]]] = [
    (b"(;FF[3]GM[1];B[tt];W[aa])", {"upgrade": True}, [b"[tt]", b"FF[3]"]),
    (b"(;GM[1]PB[a];KI[11])", {"upgrade": True}, [b"KI[11]", b""]),
    (b"(;FF[3]GM[1]KI[11]KM[5.5])", {"upgrade": True}, [b"KI[11]", b"FF[3]"]),
    (b"(;FF[3]GM[1];TE[1]BM[1])", {"upgrade": True}, [b"TE[1]", b"FF[3]"]),
    (b"(;FF[3]GM[1];White[aa])", {"upgrade": True}, [b"White[aa]", b"FF[3]"]),
    (b"(;FF[4]GM[1];B[aa]MN[1])", {"delete": {"MN"}}, [b"MN[1]"]),
    (b"(;FF[4]GM[1];B[aa];W[])", {"delete": {"trailing-passes"}}, [b";W[]"]),
    (b"(;FF[4]GM[1];B[aa]CR[aa]N[x])", {"delete": {"move-markup"}}, [b"CR[aa]"]),
    (b"(;FF[4]GM[1];;B[aa])", {"delete": {"empty-nodes"}}, [b";"]),
    (b"(;FF[4]GM[1]CR[aa][ab]N[x])", {"points": "compress"}, [b"CR[aa][ab]"]),
    (b"(;FF[4]GM[1]CR[aa:ab]N[x])", {"points": "expand"}, [b"CR[aa:ab]"]),
]


@for_each(PLACES)
def test_requested_changes_have_their_place(
    data: bytes, options: dict[str, Any], expected: list[bytes]
) -> None:
    changes = fix(data, select=["SGF213"], rewriting=Rewriting(**options)).applied
    assert [data[change.span.start : change.span.end] for change in changes] == expected


def test_requested_changes_are_shown_in_the_charset_of_their_game() -> None:
    data = "(;FF[4]CA[UTF-8]C[中])".encode() + "(;FF[4]CA[GBK]C[中])".encode("gbk")
    result = fix(data, rewriting=Rewriting(charset=None, delete=frozenset({"C"})))
    assert [change.before for change in result.applied] == ["C[中]", "C[中]"]


@given(st.sets(st.builds(Point, st.integers(0, 9), st.integers(0, 9))))
def test_compressed_points_cover_each_point_once(points: set[Point]) -> None:
    covered = [
        Point(column, row)
        for first, last in compressed(points)
        for column in range(first.column, last.column + 1)
        for row in range(first.row, last.row + 1)
    ]
    assert len(covered) == len(set(covered))
    assert set(covered) == points


@given(st.sets(st.builds(Point, st.integers(0, 5), st.integers(0, 5)), min_size=12))
def test_compressed_points_begin_with_the_largest_rectangle(points: set[Point]) -> None:
    left = set(points)
    for first, last in compressed(points):
        areas = {}
        for corner in left:
            rows = range(first.row, corner.row + 1)
            inside = {Point(x, y) for y in rows for x in range(first.column, corner.column + 1)}
            if inside <= left:
                areas[corner] = len(inside)
        assert areas[last] == max(areas.values())
        left -= {
            Point(x, y)
            for x in range(first.column, last.column + 1)
            for y in range(first.row, last.row + 1)
        }
