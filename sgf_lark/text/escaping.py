"""Text from files, names of files and messages of other programs, so that no terminal, log or
editor takes a part of it for a command."""

from __future__ import annotations

import unicodedata
from pathlib import PurePath
from typing import Any


def is_visible(character: str) -> bool:
    """Whether a terminal shows this character, as a glyph or as a space.

    Control characters, characters that change the direction of text, and lone surrogates are
    not visible.
    """
    # str.isprintable excludes all spaces but U+0020, the ideographic space too.
    return character.isprintable() or unicodedata.category(character) == "Zs"


def escape(text: str | PurePath) -> str:
    """`text` on one line: what is not visible is escaped as in Python."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(
        character if is_visible(character) else ascii(character)[1:-1] for character in text
    )


def escape_lines(text: str) -> str:
    """`text` with its line breaks; other characters are escaped as by :func:`escape`."""
    return text if text.isprintable() else "\n".join(map(escape, text.split("\n")))


def to_json(value: Any, indent: int | None = None) -> str:
    """JSON text for `value`, in which what is not visible is escaped."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    return "".join(
        character if character == "\n" or is_visible(character) else json.dumps(character)[1:-1]
        for character in text
    )
