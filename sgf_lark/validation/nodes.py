"""Rules about what may stand in one node (5xx)."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.validation.views import (
    Finding,
    NodeView,
    PropertyView,
    ValueView,
    not_text,
    rule,
)
from sgf_lark.values import Point


@rule("SGF501", "node")
def duplicate_property(node: NodeView) -> Iterator[Finding]:
    seen: dict[str, PropertyView] = {}
    for entry in node.properties:
        if entry.ident in seen:
            yield entry.finding()._replace(related=(seen[entry.ident].span,))
        seen.setdefault(entry.ident, entry)


def _of_group(node: NodeView, group: str) -> list[PropertyView]:
    """The properties of an exclusive group, each identifier once."""
    found: dict[str, PropertyView] = {}
    for entry in node.properties:
        if entry.definition is not None and entry.definition.exclusive == group:
            found.setdefault(entry.ident, entry)
    return list(found.values())


@rule("SGF502", "node")
def black_and_white_move(node: NodeView) -> Iterator[Finding]:
    for entry in _of_group(node, "move")[1:]:
        yield entry.finding()


@rule("SGF503", "node")
def move_with_setup(node: NodeView) -> Iterator[Finding]:
    """Property types are new in FF[4], so older trees are free to mix them."""
    moves = node.of_type("move")
    if moves and node.tree.file_format >= 4:
        for entry in node.of_type("setup"):
            yield entry.finding(other=moves[0].ident)._replace(related=(moves[0].span,))


def _annotates_nothing(node: NodeView) -> Iterator[PropertyView]:
    if not node.moves():
        for entry in node.properties:
            if entry.definition is not None and entry.definition.needs_move:
                yield entry


@rule("SGF504", "node")
def ko_without_move(node: NodeView) -> Iterator[Finding]:
    for entry in _annotates_nothing(node):
        if entry.definition is not None and not entry.definition.exclusive:
            yield entry.finding()


@rule("SGF505", "node")
def annotation_without_move(node: NodeView) -> Iterator[Finding]:
    for entry in _annotates_nothing(node):
        if entry.definition is not None and entry.definition.exclusive:
            yield entry.finding()


@rule("SGF506", "node")
def move_annotations(node: NodeView) -> Iterator[Finding]:
    """Before FF[4], BM and TE in one node were a code of their own."""
    group = _of_group(node, "move-annotation")
    for entry in group[1:]:
        pair = {group[0].ident, entry.ident} == {"BM", "TE"}
        if not pair or node.tree.file_format >= 4:
            yield entry.finding(42 if pair else None, other=group[0].ident)


@rule("SGF507", "node")
def position_annotations(node: NodeView) -> Iterator[Finding]:
    group = _of_group(node, "position-annotation")
    for entry in group[1:]:
        yield entry.finding(other=group[0].ident)


# --- Points that may be named once -------------------------------------------------


@rule("SGF317", "property")
def repeated_point(entry: PropertyView) -> Iterator[Finding]:
    if entry.definition is None or entry.definition.unique not in {
        "own",
        "setup",
        "markup",
        "territory",
    }:
        return
    seen: set[Point] = set()
    reported: set[int] = set()
    for value, point in entry.points():
        if point in seen and value.number not in reported:
            reported.add(value.number)
            yield value.finding(point=str(point))
        seen.add(point)


def _overlaps(node: NodeView, group: str) -> Iterator[Finding]:
    """Points that two properties of a group name; each pair of properties once."""
    owner: dict[Point, str] = {}
    for entry in node.properties:
        if entry.definition is None or entry.definition.unique != group:
            continue
        reported: set[str] = set()
        for value, point in entry.points():
            other = owner.setdefault(point, entry.ident)
            if other != entry.ident and other not in reported:
                reported.add(other)
                yield value.finding(point=str(point), other=other)


@rule("SGF508", "node")
def setup_overlap(node: NodeView) -> Iterator[Finding]:
    yield from _overlaps(node, "setup")


@rule("SGF510", "node")
def markup_overlap(node: NodeView) -> Iterator[Finding]:
    yield from _overlaps(node, "markup")


@rule("SGF516", "node")
def territory_overlap(node: NodeView) -> Iterator[Finding]:
    yield from _overlaps(node, "territory")


@rule("SGF511", "property")
def repeated_label(entry: PropertyView) -> Iterator[Finding]:
    if entry.definition is None or entry.definition.unique != "label":
        return
    seen: set[Point] = set()
    for value, point in entry.points():
        if point in seen:
            yield value.finding(point=str(point))
        seen.add(point)


# --- Arrows and lines -------------------------------------------------------------


def _repeated(entry: PropertyView, group: str) -> Iterator[ValueView]:
    if entry.definition is not None and entry.definition.unique == group:
        seen: set[bytes] = set()
        for value in entry.values():
            if value.raw in seen:
                yield value
            seen.add(value.raw)


@rule("SGF512", "property")
def repeated_arrow(entry: PropertyView) -> Iterator[Finding]:
    yield from (value.finding() for value in _repeated(entry, "arrow"))


@rule("SGF513", "property")
def repeated_line(entry: PropertyView) -> Iterator[Finding]:
    yield from (value.finding() for value in _repeated(entry, "line"))


@rule("SGF514", "property")
def reversed_line(entry: PropertyView) -> Iterator[Finding]:
    if entry.definition is None or entry.definition.unique != "line":
        return
    seen: set[tuple[bytes, bytes]] = set()
    for value in entry.values():
        if value.halves is None:
            continue
        left, right = value.halves
        if left != right and (right, left) in seen:
            yield value.finding()
        seen.add((left, right))


@rule("SGF515", "content", not_text)
def one_point_line(value: ValueView) -> Finding | None:
    if value.definition.distinct_ends and value.halves and value.halves[0] == value.halves[1]:
        return value.finding()
    return None


# --- Where in the tree ---------------------------------------------------------------


@rule("SGF517", "node")
def root_property(node: NodeView) -> Iterator[Finding]:
    if not node.is_root:
        for entry in node.of_type("root"):
            yield entry.finding()


@rule("SGF518", "node")
def move_in_root(node: NodeView) -> Iterator[Finding]:
    if node.is_root:
        for entry in node.of_type("move"):
            yield entry.finding()
