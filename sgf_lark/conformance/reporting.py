"""The table of results: a row for each group of cases and verdict, a column for each parser."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sgf_lark.conformance.running import BREAKDOWNS, Status, shortened
from sgf_lark.conformance.suite import Case, Suite, group_of, verdict_of
from sgf_lark.diagnostics import Language
from sgf_lark.pages import render, words
from sgf_lark.text.escaping import escape

#: The last row: the sum of all groups.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Cell:
    """The numbers of cases passed, of cases run, and of crashes, hangs and memory overruns."""

    passed: int
    total: int
    breakdowns: int

    def __str__(self) -> str:
        """Return the cell as shown in the table: a dash if no case was run."""
        if not self.total:
            return "–"
        broken = f" †{self.breakdowns}" if self.breakdowns else ""
        return f"{self.passed}/{self.total}{broken}"


@dataclass(frozen=True)
class Table:
    """The table of a document.

    The keys of `cells` are a group or a verdict and the index of a parser in `parsers`: two
    versions of one parser have the same name. `rows` are the groups, the verdicts, and ``all``.
    `failures` has no entry where a parser has none in a group. `baselines` are the shares in
    percent that programs pass that accept or reject everything.
    """

    groups: tuple[str, ...]
    rows: tuple[str, ...]
    parsers: tuple[dict[str, Any], ...]
    cells: dict[tuple[str, int], Cell]
    failures: dict[tuple[str, int], list[dict[str, str]]]
    baselines: tuple[int, int] | None


def make_table(document: dict[str, Any]) -> Table:
    """Return the table of a document of :func:`run_suite` or :func:`merged`."""
    groups: dict[str, int] = document["suite"]["groups"]
    verdicts: dict[str, int] = document["suite"].get("verdicts", {})
    parsers = tuple(document["parsers"])
    cells: dict[tuple[str, int], Cell] = {}
    failures: dict[tuple[str, int], list[dict[str, str]]] = {}
    for number, parser in enumerate(parsers):
        left_out = [*parser["skipped"], *parser.get("newer", ())]
        for failure in parser["failures"]:
            failures.setdefault((group_of(failure["case"]), number), []).append(failure)
        for sizes, row_of in ((groups, group_of), (verdicts, verdict_of)):
            skipped = Counter(map(row_of, left_out))
            failed = Counter(row_of(failure["case"]) for failure in parser["failures"])
            broken = Counter(
                row_of(failure["case"])
                for failure in parser["failures"]
                if Status(failure["status"]) in BREAKDOWNS
            )
            for row, size in sizes.items():
                total = size - skipped[row]
                cells[row, number] = Cell(total - failed[row], total, broken[row])
        column = [cells[group, number] for group in groups]
        cells[ALL, number] = Cell(
            sum(cell.passed for cell in column),
            sum(cell.total for cell in column),
            sum(cell.breakdowns for cell in column),
        )
    rows = (*groups, *verdicts, ALL)
    return Table((*groups,), rows, parsers, cells, failures, _baselines(document))


def _baselines(document: dict[str, Any]) -> tuple[int, int] | None:
    """Return the shares in percent that accepting or rejecting everything passes.

    None if the task has no verdicts.
    """
    suite = document["suite"]
    counts: dict[str, int] = suite.get("verdicts", {})
    if suite.get("task", "parse") != "parse" or not suite["cases"] or not counts:
        return None
    total = suite["cases"]
    accepting, rejecting = (
        100 * (total - counts.get(wrong, 0)) // total for wrong in ("reject", "accept")
    )
    return accepting, rejecting


def heading(parser: dict[str, Any]) -> str:
    """Return name and version of a parser."""
    return escape(f"{parser['name']} {parser['version']}".strip())


def title(document: dict[str, Any], words: dict[str, str]) -> str:
    """Return the title of the report, with the task if it is not parsing."""
    task = document["suite"].get("task", "parse")
    return words["title"] if task == "parse" else f"{words['title']}: {task}"


def notes(table: Table, words: dict[str, str]) -> list[str]:
    """Return the footnotes: the baselines, and remarks about single parsers."""
    found = []
    if table.baselines:
        accepting, rejecting = table.baselines
        found.append(words["baselines"].format(accepting=accepting, rejecting=rejecting))
    for parser in table.parsers:
        remarks = [] if parser["trees"] else [words["verdicts_only"]]
        if parser["skipped"]:
            remarks.append(words["skipped"].format(count=len(parser["skipped"])))
        if parser.get("newer"):
            remarks.append(words["newer"].format(count=len(parser["newer"])))
        if parser.get("note"):
            remarks.append(str(parser["note"]))
        if remarks:
            found.append(f"{heading(parser)} {'; '.join(remarks)}.")
    return found


# --- Text and Markdown --------------------------------------------------------------------------


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


# --- The page -----------------------------------------------------------------------------------


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
