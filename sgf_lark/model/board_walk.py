"""The position on the board of Go along a walk through a game tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sgf_lark.model.board import Board, Mark, point_of
from sgf_lark.model.cells import EXECUTED, PLAYED, SET_UP
from sgf_lark.model.context import GO
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, first_value
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context, Point


def has_board(context: Context) -> bool:
    """Whether positions are followed in trees of that context: those of Go."""
    return context.game == GO and context.size is not None


#: The properties that play a move or set up stones.
CHANGING = frozenset({*PLAYED, *SET_UP})


def changes_of_board(node: Node) -> list[Property]:
    """The moves of a node and the properties that set up stones, in the order of the file."""
    return node.select(*CHANGING)


def is_certain(entry: Property) -> bool:
    """Whether the property is one move, or setup of stones, all of whose points are known."""
    definition, reader, raws = entry.definition, entry.tree.parsed.reader, entry.raw
    if definition is None:
        return False
    if entry.ident in SET_UP:
        return all(reader.area(definition, raw) is not None for raw in raws)
    return entry.ident in PLAYED and len(raws) == 1 and reader.matches("move", raws[0])


def walk(
    tree: GameTree, execute: Callable[[Node, Board], None] | None = None
) -> Iterator[tuple[Node, Board | None]]:
    """The parsed nodes of a tree in pre-order, each with the board before it.

    One board serves the whole tree: it changes when the next node is asked for, and changes are
    undone where a variation begins. It is None for games other than Go. `execute` takes the place
    of :meth:`Board.execute`.
    """
    if tree.size is None or not has_board(tree.parsed.context):
        yield from ((Node(tree, number), None) for number in tree.parsed.numbers)
        return
    board, parent = Board(*tree.size), tree.parsed.flat.parent
    # The first node of each variation, and the node that it follows.
    variations = {
        each: parent[each] for each in tree.parsed.flat.variations_of(tree.parsed.numbers)
    }
    branching = {*variations.values()}
    # Branching nodes on the current path, with the position after them.
    branches: list[tuple[int, Mark]] = []
    for number in tree.parsed.numbers:
        above = variations.get(number)
        if above is not None:
            while branches[-1][0] != above:
                branches.pop()
            board.undo_to(branches[-1][1])
        node = Node(tree, number)
        yield node, board
        if execute is None:
            board.execute(node.select(*EXECUTED))
        else:
            execute(node, board)
        if number in branching:
            branches.append((number, board.mark()))


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
        self._walk = walk(self.tree, self._execute)
        #: Whether all nodes until now could be executed.
        self._is_known = True
        #: Whether the position depends on the order in which programs execute a node.
        self.depends_on_order = False
        self._node, self._board = next(self._walk)

    def before(self, number: int) -> Board | None:
        """A new board with the position before the parsed node of that number.

        None if it is not known, and for games other than Go.
        """
        if number < self._node.number:
            self._restart()
        if self._board is None:
            return None
        while self._is_known and self._node.number != number:
            self._node, self._board = next(self._walk)
        return self._board.copy() if self._is_known and self._board is not None else None

    def _execute(self, node: Node, board: Board) -> None:
        """Execute a node, if programs cannot read its moves and setup differently."""
        flat, reader = self.tree.parsed.flat, self.tree.parsed.reader
        found = [(prop, each) for prop, each in flat.idents(node.number) if each in CHANGING]
        if len(found) == 1 and found[0][1] in PLAYED:  # as in most nodes
            prop, ident = found[0]
            raw = flat.only_value(prop)
            self._is_known = raw is not None and reader.matches("move", raw)
            if raw is not None and self._is_known:
                board.execute_move(reader.read_single(ident, raw), PLAYED[ident])
            return
        changes = changes_of_board(node) if found else []
        self._is_known = all(map(is_certain, changes))
        if not self._is_known:
            return
        if len(changes) > 1 and not self._in_order:
            other = board.copy()
            for entry in changes:
                other.execute([entry])
            board.execute(changes)
            self.depends_on_order |= other.cells != board.cells
        else:
            for entry in changes:
                board.execute([entry])


def mover_before(node: Node) -> str:
    """B or W, whichever moved last on the way to a parsed node; "" where there was no move
    since the last setup."""
    tree = node.tree
    number = tree.parsed.flat.parent[node.number]
    without_move: list[int] = []
    found = ""
    while number >= tree.parsed.numbers[0]:
        known = tree.parsed.last_movers.get(number)
        if known is None:
            known = _mover_in(Node(tree, number))
        if known is not None:
            found = tree.parsed.last_movers[number] = known
            break
        without_move.append(number)
        number = tree.parsed.flat.parent[number]
    # So that no part of the way is searched twice.
    tree.parsed.last_movers.update(dict.fromkeys(without_move, found))
    return found


def is_out_of_turn(node: Node) -> bool:
    """Whether the first move of a parsed node is of the color that moved last before it."""
    moves = node.moves()
    return bool(moves) and moves[0].ident == mover_before(node)


def is_next_move(node: Node, ident: str, *, is_in_own_node: bool) -> bool:
    """Whether a move of that color that is missing in a node is the next one: before and after it
    is none of its color. If it does not begin a node of its own, the node has no other."""
    moves = node.moves()
    if moves and not is_in_own_node:
        return False
    mover = moves[-1].ident if moves else mover_before(node)
    following = node.children[0].moves() if node.children else []
    return ident not in (mover, *(each.ident for each in following[:1]))


def _mover_in(node: Node) -> str | None:
    """Who moved last in a node; "" where it only has setup, None where it has neither."""
    moves = node.moves()
    if moves:
        return moves[-1].ident
    return "" if node.select(type="setup") else None


def played_point(entry: Property) -> Point | None:
    """The point of a move of Go; None for a pass and for what is not a move on the board."""
    return point_of(first_value(entry), entry.tree.size) if entry.ident in PLAYED else None
