"""The files in ``grammar/``: where they are, and their content as bytes or text."""

from __future__ import annotations

from functools import cache
from pathlib import Path

#: The profiles, from the one that reports all to the one that reports least. They are here, so that
#: the command line lists them without the grammar, which takes longer to import than help to print.
PROFILES = ("strict", "interchange", "archive")


@cache
def folder() -> Path:
    """The folder of the grammar files: in an installed package, or next to it in a checkout."""
    package = Path(__file__).parent
    packaged = package / "_grammar"
    return packaged if packaged.is_dir() else package.parent / "grammar"


def read(name: str) -> bytes:
    """The bytes of the grammar file `name`, such as ``"sgf.lark"``; lines end with LF."""
    return (folder() / name).read_bytes().replace(b"\r\n", b"\n")


def source(name: str) -> str:
    """The text of the grammar file `name`."""
    return read(name).decode("utf-8")
