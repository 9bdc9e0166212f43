"""The results of ``check`` as text, in groups: by file, folder, rule or program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

from sgf_lark.cli.check_text import advice, lines_of
from sgf_lark.cli.results import Result, Tally, counts_in_words, plural
from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.text.escaping import escape


class Shows(NamedTuple):
    """Whether excerpts are shown, and the diagnostics at all."""

    excerpt: bool
    diagnostics: bool


@dataclass
class _Group:
    counts: Counter[str] = field(default_factory=Counter)
    files: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)

    def heading(self, name: str, style: OutputStyle) -> str:
        """Return the name, the number of diagnostics by severity, and that of the files."""
        counts, files = counts_in_words(self.counts), plural(len(self.files), "file")
        return f"{style.paint(f'{escape(name)}:', bold=True)} {counts} in {files}\n"


def groups(
    results: Iterable[Result], tally: Tally, style: OutputStyle, group_by: str, shows: Shows
) -> Iterator[str]:
    """Yield the groups, those with the most diagnostics first, and the summary.

    Files and folders come in their order. Lines are kept until all results are there.
    """
    found: dict[str, _Group] = {}
    for result in results:
        _add(result, found, style, group_by, shows)
    items = list(found.items())
    if group_by not in ("file", "folder"):
        items.sort(key=lambda item: -item[1].counts.total())
    for name, group in items:
        yield group.heading(name, style)
        if shows.diagnostics:
            yield from group.lines
            yield "\n"
    yield f"{tally.summary(style.language)}\n"
    yield from advice(tally, style)


def _add(
    result: Result,
    found: dict[str, _Group],
    style: OutputStyle,
    group_by: str,
    shows: Shows,
) -> None:
    for number, diagnostic in enumerate(result.report.diagnostics):
        rule = f"{diagnostic.code} {diagnostic.name}"
        group = found.setdefault(_name(result, rule, group_by), _Group())
        group.counts[diagnostic.severity] += 1
        group.files.add(result.path)
        if shows.diagnostics:
            lines = lines_of(result, number, style, excerpt=shows.excerpt)
            group.lines += [f"  {line}\n" for line in lines]
    for (code, name, severity), count in result.report.omitted.items():
        group = found.setdefault(_name(result, f"{code} {name}", group_by), _Group())
        group.counts[severity] += count
        group.files.add(result.path)


def _name(result: Result, rule: str, group_by: str) -> str:
    """Return the name of the group that a diagnostic of that rule belongs to."""
    match group_by:
        case "file":
            return result.path
        case "folder":
            return str(PurePath(result.path.replace("!", "/")).parent)
        case "rule":
            return rule
        case _:
            return result.program or "no program named"
