"""Where the pictures of boards, nodes, games and collections come from, and their options.

The package that draws is above the model: it imports the model, and the model knows only its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from sgf_lark.model.values import Point

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language

#: A point as boards take it.
AnyPoint = Point | tuple[int, int] | str
Theme = Literal["light", "dark", "auto", "book"]


class PictureOptions(TypedDict, total=False):
    """How a picture looks, in all methods that draw; every option may be left out.

    `size` is the width in pixels; `theme` is "light", "dark", "book", or in SVG "auto". `region`
    limits the picture to a part of the board: two opposite corners, or "aa:jj". `coordinates` are
    drawn unless False. `labels` are texts by points, `arrows` pairs of points, both besides those
    of the node; a point is one of the game, a pair (column, row), or its text in SGF. `language`
    is that of the title, "en" or "zh".
    """

    size: int
    theme: Theme
    region: str | tuple[AnyPoint, AnyPoint]
    coordinates: bool
    labels: Mapping[Any, str]
    arrows: Iterable[tuple[AnyPoint, AnyPoint]]
    language: Language


def drawing(module: Literal["options", "notebook"]) -> Any:
    """That module of the package that draws, imported when the first picture is asked for."""
    return import_module(f"sgf_lark.drawing.{module}")
