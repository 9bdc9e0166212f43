"""From the sources that a user names to the files and archives that are to be read, and to chunks:
parts of them of a size that one process reads at a time.

A source is a file, a folder or an archive. Nothing but names, sizes and times is looked at
until a chunk is read, one file at a time.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePath
from typing import Any
from zlib import crc32

from sgf_lark.files.archives import (
    ArchiveError,
    Member,
    as_archive_error,
    members,
    read_members,
)
from sgf_lark.files.contents import read_file
from sgf_lark.files.inputs import (
    ARCHIVE_SUFFIXES,
    GAME_SUFFIXES,
    NONE,
    Input,
    Patterns,
    is_folder,
    walk,
)


@dataclass(frozen=True)
class Source:
    """A file or archive: its path, its size in bytes, and what shows that it changed.

    `version` is the time of its last change. A file that does not exist has the size 0 and no
    version. `inner` is its path in the folder in which it was found.
    """

    path: str
    size: int
    version: str
    inner: str = field(default="", compare=False)

    @property
    def is_archive(self) -> bool:
        """Whether it is an archive, by its name."""
        return self.path.lower().endswith(ARCHIVE_SUFFIXES)


@dataclass(frozen=True)
class Selection:
    """Which files of sources are read: those with these suffixes, up to `max_size` bytes, by
    default the limits of :mod:`sgf_lark.files.packed`, without those that are `excluded`.

    Paths are relative to `folder`: a worker may run in another one than the command.
    """

    suffixes: tuple[str, ...] = GAME_SUFFIXES
    max_size: int | None = None
    folder: str = ""
    excluded: Patterns = NONE

    def place(self, path: str) -> str:
        """The path of a source for a process in any folder."""
        return os.path.join(self.folder, path)  # noqa: PTH118

    def description(self) -> dict[str, Any]:
        """What has to be equal for a run to go on, as JSON has it."""
        patterns = {"exclude": self.excluded.patterns} if self.excluded.patterns else {}
        return {"max_size": self.max_size, **patterns}


#: Game files of the usual sizes.
GAMES = Selection()


def list_sources(
    paths: Iterable[str],
    left_out: Path | None = None,
    selection: Selection = GAMES,
) -> Iterator[Source]:
    """Yield the files and archives of `paths`, in that order; those of a folder are sorted.

    Of a folder these are archives and the files of the selection. The folder `left_out` is not
    read. A path that leads nowhere is yielded, too: reading it reports why.
    """
    suffixes = selection.suffixes + ARCHIVE_SUFFIXES
    for path in paths:
        if is_folder(path):
            for found in walk(path, suffixes, left_out, selection.excluded):
                yield _local(found.path, found.inner)
        elif not selection.excluded.match(selection.place(path)):
            yield _local(path, PurePath(path).name)


def _local(path: str, inner: str) -> Source:
    try:
        status = Path(path).stat()
    except (OSError, ValueError):  # ValueError: a zero byte in the name
        return Source(path, 0, "", inner)
    return Source(path, status.st_size, str(status.st_mtime_ns), inner)


MEGABYTE = 2**20
#: The most bytes of a chunk with several files. Where this changes, chunks have other files.
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

    `end` is None for all up to the last, and `weight` is the expected number of bytes unpacked.
    What `is_part` of an archive is a chunk of its own.
    """

    source: Source
    first: int = 0
    end: int | None = None
    weight: int = 0
    is_part: bool = False


Chunk = tuple[Piece, ...]


def chunks(pieces: Iterable[Piece]) -> Iterator[Chunk]:
    """Yield the pieces in chunks of about :data:`CHUNK_BYTES` at most; parts of archives alone.

    Whether a chunk ends after a piece depends on a hash of the path, so that a file that is new or
    gone changes the chunk in which it is, and not all chunks after it.
    """
    chunk: list[Piece] = []
    weight = 0
    for piece in pieces:
        is_full = weight + piece.weight > CHUNK_BYTES or len(chunk) >= _MOST_PIECES
        if chunk and (is_full or piece.is_part):
            yield tuple(chunk)
            chunk, weight = [], 0
        chunk.append(piece)
        weight += piece.weight
        if piece.is_part or _ends_chunk(piece):
            yield tuple(chunk)
            chunk, weight = [], 0
    if chunk:
        yield tuple(chunk)


def _ends_chunk(piece: Piece) -> bool:
    """Whether a chunk ends after the piece: on average there are half of the bytes in a chunk."""
    number = crc32(os.fsencode(piece.source.path))
    return number * CHUNK_BYTES < 2 * piece.weight << 32


def pieces_of(source: Source, selection: Selection = GAMES) -> Iterator[Piece]:
    """Yield the pieces of a source: a large archive is divided, by a list of its members.

    Where the list ends with an error, the last piece, which has no end, reports it.
    """
    if not is_divided(source):
        weight = _unpacked(source) if source.is_archive else source.size
        yield Piece(source, 0, None, weight + _BYTES_FOR_A_FILE)
        return
    limit = min(CHUNK_BYTES, max(MEGABYTE, source.size // 64))
    first = weight = 0
    with suppress(ArchiveError):
        for number, member in enumerate(_members_of(source, selection)):
            if weight >= limit:
                yield Piece(source, first, number, weight, is_part=True)
                first, weight = number, 0
            weight += member.size + _BYTES_FOR_A_FILE
    yield Piece(source, first, None, weight, is_part=True)


def is_divided(source: Source) -> bool:
    """Whether it is an archive that is read in several chunks."""
    return source.is_archive and _unpacked(source) > CHUNK_BYTES


def _unpacked(source: Source) -> int:
    """The expected size of an archive when it is unpacked."""
    return source.size * (1 if source.path.lower().endswith(".tar") else _EXPANSION)


def stored_size(chunk: Chunk) -> int:
    """The bytes as stored of the files and archives of which a chunk has the last part."""
    return sum(piece.source.size for piece in chunk if piece.end is None)


def _members_of(source: Source, selection: Selection) -> Generator[Member]:
    """Yield the members of an archive, as far as they may be read; raises ArchiveError. The
    archive is closed with the generator."""
    place = selection.place(source.path)
    with as_archive_error(), open(place, "rb") as file:  # noqa: PTH123
        yield from members(
            place, file, source.size, selection.suffixes, selection.max_size, selection.excluded
        )


# --- Reading --------------------------------------------------------------------------


@dataclass
class _OpenArchive:
    """An archive that stays open: its next chunk mostly begins where the last one ended."""

    members: Generator[Member]
    position: int = 0


#: The archive that is open in this process, which reads one at a time.
_open: dict[Source, _OpenArchive] = {}


def read_piece(piece: Piece, selection: Selection = GAMES) -> Iterator[Input]:
    """Yield the files of a piece, as :func:`sgf_lark.files.contents.read_all` yields them."""
    source = piece.source
    if not source.is_archive:
        yield read_file(source.path, selection.max_size, folder=selection.folder)
        return
    archive = _archive_at(piece, selection)
    try:
        # What is before the piece is read and passed over: a tar archive has no index.
        for _ in islice(archive.members, piece.first - archive.position):
            archive.position += 1
        for file in read_members(source.path, archive.members, source.size, selection.max_size):
            archive.position += 1
            yield file
            if archive.position == piece.end:
                return
    except ArchiveError as error:
        if piece.end is None:
            yield Input(source.path, None, str(error))
    _close_archive()


def _archive_at(piece: Piece, selection: Selection) -> _OpenArchive:
    """The archive of the piece, opened anew unless it is open before the first member."""
    archive = _open.get(piece.source)
    if archive is not None and archive.position <= piece.first:
        return archive
    _close_archive()
    archive = _open[piece.source] = _OpenArchive(_members_of(piece.source, selection))
    return archive


def _close_archive() -> None:
    """Close the archive that is open, if any."""
    while _open:
        _open.popitem()[1].members.close()


def single_files(chunk: Chunk, selection: Selection = GAMES) -> Iterator[tuple[Piece, str | None]]:
    """Yield the pieces for the files of a chunk one by one, each with its name in an archive."""
    for piece in chunk:
        if not piece.source.is_archive:
            yield piece, None
            continue
        rest = piece.first
        with suppress(ArchiveError):
            found = islice(_members_of(piece.source, selection), piece.first, piece.end)
            for number, member in enumerate(found, piece.first):
                rest = number + 1
                yield replace(piece, first=number, end=rest), member.name
        # What is left reports an error at the end of the archive.
        if piece.end is None or rest < piece.end:
            yield replace(piece, first=rest), None
