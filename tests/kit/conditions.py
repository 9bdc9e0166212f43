"""The conditions that rules declare, as plain predicates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.board import Board
from sgf_lark.model.cells import BLACK, EMPTY, WHITE
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Point
from sgf_lark.model.values.points import expand
from sgf_lark.rules.registry import Needs
from sgf_lark.syntax.programs import program_of_root

#: Selectors of which a node must have a different property each.
Having = tuple[Callable[[PropertyDefinition], bool], ...]

_SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}


def has(having: Having, node: Node) -> bool:
    """Whether the node has a different property for each of these selectors."""
    definitions = [entry.definition for entry in node.properties]
    choices = [
        {number for number, each in enumerate(definitions) if each is not None and selector(each)}
        for selector in having
    ]
    taken: list[set[int]] = [set()]
    for numbers in choices:
        taken = [before | {number} for before in taken for number in numbers - before]
    return bool(taken)


def hold_for_collection(needs: Needs, collection: Collection) -> bool:
    """Whether the conditions of collections among `needs` hold."""
    holds = {
        Needs.SEVERAL_TREES: len(collection) > 1,
        Needs.WHOLE_FILE_CHARSET: not collection.file.decoding.sections.are_bytes,
        Needs.BYTE_ORDER_MARK: collection.file.decoding.unicode_signature.charset != "",
    }
    return all(held for need, held in holds.items() if need in needs)


def hold_for_tree(needs: Needs, tree: GameTree) -> bool:
    """Whether the conditions of trees among `needs` hold, but for OCCUPIED."""
    predicates: dict[Needs, Callable[[GameTree], bool]] = {
        Needs.NON_ASCII: lambda tree: not tree.parsed.flat.data.isascii(),
        Needs.NO_FILE_FORMAT: lambda tree: tree.root.property("FF", None) is None,
        Needs.PROGRAM: lambda tree: program_of_root(tree.parsed.flat, tree.root.number) != "",
        Needs.BRACKET_IN_VALUE: _has_bracket_in_value,
        Needs.INFO_BELOW_ROOT: _has_info_below_root,
        Needs.SINGLE_STONE_SETUPS: _has_single_stones,
    }
    return all(predicate(tree) for need, predicate in predicates.items() if need in needs)


def hold_for_node(needs: Needs, node: Node) -> bool:
    """Whether the conditions of nodes among `needs` hold."""
    predicates: dict[Needs, Callable[[Node], bool]] = {
        Needs.ROOT: lambda node: node.parent is None,
        Needs.NOT_ROOT: lambda node: node.parent is not None,
        Needs.LEAF: lambda node: not node.children,
        Needs.EMPTY: lambda node: not node.properties,
        Needs.NO_MOVE: lambda node: not node.moves(),
        Needs.OUT_OF_TURN: _is_out_of_turn,
        Needs.ONLY_PASS: _is_only_a_pass,
        Needs.REPEATED_IDENTIFIER: lambda node: len(node) < len(node.properties),
        Needs.SHARED_POINT: _has_shared_point,
    }
    return all(predicate(node) for need, predicate in predicates.items() if need in needs)


def is_occupied(node: Node, board: Board) -> bool:
    """Whether a move is on a point with a stone, or a setup changes nothing at a point."""
    return any(
        board.cell(point) != EMPTY for entry in node.moves() for point in _played(entry)
    ) or any(
        board.cell(point) == _SET_UP[entry.ident]
        for entry in node.select(type="setup")
        if entry.ident in _SET_UP
        for _, point in entry.points()
    )


def _played(entry: Property) -> list[Point]:
    """The point of the board to which a property moves, if there is one."""
    try:
        move = entry.tree.parsed.reader.read("move", entry.raw[0])
    except ValueError:
        return []
    return [move.point] if move.point is not None and entry.tree.has_point(move.point) else []


def _has_bracket_in_value(tree: GameTree) -> bool:
    raws = (raw for node in tree.nodes() for each in node.properties for raw in each.raw)
    return any(re.search(rb"[A-Z]\s*\[", raw) for raw in raws)


def _has_info_below_root(tree: GameTree) -> bool:
    return any(node.select(type="game-info") for node in tree.nodes() if node.parent is not None)


def _has_single_stones(tree: GameTree) -> bool:
    return any(
        node.parent is not None
        and node.parent.parent is not None
        and _adds_one_stone(node)
        and _adds_one_stone(node.parent)
        for node in tree.nodes()
    )


def _adds_one_stone(node: Node) -> bool:
    setup = node.select(type="setup")
    return len(setup) == 1 and setup[0].ident in ("AB", "AW") and len(setup[0].raw) == 1


def _is_out_of_turn(node: Node) -> bool:
    """Whether a move has the color of the move before it, with no setup between them."""
    color, above = "", node.parent
    while above is not None and not color and not node.select(type="setup"):
        moves = above.moves()
        color = moves[-1].ident if moves else ""
        above = None if above.select(type="setup") else above.parent
    for entry in node.moves():
        if entry.ident == color:
            return True
        color = entry.ident
    return False


def _is_only_a_pass(node: Node) -> bool:
    entries = node.properties
    if len(entries) != 1 or not node.moves():
        return False
    value = next(entries[0].prop_values())
    return value.names_pass(value.raw)


def _has_shared_point(node: Node) -> bool:
    points: Counter[Point | bytes] = Counter()
    has_notation = node.tree.game_definition.point
    for entry in node.properties:
        if entry.definition is None or not entry.definition.unique:
            continue
        for value in entry.prop_values():
            if not has_notation:
                points[value.parts[0][1]] += 1
            elif value.area is not None:
                points.update(expand(*value.area))
            if value.rectangle is not None:
                return True
    return any(count > 1 for count in points.values())
