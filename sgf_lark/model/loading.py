"""From bytes to a Collection."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from sgf_lark.grammar import CharsetMode
from sgf_lark.model.collection import Collection
from sgf_lark.model.reading_options import ReadingOptions
from sgf_lark.syntax import Engine
from sgf_lark.syntax.parsing import parse_decoded
from sgf_lark.text.charsets import named
from sgf_lark.text.decoding import Decoding, FileCharsets
from sgf_lark.text.escaping import shown
from sgf_lark.text.recoding import encode


def loads(
    data: bytes | str,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "auto",
    tolerant: bool = False,
    engine: Engine = "tables",
) -> Collection:
    """The collection in `data`: the bytes of a file, or its text.

    Charsets are found as everywhere in this library. These are tried for each game tree, best
    first: `charset`; a byte order mark; the charset that CA names; `default_charset`; the
    charset in which the texts of the game tree make sense; ISO-8859-1, the default in FF[4]
    (properties.html, CA). Text that is not valid in its charset is decoded in the first of these
    in which it is valid: UTF-8, the guessed charset, ISO-8859-1. A file in UTF-16 or UTF-32 is
    always decoded as a whole. Each game tree of a `str` is encoded in the charset that its CA
    names, or else in ISO-8859-1; all of them in UTF-8 if one cannot be. `charset_mode` is one of
    these:

    - "auto": as "text", but a game tree is decoded before it is parsed if only that makes sense;
    - "text": as FF[4] specifies, the bytes are parsed, then the texts are decoded; nothing is
      guessed, and text without CA is in ISO-8859-1;
    - "file": the whole file is decoded before it is parsed;
    - "none": bytes are not decoded.

    Each tree has Python's name of its codec as :attr:`GameTree.charset`; whether that is a guess
    is in :attr:`GameTree.has_certain_charset`. `engine` is "tables", which uses the compiled
    tables of the grammar, or "lark"; both give the same collection.

    With `tolerant` any input is accepted, and :attr:`Collection.damage` lists what the grammar
    does not allow. Raises SGFSyntaxError (a ValueError) for input that the grammar does not
    allow, LookupError for an unknown charset, ValueError for an unknown mode or engine,
    TypeError for other types than bytes and str.
    """
    if isinstance(data, str):
        data, codec = _encode(data, charset)
        charset, default_charset, charset_mode = codec, None, "text"
    options = ReadingOptions(charset, default_charset, charset_mode, engine=engine)
    file = options.parse(data)
    if file.places_of_damage and not tolerant:
        from sgf_lark.syntax.errors import syntax_error

        raise syntax_error(file.decoding.data, file.source)
    return Collection.of_file(file)


def load(
    file: str | os.PathLike[str] | BinaryIO,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "auto",
    tolerant: bool = False,
    engine: Engine = "tables",
) -> Collection:
    """The collection in a file, given as a path or a binary file object.

    The options are those of :func:`loads`. For a file that is larger than the memory see
    :func:`iter_games`. Raises OSError, and what :func:`loads` raises.
    """
    if isinstance(file, (str, os.PathLike)):
        data = Path(file).read_bytes()
    else:
        check_readable(file)
        data = file.read()
    return loads(
        data,
        charset=charset,
        default_charset=default_charset,
        charset_mode=charset_mode,
        tolerant=tolerant,
        engine=engine,
    )


def check_readable(file: object) -> None:
    """Raise TypeError for what is not a file object."""
    if not callable(getattr(file, "read", None)):
        raise TypeError(f"expected a path or a binary file object, not {shown(file)}")


def _encode(text: str, charset: str | None) -> tuple[bytes, str | None]:
    """`text` as bytes that decode to it, each game tree in the charset that its CA names; and
    their charset, if it is another."""
    text = text.removeprefix("\ufeff")
    utf_8 = text.encode("utf-8", "surrogatepass")
    try:
        if charset is not None:
            return encode(text, named(charset).codec), charset
        return b"".join(
            encode(part.decode("utf-8", "surrogatepass"), codec)
            for part, codec in _declared_codecs(utf_8)
        ), None
    except UnicodeEncodeError:
        return utf_8, "UTF-8"


def _declared_codecs(utf_8: bytes) -> Iterator[tuple[bytes, str]]:
    """The parts of a text in UTF-8, damaged or not, each with a game tree, and the codec that
    this declares."""
    flat = parse_decoded(Decoding(utf_8, utf_8)).flat
    starts = [0, *(flat.bounds(root)[0] for root in flat.roots[1:]), len(utf_8)]
    names = [flat.first_values(root, ("CA",)).get("CA") for root in flat.roots] or [None]
    for (start, end), name in zip(pairwise(starts), names, strict=True):
        yield utf_8[start:end], FileCharsets("text").choose(name, b"").codec
