"""Informal results, colors and passes: ``black wins by 5 3/4 points``, ``W+Res``, ``pass``."""

from __future__ import annotations

import re
from functools import cache

from sgf_lark.model.informal.numbers import decimal, number_with_unit, points_of_stones
from sgf_lark.model.informal.words import (
    LONGEST,
    REMARK,
    Interpretation,
    any_of,
    leading_word,
    normalized,
    vocabulary,
)

_OPPONENT = {"B": "W", "W": "B"}
#: Words before the reason of a result without a verb.
_BY = ("by ", "par ", "durch ", "por ", "per ", "door ")
_SEPARATOR = re.compile(r"[/;|&]|,(?![0-9])")
#: A player who has more stones on the board of 361 points has won by half of the surplus: they are
#: the score of that player.
_MOST_STONES = 180
#: Words about a result that do not say who won.
_WORDS = re.compile(r" (?:[-–—] )?(?![^ ]*\+)[a-z](?!.*(?:wins?|won|los[et]))")
_ZERO = re.compile(r"0+(?:[.,]0*)?\s*")


def _leading_player(text: str) -> tuple[str, str] | None:
    """The player that a text begins with, as a letter, and the text after it."""
    words = vocabulary()["results"]
    for letter, name in (("B", "black"), ("W", "white")):
        if word := leading_word(text, words[name]):
            return letter, text[len(word) :].removeprefix(".")
    return None


@cache
def _moves_pattern() -> re.Pattern[str]:
    """A number of moves at the beginning or the end of a result: ``257手完,``; words before it."""
    words = vocabulary()["results"]
    moves = rf"\(?(?:{any_of(words['after'])})?\s*[0-9]{{1,3}}\s*(?:{any_of(words['moves'])})\)?"
    before = rf"(?:{any_of(words['before'])})[\s,、。:;-]"
    return re.compile(rf"^(?:{before}|{moves})[\s,、。:;-]*|[\s,、。;-]*{moves}$")


def result(text: str) -> Interpretation | None:
    """A result; if only the winner is understood, the rest of the text is the rest.

    Of two possible results nothing is understood, unless both have the same winner; nor is who won
    from a negation.
    """
    text = normalized(text).strip(" .!")
    if len(text) > LONGEST or _is_negated(text):
        return None
    winners = [found.value[:2] for part in _possible(text) if (found := _result(part))]
    if len(set(winners)) > 1:
        return None
    first, *others = _or_pattern().split(text)
    if others and first.strip():
        return Interpretation(winners[0], text) if winners and winners[0][1:] == "+" else None
    doubted = text.rstrip("? ")
    without_moves = _moves_pattern().sub("", doubted or text)
    found = _result(without_moves)
    return found._replace(rest=text) if found and without_moves != text else found


def _is_negated(text: str) -> bool:
    """Whether a text, up to a remark, has a negation that is not in the words of a result, such as
    those of "not finished" and 不计点."""
    known, negation = _negations()
    return negation.search(known.sub(" ", _up_to_remark(text))) is not None


def _up_to_remark(text: str) -> str:
    """The text before a remark."""
    remark = REMARK.search(text)
    return text[: remark.start()] if remark else text


@cache
def _negations() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The words of results with a negation, and negations."""
    words = vocabulary()["results"]
    negation = re.compile(any_of(words["not"]))
    others = (word for key, each in words.items() if key != "not" for word in each)
    return re.compile(any_of(filter(negation.search, others))), negation


def _possible(text: str) -> list[str]:
    """The parts of a text that may be results of their own."""
    alternatives = _or_pattern().split(text)
    parts = (part for alternative in alternatives for part in _SEPARATOR.split(alternative))
    return [part.strip() for part in parts if part.strip()]


@cache
def _or_pattern() -> re.Pattern[str]:
    """A word between two possible results."""
    words = any_of(vocabulary()["dates"]["or"])
    return re.compile(rf"(?:\s|(?<=[^\x00-\x7f]))(?:{words})|\s/\s")


def _result(text: str) -> Interpretation | None:
    """A result in a normalized text without the number of moves."""
    words = vocabulary()["results"]
    head = _up_to_remark(text)
    for key, value in (("draw", "0"), ("void", "Void"), ("unfinished", "Void"), ("unknown", "?")):
        if head in words[key]:
            return Interpretation(value, text[len(head) :].strip(), certain=key != "unfinished")
        word = leading_word(text, words[key])
        if len(word) > 1 and _WORDS.match(text, len(word)):
            return Interpretation(value, text)  # such as "Draw by agreement"
    zero = _ZERO.match(text)
    after_zero = text[zero.end() :].strip("() ") if zero else text
    if zero and after_zero in ("", *words["points"], *words["draw"]):
        return Interpretation("0")
    player = _leading_player(text)
    if player:
        return _of_player(player[0], player[1].strip())
    verb = leading_word(text, words["win"])
    winner, rest = _leading_player(_without_prepositions(text[len(verb) :].strip())) or ("", "")
    # "Победа белых по времени"
    return _reason(winner, _without_prepositions(rest.strip())) if verb and winner else None


def _of_player(player: str, text: str) -> Interpretation | None:
    """The result of a player with the `text` after it: a verb, and a reason or margin."""
    if not text:
        return Interpretation(f"{player}+")
    words = vocabulary()["results"]
    for key, letter in (("resigns", "R"), ("forfeits", "F"), ("exceeds_time", "T")):
        how = leading_word(text, words["resign"]) if letter == "R" else ""
        verb = leading_word(text, words[key]) or leading_word(text[len(how) :], words[key])
        rest = text[text.find(verb) + len(verb) :]
        if verb and (not rest or REMARK.match(rest) or _WORDS.match(rest)):
            return Interpretation(f"{_OPPONENT[player]}+{letter}", rest.strip())
    for verbs, winner in (("lose", _OPPONENT[player]), ("win", player)):
        if verb := leading_word(text, words[verbs]):
            return _reason(winner, _without_prepositions(text[len(verb) :].strip()))
        for verb in words[f"{verbs}_at_end"]:
            if text.endswith(verb):
                return _reason(winner, _without_prepositions(text.removesuffix(verb).strip()))
    verb = leading_word(text, words["gives_up"])
    rest = text[len(verb) :]
    if verb and (not rest or REMARK.match(rest)):
        return Interpretation(f"{_OPPONENT[player]}+R", rest.strip(), certain=False)
    if text.startswith(_BY):  # most probably the player who won
        return _reason(player, _without_prepositions(text))._replace(certain=False)
    return None


def _without_prepositions(text: str) -> str:
    """`text` without words such as "by" and a sign in front of a number."""
    words = any_of(vocabulary()["results"]["by"])
    return re.sub(rf"^(?:(?:{words})\s*)+(?=\S)", "", text)


def _reason(winner: str, text: str) -> Interpretation:
    """The result for that winner; `text` is the reason or the margin."""
    text = text.strip().lstrip(",;: ")
    if of_loser := _of_loser(winner, text.strip("(),;: ")):
        return of_loser
    if text.startswith("(") and text.endswith(")"):
        text = _without_prepositions(text[1:-1].strip())
    words = vocabulary()["results"]
    head = _up_to_remark(text)
    for key, letter in _REASONS:
        if head in words[key] or _abbreviates(head, words[key]):
            return Interpretation(f"{winner}+{letter}", text[len(head) :].strip())
    if head in words["half"]:
        return Interpretation(f"{winner}+0.5", text[len(head) :].strip())
    if stones := points_of_stones(text, limit=_MOST_STONES):
        return Interpretation(f"{winner}+{stones}", certain=False)
    if reason := _leading_reason(text):
        return Interpretation(f"{winner}+{reason}", text)
    found = number_with_unit(text, words["points"])
    if found is None or found[0] < 0 or (written := decimal(found[0])) is None:
        return Interpretation(f"{winner}+", text)
    rest = found[1].strip(" .")
    if rest and not REMARK.match(rest):
        return Interpretation(f"{winner}+", text)
    return Interpretation(f"{winner}+{written}", rest)


def _of_loser(winner: str, text: str) -> Interpretation | None:
    """The result of the winner that `text` gives by what the other player did, as after it in
    "White wins (Black resigned)"."""
    player, done = _leading_player(text) or ("", "")
    found = _of_player(player, done.strip()) if player else None
    if not found and player == _OPPONENT[winner]:
        found = _reason(winner, done)  # "Black timeout" is clear after "White wins"
    is_known = found and found.value.startswith(f"{winner}+") and found.value[2:]
    return found if is_known else None


_REASONS = (("resign", "R"), ("time", "T"), ("forfeit", "F"))
#: Shorter beginnings of a word may be those of others.
_SHORTEST_ABBREVIATION = 4


def _abbreviates(text: str, words: list[str]) -> bool:
    """Whether the text is the beginning of one of the words, long enough to be that of no other."""
    is_long = len(text) >= _SHORTEST_ABBREVIATION and text.isalpha()
    return is_long and any(word.startswith(text) for word in words)


def _leading_reason(text: str) -> str:
    """The letter of the reason that a text begins with, before more words about it."""
    words = vocabulary()["results"]
    for key, letter in _REASONS:
        word = leading_word(text, words[key])
        if len(word) > 1 and text[len(word) :].startswith((" ", "-", "/", "(", ",", ";")):
            return letter
    return ""


def color(text: str) -> Interpretation | None:
    """A color: ``black``, ``w``, ``白``."""
    text = normalized(text)
    letter, rest = _leading_player(text) or ("", "")
    if not letter or rest[:1] not in ("", " ", ",", ";", "("):
        return None
    return Interpretation(letter, rest.strip())


# Informal moves: ``pass``.


def names_pass(text: str) -> bool:
    """Whether the text is a word for a pass, or the zero bytes of an empty point."""
    return not text.strip("\0") or normalized(text).strip(" .!") in vocabulary()["moves"]["pass"]
