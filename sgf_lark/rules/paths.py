"""Rules about paths and trees (6xx) and about the collection (7xx)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import islice
from operator import attrgetter

from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.board_walk import is_out_of_turn
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.programs import is_handicap_move
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.fixes import FIXED_WITH_ANOTHER, Edit, Fix, FixContext, fix_for
from sgf_lark.rules.order import may_be_several_nodes
from sgf_lark.rules.registry import Finding, Needs, Scope, at, plays, rule, where


def nodes_with(tree: GameTree, name: str, wanted: object) -> Iterator[Node]:
    """The nodes of a tree, in pre-order, with a property that has that attribute of its definition,
    as :meth:`Node.select` selects them."""
    idents = tree.parsed.reader.identifiers_with(name, wanted)
    return (Node(tree, number) for number in tree.parsed.nodes_with(idents))


def _game_info(tree: GameTree) -> Iterator[list[Property]]:
    """The game information of each node that has any, in pre-order."""
    return filter(None, map(_about_game, nodes_with(tree, "type", "game-info")))


@rule("SGF601", Scope.TREE, needs=Needs.INFO_BELOW_ROOT, since=4)
@rule("SGF606", Scope.TREE, needs=Needs.INFO_BELOW_ROOT, until=3)
def game_info_twice(tree: GameTree) -> Iterator[Finding]:
    """Reports game information below a node with game information; FF[4] introduced the types of
    properties, and forbade it."""
    flat, numbers = tree.parsed.flat, tree.parsed.numbers
    parent, variations = flat.parent, flat.variations_of(numbers)
    above = end = -1
    for entries in _game_info(tree):
        number = entries[0].node.number
        if number >= end:
            above = number
            # The nodes below it end where a variation follows a node that is before it.
            places = range(bisect_right(variations, above), len(variations))
            ends = (variations[each] for each in places if parent[variations[each]] < above)
            end = next(ends, numbers.stop)
            continue
        start = flat.node_start[above]
        for entry in entries:
            yield at(entry, related=(start, start + 1), node=number)


@fix_for("SGF601")
def move_to_game_info(site: FixContext) -> Fix | None:
    """Move the property to the node with the other game information.

    This is safe if that lacks it, no variation begins between the two nodes, and the node is
    certainly one. A property that is there already is deleted; this is not safe if it is there
    several times, of which programs read one or the other.
    """
    entry = site.entry
    number = site.flat.node_at(site.finding.related[0][0])
    holder = site.tree.node(number)
    other = holder.property(entry.ident, None)
    if site.is_repeated:
        return None
    if other is not None and other.raw == entry.raw:
        return site.delete_property(safe=len(site.flat.of_ident(number, entry.ident)) == 1)
    is_missing = other is None and site.is_first("info", number, entry.ident)
    if not is_missing and entry.ident != "GC":
        return None  # it becomes a comment
    safe = is_missing and _is_only_way(site, number) and not may_be_several_nodes(site)
    return Fix(site.move([entry], holder), safe)


def _is_only_way(site: FixContext, above: int) -> bool:
    """Whether each game that goes through the node `above` also goes through that of the site.

    Then game information in one of them is about the same games as in the other.
    """
    tops = site.cached("tops", lambda: _tops(site.flat))
    return tops[site.flat.node_at(site.start)] <= above


def _tops(flat: FlatTree) -> list[int]:
    """For each node the first node above it from which there is no other way than to it."""
    children = flat.child_counts
    tops: list[int] = []
    for number, above in enumerate(flat.parent):
        tops.append(tops[above] if above >= 0 and children[above] == 1 else number)
    return tops


@rule("SGF602", Scope.TREE, needs=Needs.INFO_BELOW_ROOT)
def game_info_not_in_root(tree: GameTree) -> Iterator[Finding]:
    """Reports game information in the only node that has any, if that is not the root."""
    match [*islice(_game_info(tree), 2)]:
        case [[first, *_]] if first.node.parent is not None:
            yield at(first, node=first.node.number)


@fix_for("SGF602")
def move_game_info_to_root(site: FixContext) -> Fix | None:
    """Move the game information of the node to the root, which has none.

    This is safe if no variation begins before the node, and it is certainly one.
    """
    safe = _is_only_way(site, site.tree.parsed.numbers[0]) and not may_be_several_nodes(site)
    return Fix(site.move(_about_game(site.node), site.tree.root), safe)


def _about_game(node: Node) -> list[Property]:
    """The game information of a node; IP of Hex is by its type, but marks its node."""
    marks = node.select(format="hex_initial_position")
    return [entry for entry in node.select(type="game-info") if entry not in marks]


@rule("SGF603", Scope.NODE, having=(plays,), needs=Needs.OUT_OF_TURN)
def same_color_twice(node: Node) -> Iterator[Finding]:
    """Reports two moves of one color in a row, without setup between them."""
    if node.select(type="setup") or not is_out_of_turn(node):
        return
    if not _exchanged_colors(node) and not is_handicap_move(node):
        yield at(node.moves()[0])


def _exchanged_colors(node: Node) -> bool:
    """Whether the move before the node exchanged the colors, so that the same color plays on."""
    if node.tree.game_definition.move != "hex_move":
        return False
    above = node.parent
    while above is not None and not above.moves():
        above = above.parent
    return above is not None and above.moves()[-1].raw[:1] == [b"swap-sides"]


@rule("SGF604", Scope.NODE, having=(where(type="setup"),), needs=Needs.NOT_ROOT)
def setup_in_main_line(node: Node) -> Iterator[Finding]:
    """Reports setup of stones in the main line after the root."""
    parsed = node.tree.parsed
    if node.number == parsed.numbers[0] or node.number not in parsed.main_line_numbers:
        return
    for entry in node.select(unique="setup"):
        yield at(entry)


@rule("SGF605", Scope.NODE, having=(where(ident="AE"),), needs=Needs.NO_MOVE)
def imitated_variation(node: Node) -> Iterator[Finding]:
    """Reports a variation that replaces a move by AE and another move.

    AE takes the move of the node above off the board, and a child plays a move of the same
    color. The variation should begin one node earlier.
    """
    above = node.parent
    if above is not None and not node.moves() and _replaces_move(node, above):
        yield Finding(*node.tree.parsed.flat.node_span(node.number), {}, "AE")


def _replaces_move(node: Node, above: Node) -> bool:
    """Whether the node takes the only move of the node above off the board, and a child plays one
    of its color."""
    erased = [raw for entry in node.select("AE") for raw in entry.raw]
    colors = {played.ident for child in node.children for played in child.moves()[:1]}
    match above.moves():
        case [move]:
            return erased == move.raw[:1] and move.ident in colors
    return False


@fix_for("SGF605")
def move_variation_up(site: FixContext) -> Fix | None:
    """Move the variation up to the node where its move is played, with all others that take the
    same move off the board, in their order.

    This is possible only if its first node does nothing but take the move off the board. It is
    not safe: the move that is taken off may have captured stones.
    """
    flat, above = site.flat, site.node.parent
    assert above is not None
    if above.parent is None or not _only_erases(site.node, above):
        return None
    number = flat.parent[flat.node_at(site.start)]
    if not site.is_first("variations", number):
        return FIXED_WITH_ANOTHER
    edits = []
    variations = b""
    for eraser in above.children:
        if _only_erases(eraser, above):
            opening, end = flat.bounds(flat.node_at(flat.node_start[eraser.number]))
            edits.append(Edit(opening, end + 1))
            variations += b"(" + site.data[flat.node_span(eraser.number)[1] : end + 1]
    first = number
    while first not in flat.opening:
        first = flat.parent[first]
    place = flat.closing[first]
    if first == number:
        edits.append(Edit(place + 1, place + 1, variations))
    else:
        start = flat.node_start[number]
        edits += [Edit(start, start, b"("), Edit(place, place, b")" + variations)]
    return Fix(tuple(edits), safe=False)


def _only_erases(node: Node, above: Node) -> bool:
    """Whether the node begins a variation, and does nothing but take the only move above off the
    board, of which a child has the color."""
    is_alone = node.number in node.tree.parsed.flat.opening and len(node.properties) == 1
    return is_alone and _replaces_move(node, above) and above.moves()[0].count == 1


@rule("SGF701", Scope.COLLECTION, needs=Needs.SEVERAL_TREES)
def several_trees(collection: Collection) -> Iterator[Finding]:
    """Reports a collection of several game trees."""
    count = len(collection)
    if count > 1:
        second = collection[1].parsed.numbers[0]
        start = collection.flat.opening[second]
        yield Finding(start, start + 1, {"count": count}, node=second)


def _codec_in_file(tree: GameTree) -> str:
    charset = tree.parsed.section.charset
    return tree.charset if charset is None else charset.codec


@rule("SGF702", Scope.COLLECTION, needs=Needs.SEVERAL_TREES, key=attrgetter("file_format"))
@rule("SGF703", Scope.COLLECTION, needs=Needs.SEVERAL_TREES, key=attrgetter("game"))
@rule("SGF704", Scope.COLLECTION, needs=Needs.SEVERAL_TREES, key=_codec_in_file)
def mixed_trees(collection: Collection, key: Callable[[GameTree], object]) -> Iterator[Finding]:
    """Reports the first tree with each file format, game or charset that is not that of the first
    tree."""
    first = key(collection[0])
    seen = {first}
    for tree in collection:
        value = key(tree)
        if value not in seen:
            seen.add(value)
            number = tree.parsed.numbers[0]
            start = collection.flat.opening[number]
            yield Finding(start, start + 1, {"value": value, "first": first}, node=number)
