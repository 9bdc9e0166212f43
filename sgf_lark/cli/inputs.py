"""The inputs of commands: what :mod:`sgf_lark.files.contents` reads, with messages for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from sgf_lark.cli.terminal import fail, print_error
from sgf_lark.files import contents
from sgf_lark.files.contents import list_files
from sgf_lark.files.inputs import (
    GAME_SUFFIXES,
    SGF_SUFFIXES,
    STDIN,
    WEI7_SUFFIXES,
    Input,
    count_files,
    exists,
    has_suffix,
    holds_files,
    is_archive,
    is_file,
    is_folder,
    may_be_overwritten,
    real_path,
    reason,
)
from sgf_lark.files.patterns import NONE, Patterns
from sgf_lark.text.escaping import escape

__all__ = [
    "GAME_SUFFIXES",
    "SGF_SUFFIXES",
    "STDIN",
    "WEI7_SUFFIXES",
    "Input",
    "count_files",
    "exists",
    "has_suffix",
    "holds_files",
    "is_archive",
    "is_file",
    "is_folder",
    "list_files",
    "may_be_overwritten",
    "read_all",
    "read_data",
    "read_one",
    "real_path",
    "reason",
    "report_empty",
]


def report_empty(path: str) -> None:
    """Print that a folder or an archive has no game file."""
    print_error(f"{escape(path)}: there is no game file in it")


def read_all(
    paths: Iterable[str],
    *,
    suffixes: tuple[str, ...] = GAME_SUFFIXES,
    left_out: Path | None = None,
    when_empty: Callable[[str], None] = report_empty,
    max_size: int | None = None,
    excluded: Patterns = NONE,
) -> Iterator[Input]:
    """Read the files of `paths`, see :func:`sgf_lark.files.contents.read_all`.

    By default a folder or an archive without such files is reported.
    """
    return contents.read_all(
        paths,
        suffixes=suffixes,
        left_out=left_out,
        when_empty=when_empty,
        max_size=max_size,
        excluded=excluded,
    )


def read_one(
    path: str, suffixes: tuple[str, ...] = GAME_SUFFIXES, max_size: int | None = None
) -> Input:
    """Read the only file of `path`, for commands that take one file.

    Where that cannot be read, or where `path` is a folder or an archive with another number of
    files, end with exit code 2.
    """
    found = contents.read_all(
        [path], suffixes=suffixes, when_empty=lambda _: None, max_size=max_size
    )
    first = list(islice(found, 2))
    if not first:
        fail(f"{escape(path)}: there is no game file in it")
    if len(first) > 1:
        hint = f", such as {escape(first[0].path)}" if is_folder(path) else ""
        fail(f"{escape(path)}: there are several files in it; name one{hint}")
    if first[0].data is None:
        fail(f"{escape(first[0].path)}: {first[0].reason}")
    return first[0]


def read_data(path: str, max_size: int | None = None) -> bytes:
    """Return the content of :func:`read_one`."""
    return read_one(path, max_size=max_size).data or b""
