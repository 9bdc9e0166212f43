"""Informal dates, results, numbers, times, colors and ranks, as people write them.

Each public function takes a text and returns its interpretation in the form of the
specification, or None if nothing of the text is understood. An interpretation is complete if
the whole text is understood and can mean nothing else; only then a fix may write it without
being asked for more. The words that the functions know are in ``informal.toml``.
"""

from __future__ import annotations

from collections.abc import Callable

from sgf_lark.model.informal.dates import dates
from sgf_lark.model.informal.names import game, rules
from sgf_lark.model.informal.numbers import (
    handicap,
    komi,
    number,
    number_with_text,
    points_of_hundredths,
    rank,
    seconds,
    size,
    time_limit,
)
from sgf_lark.model.informal.results import color, names_pass, result
from sgf_lark.model.informal.words import Interpretation

#: The functions for the values of a format, as ``properties.toml`` names it.
BY_FORMAT: dict[str, Callable[[str], Interpretation | None]] = {
    "date": dates,
    "game": game,
    "handicap": handicap,
    "komi": komi,
    "rank": rank,
    "result": result,
    "rules": rules,
    "seconds": lambda text: found[0] if (found := time_limit(text)) else None,
    "size": size,
}

__all__ = [
    "BY_FORMAT",
    "Interpretation",
    "color",
    "dates",
    "game",
    "handicap",
    "komi",
    "names_pass",
    "number",
    "number_with_text",
    "points_of_hundredths",
    "rank",
    "result",
    "rules",
    "seconds",
    "size",
    "time_limit",
]
