"""The table of properties and the uses of productions as text, Markdown or JSON, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.cli.results import plural
from sgf_lark.cli.terminal import OutputStyle, aligned
from sgf_lark.diagnostics import Language
from sgf_lark.grammar import Role
from sgf_lark.teaching.coverage import Coverage, ProductionUse, totals
from sgf_lark.teaching.properties import HEADS, as_dict, by_type, row
from sgf_lark.text.escaping import to_json


def properties_as_text(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    """Yield a table with aligned columns for each property type."""
    for number, (each, entries) in enumerate(by_type(game, role).items()):
        rows = [HEADS[language], *(row(entry, language) for entry in entries)]
        yield from [""] if number else []
        yield f"{each}:"
        yield from (f"  {line}" for line in aligned(rows))


def properties_as_markdown(
    game: int | None, role: Role | None, language: Language
) -> Iterator[str]:
    """Yield a Markdown table for each property type."""
    for number, (each, entries) in enumerate(by_type(game, role).items()):
        yield from [""] if number else []
        yield from (f"### {each}", "")
        yield from markdown_table(HEADS[language], (row(entry, language) for entry in entries))


def properties_as_json(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    """Yield a JSON array with an object for each property."""
    entries = [
        as_dict(entry, language) for entries in by_type(game, role).values() for entry in entries
    ]
    yield to_json(entries, indent=2)


PROPERTIES = {
    "text": properties_as_text,
    "markdown": properties_as_markdown,
    "json": properties_as_json,
}


def markdown_table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| " + " | ".join(heads) + " |"
    yield "| " + " | ".join("---" for _ in heads) + " |"
    for cells in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# --- Coverage ---------------------------------------------------------


def coverage_as_text(found: Coverage, style: OutputStyle) -> Iterator[str]:
    """Yield the counts of productions and their alternatives."""
    yield _summary(found)
    for file, uses in found.uses().items():
        yield from ("", style.paint(_headline(file, uses), bold=True))
        for use in uses:
            if not use.count:
                continue
            yield f"{use.count:10}  {style.paint(use.text, fg='cyan')}"
            parts = use.all_alternatives
            for part in parts if len(parts) > 1 else ():
                line = f"{part.count:10}      {part.text}"
                yield line if part.count else style.paint(line, dim=True)
        never = [use.text for use in uses if not use.count]
        yield from [f"     never  {', '.join(never)}"] if never else []


def coverage_as_markdown(found: Coverage, style: OutputStyle) -> Iterator[str]:
    """Yield a Markdown table for each grammar file."""
    yield _summary(found)
    for file, uses in found.uses().items():
        yield from ("", f"### {_headline(file, uses)}", "")
        rows = (
            (f"`{use.text}`" if not number else "", f"`{part.text}`", str(part.count))
            for use in uses
            for number, part in enumerate(use.all_alternatives)
        )
        yield from markdown_table(("production", "alternative", "count"), rows)


def coverage_as_json(found: Coverage, style: OutputStyle) -> Iterator[str]:
    """Yield one JSON object."""
    document = {
        "files": found.files,
        "damaged": found.damaged,
        "values": found.values,
        "unread": found.unread,
        "grammars": {
            file: [_production_object(use) for use in uses] for file, uses in found.uses().items()
        },
    }
    yield to_json(document, indent=2)


COVERAGE = {"text": coverage_as_text, "markdown": coverage_as_markdown, "json": coverage_as_json}


def _summary(found: Coverage) -> str:
    return (
        f"{plural(found.files, 'file')} ({found.damaged} damaged), "
        f"{plural(found.values, 'value')} ({found.unread} fit no type of their property)"
    )


def _headline(file: str, uses: tuple[ProductionUse, ...]) -> str:
    used, all_of_them, alternatives, all_alternatives = totals(uses)
    return (
        f"{file}: {used} of {all_of_them} productions, "
        f"{alternatives} of {all_alternatives} alternatives"
    )


def _production_object(use: ProductionUse) -> dict[str, object]:
    alternatives = [{"text": part.text, "count": part.count} for part in use.all_alternatives]
    return {"name": use.text, "count": use.count, "alternatives": alternatives}
