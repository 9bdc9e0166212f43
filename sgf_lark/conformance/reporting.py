"""The report: a table of results, the failures of each parser, and as a page also the cases.

As text it is Markdown, which people read in a terminal, in the summary of a job and in a
repository; in the table a row is a group of cases or a verdict, a column a parser.
"""

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
from sgf_lark.fuzz.reporting import printable
from sgf_lark.pages import render, words
from sgf_lark.text.escaping import escape

#: The last row: the sum of all groups.
ALL = "all"
#: Characters that Markdown or HTML take for markup; "_" is none inside of a word.
_MARKUP = re.compile(r"[\\`*\[\]<>|~&]|\b_|_\b")
#: At most this many bytes of an input, and characters of a tree, are shown.
_SHOWN = 600


def render_text(document: dict[str, Any], language: Language = "en") -> str:
    """Return the table as Markdown, and for each parser the failed cases by status."""
    table, known = make_table(document), words("conformance", language)
    lines = [f"# {_title(document, known)}", "", *_columns(table, known), "", known["legend"], ""]
    lines += [f"* {_plain(note)}" for note in notes(table, known)]
    lines += ["", f"{_made_by(document, known)[:-1]}; manifest {document['suite']['digest'][:12]}."]
    for number, parser in enumerate(table.parsers):
        lines += ["", f"## {_plain(heading(parser))}", "", f"{_plain(parser['title'])}."]
        for group in table.groups:
            if found := table.failures.get((group, number)):
                lines += ["", f"**{group}**", "", *_failures(found)]
    return "\n".join(lines) + "\n"


def render_html(document: dict[str, Any], suite: Suite, language: Language = "en") -> str:
    """Return the page; it shows those cases that `suite` contains."""
    table, known = make_table(document), words("conformance", language)
    failed: dict[str, list[str]] = {}
    for parser in table.parsers:
        for failure in parser["failures"]:
            entry = f"{heading(parser)} ({failure['status']})"
            failed.setdefault(failure["case"], []).append(entry)
    return render(
        "conformance.html",
        language,
        title=_title(document, known),
        table=table,
        all=ALL,
        heading=heading,
        notes=notes(table, known),
        made_by=_made_by(document, known),
        cases={case.id: (case, _facts(case, failed.get(case.id, []))) for case in suite.cases},
    )


# --- The table --------------------------------------------------------------------------


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

    @property
    def grade(self) -> str:
        """The class of the cell, which gives its color."""
        share = self.passed / self.total if self.total else 1.0
        return "full" if share == 1 else "most" if share >= 0.9 else "less"


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
    verdicts: dict[str, int] = document["suite"]["verdicts"]
    parsers = tuple(document["parsers"])
    cells: dict[tuple[str, int], Cell] = {}
    failures: dict[tuple[str, int], list[dict[str, str]]] = {}
    for number, parser in enumerate(parsers):
        for failure in parser["failures"]:
            failures.setdefault((group_of(failure["case"]), number), []).append(failure)
        failed = [failure["case"] for failure in parser["failures"]]
        broken = [
            failure["case"]
            for failure in parser["failures"]
            if Status(failure["status"]) in BREAKDOWNS
        ]
        for sizes, row_of in ((groups, group_of), (verdicts, verdict_of)):
            missing, wrong, breakdowns = (
                Counter(map(row_of, cases)) for cases in (parser["skipped"], failed, broken)
            )
            for row, size in sizes.items():
                run = size - missing[row]
                cells[row, number] = Cell(run - wrong[row], run, breakdowns[row])
        run = document["suite"]["cases"] - len(parser["skipped"])
        cells[ALL, number] = Cell(run - len(failed), run, len(broken))
    rows = (*groups, *verdicts, ALL)
    return Table((*groups,), rows, parsers, cells, failures, _baselines(document))


def _baselines(document: dict[str, Any]) -> tuple[int, int] | None:
    """Return the shares in percent that accepting or rejecting everything passes.

    None if the task has no verdicts.
    """
    total, counts = document["suite"]["cases"], Counter(document["suite"]["verdicts"])
    if not counts:
        return None
    return 100 * (total - counts["reject"]) // total, 100 * (total - counts["accept"]) // total


# --- Its words ----------------------------------------------------------------------------


def heading(parser: dict[str, Any]) -> str:
    """Return name and version of a parser."""
    return escape(f"{parser['name']} {parser['version']}".strip())


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
        if parser.get("note"):
            remarks.append(str(parser["note"]))
        if remarks:
            found.append(f"{heading(parser)} {'; '.join(remarks)}.")
    return found


def _title(document: dict[str, Any], words: dict[str, str]) -> str:
    """Return the title of the report, with the task if it is not parsing."""
    task = document["suite"]["task"]
    return words["title"] if task == "parse" else f"{words['title']}: {task}"


def _made_by(document: dict[str, Any], words: dict[str, str]) -> str:
    return words["made_by"].format(cases=document["suite"]["cases"], **document["made_by"])


def _columns(table: Table, words: dict[str, str]) -> Iterator[str]:
    """Yield the lines of the table, with columns of equal width for the terminal."""
    rows = [[words["group"], *map(_plain, map(heading, table.parsers))]]
    for group in table.rows:
        cells = [group, *(str(table.cells[group, at]) for at in range(len(table.parsers)))]
        rows.append([f"**{cell}**" for cell in cells] if group == ALL else cells)
    # At least three hyphens make a line of a table.
    widths = [max(3, *map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    for first, *others in rows:
        padded = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield f"| {' | '.join([first.ljust(widths[0]), *padded])} |"


def _failures(found: list[dict[str, str]]) -> Iterator[str]:
    """Yield a line for each kind of failure, with the names of the cases."""

    def label(failure: dict[str, str]) -> str:
        kind = failure["kind"]
        return f"{failure['status']} ({_plain(kind)})" if kind else failure["status"]

    for name, failures in groupby(sorted(found, key=label), key=label):
        cases = ", ".join(f"`{failure['case'].partition('/')[2]}`" for failure in failures)
        yield f"* {name}: {cases}"


def _plain(text: str) -> str:
    """Return a text of a parser, which may have anything, so that Markdown shows it as it is."""
    return _MARKUP.sub(r"\\\g<0>", escape(text))


def _facts(case: Case, failed: list[str]) -> dict[str, str]:
    """What there is to say about a case on the page, by the keys of words."""
    tree = "" if case.trees is None else json.dumps(case.trees, ensure_ascii=False)
    return {
        "about": case.about,
        "input": printable(case.data, _SHOWN),
        "source": f"{case.source}; charset {case.charset}",
        "rules": ", ".join(case.rules),
        "violations": ", ".join(map(str, case.violations)),
        "tree": shortened(tree, _SHOWN),
        "failed_by": ", ".join(failed),
    }
