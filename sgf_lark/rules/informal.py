"""Informal dates, results, numbers, times and ranks, as people write them.

Each public function takes a text and returns its interpretation in the form of the
specification, or None if the text is not understood or is ambiguous. The words that the
functions know are in ``informal.toml``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark import grammar
from sgf_lark.model.values.dates import shortest

if TYPE_CHECKING:
    from fractions import Fraction


class Interpretation(NamedTuple):
    """A value in the form of the specification, and the `rest` of the text, which is not in it."""

    value: str
    rest: str = ""


@cache
def _vocabulary() -> dict[str, dict[str, Any]]:
    """The content of ``informal.toml``."""
    return grammar.table("informal")


def _normalized(text: str) -> str:
    """Full-width letters and digits as narrow ones, white space as single blanks."""
    import unicodedata

    return " ".join(unicodedata.normalize("NFKC", text).split())


def _any_of(words: list[str]) -> str:
    """A regular expression for these words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# --- Numbers ------------------------------------------------------------------------

_VULGAR_FRACTIONS = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_NUMBER = re.compile(
    r"""
    (?P<sign>[+-]?) \s*
    (?: (?P<whole>\d*) \s* [.,] \s* (?P<decimals>\d+)
      | (?: (?P<mixed>\d+) (?:\s+|又) )? (?P<numerator>\d+) / (?P<denominator>\d+)
      | (?P<integer>\d+)
    )
    """,
    re.VERBOSE,
)
#: After these characters a number is not complete, or was not a number.
_MORE_OF_A_NUMBER = re.compile(r"[\d.,/:]")


def _decimal(value: Fraction) -> str | None:
    """`value` with all its decimals; None if there are more than five."""
    for places in range(6):
        if (value * 10**places).denominator == 1:
            text = f"{float(value):.{places}f}"
            return "0" if not value else text
    return None


def _leading_number(text: str) -> tuple[Fraction, str] | None:
    """The number at the beginning of `text`, and the text after it."""
    from fractions import Fraction

    for character, fraction in _VULGAR_FRACTIONS.items():
        text = text.replace(character, f" {fraction}").strip()
    text = text.replace("半", " 1/2").replace("⁄", "/").strip()
    match = _NUMBER.match(text)
    if match is None:
        return None
    if match["decimals"]:
        value = Fraction(f"{match['whole'] or 0}.{match['decimals']}")
    elif match["numerator"]:
        if int(match["denominator"]) == 0:
            return None
        fraction_part = Fraction(int(match["numerator"]), int(match["denominator"]))
        value = int(match["mixed"] or 0) + fraction_part
    else:
        value = Fraction(int(match["integer"]))
    return (-value if match["sign"] == "-" else value), text[match.end() :].strip()


def number(text: str) -> Interpretation | None:
    """A number, perhaps with a comma, a fraction or a unit: ``5 1/2``, ``6,5 目``."""
    found = _leading_number(text.replace("目半", "半目").replace("半目", "半"))
    if found is None:
        return None
    value, rest = found
    written = _decimal(value)
    if written is None or _MORE_OF_A_NUMBER.match(rest):
        return None
    units = _any_of(_vocabulary()["units"]["komi"])
    rest = re.sub(rf"^(?:{units})\.?$", "", rest, flags=re.IGNORECASE)
    return Interpretation(written, rest)


# --- Times --------------------------------------------------------------------------

#: ``30:00`` or ``1:30:00``.
_CLOCK = re.compile(r"(\d+):(\d\d)(?::(\d\d))?(?!\d|:)")
#: The minutes in ``2h30``.
_MINUTES = re.compile(r"\s*(\d\d)(?!\d|:)")


def seconds(text: str) -> Interpretation | None:
    """A time in seconds: ``9 hours``, ``2h30``, ``1:30:00``, ``3小时``.

    The rest is the text after the time, which may describe the overtime.
    """
    from fractions import Fraction

    text = _normalized(text)
    clock = _CLOCK.match(text)
    if clock is not None:
        first, second, third = (int(part or 0) for part in clock.groups())
        total = first * 3600 + second * 60 + third if clock[3] else first * 60 + second
        return Interpretation(str(total), _after_time(text[clock.end() :]))
    units = {word: int(count) for count, words in _vocabulary()["times"].items() for word in words}
    pattern = re.compile(
        rf"\s*(\d+(?:\.\d+)?)\s*({_any_of(list(units))})(?![a-z])\.?,?", re.IGNORECASE
    )
    total_time, position, smallest = Fraction(0), 0, 0
    while match := pattern.match(text, position):
        smallest = units[match[2].lower()]
        total_time += Fraction(match[1]) * smallest
        position = match.end()
    minutes = _MINUTES.match(text, position)
    if minutes and smallest == 3600:
        total_time += int(minutes[1]) * 60
        position = minutes.end()
    written = _decimal(total_time)
    if not position or written is None:
        return None
    return Interpretation(written, _after_time(text[position:]))


def _after_time(text: str) -> str:
    """The text after a time, without parentheses around it and words that add nothing."""
    text = text.strip(" ,;+")
    if text.lower() in ("each", "per player", "每方", "各"):
        return ""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


# --- Dates --------------------------------------------------------------------------

#: ``1996-05-06``, ``1996/5``, ``1996年5月6日``.
_YEAR_FIRST = re.compile(
    r"(\d{4}) \s*[-/.年]\s* (\d{1,2}) (?: \s*[-/.月]\s* (\d{1,2}) \s*日? | \s*月 )? (?!\d)",
    re.VERBOSE,
)
#: ``6.5.1996``: a number, the separator, a number, the same separator, the year.
_YEAR_LAST = re.compile(r"(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4})(?!\d)")
#: A further day of a list: ``5-07``, ``07``, ``5月7日``.
_MONTH_AND_DAY = re.compile(r"(?:(\d{1,2})\s*[-/.月]\s*)?(\d{1,2})\s*日?(?![\d:])")
#: ``T09:20``, ``22:03:45 UT``, ``9:20 pm +0100``: nothing that DT has room for.
_TIME_OF_DAY = re.compile(
    r"""
    [T ]* \d{1,2}:\d\d (?: :\d\d (?:\.\d+)? )?
    \s* (?:am|pm)?
    \s* (?: [A-Z]{1,5} | [+-]\d\d:?\d\d )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: Years of two digits are in the 20th century from this one on; below it they are ambiguous.
_FIRST_SHORT_YEAR = 40


#: Year, month and day; or only the year and month, or only the year.
Date = tuple[int, ...]
#: Dates, and the rest of the text.
Dates = tuple[list[Date], str]


def dates(text: str) -> Interpretation | None:
    """Dates in the form of DT, with its shortcuts.

    ``12th and 13th march 94`` gives ``1994-03-12,13``, ``1996-05-06 - 08`` gives
    ``1996-05-06,07,08``.
    """
    text = _normalized(text).strip(" .")
    found = _year_first(text) or _with_month_name(text) or _year_last(text)
    if found is None:
        return None
    days, rest = found
    if not days or not all(_exists(day) for day in days):
        return None
    return Interpretation(shortest(days), rest)


def _exists(day: Date) -> bool:
    """Whether the calendar has the day, month or year."""
    from datetime import date

    try:
        date(*(*day, 1, 1)[:3])
    except ValueError:
        return False
    return True


def _year_first(text: str) -> Dates | None:
    """Dates that begin with the year; years of an era are converted."""
    for era, before in _vocabulary()["eras"].items():
        text = re.sub(
            rf"{era}\s*(\d+|元)\s*年",
            lambda match: f"{before + int(match[1].replace('元', '1'))}年",  # noqa: B023
            text,
        )
    text = re.sub(r"^(\d{4})年$", r"\1", text)
    if re.fullmatch(r"\d{4}", text):
        return [(int(text),)], ""
    match = _YEAR_FIRST.match(text)
    if match is None:
        return None
    days = [tuple(int(part) for part in match.groups() if part)]
    return _more_days(days, text[match.end() :])


def _more_days(days: list[Date], text: str) -> Dates | None:
    """The first days and those after them in `text`: a list, or the last day of a range."""
    words = _vocabulary()["dates"]
    separator = re.compile(
        rf"\s*({_any_of(words['and'])}|{_any_of(words['to'])})\s*", re.IGNORECASE
    )
    while match := separator.match(text):
        text = text[match.end() :]
        following = _YEAR_FIRST.match(text)
        if following is not None:
            day = tuple(int(part) for part in following.groups() if part)
        else:
            following = _MONTH_AND_DAY.match(text)
            if following is None or len(days[-1]) != 3:
                return None
            day = (days[-1][0], int(following[1] or days[-1][1]), int(following[2]))
        if match[1].lower() in words["to"]:
            days += _days_until(days[-1], day)
        else:
            days.append(day)
        text = text[following.end() :]
    rest = text.strip(" .")
    return (days, "") if not rest else (days, rest) if _TIME_OF_DAY.fullmatch(rest) else None


def _days_until(first: Date, last: Date) -> list[Date]:
    """The days after `first` up to `last`; only `last` if that is more than a month later."""
    from datetime import date, timedelta

    if len(first) != 3 or len(last) != 3 or not (_exists(first) and _exists(last)):
        return [last]
    start, end = date(*first), date(*last)
    count = (end - start).days
    if not 0 < count <= 31:
        return [last]
    days = (start + timedelta(days) for days in range(1, count + 1))
    return [(day.year, day.month, day.day) for day in days]


def _with_month_name(text: str) -> Dates | None:
    """Dates with the name of a month."""
    months = {
        word: int(month) for month, words in _vocabulary()["months"].items() for word in words
    }
    words = _vocabulary()["dates"]
    and_or_to = f"{_any_of(words['and'])}|{_any_of(words['to'])}"
    month = rf"(?P<month>{_any_of(list(months))})\.?"
    day, last = (rf"(?P<{group}>\d{{1,2}})(?!\d)(?:st|nd|rd|th|\.)?" for group in ("day", "last"))
    day_or_days = rf"{day}(?:\s*(?P<and_or_to>{and_or_to})\s*{last})?"
    year = r"'?(?P<year>\d{4}|\d\d)"
    for pattern in (
        rf"{day_or_days}\s*-?\s*(?:of |de )?{month}\s*-?,?\s*(?:de )?{year}",
        rf"{month}\s+{day_or_days}\s*,?\s*{year}",
        rf"{month}\s*,?\s*(?P<year>\d{{4}})",
        rf"{year}\s+{month}\s+{day}",
    ):
        match = re.match(pattern + r"(?!\d)", text, re.IGNORECASE)
        if match is not None:
            break
    else:
        return None
    parts = match.groupdict()
    in_year = _full_year(parts["year"])
    if in_year is None:
        return None
    year_and_month = (in_year, months[parts["month"].lower()])
    if "day" not in parts:
        return _more_days([year_and_month], text[match.end() :])
    days: list[Date] = [(*year_and_month, int(parts["day"]))]
    if parts.get("last"):
        last_day = (*year_and_month, int(parts["last"]))
        is_range = parts["and_or_to"].lower() in words["to"]
        days += _days_until(days[0], last_day) if is_range else [last_day]
    rest = text[match.end() :].strip(" .,")
    return (days, rest) if not rest or _TIME_OF_DAY.fullmatch(rest) else None


def _full_year(digits: str) -> int | None:
    """The year in four or two digits; None if two digits are ambiguous."""
    year = int(digits)
    if len(digits) > 2:
        return year
    return 1900 + year if year >= _FIRST_SHORT_YEAR else None


def _year_last(text: str) -> Dates | None:
    """Three numbers with the year last: day first, unless only month first is possible."""
    match = _YEAR_LAST.match(text)
    if match is None:
        return None
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if match[2] != "." and first <= 12 and second <= 12 and first != second:
        return None  # 5/6/1996 is in May in some countries and in June in others.
    day, month = (first, second) if second <= 12 else (second, first)
    rest = text[match.end() :].strip(" .")
    return ([(year, month, day)], rest) if not rest or _TIME_OF_DAY.fullmatch(rest) else None


# --- Results ------------------------------------------------------------------------


def result(text: str) -> Interpretation | None:
    """A result: ``black wins by 5 3/4 points``, ``W+Res``, ``黑中盘胜``, ``白胜2又3/4子``."""
    words = _vocabulary()["results"]
    text = _normalized(text).strip(" .!").lower()
    for key, value in (("draw", "0"), ("void", "Void"), ("unknown", "?"), ("unfinished", "?")):
        if text in words[key]:
            return Interpretation(value)
    player = re.match(
        rf"(?P<black>{_any_of(words['black'])})|(?P<white>{_any_of(words['white'])})(?![a-z])",
        text,
    )
    if player is None or re.match(r"[a-z]", text[player.end() :]):
        return None
    winner, loser = ("B", "W") if player["black"] else ("W", "B")
    rest = text[player.end() :].strip()
    if rest in words["resigns"]:
        return Interpretation(f"{loser}+R")
    loses = _any_of(words["lose"])
    lost = re.search(rf"^(?:{loses})(?![a-z])|(?:{loses})$", rest)
    if lost:
        winner, rest = loser, (rest[: lost.start()] + rest[lost.end() :]).strip()
    return _margin(winner, _without_words_at_start(rest, words["win"]))


def _without_words_at_start(text: str, words: list[str]) -> str:
    """`text` without such words at its beginning."""
    while match := re.match(rf"(?:{_any_of(words)})(?:(?<![a-z])|(?![a-z]))\s*", text):
        text = text[match.end() :]
    return text


def _margin(winner: str, text: str) -> Interpretation | None:
    """The result for that winner; `text` is the reason or the margin."""
    words = _vocabulary()["results"]
    reason = re.sub(rf"\s*(?:{_any_of(words['win'])})$", "", text).strip("( )").rstrip(".")
    if not reason:
        return Interpretation(f"{winner}+")
    for key, letter in (("resign", "R"), ("time", "T"), ("forfeit", "F")):
        if reason in words[key]:
            return Interpretation(f"{winner}+{letter}")
    found = _leading_number(reason.replace("目半", "半"))
    if found is None:
        return None
    value, rest = found
    rest = rest.strip("( ).")
    written = _decimal(value)
    if written is None or value < 0 or _MORE_OF_A_NUMBER.match(rest):
        return None
    return Interpretation(
        "0" if not value else f"{winner}+{written}", _without_words_at_start(rest, words["points"])
    )


# --- Ranks --------------------------------------------------------------------------

_KYU = ("k", "kyu", "gup", "级", "級")
_DAN = ("d", "dan", "段")
_RANK = re.compile(
    rf"(\d{{1,2}})\s*[-.]?\s*({'|'.join(_KYU)}|{'|'.join(_DAN)})\.?\s*([?*]?)", re.IGNORECASE
)


def rank(text: str) -> Interpretation | None:
    """A rank: ``9 Dan``, ``9段``, ``5 KYU``."""
    match = _RANK.fullmatch(_normalized(text))
    if match is None:
        return None
    grade = "k" if match[2].lower() in _KYU else "d"
    return Interpretation(f"{int(match[1])}{grade}{match[3]}")
