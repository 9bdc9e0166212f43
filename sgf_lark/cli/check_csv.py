"""The results of ``check`` as CSV (RFC 4180), one row for each diagnostic."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from sgf_lark.cli.results import Result
from sgf_lark.text.escaping import escape

#: The columns, the first and the last of which are no fields of a diagnostic.
COLUMNS = (
    "path",
    "line",
    "column",
    "start",
    "end",
    "severity",
    "code",
    "name",
    "message",
    "tree",
    "node",
    "ident",
    "sgfc",
    "fix",
    "fixable",
)


def table(results: Iterable[Result]) -> Iterator[str]:
    """Yield the head and the rows; `fixable` is "safe", "unsafe" or empty."""
    yield _row(COLUMNS)
    for result in results:
        for number, found in enumerate(result.report.diagnostics):
            item = found.as_dict()
            fixable = {True: "safe", False: "unsafe", None: ""}[result.fixes.get(number)]
            cells = [item[name] for name in COLUMNS[1:-1]]
            yield _row([result.path, *("" if cell is None else cell for cell in cells), fixable])


def _row(cells: Iterable[object]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([_as_text(str(cell)) for cell in cells])
    return buffer.getvalue()


def _as_text(cell: str) -> str:
    """Escape control characters, and what spreadsheets would take for a formula."""
    text = escape(cell)
    return f"'{text}" if text.startswith(("=", "+", "@", "-")) and len(text) > 1 else text
