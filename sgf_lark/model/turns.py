"""What the path to a node determines: inherited values, move numbers, whose turn it is."""

from __future__ import annotations

from typing import Any

from sgf_lark.grammar import PropertyType
from sgf_lark.model.declaring import write_values
from sgf_lark.model.node import Node
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Color

_GO = 1
_OPPONENT = {Color.BLACK: Color.WHITE, Color.WHITE: Color.BLACK}

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
        found = current.find(ident)
        if found is not None:
            return found.value
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
        color = current.color
        if color is not None:
            return _OPPONENT[color]
        has_stones = has_stones or "AB" in current
        current = current.parent
    return _beginner(node.tree, has_stones)


def _beginner(tree: GameTree, has_stones: bool) -> Color:
    """Who makes the first move of a game."""
    handicap = _value(tree.root, "HA") or 0
    is_handicap_game = tree.game == _GO and has_stones and handicap >= _LEAST_HANDICAP
    return Color.WHITE if is_handicap_game else Color.BLACK


def _value(node: Node, ident: str) -> Any:
    """The value of a property; None where it is missing or does not follow its type."""
    try:
        return node.get(ident)
    except ValueError:
        return None


def move_number(node: Node) -> int:
    """The number of the last move up to a node; see :attr:`Node.move_number`."""
    count = 0
    current: Node | None = node
    while current is not None:
        if current.color is not None:
            number = _value(current, "MN")
            if number is not None:
                return int(number) + count
            count += 1
        current = current.parent
    return count


def played(node: Node, move: Any, color: str | None) -> Node:
    """The child with a move, which may be new; see :meth:`Node.play`."""
    ident = str(_color(color) if color is not None else turn_after(node))
    (raws,) = write_values(node.tree, {ident: _as_value(node.tree, move)}).values()
    wanted = node.tree._reader.read_all(node.tree.define(ident), raws)
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
    match tree._reader.rule("move"):
        case "go_move":
            from sgf_lark.model.values import Move

            return Move(None)
        case "hex_move":
            from sgf_lark.model.values import HexMove

            return HexMove(action="pass")
        case _:
            raise ValueError(f"SGF has no pass in {tree.game_definition.name}")
