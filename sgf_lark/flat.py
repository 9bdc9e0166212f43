"""Damage and what was read in spite of it."""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.syntax.flat_tree import FlatTree as FlatTree
from sgf_lark.syntax.flat_tree import last_up_to as last_up_to


class Damage(NamedTuple):
    """A place at which the input leaves the grammar: the bytes from `start` to `end`.

    `ident` is the property concerned, or None.
    """

    code: str
    start: int
    end: int
    ident: str | None = None


class DamagedTree:
    """What was read in spite of everything, and what was wrong with it."""

    def __init__(self, flat: FlatTree) -> None:
        self.flat = flat
        self.damage: list[Damage] = []
        #: Lowercase letters in identifiers; whether they may stand there depends on FF.
        self.lowercase: list[Damage] = []
