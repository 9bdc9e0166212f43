"""Informal dates, results, numbers, times, colors and ranks, as people write them.

Each public function takes a text and returns its interpretation in the form of the
specification, or None if nothing of the text is understood. An interpretation is complete if
the whole text is understood and can mean nothing else; only then a fix may write it without
being asked for more. The words that the functions know are in ``informal.toml``.
"""

from sgf_lark.model.informal.dates import dates
from sgf_lark.model.informal.numbers import (
    handicap,
    komi,
    number,
    number_with_text,
    rank,
    seconds,
    time_limit,
)
from sgf_lark.model.informal.results import color, names_pass, result
from sgf_lark.model.informal.words import Interpretation

__all__ = [
    "Interpretation",
    "color",
    "dates",
    "handicap",
    "komi",
    "names_pass",
    "number",
    "number_with_text",
    "rank",
    "result",
    "seconds",
    "time_limit",
]
