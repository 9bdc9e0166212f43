"""Going through a game tree, the board of a node, and the names of players."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from sgf_lark import drawing
from sgf_lark.drawing.pictures import Theme
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.node import Node
from sgf_lark.model.property import PropValue
from sgf_lark.model.readable_values import first_value
from sgf_lark.model.values import Color

#: The properties with the names of the players.
PLAYERS = ("PB", "PW")


def node_at(analysis: Analysis, position: types.Position) -> Node | None:
    """The node at a position, or the last one before it."""
    return analysis.node_at(analysis.text.offset(position))


def _range(analysis: Analysis, node: Node) -> types.Range:
    assert node.number is not None
    return analysis.text.range(*analysis.flat.node_span(node.number))


def parent(analysis: Analysis, position: types.Position) -> types.Range | None:
    """The node before the one at a position; None for a root."""
    node = node_at(analysis, position)
    return None if node is None or node.parent is None else _range(analysis, node.parent)


def other_variation(analysis: Analysis, position: types.Position, step: int) -> types.Range | None:
    """The first node of the next variation (`step` 1) or the previous one (-1).

    The variations are those that begin at the last node with several children before the
    position; after the last one comes the first. None where there are no variations.
    """
    node = node_at(analysis, position)
    while node is not None and (before := node.parent) is not None:
        children = before.children
        if len(children) > 1:
            index = [child.number for child in children].index(node.number)
            return _range(analysis, children[(index + step) % len(children)])
        node = before
    return None


def board(
    analysis: Analysis, position: types.Position, theme: Theme = "light"
) -> dict[str, Any] | None:
    """The board after the node at a position, for a preview.

    The object has "svg" (None for a game without a board), "move", "toMove", "captured",
    "comment" and "range", that of the node.
    """
    node = node_at(analysis, position)
    if node is None:
        return None
    area = _range(analysis, node)
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
    language = analysis.language
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
    entry = analysis.property_at(offset)
    if entry is None or entry.ident not in PLAYERS or entry.definition is None:
        return None
    for value in entry.prop_values():
        if value.start - 1 <= offset <= value.end and value.raw.strip():
            return _value_range(analysis, value), value.text
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
        types.TextEdit(_value_range(analysis, value), written)
        for tree in analysis.collection
        for node in tree.nodes()
        for ident in PLAYERS
        if ident in node
        for entry in node.of_ident(ident)
        for value in entry.prop_values()
        if value.text == name
    ]


def _value_range(analysis: Analysis, value: PropValue) -> types.Range:
    """The place of a value without its brackets."""
    return analysis.text.range(value.start, value.end)
