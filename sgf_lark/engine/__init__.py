"""The strict grammar's own tables, run over bytes: the same trees as Lark's, sooner."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import cast

from sgf_lark.engine import runner
from sgf_lark.engine.layout import (
    HEAD,
    NODES,
    PROPERTIES,
    REACHED,
    TREES,
    VALUES,
    Room,
    arena_for,
    room_for,
    zeros,
)
from sgf_lark.engine.tables import tables
from sgf_lark.flat import FlatTree

#: Whether the engine runs as compiled code.
compiled: bool = not runner.__file__.endswith((".py", ".pyc"))

#: Offsets are numbers of four bytes, and numbers of nodes times two have to be.
LARGEST = 2**30 - 1


def can_run(data: bytes) -> bool:
    """Whether :func:`parse` tells that `data` is not in the grammar by giving None."""
    return tables() is not None and len(data) <= LARGEST


def parse(data: bytes) -> FlatTree | None:
    """The flat tree of `data`; None where the strict grammar refuses it, or where the
    engine cannot run."""
    found = tables()
    if found is None or len(data) > LARGEST:
        return None
    room = room_for(data)
    arena = arena_for(room)
    if runner.run(data, found, arena, room, symbol="collection") >= 0:
        return None
    flat = flat_tree(data, arena, room)
    first, count = room.of_trees, arena[TREES]
    nodes = arena[first : first + count].tolist()
    opening = arena[first + room.trees : first + room.trees + count]
    closing = arena[first + 2 * room.trees : first + 2 * room.trees + count]
    flat.roots = [node for node in nodes if flat.parent[node] < 0]
    flat.opening = dict(zip(nodes, opening, strict=True))
    flat.closing = dict(zip(nodes, closing, strict=True))
    return flat


def flat_tree(data: bytes, arena: array[int], room: Room) -> FlatTree:
    """The nodes, properties and values of an arena, without its trees."""
    # Parts of an array that take no memory of their own; they are read as arrays are.
    whole = cast("array[int]", memoryview(arena))
    nodes, properties, values = arena[NODES], arena[PROPERTIES], arena[VALUES]
    parent = room.of_nodes
    node_start = parent + room.nodes
    property_end = node_start + room.nodes
    ident_start = room.of_values
    ident_end = ident_start + room.values
    value_end = ident_end + room.values
    value_from = value_end + room.values
    value_to = value_from + room.values
    return FlatTree(
        data,
        [],
        whole[parent : parent + nodes],
        whole[node_start : node_start + nodes],
        whole[property_end : property_end + nodes],
        whole[ident_start : ident_start + properties],
        whole[ident_end : ident_end + properties],
        whole[value_end : value_end + properties],
        whole[value_from : value_from + values],
        whole[value_to : value_to + values],
        {},
        {},
        {},
        arena,
        room,
    )


class Sequences:
    """Reads the nodes in a row that stand somewhere in damaged data, into its flat tree."""

    def __init__(self, flat: FlatTree) -> None:
        self._flat = flat
        self._tables = tables() if can_run(flat.data) else None
        # Without ";" a node begins behind a parenthesis or where the file does.
        self._others = flat.data.count(b"(") + flat.data.count(b")") + 1
        self._read = 0
        if self._tables is not None:
            self._room = room_for(flat.data)
            self._room = self._room._replace(nodes=self._room.nodes + self._others, trees=0)
            self._arena = arena_for(self._room)
            self._stops = sum(1 << self._tables.terminals.index(name) for name in ("LPAR", "RPAR"))

    def read(self, begin: int, ends_well: Callable[[int], object]) -> tuple[range, int] | None:
        """The numbers of the nodes from `begin` on that the strict grammar accepts, and
        the offset behind them; None where there is none.

        `ends_well` is asked about the offset of the last value: where it says no, the
        node with that value is left out.
        """
        flat, arena = self._flat, self._arena
        first = len(flat.parent)
        if self._tables is None or first - self._read > self._others:
            return None
        arena[NODES], arena[PROPERTIES] = first, len(flat.ident_start)
        arena[VALUES] = len(flat.value_from)
        runner.run(
            flat.data,
            self._tables,
            arena,
            self._room,
            symbol="sequence",
            begin=begin,
            stops=self._stops,
        )
        return self._taken(first, ends_well)

    def _taken(self, first: int, ends_well: Callable[[int], object]) -> tuple[range, int] | None:
        """What a run left behind the nodes before `first`, added to the flat tree."""
        flat, arena, room = self._flat, self._arena, self._room
        node_start = room.of_nodes + room.nodes
        property_end = node_start + room.nodes
        value_end, value_from = (room.of_values + shift * room.values for shift in (2, 3))
        nodes, properties, values = arena[NODES], arena[PROPERTIES], arena[VALUES]
        behind = arena[REACHED]
        if nodes > first and values:
            last, start = arena[value_from + values - 1] - 1, arena[node_start + nodes - 1]
            if last > start and not ends_well(last):
                nodes, behind = nodes - 1, start
        if nodes == first:
            return None
        if nodes < arena[NODES]:
            properties = arena[property_end + nodes - 1]
            new = properties > len(flat.ident_start)
            values = arena[value_end + properties - 1] if new else len(flat.value_from)
        known, place = first, room.of_nodes
        for column in (flat.parent, flat.node_start, flat.property_end):
            column.extend(arena[place + known : place + nodes])
            place += room.nodes
        known, place = len(flat.ident_start), room.of_values
        for column in (flat.ident_start, flat.ident_end, flat.value_end):
            column.extend(arena[place + known : place + properties])
            place += room.values
        known = len(flat.value_from)
        for column in (flat.value_from, flat.value_to):
            column.extend(arena[place + known : place + values])
            place += room.values
        self._read += nodes - first
        return range(first, nodes), behind


def arena_of(flat: FlatTree) -> tuple[array[int], Room]:
    """The arena of a flat tree, made of its arrays where the engine did not read it."""
    if flat.arena is None or flat.room is None:
        flat.room = Room(len(flat.parent), len(flat.value_from), 0)
        flat.arena = zeros(HEAD)
        for column in (flat.parent, flat.node_start, flat.property_end):
            flat.arena.extend(column)
        for column in (flat.ident_start, flat.ident_end, flat.value_end):
            flat.arena.extend(column)
            flat.arena.extend(zeros(len(flat.value_from) - len(column)))
        for column in (flat.value_from, flat.value_to):
            flat.arena.extend(column)
    return flat.arena, flat.room
