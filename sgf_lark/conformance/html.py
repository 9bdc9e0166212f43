"""The report as one self-contained HTML page, with links from the table to the cases."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

from sgf_lark.conformance.running import shortened
from sgf_lark.conformance.suite import Case, Suite
from sgf_lark.conformance.table import ALL, LEGEND, Cell, Table, heading, make_table, notes
from sgf_lark.text.escaping import escape_lines

#: At most this many bytes of an input, and characters of a tree, are shown.
_SHOWN = 600

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem;
  padding: 0 1rem; color: #1c1c1c; background: #fff }
table { border-collapse: collapse } th, td { padding: .25rem .6rem; text-align: right }
th:first-child { text-align: left } thead th { vertical-align: bottom }
tbody tr { border-top: 1px solid #ddd } tbody tr:last-child { font-weight: 600 }
td a { color: inherit; text-decoration: none; display: block }
td a:hover, td a:focus { text-decoration: underline }
.full { background: #d9efdc } .most { background: #fbf3cf } .less { background: #f8dcd5 }
.wide { overflow-x: auto } dl { margin: .3rem 0 .8rem 1rem; display: grid;
  grid-template-columns: max-content 1fr; gap: .1rem .8rem } dt { color: #555 } dd { margin: 0 }
code, pre { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere;
  white-space: pre-wrap } :target { background: #eef3ff } summary { cursor: pointer }
@media (prefers-color-scheme: dark) { body { color: #e4e4e4; background: #161616 }
  .full { background: #1d4427 } .most { background: #4b4317 } .less { background: #55251c }
  tbody tr { border-color: #444 } dt { color: #aaa } a { color: #9bbcff }
  :target { background: #26304a } }
"""


def render_html(document: dict[str, Any], suite: Suite) -> str:
    """Return the page; it shows those cases that `suite` contains."""
    table = make_table(document)
    cases = {case.id: case for case in suite.cases}
    made_by = document["made_by"]
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>SGF conformance report</title><style>{_STYLE}</style></head><body>",
        "<h1>SGF conformance report</h1>",
        f"<p>{_text(LEGEND)} Choose a cell to see its cases.</p>",
        *_table(table),
        "".join(f"<p>{_text(note)}</p>" for note in notes(table)),
        f"<p>{document['suite']['cases']} cases; made by sgf_lark {_text(made_by['sgf_lark'])} "
        f"with Python {_text(made_by['python'])} on {_text(made_by['system'])}.</p>",
    ]
    for number in range(len(table.parsers)):
        parts += _parser(table, number, cases)
    parts += _all_cases(table, suite)
    parts.append(f"<script>{_SCRIPT}</script></body></html>\n")
    return "\n".join(parts)


#: Opens the group of a case to which a link leads.
_SCRIPT = """
function show() {
  const name = decodeURIComponent(location.hash.slice(1));
  const found = name && document.getElementById(name);
  for (let at = found; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (found) found.scrollIntoView();
}
addEventListener("hashchange", show); show();
"""


def _table(table: Table) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{_text(heading(parser))}</th>' for parser in table.parsers)
    yield f'<div class="wide"><table><thead><tr><th>group</th>{heads}</tr></thead><tbody>'
    for group in table.rows:
        section = group if group in table.groups else ALL
        cells = "".join(
            _cell(table.cells[group, number], number, section)
            for number in range(len(table.parsers))
        )
        yield f'<tr><th scope="row">{_text(group)}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _cell(cell: Cell, number: int, group: str) -> str:
    share = cell.passed / cell.total if cell.total else 1.0
    style = "full" if share == 1 else "most" if share >= 0.9 else "less"
    return f'<td class="{style}"><a href="#{_anchor(number, group)}">{_text(str(cell))}</a></td>'


def _anchor(number: int, group: str) -> str:
    return f"parser-{number}" if group == ALL else f"parser-{number}-{_text(group)}"


def _parser(table: Table, number: int, cases: dict[str, Case]) -> Iterator[str]:
    parser = table.parsers[number]
    yield f'<h2 id="{_anchor(number, ALL)}">{_text(heading(parser))}</h2>'
    yield f"<p>{_text(parser['title'])}.</p>"
    for group in table.groups:
        found = table.failures.get((group, number), [])
        cell = table.cells[group, number]
        yield f'<details id="{_anchor(number, group)}"><summary>{_text(group)}: {cell}</summary>'
        if not found:
            yield "<p>All cases passed.</p>"
        for failure in found:
            yield _failure(failure, cases.get(failure["case"]))
        yield "</details>"


def _failure(failure: dict[str, str], case: Case | None) -> str:
    kind = f" ({failure['kind']})" if failure["kind"] else ""
    rows = [("what", failure["status"] + kind)]
    if case is not None:
        rows.append(("input", _bytes(case.data)))
    rows += [("expected", failure["expected"]), ("found", failure["found"])]
    name = _text(failure["case"])
    return f'<p><a href="#case-{name}">{name}</a></p>{_list(rows)}'


def _all_cases(table: Table, suite: Suite) -> Iterator[str]:
    """Yield the cases by group, with the parsers that failed them."""
    failed: dict[str, list[str]] = {}
    for parser in table.parsers:
        for failure in parser["failures"]:
            entry = f"{heading(parser)} ({failure['status']})"
            failed.setdefault(failure["case"], []).append(entry)
    yield "<h2>All cases</h2>"
    for group in table.groups:
        cases = [case for case in suite.cases if case.group == group]
        if cases:
            yield f"<details><summary>{_text(group)}: {len(cases)} cases</summary>"
            yield from (_case(case, failed.get(case.id, [])) for case in cases)
            yield "</details>"


def _case(case: Case, failed: list[str]) -> str:
    rows = [
        ("about", case.about),
        ("input", _bytes(case.data)),
        ("source", f"{case.source}; charset {case.charset}"),
        ("rules", ", ".join(case.rules)),
        ("violations", ", ".join(map(str, case.violations))),
    ]
    if case.trees is not None:
        tree = json.dumps(case.trees, ensure_ascii=False)
        rows.append(("tree", shortened(tree, _SHOWN)))
    rows.append(("failed by", ", ".join(failed)))
    name = _text(case.id)
    return f'<p id="case-{name}">{name}</p>{_list(rows)}'


def _list(rows: list[tuple[str, str]]) -> str:
    entries = "".join(
        f"<dt>{name}</dt><dd><code>{_text(text)}</code></dd>" for name, text in rows if text
    )
    return f"<dl>{entries}</dl>"


def _bytes(data: bytes) -> str:
    """Return the bytes as in Python source; only the first of long ones."""
    if len(data) > _SHOWN:
        data, rest = data[:_SHOWN], len(data) - _SHOWN
        return f"{repr(data)[2:-1]} … and {rest} bytes more"
    return repr(data)[2:-1]


def _text(text: str) -> str:
    return html.escape(escape_lines(text))
