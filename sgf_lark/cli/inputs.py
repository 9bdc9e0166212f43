"""Where the bytes come from: files, folders, archives and standard input."""

from __future__ import annotations

import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import IO

#: Standard input, as a path.
STDIN = "-"

#: Ends of the names of game files in folders and archives; MGT is the older name of SGF.
SGF_SUFFIXES = (".sgf", ".mgt")
WEI7_SUFFIXES = (".wei7",)
GAME_SUFFIXES = SGF_SUFFIXES + WEI7_SUFFIXES
ZIP_SUFFIXES = (".zip",)
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")

#: Larger members of an archive are refused: a few kilobytes can unpack to more than the memory.
MEMBER_LIMIT = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Input:
    """One file as it is shown (`path`) and its bytes, or None and the reason why not."""

    path: str
    data: bytes | None
    reason: str = ""


def read_all(paths: Iterable[str]) -> Iterator[Input]:
    """Reads what `paths` name, one file at a time, in the order given.

    A folder gives its SGF files and those of its sub-folders, sorted; an archive
    its SGF members, in its own order, as ``archive.zip!member.sgf``. What cannot
    be read becomes an Input without data; nothing raises.
    """
    for path in paths:
        if path == STDIN:
            yield _read_stdin()
        elif S_ISDIR(_mode(Path(path))):
            yield from _read_folder(Path(path))
        elif path.lower().endswith(ZIP_SUFFIXES):
            yield from _read_archive(path, _zip_members)
        elif path.lower().endswith(TAR_SUFFIXES):
            yield from _read_archive(path, _tar_members)
        else:
            yield _read_file(Path(path), path)


def expand(paths: Iterable[str]) -> Iterator[str]:
    """`paths` with the SGF files of folders in the place of the folders."""
    for path in paths:
        if path != STDIN and S_ISDIR(_mode(Path(path))):
            yield from (str(file) for file, _ in _walk(Path(path)))
        else:
            yield path


def count(paths: Iterable[str]) -> int:
    """How many files :func:`read_all` is about to read; an archive counts as one."""
    return sum(
        sum(1 for _ in _walk(Path(path))) if path != STDIN and S_ISDIR(_mode(Path(path))) else 1
        for path in paths
    )


def _read_stdin() -> Input:
    if sys.stdin is None:
        return Input(STDIN, None, "standard input is closed")
    try:
        return Input(STDIN, sys.stdin.buffer.read())
    except OSError as error:
        return Input(STDIN, None, _reason(error))


def _read_file(file: Path, shown: str) -> Input:
    try:
        return Input(shown, file.read_bytes())
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        return Input(shown, None, _reason(error))


def _mode(path: Path) -> int:
    """The mode of what `path` leads to, or 0 where that cannot be told."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def _reason(error: Exception) -> str:
    """What `error` says, without the path that stands beside it anyway."""
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror or str(error) or type(error).__name__


# --- Folders ------------------------------------------------------------------


def _read_folder(folder: Path) -> Iterator[Input]:
    for path, error in _walk(folder):
        if error is None:
            yield _read_file(path, str(path))
        else:
            yield Input(str(path), None, _reason(error))


def _walk(folder: Path) -> Iterator[tuple[Path, OSError | None]]:
    """The SGF files in `folder`, sorted; a folder that cannot be listed comes with its error.

    Links to folders are not followed, since they may lead in a circle. Devices
    and pipes are left out, since reading them may never end; a broken link is
    kept, to be reported.
    """
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        mode = _mode(path)
        if path == folder or (S_ISDIR(mode) and not path.is_symlink()):
            try:
                waiting.extend(sorted(path.iterdir(), reverse=True))
            except OSError as error:
                yield path, error
        elif path.name.lower().endswith(GAME_SUFFIXES) and (S_ISREG(mode) or not mode):
            yield path, None


# --- Archives -----------------------------------------------------------------

_Opener = Callable[[], IO[bytes]]

#: The name of a member, the size it claims, and what opens it.
_Member = tuple[str, int, _Opener]
_Members = Callable[[str], Iterator[_Member]]

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


def _read_archive(path: str, members: _Members) -> Iterator[Input]:
    """The SGF members of the archive at `path`; where it is damaged, that is the last Input."""
    try:
        for name, size, open_member in members(path):
            if name.lower().endswith(GAME_SUFFIXES):
                yield _read_member(f"{path}!{name}", size, open_member)
    except _DAMAGE as error:
        yield Input(path, None, _reason(error))


def _read_member(shown: str, size: int, open_member: _Opener) -> Input:
    """One member. The size it claims may be a lie, so no more than the limit is unpacked."""
    too_large = Input(shown, None, f"larger than {MEMBER_LIMIT} bytes")
    if size > MEMBER_LIMIT:
        return too_large
    try:
        with open_member() as file:
            data = file.read(MEMBER_LIMIT + 1)
    except _DAMAGE as error:
        return Input(shown, None, _reason(error))
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
