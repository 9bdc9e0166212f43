"""The pictures that ``show`` writes: one board, a sheet of several, or an animation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.cli import terminal
from sgf_lark.cli.show_nodes import Shown

if TYPE_CHECKING:
    from sgf_lark.cli.inputs import Input
    from sgf_lark.diagnostics import Language

_ANIMATIONS = (".gif", ".apng")
SUFFIXES = (".svg", ".png", *_ANIMATIONS)
_WIDTH = 800
_ANIMATION_WIDTH = 400


class Wanted(NamedTuple):
    """The options of the pictures."""

    output: Path | None
    as_svg: bool
    language: Language
    coordinates: bool
    theme: Any
    width: int | None
    columns: int | None
    seconds: float


def is_animation(output: Path | None) -> bool:
    """Whether the file is an animation, by its name."""
    return output is not None and output.suffix.lower() in _ANIMATIONS


def write(shown: list[Shown], wanted: Wanted, file: Input) -> None:
    """Write the picture to the output, or SVG to standard output.

    Raises ImportError where an extra is not installed, OSError where nothing can be written.
    """
    from sgf_lark.cli.outputs import Outputs
    from sgf_lark.drawing import png

    if is_animation(wanted.output) and not wanted.as_svg:
        data = _animation(shown, wanted)
    else:
        picture = _picture(shown, wanted)
        if wanted.output is None:
            terminal.write(picture + "\n")
            return
        is_png = not wanted.as_svg and wanted.output.suffix.lower() == ".png"
        data = png(picture, width=wanted.width or _WIDTH) if is_png else f"{picture}\n".encode()
    assert wanted.output is not None
    Outputs([file.path]).write(wanted.output, data, file)


def _picture(shown: list[Shown], wanted: Wanted) -> str:
    """Return one board, or a sheet where there are several or captions."""
    from sgf_lark.drawing import Picture, sheet, svg

    options: dict[str, Any] = {
        "coordinates": wanted.coordinates,
        "theme": wanted.theme,
        "language": wanted.language,
    }
    drawn = [svg(each.position, **options) for each in shown]
    if len(shown) == 1 and not shown[0].captions:
        return drawn[0]
    pictures = [
        Picture(picture, each.title if len(shown) > 1 else "", each.captions)
        for picture, each in zip(drawn, shown, strict=True)
    ]
    return sheet(pictures, columns=wanted.columns or 0, theme=wanted.theme)


def _animation(shown: list[Shown], wanted: Wanted) -> bytes:
    from sgf_lark.drawing import animation, svg

    # VW would change the size of frames.
    pictures = [
        svg(
            replace(each.position, visible=None),
            coordinates=wanted.coordinates,
            theme=wanted.theme,
            language=wanted.language,
        )
        for each in shown
    ]
    assert wanted.output is not None
    return animation(
        pictures,
        format="gif" if wanted.output.suffix.lower() == ".gif" else "apng",
        width=wanted.width or _ANIMATION_WIDTH,
        seconds=wanted.seconds,
    )
