"""Animated pictures of games, as GIF and APNG: the extra "animation"."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Literal

from sgf_lark.drawing.images import png

if TYPE_CHECKING:
    from PIL.Image import Image

_COLORS = 96
#: How much longer than the others the last frame is shown.
_LAST = 3


def animation(
    pictures: Sequence[str],
    *,
    format: Literal["gif", "apng"] = "gif",
    width: int = 400,
    seconds: float = 1.0,
) -> bytes:
    """Render SVG pictures of one size as the frames of an animation, `width` pixels wide.

    Each frame is shown for that many seconds, the last one three times as long; then the animation
    starts again. Raises ImportError, which names the extra, if Pillow or resvg_py is not installed,
    and ValueError if there is no picture.
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
    palette = _rendered(pictures[-1], width).quantize(_COLORS, dither=Image.Dither.NONE)
    first, *others = (
        _rendered(picture, width).quantize(palette=palette, dither=Image.Dither.NONE)
        for picture in pictures
    )
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


def _rendered(picture: str, width: int) -> Image:
    from PIL import Image

    return Image.open(BytesIO(png(picture, width=width))).convert("RGB")
