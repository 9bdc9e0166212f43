"""Informal dates, results, numbers, times, colors and ranks, as people write them.

Each public function takes a text and returns its interpretation in the form of the
specification, or None if nothing of the text is understood. An interpretation is complete if
the whole text is understood and can mean nothing else; only then a fix may write it without
being asked for more. The words that the functions know are in ``informal.toml``.
"""

from __future__ import annotations

from collections.abc import Callable

from sgf_lark.model.informal.dates import dates as dates
from sgf_lark.model.informal.names import game as game
from sgf_lark.model.informal.names import rules as rules
from sgf_lark.model.informal.numbers import handicap as handicap
from sgf_lark.model.informal.numbers import komi as komi
from sgf_lark.model.informal.numbers import number as number
from sgf_lark.model.informal.numbers import number_with_text as number_with_text
from sgf_lark.model.informal.numbers import points_of_hundredths as points_of_hundredths
from sgf_lark.model.informal.numbers import rank as rank
from sgf_lark.model.informal.numbers import seconds as seconds
from sgf_lark.model.informal.numbers import size as size
from sgf_lark.model.informal.numbers import time_limit as time_limit
from sgf_lark.model.informal.results import color as color
from sgf_lark.model.informal.results import names_pass as names_pass
from sgf_lark.model.informal.results import result as result
from sgf_lark.model.informal.words import Interpretation as Interpretation

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
