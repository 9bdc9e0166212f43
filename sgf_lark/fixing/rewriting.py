"""Changes on request, which no rule requires: what a converter does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from sgf_lark.fixing.edits import Change
from sgf_lark.fixing.points import compressed
from sgf_lark.fixing.upgrade import replaced_in_ff4, upgraded
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, points_in
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.rules.fixes import Edit
from sgf_lark.rules.nodes import is_counted
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT, file_format
from sgf_lark.text import charsets

PointLists = Literal["keep", "expand", "compress"]
Header = Literal["keep", "comment", "drop"]
POINT_LISTS = get_args(PointLists)
HEADERS = get_args(Header)

#: What can be deleted besides properties by their identifiers.
DELETABLE = ("empty-nodes", "unknown", "obsolete", "move-markup", "trailing-passes")


@dataclass(frozen=True)
class Rewriting:
    """The requested changes.

    - `charset`: the charset to write texts in; None to keep the charset.
    - `header`: keep text outside the game trees, move it to a comment, or drop it; None to
      move it to a comment only if unsafe fixes are applied.
    - `upgrade`: upgrade game trees in older file formats to FF[4].
    - `points`: keep, expand or compress point lists.
    - `delete`: identifiers of properties, and the kinds in :data:`DELETABLE`.
    """

    charset: str | None = "UTF-8"
    header: Header | None = None
    upgrade: bool = False
    points: PointLists = "keep"
    delete: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for value, known in ((self.points, POINT_LISTS), (self.header, (*HEADERS, None))):
            if value not in known:
                raise ValueError(f"unknown: {value!r}; one of {', '.join(filter(None, known))}")
        if self.charset is not None and not charsets.named(self.charset).superset:
            raise ValueError(f"no SGF file can be in {self.charset}")
        for name in self.delete:
            if name not in DELETABLE and not (name.isascii() and name.isupper() and name.isalpha()):
                raise ValueError(f"cannot be deleted: {name!r}; one of {', '.join(DELETABLE)}")


Step = Callable[[Collection], Iterator[Change]]


def steps(rewriting: Rewriting) -> list[Step]:
    """The steps of the rewriting, in order. Each is repeated until it changes nothing."""
    found: list[Step] = []
    if rewriting.upgrade:
        found.append(_upgrade)
    if rewriting.delete:
        found.append(lambda collection: _delete(collection, rewriting.delete))
    if "empty-nodes" in rewriting.delete:
        found.append(_delete_empty_nodes)
    if rewriting.points != "keep":
        found.append(lambda collection: _points(collection, rewriting.points))
    return found


def _nodes(collection: Collection) -> Iterator[Node]:
    """All nodes of the collection."""
    for tree in collection:
        for number in tree.parsed.numbers:
            yield tree.node(number)


def _entries(collection: Collection) -> Iterator[Property]:
    """All properties of the collection."""
    for node in _nodes(collection):
        yield from node.properties


def _upgrade(collection: Collection) -> Iterator[Change]:
    """Upgrade trees in older file formats to FF[4], and what FF[4] replaced in others."""
    for tree in collection:
        if file_format(tree.parsed.root_values.get("FF")) != LATEST_FILE_FORMAT:
            yield from upgraded(tree)
    yield from replaced_in_ff4(collection)


# --- Deleting -----------------------------------------------------------------------


def _delete(collection: Collection, kinds: frozenset[str]) -> Iterator[Change]:
    """Delete properties, trailing passes and markup of the last move."""
    for node in _nodes(collection):
        if "trailing-passes" in kinds and _is_trailing_pass(node):
            span = collection.flat.node_span(node.number)
            yield Change((Edit(*span),), *span, "trailing-passes", safe=False)
            continue
        for entry in node.properties:
            kind = _kind(entry)
            if entry.ident in kinds or kind in kinds:
                name = f"delete-{kind or entry.ident}"
                yield Change((Edit(*entry.offsets),), *entry.offsets, name, safe=False)
        if "move-markup" in kinds:
            yield from _markup_of_the_move(node)


def _kind(entry: Property) -> str:
    """The kind in :data:`DELETABLE` that the property is of; "" for others."""
    definition = entry.definition
    if definition is None or definition.private:
        return "unknown"
    return "obsolete" if 4 not in definition.file_formats else ""


def _is_trailing_pass(node: Node) -> bool:
    """Whether the node is a leaf with a pass and nothing else."""
    if node.children or node.parent is None or len(node.properties) != 1 or not node.moves():
        return False
    (entry,) = node.properties
    return all(value.names_pass(value.raw) for value in entry.prop_values())


def _markup_of_the_move(node: Node) -> Iterator[Change]:
    """Delete marks on the stone just played, by which programs highlighted it."""
    played = {
        point
        for entry in node.moves()
        for value in entry.prop_values()
        if value.matches("move")
        for point in points_in(node.tree.parsed.reader.read("move", value.raw))
    }
    for entry in node.properties:
        if entry.definition is None or entry.definition.unique != "markup" or not played:
            continue
        raws = entry.raw
        on_move = [value for value, point in entry.points() if point in played]
        for value in on_move:
            if value.rectangle is None:
                whole = len(raws) == 1
                edit = Edit(*entry.offsets) if whole else Edit(value.start - 1, value.end + 1)
                yield Change((edit,), edit.start, edit.end, "move-markup", safe=False)


def _delete_empty_nodes(collection: Collection) -> Iterator[Change]:
    """Delete nodes without properties, if their children can take their place."""
    for node in _nodes(collection):
        if node.properties or node.parent is None:
            continue
        flat = node.tree.parsed.flat
        number = node.number
        children = len(flat.children_of(number))
        begins_tree = number in flat.opening
        if children > 1 and begins_tree:
            continue
        if children == 1 and begins_tree and number + 1 in flat.opening:
            continue
        start, end = flat.node_span(number)
        yield Change((Edit(start, end),), start, end, "delete-empty-nodes")


# --- Points -------------------------------------------------------------------------


def _points(collection: Collection, how: str) -> Iterator[Change]:
    """Expand or compress point lists."""
    for entry in _entries(collection):
        definition = entry.definition
        if definition is None or not definition.takes_many or entry.tree.file_format < 4:
            continue
        (kind,) = definition.alternatives
        if kind.composed or kind.first not in ("point", "stone"):
            continue
        if is_counted(entry.tree, definition):
            continue
        raws = _rewritten_points(entry, kind.first, how)
        if raws is None or raws == entry.raw:
            continue
        start, end = entry.offsets
        new = entry.ident.encode() + b"".join(b"[" + raw + b"]" for raw in raws)
        yield Change((Edit(start, end, new),), start, end, f"{how}-points")


def _rewritten_points(entry: Property, kind: str, how: str) -> list[bytes] | None:
    """The new values, of the type "point" or "stone"; None if not all are points of the board."""
    tree = entry.tree
    if tree.parsed.reader.rule(kind) not in NOTATIONS or tree.game_definition.upward:
        return None
    points = dict.fromkeys(point for _, point in entry.points())
    if len({value.number for value, _ in entry.points()}) != len(entry.raw):
        return None
    if how == "expand":
        return [tree.write_point(point).encode() for point in points]
    return [
        ":".join(dict.fromkeys(tree.write_point(corner) for corner in corners)).encode()
        for corners in compressed(points)
    ]
