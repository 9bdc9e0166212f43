"""The flat tree in an arena: its columns are cut out when they are asked for."""

from __future__ import annotations

from sgf_lark.annotations import Any
from sgf_lark.engine import layout
from sgf_lark.engine.layout import NODES, Numbers, bounds_of_first, roots_of, trees_of
from sgf_lark.flat import FlatTree
from sgf_lark.lazy import lazy


class ArenaTree(FlatTree):
    """The flat tree that a run of the engine left in an arena."""

    def __init__(self, data: bytes, arena: Numbers) -> None:
        self.data = data
        self.names = {}
        self.arena = arena

    def bounds(self, root: int) -> tuple[int, int]:
        if root > 0 or self.arena is None:
            return super().bounds(root)
        return self._first_bounds

    @lazy
    def _first_bounds(self) -> tuple[int, int]:
        assert self.arena is not None
        return bounds_of_first(self.arena)

    @property
    def count(self) -> int:
        return 0 if self.arena is None else self.arena[NODES]


def _part(name: str) -> lazy[Any]:
    """A column, or what is said of trees, cut out when it is first asked for."""

    def cut_out(tree: ArenaTree) -> Any:
        arena = tree.arena
        assert arena is not None
        if name == "roots":
            return roots_of(arena)
        if name in ("opening", "closing"):
            nodes, starts, ends = trees_of(arena)
            return dict(zip(nodes, starts if name == "opening" else ends, strict=True))
        # A part of an array that takes no memory of its own; it is read as arrays are.
        start, count = layout.column(arena, name), arena[layout.COUNTED[name]]
        return memoryview(arena)[start : start + count]

    cut_out.__name__ = name
    return lazy(cut_out)


# Not by __getattr__, for the sake of which Python would read all other attributes slower.
for _name in FlatTree.__annotations__:
    setattr(ArenaTree, _name, _part(_name))
