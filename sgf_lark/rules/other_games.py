"""Rules of the position on the board, and of games other than Go (8xx)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from sgf_lark import grammar
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import has_board, played_point
from sgf_lark.model.cells import EMPTY, SET_UP
from sgf_lark.model.context import board_sides
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Point
from sgf_lark.model.values.basic import bounded
from sgf_lark.model.values.notations import has_empty_step
from sgf_lark.rules.paths import nodes_with
from sgf_lark.rules.registry import (
    CleanForm,
    Finding,
    Needs,
    Scope,
    at,
    kinds,
    plays,
    rule,
    two,
    where,
)
from sgf_lark.rules.texts import OWN_RULE_FOR_BLANK

# --- Formats of texts ---------------------------------------------------------------


#: The rules about texts with a format of one game, by the formats.
_OF_FORMATS = {
    "cube_owner": "SGF811",
    "loa_adding": "SGF820",
    "loa_initial_position": "SGF821",
    "loa_invert": "SGF822",
    "loa_setup": "SGF823",
    "hex_initial_position": "SGF833",
    "octi_rules": "SGF850",
}


def violates_format(value: PropValue) -> Finding | None:
    """Reports a text that does not follow the format of its property."""
    format_ = value.definition.format
    if not value.raw and format_ not in OWN_RULE_FOR_BLANK:
        return None
    return None if value.matches(format_, value.text.encode()) else at(value)


for _format, _code in _OF_FORMATS.items():
    rule(_code, Scope.CONTENT, where(format=_format))(violates_format)


@rule("SGF812", Scope.CONTENT, where(format="dice"))
@rule("SGF834", Scope.CONTENT, where(format="viewer_settings"))
def malformed_in_game(value: PropValue) -> Finding | None:
    """Reports dice that are not two digits from 1 to 6, and an unknown viewer setting in Hex."""
    return None if value.matches(value.definition.format) else at(value)


@rule("SGF813", Scope.CONTENT, where(format="cube_value"))
def cube_value(value: PropValue) -> Finding | None:
    """Reports a cube value that is not a power of two."""
    number = bounded(value.raw)
    return at(value) if number < 1 or number & (number - 1) else None


@rule("SGF814", Scope.CONTENT, where(format="backgammon_result"))
def resignation_without_points(value: PropValue) -> Finding | None:
    """Reports a resignation in Backgammon without its points."""
    return at(value) if value.text[2:] in {"R", "Resign"} else None


@rule("SGF815", Scope.CONTENT, where(format="match_info"))
def match_info(value: PropValue) -> Finding | None:
    """Reports match information with a known tag and without a number."""
    assert value.halves is not None
    is_known_tag = value.matches("match_info", value.halves[0] + b":0")
    return at(value) if is_known_tag and not value.matches("match_info") else None


@rule("SGF816", Scope.CONTENT, where(format="size"))
def size_in_backgammon(value: PropValue) -> Finding | None:
    """Reports a board size in Backgammon."""
    return at(value) if value.tree.game == 6 else None


@rule("SGF817", Scope.PROPERTY, where(unique="tag"))
def repeated_match_info(entry: Property) -> Iterator[Finding]:
    """Reports a tag that occurs twice, of match information or of settings."""
    seen: set[bytes] = set()
    for value in entry.prop_values():
        tag = value.halves[0].lower() if value.halves else b""
        if tag and tag in seen:
            yield at(value, tag=tag)
        seen.add(tag)


# --- Boards -------------------------------------------------------------------------


@rule("SGF831", Scope.CONTENT, where(format="size"))
def hex_board_size(value: PropValue) -> Finding | None:
    """Reports a Hex board outside the sizes that the specification gave until 2021."""
    least, most = grammar.rule("SGF831").data["sides"]
    sides = board_sides(value.raw)
    if value.tree.game != 11 or all(least <= side <= most for side in sides):
        return None
    return at(value)


@rule("SGF861", Scope.CONTENT, kinds("move"), ignores=CleanForm.MOVE)
def gess_perimeter(value: PropValue) -> Finding | None:
    """Reports a footprint of Gess whose center is on the edge of the board."""
    size = value.tree.size
    if value.tree.parsed.reader.rule("move") != "gess_move" or size is None:
        return None
    for column, row in value.tree.parsed.reader.read("move", value.raw).points:
        if column in {0, size[0] - 1} or row in {0, size[1] - 1}:
            return at(value)
    return None


@rule("SGF805", Scope.CONTENT, kinds("move"), ignores=CleanForm.MOVE)
def move_in_place(value: PropValue) -> Finding | None:
    """Reports a step of a move that ends where it begins."""
    if not value.is_known("move"):
        return None
    return at(value) if has_empty_step(value.tree.parsed.reader.read("move", value.raw)) else None


# --- What the rules of Go forbid, which a record may have -----------------------------


def _moves_on_empty_points(node: Node) -> Iterator[tuple[Property, Point, Board]]:
    """The only move of a node, its point, and the board before it, if the point is empty."""
    moves = node.moves() if has_board(node.tree.parsed.context) else []
    if len(moves) == 1 and node.parent is not None and not node.select(type="setup"):
        point = played_point(moves[0])
        if point is not None and (board := node.parent.board())[point] is None:
            yield moves[0], point, board


@rule("SGF806", Scope.NODE, having=(plays,))
def ko_taken_back(node: Node) -> Iterator[Finding]:
    """Reports a move that takes a ko back at once."""
    for move, point, board in _moves_on_empty_points(node):
        if board.ko == point and board.to_play == move.ident:
            yield at(move, value=move.raw[0])


@rule("SGF807", Scope.NODE, having=(plays,))
def suicide(node: Node) -> Iterator[Finding]:
    """Reports a move that takes stones of its own color off the board, and no others."""
    for move, point, board in _moves_on_empty_points(node):
        if board.played(point, move.ident)[point] is None:
            yield at(move, value=move.raw[0])


# --- Several properties -------------------------------------------------------------


@rule("SGF832", Scope.TREE, needs=Needs.INFO_BELOW_ROOT)
def several_initial_positions(tree: GameTree) -> Iterator[Finding]:
    """Reports each further IP of Hex: only one position can be the first one shown."""
    of_nodes = nodes_with(tree, "format", "hex_initial_position")
    found = [entry for node in of_nodes for entry in node.select(format="hex_initial_position")]
    for entry in found[1:]:
        yield at(entry, related=found[0].offsets, node=entry.node.number)


def _shared_points(node: Node, ident: str, entries: Iterable[Property]) -> Iterator[Finding]:
    """Reports those of the properties that list a point which one of that identifier lists, too.

    Only the game of the identifier defines it: in others its values are no points.
    """
    listed = {point for entry in node.select(ident) for _, point in entry.points()}
    for entry in entries:
        both = next((point for _, point in entry.points() if point in listed), None)
        if both is not None:
            yield at(entry, point=node.tree.write_point(both))


@rule("SGF840", Scope.NODE, having=(where(ident="AA"), where(type="setup")))
def arrow_on_setup(node: Node) -> Iterator[Finding]:
    """Reports setup on a square that AA of Amazons lists."""
    yield from _shared_points(node, "AA", node.select(unique="setup"))


@rule("SGF851", Scope.NODE, having=(where(ident="BO"), where(ident="WO")))
def pods_of_both_players(node: Node) -> Iterator[Finding]:
    """Reports a point that both BO and WO of Octi list."""
    yield from _shared_points(node, "BO", node.select("WO"))


@rule("SGF853", Scope.NODE, having=two(where(unique="stone-mark")))
def stone_marked_twice(node: Node) -> Iterator[Finding]:
    """Reports two marks on one stone of Octi, unless a mark lists it twice: then several stones
    look alike."""
    entries = node.select(unique="stone-mark")
    listed = Counter((entry.number, raw) for entry in entries for raw in entry.raw)
    alike = {raw for (_, raw), count in listed.items() if count > 1}
    owner: dict[bytes, str] = {}
    for entry in entries:
        for value in entry.prop_values():
            other = owner.setdefault(value.raw, entry.ident)
            if other != entry.ident and value.raw not in alike:
                yield at(value, other=other)
                break


# Rules about the position on the board, in games like Go (8xx).

#: A message names at most this many points.
_NAMED_POINTS = 5


@rule("SGF801", Scope.POSITION)
def move_on_occupied_point(node: Node, board: Board) -> Iterator[Finding]:
    """Reports a move on a point that has a stone."""
    for entry in node.moves():
        point = played_point(entry)
        if point is not None and board.cell(point) != EMPTY:
            yield at(entry, value=entry.raw[0])


@rule("SGF802", Scope.POSITION)
def setup_without_effect(node: Node, board: Board) -> Iterator[Finding]:
    """Reports AB on black stones, AW on white ones, AE on empty points."""
    for entry in node.select(*SET_UP):
        useless = [*islice(_with_color(entry, board, SET_UP[entry.ident]), _NAMED_POINTS + 1)]
        if useless:
            points = " ".join(map(str, useless[:_NAMED_POINTS]))
            more = " …" if len(useless) > _NAMED_POINTS else ""
            yield at(entry, point=points + more)


def _with_color(entry: Property, board: Board, color: int) -> Iterator[Point]:
    """The points in the list of a property that have that color on the board, each once."""
    found: set[Point] = set()
    for value in entry.prop_values():
        if value.area is None:
            continue
        (left, top), (right, bottom) = value.area
        for row in range(top, bottom + 1):
            colors = board.cells_of_row(row, left, right)
            place = colors.find(color)
            while place >= 0:
                point = Point(left + place, row)
                if point not in found:
                    found.add(point)
                    yield point
                place = colors.find(color, place + 1)
