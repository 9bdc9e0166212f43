"""Random property values that conform.

They are words of ``values.lark`` that also follow the rules a grammar cannot express: points
are on the board, days are in the calendar.
"""

from __future__ import annotations

import calendar
import re
import string
from collections.abc import Callable
from functools import cache

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, word, word_of_pattern
from sgf_lark.grammar import PropertyDefinition, ValueType, parse_value_expression
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.formats import shortest
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.syntax import grammars as value_grammar

VALUES = "values.lark"

#: The most lines of a board of a game that names no other limit.
LARGEST_SIDE = 52
_HEX = 11


@cache
def largest_side(game: int) -> int:
    """Return the most lines of a board whose points the notation of the game can name."""
    entry = grammar.game(game)
    lines = entry.maximum_size or LARGEST_SIDE
    if game == _HEX:
        _, lines = grammar.rule("SGF831").data["sides"]
    if entry.point in NOTATIONS:
        pattern, write = value_grammar.pattern(entry.point), NOTATIONS[entry.point]
        while not pattern.fullmatch(write(Point(lines - 1, lines - 1)).encode()):
            lines -= 1
    return lines


# --- Characters ---------------------------------------------------------------------

#: Ranges that non-ASCII letters are taken from, first and last: Latin to Han to emoji.
_RANGES = (
    *((0xC0, 0xFF), (0x100, 0x17F), (0x391, 0x3C9), (0x410, 0x44F), (0x3041, 0x30F6)),
    *((0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0x1F300, 0x1F5FF)),
)
#: Of the letters from this one on, only each twenty-third is taken.
_FIRST_SAMPLED, _STEP = 0x500, 23
_STRUCTURE = (b"\\", b"]", b":", b"[")


@cache
def non_ascii_letters(codec: str) -> tuple[bytes, ...]:
    """Return non-ASCII letters in that codec.

    The first are multibyte characters that end in a byte with a meaning in SGF.
    """
    sampled = [
        number
        for first, last in _RANGES
        for number in range(first, last + 1, 1 if last < _FIRST_SAMPLED else _STEP)
    ]
    encoded = [data for number in sampled if (data := chr(number).encode(codec, "ignore"))]
    others = [data for data in encoded if data[-1:] not in _STRUCTURE or len(data) == 1]
    return (*_ambiguous_letters(codec)[: len(others) + 20], *others)


def _ambiguous_letters(codec: str) -> list[bytes]:
    """Return characters of two bytes of which the second has a meaning in SGF, in their order."""
    pairs = (b"%c" % lead + trail for lead in range(0x81, 0xFF) for trail in _STRUCTURE)
    found = {data.decode(codec, "ignore"): data for data in pairs}
    return [
        found[letter]
        for letter in sorted(letter for letter in found if len(letter) == 1)
        if any(first <= ord(letter) <= last for first, last in _RANGES)
        and letter.encode(codec, "ignore") == found[letter]
    ]


_LOWERCASE = tuple(b"%c" % letter for letter in string.ascii_lowercase.encode())
_ALPHANUMERIC = (
    *_LOWERCASE,
    *(b"%c" % letter for letter in (string.digits + string.ascii_uppercase).encode()),
)
#: The printable characters of ASCII, letters first.
_PRINTABLE = (*_ALPHANUMERIC, *(b"%c" % mark for mark in (" " + string.punctuation).encode()))
#: Bytes that need an escape, in a composed value and in others.
_ESCAPED = {True: frozenset(b"]\\:"), False: frozenset(b"]\\")}
_BREAKS = ("SOFT_BREAK", "LINE_BREAK", "TAB", "ESCAPED_TAB")
_SHORT_TEXT, _LONG_TEXT = 12, 200


#: The point that is written "tt".
_PASS = Point(19, 19)
_PLAIN_WORD = "[A-Za-z][A-Za-z0-9]{0,3}"
#: Numbers that 32 bits, or the real numbers of most languages, cannot hold.
_LARGE_NUMBERS = (2**31, 2**32, -(2**31) - 1, 2**53 + 1, 2**63 - 1)
#: Numbers with one bound are at most this far from it.
_FAR = 1_000


class Values:
    """Generates values for one game tree, which is read in `context`."""

    def __init__(
        self,
        choices: Choices,
        context: Context,
        *,
        ascii_only: bool = False,
        without_charset: bool = False,
    ) -> None:
        """Set the alphabet of texts.

        `ascii_only` texts are the same in every charset. In a tree `without_charset` an ASCII
        letter follows each non-ASCII byte, so that the bytes are seldom mistaken for a
        multibyte charset.
        """
        self.choices = choices
        self.context = context
        self.game = grammar.game(context.game)
        self._letters = () if ascii_only else non_ascii_letters(context.codec)
        self._separates_non_ascii = without_charset
        self._overrides: dict[str, Callable[[Choices], bytes]] = {}
        if context.size is not None and self.game.point in NOTATIONS:
            self._overrides[self.game.point] = lambda _: self.write(self.point())

    def word(self, symbol: str) -> bytes:
        """Return a word of ``values.lark`` whose points are on the board."""
        return word(VALUES, symbol, Making(self.choices, self._overrides))

    # --- Points ---

    def point(self) -> Point:
        """Return a point of the board."""
        size = self.context.size or (1, 1)
        # Programs take "tt" for a pass on larger boards as well.
        if min(size) > _PASS.column and self.choices.chance(12):
            return _PASS
        return Point(self.choices.integer(0, size[0] - 1), self.choices.integer(0, size[1] - 1))

    def write(self, point: Point) -> bytes:
        """Return the point in the notation of the game."""
        return NOTATIONS[self.game.point](point).encode()

    def free_point(self, taken: set[bytes]) -> bytes | None:
        """Return a point that is not `taken`, and add it to these; None where none is left.

        In a game without a board of fixed notation it is any word that may be a point.
        """
        raw = self._free_on_board(taken) if self._overrides else self._free_word(taken)
        if raw is not None:
            taken.add(raw)
        return raw

    def _free_on_board(self, taken: set[bytes]) -> bytes | None:
        """Return a point of the board, or the next free one in reading order."""
        columns, rows = self.context.size or (0, 0)
        first = self.choices.integer(0, columns * rows - 1)
        for number in range(first, first + columns * rows):
            row, column = divmod(number % (columns * rows), columns)
            raw = self.write(Point(column, row))
            if raw not in taken:
                return raw
        return None

    def _free_word(self, taken: set[bytes]) -> bytes | None:
        for _ in range(20):
            raw = self.word(self.game.point) if self.game.point else self.plain_word()
            if raw not in taken:
                return raw
        return None

    def plain_word(self) -> bytes:
        """Return letters and digits, for values that no grammar describes."""
        return word_of_pattern(_PLAIN_WORD, self.choices)

    def rectangle(self, taken: set[bytes]) -> bytes | None:
        """Return a compressed point list without `taken` points, or None if that fails."""
        size, choices = self.context.size, self.choices
        if size is None or f"{self.game.point.removesuffix('point')}rectangle" not in (
            value_grammar.value_types()
        ):
            return None
        left, top = self.point()
        columns = range(left, min(size[0], left + 1 + choices.integer(0, 3)))
        rows = range(top, min(size[1], top + 1 + choices.integer(0, 3)))
        points = {self.write(Point(column, row)) for column in columns for row in rows}
        if len(points) < 2 or points & taken:
            return None
        taken |= points
        ends = [rows[0], rows[-1]]
        if self.game.upward:
            ends.reverse()
        corners = [Point(columns[0], ends[0]), Point(columns[-1], ends[1])]
        return b":".join(map(self.write, corners))

    def stone(self, taken: set[bytes]) -> bytes | None:
        """Return a stone on a point that is not `taken`, or None where none is left."""
        point = self.free_point(taken)
        return None if point is None else self.stone_at(point)

    def stone_at(self, point: bytes) -> bytes:
        """Return a stone on that point, in the notation of the game."""
        if self.game.stone == self.game.point:
            return point
        return word(
            VALUES, self.game.stone, Making(self.choices, {self.game.point: lambda _: point})
        )

    # --- Texts ---

    def text(self, *, composed: bool = False) -> bytes:
        """Return a SimpleText or Text that is not blank, mostly a short one."""
        choices = self.choices
        limit = _LONG_TEXT if choices.chance(30) else _SHORT_TEXT
        octets = choices.octets(choices.integer(0, limit - 1))
        parts = [self._character(octet, composed) for octet in octets]
        end = choices.integer(0, len(parts))
        return b"".join([*parts[:end], choices.choice(_ALPHANUMERIC), *parts[end:]])

    def _character(self, octet: int, composed: bool) -> bytes:
        """Return a character; of 16 octets two give a break and three a non-ASCII letter."""
        if octet >= 224:
            return word(VALUES, self.choices.choice(_BREAKS), Making(self.choices))
        if octet >= 176 and self._letters:
            return self._non_ascii_letter(composed)
        if octet >= 160:
            return b"\\" + self.choices.choice(_PRINTABLE)
        return self.escape(_PRINTABLE[octet % len(_PRINTABLE)], composed)

    def _non_ascii_letter(self, composed: bool) -> bytes:
        """Return a non-ASCII letter, followed by an ASCII letter where it could be misread.

        A reader that decodes before it unescapes sees the last byte "\\" of a character and
        an escaped "]" after it as a character and the end of the value.
        """
        letter = self.choices.choice(self._letters)
        escaped = self.escape(letter, composed)
        if self._separates_non_ascii or escaped != letter:
            return escaped + self.choices.choice(_LOWERCASE)
        return escaped

    def label(self) -> bytes:
        """Return a text of one or two characters without white space."""
        choices = self.choices
        non_ascii = () if self._separates_non_ascii else self._letters[-20:]
        usual = (*_ALPHANUMERIC, *non_ascii)
        parts = [
            choices.choice(_STRUCTURE if choices.chance(8) else usual)
            for _ in range(choices.integer(1, 2))
        ]
        return b"".join(self.escape(part, True) for part in parts)

    @staticmethod
    def escape(data: bytes, composed: bool) -> bytes:
        """Return `data` with the escapes that a text needs, by bytes and not by characters."""
        special = _ESCAPED[composed]
        if special.isdisjoint(data):
            return data
        return b"".join(b"\\%c" % byte if byte in special else b"%c" % byte for byte in data)

    # --- Values of a property ---

    def alternatives(self, definition: PropertyDefinition) -> tuple[ValueType, ...]:
        """Return the value types that the property has in the file format of the tree."""
        older = definition.older_value if self.context.file_format < 4 else ""
        return parse_value_expression(older) if older else definition.alternatives

    def single_value(self, definition: PropertyDefinition) -> bytes:
        """Return a value for a property that takes one value, other than points and moves."""
        generator = _GENERATORS.get(definition.format)
        if generator is not None:
            return generator(self, definition)
        if definition.format:
            return self._formatted(definition)
        kind = self.choices.choice(self.alternatives(definition))
        if not kind.composed:
            return self._of_type(kind.first, definition)
        halves = (kind.first, kind.second)
        return b":".join(self._of_type(half, definition, composed=True) for half in halves)

    def _of_type(
        self, kind: str, definition: PropertyDefinition, *, composed: bool = False
    ) -> bytes:
        """Return a value, or half of one, of a type in the value expression of a property."""
        if kind in grammar.TEXT_TYPES:
            return self.text(composed=composed)
        if kind in ("number", "real"):
            if definition.has_range:
                # With one bound, the number is not far from it.
                least, greatest = definition.minimum, definition.maximum
                least = (greatest or 0) - _FAR if least is None else least
                greatest = least + _FAR if greatest is None else greatest
                return b"%d" % self.choices.integer(least, greatest)
            if self.choices.chance(8):
                return b"%d" % self.choices.choice(_LARGE_NUMBERS)
        return self.plain_word() if kind == "unknown" else self.word(kind)

    def _formatted(self, definition: PropertyDefinition) -> bytes:
        """Return a word of the format that no rule objects to."""
        must_not_be_empty = definition.is_text and value_grammar.pattern(
            definition.format
        ).fullmatch(b"")
        for _ in range(8):
            raw = self.word(definition.format)
            if _is_accepted(definition.format, raw) and (raw or not must_not_be_empty):
                return raw
        return b"" if not definition.is_text else b"0"


_ZERO_MARGIN = re.compile(rb"[BW]\+0+(?:\.0+)?")


def _is_accepted(value_format: str, raw: bytes) -> bool:
    """Whether the rules accept a word of the format; the grammars allow a little more."""
    match value_format:
        case "result":
            return not _ZERO_MARGIN.fullmatch(raw)
        case "backgammon_result":
            return not _ZERO_MARGIN.fullmatch(raw) and raw[2:] not in (b"R", b"Resign")
        case "seconds":
            return not raw.startswith(b"-")
    return True


def _dates(values: Values, definition: PropertyDefinition) -> bytes:
    """Return dates of the calendar, each abbreviated as far as the date before it allows."""
    choices = values.choices
    dates: list[tuple[int, ...]] = []
    for _ in range(1 + (choices.integer(0, 4) if choices.chance(3) else 0)):
        if not dates or choices.chance(3):
            year = choices.integer(1, 2100) if choices.chance(4) else choices.integer(1950, 2030)
            month = choices.integer(1, 12)
        day = choices.integer(1, calendar.monthrange(year, month)[1])
        precision = len(dates[-1]) if dates and not choices.chance(4) else choices.integer(1, 3)
        dates.append((year, month, day)[:precision])
    return shortest(list(dict.fromkeys(dates))).encode()


def _figure(values: Values, definition: PropertyDefinition) -> bytes:
    choices = values.choices
    alternatives = values.alternatives(definition)
    if len(alternatives) == 1 or choices.chance(3):
        return b""
    flags = sum(choices.some(grammar.rule("SGF412").data["flags"], 6))
    name = values.text(composed=True) if choices.integer(0, 3) else b""
    return b"%d:" % flags + name


def _komi(values: Values, definition: PropertyDefinition) -> bytes:
    """Return a komi that may be meant on a board of any size."""
    raw = values.word("komi")
    largest = grammar.rule("SGF441").data["always"]
    return raw if abs(float(raw)) <= largest else b"%d.5" % values.choices.integer(-9, 9)


def _rank(values: Values, definition: PropertyDefinition) -> bytes:
    """Return a rank in the recommended form for Go, and any text for other games."""
    return values.word("rank") if values.context.game == 1 else values.text()


def _ruleset(values: Values, definition: PropertyDefinition) -> bytes:
    """Return a ruleset that cannot be mistaken for a misspelled fixed name."""
    if values.choices.chance(2):
        return values.word("rules")
    free = values.text()
    taken = {name.encode() for name in grammar.rule("SGF425").data}
    plain = free.replace(b"\\", b"").strip().lower()
    return values.word("rules") if plain in taken else free


#: Generators of the formats whose values need more than the grammar.
_GENERATORS: dict[str, Callable[[Values, PropertyDefinition], bytes]] = {
    "date": _dates,
    "komi": _komi,
    "cube_value": lambda values, _: b"%d" % 2 ** values.choices.integer(0, 10),
    "figure": _figure,
    "rank": _rank,
    "rules": _ruleset,
}
