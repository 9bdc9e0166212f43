"""Chunks: parts of the sources of a size that one process reads at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from zlib import crc32

from sgf_lark.archive.sources import GAMES, Selection, Source, opened
from sgf_lark.files import packed
from sgf_lark.files.archives import (
    ERRORS,
    Member,
    bounded,
    members,
    most_unpacked,
    read_member,
    too_large_together,
)
from sgf_lark.files.inputs import Input, reason

MEGABYTE = 2**20
#: The most bytes of a chunk with several files.
CHUNK_BYTES = 8 * MEGABYTE
#: A chunk has at most this number of files outside archives.
_MOST_PIECES = 20_000
#: Each file costs some time in addition to that for its bytes.
_BYTES_FOR_A_FILE = 500
#: How much larger the content of a packed archive is expected to be.
_EXPANSION = 8


@dataclass(frozen=True)
class Piece:
    """A file, or the game files with numbers from `first` to before `end` in an archive.

    `end` is None for all up to the last; `weight` is the expected number of bytes unpacked, and
    `stored` the bytes as stored. What `is_part` of an archive is a chunk of its own.
    """

    source: Source
    first: int = 0
    end: int | None = None
    weight: int = 0
    stored: int = 0
    is_part: bool = False


Chunk = tuple[Piece, ...]


def chunks(pieces: Iterable[Piece], chunk_bytes: int = CHUNK_BYTES) -> Iterator[Chunk]:
    """Yield the pieces in chunks of at most about that number of bytes; parts of archives alone.

    Whether a chunk ends after a piece depends on a hash of the path, so that a file that is new or
    gone changes the chunk in which it is, and not all chunks after it.
    """
    chunk: list[Piece] = []
    weight = 0
    for piece in pieces:
        is_full = weight + piece.weight > chunk_bytes or len(chunk) >= _MOST_PIECES
        if chunk and (is_full or piece.is_part):
            yield tuple(chunk)
            chunk, weight = [], 0
        chunk.append(piece)
        weight += piece.weight
        if piece.is_part or _ends_chunk(piece, chunk_bytes):
            yield tuple(chunk)
            chunk, weight = [], 0
    if chunk:
        yield tuple(chunk)


def _ends_chunk(piece: Piece, chunk_bytes: int) -> bool:
    """Whether a chunk ends after the piece: on average there are `chunk_bytes` / 2 in a chunk."""
    number = crc32(os.fsencode(piece.source.path))
    return number * chunk_bytes < 2 * piece.weight << 32


def pieces_of(
    source: Source,
    finished: Sequence[Piece] = (),
    chunk_bytes: int = CHUNK_BYTES,
    selection: Selection = GAMES,
) -> Iterator[Piece]:
    """Yield the pieces of a source: a large archive is divided, by a list of its members.

    Where the `finished` pieces are all of it, these are yielded, without reading the archive.
    """
    if not is_divided(source, chunk_bytes):
        weight = _unpacked(source) if source.is_archive else source.size
        yield Piece(source, 0, None, weight + _BYTES_FOR_A_FILE, source.size)
        return
    yield from finished
    if _is_complete(finished):
        return

    def is_done(number: int) -> bool:
        return any(
            each.first <= number and (each.end is None or number < each.end) for each in finished
        )

    weight = min(chunk_bytes, max(MEGABYTE, source.size // 64))
    yield from _ranges(source, is_done, weight, selection)


def is_divided(source: Source, chunk_bytes: int) -> bool:
    """Whether it is an archive that is read in several chunks."""
    return source.is_archive and _unpacked(source) > chunk_bytes


def _is_complete(finished: Sequence[Piece]) -> bool:
    """Whether these pieces of an archive, in order, are all of it."""
    end: int | None = 0
    for piece in finished:
        if piece.first != end:
            return False
        end = piece.end
    return end is None


def _unpacked(source: Source) -> int:
    """The expected size of an archive when it is unpacked."""
    return source.size * (1 if source.path.lower().endswith(".tar") else _EXPANSION)


def _ranges(
    source: Source, is_done: Callable[[int], bool], chunk_bytes: int, selection: Selection
) -> Iterator[Piece]:
    """Divide an archive by a list of its members. Where the list ends with an error, the last
    piece, which has no end, reports it."""
    first, weight, start, position = 0, 0, 0, 0
    try:
        for number, member in enumerate(_list_members(source, selection)):
            is_left_out = is_done(number)
            if weight and (is_left_out or weight >= chunk_bytes):
                yield Piece(source, first, number, weight, position - start, True)
                first, weight, start = number, 0, position
            position = max(position, member.position)
            if is_left_out:
                first, start = number + 1, position
            else:
                weight += member.size + _BYTES_FOR_A_FILE
    except ReadError:
        pass
    if not is_done(first):
        yield Piece(source, first, None, weight, source.size - start, True)


def _list_members(source: Source, selection: Selection) -> Iterator[Member]:
    with ExitStack() as stack:
        yield from _opened_members(source, stack, selection)


class ReadError(Exception):
    """An archive that cannot be read, with the reason."""


def _opened_members(source: Source, stack: ExitStack, selection: Selection) -> Iterator[Member]:
    """Yield the members of an archive, as far as they may be read; raises ReadError."""
    try:
        file = stack.enter_context(opened(source.path, selection.folder))
        found = (
            member
            for member in members(source.path, file, selection.suffixes)
            if not selection.excludes(source.path, member.name)
        )
        yield from bounded(found, source.size, selection.max_size)
    except ERRORS as error:
        raise ReadError(reason(error)) from error
    except Exception as error:
        if not packed.is_unpacking_error(error):
            raise
        raise ReadError(reason(error)) from error


# --- Reading --------------------------------------------------------------------------


@dataclass
class _OpenArchive:
    """An archive that stays open: its next chunk mostly begins where the last one ended."""

    source: Source
    members: Iterator[Member]
    stack: ExitStack
    position: int = 0


class _OfThread(threading.local):
    """The archive that a thread has open."""

    archive: _OpenArchive | None = None


_open = _OfThread()


def read_piece(piece: Piece, selection: Selection = GAMES) -> Iterator[Input]:
    """Yield the files of a piece, as :func:`sgf_lark.files.contents.read_all` yields them."""
    source = piece.source
    if not source.is_archive:
        yield _read_file(source.path, selection)
        return
    archive = _archive_at(piece, selection)
    left = most_unpacked(source.size, selection.max_size)
    try:
        for member in _skip(archive, piece.first):
            archive.position += 1
            file = read_member(source.path, member, selection.max_size)
            # Members that are packed themselves have more bytes than recorded.
            left -= len(file.data or b"")
            if left < 0:
                raise ReadError(str(too_large_together()))
            yield file
            if archive.position == piece.end:
                return
    except ReadError as error:
        if piece.end is None or left < 0:
            yield Input(source.path, None, str(error))
    _close_archive()


def _skip(archive: _OpenArchive, first: int) -> Iterator[Member]:
    for _ in islice(archive.members, first - archive.position):
        archive.position += 1
    return archive.members


def _archive_at(piece: Piece, selection: Selection) -> _OpenArchive:
    """The archive of the piece, opened anew unless it is open before the first member."""
    archive = _open.archive
    is_the_same = archive is not None and archive.source == piece.source
    if archive is not None and is_the_same and archive.position <= piece.first:
        return archive
    _close_archive()
    stack = ExitStack()
    found = _opened_members(piece.source, stack, selection)
    archive = _open.archive = _OpenArchive(piece.source, found, stack)
    return archive


def _close_archive() -> None:
    """Close the archive that this thread has open, if any."""
    if _open.archive is not None:
        _open.archive.stack.close()
        _open.archive = None


def _read_file(path: str, selection: Selection) -> Input:
    try:
        with opened(path, selection.folder) as file:
            return Input(path, packed.read_bounded(file, path, selection.max_size))
    except (OSError, ValueError) as error:
        return Input(path, None, reason(error))


# --- Dividing -------------------------------------------------------------------------


def halves(chunk: Chunk, selection: Selection = GAMES) -> list[Chunk]:
    """Divide a chunk in two; return only it if it has one file."""
    if len(chunk) > 1:
        middle = len(chunk) // 2
        return [chunk[:middle], chunk[middle:]]
    [piece] = chunk
    if not piece.source.is_archive:
        return [chunk]
    end = piece.end
    if end is None:
        # One more than there are, for an error at the end.
        end = _count_members(piece.source, selection) + 1
    if end - piece.first <= 1:
        return [chunk]
    middle = (piece.first + end) // 2
    return [
        (replace(piece, end=middle, weight=piece.weight // 2, stored=piece.stored // 2),),
        (replace(piece, first=middle, weight=piece.weight // 2, stored=piece.stored // 2),),
    ]


def member_name(piece: Piece, selection: Selection) -> str | None:
    """The name of the first file of a piece of an archive; None if there is none."""
    if not piece.source.is_archive:
        return None
    try:
        found = next(islice(_list_members(piece.source, selection), piece.first, None), None)
    except ReadError:
        return None
    return None if found is None else found.name


def _count_members(source: Source, selection: Selection) -> int:
    try:
        return sum(1 for _ in _list_members(source, selection))
    except ReadError:
        return 0
