"""Translates offsets between bytes in Python and strings in JavaScript."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate

#: The number of UTF-16 code units that start at each byte of UTF-8.
_UNITS = bytes(0 if 0x80 <= byte < 0xC0 else 2 if byte >= 0xF0 else 1 for byte in range(256))


class Offsets:
    """Byte offsets in a text in UTF-8, and offsets in UTF-16 code units, both 0-based."""

    def __init__(self, data: bytes) -> None:
        """Count the code units of a text in UTF-8."""
        self._size = len(data)
        # The number of units before each byte, and before the end; None for ASCII.
        self._before = (
            None if data.isascii() else array("I", accumulate(data.translate(_UNITS), initial=0))
        )

    def units(self, offset: int) -> int:
        """The offset in code units of the character at byte `offset`, or of its end if
        `offset` is inside a character."""
        offset = min(max(offset, 0), self._size)
        return offset if self._before is None else self._before[offset]

    def bytes(self, units: int) -> int:
        """The byte offset of the character that starts at `units` or contains it."""
        if self._before is None:
            return min(max(units, 0), self._size)
        return max(bisect_right(self._before, units) - 1, 0)
