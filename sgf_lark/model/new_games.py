"""Game trees made from nothing; star points, and the handicap stones on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sgf_lark import grammar
from sgf_lark.model.assigning import write_values
from sgf_lark.model.context import GO
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Point
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT
from sgf_lark.syntax.parsing import plain_file
from sgf_lark.text import charsets

#: The root properties that have parameters of their own, or follow from the program.
_GIVEN = {"CA": "charset", "FF": "", "GM": "game", "SZ": "size"}
_HANDICAP = {"AB", "HA"}


def new_game(
    size: int | tuple[int, int] | None = None,
    *,
    game: int = 1,
    charset: str = "UTF-8",
    handicap: int = 0,
    **root: Any,
) -> GameTree:
    """A game tree of FF[4] that has only a root.

    `size` is the board, a number or (columns, rows): 19 for Go, and for another game its own
    default, if no size is given. `game` is the number of the game in GM; 1 is Go. `charset` names
    the charset of the texts in CA. `handicap` sets up that number of handicap stones at their
    usual points, with HA and AB, in Go from 7 lines on. All others are properties of the root by
    their identifiers: ``new_game(9, PB="Black", KM=6.5, AB=["cc", "gg"])``. Raises LookupError
    for an unknown charset, TypeError or ValueError for what a property cannot hold.
    """
    for ident in root.keys() & _GIVEN.keys():
        hint = f"use {_GIVEN[ident]}=" if _GIVEN[ident] else "a new game is in FF[4]"
        raise ValueError(f"{ident} is not a property to give here: {hint}")
    if isinstance(game, bool) or not isinstance(game, int) or game < 1:
        raise ValueError(f"game is {game!r}; expected a number of GM, such as 1 for Go")
    named = charsets.named(charset)
    if not named.superset:
        raise ValueError(
            f"a game tree cannot be in {named.name}, which does not contain ASCII; "
            f'use dumps(game, charset="{named.name}")'
        )
    head = f"(;FF[{LATEST_FILE_FORMAT}]CA[{named.name}]GM[{game}])"
    tree = _parsed(head)
    if size is None:
        size = grammar.game(game).size
    if size is not None:
        ((raw,),) = write_values(tree, {"SZ": size}).values()
        tree = _parsed(f"{head[:-1]}SZ[{raw.decode()}])")
        wanted = (size, size) if isinstance(size, int) else size
        if tree.size not in (None, wanted):
            raise ValueError(f"{tree.game_definition.name} has no board of the size {size!r}")
    if handicap:
        if tree.game != GO or tree.size is None or root.keys() & _HANDICAP:
            raise ValueError("handicap= is for games of Go that are given neither HA nor AB")
        root = {"HA": handicap, "AB": handicap_points(tree.size, handicap)} | root
    for ident, value in root.items():
        tree.root[ident] = value
    return tree


def _parsed(text: str) -> GameTree:
    """A game tree from nothing is one that was read from a file with nothing but its root."""
    return GameTree(plain_file(text.encode()), 0)


def star_points(columns: int, rows: int) -> Iterator[Point]:
    """The star points of a Go board: near the corners, in the middle of long sides, the center."""
    across, down = _star_lines(columns), _star_lines(rows)
    middle = Point(columns // 2, rows // 2)
    for column in across:
        for row in down:
            yield Point(column, row)
    if columns % 2 and rows % 2 and min(columns, rows) > 4:
        yield middle
    if columns % 2 and columns > 14:
        yield from (Point(middle.column, row) for row in down)
    if rows % 2 and rows > 14:
        yield from (Point(column, middle.row) for column in across)


def handicap_points(size: tuple[int, int], count: int) -> list[Point]:
    """The usual points of 2 to 9 handicap stones, from 7 lines on; a board that has no middle
    point, or only 7 lines, has room for 4.

    The first are in the lower left and the upper right corner; with 3 stones the upper left one
    stays empty. Raises ValueError for another number.
    """
    columns, rows = size
    most = 0 if min(size) < 7 else 9 if columns % 2 and rows % 2 and min(size) > 7 else 4
    if isinstance(count, bool) or not isinstance(count, int) or not 2 <= count <= most:
        what = f"2 to {most}" if most else "no"
        raise ValueError(
            f"a board of {columns} by {rows} has {what} handicap stones, not {count!r}"
        )
    (left, right), (top, bottom) = _star_lines(columns), _star_lines(rows)
    middle = Point(columns // 2, rows // 2)
    corners = [(left, bottom), (right, top), (right, bottom), (left, top)]
    sides = [(left, middle.row), (right, middle.row), (middle.column, top), (middle.column, bottom)]
    even = count - count % 2 if count > 4 else count
    return [*(Point(*each) for each in [*corners, *sides][:even]), *[middle] * (count - even)]


def _star_lines(count: int) -> tuple[int, ...]:
    """The first and the last line with star points: the third ones, from 13 lines on the fourth."""
    if count < 7:
        return ()
    distance = 2 if count < 13 else 3
    return distance, count - 1 - distance
