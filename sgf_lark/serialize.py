"""Writes a collection. What was not edited comes out byte for byte as it came in."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import BinaryIO

from sgf_lark.model import Collection, GameTree, Node

_WHITE_SPACE = re.compile(rb"[ \t\n\r\v\f]*")


def dumps(collection: Collection) -> bytes:
    """The collection as SGF."""
    if not collection.edited:
        return collection.data
    flat = collection.flat
    parts = [collection.data[: flat.opening[flat.roots[0]]]]
    for tree in collection:
        _write_tree(tree, collection.data, parts)
    return b"".join(parts)


def dump(collection: Collection, file: str | os.PathLike[str] | BinaryIO) -> None:
    """Write the collection to a path or to a binary file object.

    A path is written as a temporary file beside it, which then takes its place,
    so that no half-written file is ever seen. Raises OSError.
    """
    data = dumps(collection)
    if hasattr(file, "write"):
        file.write(data)
        return
    target = Path(file)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o644)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write_tree(tree: GameTree, data: bytes, parts: list[bytes]) -> None:
    """Without recursion: the stack holds what is still to be written, last first."""
    stack: list[Node | bytes] = [_closing(tree.root, data), tree.root, _opening(tree.root, data)]
    while stack:
        item = stack.pop()
        if isinstance(item, bytes):
            parts.append(item)
            continue
        parts.append(_node(item, data))
        children = item.children
        if len(children) == 1 and children[0].number not in tree.flat.opening:
            stack.append(children[0])
            continue
        for child in reversed(children):
            stack += [_closing(child, data), child, _opening(child, data)]


def _with_space(data: bytes, start: int, end: int) -> bytes:
    """The bytes from `start` to `end` and the white space behind them."""
    match = _WHITE_SPACE.match(data, end)
    return data[start : match.end() if match else end]


def _opening(node: Node, data: bytes) -> bytes:
    offset = node.tree.flat.opening.get(node.number) if node.number is not None else None
    return b"(" if offset is None else _with_space(data, offset, offset + 1)


def _closing(node: Node, data: bytes) -> bytes:
    offset = node.tree.flat.closing.get(node.number) if node.number is not None else None
    return b")" if offset is None else _with_space(data, offset, offset + 1)


def _node(node: Node, data: bytes) -> bytes:
    """A node with the white space behind it.

    A property that was put in the place of another keeps the white space that
    stood behind that one; new ones go behind the last, before its white space.
    """
    flat = node.tree.flat
    if node.number is None:
        return b";" + b"".join(map(bytes, node.properties))
    start = flat.node_start[node.number]
    numbers = range(*flat.properties_of(node.number))
    end = flat.property_span(numbers[-1])[1] if numbers else start + 1
    if not node.edited:
        return _with_space(data, start, end)
    gaps = {flat.ident(prop): _space_after(data, flat.property_span(prop)[1]) for prop in numbers}
    parts = [_with_space(data, start, start + 1)]
    tail = b""
    for entry in node.properties:
        own = (
            bytes(entry) if entry.number is None else data[slice(*flat.property_span(entry.number))]
        )
        if entry.ident in gaps:
            parts += [tail, own]
            tail = (
                _space_after(data, flat.property_span(entry.number)[1])
                if (entry.number is not None)
                else gaps[entry.ident]
            )
        else:
            parts.append(own)
    parts.append(tail)
    return b"".join(parts)


def _space_after(data: bytes, end: int) -> bytes:
    return _with_space(data, end, end)
