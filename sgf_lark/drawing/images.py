"""Renders pictures of boards as PNG with resvg: the extra "png"."""

from __future__ import annotations

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
