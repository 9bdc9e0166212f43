"""Positions in a file: spans, lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sgf_lark.text.decoding import OffsetMap, Sections


class Span(NamedTuple):
    """A range of bytes of the file, with the line and column of its start.

    `start` and `end` are byte offsets, 0-based, `end` exclusive. `line` and `column` are
    1-based; columns count characters.
    """

    start: int
    end: int
    line: int
    column: int


class Position(NamedTuple):
    """A position in a file: the bytes and line breaks before it, and the characters before it
    on its line."""

    offset: int
    lines: int
    columns: int


START = Position(0, 0, 0)


class CodecAt(NamedTuple):
    """The codecs of the parts of a file, of which the first begins at its start."""

    #: The offsets at which the parts begin, ascending, and Python's names of their codecs.
    starts: Sequence[int]
    codecs: Sequence[str]

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """What lies between two offsets: the start and the end of each part, and its codec."""
        number = max(0, bisect_right(self.starts, start) - 1)
        while start < end:
            following = self.starts[number + 1] if number + 1 < len(self.starts) else end
            last = min(end, following)
            yield start, last, self.codecs[number]
            start, number = last, number + 1


class SourceText:
    """The text of a file, which finds lines and columns. Lines end at LF, CR or CRLF.

    The offsets in spans are always offsets in the file, even if :attr:`data` is not the
    file itself but its text in UTF-8, or a part of it that begins at `begin`.
    """

    def __init__(
        self,
        data: bytes,
        codec: str | CodecAt = "latin-1",
        offset_map: OffsetMap | Sections | None = None,
        begin: Position = START,
        places: tuple[Callable[[int], int], ...] = (),
    ) -> None:
        """Prepare to find positions in `data`, which begins at the position `begin` of a file.

        Columns count characters of the Python codec `codec`, which can also be one for each
        part of `data`. If `data` is the text of the file in
        UTF-8, `offset_map` translates between its offsets and those in the file. If spans are asked
        for by the offsets of another text, `places` translate these, one after the other.
        """
        self.data = data
        self._is_ascii = data.isascii()
        self._codec = codec
        self._offset_map = offset_map
        self._begin = begin
        self._places = places
        #: The offsets in `data` at which spans started, ascending, and their columns. The next
        #: column is counted from the nearest of them, so that the time for all spans stays
        #: linear even if the whole file is one line.
        self._known_offsets = [0]
        self._known_columns = [1]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what the constructor takes: lines are cheap to find again."""
        return SourceText, (self.data, self._codec, self._offset_map, self._begin, self._places)

    def seen_from(self, place: Callable[[int], int]) -> SourceText:
        """The same text, which takes offsets of another one; `place` translates them."""
        places = (place, *self._places)
        return SourceText(self.data, self._codec, self._offset_map, self._begin, places)

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset in `data` of the first byte of each line."""
        lines = self.data.splitlines(keepends=True)
        if lines and not lines[-1].endswith((b"\n", b"\r")):
            lines.pop()
        return [0, *accumulate(map(len, lines))]

    def span(self, start: int, end: int) -> Span:
        """The span of the bytes of `data` from `start` to `end`."""
        for place in self._places:
            start, end = place(start), place(end)
        return self._span(start, end)

    def spans(self, places: Iterable[tuple[int, int]]) -> list[Span]:
        """The spans of several ranges of bytes of `data`."""
        is_plain = self._is_ascii and self._offset_map is None and not self._places
        if not (is_plain and self._begin == START):
            return [self.span(start, end) for start, end in places]
        line_starts = self.line_starts
        found = []
        for start, end in places:
            line = bisect_right(line_starts, start)
            found.append(Span(start, end, line, start - line_starts[line - 1] + 1))
        return found

    def _span(self, start: int, end: int) -> Span:
        line_starts = self.line_starts
        line = bisect_right(line_starts, start)
        if self._is_ascii:
            column = start - line_starts[line - 1] + 1
        else:
            column = self._column(start, line_starts[line - 1])
        if self._offset_map is not None:
            start, end = self._offset_map.to_file(start), self._offset_map.to_file(end)
        before, lines, columns = self._begin
        column += columns if line == 1 else 0
        return Span(start + before, end + before, line + lines, column)

    def position(self, offset: int) -> Position:
        """The position in the file of an offset in `data`."""
        span = self.span(offset, offset)
        return Position(span.start, span.line - 1, span.column - 1)

    def _column(self, offset: int, line_start: int) -> int:
        """The column of `offset`, which is on the line that starts at `line_start`."""
        number = bisect_right(self._known_offsets, offset)
        known, column = self._known_offsets[number - 1], self._known_columns[number - 1]
        if known == offset:
            return column
        if known < line_start:
            known, column = line_start, 1
        part = self.data[known:offset]
        column += len(part) if part.isascii() else len(self._decode(known, offset))
        self._known_offsets.insert(number, offset)
        self._known_columns.insert(number, column)
        return column

    def text(self, span: Span) -> str:
        """The characters of `span`."""
        return self._decode(self._text_offset(span.start), self._text_offset(span.end))

    def line(self, span: Span) -> str:
        """The line of text on which `span` starts, without its line break."""
        return self.excerpt(span, 0, len(self.data))[0]

    def excerpt(self, span: Span, before: int, after: int) -> tuple[str, int]:
        """The line on which `span` starts, and the 0-based column of `span` in it.

        If `before` is not 0, the line is cut to `before` characters before the start of the
        span and `after` characters from there on; "…" marks each cut.
        """
        start_of_span = self._text_offset(span.start)
        line = span.line - self._begin.lines
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.data)
        if before:
            # A character has at most four bytes, so these bounds are wide enough.
            start = max(start, start_of_span - 4 * (before + 2))
            end = min(end, start_of_span + 4 * (after + 2))
        head = self._decode(start, start_of_span)
        tail = self._decode(start_of_span, end).rstrip("\r\n")
        if before and len(head) > before:
            head = "…" + head[-before:]
        if before and len(tail) > after:
            tail = tail[:after] + "…"
        return head + tail, len(head)

    def _text_offset(self, file_offset: int) -> int:
        offset = file_offset - self._begin.offset
        return offset if self._offset_map is None else self._offset_map.to_text(offset)

    def _decode(self, start: int, end: int) -> str:
        """The characters from `start` to `end`."""
        if isinstance(self._codec, str):
            return self.data[start:end].decode(self._codec, "replace")
        parts = self._codec.parts(start, end)
        return "".join(
            self.data[first:last].decode(codec, "replace") for first, last, codec in parts
        )
