"""Informal dates: ``6.5.1996``, ``May 6-7, 1996``, ``2008年2月23日``, ``3 mars 1998 (mardi)``."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from sgf_lark.model.values.dates import Date, shortest
from sgf_lark.rules.informal.words import (
    Interpretation,
    any_of,
    normalized,
    vocabulary,
    without_accents,
)

#: Longer texts are not dates.
_LONGEST = 80
#: Years of two digits are probably in the 20th century from this one on.
_FIRST_SHORT_YEAR = 40
#: The number of separators that are tried as the first one of a list.
_MOST_SEPARATORS = 12
#: The longest period whose days are listed.
_LONGEST_PERIOD = 31
#: Years in which games were recorded.
_YEARS = range(1600, 2100)

_DAY = r"(?<!\d)\d{1,2}(?!\d)(?:st|nd|rd|th|er|º|ª|\.)?"
_YEAR_FIRST = re.compile(
    r"(\d{4}) (?: (\s?[-/.]\s?|\s) (\d{1,2}) \2 (\d{1,2}) | [-/.] (\d{1,2}) )?", re.VERBOSE
)
_YEAR_FIRST_CJK = re.compile(r"(\d{4})\s*年(?:\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?)?")
#: A further day of a list: ``5-07``, ``07``, ``5月7日``.
_FURTHER_DAY = re.compile(r"(?:(\d{1,2})(?:[-/.]|\s*月\s*))?(\d{1,2})\s*日?")
_DIGITS = re.compile(r"(\d{4})(\d\d)(\d\d)")
#: ``6.5.1996``: a number, the separator, a number, the same separator, the year.
_YEAR_LAST = re.compile(r"(\d{1,2})(\s?[./-]\s?)(\d{1,2})\2(\d{4})")
#: ``12:00:00`` between other parts of a date.
_TIME_OF_DAY = re.compile(r"(?<=[a-z\d])[ ,]+\d{1,2}:\d\d(?::\d\d)?(?=\s|$)")


class Days(NamedTuple):
    """Dates; whether the text can mean nothing else."""

    dates: list[Date]
    certain: bool = True


def dates(text: str) -> Interpretation | None:
    """Dates in the form of DT, with its shortcuts.

    The rest is what follows the dates. A period of more than two days is not certain, because it
    does not show on which of its days the game was played.
    """
    if len(text) > _LONGEST:
        return None
    text = _comparable(text)
    if found := _whole_text(text):
        return Interpretation(shortest(found.dates), certain=found.certain)
    if found := _whole_text(_TIME_OF_DAY.sub("", text)):
        return Interpretation(shortest(found.dates), text)
    for place in range(len(text) - 1, 3, -1):
        ends_here = not text[place].isalnum() or re.match(r"t\d\d:", text[place:])
        if ends_here and (found := _whole_text(text[:place].strip(" .,"))):
            return Interpretation(shortest(found.dates), text[place:])
    year = re.fullmatch(r"[\d\s./-]*?(?<!\d)(\d{4})(?!\d)[\d\s./-]*", text)
    return Interpretation(year[1], text) if year and int(year[1]) in _YEARS else None


def _comparable(text: str) -> str:
    """The text in the form in which it is compared, with years of an era converted."""
    words = vocabulary()["dates"]
    text = without_accents(normalized(text)).strip(" .,")
    text = re.sub(rf"^(?:{any_of(words['before'])})\s+", "", text)
    text = re.sub(rf"(?<=\d)\s*(?:{any_of(words['after_year'])})\.?$", "", text)
    for era, first in vocabulary()["eras"].items():
        match = re.match(rf"{era}\s*(\d{{1,2}}|元)\s*年", text)
        if match is not None:
            year = first["first_year"] - 1 + int(match[1].replace("元", "1"))
            converted = f"{year}年{text[match.end() :]}"
            found = _year_first(converted)
            begins = tuple(map(int, first["begins"].split("-")))
            if found and found >= begins[: len(found)]:
                return converted
    return text


def _whole_text(text: str) -> Days | None:
    """The dates that all of the text means, perhaps with the day of the week."""
    weekday, without = _without_weekday(text)
    found = _days(without, None)
    if found is None or not all(map(_exists, found.dates)):
        return None
    if weekday and not (
        len(found.dates) == 1
        and len(found.dates[0]) == 3
        and date(*found.dates[0]).isoweekday() == weekday
    ):
        return None
    return found


@cache
def _weekdays() -> dict[str, int]:
    """The number of the day of the week that each word means."""
    days = vocabulary()["weekdays"]
    return {without_accents(word): int(day) for day, words in days.items() for word in words}


@cache
def _weekday_pattern() -> re.Pattern[str]:
    """A day of the week at the beginning or the end, with the punctuation next to it."""
    word = any_of(_weekdays())
    return re.compile(
        rf"^(?:{word})(?:[.,]\s*|\s+) | \s*\((?:{word})\.?\)$ | (?:\s|,|(?<=日))\s*(?:{word})$",
        re.VERBOSE,
    )


def _without_weekday(text: str) -> tuple[int, str]:
    """The number of the day of the week, or 0, and the text without it."""
    match = _weekday_pattern().search(text)
    if match is None:
        return 0, text
    return _weekdays()[match[0].strip(" .,()")], (text[: match.start()] + text[match.end() :])


def _exists(day: Date) -> bool:
    """Whether the calendar has the day, month or year."""
    try:
        date(*(*day, 1, 1)[:3])
    except ValueError:
        return False
    return True


# --- Lists and periods ------------------------------------------------------------------


@cache
def _separator(kind: str) -> re.Pattern[str]:
    """What separates the days of a list (``and``), or the ends of a period (``to``)."""
    return re.compile(rf"\s*(?:{any_of(vocabulary()['dates'][kind])})\s*")


def _separators(text: str) -> list[tuple[int, int, bool]]:
    """Where separators begin and end in the text, and whether they are those of a period."""
    found = [(*match.span(), False) for match in _separator("and").finditer(text)]
    for match in _separator("to").finditer(text):
        # In 1996-05-06-07 the last "-" may be any of both.
        is_spaced = match[0].startswith(" ") and match[0].endswith(" ")
        if is_spaced or match[0].strip() != "-" or "-" not in text[: match.start()]:
            found.append((*match.span(), True))
    return sorted(found)


def _days(text: str, before: Date | None) -> Days | None:
    """The dates that the text means after the date `before`: one, a list, or a period."""
    if found := _one_date(text, before):
        return found
    for start, end, is_period in _separators(text)[:_MOST_SEPARATORS]:
        left, right = text[:start], text[end:]
        first = _one_date(left, before)
        further = None
        if first:
            further = _days(right, first.dates[-1])
        elif match := _match_name(left, has_year=False):
            further = _days(right, None)
            first = _in_year_of(further.dates[0], match) if further else None
        if first and further and (joined := _joined(first, further, is_period)):
            return joined
    return None


def _joined(first: Days, further: Days, is_period: bool) -> Days | None:
    """The dates of a list, or those from the last one of `first` to the first of `further`."""
    certain = first.certain and further.certain
    if not is_period:
        return Days(first.dates + further.dates, certain)
    start, end = first.dates[-1], further.dates[0]
    if len(start) != len(end) or start >= end or not (_exists(start) and _exists(end)):
        return None
    between: list[Date] = []
    if len(start) == 3:
        count = (date(*end) - date(*start)).days
        if count <= _LONGEST_PERIOD:
            days = (date(*start) + timedelta(number) for number in range(1, count))
            between = [(day.year, day.month, day.day) for day in days]
    elif len(start) == 2:
        count = 12 * (end[0] - start[0]) + end[1] - start[1]
    else:
        count = end[0] - start[0]
    return Days(first.dates + between + further.dates, certain and count == 1)


# --- One date ---------------------------------------------------------------------------


def _one_date(text: str, before: Date | None) -> Days | None:
    """A date, or several days of one month, in one of the forms."""
    if day := _year_first(text):
        # 2003/04 may be a season.
        return Days([day], not re.fullmatch(r"\d{4}/\d\d", text) or (day[0] + 1) % 100 != day[1])
    if before is not None and len(before) == 3 and (match := _FURTHER_DAY.fullmatch(text)):
        return Days([(before[0], int(match[1] or before[1]), int(match[2]))])
    return _year_last(text) or _with_month_name(text)


def _year_first(text: str) -> Date | None:
    """A date that begins with the year: ``1996-5-6``, ``1996.5``, ``19960506``, ``1996年5月``."""
    if match := _DIGITS.fullmatch(text):
        return tuple(map(int, match.groups())) if int(match[1]) in _YEARS else None
    if match := _YEAR_FIRST.fullmatch(text):
        return tuple(int(part) for part in match.group(1, 3, 4, 5) if part)
    if match := _YEAR_FIRST_CJK.fullmatch(text):
        return tuple(int(part) for part in match.groups() if part)
    return None


def _year_last(text: str) -> Days | None:
    """Three numbers with the year last; certain if only one of them can be the month."""
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        return None
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    ambiguous = first <= 12 and second <= 12 and first != second
    if ambiguous and match[2] != ".":
        return None  # 5/6/1996 is in May in some countries and in June in others.
    day, month = (first, second) if second <= 12 else (second, first)
    return Days([(year, month, day)], not ambiguous)


@cache
def _months() -> dict[str, int]:
    """The number of the month that each word means."""
    months = vocabulary()["months"]
    return {without_accents(word): int(month) for month, words in months.items() for word in words}


@cache
def _named_patterns() -> tuple[re.Pattern[str], ...]:
    """The orders in which the name of a month, days and a year are written."""
    words = vocabulary()["dates"]
    separator = rf"\s*(?:{any_of((*words['and'], *words['to']))})\s*"
    days = rf"(?P<days>{_DAY}(?:{separator}{_DAY})*)"
    one_day = rf"(?P<days>{_DAY})"
    month = rf"(?P<month>{any_of(_months())})\.?"
    of = rf"(?:(?:{any_of(words['of'])})\s*)?"
    year = r"(?P<year>\d{4}|'?\d\d)"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"{days}\s*{of}{month},?\s*{of}{year}",
            rf"{one_day}(?P<separator>[-/.\s]){month}(?P=separator){year}",
            rf"{month}\s*{days},?\s+{year}",
            rf"(?P<year>\d{{4}}),?\s*{month}\s*{days}",
            rf"(?P<year>\d{{4}})(?P<separator>[-/.]){month}(?P=separator){one_day}",
            rf"{month},?[\s-]*{of}(?P<year>\d{{4}})",
            rf"(?P<year>\d{{4}}),?[\s/-]*{month}",
            rf"{days}\s*{of}{month}",
            rf"{month}\s*{days}",
        )
    )


def _match_name(text: str, *, has_year: bool) -> re.Match[str] | None:
    """The match of the first pattern with the name of a month that the whole text has."""
    for pattern in _named_patterns():
        if ("year" in pattern.groupindex) == has_year and (match := pattern.fullmatch(text)):
            return match
    return None


def _with_month_name(text: str) -> Days | None:
    """Days of one month with its name and the year."""
    match = _match_name(text, has_year=True)
    if match is None:
        return None
    digits = match["year"].strip("'")
    year = int(digits)
    if len(digits) == 2:
        if year < _FIRST_SHORT_YEAR:
            return None
        year += 1900
    found = _of_month((year, _months()[match["month"]]), match.groupdict().get("days"))
    return found and found._replace(certain=found.certain and len(digits) == 4)


def _in_year_of(following: Date, match: re.Match[str]) -> Days | None:
    """Days with the name of the month, in the same year as the date `following`."""
    found = _of_month((following[0], _months()[match["month"]]), match["days"])
    return found if found and found.dates[-1] < following else None


def _of_month(month: Date, days: str | None) -> Days | None:
    """The days of a month: a list or a period, or the month itself."""
    if not days:
        return Days([month])
    places = list(re.finditer(_DAY, days))
    found = Days([(*month, _number(places[0]))])
    for place, following in pairwise(places):
        between = days[place.end() : following.start()]
        is_period = bool(_separator("to").fullmatch(between))
        joined = _joined(found, Days([(*month, _number(following))]), is_period)
        if joined is None:
            return None
        found = joined
    return found


def _number(day: re.Match[str]) -> int:
    """The number of a day that may have an ending."""
    return int(day[0][:2] if day[0][:2].isdigit() else day[0][:1])
