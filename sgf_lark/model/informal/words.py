"""The words of ``informal.toml``, and texts in the form in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from sgf_lark import grammar

_VULGAR_FRACTIONS = {"¼": " 1/4", "½": " 1/2", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3"}
_QUOTED = re.compile(r"(?s)\A\s*[\"'“„‘「](.+)[\"'“”’」]\s*\Z")
#: Latin and Cyrillic letters, of which words are separated by others.
_LETTER = r"[a-z\u00c0-\u024f\u0400-\u04ff]"
#: Where a remark begins. Digits of another number, or a parenthesis that is not closed, are none.
REMARK = re.compile(r"\s*(?:[;,.](?![0-9])|\([^()]*(?:\([^()]*\)[^()]*)*\))")


class Interpretation(NamedTuple):
    """A value in the form of the specification.

    `rest` is the text that the value does not hold, and `certain` is whether the value is the
    only possible reading of the other text.
    """

    value: str
    rest: str = ""
    certain: bool = True

    @property
    def complete(self) -> bool:
        """Whether the value is all that the text can mean."""
        return self.certain and not self.rest


@cache
def vocabulary() -> dict[str, dict[str, Any]]:
    """The content of ``informal.toml``."""
    return grammar.table("informal")


@cache
def numbers_of_words(*table: str, form: Callable[[str], str] = str) -> dict[str, int]:
    """The number that each word means in a table of ``informal.toml`` whose keys are numbers."""
    words: dict[str, Any] = vocabulary()
    for name in table:
        words = words[name]
    return {form(word): int(number) for number, each in words.items() for word in each}


#: Longer texts are no values that people write: to search them for words and numbers in them would
#: take time that grows with the square of their length, and each "W+" a call in a call.
LONGEST = 300


def normalized(text: str) -> str:
    """Full-width letters and digits as narrow ones, white space as single blanks, no capitals, and
    no quotation marks around the text."""
    text = _QUOTED.sub(r"\1", text)
    for character, fraction in _VULGAR_FRACTIONS.items():
        text = text.replace(character, fraction)
    return " ".join(narrow(text).replace("⁄", "/").casefold().split())


def narrow(text: str) -> str:
    """Full-width, half-width and no-break characters as ordinary ones.

    Others that resemble digits, such as those of footnotes, stay.
    """
    return "".join(
        unicodedata.normalize("NFKC", character)
        if unicodedata.decomposition(character).startswith(("<wide>", "<narrow>", "<noBreak>"))
        else character
        for character in text
    )


#: Chinese numerals below 100, and years digit by digit.
CHINESE_NUMERAL = "[〇零一二三四五六七八九十廿卅]+"


def in_digits(numeral: re.Match[str]) -> str:
    """A Chinese numeral below 100, or digit by digit, in digits: 二十三, 廿三, 二〇〇八."""
    text = numeral[0].replace("廿", "二十").replace("卅", "三十")
    digits = text.translate(str.maketrans("〇零一二三四五六七八九", "00123456789"))
    if match := re.fullmatch(r"(\d?)十(\d?)", digits):
        return f"{match[1] or 1}{match[2] or 0}"
    return digits


def without_accents(text: str) -> str:
    """`text` without accents and other marks on its letters."""
    decomposed = unicodedata.normalize("NFD", text)
    letters = (letter for letter in decomposed if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", "".join(letters))


def any_of(words: Iterable[str]) -> str:
    """A regular expression for these words, the longest first, as whole words.

    Words in Chinese and Japanese are not separated from each other.
    """
    separate, others = (tuple(map(re.escape, each)) for each in _by_length(tuple(words)))
    if separate:
        others = (*others, f"(?<!{_LETTER})(?:{'|'.join(separate)})(?!{_LETTER})")
    return "|".join(others)


def leading_word(text: str, words: Iterable[str]) -> str:
    """The first of these words that the text begins with, in the order of :func:`any_of`, or ""."""
    separate, others = _by_length(tuple(words))
    for word in others:
        if text.startswith(word):
            return word
    for word in separate:
        if text.startswith(word) and not re.match(_LETTER, text[len(word) :]):
            return word
    return ""


def by_length(words: Iterable[str]) -> list[str]:
    """The words, the longest first."""
    return sorted(words, key=len, reverse=True)


@cache
def _by_length(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that other letters may not follow, and the others, the longest first."""
    longest_first = by_length(map(str.casefold, words))
    separate = [word for word in longest_first if word[-1].isalpha() and word[-1] < "\u2e80"]
    return tuple(separate), tuple(word for word in longest_first if word not in separate)
