"""Writes a collection. Parts that were not edited keep their bytes."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from pathlib import Path
from typing import BinaryIO

from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.tree import GameTree
from sgf_lark.text.decoding import Decoding

_WHITE_SPACE = re.compile(rb"[ \t\n\r\v\f]*")


#: The names of temporary files begin with this; 16 hexadecimal digits follow.
TEMPORARY = ".sgf-lark-"


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


def write_file(
    target: Path, data: bytes, *, keep_times: bool = False, like: Path | None = None
) -> None:
    """Write `data` to a temporary file in the folder of `target`, then rename it to `target`.

    So `target` never has half of the data, even if the program is interrupted. The new file has
    the owner and permissions of the old one, or of the file `like`, and with `keep_times` its
    times. Symbolic links are followed; devices and pipes are written directly. Raises OSError
    with the name of `target`.
    """
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)
            return
        _replace(target.resolve(), data, keep_times, like)
    except RuntimeError as error:  # a symbolic link to itself, in Python 3.12 and older
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(target)) from error
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error


def _replace(target: Path, data: bytes, keep_times: bool, like: Path | None) -> None:
    """Write `data` to a new file and rename it to `target`."""
    pattern = target if like is None and target.exists() else like
    before = None if pattern is None else pattern.stat()
    temporary = target.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
            # The content has to be on the disk before the name leads to it.
            stream.flush()
            os.fsync(stream.fileno())
        if before is not None:
            _copy_attributes(temporary, before, keep_times)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _copy_attributes(file: Path, before: os.stat_result, keep_times: bool) -> None:
    if hasattr(os, "chown"):
        # Only root may give a file to another owner.
        with contextlib.suppress(PermissionError):
            os.chown(file, before.st_uid, before.st_gid)
    file.chmod(before.st_mode & 0o7777)
    if keep_times:
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


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
