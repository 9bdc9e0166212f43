"""Writers of other Python libraries: each function writes a canonical tree, given as JSON.

It returns the tree of what was written, as sgf_lark reads it, and raises SGFSyntaxError if that is
outside the grammar.
"""

from __future__ import annotations

import json
from typing import Any

from sgf_lark.fuzz.canonical import Games, canonical

# The libraries have no types, and are not installed where types are checked.


def sgfmill(data: bytes) -> dict[str, Any]:
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
    return _reply(b"".join(parts))


def pysgf(data: bytes) -> dict[str, Any]:
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
    return _reply("".join(parts).encode(model["charset"]))


def _reply(written: bytes) -> dict[str, Any]:
    games: Games = canonical(written, "text")
    return {"form": "text", "games": games}
