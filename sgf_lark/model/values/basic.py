"""The basic types of ``sgf.ebnf``: numbers, texts, colors and values composed of two."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT
from sgf_lark.text.charsets import codec_of_value

if TYPE_CHECKING:
    from sgf_lark.syntax.lalr import Token


class Context(NamedTuple):
    """The properties of a game tree that the reading of its values depends on.

    `size` is (columns, rows) or None, `codec` a Python codec name for texts, `other` that for
    values that are not valid in it, if they are in another charset, `program` the name of the
    program that wrote the tree, if it has properties or habits of its own.
    """

    game: int = 1
    file_format: int = LATEST_FILE_FORMAT
    size: tuple[int, int] | None = (19, 19)
    codec: str = "latin-1"
    other: str | None = None
    program: str = ""

    def codec_of(self, raw: bytes) -> str:
        """The codec of the bytes of a value."""
        return codec_of_value(raw, self.codec, self.other)

    def decode(self, raw: bytes) -> str:
        """The text of bytes of a value; U+FFFD stands for what is none."""
        return raw.decode(self.codec_of(raw), "replace")


class Double(IntEnum):
    """How strongly an annotation is meant: 1 for normal, 2 for emphasized (sgf4, Double)."""

    NORMAL = 1
    EMPHASIZED = 2


class Color(StrEnum):
    """The side of a player: "B" or "W" (sgf4, Color). It equals its text."""

    BLACK = "B"
    WHITE = "W"

    @property
    def opponent(self) -> Color:
        """The other color."""
        return _WHITE if self is _BLACK else _BLACK

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f'a color is a Color, "B" or "W", not {value!r}')


# Asked for once for each move: a name of a module is found faster than that of an enumeration.
_BLACK, _WHITE = Color


Left = TypeVar("Left")
Right = TypeVar("Right")


class Compose(NamedTuple, Generic[Left, Right]):
    """A value of two halves, joined by ":" (sgf4, Compose).

    `left` and `right` have the types that the property gives to each, such as a Point and the
    text of its label in LB. It equals a tuple of both.
    """

    left: Left
    right: Right


#: The greatest number of 64 bits.
LARGEST = 2**63 - 1


def bounded(digits: bytes) -> int:
    """A Number for comparisons: one that does not fit into 64 bits counts as the greatest or
    least that does. Python converts at most 4,300 digits, and refuses more with ValueError."""
    significant = digits.lstrip(b"+-0") or b"0"
    amount = min(int(significant), LARGEST) if len(significant) <= 19 else LARGEST
    return -amount if digits.startswith(b"-") else amount


def replacement(terminal: str, text: str, line_break: str) -> str:
    """The characters that a terminal of a SimpleText or Text represents."""
    match terminal:
        case "PLAIN":
            return text
        case "ESCAPED":
            return text[1:]
        case "LINE_BREAK":
            return line_break
        case "SOFT_BREAK":
            return ""
        case _:  # TAB, ESCAPED_TAB
            return " "


class BasicTypes:
    """The productions of the basic types, and ``size``; methods of a Lark Transformer."""

    context: Context

    def none(self, children: list[str]) -> None:
        """``none:`` (empty)."""

    def number(self, children: list[str]) -> int:
        """``number: NUMBER``; raises ValueError for more digits than Python converts, 4,300."""
        (digits,) = children
        return int(digits)

    def real(self, children: list[str]) -> float:
        """``real: REAL``."""
        (digits,) = children
        return float(digits)

    def double(self, children: list[str]) -> Double:
        """``double: DOUBLE``."""
        (digit,) = children
        return Double(int(digit))

    def color(self, children: list[str]) -> Color:
        """``color: COLOR``."""
        (letter,) = children
        return Color(str(letter))

    def simpletext(self, children: list[Token]) -> str:
        """``simpletext: _character*``; a line break becomes a blank."""
        return self._text(children, " ")

    def text(self, children: list[Token]) -> str:
        """``text: _character*``."""
        return self._text(children, "\n")

    def _text(self, children: list[Token], line_break: str) -> str:
        """Escapes are removed from the bytes first; what remains is decoded."""
        parts = (replacement(token.type, token, line_break) for token in children)
        return self.context.decode("".join(parts).encode("latin-1"))

    def compose(self, children: list[Any]) -> Compose[bytes, bytes]:
        """``compose: first_half COLON second_half``; each half is read as its own type."""
        left, _, right = children
        return Compose(left, right)

    def unknown(self, children: list[str]) -> bytes:
        """``unknown: ANYTHING?``."""
        return "".join(children).encode("latin-1")

    #: ``first_half: FIRST_HALF?`` and ``second_half: SECOND_HALF?``
    first_half = second_half = unknown

    def size(self, children: list[str]) -> tuple[int, int]:
        """``size: BOARD_SIDE (COLON BOARD_SIDE)?``; columns and rows."""
        sides = [int(side) for side in children if side != ":"]
        return sides[0], sides[-1]
