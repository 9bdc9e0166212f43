"""Charsets: their names in CA, and Unicode signatures."""

from __future__ import annotations

import codecs
import re
from functools import cache, lru_cache
from typing import NamedTuple

from sgf_lark import grammar
from sgf_lark.grammar import Charset

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


def decodes(data: bytes, codec: str) -> bool:
    """Whether all of `data` is valid in this codec."""
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


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
