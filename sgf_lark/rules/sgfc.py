"""The numbers under which SGFC reports values, where they depend on the value.

The catalogue has one number for each rule. SGFC distinguishes values that it can rewrite from
those that it cannot; and in games other than Go it checks neither points, stones and moves nor
the size of the board. Its rewriting is a guess in many cases, so that no fix depends on it.
"""

from __future__ import annotations

import re

from sgf_lark import grammar
from sgf_lark.diagnostics import SILENT
from sgf_lark.model.property import PropValue
from sgf_lark.model.tree import GameTree

#: SGFC rewrites the value; it deletes it; it keeps game information that it cannot read.
REWRITTEN, DELETED, KEPT = 15, 14, 33
#: SGFC does not know the property.
UNKNOWN = 35

_GO = 1
_OF_BOARD = {"point", "stone", "move"}

_NOT_IN_NUMBERS = rb"[^-+0-9]"
_NUMBER = rb"[-+]?\d"
_DIGIT = rb"\d"
#: A result instead of a real number, of which SGFC reads the margin.
_MARGIN = rb"[BW]\+\d+(?:\.\d+)?"
_TIMES_WITH_UNITS = rb"(?i)(?:\s*\d+(?:\.\d+)?\s*[hms][a-z]*\.?)+\s*"
_NOT_IN_DATES = r"[^-,0-9]"
_YEAR_COMMA_MONTH = r"\d{4},\d\d"
_YEAR = r"(?<!\d)\d{4}(?!\d)"
_MONTH = r"(?i)(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_RESULT = r"(?is)\s*(?:[0?djv]|[bwzs].*(?:[+\d]|res|time|forf|lost|lose|won|win))"


def knows(ident: str) -> bool:
    """Whether SGFC knows the property: not one of other games than Go, or without a type."""
    return any(
        not entry.games or (_GO in entry.games and entry.value != "unknown")
        for entry in grammar.definitions(ident)
    )


def in_go(tree: GameTree, number: int | None = None) -> int | None:
    """A number for findings about the position, which SGFC knows in Go only."""
    return number if tree.game == _GO else SILENT


def where_checked(value: PropValue, number: int | None) -> int | None:
    """The number, or SILENT if SGFC does not check such values in the game."""
    definition = value.definition
    if value.tree.game == _GO:
        return number
    if not knows(definition.ident) or definition.format == "size":
        return SILENT
    is_of_board = not definition.kinds.isdisjoint(_OF_BOARD)
    return SILENT if is_of_board and (value.raw or definition.is_move) else number


def of_value(value: PropValue) -> int | None:
    """The number for a value that does not follow its type or format; None if that depends on
    nothing but the rule."""
    definition = value.definition
    match definition.format:
        case "date":
            return _of_date(value)
        case "result" | "backgammon_result":
            return REWRITTEN if re.match(_RESULT, value.text) else KEPT
        case "komi":
            is_number = re.search(_DIGIT, value.raw) or b"half" in value.raw.lower()
            return REWRITTEN if is_number else KEPT
        case "seconds" if definition.type == "game-info":
            return REWRITTEN if re.fullmatch(_TIMES_WITH_UNITS, value.raw) else KEPT
        case "handicap" if value.matches("number"):
            return SILENT
    if definition.value == "number":
        return REWRITTEN if re.match(_NUMBER, re.sub(_NOT_IN_NUMBERS, b"", value.raw)) else DELETED
    if definition.value == "real":
        digit = REWRITTEN if re.search(_DIGIT, value.raw) else DELETED
        return SILENT if re.fullmatch(_MARGIN, value.raw) else digit
    return None


def of_point(raw: bytes) -> int | None:
    """The number for a malformed point: SGFC keeps two letters of more characters."""
    return REWRITTEN if len(raw) > 2 else None


def _of_date(value: PropValue) -> int:
    """The number for a list of dates. SGFC deletes what cannot be in it, and knows the names of
    months."""
    kept = re.sub(",+", ",", re.sub(_NOT_IN_DATES, "", value.text)).strip(",")
    if value.matches("date", kept.encode()) or re.fullmatch(_YEAR_COMMA_MONTH, kept):
        return REWRITTEN
    has_words = re.search(_MONTH, value.text) and re.search(_YEAR, value.text)
    return REWRITTEN if has_words else KEPT
