"""From the sources that a user names to the files and archives that are to be read, and to chunks:
parts of them of a size that one process reads at a time.

A source is a file, a folder, an archive, a glob pattern or a URL that fsspec knows. Nothing but
names, sizes and times is looked at until a chunk is read, one file at a time.
"""

from __future__ import annotations

import glob
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from sgf_lark.files import packed
from sgf_lark.files.archives import (
    ArchiveError,
    Member,
    as_archive_error,
    bounded,
    members,
    most_unpacked,
    read_member,
    too_large_together,
)
from sgf_lark.files.inputs import (
    ARCHIVE_SUFFIXES,
    GAME_SUFFIXES,
    NONE,
    Input,
    Patterns,
    exists,
    has_suffix,
    is_folder,
    reason,
    walk,
)
from sgf_lark.model.loading import loads
from sgf_lark.model.tree import GameTree

if TYPE_CHECKING:
    import dask.bag

_GLOB_CHARACTERS = frozenset("*?[")


@dataclass(frozen=True)
class Source:
    """A file or archive: its path or URL, its size in bytes, and what shows that it changed.

    `version` is the time of its last change, or what the server calls its version. A file that
    does not exist has the size 0 and no version. `inner` is its path after the folder, URL or
    beginning of a pattern by which it was found.
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

    def excludes(self, path: str, member: str = "") -> bool:
        """Whether a file, or a member of an archive, is left out."""
        place = path if is_url(path) else os.path.join(self.folder, path)  # noqa: PTH118
        return self.excluded.match(f"{place}!{member}" if member else place)

    def description(self) -> dict[str, Any]:
        """What has to be equal for a run to go on, as JSON has it."""
        patterns = {"exclude": self.excluded.patterns} if self.excluded.patterns else {}
        return {"max_size": self.max_size, **patterns}


#: Game files of the usual sizes.
GAMES = Selection()


def is_url(path: str) -> bool:
    """Whether fsspec has to open it."""
    return "://" in path


def list_sources(
    paths: Iterable[str],
    left_out: Path | None = None,
    selection: Selection = GAMES,
) -> Iterator[Source]:
    """Yield the files and archives of `paths`, in that order; those of a folder are sorted.

    Of a folder these are archives and the files of the selection. The folder `left_out` is not
    read. A path that leads nowhere is yielded, too: reading it reports why. Raises OSError for
    URLs that fsspec cannot open here.
    """
    for path in paths:
        if is_url(path):
            found = _list_remote(path, selection.suffixes)
        elif _GLOB_CHARACTERS & set(path) and not exists(path):
            names = sorted(glob.iglob(path, recursive=True))  # noqa: PTH207
            found = chain.from_iterable(_list_local(name, left_out, selection) for name in names)
        else:
            found = _list_local(path, left_out, selection)
        for source in found:
            if not selection.excludes(source.path):
                yield replace(source, inner=_path_after(path, source.path))


def _path_after(base: str, path: str) -> str:
    """The path of a source after the folder, URL or beginning of the pattern that found it."""
    base, path = base.replace("\\", "/"), path.replace("\\", "/")
    special = min((base.find(each) for each in _GLOB_CHARACTERS if each in base), default=None)
    folder = base if special is None else base[:special].rpartition("/")[0]
    start = PurePosixPath(folder).as_posix() if not is_url(folder) else folder.rstrip("/")
    plain = path if is_url(path) else PurePosixPath(path).as_posix()
    if start == "." and not plain.startswith("/"):
        return plain if special is not None or plain != base else plain.rpartition("/")[2]
    if plain.startswith(f"{start.rstrip('/')}/"):
        return plain[len(start.rstrip("/")) + 1 :]
    return plain.rpartition("/")[2]


def _list_local(path: str, left_out: Path | None, selection: Selection) -> Iterator[Source]:
    if not is_folder(path):
        yield _local(path)
        return
    suffixes = selection.suffixes + ARCHIVE_SUFFIXES
    for found in walk(path, suffixes, left_out, selection.excluded):
        yield _local(found.path)


def _local(path: str) -> Source:
    try:
        status = Path(path).stat()
    except (OSError, ValueError):  # ValueError: a zero byte in the name
        return Source(path, 0, "")
    return Source(path, status.st_size, str(status.st_mtime_ns))


#: What file systems of fsspec call what shows that a file changed.
_VERSIONS = ("ETag", "etag", "LastModified", "last_modified", "mtime", "updated")


def _list_remote(url: str, suffixes: tuple[str, ...]) -> Iterator[Source]:
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:  # a package is missing, or there is none
        raise OSError(f"{url}: {error}") from error
    if _GLOB_CHARACTERS & set(path) and not system.exists(path):
        found = {name: system.info(name) for name in system.glob(path)}
    elif system.isdir(path):
        found = system.find(path, detail=True)
    else:
        found = {path: system.info(path)} if system.exists(path) else {}
        if not found:
            yield Source(url, 0, "")
            return
    for name, info in sorted(found.items()):
        is_game = has_suffix(name, suffixes) or name.lower().endswith(ARCHIVE_SUFFIXES)
        if info.get("type") != "directory" and (is_game or len(found) == 1):
            full = system.unstrip_protocol(name)
            version = next((str(info[key]) for key in _VERSIONS if info.get(key)), "")
            yield Source(full, int(info.get("size") or 0), version)


@contextmanager
def opened(path: str, folder: str = "") -> Iterator[IO[bytes]]:
    """Open a file, whose path is relative to `folder`, or a URL to read its bytes.

    Raises OSError and ValueError.
    """
    if is_url(path):
        import fsspec

        with fsspec.open(path, "rb") as file:
            yield file
    else:
        with open(os.path.join(folder, path), "rb") as file:  # noqa: PTH118, PTH123
            yield file


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
    except ArchiveError:
        pass
    if not is_done(first):
        yield Piece(source, first, None, weight, source.size - start, True)


def _list_members(source: Source, selection: Selection) -> Iterator[Member]:
    with ExitStack() as stack:
        yield from _opened_members(source, stack, selection)


def _opened_members(source: Source, stack: ExitStack, selection: Selection) -> Iterator[Member]:
    """Yield the members of an archive, as far as they may be read; raises ArchiveError."""
    with as_archive_error():
        file = stack.enter_context(opened(source.path, selection.folder))
        found = (
            member
            for member in members(source.path, file, selection.suffixes)
            if not selection.excludes(source.path, member.name)
        )
        yield from bounded(found, source.size, selection.max_size)


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
        # What is before the piece is read and passed over: a tar archive has no index.
        for _ in islice(archive.members, piece.first - archive.position):
            archive.position += 1
        for member in archive.members:
            archive.position += 1
            file = read_member(source.path, member, selection.max_size)
            # Members that are packed themselves have more bytes than recorded.
            left -= len(file.data or b"")
            if left < 0:
                raise ArchiveError(str(too_large_together()))
            yield file
            if archive.position == piece.end:
                return
    except ArchiveError as error:
        if piece.end is None or left < 0:
            yield Input(source.path, None, str(error))
    _close_archive()


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
        count = 0
        with suppress(ArchiveError):
            count = sum(1 for _ in _list_members(piece.source, selection))
        end = count + 1
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
    except ArchiveError:
        return None
    return None if found is None else found.name


# --- The games as a bag of Dask, for pipelines --------------------------------------------


class Game(NamedTuple):
    """A game of an archive: where it is, with its number in the file from 1, and its tree."""

    path: str
    member: str | None
    game_index: int
    tree: GameTree


def games(
    sources: Iterable[str | PathLike[str]],
    *,
    chunk_bytes: int = CHUNK_BYTES,
    max_size: int | None = None,
) -> dask.bag.Bag:
    """A bag of the games in `sources`, which are as for :func:`sgf_lark.archive.audit`.

    Each item is a :class:`Game`. Damaged files are read as far as they can be understood; files
    that cannot be read are left out. Only the names of the sources are looked at here; each
    partition of the bag is a chunk of about `chunk_bytes`, which is read where it is computed.
    """
    import dask.bag
    from dask.base import tokenize

    selection = Selection(max_size=max_size, folder=str(Path.cwd()))
    paths = [each if isinstance(each, str) else str(Path(each)) for each in sources]
    pieces = (
        piece
        for source in list_sources(paths)
        for piece in pieces_of(source, (), chunk_bytes, selection)
    )
    found = list(chunks(pieces, chunk_bytes))
    if not found:
        return dask.bag.from_sequence([], npartitions=1)
    return dask.bag.from_delayed(
        [
            dask.delayed(_games_of)(
                # A key of its own: the one that Dask makes of all arguments differs in each run.
                chunk,
                selection,
                dask_key_name=f"games-{tokenize([vars(piece) for piece in chunk])}",
            )
            for chunk in found
        ]
    )


def _games_of(chunk: Chunk, selection: Selection) -> list[Game]:
    """The games of a chunk."""
    return [
        Game(piece.source.path, file.inner or None, tree.number + 1, tree)
        for piece in chunk
        for file in read_piece(piece, selection)
        if file.data is not None and not file.is_wei7()
        for tree in loads(file.data, charset_mode="auto", tolerant=True)
    ]
