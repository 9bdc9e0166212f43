"""The screen: which nodes of a tree the rules have to look at.

Its tables are made from ``properties.toml``; it decides nothing but where a rule
might speak, and the rules themselves decide whether one does.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial

from sgf_lark import grammar
from sgf_lark.engine import layout
from sgf_lark.engine.columns import Columns
from sgf_lark.engine.layout import arena_of
from sgf_lark.engine.screen import Screen
from sgf_lark.flat import FlatTree
from sgf_lark.records import NamedTuple
from sgf_lark.validation.views import BOARD_LETTERS, TreeView
from sgf_lark.values import Context

#: What each kind of path rule needs to see in a tree before it can speak.
CONDITIONS = {
    "board": layout.ON_BOARD,
    "info": layout.INFO_BELOW,
    "single": layout.SINGLE_STONES,
}

#: Go, whose points, moves and board the screen knows. In other games it points at all
#: moves, and tells what rules of paths have to be asked.
_GAME = 1

_SETS = {"AB": layout.SETS_BLACK, "AW": layout.SETS_WHITE, "AE": layout.SETS_EMPTY}
_PLAYS = {"B": layout.BLACK, "W": layout.WHITE}

#: Pictures of boards are made for so many numbers at a time.
_LARGEST_ALBUM = 1_000_000


class Picture:
    """The board before a node, as the screen saw it."""

    def __init__(self, cells: array[int], columns: int) -> None:
        self._cells = cells
        self._columns = columns

    def __getitem__(self, point: tuple[int, int]) -> int:
        """EMPTY, BLACK or WHITE at (column, row), 0-based."""
        cell = point[1] * self._columns + point[0]
        return self._cells[cell >> 3] >> 2 * (cell & 7) & 3


class Screened(NamedTuple):
    """What the screen tells of a tree.

    `look` are the nodes to look at, each times two and 1 more where moves are out of
    turn; `flags` the conditions that hold. `boards` are those before the nodes whose
    rules have to see them, to be gone through once; None where they are not known.
    """

    look: array[int]
    flags: int
    boards: Iterable[tuple[int, Picture]] | None

    def holds(self, condition: str) -> bool:
        """Whether rules of paths with that condition have to be asked; those with none
        always."""
        return not condition or bool(self.flags & CONDITIONS[condition])


@cache
def _codes(game: int, file_format: int) -> array[int]:
    """The bits of each identifier of one or two letters."""
    codes = array("h", (0,)) * (26 * 27)
    for ident in {entry.ident for entry in grammar.properties() if len(entry.ident) <= 2}:
        entry = grammar.definition(ident, game, file_format)
        if entry is None:
            continue
        kinds = {alternative.first for alternative in entry.alternatives}
        code = _PLAYS.get(ident, 0) if entry.exclusive == "move" else 0
        if entry.type == "setup":
            code |= layout.SETUP | _SETS.get(ident, 0)
        elif entry.type == "game-info":
            code |= layout.GAME_INFO
        elif file_format not in entry.file_formats:
            pass  # a rule speaks of it wherever it stands
        elif entry.type == "move" and not code and not entry.takes_many:
            code |= layout.PLAIN_REAL if kinds == {"real"} else 0
            code |= layout.PLAIN_NUMBER if kinds == {"number"} else 0
        elif entry.type == "none" and entry.is_text and not entry.format:
            code |= layout.PLAIN_TEXT
        elif entry.unique == "markup" and kinds == {"point"}:
            code |= layout.PLAIN_MARK
        codes[_place(ident)] = code
    return codes


def _place(ident: str) -> int:
    return (ord(ident[0]) - 65) * 27 + (ord(ident[1]) - 64 if len(ident) == 2 else 0)


def screened(tree: TreeView) -> Screened | None:
    """The screen's word on a tree; None where it has none: all nodes deserve a look. What
    is known then of all nodes is told to the tree."""
    screen = _screen(Screen, tree.context)
    if screen is None:
        return None
    first, last = tree.first, tree.last
    columns = _with_names(tree) if tree.flat.names else tree.columns
    look = partial(screen.look, columns, first, last, tree.is_all_text)
    found, flags, numbers = look(0, 0)
    if found < 0:
        return None
    boards: Iterable[tuple[int, Picture]] | None = ()
    if numbers[0]:
        # Once more, with room for what rules have to see.
        boards = None if numbers[0] < 0 else _boards(look, screen, numbers[0])
    behind = last - first + 3
    tree.children = numbers[2:behind]
    tree.in_main_line = range(first, numbers[1] + 1)
    return Screened(numbers[behind : behind + found], flags, boards)


def _boards(
    look: Callable[[int, int], tuple[int, int, array[int]]], screen: Screen, count: int
) -> Iterator[tuple[int, Picture]]:
    """So many nodes and the boards before them, a number of them at a time."""
    size = screen.picture_size
    many = max(1, _LARGEST_ALBUM // size)
    for skipped in range(0, count, many):
        pictures = min(many, count - skipped)
        _, _, numbers = look(pictures, skipped)
        for place in range(len(numbers) - pictures * size, len(numbers), size):
            board = numbers[place + 1 : place + size]
            yield numbers[place], Picture(board, screen.columns)


@lru_cache(maxsize=256)
def _screen(kind: type[Screen], context: Context) -> Screen | None:
    """None where the screen does not know the board."""
    has_board = context.game == _GAME
    if has_board and context.size is None:
        return None
    columns, rows = context.size if context.size and has_board else (1, 1)
    return kind(
        _codes(context.game, context.file_format),
        BOARD_LETTERS,
        has_board,
        columns,
        rows,
        max(columns, rows) <= 19,
        context.file_format >= 4,
    )


def _with_names(tree: TreeView) -> Columns:
    """The columns of a tree in which damage makes identifiers differ from what is written:
    they stand behind the data."""
    arena, room = arena_of(tree.flat)
    arena, begin = array("i", arena), room.column("ident_start")
    written, end = [tree.flat.data], len(tree.flat.data)
    for prop, name in tree.flat.names.items():
        place = begin + prop
        arena[place], arena[place + room.values] = end, end + len(name)
        written.append(name.encode("latin-1"))
        end += len(name)
    flat = FlatTree(b"".join(written))
    flat.arena, flat.room = arena, room
    return type(tree.columns)(flat)
