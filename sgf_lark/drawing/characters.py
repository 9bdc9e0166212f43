"""Boards as characters, for the terminal."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len

from sgf_lark.diagnostics import Language
from sgf_lark.drawing.layouts import star_points
from sgf_lark.drawing.positions import HEX, Position
from sgf_lark.types import Color, Point


class Characters(NamedTuple):
    """What each thing on the board is drawn with. Marks go by their identifiers."""

    black: str
    white: str
    empty: str
    star: str
    dimmed: str
    marks: dict[str, str]


UNICODE = Characters(
    "●",
    "○",
    "·",
    "+",
    ":",
    {"CR": "◦", "MA": "×", "SL": "◆", "SQ": "□", "TR": "△", "TB": "▪", "TW": "▫"},
)
ASCII = Characters(
    "X",
    "O",
    ".",
    "+",
    ":",
    {"CR": "o", "MA": "x", "SL": "*", "SQ": "#", "TR": "^", "TB": "b", "TW": "w"},
)

#: Wood behind, stones in black and white; what is dimmed gets the color of the lines.
_WOOD = "\x1b[48;5;179m"
_INK = {"black": "\x1b[38;5;16m", "white": "\x1b[38;5;231m", "line": "\x1b[38;5;94m"}
_RESET = "\x1b[0m"


def characters(encoding: str) -> Characters:
    """Unicode where the encoding has all of it, else ASCII."""
    everything = "".join([*UNICODE[:5], *UNICODE.marks.values()])
    try:
        everything.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def text(
    position: Position,
    *,
    coordinates: bool = True,
    color: bool = False,
    symbols: Characters = UNICODE,
) -> str:
    """The board as lines of characters, each ending in a line feed.

    A point takes two columns: its stone, mark or label, and before it a blank, or
    the mark or label of its stone. The last move stands in parentheses. Long labels,
    lines and arrows are told by :func:`legend`. With `color` the board has a
    background, by ANSI sequences.
    """
    shown = list(position.points())
    columns = range(min(p.column for p in shown), max(p.column for p in shown) + 1)
    rows = range(min(p.row for p in shown), max(p.row for p in shown) + 1)
    stars = set() if position.game == HEX else set(star_points(position.columns, position.rows))
    lines = []
    names = [position.coordinates(Point(column, 0))[0] for column in columns]
    margin = max(len(position.coordinates(Point(0, row))[1]) for row in rows)
    if coordinates:
        lines += _heads(names, margin)
    for row in rows:
        line = _row(position, row, columns, stars, symbols, color)
        # Each row of Hex stands half a cell to the right of the one above it.
        shift = " " * (row - rows[0]) if position.game == HEX else ""
        if color:
            line = f"{_WOOD}{line} {_RESET}"
        if coordinates:
            line = position.coordinates(Point(0, row))[1].rjust(margin) + line
        lines.append(shift + (line if color else line.rstrip()))
    return "".join(f"{line}\n" for line in lines)


def _heads(names: list[str], margin: int) -> list[str]:
    """The names of the columns; those of two letters are written downwards."""
    height = max(map(len, names))
    return [
        (" " * margin + "".join(f" {name.rjust(height)[at]}" for name in names)).rstrip()
        for at in range(height)
    ]


def _row(
    position: Position,
    row: int,
    columns: range,
    stars: set[Point],
    symbols: Characters,
    color: bool,
) -> str:
    pieces = []
    behind_last = False
    for column in columns:
        point = Point(column, row)
        before, glyph, ink = _point(position, point, stars, symbols)
        is_last = point == position.last_move and position.shows(point) and before == " "
        if is_last:
            before = "("
        elif behind_last and before == " ":
            before = ")"
        behind_last = is_last
        if color:
            pieces.append(f"{_INK['black']}{before}{_INK[ink]}{glyph}")
        else:
            pieces.append(before + glyph)
    return "".join(pieces) + (")" if behind_last else "")


def _point(
    position: Position, point: Point, stars: set[Point], symbols: Characters
) -> tuple[str, str, str]:
    """What stands before a point, what at it, and the ink of that."""
    if not position.shows(point):
        return " ", " ", "line"
    marks = [symbols.marks[ident] for ident, at in position.marks.items() if point in at]
    label = position.labels.get(point)
    if label is not None:
        marks.insert(0, label if _fits(label) else "*")
    stone = position.stones.get(point)
    if stone is not None:
        glyph, ink = (symbols.black, "black") if stone is Color.BLACK else (symbols.white, "white")
        # On a colored board the shape that is filled serves for both.
        return (marks or [" "])[0], glyph, ink
    if marks:
        return " ", marks[0], "black"
    if point in position.dimmed:
        return " ", symbols.dimmed, "line"
    return " ", symbols.star if point in stars else symbols.empty, "line"


def _fits(label: str) -> bool:
    return len(label) == 1 and cell_len(label) == 1 and label.isprintable()


# --- The legend -----------------------------------------------------------------------

_WORDS: dict[str, dict[Language, str]] = {
    "CR": {"en": "circle", "zh": "圆圈"},
    "MA": {"en": "cross", "zh": "叉号"},
    "SL": {"en": "selected", "zh": "选中"},
    "SQ": {"en": "square", "zh": "方块"},
    "TR": {"en": "triangle", "zh": "三角"},
    "TB": {"en": "territory of Black", "zh": "黑方地域"},
    "TW": {"en": "territory of White", "zh": "白方地域"},
    "labels": {"en": "labels", "zh": "标签"},
    "lines": {"en": "lines", "zh": "连线"},
    "arrows": {"en": "arrows", "zh": "箭头"},
    "dimmed": {"en": "dimmed", "zh": "变暗"},
}


def legend(
    position: Position, *, symbols: Characters = UNICODE, language: Language = "en"
) -> list[str]:
    """A line for each kind of mark that :func:`text` shows, and what it has no room for."""
    lines = [
        f"{symbols.marks[ident]} {_WORDS[ident][language]}"
        for ident in symbols.marks
        if any(map(position.shows, position.marks.get(ident, ())))
    ]
    if any(map(position.shows, position.dimmed)):
        lines.append(f"{symbols.dimmed} {_WORDS['dimmed'][language]}")
    labels = [
        f"{_name(position, point)} {label}"
        for point, label in sorted(position.labels.items())
        if not _fits(label) and position.shows(point)
    ]
    if labels:
        lines.append(f"{_WORDS['labels'][language]}: {', '.join(labels)}")
    arrow = "→" if symbols is UNICODE else "->"
    for word, pairs, sign in (("lines", position.lines, "-"), ("arrows", position.arrows, arrow)):
        if pairs:
            ways = [f"{_name(position, a)}{sign}{_name(position, b)}" for a, b in pairs]
            lines.append(f"{_WORDS[word][language]}: {', '.join(ways)}")
    return lines


def _name(position: Position, point: Point) -> str:
    return "".join(position.coordinates(point))
