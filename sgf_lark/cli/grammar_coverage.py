"""The uses of each production as text, Markdown or JSON, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.cli.grammar_properties import markdown_table
from sgf_lark.cli.results import plural
from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.teaching.coverage import Coverage, ProductionUse, totals
from sgf_lark.text.escaping import to_json


def as_text(found: Coverage, style: OutputStyle) -> Iterator[str]:
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


def as_markdown(found: Coverage, style: OutputStyle) -> Iterator[str]:
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


def as_json(found: Coverage, style: OutputStyle) -> Iterator[str]:
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


FORMATS = {"text": as_text, "markdown": as_markdown, "json": as_json}


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
