"""What the path to a node determines: inherited values, move numbers, whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sgf_lark.grammar import PropertyType
from sgf_lark.model.assigning import write_values
from sgf_lark.model.context import GO
from sgf_lark.model.property import first_value, value_in
from sgf_lark.model.values import Color, HexMove, Move
from sgf_lark.model.values.basic import LARGEST

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

#: With this many handicap stones White moves first (go.html, HA).
_LEAST_HANDICAP = 2

#: Stands for a move that was not given, as None is a pass.
NOT_GIVEN: Final = object()

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
            return current.get(ident, default)
        current = current.parent
    return default


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


def move_number(node: Node) -> int:
    """The number of the last move up to a node; see :attr:`Node.move_number`."""
    count = 0
    current: Node | None = node
    while current is not None:
        moves = current.moves()
        number = value_in(current, "MN") if moves else None
        if number is not None:
            # Python refuses to print numbers of more than 4,300 digits, which counting could reach.
            return min(int(number), LARGEST) + count
        count += len(moves)
        current = current.parent
    return count


def played(node: Node, move: Any, color: str | None, gtp: str | None) -> Node:
    """The child with a move, which may be new; see :meth:`Node.play`."""
    if (move is NOT_GIVEN) is (gtp is None):
        raise TypeError('play takes a move, such as "pd", or gtp, such as "Q16"')
    if gtp is not None:
        move = _from_gtp(node.tree, gtp)
    ident = str(_color(color) if color is not None else turn_after(node))
    try:
        (raws,) = write_values(node.tree, {ident: move}).values()
    except ValueError as error:
        if isinstance(move, str) and _is_gtp(node.tree, move):
            raise ValueError(f"{error}; for the notation of people: play(gtp={move!r})") from error
        raise
    wanted = node.tree.parsed.reader.read_all(node.tree.define(ident), raws)
    for child in node.children:
        if child.color == ident and value_in(child, ident) == wanted:
            return child
    return node.add_child({ident: wanted})


def _color(color: str) -> Color:
    try:
        return Color(color)
    except ValueError:
        raise ValueError(
            f"color is {color!r}; expected 'B', 'W', Color.BLACK or Color.WHITE"
        ) from None


def _from_gtp(tree: GameTree, text: str) -> Move:
    """The move of Go that the Go Text Protocol writes like that."""
    if tree.game != GO or tree.size is None:
        raise ValueError(f"gtp names moves of Go, not of {tree.game_definition.name}")
    return Move.from_gtp(text, tree.size)


def _is_gtp(tree: GameTree, text: str) -> bool:
    """Whether a text is a move in the Go Text Protocol, and the game is Go."""
    try:
        _from_gtp(tree, text)
    except ValueError:
        return False
    return True
