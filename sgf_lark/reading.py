"""From bytes to a Collection."""

from __future__ import annotations

import os
from typing import BinaryIO

from sgf_lark import grammar
from sgf_lark.charset import default_codec, named
from sgf_lark.decoding import Reading, readings
from sgf_lark.engine import Engine
from sgf_lark.engine.columns import columns_of
from sgf_lark.grammar import CharsetMode
from sgf_lark.old_model import Collection
from sgf_lark.parser import parse_best


def loads(
    data: bytes | str,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "text",
    engine: Engine = "tables",
) -> Collection:
    """The collection that `data` holds, by the strict grammar.

    `data` are the bytes of a file; a `str` is encoded in the charset that its CA
    names, or else in ISO-8859-1 or UTF-8. `charset` names the charset of all
    texts, whatever CA says, `default_charset` that of trees without CA, instead of
    ISO-8859-1. `charset_mode` is "text" (the letter of FF[4]: the structure is read
    on bytes, then the texts are decoded), "file" (the whole file is decoded first),
    "auto" (by the letter, or else as a whole; text without CA by what it looks
    like) or "none" (bytes are not decoded). A file in UTF-16 or UTF-32 is always
    decoded as a whole. Text that means nothing in its charset is read in UTF-8, by
    what it looks like, or in ISO-8859-1, the first of these that fits. `engine` is
    "tables", the compiled tables of the grammar, or "lark", which gives the same.

    Raises SGFSyntaxError (a ValueError) where the grammar is left, LookupError for
    a charset nobody knows, ValueError for an unknown mode or engine.
    """
    if isinstance(data, str):
        data, codec = _encode(data, charset)
        charset, default_charset, charset_mode = codec, None, "text"
    found = readings(data, charset=charset, default_charset=default_charset, mode=charset_mode)
    best = parse_best(found, engine)
    if best is None:
        from sgf_lark.strict import refusal

        raise refusal(found[0].data, found[0].source("latin-1"))
    return Collection(*best)


def load(
    file: str | os.PathLike[str] | BinaryIO,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "text",
    engine: Engine = "tables",
) -> Collection:
    """The collection in a file, given as a path or a binary file object.

    Raises OSError, and what :func:`loads` raises.
    """
    if hasattr(file, "read"):
        data = file.read()
    else:
        from pathlib import Path

        data = Path(file).read_bytes()
    return loads(
        data,
        charset=charset,
        default_charset=default_charset,
        charset_mode=charset_mode,
        engine=engine,
    )


def _encode(text: str, charset: str | None) -> tuple[bytes, str | None]:
    """`text` as bytes that read back to it, and the charset where CA does not tell it."""
    text = text.removeprefix("\ufeff")
    utf_8 = text.encode("utf-8", "surrogatepass")
    if charset is None:
        from sgf_lark.strict import parse_strictly

        flat = parse_strictly(utf_8)
        codec = Reading(utf_8, utf_8, None, default_codec()).declared_codec(
            columns_of(flat).governing(flat.roots[0])
        )
    else:
        codec = named(charset).codec
    try:
        return _escape_last_bytes(text, codec), charset
    except UnicodeEncodeError:
        return utf_8, "UTF-8"


def _escape_last_bytes(text: str, codec: str) -> bytes:
    r"""`text` encoded, with a "\" before a last byte that would be taken for "\" or "]"."""
    if not any(charset.trail and charset.codec == codec for charset in grammar.charsets()):
        return text.encode(codec)
    parts = (character.encode(codec) for character in text)
    return b"".join(
        part[:-1] + b"\\" + part[-1:] if len(part) > 1 and part[-1:] in (b"\\", b"]") else part
        for part in parts
    )
