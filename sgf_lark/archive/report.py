"""The report of an audit: one HTML page that needs nothing else."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from sgf_lark import grammar
from sgf_lark.archive.duplicate_games import duplicates
from sgf_lark.archive.results import connect, read_run
from sgf_lark.diagnostics import Language
from sgf_lark.grammar import Rule
from sgf_lark.pages import number, render, words
from sgf_lark.pages.charts import Chart, chart
from sgf_lark.validation import named_profile

Row = dict[str, Any]

#: A table shows at most this many rows.
_ROWS_SHOWN = 200
#: Columns of numbers that have no commas.
_YEARS = {"year", "since", "until"}


@dataclass(frozen=True)
class _Table:
    """The headings of columns, the columns of numbers, and the cells: their text and their link."""

    heads: list[str]
    numeric: list[bool]
    rows: list[list[tuple[str, str]]]
    left: int


@dataclass(frozen=True)
class _Section:
    """A section of the page: what to know about it, a chart and tables.

    `counts` say what the chart shows and what it leaves out. `tables` are shown, `folded` ones on
    request. `has_links` if the bars lead to explanations.
    """

    key: str
    title: str
    note: str
    chart: Chart | None = None
    counts: str = ""
    tables: tuple[_Table, ...] = ()
    folded: tuple[_Table, ...] = ()
    has_links: bool = False


def report(result: str | PathLike[str], *, language: Language = "en") -> str:
    """Return the report of the result of an audit, an HTML page.

    Raises ResultError for a folder that is not a result.
    """
    found = _Contents(result, language)
    sections = [found.section(section) for section in _content()["section"]]
    sections.append(found.duplicates())
    return render(
        "archive.html",
        language,
        figures=found.figures(),
        notes=found.notes(),
        sections=sections,
        explanations=list(found.explanations()),
    )


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(files("sgf_lark.archive").joinpath("report.toml").read_text("utf-8"))


class _Contents:
    """What the page shows of a result."""

    def __init__(self, result: str | PathLike[str], language: Language) -> None:
        self.result = result
        self.is_zh = language == "zh"
        self.words = words("archive", language)
        self.values = words("values", language)
        self.options = read_run(Path(result))["options"]
        self.database = connect(result, needed="files")
        self.profiles = _known_profiles(self.options["profile"])
        self._judge()

    def _judge(self) -> None:
        """Make the tables of severities by profile, and those that follow from them."""
        recorded = self.rows("SELECT DISTINCT code, severity FROM diagnostics")
        severities = [
            (row["code"], profile, grammar.severities(profile).get(row["code"], row["severity"]))
            for row in recorded
            for profile in self.profiles
        ]
        games = [
            (game.number, game.name_zh if self.is_zh else game.name)
            for game in grammar.games().values()
        ]
        places = [(profile, place) for place, profile in enumerate(self.profiles)]
        for columns, rows in (
            ("severities (code VARCHAR, profile VARCHAR, severity VARCHAR)", severities),
            ("profiles (profile VARCHAR, place INT)", places),
            ("names (gm INT, name VARCHAR)", games),
        ):
            table = columns.partition(" ")[0]
            self.database.execute(f"CREATE TEMP TABLE {columns}")
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                self.database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        self.database.execute(_content()["tables"])

    def rows(self, query: str) -> list[Row]:
        """The rows of a query, by the names of their columns."""
        cursor = self.database.execute(query)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def in_language(self, texts: list[str]) -> str:
        """The English or the Chinese text of two."""
        return texts[self.is_zh]

    def figures(self) -> Row:
        """The most important figures."""
        return self.rows(_content()["figures"])[0]

    def notes(self) -> list[str]:
        """How the audit was made, as far as it bears on the figures."""
        run = self.options["profile"]
        found = [self.words["profile"].format(profile=self.profiles[0])]
        if run != "strict":
            found.append(self.words["recorded"].format(profile=run))
        chosen = {name: self.options[name] for name in ("select", "ignore") if self.options[name]}
        if chosen:
            options = "; ".join(f"--{name} {','.join(codes)}" for name, codes in chosen.items())
            found.append(self.words["selection"].format(options=options))
        return found

    # Sections

    def section(self, section: dict[str, Any]) -> _Section:
        """The section of that table of report.toml."""
        left_out = self._leave_out(section)
        rows = self.rows(section["query"])
        titles = {name: self.in_language(texts) for name, *texts in section["columns"]}
        drawn, counts = None, []
        if rows and "chart" in section:
            shown = rows[: section.get("limit")]
            drawn = self._chart(section, shown, titles)
            if len(shown) < len(rows):
                sizes = {"shown": number(len(shown)), "total": number(len(rows))}
                counts.append(self.words["others"].format(**sizes))
            if drawn.outside:
                left_out.append((int(drawn.outside), self.words["outside"]))
        counts.append(self._left_out_sentence(section["of"], left_out))
        tables = (self._table(rows, titles, section),) if rows else ()
        is_open = drawn is None or "open" in section
        return _Section(
            section["key"],
            self.in_language(section["title"]),
            self.in_language(section["note"]),
            drawn,
            " ".join(filter(None, counts)),
            tables if is_open else (),
            () if is_open else tables,
            has_links="rules" in section,
        )

    def _leave_out(self, section: dict[str, Any]) -> list[tuple[int, str]]:
        """Make the view kept; count what it does not have, and say why."""
        conditions = [f"coalesce({condition}, false)" for condition, *_ in section["left_out"]]
        kept = " AND ".join(f"NOT {condition}" for condition in conditions) or "true"
        self.database.execute(
            f"CREATE OR REPLACE TEMP VIEW kept AS FROM {section['of']} WHERE {kept}"
        )
        if not conditions:
            return []
        cases = " ".join(f"WHEN {each} THEN {index}" for index, each in enumerate(conditions))
        of = section["of"]
        counts = self.rows(
            f"SELECT CASE {cases} END AS why, {_count(of)} AS count FROM {of} "
            "GROUP BY why HAVING why IS NOT NULL ORDER BY why"
        )
        return [
            (row["count"], self.in_language(section["left_out"][row["why"]][1:])) for row in counts
        ]

    def _left_out_sentence(self, of: str, left_out: list[tuple[int, str]]) -> str:
        if not left_out:
            return ""
        [total] = self.rows(f"SELECT {_count(of)} AS total FROM {of}")
        things = self.words["of_games" if of == "games" else of]
        parts = self.words["separator"].join(
            self.words["left_out_part"].format(count=number(count), what=what)
            for count, what in left_out
        )
        return self.words["left_out"].format(
            total=number(total["total"]), things=things, parts=parts
        )

    def _chart(self, section: dict[str, Any], rows: list[Row], titles: dict[str, str]) -> Chart:
        axes: dict[str, str] = {
            key: section[key] for key in ("place", "size", "color") if key in section
        }
        if "parts" in section:
            axes |= {"size": "size", "color": "part"}
            rows = [
                {axes["place"]: row[axes["place"]], "part": part, "size": row[part]}
                for row in rows
                for part in section["parts"]
                if row[part]
            ]

        def text(name: str, value: object) -> str:
            return titles[str(value)] if name == "part" else self.text(section, name, value)

        return chart(section["chart"], rows, axes, text)

    def text(self, section: dict[str, Any], name: str, value: object) -> str:
        """A value of a column as text."""
        if name == section.get("known"):
            return self.values.get(str(value), str(value))
        if name == section.get("rules") and value in grammar.rules():
            return f"{value} {self._title(grammar.rule(str(value)))}"
        if value is None:
            return self.values["other"] if name == section.get("color") else "–"
        return number(value) if isinstance(value, float) else str(value)

    def _table(
        self, rows: list[Row], titles: dict[str, str], section: dict[str, Any] | None = None
    ) -> _Table:
        section = section or {}
        shown = rows[:_ROWS_SHOWN]
        numeric = {
            name for name in titles if any(isinstance(row[name], (int, float)) for row in shown)
        }

        def cell(name: str, value: Any) -> tuple[str, str]:
            if name in numeric and name not in _YEARS and value is not None:
                return number(value), ""
            return self.text(section, name, value), value if name == section.get("rules") else ""

        return _Table(
            list(titles.values()),
            [name in numeric for name in titles],
            [[cell(name, row[name]) for name in titles] for row in shown],
            len(rows) - len(shown),
        )

    def duplicates(self) -> _Section:
        """How many groups of duplicates there are of each kind."""
        groups: Counter[str] = Counter()
        copies: Counter[str] = Counter()
        for group in duplicates(self.result):
            groups[group.kind] += 1
            copies[group.kind] += len(group.copies) - 1
        rows = [
            {"kind": self.values[kind], "groups": count, "copies": copies[kind]}
            for kind, count in groups.items()
        ]
        titles = {name: self.words[name] for name in ("kind", "groups", "copies")}
        tables = (self._table(rows, titles),) if rows else ()
        note = self.words["duplicates_note"] if rows else ""
        return _Section("duplicates", self.words["duplicates"], note, tables=tables)

    # Rules

    def explanations(self) -> Iterator[dict[str, str]]:
        """Yield what each rule that was broken asks, and its severities."""
        for row in self.rows("SELECT DISTINCT code FROM diagnostics ORDER BY code"):
            if row["code"] not in grammar.rules():
                continue
            rule = grammar.rule(row["code"])
            yield {
                "code": rule.code,
                "title": self._title(rule),
                "summary": "" if self.is_zh else rule.summary,
                "text": (rule.explanation_zh if self.is_zh else rule.explanation) or "",
                "fix": (rule.fix_zh if self.is_zh else rule.fix) or "",
                "severities": self.words["separator"].join(
                    f"{profile} {self.values[severity]}"
                    for profile, severity in rule.severity.items()
                ),
            }

    def _title(self, rule: Rule) -> str:
        """The name of a rule, which is English; in Chinese its summary."""
        return rule.summary_zh.rstrip("。") if self.is_zh else rule.name


def _count(of: str) -> str:
    """The number of things in rows: a row can stand for several findings."""
    return "sum(times)::BIGINT" if of == "all_findings" else "count(*)"


def _known_profiles(recorded: str) -> list[str]:
    """The profiles of which an audit with that profile has all findings, "interchange" first.

    Each reports what those after it report.
    """
    found = list(grammar.PROFILES[grammar.PROFILES.index(named_profile(recorded)) :])
    return sorted(found, key=lambda profile: profile != "interchange")
