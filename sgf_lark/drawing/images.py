"""Pictures in pixels: PNG with resvg (extra "png"), animated GIF (extra "animation")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

from sgf_lark.drawing.pictures import Box

if TYPE_CHECKING:
    from PIL.Image import Image

#: The usual width, in pixels.
WIDTH = 800


def png(svg: str, *, width: int = WIDTH) -> bytes:
    """Render the picture `svg`, `width` pixels wide.

    Raises ImportError, which names the extra, if resvg_py is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise ImportError("PNG needs resvg_py: pip install 'sgf-lark[png]'") from error
    return bytes(svg_to_bytes(svg_string=svg, width=width))


# --- Animations -----------------------------------------------------------------------


#: The usual width, in pixels.
ANIMATION_WIDTH = 400
_COLORS = 96
#: How much longer than the others the last frame is shown.
_LAST = 3


def animation(
    pictures: Sequence[str],
    *,
    width: int = ANIMATION_WIDTH,
    seconds: float = 1.0,
) -> bytes:
    """Render SVG pictures of one size as the frames of an animated GIF, `width` pixels wide.

    Each frame is shown for that many seconds, the last one three times as long; then the animation
    starts again. Raises ImportError, which names the extra, if Pillow or resvg_py is not installed,
    and ValueError if there is no picture, or a picture without a ``viewBox``.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("animations need Pillow: pip install 'sgf-lark[animation]'") from error
    if not pictures:
        raise ValueError("there is no frame for the animation")
    # Browsers slow down frames of less than 20 milliseconds.
    duration = max(round(seconds * 1000), 20)
    durations = [duration] * (len(pictures) - 1) + [duration * _LAST]
    drawings = [Drawing(picture) for picture in pictures]
    # The last picture has all colors: both stones, the last move, and the markup. One byte for each
    # pixel keeps hundreds of frames in memory.
    canvas = _Canvas(drawings[-1], width)
    palette = canvas.drawn(drawings[-1], canvas.whole).quantize(_COLORS, dither=Image.Dither.NONE)
    first, *others = _frames(drawings, canvas, palette)
    result = BytesIO()
    first.save(
        result,
        "GIF",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
    )
    return result.getvalue()


def _frames(drawings: Iterable[Drawing], canvas: _Canvas, palette: Image) -> Iterator[Image]:
    """Draw each picture in the colors of `palette`; of most only what differs from the one
    before."""
    frame: Image | None = None
    shapes: set[Shape] = set()
    for drawing in drawings:
        if drawing.attributes != canvas.attributes:
            canvas, frame = _Canvas(drawing, canvas.whole.right), None
        before, shapes = shapes, {*drawing.shapes}
        if frame is None:
            frame = _in_colors(canvas.drawn(drawing, canvas.whole), palette)
        else:
            frame = frame.copy()
            for pixels in canvas.places(shapes ^ before):
                image = _in_colors(canvas.drawn(drawing, pixels), palette)
                frame.paste(image, (pixels.left, pixels.top))
        yield frame


class _Pixels(NamedTuple):
    """A rectangle of pixels; `right` and `bottom` are not in it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height; not above 0 if it is empty."""
        return self.right - self.left, self.bottom - self.top

    def within(self, other: _Pixels) -> _Pixels:
        """The same pixels, counted from the upper left one of the other rectangle."""
        x, y = other.left, other.top
        return _Pixels(self.left - x, self.top - y, self.right - x, self.bottom - y)


class _Sprite(NamedTuple):
    """A shape that is rendered, and its place."""

    image: Image
    pixels: _Pixels


class _Canvas:
    """Draws pictures of one size, `width` pixels wide; each shape is rendered once."""

    def __init__(self, drawing: Drawing, width: int) -> None:
        self.attributes, self.box = drawing.attributes, drawing.box
        self.whole = _Pixels(0, 0, width, max(1, round(width * self.box.height / self.box.width)))
        self._across, self._down = width / self.box.width, self.whole.bottom / self.box.height
        self._sprites: dict[Shape, _Sprite] = {}

    def drawn(self, drawing: Drawing, pixels: _Pixels) -> Image:
        """That rectangle of a picture."""
        from PIL import Image

        image = Image.new("RGBA", pixels.size)
        left, top, right, bottom = pixels
        for sprite in map(self._sprite, drawing.shapes):
            x, y, x_end, y_end = place = sprite.pixels
            if x < right and left < x_end and y < bottom and top < y_end:
                shared = _Pixels(max(left, x), max(top, y), min(right, x_end), min(bottom, y_end))
                image.alpha_composite(sprite.image, shared.within(pixels)[:2], shared.within(place))
        return image.convert("RGB")

    def places(self, shapes: Iterable[Shape]) -> set[_Pixels]:
        """The rectangles in which these shapes are."""
        return {self._sprite(shape).pixels for shape in shapes}

    def _sprite(self, shape: Shape) -> _Sprite:
        """A shape, rendered."""
        found = self._sprites.get(shape)
        if found is None:
            found = self._sprites[shape] = self._rendered(shape)
        return found

    def _rendered(self, shape: Shape) -> _Sprite:
        from PIL import Image

        pixels = self.whole if shape.area is None else self._pixels(shape.area)
        part = Box(
            self.box.left + pixels.left / self._across,
            self.box.top + pixels.top / self._down,
            self.box.left + pixels.right / self._across,
            self.box.top + pixels.bottom / self._down,
        )
        width, height = pixels.size
        data = png(shape.part(self.attributes, part, width, height), width=width)
        image = Image.open(BytesIO(data)).convert("RGBA")
        left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
        inner = _Pixels(left, top, right, bottom)
        return _Sprite(image.crop(inner), inner.within(_Pixels(-pixels.left, -pixels.top, 0, 0)))

    def _pixels(self, area: Box) -> _Pixels:
        """The pixels that an area of the picture touches; at least one."""
        _, _, width, height = self.whole
        left = min(max(0, int((area.left - self.box.left) * self._across) - 1), width - 1)
        top = min(max(0, int((area.top - self.box.top) * self._down) - 1), height - 1)
        right = max(left + 1, min(width, int((area.right - self.box.left) * self._across) + 2))
        bottom = max(top + 1, min(height, int((area.bottom - self.box.top) * self._down) + 2))
        return _Pixels(left, top, right, bottom)


def _in_colors(image: Image, palette: Image) -> Image:
    from PIL.Image import Dither

    return image.quantize(palette=palette, dither=Dither.NONE)


# --- The shapes of a picture, of which an animation renders each once -----------------


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


class Shape(NamedTuple):
    """An element that is drawn, in its group if it has one, and the area that contains it; None
    where that is not known. Only circles and texts have a known place."""

    svg: str
    area: Box | None

    def part(self, attributes: Mapping[str, str], area: Box, width: int, height: int) -> str:
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
        self.box = Box(left, top, left + width, top + height)
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


def _area(tag: str, attributes: Mapping[str, str], length: int) -> Box | None:
    """The area of an element with a text of that length; None where it is not known."""
    if "transform" in attributes or tag not in (f"{_SVG}circle", f"{_SVG}text"):
        return None
    if tag == f"{_SVG}circle":
        x, y, radius = (float(attributes[name]) for name in ("cx", "cy", "r"))
        width = height = radius + _OUTLINE
    else:
        x, y, size = (float(attributes[name]) for name in ("x", "y", "font-size"))
        width, height = _REACH * size * (1 + length), _REACH * size
    return Box(x - width, y - height, x + width, y + height)


def _in_group(svg: str, group: _Attributes | None) -> str:
    """An element as it is written, in a group with these attributes if there is one."""
    return svg if group is None else _with_content(Element(f"{_SVG}g", dict(group)), svg)
