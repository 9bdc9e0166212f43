"""From bytes to a Collection, or to its game trees one by one."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from sgf_lark.grammar import CharsetMode
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.syntax import Engine
from sgf_lark.syntax.game_trees import TreeFinder, TreeReading, parse
from sgf_lark.syntax.grammars import FILE_FORMATS
from sgf_lark.syntax.parsing import ParsedFile, check_engine, parse_decoded
from sgf_lark.syntax.signatures import SAMPLE
from sgf_lark.text.charsets import named
from sgf_lark.text.decoding import Decoding, FileCharsets, choose_charsets, decode
from sgf_lark.text.escaping import short_repr
from sgf_lark.text.positions import START
from sgf_lark.text.validity import encode

if TYPE_CHECKING:
    from sgf_lark.syntax.tolerant import Damage


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
        from sgf_lark.syntax.errors import error_of

        raise error_of(file)
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

# The game trees of a file one by one, with memory for one of them at a time.
#
# The bytes are read in blocks. A regular expression finds where a game tree ends, and the part up
# to there is read as if it were a file. Where that part is damaged, or no bracket can be found in
# the bytes, as in UTF-16, the next part of the file is parsed, and more of it until another game
# tree begins there.

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

    Only one game tree is in memory at a time, so that files of any size can be read; use
    :func:`load` for the whole collection. The file object need not be seekable: pass
    ``gzip.open(path)`` for a compressed file. The spans of properties and diagnostics are those in
    the whole file; numbers of nodes count in each tree. Charsets are found as by :func:`loads`,
    with the same options; with the mode "file", from the first megabyte.

    A damaged tree raises SGFSyntaxError (a ValueError), after the trees before it. With
    `tolerant` any bytes are accepted, and :attr:`GameTree.damage` lists what the grammar does not
    allow, with the text up to the next tree. What lies over a file as a whole, such as an encoding,
    is undone as by :func:`loads`; such a file is read into memory as a whole. Raises LookupError,
    ValueError and TypeError for the options at once, OSError when the file is opened or read.
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
        source = _Source(stream)
        layered = _without_layers(source, options)
        if layered is not None:
            if not tolerant:
                from sgf_lark.syntax.errors import error_of

                raise error_of(layered)
            yield from Collection.of_file(layered)
            return
        start = source.rest if source.is_complete else _up_to_parenthesis(source.rest)
        reader = _Reader(source, options.choose_charsets(start), options.engine)
        while True:
            intact = reader.read_tree(tolerant)
            if intact is not None:
                yield reader.advance(intact)
                continue
            if reader.is_finished:
                return
            has_tree = False
            for collection in reader.read_part():
                if collection.damage and not tolerant:
                    raise reader.error()
                yield reader.advance(collection)
                has_tree = True
            if not (has_tree or tolerant):
                raise reader.error()
            if not has_tree:
                return


def _without_layers(source: _Source, options: ReadingOptions) -> ParsedFile | None:
    """The file of a source without the layers over it, which its first bytes show; None if there
    are none, so that it can be read tree by tree."""
    start = source.rest[:SAMPLE]
    found = options.parse(start)
    if found.layers is not None and not (source.is_complete and start == source.rest):
        while not source.is_complete:
            source.read_more()
        found = options.parse(source.rest)
    return None if found.layers is None else found


def _up_to_parenthesis(data: bytes) -> bytes:
    """`data` without the end of a block that may cut a character in two: ")" is a byte of no
    other character in any charset that is a superset of ASCII."""
    return data[: data.rfind(b")") + 1] or data


class _Source:
    """The bytes of a file from the last game trees on, read block by block."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        #: What is in memory, and the offset in it of what was not consumed yet.
        self.data = b""
        self.start = 0
        #: The offset in it of the part that was consumed last.
        self.before = 0
        self.is_complete = False
        self.read_more()

    @property
    def rest(self) -> bytes:
        """What is in memory and was not consumed."""
        return self.data[self.start :]

    def read_more(self) -> None:
        """Read as much as is in memory, and at least a block."""
        wanted = max(_BLOCK_SIZE, len(self.data) - self.before)
        parts = [self.data[self.before :]]
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
        self.data = b"".join(parts)
        self.start, self.before = self.start - self.before, 0

    def consume(self, size: int) -> None:
        """Go on after the next `size` bytes."""
        self.before, self.start = self.start, self.start + size


class _Reader:
    """Reads game trees from a source."""

    def __init__(self, source: _Source, charsets: FileCharsets, engine: Engine) -> None:
        self._source = source
        self._charsets = charsets
        self._engine = engine
        #: The number of trees so far.
        self._count = 0
        #: The positions in the file of `source.before` and `source.start`.
        self._before = self._begin = START
        self._finder = TreeFinder(b"", charsets, engine)

    @property
    def is_finished(self) -> bool:
        """Whether there is only white space after the last tree."""
        rest = self._source.rest
        return (
            self._count > 0
            and not self._decode(rest[:LOOKAHEAD]).data.strip()
            and not self._decode(rest).data.strip()
        )

    def read_tree(self, tolerant: bool) -> Collection | None:
        """The next game tree; None if :meth:`read_part` has to read it: it is damaged, or, with
        `tolerant`, what follows it, or its end cannot be found in bytes, as in UTF-16."""
        if self._charsets.decode_whole:
            return None
        _, found = self._find_tree()
        if found is None:
            return None
        found.decoding.begin = self._begin
        if tolerant and not self._is_followed_by_tree(found.decoding):
            return None
        return Collection.of_file(found)

    def _find_tree(self) -> tuple[list[TreeReading], ParsedFile | None]:
        """The next game tree, for which as much of the file is read as it needs."""
        source = self._source
        while True:
            if self._finder.data is not source.data:
                self._finder = TreeFinder(source.data, self._charsets, self._engine)
            found = self._finder.find(source.start)
            if source.is_complete or not self._finder.needs_more:
                return found
            source.read_more()

    def _decode(self, part: bytes) -> Decoding:
        """The next part of the file, before it is known where its game trees end."""
        return self._charsets.decode(part, self._begin)

    def _is_followed_by_tree(self, decoding: Decoding) -> bool:
        """Whether a "(" or nothing follows the tree in that decoding, after white space."""
        source = self._source
        while True:
            end = source.start + len(decoding.original)
            if (match := _AFTER_SPACE.search(source.data, end)) or source.is_complete:
                return match is None or match[0] == b"("
            source.read_more()

    def advance(self, collection: Collection) -> GameTree:
        """Go on after the only tree of the collection, and return it."""
        self._source.consume(len(collection.data))
        self._before, self._begin = self._begin, collection.source.end()
        self._count += 1
        return collection[0]

    def error(self) -> ValueError:
        """The SGFSyntaxError for the next tree, which is damaged, or what follows the last."""
        from sgf_lark.syntax.errors import error_of

        source = self._source
        # The tree before is part of it, because the message depends on whether there is one.
        readings = [] if self._charsets.decode_whole else self._find_tree()[0]
        end = max((each.end for each in readings), default=None)
        part = source.data[source.before : None if end is None else end + LOOKAHEAD]
        return error_of(parse(self._charsets.decode(part, self._before)))

    def read_part(self) -> Iterator[Collection]:
        """At least one game tree, damaged or not, unless the rest of the file has none.

        Each has to be passed to :meth:`advance` before the next is asked for.
        """
        source = self._source
        size = 4 * LOOKAHEAD
        while True:
            rest = source.rest[:size]
            is_all = source.is_complete and source.start + len(rest) == len(source.data)
            # A layer over a file is seen only in the file as a whole.
            parsed = parse(self._decode(rest), self._engine).as_written
            decoding, flat = parsed.decoding, parsed.flat
            starts = [0, *(flat.bounds(root)[0] for root in flat.roots[1:])]
            if is_all:
                starts.append(len(decoding.data))
            else:
                # Whether these begin a tree does not depend on what was not read yet.
                starts = [each for each in starts if each < len(decoding.data) - LOOKAHEAD]
            if is_all or len(starts) > 1:
                break
            size *= 2
            if source.start + size > len(source.data):
                source.read_more()
        for tree, (start, end) in enumerate(pairwise(starts)):
            if flat.roots:
                yield self._tree_of(parsed, tree, start, end)

    def _tree_of(self, parsed: ParsedFile, tree: int, start: int, end: int) -> Collection:
        """A tree of a part of the file, with the bytes from `start` to `end` as its file."""
        from sgf_lark.syntax.tolerant import DamagedTree

        part = parsed.decoding.part(start, end, self._begin)
        flat = parsed.flat.part(tree, start, part.data)
        damaged = parsed.damaged or DamagedTree(flat)
        own = DamagedTree(
            flat,
            _between(damaged.damage, start, end),
            _between(damaged.lowercase, start, end),
        )
        file = ParsedFile(part, flat, own, engine=self._engine)
        file.damage = [
            found if found.tree is None else found._replace(tree=self._count)
            for found in file.damage
        ]
        return Collection.of_file(file)


def _between(damage: list[Damage], start: int, end: int) -> list[Damage]:
    """The damage that starts between these offsets, with offsets from `start` on."""
    first, last = (bisect_left(damage, offset, key=_start_of_damage) for offset in (start, end))
    return [
        each._replace(start=each.start - start, end=each.end - start) for each in damage[first:last]
    ]


_start_of_damage = attrgetter("start")

_AFTER_SPACE = re.compile(rb"[^ \t\n\r\v\f]")
