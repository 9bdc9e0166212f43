"""The files that paths name: those of folders and archives, one at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import UnsupportedOperation
from pathlib import Path

from sgf_lark.files.inputs import (
    GAME_SUFFIXES,
    NONE,
    STDIN,
    Input,
    Patterns,
    is_archive,
    is_folder,
    reason,
    walk,
)
from sgf_lark.files.packed import check_stream, read_bounded

#: The reason for a folder or an archive that has no file to read.
NO_GAMES = "there is no game file in it"


def read_all(
    paths: Iterable[str],
    *,
    suffixes: tuple[str, ...] = GAME_SUFFIXES,
    left_out: Path | None = None,
    max_size: int | None = None,
    excluded: Patterns = NONE,
) -> Iterator[Input]:
    """Read the files of `paths` one at a time, in the order given.

    A folder is replaced by its files with these `suffixes` and those of its sub-folders, sorted,
    without the folder `left_out`; an archive by its files, in its own order, as
    ``archive.zip!member.sgf``. Packed files, such as ``game.sgf.gz``, are unpacked. What is larger
    than `max_size` bytes, by default the limits of :mod:`sgf_lark.files.packed`, is not read, nor
    is what matches `excluded`. What cannot be read, and a folder or an archive without such
    files, becomes an Input without data; nothing raises.
    """
    for path in paths:
        if path == STDIN:
            yield _read_stdin(max_size)
        elif excluded.match(path):
            continue
        elif is_folder(path):
            files = (
                read_file(found.path, max_size, found.inner)
                if found.error is None
                else Input(found.path, None, reason(found.error), found.inner)
                for found in walk(path, suffixes, left_out, excluded)
            )
            yield from _or_nothing(path, files)
        elif is_archive(path):
            from sgf_lark.files.archives import read_archive  # which is slow to import

            members = read_archive(path, suffixes, max_size, excluded)
            yield from _or_nothing(path, members)
        else:
            yield read_file(path, max_size)


def _or_nothing(path: str, files: Iterator[Input]) -> Iterator[Input]:
    """Yield `files`, or that there are none."""
    first = next(files, None)
    if first is None:
        yield Input(path, None, NO_GAMES)
        return
    yield first
    yield from files


def _read_stdin(max_size: int | None) -> Input:
    if sys.stdin is None:
        return Input(STDIN, None, "standard input is closed")
    try:
        with suppress(UnsupportedOperation):  # where standard input is an object of Python
            check_stream(sys.stdin.buffer, STDIN, max_size)
        return Input(STDIN, read_bounded(sys.stdin.buffer, STDIN, max_size))
    except (OSError, ValueError) as error:
        return Input(STDIN, None, reason(error))


def read_file(path: str, max_size: int | None, inner: str = "", *, folder: str = "") -> Input:
    """Return the file at a path, which is relative to `folder`, by default the current one."""
    try:
        # Not Path(path): that would open "" as the current folder and "game.sgf/" as the file.
        with open(os.path.join(folder, path), "rb") as file:  # noqa: PTH118, PTH123
            check_stream(file, path, max_size)
            return Input(path, read_bounded(file, path, max_size), "", inner)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        return Input(path, None, reason(error), inner)
