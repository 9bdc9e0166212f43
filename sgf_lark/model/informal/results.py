"""Informal results, colors and passes: ``black wins by 5 3/4 points``, ``W+Res``, ``pass``."""

from __future__ import annotations

import re
from functools import cache

from sgf_lark.model.informal.numbers import decimal, number_with_unit
from sgf_lark.model.informal.words import (
    REMARK,
    Interpretation,
    any_of,
    leading_word,
    normalized,
    vocabulary,
)

_OPPONENT = {"B": "W", "W": "B"}
_ZERO = re.compile(r"0+(?:[.,]0*)?\s*")


def _leading_player(text: str) -> tuple[str, str] | None:
    """The player that a text begins with, as a letter, and the text after it."""
    words = vocabulary()["results"]
    for letter, name in (("B", "black"), ("W", "white")):
        if word := leading_word(text, words[name]):
            return letter, text[len(word) :]
    return None


@cache
def _moves_pattern() -> re.Pattern[str]:
    """A number of moves at the beginning or the end of a result: ``257手完,``."""
    words = vocabulary()["results"]
    moves = rf"\(?(?:{any_of(words['after'])})?\s*[0-9]{{1,3}}\s*(?:{any_of(words['moves'])})\)?"
    return re.compile(rf"^{moves}[\s,、。:;-]*|[\s,、。;-]*{moves}$")


def result(text: str) -> Interpretation | None:
    """A result; if only the winner is understood, the rest of the text is the rest."""
    text = normalized(text).strip(" .!")
    without_moves = _moves_pattern().sub("", text)
    found = _result(without_moves)
    return found._replace(rest=text) if found and without_moves != text else found


def _result(text: str) -> Interpretation | None:
    """A result in a normalized text without the number of moves."""
    words = vocabulary()["results"]
    remark = REMARK.search(text)
    head, rest = (text[: remark.start()], text[remark.start() :]) if remark else (text, "")
    for key, value in (("draw", "0"), ("void", "Void"), ("unknown", "?")):
        if head in words[key]:
            return Interpretation(value, rest.strip())
    zero = _ZERO.match(text)
    if zero and text[zero.end() :] in ("", *words["points"]):
        return Interpretation("0")
    player = _leading_player(text)
    return _of_player(player[0], player[1].strip()) if player else None


def _of_player(player: str, text: str) -> Interpretation | None:
    """The result of a player with the `text` after it: a verb, and a reason or margin."""
    if not text:
        return Interpretation(f"{player}+")
    words = vocabulary()["results"]
    for key, letter in (("resigns", "R"), ("forfeits", "F"), ("exceeds_time", "T")):
        verb = leading_word(text, words[key])
        rest = text[len(verb) :]
        if verb and (not rest or REMARK.match(rest)):
            return Interpretation(f"{_OPPONENT[player]}+{letter}", rest.strip())
    for verbs, winner in (("lose", _OPPONENT[player]), ("win", player)):
        if verb := leading_word(text, words[verbs]):
            return _reason(winner, _without_prepositions(text[len(verb) :].strip()))
        for verb in words[f"{verbs}_at_end"]:
            if text.endswith(verb):
                return _reason(winner, text.removesuffix(verb).strip())
    if text.startswith("by "):  # most probably the player who won
        return _reason(player, _without_prepositions(text))._replace(certain=False)
    return None


def _without_prepositions(text: str) -> str:
    """`text` without words such as "by" and a sign in front of a number."""
    words = any_of(vocabulary()["results"]["by"])
    return re.sub(rf"^(?:(?:{words})\s*)+(?=\S)", "", text)


def _reason(winner: str, text: str) -> Interpretation:
    """The result for that winner; `text` is the reason or the margin."""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = _without_prepositions(text[1:-1].strip())
    words = vocabulary()["results"]
    remark = REMARK.search(text)
    head = text[: remark.start()] if remark else text
    for key, letter in (("resign", "R"), ("time", "T"), ("forfeit", "F")):
        if head in words[key]:
            return Interpretation(f"{winner}+{letter}", text[len(head) :].strip())
    if head in words["half"]:
        return Interpretation(f"{winner}+0.5", text[len(head) :].strip())
    found = number_with_unit(text, words["points"])
    if found is None or found[0] < 0 or (written := decimal(found[0])) is None:
        return Interpretation(f"{winner}+", text)
    rest = found[1].strip(" .")
    if rest and not REMARK.match(rest):
        return Interpretation(f"{winner}+", text)
    return Interpretation(f"{winner}+{written}", rest)


def color(text: str) -> Interpretation | None:
    """A color: ``black``, ``w``, ``白``."""
    text = normalized(text)
    letter, rest = _leading_player(text) or ("", "")
    if not letter or rest[:1] not in ("", " ", ",", ";", "("):
        return None
    return Interpretation(letter, rest.strip())


# Informal moves: ``pass``.


def names_pass(text: str) -> bool:
    """Whether the text is a word for a pass."""
    return normalized(text).strip(" .!") in vocabulary()["moves"]["pass"]
