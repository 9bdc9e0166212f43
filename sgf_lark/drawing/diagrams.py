"""Diagrams as in books: the moves of a part of a game, numbered on their stones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sgf_lark.diagnostics import Language
from sgf_lark.drawing.positions import DrawingError, Position, position
from sgf_lark.model.board import GO, HEX
from sgf_lark.model.node import Node
from sgf_lark.model.values import Point

_CAPTIONS: dict[Language, dict[str, str]] = {
    "en": {
        "at": "{numbers} at {point}",
        "ko": "{numbers} ko at {point}",
        "pass": "{numbers} pass",
        "name": "{numbers} {point}",
    },
    "zh": {
        "at": "{numbers} = {point}",
        "ko": "{numbers} 提劫 = {point}",
        "pass": "{numbers} 停一手",
        "name": "{numbers} {point}",
    },
}


class Diagram(NamedTuple):
    """The position with the numbers as labels, and what has no room on the board."""

    position: Position
    captions: tuple[str, ...]


class _Later(NamedTuple):
    """A move that is not drawn: at a point that has a stone in the diagram, or at no point of the
    board. `name` is that of the latter, such as "resign", and "" for a pass."""

    number: str
    point: Point | None
    is_ko: bool = False
    name: str = ""


def diagram(nodes: Sequence[Node], *, language: Language = "en") -> Diagram:
    """The position before the first of `nodes`, and their moves with their numbers.

    `nodes` are the nodes of consecutive moves of a game of Go or Hex, the first one first. Stones
    that are captured stay in the diagram. A move at the point of one of them is in the captions,
    as "12 at 5" or "15 ko at 8", with the number of the stone there, or else its coordinates. So is
    a move without a point, as "20 pass". A move that cannot be read counts, but is left out.
    Raises DrawingError where there is no move, and as :func:`position` does.
    """
    if not nodes:
        raise DrawingError("there is no move to number")
    before = _before(nodes[0])
    if before.game not in (GO, HEX):
        raise DrawingError("moves are numbered only on boards of Go and Hex")
    stones, labels = dict(before.stones), dict[Point, str]()
    later: list[_Later] = []
    removed_alone: set[Point] = set()
    last = before
    for node in nodes:
        move = _readable_move(node)
        if move is None:
            continue
        found = position(node.tree, node)
        number = str(found.move_number)
        point = found.last_move
        gone = set(last.stones) - set(found.stones)
        if point is None:
            later.append(_Later(number, None, name=_name(move, found)))
        elif point in stones:
            is_ko = len(gone) == 1 and point in removed_alone
            later.append(_Later(number, point, is_ko))
        else:
            stones[point] = found.to_move.opponent
            stones[point] = found.stones.get(point, stones[point])
            labels[point] = number
        removed_alone = removed_alone - gone | (gone if len(gone) == 1 else set())
        last = found
    drawn = replace(last, stones=stones, labels=labels, marks={}, lines=(), arrows=())
    drawn = replace(drawn, last_move=None, dimmed=frozenset(), visible=None)
    return Diagram(drawn, tuple(_captions(later, drawn, language)))


def _readable_move(node: Node) -> Any:
    """The move in a node; None where it has none or the move cannot be read."""
    try:
        return node.move
    except ValueError:
        return None


def _name(move: Any, found: Position) -> str:
    """The name of a move at no point of the board; "" for a pass."""
    if move.point is not None:
        return found.notation(move.point)
    action = str(getattr(move, "action", ""))
    return "" if action == "pass" else action


def _before(node: Node) -> Position:
    """The position before a node; that of the root is its setup."""
    if node.parent is not None:
        return position(node.tree, node.parent)
    found = position(node.tree, node)
    if found.last_move is None:
        return found
    stones = {point: color for point, color in found.stones.items() if point != found.last_move}
    return replace(found, stones=stones, last_move=None)


def _captions(later: list[_Later], drawn: Position, language: Language) -> list[str]:
    """The captions, one for all moves at the same point."""
    numbers: dict[tuple[Point | None, bool, str], list[str]] = {}
    for move in later:
        numbers.setdefault((move.point, move.is_ko, move.name), []).append(move.number)
    captions = []
    for (point, is_ko, name), moves in numbers.items():
        kind = "name" if name else "pass" if point is None else "ko" if is_ko else "at"
        place = name
        if point is not None:
            place = drawn.labels.get(point) or "".join(drawn.coordinates(point))
        text = _CAPTIONS[language][kind].format(numbers=", ".join(moves), point=place)
        captions.append(text)
    return captions
