"""The analysis of a text in an editor, with the positions and ranges of the protocol."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range

from sgf_lark import analysis
from sgf_lark.analysis import UTF_16, UTF_32

_TABLES = {PositionEncodingKind.Utf16: UTF_16, PositionEncodingKind.Utf32: UTF_32}


class Text(analysis.Text):
    """A text in UTF-8, with columns in units of the client's encoding."""

    def __init__(
        self, data: bytes, encoding: PositionEncodingKind | str = PositionEncodingKind.Utf16
    ) -> None:
        super().__init__(data, _TABLES.get(PositionEncodingKind(encoding)))

    def position(self, offset: int) -> Position:
        """The position of a byte offset; offsets outside of the text are moved into it."""
        return Position(*self.place(offset))

    def range(self, start: int, end: int) -> Range:
        """The range between two byte offsets."""
        return Range(self.position(start), self.position(end))

    def offset(self, position: Position) -> int:
        """The byte offset of a position; a column after the line's end is its end."""
        return self.offset_at(position.line, position.character)

    def offsets(self, area: Range) -> tuple[int, int]:
        """The byte offsets of a range."""
        return self.offset(area.start), self.offset(area.end)


class Analysis(analysis.TextAnalysis):
    """A text of one version."""

    text: Text

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
