"""The results of ``check`` as text: diagnostics with their places, in groups, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

from sgf_lark.cli.excerpts import excerpt_lines
from sgf_lark.cli.results import CodeCount, Result, Tally, counts_in_words, plural
from sgf_lark.cli.terminal import OutputStyle, aligned
from sgf_lark.diagnostics import Diagnostic, Language, Severity
from sgf_lark.text.escaping import escape

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.STYLE: "cyan"}
#: The marks of what can be fixed, by whether that is safe.
_MARKS = {
    "en": {True: "[fixable]", False: "[fixable with --unsafe]"},
    "zh": {True: "[可修正]", False: "[可用 --unsafe 修正]"},
}
_ADVICE = {
    "en": {
        "hidden": "{} style note is not listed (--style lists it)",
        "several hidden": "{} style notes are not listed (--style lists them)",
        "baseline": "baseline: {} known",
        "fixed": "baseline: {} known, {} fixed since (--write-baseline updates it)",
        "safe": "{} can be fixed safely: sgf-lark fix",
        "unsafe": "{} can be fixed by dropping something or guessing: sgf-lark fix --unsafe",
        "more unsafe": "{} more can be fixed by dropping something or guessing: "
        "sgf-lark fix --unsafe",
        "explain": "sgf-lark explain {} explains the rule with examples",
    },
    "zh": {
        "hidden": "{} 条风格提示未列出（--style 列出）",
        "several hidden": "{} 条风格提示未列出（--style 列出）",
        "baseline": "基线：已知 {} 条",
        "fixed": "基线：已知 {} 条，另有 {} 条已修正（--write-baseline 更新基线）",
        "safe": "{} 处可安全修正：sgf-lark fix",
        "unsafe": "{} 处可修正，但会丢弃内容或需要猜测：sgf-lark fix --unsafe",
        "more unsafe": "另有 {} 处可修正，但会丢弃内容或需要猜测：sgf-lark fix --unsafe",
        "explain": "sgf-lark explain {} 解释规则并举例",
    },
}
_CHINESE = {Severity.ERROR: "错误", Severity.WARNING: "警告", Severity.STYLE: "风格"}


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
        label = "修正：" if style.language == "zh" else "help: "
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
        mark = _MARKS[style.language][result.fixes[number]]
        text += f" {style.paint(mark, fg='green' if result.fixes[number] else 'magenta')}"
    return text


def _omitted(result: Result, style: OutputStyle) -> str:
    more = f"还有 {result.omitted} 条未显示（--max-diagnostics 0 显示全部）"
    if style.language != "zh":
        more = f"{plural(result.omitted, 'more diagnostic')} (--max-diagnostics 0 prints all)"
    return f"{style.paint(f'{escape(result.path)}:', bold=True)} {more}"


def severity_name(severity: Severity, language: Language) -> str:
    """Return the name of the severity in that language."""
    return _CHINESE[severity] if language == "zh" else str(severity)


# --- Counts ---------------------------------------------------------------------------


def counts(tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield the table of the codes, the summary, and what to do next."""
    if tally.codes:
        yield _table(tally.codes, style) + "\n"
    yield f"{tally.summary(style.language)}\n"
    yield from advice(tally, style)


def advice(tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield how to see what is not listed, to fix what can be fixed, and to read about a rule."""
    words = _ADVICE[style.language]
    if tally.known or tally.fixed:
        yield of_baseline(tally, style.language) + "\n"
    if tally.hidden:
        key = "hidden" if tally.hidden == 1 else "several hidden"
        yield words[key].format(tally.hidden) + "\n"
    safe, unsafe = tally.fixes[True], tally.fixes[False]
    if safe:
        yield words["safe"].format(safe) + "\n"
    if unsafe:
        yield words["more unsafe" if safe else "unsafe"].format(unsafe) + "\n"
    if tally.codes:
        order = list(Severity)
        worst = min(tally.codes, key=lambda row: (order.index(row.severity), -row.count))
        yield words["explain"].format(worst.code) + "\n"


def of_baseline(tally: Tally, language: Language) -> str:
    """Return how many findings are in the baseline, and how many of it were fixed."""
    key = "fixed" if tally.fixed else "baseline"
    return _ADVICE[language][key].format(tally.known, tally.fixed)


def _table(rows: list[CodeCount], style: OutputStyle) -> str:
    heads = ("code", "name", "severity", "count", "files")
    if style.language == "zh":
        heads = ("代码", "名称", "级别", "次数", "文件")
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


@dataclass
class _Group:
    counts: Counter[str] = field(default_factory=Counter)
    files: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)

    def heading(self, name: str, style: OutputStyle) -> str:
        """Return the name, the number of diagnostics by severity, and that of the files."""
        counts = counts_in_words(self.counts, style.language)
        if style.language == "zh":
            heading = style.paint(f"{escape(name)}：", bold=True)
            return f"{heading}{counts}，涉及 {len(self.files)} 个文件\n"
        files = plural(len(self.files), "file")
        return f"{style.paint(f'{escape(name)}:', bold=True)} {counts} in {files}\n"


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
