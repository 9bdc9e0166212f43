"""Whose turn it is: by the last move, by PL, and by handicap stones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sgf_lark.model.context import GO
from sgf_lark.model.property import first_value, value_in
from sgf_lark.model.values import Color, HexMove

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

#: With this many handicap stones White moves first (go.html, HA).
_LEAST_HANDICAP = 2


def turn_after(node: Node) -> Color:
    """Whose turn it is after a node; the rule is that of :meth:`Node.play`."""
    current: Node | None = node
    has_stones = False
    while current is not None:
        named = value_in(current, "PL")
        if named is not None:
            return Color(named)
        moves = current.moves()
        if moves:
            return turn_after_move(Color(moves[-1].ident), first_value(moves[-1]))
        has_stones = has_stones or "AB" in current
        current = current.parent
    return Color.WHITE if has_stones and has_handicap(node.tree) else Color.BLACK


def turn_after_move(color: Color, move: Any) -> Color:
    """Whose turn it is after a move of that color."""
    # The players exchange the colors, so that the same color plays on (hex.html).
    plays_on = isinstance(move, HexMove) and move.action == "swap-sides"
    return color if plays_on else color.opponent


def has_handicap(tree: GameTree) -> bool:
    """Whether White moves first once handicap stones are set up (go.html, HA)."""
    handicap = value_in(tree.root, "HA") if tree.game == GO else None
    return isinstance(handicap, int) and handicap >= _LEAST_HANDICAP
