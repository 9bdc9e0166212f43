"""The source line of a diagnostic, with carets below the place."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.cli.terminal import OutputStyle, cell_width, is_narrow
from sgf_lark.diagnostics import Span
from sgf_lark.text.escaping import is_visible
from sgf_lark.text.positions import SourceText

_INDENT = "    "
#: The indent of a line that GitHub would take for a command in a log.
_BAR = "  | "
_MINIMUM_WIDTH = 20


def excerpt_lines(source: SourceText, span: Span, style: OutputStyle) -> Iterator[str]:
    """Yield the source line, cut to the width around the span, and the line with the carets."""
    width = max(style.width - len(_INDENT), _MINIMUM_WIDTH)
    line, column = source.excerpt(span, width, width)
    head, tail = _make_visible(line[:column], style), _make_visible(line[column:], style)
    shown_tail = _cut(tail, max(width - cell_width(head), width // 2))
    shown_head = _cut(head[::-1], width - cell_width(shown_tail))[::-1]
    marked = tail[: _marked_length(source.text(span))]
    carets = "^" * max(1, min(cell_width(marked), cell_width(shown_tail)))
    shown = shown_head + shown_tail
    yield (_BAR if shown.lstrip().startswith("::") else _INDENT) + shown
    yield _INDENT + " " * cell_width(shown_head) + style.paint(carets, fg="green", bold=True)


def _marked_length(marked: str) -> int:
    """Return how many characters to mark: those on the first line, at least one."""
    return len(next(iter(marked.splitlines()), "")) or 1


def _make_visible(text: str, style: OutputStyle) -> str:
    """Replace each character that has no shape by a visible one.

    Characters that the encoding of the output lacks are escaped here already, so that
    the carets are placed right.
    """
    shown = text if text.isprintable() else "".join(map(_visible_character, text))
    if shown.isascii():
        return shown
    return shown.encode(style.encoding, "backslashreplace").decode(style.encoding)


def _visible_character(character: str) -> str:
    if is_visible(character):
        return character
    if character == "\t":
        return " "
    if character < " ":
        return chr(0x2400 + ord(character))
    return "\N{REPLACEMENT CHARACTER}"


def _cut(text: str, width: int) -> str:
    """Return the beginning of `text` that fills at most `width` columns, "…" for the rest."""
    if cell_width(text) <= width:
        return text
    if is_narrow(text):
        return text[: width - 1] + "…"
    kept, used = [], 1
    for character in text:
        used += cell_width(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"
