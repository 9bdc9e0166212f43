"""Rules about the properties in one node (3xx, 5xx)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue, points_in
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Point
from sgf_lark.model.values.points import PointSet, Rectangle, by_row
from sgf_lark.rules.fixes import (
    FIXED_WITH_ANOTHER,
    Edit,
    Fix,
    FixContext,
    distinct_texts,
    fix_for,
    is_name,
    join_texts,
    one_of,
)
from sgf_lark.rules.order import (
    by_identifier,
    commutes,
    has_no_order,
    is_pass,
    may_be_several_nodes,
    split_moves,
)
from sgf_lark.rules.registry import CleanForm, Finding, Needs, Scope, at, rule, two, where


@rule("SGF501", Scope.NODE, needs=Needs.REPEATED_IDENTIFIER)
def duplicate_property(node: Node) -> Iterator[Finding]:
    """Reports each identifier that several properties of the node have, at the second of them."""
    for first, *others in by_identifier(node.properties).values():
        if others:
            yield at(others[0], related=first.offsets, count=len(others) + 1)


@fix_for("SGF501")
def merge_properties(site: FixContext) -> Fix | None:
    """Merge the properties into one: join lists and texts, move further moves to new nodes.

    Of equal values one is kept; of names such as those of players and of other values, too, and the
    others go to the comment. The fix is not safe if values have to be dropped, if the values
    together may mean something else than each of them, for moves, which may be two, or if the
    properties may be two: of two nodes between which the ";" is missing, or, in old files, for
    programs to which AB and AddBlack are not the same.
    """
    first, *others = entries = site.node.select(site.entry.ident)
    definition = first.definition
    is_move = definition is not None and definition.is_move
    is_in_order = is_move or has_no_order(site, entries)
    if (not is_in_order and len(site.node.moves()) > 1) or is_pass(first):
        return split_moves(site)
    deletions = [Edit(*one.offsets) for one in others]
    # AB and AddBlack are not.
    are_alike = len({_written_identifier(site, entry) for entry in entries}) == 1
    has_counts = definition is not None and is_counted(site.tree, definition)
    if all(one.raw == first.raw for one in others) and not has_counts:
        is_one = definition is not None and not is_move and is_in_order
        return Fix(tuple(deletions), safe=is_one and are_alike)
    if is_move:
        return split_moves(site)
    if definition is None or definition.takes_many:
        raws = [raw for one in others for raw in one.raw]
        if not has_counts:
            known = {*first.raw}
            raws = [raw for raw in dict.fromkeys(raws) if raw not in known]
        new = b"".join(b"[" + raw + b"]" for raw in raws)
        can_be_joined = definition is not None and _can_be_joined(site, definition, entries)
        end = first.offsets[1]
        return Fix((Edit(end, end, new), *deletions), safe=are_alike and can_be_joined)
    raws = [raw for one in entries for raw in one.raw if raw.strip()]
    texts = distinct_texts(first, raws)
    if definition.is_text and (len(texts) < 2 or not is_name(definition)):
        value = b"[" + join_texts(definition, texts) + b"]"
        is_one = definition.is_long_text or (len(texts) < 2 and not definition.format)
        safe = is_one and is_in_order and are_alike
    else:
        value, safe = one_of(site, texts or first.raw), False
    new = _written_identifier(site, first) + value
    return Fix((Edit(*first.offsets, new), *deletions), safe)


def is_counted(tree: GameTree, definition: PropertyDefinition) -> bool:
    """Whether a point in the list stands for one stone, and may be repeated: in Backgammon."""
    return definition.unique == "setup" and tree.game_definition.shared_points


def _written_identifier(site: FixContext, entry: Property) -> bytes:
    """The identifier of the property in the file, where lowercase letters may be in it."""
    start = entry.offsets[0]
    return site.data[start : site.data.index(b"[", start)].strip()


def _can_be_joined(
    site: FixContext, definition: PropertyDefinition, entries: list[Property]
) -> bool:
    """Whether the lists of these properties mean together what each of them means.

    They do not if one of them is empty, if two of them label, or may label, the same point, or
    if another property between them has, or may have, one of their points.
    """
    if any(b"" in entry.raw for entry in entries):
        return False
    if definition.unique == "label":
        points = [[point for _, point in entry.points()] for entry in entries]
        is_known = [*map(len, points)] == [entry.count for entry in entries]
        if not is_known or len(set().union(*points)) < sum(len({*each}) for each in points):
            return False
    return has_no_order(site, entries)


def _of_group(node: Node, group: str) -> list[Property]:
    """The properties of an exclusive group; of equal identifiers the first."""
    return [first for first, *_ in by_identifier(node.select(exclusive=group)).values()]


@rule("SGF503", Scope.NODE, having=(where(type="move"), where(type="setup")), since=4)
@rule("SGF520", Scope.NODE, having=(where(type="move"), where(type="setup")), until=3)
def move_with_setup(node: Node) -> Iterator[Finding]:
    """Reports setup properties in a node with a move; FF[4] introduced the types of properties, and
    forbade it."""
    moves = node.select(type="move")
    for entry in node.select(type="setup") if moves else ():
        yield at(entry, related=moves[0].offsets, other=moves[0].ident)


@fix_for("SGF503")
def split_setup_from_move(site: FixContext) -> Fix | None:
    """Split the node: setup, root properties and game information come first.

    Names, comments and marks are of the position after the move. PL comes last if it names the
    player who is next after the move. The fix is safe if the position does not depend on whether
    setup or move comes first.
    """
    node, data = site.node, site.data
    if not site.is_first("split", node.number):
        return FIXED_WITH_ANOTHER
    moves = node.moves()
    nodes: list[list[Property]] = [[], [], []]
    setup: list[Property] = []
    for entry in node.properties:
        role = entry.definition.type if entry.definition is not None else ""
        if entry.ident == "PL" and _is_next_after(moves, entry):
            nodes[2].append(entry)
        elif role in ("root", "game-info", "setup"):
            nodes[0].append(entry)
            setup += [entry] if role == "setup" else []
        else:
            nodes[1].append(entry)
    if not setup:
        nodes[:2] = [], nodes[0] + nodes[1]
    new = b"".join(
        b";" + b"".join(data[slice(*entry.offsets)] for entry in entries)
        for entries in nodes
        if entries
    )
    safe = not may_be_several_nodes(site) and commutes(site, setup, moves)
    return Fix((Edit(*site.flat.node_span(node.number), new),), safe)


def _is_next_after(moves: list[Property], entry: Property) -> bool:
    """Whether PL names the player who is next after the moves in any case."""
    return bool(moves) and entry.raw == [b"W" if moves[-1].ident == "B" else b"B"]


#: Annotations of moves; KO is in no group of them.
_ANNOTATIONS = where(needs_move=True)


@rule("SGF504", Scope.NODE, having=(_ANNOTATIONS,), needs=Needs.NO_MOVE, group="")
@rule("SGF505", Scope.NODE, having=(_ANNOTATIONS,), needs=Needs.NO_MOVE, group="move-annotation")
def annotation_without_move(node: Node, group: str) -> Iterator[Finding]:
    """Reports the properties of a group that annotate a move in a node without one."""
    for entry in node.select(needs_move=True) if not node.moves() else ():
        if entry.definition is not None and entry.definition.exclusive == group:
            yield at(entry)


# An annotation says nothing without the move that it is about.
fix_for("SGF504", "SGF505")(FixContext.to_comment)


#: Two properties that had a meaning of their own together in one node.
_OLD_PAIR = {"BM", "TE"}
#: The first of them -> the property of FF[4] with that meaning (sgf4, changes from FF[3]).
_MEANING_OF_PAIR = {"TE": "IT", "BM": "DO"}


def _several_of_group(node: Node, group: str) -> Iterator[Finding]:
    """Reports each further move in a node, annotation of one move, and judgment of one position,
    except BM with TE before FF[4]."""
    entries = _of_group(node, group)
    for entry in entries[1:]:
        is_old_pair = {entries[0].ident, entry.ident} == _OLD_PAIR
        if not is_old_pair or node.tree.file_format >= 4:
            yield at(entry, other=entries[0].ident)


_EXCLUSIVE = {"SGF502": "move", "SGF506": "move-annotation", "SGF507": "position-annotation"}
for _code, _group in _EXCLUSIVE.items():
    rule(_code, Scope.NODE, having=two(where(exclusive=_group)), group=_group)(_several_of_group)

fix_for("SGF502")(split_moves)


@rule("SGF519", Scope.NODE, having=two(where(exclusive="move-annotation")), until=3)
def old_move_annotation(node: Node) -> Iterator[Finding]:
    """Reports TE with BM before FF[4]: first TE meant "interesting", first BM "doubtful"."""
    group = _of_group(node, "move-annotation")
    if {entry.ident for entry in group} == _OLD_PAIR:
        meant = _MEANING_OF_PAIR[group[0].ident]
        yield at(group[1], other=group[0].ident, meant=meant)


@fix_for("SGF506", "SGF507")
def delete_second_annotation(site: FixContext) -> Fix | None:
    """Move the second annotation to a comment; write BM with TE as DO or IT, which they meant
    together."""
    first = site.finding.values["other"]
    if {first, site.ident} != _OLD_PAIR:
        return site.to_comment()
    entry = site.node.property(str(first), None)
    assert entry is not None
    meant = Edit(*entry.offsets, _MEANING_OF_PAIR[str(first)].encode() + b"[]")
    return Fix((meant, Edit(*site.entry.offsets)), safe=False)


# --- Points that may be listed once -------------------------------------------------


def _area_of(value: PropValue, columns: dict[bytes, int]) -> Rectangle | None:
    """The upper left and the lower right point of a value; None where it names no point, or may
    name none: a rectangle that leaves the board, of which programs read a part or nothing.

    In a game without a known notation each text is taken for a point of its own, in one of the
    `columns`.
    """
    if value.tree.game_definition.point:
        is_on_board = all(map(value.tree.has_point, value.rectangle or ()))
        return value.area if is_on_board else None
    text = _point_of(value)
    point = Point(columns.setdefault(text, len(columns)), 0)
    return (point, point) if text else None


def _named(entries: Iterable[Property]) -> Iterator[tuple[PropValue, Rectangle, PointSet]]:
    """Each value of the properties that names points, with its area and the points that the values
    before it name."""
    listed, columns = PointSet(), dict[bytes, int]()
    for entry in entries:
        for value in entry.prop_values():
            if (area := _area_of(value, columns)) is not None:
                yield value, area, listed
                listed.add(area)


def _text_of(point: Point, value: PropValue) -> str | bytes:
    """A point of the value as it is written."""
    has_notation = value.tree.game_definition.point
    return value.tree.write_point(point) if has_notation else _point_of(value)


def _point_of(value: PropValue) -> bytes:
    """The value, or the half of it that is a point."""
    return value.parts[0][1]


@rule(
    "SGF317",
    Scope.PROPERTY,
    where(unique=("own", "setup", "markup", "territory")),
    ignores=CleanForm.POINTS,
)
@rule("SGF511", Scope.PROPERTY, where(unique="label"), ignores=CleanForm.LABELS)
def repeated_point(entry: Property) -> Iterator[Finding]:
    """Reports a value that repeats a point of the same property, and a second label for a point."""
    if entry.count == 1 or (entry.definition and is_counted(entry.tree, entry.definition)):
        return
    for value, area, listed in _named([entry]):
        point = listed.first_in(area)
        if point is not None:
            yield at(value, point=_text_of(point, value))


def _overlaps(node: Node, group: str) -> Iterator[Finding]:
    """Reports points that two properties of the group list; one finding for each pair of
    properties."""
    if group == "setup" and node.tree.game_definition.shared_points:
        return
    #: Identifier -> the points that its properties listed first.
    owned: dict[str, PointSet] = {}
    reported: set[tuple[int | None, str]] = set()
    for value, area, listed in _named(node.select(unique=group)):
        entry = value.property
        found = [
            (point, other)
            for other, points in owned.items()
            if other != entry.ident and (entry.number, other) not in reported
            if (point := points.first_in(area)) is not None
        ]
        for point, other in sorted(found, key=lambda each: by_row(each[0])):
            reported.add((entry.number, other))
            yield at(value, point=_text_of(point, value), other=other)
        owned.setdefault(entry.ident, PointSet()).add(area, unless=listed)


for _code, _group in (("SGF508", "setup"), ("SGF510", "markup"), ("SGF516", "territory")):
    _having = two(where(unique=_group))
    rule(_code, Scope.NODE, having=_having, needs=Needs.SHARED_POINT, group=_group)(_overlaps)


@fix_for("SGF317", local=True)
@fix_for("SGF508", "SGF510", "SGF516")
def delete_repeated_points(site: FixContext) -> Fix | None:
    """Delete points that an earlier value lists; of points that other properties list, all those of
    the property, which a comment then names.

    This is safe within one property, unless several stones may be meant: it is not known
    whether they can share a point in a game without a known notation.
    """
    entry, group = site.entry, site.value.definition.unique
    is_in_property = site.code == "SGF317"
    is_one_stone = group != "setup" or bool(site.tree.game_definition.point)
    kept = site.cached(
        ("points", site.node.number, entry.number if is_in_property else group),
        lambda: _new_points([entry] if is_in_property else site.node.select(unique=group)),
    )
    values = [site.value] if is_in_property else entry.prop_values()
    edits, changed = [], []
    for value in values:
        if value.number in kept:
            points = map(site.tree.write_point, kept[value.number])
            written = "".join(f"[{point}]" for point in points).encode("ascii")
            edits.append(Edit(value.start - 1, value.end + 1, written))
            changed.append(value.raw)
    if is_in_property:
        return Fix(tuple(edits), is_one_stone)
    is_whole = len(edits) == entry.count and not any(edit.replacement for edit in edits)
    return site.keeping(site.delete_property().edits if is_whole else tuple(edits), changed)


def _new_points(entries: list[Property]) -> dict[int, list[Point]]:
    """The number of each value with a repeated point -> its points that no earlier value lists."""
    return {
        value.number: listed.missing_in(area)
        for value, area, listed in _named(entries)
        if listed.first_in(area) is not None
    }


@fix_for("SGF511", "SGF515")
def delete_label_or_line(site: FixContext) -> Fix | None:
    """Delete the value; this is safe if the label of the point before it is the same. Another label
    is joined to the first of the point, with all others of it."""
    value = site.value
    prop = value.property
    repeated = site.cached(("labels", prop.number), lambda: _repeated_labels(prop))
    deletion = site.delete(safe=value.number in repeated)
    if site.code == "SGF515" or value.number in repeated:
        return deletion
    point = _point_of(value)
    if not site.is_first("labels", prop.number, point):
        return FIXED_WITH_ANOTHER
    first, *others = (other for other in prop.prop_values() if _point_of(other) == point)
    if first.halves is None:
        return FIXED_WITH_ANOTHER  # it has no label
    own = first.halves[1].strip()
    texts = [other.halves[1].strip() for other in others if other.halves]
    joined = b" ".join(text for text in dict.fromkeys((own, *texts)) if text).removeprefix(own)
    deletions = (Edit(other.start - 1, other.end + 1) for other in others)
    return Fix((Edit(first.end, first.end, joined), *deletions), safe=False)


def _repeated_labels(entry: Property) -> set[int]:
    """The numbers of the values that label a point as the value before them for that point.

    There are none if it is unknown which point some value labels.
    """
    columns: dict[bytes, int] = {}
    last: dict[Point, bytes] = {}
    found: set[int] = set()
    for value in entry.prop_values():
        if (area := _area_of(value, columns)) is None:
            return set()
        if last.get(area[0]) == value.raw:
            found.add(value.number)
        last[area[0]] = value.raw
    return found


# --- Arrows and lines -------------------------------------------------------------


_Ends = tuple[object, ...]


def _ends(value: PropValue) -> _Ends:
    """The ends of an arrow or a line, as points or stones; as written where they are unknown."""
    read = [
        value.tree.parsed.reader.read(kind, raw) if value.matches(kind, raw) else raw
        for kind, raw in value.parts
    ]
    parts = zip(read, value.parts, strict=True)
    return tuple(found if isinstance(found, tuple) else raw for found, (_, raw) in parts)


def _with_ends(entry: Property) -> Iterator[tuple[PropValue, _Ends, set[_Ends]]]:
    """Each value with its ends and those of the values before it."""
    seen: set[_Ends] = set()
    for value in entry.prop_values():
        ends = _ends(value)
        yield value, ends, seen
        seen.add(ends)


@rule("SGF512", Scope.PROPERTY, where(unique="arrow"))
@rule("SGF513", Scope.PROPERTY, where(unique="line"))
def repeated_arrow_or_line(entry: Property) -> Iterator[Finding]:
    """Reports an arrow or a line that the property lists twice."""
    yield from (at(value) for value, ends, seen in _with_ends(entry) if ends in seen)


@rule("SGF514", Scope.PROPERTY, where(unique="line"))
def reversed_line(entry: Property) -> Iterator[Finding]:
    """Reports a line that the property also lists in the other direction."""
    for value, ends, seen in _with_ends(entry):
        if ends != ends[::-1] and ends[::-1] in seen:
            yield at(value)


fix_for("SGF512", "SGF513", "SGF514")(FixContext.delete)


@rule("SGF515", Scope.CONTENT, where(distinct_ends=True))
def one_point_line(value: PropValue) -> Finding | None:
    """Reports an arrow or line that begins and ends at the same point."""
    start, end = (points_in(each) or each for each in _ends(value))
    return at(value) if start == end else None


# --- Where in the tree ---------------------------------------------------------------


_OF_ROOT, _MOVES = where(type="root"), where(type="move")


@rule("SGF517", Scope.NODE, having=(_OF_ROOT,), needs=Needs.NOT_ROOT, role="root", in_root=False)
@rule("SGF518", Scope.NODE, having=(_MOVES,), needs=Needs.ROOT, role="move", in_root=True)
def misplaced_property(node: Node, role: str, in_root: bool) -> Iterator[Finding]:
    """Reports a root property in any other node, and a move in the root."""
    if (node.parent is None) is in_root:
        yield from map(at, node.select(type=role))


@fix_for("SGF517")
def move_to_root(site: FixContext) -> Fix | None:
    """Begin a game tree at each node that has the properties of a root; else delete what the root
    repeats, and move a property of the second node to a root without it.
    """
    from sgf_lark.rules.trees import begin_games

    entry = site.entry
    root = site.tree.root
    if (games := begin_games(site)) is not None:
        return games
    same = root.property(entry.ident, None)
    if entry.ident in ("FF", "GM") and same is not None:
        return None  # a game may begin here
    if same is None and entry.node.parent == root:
        return Fix(site.move([entry], root), safe=False)
    return site.delete_property() if same is not None and same.raw == entry.raw else None
