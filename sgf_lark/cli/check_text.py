"""The results of ``check`` as text: diagnostics with their places, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.cli.excerpts import excerpt_lines
from sgf_lark.cli.results import CodeCount, Result, Tally, counts_in_words, plural
from sgf_lark.cli.terminal import OutputStyle, cell_width
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
        "safe": "{} can be fixed safely: sgf-lark fix",
        "unsafe": "{} can be fixed by dropping something or guessing: sgf-lark fix --unsafe",
        "more unsafe": "{} more can be fixed by dropping something or guessing: "
        "sgf-lark fix --unsafe",
        "explain": "sgf-lark explain {} explains the rule with examples",
    },
    "zh": {
        "hidden": "{} 条风格提示未列出（--style 列出）",
        "several hidden": "{} 条风格提示未列出（--style 列出）",
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


def brief(results: Iterable[Result]) -> Iterator[str]:
    """Yield one line for each file with diagnostics: the number of each severity."""
    for result in results:
        if counts := counts_in_words(result.report.counts):
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


def _table(rows: list[CodeCount], style: OutputStyle) -> str:
    heads = ("code", "name", "severity", "count", "files")
    if style.language == "zh":
        heads = ("代码", "名称", "级别", "次数", "文件")
    levels = [severity_name(row.severity, style.language) for row in rows]
    cells = [
        (row.code, row.name, level, str(row.count), str(row.files))
        for row, level in zip(rows, levels, strict=True)
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
