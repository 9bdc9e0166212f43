"""Draws boards as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import Literal, get_args
from xml.etree.ElementTree import Element, SubElement, tostring

from rich.cells import cell_len

from sgf_lark import grammar
from sgf_lark.diagnostics import Language
from sgf_lark.drawing.layouts import CELL, Box, GoLayout, HexLayout, Place, layout, number, polygon
from sgf_lark.drawing.positions import MARKS, TERRITORY, Position
from sgf_lark.model.values import Color, Point
from sgf_lark.model.values.basic import decimal_digits
from sgf_lark.text.escaping import is_visible

#: "book" is black on white; "auto" follows the color scheme of the reader's system.
Theme = Literal["light", "dark", "book", "auto"]
THEMES = get_args(Theme)

#: The style of each class of shapes, as attributes, which any style sheet overrides.
_STYLES: dict[str, dict[str, dict[str, str]]] = {
    "light": {
        "sgf-surface": {"fill": "#e2b769"},
        "sgf-grid": {"stroke": "#4d3717", "fill": "none", "stroke-linecap": "square"},
        "sgf-star": {"fill": "#4d3717"},
        "sgf-coordinates": {"fill": "#4d3717"},
        "sgf-black": {"fill": "#16181b", "stroke": "#000"},
        "sgf-white": {"fill": "#fbfaf6", "stroke": "#5c5240"},
        "sgf-on-black": {"stroke": "#fff", "fill": "none"},
        "sgf-on-white": {"stroke": "#000", "fill": "none"},
        "sgf-on-empty": {"stroke": "#1b1204", "fill": "#e2b769"},
        "sgf-label-on-black": {"fill": "#fff"},
        "sgf-label-on-white": {"fill": "#000"},
        "sgf-label-on-empty": {"fill": "#1b1204"},
        "sgf-last-on-black": {"fill": "#ff6f5c"},
        "sgf-last-on-white": {"fill": "#d3301b"},
        "sgf-casing": {"stroke": "#fff", "fill": "none", "opacity": "0.75"},
        "sgf-line": {"stroke": "#0b57b7", "fill": "none"},
        "sgf-arrow-head": {"fill": "#0b57b7"},
        "sgf-dimmed": {"fill": "#e2b769", "opacity": "0.6"},
    },
    "dark": {
        "sgf-surface": {"fill": "#5a4630"},
        "sgf-grid": {"stroke": "#b59a70", "fill": "none", "stroke-linecap": "square"},
        "sgf-star": {"fill": "#b59a70"},
        "sgf-coordinates": {"fill": "#d8c3a0"},
        "sgf-black": {"fill": "#0c0d0f", "stroke": "#000"},
        "sgf-white": {"fill": "#dedbd3", "stroke": "#2a2118"},
        "sgf-on-black": {"stroke": "#f4f1ea", "fill": "none"},
        "sgf-on-white": {"stroke": "#000", "fill": "none"},
        "sgf-on-empty": {"stroke": "#fff3dc", "fill": "#5a4630"},
        "sgf-label-on-black": {"fill": "#f4f1ea"},
        "sgf-label-on-white": {"fill": "#000"},
        "sgf-label-on-empty": {"fill": "#fff3dc"},
        "sgf-last-on-black": {"fill": "#ff7f6b"},
        "sgf-last-on-white": {"fill": "#c42a16"},
        "sgf-casing": {"stroke": "#15100a", "fill": "none", "opacity": "0.6"},
        "sgf-line": {"stroke": "#79b8ff", "fill": "none"},
        "sgf-arrow-head": {"fill": "#79b8ff"},
        "sgf-dimmed": {"fill": "#5a4630", "opacity": "0.65"},
    },
    "book": {
        "sgf-surface": {"fill": "#fff"},
        "sgf-grid": {"stroke": "#000", "fill": "none", "stroke-linecap": "square"},
        "sgf-star": {"fill": "#000"},
        "sgf-coordinates": {"fill": "#000"},
        "sgf-black": {"fill": "#000", "stroke": "#000"},
        "sgf-white": {"fill": "#fff", "stroke": "#000"},
        "sgf-on-black": {"stroke": "#fff", "fill": "none"},
        "sgf-on-white": {"stroke": "#000", "fill": "none"},
        "sgf-on-empty": {"stroke": "#000", "fill": "#fff"},
        "sgf-label-on-black": {"fill": "#fff"},
        "sgf-label-on-white": {"fill": "#000"},
        "sgf-label-on-empty": {"fill": "#000"},
        "sgf-last-on-black": {"fill": "#fff"},
        "sgf-last-on-white": {"fill": "#000"},
        "sgf-casing": {"stroke": "#fff", "fill": "none", "opacity": "0.75"},
        "sgf-line": {"stroke": "#000", "fill": "none"},
        "sgf-arrow-head": {"fill": "#000"},
        "sgf-dimmed": {"fill": "#fff", "opacity": "0.6"},
    },
}

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
        self.style = _STYLES["light" if theme == "auto" else theme]
        self.language = language
        self.layout = layout(position)
        self.root = Element("svg")

    def document(self, coordinates: bool, clickable: bool) -> str:
        self.frame(coordinates, clickable)
        self.board(coordinates)
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
        return tostring(self.root, encoding="unicode")

    def group(self, name: str, **more: str) -> Element:
        return SubElement(self.root, "g", {"class": name, **self.style.get(name, {}), **more})

    def path(self, name: str, data: str, **more: str) -> None:
        if data:
            style = self.style.get(name, {})
            SubElement(self.root, "path", {"class": name, "d": data, **style, **more})

    # Layers, from the bottom to the top

    def frame(self, coordinates: bool, clickable: bool) -> None:
        box = self.layout.box()
        # Coordinates are outside the cells; hexagons need a little more room for them.
        margin = (CELL * 0.85 if isinstance(self.layout, GoLayout) else CELL) if coordinates else 4
        box = Box(box.left - margin, box.top - margin, box.right + margin, box.bottom + margin)
        width, height = number(box.right - box.left), number(box.bottom - box.top)
        title = _title(self.position, self.language)
        self.root.attrib |= {
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
        SubElement(self.root, "title").text = title
        if self.theme == "auto":
            SubElement(self.root, "style").text = _dark_style()
        place = {"x": number(box.left), "y": number(box.top), "width": width, "height": height}
        surface = {"class": "sgf-surface", "rx": "3", **place, **self.style["sgf-surface"]}
        SubElement(self.root, "rect", surface)

    def board(self, coordinates: bool) -> None:
        if isinstance(self.layout, HexLayout):
            for color, sides in zip(("black", "white"), self.layout.sides(), strict=True):
                style = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
                edge = self.style[f"sgf-{color}"]
                self.path("sgf-side", sides, **style, stroke=edge["stroke"], **_width(8))
                self.path(f"sgf-side-{color}", sides, **style, stroke=edge["fill"], **_width(6))
            self.path("sgf-cells", self.layout.grid(), fill=self.style["sgf-surface"]["fill"])
        self.path("sgf-grid", self.layout.grid(), **_width(1))
        if isinstance(self.layout, GoLayout):
            stars = self.group("sgf-star")
            for point in self.layout.stars():
                self.circle(stars, point, 2.9)
        if coordinates:
            group = self.group("sgf-coordinates", **{"text-anchor": "middle", "font-size": "11"})
            for place, text in self.layout.coordinates():
                self.text(group, place, text, 11)

    def stones(self) -> None:
        for color, name in ((Color.BLACK, "sgf-black"), (Color.WHITE, "sgf-white")):
            group = self.group(name, **_width(0.8))
            for point in self.shown(self.position.stones):
                if self.position.stones[point] is color:
                    self.circle(group, point, self.layout.radius)

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
            group = self.group(f"sgf-on-{kind}", **_width(2), **{"stroke-linejoin": "round"})
            for ident in MARKS:
                for point in self.shown(self.position.marks.get(ident, ())):
                    if self.stone_name(point) == kind:
                        self.mark(group, ident, point)

    def mark(self, group: Element, ident: str, point: Point) -> None:
        center = self.layout.center(point)
        if ident == "CR":
            self.circle(group, point, 5.8, mark="CR")
            return
        outline = [Place(center.x + x, center.y + y) for x, y in _SHAPES.get(ident, ())]
        data = f"M{Place(center.x - 5, center.y - 5)}l10 10m0 -10l-10 10"
        if outline:
            data = polygon(outline)
        style = {"fill": group.attrib["stroke"]} if ident == "SL" else {}
        SubElement(group, "path", {"data-mark": ident, "d": data, **style})

    def labels(self) -> None:
        for kind in _STONE_NAMES.values():
            points = [p for p in self.shown(self.position.labels) if self.stone_name(p) == kind]
            if kind == "empty":
                halo = self.group("sgf-surface")
                for point in points:
                    self.circle(halo, point, 9.5)
            style = {"text-anchor": "middle", "font-weight": "600"}
            group = self.group(f"sgf-label-on-{kind}", **style)
            for point in points:
                self.label(group, point, self.position.labels[point])

    def label(self, group: Element, point: Point, text: str) -> None:
        shown = text if cell_len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
        size = _LABEL_SIZES.get(max(cell_len(shown), 1), _SMALLEST_LABEL)
        element = self.text(group, self.layout.center(point), shown, size)
        element.attrib["font-size"] = str(size)
        if shown != text:
            SubElement(element, "title").text = as_xml(text)

    def last_move(self) -> None:
        point = self.position.last_move
        if point is None or not self.position.shows(point) or point in self.position.labels:
            return
        if any(point in marked for marked in self.position.marks.values()):
            return
        self.circle(self.group(f"sgf-last-on-{self.stone_name(point)}"), point, 4)

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
        group = self.group("sgf-points", fill="none", **{"pointer-events": "all"})
        for point in self.position.points():
            named = {"class": "sgf-point", "data-point": self.position.notation(point)}
            SubElement(group, "path", {**named, "d": self.layout.outline(point)})

    # Parts of layers

    def shown(self, points: Iterable[Point]) -> list[Point]:
        """The visible ones of these points, sorted."""
        return sorted(point for point in points if self.position.shows(point))

    def stone_name(self, point: Point) -> str:
        return _STONE_NAMES[self.position.stones.get(point)]

    def circle(self, group: Element, point: Point, radius: float, mark: str = "") -> None:
        x, y = self.layout.center(point)
        place = {"cx": number(x), "cy": number(y), "r": number(radius)}
        SubElement(group, "circle", {"data-mark": mark, **place} if mark else place)

    def text(self, group: Element, place: Place, text: str, size: float) -> Element:
        """Draw `text` with its middle at `place`; not every program supports baselines."""
        at = {"x": number(place.x), "y": number(place.y + 0.36 * size)}
        element = SubElement(group, "text", at)
        element.text = as_xml(text)
        return element


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
        for name, style in _STYLES["dark"].items()
    )
    return f"@media (prefers-color-scheme: dark){{{rules}}}"


def _title(position: Position, language: Language) -> str:
    if language == "zh":
        game = grammar.game(position.game).name_zh
        mover = {Color.BLACK: "黑", Color.WHITE: "白"}[position.to_move]
        board = f"{game}棋盘 {position.columns}×{position.rows}"
        return f"{board}，第 {decimal_digits(position.move_number)} 手，轮到{mover}方"
    game = grammar.game(position.game).name
    mover = {Color.BLACK: "Black", Color.WHITE: "White"}[position.to_move]
    board = f"{game} board, {position.columns} by {position.rows}"
    return f"{board}, move {decimal_digits(position.move_number)}, {mover} to move"
