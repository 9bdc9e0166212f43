"""The report of an audit: one HTML page that needs nothing else, and its plots as files."""

from __future__ import annotations

import html
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any

from sgf_lark import __version__, grammar
from sgf_lark.archive.copies import Group, duplicates
from sgf_lark.archive.database import connect
from sgf_lark.archive.plots import Plot, draw
from sgf_lark.diagnostics import Language

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]

_VIEWS = """
CREATE TEMP VIEW file_states AS
    SELECT path, coalesce(member, '') AS member,
        CASE WHEN size IS NULL THEN '1 unreadable' WHEN error > 0 THEN '2 errors'
            WHEN warning > 0 THEN '3 warnings' WHEN style > 0 THEN '4 style'
            ELSE '5 clean' END AS state
    FROM files;
CREATE TEMP VIEW dated AS
    SELECT path, coalesce(member, '') AS member, year(first_date) AS year
    FROM games WHERE game_index = 1 AND first_date IS NOT NULL;
"""

_FIGURES = """
SELECT (SELECT count(*) FROM files) AS files,
    (SELECT count(*) FROM games) AS games,
    (SELECT coalesce(sum(size), 0) / 1048576 FROM files) AS megabytes,
    (SELECT count(*) FROM diagnostics) AS findings,
    (SELECT avg(ok::INT) FROM files) AS conforming,
    (SELECT avg((state = '5 clean')::INT) FROM file_states) AS clean,
    (SELECT avg((fix IS NOT DISTINCT FROM 'safe')::INT) FROM diagnostics) AS fixable
"""

#: This many groups of duplicates of each kind are shown, and members of a group.
_GROUPS_SHOWN = 10
_MEMBERS_SHOWN = 5
#: A table shows at most this many rows.
_ROWS_SHOWN = 500


@dataclass(frozen=True)
class Report:
    """The page, and the plots by the keys of their sections."""

    page: str
    plots: dict[str, Plot]


def report(result: str | PathLike[str], *, language: Language = "en") -> Report:
    """Make the report of the result of an audit.

    Raises ResultError for a folder that is not a result.
    """
    return _Page(result, language).render()


@cache
def _texts() -> dict[str, Any]:
    """The sections and words of the report."""
    return tomllib.loads(files("sgf_lark.archive").joinpath("report.toml").read_text("utf-8"))


@dataclass
class _Page:
    result: str | PathLike[str]
    language: Language
    plots: dict[str, Plot] = field(default_factory=dict)
    database: duckdb.DuckDBPyConnection = field(init=False)

    def __post_init__(self) -> None:
        self.database = connect(self.result, needed="files")
        self.database.execute(_VIEWS)

    def render(self) -> Report:
        sections = _texts()["section"]
        body = [part for section in sections for part in self._section(section)]
        body += self._duplicates()
        body += self._explanations()
        style = files("sgf_lark.archive").joinpath("report.css").read_text("utf-8")
        title = self._word("title")
        places = [(each["key"], self._in_language(each["title"])) for each in sections]
        places += [(key, self._word(key)) for key in ("duplicates", "explanations")]
        links = "".join(f'<a href="#{key}">{_text(name)}</a>' for key, name in places)
        page = [
            f'<!DOCTYPE html>\n<html lang="{self.language}"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{_text(title)}</title><style>{style}</style></head><body>",
            f"<h1>{_text(title)}</h1>",
            self._figures(),
            f"<nav>{links}</nav>",
            *body,
            f'<p class="quiet">{_text(self._word("made").format(version=__version__))}</p>',
            "</body></html>\n",
        ]
        return Report("\n".join(page), self.plots)

    # Words

    def _in_language(self, texts: list[str]) -> str:
        return texts[1 if self.language == "zh" else 0]

    def _word(self, key: str) -> str:
        return self._in_language(_texts()["words"][key])

    def _values(self) -> dict[str, str]:
        return {key: self._in_language(texts) for key, texts in _texts()["values"].items()}

    # Parts of the page

    def _rows(self, query: str) -> list[Row]:
        cursor = self.database.execute(query)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def _figures(self) -> str:
        """The most important figures, large."""
        [row] = self._rows(_FIGURES)
        shown = [(key, _number(row[key])) for key in ("files", "games", "megabytes", "findings")]
        shown += [(key, _percent(row[key])) for key in ("conforming", "clean", "fixable")]
        good = {"conforming", "clean", "fixable"}
        return (
            '<div class="figures">'
            + "".join(
                f'<div class="{"good" if key in good else ""}"><b>{value}</b>'
                f"{_text(self._word(key))}</div>"
                for key, value in shown
            )
            + "</div>"
        )

    def _section(self, section: dict[str, Any]) -> Iterator[str]:
        key = section["key"]
        rows = self._rows(section["query"])
        yield f'<h2 id="{key}">{_text(self._in_language(section["title"]))}</h2>'
        if not rows:
            yield f"<p>{_text(self._word('none'))}</p>"
            return
        if note := self._in_language(section["note"]):
            yield f'<p class="quiet">{_text(note)}</p>'
        titles = {name: self._in_language(texts) for name, *texts in section["columns"]}
        table = self._table(rows, titles, section.get("links"))
        if "plot" not in section:
            yield table
            return
        axes: dict[str, str] = {
            axis: section[axis] for axis in ("x", "y", "color") if axis in section
        }
        shown = rows[: section["limit"]] if "limit" in section else rows
        plot = self.plots[key] = draw(
            section["plot"], shown, axes, titles, self._values() | self._rule_names(section, shown)
        )
        yield f'<div class="plot">{plot.inline}</div>'
        yield f"<details><summary>{_text(self._word('table'))}</summary>{table}</details>"

    def _table(self, rows: list[Row], titles: dict[str, str], links: str | None = None) -> str:
        values = self._values()
        numeric = {name for name in titles if isinstance(rows[0][name], (int, float))}

        def cell(name: str, value: object) -> str:
            if name in numeric:
                shown = str(value) if name == "year" else _number(value)
                return f'<td class="number">{shown}</td>'
            text = values.get(str(value), str(value))
            if name == links:
                rule = f" {self._title(grammar.rule(text))}" if text in grammar.rules() else ""
                return f'<td><a href="#{_text(text)}">{_text(text)}</a>{_text(rule)}</td>'
            return f'<td class="path">{_text(text)}</td>'

        heads = "".join(
            f'<th scope="col" class="{"number" if name in numeric else ""}">{_text(title)}</th>'
            for name, title in titles.items()
        )
        lines = (
            "<tr>" + "".join(cell(name, row[name]) for name in titles) + "</tr>"
            for row in rows[:_ROWS_SHOWN]
        )
        left = len(rows) - _ROWS_SHOWN
        more = f"<p>{_text(self._word('more').format(count=left))}</p>" if left > 0 else ""
        return (
            f'<div class="wide"><table><thead><tr>{heads}</tr></thead>'
            f"<tbody>{''.join(lines)}</tbody></table></div>{more}"
        )

    def _duplicates(self) -> Iterator[str]:
        """The groups of duplicates: how many there are, and the first ones."""
        groups: Counter[str] = Counter()
        copies: Counter[str] = Counter()
        first: list[Group] = []
        for group in duplicates(self.result):
            groups[group.kind] += 1
            copies[group.kind] += len(group.copies) - 1
            if groups[group.kind] <= _GROUPS_SHOWN:
                first.append(group)
        yield f'<h2 id="duplicates">{_text(self._word("duplicates"))}</h2>'
        if not first:
            yield f"<p>{_text(self._word('none'))}</p>"
            return
        yield f'<p class="quiet">{_text(self._word("duplicates_note"))}</p>'
        rows = [
            {"kind": kind, "groups": count, "copies": copies[kind]}
            for kind, count in groups.items()
        ]
        yield self._table(rows, {name: self._word(name) for name in ("kind", "groups", "copies")})
        names = ("kind", "keep", "others", "reason")
        details = self._table(list(map(self._group_row, first)), {n: self._word(n) for n in names})
        yield f"<details><summary>{_text(self._word('table'))}</summary>{details}</details>"

    def _group_row(self, group: Group) -> Row:
        def place(path: str, member: str | None, number: int | None) -> str:
            return path + (f"!{member}" if member else "") + (f" ({number + 1})" if number else "")

        places = [place(*copy[:3]) for copy in group.copies]
        others = ", ".join(islice(places, 1, 1 + _MEMBERS_SHOWN))
        left = len(places) - 1 - _MEMBERS_SHOWN
        reason = self._values().get(group.criterion, group.criterion)
        figures = f" ({group.figures[0]:,} > {group.figures[1]:,})" if group.figures else ""
        return {
            "kind": group.kind,
            "keep": places[0],
            "others": others + (f", … +{left}" if left > 0 else ""),
            "reason": reason + figures.replace(">", "<" if "errors" in group.criterion else ">"),
        }

    def _explanations(self) -> Iterator[str]:
        yield f'<h2 id="explanations">{_text(self._word("explanations"))}</h2>'
        codes = self._rows("SELECT DISTINCT code FROM diagnostics ORDER BY code")
        for row in codes:
            if row["code"] in grammar.rules():
                yield self._explanation(grammar.rule(row["code"]))

    def _explanation(self, rule: grammar.Rule) -> str:
        is_zh = self.language == "zh"
        first = "" if is_zh else f"<p>{_text(rule.summary)}</p>"
        explanation = rule.explanation_zh if is_zh else rule.explanation
        fix = rule.fix_zh if is_zh else rule.fix
        fixed = f"<p><b>{_text(self._word('fix'))}</b> {_text(fix)}</p>" if fix else ""
        return (
            f'<article id="{rule.code}"><h3>{rule.code} {_text(self._title(rule))}</h3>'
            f"{first}<p>{_text(explanation)}</p>{fixed}</article>"
        )

    def _title(self, rule: grammar.Rule) -> str:
        """The name of a rule, which is English; in Chinese its summary."""
        return rule.summary_zh.rstrip("。") if self.language == "zh" else rule.name

    def _rule_names(self, section: dict[str, Any], rows: list[Row]) -> dict[str, str]:
        """The codes of rules in these rows with their names, for which there is room."""
        if "links" not in section or self.language == "zh":
            return {}
        rules = grammar.rules()
        codes = [row[section["links"]] for row in rows]
        return {code: f"{code} {rules[code].name}" for code in codes if code in rules}


def _text(text: str) -> str:
    return html.escape(text)


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def plot_files(plots: dict[str, Plot]) -> Iterable[tuple[str, bytes]]:
    """The names and contents of the files of the plots, as SVG and PNG."""
    for key, plot in plots.items():
        yield f"{key}.svg", plot.svg.encode()
        yield f"{key}.png", plot.png
