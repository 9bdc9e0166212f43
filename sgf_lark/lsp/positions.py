"""Lines and columns as editors count them, and byte offsets in UTF-8."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range

from sgf_lark.analysis import UTF_16, UTF_32, CodeUnits

_TABLES = {PositionEncodingKind.Utf16: UTF_16, PositionEncodingKind.Utf32: UTF_32}
_LINE_END = re.compile(rb"\r\n|\r|\n")


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
    def _offsets(self) -> CodeUnits:
        return CodeUnits(self.data, _TABLES.get(self.encoding))

    def position(self, offset: int) -> Position:
        """The position of a byte offset; offsets outside of the text are moved into it."""
        offset = min(max(offset, 0), len(self.data))
        line = bisect_right(self.line_starts, offset) - 1
        column = self._offsets.units(offset) - self._offsets.units(self.line_starts[line])
        return Position(line, column)

    def range(self, start: int, end: int) -> Range:
        """The range between two byte offsets."""
        return Range(self.position(start), self.position(end))

    def offset(self, position: Position) -> int:
        """The byte offset of a position; a column after the line's end is its end."""
        if position.line >= len(self.line_starts):
            return len(self.data)
        start, end = self.line_starts[position.line], self.line_end(position.line)
        found = self._offsets.bytes(self._offsets.units(start) + position.character)
        return min(max(start, found), end)

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
