"""Writes a collection. What was not edited comes out byte for byte as it came in."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import BinaryIO

from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.tree import GameTree
from sgf_lark.text.decoding import Decoding

_WHITE_SPACE = re.compile(rb"[ \t\n\r\v\f]*")


def dumps(collection: Collection) -> bytes:
    """The collection as SGF, in the charset it was read from.

    Raises UnicodeEncodeError (a ValueError) where the file is stored as a whole in
    a charset that lacks a character of the new text.
    """
    if not collection.edited:
        return collection.data
    flat = collection.flat
    reading = collection.decoding
    parts = [reading.original_bytes(None, flat.opening[flat.roots[0]])]
    for tree in collection:
        _write_tree(tree, reading, parts)
    return b"".join(parts)


def dump(collection: Collection, file: str | os.PathLike[str] | BinaryIO) -> None:
    """Write the collection to a path or to a binary file object.

    A path is written by :func:`write_file`, so that no half-written file is ever
    seen. Raises OSError.
    """
    data = dumps(collection)
    if hasattr(file, "write"):
        file.write(data)
        return
    write_file(Path(file), data)


def write_file(target: Path, data: bytes, *, keep_times: bool = False) -> None:
    """Write `data` to a temporary file beside `target`, which then takes its place.

    The new file has the permissions of the old one, and its times where they are
    to be kept. A link is followed. Raises OSError.
    """
    target = target.resolve()
    before = target.stat() if target.exists() else None
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(before.st_mode & 0o7777 if before else 0o644)
        if keep_times and before:
            os.utime(temporary, ns=(before.st_atime_ns, before.st_mtime_ns))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write_tree(tree: GameTree, reading: Decoding, parts: list[bytes]) -> None:
    """Without recursion: the stack holds what is still to be written, last first."""
    stack: list[Node | bytes] = [
        _closing(tree.root, reading),
        tree.root,
        _opening(tree.root, reading),
    ]
    while stack:
        item = stack.pop()
        if isinstance(item, bytes):
            parts.append(item)
            continue
        parts.append(_node(item, reading))
        children = item.children
        if len(children) == 1 and children[0].number not in tree.flat.opening:
            stack.append(children[0])
            continue
        for child in reversed(children):
            stack += [_closing(child, reading), child, _opening(child, reading)]


def _with_space(reading: Decoding, start: int, end: int) -> bytes:
    """The bytes of the file from `start` to `end` and the white space behind them."""
    match = _WHITE_SPACE.match(reading.data, end)
    return reading.original_bytes(start, match.end() if match else end)


def _opening(node: Node, reading: Decoding) -> bytes:
    """The "(" before the node, with the white space after it."""
    offset = node.tree.flat.opening.get(node.number) if node.number is not None else None
    return reading.encode(b"(") if offset is None else _with_space(reading, offset, offset + 1)


def _closing(node: Node, reading: Decoding) -> bytes:
    """The ")" of the variation that begins with the node, with the white space after it."""
    offset = node.tree.flat.closing.get(node.number) if node.number is not None else None
    return reading.encode(b")") if offset is None else _with_space(reading, offset, offset + 1)


def _node(node: Node, reading: Decoding) -> bytes:
    """A node with the white space behind it.

    A property that was put in the place of another keeps the white space that
    stood behind that one; new ones go behind the last, before its white space.
    """
    flat = node.tree.flat
    if node.number is None:
        return reading.encode(b";" + b"".join(map(bytes, node.properties)))
    start = flat.node_start[node.number]
    numbers = range(*flat.properties_of(node.number))
    end = flat.property_span(numbers[-1])[1] if numbers else start + 1
    if not node.edited:
        return _with_space(reading, start, end)
    gaps = {
        flat.ident(prop): _space_after(reading, flat.property_span(prop)[1]) for prop in numbers
    }
    parts = [_with_space(reading, start, start + 1)]
    tail = b""
    for entry in node.properties:
        if entry.number is None:
            own = reading.encode(bytes(entry))
        else:
            own = reading.original_bytes(*flat.property_span(entry.number))
        if entry.ident in gaps:
            parts += [tail, own]
            tail = (
                _space_after(reading, flat.property_span(entry.number)[1])
                if (entry.number is not None)
                else gaps[entry.ident]
            )
        else:
            parts.append(own)
    parts.append(tail)
    return b"".join(parts)


def _space_after(reading: Decoding, end: int) -> bytes:
    """The white space at `end`."""
    return _with_space(reading, end, end)
