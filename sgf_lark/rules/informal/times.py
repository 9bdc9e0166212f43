"""Informal times: ``9 hours``, ``2h30``, ``1:30:00``, ``3小时``."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from sgf_lark.rules.informal.numbers import decimal, leading_number
from sgf_lark.rules.informal.words import Interpretation, any_of, normalized, vocabulary

#: ``30:00`` or ``1:30:00``.
_CLOCK = re.compile(r"([0-9]{1,4}):([0-5][0-9])(?::([0-5][0-9]))?(?![0-9:.])")
#: The minutes in ``2h30``.
_MINUTES = re.compile(r"[0-5][0-9](?![0-9:.]|\s*[^\W\d_])")
#: As hours and minutes a time such as ``1:30`` is as likely as in minutes and seconds; from this
#: number on the second is far more likely.
_MINUTES_RATHER_THAN_HOURS = 10
#: ``1.30`` hours are 1.3 hours or one and a half.
_MAY_BE_CLOCK = re.compile(r"[0-9]+[.,](?!00)[0-5][0-9](?![0-9])")
#: A description of the overtime follows one of these, or is in parentheses.
_BEFORE_OVERTIME = re.compile(r"[+,;]\s*|\((?=[^()]*\)$)")
#: ``5x1:00``
_PERIODS = re.compile(r"[0-9]+\s*[x×*]\s*[0-9]+(?::[0-9]{2})?(?:\s*\w+\.?)?")


class _Time(NamedTuple):
    """A time in seconds, the units that it was given in, and the text after it."""

    seconds: Fraction
    units: tuple[int, ...]
    rest: str


@cache
def _units() -> dict[str, int]:
    """The number of seconds that each word means."""
    return {word: int(count) for count, words in vocabulary()["times"].items() for word in words}


@cache
def _unit_pattern() -> re.Pattern[str]:
    """A unit, perhaps with a full stop."""
    return re.compile(rf"({any_of(_units())})(\.?)\s*")


@cache
def _joining_pattern() -> re.Pattern[str]:
    """A word or comma between two parts of a time."""
    return re.compile(rf"^(?:{any_of(vocabulary()['dates']['and'])})\s*(?=[0-9])")


def _time_in_units(text: str) -> _Time | None:
    """A sum of numbers, each with a unit, the largest first."""
    total, rest = Fraction(0), text
    units: tuple[int, ...] = ()
    while True:
        following = _joining_pattern().sub("", rest) if units else rest
        found = leading_number(following) if not units or following[:1].isdigit() else None
        if found is None:
            break
        match = _unit_pattern().match(found[1])
        if match is None:
            break
        unit = _units()[match[1]]
        if (units and unit >= units[-1]) or (unit > 1 and _MAY_BE_CLOCK.match(following)):
            return None
        total, units, rest = total + found[0] * unit, (*units, unit), found[1][match.end() :]
        minutes = _MINUTES.match(rest)
        if unit == 3600 and minutes and match[0] == match[1]:
            total, units = total + 60 * int(minutes[0]), (*units, 60)
            rest = rest[minutes.end() :].strip()
    if not units or total < 0 or rest[:1].isdigit():
        return None
    return _Time(total, units, rest)


def _interpretation(text: str) -> tuple[Interpretation, tuple[int, ...]] | None:
    """A time with the text after it, and the units that it was given in."""
    clock = _CLOCK.match(text)
    if clock is not None:
        first, second, third = map(int, clock.groups("0"))
        total = first * 3600 + second * 60 + third if clock[3] else first * 60 + second
        if not clock[3] and first < _MINUTES_RATHER_THAN_HOURS:
            return None
        rest = text[clock.end() :].strip()
        return Interpretation(str(total), rest, certain=bool(clock[3])), ()
    time = _time_in_units(text)
    if time is None or (written := decimal(time.seconds)) is None:
        return None
    return Interpretation(written, time.rest), time.units


def seconds(text: str) -> Interpretation | None:
    """A time in seconds, such as the time left; the rest is the text after the time."""
    found = _interpretation(normalized(text))
    return found[0] if found else None


def time_limit(text: str) -> tuple[Interpretation, str] | None:
    """A time limit in seconds, and the description of the overtime after it.

    Seconds after minutes or hours are not certain: they may be those of the overtime. Neither is
    a rest that has not the form of a description of overtime.
    """
    before = any_of(vocabulary()["time_limit"]["before"])
    normal = normalized(text)
    found = _interpretation(re.sub(rf"^(?:(?:{before})[\s:]*)+", "", normal))
    if found is None:
        return None
    interpretation, units = found
    rest = interpretation.rest
    if not _BEFORE_OVERTIME.match(rest) and _describes_overtime(rest):
        return None  # The number before the rest may be that of the overtime.
    if len(units) > 1 and units[-1] == 1:
        return interpretation._replace(certain=False), ""
    overtime = _as_written(_overtime(rest), text)
    if not overtime:
        return interpretation, ""
    return interpretation._replace(rest=""), overtime


def _describes_overtime(text: str) -> bool:
    """Whether the text has a word for overtime."""
    return bool(re.search(any_of(vocabulary()["overtime"]["words"]), text))


def _overtime(text: str) -> str:
    """The description of overtime that `text` is, or nothing if it may be anything else."""
    match = _BEFORE_OVERTIME.match(text)
    if match is None or not re.search("[0-9]", text):
        return ""
    described = text[match.end() :]
    if match[0] == "(":
        described = described[:-1].strip()
        if _PERIODS.fullmatch(described):
            return described
    return described if _describes_overtime(described) else ""


def _as_written(part: str, text: str) -> str:
    """`part`, which is normalized, as `text` has it near its end; nothing if it differs."""
    text = " ".join(text.split())
    place = text.casefold().rfind(part)
    written = text[place : place + len(part)]
    return written if written.casefold() == part else ""
