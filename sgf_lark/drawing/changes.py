"""Where two pictures in SVG differ, so that an animation renders only that anew.

Only circles and texts in at most one group have a known place; a picture in which anything else
changes is rendered as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

_SVG = "{http://www.w3.org/2000/svg}"
#: More circles and texts than these are not rendered one by one.
_MOST_CHANGES = 40
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

    def meets(self, other: Area) -> bool:
        """Whether the areas share a point."""
        return (
            self.left <= other.right
            and other.left <= self.right
            and self.top <= other.bottom
            and other.top <= self.bottom
        )


class _Shape(NamedTuple):
    """An element that is drawn, in its group if it has one, and the area that contains it; None
    where that is not known."""

    svg: str
    area: Area | None


class Drawing:
    """The shapes of a picture, in the order in which they are drawn."""

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
        self._attributes = root.attrib
        self._shapes = [
            shape
            for child in root
            if child.tag != f"{_SVG}title"
            for shape in (_of_group(child) if child.tag == f"{_SVG}g" else [_shape(child)])
        ]

    def areas_that_differ(self, other: Drawing) -> list[Area] | None:
        """The areas outside of which both pictures are the same; None where that is not known."""
        if self._attributes != other._attributes:
            return None
        changed = {*self._shapes} ^ {*other._shapes}
        areas = [shape.area for shape in changed if shape.area is not None]
        is_known = len(areas) == len(changed) <= _MOST_CHANGES
        return areas if is_known else None

    def area_of_shapes(self, area: Area) -> Area:
        """The area with all shapes that meet it and have a known place."""
        met = [shape.area for shape in self._shapes if shape.area and shape.area.meets(area)]
        lefts, tops, rights, bottoms = zip(area, *met, strict=True)
        return Area(min(lefts), min(tops), max(rights), max(bottoms))

    def part(self, area: Area, width: int, height: int) -> str:
        """The picture of only this area, stretched to that width and height."""
        attributes = {
            **self._attributes,
            "viewBox": f"{area.left} {area.top} {area.width} {area.height}",
            "width": str(width),
            "height": str(height),
            "preserveAspectRatio": "none",
        }
        shapes = (shape for shape in self._shapes if shape.area is None or shape.area.meets(area))
        root = Element(f"{_SVG}svg", attributes)
        return _with_content(root, "".join(shape.svg for shape in shapes))


def _with_content(element: Element, content: str) -> str:
    """An element without children as it is written with that content."""
    empty = tostring(element, encoding="unicode", short_empty_elements=False)
    start, end = empty.split("><")
    return f"{start}>{content}<{end}"


def _of_group(group: Element) -> list[_Shape]:
    """The shapes of a group, each in a group of its own."""
    return [_shape(child, group.attrib) for child in group]


def _shape(element: Element, of_group: Mapping[str, str] | None = None) -> _Shape:
    """An element, in a group with these attributes if it is in one."""
    group = None if of_group is None else tuple(of_group.items())
    if not len(element):
        return _simple_shape(element.tag, tuple(element.items()), element.text or "", group)
    return _Shape(_in_group(tostring(element, encoding="unicode"), group), None)


_Attributes = tuple[tuple[str, str], ...]


@lru_cache(maxsize=4096)
def _simple_shape(
    tag: str, attributes: _Attributes, text: str, group: _Attributes | None
) -> _Shape:
    """An element without children; most are the same in many frames."""
    element = Element(tag, dict(attributes))
    element.text = text
    svg = _in_group(tostring(element, encoding="unicode"), group)
    try:
        return _Shape(svg, _area(tag, {**dict(group or ()), **element.attrib}, len(text)))
    except (KeyError, ValueError):  # a default, or a number with a unit
        return _Shape(svg, None)


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
