"""Rules about what may stand in one node (5xx)."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.types import Point
from sgf_lark.validation.views import (
    Finding,
    NodeView,
    PropertyView,
    ValueView,
    not_text,
    points_in,
    rule,
)


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


#: Two properties that were a code of their own where both stood in a node.
_OLD_CODE = {"BM", "TE"}


@rule("SGF506", "node")
def move_annotations(node: NodeView) -> Iterator[Finding]:
    """Before FF[4], BM and TE in one node were a code of their own."""
    group = _of_group(node, "move-annotation")
    for entry in group[1:]:
        pair = {group[0].ident, entry.ident} == _OLD_CODE
        if not pair or node.tree.file_format >= 4:
            yield entry.finding(42 if pair else None, other=group[0].ident)


@rule("SGF519", "node")
def old_move_annotation(node: NodeView) -> Iterator[Finding]:
    """Before FF[4], TE and then BM meant "interesting", BM and then TE "doubtful"."""
    group = _of_group(node, "move-annotation") if node.tree.file_format < 4 else []
    if {entry.ident for entry in group} == _OLD_CODE:
        meant = {"TE": "IT", "BM": "DO"}[group[0].ident]
        yield group[1].finding(other=group[0].ident, meant=meant)


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
    if entry.definition.unique == "setup" and entry.tree.game.shared_points:
        return
    if not entry.tree.game.point:
        yield from _repeated_raw(entry)
        return
    seen: set[Point] = set()
    reported: set[int] = set()
    for value, point in entry.points():
        if point in seen and value.number not in reported:
            reported.add(value.number)
            yield value.finding(point=entry.tree.write(point))
        seen.add(point)


def _repeated_raw(entry: PropertyView) -> Iterator[Finding]:
    """Where nobody knows how the game writes points, the same bytes are the same point."""
    seen: set[bytes] = set()
    for value in entry.values():
        if value.raw in seen:
            yield value.finding(point=value.raw)
        seen.add(value.raw)


def _overlaps(node: NodeView, group: str) -> Iterator[Finding]:
    """Points that two properties of a group name; each pair of properties once."""
    if group == "setup" and node.tree.game.shared_points:
        return
    owner: dict[Point, str] = {}
    for entry in node.properties:
        if entry.definition is None or entry.definition.unique != group:
            continue
        reported: set[str] = set()
        for value, point in entry.points():
            other = owner.setdefault(point, entry.ident)
            if other != entry.ident and other not in reported:
                reported.add(other)
                yield value.finding(point=node.tree.write(point), other=other)


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
            yield value.finding(point=entry.tree.write(point))
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
    if not value.definition.distinct_ends or not value.halves:
        return None
    ends = [
        points_in(value.tree.reader.read(kind, raw)) if value.is_known(kind) else raw
        for kind, raw in value.parts
    ]
    return value.finding() if ends[0] == ends[1] else None


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
