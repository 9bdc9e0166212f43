"""Compiled code for game trees of one context: the screen, and the positions that it follows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from sgf_lark import engine
from sgf_lark.model.board import BITS_OF_BOARD, MutableBoard
from sgf_lark.model.position import Positions, has_board
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context
from sgf_lark.model.values.games import names_of_points
from sgf_lark.model.values.go import has_short_pass
from sgf_lark.model.values.reader import reader

if TYPE_CHECKING:
    from sgf_lark.engine.columns import PointTable
    from sgf_lark.engine.screen import PositionWalk, Screen

_FIRST_FORMAT_WITH_EMPTY_PASS = 4


def screen_of(context: Context, bits: Mapping[str, int]) -> Screen:
    """A screen for trees of that context, with the bits of their properties; only where the engine
    is compiled."""
    from sgf_lark.engine.screen import Screen

    is_followed = has_board(context)
    return Screen(
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
def board_screen(context: Context) -> Screen:
    """The screen that knows the properties which change the board, and no others."""
    definitions = reader(context).definitions
    known = {ident: bits for ident, bits in BITS_OF_BOARD.items() if definitions[ident]}
    return screen_of(context, known)


def positions(tree: GameTree, *, in_order: bool = False) -> Positions | CompiledPositions:
    """The positions before nodes of a parsed tree, from compiled code if there is some."""
    is_compiled = engine.available and has_board(tree.context)
    return (CompiledPositions if is_compiled else Positions)(tree, in_order=in_order)


class CompiledPositions:
    """What :class:`Positions` gives for a game of Go, sooner as far as compiled code understands
    the nodes."""

    def __init__(self, tree: GameTree, *, in_order: bool = False) -> None:
        self._tree = tree
        self._in_order = in_order
        self._last = tree.numbers[0]
        self._compiled = self._start()

    def _start(self) -> PositionWalk:
        from sgf_lark.engine.columns import columns_of

        columns, numbers = columns_of(self._tree.flat), self._tree.numbers
        screen = board_screen(self._tree.context)
        return screen.positions(columns, numbers[0], numbers[-1], self._in_order)

    @cached_property
    def _plain(self) -> Positions:
        return Positions(self._tree, in_order=self._in_order)

    @property
    def depends_on_order(self) -> bool:
        """Whether the position depends on the order in which programs execute a node."""
        walk = self._compiled if self._compiled.is_known else self._plain
        return walk.depends_on_order

    def before(self, number: int) -> MutableBoard | None:
        """A new board with the position before the parsed node of that number; None if it is not
        known."""
        if number < self._last:
            self._compiled = self._start()
        self._last = number
        colors, size = self._compiled.before(number), self._tree.size
        if colors is None:
            return self._plain.before(number)
        assert size is not None
        return MutableBoard.of_colors(*size, colors)
