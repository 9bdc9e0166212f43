"""Damage: the places at which a file leaves the grammar, as the tolerant parser lists them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sgf_lark.flat_tree import FlatTree


class Damage(NamedTuple):
    """A place at which the input leaves the grammar: the bytes from `start` to `end`.

    `code` is the rule of the catalogue that it violates, `ident` the property concerned, or
    None.
    """

    code: str
    start: int
    end: int
    ident: str | None = None


@dataclass
class DamagedTree:
    """What the tolerant parser could read, and the damage that it found, sorted by offset.

    `lowercase` are identifiers with lowercase letters: whether these are damage depends on
    the FF of their game tree.
    """

    flat: FlatTree
    damage: list[Damage] = field(default_factory=list)
    lowercase: list[Damage] = field(default_factory=list)
