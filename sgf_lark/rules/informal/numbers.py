"""Informal numbers: ``6,5``, ``5 1/2``, ``three and a half points``, ``6目半``."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from sgf_lark.rules.informal.words import (
    REMARK,
    Interpretation,
    any_of,
    leading_word,
    normalized,
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
_HALF_AFTER_UNIT = re.compile(r"(目|집|小时|小時|時間|시간)\s*(半|반)")
_HALF = re.compile(r"半|반(?=집|시간)|(?<=[a-zü])(?:einhalb|[eë]nhal(?:f|ve))")


@cache
def _number_words() -> dict[str, int]:
    """The whole number that each word means."""
    names = vocabulary()["numbers"]["names"]
    return {word: int(number) for number, words in names.items() for word in words}


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
    text = _HALF.sub(" 1/2", _HALF_AFTER_UNIT.sub(r"\2\1", text)).strip()
    sign = _SIGN.match(text)
    text = text[sign.end() :] if sign else text
    is_half = bool(leading_word(text, vocabulary()["numbers"]["half"]))  # such as "one half"
    if not is_half and (word := leading_word(text, _number_words())):
        rest = text[len(word) :]
        if _CONTINUES_A_WORD.match(rest):
            return None
        text = f"{_number_words()[word]}{rest}"
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
    """A number with letters after it that have no meaning to programs: ``1 kk``."""
    found = leading_number(normalized(text))
    if found is None or (written := decimal(found[0])) is None:
        return None
    if not re.fullmatch(r"[^\W\d_]*[.!?]*", found[1]):
        return None
    return Interpretation(written, found[1].strip("."))


def komi(text: str) -> Interpretation | None:
    """A komi: ``6.5 points``, ``Komi 5½``, ``6目半``, ``no komi``.

    "None" is not understood: programs in Python write it for an unknown komi. "half" may be half
    a point, or half of the usual komi.
    """
    words = vocabulary()["komi"]
    if normalized(text) in words["none"] and text.strip() != "None":
        return Interpretation("0")
    if normalized(text) in words["half"]:
        return Interpretation("0.5", certain=False)
    return _interpretation(text, words)


def handicap(text: str) -> Interpretation | None:
    """A number of handicap stones: ``2.``, ``3 stones``, ``H4``, ``four``, ``none``.

    "None" is not understood, as in a komi.
    """
    words = vocabulary()["handicap"]
    if normalized(text) in words["none"] and text.strip() != "None":
        return Interpretation("0")
    found = _interpretation(text, words)
    return found if found and found.value.isdigit() else None
