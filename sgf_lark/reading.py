"""From bytes to a Collection."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from sgf_lark import charset as charsets
from sgf_lark.model import Collection
from sgf_lark.strict import parse_strictly
from sgf_lark.transform import first_values, tree_codec


def loads(data: bytes | str, *, charset: str | None = None) -> Collection:
    """The collection that `data` holds, by the strict grammar.

    `data` are the bytes of a file; a `str` is encoded in the charset that its CA
    names, or else in ISO-8859-1 or UTF-8. `charset` names the charset of all
    texts, whatever CA says. Raises SGFSyntaxError (a ValueError) where the
    grammar is left, LookupError for a charset nobody knows.
    """
    codec = None if charset is None else charsets.codec_named(charset)
    if isinstance(data, str):
        data, codec = _encode(data, codec)
    return Collection(data, parse_strictly(blank_mark(data)), codec)


def load(file: str | os.PathLike[str] | BinaryIO, *, charset: str | None = None) -> Collection:
    """The collection in a file, given as a path or a binary file object.

    Raises OSError, and what :func:`loads` raises.
    """
    data = file.read() if hasattr(file, "read") else Path(file).read_bytes()
    return loads(data, charset=charset)


def blank_mark(data: bytes) -> bytes:
    """`data` with blanks in the place of a UTF-8 byte order mark, so that offsets stay."""
    length, charset = charsets.byte_order_mark(data)
    return b" " * length + data[length:] if charset == "UTF-8" else data


def _encode(text: str, codec: str | None) -> tuple[bytes, str | None]:
    """`text` as bytes that read back to it, and the codec where CA does not tell it."""
    utf_8 = text.encode("utf-8", "surrogatepass")
    if codec is None:
        flat = parse_strictly(blank_mark(utf_8))
        declared = tree_codec(first_values(flat, flat.roots[0]))
    else:
        declared = codec
    try:
        return text.encode(declared), codec
    except UnicodeEncodeError:
        return utf_8, "utf-8"
