"""Parsers × groups: the figures of a table, from the document of a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sgf_lark.conformance.judging import BREAKDOWNS, Status

#: The row that sums up all groups.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Cell:
    """`breakdowns` are crashes, hangs and full memory; they are not passed either."""

    passed: int
    total: int
    breakdowns: int

    def __str__(self) -> str:
        broken = f" †{self.breakdowns}" if self.breakdowns else ""
        return f"{self.passed}/{self.total}{broken}"


@dataclass(frozen=True)
class Table:
    """`cells` are by group and place of the parser among `parsers`, the entries of the
    document: two versions of one parser have the same name. The group ``all`` comes last.
    `failures` are those of a parser in a group, where it has any.
    """

    groups: tuple[str, ...]
    parsers: tuple[dict[str, Any], ...]
    cells: dict[tuple[str, int], Cell]
    failures: dict[tuple[str, int], list[dict[str, str]]]


def make_table(document: dict[str, Any]) -> Table:
    """The table of a document that :func:`run_suite` or :func:`merged` made."""
    sizes: dict[str, int] = document["suite"]["groups"]
    parsers = tuple(document["parsers"])
    cells: dict[tuple[str, int], Cell] = {}
    failures: dict[tuple[str, int], list[dict[str, str]]] = {}
    for number, parser in enumerate(parsers):
        skipped = Counter(map(group_of, parser["skipped"]))
        for failure in parser["failures"]:
            failures.setdefault((group_of(failure["case"]), number), []).append(failure)
        for group, size in sizes.items():
            found = failures.get((group, number), [])
            total = size - skipped[group]
            broken = sum(Status(failure["status"]) in BREAKDOWNS for failure in found)
            cells[group, number] = Cell(total - len(found), total, broken)
        mine = [cells[group, number] for group in sizes]
        cells[ALL, number] = Cell(
            sum(cell.passed for cell in mine),
            sum(cell.total for cell in mine),
            sum(cell.breakdowns for cell in mine),
        )
    return Table((*sizes, ALL), parsers, cells, failures)


def group_of(case: str) -> str:
    """The group of a case, by its id."""
    return case.partition("/")[0]


def heading(parser: dict[str, Any]) -> str:
    """Name and version of a parser."""
    return f"{parser['name']} {parser['version']}".strip()


#: What a table says besides its figures.
LEGEND = (
    "Each cell counts the cases passed, of those that were run; † counts crashes, hangs and "
    "overrun memory limits among the others."
)
VERDICTS_ONLY = "gives no tree: judged by whether it accepts"


def notes(table: Table) -> list[str]:
    """What has to be known of single parsers."""
    found = []
    for parser in table.parsers:
        said = [] if parser["trees"] else [VERDICTS_ONLY]
        if parser["skipped"]:
            said.append(f"takes text: {len(parser['skipped'])} cases on bytes are left out")
        if said:
            found.append(f"{heading(parser)} {'; '.join(said)}.")
    return found
