"""The analysis of a text in an editor; lines and columns as the client counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range

from sgf_lark import analysis
from sgf_lark.analysis import UTF_16, UTF_32, CodeUnits
from sgf_lark.diagnostics import Language
from sgf_lark.validation import selected_codes

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


@dataclass(frozen=True)
class Settings:
    """What a client can set: which rules apply, and the language of the messages."""

    profile: str = "strict"
    language: Language = "en"
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the selected rules."""
        return selected_codes(self.select, self.ignore)


class Analysis(analysis.Analysis):
    """A text of one version, validated as a whole: 100 kilobytes take some milliseconds."""

    def __init__(self, text: Text, settings: Settings) -> None:
        super().__init__(text.data, settings.profile, settings.codes, settings.language)
        self.text = text
        self.settings = settings

    @cached_property
    def move_numbers(self) -> list[int]:
        """For each node the number of its move, or of the last one before it; MN sets it."""
        flat, found = self.flat, [0] * len(self.flat.node_start)
        for tree in self.collection:
            first = tree.parsed.numbers[0]
            for number in range(first, tree.parsed.numbers[-1] + 1):
                idents = [ident for _, ident in flat.idents(number)]
                moves = sum(ident in ("B", "W") for ident in idents)
                found[number] = moves + (found[flat.parent[number]] if number > first else 0)
                if moves and "MN" in idents:
                    with suppress(ValueError):
                        found[number] = int(tree.node(number)["MN"])
        return found
