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

_NOT_IN_NUMBERS = re.compile(rb"[^-+0-9]")
_NUMBER = re.compile(rb"[-+]?\d")
_DIGIT = re.compile(rb"\d")
#: A result instead of a real number, of which SGFC reads the margin.
_MARGIN = re.compile(rb"[BW]\+\d+(?:\.\d+)?")
_TIMES_WITH_UNITS = re.compile(rb"(?i)(?:\s*\d+(?:\.\d+)?\s*[hms][a-z]*\.?)+\s*")
_NOT_IN_DATES = re.compile(r"[^-,0-9]")
_YEAR_COMMA_MONTH = re.compile(r"\d{4},\d\d")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_MONTH = re.compile(r"(?i)(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_RESULT = re.compile(
    r"(?i)\s*(?:[0?djv]|[bwzs].*(?:[+\d]|res|time|forf|lost|lose|won|win))", re.DOTALL
)


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
            return REWRITTEN if _RESULT.match(value.text) else KEPT
        case "komi":
            is_number = _DIGIT.search(value.raw) or b"half" in value.raw.lower()
            return REWRITTEN if is_number else KEPT
        case "seconds" if definition.type == "game-info":
            return REWRITTEN if _TIMES_WITH_UNITS.fullmatch(value.raw) else KEPT
        case "handicap" if value.matches("number"):
            return SILENT
    if definition.value == "number":
        return REWRITTEN if _NUMBER.match(_NOT_IN_NUMBERS.sub(b"", value.raw)) else DELETED
    if definition.value == "real":
        digit = REWRITTEN if _DIGIT.search(value.raw) else DELETED
        return SILENT if _MARGIN.fullmatch(value.raw) else digit
    return None


def of_point(raw: bytes) -> int | None:
    """The number for a malformed point: SGFC keeps two letters of more characters."""
    return REWRITTEN if len(raw) > 2 else None


def _of_date(value: PropValue) -> int:
    """The number for a list of dates. SGFC deletes what cannot be in it, and knows the names of
    months."""
    kept = re.sub(",+", ",", _NOT_IN_DATES.sub("", value.text)).strip(",")
    if value.matches("date", kept.encode()) or _YEAR_COMMA_MONTH.fullmatch(kept):
        return REWRITTEN
    has_words = _MONTH.search(value.text) and _YEAR.search(value.text)
    return REWRITTEN if has_words else KEPT
