"""The board: a position that plays moves and sets up stones, and takes both back.

Users have points and colors. Rules, fixes and tools, which look at many points, have cells: what is
on a point as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack

from sgf_lark import grammar
from sgf_lark.model.cells import (
    ARROW,
    BLACK,
    CELLS,
    COLORS,
    EMPTY,
    EXECUTED,
    OTHER_COLOR,
    PLACED,
    PLAYED,
    captured_group,
    empty_cells,
    points_of_size,
    region,
    territory,
    with_margins,
)
from sgf_lark.model.context import AMAZONS, GO, HEX, LINES_OF_ACTION
from sgf_lark.model.pictures import AnyPoint, PictureOptions, drawing
from sgf_lark.model.property import Property, first_value
from sgf_lark.model.turns import has_handicap, turn_after_move
from sgf_lark.model.values import (
    AmazonsMove,
    Color,
    Context,
    HexMove,
    LinesOfActionMove,
    Move,
    Point,
)
from sgf_lark.model.values.notations import MOVES, NOTATIONS, PASSES
from sgf_lark.model.values.points import Rectangle, is_on_board
from sgf_lark.model.values.reader import reader

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from sgf_lark.model.symmetry import Symmetry

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

#: To which :meth:`Board.undo_to` returns, as long as nothing before it is undone: the number of
#: changes that were recorded before, and what belongs to the position besides the cells.
Mark = tuple[int, tuple[Any, ...]]


class BoardError(ValueError):
    """A game has no board, or a board does not know what it is asked for; the message says why."""


class Board(Mapping[Point, Color | None]):
    """A position: stones, captures, whose turn it is, and ko.

    :meth:`Node.board` gives the position after a node. It is a copy: neither do later edits of the
    tree change it, nor does what is played on it change the tree. Boards can be compared, copied,
    pickled and sent to other processes. Two are equal if game, size, stones, ko and the color to
    play are the same; the way to the position does not count. As a board changes, it has no hash:
    :attr:`key` finds equal positions in dicts and databases.

    A board is a mapping of all its points, row by row, to the colors of their stones, or None.
    Points are 0-based ``(column, row)``, from the upper left; in Lines of Action, whose rows are
    numbered upwards, from the lower left. Everywhere the SGF text of a point is taken, too:
    ``board["pd"]``. Points outside the board raise IndexError, texts that are no point ValueError.
    """

    __slots__ = (
        *("_cells", "_columns", "_game", "_history", "_rows", "_width"),
        *("_captures", "_ko", "_last_move", "_move_number", "_to_play", "_turn_is_known"),
    )

    def __init__(self, columns: int, rows: int, game: int = GO, cells: bytes | None = None) -> None:
        """A board of whatever size, without stones or with these cells; :meth:`empty` checks the
        size."""
        self._game = game
        self._columns = columns
        self._rows = rows
        self._width = columns + 1
        self._cells = bytearray(empty_cells(columns, rows) if cells is None else cells)
        self._to_play = Color.BLACK
        #: Whether a move or PL determined whose turn it is.
        self._turn_is_known = False
        self._move_number = 0
        #: The stones that Black and White have captured.
        self._captures = (0, 0)
        self._last_move: Point | None = None
        self._ko: Point | None = None
        #: Where cells changed and what they held before: an index and a cell, or a slice and
        #: cells. None while changes are not recorded.
        self._history: list[tuple[Any, Any]] | None = None

    @classmethod
    def empty(cls, size: int | tuple[int, int] | None = 19, *, game: int = GO) -> Board:
        """The board of that size, a number or (columns, rows), without any stone.

        Raises BoardError for a game without a board and for a board that is too large, TypeError
        or ValueError for what is not a size.
        """
        if game not in GAMES or size is None:
            known = ", ".join(f"{grammar.game(each).name} GM[{each}]" for each in GAMES)
            raise BoardError(
                f"no board for {grammar.game(game).name}, GM[{game}]: SGF specifies what a move "
                f"does on the board for {known}"
            )
        columns, rows = size if isinstance(size, tuple) and len(size) == 2 else (size, size)
        if not (isinstance(columns, int) and isinstance(rows, int)):
            raise TypeError(f"size is {size!r}; expected a number, or (columns, rows)")
        if min(columns, rows) < 1:
            raise ValueError(f"size is {size!r}; a board has at least one column and one row")
        if max(columns, rows) > LARGEST_SIDE:
            raise BoardError(
                f"a board of {columns} by {rows} is too large: at most {LARGEST_SIDE} by "
                f"{LARGEST_SIDE}"
            )
        return cls(columns, rows, game)

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
        from sgf_lark.model.board_text import rows_of

        rows = rows_of(text)
        board = cls.empty((len(rows[0]), len(rows)), game=game)
        board._cells[:] = with_margins(rows[::-1] if grammar.game(game).upward else rows)
        board._to_play, board._turn_is_known = Color(to_play), True
        return board

    def copy(self) -> Board:
        """A board of its own with the same position."""
        new: Board = object.__new__(type(self))
        new._game, new._columns, new._rows = self._game, self._columns, self._rows
        new._width, new._cells, new._state = self._width, self._cells[:], self._state
        new._history = None
        return new

    @property
    def _state(self) -> tuple[Any, ...]:
        """What belongs to the position besides the cells."""
        return (
            *(self._to_play, self._turn_is_known, self._move_number),
            *(self._captures, self._last_move, self._ko),
        )

    @_state.setter
    def _state(self, state: tuple[Any, ...]) -> None:
        self._to_play, self._turn_is_known, self._move_number = state[:3]
        self._captures, self._last_move, self._ko = state[3:]

    __copy__ = copy

    # Reading

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
        return self._columns, self._rows

    @property
    def stones(self) -> dict[Point, Color]:
        """The stones by their points, row by row; a new dict each time."""
        return {
            point: COLORS[cell]
            for point, cell in zip(self.points(), self.content, strict=True)
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
        return frozenset(
            point for point, cell in zip(self.points(), self.content, strict=True) if cell == ARROW
        )

    def points(self) -> Iterator[Point]:
        """All points of the board, row by row."""
        return iter(points_of_size(self._columns, self._rows))

    __iter__ = points

    def __len__(self) -> int:
        return self._columns * self._rows

    def __contains__(self, point: object) -> bool:
        """Whether a point, or its SGF text, is on the board."""
        try:
            self._index(point)
        except (TypeError, ValueError, IndexError):
            return False
        return True

    def __getitem__(self, point: AnyPoint) -> Color | None:
        """The color of the stone at a point; None where there is none.

        Raises IndexError outside the board, ValueError for a text that is not a point.
        """
        return COLORS.get(self._cells[self._index(point)])

    def get(self, point: Any, default: Any = None) -> Any:
        """The color of the stone at a point; `default` for what is not a point of the board."""
        return self[point] if point in self else default  # noqa: SIM401

    def point(self, point: AnyPoint) -> Point:
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
            f'"{NOTATIONS[grammar.game(self._game).point](Point(2, 3))}", not {point!r}'
        )

    def _index(self, point: Any) -> int:
        """The index of a point in the cells."""
        column, row = self.point(point)
        if not is_on_board((column, row), (self._columns, self._rows)):
            raise IndexError(
                f"{point!r} is not on the board of {self._columns} by {self._rows}: columns and "
                "rows are counted from 0"
            )
        return (row + 1) * self._width + column + 1

    # Groups and areas of Go

    def _check_go(self, question: str) -> None:
        if self._game != GO:
            raise BoardError(f"{question} is a question about Go, not about {self._game_name}")

    def _points(self, indices: Iterable[int]) -> frozenset[Point]:
        """The points of cells on the board."""
        width = self._width
        return frozenset(Point(index % width - 1, index // width - 1) for index in indices)

    def group(self, point: AnyPoint) -> frozenset[Point]:
        """Go: the stones connected with the one at a point; none for an empty point.

        Raises IndexError outside the board, BoardError for other games.
        """
        return self._group("group()", point)[0]

    def liberties(self, point: AnyPoint) -> frozenset[Point]:
        """Go: the empty points next to the group at a point; none for an empty point.

        Raises IndexError outside the board, BoardError for other games.
        """
        return self._group("liberties()", point)[1]

    def _group(self, question: str, point: AnyPoint) -> tuple[frozenset[Point], frozenset[Point]]:
        """The group at a point, and its liberties."""
        self._check_go(question)
        start, cells = self._index(point), self._cells
        if cells[start] == EMPTY:
            return frozenset(), frozenset()
        group, border = region(cells, start, self._width)
        return self._points(group), self._points(each for each in border if cells[each] == EMPTY)

    def without_liberty(self, points: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Those of these points, all of which have a stone, whose group has no liberty."""
        known: dict[int, bool] = {}
        for column, row in points:
            index = (row + 1) * self._width + column + 1
            if index not in known:
                group, border = region(self._cells, index, self._width)
                has_liberty = any(self._cells[each] == EMPTY for each in border)
                known.update(dict.fromkeys(group, has_liberty))
            if not known[index]:
                yield column, row

    def captured_by(self, move: Any, color: Color | str | None = None) -> frozenset[Point]:
        """Go: the stones that a move takes off this board; in suicide the player's own.

        `move`, `color` and errors are as for :meth:`play`; BoardError for other games.
        """
        self._check_go("captured_by()")
        after = self.played(move, color)
        if after._captures == self._captures:
            return frozenset()
        return self._points(
            index
            for index, (cell, left) in enumerate(zip(self._cells, after._cells, strict=True))
            if cell in COLORS and left == EMPTY
        )

    def territory(self, dead: Iterable[AnyPoint] = ()) -> dict[Color, frozenset[Point]]:
        """Go: the empty regions next to stones of one color only, by that color.

        The groups with a stone at a point of `dead` are taken off the board before. That is the
        territory of area scoring; who has lost which group, and seki, only people know. Raises
        IndexError outside the board, BoardError for other games.
        """
        _, found = self._areas("territory()", dead)
        return {color: self._points(indices) for color, indices in found.items()}

    def area_score(self, komi: float = 0, dead: Iterable[AnyPoint] = ()) -> float:
        """Go: the stones and the territory of Black, less those of White and komi.

        Above 0 Black is ahead. `dead` and errors are those of :meth:`territory`.
        """
        left, areas = self._areas("area_score()", dead)
        black, white = (left.count(CELLS[color]) + len(areas[color]) for color in areas)
        return black - white - komi

    def _areas(
        self, question: str, dead: Iterable[AnyPoint]
    ) -> tuple[bytearray, dict[Color, set[int]]]:
        """The cells without dead groups, and the territory on them."""
        self._check_go(question)
        left, width = self._cells[:], self._width
        for start in map(self._index, dead):
            if left[start] in COLORS:
                for index in region(left, start, width)[0]:
                    left[index] = EMPTY
        return left, territory(left, width)

    # Moves and setup

    def play(self, move: Any, color: Color | str | None = None) -> None:
        """Play a move on this board.

        `move` is a move of the game, or in Go and Hex a point; its SGF text; or None for a pass
        in Go and Hex. `color` is that to play if it is not given. As in SGF files no move is
        illegal (properties.html, B): it may be on a stone, suicide, or against ko, see
        :meth:`legal`. Raises IndexError for a point outside the board, TypeError or ValueError
        for what is not a move, with nothing changed.
        """
        played, mover = self.move(move), self.color(color)
        for point in played.points:
            self._index(point)
        self.execute_move(played, CELLS[mover])

    def played(self, move: Any, color: Color | str | None = None) -> Board:
        """A copy of this board on which a move was played; see :meth:`play`."""
        board = self.copy()
        board.play(move, color)
        return board

    def set_up(self, points: Iterable[AnyPoint], color: Color | str | None) -> None:
        """Put stones of a color on these points, or nothing for None, whatever is there.

        As setup of SGF does, this captures nothing, and ends ko (properties.html, AB). Raises
        IndexError, TypeError or ValueError, with nothing changed.
        """
        cell = EMPTY if color is None else CELLS[self.color(color)]
        indices = [self._index(point) for point in points]
        for index in indices:
            self._set(index, cell)
        self._last_move = self._ko = None

    def legal(self, move: Any, color: Color | str | None = None) -> bool:
        """Whether the usual rules allow a move: a help for players, no part of SGF.

        In Go a stone is legal on an empty point, unless it retakes a ko at once or is
        suicide; repetition of older positions is not examined, and a pass is legal. In Hex a
        cell must be empty; words such as swap-pieces are legal. `move` and `color` are as for
        :meth:`play`; a point outside the board is not legal. Raises BoardError for other games.
        """
        if self._game not in (GO, HEX):
            raise BoardError(
                f"legal() knows the rules of Go and Hex, not those of {self._game_name}"
            )
        point, mover = self.move(move).point, self.color(color)
        if point is None:
            return True
        if point not in self or self.cell(point) != EMPTY:
            return False
        if self._game == HEX:
            return True
        if point == self.ko and mover is self.to_play:
            return False
        after = self.copy()
        after.add_stone(point, CELLS[mover])
        return after.cell(point) == CELLS[mover]

    def move(self, move: Any) -> Any:
        """The move of this game that a move, a point, a text or None means."""
        production = grammar.game(self._game).move
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
        return self.to_play if color is None else Color(color)

    @property
    def _game_name(self) -> str:
        return f"{grammar.game(self._game).name}, GM[{self._game}]"

    # What nodes change

    def execute(self, entries: Sequence[Property]) -> None:
        """Execute the properties of a node: its setup first, then its moves, whatever their order,
        then PL and MN, which override what moves imply.

        Every move that can be read is executed (properties.html, B); what cannot be read, and
        points outside the board, are passed over.
        """
        moves: list[Property] = []
        overriding: list[Property] = []
        has_black = False
        for entry in entries:
            ident = entry.ident
            if ident in PLAYED:
                moves.append(entry)
            elif ident in PLACED:
                self.fill(entry.areas(), PLACED[ident])
                has_black = has_black or ident == "AB"
            elif ident in EXECUTED:
                overriding.append(entry)
        for entry in moves:
            self.execute_move(first_value(entry), PLAYED[entry.ident])
        if has_black and not self._turn_is_known and has_handicap(entries[0].tree):
            self._to_play = Color.WHITE
        for entry in overriding:
            value = first_value(entry)
            if isinstance(value, Color):
                self._ko = self._ko if value is self._to_play else None
                self._to_play, self._turn_is_known = value, True
            elif isinstance(value, int) and moves:
                self._move_number = value

    def execute_move(self, move: Any, cell: int) -> None:
        """Execute a move of the game, as B and W have it.

        What is not a move changes only the number of the move and whose turn it is.
        """
        self._move_number += 1
        self._last_move = self._ko = None
        kind, play = _GAMES[self._game]
        if isinstance(move, kind):
            size = self._columns, self._rows
            for point in move.points:
                if not is_on_board(point, size):
                    break
            else:
                play(self, move, cell)
        # Only Hex has a move after which the same color plays on.
        is_hex = self._game == HEX
        self._to_play = turn_after_move(COLORS[cell], move) if is_hex else COLORS[3 - cell]
        self._turn_is_known = True

    def _play_go(self, move: Move, cell: int) -> None:
        """Place a stone, and take what it captures off the board."""
        point = move.point
        if point is None:
            return
        taken = self.add_stone(point, cell)
        is_suicide = taken and self.cell(point) != cell
        if not is_suicide:
            self._last_move = point
        if taken:
            self._count_captures(taken, 3 - cell if is_suicide else cell)
            if taken == 1 and not is_suicide:
                self._ko = self._ko_after(point)

    def _count_captures(self, taken: int, captor: int) -> None:
        black, white = self._captures
        self._captures = (black + taken, white) if captor == BLACK else (black, white + taken)

    def _ko_after(self, point: Point) -> Point | None:
        """The point of the one stone that was captured, if retaking it would capture just the
        stone at `point`: that has no other liberty, and no stone of its color is next to it."""
        (column, row), free = point, None
        for place in ((column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1)):
            if self.cell(place) == self.cell(point):
                return None
            if self.cell(place) == EMPTY:
                if free is not None:
                    return None
                free = Point(*place)
        return free

    def _play_hex(self, move: HexMove, cell: int) -> None:
        """Place a stone, or swap; other words change only the turn."""
        if move.point is not None:
            self.put(move.point, cell)
        elif move.action == "swap-pieces":
            # All stones change their color, and are mirrored at the long diagonal (hex.html).
            self._swap_colors()
        self._last_move = move.point

    def _play_lines_of_action(self, move: LinesOfActionMove, cell: int) -> None:
        """Move a piece, and capture the one of the other color at its end."""
        if not move.points:
            return
        start, end = move.points
        self._count_captures(int(self.cell(end) == 3 - cell), cell)
        self.put(start, EMPTY)
        self.put(end, cell)
        self._last_move = end

    def _play_amazons(self, move: AmazonsMove, cell: int) -> None:
        """Move an amazon, and shoot its arrow."""
        self.put(move.start, EMPTY)
        self.put(move.end, cell)
        self.put(move.arrow, ARROW)
        self._last_move = move.end

    # Cells; points are pairs of the board, which is not checked

    def cell(self, point: tuple[int, int]) -> int:
        """What is at a point; of the points next to the board none of the known numbers."""
        return self._cells[(point[1] + 1) * self._width + point[0] + 1]

    def cells_of_row(self, row: int, first: int, last: int) -> bytes:
        """What is at the points of a row from the column `first` to `last`."""
        start = (row + 1) * self._width + first + 1
        return bytes(self._cells[start : start + last - first + 1])

    @property
    def cells(self) -> bytes:
        """All cells, with the margins: equal where the stones are."""
        return bytes(self._cells)

    @property
    def content(self) -> bytes:
        """What is at all points, row by row."""
        columns, width = self._columns, self._width
        starts = range(width + 1, width * (self._rows + 1), width)
        return b"".join([self._cells[start : start + columns] for start in starts])

    def put(self, point: tuple[int, int], cell: int) -> None:
        """Set up a point, whatever is on it; nothing is captured."""
        self._set((point[1] + 1) * self._width + point[0] + 1, cell)

    def _set(self, index: int, cell: int) -> None:
        """Change a cell."""
        if self._history is not None:
            self._history.append((index, self._cells[index]))
        self._cells[index] = cell

    def _set_slice(self, indices: slice, cells: bytes | bytearray) -> None:
        """Change as many cells at once."""
        if self._history is not None:
            self._history.append((indices, self._cells[indices]))
        self._cells[indices] = cells

    def fill(self, areas: Iterable[Rectangle], cell: int) -> None:
        """Set up the points of areas of the board, like :meth:`set_up`.

        An area is its upper left and its lower right point.
        """
        for (left, top), (right, bottom) in areas:
            content = bytes([cell]) * (right - left + 1)
            for row in range(top, bottom + 1):
                start = (row + 1) * self._width + left + 1
                self._set_slice(slice(start, start + len(content)), content)
        self._last_move = self._ko = None

    def add_stone(self, point: tuple[int, int], cell: int) -> int:
        """Play a stone of Go; return the number of stones taken off the board.

        In suicide these are stones of the player.
        """
        cells, width = self._cells, self._width
        index = (point[1] + 1) * width + point[0] + 1
        self._set(index, cell)
        other, captured, has_liberty = 3 - cell, 0, False
        for near in (index - width, index - 1, index + 1, index + width):
            if cells[near] == other:
                captured += self._capture(near)
            elif cells[near] == EMPTY:
                has_liberty = True
        return captured if captured or has_liberty else self._capture(index)

    def _capture(self, start: int) -> int:
        """Remove the group at `start` if it has no liberty; return the number of its stones."""
        cells, width = self._cells, self._width
        # Most groups have a liberty next to the first stone that is examined.
        for near in (start - width, start - 1, start + 1, start + width):
            if cells[near] == EMPTY:
                return 0
        color, group = cells[start], captured_group(cells, start, width)
        if self._history is not None:
            self._history += [(index, color) for index in group]
        for index in group:
            cells[index] = EMPTY
        return len(group)

    def _swap_colors(self) -> None:
        """Change the color of all stones, and mirror them at the diagonal from the upper left.

        Stones that are mirrored off the board are lost.
        """
        # By rows, not stone by stone: a few bytes in a file ask for it, on a board of 512 by 512.
        width, side = self._width, min(self._columns, self._rows)
        old = self._cells.translate(OTHER_COLOR)
        new = bytearray(empty_cells(self._columns, self._rows))
        for row in range(side):
            start = (row + 1) * width + 1
            column = old[width + row + 1 :: width]
            new[start : start + side] = column[:side]
        self._set_slice(slice(len(new)), new)

    # Taking back

    def mark(self) -> Mark:
        """The position as it is, for :meth:`undo_to`; from now on changes are recorded."""
        if self._history is None:
            self._history = []
        return len(self._history), self._state

    def undo_to(self, mark: Mark) -> None:
        """Take back every change since `mark`."""
        history, (changes, self._state) = self._history or [], mark
        while len(history) > changes:
            place, before = history.pop()
            self._cells[place] = before

    def revert(self, start: Mark, end: Mark) -> None:
        """Undo the changes of stones between two marks by new ones, which :meth:`undo_to` takes
        back."""
        history = self._history or []
        for place, before in reversed(history[start[0] : end[0]]):
            history.append((place, self._cells[place]))
            self._cells[place] = before

    # As other things

    @property
    def key(self) -> str:
        """16 hexadecimal digits that are the same for equal boards, in all programs: with them
        positions that several ways lead to are found, also in a database.

        That two other boards have the same is as likely as with 64 random bits.
        """
        from hashlib import blake2b  # which is slow to import

        others = f"{self._game} {self._columns} {self._rows} {self.to_play} {self.ko or ''}:"
        return blake2b(others.encode() + self._cells, digest_size=8).hexdigest()

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
        if self._game == LINES_OF_ACTION:
            found["SU"] = "Custom"
        return found | {"PL": self.to_play}

    def transformed(self, symmetry: Symmetry, swap_colors: bool = False) -> Board:
        """The board turned, with the colors swapped or not; see :meth:`GameTree.transformed`.

        Of the boards of Lines of Action any position is taken. Raises ValueError for symmetries
        that the game does not have, and for other games than Go, Hex and Lines of Action.
        """
        from sgf_lark.model import symmetry as symmetries

        symmetries.check(symmetry, self._game, swap_colors, is_custom=True)
        columns, rows = symmetry.size(self.size)
        content = symmetry.cells(self.content, self.size)
        if swap_colors:
            content = content.translate(OTHER_COLOR)
        starts = range(0, rows * columns, columns)
        cells = with_margins([content[start : start + columns] for start in starts])
        turned = Board(columns, rows, self._game, cells)
        turned._state = self._state
        turned._ko, turned._last_move = (
            point and symmetry.point(point, self.size) for point in (self._ko, self._last_move)
        )
        if swap_colors:
            turned._to_play, turned._captures = self._to_play.opponent, self._captures[::-1]
        return turned

    def to_numpy(self) -> BoardArray:
        """The stones as a new NumPy array of shape (rows, columns) and type uint8.

        ``array[row, column]`` is 0 where the point is empty, 1 for Black, 2 for White, 3 for an
        arrow of Amazons. Raises ImportError, which names the extra "numpy", without NumPy.
        """
        try:
            import numpy
        except ImportError as error:
            raise ImportError("to_numpy() needs NumPy: pip install 'sgf-lark[numpy]'") from error
        found: Any = numpy.frombuffer(bytearray(self.content), numpy.uint8)
        return found.reshape(self._rows, self._columns)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._compared == other._compared

    # A board changes.
    __hash__ = None  # type: ignore[assignment]

    @property
    def _compared(self) -> tuple[object, ...]:
        return self._game, self._columns, self._rows, self._cells, self.to_play, self.ko

    def __str__(self) -> str:
        """The board drawn with characters, in lines; a board too large for that as its `repr`."""
        return drawing("notebook").board_text(self) or repr(self)

    def __repr__(self) -> str:
        color = "Black" if self.to_play is Color.BLACK else "White"
        return (
            f"<Board of {grammar.game(self._game).name}, {self.columns} by {self.rows}, after move "
            f"{self.move_number}, {color} to play>"
        )

    def svg(self, **options: Unpack[PictureOptions]) -> str:
        """The picture of the board as an SVG document; :class:`PictureOptions` has the options.

        Raises DrawingError (a ValueError) for a board too large to draw, ValueError for options
        that name no point.
        """
        return drawing("options").board_svg(self, options)  # type: ignore[no-any-return]

    def png(self, **options: Unpack[PictureOptions]) -> bytes:
        """The picture of the board as PNG, 800 pixels wide unless `size` says another width.

        Options and errors are those of :meth:`svg`; ImportError names the extra "png" where it
        is not installed.
        """
        return drawing("options").as_png(self.svg(**options), options)  # type: ignore[no-any-return]

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show; None for a board too large to draw."""
        return drawing("notebook").board_svg(self)  # type: ignore[no-any-return]


#: What each game takes as a move, and how it is played.
_GAMES: dict[int, tuple[type[Any], Callable[[Board, Any, int], None]]] = {
    GO: (Move, Board._play_go),
    HEX: (HexMove, Board._play_hex),
    LINES_OF_ACTION: (LinesOfActionMove, Board._play_lines_of_action),
    AMAZONS: (AmazonsMove, Board._play_amazons),
}


def point_of(move: Any, size: tuple[int, int] | None) -> Point | None:
    """The point of a board of that size which a move of Go plays; None for a pass, for a point
    outside the board, and for what is not a move of Go."""
    point = move.point if isinstance(move, Move) else None
    return point if point is not None and is_on_board(point, size) else None


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
