"""What people write in game records, and what it means in SGF."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.rules import informal
from sgf_lark.rules.informal import Interpretation
from sgf_lark.syntax import values as value_grammar

DATES = {
    "12th and 13th march 94": "1994-03-12,13",
    "1996-05-06 - 08": "1996-05-06,07,08",
    "1996-02-28 - 03-01": "1996-02-28,29,03-01",
    "1996-5-6, 7": "1996-05-06,07",
    "1996-05-06 & 1996-06-01": "1996-05-06,06-01",
    "2008年2月23日": "2008-02-23",
    "2008年2月": "2008-02",
    "2008年": "2008",
    "平成20年2月23日": "2008-02-23",
    "昭和元年1月2日": "1926-01-02",
    "民国二十": None,
    "August 1, 2001": "2001-08-01",
    "1 Aug. 2001": "2001-08-01",
    "1st of August 2001": "2001-08-01",
    "May 6-8, 1996": "1996-05-06,07,08",
    "6-8 May 1996": "1996-05-06,07,08",
    "6 mai 2001": "2001-05-06",
    "3. März 1998": "1998-03-03",
    "June 1995": "1995-06",
    "5.3.2024": "2024-03-05",
    "25/6/1996": "1996-06-25",
    "6/25/1996": "1996-06-25",
    "5/5/1996": "1996-05-05",
    "5/6/1996": None,
    "5/6/96": None,
    "3 May 04": None,
    "29.2.1999": None,
    "1996-13-01": None,
    "Spring 1996": None,
    "1996-05-06 - 1997-05-06": "1996-05-06,1997-05-06",
    "": None,
}

RESULTS = {
    "black wins by 5 3/4 points": "B+5.75",
    "W+Res": "W+R",
    "b+r": "B+R",
    "B+Time": "B+T",
    "W+Forfeit": "W+F",
    "黑中盘胜": "B+R",
    "白中押し勝ち": "W+R",
    "白胜2又3/4子": "W+2.75",
    "黑胜3目半": "B+3.5",
    "黑超时负": "W+T",
    "B+3.5 (moku)": "B+3.5",
    "W+5,5 points": "W+5.5",
    "white + 1/2": "W+0.5",
    "White resigns": "B+R",
    "Black lost on time": "W+T",
    "B": "B+",
    "Black wins": "B+",
    "B+0.0": "0",
    "jigo": "0",
    "No result": "Void",
    "unfinished": "?",
    "B+AW": None,
    "B+V": None,
    "Bob wins": None,
    "black": "B+",
    "B+1/3": None,
    "": None,
}

NUMBERS = {
    "6,5": "6.5",
    "5 1/2": "5.5",
    "5½": "5.5",
    "6.5 points": "6.5",
    "6.5目": "6.5",
    "6目半": "6.5",
    "3又3/4目": "3.75",
    "-3": "-3",
    "+ 0,5": "0.5",
    "1/3": None,
    "1/0": None,
    "1.2.3": None,
    "half": None,
}

TIMES = {
    "9 hours": "32400",
    "2h30": "9000",
    "1h 30m 20s": "5420",
    "3小时": "10800",
    "60分": "3600",
    "1:30:00": "5400",
    "30:00": "1800",
    "90 min.": "5400",
    "2 hours each": "7200",
    "0.5 h": "1800",
    "1800,0,30,5": None,
    "long": None,
    "-": None,
}

RANKS = {"9段": "9d", "9 Dan": "9d", "5 KYU": "5k", "3級": "3k", "4d?": "4d?", "P9": None}

TABLES: list[tuple[Callable[[str], Interpretation | None], dict[str, str | None], str]] = [
    (informal.dates, DATES, "date"),
    (informal.result, RESULTS, "result"),
    (informal.number, NUMBERS, "real"),
    (informal.seconds, TIMES, "real"),
    (informal.rank, RANKS, "rank"),
]
CASES = [
    (function, text, expected, form)
    for function, table, form in TABLES
    for text, expected in table.items()
]


@pytest.mark.parametrize(("function", "text", "expected", "form"), CASES)
def test_meaning(
    function: Callable[[str], Interpretation | None], text: str, expected: str | None, form: str
) -> None:
    found = function(text)
    assert (found and found.value) == expected
    if found is not None:
        assert found.rest == ""
        assert value_grammar.pattern(form).fullmatch(found.value.encode())


LEFT_OVER = [
    (informal.dates, "2017.06.29 09:20", "2017-06-29", "09:20"),
    (informal.dates, "2001/10/01 22:03:45 UT", "2001-10-01", "22:03:45 UT"),
    (informal.seconds, "30:00(5x1:00)", "1800", "5x1:00"),
    (informal.seconds, "1 hour + 30 s byo-yomi", "3600", "30 s byo-yomi"),
    (informal.number, "7.5 (Chinese)", "7.5", "(Chinese)"),
]


@pytest.mark.parametrize(("function", "text", "value", "rest"), LEFT_OVER)
def test_what_is_left_out_is_told(
    function: Callable[[str], Interpretation | None], text: str, value: str, rest: str
) -> None:
    assert function(text) == (value, rest)


@given(
    st.text(max_size=40) | st.from_regex(r"[0-9A-Za-z+./:,年月日黑白胜 -]{0,20}", fullmatch=True)
)
def test_any_text_is_taken(text: str) -> None:
    for function, _, form in TABLES:
        found = function(text)
        if found is not None:
            assert value_grammar.pattern(form).fullmatch(found.value.encode())
