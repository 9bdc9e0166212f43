"""The table of results: a row for each group of cases and verdict, a column for each parser."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sgf_lark.conformance.judging import BREAKDOWNS, Status
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


def group_of(case: str) -> str:
    """Return the group of a case by its id."""
    return case.partition("/")[0]


def verdict_of(case: str) -> str:
    """Return the verdict of a case by its id."""
    return case.partition("/")[2].partition("-")[0]


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
