"""The tables of the screen and of the cache, derived from the rules."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sgf_lark import grammar
from sgf_lark.engine.columns import PointTable
from sgf_lark.engine.kinds import CleanIf, PropertyBits
from sgf_lark.engine.screen import Screen
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.board import BLACK, EMPTY, PLAYED, SET_UP, WHITE
from sgf_lark.model.position import has_board
from sgf_lark.model.values import Context
from sgf_lark.model.values.games import names_of_points
from sgf_lark.model.values.go import has_short_pass
from sgf_lark.model.values.reader import reader
from sgf_lark.rules.registry import Plain, Scope, plays
from sgf_lark.validation.derivation import (
    clean_in_nodes,
    clean_kinds,
    sample_context,
)
from sgf_lark.validation.runner import ActiveRules

#: How properties of each kind of plain value are clean, where the cache knows the kind.
_CLEAN_IF = {
    Plain.TEXT: CleanIf.TEXT,
    Plain.MOVE: CleanIf.POINT,
    Plain.POINTS: CleanIf.LIST,
    Plain.LABELS: CleanIf.LABELS,
    Plain.DATE: CleanIf.DATE,
}

#: The same for the screen, which knows no lists but that of one mark.
_PLAIN_BITS = {
    Plain.TEXT: PropertyBits.PLAIN_TEXT,
    Plain.NUMBER: PropertyBits.PLAIN_NUMBER,
    Plain.REAL: PropertyBits.PLAIN_REAL,
    Plain.MOVE: PropertyBits.PLAIN_MOVE,
    Plain.POINTS: PropertyBits.PLAIN_MARK,
}
_MOVE_BITS = {BLACK: PropertyBits.BLACK_MOVE, WHITE: PropertyBits.WHITE_MOVE}
_SETUP_BITS = {
    BLACK: PropertyBits.SETS_BLACK,
    WHITE: PropertyBits.SETS_WHITE,
    EMPTY: PropertyBits.SETS_EMPTY,
}

_FIRST_FORMAT_WITH_EMPTY_PASS = 4

#: The screen knows identifiers of at most this many letters.
_LONGEST_IDENT = 2


class Derived(NamedTuple):
    """What the accelerated validation derives from the active rules for trees of one context.

    `clean_if` has, for an identifier, how its properties are written if nothing is found in
    them; `points` are those of the board.
    """

    screen: Screen
    points: PointTable
    clean_if: dict[bytes, int]


@lru_cache(maxsize=64)
def derived(rules: ActiveRules, context: Context) -> Derived:
    """The tables for trees of that context."""
    clean_if, bits = _tables(rules, sample_context(context.game, context.file_format))
    points = _points(reader(context).rule("point"), context.size)
    is_followed = has_board(context)
    screen = Screen(
        bits,
        points,
        is_followed,
        b"tt" if is_followed and has_short_pass(context.size) else b"",
        is_followed and context.file_format >= _FIRST_FORMAT_WITH_EMPTY_PASS,
    )
    return Derived(screen, points, clean_if)


@lru_cache(maxsize=64)
def _points(production: str, size: tuple[int, int] | None) -> PointTable:
    """The table of the points of a board; without points where the game cannot write them."""
    names = names_of_points(production, size)
    return PointTable(names, *size) if names and size is not None else PointTable([], 0, 0)


@lru_cache(maxsize=256)
def _tables(
    rules: ActiveRules, context: Context
) -> tuple[dict[bytes, int], dict[str, PropertyBits]]:
    """What is clean in the cache, and the bits of the screen, by identifiers."""
    kinds = clean_kinds(rules, context)
    clean_if = {
        ident.encode("latin-1"): int(_CLEAN_IF[kind])
        for ident, kind in kinds.items()
        if kind in _CLEAN_IF
    }
    return clean_if, _bits(rules, kinds, context)


def _bits(rules: ActiveRules, kinds: dict[str, Plain], context: Context) -> dict[str, PropertyBits]:
    """What the screen has to know of each identifier of one or two letters."""
    definitions = {
        entry.ident: definition
        for entry in grammar.properties()
        if len(entry.ident) <= _LONGEST_IDENT
        and (definition := grammar.definition(entry.ident, context.game, context.file_format))
    }
    candidates = {
        ident: kind
        for ident, kind in kinds.items()
        if ident in definitions
        and kind in _PLAIN_BITS
        and definitions[ident].type != "setup"
        and (kind is not Plain.POINTS or definitions[ident].unique == "markup")
    }
    plain = clean_in_nodes(rules.by_scope[Scope.NODE], candidates, context)
    return {
        ident: _role_bits(ident, definition)
        | (_PLAIN_BITS[plain[ident]] if ident in plain else PropertyBits(0))
        for ident, definition in definitions.items()
    }


def _role_bits(ident: str, definition: PropertyDefinition) -> PropertyBits:
    """What a property of that identifier does to its tree and the board."""
    if plays(definition):
        return _MOVE_BITS[PLAYED[ident]]
    if definition.type == "game-info":
        return PropertyBits.GAME_INFO
    if definition.type != "setup":
        return PropertyBits(0)
    sets = _SETUP_BITS[SET_UP[ident]] if ident in SET_UP else PropertyBits(0)
    return PropertyBits.SETUP | sets
