# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: annotation_typing=False, binding=False
"""Runs the tables of a grammar over bytes.

Plain Python, and with the types of ``runner.pxd`` compiled to C. It knows nothing
of SGF: what a shift or a reduction leaves behind is told by the operation that the
tables have for the terminal or the rule.
"""

from __future__ import annotations

from sgf_lark.engine import layout
from sgf_lark.engine.layout import Numbers, Tables, arena_for

_OPEN = layout.OPEN
_CLOSE = layout.CLOSE
_NODE = layout.NODE
_NAME = layout.NAME
_VALUE = layout.VALUE
_END_PROPERTY = layout.END_PROPERTY
_END_NODE = layout.END_NODE
_IGNORED = layout.IGNORED
_LONGEST = layout.LONGEST
_HEAD = layout.HEAD
_NODES = layout.NODES
_PROPERTIES = layout.PROPERTIES
_VALUES = layout.VALUES
_TREES = layout.TREES
_REACHED = layout.REACHED
_NODE_ROOM = layout.NODE_ROOM
_VALUE_ROOM = layout.VALUE_ROOM
_TREE_ROOM = layout.TREE_ROOM

#: Whether this runs as compiled code.
COMPILED = not __file__.endswith((".py", ".pyc"))


class Machine:
    """The tables of a grammar, ready to be run."""

    def __init__(self, tables: Tables) -> None:
        self.starts = tables.starts
        self.tables = tables.numbers
        self.numbers = self.tables.data.as_shorts
        self.accepts = tables.accepts
        self.shift_operations = tables.shift_operations

    def read(self, data: bytes, symbol: str) -> Numbers | None:
        """What a run leaves behind where the grammar accepts all of `data` as `symbol`."""
        arena = self.arena_for(data, len(data), 0)
        return arena if self.run(data, arena, symbol, 0, 0) < 0 else None

    def arena_for(self, data: bytes, length: int, more: int) -> Numbers:
        """An arena with room for all that `data`, so many bytes, may hold, for so many
        `more` nodes, and for a name that no value follows."""
        if not COMPILED:
            nodes, values, trees = map(data.count, (b";", b"[", b"("))
            return arena_for(nodes + more, values + 1, trees)
        nodes = values = trees = 0
        # Counted in single bytes, of which a processor adds many at once.
        for begin in range(0, length, 255):
            few_nodes = few_values = few_trees = 0
            for index in range(begin, min(begin + 255, length)):
                few_nodes += data[index] == 59
                few_values += data[index] == 91
                few_trees += data[index] == 40
            nodes += few_nodes
            values += few_values
            trees += few_trees
        return arena_for(nodes + more, values + 1, trees)

    def run(self, data: bytes, room: Numbers, symbol: str, begin: int, stops: int) -> int:
        """Parses `data` from `begin` on as `symbol`, one of those that the tables can start
        with.

        Adds to what is in `room`, an arena with enough of that. `stops` are
        the terminals, as bits, that are taken for the end of the input; bit 0 stands for the
        end of the first tree. Gives -1 where the grammar accepts `data`, else the offset of
        the first token that it does not; then only whole nodes are left in `room`, and
        trees that are open end at 0.
        """
        start, final = self.starts[symbol]
        # Where it is compiled, these are the numbers and the bytes themselves.
        arena = room.data.as_ints
        text, length = data, len(data)
        node_room = arena[_NODE_ROOM]
        value_room = arena[_VALUE_ROOM]
        tree_room = arena[_TREE_ROOM]
        numbers = self.numbers
        accepts = self.accepts
        shift_operations = self.shift_operations

        parent = _HEAD
        node_start = parent + node_room
        property_end = node_start + node_room
        name_start = property_end + node_room
        name_end = name_start + value_room
        value_end = name_end + value_room
        value_from = value_end + value_room
        value_to = value_from + value_room
        tree_node = value_to + value_room
        tree_from = tree_node + tree_room
        tree_to = tree_from + tree_room
        frames = tree_to + tree_room
        stack = frames + 2 * (tree_room + 1)

        nodes = whole_nodes = arena[_NODES]
        names = whole_names = arena[_PROPERTIES]
        values = whole_values = arena[_VALUES]
        trees = arena[_TREES]
        reached = position = begin
        depth = top = 0
        current = opened = refused = -1
        arena[stack] = state = start
        while True:
            # The longest token; terminal 0 is the end of the input.
            token_start = token_end = position
            if position >= length:
                terminal = 0
            else:
                terminal = -1
                row = 0
                while position < length:
                    row = numbers[row + text[position]]
                    if row < 0:
                        break
                    position += 1
                    while position < length and numbers[row + text[position]] == row:
                        position += 1
                    accepted = numbers[accepts + (row >> 8)]
                    if accepted >= 0:
                        terminal = accepted & _IGNORED
                        token_end = position
                        if accepted & _LONGEST:
                            break
                position = token_end
                if terminal == _IGNORED:
                    continue
                if terminal == -1:
                    refused = token_start
                    break
                if (stops >> terminal) & 1:
                    terminal = 0
            # Reductions, until the terminal can be shifted.
            while True:
                action = numbers[state + terminal]
                if action >= 0:
                    break
                rule = -action
                top -= numbers[rule]
                operation = numbers[rule + 1]
                if operation & _END_PROPERTY:
                    arena[value_end + names - 1] = values
                if operation & _END_NODE:
                    arena[property_end + nodes - 1] = names
                    whole_nodes = nodes
                    whole_names = names
                    whole_values = values
                    reached = token_start
                state = numbers[rule + 2]
                if state == 0:
                    state = numbers[arena[stack + top] + numbers[rule + 4]]
                top += 1
                arena[stack + top] = state
                action = numbers[rule + 3]
                if action > 0:
                    break
                if state == final and terminal == 0:
                    action = -1
                    break
            if action <= 0:
                refused = token_start if action == 0 else -1
                break
            top += 1
            state = action
            arena[stack + top] = state
            operation = numbers[shift_operations + terminal]
            if operation == _NODE:
                if opened >= 0:
                    arena[tree_node + opened] = nodes
                    arena[frames + 2 * depth - 1] = opened
                    opened = -1
                arena[node_start + nodes] = token_start
                arena[parent + nodes] = current
                current = nodes
                nodes += 1
            elif operation == _VALUE:
                arena[value_from + values] = token_start + 1
                arena[value_to + values] = token_end - 1
                values += 1
            elif operation == _NAME:
                arena[name_start + names] = token_start
                arena[name_end + names] = token_end
                names += 1
            elif operation == _OPEN:
                arena[frames + 2 * depth] = current
                depth += 1
                arena[tree_from + trees] = token_start
                arena[tree_to + trees] = 0
                opened = trees
                trees += 1
            elif operation == _CLOSE:
                depth -= 1
                current = arena[frames + 2 * depth]
                arena[tree_to + arena[frames + 2 * depth + 1]] = token_start
                if depth == 0 and stops & 1:
                    length = position
        arena[_NODES] = whole_nodes
        arena[_PROPERTIES] = whole_names
        arena[_VALUES] = whole_values
        arena[_TREES] = trees
        arena[_REACHED] = reached
        return refused
