"""What people write in game records, and what it means in SGF."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.model import informal
from sgf_lark.model.informal import Interpretation
from sgf_lark.model.informal.words import any_of, leading_word
from sgf_lark.syntax import grammars as value_grammar
from tests.kit.tables import for_each

#: None: nothing is understood, or the text has several meanings or more than the value holds.
DATES = {
    "1996-05-06 - 07": "1996-05-06,07",
    "1996-02-29 - 03-01": "1996-02-29,03-01",
    "1996-5-6, 7": "1996-05-06,07",
    "1996-5-6, 7 and 9": "1996-05-06,07,09",
    "1996-05-06 & 1996-06-01": "1996-05-06,06-01",
    "1996-05-06-07": None,
    "1996-04 - 1996-05": "1996-04,05",
    "1996 - 1997": "1996,1997",
    "1996 - 1998": None,
    "2008年2月23日": "2008-02-23",
    "2008年2月": "2008-02",
    "2008年": "2008",
    "平成20年2月23日": "2008-02-23",
    "昭和元年12月26日": "1926-12-26",
    "昭和元年1月2日": None,
    "明治5年1月2日": None,
    "民国二十": None,
    "August 1, 2001": "2001-08-01",
    "1 Aug. 2001": "2001-08-01",
    "1st of August 2001": "2001-08-01",
    "May 6-7, 1996": "1996-05-06,07",
    "6-7 May 1996": "1996-05-06,07",
    "6-8 May 1996": None,
    "6, 8 and 10 May 1996": "1996-05-06,08,10",
    "30 April - 1 May 1996": "1996-04-30,05-01",
    "Dec 31, 1995 - Jan 1, 1996": "1995-12-31,1996-01-01",
    "6 mai 2001": "2001-05-06",
    "le 1er mai 2001": "2001-05-01",
    "6 de mayo de 2001": "2001-05-06",
    "6 maja 2001 r.": "2001-05-06",
    "6 мая 2001 г.": "2001-05-06",
    "6. června 2001": "2001-06-06",
    "6. listopada 2001": None,
    "3. März 1998": "1998-03-03",
    "June 1995": "1995-06",
    "1995 May": "1995-05",
    "1996-Mar-04": "1996-03-04",
    "4-Mar-1996": "1996-03-04",
    "Mon, 4 March 1996": "1996-03-04",
    "Tue, 4 March 1996": None,
    "1996-03-04 (月)": "1996-03-04",
    "1996年3月4日 星期一": "1996-03-04",
    "19960304": "1996-03-04",
    "1996-03-04,": "1996-03-04",
    "25/6/1996": "1996-06-25",
    "6/25/1996": "1996-06-25",
    "5/5/1996": "1996-05-05",
    "5/6/96": None,
    "3 May 04": None,
    "29.2.1999": None,
    "1996-13-01": None,
    "1996/5/6 7": None,
    "2003/05": "2003-05",
    "14": None,
    "": None,
    # The order of day and month, if one of them is at most 12
    "12/5/1996": None,
    "13/5/1996": "1996-05-13",
    "5/12/1996": None,
    "5/13/1996": "1996-05-13",
    "12/12/1996": "1996-12-12",
    "13/12/1996": "1996-12-13",
    "12/13/1996": "1996-12-13",
    # The number of digits
    "1996-5": "1996-05",
    "1996--6": None,
    "1996-": None,
    "1996-5-": None,
    "1996-005": None,
    "1996-005-06": None,
    "1996-05-006": None,
    "2008年月": None,
    "2008年002月": None,
    "2008年2月日": None,
    "2008年2月023日": None,
    "/25/1996": None,
    "25//1996": None,
    "025/6/1996": None,
    "25/006/1996": None,
    "100 May 1996": None,
    "1996 May 6": "1996-05-06",
    "1996-05-06, 6-1": "1996-05-06,06-01",
    "1996-05-06, /7": None,
    "1996-05-06, 6-": None,
    "1996-05-06, 006-07": None,
    "1996-05-06, 007": None,
    "平成2年": "1990",
    "平成年": None,
    "昭和100年": None,
    "昭和64年1月7日": "1989-01-07",
    "昭和65年": None,
    "民国100年": "2011",
    "中華民國八十五年五月六日": "1996-05-06",
    "民国1000年": None,
    # Numerals and words of languages
    "二〇〇八年二月二十三日": "2008-02-23",
    "一九九六年十二月廿三日": "1996-12-23",
    "1996年十月三十日": "1996-10-30",
    "一百年": None,
    "公元1996年5月": "1996-05",
    "2008年2月23号": "2008-02-23",
    "2008年2月23-24日": "2008-02-23,24",
    "1996年5月6日から7日": "1996-05-06,07",
    "2008년 2월 23일 (토)": "2008-02-23",
    "2008년 2월 23일 (월)": None,
    "2008년 2월": "2008-02",
    "vom 6. bis 7. Mai 1996": "1996-05-06,07",
    "6./7. Mai 1996": "1996-05-06,07",
    "6/8 May 1996": None,
    "van 6 tot 7 mei 1996": "1996-05-06,07",
    "del 6 al 7 de mayo de 1996": "1996-05-06,07",
    "с 6 по 7 мая 1996 года": "1996-05-06,07",
    "6 октября 1996": "1996-10-06",
    "6.VIII.1996": "1996-08-06",
    "30 June and 1 July 1996": "1996-06-30,07-01",
    "May/June 1996": "1996-05,06",
    "June/May 1996": None,
    # Separators
    "-1996-05-06-": "1996-05-06",
    "(1996-05-06)": "1996-05-06",
    "1996-05-06-": None,
    "1996--05-06": "1996-05-06",
    "1996-05-06/07": "1996-05-06,07",
    "1996-05-06/08": None,
    "Dec.12.1999": "1999-12-12",
    "Dec-12-1999": "1999-12-12",
    # Seasons
    "1996-7": None,
    "1996/8": "1996-08",
    "1996-97": None,
    "1996 and 1997": "1996,1997",
    # Vague and short dates
    "昭和63年13日": None,
    "昭和元年12月25日": "1926-12-25",
    # Years in which games were recorded
    "16000506": "1600-05-06",
    "15990506": None,
    "20991231": "2099-12-31",
    "21000101": None,
    # Lists and periods
    "1996-05-06 -07": None,
    "1996-05-06- 07": None,
    "1996-05-06–07": "1996-05-06,07",
    "1996.5.6-7": "1996-05-06,07",
    "1996 - 1997-05": None,
    "1995-12 - 1996-01": "1995-12,1996-01",
    "1996-02-30 - 1996-03-01": None,
    "1996-02-29 - 1996-02-30": None,
    "1996-05-06 - 07, 09": "1996-05-06,07,09",
    "5, 6-7 May 1996": "1996-05-05,06,07",
    "7-6 May 1996": None,
    "7-6, 8 May 1996": None,
    "7-6 Apr and 1 Jun 1996": None,
    "30 Jun and 1 Apr 1996": None,
    "1 Apr and 1 Apr 1996": None,
    "1, 30 Jun and 20 Jun 1996": None,
    "30 April and 1 May 1996 and 2 June 1997": "1996-04-30,05-01,1997-06-02",
    "5.6.1996 - 6.6.1996": None,
    "2003/04 and 2005": None,
    "2001 and 2003/04": None,
    "1,2,3,4,5,6,7,8,9,10,11,12 Apr & 3 June 1996": (
        "1996-04-01,02,03,04,05,06,07,08,09,10,11,12,06-03"
    ),
    "1,2,3,4,5,6,7,8,9,10,11,12,13 Apr & 3 June 1996": None,
    "Mon, 1996-03-04, 05": None,
    "Mon, March 1996": None,
    # Long texts
    "1996-05-06".ljust(80): "1996-05-06",
    "1996-05-06".ljust(81): None,
}

RESULTS = {
    "black wins by 5 3/4 points": "B+5.75",
    "White wins by half a point": "W+0.5",
    "Black won by three and a half points": "B+3.5",
    "W+Res": "W+R",
    "b+r": "B+R",
    "B+Time": "B+T",
    "W+Time Over": "W+T",
    "W wins on time": "W+T",
    "W+Forfeit": "W+F",
    "White forfeits": "B+F",
    "黑弃权": "W+F",
    "黑中盘胜": "B+R",
    "白中押し勝ち": "W+R",
    "黑胜3目半": "B+3.5",
    "白半目勝": "W+0.5",
    "흑 불계승": "B+R",
    "백 3집반승": "W+3.5",
    "黑超时负": "W+T",
    "黑超时": None,
    "B+3.5 (moku)": "B+3.5",
    "B+.5": "B+0.5",
    "B+5.": "B+5",
    "W+5½": "W+5.5",
    "W+51/2": None,
    "W+5,5 points": "W+5.5",
    "W++1.0": "W+1",
    "white + 1/2": "W+0.5",
    "White resigns": "B+R",
    "White resign": None,
    "Black lost on time": "W+T",
    "White timeout": None,
    "Schwarz gewinnt durch Aufgabe": "B+R",
    "Blanc gagne par abandon": "W+R",
    "B": "B+",
    "Black wins": "B+",
    "B+0.0": "B+0",
    "jigo": "0",
    "0.0": "0",
    "No result": "Void",
    "打ち掛け": "Void",
    "unfinished": None,
    "B+AW": None,
    "B+V": None,
    "B+-3": None,
    "W+1,500": None,
    "Both lost": None,
    "Bob wins": None,
    "black": "B+",
    "B+1/3": None,
    "": None,
    "White wins (resignation)": "W+R",
    "White wins (res]": None,
    "Black wins (by 3.5 points)": "B+3.5",
    "黑棋胜": "B+",
    "黑胜by 3目": "B+3",
    "B+-0.5": None,
    "W+half": "W+0.5",
    "W+a": None,
    "W+by": None,
    "W wins by": None,
    "White won by 2 points and a half": "W+2.5",
    "White won by 2.5 points and a half": None,
    "0 points": "0",
    "0 stones": None,
    "黒番3目半勝ち": "B+3.5",
    "白の時間切れ勝ち": "W+T",
    "黑胜一目半": "B+1.5",
    "白认输": "B+R",
    "和局": "0",
    "흑 불계패": "W+R",
    "흑 반집승": "B+0.5",
    "백 시간승": "W+T",
    "백 기권": None,
    "흑 기권승": None,
    "Schwarz gibt auf": "W+R",
    "Schwarz gewinnt mit dreieinhalb Punkten": "B+3.5",
    "Weiß gewinnt durch Zeitüberschreitung": "W+T",
    "Unentschieden": "0",
    "Noir abandonne": "W+R",
    "Blanc gagne de 3,5 points": "W+3.5",
    "zwart geeft op": "W+R",
    "wit wint door opgave": "W+R",
    "zwart wint met drie en een halve punt": "B+3.5",
    "las negras abandonan": "W+R",
    "las blancas ganan por 2 puntos y medio": "W+2.5",
    "чёрные сдались": "W+R",
    "белые выиграли 3,5 очка": "W+3.5",
}

NUMBERS = {
    "6,5": "6.5",
    "5 1/2": "5.5",
    "5½": "5.5",
    ".5": "0.5",
    "5.": "5",
    "-.5": "-0.5",
    " 7 ": "7",
    "-3": "-3",
    "+ 0,5": "0.5",
    "three": "3",
    "5 and a half": "5.5",
    "12345678901234.5": "12345678901234.5",
    "9" * 5000: None,
    "1,500": None,
    "0,500": "0.5",
    "6, 7": None,
    "1/3": None,
    "1/0": None,
    "1.2.3": None,
    "1e3": None,
    "half": None,
    "3 points": None,
    "5²": None,
    "- 1/2": None,
    # Fractions of one or two digits, less than 1
    "10/16": "0.625",
    "1/100": None,
    "0/5": None,
    "5/5": None,
    "/5": None,
    "5/": None,
    "5,": None,
    # At most five decimals, of nine digits
    "1/32": "0.03125",
    "1/64": None,
    "1.00001": "1.00001",
    "1.000001": None,
    "1.500000000": "1.5",
    "1.5000000000": None,
    # At most 15 digits
    "9" * 15: "9" * 15,
    "9" * 16: None,
    "9" * 15 + ".5": "9" * 15 + ".5",
    "9" * 16 + ".5": None,
    "9" * 15 + " 1/2": "9" * 15 + ".5",
    "9" * 16 + " 1/2": None,
    # Marks within and after a number
    "5.5.": "5.5",
    "5.5..": None,
    "1,500.": None,
    "6 .5": "6.5",
    "6. 5": None,
    "6 ,5": None,
    # Words of languages
    "drei": "3",
    "sechseinhalb": "6.5",
    "6 et demi": "6.5",
    "seis y medio": "6.5",
    "zes en een half": "6.5",
    "шесть с половиной": "6.5",
    "null": None,
}

KOMI = {
    "6.5 points": "6.5",
    "Komi 6.5": "6.5",
    "komi: 5 1/2": "5.5",
    "6.5目": "6.5",
    "6目半": "6.5",
    "3又3/4目": "3.75",
    "3又3/4子": None,
    "5 and a half": "5.5",
    "5 and 1/2points": "5.5",
    "none": "0",
    "None": None,
    "half a point": "0.5",
    "-": None,
    "null": None,
    "5 points and a half": "5.5",
    "5,5 Punkte": "5.5",
    "5,5 puntos": "5.5",
    "ohne Komi": "0",
    "덤 6집반": "6.5",
    "덤 없음": "0",
}

HANDICAPS = {
    "2.": "2",
    "3 stones": "3",
    "four": "4",
    "5子": "5",
    "00": "0",
    "none": "0",
    "2 or 3": None,
    "-2": None,
    "None": None,
    "H2": "2",
    "Handicap: 4": "4",
    "3 Steine": "3",
    "drei Steine": "3",
    "3 pierres": "3",
    "3 stenen": "3",
    "3 piedras": "3",
    "3 камня": "3",
    "3점": "3",
    "让三子": "3",
    "호선": "0",
    "3 games": None,
}

TIMES = {
    "9 hours": "32400",
    "2h30": "9000",
    "1h30m": "5400",
    "1h 30m 20s": "5420",
    "1 hour and 30 minutes": "5400",
    "1½ hours": "5400",
    "half an hour": "1800",
    "3小时": "10800",
    "1時間半": "5400",
    "60分": "3600",
    "1:30:00": "5400",
    "1:75:00": None,
    "1:30": None,
    "90 min.": "5400",
    "1 day": "86400",
    "0.5 h": "1800",
    "1,5 h": "5400",
    "1 hour 1 hour": None,
    "10 min + 30 s": None,
    "1 hr/125 moves": None,
    "1800,0,30,5": None,
    "-": None,
    "0 min": "0",
    "-1 s": None,
    "-0.5 s": None,
    "1/64 s": None,
    "1:30:20": "5420",
    ":30:00": None,
    ", 5 min": None,
    "1h 5m": "3900",
    "2 h 30": None,
    "2h30 5 min": None,
    "1 h 30 s 5 min": None,
    # Hours with a fraction, or hours and minutes
    "1.59 h": None,
    "1.60 h": "5760",
    "2.00 h": "7200",
    "1.50 min": None,
    "1.50 s": "1.5",
    "2 heures": "7200",
    "2 ч 30 мин": "9000",
    "30 Sek.": "30",
}

RANKS = {
    "9 Dan": "9d",
    "5 KYU": "5k",
    "3級": "3k",
    "4d?": "4d?",
    "1d *": "1d*",
    "30 k": "30k",
    "5급": "5k",
}
NO_RANKS = dict.fromkeys(
    ["P9", "9p", "9d pro", "5k!", "1d??", "dan", "100 k", "9段", "9단", "初段"]
)

COLORS = {
    "b": "B",
    " White ": "W",
    "黑": "B",
    "x": None,
    "": None,
}

TABLES: list[tuple[Callable[[str], Interpretation | None], Mapping[str, str | None], str]] = [
    (informal.dates, DATES, "date"),
    (informal.result, RESULTS, "result"),
    (informal.number, NUMBERS, "real"),
    (informal.komi, KOMI, "komi"),
    (informal.handicap, HANDICAPS, "number"),
    (informal.seconds, TIMES, "seconds"),
    (informal.rank, RANKS, "rank"),
    (informal.rank, NO_RANKS, "rank"),
    (informal.color, COLORS, "color"),
]
CASES = [
    (function, text, expected, form)
    for function, table, form in TABLES
    for text, expected in table.items()
]


@for_each(CASES, by=lambda function, *_: function.__name__)
def test_meaning(
    function: Callable[[str], Interpretation | None], text: str, expected: str | None, form: str
) -> None:
    found = function(text)
    assert (found.value if found and found.complete else None) == expected
    if found is not None:
        assert value_grammar.pattern(form).fullmatch(found.value.encode())


IN_PART = [
    (informal.dates, "2017.06.29 09:20", "2017-06-29"),
    (informal.dates, "2001-10-01T22:03:45 UT", "2001-10-01"),
    (informal.dates, "5/6/1996", "1996"),
    (informal.dates, "5.3.2024", "2024-03-05"),
    (informal.dates, "12th and 13th march 94", "1994-03-12,13"),
    (informal.dates, "1996-05-06 - 08", "1996-05-06,07,08"),
    (informal.dates, "1996-05-06 - 1996-06-20", "1996-05-06,06-20"),
    (informal.dates, "1996-02-30", "1996-02"),
    (informal.seconds, "2 hours each", "7200"),
    (informal.seconds, "30:00", "1800"),
    (informal.komi, "7.5 (Chinese)", "7.5"),
    (informal.result, "B+J", "B+"),
    (informal.result, "W+3.5 (moves 231)", "W+3.5"),
    (informal.result, "White resigns. B 133.5 W 81.0", "B+R"),
    (informal.result, "白胜2又3/4子", "W+"),
    (informal.result, "Draw (superko)", "0"),
    (informal.result, "White by resignation", "W+R"),
    (informal.dates, "Thu May 9 12:00:00 1996", "1996-05-09"),
    (informal.color, "w 123", "W"),
    (informal.color, "w, black", "W"),
    (informal.dates, "1996 x", "1996"),
    (informal.dates, "1996-05-06?", "1996-05-06"),
    (informal.dates, "1996-05-06,,07", "1996-05-06,07"),
    (informal.dates, "1996-05-", "1996-05"),
    (informal.dates, "1996-05--06", "1996-05-06"),
    (informal.dates, "1996-05- 06", "1996-05-06"),
    (informal.dates, "1996-05-06 - ?", "1996-05-06"),
    (informal.dates, "1996-05-06, round 3", "1996-05-06"),
    (informal.dates, "1996-05-06 14時30分", "1996-05-06"),
    (informal.dates, "1996/7", "1996-07"),
    (informal.dates, "2003/04", "2003-04"),
    (informal.dates, "1996/97", "1996,1997"),
    (informal.dates, "1999/00", "1999,2000"),
    (informal.dates, "1996/1997", "1996,1997"),
    (informal.dates, "winter 1996/97", "1996,1997"),
    (informal.dates, "13/5/95", "1995-05-13"),
    (informal.dates, "96.5.6", "1996-05-06"),
    (informal.dates, "96年5月6日", "1996-05-06"),
    (informal.dates, "196", "0196"),
    (informal.dates, "c. 1800", "1800"),
    (informal.dates, "~1800", "1800"),
    (informal.dates, "ca 1670", "1670"),
    (informal.dates, "1800?", "1800"),
    (informal.dates, "1800年頃", "1800"),
    (informal.dates, "1800年ごろ", "1800"),
    (informal.dates, "1996년경", "1996"),
    (informal.dates, "Spring 1996", "1996"),
    (informal.dates, "Frühjahr 1996", "1996"),
    (informal.dates, "été 1996", "1996"),
    (informal.dates, "1996年春", "1996"),
    (informal.dates, "early May 1996", "1996-05"),
    (informal.result, "257手完, 黒中押し勝ち", "B+R"),
    (informal.result, "231手まで白3目半勝", "W+3.5"),
    (informal.result, "黑中盘胜 共231手", "B+R"),
    (informal.result, "B+1.5 after 250 moves", "B+1.5"),
    (informal.komi, "half", "0.5"),
    (informal.komi, "6.5b", "6.5"),
    (informal.komi, "7.5 Chinese", "7.5"),
    (informal.dates, "1996 - 1996", "1996"),
    (informal.dates, "3 May 40", "1940-05-03"),
    (informal.dates, "5/6/1600", "1600"),
    (informal.dates, "5/6/2099", "2099"),
    (informal.dates, "May 9 9:00:00 1996", "1996-05-09"),
    (
        informal.dates,
        "1996-05-01 - 1996-06-01",
        "1996-05-" + ",".join(f"{day:02}" for day in range(1, 32)) + ",06-01",
    ),
    (informal.dates, "1996-05-01 - 1996-06-02", "1996-05-01,06-02"),
    (informal.result, "W+Res (moves 231)", "W+R"),
    (informal.result, "143 moves, B+R after 143 moves", "B+R"),
    (informal.number_with_text, "1 kk", "1"),
    (informal.number_with_text, "-2.50 abc!?", "-2.5"),
    (informal.seconds, "10:00", "600"),
    (informal.seconds, "30:20", "1820"),
    (informal.seconds, "1000:00", "60000"),
]


@pytest.mark.parametrize(("function", "text", "value"), IN_PART)
def test_what_is_understood_in_part(
    function: Callable[[str], Interpretation | None], text: str, value: str
) -> None:
    found = function(text)
    assert found is not None and found.value == value and not found.complete


#: Of these nothing is understood, so that no fix writes a part.
NOTHING = [
    (informal.color, "white/black"),
    (informal.dates, "3 May 39"),
    (informal.dates, "5/6/1599"),
    (informal.dates, "5/6/2100"),
    (informal.dates, "May 9 :00:00 1996"),
    (informal.dates, "May 9 112:00:00 1996"),
    (informal.dates, "1997 - 1996"),
    (informal.dates, "1996-05-06 8"),
    (informal.dates, "1996-05-06 or 1996-05-07"),
    (informal.dates, "1996-05 - 06"),
    (informal.dates, "May 6, 1996 - June"),
    (informal.dates, "5/6/95"),
    (informal.dates, "before 1800"),
    (informal.dates, "18th century"),
    (informal.dates, "1800s"),
    (informal.handicap, "2.5"),
    (informal.komi, "6, 7"),
    (informal.komi, "5 days"),
    (informal.number, "7 (x)"),
    (informal.number_with_text, "1 a2"),
    (informal.number_with_text, "1_a"),
    (informal.number_with_text, "x1"),
    (informal.number_with_text, "1 a b"),
    (informal.number_with_text, ""),
    (informal.result, "B 3.5"),
    (informal.result, "Black resigns early"),
    (informal.result, "zwart opgave"),
    (informal.result, "after 250 moves"),
    (informal.seconds, "1.30h"),
    (informal.seconds, "9:59"),
    (informal.seconds, "10000:00"),
    (informal.seconds, "long"),
    (informal.seconds, "2m30"),
    (informal.seconds, "5 min 30"),
    (informal.seconds, "5 min 3x"),
    (informal.time_limit, "long"),
    (informal.time_limit, "30 min byo-yomi"),
]


@pytest.mark.parametrize(("function", "text"), NOTHING)
def test_what_is_not_understood(function: Callable[[str], object], text: str) -> None:
    assert function(text) is None


#: A word, a text, and whether it has the word: the last letter says whether others may be around.
WHOLE_WORDS = [
    ("dan", "2 dan", True),
    ("dan", "2 dans", False),
    ("dan", "2dan.", True),
    ("段", "x段x", True),
    ("d段", "ad段x", True),
    ("段d", "段dx", False),
    ("段d", "段d位", True),
    ("+", "b+r", True),
]


def test_words_are_whole_words() -> None:
    for word, text, found in WHOLE_WORDS:
        assert (re.search(any_of([word]), text) is not None) == found, (word, text)
        assert (leading_word(text[text.index(word) :], [word]) == word) == found, (word, text)


def test_words_match_no_empty_text() -> None:
    for words in (["目"], ["point"], ["目", "point", "+"]):
        assert re.fullmatch(any_of(words), "") is None


LIMITS = {
    "1:00:00(5x1:00)": ("3600", "5x1:00"),
    "1 hour + 30 s Byo-Yomi": ("3600", "30 s Byo-Yomi"),
    "1時間（30秒読み）": ("3600", "30秒読み"),
    "2 hours": ("7200", ""),
    "je 2 Stunden": ("7200", ""),
    "各3小时": ("10800", ""),
    "持ち時間各3時間": ("10800", ""),
    "1 hr/125 moves": None,
    "30 min, then 5 x 30": None,
    "30 min byo-yomi": None,
    "1 hour, 30 min byo-yomi": None,
    "3 hours, 5 x 60 seconds byo-yomi": ("10800", "5 x 60 seconds byo-yomi"),
    "10 min 30 s": None,
    "30:00(5x1:00)": None,
    "long": None,
    "90 seconds": ("90", ""),
    "1 hour 30 min": ("5400", ""),
    "1:00:00(5x1:0)": None,
    "1 hour (2 players)": None,
    "1 hour + byo-yomi": None,
    "1時間（３０秒読み）": None,
    "1 hour (30 s groß byo-yomi)": None,
}


@pytest.mark.parametrize(("text", "expected"), LIMITS.items())
def test_overtime_is_recognized(text: str, expected: tuple[str, str] | None) -> None:
    found = informal.time_limit(text)
    complete = (found[0].value, found[1]) if found and found[0].complete else None
    assert complete == expected


@given(
    st.text(max_size=40) | st.from_regex(r"[0-9A-Za-z+./:,年月日黑白胜 -]{0,20}", fullmatch=True)
)
def test_any_text_is_taken(text: str) -> None:
    for function, _, form in TABLES:
        found = function(text)
        if found is not None:
            assert value_grammar.pattern(form).fullmatch(found.value.encode())
