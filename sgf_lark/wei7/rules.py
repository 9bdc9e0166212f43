"""The rules of wei7, from ``wei7.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sgf_lark import grammar


@dataclass(frozen=True)
class Rule:
    """One rule; `source` names the paragraph of the document."""

    code: str
    name: str
    severity: str
    source: str
    message: str
    message_zh: str
    summary: str
    summary_zh: str
    explanation: str
    explanation_zh: str
    fix: str
    fix_zh: str


@dataclass(frozen=True)
class Example:
    """A text for the `item` of the checklist, and the codes of its diagnostics."""

    item: str
    text: bytes
    codes: tuple[str, ...]


@cache
def _content() -> dict[str, Any]:
    return grammar.table("wei7")


@cache
def rules() -> dict[str, Rule]:
    """The rules by code, in the order of the codes."""
    return {row["code"]: Rule(**row) for row in _content()["rule"]}


@cache
def examples() -> tuple[Example, ...]:
    """The examples, in the order of the document's paragraphs."""
    return tuple(
        Example(row["item"], row["text"].encode("latin-1"), tuple(row["codes"]))
        for row in _content()["example"]
    )
