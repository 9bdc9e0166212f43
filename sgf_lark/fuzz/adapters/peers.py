"""Adapters of other Python libraries: each function returns the canonical tree of a file.

A library is imported when its function is called, in the process in which it is tested.
"""

from __future__ import annotations

from codecs import lookup
from collections.abc import Iterable
from typing import Any

from sgf_lark.fuzz.canonical import LINE_BREAK, Games, flatten

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
