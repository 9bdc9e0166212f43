"""The table of properties as text, Markdown or JSON, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.cli.terminal import cell_width
from sgf_lark.diagnostics import Language
from sgf_lark.grammar import Role
from sgf_lark.teaching.properties import HEADS, as_dict, by_type, row
from sgf_lark.text.escaping import to_json


def as_text(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    """Yield a table with aligned columns for each property type."""
    for number, (each, entries) in enumerate(by_type(game, role).items()):
        rows = [HEADS[language], *(row(entry, language) for entry in entries)]
        widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
        yield from [""] if number else []
        yield f"{each}:"
        for cells in rows:
            padded = (
                cell + " " * (width - cell_width(cell))
                for cell, width in zip(cells, widths, strict=True)
            )
            yield ("  " + "  ".join(padded)).rstrip()


def as_markdown(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    """Yield a Markdown table for each property type."""
    for number, (each, entries) in enumerate(by_type(game, role).items()):
        yield from [""] if number else []
        yield from (f"### {each}", "")
        yield from markdown_table(HEADS[language], (row(entry, language) for entry in entries))


def as_json(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    """Yield a JSON array with an object for each property."""
    entries = [
        as_dict(entry, language) for entries in by_type(game, role).values() for entry in entries
    ]
    yield to_json(entries, indent=2)


FORMATS = {"text": as_text, "markdown": as_markdown, "json": as_json}


def markdown_table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| " + " | ".join(heads) + " |"
    yield "| " + " | ".join("---" for _ in heads) + " |"
    for cells in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
