"""The format of DT: dates with shortcuts, as in "1996-05-06,07"."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cache, total_ordering
from typing import TYPE_CHECKING

from sgf_lark.model.values.formats import read_format
from sgf_lark.text.escaping import shown

if TYPE_CHECKING:
    from sgf_lark.syntax.lalr import Token

#: (year), (year, month) or (year, month, day).
Date = tuple[int, ...]


def in_calendar(year: int, month: int = 1, day: int = 1) -> bool:
    """Whether the proleptic Gregorian calendar has that day."""
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= _last_day(year, month)


@cache
def _last_day(year: int, month: int) -> int:
    from calendar import monthrange  # slow to import

    return monthrange(year, month)[1]


@total_ordering
@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date of DT: a year, a month or a day (properties.html, DT).

    `month` and `day` are None where the date leaves them out. `str` gives the ISO form, such as
    "1996-05". Dates are sorted by year, month and day; one that is less exact comes before those
    that it includes: 1996 < 1996-05 < 1996-05-06. Raises ValueError for a date that is not in
    the proleptic Gregorian calendar, and for a day without a month.
    """

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        given = (self.year, self.month, self.day)
        wrong = [part for part in given if not isinstance(part, int | None)]
        if wrong or self.year is None:
            raise TypeError(f"year, month and day are whole numbers, not {shown(given)}")
        if self.day is not None and self.month is None:
            raise ValueError("a date with a day has a month")
        if not 1 <= self.year <= 9999 or not in_calendar(*self.parts):
            raise ValueError(f"no such date: {'-'.join(map(str, self.parts))}")

    @classmethod
    def parse(cls, text: str) -> PartialDate:
        """The date of the form "1996", "1996-05" or "1996-05-06"; raises ValueError."""
        try:
            (found,) = parse_dates(text)
        except ValueError as error:
            raise ValueError(
                f"{text!r} is not a date: expected YYYY, YYYY-MM or YYYY-MM-DD"
            ) from error
        return found

    @property
    def parts(self) -> Date:
        """(year), (year, month) or (year, month, day)."""
        return tuple(part for part in (self.year, self.month, self.day) if part is not None)

    @property
    def first(self) -> datetime.date:
        """The first day that may be meant."""
        return datetime.date(self.year, self.month or 1, self.day or 1)

    @property
    def last(self) -> datetime.date:
        """The last day that may be meant."""
        month = self.month or 12
        return datetime.date(self.year, month, self.day or _last_day(self.year, month))

    def __lt__(self, other: object) -> bool:
        return self.parts < other.parts if isinstance(other, PartialDate) else NotImplemented

    def __str__(self) -> str:
        return _iso(self.parts)


def parse_dates(text: str) -> list[PartialDate]:
    """The dates that a value of DT means, such as "1996-05,06", in their order.

    Raises ValueError for a text that does not follow the format, and for dates that are not in
    the calendar.
    """
    return [PartialDate(*date) for date in read_format("DT", text, DateFormat)]


class DateFormat:
    """The production ``date``; a method of a Lark Transformer."""

    def date(self, children: list[Token]) -> list[Date]:
        """``date: (YEAR | …) _next_date*``; the shortcuts are filled in."""
        dates: list[Date] = []
        for token in children:
            parts = tuple(int(part) for part in token.lstrip(",").split("-"))
            if token.type in {"NEXT_MONTH", "NEXT_MONTH_DAY"}:
                parts = (*dates[-1][:1], *parts)
            elif token.type == "NEXT_DAY":
                parts = (*dates[-1][:2], *parts)
            dates.append(parts)
        return dates


def shortest(dates: list[Date]) -> str:
    """`dates`, which are sorted, each as short as the one before it allows (properties.html,
    DT)."""
    written: list[str] = []
    previous: Date = ()
    for date in dates:
        kept = 0
        if len(previous) > 1 and len(date) >= len(previous) and date[0] == previous[0]:
            kept = 2 if len(date) == 3 == len(previous) and date[1] == previous[1] else 1
        written.append("-".join(f"{part:02}" for part in date[kept:]) if kept else _iso(date))
        previous = date
    return ",".join(written)


def _iso(date: Date) -> str:
    return "-".join([f"{date[0]:04}", *(f"{part:02}" for part in date[1:])])
