"""The results of ``check`` as text: diagnostics with their places, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.cli.excerpts import excerpt_lines
from sgf_lark.cli.results import CodeCount, Result, Tally, plural
from sgf_lark.cli.terminal import OutputStyle, cell_width
from sgf_lark.diagnostics import Diagnostic, Severity
from sgf_lark.text.escaping import escape
from sgf_lark.validation.report import Report

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.STYLE: "cyan"}
_CHINESE = {Severity.ERROR: "错误", Severity.WARNING: "警告", Severity.STYLE: "风格"}


def full(
    results: Iterable[Result], tally: Tally, style: OutputStyle, *, excerpt: bool
) -> Iterator[str]:
    """Yield every diagnostic with its place, then the counts."""
    for result in results:
        lines = diagnostic_lines(result.path, result.report, style, excerpt=excerpt)
        if piece := "".join(f"{line}\n" for line in lines):
            yield piece
    if tally.codes:
        yield "\n"
    yield from _counts(tally, style)


def brief(results: Iterable[Result]) -> Iterator[str]:
    """Yield one line for each file with diagnostics: the number of each severity."""
    for result in results:
        counts = [
            f"{count} style" if severity == "style" else plural(count, severity)
            for severity, count in result.report.counts.items()
            if count
        ]
        if counts:
            yield f"{escape(result.path)}: {', '.join(counts)}\n"


def statistics(results: Iterable[Result], tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield only the counts, once all results are in `tally`."""
    for _ in results:
        pass
    yield from _counts(tally, style)


# --- Diagnostics ----------------------------------------------------------------------


def diagnostic_lines(
    path: str, report: Report, style: OutputStyle, *, excerpt: bool
) -> Iterator[str]:
    """Yield the lines for all diagnostics of the file at `path`, without line ends."""
    for found in report.diagnostics:
        yield _headline(path, found, style)
        if excerpt and report.source.data:
            yield from excerpt_lines(report.source, found.span, style)
        if found.fix:
            label = "修正：" if style.language == "zh" else "help: "
            yield f"  {style.paint(label, bold=True)}{escape(found.fix)}"
    if report.omitted:
        count = report.omitted.total()
        more = f"还有 {count} 条未显示（--max-diagnostics 0 显示全部）"
        if style.language != "zh":
            more = f"{plural(count, 'more diagnostic')} (--max-diagnostics 0 prints all)"
        yield f"{style.paint(f'{escape(path)}:', bold=True)} {more}"


def _headline(path: str, found: Diagnostic, style: OutputStyle) -> str:
    place = style.paint(f"{escape(path)}:{found.span.line}:{found.span.column}:", bold=True)
    severity = style.paint(_severity(found.severity, style), fg=_COLORS[found.severity], bold=True)
    code = style.paint(found.code, bold=True)
    return f"{place} {severity} {code} {found.name}: {escape(found.message)}"


def _severity(severity: Severity, style: OutputStyle) -> str:
    return _CHINESE[severity] if style.language == "zh" else str(severity)


# --- Counts ---------------------------------------------------------------------------


def _counts(tally: Tally, style: OutputStyle) -> Iterator[str]:
    if tally.codes:
        yield _table(tally.codes, style) + "\n"
    yield f"{tally.summary(style.language)}\n"


def _table(rows: list[CodeCount], style: OutputStyle) -> str:
    heads = ("code", "name", "severity", "count", "files")
    if style.language == "zh":
        heads = ("代码", "名称", "级别", "次数", "文件")
    cells = [
        (row.code, row.name, _severity(row.severity, style), str(row.count), str(row.files))
        for row in rows
    ]
    widths = [max(map(cell_width, column)) for column in zip(heads, *cells, strict=True)]
    lines = [style.paint(_table_line(heads, widths), bold=True)]
    for row, texts in zip(rows, cells, strict=True):
        lines.append(style.paint(_table_line(texts, widths), fg=_COLORS[row.severity]))
    return "".join(f"{line}\n" for line in lines)


def _table_line(texts: tuple[str, ...], widths: list[int]) -> str:
    """Pad the cells of a row to these widths; the last two are numbers, aligned to the right."""
    cells = []
    for number, (text, width) in enumerate(zip(texts, widths, strict=True)):
        blank = " " * (width - cell_width(text))
        cells.append(text + blank if number < 3 else blank + text)
    return "  ".join(cells)
