"""Values by tables: the bytes that are written for them, and the messages for those that cannot
be; numbers of any length, dates, ranks, results and points of all games."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import (
    Color,
    HexMove,
    LinesOfActionMove,
    Move,
    OctiStone,
    PartialDate,
    Point,
    Rank,
    Result,
    Stone,
    grammar,
)
from sgf_lark.model.values.basic import Context, bounded
from sgf_lark.model.values.formats import in_calendar, parse_dates, read_format, shortest
from sgf_lark.model.values.points import expand
from sgf_lark.model.values.reader import reader
from sgf_lark.model.values.writer import write_all
from tests.kit.tables import for_each


def child(root: str) -> sgf_lark.Node:
    """An empty node under that root."""
    return sgf_lark.loads(f"(;{root};)".encode())[0].root.children[0]


GO = "FF[4]GM[1]"
LINES, HEX, OCTI = "FF[4]GM[9]", "FF[4]GM[11]", "FF[4]GM[19]"
OTHELLO, BACKGAMMON = "FF[4]GM[2]", "FF[4]GM[6]"

# --- Writing --------------------------------------------------------------------------


@for_each([
        (GO, "KM", 2**53, b"KM[9007199254740992]"),
        (GO, "KM", 1e-5, b"KM[0.00001]"),
        (GO, "KM", 123456789.5, b"KM[123456789.5]"),
        (GO, "KM", 10.0, b"KM[10]"),
        (GO, "KM", -0.0, b"KM[0]"),
        (GO, "KM", 1e23, b"KM[100000000000000000000000]"),
        (GO, "MN", -5, b"MN[-5]"),
        (GO, "GB", 2, b"GB[2]"),
        (GO, "PL", "W", b"PL[W]"),
        (GO, "KO", None, b"KO[]"),
        (GO, "DD", [], b"DD[]"),
        (GO, "VW", (), b"VW[]"),
        (GO, "FG", None, b"FG[]"),
        (GO, "FG", (257, "x:]"), b"FG[257:x\\:\\]]"),
        (GO, "AP", ("a:b", "c\\"), b"AP[a\\:b:c\\\\]"),
        (GO, "C", "a:b]\\", b"C[a:b\\]\\\\]"),
        (GO, "C", "a\r\nb\n\rc\rd\t\ve\f", b"C[a\nb\nc\nd  e ]"),
        (GO, "N", "a\r\nb\n\rc\rd\t\ve\f", b"N[a b c d  e ]"),
        (GO, "LB", [("aa", "a:b]"), (Point(18, 18), "")], b"LB[aa:a\\:b\\]][ss:]"),
        (GO, "AB", ["cc:aa", "ca:ac", "dd", "dd:dd"], b"AB[aa:cc][aa:cc][dd][dd]"),
        (GO, "AB", [Stone(0, 0), (1, 1)], b"AB[aa][bb]"),
        (GO, "AR", [("aa", "bb")], b"AR[aa:bb]"),
        ("FF[3]GM[1]SZ[19]", "B", Move(), b"B[tt]"),
        ("FF[3]GM[1]SZ[20]", "B", Move(), b"B[]"),
        ("FF[3]GM[1]SZ[19:20]", "B", Move(), b"B[]"),
        ("FF[3]GM[1]SZ[20:19]", "B", Move(), b"B[]"),
        ("FF[4]GM[1]SZ[19]", "B", Move(), b"B[]"),
        ("FF[4]GM[1]SZ[20]", "B", "tt", b"B[tt]"),
        (HEX, "B", HexMove(Point(10, 10)), b"B[k11]"),
        (HEX + "SZ[1000]", "AB", [(900, 999), (25, 0), (26, 0), (701, 0), (702, 0)],
         b"AB[ahq1000][z1][aa1][zz1][aaa1]"),
        (HEX, "B", HexMove(action="pass"), b"B[pass]"),
        (LINES, "B", LinesOfActionMove(Point(0, 0), Point(7, 7), ":", "!"), b"B[a1:h8!]"),
        (OCTI, "AB", [OctiStone(Point(0, 0), "AB"), "22C", (1, 1)], b"AB[11AB][22C][22]"),
        (OCTI, "B", (0, 0), b"B[11]"),
        (OTHELLO, "B", b"d3", b"B[d3]"),
        (OTHELLO, "AB", [b"d3", b"e4"], b"AB[d3][e4]"),
        (BACKGAMMON, "AB", [(5, 0), "a:c"], b"AB[f][a:c]"),
        (BACKGAMMON, "B", "31hefe", b"B[31hefe]"),
        (GO, "XX", b"a", b"XX[a]"),
        (GO, "XX", (b"a", b"\\]"), b"XX[a][\\]]"),
        (GO, "XX", "a]", b"XX[a\\]]"),
        (GO, "XX", ["a\\:", b"\\]"], b"XX[a\\\\:][\\]]"),
        (GO, "AB", "aa", b"AB[aa]"),
        (GO, "AB", Point(1, 1), b"AB[bb]"),
        (GO, "AB", "aa:cc", b"AB[aa:cc]"),
        (GO, "LB", {"dd": "A", Point(0, 0): "b"}, b"LB[dd:A][aa:b]"),
        (GO, "LB", sgf_lark.Compose("dd", "A"), b"LB[dd:A]"),
        (GO, "B", None, b"B[]"),
        ("FF[3]GM[1]", "B", None, b"B[tt]"),
        ("FF[4]GM[11]", "B", None, b"B[pass]"),
    ])  # fmt: skip
def test_value_is_written_in_these_bytes(root: str, ident: str, value: Any, written: bytes) -> None:
    node = child(root)
    node[ident] = value
    assert bytes(node.property(ident)) == written
    again = sgf_lark.loads(sgf_lark.dumps(node.tree))[0]
    assert again.root.children[0].equals(node)


def test_points_without_a_board_have_the_letters_that_there_are() -> None:
    definition, context = grammar.definition("TR", 1, 4), Context(size=None)
    assert write_all(definition, [(51, 51)], context) == [b"ZZ"]
    for point in ((52, 0), (0, 52)):
        with pytest.raises(ValueError):
            write_all(definition, [point], context)
    hexagons = grammar.definition("TR", 11, 4)
    assert write_all(hexagons, [(10**6, 10**6)], Context(11, size=None)) == [b"bdwgo1000001"]


# --- Numbers --------------------------------------------------------------------------


@for_each(
    [
        *((text, int(text)) for text in ("1", "-1", "+7", "007", "-19", "999999999999999999")),
        (str(2**63 - 2), 2**63 - 2),
        (str(2**63 - 1), 2**63 - 1),
        (str(2**63), 2**63 - 1),
        (str(-(2**63) + 1), -(2**63) + 1),
        (str(-(2**63)), -(2**63) + 1),
        ("1" * 19, 1111111111111111111),
        ("1" * 20, 2**63 - 1),
        ("-" + "9" * 20, -(2**63) + 1),
        ("0" * 30 + "5", 5),
    ]
)
def test_bounded_numbers(digits: str, expected: int) -> None:
    assert bounded(digits.encode()) == expected


# --- Points ---------------------------------------------------------------------------


@given(st.integers(0, 10**6) | st.integers(0, 2**63), st.integers(0, 2**63))
@example(25, 0)
@example(26, 0)
@example(26 * 26 + 25, 0)
@example(26 * 26 + 26, 0)
@example(26**3 + 26**2 + 25, 9)
@example(26**3 + 26**2 + 26, 9)
def test_points_of_hex_are_written_and_read(column: int, row: int) -> None:
    text = str(HexMove(Point(column, row)))
    assert reader(Context(11, size=None)).read("point", text.encode()) == (column, row)
    letters, number = text.rstrip("0123456789"), 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("a") + 1
    assert (number - 1, int(text[len(letters) :]) - 1) == (column, row)


COLUMNS = st.sampled_from([0, 1, 50, 51, 52, 63, 64, 65, 127, 128])
CORNERS = st.builds(Point, COLUMNS, st.sampled_from([0, 1, 2]) | st.sampled_from([50, 51, 52]))


@given(CORNERS, CORNERS, st.sampled_from([Point, Stone]))
def test_rectangles_are_expanded_row_by_row(one: Point, two: Point, kind: type[Point]) -> None:
    columns, rows = sorted((one.column, two.column)), sorted((one.row, two.row))
    expected = [
        (column, row)
        for row in range(rows[0], rows[1] + 1)
        for column in range(columns[0], columns[1] + 1)
    ]
    found = expand(one, two, kind)
    assert found == expected and {type(each) for each in found} == {kind}


@for_each(
    [
        *(("A1", 1, (0, 0)), ("a1", 9, (0, 8)), ("H8", 19, (7, 11)), ("J8", 19, (8, 11))),
        *(("A25", 25, (0, 0)), ("Z1", 25, (24, 24)), ("A9999", (1, 9999), (0, 0))),
        *(("I1", 19, None), ("A0", 19, None), ("A20", 19, None), ("K1", 9, None)),
        *(("", 19, None), ("A", 19, None), ("1A", 19, None), ("A1 ", 19, None), ("A-1", 19, None)),
        *(("A00001", 19, None), ("Aa", 19, None), ("A²", 19, None), ("A٣", 19, None)),
    ]
)
def test_vertices(vertex: str, size: Any, point: tuple[int, int] | None) -> None:
    if point is None:
        with pytest.raises(ValueError):
            Point.from_gtp(vertex, size)
    else:
        assert Point.from_gtp(vertex, size) == point
        assert Point(*point).gtp(size) == vertex.upper()


@for_each(
    [
        *((0, ValueError), (26, ValueError), ((26, 1), ValueError), ((1, 0), ValueError)),
        *(((1.0, 1), TypeError), ((1, 1, 1), TypeError), ("9", TypeError), ([9, 9], TypeError)),
    ]
)
def test_sizes_without_letters(size: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Point(0, 0).gtp(size)
    with pytest.raises(error):
        Point.from_gtp("A1", size)


def test_points_outside_have_no_text() -> None:
    assert (str(Point(0, 51)), str(Point(51, 0))) == ("aZ", "Za")
    assert Point(24, 24).gtp(25) == "Z1" and Point(0, 24).gtp((25, 25)) == "A1"
    for point in (Point(52, 0), Point(0, 52), Point(-1, 0), Point(0, -1)):
        with pytest.raises(ValueError):
            str(point)
    for point in (Point(9, 0), Point(0, 9), Point(-1, 0), Point(0, -1)):
        with pytest.raises(ValueError):
            point.gtp(9)
    with pytest.raises(ValueError):
        Point.from_gtp("Pass", (9, 13))


# --- Dates, ranks and results ------------------------------------------------------------

DAYS = st.dates(datetime.date(1995, 11, 1), datetime.date(1997, 2, 5))
DATES = st.builds(lambda day, n: (day.year, day.month, day.day)[:n], DAYS, st.integers(1, 3))


@given(st.lists(DATES, min_size=1, max_size=6))
@example([(1996, 5), (1996, 6), (1996, 6, 7)])
@example([(1996, 5, 6), (1996, 6), (1996, 6, 7), (1997, 6, 7)])
@example([(1996,), (1996, 1), (1997,), (1997,)])
def test_dates_are_written_shortly_and_read(dates: list[tuple[int, ...]]) -> None:
    text = shortest(dates)
    assert [each.parts for each in parse_dates(text)] == dates
    full = ",".join("-".join(f"{part:02}" for part in date) for date in dates)
    assert len(text) <= len(full)


@for_each(
    [
        ([(1996, 5, 6), (1996, 5, 7)], "1996-05-06,07"),
        ([(1996, 5, 6), (1996, 6, 7)], "1996-05-06,06-07"),
        ([(1996, 5, 6), (1997, 5, 6)], "1996-05-06,1997-05-06"),
        ([(1996, 5, 6), (1996, 6)], "1996-05-06,1996-06"),
        ([(1996, 5), (1996, 6)], "1996-05,06"),
        ([(1996, 5), (1996, 6, 7), (1996, 6, 8)], "1996-05,06-07,08"),
        ([(1996, 5), (1996, 5, 7)], "1996-05,05-07"),
        ([(1996,), (1996, 5)], "1996,1996-05"),
        ([(1996,), (1997,)], "1996,1997"),
        ([(7, 1, 2), (7, 1, 3)], "0007-01-02,03"),
    ]
)
def test_dates_as_short_as_they_may_be(dates: list[tuple[int, ...]], text: str) -> None:
    assert shortest(dates) == text


@for_each(
    [
        *(((1,), True), ((0,), False), ((-1,), False), ((9999, 12, 31), True)),
        *(((1996, 1), True), ((1996, 12), True), ((1996, 0), False), ((1996, 13), False)),
        *(((1996, 2, 29), True), ((1995, 2, 29), False), ((1900, 2, 29), False)),
        *(((1996, 1, 1), True), ((1996, 1, 0), False), ((1996, 1, 31), True)),
        *(((1996, 1, 32), False), ((1996, 4, 30), True), ((1996, 4, 31), False)),
    ]
)
def test_calendar(date: tuple[int, ...], expected: bool) -> None:
    assert in_calendar(*date) is expected
    if expected:
        assert PartialDate(*date).parts == date
    else:
        with pytest.raises(ValueError):
            PartialDate(*date)


def test_partial_dates() -> None:
    date = datetime.date
    bounds = {
        (1996,): (date(1996, 1, 1), date(1996, 12, 31)),
        (1996, 2): (date(1996, 2, 1), date(1996, 2, 29)),
        (1996, 4, 5): (date(1996, 4, 5), date(1996, 4, 5)),
    }
    for parts, (first, last) in bounds.items():
        assert (PartialDate(*parts).first, PartialDate(*parts).last) == (first, last)
    wrong: list[Any] = [(None,), (1996, "5"), (1996.0,), ("1996",), (1996, 5, 6.0)]
    for values in wrong:
        with pytest.raises(TypeError):
            PartialDate(*values)
    with pytest.raises(ValueError):
        PartialDate(1996, None, 5)
    for year in (0, 10000):
        with pytest.raises(ValueError):
            PartialDate(year)
    with pytest.raises(ValueError):
        PartialDate.parse("1996,1997")
    other: Any = (1996,)
    assert PartialDate(1996) != other and PartialDate(1996) < PartialDate(1996, 1)
    assert not PartialDate(1996) < PartialDate(1996) <= PartialDate(1996)
    with pytest.raises(TypeError):
        _ = PartialDate(1996) < other


@for_each(
    [
        *(("30k", "29k"), ("2k", "1k"), ("1k", "1d"), ("0k", "1d"), ("1d", "2d"), ("9d", "1p")),
        *(("5k?", "5k"), ("5k", "5k*"), ("5d?", "5d"), ("5d*", "6d?"), ("5k*", "4k?")),
    ]
)
def test_ranks_are_sorted(weaker: str, stronger: str) -> None:
    assert Rank.parse(weaker) < Rank.parse(stronger) and Rank.parse(stronger) > Rank.parse(weaker)
    assert not Rank.parse(weaker) < Rank.parse(weaker) <= Rank.parse(weaker)
    text: Any = weaker
    assert str(Rank.parse(weaker)) == weaker and Rank.parse(weaker) != text
    with pytest.raises(TypeError):
        _ = Rank.parse(weaker) < text


def test_what_is_no_rank() -> None:
    assert Rank(0, "k").number == 0
    for arguments in ((-1, "k"), (1, "K"), (1, "d", "!")):
        with pytest.raises(ValueError):
            Rank(*arguments)
    for text in ("", "k", "d5", "5 k ?", "5x"):
        with pytest.raises(ValueError):
            Rank.parse(text)


@for_each(
    [
        ({"winner": "B", "margin": 0, "reason": "score"}, "B+0"),
        ({"winner": "W", "margin": 0.5, "reason": "score"}, "W+0.5"),
        ({"winner": "W", "margin": 1e3, "reason": "score"}, "W+1000"),
        ({"winner": "W", "margin": 1e-7, "reason": "score"}, "W+0.0000001"),
        ({"winner": "B", "reason": "resignation"}, "B+R"),
        ({"winner": "B", "reason": "time"}, "B+T"),
        ({"winner": "B", "reason": "forfeit"}, "B+F"),
        ({"winner": "B"}, "B+"),
        ({"reason": "draw"}, "0"),
        ({"reason": "void"}, "Void"),
        ({}, "?"),
        ({"winner": "B", "margin": 6, "reason": "resignation"}, "B+6R"),
        ({"reason": "time"}, "a result by time has a winner"),
        ({"reason": "score", "margin": 1}, "a result by score has a winner"),
        ({"winner": "B", "reason": "void"}, "a void has no winner, not .*'B'"),
        ({"winner": "B", "reason": "draw"}, "a draw has no winner"),
        ({"winner": "B", "reason": "score"}, "a result by score has a margin"),
        ({"winner": "B", "reason": "time", "margin": 0}, "a result by time has no margin, not 0"),
        ({"winner": "B", "margin": 3}, "B+3"),
        ({"winner": "B", "margin": 3.5, "reason": "unknown"}, "B+3.5"),
        ({"margin": 3}, "a result by score has a winner"),
        ({"reason": "draw", "margin": 0}, "a result by draw has no margin"),
        ({"winner": "B", "reason": "score", "margin": -0.5}, "a number of at least 0, not -0.5"),
        ({"winner": "B", "reason": "score", "margin": float("inf")}, "at least 0, not inf"),
        ({"winner": "B", "reason": "score", "margin": float("nan")}, "at least 0, not nan"),
    ]
)
def test_results_and_their_text(values: dict[str, Any], text: str) -> None:
    if " " in text:
        with pytest.raises(ValueError, match=text):
            Result(**values)
        return
    result = Result(**values)
    assert str(result) == text
    assert Result.parse(text, game=6) == result
    assert result.winner is None or isinstance(result.winner, Color)


def test_results_depend_on_the_game() -> None:
    with pytest.raises(ValueError):
        Result.parse("B+6R")
    assert Result.parse("W+2Resign", game=6).margin == 2
    with pytest.raises(ValueError):
        read_format("KM", "x", 11)
