"""Rules about paths and trees (6xx) and about the collection (7xx)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sgf_lark.rules.fixes import Correction, Edit, Site, correction
from sgf_lark.rules.registry import Finding, PathRule, rule
from sgf_lark.validation.trees import CollectionView, TreeView
from sgf_lark.validation.views import NodeView, PropertyView


@rule("SGF601", "path", when="info")
def game_info_twice(tree: TreeView) -> PathRule:
    """A path may hold one game-info node (new in FF[4])."""
    holder: dict[int, int] = {}
    parent = tree.flat.parent

    def visit(node: NodeView, board: object) -> Iterator[Finding]:
        entries = node.of_type("game-info")
        above = holder.get(parent[node.number]) if holder else None
        if above is not None:
            holder[node.number] = above
            start = tree.flat.node_start[above]
            for entry in entries if tree.file_format >= 4 else ():
                yield entry.finding()._replace(related=((start, start + 1),))
        elif entries:
            holder[node.number] = node.number

    return visit


@correction("SGF601")
def to_the_game_info(site: Site) -> Correction | None:
    """Moved to the node that has the other game information, where that lacks it."""
    entry = site.entry
    if entry is None or not site.finding.related:
        return None
    holder = NodeView(site.tree, site.flat.node_at(site.finding.related[0][0]))
    there = holder.get(entry.ident)
    if there is not None:
        return site.delete_property() if there.raw == entry.raw else None
    end = holder.span[1]
    return Correction((Edit(end, end, site.data[slice(*entry.span)]), Edit(*entry.span)))


@rule("SGF602", "path", when="info")
def game_info_not_in_root(tree: TreeView) -> PathRule:
    """A tree with one game-info node holds one game, so it belongs in the root."""
    found: list[PropertyView] = []
    nodes: set[int] = set()

    def visit(node: NodeView, board: object) -> Iterator[Finding]:
        entries = [entry for entry in node.of_type("game-info") if not _marks_node(entry)]
        if entries:
            nodes.add(node.number)
            found.append(entries[0])
        is_last = node.number == tree.last
        if is_last and len(nodes) == 1 and not found[0].in_root:
            yield found[0].finding()._replace(node=found[0].node)

    return visit


@correction("SGF602")
def to_the_root(site: Site) -> Correction | None:
    """All game information of the node, where the root has none of it."""
    entries = [entry for entry in site.node.of_type("game-info") if not _marks_node(entry)]
    root = NodeView(site.tree, site.tree.first)
    if not entries or any(root.get(entry.ident) for entry in entries):
        return None
    end = root.span[1]
    moved = b"".join(site.data[slice(*entry.span)] for entry in entries)
    return Correction((Edit(end, end, moved), *(Edit(*entry.span) for entry in entries)))


def _marks_node(entry: PropertyView) -> bool:
    """IP of Hex is game info by its type, but says where it stands."""
    return entry.definition is not None and entry.definition.format == "hex_initial_position"


@rule("SGF603", "node", when="turn", shape=lambda node: node.moves() and not node.of_type("setup"))
def same_color_twice(node: NodeView) -> Iterator[Finding]:
    """Setup, or PL, between two moves makes another start."""
    moves = node.moves()
    if moves and not node.of_type("setup") and moves[0].ident == _last_mover(node):
        yield moves[0].finding()
    if moves:
        node.tree.movers[node.number] = moves[-1].ident


def _last_mover(node: NodeView) -> str:
    """B or W, whichever moved last on the way to `node`; "" where setup came since."""
    tree, parent, movers = node.tree, node.tree.flat.parent, node.tree.movers
    passed: list[int] = []
    found = ""
    above = parent[node.number]
    while above >= tree.first:
        if above in movers:
            found = movers[above]
            break
        passed.append(above)
        view = NodeView(tree, above)
        if moves := view.moves():
            found = moves[-1].ident
            break
        if view.of_type("setup"):
            break
        above = parent[above]
    movers.update(dict.fromkeys(passed, found))
    return found


@rule("SGF604", "node", shape=lambda node: not node.is_root and node.of_type("setup"))
def setup_in_main_line(node: NodeView) -> Iterator[Finding]:
    if node.is_root or node.number not in node.tree.in_main_line:
        return
    for entry in node.of_type("setup"):
        if entry.definition is not None and entry.definition.unique == "setup":
            yield entry.finding()


@rule("SGF605", "node", shape=lambda node: node.get("AE") and not node.moves())
def imitated_variation(node: NodeView) -> Iterator[Finding]:
    """A variation that first takes the move away, to play another in its place.

    It begins one node too late: AE clears the point of the move before it, and
    the node below plays a move of the same colour.
    """
    tree, erased = node.tree, node.get("AE")
    above = tree.flat.parent[node.number]
    if erased is None or node.moves() or above < tree.first:
        return
    before = NodeView(tree, above).moves()
    if len(before) != 1 or erased.raw != [before[0].raw[0]]:
        return
    for child in tree.variations.get(node.number, ()):
        moves = NodeView(tree, child).moves()
        if moves and moves[0].ident == before[0].ident:
            yield Finding(*node.span, {}, "AE")
            return


@correction("SGF605")
def one_level_up(site: Site) -> Correction | None:
    """The variation becomes one of the node above, where its move is played instead.

    Certain only where it takes the move off and says nothing else.
    """
    flat, eraser = site.flat, site.node
    above = flat.parent[eraser.number]
    opening = flat.opening.get(eraser.number)
    if opening is None or len(eraser.properties) != 1 or flat.parent[above] < 0:
        return None
    end = flat.closing[eraser.number] + 1
    variation = b"(" + site.data[eraser.span[1] : end]
    edits = [Edit(opening, end)]
    if above in flat.opening:
        place = flat.closing[above] + 1
        edits.append(Edit(place, place, variation))
    else:
        start = flat.node_start[above]
        place = min(close for close in flat.closing.values() if close >= end)
        edits += [Edit(start, start, b"("), Edit(place, place, b")" + variation)]
    return Correction(tuple(edits))


@rule("SGF701", "collection", when="several")
def several_trees(collection: CollectionView) -> Iterator[Finding]:
    count = len(collection.trees)
    if count > 1:
        second = collection.trees[1].first
        start = collection.flat.opening[second]
        yield Finding(start, start + 1, {"count": count}, node=second)


def _mixed(collection: CollectionView, of: Callable[[TreeView], object]) -> Iterator[Finding]:
    """The first tree of each kind that differs from the first of all."""
    first = of(collection.trees[0])
    seen = {first}
    for tree in collection.trees:
        value = of(tree)
        if value not in seen:
            seen.add(value)
            start = collection.flat.opening[tree.first]
            yield Finding(start, start + 1, {"value": value, "first": first}, node=tree.first)


@rule("SGF702", "collection", when="several")
def mixed_file_formats(collection: CollectionView) -> Iterator[Finding]:
    yield from _mixed(collection, lambda tree: tree.file_format)


@rule("SGF703", "collection", when="several")
def mixed_games(collection: CollectionView) -> Iterator[Finding]:
    yield from _mixed(collection, lambda tree: tree.context.game)


@rule("SGF704", "collection", when="several")
def mixed_charsets(collection: CollectionView) -> Iterator[Finding]:
    yield from _mixed(collection, lambda tree: tree.context.codec)
