"""Animated pictures of games, as GIF and APNG: the extra "animation"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Literal, NamedTuple

from sgf_lark.drawing.images import png
from sgf_lark.drawing.shapes import Area, Drawing, Shape

if TYPE_CHECKING:
    from PIL.Image import Image

#: The usual width, in pixels.
WIDTH = 400
_COLORS = 96
#: How much longer than the others the last frame is shown.
_LAST = 3


def animation(
    pictures: Sequence[str],
    *,
    format: Literal["gif", "apng"] = "gif",
    width: int = WIDTH,
    seconds: float = 1.0,
) -> bytes:
    """Render SVG pictures of one size as the frames of an animation, `width` pixels wide.

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
        "GIF" if format == "gif" else "PNG",
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

    def is_in(self, other: _Pixels) -> bool:
        """Whether the other rectangle is larger and has all of these pixels."""
        (left, top, right, bottom), (x, y, x_end, y_end) = self, other
        return x <= left and y <= top and right <= x_end and bottom <= y_end and self != other

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

    def places(self, shapes: Iterable[Shape]) -> list[_Pixels]:
        """The rectangles in which these shapes are, without those that are within others."""
        places = {self._sprite(shape).pixels for shape in shapes}
        return [each for each in places if not any(each.is_in(other) for other in places)]

    def _sprite(self, shape: Shape) -> _Sprite:
        """A shape, rendered."""
        found = self._sprites.get(shape)
        if found is None:
            found = self._sprites[shape] = self._rendered(shape)
        return found

    def _rendered(self, shape: Shape) -> _Sprite:
        from PIL import Image

        pixels = self.whole if shape.area is None else self._pixels(shape.area)
        part = Area(
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

    def _pixels(self, area: Area) -> _Pixels:
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
