"""The table of results, with a row for each group of cases and a column for each parser."""

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

    The keys of `cells` and `failures` are a group and the index of a parser in `parsers`: two
    versions of one parser have the same name. The group ``all`` comes last. `failures` has no
    entry where a parser has none.
    """

    groups: tuple[str, ...]
    parsers: tuple[dict[str, Any], ...]
    cells: dict[tuple[str, int], Cell]
    failures: dict[tuple[str, int], list[dict[str, str]]]


def make_table(document: dict[str, Any]) -> Table:
    """Return the table of a document of :func:`run_suite` or :func:`merged`."""
    sizes: dict[str, int] = document["suite"]["groups"]
    parsers = tuple(document["parsers"])
    cells: dict[tuple[str, int], Cell] = {}
    failures: dict[tuple[str, int], list[dict[str, str]]] = {}
    for number, parser in enumerate(parsers):
        skipped = Counter(map(group_of, [*parser["skipped"], *parser.get("newer", ())]))
        for failure in parser["failures"]:
            failures.setdefault((group_of(failure["case"]), number), []).append(failure)
        for group, size in sizes.items():
            found = failures.get((group, number), [])
            total = size - skipped[group]
            broken = sum(Status(failure["status"]) in BREAKDOWNS for failure in found)
            cells[group, number] = Cell(total - len(found), total, broken)
        column = [cells[group, number] for group in sizes]
        cells[ALL, number] = Cell(
            sum(cell.passed for cell in column),
            sum(cell.total for cell in column),
            sum(cell.breakdowns for cell in column),
        )
    return Table((*sizes, ALL), parsers, cells, failures)


def group_of(case: str) -> str:
    """Return the group of a case by its id."""
    return case.partition("/")[0]


def heading(parser: dict[str, Any]) -> str:
    """Return name and version of a parser."""
    return escape(f"{parser['name']} {parser['version']}".strip())


#: The explanation of the cells.
LEGEND = (
    "Each cell counts the cases passed, of those that were run; † counts crashes, hangs and "
    "overrun memory limits among the others."
)
VERDICTS_ONLY = "gives no tree: judged by whether it accepts"


def title(document: dict[str, Any]) -> str:
    """Return the title of the report, with the task if it is not parsing."""
    task = document["suite"].get("task", "parse")
    return "Conformance report" if task == "parse" else f"Conformance report: {task}"


def notes(table: Table) -> list[str]:
    """Return the footnotes about single parsers."""
    found = []
    for parser in table.parsers:
        remarks = [] if parser["trees"] else [VERDICTS_ONLY]
        if parser["skipped"]:
            remarks.append(f"takes text: {len(parser['skipped'])} cases on bytes are left out")
        if parser.get("newer"):
            count = len(parser["newer"])
            remarks.append(f"run on an earlier version: {count} newer cases are left out")
        if parser.get("note"):
            remarks.append(str(parser["note"]))
        if remarks:
            found.append(f"{heading(parser)} {'; '.join(remarks)}.")
    return found
