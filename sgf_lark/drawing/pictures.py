"""Boards as SVG: one, and several on a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from math import ceil, hypot, sqrt
from pathlib import Path
from typing import NamedTuple, get_args
from xml.sax.saxutils import escape

from rich.cells import cell_len

from sgf_lark import grammar
from sgf_lark.diagnostics import Language, Words
from sgf_lark.drawing.positions import COLOR_NAMES, MARKS, TERRITORY, Position
from sgf_lark.model.context import GO, HEX
from sgf_lark.model.new_games import star_points
from sgf_lark.model.pictures import Theme
from sgf_lark.model.values import Color, Point
from sgf_lark.text.escaping import is_visible

#: "auto" follows the color scheme of the reader's system; ``themes.toml`` describes the others.
THEMES = get_args(Theme)

#: Classes of shapes with their attributes.
_Style = Mapping[str, Mapping[str, str]]

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans CJK SC', sans-serif"
_STONE_NAMES = {Color.BLACK: "black", Color.WHITE: "white", None: "empty"}

#: The corners of marks around the point; MA is a cross, CR a circle.
_SHAPES = {
    "SQ": ((-5.4, -5.4), (5.4, -5.4), (5.4, 5.4), (-5.4, 5.4)),
    "TR": ((0, -7.4), (6.4, 3.7), (-6.4, 3.7)),
    "SL": ((0, -6.5), (6.5, 0), (0, 6.5), (-6.5, 0)),
}

#: Longer labels are cut; a tooltip shows the whole label.
_LONGEST_LABEL = 5
_LABEL_SIZES = {1: 15, 2: 13, 3: 10, 4: 8}
_SMALLEST_LABEL = 7


@cache
def _themes() -> dict[str, _Style]:
    """The style of each class of shapes in each theme."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("themes.toml").read_text("utf-8"))


def _style(theme: Theme) -> _Style:
    return _themes()["light" if theme == "auto" else theme]


def svg(
    position: Position,
    *,
    coordinates: bool = True,
    theme: Theme = "light",
    clickable: bool = False,
    language: Language = "en",
) -> str:
    """Draw the board as a self-contained SVG document.

    Every shape has a class (``sgf-black``, ``sgf-grid`` …) and its style as attributes, so
    that a page with the picture can override it. With `clickable`, each visible point has an
    area of class ``sgf-point`` above everything else, with the point as SGF writes it in
    ``data-point``. `language` is that of the title. Raises ValueError for an unknown theme.
    """
    if theme not in THEMES:
        raise ValueError(f"unknown theme: {theme!r}; one of {', '.join(THEMES)}")
    return _Picture(position, theme, language).document(coordinates, clickable)


class _Picture:
    """Draws an SVG document layer by layer."""

    def __init__(self, position: Position, theme: Theme, language: Language) -> None:
        self.position = position
        self.theme = theme
        self.style = _style(theme)
        self.language = language
        self.layout = layout(position)
        self.parts: list[str] = []

    def document(self, coordinates: bool, clickable: bool) -> str:
        root = self.frame(coordinates, clickable)
        self.parts.append(_board(self.layout, self.theme, coordinates))
        self.territory(on_stones=False)
        self.path("sgf-star", "".join(map(self.layout.outline, self.shown(self.position.blocked))))
        self.stones()
        self.territory(on_stones=True)
        self.marks()
        self.labels()
        self.last_move()
        self.lines_and_arrows()
        self.dimmed()
        if clickable:
            self.areas()
        return _element("svg", root, "".join(self.parts))

    def group(self, name: str, shapes: Iterable[str], **more: str) -> None:
        self.parts.append(_group(name, self.style, shapes, **more))

    def path(self, name: str, data: str, **more: str) -> None:
        self.parts.append(_path(name, self.style, data, **more))

    # Layers, from the bottom to the top

    def frame(self, coordinates: bool, clickable: bool) -> dict[str, str]:
        """Draw the title and the surface; return the attributes of the document."""
        box = self.layout.box()
        # Coordinates are outside the cells; hexagons need a little more room for them.
        margin = (CELL * 0.85 if isinstance(self.layout, GoLayout) else CELL) if coordinates else 4
        box = Box(box.left - margin, box.top - margin, box.right + margin, box.bottom + margin)
        width, height = number(box.width), number(box.height)
        title = _title(self.position, self.language)
        root = {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "sgf-board",
            "width": width,
            "height": height,
            "viewBox": f"{number(box.left)} {number(box.top)} {width} {height}",
            # Assistive programs see the parts of a group, but not those of an image.
            "role": "group" if clickable else "img",
            "aria-label": title,
            "font-family": FONT,
        }
        self.parts.append(_element("title", {}, escape(title)))
        if self.theme == "auto":
            self.parts.append(_element("style", {}, escape(_dark_style())))
        place = {"x": number(box.left), "y": number(box.top), "width": width, "height": height}
        surface = {"class": "sgf-surface", "rx": "3", **place, **self.style["sgf-surface"]}
        self.parts.append(_element("rect", surface))
        return root

    def stones(self) -> None:
        stones, radius = self.position.stones, self.layout.radius
        points = self.shown(stones)
        for color, name in ((Color.BLACK, "sgf-black"), (Color.WHITE, "sgf-white")):
            circles = [self.circle(point, radius) for point in points if stones[point] is color]
            self.group(name, circles, **_width(0.8))

    def territory(self, *, on_stones: bool) -> None:
        for ident, name in zip(TERRITORY, ("sgf-black", "sgf-white"), strict=True):
            points = [
                point
                for point in self.shown(self.position.marks.get(ident, ()))
                if (point in self.position.stones) is on_stones
            ]
            squares = "".join(_square(self.layout.center(point), 4.2) for point in points)
            self.path(name, squares, **_width(0.6))

    def marks(self) -> None:
        for kind in _STONE_NAMES.values():
            name = f"sgf-on-{kind}"
            marks = [
                self.mark(ident, point, self.style[name]["stroke"])
                for ident in MARKS
                for point in self.shown(self.position.marks.get(ident, ()))
                if self.stone_name(point) == kind
            ]
            self.group(name, marks, **_width(2), **{"stroke-linejoin": "round"})

    def mark(self, ident: str, point: Point, color: str) -> str:
        center = self.layout.center(point)
        if ident == "CR":
            return self.circle(point, 5.8, mark="CR")
        outline = [Place(center.x + x, center.y + y) for x, y in _SHAPES.get(ident, ())]
        data = f"M{Place(center.x - 5, center.y - 5)}l10 10m0 -10l-10 10"
        if outline:
            data = polygon(outline)
        style = {"fill": color} if ident == "SL" else {}
        return _element("path", {"data-mark": ident, "d": data, **style})

    def labels(self) -> None:
        for kind in _STONE_NAMES.values():
            points = [p for p in self.shown(self.position.labels) if self.stone_name(p) == kind]
            if kind == "empty":
                self.group("sgf-surface", [self.circle(point, 9.5) for point in points])
            labels = [self.label(point, self.position.labels[point]) for point in points]
            style = {"text-anchor": "middle", "font-weight": "600"}
            self.group(f"sgf-label-on-{kind}", labels, **style)

    def label(self, point: Point, text: str) -> str:
        shown = text if cell_len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
        size = _LABEL_SIZES.get(max(cell_len(shown), 1), _SMALLEST_LABEL)
        title = "" if shown == text else _element("title", {}, escape(as_xml(text)))
        more = {"font-size": str(size)}
        return _text(self.layout.center(point), shown, size, more, title)

    def last_move(self) -> None:
        point = self.position.last_move
        if point is None or not self.position.shows(point) or point in self.position.labels:
            return
        if any(point in marked for marked in self.position.marks.values()):
            return
        self.group(f"sgf-last-on-{self.stone_name(point)}", [self.circle(point, 4)])

    def lines_and_arrows(self) -> None:
        """Lines and arrows, on a paler line that sets them off from the stones."""
        lines = [(*pair, False) for pair in self.position.lines]
        arrows = [(*pair, True) for pair in self.position.arrows]
        for start, end, pointed in lines + arrows:
            if not (self.position.shows(start) and self.position.shows(end)):
                continue
            first, last = self.layout.center(start), self.layout.center(end)
            length = hypot(last.x - first.x, last.y - first.y)
            dx, dy = (last.x - first.x) / length, (last.y - first.y) / length
            neck = Place(last.x - 9 * dx, last.y - 9 * dy) if pointed else last
            data = f"M{first}L{neck}"
            self.path("sgf-casing", data, **_width(5.5), **{"stroke-linecap": "round"})
            name = "sgf-arrow" if pointed else "sgf-line"
            style = self.style["sgf-line"]
            self.path(name, data, **{**style, **_width(2.6), "stroke-linecap": "round"})
            if pointed:
                wings = [Place(neck.x + s * 5 * dy, neck.y - s * 5 * dx) for s in (1, -1)]
                self.path("sgf-arrow-head", polygon([last, *wings]))

    def dimmed(self) -> None:
        self.path("sgf-dimmed", "".join(map(self.layout.outline, self.shown(self.position.dimmed))))

    def areas(self) -> None:
        areas = []
        for point in self.position.points():
            named = {"class": "sgf-point", "data-point": self.position.notation(point)}
            areas.append(_element("path", {**named, "d": self.layout.outline(point)}))
        self.group("sgf-points", areas, fill="none", **{"pointer-events": "all"})

    # Parts of layers

    def shown(self, points: Iterable[Point]) -> list[Point]:
        """The visible ones of these points, sorted."""
        return sorted(point for point in points if self.position.shows(point))

    def stone_name(self, point: Point) -> str:
        return _STONE_NAMES[self.position.stones.get(point)]

    def circle(self, point: Point, radius: float, mark: str = "") -> str:
        return _circle(self.layout.center(point), radius, mark)


@lru_cache(maxsize=16)
def _board(layout: Layout, theme: Theme, coordinates: bool) -> str:
    """The empty board."""
    style = _style(theme)
    parts: list[str] = []
    if isinstance(layout, HexLayout):
        for color, sides in zip(("black", "white"), layout.sides(), strict=True):
            line = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
            edge = style[f"sgf-{color}"]
            outer, inner = ({**line, "stroke": edge[part]} for part in ("stroke", "fill"))
            parts.append(_path("sgf-side", style, sides, **outer, **_width(8)))
            parts.append(_path(f"sgf-side-{color}", style, sides, **inner, **_width(6)))
        cells = style["sgf-surface"]["fill"]
        parts.append(_path("sgf-cells", style, layout.grid(), fill=cells))
    parts.append(_path("sgf-grid", style, layout.grid(), **_width(1)))
    if isinstance(layout, GoLayout):
        stars = [_circle(layout.center(point), 2.9) for point in layout.stars()]
        parts.append(_group("sgf-star", style, stars))
    if coordinates:
        texts = [_text(place, text, 11) for place, text in layout.coordinates()]
        font = {"text-anchor": "middle", "font-size": "11"}
        parts.append(_group("sgf-coordinates", style, texts, **font))
    return "".join(parts)


def _group(name: str, style: _Style, shapes: Iterable[str], **more: str) -> str:
    """Shapes of that class, with its style."""
    return _element("g", {"class": name, **style.get(name, {}), **more}, "".join(shapes))


def _path(name: str, style: _Style, data: str, **more: str) -> str:
    """A path of that class, with its style; nothing if it is empty."""
    attributes = {"class": name, "d": data, **style.get(name, {}), **more}
    return _element("path", attributes) if data else ""


@lru_cache(maxsize=4096)
def _circle(center: Place, radius: float, mark: str = "") -> str:
    place = {"cx": number(center.x), "cy": number(center.y), "r": number(radius)}
    return _element("circle", {"data-mark": mark, **place} if mark else place)


def _text(
    place: Place, text: str, size: float, more: Mapping[str, str] | None = None, content: str = ""
) -> str:
    """A text with its middle at `place`; not every program supports baselines."""
    at = {"x": number(place.x), "y": number(place.y + 0.36 * size), **(more or {})}
    return _element("text", at, escape(as_xml(text)) + content)


def _element(tag: str, attributes: Mapping[str, str], content: str = "") -> str:
    """An element with that content, which is escaped where it is text."""
    written = "".join([f' {name}="{escape(value, _QUOTE)}"' for name, value in attributes.items()])
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written} />"


_QUOTE = {'"': "&quot;"}


def _width(value: float) -> dict[str, str]:
    return {"stroke-width": number(value)}


def _square(center: Place, half: float) -> str:
    size = number(2 * half)
    return f"M{Place(center.x - half, center.y - half)}h{size}v{size}h-{size}z"


def as_xml(text: str) -> str:
    """`text` without characters that XML does not allow or that nobody sees."""
    return "".join(
        character if is_visible(character) else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def _dark_style() -> str:
    """A style sheet with the dark theme for systems with a dark color scheme."""
    rules = "".join(
        f".sgf-board .{name}{{{';'.join(f'{key}:{value}' for key, value in style.items())}}}"
        for name, style in _themes()["dark"].items()
    )
    return f"@media (prefers-color-scheme: dark){{{rules}}}"


_TITLE = Words(
    "{game} board, {position.columns} by {position.rows}, move {position.move_number}, "
    "{mover} to move",
    "{game}棋盘 {position.columns}×{position.rows}，第 {position.move_number} 手，轮到{mover}方",
)


def _title(position: Position, language: Language) -> str:
    game = grammar.game(position.game)
    return _TITLE.in_language(language).format(
        game=game.name_zh if language == "zh" else game.name,
        position=position,
        mover=COLOR_NAMES[position.to_move].in_language(language),
    )


# --- Where points are -----------------------------------------------------------------


#: The distance between adjacent points.
CELL = 24.0
_HALF = CELL / 2
#: The distance from the cells of a Go board to the middle of its coordinates.
_OUTSIDE = CELL * 0.4


class Place(NamedTuple):
    """A point of the drawing: `x` to the right, `y` downwards."""

    x: float
    y: float

    def __str__(self) -> str:
        """The point in a path of SVG."""
        return f"{number(self.x)} {number(self.y)}"


class Box(NamedTuple):
    """A rectangle of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The distance of its left and right sides."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The distance of its upper and lower sides."""
        return self.bottom - self.top


def number(value: float) -> str:
    """`value` with at most two decimals."""
    return f"{round(value, 2):g}"


def polygon(places: list[Place]) -> str:
    """A closed path through these places."""
    return "M" + "L".join(map(str, places)) + "z"


class GoLayout:
    """The layout of a Go board, or of the visible part of it: a grid of lines."""

    #: The radius of a stone.
    radius = CELL * 0.47

    def __init__(self, position: Position) -> None:
        """Lay out the board of a position."""
        self.position = position
        self._shown = set(position.points())
        columns = [point.column for point in self._shown]
        rows = [point.row for point in self._shown]
        self._columns = range(min(columns), max(columns) + 1)
        self._rows = range(min(rows), max(rows) + 1)

    def center(self, point: Point) -> Place:
        """The center of a point of the board."""
        return Place(point.column * CELL, point.row * CELL)

    def box(self) -> Box:
        """The rectangle around the visible cells, without coordinates."""
        xs, ys = zip(*map(self.center, self._shown), strict=True)
        return Box(min(xs) - _HALF, min(ys) - _HALF, max(xs) + _HALF, max(ys) + _HALF)

    def outline(self, point: Point) -> str:
        """The path around the cell of a point."""
        x, y = self.center(point)
        return f"M{number(x - _HALF)} {number(y - _HALF)}h{CELL:g}v{CELL:g}h{-CELL:g}z"

    def grid(self) -> str:
        """The path of the lines, which extend to the edge of the visible part."""
        lines = []
        for row in self._rows:
            shown = [column for column in self._columns if (column, row) in self._shown]
            y = number(self.center(Point(0, row)).y)
            for first, last in _runs(shown):
                left = self.center(Point(first, row)).x - _HALF * (first > 0)
                right = self.center(Point(last, row)).x
                right += _HALF * (last < self.position.columns - 1)
                lines.append(f"M{number(left)} {y}H{number(right)}")
        for column in self._columns:
            shown = [row for row in self._rows if (column, row) in self._shown]
            x = number(self.center(Point(column, 0)).x)
            for first, last in _runs(shown):
                top = self.center(Point(column, first)).y - _HALF * (first > 0)
                bottom = self.center(Point(column, last)).y
                bottom += _HALF * (last < self.position.rows - 1)
                lines.append(f"M{x} {number(top)}V{number(bottom)}")
        return "".join(lines)

    def stars(self) -> Iterator[Point]:
        """The visible star points."""
        columns, rows = self.position.columns, self.position.rows
        for point in star_points(columns, rows):
            if point in self._shown:
                yield point

    def coordinates(self) -> Iterator[tuple[Place, str]]:
        """The center and the text of each coordinate."""
        left, top, right, bottom = self.box()
        for column in self._columns:
            point = Point(column, 0)
            text, x = self.position.coordinates(point)[0], self.center(point).x
            yield from ((Place(x, y), text) for y in (top - _OUTSIDE, bottom + _OUTSIDE))
        for row in self._rows:
            point = Point(0, row)
            text, y = self.position.coordinates(point)[1], self.center(point).y
            yield from ((Place(x, y), text) for x in (left - _OUTSIDE, right + _OUTSIDE))


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of each run of consecutive numbers."""
    for _, run in groupby(enumerate(numbers), lambda item: item[1] - item[0]):
        values = [value for _, value in run]
        yield values[0], values[-1]


class SquareLayout(GoLayout):
    """The layout of a board whose pieces are on squares, such as that of Amazons."""

    def center(self, point: Point) -> Place:
        """The center of a square of the board."""
        row = self.position.rows - 1 - point.row if self.position.is_upward else point.row
        return Place(point.column * CELL, row * CELL)

    def grid(self) -> str:
        """The path around all squares."""
        return "".join(map(self.outline, sorted(self._shown)))

    def stars(self) -> Iterator[Point]:
        """No points are marked."""
        return iter(())


class HexLayout:
    """The layout of a Hex board: hexagons, each row half a cell to the right of the one above."""

    #: The radius of a stone.
    radius = CELL * 0.43
    _pitch = CELL * sqrt(3) / 2
    #: The corners of a cell, clockwise from the uppermost.
    _corners = tuple(
        Place(x * CELL / 2, y * CELL / sqrt(3) / 2)
        for x, y in ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
    )

    def __init__(self, position: Position) -> None:
        """Lay out the board of a position."""
        self.position = position
        self._shown = list(position.points())

    def center(self, point: Point) -> Place:
        """The center of a point of the board."""
        return Place((point.column + point.row / 2) * CELL, point.row * self._pitch)

    def _corner(self, point: Point, index: int) -> Place:
        x, y = self.center(point)
        return Place(x + self._corners[index].x, y + self._corners[index].y)

    def box(self) -> Box:
        """The rectangle around the visible cells, without coordinates."""
        xs, ys = zip(*(self._corner(p, i) for p in self._shown for i in range(6)), strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))

    def outline(self, point: Point) -> str:
        """The path around the cell of a point."""
        return polygon([self._corner(point, index) for index in range(6)])

    def grid(self) -> str:
        """The path of all cells."""
        return "".join(map(self.outline, self._shown))

    def sides(self) -> tuple[str, str]:
        """The paths of the sides that Black has to connect, above and below, and of White's.

        They are empty if only a part of the board is visible.
        """
        if self.position.visible is not None:
            return "", ""
        columns, rows = range(self.position.columns), range(self.position.rows)
        above = [self._corner(Point(column, 0), at) for column in columns for at in (5, 0, 1)]
        below = [
            self._corner(Point(column, rows[-1]), at) for column in columns for at in (4, 3, 2)
        ]
        left = [self._corner(Point(0, row), at) for row in rows for at in (5, 4)]
        right = [self._corner(Point(columns[-1], row), at) for row in rows for at in (1, 2)]
        black, white = (
            "".join("M" + "L".join(map(str, side)) for side in pair)
            for pair in ((above, below), (left, right))
        )
        return black, white

    def coordinates(self) -> Iterator[tuple[Place, str]]:
        """The center and the text of each coordinate."""
        shown = self._shown
        for column in sorted({point.column for point in shown}):
            rows = [point.row for point in shown if point.column == column]
            text = self.position.coordinates(Point(column, 0))[0]
            for row in (min(rows) - 1, max(rows) + 1):
                yield self.center(Point(column, row)), text
        for row in sorted({point.row for point in shown}):
            columns = [point.column for point in shown if point.row == row]
            text = self.position.coordinates(Point(0, row))[1]
            for column in (min(columns) - 1, max(columns) + 1):
                yield self.center(Point(column, row)), text


Layout = GoLayout | HexLayout


def layout(position: Position) -> Layout:
    """The layout for the game of a position."""
    return _layout(position.game, position.columns, position.rows, position.visible)


@lru_cache(maxsize=16)
def _layout(game: int, columns: int, rows: int, visible: frozenset[Point] | None) -> Layout:
    """The layout of a board, or of its visible part; animations have hundreds of it."""
    position = Position(game, columns, rows, visible=visible)
    if game == HEX:
        return HexLayout(position)
    return GoLayout(position) if game == GO else SquareLayout(position)


# --- Sheets ---------------------------------------------------------------------------


_GAP = 16.0
_CAPTION_LINE = 20.0
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
    sizes = [_size_of(picture.svg) for picture in pictures]
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
            start = f'<svg x="{number(inset)}" y="{number(top)}"'
            parts.append(pictures[index].svg.replace("<svg", start, 1))
            for at, line in enumerate(lines[index]):
                place = {
                    "x": number(left + width / 2),
                    "y": number(top + height + (at + 0.8) * _CAPTION_LINE),
                }
                style = {"text-anchor": "middle", "fill": _INKS[theme]}
                caption = {"class": "sgf-caption", **place, **style}
                parts.append(_element("text", caption, escape(as_xml(line))))
        top += height + max(len(lines[index]) for index in row) * _CAPTION_LINE + _GAP
    size = {"width": number(columns * (width + _GAP) + _GAP), "height": number(top)}
    root = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "sgf-sheet",
        **size,
        "viewBox": f"0 0 {size['width']} {size['height']}",
        "font-family": FONT,
        "font-size": str(_FONT_SIZE),
    }
    paper = _element("rect", {**size, "fill": _PAPERS[theme]})
    return _element("svg", root, paper + "".join(parts))


def _size_of(svg: str) -> tuple[float, float]:
    found = SIZE.search(svg)
    assert found is not None
    return float(found["width"]), float(found["height"])


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
