"""Adapters of other Python libraries: each function returns the canonical tree of a file.

A library is imported when its function is called, in the process in which it is tested.
"""

from __future__ import annotations

import json
from codecs import lookup
from collections.abc import Iterable
from typing import Any

from sgf_lark.fuzz.canonical import LINE_BREAK, Games, canonical, flatten

# The libraries have no types, and are not installed where types are checked.


def sgfmill(data: bytes) -> dict[str, Any]:
    """Parse with sgfmill: all games of the collection, raw values. Raises ValueError."""
    from sgfmill import sgf as library
    from sgfmill import sgf_grammar

    games = [
        library.Sgf_game.from_coarse_game_tree(tree)
        for tree in sgf_grammar.parse_sgf_collection(data)
    ]
    result = []
    for game in games:
        codec = lookup(game.get_charset()).name

        def properties(node: Any, codec: str = codec) -> Iterable[tuple[str, list[str]]]:
            for ident in node.properties():
                raws = [raw.decode(codec, "replace") for raw in node.get_raw_list(ident)]
                yield ident, [LINE_BREAK.sub("\n", raw) for raw in raws]

        result.append(flatten(game.get_root(), list, properties))
    return {"form": "raw", "games": result}


def sgf(text: str) -> Games:
    """Parse with sgf. Raises sgf.ParseException."""
    import sgf as library

    def children(node: Any) -> list[Any]:
        tree = node.parent
        if node is not tree.nodes[-1]:
            return [node.next]
        return [child.nodes[0] for child in tree.children]

    return [
        flatten(game.root, children, lambda node: node.properties.items())
        for game in library.parse(text)
    ]


def pysgf(text: str) -> Games:
    """Parse with pysgf, which supports one game. Raises pysgf.ParseError."""
    from pysgf import GoGame

    root = GoGame.parse_sgf(text)
    return [flatten(root, lambda node: node.children, lambda node: node.properties.items())]


def sgflib(text: str) -> Games:
    """Parse with sgflib, which keeps the values as a set. Raises SGFParserError."""
    from sgflib import SGFParser

    #: A node: its sequence, its index there, and the variations after the sequence.
    Place = tuple[list[Any], int, list[Any]]

    def children(place: Place) -> list[Place]:
        sequence, index, variations = place
        if index + 1 < len(sequence):
            return [(sequence, index + 1, variations)]
        return [(tree.sequence, 0, tree.variations) for tree in variations]

    def properties(place: Place) -> Iterable[tuple[str, list[str]]]:
        sequence, index, _ = place
        return ((ident, sorted(values)) for ident, values in sequence[index].items())

    return [
        flatten((tree.sequence, 0, tree.variations), children, properties)
        for tree in SGFParser(text).parse_collection()
    ]


# --- Writers ------------------------------------------------------------------------------------


def sgfmill_writer(data: bytes) -> Games:
    """Write with sgfmill: all values as texts, with its escapes."""
    from sgfmill import sgf_grammar, sgf_properties

    model = json.loads(data)
    presenter = sgf_properties.Presenter(19, model["charset"])
    parts: list[bytes] = []
    for nodes in model["games"]:
        children: list[list[int]] = [[] for _ in nodes]
        for index, entry in enumerate(nodes):
            if entry["parent"] is not None:
                children[entry["parent"]].append(index)

        def properties(index: int, nodes: Any = nodes) -> dict[str, list[bytes]]:
            return {
                ident: [sgf_properties.serialise_text(value, presenter) for value in values]
                for ident, values in nodes[index]["properties"]
            }

        tree = sgf_grammar.make_coarse_game_tree(0, children.__getitem__, properties)
        parts.append(sgf_grammar.serialise_game_tree(tree))
    return canonical(b"".join(parts), "text")


def pysgf_writer(data: bytes) -> Games:
    """Write with pysgf, one game after the other."""
    from pysgf import GoNode

    model = json.loads(data)
    parts = []
    for nodes in model["games"]:
        made: list[Any] = []
        for entry in nodes:
            parent = None if entry["parent"] is None else made[entry["parent"]]
            made.append(GoNode(parent=parent, properties=dict(entry["properties"])))
        parts.append(made[0].sgf())
    return canonical("".join(parts).encode(model["charset"]), "text")
