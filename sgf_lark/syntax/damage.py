"""Damage: where a file leaves the grammar."""

from __future__ import annotations

from sgf_lark.flat import Damage as Damage
from sgf_lark.flat import DamagedTree as DamagedTree
