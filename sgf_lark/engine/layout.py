"""The arrays that the engine reads and writes."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

# Operations: what a terminal leaves behind when it is shifted, what a rule closes
# when it is reduced.
NOTHING = 0
OPEN = 1
CLOSE = 2
NODE = 3
NAME = 4
VALUE = 5
END_PROPERTY = 6
END_NODE = 7

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

# What it says of a tree: rules of paths that have to be asked.
ON_BOARD = 1
TURNS = 2
INFO_BELOW = 4
ERASES = 8
SETS_UP = 16


@dataclass(frozen=True)
class Tables:
    """A scanner and an LALR(1) table as flat arrays of small numbers.

    `classes` maps bytes to classes, ``scanner[state * class_count + class]`` a state
    and a class to the next state or -1, `accepts` a state to a terminal, -1 for none
    or -2 for one that is ignored. ``actions[state * terminal_count + terminal]`` is
    a state plus 1 to shift to, -1 minus a rule to reduce by, or 0; terminal 0 is the
    end of the input. ``gotos[state * nonterminal_count + symbol]`` is a state.
    """

    classes: bytes
    class_count: int
    scanner: array[int]
    accepts: array[int]
    terminal_count: int
    actions: array[int]
    nonterminal_count: int
    gotos: array[int]
    rule_sizes: array[int]
    rule_symbols: array[int]
    shift_operations: array[int]
    reduce_operations: array[int]
    start: int
    final: int


def zeros(count: int, typecode: str = "i") -> array[int]:
    """An array of that many zeros."""
    items = array(typecode)
    return array(typecode, bytes(items.itemsize * count))


@dataclass
class Output:
    """What a run leaves behind: numbers of nodes, properties, values and trees in
    `counts`, and arrays that are at least as long."""

    parent: array[int]
    node_start: array[int]
    property_end: array[int]
    name_start: array[int]
    name_end: array[int]
    value_end: array[int]
    value_from: array[int]
    value_to: array[int]
    tree_node: array[int]
    tree_from: array[int]
    tree_to: array[int]
    stack: array[int]
    frames: array[int]
    counts: array[int] = field(default_factory=lambda: zeros(4))


def output_for(nodes: int, values: int, trees: int, symbols: int) -> Output:
    """Arrays for at most so many nodes, values and trees; `symbols` is the greatest
    number of symbols that one level of nesting puts on the stack."""
    values += 1  # a name that no value follows is noted before it is refused
    return Output(
        parent=zeros(nodes),
        node_start=zeros(nodes),
        property_end=zeros(nodes),
        name_start=zeros(values),
        name_end=zeros(values),
        value_end=zeros(values),
        value_from=zeros(values),
        value_to=zeros(values),
        tree_node=zeros(trees),
        tree_from=zeros(trees),
        tree_to=zeros(trees),
        stack=zeros(symbols * (trees + 2), "h"),
        frames=zeros(2 * (trees + 1)),
    )
