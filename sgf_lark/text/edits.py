"""Edits of a text, and where what is in the edited text was before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
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


class Origins:
    """Maps offsets in a text that was edited to offsets in the original."""

    def __init__(self, length: int) -> None:
        """`length` is that of the original."""
        self._length = length
        #: For each time that it was edited: the edits, and where each begins in the text after it.
        self._times: list[tuple[list[Edit], list[int]]] = []

    def was_at(self, offset: int) -> int:
        """The offset in the original; for new text, the offset where it was inserted."""
        for edits, starts in reversed(self._times):
            number = bisect_right(starts, offset) - 1
            if number >= 0:
                edit = edits[number]
                beyond = offset - starts[number] - len(edit.replacement)
                offset = edit.start if beyond < 0 else edit.end + beyond
        return min(offset, self._length)

    def follow(self, edits: list[Edit]) -> None:
        """Follow the text through edits that are sorted and do not overlap."""
        growths = (len(edit.replacement) - (edit.end - edit.start) for edit in edits)
        shifts = accumulate(growths, initial=0)
        starts = [edit.start + shift for edit, shift in zip(edits, shifts, strict=False)]
        self._times.append((edits, starts))
