"""How points and moves of each game are written, by the production of ``values.lark``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from sgf_lark.model.values.basic import BasicTypes, Context
from sgf_lark.model.values.formats import TextFormats
from sgf_lark.model.values.points import (
    INDEX,
    LETTERS,
    Point,
    letter_index,
    rectangle,
    write_column_and_number,
)
from sgf_lark.syntax.grammars import pattern

#: On boards of at most this many lines "tt" is a pass (go.html, Move).
_LARGEST_BOARD_WITH_TT = 19

#: The Go Text Protocol's word for a pass.
_GTP_PASS = "pass"

#: The point that "tt" names on a larger board.
_SHORT_PASS = Point(19, 19)


def has_short_pass(size: tuple[int, int] | None) -> bool:
    """Whether "tt" is a pass, and not a point, on a board of that size."""
    return size is not None and max(size) <= _LARGEST_BOARD_WITH_TT


@dataclass(frozen=True, slots=True)
class Move:
    """A move of Go: the `point` played, or None for a pass."""

    point: Point | None = None

    @property
    def is_pass(self) -> bool:
        """Whether no stone is played."""
        return self.point is None

    @property
    def points(self) -> tuple[Point, ...]:
        """The point played, if there is one."""
        return () if self.point is None else (self.point,)

    @classmethod
    def from_gtp(cls, text: str, size: int | tuple[int, int]) -> Move:
        """The move that people and the Go Text Protocol write as "Q16" or "pass", in either case.

        `size` and errors are those of :meth:`Point.from_gtp`.
        """
        is_pass = isinstance(text, str) and text.lower() == _GTP_PASS
        return cls(None if is_pass else Point.from_gtp(text, size))

    def gtp(self, size: int | tuple[int, int]) -> str:
        """The move as people and the Go Text Protocol write it, such as "Q16" or "pass".

        `size` is that of the board, a number or (columns, rows). Raises ValueError for a point
        that is not on the board.
        """
        return _GTP_PASS if self.point is None else self.point.gtp(size)

    def __str__(self) -> str:
        """A pass is written [] (go.html, Move); in older files it was [tt]."""
        return "" if self.point is None else str(self.point)


# Backgammon, GM[6]: points of one letter, dice, and the checkers that they move.

#: A checker's way, from and to.
CheckerPlay = tuple[Point, Point]


def _write_backgammon_point(point: Point) -> str:
    """The letter of a point."""
    return LETTERS[point.column]


@dataclass(frozen=True, slots=True)
class BackgammonMove:
    """A move of Backgammon: `dice` and what they move, or a word about the cube.

    `plays` are pairs of points, from and to; a point is (0 to 23, 0) for "a" to
    "x", (24, 0) for the bar, (25, 0) for the tray. `action` is "double", "take"
    or "drop" where there are no dice.
    """

    dice: tuple[int, int] | None = None
    plays: tuple[CheckerPlay, ...] = ()
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """All points of the plays, in their order."""
        return tuple(point for play in self.plays for point in play)

    def __str__(self) -> str:
        if self.dice is None:
            return self.action
        return "".join([*map(str, self.dice), *map(_write_backgammon_point, self.points)])


# Lines of Action, GM[9]: points as in Chess, and moves from one to another.


@dataclass(frozen=True, slots=True)
class LinesOfActionMove:
    """A move of Lines of Action from `start` to `end`, or a word in `action`.

    `separator` is "-", ":" (a capture) or nothing; `remark` are the characters after
    the move, such as "!". `action` is "pass", "resign", "forfeit" or "escape".
    """

    start: Point | None = None
    end: Point | None = None
    separator: str = ""
    remark: str = ""
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """Start and end, if there are any."""
        return () if self.start is None or self.end is None else (self.start, self.end)

    def __str__(self) -> str:
        if self.start is None or self.end is None:
            return self.action
        start, end = map(write_column_and_number, (self.start, self.end))
        return f"{start}{self.separator}{end}{self.remark}"


# Hex, GM[11]: cells with a column of letters and a numbered row.


@dataclass(frozen=True, slots=True)
class HexMove:
    """A move of Hex: the cell `point`, or a word in `action`.

    `action` is "swap-sides", "swap-pieces", "resign", "forfeit" or "pass".
    """

    point: Point | None = None
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """The cell played, if there is one."""
        return () if self.point is None else (self.point,)

    def __str__(self) -> str:
        return self.action if self.point is None else write_column_and_number(self.point)


# Amazons, GM[18]: points as in Go, three of them a move.


@dataclass(frozen=True, slots=True)
class AmazonsMove:
    """A move of Amazons: from `start` to `end`, and the `arrow` shot from there."""

    start: Point
    end: Point
    arrow: Point

    @property
    def points(self) -> tuple[Point, ...]:
        """Start, end and arrow."""
        return self.start, self.end, self.arrow

    def __str__(self) -> str:
        return "".join(map(str, self.points))


# Gess, GM[20]: points as in Go, and moves of a footprint from one to another.


@dataclass(frozen=True, slots=True)
class GessMove:
    """A move of Gess: where the center of the footprint goes from and to."""

    start: Point
    end: Point

    @property
    def points(self) -> tuple[Point, ...]:
        """Start and end."""
        return self.start, self.end

    def __str__(self) -> str:
        return f"{self.start}:{self.end}"


# Octi, GM[19]: points of two digits, pods with prongs, and what happens to them.


def _write_octi_point(point: Point) -> str:
    """Column and row, a digit each, from 1."""
    return f"{point.column + 1}{point.row + 1}"


class OctiStone(NamedTuple):
    """A pod of Octi at a point, with the letters of its prongs in their order."""

    point: Point
    prongs: str = ""

    def __str__(self) -> str:
        return _write_octi_point(self.point) + self.prongs


class OctiStep(NamedTuple):
    """A step of a pod to `point`. `captures` has an entry for each "x" after it:
    the prongs of the pod that is taken, or "" for the whole stack."""

    point: Point
    captures: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"-{_write_octi_point(self.point)}" + "".join(
            f"x{prongs}" for prongs in self.captures
        )


@dataclass(frozen=True, slots=True)
class OctiPlay:
    """What happens to one pod: it goes through `steps`, or gets the prong `added`
    (a superprong where `is_super`), or has the prong `turned` put in the direction
    `added`, or, with none of these, is new."""

    stone: OctiStone
    steps: tuple[OctiStep, ...] = ()
    added: str = ""
    turned: str = ""
    is_super: bool = False

    def __str__(self) -> str:
        if self.turned:
            return f"{self.stone}+{self.turned}-{self.added}"
        if self.added:
            return f"{self.stone}+{self.added}" + ("!" if self.is_super else "")
        return str(self.stone) + "".join(map(str, self.steps))


@dataclass(frozen=True, slots=True)
class OctiMove:
    """A move of Octi: one play, or one for each pod of a stack that goes."""

    plays: tuple[OctiPlay, ...]

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of all plays: where each pod is, then where it goes."""
        return tuple(
            point
            for play in self.plays
            for point in (play.stone.point, *(step.point for step in play.steps))
        )

    def __str__(self) -> str:
        return ",".join(map(str, self.plays))


# How points and moves of each game are written, by the production of ``values.lark``.
#
# A production that no table has can be read; as a value only its text in SGF is taken.

#: The text of a point.
NOTATIONS: dict[str, Callable[[Point], str]] = {
    "go_point": str,
    "backgammon_point": _write_backgammon_point,
    "loa_point": write_column_and_number,
    "hex_point": write_column_and_number,
    "octi_point": _write_octi_point,
}

#: The classes of moves. Each has ``points``, in the order of the notation, and its ``str`` is
#: its text in SGF.
MOVES: dict[str, type] = {
    "go_move": Move,
    "backgammon_move": BackgammonMove,
    "loa_move": LinesOfActionMove,
    "hex_move": HexMove,
    "amazons_move": AmazonsMove,
    "gess_move": GessMove,
    "octi_move": OctiMove,
}


#: In games in which a point is a move as well: the move to a point.
MOVES_TO_A_POINT: dict[str, Callable[[Point], Any]] = {
    "go_move": Move,
    "hex_move": HexMove,
    "octi_move": lambda point: OctiMove((OctiPlay(OctiStone(point)),)),
}

#: In games with a pass: that move, which None stands for.
PASSES: dict[str, Any] = {"go_move": Move(None), "hex_move": HexMove(action="pass")}

#: The productions whose values are written from objects as well as from their text.
WITH_OBJECTS = {*NOTATIONS, *MOVES, "octi_stone"}

#: How messages show a move or a stone; they show none that is not here.
EXAMPLES = {
    "go_move": "Move(Point(2, 2))",
    "backgammon_move": "BackgammonMove((3, 1), ((Point(7, 0), Point(4, 0)),))",
    "loa_move": 'LinesOfActionMove(Point(2, 0), Point(2, 2), "-")',
    "hex_move": "HexMove(Point(2, 2))",
    "amazons_move": "AmazonsMove(Point(3, 0), Point(3, 3), Point(3, 6))",
    "gess_move": "GessMove(Point(2, 2), Point(2, 3))",
    "octi_move": "OctiMove((OctiPlay(OctiStone(Point(2, 2))),))",
    "octi_stone": 'OctiStone(Point(2, 2), "AB")',
}


def has_empty_step(move: Any) -> bool:
    """Whether a step of a move ends where it begins: a piece stays, or an arrow of Amazons lands
    on the amazon that shoots it. False for a move of a notation without a class."""
    ways: Iterable[Sequence[Point]] = (getattr(move, "points", ()),)
    if isinstance(move, BackgammonMove):
        ways = move.plays
    elif isinstance(move, OctiMove):
        ways = ([play.stone.point, *(step.point for step in play.steps)] for play in move.plays)
    return any(start == end for way in ways for start, end in pairwise(way))


def write_point(production: str, point: Point) -> bytes:
    """A point in the notation of that production of ``values.lark``."""
    return NOTATIONS[production](point).encode()


#: The names of points are kept for boards with these sides; smaller boards have some of them.
_SIDES = (19, 52)


def names_of_points(production: str, size: tuple[int, int] | None) -> list[bytes]:
    """The points of a board as they are written, row by row; b"" for one that the notation
    does not reach.

    None are given for a game without such points, and for boards of more than 52 lines.
    """
    if production not in NOTATIONS or size is None or max(size) > _SIDES[-1]:
        return []
    columns, rows = size
    written = _names(production, next(side for side in _SIDES if side >= max(size)))
    return [name for row in written[:rows] for name in row[:columns]]


@lru_cache
def _names(production: str, side: int) -> list[list[bytes]]:
    """The names of the points of a square board by rows and columns."""
    is_point = pattern(production).fullmatch

    def name(point: Point) -> bytes:
        try:
            written = write_point(production, point)
        except ValueError:
            return b""
        return written if is_point(written) else b""

    return [[name(Point(column, row)) for column in range(side)] for row in range(side)]


# From a parsed value to a Python value.


class ValueProductions(BasicTypes, TextFormats):
    """For each production of ``values.lark`` the method of that name, for the values of a game tree
    with that context. Productions that only lay down a format, such as ``dice``, have none.

    They are those of all games, because one parser reads them all: its table is made once.

    :class:`sgf_lark.model.values.transformer.ValueTransformer` has them for Lark's own trees.
    :func:`sgf_lark.syntax.grammars.value_parser` calls them while it parses, and needs no Lark.
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def __default__(self, data: object, children: list[Any], meta: object) -> list[Any]:
        """A production without a method gives its children."""
        return list(children)

    # Go

    def go_point(self, children: list[str]) -> Point:
        """``go_point: LETTER LETTER``."""
        column, row = children
        return Point(INDEX[column], INDEX[row])

    def go_move(self, children: list[Any]) -> Move:
        """``go_move: go_point | go_pass``."""
        (point,) = children
        is_pass = point == _SHORT_PASS and has_short_pass(self.context.size)
        return Move(None if is_pass else point)

    def go_pass(self, children: list[Any]) -> None:
        """``go_pass:`` (empty)."""

    go_rectangle = rectangle

    # Backgammon

    def backgammon_point(self, children: list[str]) -> Point:
        """``backgammon_point: BACKGAMMON_POINT``."""
        (letter,) = children
        return Point(letter_index(letter), 0)

    backgammon_rectangle = rectangle

    def checker_play(self, children: list[str]) -> CheckerPlay:
        """``checker_play: FROM_POINT TO_POINT``."""
        start, end = children
        return Point(letter_index(start), 0), Point(letter_index(end), 0)

    def backgammon_move(self, children: list[Any]) -> BackgammonMove:
        """``backgammon_move: DIE DIE checker_play~0..4 | CUBE_ACTION``."""
        if len(children) == 1:
            return BackgammonMove(action=str(children[0]))
        first, second, *plays = children
        return BackgammonMove((int(first), int(second)), tuple(plays))

    # Lines of Action: rows are numbered upwards, from 0, as the notation does from 1.

    def loa_point(self, children: list[str]) -> Point:
        """``loa_point: LOA_POINT``."""
        (name,) = children
        return Point(letter_index(name[0]), int(name[1:]) - 1)

    loa_rectangle = rectangle

    def remark(self, children: list[str]) -> str:
        """``remark: (SIGN | MINUS | COLON)*``."""
        return "".join(children)

    def loa_move(self, children: list[Any]) -> LinesOfActionMove:
        """``loa_move: loa_point (MINUS | COLON)? loa_point remark | LOA_ACTION``."""
        if len(children) == 1:
            return LinesOfActionMove(action=children[0].lower())
        start, *separator, end, remark = children
        return LinesOfActionMove(start, end, "".join(separator), remark)

    # Hex

    def hex_point(self, children: list[str]) -> Point:
        """``hex_point: HEX_POINT``; the columns after "z" are "aa", "ab" and so on."""
        (name,) = children
        letters = name.rstrip("0123456789")
        column = 0
        for letter in letters:
            column = 26 * column + letter_index(letter) + 1
        return Point(column - 1, int(name[len(letters) :]) - 1)

    hex_rectangle = rectangle

    def hex_move(self, children: list[Any]) -> HexMove:
        """``hex_move: hex_point | HEX_ACTION``."""
        (played,) = children
        if isinstance(played, Point):
            return HexMove(played)
        return HexMove(action=played.lower())

    # Amazons and Gess

    def amazons_move(self, children: list[Point]) -> AmazonsMove:
        """``amazons_move: go_point go_point go_point``."""
        return AmazonsMove(*children)

    def gess_move(self, children: list[Any]) -> GessMove:
        """``gess_move: go_point COLON go_point``."""
        start, _, end = children
        return GessMove(start, end)

    # Octi: rows are numbered upwards, from 0, as the notation does from 1.

    def octi_point(self, children: list[str]) -> Point:
        """``octi_point: OCTI_POINT``."""
        (digits,) = children
        return Point(int(digits[0]) - 1, int(digits[1]) - 1)

    octi_rectangle = rectangle

    def octi_stone(self, children: list[Any]) -> OctiStone:
        """``octi_stone: octi_point prong*``."""
        point, *prongs = children
        return OctiStone(point, "".join(prongs))

    def prong(self, children: list[str]) -> str:
        """``prong: PRONG``."""
        (letter,) = children
        return str(letter)

    def octi_move(self, children: list[Any]) -> OctiMove:
        """``octi_move: octi_play (COMMA octi_play)*``."""
        return OctiMove(tuple(child for child in children if isinstance(child, OctiPlay)))

    def octi_play(self, children: list[Any]) -> OctiPlay:
        """``octi_play: octi_point | octi_stone (added_prong | turned_prong | octi_step+)``."""
        stone, *rest = children
        if not isinstance(stone, OctiStone):
            return OctiPlay(OctiStone(stone))
        if isinstance(rest[0], dict):
            return OctiPlay(stone, **rest[0])
        return OctiPlay(stone, tuple(rest))

    def added_prong(self, children: list[Any]) -> dict[str, Any]:
        """``added_prong: PLUS prong SUPER?``; fields of the play."""
        return {"added": children[1], "is_super": len(children) > 2}

    def turned_prong(self, children: list[Any]) -> dict[str, Any]:
        """``turned_prong: PLUS prong MINUS prong``; fields of the play."""
        _, before, _, after = children
        return {"turned": before, "added": after}

    def octi_step(self, children: list[Any]) -> OctiStep:
        """``octi_step: MINUS octi_point octi_capture*``."""
        _, point, *captures = children
        return OctiStep(point, tuple(captures))

    def octi_capture(self, children: list[Any]) -> str:
        """``octi_capture: CAPTURE prong*``."""
        return "".join(children[1:])
