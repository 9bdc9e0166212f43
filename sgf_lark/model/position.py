"""The position on the board of Go along a walk through a game tree."""

from __future__ import annotations

from collections.abc import Callable

from sgf_lark.model.board import GO, PLAYED, SET_UP, MutableBoard, point_of
from sgf_lark.model.board_execution import execute, execute_property
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.readable_values import first_value
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context, Point

#: Applies a node to a board.
Execute = Callable[[Node, MutableBoard], None]


def has_board(context: Context) -> bool:
    """Whether positions are followed in trees of that context: those of Go."""
    return context.game == GO and context.size is not None


def execute_in_order(node: Node, board: MutableBoard) -> None:
    """Apply the setup and moves of the node in the order of the file, as some programs do."""
    for entry in node.properties:
        execute_property(entry, board)


def changes_of_board(node: Node) -> list[Property]:
    """The moves of a node and the properties that set up stones, in the order of the file."""
    return [entry for entry in node.properties if entry.ident in PLAYED or entry.ident in SET_UP]


def is_certain(entry: Property) -> bool:
    """Whether the property is one move, or setup of stones, all of whose points are known."""
    values = list(entry.prop_values())
    if entry.ident in SET_UP:
        return all(value.area is not None for value in values)
    return entry.ident in PLAYED and len(values) == 1 and values[0].matches("move")


class BoardWalk:
    """The board along a walk through the parsed nodes of a tree in pre-order.

    One board serves the whole tree: changes are undone where a variation begins. `board` is
    None for games other than Go. `execute` applies a node.
    """

    def __init__(self, tree: GameTree, execute: Execute = execute) -> None:
        self.tree = tree
        self.board = MutableBoard(*tree.size) if tree.size and has_board(tree.context) else None
        self._execute = execute
        # Branching nodes on the current path, with the length of the history after them.
        self._branches: list[tuple[int, int]] = []

    def enter(self, number: int) -> None:
        """Set up the position before the node of that number."""
        above = self.tree.flat.parent[number]
        if self.board is None or number == self.tree.numbers[0] or above == number - 1:
            return
        while self._branches[-1][0] != above:
            self._branches.pop()
        self.board.undo_to(self._branches[-1][1])

    def leave(self, node: Node) -> None:
        """Execute the node, which was entered last."""
        if self.board is None or node.number is None:
            return
        self._execute(node, self.board)
        if len(self.tree.flat.children_of(node.number)) > 1:
            self._branches.append((node.number, self.board.mark()))
        self.board.keep_history = bool(self._branches)


class Positions:
    """The positions before nodes of a tree; it takes linear time to ask for them in pre-order.

    They are known up to the first node with a move or setup that programs may read differently.
    """

    def __init__(self, tree: GameTree, execute: Execute = execute) -> None:
        self.tree = tree
        self._execute = execute
        self._walk = BoardWalk(tree, execute)
        self._next = tree.numbers[0]
        self._is_known = True
        #: Whether the position depends on the order in which programs execute a node.
        self.depends_on_order = False

    def before(self, number: int) -> MutableBoard | None:
        """A new board with the position before the parsed node of that number.

        None if it is not known, and for games other than Go.
        """
        if number < self._next:
            self._walk, self._next = BoardWalk(self.tree, self._execute), self.tree.numbers[0]
            self._is_known, self.depends_on_order = True, False
        walk = self._walk
        if walk.board is None:
            return None
        for each in range(self._next, number):
            node = Node(self.tree, each)
            changes = changes_of_board(node)
            self._is_known = self._is_known and all(map(is_certain, changes))
            if not self._is_known:
                return None
            if len({entry.ident in PLAYED for entry in changes}) > 1:
                self.depends_on_order = True
            walk.enter(each)
            walk.leave(node)
        self._next = number
        walk.enter(number)
        board = MutableBoard(walk.board.columns, walk.board.rows)
        board.restore(walk.board.snapshot())
        board.keep_history = False
        return board


def mover_before(node: Node) -> str:
    """B or W, whichever moved last on the way to a parsed node; "" where there was no move
    since the last setup."""
    tree = node.tree
    assert node.number is not None
    number = tree.flat.parent[node.number]
    without_move: list[int] = []
    found = ""
    while number >= tree.numbers[0]:
        known = tree._last_movers.get(number)
        if known is None:
            known = _mover_in(Node(tree, number))
        if known is not None:
            found = tree._last_movers[number] = known
            break
        without_move.append(number)
        number = tree.flat.parent[number]
    # So that no part of the way is searched twice.
    tree._last_movers.update(dict.fromkeys(without_move, found))
    return found


def _mover_in(node: Node) -> str | None:
    """Who moved last in a node; "" where it only has setup, None where it has neither."""
    moves = node.moves()
    if moves:
        return moves[-1].ident
    return "" if node.of_type("setup") else None


def played_point(entry: Property) -> Point | None:
    """The point of a move of Go; None for a pass and for what is no move on the board."""
    return point_of(first_value(entry), entry.tree.size) if entry.ident in PLAYED else None
