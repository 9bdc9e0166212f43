"""The strict grammar's own tables, run over bytes: the same trees as Lark's, sooner."""

from __future__ import annotations

from array import array
from functools import cache
from typing import Any

from sgf_lark.engine import layout, runner
from sgf_lark.engine.layout import NODES, TREES, Room
from sgf_lark.engine.tables import tables
from sgf_lark.flat import FlatTree

#: Whether the engine runs as compiled code.
compiled: bool = runner.COMPILED

#: Offsets are numbers of four bytes, and numbers of nodes times two have to be.
LARGEST = 2**30 - 1


def can_run(data: bytes) -> bool:
    """Whether :func:`parse` tells that `data` is not in the grammar by giving None."""
    return tables() is not None and len(data) <= LARGEST


def parse(data: bytes) -> FlatTree | None:
    """The flat tree of `data`; None where the strict grammar refuses it, or where the
    engine cannot run."""
    machine = machine_of(runner.Machine)
    if machine is None or len(data) > LARGEST:
        return None
    found = machine.read(data, "collection")
    return None if found is None else _Read(data, *found)


@cache
def machine_of(kind: type[runner.Machine]) -> runner.Machine | None:
    """What runs the grammar's tables; None where there are none."""
    found = tables()
    return None if found is None else kind(found)


class _Read(FlatTree):
    """The flat tree that a run left in an arena. Its columns are cut out when they are
    asked for."""

    def __init__(self, data: bytes, arena: array[int], room: Room) -> None:
        self.data = data
        self.names = {}
        self.arena = arena
        self.room = room
        if arena[TREES] == 1:
            self.roots = [0]  # as in nearly all files

    def bounds(self, root: int) -> tuple[int, int]:
        if root > 0 or self.arena is None or self.room is None:
            return super().bounds(root)
        start = self.room.of_trees + self.room.trees
        return self.arena[start], self.arena[start + self.room.trees]

    @property
    def count(self) -> int:
        return 0 if self.arena is None else self.arena[NODES]

    def __getattr__(self, name: str) -> Any:
        if name not in FlatTree.__annotations__ or self.room is None or self.arena is None:
            raise AttributeError(name)
        if name in ("roots", "opening", "closing"):
            part = getattr(self, f"_{name}")(self.arena, self.room)
        else:
            # A part of an array that takes no memory of its own; it is read as arrays are.
            start, count = self.room.column(name), self.arena[layout.COUNTED[name]]
            part = memoryview(self.arena)[start : start + count]
        self.__dict__[name] = part
        return part

    def _roots(self, arena: array[int], room: Room) -> list[int]:
        return [node for node in self._first_nodes(arena, room) if self.parent[node] < 0]

    def _opening(self, arena: array[int], room: Room) -> dict[int, int]:
        return self._by_first_node(arena, room, room.of_trees + room.trees)

    def _closing(self, arena: array[int], room: Room) -> dict[int, int]:
        return self._by_first_node(arena, room, room.of_trees + 2 * room.trees)

    def _by_first_node(self, arena: array[int], room: Room, column: int) -> dict[int, int]:
        places = arena[column : column + arena[TREES]]
        return dict(zip(self._first_nodes(arena, room), places, strict=True))

    def _first_nodes(self, arena: array[int], room: Room) -> array[int]:
        return arena[room.of_trees : room.of_trees + arena[TREES]]
