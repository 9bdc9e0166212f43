"""The main line of a game: its moves, and hashes that do not depend on how the board is turned.

The line of a game of Go is written as text. A move is two letters, column and row, "a" for the
left column and the upper row, then "b" to "z" and "A" to "Z"; a pass is "--". "+" comes before a
move of the player who also made the move before it. Setup is written between braces: "b" and the
points that become black, "w" and those that become white, "e" and those that become empty, each
sorted; where setup comes first, "B" or "W" after it is the player of the first move.

Of the texts for all symmetries of the board (eight; four where it is not square) the line is the
first one in the order of ASCII. Where there is no setup before the first move, the first player
counts as Black; else the line is the first of the texts for both assignments of colors. If the
moves of a game are the beginning of those of another one, the same holds for their lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

from sgf_lark import engine
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import changes_of_board, has_board, played_point
from sgf_lark.model.cells import BLACK, EMPTY, PLAYED, SET_UP, WHITE
from sgf_lark.model.node import Node
from sgf_lark.model.symmetry import Symmetry
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.points import Point, Rectangle, expand

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: The coordinate of a pass, and how it is written.
_PASS = 255
_WRITTEN_PASS = ord("-")
_SWAPPED = bytes([EMPTY, WHITE, BLACK])
#: The moves of a Dyer signature, from 1.
_SIGNATURE = (20, 40, 60, 31, 51, 71)
#: Added to the number of the symmetry where the colors are swapped.
_COLORS_SWAPPED = 8


class Setup(NamedTuple):
    """The points that a node sets up before the move of that index, by their new color."""

    before: int
    points: dict[int, list[Point]]


@dataclass
class MainLine:
    """The moves on the main line of a game of Go: colors, columns and rows; the setup, and the
    colors of all points at the end, row by row."""

    columns: int
    rows: int
    colors: bytearray
    xs: bytearray
    ys: bytearray
    setups: list[Setup]
    cells: bytes

    @property
    def dyer_signature(self) -> str:
        """The Dyer signature: the points of some moves, by which people know a game again."""
        table = _tables(self.columns)[0]
        xs, ys = self.xs.translate(table), self.ys.translate(table)
        return "".join(
            chr(xs[move - 1]) + chr(ys[move - 1]) if move <= len(xs) else "??"
            for move in _SIGNATURE
        )

    def canonical(self) -> tuple[str, int]:
        """The line as text, and the number of the symmetry of which it is made."""
        swapped: tuple[bool, ...] = (self.colors[:1] == bytes([WHITE]),)
        if self.setups and self.setups[0].before == 0:
            swapped = False, True
        return min(
            (self._text(symmetry, is_swapped), number + _COLORS_SWAPPED * is_swapped)
            for is_swapped in swapped
            for number, symmetry in enumerate(_symmetries(self.columns, self.rows))
        )

    @cached_property
    def _is_alternating(self) -> bool:
        colors = self.colors
        return len(set(colors[::2])) <= 1 and not set(colors[::2]) & set(colors[1::2])

    def _text(self, symmetry: _Turned, is_swapped: bool) -> str:
        is_transposed, x, y = symmetry
        moves = _interleaved(self.xs.translate(x), self.ys.translate(y), is_transposed)
        # Nearly all games: nothing has to be put together move by move.
        if self._is_alternating and not self.setups:
            return moves.decode("ascii")
        colors = self.colors.translate(_COLOR_SWAP) if is_swapped else self.colors
        starts_with_setup = bool(self.setups) and self.setups[0].before == 0
        waiting = list(reversed(self.setups))
        parts: list[str] = []
        for index in range(len(colors) + 1):
            while waiting and waiting[-1].before == index:
                parts.append(_setup_text(waiting.pop().points, symmetry, is_swapped))
            if index == len(colors):
                break
            if index == 0 and starts_with_setup:
                parts.append("B" if colors[0] == BLACK else "W")
            if index and colors[index] == colors[index - 1]:
                parts.append("+")
            parts.append(moves[2 * index : 2 * index + 2].decode("ascii"))
        return "".join(parts)

    def position_hash(self) -> int:
        """The hash of the position after the last move."""
        size = self.columns, self.rows
        turned = [symmetry.cells(self.cells, size) for symmetry in Symmetry.of_size(size)]
        least = min(*turned, *(each.translate(_COLOR_SWAP) for each in turned))
        return hashed(f"{self.columns}x{self.rows}", least)


#: Whether columns and rows change places, and the letters of the column and of the row as written.
_Turned = tuple[bool, bytes, bytes]

_COLOR_SWAP = _SWAPPED + bytes(range(len(_SWAPPED), 256))


@cache
def _tables(side: int) -> tuple[bytes, bytes]:
    """The letters of the coordinates from 0 to `side`, forward and backward; for translate()."""
    letters = _LETTERS[:side]
    rest = bytes([_WRITTEN_PASS]) * (256 - side)
    return letters + rest, letters[::-1] + rest


@cache
def _symmetries(columns: int, rows: int) -> list[_Turned]:
    """How a line is made of the moves as written, each at the index of the symmetry that takes it
    back."""
    found = []
    for symmetry in Symmetry.of_size((columns, rows)):
        transposes, *flips = symmetry.inverse.value
        flips_column, flips_row = flips[::-1] if transposes else flips
        found.append((transposes, _tables(columns)[flips_column], _tables(rows)[flips_row]))
    return found


def _interleaved(xs: bytes | bytearray, ys: bytes | bytearray, is_transposed: bool) -> bytes:
    moves = bytearray(2 * len(xs))
    moves[is_transposed::2] = xs
    moves[not is_transposed :: 2] = ys
    return bytes(moves)


def _setup_text(points: dict[int, list[Point]], symmetry: _Turned, is_swapped: bool) -> str:
    is_transposed, x, y = symmetry
    parts = []
    for letter, color in zip("bwe", (BLACK, WHITE, EMPTY), strict=True):
        written = sorted(
            chr(y[row]) + chr(x[column]) if is_transposed else chr(x[column]) + chr(y[row])
            for column, row in points.get(_SWAPPED[color] if is_swapped else color, ())
        )
        parts += [letter, *written]
    return "{" + "".join(parts) + "}"


def hashed(context: str, content: bytes) -> int:
    """64 bits of a hash."""
    return int.from_bytes(blake2b(f"{context}:".encode() + content, digest_size=8).digest())


def _setups(properties: Iterable[tuple[int, int, int, Any]]) -> list[Setup]:
    """The setup of each node, each point of a color once."""
    nodes: dict[tuple[int, int], dict[int, dict[Point, None]]] = {}
    for node, before, color, areas in properties:
        points = nodes.setdefault((node, before), {}).setdefault(color, {})
        for first, last in areas:
            points.update(dict.fromkeys(expand(Point(*first), Point(*last))))
    return [
        Setup(before, {color: list(points) for color, points in by_color.items()})
        for (_, before), by_color in nodes.items()
    ]


def main_line(tree: GameTree) -> MainLine | None:
    """The main line of a parsed game of Go; None for other games."""
    if tree.size is None or not has_board(tree.parsed.context):
        return None
    return _compiled_line(tree) or plain_line(tree)


def plain_line(tree: GameTree) -> MainLine:
    """The main line of a parsed game of Go, executed on a board of plain Python."""
    assert tree.size is not None
    board = Board(*tree.size)
    colors, xs, ys = bytearray(), bytearray(), bytearray()
    #: Node, number of moves before it, color, and areas of each setup property.
    setup: list[tuple[int, int, int, list[Rectangle]]] = []
    for number in tree.parsed.main_line_numbers:
        entries = changes_of_board(Node(tree, number))
        board.execute(entries)
        for entry in entries:
            if entry.ident in SET_UP:
                setup.append((number, len(colors), SET_UP[entry.ident], [*entry.areas()]))
        for entry in entries:
            if entry.ident in PLAYED:
                # What is not a move on the board is kept as a pass.
                column, row = played_point(entry) or (_PASS, _PASS)
                colors.append(PLAYED[entry.ident])
                xs.append(column)
                ys.append(row)
    return _line(board, colors, xs, ys, setup)


def _compiled_line(tree: GameTree) -> MainLine | None:
    """The same line from the compiled board; None without one, and if it does not understand the
    setup."""
    if not engine.available:
        return None
    from sgf_lark.engine.columns import columns_of
    from sgf_lark.model.node_filters import board_filter

    assert tree.size is not None
    node_filter = board_filter(tree.parsed.context)
    found = node_filter.main_line(
        columns_of(tree.parsed.flat), tree.parsed.numbers[0], tree.parsed.numbers[-1]
    )
    if found is None:
        return None
    colors, xs, ys, setup, cells = found
    return _line(Board(*tree.size, cells=cells), colors, xs, ys, setup)


def _line(
    board: Board,
    colors: bytearray,
    xs: bytearray,
    ys: bytearray,
    setup: Iterable[tuple[int, int, int, Any]],
) -> MainLine:
    """The line with these moves and setup, which end in the position on a board."""
    return MainLine(board.columns, board.rows, colors, xs, ys, _setups(setup), board.content)


def other_moves(tree: GameTree) -> list[bytes]:
    """The moves on the main line of a game other than Go, as written."""
    flat = tree.parsed.flat
    return [
        ident.encode("ascii") + b":" + b",".join(flat.raw(prop))
        for number in tree.parsed.main_line_numbers
        for prop, ident in flat.idents(number)
        if (definition := tree.define(ident)) is not None and definition.is_move
    ]
