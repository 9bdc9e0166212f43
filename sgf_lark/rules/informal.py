"""What people write where the format wants a date, a result or a number.

Each function takes a text and gives the form of the specification, or None where
the text cannot be taken in one way alone. The words are in ``informal.toml``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark import grammar
from sgf_lark.model.values.dates import shortest

if TYPE_CHECKING:
    from fractions import Fraction


class Reading(NamedTuple):
    """A value in the form of the specification; `rest` is what it leaves out of the text."""

    value: str
    rest: str = ""


@cache
def _words() -> dict[str, dict[str, Any]]:
    """The content of ``informal.toml``."""
    return grammar.table("informal")


def _normal(text: str) -> str:
    """Full-width letters and digits as narrow ones, white space as single blanks."""
    import unicodedata

    return " ".join(unicodedata.normalize("NFKC", text).split())


def _any_of(words: list[str]) -> str:
    """A regular expression for these words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# --- Numbers ------------------------------------------------------------------------

_VULGAR = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_NUMBER = r"([+-]?)\s*(?:(\d+)\s*[.,]\s*(\d+)|(?:(\d+)(?:\s+|又))?(\d+)/(\d+)|(\d+))"


def _decimal(value: Fraction) -> str | None:
    """`value` with as many decimals as it has; None where it has no end."""
    for places in range(6):
        if (value * 10**places).denominator == 1:
            text = f"{float(value):.{places}f}"
            return "0" if not value else text
    return None


def _leading_number(text: str) -> tuple[Fraction, str] | None:
    """The number at the beginning of `text`, and what follows it."""
    from fractions import Fraction

    for sign, digits in _VULGAR.items():
        text = text.replace(sign, f" {digits}").strip()
    text = text.replace("半", " 1/2").replace("⁄", "/").strip()
    match = re.match(_NUMBER, text)
    if match is None:
        return None
    sign, whole, decimals, mixed, above, below, plain = match.groups()
    if decimals is not None:
        value = Fraction(f"{whole}.{decimals}")
    elif above is not None:
        if int(below) == 0:
            return None
        value = Fraction(int(mixed or 0)) + Fraction(int(above), int(below))
    else:
        value = Fraction(int(plain))
    return (-value if sign == "-" else value), text[match.end() :].strip()


def number(text: str) -> Reading | None:
    """A number with comma or fraction, and units that add nothing: ``5 1/2``, ``6,5 目``."""
    found = _leading_number(text.replace("目半", "半目").replace("半目", "半"))
    if found is None:
        return None
    value, rest = found
    written = _decimal(value)
    if written is None or re.match(r"[\d.,/:]", rest):
        return None
    units = _any_of(_words()["units"]["komi"])
    rest = re.sub(rf"^(?:{units})\.?$", "", rest, flags=re.IGNORECASE)
    return Reading(written, rest)


# --- Times --------------------------------------------------------------------------

_CLOCK = r"(\d+):(\d\d)(?::(\d\d))?(?!\d|:)"


def seconds(text: str) -> Reading | None:
    """A time in seconds: ``9 hours``, ``2h30``, ``1:30:00``, ``3小时``.

    What stands behind the time is the rest: it may tell the overtime.
    """
    from fractions import Fraction

    text = _normal(text)
    clock = re.match(_CLOCK, text)
    if clock is not None:
        first, second, third = (int(part or 0) for part in clock.groups())
        total = first * 3600 + second * 60 + third if clock[3] else first * 60 + second
        return Reading(str(total), _behind_time(text[clock.end() :]))
    units = {word: int(count) for count, words in _words()["times"].items() for word in words}
    pattern = re.compile(
        rf"\s*(\d+(?:\.\d+)?)\s*({_any_of(list(units))})(?![a-z])\.?,?", re.IGNORECASE
    )
    total_time, position, smallest = Fraction(0), 0, 0
    while match := pattern.match(text, position):
        smallest = units[match[2].lower()]
        total_time += Fraction(match[1]) * smallest
        position = match.end()
    bare = re.match(r"\s*(\d\d)(?!\d|:)", text[position:])
    if bare and smallest == 3600:  # 2h30
        total_time += int(bare[1]) * 60
        position += bare.end()
    written = _decimal(total_time)
    if not position or written is None:
        return None
    return Reading(written, _behind_time(text[position:]))


def _behind_time(text: str) -> str:
    """The text after a time, without parentheses around it and words that add nothing."""
    text = text.strip(" ,;+")
    if text.lower() in ("each", "per player", "每方", "各"):
        return ""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


# --- Dates --------------------------------------------------------------------------

_YEAR_FIRST = r"(\d{4})\s*[-/.年]\s*(\d{1,2})(?:\s*[-/.月]\s*(\d{1,2})\s*日?|\s*月)?(?!\d)"
_DAY_FIRST = r"(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4})(?!\d)"
_TIME_OF_DAY = (
    r"(?i)[T ]*\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:am|pm)?\s*(?:[A-Z]{1,5}|[+-]\d\d:?\d\d)?"
)
_DAY = r"(\d{1,2})(?!\d)(?:st|nd|rd|th|\.)?"
#: Two digits of a year count as of the last century; those that could be of this one do not.
_LAST_CENTURY = 40


def dates(text: str) -> Reading | None:
    """Dates as SGF writes them, with its shortcuts: ``12th and 13th march 94`` gives
    ``1994-03-12,13``, ``1996-05-06 - 08`` gives ``1996-05-06,07,08``."""
    text = _normal(text).strip(" .")
    found = _year_first(text) or _with_month_name(text) or _day_first(text)
    if found is None:
        return None
    days, rest = found
    if not days or not all(_exists(day) for day in days):
        return None
    return Reading(shortest(days), rest)


def _exists(day: tuple[int, ...]) -> bool:
    """Whether the calendar has the day, month or year."""
    from datetime import date

    try:
        date(*(*day, 1, 1)[:3])
    except ValueError:
        return False
    return True


def _year_first(text: str) -> tuple[list[tuple[int, ...]], str] | None:
    """Dates that begin with the year; years of an era are converted."""
    for era, before in _words()["eras"].items():
        text = re.sub(
            rf"{era}\s*(\d+|元)\s*年",
            lambda match: f"{before + int(match[1].replace('元', '1'))}年",  # noqa: B023
            text,
        )
    text = re.sub(r"^(\d{4})年$", r"\1", text)
    if re.fullmatch(r"\d{4}", text):
        return [(int(text),)], ""
    match = re.match(_YEAR_FIRST, text)
    if match is None:
        return None
    days = [tuple(int(part) for part in match.groups() if part)]
    return _more_days(days, text[match.end() :])


def _more_days(days: list[tuple[int, ...]], text: str) -> tuple[list[tuple[int, ...]], str] | None:
    """Days that follow the first one: a list, or the last of a span."""
    words = _words()["dates"]
    separator = re.compile(
        rf"\s*({_any_of(words['and'])}|{_any_of(words['to'])})\s*", re.IGNORECASE
    )
    while match := separator.match(text):
        behind = text[match.end() :]
        following = re.match(_YEAR_FIRST, behind)
        if following is not None:
            day = tuple(int(part) for part in following.groups() if part)
        else:
            following = re.match(r"(?:(\d{1,2})\s*[-/.月]\s*)?(\d{1,2})\s*日?(?![\d:])", behind)
            if following is None or len(days[-1]) != 3:
                return None
            day = (days[-1][0], int(following[1] or days[-1][1]), int(following[2]))
        if match[1].lower() in words["to"]:
            days += _span(days[-1], day)
        else:
            days.append(day)
        text = behind[following.end() :]
    rest = text.strip(" .")
    return (days, "") if not rest else (days, rest) if re.fullmatch(_TIME_OF_DAY, rest) else None


def _span(first: tuple[int, ...], last: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The days behind `first` up to `last`; one game does not take more than a month."""
    from datetime import date, timedelta

    if len(first) != 3 or len(last) != 3 or not (_exists(first) and _exists(last)):
        return [last]
    start, end = date(*first), date(*last)
    count = (end - start).days
    if not 0 < count <= 31:
        return [last]
    days = (start + timedelta(days) for days in range(1, count + 1))
    return [(day.year, day.month, day.day) for day in days]


def _with_month_name(text: str) -> tuple[list[tuple[int, ...]], str] | None:
    """Dates with the name of a month."""
    months = {word: int(month) for month, words in _words()["months"].items() for word in words}
    name = rf"({_any_of(list(months))})\.?"
    words = _words()["dates"]
    between = rf"(?:\s*({_any_of(words['and'])}|{_any_of(words['to'])})\s*{_DAY})?"
    year = r"'?(\d{4}|\d\d)"
    for pattern, order in (
        (rf"{_DAY}{between}\s*-?\s*(?:of |de )?{name}\s*-?,?\s*(?:de )?{year}", "dbemy"),
        (rf"{name}\s+{_DAY}{between}\s*,?\s*{year}", "mdbey"),
        (rf"{name}\s*,?\s*(\d{{4}})", "my"),
        (rf"{year}\s+{name}\s+{_DAY}", "ymd"),
    ):
        match = re.match(pattern + r"(?!\d)", text, re.IGNORECASE)
        if match is None:
            continue
        part = dict(zip(order, match.groups(), strict=True))
        in_year = int(part["y"])
        if len(part["y"]) == 2:
            if in_year < _LAST_CENTURY:
                return None
            in_year += 1900
        head = (in_year, months[part["m"].lower()])
        if "d" not in part:
            return _more_days([head], text[match.end() :])
        days: list[tuple[int, ...]] = [(*head, int(part["d"]))]
        if part.get("e"):
            last = (*head, int(part["e"]))
            days += _span(days[0], last) if part["b"].lower() in words["to"] else [last]
        rest = text[match.end() :].strip(" .,")
        return (days, rest) if not rest or re.fullmatch(_TIME_OF_DAY, rest) else None
    return None


def _day_first(text: str) -> tuple[list[tuple[int, ...]], str] | None:
    """Three numbers with the year last: day first, unless only the other order can be."""
    match = re.match(_DAY_FIRST, text)
    if match is None:
        return None
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if match[2] != "." and first <= 12 and second <= 12 and first != second:
        return None  # 5/6/1996 is in May for some and in June for others
    day, month = (first, second) if second <= 12 else (second, first)
    rest = text[match.end() :].strip(" .")
    return ([(year, month, day)], rest) if not rest or re.fullmatch(_TIME_OF_DAY, rest) else None


# --- Results ------------------------------------------------------------------------


def result(text: str) -> Reading | None:
    """A result: ``black wins by 5 3/4 points``, ``W+Res``, ``黑中盘胜``, ``白胜2又3/4子``."""
    words = _words()["results"]
    normal = _normal(text).strip(" .!").lower()
    for key, value in (("draw", "0"), ("void", "Void"), ("unknown", "?"), ("unfinished", "?")):
        if normal in words[key]:
            return Reading(value)
    match = re.match(
        rf"({_any_of(words['black'])})|({_any_of(words['white'])})(?![a-z])", normal
    ) or re.match(rf"()({_any_of(words['white'])})(?![a-z])", normal)
    if match is None or re.match(r"[a-z]", normal[match.end() :]):
        return None
    winner, loser = ("B", "W") if match[1] else ("W", "B")
    rest = normal[match.end() :].strip()
    if rest in words["resigns"]:
        return Reading(f"{loser}+R")
    lost = re.search(rf"^(?:{_any_of(words['lose'])})(?![a-z])|(?:{_any_of(words['lose'])})$", rest)
    if lost:
        winner, rest = loser, (rest[: lost.start()] + rest[lost.end() :]).strip()
    return _margin(winner, _strip(rest, words["win"]))


def _strip(text: str, words: list[str]) -> str:
    """`text` without these words at its beginning."""
    while match := re.match(rf"(?:{_any_of(words)})(?:(?<![a-z])|(?![a-z]))\s*", text):
        text = text[match.end() :]
    return text


def _margin(winner: str, text: str) -> Reading | None:
    """The result for that winner and what is said of how they won."""
    words = _words()["results"]
    reason = re.sub(rf"\s*(?:{_any_of(words['win'])})$", "", text).strip("( ).")
    if not reason:
        return Reading(f"{winner}+")
    for key, letter in (("resign", "R"), ("time", "T"), ("forfeit", "F")):
        if reason in words[key]:
            return Reading(f"{winner}+{letter}")
    found = _leading_number(reason.replace("目半", "半"))
    if found is None:
        return None
    value, rest = found
    rest = rest.strip("( ).")
    written = _decimal(value)
    if written is None or value < 0 or re.match(r"[\d.,/:]", rest):
        return None
    return Reading("0" if not value else f"{winner}+{written}", _strip(rest, words["points"]))


# --- Ranks --------------------------------------------------------------------------

_RANK = r"(?i)(\d{1,2})\s*[-.]?\s*(k|kyu|gup|级|級|d|dan|段)\.?\s*([?*]?)"


def rank(text: str) -> Reading | None:
    """A rank: ``9 Dan``, ``9段``, ``5 KYU``."""
    match = re.fullmatch(_RANK, _normal(text))
    if match is None:
        return None
    grade = "k" if match[2].lower() in ("k", "kyu", "gup", "级", "級") else "d"
    return Reading(f"{int(match[1])}{grade}{match[3]}")
