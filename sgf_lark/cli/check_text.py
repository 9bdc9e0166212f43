"""The results of ``check`` as text: diagnostics with their places, in groups, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import NamedTuple

from sgf_lark.cli.excerpts import excerpt_lines
from sgf_lark.cli.results import CodeCount, Result, Tally, counts_in_words
from sgf_lark.cli.terminal import OutputStyle, aligned
from sgf_lark.cli.words import say
from sgf_lark.diagnostics import Diagnostic, Language, Severity
from sgf_lark.text.escaping import escape

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.STYLE: "cyan"}

#: The codes of diagnostics that are not listed are named up to this number of codes.
_MOST_CODES = 5


def full(
    results: Iterable[Result], tally: Tally, style: OutputStyle, *, excerpt: bool
) -> Iterator[str]:
    """Yield every diagnostic with its place, then the counts."""
    for result in results:
        lines = diagnostic_lines(result, style, excerpt=excerpt)
        if piece := "".join(f"{line}\n" for line in lines):
            yield piece
    if tally.codes:
        yield "\n"
    yield from counts(tally, style)


def concise(results: Iterable[Result]) -> Iterator[str]:
    """Yield one line for each diagnostic, as editors and scripts expect it."""
    plain = OutputStyle()
    for result in results:
        for number, found in enumerate(result.report.diagnostics):
            yield headline(result, number, found, plain) + "\n"
        if result.omitted:
            yield _omitted(result, plain) + "\n"


def brief(results: Iterable[Result], style: OutputStyle) -> Iterator[str]:
    """Yield one line for each file with diagnostics: the number of each severity."""
    for result in results:
        if counts := counts_in_words(result.report.counts, style.language):
            yield f"{escape(result.path)}: {counts}\n"


def statistics(results: Iterable[Result], tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield only the counts, once all results are in `tally`."""
    for _ in results:
        pass
    yield from counts(tally, style)


# --- Diagnostics ----------------------------------------------------------------------


def diagnostic_lines(result: Result, style: OutputStyle, *, excerpt: bool) -> Iterator[str]:
    """Yield the lines for all diagnostics of a file, without line ends."""
    for number in range(len(result.report.diagnostics)):
        yield from lines_of(result, number, style, excerpt=excerpt)
    if result.omitted:
        yield _omitted(result, style)


def lines_of(result: Result, number: int, style: OutputStyle, *, excerpt: bool) -> Iterator[str]:
    """Yield the lines for the diagnostic of that number."""
    report = result.report
    found = report.diagnostics[number]
    yield headline(result, number, found, style)
    if excerpt and report.source.data:
        yield from excerpt_lines(report.source, found.span, style)
    if found.fix:
        label = say("check.help", style.language)
        yield f"  {style.paint(label, bold=True)}{escape(found.fix)}"


def headline(result: Result, number: int, found: Diagnostic, style: OutputStyle) -> str:
    """Return the place, the severity, the rule and the message, and a mark if it can be fixed."""
    place = f"{escape(result.path)}:{found.span.line}:{found.span.column}:"
    severity = severity_name(found.severity, style.language)
    severity = style.paint(severity, fg=_COLORS[found.severity], bold=True)
    code = style.paint(found.code, bold=True)
    text = f"{style.paint(place, bold=True)} {severity} {code} {found.name}: "
    text += escape(found.message)
    if number in result.fixes:
        key, color = ("safe", "green") if result.fixes[number] else ("unsafe", "magenta")
        text += f" {style.paint(say(f'check.{key}_mark', style.language), fg=color)}"
    return text


def _omitted(result: Result, style: OutputStyle) -> str:
    most = result.omitted_by_code.most_common(_MOST_CODES + 1)
    codes = [f"{count} {code}" for code, count in most[:_MOST_CODES]]
    listed = say("shared.comma", style.language).join(codes + ["…"] * (len(most) > _MOST_CODES))
    more = say("check.omitted", style.language, n=result.omitted, codes=listed)
    return f"{style.paint(f'{escape(result.path)}:', bold=True)} {more}"


def severity_name(severity: Severity, language: Language) -> str:
    """Return the name of the severity in that language."""
    return say(f"shared.{severity}", language)


# --- Counts ---------------------------------------------------------------------------


def counts(tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield the table of the codes, the summary, and what to do next."""
    if tally.codes:
        yield _table(tally.codes, style) + "\n"
    yield f"{tally.summary(style.language)}\n"
    yield from advice(tally, style)


def advice(tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield how to see what is not listed, to fix what can be fixed, and to read about a rule."""
    language = style.language
    if tally.known or tally.fixed:
        yield of_baseline(tally, language) + "\n"
    if tally.hidden:
        yield say("check.hidden", language, n=tally.hidden) + "\n"
    safe, unsafe = tally.fixes[True], tally.fixes[False]
    if safe:
        yield say("check.safe", language, n=safe) + "\n"
    if unsafe:
        yield say(f"check.{'more_' if safe else ''}unsafe", language, n=unsafe) + "\n"
    if tally.repeated:
        yield of_repeated(tally, language) + "\n"
    if tally.codes:
        order = list(Severity)
        worst = min(tally.codes, key=lambda row: (order.index(row.severity), -row.count))
        yield say("check.explain", language, code=worst.code) + "\n"


def of_baseline(tally: Tally, language: Language) -> str:
    """Return how many findings are in the baseline, and how many of it were fixed."""
    key = "baseline_fixed" if tally.fixed else "baseline"
    return say(f"check.{key}", language, n=tally.known, fixed=tally.fixed)


def of_repeated(tally: Tally, language: Language) -> str:
    """Return how many findings are only counted, also where it is counted what can be fixed."""
    return say("check.repeated", language, n=tally.repeated)


def _table(rows: list[CodeCount], style: OutputStyle) -> str:
    heads = say("check.heads", style.language).split()
    cells = [
        (
            row.code,
            row.name,
            severity_name(row.severity, style.language),
            str(row.count),
            str(row.files),
        )
        for row in rows
    ]
    head, *lines = aligned([heads, *cells], numbers=2)
    painted = [style.paint(head, bold=True)]
    painted += [
        style.paint(line, fg=_COLORS[row.severity]) for line, row in zip(lines, rows, strict=True)
    ]
    return "".join(f"{line}\n" for line in painted)


# --- Groups ---------------------------------------------------------------------------


class Shows(NamedTuple):
    """Whether excerpts are shown, and the diagnostics at all."""

    excerpt: bool
    diagnostics: bool


class _Group:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.files: set[str] = set()
        self.lines: list[str] = []

    def heading(self, name: str, style: OutputStyle) -> str:
        """Return the name, the number of diagnostics by severity, and that of the files."""
        counts = counts_in_words(self.counts, style.language)
        colon = say("shared.colon", style.language).rstrip()
        text = say("check.group", style.language, counts=counts, n=len(self.files))
        return f"{style.paint(escape(name) + colon, bold=True)}{text}\n"


def groups(
    results: Iterable[Result], tally: Tally, style: OutputStyle, group_by: str, shows: Shows
) -> Iterator[str]:
    """Yield the groups, those with the most diagnostics first, and the summary.

    Files and folders come in their order. Lines are kept until all results are there.
    """
    found: dict[str, _Group] = {}
    for result in results:
        _add_to_groups(result, found, style, group_by, shows)
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


def _add_to_groups(
    result: Result,
    found: dict[str, _Group],
    style: OutputStyle,
    group_by: str,
    shows: Shows,
) -> None:
    for number, diagnostic in enumerate(result.report.diagnostics):
        rule = f"{diagnostic.code} {diagnostic.name}"
        group = found.setdefault(_group_name(result, rule, group_by), _Group())
        group.counts[diagnostic.severity] += 1
        group.files.add(result.path)
        if shows.diagnostics:
            lines = lines_of(result, number, style, excerpt=shows.excerpt)
            group.lines += [f"  {line}\n" for line in lines]
    for (code, name, severity), count in result.report.omitted.items():
        group = found.setdefault(_group_name(result, f"{code} {name}", group_by), _Group())
        group.counts[severity] += count
        group.files.add(result.path)


def _group_name(result: Result, rule: str, group_by: str) -> str:
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
