"""A limit for the points of rectangles, where all of them have to be written."""

from __future__ import annotations

#: The rectangles of a file may have this many points, and more in a larger file.
_USUAL_POINTS = 1_000_000
_POINTS_OF_BYTE = 10


class Expansion:
    """Counts the points that a file names without writing them: ten bytes can name all points of
    a board, in each of many nodes.

    A file of `size` bytes may have a million, or ten for each byte.
    """

    def __init__(self, size: int) -> None:
        self._most = max(_USUAL_POINTS, _POINTS_OF_BYTE * size)
        self._count = 0

    def add(self, points: int) -> None:
        """Add points; raises ValueError if there are too many together."""
        self._count += points
        if self._count > self._most:
            raise ValueError(f"the rectangles of the file have more than {self._most:,} points")
