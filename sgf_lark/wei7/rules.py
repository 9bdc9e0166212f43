"""The objects and the rules of wei7, from ``wei7.toml``."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
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


@dataclass(frozen=True)
class Object:
    """The members of an object, by name, with their types; `source` is the paragraph.

    A type is the name of an object, ``list of`` such a name, or a word of ``wei7.toml`` for
    strings and numbers; "value" is the value of an action.
    """

    source: str
    required: dict[str, str] = field(default_factory=dict)
    optional: dict[str, str] = field(default_factory=dict)

    @cached_property
    def members(self) -> dict[str, str]:
        """All members, the required ones first."""
        return self.required | self.optional


@cache
def objects() -> dict[str, Object]:
    """The objects by name; "document" is the whole text."""
    return {name: Object(**row) for name, row in _content()["object"].items()}


@cache
def actions() -> dict[str, str]:
    """Type of an action -> type of its value."""
    return dict(_content()["actions"])


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
