"""Pictures in pixels: PNG with resvg (extra "png"), animated GIF (extra "animation")."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

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
    and ValueError if there is no picture, or something else among them.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("animations need Pillow: pip install 'sgf-lark[animation]'") from error
    if not pictures:
        raise ValueError("there is no frame for the animation")

    def rendered(picture: str) -> Image.Image:
        return Image.open(BytesIO(png(picture, width=width))).convert("RGB")

    # Browsers slow down frames of less than 20 milliseconds.
    duration = max(round(seconds * 1000), 20)
    durations = [duration] * (len(pictures) - 1) + [duration * _LAST]
    # The last picture has all colors: both stones, the last move, and the markup. Frames of one
    # palette differ only where the pictures do, and only that is stored; one byte for each pixel
    # keeps hundreds of them in memory.
    exact = Image.Dither.NONE
    palette = rendered(pictures[-1]).quantize(_COLORS, dither=exact)
    frames = (rendered(each).quantize(palette=palette, dither=exact) for each in pictures)
    result = BytesIO()
    next(frames).save(
        result, "GIF", save_all=True, append_images=frames, duration=durations, loop=0
    )
    return result.getvalue()
