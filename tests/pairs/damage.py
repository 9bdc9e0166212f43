"""Pairs for the fixes of damage (1xx)."""

from __future__ import annotations

from tests.pairs import Pair

PAIRS = [
    Pair(
        "SGF105",
        "no later node has the properties of a root",
        b"((;FF[4]GM[1];B[aa];B[bb]))",
        b"(;FF[4]GM[1];B[aa];B[bb])",
        b"((;FF[4]GM[1];B[aa];FF[4]GM[1];B[bb]))",
        b"",
    ),
]
