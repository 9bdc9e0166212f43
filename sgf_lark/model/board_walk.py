"""The positions on the board in a game tree: of all nodes in a walk, or of one node at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from sgf_lark.model.board import Board, BoardError, Mark, point_of
from sgf_lark.model.cells import BLACK, EXECUTED, PLACED, PLAYED, SET_UP, WHITE
from sgf_lark.model.context import AMAZONS, GO, LINES_OF_ACTION
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, first_value, value_in
from sgf_lark.model.values import Color, Context, Point

if TYPE_CHECKING:
    from sgf_lark.model.tree import GameTree


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


def execute(node: Node, board: Board) -> int:
    """Execute a node on the board before it, as :meth:`Board.execute` does; the number of values
    that were executed."""
    only = _only_move(node)
    if only is not None:
        board.execute_move(*only)
        return 1
    entries = node.select(*EXECUTED)
    board.execute(entries)
    return sum([entry.count for entry in entries])


def _only_move(node: Node) -> tuple[Any, int] | None:
    """The move of a node, and its color as a cell, if it is the one thing in the node that changes
    the board, as in most nodes, and can be read; found without an object for the property."""
    found = node.tree._store.only(node.number, EXECUTED)
    if found is None or found[0] not in PLAYED:
        return None
    ident, raw = found
    try:
        return node.tree.parsed.reader.read_single(ident, raw), PLAYED[ident]
    except ValueError:
        return None


def walk(
    tree: GameTree, execute: Callable[[Node, Board], object] = execute
) -> Iterator[tuple[Node, Board | None]]:
    """The parsed nodes of a tree in pre-order, each with the board before it.

    One board serves the whole tree: it changes when the next node is asked for, and changes are
    undone where a variation begins. It is None for games other than Go.
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
        execute(node, board)
        if number in branching:
            branches.append((number, board.mark()))


class Positions:
    """The positions before nodes of a tree; it takes linear time to ask for them in pre-order. Of
    the boards only the cells are meant: whose turn it is, ko and captures are not followed.

    They are known up to the first node that programs may read differently: because a move or setup
    may be none, or because it makes a difference whether setup comes first, as some execute it, or
    the order of the file counts.
    """

    def __init__(self, tree: GameTree) -> None:
        self._tree = tree
        self._restart()

    def _restart(self) -> None:
        self._walk = walk(self._tree, self._execute)
        #: Whether all nodes until now could be executed.
        self._is_known = True
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
        only = _only_move(node)
        if only is not None:
            move, cell = only
            point = point_of(move, board.size)
            if point is not None:
                board.add_stone(point, cell)
            return
        changes = changes_of_board(node)
        self._is_known = all(map(is_certain, changes))
        if not self._is_known:
            return
        other = board.copy() if len(changes) > 1 else None
        board.execute(changes)
        if other is not None:
            for entry in changes:
                other.execute([entry])
            self._is_known = other.cells == board.cells


#: The boards of at most this many nodes are kept because they were asked for lately.
_RECENT = 64
#: The number of values on a path, and at least of nodes, from one board that is kept for longer
#: to the next.
_SPACING = 32
#: The memory for those boards, in bytes. When it is used up, every other board is dropped.
_MOST_BYTES = 4_000_000
#: The properties of a root that decide on the board, on how it is read and on who begins.
_OF_ROOT = frozenset({"GM", "FF", "SZ", "SU", "HA"})


class NodeBoards:
    """The boards after the nodes of a tree, in any game, each derived from that of its parent.

    A walk through the tree, in whatever order that goes from parents to children, takes linear
    time: the boards of the latest nodes are kept, and one after every :data:`_SPACING` values on a
    path, so that a walk that returns to a node far above executes at most that many values again.

    It has to be informed of edits by :meth:`change` or :meth:`forget`.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        # By the number of the node, the latest one at the end: the board after it, and the number
        # of values since the last board on the path that is kept for longer.
        self._recent: dict[int, tuple[Board, int]] = {}
        #: They begin with the board before the root, whose number is that of its parent, -1.
        self._spaced: dict[int, tuple[Board, int]] = {}

    def after(self, node: Node) -> Board:
        """A new board with the position after a node; raises BoardError where the game has none."""
        if not self._spaced:
            self._spaced[-1] = start(self.tree), 0
        path: list[int] = []
        number = node.number
        while (kept := self._recent.get(number) or self._spaced.get(number)) is None:
            path.append(number)
            number = self.tree._store.parent(number)
        for step in reversed(path):
            kept = self._execute(step, *kept)
        return kept[0].copy()

    def _execute(self, number: int, above: Board, distance: int) -> tuple[Board, int]:
        """Execute a node on the board after its parent, and keep the result: for longer if the last
        such board is far above it on the path."""
        board = above.copy()
        distance += max(1, execute(Node(self.tree, number), board))
        if distance < _SPACING or not self.tree._store.children(number):
            kept = self._recent[number] = board, distance
            if len(self._recent) > _RECENT:
                del self._recent[next(iter(self._recent))]
            return kept
        kept = self._spaced[number] = board, 0
        if len(self._spaced) > max(_RECENT, _MOST_BYTES // len(board)):
            for each in [*self._spaced][1:-1:2]:
                del self._spaced[each]
        return kept

    def change(self, node: Node, before: list[Property], after: list[Property]) -> None:
        """Forget the boards that differ when `node` has other properties than before."""
        relevant = EXECUTED | _OF_ROOT if node.parent is None else EXECUTED
        old, new = (
            [(entry.ident, entry.raw) for entry in entries if entry.ident in relevant]
            for entries in (before, after)
        )
        if old != new:
            self.forget(node)

    def forget(self, node: Node | None = None) -> None:
        """Forget the board of a node and of all that follow, or of the whole tree."""
        for kept in (self._recent, self._spaced):
            if node is not None and not node.children and node.parent is not None:
                kept.pop(node.number, None)
            else:
                kept.clear()


#: Amazons: the start position on a board of 10 by 10 (amazons.html).
_AMAZONS_START = {Color.BLACK: ("dj", "gj", "ag", "jg"), Color.WHITE: ("da", "ga", "ad", "jd")}
_AMAZONS_SIZE = (10, 10)


def start(tree: GameTree) -> Board:
    """The board before the root of a tree; raises BoardError if it has none."""
    board = Board.empty(tree.size, game=tree.game)
    if board.game == LINES_OF_ACTION:
        _set_up_lines_of_action(board, value_in(tree.root, "SU"))
    is_set_up = any(ident in tree.root for ident in PLACED)
    if board.game == AMAZONS and board.size == _AMAZONS_SIZE and not is_set_up:
        for color, points in _AMAZONS_START.items():
            board.set_up(points, color)
    return board


def _set_up_lines_of_action(board: Board, name: object) -> None:
    """Set up the start position that SU names; the standard one is the default.

    Black is on the lower and the upper edge, White on the left and the right one.
    """
    folded = name.casefold() if isinstance(name, str) else "standard"
    if folded == "custom":
        return
    if folded != "standard":
        raise BoardError(f"the start position SU[{name}] is not known: only Standard and Custom")
    for point in board:
        on_side = point.column in (0, board.columns - 1)
        on_edge = point.row in (0, board.rows - 1)
        if on_side != on_edge:
            board.put(point, BLACK if on_edge else WHITE)


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
