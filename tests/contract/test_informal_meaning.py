"""What the fixes make of informal values, held against the meaning that each text was built from.

Each strategy draws a meaning and one of many ways of writing it. A safe fix leaves the value as
it is or writes exactly that meaning, as an independent reader of the strict format reads it. A
text with several meanings, or with more than the property can hold, has the meaning ``UNCLEAR``:
a safe fix leaves it as it is.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sgf_lark

UNCLEAR = "unclear"


class Written(NamedTuple):
    """A text, what it means, and for results the winner that can be read even if it is unclear."""

    text: str
    meaning: Any
    winner: str = ""


# --- An independent reader of the strict format -----------------------------------------------


def read_real(text: str) -> Any:
    return Fraction(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text) else None


def read_result(text: str) -> Any:
    if text in ("0", "Draw", "Void", "?"):
        return "0" if text == "Draw" else text
    match = re.fullmatch(r"([BW])\+(?:(\d+(?:\.\d+)?)|(R|T|F)(?:esign|ime|orfeit)?|)", text)
    return match and (match[1], Fraction(match[2]) if match[2] else None, match[3])


def read_dates(text: str) -> Any:
    found: list[tuple[int, ...]] = []
    for part in text.split(","):
        if not re.fullmatch(r"\d{4}(-\d\d){0,2}|\d\d(-\d\d)?", part):
            return None
        numbers = tuple(int(number) for number in part.split("-"))
        if len(part.split("-")[0]) == 2:  # a shortcut
            if not found or len(found[-1]) == 1:
                return None
            kept = len(found[-1]) - 1 if len(numbers) == 1 else 1
            numbers = found[-1][:kept] + numbers
        found.append(numbers)
    return found


READERS = {"RE": read_result, "DT": read_dates}
_PROPERTY = re.compile(r"([A-Z]+)\[([^]]*)\]")


def fixed(ident: str, text: str, *, unsafe: bool = False) -> dict[str, str]:
    """The properties after the fix of a file that holds the text as value of `ident`."""
    data = f"(;FF[4]GM[1]CA[UTF-8]{ident}[{text}])".encode()
    return dict(_PROPERTY.findall(sgf_lark.fix(data, unsafe=unsafe).data.decode()))


# --- Numbers ------------------------------------------------------------------------------------

_NAMES = "zero one two three four five six seven eight nine ten eleven twelve"
_WORDS = _NAMES.split()


@st.composite
def numbers(draw: st.DrawFn, highest: int = 12) -> tuple[str, Fraction]:
    """A number from 0 to `highest`, in halves, in many ways of writing."""
    whole, half = draw(st.integers(0, highest)), draw(st.booleans())
    value = whole + Fraction(half, 2)
    if not half:
        ways = [f"{whole}", f"{whole}.", f"{whole}.0", f"{whole},0", f"0{whole}", _WORDS[whole]]
    else:
        endings = [".5", ",5", ".50", " 1/2", "½", "半", " and a half", " ½"]
        ways = [f"{whole}{ending}" for ending in endings] + [f"{_WORDS[whole]} and a half"]
        if not whole:
            ways = [".5", ",5", "½", "1/2", "0.5", "half a", "one half", "a half"]
    return draw(st.sampled_from(ways)), value


UNCLEAR_NUMBERS = ["1,500", "6, 5", "51/2", "5 6", "1e3", "6-7", "5.5.5", "x", "5/6", "about 5"]


@st.composite
def komis(draw: st.DrawFn) -> Written:
    """A komi with its unit."""
    text, value = draw(numbers())
    if draw(st.booleans()):
        text = draw(st.sampled_from(["Komi ", "komi: ", "KOMI=", "贴目", "コミ"])) + text
    unit = draw(st.sampled_from(["", "", " points", " pts.", " moku", "目", " komi"]))
    if text.endswith(("half a", "half")) and unit not in (" points", " moku", ""):
        unit = " point"
    if draw(st.integers(0, 3)):
        return Written(text + unit, value)
    if draw(st.booleans()):
        return Written("no komi", Fraction(0))
    more = [text + " days", text + " (Chinese)", text + "子", text + " or 7", "not " + text]
    return Written(draw(st.sampled_from([*UNCLEAR_NUMBERS, "-", "?", "half", *more])), UNCLEAR)


@st.composite
def handicaps(draw: st.DrawFn) -> Written:
    """A number of handicap stones; None for no handicap."""
    stones = draw(st.integers(0, 9))
    ways = [f"{stones}", f"{stones}.", f"{stones}.0", f"0{stones}", f" {stones} ", _WORDS[stones]]
    ways += [f"{stones} stones", f"{stones}子"]
    if stones == 1:
        return Written(draw(st.sampled_from(ways)), UNCLEAR)
    more = [f"{stones}.5", f"{stones} or 3", f"{stones}+", f"-{stones + 1}", "1,000", "?", "-"]
    if draw(st.integers(0, 4)) == 0:
        return Written(draw(st.sampled_from(more)), UNCLEAR)
    return Written(draw(st.sampled_from(ways)), Fraction(stones) if stones else None)


# --- Results ------------------------------------------------------------------------------------

#: Names of the players, verbs with "by", and the words for each reason by its letter, all
#: separated by "|".
LANGUAGES: list[tuple[dict[str, str], str, dict[str, str]]] = [
    (
        {"B": "B|b|Black|BLACK", "W": "W|w|White"},
        "+| + | wins by | won by | wins | wins: ",
        {
            "R": "R|Res|resign|Resignation|RESIGN|Res.",
            "T": "T|Time|time|Timeout|Time Over",
            "F": "F|forfeit|Default",
        },
    ),
    ({"B": "黑|黑方|黑棋|黒", "W": "白|白方"}, "胜|勝", {"": ""}),
    ({"B": "Schwarz", "W": "Weiß|Weiss"}, " gewinnt durch | gewinnt ", {"R": "Aufgabe"}),
    ({"B": "Noir|noir", "W": "Blanc"}, " gagne par ", {"R": "abandon"}),
]
UNITS = ["", "", " points", " point", " pts", " moku", "目", " (moku)"]
#: Names of the losing player, and the words after them, by the letter of the reason.
LOSING: list[tuple[dict[str, str], dict[str | None, str]]] = [
    (
        {"B": "Black|BLACK", "W": "White"},
        {
            "R": " resigns| resigned| lost by resignation",
            "T": " lost on time| loses on time",
            "F": " forfeits| forfeited",
            None: " loses",
        },
    ),
    (LANGUAGES[1][0], {"R": "认输|投了", "T": "超时负", "F": "弃权", None: "负"}),
]
OTHER = {"B": "W", "W": "B"}


def one_of(words: str) -> st.SearchStrategy[str]:
    """One of the words that are separated by "|"."""
    return st.sampled_from(words.split("|"))


@st.composite
def results(draw: st.DrawFn) -> Written:
    """A result: a winner with a margin, a reason, nothing, or more than can be understood."""
    players, verbs, reasons = draw(st.sampled_from(LANGUAGES))
    winner = draw(st.sampled_from("BW"))
    name, verb = draw(one_of(players[winner])), draw(one_of(verbs))
    kind = draw(st.integers(0, 6))
    if kind < 2:
        losers, verbs_of_loser = LOSING[kind]
        letter = draw(st.sampled_from([*verbs_of_loser]))
        loser = draw(one_of(losers[OTHER[winner]]))
        text = loser + draw(one_of(verbs_of_loser[letter]))
        return Written(text, (winner, None, letter), winner)
    if kind == 2:
        letter = draw(st.sampled_from(sorted(reasons)))
        text = name + verb + draw(one_of(reasons[letter]))
        return Written(text, (winner, None, letter or None), winner)
    text, margin = draw(numbers())
    unit = draw(st.sampled_from(UNITS)) if not text.endswith(" a") else " point"
    if kind < 5:
        return Written(name + verb + text + unit, (winner, margin, None), winner)
    rest = [" (moves 231)", " J", "Illegal", " after 2 appeals", "子", "!?", " and a third"]
    rest += ["; 133 to 81", " or R"]
    return Written(name + verb + text + draw(st.sampled_from(rest)), UNCLEAR, winner)


#: Results in which nobody wins, by their meaning, and unclear ones of a winner.
NO_WINNER = {
    "0": "jigo|DRAW|0.0|和棋",
    "Void": "void|No result",
    "?": "unknown|不明",
    UNCLEAR: "Both lost|unfinished|White timeout|B R|Black res|黑超时|B 3.5|Bob wins",
}
UNCLEAR_WINNER = {"B": "B+-3|B+V", "W": "W+1,500|W+J|Black resigns. W 133.5 B 81.0"}
OTHER_RESULTS = st.sampled_from(
    [Written(text, meaning) for meaning, texts in NO_WINNER.items() for text in texts.split("|")]
    + [
        Written(text, UNCLEAR, winner)
        for winner, texts in UNCLEAR_WINNER.items()
        for text in texts.split("|")
    ]
)


# --- Times --------------------------------------------------------------------------------------

#: Units of time by their seconds, separated by "|".
TIME_UNITS = {
    3600: "h| h| hr| hours| hour| Hours|小时|時間|小時| Std.| Stunden",
    60: "m| min| min.| minutes|分|分钟| Minuten",
    1: "s| sec| seconds|秒",
}


@st.composite
def times(draw: st.DrawFn) -> Written:
    """A time of hours and minutes; UNCLEAR for two numbers of a clock, or with more than that."""
    hours, minutes = draw(st.integers(1, 30)), draw(st.integers(0, 59))
    in_hours = f"{hours}{draw(one_of(TIME_UNITS[3600]))}"
    in_minutes = f"{minutes}{draw(one_of(TIME_UNITS[60]))}"
    total = Fraction(hours * 3600 + minutes * 60)
    text, value = draw(numbers(9))
    unit = draw(st.sampled_from([*TIME_UNITS]))
    counted = text + draw(one_of(TIME_UNITS[unit])).replace("h", " h").replace("  ", " ")
    clear: list[tuple[str, Fraction]] = [
        (f"{in_hours} {in_minutes}", total),
        (f"{in_hours}{in_minutes}", total),
        (f"{hours}h{minutes:02}", total),
        (f"{hours}:{minutes:02}:00", total),
        (in_minutes, Fraction(minutes * 60)),
        (f"{minutes}.", Fraction(minutes)),
        (f"{minutes}.0", Fraction(minutes)),
        (f" {minutes} ", Fraction(minutes)),
    ]
    if not text.endswith((" a", "half")):
        clear.append((counted, value * unit))
    if draw(st.booleans()):
        return Written(*draw(st.sampled_from(clear)))
    unclear = [f"{hours}:{minutes:02}", f"{hours:02}:{minutes:02}", f"{in_hours} {in_hours}"]
    unclear += [f"{in_minutes} each", f"{in_minutes} + {minutes}s", f"{in_hours}/125 moves"]
    unclear += [f"{minutes}+5x30", f"{hours}:75:00", f"{minutes} {hours} h", "1,800", "-", "none"]
    unclear += [f"{hours} games", f"{in_minutes} or more", f"{in_minutes} {in_hours}"]
    unclear += [f"{in_hours} {in_minutes} 30 s byo-yomi each or so"]
    return Written(draw(st.sampled_from(unclear)), UNCLEAR)


@st.composite
def overtimes(draw: st.DrawFn) -> tuple[str, Fraction, str]:
    """A time limit, and after it a description of the overtime."""
    hours = draw(st.integers(1, 9))
    time = draw(st.sampled_from([f"{hours}:00:00", f"{hours} hours", f"{hours}h"]))
    overtime = draw(st.sampled_from(["5x1:00", "3 x 30 byo-yomi", "60s byoyomi", "30秒読み"]))
    parentheses = draw(st.sampled_from(["({})", " ({})"]))
    return time + parentheses.format(overtime), Fraction(hours * 3600), overtime


# --- Dates --------------------------------------------------------------------------------------

MONTHS = [
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października"
    " - grudnia",  # "listopad" is October in Croatian
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
]
DAYS = st.dates(date(1600, 1, 1), date(2040, 12, 31))


@st.composite
def dated(draw: st.DrawFn) -> Written:
    """One day, a month or a year; UNCLEAR where the parts may be swapped or more is given."""
    day = draw(DAYS)
    y, m, d = day.year, day.month, day.day
    name = draw(st.sampled_from(MONTHS)).split()[m - 1]
    name = draw(st.sampled_from([name, name.lower(), name.upper()])) if name != "-" else "May"
    if name == "May":
        day = day.replace(month=5, day=min(d, 31))
        m, d = 5, day.day
    weekday = draw(st.sampled_from([day.strftime("%A"), day.strftime("%a")]))
    full: list[str] = [
        *(f"{y}{s}{m}{s}{d}" for s in "-./ "),
        *(f"{y}{s}{m:02}{s}{d:02}" for s in "./"),
        f"{y}年{m}月{d}日",
        f"{d} {name} {y}",
        f"{d}. {name} {y}",
        f"{name} {d}, {y}",
        f"{y} {name} {d}",
        f"{y}-{name}-{d:02}",
        f"{d}-{name}-{y}",
        f"{y}-{m:02}-{d:02},",
        f"{y}-{m:02}-{d:02}.",
        f" {y}-{m:02}-{d:02} ",
        f"{weekday}, {d} {name} {y}",
        f"{y}-{m}-{d} ({weekday})",
    ]
    if d > 12 or d == m:
        full += [f"{d}/{m}/{y}", f"{m}/{d}/{y}", f"{d}.{m}.{y}"]
    partial = [f"{y}-{m}", f"{y}/{m:02}", f"{name} {y}", f"{y} {name}", f"{y}年{m}月"]
    kind = draw(st.integers(0, 4))
    if kind < 3:
        return Written(draw(st.sampled_from(full)), [(y, m, d)])
    if kind == 3:
        return Written(draw(st.sampled_from(partial)), [(y, m)])
    wrong_day = (day + timedelta(1)).strftime("%A")
    unclear = [f"{y}.{m}.{d} 09:20", f"{d} {name} {y % 100:02}", f"{wrong_day}, {d} {name} {y}"]
    unclear += [f"{y},{m:02}", f"{y}-{m:02} - {d:02}", f"{y}-{m:02}-{d:02}?", f"{d} {name}"]
    unclear += [f"about {y}", f"before {y}-{m}-{d}", f"{y}-{m}-{d}x", f"{m}/{d}", str(d), "Spring"]
    unclear += [f"{d}/{m}/{y % 100:02}", f"{y}-13-01", f"{y}-02-30", f"{y}-{m}/{d}", f"{y}s"]
    if d <= 12 and d != m:
        unclear += [f"{d}/{m}/{y}", f"{d}-{m}-{y}", f"{d}.{m}.{y}"]
    return Written(draw(st.sampled_from(unclear)), UNCLEAR)


@st.composite
def lists_of_days(draw: st.DrawFn) -> Written:
    """Several days; a period of more than two days does not show on which days they played."""
    first = draw(DAYS)
    last = first + timedelta(draw(st.integers(1, 45)))
    one, two = ((day.year, day.month, day.day) for day in (first, last))
    iso, iso_last = first.isoformat(), last.isoformat()
    name = first.strftime("%B")
    and_ = draw(st.sampled_from([" and ", " & ", ", ", " und ", "、", ",", " et "]))
    lists = [f"{iso}{and_}{iso_last}", f"{iso.replace('-', '.')}{and_}{iso_last.replace('-', '.')}"]
    to = draw(st.sampled_from([" - ", " to ", "~", "～", " – ", " bis "]))
    periods = [f"{iso}{to}{iso_last}", f"{iso.replace('-', '/')}{to}{iso_last.replace('-', '/')}"]
    if (first.year, first.month) == (last.year, last.month):
        lists += [f"{iso}{and_}{last.day:02}", f"{first.day}{and_}{last.day} {name} {first.year}"]
        lists += [f"{name} {first.day}{and_}{last.day}, {first.year}"]
        periods += [f"{iso.replace('-', '.')}-{last.day:02}", f"{iso}{to}{last.day:02}"]
        periods += [f"{first.day}-{last.day} {name} {first.year}"]
    if draw(st.booleans()):
        return Written(draw(st.sampled_from(lists)), [one, two])
    adjacent = last - first == timedelta(1)
    return Written(draw(st.sampled_from(periods)), [one, two] if adjacent else UNCLEAR)


# --- The promise ----------------------------------------------------------------------------------

Case = tuple[str, Written]


def values_of(idents: str, values: st.SearchStrategy[Written]) -> st.SearchStrategy[Case]:
    """Values with one of the properties that can have them."""
    return st.tuples(st.sampled_from(idents.split()), values)


CASES = {
    "result": values_of("RE", results() | OTHER_RESULTS),
    "komi": values_of("KM", komis()),
    "handicap": values_of("HA", handicaps()),
    "time": values_of("TM BL WL", times()),
    "date": values_of("DT", dated()),
    "several days": values_of("DT", lists_of_days()),
}
ANY = st.one_of([*CASES.values()])


@pytest.mark.parametrize("kind", CASES)
@given(data=st.data())
def test_safe_fixes_keep_the_meaning(kind: str, data: st.DataObject) -> None:
    ident, written = data.draw(CASES[kind])
    after = fixed(ident, written.text).get(ident)
    if after == written.text:
        return
    if after is None:
        assert written.meaning is None or not written.text.strip()
        return
    assert READERS.get(ident, read_real)(after) == written.meaning


@given(overtimes())
def test_overtime_goes_to_its_property(written: tuple[str, Fraction, str]) -> None:
    text, seconds, overtime = written
    after = fixed("TM", text)
    if after["TM"] != text:
        assert (read_real(after["TM"]), after.get("OT")) == (seconds, overtime)


@given(ANY)
@example(("RE", Written("B+J", UNCLEAR, "B")))
def test_unsafe_fixes_leave_a_trace(case: Case) -> None:
    """What is not written as it was meant is in a comment, and the winner is never lost."""
    ident, written = case
    after = fixed(ident, written.text, unsafe=True)
    if written.winner:
        assert after[ident].startswith(written.winner + "+")
    value = after.get(ident)
    if value == written.text or value == fixed(ident, written.text).get(ident):
        return
    assert f"{ident}: {written.text.strip()}" in (after.get("GC", "") + after.get("C", ""))


@given(ANY)
def test_fixes_are_stable(case: Case) -> None:
    ident, written = case
    for unsafe in (False, True):
        data = f"(;FF[4]GM[1]CA[UTF-8]{ident}[{written.text}])".encode()
        once = sgf_lark.fix(data, unsafe=unsafe).data
        assert sgf_lark.fix(once, unsafe=unsafe).data == once
