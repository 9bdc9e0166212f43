"""Writes Markdown for the generated pages."""

from __future__ import annotations

import html
import re

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|&~^]")


def text(plain: str) -> str:
    """`plain` with all that Markdown or HTML would read as markup as character references."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", plain)


def code(plain: str) -> str:
    """`plain` as inline code."""
    return f"<code>{text(plain)}</code>" if plain else ""


def block(plain: str, kind: str = "text") -> str:
    """`plain` as a block of code; `kind` is the language for the colors."""
    longest = max(map(len, re.findall("`+", plain)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{plain}\n{fence}\n\n"


def raw(plain: str) -> str:
    """`plain` inside elements of HTML, which Markdown leaves as they are."""
    return html.escape(plain).replace("\n", "&#10;")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table; the cells are Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"
