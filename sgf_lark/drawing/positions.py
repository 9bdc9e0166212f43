"""The position on the board at a node, with the markup of the node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sgf_lark import grammar
from sgf_lark.model.board import BLACK, EMPTY, WHITE, Board
from sgf_lark.model.node import Node
from sgf_lark.model.position import PLAYED, SET_UP
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Color, Compose, HexMove, Move, Point
from sgf_lark.model.values.games import NOTATIONS
from sgf_lark.model.values.points import LETTERS, expand

GO, HEX = 1, 11

#: The largest board that is drawn. Go has letters for 52 lines; Hex has no limit of its own.
LARGEST = 52

#: The markup properties with a shape of their own.
MARKS = ("CR", "MA", "SL", "SQ", "TR")
TERRITORY = ("TB", "TW")

_COLORS = {BLACK: Color.BLACK, WHITE: Color.WHITE}
_OTHER = {Color.BLACK: Color.WHITE, Color.WHITE: Color.BLACK}


class DrawingError(ValueError):
    """The board cannot be drawn; the message gives the reason."""


@dataclass(frozen=True)
class Position:
    """A board of `columns` by `rows` after a node, with the markup of the node.

    Points are 0-based from the upper left. `marks` maps CR, MA, SL, SQ, TR, TB and TW to
    their points. `visible` is None if the whole board is shown. `captured` counts the
    captured stones of each color. `last_move` is None after a pass and after setup.
    """

    game: int
    columns: int
    rows: int
    stones: dict[Point, Color] = field(default_factory=dict)
    marks: dict[str, frozenset[Point]] = field(default_factory=dict)
    labels: dict[Point, str] = field(default_factory=dict)
    lines: tuple[tuple[Point, Point], ...] = ()
    arrows: tuple[tuple[Point, Point], ...] = ()
    dimmed: frozenset[Point] = frozenset()
    visible: frozenset[Point] | None = None
    last_move: Point | None = None
    move_number: int = 0
    to_move: Color = Color.BLACK
    captured: dict[Color, int] = field(default_factory=dict)

    def points(self) -> Iterator[Point]:
        """All points that are shown, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                point = Point(column, row)
                if self.visible is None or point in self.visible:
                    yield point

    def shows(self, point: Point) -> bool:
        """Whether a point is shown."""
        return self.visible is None or point in self.visible

    def notation(self, point: Point) -> str:
        """The point as SGF writes it in this game."""
        return NOTATIONS[grammar.game(self.game).point](point)

    def coordinates(self, point: Point) -> tuple[str, str]:
        """The names of the column and the row of a point.

        In Go these are letters without I, and numbers from below; in Hex they are the parts
        of the notation.
        """
        if self.game == HEX:
            letters = NOTATIONS["hex_point"](point).rstrip("0123456789")
            return letters, str(point.row + 1)
        return _column_letters(point.column), str(self.rows - point.row)


def _column_letters(column: int) -> str:
    letters = LETTERS[26:].replace("I", "")
    head, tail = divmod(column, len(letters))
    return (letters[head - 1] if head else "") + letters[tail]


def position(game_tree: GameTree, node: Node) -> Position:
    """The position after `node`, a node of `game_tree`, with the markup of the node.

    Moves are executed as SGF specifies: captures are made, no move is illegal. Values that
    do not follow their type and points outside the board are ignored. Raises DrawingError
    for games other than Go and Hex and for boards without size.
    """
    columns, rows = _board_size(game_tree)
    play = _Play(game_tree.game, columns, rows)
    path = [node]
    while (parent := path[-1].parent) is not None:
        path.append(parent)
    for step in reversed(path):
        play.execute(step)
    return play.position(node)


def _board_size(game_tree: GameTree) -> tuple[int, int]:
    game = grammar.game(game_tree.game)
    if game.number not in (GO, HEX):
        raise DrawingError(
            f"no drawing for {game.name}, GM[{game.number}]: only Go and Hex have one"
        )
    size = game_tree.size
    if size is None or max(size) > LARGEST:
        columns, rows = size or (0, 0)
        raise DrawingError(f"a board of {columns} by {rows} is too large to draw")
    return size


class _Play:
    """The board while the nodes from the root to a node are executed."""

    def __init__(self, game: int, columns: int, rows: int) -> None:
        self.game = game
        self.board = Board(columns, rows)
        self.board.keep_history = False
        self.dimmed: frozenset[Point] = frozenset()
        self.visible: frozenset[Point] = frozenset()
        self.last_move: Point | None = None
        self.move_number = 0
        self.to_move: Color | None = None
        self.captured = {Color.BLACK: 0, Color.WHITE: 0}

    def execute(self, node: Node) -> None:
        """Execute the properties of a node: setup, then moves, then PL and MN."""
        for entry in node.properties:
            self.set_up(entry)
        for entry in node.properties:
            if entry.ident in PLAYED:
                for value in values_of(entry):
                    self.play(value, PLAYED[entry.ident])
        # PL and MN override the color and the number that follow from the moves.
        for entry in node.properties:
            if entry.ident == "PL":
                self.to_move = next(values_of(entry), self.to_move)
            elif entry.ident == "MN":
                self.move_number = next(values_of(entry), self.move_number)

    def set_up(self, entry: Property) -> None:
        """Execute a setup property, or one that dims or hides points."""
        if entry.ident in SET_UP:
            for point in self.points_of(entry):
                self.board.place(point, SET_UP[entry.ident])
            self.last_move = None
        elif entry.ident == "DD":
            self.dimmed = frozenset(self.points_of(entry))
        elif entry.ident == "VW":
            self.visible = frozenset(self.points_of(entry))

    def play(self, move: Any, color: int) -> None:
        self.move_number += 1
        self.to_move = _OTHER[_COLORS[color]]
        self.last_move = None
        if isinstance(move, HexMove):
            if move.action == "swap-pieces":
                self.swap_pieces()
            elif move.point is not None and self.is_on_board(move.point):
                self.board.place(move.point, color)
                self.last_move = move.point
        elif isinstance(move, Move) and move.point is not None and self.is_on_board(move.point):
            count = self.board.play(move.point, color)
            is_suicide = self.board[move.point] != color
            self.captured[_COLORS[color if is_suicide else 3 - color]] += count
            self.last_move = None if is_suicide else move.point

    def swap_pieces(self) -> None:
        """Change the color of all stones, and mirror them at the long diagonal."""
        stones = {
            Point(row, column): 3 - color
            for color in (BLACK, WHITE)
            for column, row in self.board.stones(color)
        }
        for color in (BLACK, WHITE):
            for point in list(self.board.stones(color)):
                self.board.place(point, EMPTY)
        for point, color in stones.items():
            if self.is_on_board(point):
                self.board.place(point, color)

    def is_on_board(self, point: Point) -> bool:
        return 0 <= point.column < self.board.columns and 0 <= point.row < self.board.rows

    def points_of(self, entry: Property) -> list[Point]:
        """The points of a list property that are on the board, with rectangles expanded."""
        last = Point(self.board.columns - 1, self.board.rows - 1)
        points: list[Point] = []
        for value in values_of(entry):
            if isinstance(value, Compose):
                # Corners can be outside the board; only the part on the board is expanded.
                left, top = (min(pair) for pair in zip(*value, strict=True))
                right, bottom = (max(pair) for pair in zip(*value, strict=True))
                if left <= last.column and top <= last.row:
                    corner = Point(min(right, last.column), min(bottom, last.row))
                    points += expand(Point(left, top), corner)
            elif isinstance(value, Point) and self.is_on_board(value):
                points.append(Point(*value))
        return points

    def position(self, node: Node) -> Position:
        """The current position with the markup of `node`."""
        marks: dict[str, set[Point]] = {}
        labels: dict[Point, str] = {}
        ends: dict[str, list[tuple[Point, Point]]] = {"LN": [], "AR": []}
        for entry in node.properties:
            if entry.ident in MARKS + TERRITORY:
                marks.setdefault(entry.ident, set()).update(self.points_of(entry))
            elif entry.ident == "LB":
                labels.update((at, text) for at, text in values_of(entry) if self.is_on_board(at))
            elif entry.ident in ends:
                ends[entry.ident] += self.pairs(values_of(entry))
            elif entry.ident == "L":
                labels.update(zip(self.points_of(entry), LETTERS, strict=False))
            elif entry.ident == "M":
                for point in self.points_of(entry):
                    on_stone = self.board[point] != EMPTY
                    marks.setdefault("TR" if on_stone else "MA", set()).add(point)
        stones = {
            Point(*point): _COLORS[color]
            for color in (BLACK, WHITE)
            for point in self.board.stones(color)
        }
        return Position(
            self.game,
            self.board.columns,
            self.board.rows,
            stones,
            {ident: frozenset(points) for ident, points in marks.items() if points},
            labels,
            tuple(ends["LN"]),
            tuple(ends["AR"]),
            self.dimmed,
            self.visible or None,
            self.last_move,
            self.move_number,
            self.to_move or _first_to_move(node),
            self.captured,
        )

    def pairs(self, values: Iterable[Any]) -> Iterator[tuple[Point, Point]]:
        for start, end in values:
            if start != end and self.is_on_board(start) and self.is_on_board(end):
                yield start, end


def values_of(entry: Property) -> Iterator[Any]:
    """The values that follow the type of the property; a rectangle as its two corners."""
    definition = entry.definition
    if definition is None:
        return
    reader = entry.node.tree.reader
    first = definition.alternatives[0]
    for raw in entry.raw:
        # A composed value is no rectangle: the second part can be a label such as "XG".
        corners = None if first.composed else reader.rectangle(first.first, raw)
        if corners is not None:
            yield Compose(*corners)
            continue
        try:
            value = reader.read_one(definition, raw)
        except ValueError:
            continue
        if value is not None:
            yield value


def _first_to_move(node: Node) -> Color:
    """The color to move after `node`, if no move and no PL shows it.

    That is the color of the next move, or else White in a handicap game.
    """
    for child in node.children[:1]:
        for ident, color in (("B", Color.BLACK), ("W", Color.WHITE)):
            if ident in child:
                return color
    root = node.tree.root
    handicap = next(values_of(root.property("HA")), 0) if "HA" in root else 0
    return Color.WHITE if isinstance(handicap, int) and handicap > 1 else Color.BLACK
