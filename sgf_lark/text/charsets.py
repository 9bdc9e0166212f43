"""Charsets: what CA names, byte order marks, and what text looks like that names none."""

from __future__ import annotations

import codecs
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark import grammar
from sgf_lark.grammar import Charset

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

#: What a tree without CA is written in (sgf4, CA).
DEFAULT = "ISO-8859-1"


class Mark(NamedTuple):
    """What a file begins with and by which it is known to be stored in `codec`.

    `charset` is the name that CA would give it; `length` counts the bytes of a byte
    order mark, 0 where the file has none.
    """

    length: int
    charset: str
    codec: str


NO_MARK = Mark(0, "", "")

#: Byte order marks, longest first.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "UTF-32", "utf-32-be"),
    (codecs.BOM_UTF8, "UTF-8", "utf-8"),
    (codecs.BOM_UTF16_LE, "UTF-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "UTF-16", "utf-16-be"),
)

# The patterns here are compiled when they are first used: most files need none of them.

#: A "(" with only white space before it, as the charsets of wide characters store it.
_WIDE_BEGINNINGS = (
    (rb"(?:[ \t-\r]\0\0\0)*\(\0\0\0", "UTF-32", "utf-32-le"),
    (rb"(?:\0\0\0[ \t-\r])*\0\0\0\(\0", "UTF-32", "utf-32-be"),
    (rb"(?:[ \t-\r]\0)*\(\0[^\0]\0", "UTF-16", "utf-16-le"),
    (rb"(?:\0[ \t-\r])*\0\(\0[^\0]", "UTF-16", "utf-16-be"),
)


@cache
def _by_name() -> dict[str, tuple[Charset, bool]]:
    table = {}
    for charset in grammar.charsets():
        for name in (charset.name, *charset.aliases):
            table[name.lower()] = (charset, True)
        for name in charset.near:
            table[name.lower()] = (charset, False)
    return table


@cache
def lookup(name: str) -> tuple[Charset | None, bool]:
    """The charset that `name` stands for, and whether that name is registered.

    Case does not count. (None, False) where nobody knows the name.
    """
    known = _by_name().get(name.strip().lower())
    if known is not None:
        return known
    try:
        codec = codecs.lookup(name.strip()).name
        superset = _STRUCTURE.encode(codec) == _STRUCTURE.encode("ascii")
    except (LookupError, ValueError):
        return None, False
    if codec in _NO_CHARSETS:
        return None, False
    return Charset(name.strip(), codec, superset=superset, trail=_has_trail_bytes(codec)), True


def is_name(text: str) -> bool:
    """Whether a charset could be called so, be it registered or not."""
    return re.compile(r"[A-Za-z0-9_ .:()+'\-]{0,40}").fullmatch(text) is not None


#: What Python offers beside the charsets: ways to write text in ASCII.
_NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}

#: The signs of SGF's structure.
_STRUCTURE = "()[];:\\AZaz09"


def _has_trail_bytes(codec: str) -> bool:
    """Whether a character of two bytes can end in the byte of "\\"."""
    return any(
        len(bytes([lead, 0x5C]).decode(codec, "replace")) == 1 for lead in range(0x80, 0x100)
    )


@cache
def default_codec() -> str:
    """Python's codec of a tree without CA."""
    charset, _ = lookup(DEFAULT)
    return charset.codec if charset else "latin-1"


def named(name: str) -> Charset:
    """The charset that a user names; raises LookupError where nobody knows it."""
    charset, _ = lookup(name)
    if charset is None:
        raise LookupError(f"unknown charset: {name}")
    return charset


def name_of(codec: str) -> str:
    """The registered name of the charset that this codec of Python's reads."""
    charset, _ = lookup(codec)
    known = (entry.name for entry in grammar.charsets() if entry.codec == codec)
    return next(known, charset.name if charset else codec)


def mark_of(data: bytes) -> Mark:
    """By what the beginning of `data` tells its charset: a byte order mark, or NUL
    bytes between the first characters. :data:`NO_MARK` where it does not."""
    if data.startswith(b"(") and not data.startswith(b"(\0"):
        return NO_MARK  # as nearly all files
    for mark, name, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return Mark(len(mark), name, codec)
    if b"\0" in data[:2]:
        for beginning, name, codec in _WIDE_BEGINNINGS:
            if re.compile(beginning).match(data):
                return Mark(0, name, codec)
    return NO_MARK


#: As a number, which is found sooner than bytes are.
_ESC = 0x1B


def is_plain(data: bytes) -> bool:
    """Whether it reads the same in all charsets that are supersets of ASCII."""
    return data.isascii() and _ESC not in data


@lru_cache(maxsize=256)
def codec_of(name: bytes) -> str | None:
    """The codec that CA names so, where it can be read by the letter of FF[4]."""
    charset, _ = lookup(name.decode("latin-1"))
    return charset.codec if charset is not None and charset.superset else None


def decodes(data: bytes, codec: str) -> bool:
    """Whether all of `data` has a meaning in that codec."""
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


# --- Text that does not say what it is written in -----------------------------------

#: So much of the text is looked at: more does not make a guess better.
_SAMPLE = 1 << 15

#: Of values, or whatever stands between brackets, with bytes above 127: so much in front of
#: the first of these, and all behind it.
_IN_FRONT = 200
_HIGH = re.compile(rb"[\x80-\xff]")
_BRACKET = re.compile(rb"[\[\]]")
_HIGH_RUN = rb"[\x80-\xff]{2}"
#: Controls in ISO-8859-1, which nobody writes; letters and signs in others.
_C1_CONTROL = rb"[\x80-\x9f]"
_TO_LAST_ASCII = rb"(?s).*[\x00-\x7f]"

#: How sure a guess has to be (percent) to be told, and to have text read by it.
_WORTH_SAYING = 30
SURE = 50


class Guess(NamedTuple):
    """A charset that text looks like, by its registered name, and how sure that is (percent)."""

    charset: str
    codec: str
    confidence: int


def guess(data: bytes) -> Guess | None:
    """What the bytes above 127 in `data` look like, where that is not ISO-8859-1.

    UTF-8 is known by its own rules; all else is left to charset-normalizer, which
    is given the charsets that ``charsets.toml`` marks for it. None where the
    text reads the same in ISO-8859-1, or nothing reads it better.
    """
    chunks: list[bytes] = []
    size = end = 0
    next_high, next_bracket = _HIGH.search, _BRACKET.search
    while size < _SAMPLE and (high := next_high(data, end)) is not None:
        place = high.start()
        start = max(place - _IN_FRONT, end)
        start = max(start, data.rfind(b"[", start, place) + 1, data.rfind(b"]", start, place) + 1)
        behind = next_bracket(data, place)
        end = behind.start() if behind else len(data)
        chunks.append(data[start:end][: _SAMPLE - size])
        size += len(chunks[-1]) + 1
    if size >= _SAMPLE:
        # No character is to be cut in two.
        to_last = re.compile(_TO_LAST_ASCII).match(chunks[-1])
        chunks[-1] = to_last[0] if to_last else chunks[-1]
    return _guess(b"\n".join(chunks)) if chunks else None


@lru_cache(maxsize=64)
def _guess(sample: bytes) -> Guess | None:
    if decodes(sample, "utf-8"):
        return Guess("UTF-8", "utf-8", 99)
    in_words = re.compile(_HIGH_RUN).search(sample) is None
    if in_words and not re.compile(_C1_CONTROL).search(sample):
        return None  # an accent here and there: as good in ISO-8859-1 as in others
    from charset_normalizer import from_bytes

    by_codec = {
        codecs.lookup(charset.codec).name: charset
        for charset in grammar.charsets()
        if charset.guess and (not in_words or _is_single_byte(charset))
    }
    matches = list(from_bytes(sample, cp_isolation=list(by_codec)))
    equal = [match for match in matches if _quality(match) == _quality(matches[0])]
    names = {
        codecs.lookup(name).name for match in equal for name in match.could_be_from_charset
    } & by_codec.keys()
    if not names or any(str(match) == sample.decode(default_codec()) for match in equal):
        return None
    charset = next(charset for codec, charset in by_codec.items() if codec in names)
    confidence = round(100 * (1 - equal[0].chaos) / len(equal))
    if confidence < _WORTH_SAYING:
        return None
    return Guess(charset.name, charset.codec, min(confidence, 99))


def _quality(match: CharsetMatch) -> tuple[float, float]:
    return match.chaos, match.coherence


def _is_single_byte(charset: Charset) -> bool:
    """Whether a letter beyond ASCII stands between others of ASCII in one byte."""
    return len(b"a\xe4\xe4a".decode(charset.codec, "replace")) == 4 and decodes(
        b"a\xe4a", charset.codec
    )
