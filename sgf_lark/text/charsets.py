"""Charsets: their names in CA, Unicode signatures, and guesses for undeclared charsets."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark import grammar
from sgf_lark.grammar import Charset

if TYPE_CHECKING:
    from sgf_lark.text.languages import DecodedText

#: The charset of a game tree without CA (properties.html, CA).
DEFAULT = "ISO-8859-1"

# --- Names ------------------------------------------------------------------------

#: Python codecs that are no charsets, but ways to write text in ASCII.
_NOT_CHARSETS = {
    "charmap",
    "idna",
    "punycode",
    "raw-unicode-escape",
    "undefined",
    "unicode-escape",
}

#: The characters of SGF's structure.
_STRUCTURE = "()[];:\\AZaz09"

_NAME = re.compile(r"[A-Za-z0-9_ .:()+'\-]{0,40}")


@cache
def _charsets_by_name() -> dict[str, tuple[Charset, bool]]:
    """Lowercase name -> the charset, and whether the name is registered for it."""
    table = {}
    for charset in grammar.charsets():
        for name in (charset.name, *charset.aliases):
            table[name.lower()] = (charset, True)
        for name in charset.near:
            table[name.lower()] = (charset, False)
    return table


@cache
def _charsets_by_codec() -> dict[str, Charset]:
    """Python's name of a codec -> the first charset that has a name of that codec."""
    table: dict[str, Charset] = {}
    for charset in grammar.charsets():
        for name in (charset.codec, charset.name, *charset.aliases, *charset.near):
            codec = _python_codec(name)
            if codec is not None:
                table.setdefault(codec, charset)
    return table


def _python_codec(name: str) -> str | None:
    """Python's own name of the codec that it knows under this name."""
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return None


@lru_cache(maxsize=4096)
def lookup(name: str) -> tuple[Charset | None, bool]:
    """The charset with this name, and whether the name is registered.

    Case does not matter. Names that are not registered are looked up among those that Python
    knows; the result for an unknown name is (None, False).
    """
    known = _charsets_by_name().get(name.strip().lower())
    if known is not None:
        return known
    codec = _python_codec(name.strip())
    if codec is None or codec in _NOT_CHARSETS:
        return None, False
    charset = _charsets_by_codec().get(codec)
    if charset is not None:
        return charset, False
    try:
        superset = _STRUCTURE.encode(codec) == _STRUCTURE.encode("ascii")
    except (LookupError, ValueError):
        return None, False
    return Charset(name.strip(), codec, superset=superset, trail=_has_trail_bytes(codec)), False


def is_registered(charset: Charset) -> bool:
    """Whether the charset has a registered name."""
    return charset in grammar.charsets()


def _has_trail_bytes(codec: str) -> bool:
    """Whether the byte of "\\" can be the second byte of a character."""
    return any(
        len(bytes([lead, 0x5C]).decode(codec, "replace")) == 1 for lead in range(0x80, 0x100)
    )


def named(name: str) -> Charset:
    """The charset with this name; raises LookupError for an unknown name."""
    charset, _ = lookup(name)
    if charset is None:
        raise LookupError(f"unknown charset: {name}")
    return charset


def is_name(text: str) -> bool:
    """Whether `text` has the form of a charset name, registered or not."""
    return _NAME.fullmatch(text) is not None


def name_of(codec: str) -> str:
    """The registered name of the charset that this Python codec decodes."""
    charset, _ = lookup(codec)
    known = (entry.name for entry in grammar.charsets() if entry.codec == codec)
    return next(known, charset.name if charset else codec)


@lru_cache(maxsize=256)
def declared(name: bytes | None) -> Charset | None:
    """The charset that a value of CA names; None if it is unknown or there is no CA."""
    return None if name is None else lookup(name.decode("latin-1"))[0]


def declared_superset(name: bytes | None) -> Charset | None:
    """The same if it is a superset of ASCII: FF[4] wants the structure to be read before the texts
    are decoded."""
    charset = declared(name)
    return charset if charset is not None and charset.superset else None


def codec_of(name: bytes) -> str | None:
    """The Python codec of that charset."""
    charset = declared_superset(name)
    return None if charset is None else charset.codec


@cache
def default() -> Charset:
    """The charset of game trees without CA."""
    return named(DEFAULT)


#: A value of CA. It begins with what is seldom, which is found in a 25th of the time.
_CA = re.compile(rb"CA(?<![A-Z]CA)[ \t\n\r\v\f]*\[([^\]\\]*)\]")


def declared_in(data: bytes) -> bytes | None:
    """The first value in these bytes that looks like that of CA."""
    found = _CA.search(data)
    return found[1] if found else None


def all_declared_in(data: bytes) -> list[bytes]:
    """All values in these bytes that look like the first of CA."""
    return _CA.findall(data)


# --- Unicode signatures -----------------------------------------------------------


class UnicodeSignature(NamedTuple):
    """The start of a file, if it shows that the whole file is in a Unicode charset.

    Either the file starts with a byte order mark of `length` bytes, or `length` is 0 and NUL
    bytes between the first characters show UTF-16 or UTF-32. `charset` is the name of the
    charset in CA. Without a signature `charset` and `codec` are empty.
    """

    length: int
    charset: str
    codec: str


NO_SIGNATURE = UnicodeSignature(0, "", "")

#: Byte order marks. UTF-32 comes first, because the mark of UTF-16LE starts that of UTF-32LE.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "UTF-32", "utf-32-be"),
    (codecs.BOM_UTF8, "UTF-8", "utf-8"),
    (codecs.BOM_UTF16_LE, "UTF-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "UTF-16", "utf-16-be"),
)

#: A "(" with only white space before it, in the charsets with two or four bytes a character.
_WIDE_OPENINGS = (
    (re.compile(rb"(?:[ \t-\r]\0\0\0)*\(\0\0\0"), "UTF-32", "utf-32-le"),
    (re.compile(rb"(?:\0\0\0[ \t-\r])*\0\0\0\(\0"), "UTF-32", "utf-32-be"),
    (re.compile(rb"(?:[ \t-\r]\0)*\(\0[^\0]\0"), "UTF-16", "utf-16-le"),
    (re.compile(rb"(?:\0[ \t-\r])*\0\(\0[^\0]"), "UTF-16", "utf-16-be"),
)


def unicode_signature(data: bytes) -> UnicodeSignature:
    """The Unicode signature of a file, or :data:`NO_SIGNATURE`."""
    if data[:2].isascii() and b"\0" not in data[:2]:
        return NO_SIGNATURE
    for mark, name, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return UnicodeSignature(len(mark), name, codec)
    for opening, name, codec in _WIDE_OPENINGS:
        if opening.match(data):
            return UnicodeSignature(0, name, codec)
    return NO_SIGNATURE


# --- Guesses for undeclared charsets ----------------------------------------------

#: The number of bytes from which a charset is guessed: more do not make the guess better.
_SAMPLE_SIZE = 1 << 12
#: The number of bytes that the sample has before the first non-ASCII byte of a value.
_CONTEXT_SIZE = 200

NON_ASCII = re.compile(rb"[\x80-\xff]")
_NON_ASCII_RUN = re.compile(rb"[\x80-\xff]{2}")
_BRACKET = re.compile(rb"[\[\]]")
#: What precedes the name of a player.
_PLAYER = (b"PB[", b"PW[")

#: A text in another charset is valid in UTF-8 by chance only if it is short: each double-byte
#: character of it with a probability of about 1 in 6.
_CERTAIN_BYTES = 12

#: The highest confidence (percent), that from which a guess is reported,
_MOST_CONFIDENCE = 99
_MIN_CONFIDENCE = 30
#: and that from which it is used to decode text.
TRUSTED_CONFIDENCE = 70
#: The share of the non-ASCII characters up to which they may be invalid.
_MOST_INVALID = 0.5
#: The bits by which the first charset of a language is better than the next, and so on.
_MORE_USUAL = 2.0
#: The bits by which these charsets are better than others.
_ADVANTAGES = {DEFAULT: 6.0, "windows-1252": 6.0, "UTF-8": 4.0, "GB18030": 2.0}
#: The bits for a non-ASCII character in a language that is not listed.
_UNKNOWN_LANGUAGE = {DEFAULT: 7.5, "UTF-8": 12.0}
#: By one bit of difference a charset is twice as likely as another, if each character is
#: independent of the one before it. The weight makes up for the fact that it is not.
_WEIGHT = 0.5
#: The bits from which a charset is so unlikely that it does not count.
_NEGLIGIBLE = 30.0


class Guess(NamedTuple):
    """A likely charset: its registered name, its codec, and the confidence (percent)."""

    charset: str
    codec: str
    confidence: int


_UTF_8 = Guess("UTF-8", "utf-8", _MOST_CONFIDENCE)


def guess(data: bytes) -> Guess | None:
    """Guess the charset of the non-ASCII bytes in `data`.

    The charset is UTF-8 or one of those in ``languages.toml``: the one in which the values with
    non-ASCII bytes are the most usual in one of the languages. The result is None if the text
    is the same in ISO-8859-1, or if no charset fits better than that.
    """
    sample = _sample(data)
    if is_certainly_utf_8(sample):
        return _UTF_8
    return _guess(sample) if sample else None


def is_certainly_utf_8(data: bytes) -> bool:
    """Whether `data` is valid UTF-8 and has enough non-ASCII bytes to be nothing else."""
    count = len(data) - len(NON_ASCII.sub(b"", data))
    return count >= _CERTAIN_BYTES and decodes(data, "utf-8")


def decodes(data: bytes, codec: str) -> bool:
    """Whether all of `data` is valid in this codec."""
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def trusted_guess(data: bytes) -> Guess | None:
    """The guessed charset, if the confidence suffices to decode text with it."""
    found = guess(data)
    return found if found and found.confidence >= TRUSTED_CONFIDENCE else None


def _sample(data: bytes) -> bytes:
    """The values in `data` that contain non-ASCII bytes, up to :data:`_SAMPLE_SIZE` bytes.

    Each value is taken from shortly before its first non-ASCII byte to the next bracket; names
    of players have their property identifier before them.
    """
    chunks: list[bytes] = []
    size = end = 0
    while size < _SAMPLE_SIZE and (match := NON_ASCII.search(data, end)) is not None:
        first = match.start()
        start = max(first - _CONTEXT_SIZE, end)
        start = max(start, data.rfind(b"[", start, first) + 1, data.rfind(b"]", start, first) + 1)
        if data.endswith(_PLAYER, 0, start):
            start -= len(_PLAYER[0])
        bracket = _BRACKET.search(data, first)
        end = bracket.start() if bracket else len(data)
        chunks.append(data[start:end][: _SAMPLE_SIZE - size])
        size += len(chunks[-1]) + 1
    return b"\n".join(chunks)


@lru_cache(maxsize=64)
def _guess(sample: bytes) -> Guess | None:
    """The charset in which the sample costs the fewest bits.

    Text in an unknown language counts as text in the default charset or in UTF-8.
    """
    from sgf_lark.text.languages import DecodedText  # slow to import

    texts = {
        name: DecodedText(name, sample.decode(named(name).codec, "replace"))
        for name in _charsets_of_languages()
    }
    by_text: dict[str, tuple[float, str]] = {}
    for name, bits in _UNKNOWN_LANGUAGE.items():
        cost = texts[name].unknown_cost(bits) - _ADVANTAGES[name]
        by_text[texts[name].text] = cost, name
    lowest = min(by_text.values())[0]
    for least, decoded in sorted(_least_costs(sample, texts), key=itemgetter(0)):
        if least > lowest + _NEGLIGIBLE:
            break
        candidate = least + decoded.spelling_cost, decoded.charset
        by_text[decoded.text] = min(candidate, by_text.get(decoded.text, candidate))
        lowest = min(lowest, candidate[0])
    text = min(by_text, key=by_text.__getitem__)
    if text == sample.decode(default().codec):
        return None
    _, name = by_text[text]
    likelihoods = (2 ** (_WEIGHT * (lowest - cost)) for cost, _ in by_text.values())
    confidence = min(round(100 / sum(likelihoods)), _MOST_CONFIDENCE)
    return Guess(name, named(name).codec, confidence) if confidence >= _MIN_CONFIDENCE else None


@cache
def _charsets_of_languages() -> list[str]:
    """The names of the charsets in which languages are written."""
    names = (name for language in grammar.languages() for name in language.charsets)
    return [*dict.fromkeys(("UTF-8", *names))]


def _least_costs(
    sample: bytes, texts: dict[str, DecodedText]
) -> Iterator[tuple[float, DecodedText]]:
    """Each text as one in each of the languages, with what it costs at the least."""
    from sgf_lark.text.languages import models

    has_runs = _NON_ASCII_RUN.search(sample) is not None
    for model in models():
        if model.language.block and not has_runs:
            continue  # in charsets of two bytes hardly any text is without such runs
        for rank, name in enumerate(("UTF-8", *model.language.charsets)):
            if texts[name].invalid_share <= _MOST_INVALID:
                cost = model.least_cost(texts[name]) + rank * _MORE_USUAL
                yield cost - _ADVANTAGES.get(name, 0), texts[name]
