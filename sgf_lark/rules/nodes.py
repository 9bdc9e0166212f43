"""Rules about what may stand in one node (5xx)."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.rules.fixes import Correction, Edit, Site, correction
from sgf_lark.rules.registry import Finding, rule, several_of, uniques
from sgf_lark.rules.value_syntax import points_one_by_one
from sgf_lark.types import Point
from sgf_lark.validation.views import NodeView, PropertyView, ValueView, points_in


@rule("SGF501", "node", shape="all")
def duplicate_property(node: NodeView) -> Iterator[Finding]:
    if len(node.shape.first) == len(node.shape.kinds):
        return
    seen: dict[str, PropertyView] = {}
    for entry in node.properties:
        if entry.ident in seen:
            yield entry.finding()._replace(related=(seen[entry.ident].span,))
        seen.setdefault(entry.ident, entry)


@correction("SGF501")
def merged(site: Site) -> Correction | None:
    """All of that name become one: lists and texts are joined, a second move gets a
    node of its own, and what is the same twice stands once."""
    entry = site.entry
    if entry is None:
        return None
    first, *others = [one for one in site.node.properties if one.ident == entry.ident]
    definition = entry.definition
    deletions = [Edit(*one.span) for one in others]
    end = first.span[1]
    if all(one.raw == first.raw for one in others):
        return Correction(tuple(deletions))
    if definition is None or definition.takes_many:
        values = dict.fromkeys(raw for one in others for raw in one.raw if raw not in first.raw)
        new = b"".join(b"[" + raw + b"]" for raw in values)
        return Correction((Edit(end, end, new), *deletions))
    if definition.is_text:
        gap = b"\n" if definition.alternatives[0].first == "text" else b" "
        texts = dict.fromkeys(raw for one in (first, *others) for raw in one.raw if raw.strip())
        new = entry.ident.encode() + b"[" + gap.join(texts) + b"]"
        return Correction((Edit(*first.span, new), *deletions))
    if definition.exclusive == "move":
        return Correction((*deletions, _nodes_behind(site.node, others)))
    return Correction(tuple(deletions), safe=False)


def _nodes_behind(node: NodeView, entries: list[PropertyView]) -> Edit:
    """New nodes behind `node`, one for each of its properties that are given."""
    end = node.span[1]
    data = node.tree.flat.data
    return Edit(end, end, b"".join(b";" + data[slice(*entry.span)] for entry in entries))


def _of_group(node: NodeView, group: str) -> list[PropertyView]:
    """The properties of an exclusive group, each identifier once."""
    found: dict[str, PropertyView] = {}
    for entry in node.of("exclusive", group):
        found.setdefault(entry.ident, entry)
    return list(found.values())


@rule("SGF502", "node", shape="all")
def black_and_white_move(node: NodeView) -> Iterator[Finding]:
    for entry in _of_group(node, "move")[1:]:
        yield entry.finding()


@correction("SGF502")
def one_move_a_node(site: Site) -> Correction | None:
    if site.entry is None:
        return None
    return Correction((Edit(*site.entry.span), _nodes_behind(site.node, [site.entry])))


@rule("SGF503", "node", shape="all")
def move_with_setup(node: NodeView) -> Iterator[Finding]:
    """Property types are new in FF[4], so older trees are free to mix them."""
    moves = node.of_type("move")
    if moves and node.tree.file_format >= 4:
        for entry in node.of_type("setup"):
            yield entry.finding(other=moves[0].ident)._replace(related=(moves[0].span,))


@correction("SGF503")
def setup_before_the_move(site: Site) -> Correction | None:
    """Two nodes: the name, root properties, game information and setup come first."""
    node, data = site.node, site.data
    first, second = bytearray(b";"), bytearray(b";")
    for entry in node.properties:
        role = entry.definition.type if entry.definition is not None else ""
        comes_first = role in ("root", "game-info", "setup") or entry.ident == "N"
        (first if comes_first else second).extend(data[slice(*entry.span)])
    return Correction((Edit(*node.span, bytes(first + second)),))


def _annotates_nothing(node: NodeView) -> Iterator[PropertyView]:
    entries = node.of("needs_move", True)
    if entries and not node.moves():
        yield from entries


@rule("SGF504", "node", shape="all")
def ko_without_move(node: NodeView) -> Iterator[Finding]:
    for entry in _annotates_nothing(node):
        if entry.definition is not None and not entry.definition.exclusive:
            yield entry.finding()


@rule("SGF505", "node", shape="all")
def annotation_without_move(node: NodeView) -> Iterator[Finding]:
    for entry in _annotates_nothing(node):
        if entry.definition is not None and entry.definition.exclusive:
            yield entry.finding()


@correction("SGF504", "SGF505")
def without_annotation(site: Site) -> Correction | None:
    """What it says beyond being there becomes a remark."""
    entry = site.entry
    if entry is None or any(raw not in (b"", b"1", b"2") for raw in entry.raw):
        return None
    return site.delete_property(safe=False)


#: Two properties that were a code of their own where both stood in a node.
_OLD_CODE = {"BM", "TE"}


@rule("SGF506", "node", shape="all")
def move_annotations(node: NodeView) -> Iterator[Finding]:
    """Before FF[4], BM and TE in one node were a code of their own."""
    group = _of_group(node, "move-annotation")
    for entry in group[1:]:
        pair = {group[0].ident, entry.ident} == _OLD_CODE
        if not pair or node.tree.file_format >= 4:
            yield entry.finding(42 if pair else None, other=group[0].ident)


@rule("SGF519", "node", shape="all")
def old_move_annotation(node: NodeView) -> Iterator[Finding]:
    """Before FF[4], TE and then BM meant "interesting", BM and then TE "doubtful"."""
    group = _of_group(node, "move-annotation") if node.tree.file_format < 4 else []
    if {entry.ident for entry in group} == _OLD_CODE:
        meant = {"TE": "IT", "BM": "DO"}[group[0].ident]
        yield group[1].finding(other=group[0].ident, meant=meant)


@rule("SGF507", "node", shape="all")
def position_annotations(node: NodeView) -> Iterator[Finding]:
    group = _of_group(node, "position-annotation")
    for entry in group[1:]:
        yield entry.finding(other=group[0].ident)


@correction("SGF506", "SGF507")
def first_annotation(site: Site) -> Correction | None:
    return site.delete_property(safe=False) if site.entry else None


# --- Points that may be named once -------------------------------------------------


@rule("SGF317", "property", uniques("own", "setup", "markup", "territory"))
def repeated_point(entry: PropertyView) -> Iterator[Finding]:
    is_setup = entry.definition is not None and entry.definition.unique == "setup"
    if is_setup and entry.tree.game.shared_points:
        return
    if not entry.tree.game.point:
        yield from _repeated_raw(entry)
        return
    if entry.is_plain_list:
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
    entries = node.of_group(group)
    if node.tree.are_plain_lists(entries):
        return  # all different: the usual case, without reading any
    owner: dict[Point, str] = {}
    for entry in entries:
        reported: set[str] = set()
        for value, point in entry.points():
            other = owner.setdefault(point, entry.ident)
            if other != entry.ident and other not in reported:
                reported.add(other)
                yield value.finding(point=node.tree.write(point), other=other)


@rule("SGF508", "node", when="shared", shape=several_of("setup"))
def setup_overlap(node: NodeView) -> Iterator[Finding]:
    yield from _overlaps(node, "setup")


@rule("SGF510", "node", when="shared", shape=several_of("markup"))
def markup_overlap(node: NodeView) -> Iterator[Finding]:
    yield from _overlaps(node, "markup")


@rule("SGF516", "node", when="shared", shape=several_of("territory"))
def territory_overlap(node: NodeView) -> Iterator[Finding]:
    yield from _overlaps(node, "territory")


@correction("SGF317", "SGF508", "SGF510", "SGF516")
def named_once(site: Site) -> Correction | None:
    """The first that names a point counts. Within one property nothing is lost by that."""
    value = site.value
    if value is None:
        return None
    if not site.tree.game.point:
        return site.delete()
    taken: set[Point] = set()
    for entry in site.node.properties:
        if entry.definition is None or entry.definition.unique != value.definition.unique:
            continue
        if entry.definition.unique == "own" and entry.ident != value.owner.ident:
            continue
        for other, point in entry.points():
            if other.number == value.number:
                found = points_one_by_one(site, taken)
                return found._replace(safe=site.code == "SGF317") if found else None
            taken.add(point)
    return None


@rule("SGF511", "property", uniques("label"))
def repeated_label(entry: PropertyView) -> Iterator[Finding]:
    seen: set[Point] = set()
    for value, point in entry.points():
        if point in seen:
            yield value.finding(point=entry.tree.write(point))
        seen.add(point)


@correction("SGF511", "SGF515")
def without_this(site: Site) -> Correction | None:
    """Two labels that say the same are one."""
    value = site.value
    if value is None:
        return None
    same = site.code == "SGF511" and value.owner.raw.count(value.raw) > 1
    return site.delete(safe=same)


# --- Arrows and lines -------------------------------------------------------------


def _repeated(entry: PropertyView, group: str) -> Iterator[ValueView]:
    if entry.definition is not None and entry.definition.unique == group:
        seen: set[bytes] = set()
        for value in entry.values():
            if value.raw in seen:
                yield value
            seen.add(value.raw)


@rule("SGF512", "property", uniques("arrow"))
def repeated_arrow(entry: PropertyView) -> Iterator[Finding]:
    yield from (value.finding() for value in _repeated(entry, "arrow"))


@rule("SGF513", "property", uniques("line"))
def repeated_line(entry: PropertyView) -> Iterator[Finding]:
    yield from (value.finding() for value in _repeated(entry, "line"))


@rule("SGF514", "property", uniques("line"))
def reversed_line(entry: PropertyView) -> Iterator[Finding]:
    seen: set[tuple[bytes, bytes]] = set()
    for value in entry.values():
        if value.halves is None:
            continue
        left, right = value.halves
        if left != right and (right, left) in seen:
            yield value.finding()
        seen.add((left, right))


@correction("SGF512", "SGF513", "SGF514")
def listed_once(site: Site) -> Correction | None:
    return site.delete()


@rule("SGF515", "content", lambda definition: definition.distinct_ends)
def one_point_line(value: ValueView) -> Finding | None:
    if not value.halves:
        return None
    ends = [
        points_in(value.tree.reader.read(kind, raw)) if value.is_known(kind) else raw
        for kind, raw in value.parts
    ]
    return value.finding() if ends[0] == ends[1] else None


# --- Where in the tree ---------------------------------------------------------------


@rule("SGF517", "node", shape="all")
def root_property(node: NodeView) -> Iterator[Finding]:
    if not node.is_root:
        for entry in node.of_type("root"):
            yield entry.finding()


@correction("SGF517")
def told_in_the_root(site: Site) -> Correction | None:
    """What the root says as well need not be said again. What stands right behind the
    root, and not in it, was most likely meant for it."""
    entry = site.entry
    root = NodeView(site.tree, site.tree.first)
    if entry is None:
        return None
    same = root.get(entry.ident)
    if same is None and site.flat.parent[entry.node] == site.tree.first:
        end = root.span[1]
        moved = Edit(end, end, site.data[slice(*entry.span)])
        return Correction((moved, Edit(*entry.span)), safe=False)
    return site.delete_property() if same is not None and same.raw == entry.raw else None


@rule("SGF518", "node", shape="all")
def move_in_root(node: NodeView) -> Iterator[Finding]:
    if node.is_root:
        for entry in node.of_type("move"):
            yield entry.finding()
