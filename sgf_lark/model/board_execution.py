"""Executing the nodes of a path on a board: setup, moves, PL and MN.

Go as go.html specifies it, Hex with the swap of pieces, Lines of Action and Amazons. As in the
specification every move that can be read is executed (sgf4, B); what cannot be read, and points
outside the board, are passed over.
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
from sgf_lark.model.readable_values import first_value, rectangles_on_board
from sgf_lark.model.turns import has_handicap, turn_after_move
from sgf_lark.model.values import AmazonsMove, Color, HexMove, LinesOfActionMove, Move, Point

if TYPE_CHECKING:
    from sgf_lark.model.board_value import Board
    from sgf_lark.model.node import Node
    from sgf_lark.model.property import Property

#: What setup properties put on their points.
PLACED = {**SET_UP, "AA": ARROW}

#: The properties that a board depends on, besides those of the root that set up the game.
EXECUTED = frozenset({*PLAYED, *PLACED, "PL", "MN"})
#: The properties of a root that decide on the board, on how it is read and on who begins.
OF_ROOT = frozenset({"GM", "FF", "SZ", "SU", "HA"})


class Execution:
    """A position while moves and nodes are executed; :meth:`result` gives it as a value."""

    def __init__(self, board: Board) -> None:
        self._type = type(board)
        self.board = MutableBoard(board.columns, board.rows)
        self.board.keep_history = False
        self.game = board.game
        self._class: type[Any] = _MOVES[board.game]
        self._execute_move = _PLAY[self._class]
        self.load(board)

    def load(self, board: Board) -> None:
        """Continue from `board`, which has the same game and size."""
        self.board.restore(board._cells)
        self.to_play = board.to_play
        self.ko = board.ko
        self.captures = [*board._captures]
        self.last_move = board.last_move
        self.move_number = board.move_number
        self.turn_is_known = board._turn_is_known

    def result(self) -> Board:
        """The position as it is now."""
        board = self.board
        return self._type(
            self.game,
            board.columns,
            board.rows,
            board.snapshot(),
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
            if not self.is_on_board(point):
                columns, rows = self.board.columns, self.board.rows
                raise IndexError(f"{tuple(point)} is not on the board of {columns} by {rows}")
        self.play(move, CELLS[color])
        return self.result()

    # Nodes

    def execute(self, node: Node) -> None:
        """Execute a node: setup, then moves, then PL and MN, which override what moves imply."""
        later: list[Property] = []
        for entry in node.properties:
            ident = entry.ident
            if ident in PLACED:
                self.set_up(entry)
            elif ident in EXECUTED:
                later.append(entry)
        has_move = False
        for entry in later:
            if entry.ident in PLAYED:
                self.play(first_value(entry), PLAYED[entry.ident])
                has_move = True
        for entry in later:
            value = first_value(entry)
            if entry.ident == "PL" and isinstance(value, Color):
                self._give_turn(value)
            elif entry.ident == "MN" and isinstance(value, int) and has_move:
                self.move_number = value

    def _give_turn(self, color: Color) -> None:
        if color is not self.to_play:
            self.ko = None
        self.to_play, self.turn_is_known = color, True

    def set_up(self, entry: Property) -> None:
        """Execute a setup property; nothing is captured (sgf4, AB, AW, AE)."""
        cell = PLACED[entry.ident]
        for first, last in rectangles_on_board(entry, self.board.columns, self.board.rows):
            self.board.fill(first, last, cell)
        self.last_move = self.ko = None
        if entry.ident == "AB" and not self.turn_is_known and has_handicap(entry.tree):
            self.to_play = Color.WHITE

    # Moves

    def play(self, move: Any, cell: int) -> None:
        """Execute a move of the color with that cell value.

        What is no move changes only the number of the move and whose turn it is.
        """
        self.move_number += 1
        self.to_play, self.turn_is_known = turn_after_move(COLORS[cell], move), True
        self.last_move = self.ko = None
        if not isinstance(move, self._class):
            return
        for point in move.points:
            if not self.is_on_board(point):
                return
        self._execute_move(self, move, cell)

    def play_go(self, move: Move, cell: int) -> None:
        """Place a stone, and take what it captures off the board."""
        point = move.point
        if point is None:
            return
        board = self.board
        taken = board.play(point, cell)
        is_suicide = taken and board[point] != cell
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
        column, row = point
        board, free = self.board, None
        around = ((column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1))
        for place in around:
            if not self.is_on_board(place):
                continue
            if board[place] == board[point]:
                return None
            if board[place] == EMPTY:
                if free is not None:
                    return None
                free = Point(*place)
        return free

    def play_hex(self, move: HexMove, cell: int) -> None:
        """Place a stone, or swap; other words change only the turn."""
        if move.point is not None:
            self.board.place(move.point, cell)
            self.last_move = move.point
        elif move.action == "swap-pieces":
            # All stones change their color, and are mirrored at the long diagonal (hex.html).
            self.board.swap_colors()

    def play_lines_of_action(self, move: LinesOfActionMove, cell: int) -> None:
        """Move a piece, and capture the one of the other color at its end."""
        if not move.points:
            return
        start, end = move.points
        self.captures[cell - 1] += self.board[end] == 3 - cell
        self._move(start, end, cell)

    def play_amazons(self, move: AmazonsMove, cell: int) -> None:
        """Move an amazon, and shoot its arrow."""
        self._move(move.start, move.end, cell)
        self.board.place(move.arrow, ARROW)

    def _move(self, start: Point, end: Point, cell: int) -> None:
        self.board.place(start, EMPTY)
        self.board.place(end, cell)
        self.last_move = end

    def is_on_board(self, point: tuple[int, int]) -> bool:
        """Whether a point is on the board."""
        column, row = point
        return 0 <= column < self.board.columns and 0 <= row < self.board.rows


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
