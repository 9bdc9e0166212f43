"""Where settings stand: ``sgf-lark.toml``, or ``[tool.sgf-lark]`` in ``pyproject.toml``."""

from __future__ import annotations

import os.path
from collections.abc import Iterator

OWN_FILE = "sgf-lark.toml"
SHARED_FILE = "pyproject.toml"


def candidates(folder: str) -> Iterator[str]:
    """The files of these names in `folder` and the folders above it, the nearest first."""
    parent = ""
    while parent != folder:
        for name in (OWN_FILE, SHARED_FILE):
            file = os.path.join(folder, name)
            if os.path.isfile(file):
                yield file
        folder, parent = os.path.dirname(folder), folder
