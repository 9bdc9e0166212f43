"""Texts that have a format of their own: those of DT, RE, BR and WR, and RO."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache, total_ordering
from typing import TYPE_CHECKING, Any

from sgf_lark import grammar
from sgf_lark.diagnostics import shorten
from sgf_lark.model.values.basic import Color
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT, value_parser
from sgf_lark.syntax.lalr import LALRParser
from sgf_lark.text.escaping import short_repr

if TYPE_CHECKING:
    from sgf_lark.syntax.lalr import Token

#: Values of longer texts are not kept: they are seldom the same.
_LONGEST_KEPT = 48


def read_format(ident: str, text: str, game: int = 1) -> Any:
    """The value of a text by the format that ``properties.toml`` gives for a property.

    Raises ValueError for a text that does not follow it, TypeError for anything but a text.
    """
    # Only there all formats are mandatory.
    definition = grammar.definition(ident, game, LATEST_FILE_FORMAT)
    if definition is None or not definition.format:
        raise ValueError(f"{ident} has no format in GM[{game}]")
    if not isinstance(text, str):
        raise TypeError(f"{ident} is read from its text, not from {short_repr(text)}")
    read = read_production if len(text) <= _LONGEST_KEPT else read_production.__wrapped__
    try:
        return read(text, definition.format)
    except ValueError as error:
        name, given = definition.name.lower(), shorten(text)
        raise ValueError(f"{given!r} is not a {name} ({ident}): {definition.range}") from error


@lru_cache(maxsize=2048)
def read_production(text: str, production: str) -> Any:
    """The value of a text by one of the productions below."""
    return _parser().parse(text.encode().decode("latin-1"), production)


@cache
def _parser() -> LALRParser:
    # Not the reader of values: that is built on this module.
    return value_parser(TextFormats())


# The format of DT: dates with shortcuts, as in "1996-05-06,07".

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
            raise TypeError(f"year, month and day are whole numbers, not {short_repr(given)}")
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
    return [PartialDate(*date) for date in read_format("DT", text)]


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


# The format of RE: ``B+3.5``, ``W+R``, ``0``, ``Void``, ``?``.


class Reason(StrEnum):
    """How a game ended."""

    SCORE = "score"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    DRAW = "draw"
    #: No result, or suspended play.
    VOID = "void"
    #: Nothing is known but, perhaps, the winner.
    UNKNOWN = "unknown"


_LETTERS = {"R": Reason.RESIGNATION, "T": Reason.TIME, "F": Reason.FORFEIT}
_WITHOUT_WINNER = {Reason.DRAW: "0", Reason.VOID: "Void", Reason.UNKNOWN: "?"}


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: `winner`, `margin` in points, and `reason`.

    `winner` is None after a draw, in a void game and where the result is unknown. `margin` is
    None unless it is known; it is at least 0. With a margin the reason is the score, if none is
    given: ``Result("B", 3.5)``. Backgammon has resignations with a margin.
    ``str(result)`` is its form in RE (properties.html, RE), which :meth:`parse` reads. Results
    are equal if winner, margin and reason are. Raises ValueError for what no RE can say, such as
    a draw with a winner.
    """

    winner: Color | None = None
    margin: float | None = None
    reason: Reason = Reason.UNKNOWN

    def __post_init__(self) -> None:
        reason = Reason(self.reason)
        if self.margin is not None and reason is Reason.UNKNOWN:
            reason = Reason.SCORE
        object.__setattr__(self, "reason", reason)
        if self.winner is not None:
            object.__setattr__(self, "winner", Color(self.winner))
        if self.margin is not None and not (math.isfinite(self.margin) and self.margin >= 0):
            raise ValueError(f"a margin is a number of at least 0, not {self.margin!r}")
        if self.winner is None and self.reason not in _WITHOUT_WINNER:
            raise ValueError(f"a result by {self.reason} has a winner")
        if self.winner is not None and self.reason in (Reason.DRAW, Reason.VOID):
            raise ValueError(f"a {self.reason} has no winner, not {self.winner!r}")
        if self.margin is None and self.reason is Reason.SCORE:
            raise ValueError("a result by score has a margin")
        if self.margin is not None and self.reason not in (Reason.SCORE, Reason.RESIGNATION):
            raise ValueError(f"a result by {self.reason} has no margin, not {self.margin!r}")

    @classmethod
    def parse(cls, text: str, *, game: int = 1) -> Result:
        """The result that a value of RE means in a game, by its GM number.

        Raises ValueError for text that does not follow the format.
        """
        found: Result = read_format("RE", text, game)
        return found

    def __str__(self) -> str:
        if self.winner is None:
            return _WITHOUT_WINNER[self.reason]
        margin = "" if self.margin is None else written_out(self.margin)
        letters = {reason: letter for letter, reason in _LETTERS.items()}
        return f"{self.winner}+{margin}{letters.get(self.reason, '')}"


def written_out(number: float) -> str:
    """The shortest decimal form that gives the number back, without an exponent; -0.0 is 0."""
    from decimal import Decimal  # slow to import

    return f"{Decimal(float.__repr__(number + 0.0)):f}".removesuffix(".0")


# The format of BR and WR: ``5k``, ``3 dan?``, ``9p``.

#: From the weakest.
_GRADES = ("k", "d", "p")
_CERTAINTIES = ("?", "", "*")


@total_ordering
@dataclass(frozen=True, slots=True)
class Rank:
    """A rank in the form that is recommended for Go (properties.html, BR).

    `grade` is "k" for kyu, "d" for dan or "p" for the dan of professionals; `certainty` is "?"
    for an uncertain rank, "*" for an established one, or nothing. The weaker rank is the
    smaller: ``Rank(5, "k") < Rank(1, "k") < Rank(1, "d") < Rank(1, "p")``. Raises ValueError
    for another grade, certainty or number.
    """

    number: int
    grade: str
    certainty: str = ""

    def __post_init__(self) -> None:
        if self.grade not in _GRADES or self.certainty not in _CERTAINTIES or self.number < 0:
            raise ValueError(
                f"a rank is a number with k, d or p, and perhaps ? or *, not {self.number!r}, "
                f"{self.grade!r}, {self.certainty!r}"
            )

    @classmethod
    def parse(cls, text: str) -> Rank:
        """The rank that a value of BR or WR means; raises ValueError for another text."""
        found: Rank = read_format("BR", text)
        return found

    @property
    def _strength(self) -> tuple[int, int, int]:
        number = -self.number if self.grade == "k" else self.number
        return _GRADES.index(self.grade), number, _CERTAINTIES.index(self.certainty)

    def __lt__(self, other: object) -> bool:
        return self._strength < other._strength if isinstance(other, Rank) else NotImplemented

    def __str__(self) -> str:
        return f"{self.number}{self.grade}{self.certainty}"


# The format of RO: ``2``, ``3 (final)``.


class Round(str):
    """A round: the text of RO, with its `number` and `kind` where it has the form recommended.

    That is "2" or "2 (final)" (properties.html, RO). In another form both are None.
    """

    __slots__ = ()

    @property
    def number(self) -> int | None:
        """The number of the round."""
        return self._parts[0]

    @property
    def kind(self) -> str | None:
        """What kind of round it is, such as "final"."""
        return self._parts[1]

    @property
    def _parts(self) -> tuple[int | None, str | None]:
        try:
            found: tuple[int, str | None] = read_format("RO", str(self))
        except ValueError:
            return None, None
        return found


class TextFormats:
    """The productions of these formats; methods of a Lark Transformer."""

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

    def result(self, children: list[Token]) -> Result:
        """``result: DRAW | WINNER (SCORE | REASON)? | VOID | UNKNOWN_RESULT``."""
        parts = {token.type: str(token) for token in children}
        if "WINNER" not in parts:
            kinds = {"DRAW": Reason.DRAW, "VOID": Reason.VOID, "UNKNOWN_RESULT": Reason.UNKNOWN}
            (token,) = children
            return Result(reason=kinds[token.type])
        margin = float(parts["SCORE"]) if "SCORE" in parts else None
        named = parts.get("REASON") or parts.get("RESIGNATION")
        reason = Reason.SCORE if margin is not None else Reason.UNKNOWN
        if named:
            reason = _LETTERS[named[0]]
        return Result(Color(parts["WINNER"][0]), margin, reason)

    #: ``backgammon_result: … WINNER (SCORE RESIGNATION? | REASON)? …``
    backgammon_result = result

    def rank(self, children: list[Token]) -> Rank:
        """``rank: DIGITS BLANK? GRADE CERTAINTY?``."""
        parts = {token.type: str(token) for token in children}
        return Rank(int(parts["DIGITS"]), parts["GRADE"][0], parts.get("CERTAINTY", ""))

    def round(self, children: list[Token]) -> tuple[int, str | None]:
        """``round: DIGITS (BLANK "(" ROUND_KIND ")")?``."""
        parts = {token.type: str(token) for token in children}
        kind = parts.get("ROUND_KIND")
        # The grammar is about bytes.
        return int(parts["DIGITS"]), kind and kind.encode("latin-1").decode()
