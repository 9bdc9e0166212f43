"""Informal moves: ``pass``."""

from __future__ import annotations

from sgf_lark.rules.informal.words import normalized, vocabulary


def names_pass(text: str) -> bool:
    """Whether the text is a word for a pass."""
    return normalized(text).strip(" .!") in vocabulary()["moves"]["pass"]
