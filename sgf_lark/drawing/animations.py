"""Animated pictures of games, as GIF and APNG: the extra "animation"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Literal, NamedTuple

from sgf_lark.drawing.changes import Area, Drawing
from sgf_lark.drawing.images import png

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
    # The last picture has all colors: both stones, the last move, and the markup. One byte for each
    # pixel keeps hundreds of frames in memory.
    last = _whole(Drawing(pictures[-1]), width)
    palette = last.quantize(_COLORS, dither=Image.Dither.NONE)
    first, *others = _frames(pictures, width, palette)
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


def _frames(pictures: Sequence[str], width: int, palette: Image) -> Iterator[Image]:
    """Render each picture in the colors of `palette`; of most only what differs from the one
    before."""
    before: Drawing | None = None
    frame: Image | None = None
    for picture in pictures:
        drawing = Drawing(picture)
        areas = None if before is None else drawing.areas_that_differ(before)
        if frame is None or areas is None:
            frame = _in_colors(_whole(drawing, width), palette)
        else:
            frame = frame.copy()
            for area in areas:
                _render_again(frame, drawing, area, palette)
        yield frame
        before = drawing


def _whole(drawing: Drawing, width: int) -> Image:
    """Render a whole picture."""
    height = max(1, round(width * drawing.box.height / drawing.box.width))
    return _rendered(drawing.part(drawing.box, width, height), width)


def _render_again(frame: Image, drawing: Drawing, area: Area, palette: Image) -> None:
    """Render an area of the picture into the frame.

    Shapes that the edge of a picture cuts are rendered a little differently, so those that touch
    the area are rendered whole.
    """
    wanted, needed = (
        _pixels(each, drawing.box, frame) for each in (area, drawing.area_of_shapes(area))
    )
    width, height = needed.right - needed.left, needed.bottom - needed.top
    across, down = frame.width / drawing.box.width, frame.height / drawing.box.height
    part = Area(
        drawing.box.left + needed.left / across,
        drawing.box.top + needed.top / down,
        drawing.box.left + needed.right / across,
        drawing.box.top + needed.bottom / down,
    )
    image = _rendered(drawing.part(part, width, height), width).crop(
        (
            wanted.left - needed.left,
            wanted.top - needed.top,
            wanted.right - needed.left,
            wanted.bottom - needed.top,
        )
    )
    frame.paste(_in_colors(image, palette), (wanted.left, wanted.top))


class _Pixels(NamedTuple):
    """A rectangle of pixels; `right` and `bottom` are not in it."""

    left: int
    top: int
    right: int
    bottom: int


def _pixels(area: Area, box: Area, frame: Image) -> _Pixels:
    """The pixels of the frame that an area of the picture touches; at least one."""
    across, down = frame.width / box.width, frame.height / box.height
    left = min(max(0, int((area.left - box.left) * across) - 1), frame.width - 1)
    top = min(max(0, int((area.top - box.top) * down) - 1), frame.height - 1)
    right = max(left + 1, min(frame.width, int((area.right - box.left) * across) + 2))
    bottom = max(top + 1, min(frame.height, int((area.bottom - box.top) * down) + 2))
    return _Pixels(left, top, right, bottom)


def _in_colors(image: Image, palette: Image) -> Image:
    from PIL.Image import Dither

    return image.quantize(palette=palette, dither=Dither.NONE)


def _rendered(picture: str, width: int) -> Image:
    from PIL import Image

    return Image.open(BytesIO(png(picture, width=width))).convert("RGB")
