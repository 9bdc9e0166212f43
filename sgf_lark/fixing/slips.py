"""Slips: what can go wrong with the brackets of a file, and how each is undone."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple


class Where(Enum):
    """The windows in which a slip is undone."""

    ANYWHERE = "anywhere"
    #: In values of points, moves and stones, which have letters and digits only.
    POINTS = "points"
    #: In texts, where brackets are allowed.
    TEXTS = "texts"


#: The slips that are undone in each kind of window.
SLIPS_IN = {
    Where.ANYWHERE: {Where.ANYWHERE},
    Where.POINTS: {Where.ANYWHERE, Where.POINTS},
    Where.TEXTS: {Where.TEXTS},
}


class Slip(NamedTuple):
    """What can go wrong with the brackets of a file, and how it is undone.

    `pattern` finds the places in a window, and `replacement` is what to write there, after the
    group of the pattern if it has one. `reason` is the message; ``{here}`` is what is at the
    place, ``{next}`` what follows.
    """

    reason: str
    pattern: re.Pattern[bytes]
    replacement: bytes
    where: Where


_NAMES = {
    "~": r"[\x00-\x20\x7f]*",
    # An identifier and the "[" after it.
    "PROPERTY": r"[A-Z]+~\[",
    # Where an identifier begins: at the beginning of the window, or after another token.
    "BEGIN": r"(?:\A|(?<=[;\])]))~",
    # The "]" of a value, before the place.
    "CLOSED": r"(?<=\])(?<!\\\])",
    # One character that is not part of a value, also one of several bytes.
    "OTHER": r"(?:[\x80-\xff]{1,4}|[^\[\]\\A-Za-z0-9\s;\x80-\xff])",
    # The beginning of a game tree or variation.
    "TREE": r"\(~;",
    # The same with junk in it.
    "VARIATION": r"\([^()\[\]\\;]{0,60};",
    # What is not part of any token, up to the next "[".
    "STRAY": r"(?!VARIATION)[^A-Za-z0-9\[\\]"
    r"(?:(?:(?!VARIATION)[^\[\\]){0,60}?(?!VARIATION)[^A-Za-z0-9\[\\])??(?:\[\])?",
    # What is not part of a value: without letters and digits, around words, or brackets. A
    # parenthesis after a "]" is outside of it.
    "SIGNS": r"(?:(?!\]~[()])[^A-Za-z0-9:\\])+",
    "WORDS": r"[^A-Za-z0-9:\[\]\\](?:(?!PROPERTY)[^\[\]\\]){1,60}[^A-Za-z0-9:\[\]\\]",
    "BRACKETS": r"(?:\[\]|[()\[{}\x00-\x1f])(?:\[\]|[()\[{}\x00-\x1f> ])*",
}


def _slip(reason: str, pattern: str, replacement: str, where: Where = Where.ANYWHERE) -> Slip:
    for name in reversed(_NAMES):
        pattern = pattern.replace(name, _NAMES[name])
    return Slip(reason, re.compile(pattern.encode(), re.DOTALL), replacement.encode(), where)


#: The slips. A window begins with an identifier, or with the "[" of a value.
SLIPS = (
    _slip(
        'a "]" is missing before {next}',
        r"(?<=[^\[\]\\;])(?=~(?:;~PROPERTY|PROPERTY|\)~[();]|TREE))|(?<=[^\[\]\\;A-Z])(?=~\[)",
        "]",
    ),
    _slip(
        '{here} is in place of a "]"',
        r"(?<=[^\[])(?!TREE)OTHER(?=~(?:;|PROPERTY|\[|[()]|\Z))",
        "]",
    ),
    *(
        _slip(
            'a "[" is missing before {next}',
            rf"(BEGIN[A-Z]{length})~(?=[^\[\]\\()\s;][^\[\]\\]*\])",
            "[",
        )
        for length in ("", "{2}", "{3,9}")
    ),
    _slip('a "[" is missing before {next}', r"CLOSED(?=[^\[\]\\();\s]+\])", "["),
    _slip(
        'a "[" is missing before {next}',
        r"CLOSED(~;~[A-Z]|[A-Z]{2}(?![a-z]))(?=[^\[\]\\()\s;][^\[\]\\]*\]\Z)",
        "[",
        Where.TEXTS,
    ),
    _slip(
        '{here} is in place of a "["',
        r"CLOSED(~[A-Z]{2})OTHER(?=[^\[\]\\]*\]\Z)",
        "[",
        Where.TEXTS,
    ),
    _slip(
        "{here} does not belong before the value",
        r"CLOSED(~[A-Z]{2})[^A-Za-z0-9\[\\\s]{1,3}(?=\[[^\[\]]*\]\Z)",
        "",
        Where.TEXTS,
    ),
    _slip('{here} is in place of a "["', r"(BEGIN[A-Z]+)OTHER(?=[^\[\]\\]*\])", "["),
    _slip('{here} is in place of a "["', r"CLOSEDOTHER(?=[^\[\]\\]*\])", "["),
    _slip("{here} does not belong before the value", r"(BEGIN[A-Z]+)STRAY(?=\[)", ""),
    _slip("{here} does not belong in the identifier", r"(BEGIN[A-Z])(?!~;)STRAY(?=[A-Z]~\[)", ""),
    _slip("{here} does not belong after the value", r"CLOSEDSTRAY(?=PROPERTY|;)", ""),
    *(
        _slip(
            "{here} does not belong between parentheses",
            rf"({closed}(?:~[()])+~)\](?=~(?:[();]|\Z))",
            "",
            where,
        )
        for closed, where in (("CLOSED", Where.ANYWHERE), (r"\A\[[^\[\]\\]*\]", Where.TEXTS))
    ),
    _slip('a "[" too many is before {next}', r"(?:CLOSED|\A)~\[(?=~(?:;|PROPERTY))", ""),
    _slip('a "[" too many is before {next}', r"(BEGIN[A-Z])\[(?=[A-Z]\[)", ""),
    _slip("zero bytes are in the value", r"\x00", " "),
    _slip("{here} does not belong between the values", r"CLOSEDSTRAY(?=\[)", ""),
    # Between two digits it may be a decimal point.
    _slip(
        "{here} does not belong in the value",
        r"(?<=\[);+(?=[0-9])|(?<=[0-9]);+(?=[].])|(?<=\.);+(?=[0-9])",
        "",
    ),
    *(
        _slip(
            "{here} does not belong in the value",
            rf"(?<={inner}){stray}(?={inner}|\])|(?<=\[){stray}(?={inner})",
            "",
            where,
        )
        for inner, stray, where in (
            ("[A-Za-z0-9:]", "SIGNS", Where.POINTS),
            ("[A-Za-z0-9:]", "WORDS", Where.POINTS),
            ("[A-Za-z0-9.+-]", "BRACKETS", Where.ANYWHERE),
        )
    ),
)
