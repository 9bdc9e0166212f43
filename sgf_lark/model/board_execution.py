"""Executing nodes on a board: setup, moves, PL and MN.

Go as go.html specifies it, Hex with the swap of pieces, Lines of Action and Amazons. As in the
specification every move that can be read is executed (properties.html, B); what cannot be read,
and points outside the board, are passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sgf_lark.model.board import (
    AMAZONS,
    ARROW,
    CELLS,
    COLORS,
    EMPTY,
    GO,
    HEX,
    LINES_OF_ACTION,
    PLAYED,
    SET_UP,
    MutableBoard,
)
from sgf_lark.model.property import first_value
from sgf_lark.model.turns import has_handicap, turn_after_move
from sgf_lark.model.values import AmazonsMove, Color, HexMove, LinesOfActionMove, Move, Point
from sgf_lark.model.values.points import Rectangle, is_on_board

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sgf_lark.model.board_value import Board
    from sgf_lark.model.node import Node
    from sgf_lark.model.property import Property

#: What setup properties put on their points.
PLACED = {**SET_UP, "AA": ARROW}

#: The properties that a board depends on, besides those of the root that set up the game.
EXECUTED = frozenset({*PLAYED, *PLACED, "PL", "MN"})
#: The properties of a root that decide on the board, on how it is read and on who begins.
OF_ROOT = frozenset({"GM", "FF", "SZ", "SU", "HA"})


def execute(node: Node, board: MutableBoard) -> None:
    """Execute a node on a board: its setup first, then its moves, whatever their order."""
    execute_properties(node.properties, board)


def execute_properties(entries: list[Property], board: MutableBoard) -> None:
    """Execute the properties of a node like :func:`execute`."""
    for entry in entries:
        if entry.ident in PLACED:
            board.set_up(entry.areas(), PLACED[entry.ident])
    for entry in entries:
        if entry.ident in PLAYED:
            board.move(first_value(entry), PLAYED[entry.ident])


def execute_property(entry: Property, board: MutableBoard) -> None:
    """Execute a property on a board if it sets up points or is a move."""
    execute_properties([entry], board)


class Execution(MutableBoard):
    """A board with what else belongs to a position: turn, ko, captures, last move and its number.

    It executes moves and nodes; :meth:`result` gives the position as a value.
    """

    def __init__(self, board: Board) -> None:
        super().__init__(board.columns, board.rows)
        self.keep_history = False
        self.game = board.game
        self._type = type(board)
        self._class: type[Any] = _MOVES[board.game]
        self._execute_move = _PLAY[self._class]
        self.load(board)

    def load(self, board: Board) -> None:
        """Continue from `board`, which has the same game and size."""
        self.restore(board._cells)
        self.to_play = board.to_play
        self.ko = board.ko
        self.captures = [*board._captures]
        self.last_move = board.last_move
        self.move_number = board.move_number
        self.turn_is_known = board._turn_is_known

    def result(self) -> Board:
        """The position as it is now."""
        return self._type(
            self.game,
            self.columns,
            self.rows,
            self.snapshot(),
            self.to_play,
            self.ko,
            (self.captures[0], self.captures[1]),
            self.last_move,
            self.move_number,
            self.turn_is_known,
        )

    def after_move(self, move: Any, color: Color) -> Board:
        """The position after a move; raises IndexError for a point outside the board."""
        for point in move.points:
            if not is_on_board(point, self.size):
                columns, rows = self.size
                raise IndexError(f"{tuple(point)} is not on the board of {columns} by {rows}")
        self.move(move, CELLS[color])
        return self.result()

    # Nodes

    def execute(self, node: Node, entries: list[Property]) -> None:
        """Execute a node with these properties, then its PL and MN, which override what moves
        imply."""
        execute_properties(entries, self)
        if not self.turn_is_known and "AB" in node and has_handicap(node.tree):
            self.to_play = Color.WHITE
        for entry in entries:
            if entry.ident not in ("PL", "MN"):
                continue
            value = first_value(entry)
            if entry.ident == "PL" and isinstance(value, Color):
                self._give_turn(value)
            elif isinstance(value, int) and any(ident in node for ident in PLAYED):
                self.move_number = value

    def _give_turn(self, color: Color) -> None:
        if color is not self.to_play:
            self.ko = None
        self.to_play, self.turn_is_known = color, True

    def set_up(self, areas: Iterable[Rectangle], color: int) -> None:
        """Set up the points of areas of the board; nothing is captured (properties.html, AB)."""
        super().set_up(areas, color)
        self.last_move = self.ko = None

    # Moves

    def move(self, move: Any, color: int) -> None:
        """Execute a move of the game.

        What is not a move changes only the number of the move and whose turn it is.
        """
        self.move_number += 1
        self.to_play, self.turn_is_known = turn_after_move(COLORS[color], move), True
        self.last_move = self.ko = None
        if not isinstance(move, self._class):
            return
        for point in move.points:
            if not is_on_board(point, self.size):
                return
        self._execute_move(self, move, color)

    def play_go(self, move: Move, cell: int) -> None:
        """Place a stone, and take what it captures off the board."""
        point = move.point
        if point is None:
            return
        taken = self.play(point, cell)
        is_suicide = taken and self[point] != cell
        if taken:
            captor = 3 - cell if is_suicide else cell
            self.captures[captor - 1] += taken
        if is_suicide:
            return
        self.last_move = point
        if taken == 1:
            self.ko = self._ko(point)

    def _ko(self, point: Point) -> Point | None:
        """The point of the one stone that was captured, if retaking it would capture just the
        stone at `point`: that has no other liberty, and no stone of its color is next to it."""
        (column, row), free = point, None
        for place in ((column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1)):
            if self[place] == self[point]:
                return None
            if self[place] == EMPTY:
                if free is not None:
                    return None
                free = Point(*place)
        return free

    def play_hex(self, move: HexMove, cell: int) -> None:
        """Place a stone, or swap; other words change only the turn."""
        if move.point is not None:
            self.place(move.point, cell)
            self.last_move = move.point
        elif move.action == "swap-pieces":
            # All stones change their color, and are mirrored at the long diagonal (hex.html).
            self.swap_colors()

    def play_lines_of_action(self, move: LinesOfActionMove, cell: int) -> None:
        """Move a piece, and capture the one of the other color at its end."""
        if not move.points:
            return
        start, end = move.points
        self.captures[cell - 1] += self[end] == 3 - cell
        self._move(start, end, cell)

    def play_amazons(self, move: AmazonsMove, cell: int) -> None:
        """Move an amazon, and shoot its arrow."""
        self._move(move.start, move.end, cell)
        self.place(move.arrow, ARROW)

    def _move(self, start: Point, end: Point, cell: int) -> None:
        self.place(start, EMPTY)
        self.place(end, cell)
        self.last_move = end


_MOVES: dict[int, type[Any]] = {
    GO: Move,
    HEX: HexMove,
    LINES_OF_ACTION: LinesOfActionMove,
    AMAZONS: AmazonsMove,
}
_PLAY: dict[type, Any] = {
    Move: Execution.play_go,
    HexMove: Execution.play_hex,
    LinesOfActionMove: Execution.play_lines_of_action,
    AmazonsMove: Execution.play_amazons,
}
