"""Lines and columns as editors count them, and byte offsets in UTF-8."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from lsprotocol.types import Position, PositionEncodingKind, Range

_LINE_END = re.compile(rb"\r\n|\r|\n")

#: How many units a character has, at its first byte in UTF-8; the other bytes have none.
_UNITS = {
    PositionEncodingKind.Utf16: bytes(
        0 if 0x80 <= byte < 0xC0 else 2 if byte >= 0xF0 else 1 for byte in range(256)
    ),
    PositionEncodingKind.Utf32: bytes(0 if 0x80 <= byte < 0xC0 else 1 for byte in range(256)),
}


class Text:
    """A text in UTF-8, with 0-based lines, and columns in units of the client's encoding.

    A line ends as the protocol says: at a line feed, a carriage return, or both.
    """

    def __init__(
        self, data: bytes, encoding: PositionEncodingKind | str = PositionEncodingKind.Utf16
    ) -> None:
        self.data = data
        self.encoding = PositionEncodingKind(encoding)

    @cached_property
    def line_starts(self) -> list[int]:
        """The byte offsets at which lines begin."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.data))]

    @cached_property
    def _units(self) -> array[int] | None:
        """The units before each byte and before the end; None where each byte is one unit."""
        table = _UNITS.get(self.encoding)
        if table is None or self.data.isascii():
            return None
        return array("I", accumulate(self.data.translate(table), initial=0))

    def position(self, offset: int) -> Position:
        """The position of a byte offset; offsets outside of the text are moved into it."""
        offset = min(max(offset, 0), len(self.data))
        line = bisect_right(self.line_starts, offset) - 1
        start = self.line_starts[line]
        units = self._units
        column = offset - start if units is None else units[offset] - units[start]
        return Position(line, column)

    def range(self, start: int, end: int) -> Range:
        """The range between two byte offsets."""
        return Range(self.position(start), self.position(end))

    def offset(self, position: Position) -> int:
        """The byte offset of a position; a column after the line's end is its end."""
        if position.line >= len(self.line_starts):
            return len(self.data)
        start = self.line_starts[position.line]
        end = self.line_end(position.line)
        units = self._units
        if units is None:
            return min(start + position.character, end)
        # The last byte with that many units before it is where a character begins.
        found = bisect_right(units, units[start] + position.character, start, end + 1) - 1
        return max(start, found)

    def line_end(self, line: int) -> int:
        """The byte offset after the last character of a line, before its line break."""
        if line + 1 == len(self.line_starts):
            return len(self.data)
        end = self.line_starts[line + 1]
        return end - (2 if self.data[end - 2 : end] == b"\r\n" else 1)

    def offsets(self, area: Range) -> tuple[int, int]:
        """The byte offsets of a range."""
        return self.offset(area.start), self.offset(area.end)

    def part(self, start: int, end: int) -> str:
        """The characters between two byte offsets."""
        return self.data[start:end].decode("utf-8", "surrogatepass")

    def edited(self, area: Range | None, new: str) -> Text:
        """The text after a change of a client: of a range, or of everything."""
        data = new.encode("utf-8", "surrogatepass")
        if area is not None:
            start, end = self.offsets(area)
            data = self.data[:start] + data + self.data[max(start, end) :]
        return Text(data, self.encoding)
