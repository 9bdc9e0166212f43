"""Informal dates: ``6.5.1996``, ``May 6-7, 1996``, ``2008年2月23日``, ``3 mars 1998 (mardi)``."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from sgf_lark.model.informal.words import (
    CHINESE_NUMERAL,
    Interpretation,
    any_of,
    in_digits,
    normalized,
    numbers_of_words,
    vocabulary,
    without_accents,
)
from sgf_lark.model.values.formats import Date, in_calendar, shortest

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
#: The forms of a date that begins with the year, and whether they can mean nothing else.
_YEAR_FIRST = (
    (r"(?P<year>1[6-9]\d\d|20\d\d)(?P<month>\d\d)(?P<day>\d\d)", True),
    (r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2}))?", True),
    (r"(?P<year>\d{4})(\s?[-/.]\s?|\s)(?P<month>\d{1,2})\2(?P<day>\d{1,2})", True),
    (r"(?P<year>\d{4})--(?P<month>\d{1,2})-(?P<day>\d{1,2})", True),
    (r"(?P<year>\d{4})(,\s?)(?P<month>\d{1,2})\2(?P<day>\d{1,2})", False),
    # White space is next to one of the separators, or a "-" is doubled.
    (
        r"(?P<year>\d{4})\s?-?([-/.])\s?(?P<month>\d{1,2})(?!\s\2\s)\s?-?\2\s?(?P<day>\d{1,2})",
        False,
    ),
    (
        r"(?P<year>\d{2,4})\s*[年년]"
        r"(?:\s*(?P<month>\d{1,2})\s*[月월](?:\s*(?P<day>\d{1,2})\s*[日号號일]?)?)?",
        True,
    ),
    # ``96.5.6``: the same with a year that is not a day first.
    (r"'?(?P<year>\d\d)([./-])(?P<month>\d{1,2})\2(?P<day>\d{1,2})", True),
)
#: A further day of a list: ``5-07``, ``07``, ``5月7日``.
_FURTHER_DAY = r"(?:(\d{1,2})(?:[-/.]|\s*[月월]\s*))?(\d{1,2})\s*[日号號일]?"
#: ``'96``
_SHORT_YEAR = r"(['’‘`]?)(\d\d)"
#: What may be a date or a remark after a date.
_ENCLOSED_AT_END = r"\(([^()]+)\)$"
#: Dashes in the place of hyphens: ``1996–05–06``.
_DASHES_IN_DATE = r"(?<!\d)(\d{4})([‐‑‒–—―−])(\d{1,2})(?:\2(\d{1,2}))?(?!\d)"
#: ``6.5.1996``: a number, the separator, a number, the same separator, the year.
_YEAR_LAST = r"(\d{1,2})(\s?[./-]\s?)(\d{1,2})\2(\d{4}|'?\d\d)"
_MONTH_AND_YEAR = r"(0?[1-9]|1[0-2])[./-](\d{4})"
#: ``1996/97``, ``2003/04``, ``1996-7``: what may be a season.
_SEASON = r"(\d{4})(?:\s?/\s?(\d\d?)|-(\d|[2-9]\d|1[3-9]))"
#: ``12:00:00`` between other parts of a date, with the time zone.
_TIME_OF_DAY = (
    r"(?<=[a-z\d])[ ,]+\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?"
    r"(?:\s?(?:[a-z]{1,4}t|utc|gmt)?(?:[+-]\d\d?(?::?\d\d)?)?)?(?=\s|$)"
)
#: A time of day after a date.
_TIME_AFTER_DATE = r"[\s,;]*t?\d{1,2}(?::\d\d|\s?[时時点點시]|\s?(?:uhr|am|pm)\b)"
_ENCLOSED = r"-+\s*(.+?)\s*-+|\((.+)\)|\"(.+)\""
_CHINESE_NUMERAL = rf"{CHINESE_NUMERAL}(?=\s*[年月日号號])"


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
    if match := re.fullmatch(_SHORT_YEAR, text):
        year = _full_year(match[2]) or (2000 + int(match[2]) if match[1] else 0)
        return Interpretation(str(year), certain=False) if year else None
    doubled = re.sub(",(?:\\s*,)+", ",", text)
    for part in (re.sub(_TIME_OF_DAY, "", text), _without_vague_words(text), doubled):
        if found := _whole_text(part):
            return Interpretation(shortest(found.dates), text)
    day = _year_first(text)
    if day and len(day.dates[0]) == 3 and in_calendar(*day.dates[0][:2]):
        return Interpretation(shortest([day.dates[0][:2]]), text)  # such as 30 February
    enclosed = re.search(_ENCLOSED_AT_END, text)
    known = _whole_text(enclosed[1]) if enclosed else None
    if known and not re.search(r"\d{4}", text[: text.index("(")]):
        return Interpretation(shortest(known.dates), text)  # after a date of another calendar
    return _first_dates(text)


def _first_dates(text: str) -> Interpretation | None:
    """The dates at the beginning, unless what follows may belong to them; or the only year."""
    for place in range(len(text) - 1, 3, -1):
        rest = text[place:]
        if text[place].isalnum() and not re.match(r"t\d\d:", rest):
            continue
        found = _whole_text(text[:place].strip(" .,"))
        if found and not _may_continue(rest):
            return Interpretation(shortest(found.dates), rest)
        if found and found.dates[-1][1:]:
            return None
    years = set(re.findall(r"(?<!\d)\d{4}(?!\d)", text))
    if len(years) != 1 or not re.fullmatch(r"[\d\s./-]+", text):
        return None
    (year,) = years
    return Interpretation(year, text) if int(year) in _YEARS else None


def _comparable(text: str) -> str:
    """The text in the form in which it is compared, with Chinese numerals in digits and years of
    an era converted."""
    text = without_accents(normalized(text)).strip(" .,")
    if match := re.fullmatch(_ENCLOSED, text):
        text = match[match.lastindex or 0].strip()
    text = re.sub(rf"^(?:{_words('before')})\s*", "", text)
    text = re.sub(rf"(?<=[\d년年])\s*(?:{_words('after_year')})\.?$", "", text)
    text = re.sub(_CHINESE_NUMERAL, in_digits, text.replace("元月", "1月"))
    text = re.sub(_DASHES_IN_DATE, lambda match: "-".join(filter(None, match.group(1, 3, 4))), text)
    match = _year_of_era().match(text)
    if match is None:
        return text
    about = vocabulary()["eras"][match["era"]]
    number = int(match["number"].replace("元", "1"))
    year = about["first_year"] - 1 + number
    if number > about.get("years", number) or year not in _YEARS:
        return text
    if "begins" not in about:  # unless a date of this calendar follows
        return text if re.search(r"\d{4}", text[match.end() :]) else f"{year}?"
    converted = f"{year}{match['separator'] or '年'}{text[match.end() :]}"
    found = _year_first(converted)
    begins = tuple(map(int, about["begins"].split("-")))
    if found is None:
        return text
    return converted if found.dates[0] >= begins[: len(found.dates[0])] else f"{year}?"


@cache
def _year_of_era() -> re.Pattern[str]:
    """The year of an era, and what separates it from the month."""
    return re.compile(
        rf"(?P<era>{any_of(vocabulary()['eras'])})\s*(?P<number>\d{{1,4}}|元)"
        r"(?:\s*[年년]|\s*(?P<separator>[-./])\s*(?=\d)|(?=\s|$))"
    )


@cache
def _words(*lists: str) -> str:
    """A regular expression for the words of these lists of dates."""
    dates = vocabulary()["dates"]
    return any_of(without_accents(word) for name in lists for word in dates[name])


def _without_vague_words(text: str) -> str:
    """The text without words such as "about" and "spring", and without open ends."""
    vague = _words("vague")
    text = re.sub(rf"^(?:(?:{vague})[.:]?\s*)+|\s*(?:{vague})$", "", text)
    return text.strip(" -–—~?")


def _may_continue(rest: str) -> bool:
    """Whether the text after dates may belong to them, such as a further day."""
    if _is_remark(rest):
        return False
    if re.match(rf"\s*(?:{_words('or')})", rest) or re.search(any_of(_months()), rest):
        return True
    if re.match(_TIME_AFTER_DATE, rest) or not re.search(r"\d", rest):
        return False
    remark = re.match(r"[\s,;.]*(?:[(]|[^\W\d_]{2})", rest)
    joining = rf"[\s,;.(]*(?:{_words('and', 'to', 'or')})\s*\d"
    return remark is None or bool(re.match(joining, rest))


def _is_remark(rest: str) -> bool:
    """Whether the text after dates is in parentheses and begins with a word that is not of dates,
    such as the name of an era of another calendar."""
    enclosed = re.fullmatch(_ENCLOSED_AT_END, rest.strip())
    of_dates = rf"{_words('and', 'to', 'or')}|{any_of(_months())}"
    return bool(enclosed and re.match(rf"(?!{of_dates})[^\W\d_]{{2}}", enclosed[1]))


def _whole_text(text: str) -> Days | None:
    """The dates that all of the text means, perhaps with the day of the week."""
    weekday = 0
    found = _days(text, None)
    if found is None:
        weekday, without = _without_weekday(text)
        found = _days(without, None) if weekday else None
    if found is None or not all(in_calendar(*day) for day in found.dates):
        return None
    if weekday and not (
        len(found.dates) == 1
        and len(found.dates[0]) == 3
        and date(*found.dates[0]).isoweekday() == weekday
    ):
        return None
    return found


def _weekdays() -> dict[str, int]:
    """The number of the day of the week that each word means."""
    return numbers_of_words("weekdays", form=without_accents)


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


# --- Lists and periods ------------------------------------------------------------------


@cache
def _separator(kind: str) -> re.Pattern[str]:
    """What separates the days of a list (``and``), or the ends of a period (``to``)."""
    return re.compile(rf"\s*(?:{_words(kind)})\s*")


def _separators(text: str) -> list[tuple[int, int, bool]]:
    """Where separators begin and end in the text, and whether they are those of a period."""
    found = [(*match.span(), False) for match in _separator("and").finditer(text)]
    for match in _separator("to").finditer(text):
        # In 1996-05-06-07 the last "-" may be any of both.
        sign = match[0].strip()
        is_spaced = match[0].startswith(" ") and match[0].endswith(" ")
        if is_spaced or sign not in ("-", "/") or sign not in text[: match.start()]:
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
            # A game of the season 1996/1997 was played in one of the years.
            is_season = "/" in text[start:end] and len(first.dates[-1]) == 1
            return joined._replace(certain=joined.certain and not is_season)
    return None


def _joined(first: Days, further: Days, is_period: bool) -> Days | None:
    """The dates of a list, or those from the last one of `first` to the first of `further`."""
    certain = first.certain and further.certain
    if not is_period:
        return Days(first.dates + further.dates, certain)
    start, end = first.dates[-1], further.dates[0]
    if len(start) != len(end) or start >= end or not (in_calendar(*start) and in_calendar(*end)):
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
        return day
    if before is not None and len(before) == 3 and (match := re.fullmatch(_FURTHER_DAY, text)):
        return Days([(before[0], int(match[1] or before[1]), int(match[2]))])
    return _year_last(text) or _with_month_name(text)


def _year_first(text: str) -> Days | None:
    """A date that begins with the year: ``1996-5-6``, ``1996.5``, ``19960506``, ``1996年5月``.

    A season, which may also be a month, is not certain.
    """
    if match := re.fullmatch(_SEASON, text):
        year, digits = int(match[1]), match[2] or match[3]
        if str(year + 1).endswith(digits):
            both: list[Date] = [(year,), (year + 1,)]
            month = int(digits)
            return Days([(year, month)] if 0 < month <= 12 else both, certain=False)
    for form, certain in _YEAR_FIRST:
        match = re.fullmatch(form, text)
        if match is not None and (year := _full_year(match["year"])):
            parts = (match.groupdict().get(part) for part in ("month", "day"))
            day = (year, *(int(part) for part in parts if part))
            return Days([day], certain and len(match["year"]) == 4)
    return None


def _full_year(digits: str) -> int:
    """The year of four digits, or of two or three; 0 if its century is unknown."""
    year = int(digits.strip("'"))
    if len(digits.strip("'")) > 2:
        return year
    return year + 1900 if year >= _FIRST_SHORT_YEAR else 0


def _year_last(text: str) -> Days | None:
    """Numbers with the year last; of three certain if only one of them can be the month."""
    if found := re.fullmatch(_MONTH_AND_YEAR, text):
        return Days([(int(found[2]), int(found[1]))], certain=False)
    match = re.fullmatch(_YEAR_LAST, text)
    year = _full_year(match[4]) if match else 0
    if match is None or not year:
        return None
    first, second = int(match[1]), int(match[3])
    ambiguous = first <= 12 and second <= 12 and first != second
    if ambiguous and match[2] != ".":
        return None  # 5/6/1996 is in May in some countries and in June in others.
    day, month = (first, second) if second <= 12 else (second, first)
    return Days([(year, month, day)], not ambiguous and len(match[4]) == 4)


def _months() -> dict[str, int]:
    """The number of the month that each word means."""
    return numbers_of_words("months", form=without_accents)


@cache
def _named_patterns() -> tuple[re.Pattern[str], ...]:
    """The orders in which the name of a month, days and a year are written."""
    separator = rf"\s*(?:{_words('and', 'to')})\s*"
    days = rf"(?P<days>{_DAY}(?:{separator}{_DAY})*)"
    one_day = rf"(?P<days>{_DAY})"
    month = rf"(?P<month>{any_of(_months())})\.?"
    of = rf"(?:(?:{_words('of')})\s*)?"
    year = r"(?P<year>\d{4}|'?\d\d)"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"{days}\s*{of}{month},?\s*{of}{year}",
            rf"{one_day}(?P<separator>[-/.\s]){month}(?P=separator){year}",
            rf"{month}[\s/-]?\s*{days}(?:,?\s+|[.,/-]){year}",
            rf"(?P<year>\d{{4}}),?\s*{month}\s*{days}",
            rf"(?P<year>\d{{4}})(?P<separator>[-/.]){month}(?P=separator){one_day}",
            rf"{month},?[\s-]*{of}(?P<year>\d{{4}}|'\d\d)",
            rf"(?P<year>\d{{4}}),?[\s/-]*{month}",
            rf"{days}\s*{of}{month}",
            rf"{month}\s*{days}",
            month,
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
    year = _full_year(match["year"])
    if not year:
        return None
    found = _of_month((year, _months()[match["month"]]), match.groupdict().get("days"))
    return found and found._replace(certain=found.certain and len(match["year"]) == 4)


def _in_year_of(following: Date, match: re.Match[str]) -> Days | None:
    """Days with the name of the month, in the same year as the date `following`."""
    days = match.groupdict().get("days")
    found = _of_month((following[0], _months()[match["month"]]), days)
    is_before = found and len(found.dates[-1]) == len(following) and found.dates[-1] < following
    return found if is_before else None


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
