"""Lines and columns in a file.

Plain Python, and with the types of ``source_text.pxd`` compiled to C.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Protocol

from sgf_lark.diagnostics import Span
from sgf_lark.flat import last_up_to

#: Whether this runs as compiled code, in which loops over bytes cost less than calls.
COMPILED = not __file__.endswith((".py", ".pyc"))

_LF = 0x0A


class Places(Protocol):
    """Offsets in the file as given, and in what it was decoded to."""

    def given(self, offset: int) -> int: ...

    def read(self, offset: int) -> int: ...


class SourceText:
    """Finds lines and columns in the bytes of a file.

    `codec` is a Python codec name in which columns are counted, or a function
    that gives the one that holds at a byte offset. Lines end at LF, CR or CRLF.
    Where `data` is not the file as given, but what it was decoded to, `places`
    leads from the one to the other: spans are always places in the file.
    """

    def __init__(
        self,
        data: bytes,
        codec: str | Callable[[int], str] = "latin-1",
        places: Places | None = None,
    ) -> None:
        # Where it is compiled, the second is the bytes themselves.
        self.data = self._bytes = data
        self._codec = codec
        self._places = places
        self._line_starts: list[int] | None = None
        # Where the last span began. Places mostly come in order, and a line can be as
        # long as the file.
        self._line = self._column = 1
        self._known = 0
        # Known from the first span on.
        self._is_looked_at = self._is_ascii = self._ends_with_lf = False

    def __reduce__(self) -> tuple[object, ...]:
        return SourceText, (self.data, self._codec, self._places)

    @property
    def line_starts(self) -> list[int]:
        if self._line_starts is None:
            lines = self.data.splitlines(keepends=True)
            if lines and not lines[-1].endswith((b"\n", b"\r")):
                lines.pop()
            self._line_starts = [0, *accumulate(map(len, lines))]
        return self._line_starts

    def span(self, start: int, end: int) -> Span:
        """The span of the bytes of `data` from `start` to `end`."""
        if not self._is_looked_at:
            self._look()
        line, known, column = self._line, self._known, self._column
        if start < known or not self._ends_with_lf:
            known_line, line = line, last_up_to(self.line_starts, start) + 1
            if line != known_line or start < known:
                known, column = self.line_starts[line - 1], 1
        else:
            last = self._last_break(known, start)
            if last >= 0:
                line += self._breaks(known, last + 1)
                known, column = last + 1, 1
        if self._is_ascii:
            column += start - known
        else:
            part = self.data[known:start]
            column += len(part) if part.isascii() else len(self._decode(part, start))
        self._line, self._known, self._column = line, start, column
        if self._places is not None:
            start, end = self._places.given(start), self._places.given(end)
        return _new(Span, (start, end, line, column))

    def _last_break(self, begin: int, end: int) -> int:
        """Where the last LF from `begin` to `end` is; -1 where none is."""
        if not COMPILED:
            return self.data.rfind(b"\n", begin, end)
        place = end - 1
        while place >= begin and self._bytes[place] != _LF:
            place -= 1
        return place if place >= begin else -1

    def _breaks(self, begin: int, end: int) -> int:
        """How many LF there are from `begin` to `end`."""
        if not COMPILED:
            return self.data.count(b"\n", begin, end)
        count = 0
        for place in range(begin, end):
            count += self._bytes[place] == _LF
        return count

    def _look(self) -> None:
        """Whether all is ASCII, and each line ends with LF, be it alone or behind a CR."""
        data = self.data
        self._is_ascii = data.isascii()
        self._ends_with_lf = data.find(b"\r") < 0 or data.count(b"\r") == data.count(b"\r\n")
        self._is_looked_at = True

    def text(self, span: Span) -> str:
        """The characters of `span`."""
        start = self._offset(span.start)
        return self._decode(self.data[start : self._offset(span.end)], start)

    def line(self, span: Span) -> str:
        """The line of text at which `span` begins, without its end of line."""
        return self.excerpt(span, 0, len(self.data))[0]

    def excerpt(self, span: Span, before: int, after: int) -> tuple[str, int]:
        """The line at which `span` begins, and the 0-based column of `span` in it.

        At most `before` characters in front of the span and `after` behind its
        start are shown where `before` is not 0; "…" stands for what is left out.
        """
        place = self._offset(span.start)
        start = self.line_starts[span.line - 1]
        end = self.line_starts[span.line] if span.line < len(self.line_starts) else len(self.data)
        if before:
            # No character has more than four bytes, so these cuts are wide enough.
            start = max(start, place - 4 * (before + 2))
            end = min(end, place + 4 * (after + 2))
        head = self._decode(self.data[start:place], place)
        tail = self._decode(self.data[place:end], place).rstrip("\r\n")
        if before and len(head) > before:
            head = "…" + head[-before:]
        if before and len(tail) > after:
            tail = tail[:after] + "…"
        return head + tail, len(head)

    def _offset(self, given: int) -> int:
        return given if self._places is None else self._places.read(given)

    def _decode(self, part: bytes, offset: int) -> str:
        codec = self._codec if isinstance(self._codec, str) else self._codec(offset)
        return part.decode(codec, "replace")


#: Makes a named tuple of all its fields without the function that fills in defaults.
_new = tuple.__new__
