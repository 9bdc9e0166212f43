"""sgf_lark itself as a target."""

from __future__ import annotations

import json
from typing import Any

import sgf_lark
from sgf_lark.fuzz.canonical import Games, canonical
from sgf_lark.model.property import set_properties


def tables(data: bytes) -> Games:
    """Return the canonical tree of the compiled engine; raise SGFSyntaxError."""
    return canonical(data, "text")


def lark(data: bytes) -> Games:
    """Return the canonical tree of Lark's parser; raise SGFSyntaxError."""
    return canonical(data, "text", engine="lark")


def tolerant(data: bytes) -> Games:
    """Return the canonical tree of any bytes."""
    return canonical(sgf_lark.loads(data, tolerant=True, charset_mode="text"), "text")


def fixed(data: bytes) -> dict[str, Any]:
    """Return the canonical tree of the fixed file; raise SGFSyntaxError if it is still damaged.

    A fix may be an escape, which only the form "raw" shows.
    """
    return {"form": "raw", "games": canonical(sgf_lark.fix(data).data)}


def written(data: bytes) -> Games:
    """Write a canonical tree, given as JSON, and return the tree of what was written."""
    model = json.loads(data)
    collection = sgf_lark.Collection(_game(nodes, model["charset"]) for nodes in model["games"])
    return canonical(sgf_lark.dumps(collection), "text")


def _game(nodes: list[dict[str, Any]], charset: str) -> sgf_lark.GameTree:
    game = sgf_lark.new_game(charset=charset)
    made: list[sgf_lark.Node] = []
    for entry in nodes:
        node = game.root if entry["parent"] is None else made[entry["parent"]].add_child()
        # Texts are written as typed values. Others need escapes only in unknown properties.
        properties = [
            sgf_lark.Property(node, ident, [_escaped(value).encode(charset) for value in values])
            for ident, values in entry["properties"]
        ]
        set_properties(node, properties)
        for item, (ident, values) in zip(properties, entry["properties"], strict=True):
            if item.definition is not None and item.definition.is_text:
                node[ident] = values[0] if len(values) == 1 else values
        made.append(node)
    return game


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")
