"""The symmetries of boards, and games, nodes and boards that are turned by them."""

from __future__ import annotations

import copy
import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.context import GO, HEX, LINES_OF_ACTION
from sgf_lark.model.property import Property, set_properties, value_in
from sgf_lark.model.values import Color, Compose, Context, Point
from sgf_lark.model.values.formats import Result
from sgf_lark.model.values.notations import write_point
from sgf_lark.model.values.points import is_on_board
from sgf_lark.model.values.reader import reader
from sgf_lark.model.values.writer import write_all

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree


class Symmetry(Enum):
    """The eight ways to put a square board on itself; rotations are clockwise.

    A value says whether columns and rows change places, and then whether the columns and whether
    the rows change their order.
    """

    IDENTITY = (False, False, False)
    FLIP_TOP_BOTTOM = (False, False, True)
    FLIP_LEFT_RIGHT = (False, True, False)
    ROTATE_180 = (False, True, True)
    #: At the diagonal from the upper left.
    TRANSPOSE = (True, False, False)
    ROTATE_270 = (True, False, True)
    ROTATE_90 = (True, True, False)
    #: At the diagonal from the upper right.
    TRANSVERSE = (True, True, True)

    @classmethod
    def of_size(cls, size: tuple[int, int]) -> list[Symmetry]:
        """The symmetries that a board of that size has: eight, or four where it is not square."""
        columns, rows = size
        return [each for each in cls if columns == rows or not each.transposes]

    @property
    def transposes(self) -> bool:
        """Whether columns and rows change places."""
        return self.value[0]

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that takes this one back."""
        turns = {Symmetry.ROTATE_90: Symmetry.ROTATE_270, Symmetry.ROTATE_270: Symmetry.ROTATE_90}
        return turns.get(self, self)

    def size(self, size: tuple[int, int]) -> tuple[int, int]:
        """The columns and rows that a board of that size has afterwards."""
        return size[::-1] if self.transposes else size

    def point(self, point: tuple[int, int], size: tuple[int, int]) -> Point:
        """Where a point, 0-based, of a board of `size` is afterwards."""
        column, row = point[::-1] if self.transposes else point
        columns, rows = self.size(size)
        _, flips_columns, flips_rows = self.value
        return Point(
            columns - 1 - column if flips_columns else column,
            rows - 1 - row if flips_rows else row,
        )

    def cells(self, cells: bytes, size: tuple[int, int]) -> bytes:
        """The bytes for the points of a board of `size`, row by row, as they are afterwards."""
        columns, rows = size
        transposes, flips_columns, flips_rows = self.value
        if transposes:
            cells = b"".join([cells[column::columns] for column in range(columns)])
            columns, rows = rows, columns
        if flips_columns:
            # Both orders at once; then only the rows may be wrong.
            cells = cells[::-1]
        if flips_columns is not flips_rows:
            starts = range(0, rows * columns, columns)[::-1]
            cells = b"".join([cells[start : start + columns] for start in starts])
        return cells


def check(symmetry: Symmetry, game: int, swap_colors: bool, *, is_custom: bool = False) -> None:
    """Raise ValueError where the rules of a game are not the same afterwards.

    In Hex, and in Lines of Action but for another start position, each color has its own sides of
    the board, which change with columns and rows. `is_custom` tells of such a start position.
    """
    if not isinstance(symmetry, Symmetry):
        raise TypeError(f"expected a Symmetry, such as Symmetry.ROTATE_90, not {symmetry!r}")
    if game not in (GO, HEX, LINES_OF_ACTION):
        name = grammar.game(game).name
        raise ValueError(f"{name}, GM[{game}], cannot be turned; Go, Hex and Lines of Action can")
    both = (Symmetry.IDENTITY, Symmetry.ROTATE_180, Symmetry.TRANSPOSE, Symmetry.TRANSVERSE)
    if game == HEX and symmetry not in both:
        raise ValueError(f"the board of Hex has no {symmetry.name}: its corners differ")
    has_sides = game == HEX or (game == LINES_OF_ACTION and not is_custom)
    if has_sides and symmetry.transposes is not swap_colors:
        raise ValueError(
            f"each color has its own sides of the board, so that {symmetry.name} needs "
            f"swap_colors={symmetry.transposes}"
        )


def transformed_game(game: GameTree, symmetry: Symmetry, swap_colors: bool) -> GameTree:
    """A copy of a game, turned; see :meth:`GameTree.transformed`."""
    name = value_in(game.root, "SU")
    is_custom = isinstance(name, str) and name.casefold() == "custom"
    check(symmetry, game.game, swap_colors, is_custom=is_custom)
    if game.size is None:
        raise ValueError("a game without a board cannot be turned")
    copied = copy.deepcopy(game)
    change = _change(copied.parsed.context, symmetry, swap_colors)
    # All before any is written: they are read on the board as it was.
    turned = [(node, change.properties(node)) for node in copied.nodes()]
    copied._set_context(change.context)
    for node, properties in turned:
        set_properties(node, properties)
    return copied


#: What becomes of longer values is not kept: they are seldom the same.
_LONGEST_KEPT = 16


class _Change:
    """What becomes of the properties of trees of one context; get it from :func:`_change`."""

    def __init__(self, old: Context, symmetry: Symmetry, swap_colors: bool) -> None:
        assert old.size is not None
        self.symmetry = symmetry
        self.swap_colors = swap_colors
        self.old = old
        self.reader = reader(old)
        self.size = old.size
        self.context = old._replace(size=symmetry.size(old.size))
        self._short = lru_cache(maxsize=4096)(self.raw)

    def properties(self, node: Node) -> list[Property]:
        """The properties of a node; those that stay as they are keep their bytes."""
        found = []
        for entry in node.properties:
            ident, raws = entry.ident, entry.raw
            if self.swap_colors:
                if ident == "HA":
                    continue  # Only Black has handicap stones.
                ident = _other_color().get(ident, ident)
            written = [
                (self._short if len(raw) <= _LONGEST_KEPT else self.raw)(entry.ident, raw)
                for raw in raws
            ]
            same = ident == entry.ident and written == raws
            found.append(entry if same else Property(node, ident, written))
        return found

    def raw(self, ident: str, raw: bytes) -> bytes:
        """A value as written; what cannot be read, or is not on the board, stays."""
        definition = self.reader.definitions[ident]
        if definition is None:
            return raw
        try:
            value = self.value(definition, raw)
        except ValueError:
            return raw
        if value is None:
            return raw
        return write_all(definition, [value] if definition.takes_many else value, self.context)[0]

    def value(self, definition: PropertyDefinition, raw: bytes) -> Any:
        """The turned value, or None where nothing changes."""
        kind = definition.alternatives[0]
        corners = None if kind.composed else self.reader.rectangle(kind.first, raw)
        if corners is not None:
            points = [self.point(corner) for corner in corners]
            production = self.reader.rule(kind.first)
            text = b":".join(write_point(production, point) for point in points).decode()
            return None if points == [*corners] else text
        found = self.reader.read_one(definition, raw)
        if definition.format == "size":
            columns, rows = self.symmetry.size(self.size)
            changed = Compose(columns, rows) if isinstance(found, Compose) else found
        else:
            changed = self.colors(definition.ident, self.turned(found))
        return None if changed == found else changed

    def turned(self, value: Any) -> Any:
        """A typed value with its points turned; raises ValueError for one off the board."""
        if isinstance(value, Point):
            return type(value)(*self.point(value))
        if isinstance(value, Compose):
            return Compose(self.turned(value.left), self.turned(value.right))
        if is_dataclass(value) and not isinstance(value, type):
            parts = {each.name: getattr(value, each.name) for each in fields(value)}
            points = {name: self.point(p) for name, p in parts.items() if isinstance(p, Point)}
            return replace(value, **points)
        return value

    def point(self, point: Point) -> Point:
        """Where a point is afterwards; raises ValueError for one off the board."""
        if not is_on_board(point, self.size):
            raise ValueError(f"{point} is not on the board")
        return self.symmetry.point(point, self.size)

    def colors(self, ident: str, value: Any) -> Any:
        """The value with the colors swapped, if they are: whose turn it is, who is ahead, and by
        how much, are the other way round."""
        if not self.swap_colors:
            return value
        if isinstance(value, Color):
            return value.opponent
        if ident in ("KM", "V"):
            return -value
        if ident == "RE":
            result = Result.parse(value, game=self.old.game)
            winner = result.winner
            return value if winner is None else str(replace(result, winner=winner.opponent))
        return value


@lru_cache(maxsize=16)
def _change(context: Context, symmetry: Symmetry, swap_colors: bool) -> _Change:
    return _Change(context, symmetry, swap_colors)


@cache
def _other_color() -> dict[str, str]:
    """The identifiers of properties of one color, each with that of the other color."""
    idents = {definition.name: definition.ident for definition in grammar.properties()}
    words = {"Black": "White", "black": "white", "White": "Black", "white": "black"}
    others = {name: re.sub("|".join(words), lambda word: words[word[0]], name) for name in idents}
    return {
        idents[name]: idents[other]
        for name, other in others.items()
        if other != name and other in idents
    }
