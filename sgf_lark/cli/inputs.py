"""Where the bytes come from: files, folders, archives and standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: Standard input, as a path.
STDIN = "-"

#: Ends of the names of game files in folders and archives; MGT is the older name of SGF.
SGF_SUFFIXES = (".sgf", ".mgt")
WEI7_SUFFIXES = (".wei7",)
GAME_SUFFIXES = SGF_SUFFIXES + WEI7_SUFFIXES
ZIP_SUFFIXES = (".zip",)
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")


@dataclass(frozen=True)
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
        elif S_ISDIR(_mode(path)):
            yield from _read_folder(path)
        elif path.lower().endswith(ZIP_SUFFIXES + TAR_SUFFIXES):
            from sgf_lark.cli.archives import read_archive

            yield from read_archive(path)
        else:
            yield _read_file(path)


def expand(paths: Iterable[str]) -> Iterator[str]:
    """`paths` with the SGF files of folders in the place of the folders."""
    for path in paths:
        if path != STDIN and S_ISDIR(_mode(path)):
            yield from (str(file) for file, _ in _walk(path))
        else:
            yield path


def count(paths: Iterable[str]) -> int:
    """How many files :func:`read_all` is about to read; an archive counts as one."""
    return sum(
        sum(1 for _ in _walk(path)) if path != STDIN and S_ISDIR(_mode(path)) else 1
        for path in paths
    )


def _read_stdin() -> Input:
    if sys.stdin is None:
        return Input(STDIN, None, "standard input is closed")
    try:
        return Input(STDIN, sys.stdin.buffer.read())
    except OSError as error:
        return Input(STDIN, None, reason(error))


def _read_file(path: str) -> Input:
    try:
        with open(path, "rb") as file:
            return Input(path, file.read())
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        return Input(path, None, reason(error))


def _mode(path: str | Path) -> int:
    """The mode of what `path` leads to, or 0 where that cannot be told."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return 0


def reason(error: Exception) -> str:
    """What `error` says, without the path that stands beside it anyway."""
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
    """The SGF files in `folder`, sorted; a folder that cannot be listed comes with its error.

    Links to folders are not followed, since they may lead in a circle. Devices
    and pipes are left out, since reading them may never end; a broken link is
    kept, to be reported.
    """
    from pathlib import Path

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
