"""Files, folders, archives and standard input as the bytes of game files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from sgf_lark.cli.terminal import fail

#: Standard input, as a path.
STDIN = "-"

#: Suffixes of game files in folders and archives; MGT is the older name of SGF.
SGF_SUFFIXES = (".sgf", ".mgt")
WEI7_SUFFIXES = (".wei7",)
GAME_SUFFIXES = SGF_SUFFIXES + WEI7_SUFFIXES
ZIP_SUFFIXES = (".zip",)
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")


@dataclass(frozen=True)
class Input:
    """One file: the path to print and its bytes, or None and the reason why not."""

    path: str
    data: bytes | None
    reason: str = ""


def read_all(paths: Iterable[str]) -> Iterator[Input]:
    """Read the files of `paths` one at a time, in the order given.

    A folder is replaced by its game files and those of its sub-folders, sorted; an
    archive by its game files, in its own order, as ``archive.zip!member.sgf``. What
    cannot be read becomes an Input without data; nothing raises.
    """
    for path in paths:
        if path == STDIN:
            yield _read_stdin()
        elif S_ISDIR(_mode(path)):
            yield from _read_folder(path)
        elif path.lower().endswith(ZIP_SUFFIXES + TAR_SUFFIXES):
            from sgf_lark.cli.archives import read_archive

            yield from read_archive(path)
        else:
            yield _read_file(path)


def read_one(path: str) -> Input:
    """Read the first file of `path`, for commands that take one file."""
    return next(read_all([path]), Input(path, None, "there is no file in it"))


def read_data(path: str) -> bytes:
    """Return the content of :func:`read_one`; where it cannot be read, end with exit code 2."""
    file = read_one(path)
    if file.data is None:
        fail(f"{path}: {file.reason}")
    return file.data


def expand_folders(paths: Iterable[str]) -> Iterator[str]:
    """Yield `paths`, with each folder replaced by its game files."""
    for path in paths:
        if path != STDIN and S_ISDIR(_mode(path)):
            yield from (str(file) for file, _ in _walk(path))
        else:
            yield path


def count_files(paths: Iterable[str]) -> int:
    """Count the files that :func:`read_all` will read; an archive counts as one."""
    return sum(1 for _ in expand_folders(paths))


def _read_stdin() -> Input:
    if sys.stdin is None:
        return Input(STDIN, None, "standard input is closed")
    try:
        return Input(STDIN, sys.stdin.buffer.read())
    except OSError as error:
        return Input(STDIN, None, reason(error))


# Path would open "" as the current folder and "game.sgf/" as the file, so paths of users are
# opened as they are.


def _read_file(path: str) -> Input:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return Input(path, file.read())
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        return Input(path, None, reason(error))


def _mode(path: str | Path) -> int:
    """Return the mode of the file that `path` leads to, or 0 where it cannot be read."""
    try:
        return os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def reason(error: Exception) -> str:
    """Return the message of `error` without the path."""
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror or str(error) or type(error).__name__


# --- Folders ------------------------------------------------------------------


def _read_folder(folder: str) -> Iterator[Input]:
    for path, error in _walk(folder):
        if error is None:
            yield _read_file(str(path))
        else:
            yield Input(str(path), None, reason(error))


def _walk(folder: str) -> Iterator[tuple[Path, OSError | None]]:
    """Yield the game files in `folder`, sorted, and folders that cannot be listed, with the error.

    Links to folders are not followed, since they may lead in a circle. Devices
    and pipes are left out, since reading them may never end; a broken link is
    kept, to be reported.
    """
    first = Path(folder)
    waiting = [first]
    while waiting:
        path = waiting.pop()
        mode = _mode(path)
        if path == first or (S_ISDIR(mode) and not path.is_symlink()):
            try:
                waiting.extend(sorted(path.iterdir(), reverse=True))
            except OSError as error:
                yield path, error
        elif path.name.lower().endswith(GAME_SUFFIXES) and (S_ISREG(mode) or not mode):
            yield path, None
