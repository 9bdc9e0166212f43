"""A parser for the harness in Python; beside it are the same ones in other languages.

They crash on "(crash", hang on "(hang", return a tree for "(tree", accept other files that begin
with "(", and reject the rest.
"""

from __future__ import annotations

from typing import Any

#: A root, its child and a variation, and a second game.
TREE: list[list[dict[str, Any]]] = [
    [
        {"parent": None, "properties": [["C", ['a"\\\n\u00e9']], ["AB", ["aa", "bb"]]]},
        {"parent": 0, "properties": []},
        {"parent": 0, "properties": [["W", [""]]]},
    ],
    [{"parent": None, "properties": []}],
]


def parse(data: bytes) -> list[list[dict[str, Any]]] | None:
    """Called by the harness."""
    if data.startswith(b"(crash"):
        raise KeyError("crash")
    while data.startswith(b"(hang"):
        pass
    if data.startswith(b"(tree"):
        print("noise")
        return TREE
    if not data.startswith(b"("):
        raise ValueError("no\nSGF")
    return None
