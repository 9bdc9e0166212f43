"""Habits of programs: which program wrote a game tree, and what it means by a value
(``programs.toml``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.grammar import Habit
from sgf_lark.model.context import DEFAULT_GAME
from sgf_lark.model.property import Property
from sgf_lark.syntax.programs import fits, matches, program_named

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

#: With this many handicap stones White moves first; more are the moves of something else.
_HANDICAPS = range(2, 10)


class Meaning(NamedTuple):
    """What a program means by a property: the property of FF[4] and its value; `entry` and `others`
    are what it takes the place of."""

    entry: Property
    ident: str
    raw: bytes
    others: list[Property]


def meanings(tree: GameTree) -> Iterator[Meaning]:
    """What the program of a parsed tree means by the properties that it writes in its own way."""
    yield from meanings_in_root(tree)
    everywhere = {habit.ident: habit.writes for habit in _habits(tree) if habit.everywhere}
    flat, numbers = tree.parsed.flat, tree.parsed.numbers
    for ident, written in everywhere.items():
        for prop in flat.properties_of_ident(numbers, ident):
            node = tree.node(flat.node_of_property(prop))
            if node.number != numbers[0] and node.property(written, None) is None:
                entry = Property(node, ident, flat, prop)
                yield Meaning(entry, written, b"][".join(entry.raw), [])


def meanings_in_root(tree: GameTree) -> Iterator[Meaning]:
    """The same for the properties of the root alone, which has the information about the game."""
    habits = _habits(tree)
    if not habits:
        return
    idents = {habit.ident for habit in habits}
    entries = tree.root.properties
    values: dict[str, list[bytes]] = {}
    for each in entries:
        values.setdefault(each.ident, []).extend(each.raw)
    for entry in entries:
        if entry.ident in idents and (found := _meaning(habits, tree.root, entry, values)):
            yield found


def _habits(tree: GameTree) -> Sequence[Habit]:
    """The habits of the program that wrote the tree."""
    return program_named(tree.parsed.context.program).habits if tree.parsed.context.program else ()


def _meaning(
    habits: Sequence[Habit], root: Node, entry: Property, values: Mapping[str, list[bytes]]
) -> Meaning | None:
    """What a property of the root means by these habits; None if it means what it says. `values`
    are those of all properties of the root."""
    for habit in habits:
        if habit.ident != entry.ident or not fits_habit(habit, entry.raw[0]):
            continue
        if not fits(habit.when, values) or not values.keys().isdisjoint(habit.unless):
            continue
        if habit.writes != habit.ident and habit.writes in values:
            return None
        if entry.count > 1 and not habit.everywhere:
            return None
        others = [
            each for each in (root.properties if habit.takes else ()) if each.ident in habit.takes
        ]
        raw = b"][".join(entry.raw) if habit.everywhere else _written(habit, entry.raw[0], values)
        return Meaning(entry, habit.writes, raw, others)
    return None


def fits_habit(habit: Habit, raw: bytes) -> bool:
    """Whether a value is one that the habit is about."""
    return matches(habit.pattern, raw) if habit.pattern else bool(raw.strip())


def may_mean_something_else(tree: GameTree, ident: str, raw: bytes) -> bool:
    """Whether the program of the tree may mean something else by a value of the root."""
    return any(habit.ident == ident and fits_habit(habit, raw) for habit in _habits(tree))


def _written(habit: Habit, raw: bytes, values: Mapping[str, list[bytes]]) -> bytes:
    """The value in FF[4]."""
    if habit.factor:
        from decimal import Decimal  # which is slow to import

        number = Decimal(raw.decode("ascii")) * Decimal(str(habit.factor))
        return f"{number.normalize():f}".encode("ascii")
    if not habit.value:
        return raw
    parts = {ident: each[0].strip().decode("latin-1") for ident, each in values.items()}
    text = habit.value.format(**parts, value=raw.strip().decode("latin-1"))
    return text.encode("latin-1")


def is_handicap_move(node: Node) -> bool:
    """Whether the node of a parsed file is one of :func:`handicap_moves`."""
    # They are the first nodes of the tree: it is not asked for each of many nodes.
    is_near = node.number - node.tree.parsed.numbers[0] < _HANDICAPS.stop
    return is_near and node in handicap_moves(node.tree)


def handicap_moves(tree: GameTree) -> list[Node]:
    """The nodes with the first moves, all of Black, if they are handicap stones.

    They are if HA has their number, or if the program of the tree writes handicaps so and HA is no
    other number; and if White moves next, and no variation begins among them.
    """
    second = tree.parsed.numbers[0] + 2
    # In nearly all games White has the second node: this is known without a look at the first.
    if second >= tree.parsed.numbers.stop or tree.parsed.flat.first_of_ident(second, "B") < 0:
        return []
    if tree.game != DEFAULT_GAME or tree.root.moves() or "AB" in tree.root:
        return []
    found: list[Node] = []
    node = tree.root
    while len(node.children) == 1 and len(found) <= _HANDICAPS.stop:
        node = node.children[0]
        if [move.ident for move in node.moves()] != ["B"] or node.select(type="setup"):
            break
        found.append(node)
    is_followed = bool(node.moves()) and node.moves()[0].ident == "W"
    points = {move.raw[0] for each in found for move in each.moves()}
    if len(found) not in _HANDICAPS or not is_followed or len(points) < len(found):
        return []
    named = tree.root.property("HA", None)
    count = named.raw[0].strip() if named is not None else b""
    is_habit = (
        bool(tree.parsed.context.program)
        and program_named(tree.parsed.context.program).handicap_as_moves
    )
    is_named = count == b"%d" % len(found)
    return found if is_named or (is_habit and count in (b"", b"0", b"1")) else []
