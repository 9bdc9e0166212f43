"""From the sources that a user names to the files and archives that are to be read.

A source is a file, a folder, an archive, a glob pattern or a URL that fsspec knows. Nothing but
names, sizes and times is looked at here, one file at a time.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path, PurePosixPath
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
from sgf_lark.files.patterns import NONE, Patterns

_GLOB_CHARACTERS = frozenset("*?[")
_ARCHIVE_SUFFIXES = ZIP_SUFFIXES + TAR_SUFFIXES


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
        return self.path.lower().endswith(_ARCHIVE_SUFFIXES)


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
    suffixes = selection.suffixes + _ARCHIVE_SUFFIXES
    for found in walk(path, suffixes, left_out, selection.excluded):
        yield _local(found.path)


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


def read_list(file: Iterable[str]) -> Iterator[str]:
    """Yield the paths in a list, one a line."""
    for line in file:
        if path := line.rstrip("\r\n"):
            yield path
