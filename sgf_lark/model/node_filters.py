"""The compiled filter for game trees of one context."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from sgf_lark.model.board_walk import has_board
from sgf_lark.model.cells import BITS_OF_BOARD
from sgf_lark.model.values import Context
from sgf_lark.model.values.notations import has_short_pass, names_of_points
from sgf_lark.model.values.reader import reader

if TYPE_CHECKING:
    from sgf_lark.engine.columns import PointTable
    from sgf_lark.engine.node_filter import CleanNodeFilter

_FIRST_FORMAT_WITH_EMPTY_PASS = 4


def node_filter_of(context: Context, bits: Mapping[str, int]) -> CleanNodeFilter:
    """A filter for trees of that context, with the bits of their properties; only where the engine
    is compiled."""
    from sgf_lark.engine.node_filter import CleanNodeFilter

    is_followed = has_board(context)
    return CleanNodeFilter(
        bits,
        _points(reader(context).rule("point"), context.size),
        is_followed,
        b"tt" if is_followed and has_short_pass(context.size) else b"",
        is_followed and context.file_format >= _FIRST_FORMAT_WITH_EMPTY_PASS,
    )


@lru_cache(maxsize=64)
def _points(production: str, size: tuple[int, int] | None) -> PointTable:
    """The table of the points of a board; without points where the game cannot write them."""
    from sgf_lark.engine.columns import PointTable

    names = names_of_points(production, size)
    return PointTable(names, *size) if names and size is not None else PointTable([], 0, 0)


@lru_cache(maxsize=64)
def board_filter(context: Context) -> CleanNodeFilter:
    """The filter that knows the properties which change the board, and no others."""
    definitions = reader(context).definitions
    known = {ident: bits for ident, bits in BITS_OF_BOARD.items() if definitions[ident]}
    return node_filter_of(context, known)
