"""Going through a game tree, the board of a node, and the names of players."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from sgf_lark import drawing
from sgf_lark.drawing.pictures import Theme
from sgf_lark.lsp.analysis import Analysis, Placed
from sgf_lark.model.node import Node
from sgf_lark.model.property import PropValue
from sgf_lark.model.readable_values import first_value
from sgf_lark.model.values import Color

#: The properties with the names of the players.
PLAYERS = ("PB", "PW")


def node_at(analysis: Analysis, position: types.Position) -> tuple[Placed, Node] | None:
    """The node at a position, or the last one before it, with its piece."""
    offset = analysis.text.offset(position)
    placed = analysis.piece_at(offset)
    node = placed.piece.node_at(offset - placed.start) if placed is not None else None
    return None if placed is None or node is None else (placed, node)


def _range(analysis: Analysis, placed: Placed, node: Node) -> types.Range:
    assert node.number is not None
    start, end = placed.piece.flat.node_span(node.number)
    return analysis.text.range(placed.start + start, placed.start + end)


def parent(analysis: Analysis, position: types.Position) -> types.Range | None:
    """The node before the one at a position; None for a root."""
    found = node_at(analysis, position)
    if found is None or found[1].parent is None:
        return None
    return _range(analysis, found[0], found[1].parent)


def other_variation(analysis: Analysis, position: types.Position, step: int) -> types.Range | None:
    """The first node of the next variation (`step` 1) or the previous one (-1).

    The variations are those that begin at the last node with several children before the
    position; after the last one comes the first. None where there are no variations.
    """
    found = node_at(analysis, position)
    if found is None:
        return None
    placed, node = found
    while (before := node.parent) is not None:
        children = before.children
        if len(children) > 1:
            index = [child.number for child in children].index(node.number)
            return _range(analysis, placed, children[(index + step) % len(children)])
        node = before
    return None


def board(
    analysis: Analysis, position: types.Position, theme: Theme = "light"
) -> dict[str, Any] | None:
    """The board after the node at a position, for a preview.

    The object has "svg" (None for a game without a board), "move", "toMove", "captured",
    "comment" and "range", that of the node.
    """
    found = node_at(analysis, position)
    if found is None:
        return None
    placed, node = found
    area = _range(analysis, placed, node)
    comment = first_value(node.property("C")) if "C" in node else ""
    answer: dict[str, Any] = {
        "svg": None,
        "comment": comment if isinstance(comment, str) else "",
        "range": {
            "start": {"line": area.start.line, "character": area.start.character},
            "end": {"line": area.end.line, "character": area.end.character},
        },
    }
    try:
        after = drawing.position(node.tree, node)
    except drawing.DrawingError:
        return answer
    captured = {str(color): after.captured.get(color, 0) for color in Color}
    language = analysis.settings.language
    return answer | {
        "svg": drawing.svg(after, theme=theme, language=language),
        "move": after.move_number,
        "toMove": str(after.to_move),
        "captured": captured,
    }


# --- Players -------------------------------------------------------------------------


def player_at(analysis: Analysis, position: types.Position) -> tuple[types.Range, str] | None:
    """The name of a player at a position, and its place; None for anything else."""
    offset = analysis.text.offset(position)
    placed = analysis.piece_at(offset)
    entry = placed.piece.property_at(offset - placed.start) if placed is not None else None
    if placed is None or entry is None or entry.ident not in PLAYERS or entry.definition is None:
        return None
    for value in entry.prop_values():
        if value.start - 1 <= offset - placed.start <= value.end and value.raw.strip():
            return _value_range(analysis, placed, value), value.text
    return None


def rename_player(
    analysis: Analysis, position: types.Position, new: str
) -> list[types.TextEdit] | None:
    """The edits that rename the player at a position in all games of the text.

    None where there is no player. Raises ValueError for a name that is empty.
    """
    found = player_at(analysis, position)
    if found is None:
        return None
    if not new.strip():
        raise ValueError("the name of a player cannot be empty")
    _, name = found
    written = new.replace("\\", "\\\\").replace("]", "\\]")
    return [
        types.TextEdit(_value_range(analysis, placed, value), written)
        for placed in analysis.pieces
        for tree in placed.piece.collection
        for node in tree.nodes()
        for ident in PLAYERS
        if ident in node
        for entry in node.of_ident(ident)
        for value in entry.prop_values()
        if value.text == name
    ]


def _value_range(analysis: Analysis, placed: Placed, value: PropValue) -> types.Range:
    """The place of a value without its brackets."""
    return analysis.text.range(placed.start + value.start, placed.start + value.end)
