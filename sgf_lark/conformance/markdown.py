"""The report as Markdown and as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sgf_lark.conformance.table import ALL, Table, heading, make_table, notes, title
from sgf_lark.diagnostics import Language
from sgf_lark.pages import words
from sgf_lark.text.escaping import escape

#: Characters that Markdown or HTML take for markup.
_MARKUP = re.compile(r"[\\`*_{}\[\]<>|#~&!]")


def render_markdown(document: dict[str, Any], language: Language = "en") -> str:
    """Return the table, and for each parser the failed cases by status."""
    table = make_table(document)
    known = words("conformance", language)
    heads = [known["group"], *map(heading, table.parsers)]
    lines = [f"# {title(document, known)}", "", *_table(table, heads), "", known["legend"], ""]
    lines += [f"* {_plain(note)}" for note in notes(table, known)]
    lines += ["", f"{made_by(document, known)[:-1]}; manifest {document['suite']['digest'][:12]}."]
    for number, parser in enumerate(table.parsers):
        lines += ["", f"## {_plain(heading(parser))}", "", f"{_plain(parser['title'])}."]
        lines += _failures(table, number)
    return "\n".join(lines) + "\n"


def made_by(document: dict[str, Any], known: dict[str, str]) -> str:
    """Return what the report was made of and with."""
    return known["made_by"].format(cases=document["suite"]["cases"], **document["made_by"])


def _table(table: Table, heads: list[str]) -> list[str]:
    numbers = range(len(table.parsers))
    rows = [[*map(_plain, heads)], ["---", *("---:" for _ in numbers)]]
    for group in table.rows:
        cells = [str(table.cells[group, number]) for number in numbers]
        if group == ALL:
            rows.append([f"**{group}**", *(f"**{cell}**" for cell in cells)])
        else:
            rows.append([group, *cells])
    return ["| " + " | ".join(row) + " |" for row in rows]


def _failures(table: Table, number: int) -> Iterator[str]:
    for group in table.groups:
        found = table.failures.get((group, number), [])
        if not found:
            continue
        yield ""
        yield f"**{group}**"
        yield ""
        for label, failures in groupby(sorted(found, key=_label), key=_label):
            cases = ", ".join(_code(failure["case"].partition("/")[2]) for failure in failures)
            yield f"* {label}: {cases}"


def _label(failure: dict[str, str]) -> str:
    kind = failure["kind"]
    return f"{failure['status']} ({_plain(kind)})" if kind else failure["status"]


def _code(text: str) -> str:
    return f"`{text}`"


def _plain(text: str) -> str:
    """Return a text of a parser, which may have anything, so that Markdown shows it as it is."""
    return _MARKUP.sub(r"\\\g<0>", escape(text))


def render_text(document: dict[str, Any], language: Language = "en") -> str:
    """Return the table in columns for a terminal."""
    table = make_table(document)
    known = words("conformance", language)
    rows = [["", *map(heading, table.parsers)]]
    for group in table.rows:
        cells = (str(table.cells[group, number]) for number in range(len(table.parsers)))
        rows.append([group, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, "", known["legend"], *notes(table, known)]) + "\n"
