"""The position on the board of Go along a walk through a game tree."""

from __future__ import annotations

from collections.abc import Callable

from sgf_lark.model.board import GO, PLAYED, SET_UP, MutableBoard, point_of
from sgf_lark.model.board_execution import execute, execute_properties, execute_property
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, first_value
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context, Point

#: Applies a node to a board.
Execute = Callable[[Node, MutableBoard], None]


def has_board(context: Context) -> bool:
    """Whether positions are followed in trees of that context: those of Go."""
    return context.game == GO and context.size is not None


#: The properties that play a move or set up stones.
CHANGING = frozenset({*PLAYED, *SET_UP})


def changes_of_board(node: Node) -> list[Property]:
    """The moves of a node and the properties that set up stones, in the order of the file."""
    return [entry for entry in node.properties if entry.ident in CHANGING]


def is_certain(entry: Property) -> bool:
    """Whether the property is one move, or setup of stones, all of whose points are known."""
    definition, reader, raws = entry.definition, entry.tree.reader, entry.raw
    if definition is None:
        return False
    if entry.ident in SET_UP:
        return all(reader.area(definition, raw) is not None for raw in raws)
    return entry.ident in PLAYED and len(raws) == 1 and reader.matches("move", raws[0])


class BoardWalk:
    """The board along a walk through the parsed nodes of a tree in pre-order.

    One board serves the whole tree: changes are undone where a variation begins. `board` is
    None for games other than Go. `execute` applies a node.
    """

    def __init__(self, tree: GameTree, execute: Execute = execute) -> None:
        self.tree = tree
        self.board = MutableBoard(*tree.size) if tree.size and has_board(tree.context) else None
        self._execute = execute
        parent = tree.flat.parent
        # The first node of each variation, and the node that it follows.
        self._variations = {each: parent[each] for each in tree.flat.variations_of(tree.numbers)}
        self._branching = {*self._variations.values()}
        # Branching nodes on the current path, with the length of the history after them.
        self._branches: list[tuple[int, int]] = []

    def enter(self, number: int) -> None:
        """Set up the position before the node of that number."""
        above = self._variations.get(number)
        if self.board is None or above is None:
            return
        while self._branches[-1][0] != above:
            self._branches.pop()
        self.board.undo_to(self._branches[-1][1])

    def leave(self, node: Node) -> None:
        """Execute the node, which was entered last."""
        if self.board is not None and node.number is not None:
            self._execute(node, self.board)
            self.keep(node.number, self.board)

    def keep(self, number: int, board: MutableBoard) -> None:
        """Keep the position after the node of that number, which the board has, for variations."""
        if number in self._branching:
            self._branches.append((number, board.mark()))
        board.keep_history = bool(self._branches)


class Positions:
    """The positions before nodes of a tree; it takes linear time to ask for them in pre-order.

    They are known up to the first node with a move or setup that programs may read differently.
    In each node setup is executed first, or all `in_order` of the file.
    """

    def __init__(self, tree: GameTree, *, in_order: bool = False) -> None:
        self.tree = tree
        self._in_order = in_order
        self._restart()

    def _restart(self) -> None:
        self._walk, self._next = BoardWalk(self.tree), self.tree.numbers[0]
        #: Whether the position depends on the order in which programs execute a node.
        self.depends_on_order = False

    def before(self, number: int) -> MutableBoard | None:
        """A new board with the position before the parsed node of that number.

        None if it is not known, and for games other than Go.
        """
        if number < self._next:
            self._restart()
        board = self._walk.board
        if board is None:
            return None
        while self._next < number:
            self._walk.enter(self._next)
            if not self._execute(self._next, board):
                return None
            self._walk.keep(self._next, board)
            self._next += 1
        self._walk.enter(number)
        return copied(board)

    def _execute(self, number: int, board: MutableBoard) -> bool:
        """Execute a node, if programs cannot read its moves and setup differently: whether it was
        executed."""
        flat, reader = self.tree.flat, self.tree.reader
        found = [(prop, each) for prop, each in flat.idents(number) if each in CHANGING]
        if len(found) == 1 and found[0][1] in PLAYED:  # as in most nodes
            prop, ident = found[0]
            raw = flat.only_value(prop)
            if raw is None or not reader.matches("move", raw):
                return False
            board.move(reader.read_single(ident, raw), PLAYED[ident])
            return True
        changes = changes_of_board(Node(self.tree, number)) if found else []
        if not all(map(is_certain, changes)):
            return False
        other = copied(board) if len(changes) > 1 and not self._in_order else board
        for entry in changes:
            execute_property(entry, other)
        if other is not board:
            execute_properties(changes, board)
            self.depends_on_order |= other.snapshot() != board.snapshot()
        return True


def copied(board: MutableBoard) -> MutableBoard:
    """A new board with the same position, without history."""
    found = MutableBoard(board.columns, board.rows)
    found.restore(board.snapshot())
    found.keep_history = False
    return found


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
    """The point of a move of Go; None for a pass and for what is not a move on the board."""
    return point_of(first_value(entry), entry.tree.size) if entry.ident in PLAYED else None
