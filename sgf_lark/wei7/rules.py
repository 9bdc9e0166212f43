"""The rules of wei7, from ``wei7.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sgf_lark import grammar
from sgf_lark.grammar import PROFILES, Rule


@dataclass(frozen=True)
class Example:
    """A text for the `item` of the checklist, and the codes of its diagnostics."""

    item: str
    text: bytes
    codes: tuple[str, ...]


@cache
def rules() -> dict[str, Rule]:
    """The rules by code, in the order of the codes; profiles make no difference to them."""
    return {
        row["code"]: Rule(
            **{**row, "severity": dict.fromkeys(PROFILES, row["severity"])}, reference=(), data={}
        )
        for row in grammar.table("wei7")["rule"]
    }


@cache
def examples() -> tuple[Example, ...]:
    """The examples, in the order of the document's paragraphs."""
    return tuple(
        Example(row["item"], row["text"].encode("latin-1"), tuple(row["codes"]))
        for row in grammar.table("wei7")["example"]
    )
