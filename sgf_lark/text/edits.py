"""Edits of a text, and where what is in the edited text was before."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace the bytes from offset `start` to `end` by `replacement`."""

    start: int
    end: int
    replacement: bytes = b""


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` after edits that are sorted and do not overlap."""
    parts: list[bytes] = []
    position = 0
    for edit in edits:
        parts += [data[position : edit.start], edit.replacement]
        position = edit.end
    parts.append(data[position:])
    return b"".join(parts)


class _Piece(NamedTuple):
    """A piece of the edited text: where it begins there and in the original, and whether both
    advance together, which they do not in inserted text."""

    start: int
    origin: int
    together: bool


_start = attrgetter("start")


class Origins:
    """Maps offsets in the edited text to offsets in the original."""

    def __init__(self, length: int) -> None:
        self._pieces = [_Piece(0, 0, True)]
        self._length = length

    def was_at(self, offset: int) -> int:
        """The offset in the original; for new text, the offset where it was inserted."""
        start, origin, together = self._piece(offset)
        return min(origin + (offset - start if together else 0), self._length)

    def follow(self, edits: list[Edit]) -> None:
        """Follow the text through edits that are sorted and do not overlap."""
        pieces: list[_Piece] = []
        shift = position = 0
        for edit in edits:
            self._copy(pieces, position, edit.start, shift)
            pieces.append(_Piece(edit.start + shift, self.was_at(edit.start), False))
            shift += len(edit.replacement) - (edit.end - edit.start)
            position = edit.end
        self._copy(pieces, position, None, shift)
        self._pieces = pieces

    def _copy(self, pieces: list[_Piece], start: int, end: int | None, shift: int) -> None:
        """Copy the pieces between two offsets, which are not edited."""
        pieces.append(_Piece(start + shift, self.was_at(start), self._piece(start).together))
        first = bisect_right(self._pieces, start, key=_start)
        last = len(self._pieces) if end is None else bisect_left(self._pieces, end, key=_start)
        pieces += (piece._replace(start=piece.start + shift) for piece in self._pieces[first:last])

    def _piece(self, offset: int) -> _Piece:
        """The piece that has the offset."""
        return self._pieces[bisect_right(self._pieces, offset, key=_start) - 1]
