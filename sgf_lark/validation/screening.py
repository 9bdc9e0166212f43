"""The screen: which nodes of a tree the rules have to look at.

Its tables are made from ``properties.toml``; it decides nothing but where a rule
might speak, and the rules themselves decide whether one does.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from sgf_lark import grammar
from sgf_lark.engine import layout
from sgf_lark.engine.columns import Columns
from sgf_lark.engine.layout import Numbers, arena_of, column, copy_of
from sgf_lark.engine.screen import Looked, Screen
from sgf_lark.validation.trees import BOARD_LETTERS, TreeView
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
_PLAIN_NUMBERS = {"real": layout.PLAIN_REAL, "number": layout.PLAIN_NUMBER}
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


def holds(flags: int, condition: str) -> bool:
    """Whether rules of paths with that condition have to be asked, by what the screen saw;
    those with none always."""
    return not condition or bool(flags & CONDITIONS[condition])


@cache
def _codes(game: int, file_format: int) -> Numbers:
    """The bits of each identifier of one or two letters."""
    codes = Numbers("h", (0,) * (26 * 27))
    for ident in {entry.ident for entry in grammar.properties() if len(entry.ident) <= 2}:
        entry = grammar.definition(ident, game, file_format)
        if entry is None:
            continue
        code = _PLAYS.get(ident, 0) if entry.exclusive == "move" else 0
        if entry.type == "setup":
            code |= layout.SETUP | _SETS.get(ident, 0)
        elif entry.type == "game-info":
            code |= layout.GAME_INFO
        elif file_format not in entry.file_formats:
            pass  # a rule speaks of it wherever it stands
        elif entry.type == "move" and not code:
            code |= _PLAIN_NUMBERS.get(entry.value, 0)
        # To look for the word first spares the reading of most value expressions.
        elif entry.type == "none" and not entry.format and "text" in entry.value and entry.is_text:
            code |= layout.PLAIN_TEXT
        elif entry.unique == "markup" and entry.kinds == {"point"}:
            code |= layout.PLAIN_MARK
        codes[_place(ident)] = code
    return codes


def _place(ident: str) -> int:
    return (ord(ident[0]) - 65) * 27 + (ord(ident[1]) - 64 if len(ident) == 2 else 0)


def boards(tree: TreeView, screen: Screen, seen: Looked) -> Iterable[tuple[int, Picture]] | None:
    """The nodes before which rules have to see the board, and the boards, to be gone
    through once; None where they are not known."""
    count = seen.numbers[0]
    return None if count < 0 else _boards(tree, screen, seen.columns, count)


def _boards(
    tree: TreeView, screen: Screen, columns: Columns, count: int
) -> Iterator[tuple[int, Picture]]:
    """So many nodes and the boards before them, a number of them at a time: the screen
    looks once more, with room for them."""
    size = screen.picture_size
    many = max(1, _LARGEST_ALBUM // size)
    for skipped in range(0, count, many):
        pictures = min(many, count - skipped)
        seen = screen.look(columns, tree.first, tree.last, tree.is_all_text(), pictures, skipped)
        assert seen is not None
        numbers = seen.numbers
        for place in range(len(numbers) - pictures * size, len(numbers), size):
            board = numbers[place + 1 : place + size]
            yield numbers[place], Picture(board, screen.columns)


@lru_cache(maxsize=256)
def screen_of(context: Context) -> Screen | None:
    """What looks at trees in that context; None where the board is not known."""
    has_board = context.game == _GAME
    if has_board and context.size is None:
        return None
    columns, rows = context.size if context.size and has_board else (1, 1)
    return Screen(
        _codes(context.game, context.file_format),
        BOARD_LETTERS,
        has_board,
        columns,
        rows,
        max(columns, rows) <= 19,
        context.file_format >= 4,
    )


def with_names(tree: TreeView) -> Columns:
    """The columns of a tree for the screen: identifiers that damage makes differ from what is
    written stand behind the data there."""
    arena = copy_of(arena_of(tree.flat))
    begin, end_begin = (column(arena, name) for name in ("ident_start", "ident_end"))
    written, end = [tree.flat.data], len(tree.flat.data)
    for prop, name in tree.flat.names.items():
        arena[begin + prop], arena[end_begin + prop] = end, end + len(name)
        written.append(name.encode("latin-1"))
        end += len(name)
    return Columns(b"".join(written), arena)
