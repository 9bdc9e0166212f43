"""From the sources that a user names to the files and archives that are to be read.

A source is a file, a folder, an archive, a glob pattern or a URL that fsspec knows. Nothing but
names, sizes and times is looked at here, one file at a time.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from sgf_lark.files.inputs import (
    GAME_SUFFIXES,
    TAR_SUFFIXES,
    ZIP_SUFFIXES,
    exists,
    has_suffix,
    is_folder,
    walk,
)

_GLOB_CHARACTERS = frozenset("*?[")
_BLOCK = 2**20
_ARCHIVE_SUFFIXES = ZIP_SUFFIXES + TAR_SUFFIXES


@dataclass(frozen=True)
class Source:
    """A file or archive: its path or URL, its size in bytes, and what shows that it changed.

    `version` is the time of its last change, or what the server calls its version. A file that
    does not exist has the size 0 and no version.
    """

    path: str
    size: int
    version: str

    @property
    def is_archive(self) -> bool:
        """Whether it is an archive, by its name."""
        return self.path.lower().endswith(_ARCHIVE_SUFFIXES)


@dataclass(frozen=True)
class Selection:
    """Which files of sources are read: those with these suffixes, up to `max_size` bytes, by
    default the limits of :mod:`sgf_lark.files.packed`.

    Paths are relative to `folder`: a worker may run in another one than the command.
    """

    suffixes: tuple[str, ...] = GAME_SUFFIXES
    max_size: int | None = None
    folder: str = ""


#: Game files of the usual sizes.
GAMES = Selection()


def is_url(path: str) -> bool:
    """Whether fsspec has to open it."""
    return "://" in path


def list_sources(
    paths: Iterable[str],
    left_out: Path | None = None,
    suffixes: tuple[str, ...] = GAME_SUFFIXES,
) -> Iterator[Source]:
    """Yield the files and archives of `paths`, in that order; those of a folder are sorted.

    Of a folder these are archives and files with the `suffixes`. The folder `left_out` is not
    read. A path that leads nowhere is yielded, too: reading it reports why. Raises OSError for
    URLs that fsspec cannot open here.
    """
    for path in paths:
        if is_url(path):
            yield from _list_remote(path, suffixes)
        elif is_folder(path):
            yield from _list_folder(path, left_out, suffixes)
        elif _GLOB_CHARACTERS & set(path) and not exists(path):
            for found in sorted(glob.iglob(path, recursive=True)):  # noqa: PTH207
                if is_folder(found):
                    yield from _list_folder(found, left_out, suffixes)
                else:
                    yield _local(found)
        else:
            yield _local(path)


def _list_folder(path: str, left_out: Path | None, suffixes: tuple[str, ...]) -> Iterator[Source]:
    for file, _ in walk(path, suffixes + _ARCHIVE_SUFFIXES, left_out):
        yield _local(str(file))


def _local(path: str) -> Source:
    try:
        status = Path(path).stat()
    except (OSError, ValueError):  # ValueError: a zero byte in the name
        return Source(path, 0, "")
    return Source(path, status.st_size, str(status.st_mtime_ns))


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
        is_game = has_suffix(name, suffixes) or name.lower().endswith(_ARCHIVE_SUFFIXES)
        if info.get("type") != "directory" and (is_game or len(found) == 1):
            full = system.unstrip_protocol(name)
            yield Source(full, int(info.get("size") or 0), _remote_version(info))


def _remote_version(info: dict[str, Any]) -> str:
    for key in ("ETag", "etag", "LastModified", "last_modified", "mtime", "updated"):
        if info.get(key):
            return str(info[key])
    return ""


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


def content_hash(path: str) -> str:
    """The SHA-256 of the bytes of a file as they are stored; raises OSError."""
    digest = sha256()
    with opened(path) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def read_list(file: Iterable[str]) -> Iterator[str]:
    """Yield the paths in a list, one a line."""
    for line in file:
        if path := line.rstrip("\r\n"):
            yield path
