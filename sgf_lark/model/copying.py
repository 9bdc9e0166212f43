"""Copies of game trees and nodes: packed as plain data, built anew, detached."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sgf_lark.model.node import Node
from sgf_lark.model.parsed import ParsedFile, plain_file
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context

#: A property: its identifier, and its values as written or its number in the parsed file.
PackedProperty = tuple[str, list[bytes] | int]
#: A node: the place of its parent in pre-order, its number in the parsed file, and its properties
#: if they are not those of the parsed file; None for what it does not have. Numbers count from
#: the start of the tree.
PackedNode = tuple[int | None, int | None, list[PackedProperty] | None]


def packed(tree: GameTree) -> list[PackedNode] | None:
    """The nodes of a tree in pre-order; None if the tree is as it was parsed."""
    if not tree.edited:
        return None
    first = tree._flat.properties_of(tree._first)[0]
    places: dict[Node | None, int | None] = {None: None}
    found: list[PackedNode] = []
    for place, node in enumerate(tree.nodes()):
        places[node] = place
        entries: list[PackedProperty] | None = None
        if node.edited:
            entries = [
                (entry.ident, entry.raw if entry.number is None else entry.number - first)
                for entry in node.properties
            ]
        number = None if node.number is None else node.number - tree._first
        found.append((places[node.parent], number, entries))
    return found


def restored(
    file: ParsedFile, number: int, context: Context, nodes: list[PackedNode] | None
) -> GameTree:
    """The game tree of that number in a file, with the nodes that :func:`packed` gave."""
    tree = GameTree(file, number)
    if tree._context != context:
        tree._set_context(context)
    if nodes is not None:
        _build(tree, nodes)
        tree._mark_restructured()
    return tree


def _build(tree: GameTree, nodes: Iterable[PackedNode]) -> Node:
    """Build the nodes, and return the first."""
    first = tree._flat.properties_of(tree._first)[0]
    built: list[Node] = []
    for above, number, entries in nodes:
        node = Node(tree) if number is None else tree.node(tree._first + number)
        node._place_under(None if above is None else built[above])
        if entries is not None:
            node._set_properties(
                [
                    Property(node, ident, None, first + each)
                    if isinstance(each, int)
                    else Property(node, ident, each)
                    for ident, each in entries
                ]
            )
        built.append(node)
    return built[0]


class Fragment(GameTree):
    """What a detached node and the nodes after it belong to.

    It is a game tree without root properties. Its values are read in the context of the tree
    that the nodes came from, whatever is edited there afterwards.
    """

    def __init__(self, origin: GameTree) -> None:
        # The nodes by their numbers are shared: a parsed node is in one of these trees.
        self.__dict__.update(origin.__dict__)
        self._kept_boards = None
        self._mark_restructured()
        self.top = Node(self)

    @property
    def root(self) -> Node:
        """The detached node."""
        return self.top

    def __deepcopy__(self, memo: dict[int, Any]) -> GameTree:
        return copied(self.top).tree

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the nodes, with the values as written."""
        return _restored_fragment, (self._context, packed(copied(self.top).tree))


def detached(top: Node) -> None:
    """Let a node that has no parent any more, and all after it, be a fragment of their own."""
    fragment = Fragment(top.tree)
    # All are asked for before they change, because a parsed node finds its children by its tree.
    nodes = [*top.nodes()]
    fragment.top = top
    for node in nodes:
        node.tree = fragment


def copied(top: Node) -> Node:
    """A detached copy of a node and all nodes after it.

    A copy of a root has no root properties: no other node may have them, and it is read in the
    same context all the same.
    """
    fragment = Fragment(top.tree)
    places: dict[Node, int] = {}
    nodes: list[PackedNode] = []
    for place, node in enumerate(top.nodes()):
        places[node] = place
        entries = node.properties
        if node.is_root:
            roots = set(node.of_type("root"))
            entries = [entry for entry in entries if entry not in roots]
        above = None if node is top or node.parent is None else places[node.parent]
        nodes.append((above, None, [(entry.ident, entry.raw) for entry in entries]))
    fragment.top = _build(fragment, nodes)
    return fragment.top


def _restored_fragment(context: Context, nodes: list[PackedNode]) -> GameTree:
    origin = GameTree(plain_file(b"(;)"), 0)
    origin._set_context(context)
    fragment = Fragment(origin)
    fragment.top = _build(fragment, nodes)
    return fragment


def node_in(tree: GameTree, index: int) -> Node:
    """The node at that place in pre-order: what a pickled node becomes."""
    return tree._node_at(index)
