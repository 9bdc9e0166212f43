"""Values that conform: of the value types and formats of ``values.lark``, and with the
meaning that goes beyond the grammar, such as points of the board and days of the calendar."""

from __future__ import annotations

import calendar
import re
import string
from collections.abc import Callable
from functools import cache

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, of_pattern, word
from sgf_lark.grammar import PropertyDefinition, ValueType, parse_value_expression
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.dates import shortest
from sgf_lark.model.values.games import NOTATIONS
from sgf_lark.syntax import values as value_grammar

VALUES = "values.lark"

#: No board is larger, unless its game says so.
LARGEST_SIDE = 52


@cache
def largest_side(game: int) -> int:
    """The most lines of a board whose points the notation of the game can name."""
    entry = grammar.game(game)
    most = entry.maximum_size or LARGEST_SIDE
    if game == 11:
        _, most = grammar.rule("SGF831").data["sides"]
    if entry.point in NOTATIONS:
        pattern, write = value_grammar.pattern(entry.point), NOTATIONS[entry.point]
        while not pattern.fullmatch(write(Point(most - 1, most - 1)).encode()):
            most -= 1
    return most


# --- Characters ---------------------------------------------------------------------

#: Where letters beyond ASCII are looked for: first and last, Latin to Han to emoji.
_RANGES = (
    *((0xC0, 0xFF), (0x100, 0x17F), (0x391, 0x3C9), (0x410, 0x44F), (0x3041, 0x30F6)),
    *((0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0x1F300, 0x1F5FF)),
)
_STEP = 23
_STRUCTURE = (b"\\", b"]", b":", b"[")


@cache
def letters(codec: str) -> tuple[bytes, ...]:
    """Letters beyond ASCII in that codec, first those that end in a byte of the structure."""
    odd, others = [], []
    for first, last in _RANGES:
        for number in range(first, last + 1):
            try:
                data = chr(number).encode(codec)
            except UnicodeEncodeError:
                continue
            if len(data) > 1 and data[-1:] in _STRUCTURE:
                odd.append(data)
            elif number % _STEP == 0 or last < 0x500:
                others.append(data)
    return (*odd[: len(others) + 20], *others)


_LOWERCASE = tuple(b"%c" % letter for letter in string.ascii_lowercase.encode())
_ALPHANUMERIC = (
    *_LOWERCASE,
    *(b"%c" % sign for sign in (string.digits + string.ascii_uppercase).encode()),
)
#: All of ASCII that is seen, letters first.
_SIGNS = (*_ALPHANUMERIC, *(b"%c" % sign for sign in (" " + string.punctuation).encode()))
_ESCAPED = {True: frozenset(b"]\\:"), False: frozenset(b"]\\")}
_BREAKS = ("SOFT_BREAK", "LINE_BREAK", "TAB", "ESCAPED_TAB")
_SHORT_TEXT, _LONG_TEXT = 12, 200


_PLAIN_WORD = "[A-Za-z][A-Za-z0-9]{0,3}"


class Values:
    """Makes values for one game tree of `context`, of what `choices` pick.

    `ascii_only` texts read the same in every charset. Those of a tree `without_charset`
    have no two bytes beyond ASCII in a row, so that they can be nothing but ISO-8859-1.
    """

    def __init__(
        self,
        choices: Choices,
        context: Context,
        *,
        ascii_only: bool = False,
        without_charset: bool = False,
    ) -> None:
        self.choices = choices
        self.context = context
        self.game = grammar.game(context.game)
        self._letters = () if ascii_only else letters(context.codec)
        self._apart = without_charset
        self._own: dict[str, Callable[[Choices], bytes]] = {}
        if context.size is not None and self.game.point in NOTATIONS:
            self._own[self.game.point] = lambda _: self.written(self.point())

    def word(self, symbol: str) -> bytes:
        """A word of ``values.lark``, its points being on the board."""
        return word(VALUES, symbol, Making(self.choices, self._own))

    # --- Points ---

    def point(self) -> Point:
        size = self.context.size or (1, 1)
        return Point(self.choices.integer(0, size[0] - 1), self.choices.integer(0, size[1] - 1))

    def written(self, point: Point) -> bytes:
        return NOTATIONS[self.game.point](point).encode()

    def fresh(self, taken: set[bytes]) -> bytes | None:
        """A point, or what may be one in a game without notation, that is not `taken`;
        None where there is none left."""
        raw = self._next_free(taken) if self._own else self._another(taken)
        if raw is not None:
            taken.add(raw)
        return raw

    def _next_free(self, taken: set[bytes]) -> bytes | None:
        """A point of the board, or the next one in reading order that is free."""
        columns, rows = self.context.size or (0, 0)
        first = self.choices.integer(0, columns * rows - 1)
        for number in range(first, first + columns * rows):
            row, column = divmod(number % (columns * rows), columns)
            raw = self.written(Point(column, row))
            if raw not in taken:
                return raw
        return None

    def _another(self, taken: set[bytes]) -> bytes | None:
        raw = self._free_point(self.choices)
        choices = self.choices.apart() if raw in taken else self.choices
        for _ in range(20):
            if raw not in taken:
                return raw
            raw = self._free_point(choices)
        return None

    def _free_point(self, choices: Choices) -> bytes:
        if self.game.point:
            return word(VALUES, self.game.point, Making(choices))
        return of_pattern(_PLAIN_WORD)(Making(choices))

    def plain_word(self) -> bytes:
        """Letters and digits, for what no grammar describes."""
        return of_pattern(_PLAIN_WORD)(Making(self.choices))

    def rectangle(self, taken: set[bytes]) -> bytes | None:
        """A compressed list of points that are not `taken`; None where there is none."""
        size, choices = self.context.size, self.choices
        if size is None or f"{self.game.point.removesuffix('point')}rectangle" not in (
            value_grammar.value_types()
        ):
            return None
        left, top = self.point()
        columns = range(left, min(size[0], left + 1 + choices.integer(0, 3)))
        rows = range(top, min(size[1], top + 1 + choices.integer(0, 3)))
        points = {self.written(Point(column, row)) for column in columns for row in rows}
        if len(points) < 2 or points & taken:
            return None
        taken |= points
        ends = [rows[0], rows[-1]]
        if self.game.upward:
            ends.reverse()
        corners = [Point(columns[0], ends[0]), Point(columns[-1], ends[1])]
        return b":".join(map(self.written, corners))

    def stone(self, taken: set[bytes]) -> bytes | None:
        """A stone on a point that is not `taken`."""
        point = self.fresh(taken)
        return None if point is None else self.stone_at(point)

    def stone_at(self, point: bytes) -> bytes:
        if self.game.stone == self.game.point:
            return point
        return word(
            VALUES, self.game.stone, Making(self.choices, {self.game.point: lambda _: point})
        )

    # --- Texts ---

    def text(self, kind: str, *, composed: bool = False, most: int = 0) -> bytes:
        """A SimpleText or Text that says something, of about `most` characters."""
        choices = self.choices
        if not most:
            most = _LONG_TEXT if choices.chance(30) else _SHORT_TEXT
        parts = [self._character(kind, composed) for _ in range(choices.integer(0, most - 1))]
        end = choices.integer(0, len(parts))
        return b"".join([*parts[:end], choices.choice(_ALPHANUMERIC), *parts[end:]])

    def _character(self, kind: str, composed: bool) -> bytes:
        choices = self.choices
        pick = choices.integer(0, 15)
        if pick > 13:
            return word(VALUES, choices.choice(_BREAKS), Making(choices))
        if pick > 10 and self._letters:
            return self._beyond_ascii(composed)
        letter = choices.choice(_SIGNS)
        return b"\\" + letter if pick == 10 else self.escaped(letter, composed)

    def _beyond_ascii(self, composed: bool) -> bytes:
        """A letter beyond ASCII; with one of ASCII behind it where it could be misread.

        A last byte "\\" and the "]" behind it, escaped, look like a character that ends
        the value to a reader that decodes first.
        """
        letter = self.choices.choice(self._letters)
        escaped = self.escaped(letter, composed)
        if self._apart or escaped != letter:
            return escaped + self.choices.choice(_LOWERCASE)
        return escaped

    def label(self, most: int = 2) -> bytes:
        """A text of a few characters, none of them white space."""
        choices = self.choices
        signs = (*_ALPHANUMERIC, *([] if self._apart else self._letters[-20:]))
        parts = [choices.choice(signs) for _ in range(choices.integer(1, most))]
        return b"".join(self.escaped(part, True) for part in parts)

    @staticmethod
    def escaped(data: bytes, composed: bool) -> bytes:
        """With the escapes that a text has to have: they are for bytes, not characters."""
        special = _ESCAPED[composed]
        if special.isdisjoint(data):
            return data
        return b"".join(b"\\%c" % byte if byte in special else b"%c" % byte for byte in data)

    # --- Values of a property ---

    def alternatives(self, definition: PropertyDefinition) -> tuple[ValueType, ...]:
        """What a value may be in the file format of the tree."""
        older = definition.older_value if self.context.file_format < 4 else ""
        return parse_value_expression(older) if older else definition.alternatives

    def single(self, definition: PropertyDefinition) -> bytes:
        """A value of a property that takes one and is no point or move."""
        own = _BUILT.get(definition.format)
        if own is not None:
            return own(self, definition)
        if definition.format:
            return self._formatted(definition)
        kind = self.choices.choice(self.alternatives(definition))
        if kind.composed:
            return b":".join(self.text(half, composed=True) for half in (kind.first, kind.second))
        if kind.first in grammar.TEXT_TYPES:
            return self.text(kind.first)
        return self.plain_word() if kind.first == "unknown" else self.word(kind.first)

    def _formatted(self, definition: PropertyDefinition) -> bytes:
        """By the grammar of the format, but not what it calls possible and rules do not."""
        says_something = definition.is_text and value_grammar.pattern(definition.format).fullmatch(
            b""
        )
        for _ in range(8):
            raw = self.word(definition.format)
            if _is_harmless(definition.format, raw) and (raw or not says_something):
                return raw
        return b"" if not definition.is_text else b"0"


_ZERO_MARGIN = re.compile(rb"[BW]\+0+(?:\.0+)?")


def _is_harmless(form: str, raw: bytes) -> bool:
    match form:
        case "result":
            return not _ZERO_MARGIN.fullmatch(raw)
        case "backgammon_result":
            return not _ZERO_MARGIN.fullmatch(raw) and raw[2:] not in (b"R", b"Resign")
        case "seconds":
            return not raw.startswith(b"-")
    return True


def _dates(values: Values, definition: PropertyDefinition) -> bytes:
    """Dates of the calendar, each written as short as the one before allows."""
    choices = values.choices
    dates: list[tuple[int, ...]] = []
    for _ in range(1 + (choices.integer(0, 4) if choices.chance(3) else 0)):
        if not dates or choices.chance(3):
            year = choices.integer(1, 2100) if choices.chance(4) else choices.integer(1950, 2030)
            month = choices.integer(1, 12)
        day = choices.integer(1, calendar.monthrange(year, month)[1])
        precise = len(dates[-1]) if dates and not choices.chance(4) else choices.integer(1, 3)
        dates.append((year, month, day)[:precise])
    return shortest(list(dict.fromkeys(dates))).encode()


def _cube_value(values: Values, definition: PropertyDefinition) -> bytes:
    return b"%d" % 2 ** values.choices.integer(0, 10)


def _figure(values: Values, definition: PropertyDefinition) -> bytes:
    choices = values.choices
    alternatives = values.alternatives(definition)
    if len(alternatives) == 1 or choices.chance(3):
        return b""
    flags = sum(choices.some(grammar.rule("SGF412").data["flags"], 6))
    name = values.text("simpletext", composed=True) if choices.integer(0, 3) else b""
    return b"%d:" % flags + name


def _rank(values: Values, definition: PropertyDefinition) -> bytes:
    """Recommended for Go, free for other games."""
    return values.word("rank") if values.context.game == 1 else values.text("simpletext")


def _rules(values: Values, definition: PropertyDefinition) -> bytes:
    """One of the fixed names, or any other that does not look like one of them."""
    free = values.text("simpletext")
    taken = {name.encode() for name in grammar.rule("SGF425").data}
    plain = free.replace(b"\\", b"").strip().lower()
    return values.word("rules") if plain in taken else free


def _any_rules(values: Values, definition: PropertyDefinition) -> bytes:
    return values.word("rules") if values.choices.chance(2) else _rules(values, definition)


_BUILT = {
    "date": _dates,
    "cube_value": _cube_value,
    "figure": _figure,
    "rank": _rank,
    "rules": _any_rules,
}
