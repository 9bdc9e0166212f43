"""What the path to a node determines: inherited values, move numbers, whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sgf_lark.grammar import PropertyType
from sgf_lark.model.new_values import write_values
from sgf_lark.model.readable_values import first_value
from sgf_lark.model.values import Color, HexMove, Move

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

_GO = 1

#: With this many handicap stones White moves first (go.html, HA).
_LEAST_HANDICAP = 2

#: The types of properties that hold for all nodes below.
_OF_ALL_BELOW = (PropertyType.ROOT, PropertyType.GAME_INFO)


def inherited(node: Node, ident: str, default: Any) -> Any:
    """The value of a property that holds in a node; see :meth:`Node.inherited`."""
    definition = node.tree.define(ident)
    if definition is None or not (definition.inherit or definition.type in _OF_ALL_BELOW):
        raise ValueError(
            f"{ident} concerns only the node that has it; inherited are PM, DD and VW, "
            "root properties and game information"
        )
    current: Node | None = node
    while current is not None:
        if ident in current:
            return current[ident]
        current = current.parent
    return default


def turn_after(node: Node) -> Color:
    """Whose turn it is after a node; the rule is that of :meth:`Node.play`."""
    current: Node | None = node
    has_stones = False
    while current is not None:
        named = _value(current, "PL")
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
    handicap = _value(tree.root, "HA") if tree.game == _GO else None
    return isinstance(handicap, int) and handicap >= _LEAST_HANDICAP


def _value(node: Node, ident: str) -> Any:
    """The value of a property; None where it is missing or does not follow its type."""
    found = node.find(ident)
    return None if found is None else first_value(found)


def move_number(node: Node) -> int:
    """The number of the last move up to a node; see :attr:`Node.move_number`."""
    count = 0
    current: Node | None = node
    while current is not None:
        moves = current.moves()
        number = _value(current, "MN") if moves else None
        if number is not None:
            return int(number) + count
        count += len(moves)
        current = current.parent
    return count


def played(node: Node, move: Any, color: str | None) -> Node:
    """The child with a move, which may be new; see :meth:`Node.play`."""
    ident = str(_color(color) if color is not None else turn_after(node))
    (raws,) = write_values(node.tree, {ident: _as_value(node.tree, move)}).values()
    wanted = node.tree.reader.read_all(node.tree.define(ident), raws)
    for child in node.children:
        if child.color == ident and _value(child, ident) == wanted:
            return child
    return node.add_child({ident: wanted})


def _color(color: str) -> Color:
    try:
        return Color(color)
    except ValueError:
        raise ValueError(
            f"color is {color!r}; expected 'B', 'W', Color.BLACK or Color.WHITE"
        ) from None


def _as_value(tree: GameTree, move: Any) -> Any:
    """A move as the property takes it: None is a pass in Go, and in Hex the word for one."""
    if move is not None:
        return move
    match tree.reader.rule("move"):
        case "go_move":
            return Move(None)
        case "hex_move":
            return HexMove(action="pass")
        case _:
            raise ValueError(f"SGF has no pass in {tree.game_definition.name}")
