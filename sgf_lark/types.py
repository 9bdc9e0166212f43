"""What values are: the classes in which they come, without how they are read.

The moves of each game have a class of their own. Each gives its ``points``, in
the order of the notation, and its text is how SGF writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple


class Double(IntEnum):
    """How strongly an annotation is meant (sgf4, Double)."""

    NORMAL = 1
    EMPHASIZED = 2


class Color(StrEnum):
    """The side of a player (sgf4, Color)."""

    BLACK = "B"
    WHITE = "W"


class Point(NamedTuple):
    """A point of the board: `column` and `row`, 0-based from the upper left."""

    column: int
    row: int

    def __str__(self) -> str:
        """The two letters of SGF (go.html, Point); wider boards have none."""
        if not (0 <= self.column < len(LETTERS) and 0 <= self.row < len(LETTERS)):
            raise ValueError(f"no letters for the point {tuple(self)}")
        return LETTERS[self.column] + LETTERS[self.row]


class Stone(Point):
    """A point at which a stone is meant; it equals the Point."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Move:
    """A move of Go: the `point` played, or None for a pass."""

    point: Point | None = None

    @property
    def is_pass(self) -> bool:
        return self.point is None

    @property
    def points(self) -> tuple[Point, ...]:
        return () if self.point is None else (self.point,)

    def __str__(self) -> str:
        """A pass is written [] (go.html, Move); in older files it was [tt]."""
        return "" if self.point is None else str(self.point)


class Compose(NamedTuple):
    """A value of two halves, joined by ":" (sgf4, Compose)."""

    left: Any
    right: Any


#: The letters of columns and rows in Go.
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
INDEX = {letter: index for index, letter in enumerate(LETTERS)}


# --- Notations of points in other games -------------------------------------------


def _backgammon(point: Point) -> str:
    return LETTERS[point.column]


def _column_and_number(point: Point) -> str:
    """Letters for the column, "aa" behind "z", and the number of the row."""
    letters = ""
    column = point.column + 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = LETTERS[letter] + letters
    return f"{letters}{point.row + 1}"


def _two_digits(point: Point) -> str:
    return f"{point.column + 1}{point.row + 1}"


#: How a point is written, by the start rule of ``values.lark`` for it.
NOTATIONS: dict[str, Callable[[Point], str]] = {
    "go_point": str,
    "backgammon_point": _backgammon,
    "loa_point": _column_and_number,
    "hex_point": _column_and_number,
    "octi_point": _two_digits,
}


# --- Moves of other games -----------------------------------------------------------


@dataclass(frozen=True)
class BackgammonMove:
    """A move of Backgammon: `dice` and what they move, or a word about the cube.

    `plays` are pairs of points, from and to; a point is (0 to 23, 0) for "a" to
    "x", (24, 0) for the bar, (25, 0) for the tray. `action` is "double", "take"
    or "drop" where there are no dice.
    """

    dice: tuple[int, int] | None = None
    plays: tuple[tuple[Point, Point], ...] = ()
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(point for play in self.plays for point in play)

    def __str__(self) -> str:
        if self.dice is None:
            return self.action
        return "".join([*map(str, self.dice), *map(_backgammon, self.points)])


@dataclass(frozen=True)
class LinesOfActionMove:
    """A move of Lines of Action from `start` to `end`, or a word in `action`.

    `separator` is "-", ":" (a capture) or nothing; `remark` are the signs behind
    the move, such as "!". `action` is "pass", "resign", "forfeit" or "escape".
    """

    start: Point | None = None
    end: Point | None = None
    separator: str = ""
    remark: str = ""
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        return () if self.start is None or self.end is None else (self.start, self.end)

    def __str__(self) -> str:
        if self.start is None or self.end is None:
            return self.action
        start, end = _column_and_number(self.start), _column_and_number(self.end)
        return f"{start}{self.separator}{end}{self.remark}"


@dataclass(frozen=True)
class HexMove:
    """A move of Hex: the cell `point`, or a word in `action`.

    `action` is "swap-sides", "swap-pieces", "resign", "forfeit" or "pass".
    """

    point: Point | None = None
    action: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        return () if self.point is None else (self.point,)

    def __str__(self) -> str:
        return self.action if self.point is None else _column_and_number(self.point)


@dataclass(frozen=True)
class AmazonsMove:
    """A move of Amazons: from `start` to `end`, and the `arrow` shot from there."""

    start: Point
    end: Point
    arrow: Point

    @property
    def points(self) -> tuple[Point, ...]:
        return self.start, self.end, self.arrow

    def __str__(self) -> str:
        return "".join(map(str, self.points))


@dataclass(frozen=True)
class GessMove:
    """A move of Gess: where the centre of the footprint goes from and to."""

    start: Point
    end: Point

    @property
    def points(self) -> tuple[Point, ...]:
        return self.start, self.end

    def __str__(self) -> str:
        return f"{self.start}:{self.end}"


class OctiStone(NamedTuple):
    """A pod of Octi at a point, with the letters of its prongs in their order."""

    point: Point
    prongs: str = ""

    def __str__(self) -> str:
        return _two_digits(self.point) + self.prongs


class OctiStep(NamedTuple):
    """A step of a pod to `point`. `captures` holds an entry for each "x" behind it:
    the prongs of the pod that is taken, or "" for the whole stack."""

    point: Point
    captures: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"-{_two_digits(self.point)}" + "".join(f"x{prongs}" for prongs in self.captures)


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class OctiMove:
    """A move of Octi: one play, or one for each pod of a stack that goes."""

    plays: tuple[OctiPlay, ...]

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(
            point
            for play in self.plays
            for point in (play.stone.point, *(step.point for step in play.steps))
        )

    def __str__(self) -> str:
        return ",".join(map(str, self.plays))


#: The classes of moves, by the start rule of ``values.lark`` for them.
MOVES: dict[str, type] = {
    "go_move": Move,
    "backgammon_move": BackgammonMove,
    "loa_move": LinesOfActionMove,
    "hex_move": HexMove,
    "amazons_move": AmazonsMove,
    "gess_move": GessMove,
    "octi_move": OctiMove,
}
