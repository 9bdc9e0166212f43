"""What single values mean, in whatever form they are written."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sgf_lark import grammar

#: Formats of which informal values are understood by fixes: what those values mean is tested with
#: values of known meaning.
_INFORMAL = {"result", "backgammon_result", "date", "seconds", "komi", "handicap", "rank", "game"}
#: The content of an informal value.
UNKNOWN = "(informal)"

SPACE = re.compile(r"[ \t\v\f\r\n\0]+")
_SIZE = re.compile(r"\s*\+?(\d{1,9})(?:\.0*)?(?:\s*(?:[:x*×, ]|by)\s*\+?(\d{1,9}))?\.?\s*")
#: The full-width form of each visible ASCII character, and the character.
_FULL_WIDTH = {0xFF00 + number: 0x20 + number for number in range(1, 0x5F)}
_LETTERS = string.ascii_letters


def of_format(form: str, text: str) -> object:
    """What a value of that format means; None for other formats."""
    if form in _INFORMAL:
        return _informal(form, text)
    if form == "size":
        return sides(text) or text
    if form == "rules":
        synonyms: dict[str, str] = grammar.rule("SGF425").data
        return synonyms.get(text.lower(), text)
    return _figure(text) if form == "figure" and text else None


def sides(text: str) -> tuple[int, int] | None:
    """Columns and rows of the board, also in full-width characters; None if the value of SZ is
    none of the usual forms."""
    written = _SIZE.fullmatch(narrow(text))
    return (int(written[1]), int(written[2] or written[1])) if written else None


def narrow(text: str) -> str:
    """The text with full-width characters as ordinary ones."""
    return text.translate(_FULL_WIDTH)


def ends_or_label(unique: str, text: str) -> object:
    """The ends of an arrow or line, or the point and the text of a label."""
    first, _, second = text.partition(":")
    if unique == "label":
        return re.sub(r"\s", "", first), second
    ends = [re.sub(r"\s", "", end) for end in (first, second)]
    return tuple(ends) if unique == "arrow" else frozenset(ends)


def _figure(text: str) -> object:
    """The flags and the name of FG, of which one may be missing."""
    flags, _, name = text.partition(":") if ":" in text else ("", "", text)
    if text.isdigit():
        flags, name = text, ""
    number = number_in(flags or "0")
    return (Fraction(0), text) if number is None else (number, name.strip(" "))


def point_of_letters(written: str) -> tuple[int, int] | None:
    """The point that two letters name."""
    if re.fullmatch("[A-Za-z]{2}", written) is None:
        return None
    column, row = (_LETTERS.index(letter) for letter in written)
    return column, row


def rectangle(first: tuple[int, int], last: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The points of the rectangle between two corners."""
    columns, rows = zip(first, last, strict=True)
    return product(range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1))


def number_in(text: str) -> Fraction | None:
    """The number that the text is; digits may be missing on one side of the point."""
    if re.fullmatch(r"-?\d+/\d*[1-9]\d*", text):
        return Fraction(text)
    if mixed := re.fullmatch(r"(\d+) (\d+/\d*[1-9]\d*)", text):
        return int(mixed[1]) + Fraction(mixed[2])
    text = re.sub(r"\s", "", text).replace("½", ".5")
    match = re.fullmatch(r"([+-]?)(\d*)[.,]?(\d*)", text)
    if match is None or not (match[2] or match[3]):
        return None
    value = Fraction(f"{match[2] or 0}.{match[3] or 0}")
    return -value if match[1] == "-" else value


def _informal(form: str, text: str) -> object:
    """What a value of that format means; :data:`UNKNOWN` for other forms than the usual ones."""
    if form in ("komi", "handicap", "seconds", "game"):
        number = number_in(text)
        if form == "handicap" and number == 0:
            return ""
        return UNKNOWN if number is None else number
    if form == "date":
        is_date = re.fullmatch(r"\d{4}(-\d\d)*(,[\d-]+)*", text)
        return text[:4] if is_date else UNKNOWN
    if form == "rank":
        match = re.fullmatch(r"(\d+)([kd])(.?)", re.sub(r"(?<=[kd])(an|yu)|[ -]", "", text.lower()))
        return match[0] if match else UNKNOWN
    match = re.fullmatch(r"([BW])\+(.*)", text)
    if match is None:
        return {"draw": "0", "0": "0", "void": "void", "?": "?"}.get(text.lower(), UNKNOWN)
    margin = number_in(match[2].strip(" :!"))
    reason = match[2].strip(" .:!")[:1].upper()
    return match[1], reason if margin is None else margin
