"""A second parser of SGF, as short and plain as the specification allows.

It shares no code with sgf_lark. The trees in the manifest are its results; the trees and texts
that are written by hand in the cases are compared with those of both parsers.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Any

WHITE_SPACE = b" \t\n\r\v\f"
LINE_BREAKS = (b"\r\n", b"\n\r", b"\n", b"\r")
DEFAULT_CHARSET = "iso-8859-1"


class OutsideGrammar(ValueError):
    """The bytes do not follow the grammar of FF[4]."""


@dataclass
class Node:
    """A node: the index of its parent in the same game, and its properties with raw values."""

    parent: int | None
    properties: list[tuple[str, list[bytes]]] = field(default_factory=list)

    def value(self, ident: str) -> bytes:
        """Return the first value of the property, or empty bytes."""
        return next((values[0] for name, values in self.properties if name == ident), b"")


def read(data: bytes) -> list[list[Node]]:
    """Return the games, each the list of its nodes in pre-order; raise OutsideGrammar."""
    games: list[list[Node]] = []
    at = _skip(data, 0)
    while at < len(data):
        game, at = _read_game(data, at)
        games.append(game)
        at = _skip(data, at)
    if not games:
        raise OutsideGrammar("no game tree")
    return games


def _skip(data: bytes, at: int) -> int:
    while at < len(data) and data[at] in WHITE_SPACE:
        at += 1
    return at


def _read_game(data: bytes, at: int) -> tuple[list[Node], int]:
    nodes: list[Node] = []
    #: For each open "(": the parent of its first node.
    opened: list[int | None] = []
    last: int | None = None
    before = ""
    while True:
        token = data[at : at + 1]
        if token == b"(" and before in ("", ";", ")"):
            opened.append(last)
        elif token == b";" and before in ("(", ";"):
            nodes.append(Node(last))
            last = len(nodes) - 1
            at = _read_properties(data, at + 1, nodes[-1])
            before = ";"
            continue
        elif token == b")" and before in (";", ")"):
            last = opened.pop()
            if not opened:
                return nodes, at + 1
        else:
            raise OutsideGrammar(f"byte {at}: {token!r} after {before!r}")
        before = token.decode()
        at = _skip(data, at + 1)


def _read_properties(data: bytes, at: int, node: Node) -> int:
    while True:
        at = _skip(data, at)
        start = at
        while data[at : at + 1].isalpha() and data[at : at + 1].isupper():
            at += 1
        if at == start:
            return at
        ident = data[start:at].decode("ascii")
        values: list[bytes] = []
        at = _skip(data, at)
        while data[at : at + 1] == b"[":
            end = at + 1
            while data[end : end + 1] != b"]":
                if end >= len(data):
                    raise OutsideGrammar(f"byte {at}: a value that is not closed")
                end += 2 if data[end : end + 1] == b"\\" else 1
            values.append(data[at + 1 : end])
            at = _skip(data, end + 1)
        if not values:
            raise OutsideGrammar(f"byte {start}: an identifier without a value")
        node.properties.append((ident, values))


# --- Values -----------------------------------------------------------------------


#: What Text of FF[4] changes: an escape with what it is before, a line break, other white space.
_CHANGED = re.compile(rb"(?s)\\(\r\n|\n\r|.?)|\r\n|\n\r|[\n\r\t\v\f]")


def text(value: bytes) -> bytes:
    """Return the value as Text of FF[4]: without escapes, with normalized white space."""

    def normalized(found: re.Match[bytes]) -> bytes:
        escaped = found[1]
        if escaped is not None and escaped in LINE_BREAKS:
            return b""
        if found[0] in LINE_BREAKS:
            return b"\n"
        character = found[0] if escaped is None else escaped
        return b" " if character in (b"\t", b"\v", b"\f") else character

    return _CHANGED.sub(normalized, value)


def charset(game: list[Node]) -> str:
    """Return the name of Python's codec for the charset that CA of the root names."""
    try:
        return codecs.lookup(game[0].value("CA").decode("ascii")).name
    except (LookupError, UnicodeDecodeError, ValueError):
        return DEFAULT_CHARSET


def trees(games: list[list[Node]], form: str, codec: str = "") -> list[list[dict[str, Any]]]:
    """Return the canonical trees with values in that form, decoded by `codec` or else by CA."""
    return [_tree(game, form, codec or charset(game)) for game in games]


def _tree(game: list[Node], form: str, codec: str) -> list[dict[str, Any]]:
    return [
        {
            "parent": node.parent,
            "properties": [
                [ident, [_value(value, form, codec) for value in values]]
                for ident, values in node.properties
            ],
        }
        for node in game
    ]


def _value(value: bytes, form: str, codec: str) -> str:
    if form == "text":
        return text(value).decode(codec, "replace")
    decoded = value.decode(codec, "replace")
    # The form "raw" normalizes line breaks to "\n" and nothing else.
    return re.sub("\r\n|\n\r|\r", "\n", decoded)
