"""Charsets: what CA names, and byte order marks."""

from __future__ import annotations

import codecs
from functools import cache

from sgf_lark import grammar
from sgf_lark.grammar import Charset

#: What a tree without CA is written in (sgf4, CA).
DEFAULT = "ISO-8859-1"

#: Byte order marks and the charset each stands for, longest first.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
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
        info = codecs.lookup(name.strip())
        b"".decode(info.name)
    except (LookupError, ValueError):
        return None, False
    return Charset(name.strip(), info.name), True


def default_codec() -> str:
    """Python's codec of a tree without CA."""
    charset, _ = lookup(DEFAULT)
    return charset.codec if charset else "latin-1"


def codec_named(name: str) -> str:
    """Python's codec for a charset named by the user.

    Raises LookupError for an unknown name and for one in which no SGF file can
    be read, because it is no superset of ASCII.
    """
    charset, _ = lookup(name)
    if charset is None:
        raise LookupError(f"unknown charset: {name}")
    if not charset.superset:
        raise LookupError(f"{name} is no superset of ASCII")
    return charset.codec


def byte_order_mark(data: bytes) -> tuple[int, str]:
    """The length of the byte order mark that `data` begins with, and its charset.

    (0, "") where there is none.
    """
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return len(mark), name
    return 0, ""
