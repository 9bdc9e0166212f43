"""What differs between two games, node by node."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, compared, content, same_properties, same_property
from sgf_lark.model.tree import GameTree


class Difference(NamedTuple):
    """One difference between two games: of a property, of a node with all after it, or of the
    order of properties or variations.

    `kind` says what became of it in the second game. `first` and `second` are the nodes in both
    games; one of them is None for a node that was added or removed. `ident` is the identifier of
    the property, `before` and `after` are its values as written, None where it is missing.
    ``str()`` says it in words.
    """

    kind: Literal["added", "removed", "changed", "reordered"]
    #: The index of the game in its collection, from 0.
    game: int
    first: Node | None
    second: Node | None
    ident: str | None = None
    before: str | None = None
    after: str | None = None

    @property
    def _node(self) -> Node:
        node = self.first or self.second
        assert node is not None
        return node

    @property
    def place(self) -> str:
        """The node in words: its move, and the variation it is in."""
        return _place(self._node)

    def __str__(self) -> str:
        if self.ident is not None:
            before, after = (value or "" for value in (self.before, self.after))
            change = {
                "added": f"{self.ident}{after} added",
                "removed": f"{self.ident}{before} removed",
            }
            return f"{self.place}: {change.get(self.kind, f'{self.ident}{before} -> {after}')}"
        if self.kind == "reordered":
            return f"{self.place}: the order of properties or variations differs"
        count = sum(1 for _ in self._node.nodes())
        more = "" if count == 1 else f" and {count - 1} after it"
        return f"{self.place}{more}: {self.kind}"


class Comparison(tuple[Difference, ...]):
    """All differences between two games, in the order of the first; false if there is none.

    ``str()`` gives a line for each.
    """

    __slots__ = ()

    def __str__(self) -> str:
        several = any(each.game for each in self)
        lines = (f"game {each.game + 1}, {each}" if several else str(each) for each in self)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Comparison: {len(self)} difference{'s' if len(self) != 1 else ''}>"


def compare(a: GameTree | Collection, b: GameTree | Collection) -> Comparison:
    """What differs between two games, or between the games of two collections in their order.

    Variations are paired by their moves, wherever they stand. The comparison is false exactly if
    ``a.equals(b)``: charsets and CA, white space and compressed point lists make no difference.
    Raises TypeError for anything but two games or two collections.
    """
    if isinstance(a, GameTree) and isinstance(b, GameTree):
        return Comparison(_differences(0, a.root, b.root))
    if not (isinstance(a, Collection) and isinstance(b, Collection)):
        raise TypeError(f"compare() takes two games or two collections, not {a!r:.60}, {b!r:.60}")
    found: list[Difference] = []
    for number, (one, two) in enumerate(zip_longest(a, b)):
        if one is not None and two is not None:
            found += _differences(number, one.root, two.root)
        elif one is not None:
            found.append(Difference("removed", number, one.root, None))
        elif two is not None:
            found.append(Difference("added", number, None, two.root))
    return Comparison(found)


def _differences(game: int, first: Node, second: Node) -> Iterator[Difference]:
    """The differences of two nodes and all after them."""
    waiting: list[tuple[Node | None, Node | None]] = [(first, second)]
    while waiting:
        one, two = waiting.pop()
        if one is None or two is None:
            yield Difference("added" if one is None else "removed", game, one, two)
            continue
        same = same_properties(one, two)
        own = [] if same else [*_of_properties(game, one, two)]
        pairs = _paired(one.children, two.children)
        places = {child: place for place, child in enumerate(two.children)}
        kept = [places[child] for node, child in pairs if node and child]
        if kept != sorted(kept) or (not own and not same):
            own.append(Difference("reordered", game, one, two))
        yield from own
        waiting += pairs[::-1]


def _of_properties(game: int, one: Node, two: Node) -> Iterator[Difference]:
    """The properties that differ between two nodes, in the order of the first."""
    before, after = _by_ident(one), _by_ident(two)
    for ident in {**before, **after}:
        first, second = before.get(ident, []), after.get(ident, [])
        if len(first) == len(second) and all(map(same_property, first, second)):
            continue
        kind: Literal["added", "removed", "changed"] = (
            "added" if not first else "removed" if not second else "changed"
        )
        yield Difference(kind, game, one, two, ident, _written(first), _written(second))


def _by_ident(node: Node) -> dict[str, list[Property]]:
    found: dict[str, list[Property]] = {}
    for entry in compared(node):
        found.setdefault(entry.ident, []).append(entry)
    return found


def _written(entries: list[Property]) -> str | None:
    """The values as written, in brackets; None where there are none."""
    raws = [raw for entry in entries for raw in entry.raw]
    texts = [raw.decode(entries[0].tree.charset, "replace") for raw in raws]
    return "".join(f"[{text}]" for text in texts) if entries else None


def _paired(first: Sequence[Node], second: Sequence[Node]) -> list[tuple[Node | None, Node | None]]:
    """Each node of the first with the one of the second that has the same moves; where one is left
    on each side, these two; then those of the second without another."""
    if len(first) == len(second) == 1:
        return [(first[0], second[0])]
    left: dict[str, deque[Node]] = {}
    for node in second:
        left.setdefault(_moves(node), deque()).append(node)
    pairs: list[tuple[Node | None, Node | None]] = []
    for node in first:
        others = left.get(_moves(node))
        pairs.append((node, others.popleft() if others else None))
    rest = [node for nodes in left.values() for node in nodes]
    alone = [place for place, (_, other) in enumerate(pairs) if other is None]
    if len(alone) == len(rest) == 1:
        pairs[alone[0]] = pairs[alone[0]][0], rest.pop()
    return [*pairs, *((None, node) for node in rest)]


def _moves(node: Node) -> str:
    """What tells a variation from its siblings: its moves, nothing where it has none."""
    return "".join(f"{entry.ident}{content(entry)}" for entry in node.moves())


def _place(node: Node) -> str:
    if node._is_root:
        return "root"
    moves = node.moves()
    if moves:
        what = f"move {node.move_number} ({moves[0].ident}{_written(moves[:1])})"
    else:
        what = f"node {node.depth} after move {node.move_number}"
    branches = [
        f"variation {parent.children.index(child) + 1} after move {parent.move_number}"
        for parent, child in zip(node.path(), node.path()[1:], strict=False)
        if parent.children[0] is not child
    ]
    return f"{what} in {', '.join(branches)}" if branches else what
