"""The shapes of a picture in SVG, so that an animation renders each of them once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

_SVG = "{http://www.w3.org/2000/svg}"
#: Elements that are drawn, each independently of the others.
_DRAWN = {
    f"{_SVG}{name}"
    for name in ("circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "text")
}
#: How far a circle reaches beyond its radius, by its outline.
_OUTLINE = 2.0
#: How far a character reaches at most, in units of the size of its font.
_REACH = 1.5


class Area(NamedTuple):
    """A rectangle in a picture."""

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


class Shape(NamedTuple):
    """An element that is drawn, in its group if it has one, and the area that contains it; None
    where that is not known. Only circles and texts have a known place."""

    svg: str
    area: Area | None

    def part(self, attributes: Mapping[str, str], area: Area, width: int, height: int) -> str:
        """The picture of only that area, in a document with these attributes, stretched to that
        width and height."""
        place = {
            "viewBox": f"{area.left} {area.top} {area.width} {area.height}",
            "width": str(width),
            "height": str(height),
            "preserveAspectRatio": "none",
        }
        return _with_content(Element(f"{_SVG}svg", {**attributes, **place}), self.svg)


class Drawing:
    """The shapes of a picture, in the order in which they are drawn; a picture with elements that
    depend on each other is one shape."""

    def __init__(self, picture: str) -> None:
        """Read a picture; raises ValueError where it is not one, or has no ``viewBox``."""
        try:
            root = fromstring(picture)
            left, top, width, height = map(float, root.attrib["viewBox"].split())
        except (ParseError, KeyError, ValueError) as error:
            raise ValueError("a frame is not an SVG picture with a viewBox") from error
        self.box = Area(left, top, left + width, top + height)
        # The label is not drawn, and differs from frame to frame.
        root.attrib.pop("aria-label", None)
        self.attributes = root.attrib
        children = [child for child in root if child.tag != f"{_SVG}title"]
        elements = [
            (element, group)
            for child in children
            for element, group in (
                [(each, child.attrib) for each in child]
                if child.tag == f"{_SVG}g"
                else [(child, None)]
            )
        ]
        if all(element.tag in _DRAWN for element, _ in elements):
            self.shapes = [_shape(element, group) for element, group in elements]
        else:
            content = "".join(tostring(child, encoding="unicode") for child in children)
            self.shapes = [Shape(content, None)]


def _with_content(element: Element, content: str) -> str:
    """An element without children as it is written with that content."""
    empty = tostring(element, encoding="unicode", short_empty_elements=False)
    start, end = empty.split("><")
    return f"{start}>{content}<{end}"


def _shape(element: Element, of_group: Mapping[str, str] | None) -> Shape:
    """An element, in a group with these attributes if it is in one."""
    group = None if of_group is None else tuple(of_group.items())
    if not len(element):
        return _simple_shape(element.tag, tuple(element.items()), element.text or "", group)
    return Shape(_in_group(tostring(element, encoding="unicode"), group), None)


_Attributes = tuple[tuple[str, str], ...]


@lru_cache(maxsize=4096)
def _simple_shape(tag: str, attributes: _Attributes, text: str, group: _Attributes | None) -> Shape:
    """An element without children; most are the same in many frames."""
    element = Element(tag, dict(attributes))
    element.text = text
    svg = _in_group(tostring(element, encoding="unicode"), group)
    try:
        return Shape(svg, _area(tag, {**dict(group or ()), **element.attrib}, len(text)))
    except (KeyError, ValueError):  # a default, or a number with a unit
        return Shape(svg, None)


def _area(tag: str, attributes: Mapping[str, str], length: int) -> Area | None:
    """The area of an element with a text of that length; None where it is not known."""
    if "transform" in attributes or tag not in (f"{_SVG}circle", f"{_SVG}text"):
        return None
    if tag == f"{_SVG}circle":
        x, y, radius = (float(attributes[name]) for name in ("cx", "cy", "r"))
        width = height = radius + _OUTLINE
    else:
        x, y, size = (float(attributes[name]) for name in ("x", "y", "font-size"))
        width, height = _REACH * size * (1 + length), _REACH * size
    return Area(x - width, y - height, x + width, y + height)


def _in_group(svg: str, group: _Attributes | None) -> str:
    """An element as it is written, in a group with these attributes if there is one."""
    return svg if group is None else _with_content(Element(f"{_SVG}g", dict(group)), svg)
