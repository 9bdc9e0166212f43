"""The pictures that ``show`` writes: one board, a sheet of several, or an animation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.cli import terminal
from sgf_lark.cli.show_nodes import Shown
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language
    from sgf_lark.files.inputs import Input

_ANIMATIONS = ("gif", "apng")
FORMATS = ("svg", "png", *_ANIMATIONS)


class Wanted(NamedTuple):
    """The options of the pictures."""

    output: Path | None
    format: str
    language: Language
    coordinates: bool
    theme: Any
    width: int | None
    columns: int | None
    seconds: float

    @property
    def is_animation(self) -> bool:
        """Whether the picture is an animation."""
        return self.format in _ANIMATIONS


def chosen_format(output: Path | None, given: str | None) -> str:
    """Return the format that was given, or that the name of the output shows.

    Raises UsageError for a name that shows none, and where text or SVG alone can be printed.
    """
    if output is None:
        if given not in (None, "text", "svg"):
            raise click.UsageError(f"{given} is written to a file; give an --output")
        return given or "text"
    found = given or output.suffix.lower().removeprefix(".")
    if found not in FORMATS:
        names = ", ".join(f".{name}" for name in FORMATS)
        raise click.UsageError(f"{escape(output)}: the name of a picture ends in {names}")
    return found


def write(shown: list[Shown], wanted: Wanted, file: Input) -> None:
    """Write the picture to the output, or SVG to standard output.

    Raises ImportError where an extra is not installed, OSError where nothing can be written.
    """
    from sgf_lark.cli.outputs import Outputs
    from sgf_lark.drawing import images

    if wanted.is_animation:
        data = _animation(shown, wanted)
    else:
        picture = _picture(shown, wanted)
        is_png = wanted.format == "png"
        data = (
            images.png(picture, width=wanted.width or images.WIDTH)
            if is_png
            else f"{picture}\n".encode()
        )
    if wanted.output is None:
        terminal.write_bytes(data)
        return
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
    from sgf_lark.drawing import images, svg

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
    return images.animation(
        pictures,
        format="gif" if wanted.format == "gif" else "apng",
        width=wanted.width or images.ANIMATION_WIDTH,
        seconds=wanted.seconds,
    )
