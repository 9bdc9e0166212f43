"""Where settings stand: ``sgf-lark.toml``, or ``[tool.sgf-lark]`` in ``pyproject.toml``."""

from __future__ import annotations

import os.path
from collections.abc import Iterator

OWN_FILE = "sgf-lark.toml"
SHARED_FILE = "pyproject.toml"
TABLE = "sgf-lark"


def candidates(folder: str) -> Iterator[str]:
    """The files that may hold settings, in `folder` and the folders above it, the nearest first.

    A ``pyproject.toml`` may where it has the name of the table, or cannot be read.
    """
    parent = ""
    while parent != folder:
        own, shared = os.path.join(folder, OWN_FILE), os.path.join(folder, SHARED_FILE)
        if os.path.isfile(own):
            yield own
        if os.path.isfile(shared) and _names_table(shared):
            yield shared
        folder, parent = os.path.dirname(folder), folder


def _names_table(file: str) -> bool:
    try:
        with open(file, "rb") as content:
            return TABLE.encode() in content.read()
    except OSError:
        return True
