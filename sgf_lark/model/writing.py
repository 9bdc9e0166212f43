"""Writes a collection. Parts that were not edited keep their bytes."""

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
    """The collection as SGF, in the charset of its source.

    Raises UnicodeEncodeError (a ValueError) if the file was decoded as a whole and its charset
    lacks a character of the new text.
    """
    if not collection.edited:
        return collection.data
    flat = collection.flat
    decoding = collection.decoding
    parts = [decoding.original_bytes(None, flat.opening[flat.roots[0]])]
    for tree in collection:
        _write_tree(tree, decoding, parts)
    return b"".join(parts)


def dump(collection: Collection, file: str | os.PathLike[str] | BinaryIO) -> None:
    """Write the collection to a path or to a binary file object.

    A path is written by :func:`write_file`, so that other programs never read half of a file.
    Raises OSError.
    """
    data = dumps(collection)
    if hasattr(file, "write"):
        file.write(data)
        return
    write_file(Path(file), data)


def write_file(target: Path, data: bytes, *, keep_times: bool = False) -> None:
    """Write `data` to a temporary file in the folder of `target`, then rename it to `target`.

    The new file has the permissions of the old one, and its times with `keep_times`. Symbolic
    links are followed. Raises OSError.
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


def _write_tree(tree: GameTree, decoding: Decoding, parts: list[bytes]) -> None:
    """Append the bytes of a tree to `parts`.

    There is no recursion: the stack has the nodes and bytes still to be written, last first.
    """
    stack: list[Node | bytes] = [
        _closing(tree.root, decoding),
        tree.root,
        _opening(tree.root, decoding),
    ]
    while stack:
        item = stack.pop()
        if isinstance(item, bytes):
            parts.append(item)
            continue
        parts.append(_node(item, decoding))
        children = item.children
        if len(children) == 1 and children[0].number not in tree.flat.opening:
            stack.append(children[0])
            continue
        for child in reversed(children):
            stack += [_closing(child, decoding), child, _opening(child, decoding)]


def _with_space(decoding: Decoding, start: int, end: int) -> bytes:
    """The bytes of the file from `start` to `end` and the white space after them."""
    match = _WHITE_SPACE.match(decoding.data, end)
    return decoding.original_bytes(start, match.end() if match else end)


def _opening(node: Node, decoding: Decoding) -> bytes:
    """The "(" before the node, with the white space after it."""
    offset = node.tree.flat.opening.get(node.number) if node.number is not None else None
    return decoding.encode(b"(") if offset is None else _with_space(decoding, offset, offset + 1)


def _closing(node: Node, decoding: Decoding) -> bytes:
    """The ")" of the variation that begins with the node, with the white space after it."""
    offset = node.tree.flat.closing.get(node.number) if node.number is not None else None
    return decoding.encode(b")") if offset is None else _with_space(decoding, offset, offset + 1)


def _node(node: Node, decoding: Decoding) -> bytes:
    """A node with the white space after it.

    A property that replaces another is followed by the white space after that one. New
    properties follow the last one, before its white space.
    """
    flat = node.tree.flat
    if node.number is None:
        return decoding.encode(b";" + b"".join(map(bytes, node.properties)))
    start = flat.node_start[node.number]
    numbers = range(*flat.properties_of(node.number))
    end = flat.property_span(numbers[-1])[1] if numbers else start + 1
    if not node.edited:
        return _with_space(decoding, start, end)
    gaps = {
        flat.ident(prop): _space_after(decoding, flat.property_span(prop)[1]) for prop in numbers
    }
    parts = [_with_space(decoding, start, start + 1)]
    tail = b""
    for entry in node.properties:
        if entry.number is None:
            own = decoding.encode(bytes(entry))
        else:
            own = decoding.original_bytes(*flat.property_span(entry.number))
        if entry.ident in gaps:
            parts += [tail, own]
            tail = (
                _space_after(decoding, flat.property_span(entry.number)[1])
                if entry.number is not None
                else gaps[entry.ident]
            )
        else:
            parts.append(own)
    parts.append(tail)
    return b"".join(parts)


def _space_after(decoding: Decoding, end: int) -> bytes:
    """The white space at `end`."""
    return _with_space(decoding, end, end)
