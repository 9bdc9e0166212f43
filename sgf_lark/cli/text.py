"""Diagnostics as lines for a reader, with the place in the source, and the table of codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.cli.tally import CodeCount
from sgf_lark.cli.terminal import Look
from sgf_lark.diagnostics import Diagnostic, Severity
from sgf_lark.text.positions import SourceText
from sgf_lark.validation.report import Report

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.STYLE: "cyan"}
_INDENT = "    "
_NARROWEST = 20


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
    if text.isprintable():
        return text
    return "".join(
        character if _is_visible(character) else ascii(character)[1:-1] for character in text
    )


def _is_visible(character: str) -> bool:
    # The ideographic space, for one, counts as not printable.
    return character.isprintable() or _is_space(character)


def _is_space(character: str) -> bool:
    import unicodedata

    return unicodedata.category(character) == "Zs"


# --- The place in the source --------------------------------------------------


def _excerpt(source: SourceText, found: Diagnostic, look: Look) -> Iterator[str]:
    """The source line, cut to the width around the place, and the line with the caret."""
    width = max(look.width - len(_INDENT), _NARROWEST)
    line, column = source.excerpt(found.span, width, width)
    head, tail = _stand_ins(line[:column], look), _stand_ins(line[column:], look)
    shown_tail = _cut(tail, max(width - _columns(head), width // 2))
    shown_head = _cut(head[::-1], width - _columns(shown_tail))[::-1]
    marked = tail[: _marked_characters(source.text(found.span))]
    carets = "^" * max(1, min(_columns(marked), _columns(shown_tail)))
    yield _INDENT + shown_head + shown_tail
    yield _INDENT + " " * _columns(shown_head) + look.style(carets, fg="green", bold=True)


def _marked_characters(marked: str) -> int:
    """How many characters to mark: those on the first line, or one."""
    return len(next(iter(marked.splitlines()), "")) or 1


def _stand_ins(text: str, look: Look) -> str:
    """`text` with a visible character in the place of each that has no shape of its own.

    What the output cannot show is escaped here already, so that the caret is
    where it should be.
    """
    shown = text if text.isprintable() else "".join(map(_stand_in, text))
    if shown.isascii():
        return shown
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
    if _columns(text) <= width:
        return text
    if _is_narrow(text):
        return text[: width - 1] + "…"
    kept, used = [], 1
    for character in text:
        used += _columns(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"


def _is_narrow(text: str) -> bool:
    """Whether each character fills one column, as those of ASCII do."""
    return text.isascii() or text.replace("…", "").isascii()


def _columns(text: str) -> int:
    """How many columns of a terminal `text` fills."""
    if _is_narrow(text):
        return len(text)
    from rich.cells import cell_len  # takes longer to import than most files to check

    return cell_len(text)


# --- Counts -------------------------------------------------------------------


def table(rows: Iterable[CodeCount], look: Look) -> str:
    """The counts by code as a table."""
    heads = ("code", "name", "severity", "count", "files")
    if look.language == "zh":
        heads = ("代码", "名称", "级别", "次数", "文件")
    rows = list(rows)
    cells = [
        (row.code, row.name, _severity(row.severity, look), str(row.count), str(row.files))
        for row in rows
    ]
    widths = [max(map(_columns, column)) for column in zip(heads, *cells, strict=True)]
    lines = [look.style(_line(heads, widths), bold=True)]
    for row, texts in zip(rows, cells, strict=True):
        lines.append(look.style(_line(texts, widths), fg=_COLORS[row.severity]))
    return "".join(f"{line}\n" for line in lines)


def _line(texts: tuple[str, ...], widths: list[int]) -> str:
    """The cells of a row, filled up to these widths; the last two are numbers."""
    cells = []
    for number, (text, width) in enumerate(zip(texts, widths, strict=True)):
        blank = " " * (width - _columns(text))
        cells.append(text + blank if number < 3 else blank + text)
    return "  ".join(cells)
