"""Several boards in one picture, and lines of text below a board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple
from xml.sax.saxutils import escape

from rich.cells import cell_len

from sgf_lark.drawing.layouts import number
from sgf_lark.drawing.pictures import FONT, as_xml

_GAP = 16.0
_LINE = 20.0
_FONT_SIZE = 14
#: The mean width of a character of that size; Chinese characters count twice.
_CHARACTER = _FONT_SIZE * 0.56
#: The width and the height of a picture.
SIZE = re.compile(r'<svg[^>]*? (?P<size>width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)")')
_INKS = {"light": "#1b1204", "dark": "#d8c3a0", "book": "#000", "auto": "#7a6a4f"}
_PAPERS = {"light": "#fff", "dark": "#241d14", "book": "#fff", "auto": "none"}


class Picture(NamedTuple):
    """A board as SVG, its title, which has a line of its own below it, and captions, which follow.

    Several captions share a line where they fit.
    """

    svg: str
    title: str = ""
    captions: Sequence[str] = ()


def sheet(pictures: Sequence[Picture], *, columns: int = 0, theme: str = "light") -> str:
    """Draw pictures in rows of `columns`, each with its captions, as one SVG document.

    With 0 columns the sheet is about square. Raises ValueError if there is no picture.
    """
    if not pictures:
        raise ValueError("there is no picture for the sheet")
    columns = min(columns or ceil(len(pictures) ** 0.5), len(pictures))
    sizes = [_size(picture.svg) for picture in pictures]
    width = max(size[0] for size in sizes)
    lines = [
        [picture.title] * bool(picture.title) + _wrapped(picture.captions, width)
        for picture in pictures
    ]
    parts, top = [], _GAP
    for first in range(0, len(pictures), columns):
        row = range(first, min(first + columns, len(pictures)))
        height = max(sizes[index][1] for index in row)
        for index in row:
            left = _GAP + (index - first) * (width + _GAP)
            inset = left + (width - sizes[index][0]) / 2
            parts.append(_placed(pictures[index].svg, inset, top))
            for at, line in enumerate(lines[index]):
                parts.append(
                    _text(line, left + width / 2, top + height + (at + 0.8) * _LINE, theme)
                )
        top += height + max(len(lines[index]) for index in row) * _LINE + _GAP
    return _document(columns * (width + _GAP) + _GAP, top, "".join(parts), theme)


def _size(svg: str) -> tuple[float, float]:
    found = SIZE.search(svg)
    assert found is not None
    return float(found["width"]), float(found["height"])


def _placed(svg: str, x: float, y: float) -> str:
    return svg.replace("<svg", f'<svg x="{number(x)}" y="{number(y)}"', 1)


def _text(line: str, x: float, y: float, theme: str) -> str:
    place = f'x="{number(x)}" y="{number(y)}" text-anchor="middle"'
    return f'<text class="sgf-caption" {place} fill="{_INKS[theme]}">{escape(as_xml(line))}</text>'


def _document(width: float, height: float, content: str, theme: str) -> str:
    size = f'width="{number(width)}" height="{number(height)}"'
    box = f'viewBox="0 0 {number(width)} {number(height)}"'
    font = f'font-family="{escape(FONT)}" font-size="{_FONT_SIZE}"'
    paper = f'<rect {size} fill="{_PAPERS[theme]}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sgf-sheet" {size} {box} {font}>'
        f"{paper}{content}</svg>"
    )


def _wrapped(captions: Sequence[str], width: float) -> list[str]:
    """Put captions into lines, several in one where they fit."""
    lines: list[str] = []
    for caption in captions:
        joined = f"{lines[-1]}; {caption}" if lines else caption
        if lines and cell_len(joined) * _CHARACTER <= width:
            lines[-1] = joined
        else:
            lines.append(caption)
    return lines
