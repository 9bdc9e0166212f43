"""Joins games that begin alike into one game tree, in which they are variations."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sgf_lark.model.info import GameInfo
from sgf_lark.model.property import Property, content, replaced, set_properties

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

#: Of root properties that differ the first one stays.
_FIRST_STAYS = {"AP", "CA", "FF", "GM", "ST", "SZ"}


def merged(games: Iterable[GameTree]) -> list[GameTree]:
    """The games, joined as far as they begin alike; see :meth:`Collection.merged`."""
    #: Each game, and the copy of it that may be joined with others.
    groups: dict[object, list[tuple[GameTree, GameTree]]] = {}
    for game in games:
        # As text in one charset, values are copied from tree to tree as they are written.
        own = copy.deepcopy(game)
        try:
            own.root["CA"] = "UTF-8"
        except ValueError:
            groups[game] = [(game, game)]
            continue
        key = own.game, own.file_format, own.size, _position(own.root)
        groups.setdefault(key, []).append((game, own))
    return [
        _joined([own for _, own in group]) if len(group) > 1 else group[0][0]
        for group in groups.values()
    ]


def _position(node: Node) -> str:
    """What distinguishes a node from its siblings: its moves and its setup."""
    found = []
    for entry in [*node.select(type="setup"), *node.moves()]:
        value = content(entry)
        parts = sorted(map(str, value)) if isinstance(value, list) else [str(value)]
        found.append(" ".join([entry.ident, *parts]))
    return ";".join(sorted(found))


def _joined(games: list[GameTree]) -> GameTree:
    """One game tree for games with the same first position."""
    first = games[0]
    infos = [_without_info(game) for game in games]
    lines = [[*game.main_line()] for game in games]
    paths = [lines[0]]
    for game, line in zip(games[1:], lines[1:], strict=True):
        places = _merge(first.root, game.root)
        paths.append([places.get(node, node) for node in line])
    shared = Counter(node for path in paths for node in path)
    for info, path in zip(infos, paths, strict=True):
        own = next((node for node in path if shared[node] == 1), None)
        if own is not None:
            moved = [Property(own, each.ident, each.raw) for each in info]
            set_properties(own, [*own.properties, *moved])
        elif info:
            # This game ends where others go on: no node is its own (sgf4, game-info).
            _add_comment(path[-1], " ".join(map(_as_text, info)))
    return first


def _without_info(game: GameTree) -> list[Property]:
    """Take the information about a game out of it."""
    node = game.info.node
    taken = node.select(type="game-info")
    idents = {entry.ident for entry in taken}
    set_properties(node, [entry for entry in node.properties if entry.ident not in idents])
    return taken


def _merge(first: Node, second: Node) -> dict[Node, Node]:
    """Join the second node, and all after it, with the first; the nodes that have a place in the
    first game now, each with the node there."""
    places: dict[Node, Node] = {}
    waiting = [(first, second)]
    while waiting:
        one, two = waiting.pop()
        places[two] = one
        _annotate(one, two)
        children = {_position(child): child for child in one.children[::-1]}
        for child in two.children:
            same = children.get(_position(child))
            if same is not None:
                waiting.append((same, child))
            else:
                child.move_to(one)
    return places


def _annotate(one: Node, two: Node) -> None:
    """Give a node what another node of the same position has besides it."""
    kept: list[Property] = one.properties
    comments: list[str] = []
    for entry in two.properties:
        definition, own = entry.definition, one.select(entry.ident)
        if not own:
            kept.append(Property(one, entry.ident, entry.raw))
        elif entry.ident in _FIRST_STAYS or content(entry) in map(content, own):
            continue
        elif entry.ident == "C":
            comments.append(GameInfo(two.tree, two).text("C") or "")
        elif definition is not None and definition.takes_many:
            raws = dict.fromkeys(raw for each in [*own, entry] for raw in each.raw)
            kept = replaced(kept, Property(one, entry.ident, [*raws]))
        else:
            comments.append(_as_text(entry))
    set_properties(one, kept)
    for comment in comments:
        _add_comment(one, comment)


def _as_text(entry: Property) -> str:
    """A property as it is written, for a comment."""
    return bytes(entry).decode("utf-8", "replace")


def _add_comment(node: Node, text: str) -> None:
    """Add a paragraph to the comment of a node, if it does not have it. A comment that cannot be
    read is kept as far as its charset allows."""
    before = GameInfo(node.tree, node).text("C")
    if text not in (before or "").split("\n\n"):
        node["C"] = f"{before}\n\n{text}" if before else text
