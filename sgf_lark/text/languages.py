"""How usual a text is in a language: the number of bits to write it with the characters and
words that ``languages.toml`` lists.

Characters that are frequent in a language cost few bits, rare ones cost many. So of several
ways to decode the same bytes, the one that costs the fewest bits is the most likely; with each
bit of difference it becomes twice as likely as the other.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import log2

from sgf_lark import grammar
from sgf_lark.grammar import Language

#: ASCII characters cost the same in all languages.
_ASCII = 6.0
#: A character that the language does not have.
_FOREIGN = 18.0
#: Bytes that are no character, and control characters, which nobody types.
_INVALID = 22.0
_NO_TEXT = "\N{REPLACEMENT CHARACTER}" + "".join(map(chr, range(0x80, 0xA0)))
#: One of the words of the language.
_WORD = 9.0
#: Upper-case letters at the start of a word, and where the case changes within a word.
_CAPITAL, _INNER_CAPITAL = 2.5, 8.0
#: A Latin letter beside one of another alphabet, such as the Greek or Cyrillic one.
_MIXED_WORD = 8.0
_MIXED_ALPHABETS = re.compile("[A-Za-z][\u0370-\u0e7f]|[\u0370-\u0e7f][A-Za-z]")
#: Punctuation and the like of all languages, and its share (percent).
_PUNCTUATION = "’“”„‘–—…«»·•°€，。、！？：；（）「」『』《》【】～　・－＋０１２３４５６７８９○●△□☆★"
_PUNCTUATION_SHARE = 5


@dataclass(frozen=True)
class Model:
    """What the parts of a text cost in a language."""

    language: Language
    bits: dict[str, float]
    words: re.Pattern[str] | None
    surnames: re.Pattern[str] | None
    surname_bits: float

    def cost(self, text: str) -> float:
        """The bits for `text`, without those for its spelling."""
        cost = 0.0
        if self.surnames is not None:
            text, count = self.surnames.subn("", text)
            cost += count * self.surname_bits
        text = text.lower()
        if self.words is not None:
            text, count = self.words.subn("", text)
            cost += count * _WORD
        bits = self.bits
        return cost + sum(
            count * (_ASCII if character < "\x80" else bits.get(character, _FOREIGN))
            for character, count in Counter(text).items()
        )


@cache
def models() -> tuple[Model, ...]:
    """The models of all languages, in the order of ``languages.toml``."""
    return tuple(map(_model, grammar.languages()))


def _model(language: Language) -> Model:
    groups = [*language.characters, (_PUNCTUATION_SHARE, _PUNCTUATION)]
    if language.block:
        share, codec, first, last = language.block
        groups.append((share, _block(codec, first, last)))
    bits = dict.fromkeys(_NO_TEXT, _INVALID)
    for share, characters in groups:
        for character in characters:
            bits.setdefault(character, log2(100 * len(characters) / share))
    words = sorted(language.words, key=len, reverse=True)
    surnames = language.surnames
    return Model(
        language,
        bits,
        re.compile("|".join(map(re.escape, words))) if words else None,
        re.compile(f"(?m)(?<=^P[BW]\\[)[{surnames}]") if surnames else None,
        log2(len(surnames)) if surnames else 0.0,
    )


def _block(codec: str, first: int, last: int) -> str:
    """The characters of two bytes of which the first is in this range."""
    rows = (bytes((lead, trail)) for lead in range(first, last + 1) for trail in range(0x40, 0xFF))
    return "".join(text for row in rows if len(text := row.decode(codec, "ignore")) == 1)


def spelling_cost(text: str) -> float:
    """The bits for upper-case letters, and for words in two alphabets, in any language."""
    cost = _MIXED_WORD * len(_MIXED_ALPHABETS.findall(text))
    before, is_run = " ", False
    for letter in text:
        if letter.isupper():
            is_run = before.isupper()
            if not is_run:
                cost += _INNER_CAPITAL if before.islower() else _CAPITAL
        elif is_run and letter.islower():
            cost += _INNER_CAPITAL
            is_run = False
        before = letter
    return cost


def unknown_cost(text: str, bits: float) -> float:
    """The bits for `text` in an unknown language, with this number for those that are not ASCII.

    Those for the spelling are left out.
    """
    ascii_count = len(text.encode("ascii", "ignore"))
    invalid = text.count("\N{REPLACEMENT CHARACTER}")
    known = len(text) - ascii_count - invalid
    return ascii_count * _ASCII + invalid * _INVALID + known * bits
