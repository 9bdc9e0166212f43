"""The tables of the screen and of the cache for game trees of one context."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sgf_lark.engine.screen import Screen
from sgf_lark.model.screens import screen_of
from sgf_lark.model.values import Context
from sgf_lark.validation.clean import clean_tables
from sgf_lark.validation.runner import ActiveRules


class Derived(NamedTuple):
    """What the accelerated validation derives from the active rules for trees of one context.

    `clean_if` has, for an identifier, how its properties are written if nothing is found in
    them.
    """

    screen: Screen
    clean_if: dict[bytes, int]


@lru_cache(maxsize=64)
def derived(rules: ActiveRules, context: Context) -> Derived:
    """The tables for trees of that context."""
    clean_if, bits = clean_tables(rules, context.game, context.file_format)
    return Derived(screen_of(context, bits), clean_if)
