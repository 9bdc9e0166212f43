"""Positions to draw: with markup, or as diagrams of books with numbered moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sgf_lark import grammar
from sgf_lark.diagnostics import Language, Words
from sgf_lark.model.board import GAMES, Board, BoardError
from sgf_lark.model.context import GO, HEX, LINES_OF_ACTION
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, values_of
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Color, Point
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.model.values.points import LETTERS, expand, write_column_and_number

#: The largest board that is drawn. Go has letters for 52 lines; Hex has no limit of its own.
LARGEST = 52

#: The markup properties with a shape of their own.
MARKS = ("CR", "MA", "SL", "SQ", "TR")
TERRITORY = ("TB", "TW")

COLOR_NAMES = {Color.BLACK: Words("Black", "黑"), Color.WHITE: Words("White", "白")}


class DrawingError(ValueError):
    """The board cannot be drawn; the message gives the reason."""


@dataclass(frozen=True)
class Position:
    """A board of `columns` by `rows` after a node, with the markup of the node.

    Points are 0-based from the upper left. `marks` maps CR, MA, SL, SQ, TR, TB and TW to
    their points. `visible` is None if the whole board is shown. `captured` counts the
    captured stones of each color. `last_move` is None after a pass and after setup. `blocked` are
    the points with an arrow of Amazons.
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
    blocked: frozenset[Point] = frozenset()

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
        """The names of the column and the row of a point, as :func:`coordinates`."""
        return coordinates(self.game, self.rows, point)

    @property
    def is_upward(self) -> bool:
        """Whether the rows are counted from below."""
        return grammar.game(self.game).upward


def coordinates(game: int, rows: int, point: Point) -> tuple[str, str]:
    """The names of the column and the row of a point on a board of that many rows.

    In Go these are letters without I, and numbers from below; in Hex and Lines of Action they
    are the parts of the notation; in Amazons letters, and numbers from below.
    """
    if game == GO:
        return _column_letters(point.column), str(rows - point.row)
    letters = write_column_and_number(point).rstrip("0123456789")
    is_numbered_as_stored = game in (HEX, LINES_OF_ACTION)
    return letters, str(point.row + 1 if is_numbered_as_stored else rows - point.row)


def _column_letters(column: int) -> str:
    letters = LETTERS[26:].replace("I", "")
    head, tail = divmod(column, len(letters))
    return (letters[head - 1] if head else "") + letters[tail]


def position(game_tree: GameTree, node: Node) -> Position:
    """The position after `node`, a node of `game_tree`, with the markup of the node.

    The board is that of :meth:`Node.board`. Values that do not follow their type and points
    outside the board are ignored. Raises DrawingError for games without a board and for boards
    that are too large to draw or have no size.
    """
    _check_size(game_tree.game, game_tree.size)
    try:
        board = node.board()
    except BoardError as error:
        raise DrawingError(str(error)) from error
    found = of_board(board)
    if not board.move_number and board.to_play is Color.BLACK:
        found = replace(found, to_move=_first_to_move(node, board))
    return _with_markup(found, board, node)


def of_board(board: Board) -> Position:
    """A board without markup. Raises DrawingError for one that is too large to draw."""
    _check_size(board.game, board.size)
    captures = board.captures
    return Position(
        board.game,
        board.columns,
        board.rows,
        board.stones,
        blocked=board.arrows,
        last_move=board.last_move,
        move_number=board.move_number,
        to_move=board.to_play,
        captured={color: captures[color.opponent] for color in Color},
    )


def _check_size(number: int, size: tuple[int, int] | None) -> None:
    game = grammar.game(number)
    if number not in GAMES:
        names = ", ".join(grammar.game(each).name for each in GAMES)
        raise DrawingError(f"no drawing for {game.name}, GM[{number}]: only {names} have one")
    if size is None or max(size) > LARGEST:
        columns, rows = size or (0, 0)
        raise DrawingError(f"a board of {columns} by {rows} is too large to draw")


def _with_markup(bare: Position, board: Board, node: Node) -> Position:
    """The position on a board with the markup of a node."""
    marks: dict[str, set[Point]] = {}
    labels: dict[Point, str] = {}
    ends: dict[str, list[tuple[Point, Point]]] = {"LN": [], "AR": []}
    for entry in node.properties:
        if entry.ident in MARKS + TERRITORY:
            marks.setdefault(entry.ident, set()).update(_points_of(entry))
        elif entry.ident == "LB":
            labels.update((at, text) for at, text in values_of(entry) if at in board)
        elif entry.ident in ends:
            ends[entry.ident] += [
                (start, end)
                for start, end in values_of(entry)
                if start != end and start in board and end in board
            ]
        elif entry.ident == "L":
            labels.update(zip(_points_of(entry), LETTERS, strict=False))
        elif entry.ident == "M":
            for point in _points_of(entry):
                marks.setdefault("MA" if board[point] is None else "TR", set()).add(point)
    return replace(
        bare,
        marks={ident: frozenset(points) for ident, points in marks.items() if points},
        labels=labels,
        lines=tuple(ends["LN"]),
        arrows=tuple(ends["AR"]),
        dimmed=_inherited(node, "DD"),
        visible=_inherited(node, "VW") or None,
    )


def _inherited(node: Node, ident: str) -> frozenset[Point]:
    """The points of the nearest DD or VW on the path to a node."""
    step: Node | None = node
    while step is not None:
        if found := step.select(ident):
            return frozenset(_points_of(found[-1]))
        step = step.parent
    return frozenset()


def _points_of(entry: Property) -> list[Point]:
    return [point for area in entry.areas() for point in expand(*area)]


def _first_to_move(node: Node, board: Board) -> Color:
    """The color to move after `node`, before the first move: that of the next move."""
    for child in node.children[:1]:
        for ident, color in (("B", Color.BLACK), ("W", Color.WHITE)):
            if ident in child and "PL" not in node:
                return color
    return board.to_play


# --- Diagrams -------------------------------------------------------------------------


_CAPTIONS = {
    "at": Words("{numbers} at {point}", "{numbers} = {point}"),
    "ko": Words("{numbers} ko at {point}", "{numbers} 提劫 = {point}"),
    "pass": Words("{numbers} pass", "{numbers} 停一手"),
    "name": Words("{numbers} {point}", "{numbers} {point}"),
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
        words = _CAPTIONS[kind].in_language(language)
        captions.append(words.format(numbers=", ".join(moves), point=place))
    return captions
