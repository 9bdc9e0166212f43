"""The game files in zip and tar archives."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

from sgf_lark.cli.inputs import GAME_SUFFIXES, ZIP_SUFFIXES, Input, reason

#: Larger members of an archive are refused: a few kilobytes can unpack to more than the memory.
MEMBER_LIMIT = 256 * 2**20

_Opener = Callable[[], IO[bytes]]

#: The name of a member, the size it claims, and what opens it.
_Member = tuple[str, int, _Opener]

#: What the readers of archives raise on damage; RuntimeError is an encrypted zip member.
_DAMAGE = (
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
)


def read_archive(path: str) -> Iterator[Input]:
    """The SGF members of the archive at `path`; where it is damaged, that is the last Input."""
    members = _zip_members if path.lower().endswith(ZIP_SUFFIXES) else _tar_members
    try:
        for name, size, open_member in members(path):
            if name.lower().endswith(GAME_SUFFIXES):
                yield _read_member(f"{path}!{name}", size, open_member)
    except _DAMAGE as error:
        yield Input(path, None, reason(error))


def _read_member(shown: str, size: int, open_member: _Opener) -> Input:
    """One member. The size it claims may be a lie, so no more than the limit is unpacked."""
    too_large = Input(shown, None, f"larger than {MEMBER_LIMIT} bytes")
    if size > MEMBER_LIMIT:
        return too_large
    try:
        with open_member() as file:
            data = file.read(MEMBER_LIMIT + 1)
    except _DAMAGE as error:
        return Input(shown, None, reason(error))
    return too_large if len(data) > MEMBER_LIMIT else Input(shown, data)


def _zip_members(path: str) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, info.file_size, partial(archive.open, info)


def _tar_members(path: str) -> Iterator[_Member]:
    with tarfile.open(path, "r|*") as archive:
        for info in archive:
            # Read front to back, so that what lies behind can be forgotten: memory stays flat.
            archive.members.clear()  # type: ignore[attr-defined]
            if info.isfile():
                yield info.name, info.size, partial(_open_tar_member, archive, info)


def _open_tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    assert file is not None  # it is None for members that are no files only
    return file
