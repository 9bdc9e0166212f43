"""Moves and stones: hints beside moves, where a stone was placed, and the moves on a point."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from sgf_lark.flat_tree import FlatTree
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.node import Node
from sgf_lark.model.values import Move

#: The properties that place or remove stones.
_PLACING = ("B", "W", "AB", "AW", "AE")
#: The types of values that are points.
_POINTS = {"point", "stone", "move"}


# --- Hints ----------------------------------------------------------------------------


def inlay_hints(analysis: Analysis, area: types.Range) -> list[types.InlayHint]:
    """The hints in a range: the number before each move, and "Q16" after it in Go."""
    return list(_hints(analysis, *analysis.text.offsets(area)))


def _hints(analysis: Analysis, start: int, end: int) -> Iterator[types.InlayHint]:
    flat, numbers = analysis.flat, analysis.move_numbers
    first = flat.node_at(start) if flat.roots else 0
    for number in range(first, len(flat.node_start)):
        if flat.node_start[number] > end:
            return
        for prop, ident in flat.idents(number):
            if ident not in ("B", "W"):
                continue
            before, after = map(analysis.text.position, flat.property_span(prop))
            yield types.InlayHint(before, str(numbers[number]), padding_right=True)
            if name := _notation(analysis.node(number), ident):
                yield types.InlayHint(after, name, padding_left=True)


def _notation(node: Node, ident: str) -> str:
    """A move of Go as people write it; "" for other games and for what is not a move."""
    size = node.tree.size
    try:
        move = node.get(ident)
        return move.gtp(size) if isinstance(move, Move) and size is not None else ""
    except ValueError:
        return ""


# --- Points ---------------------------------------------------------------------------


def definition(analysis: Analysis, position: types.Position) -> types.Range | None:
    """Where the stone on the point at a position was placed or removed last: by a move or by
    setup, in the node or before it. A move itself is looked for before its node."""
    found = _point_at(analysis, position)
    if found is None:
        return None
    node, ident, point = found
    start = node.parent if ident in _PLACING else node
    while start is not None:
        for place in _placings(analysis.flat, start.number or 0, point):
            return analysis.text.range(*place)
        start = start.parent
    return None


def references(analysis: Analysis, position: types.Position) -> list[types.Range]:
    """All moves and setup on the point at a position, in the game tree."""
    found = _point_at(analysis, position)
    if found is None:
        return []
    node, _, point = found
    numbers = node.tree.numbers
    return [
        analysis.text.range(*place)
        for number in range(numbers[0], numbers[-1] + 1)
        for place in _placings(analysis.flat, number, point)
    ]


def _point_at(analysis: Analysis, position: types.Position) -> tuple[Node, str, bytes] | None:
    """The node, the property and the point at a position; None for anything else."""
    here = analysis.text.offset(position)
    entry = analysis.property_at(here)
    if entry is None or entry.definition is None or entry.number is None:
        return None
    flat, kinds = analysis.flat, entry.definition.kinds
    for value in range(*flat.values_of(entry.number)):
        start, end = flat.value_from[value], flat.value_to[value]
        if start - 1 <= here <= end and kinds & _POINTS:
            first, _, second = flat.data[start:end].partition(b":")
            is_second = here > start + len(first) and kinds <= _POINTS
            point = (second if is_second else first).strip()
            return (entry.node, entry.ident, point) if point else None
    return None


def _placings(flat: FlatTree, number: int, point: bytes) -> Iterator[tuple[int, int]]:
    """The places of the values in a node that place or remove a stone on a point."""
    for prop, ident in flat.idents(number):
        if ident in _PLACING:
            for value in range(*flat.values_of(prop)):
                start, end = flat.value_from[value], flat.value_to[value]
                if _covers(flat.data[start:end].strip(), point):
                    yield start, end


def _covers(value: bytes, point: bytes) -> bool:
    """Whether a value is a point, or a rectangle of points in letters that contains it."""
    first, colon, second = value.partition(b":")
    if not colon:
        return value == point
    corners = [each.swapcase() for each in (first, point, second)]
    # Lowercase letters come before uppercase ones.
    return all(len(each) == 2 and each.isalpha() for each in corners) and all(
        corners[0][axis] <= corners[1][axis] <= corners[2][axis] for axis in (0, 1)
    )
