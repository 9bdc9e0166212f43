"""The position on a board after a node, as a value that never changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, Unpack

from sgf_lark import grammar
from sgf_lark.model import board
from sgf_lark.model.board import (
    AMAZONS,
    ARROW,
    BLACK,
    CELLS,
    COLORS,
    EMPTY,
    GO,
    HEX,
    LINES_OF_ACTION,
    WHITE,
    empty_cells,
    region,
)
from sgf_lark.model.board_execution import PLACED, Execution
from sgf_lark.model.property import value_in
from sgf_lark.model.values import Color, Context, HexMove, Move, Point
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.model.values.points import is_on_board
from sgf_lark.model.values.reader import reader

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from sgf_lark.drawing.options import PictureOptions
    from sgf_lark.model.symmetry import Symmetry
    from sgf_lark.model.tree import GameTree

    class BoardArray(numpy.ndarray[tuple[int, int], numpy.dtype[numpy.uint8]]):
        """An array of NumPy, as type checkers see it: where NumPy is not installed, all its types
        are Any for them, but this one is not, and has what is declared here."""

        def __eq__(self, other: object) -> NDArray[numpy.bool]: ...  # type: ignore[override]
        def __ne__(self, other: object) -> NDArray[numpy.bool]: ...  # type: ignore[override]
        def tobytes(self, order: Literal["A", "C", "F", "K"] | None = "C") -> bytes: ...  # noqa: D102
        def tolist(self) -> list[list[int]]: ...  # noqa: D102


#: The games that have boards: of the others no page of SGF specifies points that hold one piece
#: each, or what a move does.
GAMES = (GO, LINES_OF_ACTION, HEX, AMAZONS)

#: Boards with a longer side are refused. Go has at most 52 lines; Hex has no limit, so that a
#: few bytes could ask for more memory than there is.
LARGEST_SIDE = 512

#: Amazons: the start position on a board of 10 by 10 (amazons.html).
_AMAZONS_START = {Color.BLACK: ("dj", "gj", "ag", "jg"), Color.WHITE: ("da", "ga", "ad", "jd")}
_AMAZONS_SIZE = (10, 10)


class BoardError(ValueError):
    """A game has no board, or a board does not know what it is asked for; the message says why."""


class Board:
    """The position after a node: stones, captures, whose turn it is, and ko.

    A value: nothing changes it, neither do later edits of the tree, and it can be kept, compared,
    hashed, copied, pickled and sent to other processes. Ask :meth:`Node.board` for one. Two
    boards are equal if game, size, stones, ko and the color to play are the same; the way to the
    position does not count.

    Points are 0-based ``(column, row)``, from the upper left; in Lines of Action, whose rows are
    numbered upwards, from the lower left. Everywhere the SGF text of a point is taken, too:
    ``board["pd"]``. Points outside the board raise IndexError, texts that are no point ValueError.
    """

    __slots__ = (
        "_captures",
        "_cells",
        "_columns",
        "_game",
        "_ko",
        "_last_move",
        "_move_number",
        "_rows",
        "_to_play",
        "_turn_is_known",
    )

    def __init__(
        self,
        game: int,
        columns: int,
        rows: int,
        cells: bytes,
        to_play: Color = Color.BLACK,
        ko: Point | None = None,
        captures: tuple[int, int] = (0, 0),
        last_move: Point | None = None,
        move_number: int = 0,
        turn_is_known: bool = False,
    ) -> None:
        """A position with cells as :meth:`MutableBoard.snapshot` gives them.

        `turn_is_known` is whether a move or PL determined whose turn it is.
        """
        self._game = game
        self._columns = columns
        self._rows = rows
        self._cells = cells
        self._to_play = to_play
        self._ko = ko
        self._captures = captures
        self._last_move = last_move
        self._move_number = move_number
        self._turn_is_known = turn_is_known

    @property
    def game(self) -> int:
        """The GM number of the game: 1 Go, 9 Lines of Action, 11 Hex, 18 Amazons."""
        return self._game

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self._columns

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._rows

    @property
    def to_play(self) -> Color:
        """Whose turn it is: the color that did not move last, unless PL names another.

        Before the first move it is Black, and White in a game of Go with handicap stones: with AB,
        and HA of at least 2 in the root. After swap-sides of Hex the same color plays on.
        """
        return self._to_play

    @property
    def ko(self) -> Point | None:
        """Go: where a stone was captured that the color to play may not retake at once."""
        return self._ko

    @property
    def last_move(self) -> Point | None:
        """Where the last move ended, if its stone is there; None after a pass and after setup."""
        return self._last_move

    @property
    def move_number(self) -> int:
        """The number of the last move; see :attr:`Node.move_number`."""
        return self._move_number

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.columns, self.rows

    @property
    def stones(self) -> dict[Point, Color]:
        """The stones by their points, row by row; a new dict each time."""
        points = points_of_cells(self.columns, self.rows)
        return {
            point: COLORS[cell]
            for point, cell in zip(points, self._cells, strict=False)
            if cell in COLORS
        }

    @property
    def captures(self) -> dict[Color, int]:
        """The number of stones that each color has captured.

        Stones lost in suicide count for the opponent. Setup captures nothing (properties.html, AB).
        """
        return dict(zip((Color.BLACK, Color.WHITE), self._captures, strict=True))

    @property
    def arrows(self) -> frozenset[Point]:
        """Amazons: the points that arrows block."""
        if self.game != AMAZONS:
            return frozenset()
        points = points_of_cells(self.columns, self.rows)
        return frozenset(
            point for point, cell in zip(points, self._cells, strict=False) if cell == ARROW
        )

    def points(self) -> Iterator[Point]:
        """All points of the board, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield Point(column, row)

    def __contains__(self, point: object) -> bool:
        """Whether a point, or its SGF text, is on the board."""
        try:
            self._index(point)
        except (TypeError, ValueError, IndexError):
            return False
        return True

    def __iter__(self) -> Iterator[Point]:
        return self.points()

    def __getitem__(self, point: Point | tuple[int, int] | str) -> Color | None:
        """The color of the stone at a point; None where there is none.

        Raises IndexError outside the board, ValueError for a text that is not a point.
        """
        return COLORS.get(self._cells[self._index(point)])

    def _index(self, point: Any) -> int:
        """The index of a point in the cells."""
        column, row = self.point(point)
        if not is_on_board((column, row), self.size):
            raise IndexError(
                f"{point!r} is not on the board of {self.columns} by {self.rows}: columns and "
                "rows are counted from 0"
            )
        return (row + 1) * (self.columns + 1) + column + 1

    def point(self, point: Point | tuple[int, int] | str) -> Point:
        """The point that a pair or an SGF text means, on the board or not.

        Raises ValueError for another text, TypeError for anything else.
        """
        if isinstance(point, str):
            return _read(self, "point", point)  # type: ignore[no-any-return]
        if (
            isinstance(point, tuple)
            and len(point) == 2
            and all(isinstance(part, int) for part in point)
        ):
            return Point(*point)
        raise TypeError(
            f"a point is a Point, a pair (column, row) or its SGF text, such as "
            f'"{NOTATIONS[grammar.game(self.game).point](Point(2, 3))}", not {point!r}'
        )

    # Groups and areas of Go

    def _cells_of_go(self, question: str) -> bytes:
        """The cells; raises BoardError for another game than Go."""
        if self.game != GO:
            raise BoardError(f"{question} is a question about Go, not about {self._game_name}")
        return self._cells

    def _points(self, indices: Iterable[int]) -> frozenset[Point]:
        """The points of cells on the board."""
        width = self.columns + 1
        return frozenset(Point(index % width - 1, index // width - 1) for index in indices)

    def group(self, point: Point | tuple[int, int] | str) -> frozenset[Point]:
        """Go: the stones connected with the one at a point; none for an empty point.

        Raises IndexError outside the board, BoardError for other games.
        """
        cells, start = self._cells_of_go("group()"), self._index(point)
        if cells[start] == EMPTY:
            return frozenset()
        return self._points(region(cells, start, self.columns + 1)[0])

    def liberties(self, point: Point | tuple[int, int] | str) -> frozenset[Point]:
        """Go: the empty points next to the group at a point; none for an empty point.

        Raises IndexError outside the board, BoardError for other games.
        """
        cells, start = self._cells_of_go("liberties()"), self._index(point)
        if cells[start] == EMPTY:
            return frozenset()
        return self._points(board.liberties(cells, start, self.columns + 1))

    def captured_by(self, move: Any, color: Color | str | None = None) -> frozenset[Point]:
        """Go: the stones that a move takes off this board; in suicide the player's own.

        `move`, `color` and errors are as for :meth:`played`; BoardError for other games.
        """
        cells = self._cells_of_go("captured_by()")
        after = self.played(move, color)
        if after._captures == self._captures:
            return frozenset()
        return self._points(
            index
            for index, (cell, left) in enumerate(zip(cells, after._cells, strict=True))
            if cell in COLORS and left == EMPTY
        )

    def territory(
        self, dead: Iterable[Point | tuple[int, int] | str] = ()
    ) -> dict[Color, frozenset[Point]]:
        """Go: the empty regions next to stones of one color only, by that color.

        The groups with a stone at a point of `dead` are taken off the board before. That is the
        territory of area scoring; who has lost which group, and seki, only people know. Raises
        IndexError outside the board, BoardError for other games.
        """
        _, found = self._areas("territory()", dead)
        return {COLORS[cell]: self._points(indices) for cell, indices in found.items()}

    def area_score(
        self, komi: float = 0, dead: Iterable[Point | tuple[int, int] | str] = ()
    ) -> float:
        """Go: the stones and the territory of Black, less those of White and komi.

        Above 0 Black is ahead. `dead` and errors are those of :meth:`territory`.
        """
        left, areas = self._areas("area_score()", dead)
        black, white = (left.count(cell) + len(areas[cell]) for cell in (BLACK, WHITE))
        return black - white - komi

    def _areas(
        self, question: str, dead: Iterable[Point | tuple[int, int] | str]
    ) -> tuple[bytes, dict[int, set[int]]]:
        """The cells without dead groups, and the territory on them."""
        cells, width = self._cells_of_go(question), self.columns + 1
        left = board.without(cells, map(self._index, dead), width)
        return left, board.territory(left, width)

    @property
    def key(self) -> str:
        """16 hexadecimal digits that are the same for equal boards, in all programs: with them
        positions that several ways lead to are found, also in a database.

        That two other boards have the same is as likely as with 64 random bits.
        """
        others = f"{self.game} {self.columns} {self.rows} {self.to_play} {self.ko or ''}:"
        return blake2b(others.encode() + self._cells, digest_size=8).hexdigest()

    @classmethod
    def empty(cls, size: int | tuple[int, int] = 19, *, game: int = GO) -> Board:
        """The board of that size, a number or (columns, rows), without any stone.

        Raises BoardError for a game without a board and for a board that is too large, TypeError
        or ValueError for what is not a size.
        """
        columns, rows = size if isinstance(size, tuple) and len(size) == 2 else (size, size)
        if not (isinstance(columns, int) and isinstance(rows, int)):
            raise TypeError(f"size is {size!r}; expected a number, or (columns, rows)")
        if min(columns, rows) < 1:
            raise ValueError(f"size is {size!r}; a board has at least one column and one row")
        return empty_board(game, (columns, rows))

    @classmethod
    def from_text(cls, text: str, *, game: int = GO, to_play: Color | str = Color.BLACK) -> Board:
        """The board that is drawn with characters: what ``str(board)`` gives, and diagrams.

        Each line is a row, points with or without blanks between them. Black stones are X, # or
        ●, white ones O or ○, empty points "." or "+" or a crossing of lines. Row numbers, the
        names of columns, frames and what follows a row number on the right are passed over. What
        no diagram shows is as before the first move, but for `to_play`. Raises ValueError, which
        names the line, for other characters and rows of different lengths; BoardError for games
        without a board.
        """
        rows = rows_of(text)
        columns = len(rows[0])
        board = empty_board(game, (columns, len(rows)))
        if grammar.game(game).upward:
            rows.reverse()
        cells = bytearray(board._cells)
        for number, row in enumerate(rows):
            start = board._index((0, number))
            cells[start : start + columns] = row
        return cls(game, columns, len(rows), bytes(cells), Color(to_play), turn_is_known=True)

    def setup(self) -> dict[str, Any]:
        """The properties that set up this position on an empty board: AB, AW and PL.

        ``new_game(board.size, **board.setup())`` begins with it, and so does a node that
        :meth:`Node.update` gives them. In Amazons AA has the arrows, in Lines of Action SU is
        Custom; ko and captured stones cannot be set up.
        """
        points: dict[str, list[Point]] = {"AB": [], "AW": [], "AA": sorted(self.arrows)}
        for point, color in self.stones.items():
            points[f"A{color}"].append(point)
        found: dict[str, Any] = {ident: each for ident, each in points.items() if each}
        if self.game == LINES_OF_ACTION:
            found["SU"] = "Custom"
        return found | {"PL": self.to_play}

    def transformed(self, symmetry: Symmetry, swap_colors: bool = False) -> Board:
        """The board turned, with the colors swapped or not; see :meth:`GameTree.transformed`.

        Of the boards of Lines of Action any position is taken. Raises ValueError for symmetries
        that the game does not have, and for other games than Go, Hex and Lines of Action.
        """
        from sgf_lark.model import symmetry as symmetries

        symmetries.check(symmetry, self.game, swap_colors, is_custom=True)
        columns, rows = symmetry.size(self.size)
        turned = empty_board(self.game, (columns, rows))
        cells = bytearray(turned._cells)
        swap = {CELLS[color]: CELLS[color.opponent] for color in Color} if swap_colors else {}
        for point, color in self.stones.items():
            cell = CELLS[color]
            cells[turned._index(symmetry.point(point, self.size))] = swap.get(cell, cell)
        ko, last = (
            point and symmetry.point(point, self.size) for point in (self.ko, self.last_move)
        )
        return Board(
            self.game,
            columns,
            rows,
            bytes(cells),
            self.to_play.opponent if swap_colors else self.to_play,
            ko,
            self._captures[::-1] if swap_colors else self._captures,
            last,
            self.move_number,
            self._turn_is_known,
        )

    # Moves

    def played(self, move: Any, color: Color | str | None = None) -> Board:
        """The board after one more move; this one stays as it is.

        `move` is a move of the game, or in Go and Hex a point; its SGF text; or None for a pass
        in Go and Hex. `color` is that to play if it is not given. As in SGF files no move is
        illegal (properties.html, B): it may be on a stone, suicide, or against ko, see
        :meth:`legal`. Raises IndexError for a point outside the board, TypeError or ValueError
        for what is not a move.
        """
        return Execution(self).after_move(self.move(move), self.color(color))

    play = played

    def legal(self, move: Any, color: Color | str | None = None) -> bool:
        """Whether the usual rules allow a move: a help for players, no part of SGF.

        In Go a stone is legal on an empty point, unless it retakes a ko at once or is
        suicide; repetition of older positions is not examined, and a pass is legal. In Hex a
        cell must be empty; words such as swap-pieces are legal. `move` and `color` are as for
        :meth:`play`; a point outside the board is not legal. Raises BoardError for other games.
        """
        if self.game not in (GO, HEX):
            raise BoardError(
                f"legal() knows the rules of Go and Hex, not those of {self._game_name}"
            )
        played = self.move(move)
        mover = self.color(color)
        if played.point is None:
            return True
        if played.point not in self or self._cells[self._index(played.point)] != EMPTY:
            return False
        if self.game == HEX:
            return True
        if played.point == self.ko and mover is self.to_play:
            return False
        return self.play(played, mover)[played.point] is mover

    def move(self, move: Any) -> Any:
        """The move of this game that a move, a point, a text or None means."""
        from sgf_lark.model.values.notations import MOVES, PASSES

        production = grammar.game(self.game).move
        kind = MOVES[production]
        if isinstance(move, kind):
            return move
        if isinstance(move, str):
            return _read(self, "move", move)
        if move is None and production in PASSES:
            return PASSES[production]
        if kind in (Move, HexMove):
            return kind(self.point(move))
        raise TypeError(f"expected a {kind.__name__} or its SGF text, not {move!r}")

    def color(self, color: Color | str | None = None) -> Color:
        """The color of that name, "B" or "W"; the color to play for None."""
        if color is None:
            return self.to_play
        try:
            return Color(color)
        except ValueError:
            raise ValueError(f'a color is a Color, "B" or "W", not {color!r}') from None

    @property
    def _game_name(self) -> str:
        return f"{grammar.game(self.game).name}, GM[{self.game}]"

    def to_numpy(self) -> BoardArray:
        """The stones as a new NumPy array of shape (rows, columns) and type uint8.

        ``array[row, column]`` is 0 where the point is empty, 1 for Black, 2 for White, 3 for an
        arrow of Amazons. Raises ImportError, which names the extra "numpy", without NumPy.
        """
        try:
            import numpy
        except ImportError as error:
            raise ImportError("to_numpy() needs NumPy: pip install 'sgf-lark[numpy]'") from error
        columns, width = self._columns, self._columns + 1
        # A view of the cells without their margins.
        cells: Any = numpy.ndarray(
            (self._rows, columns), numpy.uint8, self._cells, width + 1, (width, 1)
        )
        return cells.copy()  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self._compared)

    @property
    def _compared(self) -> tuple[object, ...]:
        return self.game, self.columns, self.rows, self._cells, self.to_play, self.ko

    def __str__(self) -> str:
        """The board drawn with characters, in lines; a board too large for that as its `repr`."""
        from sgf_lark.drawing.characters import text
        from sgf_lark.drawing.positions import DrawingError, of_board

        try:
            return text(of_board(self)).rstrip("\n")
        except DrawingError:
            return repr(self)

    def __repr__(self) -> str:
        color = "Black" if self.to_play is Color.BLACK else "White"
        return (
            f"<Board of {grammar.game(self.game).name}, {self.columns} by {self.rows}, after move "
            f"{self.move_number}, {color} to play>"
        )

    def svg(self, **options: Unpack[PictureOptions]) -> str:
        """The picture of the board as an SVG document; :class:`PictureOptions` has the options.

        Raises DrawingError (a ValueError) for a board too large to draw, ValueError for options
        that name no point.
        """
        from sgf_lark.drawing.options import board_svg

        return board_svg(self, options)

    def png(self, **options: Unpack[PictureOptions]) -> bytes:
        """The picture of the board as PNG, 800 pixels wide unless `size` says another width.

        Options and errors are those of :meth:`svg`; ImportError names the extra "png" where it
        is not installed.
        """
        from sgf_lark.drawing.options import as_png

        return as_png(self.svg(**options), options)

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show; None for a board too large to draw."""
        from sgf_lark.drawing.notebook import board_svg

        return board_svg(self)


def empty_board(game: int, size: tuple[int, int] | None) -> Board:
    """The board before the root: no stones, Black to play.

    Raises BoardError for a game without a board and for a board that is too large.
    """
    definition = grammar.game(game)
    if game not in GAMES or size is None:
        known = ", ".join(f"{grammar.game(each).name} GM[{each}]" for each in GAMES)
        raise BoardError(
            f"no board for {definition.name}, GM[{game}]: SGF specifies what a move does on the "
            f"board for {known}"
        )
    columns, rows = size
    if max(size) > LARGEST_SIDE:
        raise BoardError(
            f"a board of {columns} by {rows} is too large: at most {LARGEST_SIDE} by {LARGEST_SIDE}"
        )
    return Board(game, columns, rows, empty_cells(columns, rows))


def start(tree: GameTree) -> Board:
    """The board before the root of a tree; raises BoardError if it has none."""
    board = empty_board(tree.game, tree.size)
    if board.game == LINES_OF_ACTION:
        return _lines_of_action_start(tree, board)
    if board.game == AMAZONS and board.size == _AMAZONS_SIZE:
        if any(ident in tree.root for ident in PLACED):
            return board
        execution = Execution(board)
        for color, points in _AMAZONS_START.items():
            for point in points:
                execution.place(board.point(point), CELLS[color])
        return execution.result()
    return board


def _lines_of_action_start(tree: GameTree, board: Board) -> Board:
    """The start position that SU names; the standard one is the default.

    Black is on the lower and the upper edge, White on the left and the right one.
    """
    value = value_in(tree.root, "SU")
    name = value.casefold() if isinstance(value, str) else "standard"
    if name == "custom":
        return board
    if name != "standard":
        raise BoardError(f"the start position SU[{value}] is not known: only Standard and Custom")
    execution = Execution(board)
    for point in board.points():
        on_side = point.column in (0, board.columns - 1)
        on_edge = point.row in (0, board.rows - 1)
        if on_side != on_edge:
            execution.place(point, BLACK if on_edge else WHITE)
    return execution.result()


def _read(board: Board, kind: str, text: str) -> Any:
    """A point or move from its SGF text; raises ValueError."""
    context = Context(board.game, 4, board.size)
    try:
        return reader(context).read(kind, text.encode("ascii"))
    except ValueError:
        definition = grammar.game(board.game)
        form = definition.point_form if kind == "point" else definition.move_form
        raise ValueError(
            f"{text!r} is not a {kind} of {definition.name}: expected {form}"
        ) from None


@lru_cache(maxsize=64)
def points_of_cells(columns: int, rows: int) -> tuple[Point, ...]:
    """The points of the cells up to the last row; margins have points outside the board."""
    return tuple(Point(column, row) for row in range(-1, rows) for column in range(-1, columns))


# Reads boards that are drawn with characters, as programs and people write them.

#: What the characters mean; those of the frame, and the last move's parentheses, mean nothing.
_CELLS = {
    **dict.fromkeys("Xx#@●⚫⬤", BLACK),
    **dict.fromkeys("Oo○⚪◯", WHITE),
    **dict.fromkeys(".,+·・┌┬┐├┼┤└┴┘╋╵╷╴╶│─", EMPTY),
    **dict.fromkeys("█%", ARROW),
}
#: The crossings of lines, of which each second character of a row is one.
_LINES = frozenset("┌┬┐├┼┤└┴┘╋╵╷╴╶│─")
#: The number of a row before its points, and the one after them, perhaps with a remark.
_NUMBER = re.compile(r"\s*\d+")
_NUMBER_AFTER = re.compile(r"\s\d+(?:\s.*)?$")
#: What is drawn between the points.
_BETWEEN = re.compile(r"[\s|()]")
#: Lines that are no rows: the names of the columns, and frames.
_NO_ROW = re.compile(r"[\s|+=─-]*[=─-]{2}[\s|+=─-]*|\s*[Aa](?:\s*[A-Za-z])*\s*|\s*")


def rows_of(text: str) -> list[bytes]:
    """The cells of a drawn board, row by row from the top.

    Raises ValueError for a character that is not a point, and for rows of different lengths.
    """
    rows: list[bytes] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.replace("$$", "")
        if _NO_ROW.fullmatch(line):
            continue
        row = bytearray()
        for character in _points(line):
            if character not in _CELLS:
                name = unicodedata.name(character, "no character")
                raise ValueError(
                    f"line {number}: {character!r} ({name}) is not a point of a board; black "
                    "stones are X, # or ●, white ones O or ○, empty points . or +"
                )
            row.append(_CELLS[character])
        if rows and len(row) != len(rows[0]):
            raise ValueError(
                f"line {number}: {len(row)} points, where the rows before have {len(rows[0])}"
            )
        rows.append(bytes(row))
    if not rows or not rows[0]:
        raise ValueError("the text has no row of a board, such as '. X O .'")
    return rows


def _points(line: str) -> str:
    """The characters of the points of a row."""
    number = _NUMBER.match(line)
    points = line[number.end() :] if number else line
    remark = _NUMBER_AFTER.search(points)
    points = points[: remark.start()] if remark else points
    if _LINES & {*points}:
        # The points are one apart, and joined or in parentheses.
        points = points.lstrip(" (")[::2]
    return _BETWEEN.sub("", points)
