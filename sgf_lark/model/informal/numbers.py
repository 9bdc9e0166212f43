"""Informal numbers, times and ranks: ``6,5``, ``three and a half points``, ``2h30``, ``9 Dan``."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from sgf_lark.model.informal.words import (
    CHINESE_NUMERAL,
    LONGEST,
    REMARK,
    Interpretation,
    any_of,
    by_length,
    in_digits,
    leading_word,
    normalized,
    numbers_of_words,
    vocabulary,
)

#: Text in which the number has no clear end, such as a further number.
_MORE_OF_A_NUMBER = re.compile(r"[0-9.,/:']|[-–—+~]\s*[0-9]")
_SIGN = re.compile(r"-|\+\s?")
#: After a number in words: what would belong to it if it were in digits.
_CONTINUES_A_WORD = re.compile(r"\s*[.,]|[0-9/:']")
#: A comma before three digits may separate thousands.
_MAY_BE_THOUSANDS = re.compile(r"(?!0[.,])[0-9]+[.,][0-9]{3}")
#: A half after the unit: ``6目半``.
_HALF_AFTER_UNIT = re.compile(r"(目|집|子|小时|小時|時間|시간)\s*(半|반)")
#: ``四分之三``: the denominator comes first.
_CHINESE_FRACTION = re.compile(r"([0-9]+)分之([0-9]+)")
_LEADING_NUMERAL = re.compile(rf"^{CHINESE_NUMERAL}")
#: A komi in hundredths; the largest one in points that is written for it, and in stones.
_HUNDREDTHS = re.compile(r"[-+]?[0-9]{3,4}")
_FRACTION_OF_STONES = re.compile(r"^([0-9]+)子又?([0-9]+/[0-9]+)$")
_LARGEST_USUAL_KOMI = 20
_MOST_STONES_OF_KOMI = 4
_HALF = re.compile(r"半|반(?=집|시간)|(?<=[a-zü])(?:einhalb|[eë]nhal(?:f|ve))")


@cache
def _number_pattern() -> re.Pattern[str]:
    """A number, in digits or as a half in words."""
    words = vocabulary()["numbers"]
    return re.compile(
        rf"""
        (?: (?: (?P<whole>[0-9]{{1,15}}) (?:\s+|\s*又\s*) )?
            (?P<numerator>[0-9]{{1,2}}) / (?P<denominator>[0-9]{{1,2}})
          | (?P<with_half>[0-9]{{1,15}}) \s+ (?:{any_of(words["and_a_half"])})
          | (?P<decimal>(?:[0-9]{{0,15}}|[0-9]{{1,15}}\s(?=\.))[.,][0-9]{{1,9}}(?:\.(?=\s|$))?
              |[0-9]{{1,15}}\.?)
          | (?P<half>(?:{any_of(words["half"])}) | (?:{any_of(words["half_of"])})(?=\s*\w))
        )
        """,
        re.VERBOSE,
    )


def decimal(value: Fraction) -> str | None:
    """`value` with all its decimals; None if there are more than five."""
    for places in range(6):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).zfill(places + 1)
            text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
            return f"-{text}" if value < 0 else text
    return None


def leading_number(text: str) -> tuple[Fraction, str] | None:
    """The number at the beginning of a normalized text, and the text after it."""
    if len(text) > LONGEST:
        return None
    text = _HALF.sub(" 1/2", _HALF_AFTER_UNIT.sub(r"\2\1", text)).strip()
    text = re.sub(CHINESE_NUMERAL, in_digits, text) if "分之" in text else text
    text = _LEADING_NUMERAL.sub(in_digits, _CHINESE_FRACTION.sub(r"\2/\1", text))
    sign = _SIGN.match(text)
    text = text[sign.end() :] if sign else text
    is_half = bool(leading_word(text, vocabulary()["numbers"]["half"]))  # such as "one half"
    names = numbers_of_words("numbers", "names")
    if not is_half and (word := leading_word(text, names)):
        rest = text[len(word) :]
        if _CONTINUES_A_WORD.match(rest):
            return None
        text = f"{names[word]}{rest}"
    match = _number_pattern().match(text)
    if match is None:
        return None
    rest = text[match.end() :].strip()
    value = _value(match.groupdict())
    if value is None or _MORE_OF_A_NUMBER.match(rest):
        return None
    return (-value if sign and sign[0] == "-" else value), rest


def _value(parts: dict[str, str | None]) -> Fraction | None:
    """The value of the parts of a number; None if they can be understood in two ways."""
    if parts["numerator"] is not None:
        assert parts["denominator"] is not None
        numerator, denominator = int(parts["numerator"]), int(parts["denominator"])
        # 51/2 may be 5 1/2.
        if not 0 < numerator < denominator:
            return None
        return Fraction(parts["whole"] or 0) + Fraction(numerator, denominator)
    if parts["with_half"]:
        return Fraction(parts["with_half"]) + Fraction(1, 2)
    if parts["half"]:
        return Fraction(1, 2)
    assert parts["decimal"] is not None
    digits = parts["decimal"].rstrip(".").replace(" ", "")
    if _MAY_BE_THOUSANDS.fullmatch(digits):
        return None
    return Fraction("0" + digits.replace(",", "."))


def number_with_unit(text: str, units: list[str]) -> tuple[Fraction, str] | None:
    """The number at the beginning of a normalized text, and the text after it and its unit.

    The unit may be missing, be in parentheses, or have "and a half" after it.
    """
    found = leading_number(text)
    if found is None:
        return None
    value, rest = found
    enclosed = re.match(r"\(([^()]*)\)", rest)
    text = enclosed[1].strip() if enclosed else rest
    unit = leading_word(text, units)
    after = text[len(unit) :].removeprefix(".")
    if not unit or (enclosed and after):
        return value, rest
    rest = (rest[enclosed.end() :] if enclosed else after).strip()
    half = leading_word(rest, vocabulary()["numbers"]["and_a_half"])
    if half and value.denominator == 1 and value >= 0:
        return value + Fraction(1, 2), rest[len(half) :].strip()
    return value, rest


def _interpretation(text: str, about: dict[str, list[str]]) -> Interpretation | None:
    """A number with one of the words `about` it before and after it; a remark may follow."""
    prefix = rf"(?:{any_of(about['before'])})\s*[:=]?\s*" if "before" in about else ""
    found = number_with_unit(re.sub(rf"^{prefix}", "", normalized(text)), about.get("after", []))
    if found is None or (written := decimal(found[0])) is None:
        return None
    rest = found[1]
    if rest and not REMARK.match(rest) and rest not in about.get("remarks", []):
        return None
    return Interpretation(written, rest)


def number(text: str) -> Interpretation | None:
    """A number without a unit: ``5 1/2``, ``,5``, ``7.``."""
    found = _interpretation(text, {})
    return found if found and not found.rest else None


def number_with_text(text: str) -> Interpretation | None:
    """A number with letters after it that have no meaning to programs: ``1 kk``.

    Those of a unit of time have one.
    """
    found = leading_number(normalized(text))
    if found is None or (written := decimal(found[0])) is None:
        return None
    if not re.fullmatch(r"[^\W\d_]*[.!?]*", found[1]) or _unit_pattern().match(found[1]):
        return None
    return Interpretation(written, found[1].strip("."))


def komi(text: str) -> Interpretation | None:
    """A komi: ``6.5 points``, ``Komi 5½``, ``6目半``, ``no komi``.

    "None" is not understood: programs in Python write it for an unknown komi. "half" may be half
    a point, or half of the usual komi.
    """
    words = vocabulary()["komi"]
    normal = normalized(text)
    if normal in words["none"] and text.strip() != "None":
        return Interpretation("0")
    if normal in words["half"]:
        return Interpretation("0.5", certain=False)
    reverse = leading_word(normal, words["reverse"])
    found = _interpretation(normal.removeprefix(reverse).lstrip(" :="), words)
    if found is None:
        amount = re.sub(rf"^(?:{any_of(words['before'])})\s*[:=]?\s*", "", normal)
        stones = points_of_stones(amount, limit=_MOST_STONES_OF_KOMI)
        return None if stones is None else Interpretation(stones, certain=False)
    if not reverse and not re.search(any_of(words["reverse"]), found.rest):
        return found
    return None if found.value.startswith("-") else found._replace(value=f"-{found.value}")


def points_of_stones(text: str, limit: int) -> str | None:
    """The points of a normalized number of stones, such as ``2又3/4子``, by the rules of China: a
    stone more for one player is one less for the other.

    Half a stone may be what is called half a point elsewhere.
    """
    found = leading_number(_FRACTION_OF_STONES.sub(r"\1又\2子", text))
    if found is None or found[1].strip(" .") not in vocabulary()["komi"]["stones"]:
        return None
    stones = found[0]
    if not 0 < stones <= limit or stones == Fraction(1, 2):
        return None
    return decimal(2 * stones)


def points_of_hundredths(text: str) -> str | None:
    """The points of a komi that programs write in hundredths of points, or of stones if they are
    quarters: 750, 375."""
    match = _HUNDREDTHS.fullmatch(text)
    if match is None:
        return None
    komi = Fraction(int(match[0]), 100)
    if (2 * komi).denominator > 1:
        komi *= 2  # of stones, each of which counts two points
    is_usual = (2 * komi).denominator == 1 and abs(komi) <= _LARGEST_USUAL_KOMI
    return decimal(komi) if is_usual else None


def handicap(text: str) -> Interpretation | None:
    """A number of handicap stones: ``2.``, ``3 stones``, ``H4``, ``four``, ``none``.

    "None" is not understood, as in a komi. A handicap without stones is none in SGF.
    """
    words = vocabulary()["handicap"]
    if normalized(text) in words["none"] and text.strip() != "None":
        return Interpretation("0")
    if normalized(text) in words["without_stones"]:
        return Interpretation("0", certain=False)
    found = _interpretation(text, words)
    return found if found and found.value.isdigit() else None


#: Two numbers of a board size, columns first; if nothing joins them, they have to be equal.
_TWO_SIZES = re.compile(r"([0-9]{1,4})(?:\s*([:x*×])\s*|\s+(by)\s+|[\s,;/-]+)([0-9]{1,4})")
#: Letters in the place of digits.
_LOOKALIKES = str.maketrans("lIoO", "1100")
#: Larger boards are more likely an error.
_LARGEST_BOARD = 52


def size(text: str) -> Interpretation | None:
    """A board size: ``19x19``, ``13 by 9``, ``19,19``, ``9路``, ``19 lines``, ``l9``."""
    words = vocabulary()["size"]
    normal = normalized(text).strip(" .")
    unit = next((word for word in by_length(words["after"]) if normal.endswith(word)), "")
    sides = normal.removesuffix(unit).strip()
    if match := _TWO_SIZES.fullmatch(sides):
        columns, rows = int(match[1]), int(match[4])
        if not columns or not rows or (columns != rows and not (match[2] or match[3])):
            return None
        return Interpretation(str(columns) if columns == rows else f"{columns}:{rows}")
    digits = "".join(text.split())
    if not digits.isdigit() and re.fullmatch(r"[0-9]{1,2}", digits.translate(_LOOKALIKES)):
        side = int(digits.translate(_LOOKALIKES))
        return Interpretation(str(side), certain=False) if 1 < side <= _LARGEST_BOARD else None
    found = number_with_text(sides)
    return found if found and found.value.isdigit() and int(found.value) > 0 else None


# Informal times: ``9 hours``, ``2h30``, ``1:30:00``, ``3小时``.

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


@cache
def _unit_pattern() -> re.Pattern[str]:
    """A unit, perhaps with a full stop."""
    return re.compile(rf"({any_of(numbers_of_words('times'))})(\.?)\s*")


@cache
def _joining_pattern() -> re.Pattern[str]:
    """A word or comma between two parts of a time."""
    return re.compile(rf"^(?:{any_of(vocabulary()['dates']['and'])})\s*(?=[0-9])")


#: A time in seconds, with the text after it, and the units that it was given in.
_Time = tuple[Interpretation, tuple[int, ...]]


def _time_in_units(text: str) -> _Time | None:
    """A sum of numbers, each with a unit, the largest first."""
    total, rest = Fraction(0), text
    units: tuple[int, ...] = ()
    while True:
        following = _joining_pattern().sub("", rest) if units else rest
        is_number = not units or re.match(rf"[0-9]|{CHINESE_NUMERAL}", following)
        found = leading_number(following) if is_number else None
        if found is None:
            break
        match = _unit_pattern().match(found[1])
        if match is None:
            break
        unit = numbers_of_words("times")[match[1]]
        if (units and unit >= units[-1]) or (unit > 1 and _MAY_BE_CLOCK.match(following)):
            return None
        total, units, rest = total + found[0] * unit, (*units, unit), found[1][match.end() :]
        minutes = _MINUTES.match(rest)
        if unit == 3600 and minutes and match[0] == match[1]:
            total, units = total + 60 * int(minutes[0]), (*units, 60)
            rest = rest[minutes.end() :].strip()
    written = decimal(total)
    if written is None or not units or total < 0 or rest[:1].isdigit():
        return None
    return Interpretation(written, rest), units


def _time(text: str) -> _Time | None:
    """A time on a clock, or in units."""
    clock = _CLOCK.match(text)
    if clock is None:
        return _time_in_units(text)
    first, second, third = map(int, clock.groups("0"))
    total = first * 3600 + second * 60 + third if clock[3] else first * 60 + second
    if not clock[3] and first < _MINUTES_RATHER_THAN_HOURS:
        return None
    return Interpretation(str(total), text[clock.end() :].strip(), certain=bool(clock[3])), ()


def seconds(text: str) -> Interpretation | None:
    """A time in seconds, such as the time left; the rest is the text after the time."""
    found = _time(normalized(text))
    return found[0] if found else None


def time_limit(text: str) -> tuple[Interpretation, str] | None:
    """A time limit in seconds, and the description of the overtime after it.

    Seconds after minutes or hours are not certain: they may be those of the overtime. Neither is
    a rest that has not the form of a description of overtime.
    """
    before = any_of(vocabulary()["time_limit"]["before"])
    normal = normalized(text)
    found = _time(re.sub(rf"^(?:(?:{before})[\s:]*)+", "", normal))
    if found is None:
        return None
    interpretation, units = found
    rest = interpretation.rest
    if not _BEFORE_OVERTIME.match(rest) and _describes_overtime(rest):
        # The number before the rest may be that of the overtime, unless it has one of its own.
        is_limit = units[:1] == (3600,) and re.search(r"[0-9]", rest)
        return (interpretation._replace(certain=False), "") if is_limit else None
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
    is_known = _PERIODS.fullmatch(described) or _describes_overtime(described)
    return described if is_known else ""


def _as_written(part: str, text: str) -> str:
    """`part`, which is normalized, as `text` has it near its end; nothing if it differs."""
    text = " ".join(text.split())
    place = text.casefold().rfind(part)
    written = text[place : place + len(part)]
    return written if written.casefold() == part else ""


# Informal ranks: ``9 Dan``, ``5 KYU``, ``3級``, ``pro 3``, ``P9段``, ``초단``.


@cache
def _rank_pattern() -> re.Pattern[str]:
    """A number with a grade before or after it, and with what kind of player has it."""
    words = vocabulary()["ranks"]
    kind = rf"\(?(?P<kind{{0}}>{any_of(words['professional'] + words['amateur'])})\)?"
    grade = any_of([*words["kyu"], *words["dan"], *words["dan_of_all"]])
    return re.compile(
        rf"""
        (?:{kind.format(1)}[\s.-]*)?
        (?: (?P<named>{any_of(words["names"])})
          | (?P<number>[0-9]{{1,2}} | {CHINESE_NUMERAL} | {any_of(words["first"])})
            (?:st|nd|rd|th)? (?: [\s.-]*(?P<grade>{grade})\.? )?
          | (?P<first_grade>{grade}) [\s.-]* (?P<last_number>[0-9]{{1,2}})
        )
        (?:[\s.,-]*{kind.format(2)}\.?)? \s* (?P<certainty>[?*]?) \s* (?P<rest>(?:\(.*\))?)
        """,
        re.VERBOSE,
    )


def rank(text: str) -> Interpretation | None:
    """A rank in the recommended form; a remark in parentheses may follow. Other words and marks are
    not understood.

    ``9段`` is the rank of an amateur or of a professional, so that it is not certain.
    """
    words = vocabulary()["ranks"]
    match = _rank_pattern().fullmatch(normalized(text))
    if match is None or (match["kind1"] and match["kind2"]):
        return None
    kind = match["kind1"] or match["kind2"] or ""
    number = match["number"] or match["last_number"]
    grade = match["grade"] or match["first_grade"] or ""
    if match["named"]:
        number, grade = str(words["names"][match["named"]]), words["dan_of_all"][0]
    elif number in words["first"]:
        number = "1"
    elif not number.isdigit():
        number = re.sub(CHINESE_NUMERAL, in_digits, number)
    is_professional = kind in words["professional"]
    if grade in words["kyu"]:
        letter = "" if is_professional else "k"
    else:
        letter = "p" if is_professional else "d" if grade else ""
    if not letter or not 0 < int(number) <= words["highest"][letter]:
        return None
    certain = bool(kind) or grade not in words["dan_of_all"]
    written = f"{int(number)}{letter}{match['certainty']}"
    return Interpretation(written, match["rest"], certain and not match["first_grade"])
