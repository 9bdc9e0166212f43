"""The report as one self-contained HTML page, with links from the table to the cases."""

from __future__ import annotations

import json
from typing import Any

from sgf_lark.conformance.markdown import made_by
from sgf_lark.conformance.running import shortened
from sgf_lark.conformance.suite import Case, Suite
from sgf_lark.conformance.table import ALL, Cell, heading, make_table, notes, title
from sgf_lark.diagnostics import Language
from sgf_lark.pages import render, words

#: At most this many bytes of an input, and characters of a tree, are shown.
_SHOWN = 600


def render_html(document: dict[str, Any], suite: Suite, language: Language = "en") -> str:
    """Return the page; it shows those cases that `suite` contains."""
    table = make_table(document)
    known = words("conformance", language)
    failed: dict[str, list[str]] = {}
    for parser in table.parsers:
        for failure in parser["failures"]:
            entry = f"{heading(parser)} ({failure['status']})"
            failed.setdefault(failure["case"], []).append(entry)
    cases = {case.id: (case, _facts(case, failed.get(case.id, []))) for case in suite.cases}
    return render(
        "conformance.html",
        language,
        title=title(document, known),
        table=table,
        all=ALL,
        heading=heading,
        grade=_grade,
        notes=notes(table, known),
        made_by=made_by(document, known),
        cases=cases,
    )


def _grade(cell: Cell) -> str:
    """The class of a cell, which gives its color."""
    share = cell.passed / cell.total if cell.total else 1.0
    return "full" if share == 1 else "most" if share >= 0.9 else "less"


def _facts(case: Case, failed: list[str]) -> dict[str, str]:
    """What there is to say about a case, by the keys of words."""
    tree = "" if case.trees is None else json.dumps(case.trees, ensure_ascii=False)
    return {
        "about": case.about,
        "input": _bytes(case.data),
        "source": f"{case.source}; charset {case.charset}",
        "rules": ", ".join(case.rules),
        "violations": ", ".join(map(str, case.violations)),
        "tree": shortened(tree, _SHOWN),
        "failed_by": ", ".join(failed),
    }


def _bytes(data: bytes) -> str:
    """Return the bytes as in Python source; only the first of long ones."""
    more = len(data) - _SHOWN
    return repr(data[:_SHOWN])[2:-1] + (f" … and {more} bytes more" if more > 0 else "")
