"""What the reading of a value depends on besides its type."""

from __future__ import annotations

from typing import NamedTuple


class Context(NamedTuple):
    """The properties of a game tree that the reading of its values depends on.

    `size` is (columns, rows) or None, `codec` a Python codec name for texts.
    """

    game: int = 1
    file_format: int = 4
    size: tuple[int, int] | None = (19, 19)
    codec: str = "latin-1"
