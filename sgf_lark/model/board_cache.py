"""The boards of the nodes of a tree, each derived from that of its parent.

A walk through a tree, in whatever order that goes from parents to children, takes linear time:
the boards of the latest nodes are kept, and one after every :data:`_SPACING` values on a path, so
that a walk that returns to a node far above executes at most that many values again. Boards never
change, so that whoever has one may keep it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sgf_lark.model.board_execution import EXECUTED, OF_ROOT, Execution
from sgf_lark.model.board_value import Board, start

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.property import Property
    from sgf_lark.model.tree import GameTree

#: The boards of at most this many nodes are kept because they were asked for lately.
_RECENT = 64
#: The number of values on a path, and at least of nodes, from one board that is kept for longer
#: to the next.
_SPACING = 32
#: The memory for those boards, in bytes. When it is used up, every other board is dropped.
_MOST_BYTES = 4_000_000


class _Kept:
    """A board that is kept for its node."""

    __slots__ = ("board", "distance", "node")

    def __init__(self, node: Node, board: Board, distance: int) -> None:
        #: Kept so that no other node gets the same `id`.
        self.node = node
        self.board = board
        #: The number of values since the last board on the path that is kept for longer.
        self.distance = distance


class BoardCache:
    """The boards of a tree; it has to be informed of edits by :meth:`forget`."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self._clear()

    def _clear(self) -> None:
        #: By the `id` of the node, the latest one at the end.
        self._recent: dict[int, _Kept] = {}
        self._spaced: dict[int, _Kept] = {}
        self._start: _Kept | None = None
        self._execution: Execution | None = None
        #: The board that the execution has arrived at.
        self._present: Board | None = None

    def after(self, node: Node) -> Board:
        """The board after a node; raises BoardError where the game has none."""
        found = self._find(node)
        if found is not None:
            return found.board
        parent = node.parent
        above = self._first() if parent is None else self._find(parent) or self._replay(parent)
        return self._execute(node, above).board

    def _replay(self, node: Node) -> _Kept:
        """The board after a node, from the nearest one above that is kept."""
        first = self._first()  # for a game without a board it raises before the walk to the root
        path = [node]
        above = None
        parent = node.parent
        while parent is not None and above is None:
            above = self._find(parent)
            if above is None:
                path.append(parent)
                parent = parent.parent
        kept = first if above is None else above
        for step in reversed(path):
            kept = self._execute(step, kept)
        return kept

    def _execute(self, node: Node, above: _Kept) -> _Kept:
        """Execute a node on the board after its parent, and keep the board."""
        execution = self._execution
        if execution is None:
            execution = self._execution = Execution(above.board)
        elif above.board is not self._present:
            execution.load(above.board)
        # If a node cannot be executed to its end, the board is loaded again.
        self._present = None
        entries = node.properties
        execution.execute(node, entries)
        values = sum([entry.count for entry in entries])
        kept = _Kept(node, execution.result(), above.distance + max(1, values))
        self._present = kept.board
        self._keep(kept)
        return kept

    def _find(self, node: Node) -> _Kept | None:
        key = id(node)
        return self._recent.get(key) or self._spaced.get(key)

    def _first(self) -> _Kept:
        """The board before the root."""
        if self._start is None:
            self._start = _Kept(self.tree.root, start(self.tree), 0)
        return self._start

    def _keep(self, kept: _Kept) -> None:
        """Keep a board, for longer if the last such board is far above it on the path."""
        if kept.distance >= _SPACING and not kept.node.is_leaf:
            kept.distance = 0
            spaced = self._spaced
            if len(spaced) >= max(_RECENT, _MOST_BYTES // len(kept.board._cells)):
                for key in list(spaced)[::2]:
                    del spaced[key]
            spaced[id(kept.node)] = kept
            return
        recent = self._recent
        if len(recent) >= _RECENT:
            del recent[next(iter(recent))]
        recent[id(kept.node)] = kept

    # Edits

    def change(self, node: Node, before: list[Property], after: list[Property]) -> None:
        """Forget the boards that differ when `node` has other properties than before."""
        relevant = EXECUTED | OF_ROOT if node.parent is None else EXECUTED
        old, new = (
            [(entry.ident, entry.raw) for entry in entries if entry.ident in relevant]
            for entries in (before, after)
        )
        if old != new:
            self.forget(node)

    def forget(self, node: Node | None = None) -> None:
        """Forget the board of a node and of all that follow, or of the whole tree."""
        if node is not None and node.is_leaf and node.parent is not None:
            self._recent.pop(id(node), None)
            self._spaced.pop(id(node), None)
            return
        self._clear()
