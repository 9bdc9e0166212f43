"""Draws boards with characters, for the terminal."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len

from sgf_lark.diagnostics import Language, shorten
from sgf_lark.drawing.positions import Position
from sgf_lark.model.context import GO, HEX
from sgf_lark.model.new_games import star_points
from sgf_lark.model.values import Color, Point


class Characters(NamedTuple):
    """The characters for each element of the board; `marks` are by property identifier.

    `crossings` has a character for each combination of neighbors that a point of a Go board
    can have: the index is the sum of 1 for above, 2 for below, 4 for left and 8 for right.
    `line` joins crossings. `blocked` is a point with an arrow of Amazons. `elsewhere` marks a point
    whose label is in the legend.
    """

    black: str
    white: str
    crossings: str
    line: str
    cell: str
    star: str
    dimmed: str
    elsewhere: str
    arrow: str
    blocked: str
    marks: dict[str, str]


UNICODE = Characters(
    "●",
    "○",
    "·╵╷│╴┘┐┤╶└┌├─┴┬┼",
    "─",
    "·",
    "╋",
    ":",
    "*",
    "→",
    "█",
    {"CR": "◦", "MA": "×", "SL": "◆", "SQ": "□", "TR": "△", "TB": "▪", "TW": "▫"},
)
ASCII = Characters(
    "X",
    "O",
    "." * 16,
    " ",
    ".",
    "+",
    ":",
    "*",
    "->",
    "%",
    {"CR": "o", "MA": "x", "SL": "@", "SQ": "#", "TR": "^", "TB": "b", "TW": "w"},
)

#: ANSI sequences: the background, and the foregrounds of stones and lines.
_WOOD = "\x1b[48;5;179m"
_INK = {"black": "\x1b[38;5;16m", "white": "\x1b[38;5;231m", "line": "\x1b[38;5;94m"}
_RESET = "\x1b[0m"

#: The longest label on the board, in columns of the terminal; longer ones are in the legend.
_LONGEST_LABEL = 2


def characters(encoding: str) -> Characters:
    """UNICODE if `encoding`, a Python codec, has all its characters, else ASCII."""
    everything = "".join([*UNICODE[:-1], *UNICODE.marks.values()])
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
    """Draw the board as lines of characters, each ending in a line feed.

    A point takes two columns, or three (in Hex four) if a label needs them: its stone, mark
    or label, and before it the line to the point on its left, or the mark or label of its
    stone. The last move is in parentheses unless it is marked. :func:`legend` lists longer
    labels, lines and arrows. With `color` the board has a background, by ANSI sequences.
    """
    return _Board(position, symbols, color).text(coordinates)


class _Board:
    """Draws one board."""

    def __init__(self, position: Position, symbols: Characters, color: bool) -> None:
        self.position = position
        self.symbols = symbols
        self.color = color
        shown = list(position.points())
        self.columns = range(min(p.column for p in shown), max(p.column for p in shown) + 1)
        rows = range(min(p.row for p in shown), max(p.row for p in shown) + 1)
        self.rows = rows[::-1] if position.is_upward else rows
        self.is_go = position.game == GO
        self.last_move = position.last_move if position.last_move in position.stones else None
        self.stars = set(star_points(position.columns, position.rows)) if self.is_go else set()
        widest = max(
            (cell_len(text) for text in position.labels.values() if _fits(text)), default=1
        )
        #: The distance between adjacent points; Hex moves each row by half of it.
        self.pitch = 2 if widest < 2 else 4 if self.is_hex else 3

    @property
    def is_hex(self) -> bool:
        return self.position.game == HEX

    def text(self, coordinates: bool) -> str:
        names = [self.position.coordinates(Point(0, row))[1] for row in self.rows]
        margin = max(map(len, names)) if coordinates else 0
        lines = []
        for name, row in zip(names, self.rows, strict=True):
            line = self.row(row)
            if coordinates:
                line = f"{name.rjust(margin)}{line} {name}"
            lines.append(self.shift(row) + line)
        if coordinates:
            heads = self.heads(margin)
            # The columns of Hex lean to the right.
            below = self.shift(self.rows[-1] + 1)
            lines = heads + lines + [below + head for head in heads]
        return "".join(f"{line if self.color else line.rstrip()}\n" for line in lines)

    def shift(self, row: int) -> str:
        """The blanks before a row: in Hex each is half a cell to the right of the one above."""
        return "" if not self.is_hex else " " * ((row - self.rows[0]) * self.pitch // 2)

    def heads(self, margin: int) -> list[str]:
        """The names of the columns; names of two letters are written downwards."""
        names = [self.position.coordinates(Point(column, 0))[0] for column in self.columns]
        height = max(map(len, names))
        return [
            " " * margin + "".join(name.rjust(height)[at].rjust(self.pitch) for name in names)
            for at in range(height)
        ]

    def row(self, row: int) -> str:
        pieces: list[str] = []
        before_is_shown = after_last = False
        for column in self.columns:
            point = Point(column, row)
            is_shown = self.position.shows(point)
            before, glyph, ink = self.point(point) if is_shown else ("", " ", "line")
            is_last = not before and point == self.last_move
            if is_last:
                before = "("
            # A glyph wider than one column takes room from the line before it.
            room = self.pitch - cell_len(before + glyph)
            closing = ")" if after_last and room else ""
            joints = self.joint(column, is_shown or before_is_shown) * (room - len(closing))
            before_is_shown, after_last = is_shown, is_last
            if not self.color:
                pieces += closing, joints, before, glyph
                continue
            parts = ((closing, "black"), (joints, "line"), (before, "black"), (glyph, ink))
            pieces += [f"{_INK[ink]}{part}" for part, ink in parts if part]
        end = ")" if after_last else self.joint(self.columns[-1] + 1, before_is_shown)
        line = "".join(pieces)
        if not self.color:
            return line + end
        return f"{_WOOD}{line}{_INK['black' if after_last else 'line']}{end}{_RESET}"

    def joint(self, column: int, is_visible: bool) -> str:
        """The character between a point and the one on its left.

        It is a line if either is visible, because the board continues outside the visible
        part.
        """
        is_line = is_visible and self.is_go and 0 < column < self.position.columns
        return self.symbols.line if is_line else " "

    def point(self, point: Point) -> tuple[str, str, str]:
        """The text before a point, the glyph at it, and the color of the glyph."""
        position, symbols = self.position, self.symbols
        marks = [symbols.marks[ident] for ident, at in position.marks.items() if point in at]
        if label := position.labels.get(point):
            marks.insert(0, label if _fits(label) else symbols.elsewhere)
        stone = position.stones.get(point)
        if stone is not None:
            before = marks[0] if marks else ""
            if not self.color:
                return before, symbols.black if stone is Color.BLACK else symbols.white, "line"
            # On a colored board the filled shape is used for both colors.
            return before, symbols.black, "black" if stone is Color.BLACK else "white"
        if marks:
            return "", marks[0], "black"
        if point in position.blocked:
            return "", symbols.blocked, "black"
        if point in position.dimmed:
            return "", symbols.dimmed, "line"
        return "", symbols.star if point in self.stars else self.crossing(point), "line"

    def crossing(self, point: Point) -> str:
        if not self.is_go:
            return self.symbols.cell
        column, row = point
        columns, rows = self.position.columns, self.position.rows
        has_above, has_below, has_left, has_right = (
            row > 0,
            row < rows - 1,
            column > 0,
            column < columns - 1,
        )
        return self.symbols.crossings[has_above + 2 * has_below + 4 * has_left + 8 * has_right]


def _fits(label: str) -> bool:
    return 1 <= cell_len(label) <= _LONGEST_LABEL and label.isprintable() and not label.isspace()


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
    """The legend for :func:`text`: a line for its marks, and lines for long labels, lines and
    arrows, by coordinates."""
    kinds = [
        f"{symbols.marks[ident]} {_WORDS[ident][language]}"
        for ident in symbols.marks
        if any(map(position.shows, position.marks.get(ident, ())))
    ]
    if any(map(position.shows, position.dimmed)):
        kinds.append(f"{symbols.dimmed} {_WORDS['dimmed'][language]}")
    lines = ["   ".join(kinds)] if kinds else []
    labels = [
        f"{_name(position, point)} {shorten(label)}"
        for point, label in sorted(position.labels.items(), key=lambda item: item[0][::-1])
        if label and not _fits(label) and position.shows(point)
    ]
    if labels:
        lines.append(f"{symbols.elsewhere} {_WORDS['labels'][language]}: {', '.join(labels)}")
    kinds_of_lines = (("lines", position.lines, "-"), ("arrows", position.arrows, symbols.arrow))
    for word, pairs, separator in kinds_of_lines:
        shown = [
            f"{_name(position, start)}{separator}{_name(position, end)}"
            for start, end in pairs
            if position.shows(start) and position.shows(end)
        ]
        if shown:
            lines.append(f"{_WORDS[word][language]}: {', '.join(shown)}")
    return lines


def _name(position: Position, point: Point) -> str:
    return "".join(position.coordinates(point))
