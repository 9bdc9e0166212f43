"""Game files in zip and tar archives."""

from __future__ import annotations

import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO

from sgf_lark.cli import packed
from sgf_lark.cli.inputs import ZIP_SUFFIXES, Input, has_suffix, reason
from sgf_lark.cli.patterns import NONE, Patterns

_Opener = Callable[[], IO[bytes]]

#: The name of a member, its size as recorded in the archive, and a function that opens it.
_Member = tuple[str, int, _Opener]

#: Games, and even files of equal games, are packed less than this.
_LARGEST_RATIO = 200

#: Raised for damaged archives; RuntimeError for an encrypted zip member, IndexError for a member
#: without a name, OverflowError and struct.error for impossible numbers.
_ERRORS = (
    OSError,
    EOFError,
    IndexError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
)


def read_archive(
    path: str,
    suffixes: tuple[str, ...],
    max_size: int | None = None,
    excluded: Patterns = NONE,
) -> Iterator[Input]:
    """Yield the files with these suffixes in the archive at `path`, without those `excluded`.

    Members larger than `max_size` bytes, by default the limit of :mod:`sgf_lark.cli.packed`, are
    not unpacked. Nor is more than that altogether, if it is also more than the archive itself
    `_LARGEST_RATIO` times. There, and where the archive is damaged, the last Input is the archive
    itself, with the reason.
    """
    try:
        left = _most_unpacked(path, max_size)
        for name, size, open_member in _members(path):
            if has_suffix(name, suffixes) and not excluded.match(f"{path}!{name}"):
                data, problem = _read_member(name, size, open_member, max_size)
                left -= len(data or b"")
                if left < 0:
                    raise ValueError("its files are too large together; --max-size allows more")
                yield Input(f"{path}!{name}", data, problem, name)
    except _ERRORS as error:
        yield Input(path, None, reason(error))


def list_archive(path: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield the names of the files that :func:`read_archive` will read; nothing raises."""
    with suppress(*_ERRORS):
        for name, _, _ in _members(path):
            if has_suffix(name, suffixes):
                yield name


def _members(path: str) -> Iterator[_Member]:
    return _zip_members(path) if path.lower().endswith(ZIP_SUFFIXES) else _tar_members(path)


def _most_unpacked(path: str, max_size: int | None) -> int:
    """Return the number of bytes that all members of an archive may have together."""
    limit = packed.FILE_LIMIT if max_size is None else max_size
    return max(limit, Path(path).stat().st_size * _LARGEST_RATIO)


def _read_member(
    name: str, size: int, open_member: _Opener, max_size: int | None
) -> tuple[bytes | None, str]:
    """Return the content of a member, or None and the reason.

    The recorded `size` may be wrong, so at most the limit is unpacked.
    """
    limit = packed.UNPACKED_LIMIT if max_size is None else max_size
    try:
        if size > limit:
            raise packed.too_large(limit)
        with open_member() as file:
            return packed.read_bounded(file, name, limit), ""
    except _ERRORS as error:
        return None, reason(error)


def _zip_members(path: str) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, info.file_size, partial(archive.open, info)


def _tar_members(path: str) -> Iterator[_Member]:
    with tarfile.open(path, "r|*") as archive:
        for info in archive:
            # The list of members read so far is not needed, and would grow with the archive.
            archive.members.clear()  # type: ignore[attr-defined]
            if info.isfile():
                yield info.name, info.size, partial(_open_tar_member, archive, info)


def _open_tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    assert file is not None  # None is only for members that are not files
    return file
