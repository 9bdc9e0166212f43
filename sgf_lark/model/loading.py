"""From bytes to a Collection, or to its game trees one by one."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, Self

from sgf_lark.grammar import CharsetMode
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.syntax import Engine
from sgf_lark.syntax.grammars import FILE_FORMATS
from sgf_lark.syntax.parsing import (
    ParsedFile,
    check_engine,
    end_of_trees,
    parse,
    parse_decoded,
)
from sgf_lark.syntax.signatures import SAMPLE
from sgf_lark.text.charsets import named
from sgf_lark.text.decoding import Decoding, FileCharsets, choose_charsets, decode
from sgf_lark.text.escaping import short_repr
from sgf_lark.text.positions import START, Position
from sgf_lark.text.validity import encode


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
    (properties.html, CA). Text that hardly makes sense in the charset that CA names, or is not
    valid in it, is decoded in the one in which it makes sense; if it makes sense in none, in
    ISO-8859-1. If some values are in another charset than the rest, they are decoded in that. A
    file in UTF-16 or UTF-32 is always decoded as a whole. Each game tree of a `str` is encoded in
    the charset that its CA names, or else in ISO-8859-1; all of them in UTF-8 if one cannot be.
    `charset_mode` is one of these:

    - "auto": as "text", but a game tree is decoded before it is parsed if only that makes sense;
    - "text": as FF[4] specifies, the bytes are parsed, then the texts are decoded; what
      CA names holds if the text is valid in it, and text without CA is in ISO-8859-1;
    - "file": the whole file is decoded before it is parsed;
    - "none": bytes are not decoded.

    Each tree has Python's name of its codec as :attr:`GameTree.charset`; whether that is a guess
    is in :attr:`GameTree.has_certain_charset`. `engine` is "tables", which uses the compiled
    tables of the grammar, or "lark": Lark's own parser for the file and for each value, of whose
    trees Transformers make the model; both give the same collection.

    With `tolerant` any input is accepted, and :attr:`Collection.damage` lists what the grammar
    does not allow. What a forum, a mail or a page has put over the whole file is undone first, and
    listed as SGF123, if more of the file can be read then. Raises SGFSyntaxError (a ValueError)
    for input that the grammar does not allow, LookupError for an unknown charset, ValueError for
    an unknown mode or engine, TypeError for other types than bytes and str.
    """
    if isinstance(data, str):
        data, codec = _encode(data, charset)
        charset, default_charset, charset_mode = codec, None, "text"
    options = ReadingOptions(charset, default_charset, charset_mode, engine=engine)
    file = options.parse(data)
    if file.places_of_damage and not tolerant:
        raise _error_of(file)
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
        raise TypeError(f"expected a path or a binary file object, not {short_repr(file)}")


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


# How a file is read: the options that all functions which read files have in common.


@dataclass(frozen=True)
class ReadingOptions:
    """The options of :func:`sgf_lark.loads` and :func:`sgf_lark.validate`, which explain them."""

    charset: str | None = None
    default_charset: str | None = None
    charset_mode: CharsetMode = "auto"
    file_format: int | None = None
    game: int | None = None
    engine: Engine = "tables"

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Those of these options that are about reading."""
        return cls(**{name: options[name] for name in cls.__dataclass_fields__ if name in options})

    def check(self) -> None:
        """Raise ValueError for a file format or a game that does not exist."""
        if self.file_format is not None and self.file_format not in FILE_FORMATS:
            raise ValueError(f"no such file format: {self.file_format}")
        if self.game is not None and self.game < 1:
            raise ValueError(f"no such game: {self.game}")

    def parse(self, data: bytes | str) -> ParsedFile:
        """A file or its text, decoded and parsed.

        A `str` is in UTF-8, unless a charset is named. Raises LookupError for an unknown charset,
        ValueError for an unknown mode or engine, TypeError for anything but bytes and str.
        """
        charset = self.charset
        if isinstance(data, str):
            data, charset = data.encode("utf-8", "surrogatepass"), charset or "UTF-8"
        decoding = decode(
            data,
            charset=charset,
            default_charset=self.default_charset,
            mode=self.charset_mode,
        )
        return parse(decoding, self.engine).overriding(self.file_format, self.game)

    def choose_charsets(self, start: bytes) -> FileCharsets:
        """What determines the charsets of a file with that start; errors are those of parse."""
        return choose_charsets(start, self.charset, self.default_charset, self.charset_mode)


DEFAULT_OPTIONS = ReadingOptions()

# The game trees of a file one by one, with memory for a part of the file at a time.
#
# The bytes are read in blocks. A file that ends in the first one is read as loads reads it. Else
# what is in memory is parsed up to the end of the last game tree that is complete there, as if it
# were a file. Where that is damaged, all that is in memory is parsed, and gives those game trees
# that do not depend on what follows.

#: The number of bytes that are read at once; the mode "file" chooses a charset from the first.
_BLOCK_SIZE = 2**20
#: No terminal of ``tolerant.lark`` depends on more bytes after it than this, but for the rest of
#: a file that has no further bracket.
LOOKAHEAD = 2**16


def iter_games(
    file: str | os.PathLike[str] | BinaryIO,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "auto",
    tolerant: bool = False,
    engine: Engine = "tables",
) -> Iterator[GameTree]:
    """The game trees of a file, given as a path or a binary file object, one after the other.

    Only a part of the file is in memory at a time, a megabyte or one larger game tree; use
    :func:`load` for the whole collection. The file object need not be seekable: pass
    ``gzip.open(path)`` for a compressed file. The spans of properties and diagnostics are those in
    the whole file; numbers of nodes count in each tree. Charsets are found as by :func:`loads`,
    with the same options; with the mode "file", from the first megabyte.

    A damaged tree raises SGFSyntaxError (a ValueError), after the trees before it. With
    `tolerant` any bytes are accepted, and :attr:`GameTree.damage` lists what the grammar does not
    allow, with the text up to the next tree. What lies over a file as a whole, such as an encoding,
    is undone as by :func:`loads`; such a file is read into memory as a whole. So is a file up to a
    megabyte: it has the game trees that :func:`loads` gives. In a larger one that is damaged a tree
    that follows the grammar ends at its ")", where :func:`loads` may find that this ")" belongs to
    a text, from damage after it. Raises LookupError, ValueError and TypeError for the options at
    once, OSError when the file is opened or read.
    """
    options = ReadingOptions(charset, default_charset, charset_mode, engine=engine)
    options.choose_charsets(b"")
    check_engine(engine)
    if isinstance(file, (str, os.PathLike)):
        return _games(Path(file), options, tolerant)
    check_readable(file)
    return _games(file, options, tolerant)


def _games(file: Path | BinaryIO, options: ReadingOptions, tolerant: bool) -> Iterator[GameTree]:
    with file.open("rb") if isinstance(file, Path) else nullcontext(file) as stream:
        blocks = _Blocks(stream)
        # A layer over a file is seen at its start.
        if not blocks.is_complete and options.parse(blocks.rest[:SAMPLE]).layers is not None:
            while not blocks.is_complete:
                blocks.read_more()
        if blocks.is_complete:
            yield from _games_in(options.parse(blocks.rest), tolerant)
        else:
            yield from _games_by_parts(blocks, options, tolerant)


def _games_in(file: ParsedFile, tolerant: bool) -> Iterator[GameTree]:
    """The games of a file that is in memory as a whole."""
    is_wrong = not tolerant and bool(file.places_of_damage)
    for game in Collection.of_file(file):
        if is_wrong and (file.layers is not None or game.damage):
            break
        yield game
    if is_wrong:
        raise _error_of(file)


def _error_of(file: ParsedFile) -> ValueError:
    """The SGFSyntaxError in a file that is damaged."""
    from sgf_lark.syntax.errors import error_of

    return error_of(file)


class _Blocks:
    """The bytes of a file from the last game trees on, read block by block."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        #: What was not consumed yet and where it begins in the file, and the same with the part
        #: that was consumed last.
        self.rest = self.last = b""
        self.begin = self.begin_of_last = START
        self.is_complete = False
        self.read_more()

    def read_more(self) -> None:
        """Read as much as is in memory and was not consumed, and at least a block."""
        wanted = max(_BLOCK_SIZE, len(self.rest))
        parts: list[bytes] = []
        while wanted > 0 and not self.is_complete:
            part = self._stream.read(wanted)
            if not isinstance(part, bytes):
                raise TypeError(
                    f"iter_games takes a path or a file opened in binary mode, such as "
                    f'open(path, "rb"); read() gave {type(part).__name__}, not bytes'
                )
            parts.append(part)
            wanted -= len(part)
            self.is_complete = not part
        self.rest = b"".join((self.rest, *parts))

    def consume(self, begin: Position) -> None:
        """Go on at that position in the file."""
        size = begin.offset - self.begin.offset
        self.last, self.rest = self.rest[:size], self.rest[size:]
        self.begin_of_last, self.begin = self.begin, begin


def _games_by_parts(blocks: _Blocks, options: ReadingOptions, tolerant: bool) -> Iterator[GameTree]:
    """The games of a file of several blocks, each with a part of the file of its own."""
    # The end of a block may cut a character in two, but ")" is a byte of no other character in any
    # charset that is a superset of ASCII.
    start = blocks.rest[: blocks.rest.rfind(b")") + 1] or blocks.rest
    charsets, engine = options.choose_charsets(start), options.engine
    count = 0
    while not (count and _is_at_end(blocks, charsets)):
        parsed, starts = _next_part(blocks, charsets, engine)
        for tree in range(len(starts) - 1):
            part, number = parsed.part(tree)
            game = GameTree(part, number)
            if game.damage and not tolerant:
                raise _error_at(blocks, charsets)
            part.damage = [found._replace(tree=count) for found in part.damage]
            yield game
            count += 1
        if not parsed.flat.roots:
            if not tolerant:
                raise _error_at(blocks, charsets)
            return
        blocks.consume(parsed.source.position(starts[-1]))


def _is_at_end(blocks: _Blocks, charsets: FileCharsets) -> bool:
    """Whether only white space is left."""
    while not charsets.decode(blocks.rest, blocks.begin).data.strip():
        if blocks.is_complete:
            return True
        blocks.read_more()
    return False


def _error_at(blocks: _Blocks, charsets: FileCharsets) -> ValueError:
    """The error in the next part, which is damaged."""
    # The part before belongs to it, because the message depends on whether it has a tree.
    part = blocks.last + blocks.rest
    return _error_of(parse(charsets.decode(part, blocks.begin_of_last)))


def _next_part(
    blocks: _Blocks, charsets: FileCharsets, engine: Engine
) -> tuple[ParsedFile, list[int]]:
    """The next part of the file, parsed, and where each of its game trees begins; at last, the end
    of those that do not depend on what was not read yet."""
    while True:
        decoding = charsets.decode(blocks.rest, blocks.begin)
        if blocks.is_complete:
            return _parsed_part(decoding, engine)
        end = end_of_trees(decoding.data)
        if end:
            part = charsets.decode(decoding.original_bytes(None, end), blocks.begin)
            parsed, starts = _parsed_part(part, engine)
            if not parsed.places_of_damage:
                return parsed, starts
            parsed, starts = _parsed_part(decoding, engine)
            whole = bisect_left(starts, starts[-1] - LOOKAHEAD)
            if whole > 1:
                return parsed, starts[:whole]
        blocks.read_more()


def _parsed_part(decoding: Decoding, engine: Engine) -> tuple[ParsedFile, list[int]]:
    """A part of a file, and where each of its game trees begins; at last, where the data end."""
    # A layer over a file is seen only in the file as a whole.
    parsed = parse(decoding, engine).as_written
    flat = parsed.flat
    return parsed, [*(flat.bounds(root)[0] for root in flat.roots), len(flat.data)]
