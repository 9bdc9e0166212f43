"""Parsers with one weakness each, for tests of the fuzzer."""

from __future__ import annotations

from typing import Any

from sgf_lark.fuzz.canonical import canonical


def dislikes_komi(data: bytes) -> None:
    """Fails on KM in a variation."""
    if b"(" in data[1:] and b"KM[" in data:
        raise KeyError("KM")


def refuses_markup(data: bytes) -> bool:
    """Rejects a property that conforms."""
    return b"TR[" not in data


def keeps_escapes(data: bytes) -> Any:
    """Reads text without undoing the escapes."""
    return {"form": "text", "games": canonical(data, "raw")}


def accepts_all(data: bytes) -> None:
    """Never rejects."""
