"""The tables of the screen and of the cache for game trees of one context."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sgf_lark.engine.columns import PointTable
from sgf_lark.engine.screen import Screen
from sgf_lark.model.position import has_board
from sgf_lark.model.values import Context
from sgf_lark.model.values.games import names_of_points
from sgf_lark.model.values.go import has_short_pass
from sgf_lark.model.values.reader import reader
from sgf_lark.validation.clean import clean_tables
from sgf_lark.validation.runner import ActiveRules

_FIRST_FORMAT_WITH_EMPTY_PASS = 4


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
    clean_if, bits = clean_tables(rules, context.game, context.file_format)
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
