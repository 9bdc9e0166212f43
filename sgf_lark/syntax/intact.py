"""What is intact in damaged data, read by the compiled parser of the strict grammar."""

from __future__ import annotations

from collections.abc import Callable

from sgf_lark import engine
from sgf_lark.flat_tree import FlatTree


class IntactRegions:
    """Reads game trees and runs of nodes that the strict grammar accepts somewhere in damaged
    data, and appends them to its flat tree.

    `is_closed` gets the offset of the last "[" of a region: whether the "]" that the strict
    grammar finds for it closes the value for the tolerant grammar, too.
    """

    def __init__(self, flat: FlatTree, is_closed: Callable[[int], object]) -> None:
        self._flat = flat
        self._is_closed = is_closed
        self._region = engine.region_parser(flat.data)
        #: The offsets of trees that are known to be damaged; they are not parsed again.
        self._damaged: set[int] = set()

    def tree(self, begin: int) -> tuple[list[int], int] | None:
        """The number of the first node of the tree that begins at that offset, in a list, and
        the offset after the tree; None if it is damaged."""
        region = self._region
        if region is None or begin in self._damaged:
            return None
        damage = region.parse("gametree", begin)
        last = region.last_value
        if damage < 0 <= last and not self._is_closed(last):
            damage = last
        if damage >= 0:
            # No tree that is open at the damage is intact.
            self._damaged.update(region.trees_open_at(damage))
            return None
        first = self._flat.count
        region.append_to(self._flat)
        return [first], region.tree_end

    def nodes(self, begin: int) -> tuple[range, int] | None:
        """The numbers of the intact nodes from that offset on, and the offset after them; None
        if there are none. A last node whose last value is not closed is left out."""
        region = self._region
        if region is None:
            return None
        region.parse("sequence", begin)
        if not region.nodes:
            return None
        last = region.last_value
        if last > region.last_node and not self._is_closed(last):
            region.drop_last_node()
            if not region.nodes:
                return None
        first = self._flat.count
        region.append_to(self._flat)
        return range(first, first + region.nodes), region.end
