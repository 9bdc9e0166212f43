"""Upgrades FF[1] to FF[3] to FF[4].

Obsolete properties without a successor stay. FF[4] does not define them, but nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.fixing.edits import Change
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import walk
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.notations import has_short_pass
from sgf_lark.model.values.points import ordered
from sgf_lark.rules.fixes import Edit

_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


#: A float holds all numbers of this many digits, and half of each.
_DIGITS_OF_A_FLOAT = 15
#: Properties that FF[4] replaced by others, and that some files in FF[4] still have.
_REPLACED = frozenset({"L", "M", "KI"})


def upgraded(tree: GameTree) -> Iterator[Change]:
    """The changes that upgrade a tree to FF[4], which is declared when nothing else is left."""
    changes = [*_in_nodes(tree)]
    yield from changes
    if not changes:
        yield _file_format(tree)._replace(safe=not _has_ambiguous_pass(tree))


def _has_ambiguous_pass(tree: GameTree) -> bool:
    """Whether a move is "tt" on a board of more than 19 lines.

    Before FF[4], which introduced such boards, "tt" is a pass; in FF[4] it is a point.
    """
    if not tree.parsed.reader.rule("move").startswith("go_") or has_short_pass(tree.size):
        return False
    return any(
        b"tt" in move.raw for number in tree.parsed.numbers for move in tree.node(number).moves()
    )


def replaced_in_ff4(collection: Collection) -> Iterator[Change]:
    """The changes that replace obsolete properties in trees that are in FF[4] already."""
    flat = collection.flat
    idents = {flat.ident(prop) for prop in range(len(flat.ident_start))}
    if idents.isdisjoint(_REPLACED):
        return
    for tree in collection:
        if tree.file_format == 4:
            yield from _in_nodes(tree, _REPLACED)


def _in_nodes(tree: GameTree, only: frozenset[str] | None = None) -> Iterator[Change]:
    """The changes of the properties in the nodes of a tree, or `only` of some of them."""
    for node, before in walk(tree):
        entries = [entry for entry in node.properties if only is None or entry.ident in only]
        board = None
        if before is not None and any(entry.ident == "M" for entry in entries):
            board = before.copy()
            board.execute(node.properties)
        yield from _node(node, entries, board)


def _file_format(tree: GameTree) -> Change:
    """Declare FF[4]."""
    entry = tree.root.property("FF", None)
    if entry is None:
        place = tree.parsed.flat.node_start[tree.parsed.numbers[0]] + 1
        return Change((Edit(place, place, b"FF[4]"),), place, place, "upgrade-to-ff4")
    return Change((Edit(*entry.offsets, b"FF[4]"),), *entry.offsets, "upgrade-to-ff4")


def _node(node: Node, entries: list[Property], board: Board | None) -> Iterator[Change]:
    """Upgrade these properties of a node."""
    annotations = [entry for entry in entries if entry.ident in ("TE", "BM")]
    if [entry.ident for entry in annotations] in (["TE", "BM"], ["BM", "TE"]):
        first, second = annotations
        meant = {"TE": b"IT[]", "BM": b"DO[]"}[first.ident]
        yield _replaced(first, meant, Edit(*second.offsets))
    for entry in entries:
        yield from _property(node, entry, board)


def _property(node: Node, entry: Property, board: Board | None) -> Iterator[Change]:
    """Upgrade a property."""
    if entry.ident == "L":
        if _is_free(node, entry, "label"):
            yield _replaced(entry, _labels(node, entry))
    elif entry.ident == "M":
        if _is_free(node, entry, "markup"):
            yield _replaced(entry, _marks(entry, board))
    elif entry.ident == "KI":
        yield from _komi(node, entry)
    elif entry.ident == "VW" and len(entry.raw) == 2:
        yield _replaced(entry, b"VW[" + b":".join(_in_order(entry)) + b"]")
    elif entry.number in entry.tree.parsed.flat.names:
        start, end = entry.offsets
        values = b"".join(b"[" + _value(value) + b"]" for value in entry.prop_values())
        edit = Edit(start, end, entry.ident.encode() + values)
        yield Change((edit,), start, end, "upgrade")
    else:
        for value in entry.prop_values():
            if value.raw != _value(value):
                edit = Edit(value.start, value.end, _value(value))
                yield Change((edit,), value.start - 1, value.end + 1, "upgrade-pass")


def _is_free(node: Node, entry: Property, group: str) -> bool:
    """Whether each value is a point, and no other property of the group has that point."""
    others = {
        point
        for other in node.properties
        if other.definition is not None and other.definition.unique == group and other != entry
        for _, point in other.points()
    }
    points = entry.points()
    is_complete = len({value.number for value, _ in points}) == entry.count
    return is_complete and others.isdisjoint(point for _, point in points)


def _value(value: PropValue) -> bytes:
    """The value in FF[4], where a pass is empty."""
    definition = value.property.definition
    is_move = definition is not None and definition.exclusive == "move"
    return b"" if is_move and value.names_pass(value.raw) else value.raw


def _replaced(entry: Property, new: bytes, *more: Edit) -> Change:
    """A property replaced by `new`."""
    edits = (Edit(*entry.offsets, new), *more)
    return Change(edits, *entry.offsets, f"upgrade-{entry.ident}")


def _labels(node: Node, entry: Property) -> bytes:
    """LB in place of L: the n-th point gets the n-th letter (ff1_ff4.html)."""
    points = dict.fromkeys(point for _, point in entry.points())
    labels = (
        f"[{node.tree.write_point(point)}:{_CAPITALS[number % 26] * (number // 26 + 1)}]"
        for number, point in enumerate(points)
    )
    return b"LB" + "".join(labels).encode()


def _marks(entry: Property, board: Board | None) -> bytes:
    """TR and MA in place of M: a triangle on a stone, a cross on an empty point."""
    written: dict[str, list[str]] = {"TR": [], "MA": []}
    for point in dict.fromkeys(point for _, point in entry.points()):
        is_stone = board is not None and board.get(point) is not None
        written["TR" if is_stone else "MA"].append(entry.tree.write_point(point))
    return "".join(
        ident + "".join(f"[{point}]" for point in points)
        for ident, points in written.items()
        if points
    ).encode()


def _komi(node: Node, entry: Property) -> Iterator[Change]:
    """KM in place of KI, which counts half points; none if they contradict each other."""
    value = next(entry.prop_values())
    if not value.matches("number") or len(value.raw) > _DIGITS_OF_A_FLOAT:
        return
    komi = int(value.raw) / 2
    known = node.property("KM", None)
    if known is None:
        yield _replaced(entry, f"KM[{komi:.1f}".removesuffix(".0").encode() + b"]")
    elif next(known.prop_values()).matches("real") and float(known.raw[0]) == komi:
        yield Change((Edit(*entry.offsets),), *entry.offsets, "upgrade-KI")


def _in_order(entry: Property) -> list[bytes]:
    """The corners of the rectangle: upper left, lower right; one value if they are equal."""
    points = [point for _, point in entry.points()]
    if len(points) != 2:
        return entry.raw
    corners = dict.fromkeys(ordered(points[0], points[1]))
    return [entry.tree.write_point(corner).encode() for corner in corners]
