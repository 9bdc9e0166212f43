"""How usual a text is in a language, measured in bits.

A character that is frequent in a language, by ``languages.toml``, costs few bits; a rare one
costs many. Of several ways to decode the same bytes, the one that gives the text with the lowest
cost is the most likely one.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, cached_property
from itertools import product, repeat
from math import log2
from operator import mul

from sgf_lark import built, grammar
from sgf_lark.grammar import Language

#: What decoders put in the place of bytes that are no character.
_INVALID = "\N{REPLACEMENT CHARACTER}"

#: The bits for an ASCII character, in all languages.
_ASCII = 6.0
#: Bytes that are no character, and control characters, which nobody types.
_NO_TEXT = 22.0
_CONTROLS = "".join(map(chr, range(0x80, 0xA0)))
#: Any other character that the language does not have.
_FOREIGN = 18.0
#: Signs that are hardly in the texts of any language.
_SIGNS = "¡¢£¤¥¦§¨©ª¬\xad®¯±²³´µ¶·¸¹º¼½¾¿×÷"
_SIGN = 13.0
#: A word that the language lists.
_WORD = 9.0
#: Punctuation and the like in all languages, and its share of the characters (percent).
_PUNCTUATION = (
    "\N{NO-BREAK SPACE}’“”„‘–—…«»·•°€"
    "，。、！？：；（）「」『』《》【】～　・－＋０１２３４５６７８９○●△□☆★"
)
_PUNCTUATION_SHARE = 5

#: The letters of some alphabets, each as "A" or "a".
_CASES = {
    ord(letter): "A" if letter.isupper() else "a"
    for letter in map(chr, range(0x530))
    if letter.isupper() or letter.islower()
}
#: What is unusual in any language, with the bits that it adds: in these letters,
_UNUSUAL_CASES = (
    # the first of some upper-case letters, where a word may start
    (re.compile("(?<![Aa])A"), 2.5),
    # an upper-case letter after a lower-case one, or the reverse after more than one
    (re.compile("(?<=a)A|(?<=AA)a"), 8.0),
)
#: and in the text itself.
_UNUSUAL_LETTERS = (
    # three letters with accents
    (re.compile("[\u00c0-\u024f]{3}"), 8.0),
    # one or two of them, or an upper-case one and a letter, which are all of a value
    (re.compile("(?m)(?:^|\\[)(?:[\u00c0-\u024f]{1,2}|[À-Þ][a-z])$"), 8.0),
    # a letter of the Latin alphabet beside one of another alphabet
    (re.compile("[A-Za-z][\u0370-\u0e7f]|[\u0370-\u0e7f][A-Za-z]"), 8.0),
    # one character of East Asia within a word of the Latin alphabet; `re` goes through each
    # character of a set, so that this one, which names what is before them, is compiled faster
    (re.compile("[A-Za-z][^\x00-\u303f](?=[a-z])"), 10.0),
    # a "\\" that escapes nothing, as the second byte of a character does
    (re.compile(r"[\x80-\u2fff]\\(?![\]:\n\r])"), 10.0),
    # what UTF-8 becomes in charsets of one byte: "Ã" or "Â" and what is no letter of such a word
    (re.compile("[ÂÃĂ](?=[^\x00-\x7fÀ-ÿ])"), 10.0),
)


class DecodedText:
    """A way to read some bytes: the name of the charset, and the text.

    `lower` is the text in lower case, and `counts` are its characters.
    """

    def __init__(self, charset: str, text: str) -> None:
        self.charset = charset
        self.text = text
        self.lower = text.lower()
        self.counts = Counter(self.lower)

    @cached_property
    def spelling_cost(self) -> float:
        """The bits for what is unusual in any language, such as upper-case letters."""
        return _spelling_cost(self.text)

    def unknown_cost(self, bits: float) -> float:
        """The bits for the text in an unknown language, in which letters cost `bits`."""
        ascii_count = len(self.text.encode("ascii", "ignore"))
        invalid = self.text.count(_INVALID)
        other = len(self.text) - ascii_count - invalid
        signs = sum(map(self.text.count, _SIGNS))
        return (
            self.spelling_cost
            + ascii_count * _ASCII
            + invalid * _NO_TEXT
            + (other - signs) * bits
            + signs * _SIGN
        )


def _spelling_cost(text: str) -> float:
    cases = text.translate(_CASES)
    return sum(cost * len(pattern.findall(cases)) for pattern, cost in _UNUSUAL_CASES) + sum(
        cost * len(pattern.findall(text)) for pattern, cost in _UNUSUAL_LETTERS
    )


class Model:
    """What the parts of a text cost in a language.

    `bits` are those of characters. `savings` are the bits by which words cost less than their
    characters, `surnames` those by which surnames of one character do at the start of a name.
    """

    def __init__(
        self,
        language: Language,
        bits: dict[str, float],
        savings: dict[str, float],
        surnames: dict[str, float],
    ) -> None:
        self.language = language
        self.bits = bits
        self.savings = savings
        self.surnames = surnames
        #: The words by the one of their characters that most texts are without.
        self._words: dict[str, list[str]] = {}
        for word in savings:
            self._words.setdefault(max(word), []).append(word)

    def cost(self, decoded: DecodedText) -> float:
        """The bits for a text in this language."""
        return self.least_cost(decoded) + decoded.spelling_cost

    def least_cost(self, decoded: DecodedText) -> float:
        """The bits for a text in this language, in whatever letters it is spelled."""
        bits = map(self.bits.get, decoded.counts, repeat(_FOREIGN))
        cost: float = sum(map(mul, decoded.counts.values(), bits))
        text = decoded.lower
        for word in self._words_in(decoded):
            cost -= self.savings[word] * text.count(word)
            text = text.replace(word, "\n")
        if self.surnames:
            cost -= sum(self.surnames.get(character, 0) for character in _NAME.findall(text))
        return cost

    def _words_in(self, decoded: DecodedText) -> list[str]:
        """The words that occur in a text, the longest first."""
        text, occurring = decoded.lower, self._words.keys() & decoded.counts.keys()
        words = [word for each in occurring for word in self._words[each] if word in text]
        return sorted(words, key=lambda word: (-len(word), word))


#: The first character of the name of a player, in lower case.
_NAME = re.compile(r"(?<=\bp[bw]\[)[^\x00-\x7f]")


@cache
def models() -> tuple[Model, ...]:
    """The models of all languages, in the order of ``languages.toml``."""
    return tuple(map(_model, grammar.languages()))


def _model(language: Language) -> Model:
    bits = _character_bits(language)

    def saving(part: str, cost: float) -> float:
        return max(sum(bits.get(character, _FOREIGN) for character in part) - cost, 0.0)

    surname_bits = log2(max(len(language.surnames), 1))
    return Model(
        language,
        bits,
        {word: saving(word, _WORD) for word in language.words},
        {surname: saving(surname, surname_bits) for surname in language.surnames},
    )


def _character_bits(language: Language) -> dict[str, float]:
    bits = dict.fromkeys(map(chr, range(0x80)), _ASCII)
    bits |= dict.fromkeys(_INVALID + _CONTROLS, _NO_TEXT)
    groups = [*language.characters, (_PUNCTUATION_SHARE, _PUNCTUATION)]
    if language.block:
        groups.append((language.block[0], _blocks()[language.name]))
    for share, characters in groups:
        # The first group that has a character counts.
        bits = dict.fromkeys(characters, log2(100 * len(characters) / share)) | bits
    return bits


@cache
def _blocks() -> dict[str, str]:
    """The characters of the block of each language that has one."""

    def make() -> dict[str, str]:
        languages = grammar.languages()
        return {each.name: _block(*each.block[1:]) for each in languages if each.block}

    return built.content("blocks", ("languages.toml", "text/languages.py"), make)


#: What :mod:`sgf_lark.built` keeps for this module.
build_content = _blocks


def _block(codec: str, first: int, last: int) -> str:
    """The characters of two bytes of which the first is in this range."""
    pairs = map(bytes, product(range(first, last + 1), range(0x40, 0xFF)))
    text = b"\n".join(pairs).decode(codec, "ignore")
    return "".join([character for character in text if character >= "\x80"])
