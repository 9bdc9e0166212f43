"""The file that a command takes which takes one."""

from __future__ import annotations

from itertools import islice

from sgf_lark.cli.terminal import fail
from sgf_lark.files.contents import read_all
from sgf_lark.files.inputs import GAME_SUFFIXES, Input, is_folder
from sgf_lark.text.escaping import escape


def read_one(
    path: str, suffixes: tuple[str, ...] = GAME_SUFFIXES, max_size: int | None = None
) -> Input:
    """Read the only file of `path`.

    Where that cannot be read, or where `path` is a folder or an archive with several files, end
    with exit code 2.
    """
    first = list(islice(read_all([path], suffixes=suffixes, max_size=max_size), 2))
    if len(first) > 1:
        hint = f", such as {escape(first[0].path)}" if is_folder(path) else ""
        fail(f"{escape(path)}: there are several files in it; name one{hint}")
    if first[0].data is None:
        fail(f"{escape(first[0].path)}: {first[0].reason}")
    return first[0]
