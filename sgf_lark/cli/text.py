"""Diagnostics as lines for a reader, with the place in the source, and the table of codes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from sgf_lark.cli.tally import CodeCount
from sgf_lark.cli.terminal import Look
from sgf_lark.diagnostics import Diagnostic, Severity, SourceText
from sgf_lark.report import Report

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.STYLE: "cyan"}
_INDENT = "    "
_NARROWEST = 20

#: A narrower table would cut names.
_TABLE_WIDTH = 80


def diagnostics(path: str, report: Report, look: Look, *, excerpt: bool) -> Iterator[str]:
    """The lines for all diagnostics of the file at `path`, without line ends."""
    for found in report.diagnostics:
        yield _headline(path, found, look)
        if excerpt and report.source.data:
            yield from _excerpt(report.source, found, look)
        if found.fix:
            label = "修正：" if look.language == "zh" else "help: "
            yield f"  {look.style(label, bold=True)}{one_line(found.fix)}"


def _headline(path: str, found: Diagnostic, look: Look) -> str:
    place = f"{one_line(path)}:{found.span.line}:{found.span.column}:"
    severity = look.style(_severity(found.severity, look), fg=_COLORS[found.severity], bold=True)
    code = look.style(found.code, bold=True)
    return f"{look.style(place, bold=True)} {severity} {code} {found.name}: " + one_line(
        found.message
    )


_IN_CHINESE = {Severity.ERROR: "错误", Severity.WARNING: "警告", Severity.STYLE: "风格"}


def _severity(severity: Severity, look: Look) -> str:
    return _IN_CHINESE[severity] if look.language == "zh" else str(severity)


def one_line(text: str) -> str:
    """`text` with control characters and the like escaped, for they could steer a terminal."""
    return "".join(
        character if _is_visible(character) else ascii(character)[1:-1] for character in text
    )


def _is_visible(character: str) -> bool:
    # The ideographic space, for one, counts as not printable.
    return character.isprintable() or unicodedata.category(character) == "Zs"


# --- The place in the source --------------------------------------------------


def _excerpt(source: SourceText, found: Diagnostic, look: Look) -> Iterator[str]:
    """The source line, cut to the width around the place, and the line with the caret."""
    from rich.cells import cell_len

    width = max(look.width - len(_INDENT), _NARROWEST)
    line, column = source.excerpt(found.span, width, width)
    head, tail = _stand_ins(line[:column], look), _stand_ins(line[column:], look)
    shown_tail = _cut(tail, max(width - cell_len(head), width // 2))
    shown_head = _cut(head[::-1], width - cell_len(shown_tail))[::-1]
    marked = tail[: _marked_characters(source.text(found.span))]
    carets = "^" * max(1, min(cell_len(marked), cell_len(shown_tail)))
    yield _INDENT + shown_head + shown_tail
    yield _INDENT + " " * cell_len(shown_head) + look.style(carets, fg="green", bold=True)


def _marked_characters(marked: str) -> int:
    """How many characters to mark: those on the first line, or one."""
    return len(next(iter(marked.splitlines()), "")) or 1


def _stand_ins(text: str, look: Look) -> str:
    """`text` with a visible character in the place of each that has no shape of its own.

    What the output cannot show is escaped here already, so that the caret is
    where it should be.
    """
    shown = "".join(map(_stand_in, text))
    return shown.encode(look.encoding, "backslashreplace").decode(look.encoding)


def _stand_in(character: str) -> str:
    if _is_visible(character):
        return character
    if character == "\t":
        return " "
    if character < " ":
        return chr(0x2400 + ord(character))
    return "\N{REPLACEMENT CHARACTER}"


def _cut(text: str, width: int) -> str:
    """The beginning of `text` that fills at most `width` columns; "…" stands for the rest."""
    from rich.cells import cell_len

    if cell_len(text) <= width:
        return text
    kept, used = [], 1
    for character in text:
        used += cell_len(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"


# --- Counts -------------------------------------------------------------------


def table(rows: Iterable[CodeCount], look: Look) -> str:
    """The counts by code as a table."""
    from rich.console import Console
    from rich.table import Table

    console = Console(
        width=max(look.width, _TABLE_WIDTH),
        force_terminal=look.color,
        no_color=not look.color,
        color_system="standard" if look.color else None,
    )
    heads = ("code", "name", "severity", "count", "files")
    if look.language == "zh":
        heads = ("代码", "名称", "级别", "次数", "文件")
    grid = Table(*heads[:3], box=None, pad_edge=False, header_style="bold")
    for head in heads[3:]:
        grid.add_column(head, justify="right")
    for row in rows:
        grid.add_row(
            row.code,
            row.name,
            _severity(row.severity, look),
            str(row.count),
            str(row.files),
            style=_COLORS[row.severity] if look.color else None,
        )
    with console.capture() as capture:
        console.print(grid)
    return capture.get()
