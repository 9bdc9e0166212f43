"""Names in the place of a number or of another name: ``GM[Go]``, ``RU[jp]``."""

from __future__ import annotations

from functools import cache

from sgf_lark import grammar
from sgf_lark.model.informal.numbers import number_with_text
from sgf_lark.model.informal.words import Interpretation, normalized, numbers_of_words


@cache
def _games() -> dict[str, int]:
    """The number of GM by the name of the game."""
    names = {**numbers_of_words("games")}
    for number, game_ in grammar.games().items():
        for name in (game_.name, game_.name_zh):
            names[normalized(name)] = number
    return names


def game(text: str) -> Interpretation | None:
    """The number of a game that is given by its name: ``Go``, ``Hex``, ``围棋``; or one with other
    characters around it."""
    number = _games().get(normalized(text).strip(" ."))
    if number is not None:
        return Interpretation(str(number))
    found = number_with_text(text)
    return found if found and found.value.isdigit() and int(found.value) > 0 else None


def rules(text: str) -> Interpretation | None:
    """The fixed name of rules of Go that have another name or spelling."""
    synonyms: dict[str, str] = grammar.rule("SGF425").data
    meant = synonyms.get(text.strip().lower())
    return Interpretation(meant) if meant else None
