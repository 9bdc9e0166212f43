"""Groups, liberties and areas on a board of Go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sgf_lark.model.board import BLACK, EMPTY, WHITE, region

#: Whose area an empty region is, by the stones next to it.
_OWNERS = {frozenset({BLACK}): BLACK, frozenset({WHITE}): WHITE}


def liberties(cells: Sequence[int], start: int, width: int) -> set[int]:
    """The empty cells next to the group at the index `start`."""
    _, border = region(cells, start, width)
    return {index for index in border if cells[index] == EMPTY}


def without(cells: bytes, dead: Iterable[int], width: int) -> bytes:
    """The cells without the groups that have a stone at one of the indices `dead`."""
    found = bytearray(cells)
    for start in dead:
        if found[start] in (BLACK, WHITE):
            for index in region(found, start, width)[0]:
                found[index] = EMPTY
    return bytes(found)


def territory(cells: bytes, width: int) -> dict[int, set[int]]:
    """The empty cells of the regions next to stones of one color only, by that color."""
    found: dict[int, set[int]] = {BLACK: set(), WHITE: set()}
    seen: set[int] = set()
    for start, cell in enumerate(cells):
        if cell == EMPTY and start not in seen:
            inside, border = region(cells, start, width)
            seen |= inside
            stones = frozenset(cells[index] for index in border) & {BLACK, WHITE}
            if stones in _OWNERS:
                found[_OWNERS[stones]] |= inside
    return found
