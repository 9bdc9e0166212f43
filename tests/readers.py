"""Two readers of any bytes, for comparing what they read before and after safe fixes.

One is the model, which reads tolerantly and executes setup before moves. The other is a small
reader of its own, like those of many programs: an identifier is the letters before a "[", of which
small ones are left out, whatever else is between tokens is skipped, and the properties of a node
are executed in the order of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from sgf_lark import loads

Properties = list[tuple[str, list[bytes]]]


@dataclass
class RawNode:
    """A node as a reader finds it: the index of its parent, or -1, and raw values."""

    parent: int
    properties: Properties = field(default_factory=list)


class RawGame(NamedTuple):
    """The nodes of a game in pre-order, whether setup is executed before moves, and the codec of
    the texts, if it is not the one that CA names."""

    nodes: list[RawNode]
    setup_first: bool
    codec: str | None = None


# --- Readers ------------------------------------------------------------------------


def read_by_model(data: bytes) -> list[RawGame]:
    """The games as the model reads them, with values in the bytes of the file, if possible."""
    games = []
    collection = loads(data, charset_mode="auto", tolerant=True)
    decoding = collection._decoding
    for tree in collection:
        is_declared = "CA" in tree._root_values or decoding.guess is None
        codec = "utf-8" if decoding.whole_file_charset is not None and is_declared else None
        nodes = []
        for node in tree.nodes():
            above = node.parent
            parent = -1 if above is None or above.number is None else above.number - tree._first
            properties = []
            for entry in node.properties:
                raws = entry.raw
                if not is_declared:
                    raws = [
                        decoding.original_bytes(value.start, value.end)
                        for value in entry.prop_values()
                    ]
                properties.append((entry.ident, raws))
            nodes.append(RawNode(parent, properties))
        games.append(RawGame(nodes, setup_first=True, codec=codec))
    return games


_TOKEN = re.compile(
    rb"(?s)\[(?P<value>(?:[^\]\\]|\\.)*)(?P<bracket>\]?)|(?P<ident>[A-Za-z]+)(?=[\x00-\x20\x7f]*\[)|[();]"
)
_START = re.compile(rb"\([\x00-\x20\x7f]*;")


def read_classically(data: bytes) -> list[RawGame] | None:
    """The games as a small reader finds them; None if a value or a tree is not closed."""
    games: list[RawGame] = []
    position = 0
    while (start := _START.search(data, position)) is not None:
        found = _read_game(data, start.start())
        if found is None:
            return None
        nodes, position = found
        games.append(RawGame(nodes, setup_first=False))
    return games


def _read_game(data: bytes, start: int) -> tuple[list[RawNode], int] | None:
    """The nodes of the game that begins there, and where it ends; None if it does not."""
    nodes: list[RawNode] = []
    branches: list[int] = []
    last = -1
    for token in _TOKEN.finditer(data, start):
        ident, value, bracket = token["ident"], token["value"], token["bracket"]
        if token[0] == b"(":
            branches.append(last)
        elif token[0] == b")":
            last = branches.pop()
            if not branches:
                return nodes, token.end()
        elif token[0] == b";":
            nodes.append(RawNode(last))
            last = len(nodes) - 1
        elif ident and nodes:
            name = re.sub(rb"[a-z]", b"", ident) or ident
            nodes[last].properties.append((name.decode(), []))
        elif value is not None and not bracket:
            return None
        elif value is not None and nodes and nodes[last].properties:
            nodes[last].properties[-1][1].append(value)
    return None
