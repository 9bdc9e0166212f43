# cython: language_level=3, binding=False, annotation_typing=False
"""The arrays that the engine reads and writes.

Plain Python, and with the types of ``layout.pxd`` compiled to C.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sgf_lark.flat import FlatTree

    _Array = array[int]
else:
    _Array = array

# Operations: what a terminal leaves behind when it is shifted.
NOTHING = 0
OPEN = 1
CLOSE = 2
NODE = 3
NAME = 4
VALUE = 5

# What the scanner accepts besides terminals: what is ignored. Added to either where nothing
# longer can begin so.
IGNORED = 63
LONGEST = 64

# What a rule closes when it is reduced: bits.
END_PROPERTY = 1
END_NODE = 2

# What the screen has to know of a property: bits of its identifier's code.
BLACK = 1
WHITE = 2
PLAIN_REAL = 4
PLAIN_NUMBER = 8
PLAIN_TEXT = 16
SETUP = 32
GAME_INFO = 64
SETS_BLACK = 128
SETS_WHITE = 256
SETS_EMPTY = 512
PLAIN_MARK = 1024

# What may be known of an identifier: that nothing is said of the property while it has one
# plain text; while it is a plain list of points, or of points with labels; or while it has
# one plain point.
TEXT = 1
LIST = 2
LABELS = 3
POINT = 4

# What it says of a tree: rules of paths that have to be asked.
ON_BOARD = 1
INFO_BELOW = 2
SINGLE_STONES = 4


@dataclass(frozen=True)
class Tables:
    """A scanner and an LALR(1) table: one array of small numbers, and where in it what is.

    ``numbers[256 * state + byte]`` is 256 times the next state of the scanner, or -1,
    ``numbers[accepts + state]`` a terminal or IGNORED, and LONGEST more, or -1 for none.
    ``numbers[shift_operations + terminal]`` is what that leaves behind.

    A state of the parser is where its row begins. ``numbers[state + terminal]`` is a state
    to shift to, a rule to reduce by, below 0, or 0; terminal 0 is the end of the input. The
    rule is minus the place of five numbers: how many symbols it takes off the stack, what
    it closes, the state to which it leads, if that is always the same, what is shifted
    then, if that is known, and where in the row of any other state it is told to which it
    leads; 0 for what is not. `starts` has the first and the final state of each start
    symbol, `terminals` the names.
    """

    numbers: Numbers
    accepts: int
    shift_operations: int
    starts: dict[str, tuple[int, int]]
    terminals: list[str]


# --- The arena --------------------------------------------------------------------
#
# What a run leaves behind is one array. It begins with the numbers of nodes,
# properties, values and trees in it, with where the last whole node ends, and with how
# many nodes, values and trees it has room for; then come columns of so many, and what
# the run itself needs: its stack of states and one of open trees.

HEAD = 8
NODES, PROPERTIES, VALUES, TREES, REACHED, NODE_ROOM, VALUE_ROOM, TREE_ROOM = range(HEAD)

#: "(", a sequence, the trees behind it, and what is under way in one of them.
SYMBOLS_A_LEVEL = 8

# Where this is compiled, numbers of C.
_HEAD, _NODE_ROOM, _VALUE_ROOM, _TREE_ROOM = HEAD, NODE_ROOM, VALUE_ROOM, TREE_ROOM
_SYMBOLS_A_LEVEL = SYMBOLS_A_LEVEL

#: The columns in their order, and which number at the head tells how long each is.
COUNTED = {
    **dict.fromkeys(("parent", "node_start", "property_end"), NODES),
    **dict.fromkeys(("ident_start", "ident_end", "value_end"), PROPERTIES),
    **dict.fromkeys(("value_from", "value_to"), VALUES),
}

#: Column -> how many stand before it.
_NUMBERS = {name: number for number, name in enumerate(COUNTED)}


def column(arena: array[int], name: str) -> int:
    """Where a column of nodes, properties or values begins."""
    number = _NUMBERS[name]
    more = arena[VALUE_ROOM] - arena[NODE_ROOM]
    return HEAD + number * arena[NODE_ROOM] + max(number - 3, 0) * more


def _of_trees(arena: array[int]) -> int:
    """Where the columns of trees begin: first node, start, end."""
    return HEAD + 3 * arena[NODE_ROOM] + 5 * arena[VALUE_ROOM]


def bounds_of_first(arena: array[int]) -> tuple[int, int]:
    """Where the first tree starts and ends."""
    first, room = _of_trees(arena), arena[TREE_ROOM]
    return arena[first + room], arena[first + 2 * room]


def trees_of(arena: array[int]) -> tuple[array[int], array[int], array[int]]:
    """The first node of each tree, and where the trees start and end."""
    first, room, count = _of_trees(arena), arena[TREE_ROOM], arena[TREES]
    return (
        arena[first : first + count],
        arena[first + room : first + room + count],
        arena[first + 2 * room : first + 2 * room + count],
    )


def roots_of(arena: array[int]) -> list[int]:
    """The first node of each game tree of a collection that the engine read."""
    if arena[TREES] == 1:
        return [0]  # as in nearly all files
    parent = column(arena, "parent")
    return [node for node in trees_of(arena)[0] if arena[parent + node] < 0]


def arena_for(nodes: int, values: int, trees: int) -> Numbers:
    """An arena with room for so many, and nothing in it."""
    work = 2 * (trees + 1) + _SYMBOLS_A_LEVEL * (trees + 2)
    made = zeros(_HEAD + 3 * nodes + 5 * values + 3 * trees + work)
    arena = made.data.as_ints
    arena[_NODE_ROOM], arena[_VALUE_ROOM], arena[_TREE_ROOM] = nodes, values, trees
    return made


class Numbers(_Array):
    """An array of which plain Python asks ``.data.as_ints``, or ``as_shorts``, as C does, for
    its numbers."""

    @property
    def data(self) -> Numbers:
        return self

    as_ints = as_shorts = data


_ZERO = array("i", (0,))
_COMPILED = not __file__.endswith((".py", ".pyc"))


def zeros(count: int) -> Numbers:
    """An array of that many zeros."""
    if not _COMPILED:
        return Numbers("i", bytes(_ZERO.itemsize * count))
    made: Numbers = _ZERO * count  # type: ignore[assignment]  # to C, any array is one
    return made


def copy_of(numbers: array[int]) -> Numbers:
    """An array of the same numbers."""
    return Numbers("i", numbers)


def arena_of(flat: FlatTree) -> Numbers:
    """The arena of a flat tree, made of its arrays where the engine did not read it."""
    if flat.arena is None:
        counts = {number: len(getattr(flat, name)) for name, number in COUNTED.items()}
        arena = arena_for(counts[NODES], max(counts[PROPERTIES], counts[VALUES]), 0)
        for number, count in counts.items():
            arena[number] = count
        for name in COUNTED:
            numbers, place = getattr(flat, name), column(arena, name)
            arena[place : place + len(numbers)] = numbers
        flat.arena = arena
    return flat.arena
