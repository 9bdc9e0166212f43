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

from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from sgf_lark.model.board import BLACK, EMPTY, PLAYED, SET_UP, WHITE, MutableBoard
from sgf_lark.model.node import Node
from sgf_lark.model.position import has_board, played_point
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: The coordinate of a pass, and how it is written.
_PASS = 255
_WRITTEN_PASS = ord("-")
_SWAPPED = bytes([EMPTY, WHITE, BLACK])
#: The moves of a Dyer signature, from 1.
_SIGNATURE = (20, 40, 60, 31, 51, 71)
#: Added to the number of the symmetry where the colors are swapped.
_COLORS_SWAPPED = 8

_Points = list[tuple[int, int]]


class Setup(NamedTuple):
    """The points that a node sets up before the move of that index, by their new color."""

    before: int
    points: dict[int, _Points]


@dataclass
class MainLine:
    """The moves on the main line of a game of Go: colors, columns and rows, and the setup."""

    columns: int
    rows: int
    colors: bytearray = field(default_factory=bytearray)
    xs: bytearray = field(default_factory=bytearray)
    ys: bytearray = field(default_factory=bytearray)
    setups: list[Setup] = field(default_factory=list)
    board: MutableBoard = field(init=False)

    def __post_init__(self) -> None:
        """Begin with an empty board."""
        self.board = MutableBoard(self.columns, self.rows)
        self.board.keep_history = False

    def play(self, color: int, point: tuple[int, int] | None) -> None:
        """Add a move or a pass."""
        self.colors.append(color)
        if point is not None:
            self.board.play(point, color)
        column, row = point or (_PASS, _PASS)
        self.xs.append(column)
        self.ys.append(row)

    def set_up(self, points: dict[int, _Points]) -> None:
        """Add setup."""
        self.setups.append(Setup(len(self.colors), points))
        for color, placed in points.items():
            for point in placed:
                self.board.place(point, color)

    @property
    def signature(self) -> str:
        """The Dyer signature."""
        table = _tables(self.columns)[0]
        xs, ys = self.xs.translate(table), self.ys.translate(table)
        return "".join(
            chr(xs[move - 1]) + chr(ys[move - 1]) if move <= len(xs) else "??"
            for move in _SIGNATURE
        )

    def canonical(self) -> tuple[str, int]:
        """The line as text, and the number of the symmetry of which it is made."""
        if not self.setups and self._is_alternating():
            text, number = min(
                (_interleaved(self.xs.translate(x), self.ys.translate(y), is_transposed), number)
                for number, (is_transposed, x, y) in enumerate(_symmetries(self.columns, self.rows))
            )
            swapped = bool(self.colors) and self.colors[0] == WHITE
            return text.decode("ascii"), number + _COLORS_SWAPPED * swapped
        return min(
            (self._text(symmetry, is_swapped), number + _COLORS_SWAPPED * is_swapped)
            for is_swapped in self._color_assignments()
            for number, symmetry in enumerate(_symmetries(self.columns, self.rows))
        )

    def _is_alternating(self) -> bool:
        colors = self.colors
        return len(set(colors[::2])) <= 1 and not set(colors[::2]) & set(colors[1::2])

    def _color_assignments(self) -> tuple[bool, ...]:
        if self.setups and self.setups[0].before == 0:
            return False, True
        return (self.colors[:1] == bytes([WHITE]),)

    def _text(self, symmetry: _Symmetry, is_swapped: bool) -> str:
        is_transposed, x, y = symmetry
        moves = _interleaved(self.xs.translate(x), self.ys.translate(y), is_transposed)
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

    def position_hash(self) -> str:
        """The hash of the position after the last move."""
        cells = b"".join(self.board.colors(row, 0, self.columns - 1) for row in range(self.rows))
        turned = _turned(cells, self.columns, self.rows)
        least = min(*turned, *(each.translate(_COLOR_SWAP) for each in turned))
        return hashed(f"{self.columns}x{self.rows}", least)


#: Whether columns and rows change places, and the letters of the column and the row.
_Symmetry = tuple[bool, bytes, bytes]

_COLOR_SWAP = _SWAPPED + bytes(range(len(_SWAPPED), 256))


@cache
def _tables(side: int) -> tuple[bytes, bytes]:
    """The letters of the coordinates from 0 to `side`, forward and backward; for translate()."""
    letters = _LETTERS[:side]
    rest = bytes([_WRITTEN_PASS]) * (256 - side)
    return letters + rest, letters[::-1] + rest


@cache
def _symmetries(columns: int, rows: int) -> list[_Symmetry]:
    """The symmetries of a board; the first one leaves it as it is."""
    same = [(False, x, y) for x in _tables(columns) for y in _tables(rows)]
    if columns != rows:
        return same
    return same + [(True, x, y) for _, x, y in same]


def _interleaved(xs: bytes | bytearray, ys: bytes | bytearray, is_transposed: bool) -> bytes:
    moves = bytearray(2 * len(xs))
    moves[is_transposed::2] = xs
    moves[not is_transposed :: 2] = ys
    return bytes(moves)


def _setup_text(points: dict[int, _Points], symmetry: _Symmetry, is_swapped: bool) -> str:
    is_transposed, x, y = symmetry
    parts = []
    for letter, color in zip("bwe", (BLACK, WHITE, EMPTY), strict=True):
        written = sorted(
            chr(y[row]) + chr(x[column]) if is_transposed else chr(x[column]) + chr(y[row])
            for column, row in points.get(_SWAPPED[color] if is_swapped else color, ())
        )
        parts += [letter, *written]
    return "{" + "".join(parts) + "}"


def _turned(cells: bytes, columns: int, rows: int) -> list[bytes]:
    """A position in all symmetries of its board, row by row."""
    flipped = b"".join(cells[row * columns : (row + 1) * columns] for row in range(rows)[::-1])
    found = [cells, cells[::-1], flipped, flipped[::-1]]
    if columns != rows:
        return found
    return found + [b"".join(each[start::columns] for start in range(columns)) for each in found]


def hashed(context: str, content: bytes) -> str:
    """64 bits of a hash in hexadecimal digits."""
    return blake2b(f"{context}:".encode() + content, digest_size=8).hexdigest()


def main_line(tree: GameTree) -> MainLine | None:
    """The main line of a game of Go; None for other games."""
    if tree.size is None or not has_board(tree.context):
        return None
    line = MainLine(*tree.size)
    for number in tree.main_line_numbers:
        setup: dict[int, _Points] = {}
        moves: list[tuple[int, tuple[int, int] | None]] = []
        for prop, ident in tree.flat.idents(number):
            if ident in SET_UP:
                entry = Property(Node(tree, number), ident, None, prop)
                setup.setdefault(SET_UP[ident], []).extend(
                    (point.column, point.row) for _, point in entry.points()
                )
            elif ident in PLAYED:
                moves.append((PLAYED[ident], _point(tree, number, ident, prop)))
        if setup:
            line.set_up(setup)
        for color, point in moves:
            line.play(color, point)
    return line


def _point(tree: GameTree, number: int, ident: str, prop: int) -> tuple[int, int] | None:
    """The point of a move; None for a pass and for what is no point."""
    raw = tree.flat.only_value(prop)
    if tree.size is not None and (point := _lowercase_points(*tree.size).get(raw)) is not None:
        return point
    played = played_point(Property(Node(tree, number), ident, None, prop))
    return None if played is None else (played.column, played.row)


@cache
def _lowercase_points(columns: int, rows: int) -> dict[bytes | None, tuple[int, int]]:
    """The points of a board that are written with lowercase letters, by what is written."""
    return {
        _LETTERS[column : column + 1] + _LETTERS[row : row + 1]: (column, row)
        for column in range(min(columns, 26))
        for row in range(min(rows, 26))
    }


def other_moves(tree: GameTree) -> list[bytes]:
    """The moves on the main line of a game other than Go, as written."""
    flat = tree.flat
    return [
        ident.encode("ascii") + b":" + b",".join(flat.raw(prop))
        for number in tree.main_line_numbers
        for prop, ident in flat.idents(number)
        if (definition := tree.define(ident)) is not None and definition.is_move
    ]
