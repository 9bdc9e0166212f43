"""The nodes that ``show`` draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.cli.words import say

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language
    from sgf_lark.drawing import Position
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

#: More boards are not drawn at once.
_MOST = 2000


class Range(NamedTuple):
    """Numbers from `first` to `last`, or to the end, in steps."""

    first: int
    last: int | None
    step: int

    def numbers(self, end: int) -> range:
        """Return the numbers up to `end`, the highest number there is."""
        return range(self.first, (end if self.last is None else self.last) + 1, self.step)


class Shown(NamedTuple):
    """A board to draw, the node it belongs to, its title in a sheet, and lines of text below it."""

    position: Position
    node: Node
    title: str
    captions: tuple[str, ...] = ()


class Choice(NamedTuple):
    """The options that choose nodes; at most one is not None."""

    moves: tuple[Range, ...] | None
    nodes: tuple[Range, ...] | None
    numbers: tuple[Range, ...] | None

    def shown(self, tree: GameTree, is_animation: bool, language: Language) -> list[Shown]:
        """Return the boards to draw, at least one.

        Raises LookupError where there is no node of that number, ValueError for too many, and
        what :func:`sgf_lark.drawing.position` and ``diagram`` raise.
        """
        from sgf_lark.drawing import position
        from sgf_lark.drawing.looks import after_moves

        if self.numbers is not None:
            return [self._diagram(each, tree, language) for each in self.numbers]
        if self.nodes is not None:
            nodes = _chosen("node", self.nodes, list(tree.nodes()))
        elif self.moves is not None or is_animation:
            ranges = self.moves if self.moves is not None else (Range(0, None, 1),)
            nodes = _chosen("move", ranges, after_moves(tree))
        else:
            nodes = [after_moves(tree)[-1]]
        boards = [(position(tree, node), node) for node in nodes]
        return [Shown(found, node, _title(found, language)) for found, node in boards]

    def _diagram(self, numbers: Range, tree: GameTree, language: Language) -> Shown:
        from sgf_lark.drawing import diagram

        moves = [node for node in tree.main_line() if node.moves()]
        first = max(numbers.first, 1)
        last = len(moves) if numbers.last is None else numbers.last
        if first > len(moves) or last > len(moves):
            raise LookupError(
                f"there is no move {max(first, last)}; the main line has {len(moves)}"
            )
        chosen = moves[first - 1 : last]
        found = diagram(chosen, language=language)
        return Shown(found.position, chosen[-1], f"{first}–{last}", found.captions)


def _title(found: Position, language: Language) -> str:
    return say("show.title", language, number=found.move_number)


def _chosen(kind: str, ranges: Iterable[Range], nodes: list[Node]) -> list[Node]:
    """Return the nodes with these numbers; `kind` is for the message of a LookupError."""
    end = len(nodes) - 1
    found: list[Node] = []
    for number in _numbers(ranges, end):
        if number > end:
            known = f"the main line has {end}" if kind == "move" else f"the last is {end}"
            raise LookupError(f"there is no {kind} {number}; {known}")
        found.append(nodes[number])
        if len(found) > _MOST:
            raise ValueError(f"more than {_MOST} boards; choose fewer")
    return found


def _numbers(ranges: Iterable[Range], end: int) -> Iterator[int]:
    for each in ranges:
        yield from each.numbers(max(end, each.first))
