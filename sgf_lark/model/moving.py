"""Moving a node, with all after it, to another place: in its game tree or in another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sgf_lark.model.kept_values import Rewritten, reread_nodes
from sgf_lark.model.new_values import in_its_charset
from sgf_lark.model.property import Property
from sgf_lark.model.values import Context
from sgf_lark.text import validity

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree


def move(node: Node, parent: Node, index: int | None) -> None:
    """Put a node after another; see :meth:`Node.move_to`."""
    if node.is_root:
        raise ValueError("the root of a game tree cannot be moved; copy() it, or move its children")
    above: Node | None = parent
    while above is not None:
        if above is node:
            raise ValueError("a node cannot be moved to itself or to a node after it")
        above = above.parent
    if node.tree is not parent.tree:
        _adopt(node, parent.tree)
    else:
        node._unlink()
    node._insert_under(parent, index)


def _adopt(top: Node, tree: GameTree) -> None:
    """Take a node and all after it out of its own tree, to be read as a part of another one."""
    nodes = [*top.nodes()]
    old = top.tree.context

    def changes(new: Context) -> Rewritten:
        return [] if new == old else reread_nodes(nodes, old, new, {})

    keeps_ascii = validity.keeps_ascii(old.codec)
    if keeps_ascii and all(node.is_ascii for node in nodes):
        rewritten = changes(tree.context)
    else:
        raws = (raw for node in nodes for entry in node.properties for raw in entry.raw)
        text = b"".join(raw for raw in raws if not (keeps_ascii and raw.isascii()))
        rewritten = in_its_charset(tree, changes, text.decode(old.codec, "ignore"))
    home = top.tree._home
    top._unlink()
    if home is not tree._home:
        home._release(node.number for node in nodes if node.number is not None)
        for node in nodes:
            node._leave_file()
    for node, properties in rewritten:
        node.set_properties([Property(node, entry.ident, entry.raw) for entry in properties])
    for node in nodes:
        node.tree = tree
