"""Rules that need the position on the board (8xx): Go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from sgf_lark.model.board import BLACK, EMPTY, WHITE, Board
from sgf_lark.rules.registry import Finding, PathRule, rule
from sgf_lark.types import Move, Point
from sgf_lark.validation.trees import TreeView
from sgf_lark.validation.views import NodeView, PropertyView

_PLAYED = {"B": BLACK, "W": WHITE}
_SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}


class Stones(Protocol):
    """A board on which rules see what stands where."""

    def __getitem__(self, point: tuple[int, int], /) -> int:
        """EMPTY, BLACK or WHITE at (column, row), 0-based."""


class Position:
    """The board along a walk through the nodes of a Go tree in pre-order.

    One board serves the whole tree: changes are taken back where a variation
    begins. `board` is None for other games.
    """

    def __init__(self, tree: TreeView) -> None:
        size = tree.context.size
        self.tree = tree
        self.board = Board(*size) if size is not None and tree.context.game == 1 else None
        # Branching nodes on the current path, with the history behind them.
        self._branches: list[tuple[int, int]] = []

    def enter(self, number: int) -> None:
        """Go to the position before the node."""
        above = self.tree.flat.parent[number]
        if self.board is None or number == self.tree.first or above == number - 1:
            return
        while self._branches[-1][0] != above:
            self._branches.pop()
        self.board.undo_to(self._branches[-1][1])

    def leave(self, node: NodeView) -> None:
        """Execute the node."""
        if self.board is None:
            return
        execute(node, self.board)
        if self.tree.children[node.number - self.tree.first] > 1:
            self._branches.append((node.number, self.board.mark()))
        self.board.keep_history = bool(self._branches)


def execute(node: NodeView, board: Board) -> None:
    """Set up and play what the node says; what is no point of the board is passed over."""
    for entry in node.properties:
        color = _SET_UP.get(entry.ident)
        if color is not None:
            for _, point in entry.points():
                board.place(point, color)
    for entry in node.moves():
        move = played(entry)
        if move is not None:
            board.play(move, _PLAYED[entry.ident])


def played(entry: PropertyView) -> Point | None:
    """The point that a move is played on; None for a pass and for what is no move."""
    if entry.ident not in _PLAYED:
        return None
    value = next(entry.values())
    if not value.matches("move"):
        return None
    move = entry.tree.reader.read("move", value.raw)
    if not isinstance(move, Move) or move.point is None or not value.on_board(move.point):
        return None
    return move.point


@rule("SGF801", "path", when="board")
def move_on_occupied_point(tree: TreeView) -> PathRule:
    def visit(node: NodeView, board: Stones | None) -> Iterator[Finding]:
        for entry in node.moves() if board is not None else ():
            point = played(entry)
            if point is not None and board is not None and board[point] != EMPTY:
                yield entry.finding(value=entry.raw[0])

    return visit


@rule("SGF802", "path", when="board")
def setup_without_effect(tree: TreeView) -> PathRule:
    """AB on a black stone, AW on a white one, AE on an empty point."""

    def visit(node: NodeView, board: Stones | None) -> Iterator[Finding]:
        for entry in node.of_type("setup"):
            color = _SET_UP.get(entry.ident)
            if color is None or board is None:
                continue
            useless = [point for _, point in entry.points() if board[point] == color]
            if useless:
                points = " ".join(map(str, useless[:5])) + (" …" if len(useless) > 5 else "")
                yield entry.finding(point=points)

    return visit
