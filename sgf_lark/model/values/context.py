"""What the reading of a value depends on besides its type."""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.syntax.values import LATEST_FILE_FORMAT


class Context(NamedTuple):
    """The properties of a game tree that the reading of its values depends on.

    `size` is (columns, rows) or None, `codec` a Python codec name for texts.
    """

    game: int = 1
    file_format: int = LATEST_FILE_FORMAT
    size: tuple[int, int] | None = (19, 19)
    codec: str = "latin-1"
