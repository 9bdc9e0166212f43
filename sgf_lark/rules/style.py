"""Rules about style (9xx): advice of the user guide, and what other programs reject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.board_walk import has_board
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.fixes import Edit, Fix, FixContext, fix_for
from sgf_lark.rules.paths import nodes_with
from sgf_lark.rules.registry import (
    CleanForm,
    Finding,
    Needs,
    Scope,
    at,
    plays,
    rule,
    where,
)

#: The properties that set up a stone, and those that play one of the same color.
_AS_MOVE = {"AB": "B", "AW": "W"}


@rule("SGF901", Scope.TREE, needs=Needs.SINGLE_STONE_SETUPS)
def setup_instead_of_move(tree: GameTree) -> Iterator[Finding]:
    """Reports nodes in a row that add one stone each, in turns: moves written as setup."""
    parent, root = tree.parsed.flat.parent, tree.parsed.numbers[0]
    single: dict[int, Property] = {}
    reported: set[int] = set()
    for node in nodes_with(tree, "type", "setup"):
        entry = None if node.number == root else _single_stone(node)
        if entry is None:
            continue
        single[node.number] = entry
        above = single.get(parent[node.number])
        if above is None or above.ident == entry.ident:
            continue
        for found in (above, entry):
            if found.node.number not in reported:
                reported.add(found.node.number)
                meant = f"{_AS_MOVE[found.ident]}[{found.raw[0].decode('latin-1')}]"
                yield at(found, node=found.node.number, meant=meant)


@fix_for("SGF901")
def play_stone(site: FixContext) -> Fix | None:
    """Write the stone as a move, where that gives the same position; this is not safe.

    It would not on a point with a stone, or if the move captured anything or were suicide.
    """
    above, entry = site.node.parent, site.entry
    color = _AS_MOVE[entry.ident]
    assert above is not None
    if site.node.moves() or not has_board(site.tree.parsed.context):
        return None
    point, board = entry.points()[0][1], above.board()
    if board[point] is not None or board.captured_by(point, color):
        return None
    written = color.encode() + b"[" + site.tree.write_point(point).encode() + b"]"
    return Fix((Edit(*entry.offsets, written),), safe=False)


def _single_stone(node: Node) -> Property | None:
    """The property that adds a stone, if this is all the setup in the node."""
    match node.select(type="setup"):
        case [entry] if entry.ident in _AS_MOVE and entry.count == 1:
            area = next(entry.prop_values()).area
            return entry if area is not None and area[0] == area[1] else None
    return None


@rule("SGF902", Scope.NODE, having=(plays,), needs=Needs.LEAF | Needs.ONLY_PASS)
def trailing_pass(node: Node) -> Iterator[Finding]:
    """Reports a node with nothing but a pass at the end of the main line."""
    moves = node.moves()
    if node.children or not moves or len(node.properties) != 1:
        return
    value = next(moves[0].prop_values())
    if value.names_pass(value.raw) and node.number in node.tree.parsed.main_line_numbers:
        yield at(moves[0])


@rule("SGF903", Scope.NODE, needs=Needs.LEAF | Needs.EMPTY)
def trailing_empty_node(node: Node) -> Iterator[Finding]:
    """Reports a leaf without properties."""
    if node.parent is not None and not node.children and not node.properties:
        yield Finding(*node.tree.parsed.flat.node_span(node.number), {})


@fix_for("SGF903")
def delete_empty_nodes(site: FixContext) -> Fix | None:
    """Delete the node and the empty nodes before it, unless damage would then belong to another.

    A variation stays that has nothing else: without it the next one would be the main line, or
    the moves would have no alternative.
    """
    if site.next_character not in (b";", b"(", b")"):
        return None
    flat = site.flat
    first = last = flat.node_at(site.start)
    while first not in flat.opening:
        above = flat.parent[first]
        # Damage: the node follows variations, which would be deleted with the node above.
        if flat.child_counts[above] > 1:
            return None
        if not _is_empty(flat, above):
            return Fix((Edit(flat.node_start[first], flat.node_span(last)[1]),))
        first = above
    return None


def _is_empty(flat: FlatTree, number: int) -> bool:
    """Whether the node is not a root and has no properties."""
    first, end = flat.properties_of(number)
    return first == end and flat.parent[number] >= 0


#: Words that introduce game information in a comment, by the property that it belongs in.
_INTRODUCTIONS = {"PB": b"Black", "PW": b"White", "RE": b"Result", "DT": b"Date", "KM": b"Komi"}
_INTRODUCED = re.compile(rb"\b(%s)\s*:\s*\S" % b"|".join(_INTRODUCTIONS.values()))


@rule("SGF904", Scope.NODE, having=(where(ident="C"),), needs=Needs.ROOT)
def game_info_in_comment(node: Node) -> Iterator[Finding]:
    """Reports a comment in the root that has game information instead of its property."""
    for comment in node.select("C") if node.parent is None else ():
        words = {match[1] for match in _INTRODUCED.finditer(comment.raw[0])}
        for ident, word in _INTRODUCTIONS.items():
            if word in words and node.property(ident, None) is None:
                yield replace(at(comment), ident=ident)
                return


@rule("SGF905", Scope.CONTENT, where(unique="label"), ignores=CleanForm.LABELS)
def long_label(value: PropValue) -> Finding | None:
    """Reports a label of more than two characters."""
    assert value.halves is not None
    label = value.tree.parsed.reader.read("simpletext", value.halves[1])
    return at(value, value=label) if len(label) > 2 and not label.isspace() else None


@rule("SGF907", Scope.PROPERTY, where(unique="territory"), ignores=CleanForm.POINTS)
def empty_territory(entry: Property) -> Iterator[Finding]:
    """Reports a territory property with an empty list."""
    if entry.raw == [b""]:
        yield at(entry)
