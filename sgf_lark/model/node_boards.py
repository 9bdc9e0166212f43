"""The boards after the nodes of a tree, each derived from that of its parent.

A walk through a tree, in whatever order that goes from parents to children, takes linear time:
the boards of the latest nodes are kept, and one after every :data:`_SPACING` values on a path, so
that a walk that returns to a node far above executes at most that many values again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.model.board import Board, BoardError
from sgf_lark.model.cells import BLACK, EXECUTED, PLACED, WHITE
from sgf_lark.model.context import AMAZONS, LINES_OF_ACTION
from sgf_lark.model.property import value_in
from sgf_lark.model.values import Color

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.property import Property
    from sgf_lark.model.tree import GameTree

#: The properties of a root that decide on the board, on how it is read and on who begins.
_OF_ROOT = frozenset({"GM", "FF", "SZ", "SU", "HA"})

#: The boards of at most this many nodes are kept because they were asked for lately.
_RECENT = 64
#: The number of values on a path, and at least of nodes, from one board that is kept for longer
#: to the next.
_SPACING = 32
#: The memory for those boards, in bytes. When it is used up, every other board is dropped.
_MOST_BYTES = 4_000_000

#: Amazons: the start position on a board of 10 by 10 (amazons.html).
_AMAZONS_START = {Color.BLACK: ("dj", "gj", "ag", "jg"), Color.WHITE: ("da", "ga", "ad", "jd")}
_AMAZONS_SIZE = (10, 10)


class _Kept(NamedTuple):
    """The board after a node, which is kept, too, so that no other node gets the same `id`."""

    node: Node
    board: Board
    #: The number of values since the last board on the path that is kept for longer.
    distance: int


class NodeBoards:
    """The boards of a tree; it has to be informed of edits by :meth:`change` or :meth:`forget`."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self._clear()

    def _clear(self) -> None:
        self._start: _Kept | None = None
        #: By the `id` of the node, the latest one at the end.
        self._recent: dict[int, _Kept] = {}
        self._spaced: dict[int, _Kept] = {}

    def after(self, node: Node) -> Board:
        """A new board with the position after a node; raises BoardError where the game has none."""
        if self._start is None:
            self._start = _Kept(self.tree.root, start(self.tree), 0)
        path: list[Node] = []
        above: Node | None = node
        kept = self._find(node)
        while kept is None and above is not None:
            path.append(above)
            above = above.parent
            kept = self._start if above is None else self._find(above)
        assert kept is not None
        for step in reversed(path):
            kept = self._execute(step, kept)
        return kept.board.copy()

    def _find(self, node: Node) -> _Kept | None:
        key = id(node)
        return self._recent.get(key) or self._spaced.get(key)

    def _execute(self, node: Node, above: _Kept) -> _Kept:
        """Execute a node on the board after its parent, and keep the result: for longer if the last
        such board is far above it on the path."""
        board = above.board.copy()
        entries = node.select(*EXECUTED)
        board.execute(entries)
        distance = above.distance + max(1, sum([entry.count for entry in entries]))
        if distance < _SPACING or not node.children:
            kept = self._recent[id(node)] = _Kept(node, board, distance)
            if len(self._recent) > _RECENT:
                del self._recent[next(iter(self._recent))]
            return kept
        kept = self._spaced[id(node)] = _Kept(node, board, 0)
        if len(self._spaced) > max(_RECENT, _MOST_BYTES // len(board)):
            for key in list(self._spaced)[:-1:2]:
                del self._spaced[key]
        return kept

    # Edits

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
        if node is not None and not node.children and node.parent is not None:
            self._recent.pop(id(node), None)
            self._spaced.pop(id(node), None)
            return
        self._clear()


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
