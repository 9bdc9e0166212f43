"""What is undamaged in damaged data, read by the strict grammar's own tables."""

from __future__ import annotations

from collections.abc import Callable

from sgf_lark.engine import can_run, layout, machine_of_grammar, tables
from sgf_lark.engine.layout import NODES, PROPERTIES, REACHED, TREES, VALUES, trees_of
from sgf_lark.flat import FlatTree

#: For `stops` of a run: the input ends with the first tree that is closed.
_ONE_TREE = 1


class Undamaged:
    """Reads the trees, and the nodes in a row, that stand somewhere in damaged data, into
    its flat tree.

    `ends_well` is asked about the offset of the last value that was read: whether its
    bracket ends it.
    """

    def __init__(self, flat: FlatTree, ends_well: Callable[[int], object]) -> None:
        self._flat = flat
        self._ends_well = ends_well
        self._machine = machine_of_grammar() if can_run(flat.data) else None
        # Without ";" a node begins behind a parenthesis or where the file does.
        self._others = flat.data.count(b"(") + flat.data.count(b")") + 1
        self._read = 0
        #: Where trees begin that are known to be damaged, so that nothing is read in vain
        #: more than once.
        self._damaged: set[int] = set()
        if self._machine is not None:
            self._arena = self._machine.arena_for(flat.data, len(flat.data), self._others)
            #: Where each column begins in the arena.
            self._begin = {name: layout.column(self._arena, name) for name in layout.COUNTED}
            #: The columns of the tree, where they begin, and what counts them.
            self._columns = [
                (getattr(flat, name), self._begin[name], counted)
                for name, counted in layout.COUNTED.items()
            ]
            terminals = found.terminals if (found := tables()) else []
            self._stops = sum(1 << terminals.index(name) for name in ("LPAR", "RPAR"))

    def nodes(self, begin: int) -> tuple[range, int] | None:
        """The numbers of the nodes from `begin` on that the strict grammar accepts, and
        the offset behind them; None where there is none. A last node with a value that
        does not end well is left out."""
        flat, arena, begins = self._flat, self._arena, self._begin
        first = len(flat.parent)
        if not self._run("sequence", begin, self._stops):
            return None
        nodes, behind = arena[NODES], arena[REACHED]
        if nodes == first:
            return None
        start, last = arena[begins["node_start"] + nodes - 1], self._last_value()
        if last > start and not self._ends_well(last):
            nodes, behind = nodes - 1, start
            if nodes == first:
                return None
        if nodes < arena[NODES]:
            properties = arena[begins["property_end"] + nodes - 1]
            new = properties > len(flat.ident_start)
            values = arena[begins["value_end"] + properties - 1] if new else len(flat.value_from)
            arena[NODES], arena[PROPERTIES], arena[VALUES] = nodes, properties, values
        self._take()
        return range(first, nodes), behind

    def tree(self, begin: int) -> tuple[list[int], int] | None:
        """The number of the first node of the tree that begins there, in a list, and the
        offset behind the tree; None where it is damaged."""
        flat, arena = self._flat, self._arena
        first = len(flat.parent)
        if begin in self._damaged or not self._run("gametree", begin, _ONE_TREE):
            return None
        firsts, starts, ends = trees_of(arena)
        damage, last = self._refused, self._last_value()
        if damage < 0 <= last and not self._ends_well(last):
            damage = last
        if damage >= 0:
            # No tree that is open there is what it should be.
            inside = zip(starts, ends, strict=True)
            self._damaged.update(start for start, end in inside if not 0 < end < damage)
            return None
        self._take()
        flat.opening.update(zip(firsts, starts, strict=True))
        flat.closing.update(zip(firsts, ends, strict=True))
        return [first], ends[0] + 1

    def _run(self, symbol: str, begin: int, stops: int) -> bool:
        """Whether there was something to run; what it leaves stands in the arena."""
        flat, arena = self._flat, self._arena
        first = len(flat.parent)
        if self._machine is None or first - self._read > self._others:
            return False
        arena[NODES], arena[PROPERTIES] = first, len(flat.ident_start)
        arena[VALUES], arena[TREES] = len(flat.value_from), 0
        self._refused = self._machine.run(flat.data, arena, symbol, begin, stops)
        return True

    def _last_value(self) -> int:
        """The offset of the last value that a run left; -1 where it left none."""
        values = self._arena[VALUES]
        if values == len(self._flat.value_from):
            return -1
        return self._arena[self._begin["value_from"] + values - 1] - 1

    def _take(self) -> None:
        """Adds what stands in the arena to the flat tree."""
        self._read += self._arena[NODES] - len(self._flat.parent)
        for column, place, counted in self._columns:
            column.extend(self._arena[place + len(column) : place + self._arena[counted]])
