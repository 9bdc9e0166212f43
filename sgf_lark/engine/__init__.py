"""The strict grammar's own tables, run over bytes: the same trees as Lark's, sooner."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cache
from typing import Any

from sgf_lark.engine import layout, runner
from sgf_lark.engine.layout import (
    NODES,
    PROPERTIES,
    REACHED,
    TREES,
    VALUES,
    Room,
    arena_for,
)
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
    machine = _machine(runner.Machine)
    if machine is None or len(data) > LARGEST:
        return None
    found = machine.read(data, "collection")
    return None if found is None else _Read(data, *found)


@cache
def _machine(kind: type[runner.Machine]) -> runner.Machine | None:
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


class Sequences:
    """Reads the nodes in a row that stand somewhere in damaged data, into its flat tree."""

    def __init__(self, flat: FlatTree) -> None:
        self._flat = flat
        self._machine = _machine(runner.Machine) if can_run(flat.data) else None
        # Without ";" a node begins behind a parenthesis or where the file does.
        self._others = flat.data.count(b"(") + flat.data.count(b")") + 1
        self._read = 0
        if self._machine is not None:
            self._room = self._machine.room_for(flat.data, len(flat.data))
            self._room = self._room._replace(nodes=self._room.nodes + self._others, trees=0)
            self._arena = arena_for(self._room)
            #: Where each column begins in the arena.
            self._begin = {name: self._room.column(name) for name in layout.COUNTED}
            #: The columns of the tree, where they begin, and what counts them.
            self._columns = [
                (getattr(flat, name), self._begin[name], counted)
                for name, counted in layout.COUNTED.items()
            ]
            terminals = found.terminals if (found := tables()) else []
            self._stops = sum(1 << terminals.index(name) for name in ("LPAR", "RPAR"))

    def read(self, begin: int, ends_well: Callable[[int], object]) -> tuple[range, int] | None:
        """The numbers of the nodes from `begin` on that the strict grammar accepts, and
        the offset behind them; None where there is none.

        `ends_well` is asked about the offset of the last value: where it says no, the
        node with that value is left out.
        """
        flat, arena = self._flat, self._arena
        first = len(flat.parent)
        if self._machine is None or first - self._read > self._others:
            return None
        arena[NODES], arena[PROPERTIES] = first, len(flat.ident_start)
        arena[VALUES] = len(flat.value_from)
        self._machine.run(flat.data, arena, self._room, "sequence", begin, self._stops)
        return self._taken(first, ends_well)

    def _taken(self, first: int, ends_well: Callable[[int], object]) -> tuple[range, int] | None:
        """What a run left behind the nodes before `first`, added to the flat tree."""
        flat, arena, begin = self._flat, self._arena, self._begin
        nodes, properties, values = arena[NODES], arena[PROPERTIES], arena[VALUES]
        behind = arena[REACHED]
        if nodes > first and values:
            last = arena[begin["value_from"] + values - 1] - 1
            start = arena[begin["node_start"] + nodes - 1]
            if last > start and not ends_well(last):
                nodes, behind = nodes - 1, start
        if nodes == first:
            return None
        if nodes < arena[NODES]:
            properties = arena[begin["property_end"] + nodes - 1]
            new = properties > len(flat.ident_start)
            values = len(flat.value_from)
            if new:
                values = arena[begin["value_end"] + properties - 1]
        ends = {NODES: nodes, PROPERTIES: properties, VALUES: values}
        for column, place, counted in self._columns:
            column.extend(arena[place + len(column) : place + ends[counted]])
        self._read += nodes - first
        return range(first, nodes), behind
