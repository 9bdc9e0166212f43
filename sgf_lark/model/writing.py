"""Writes a collection. Parts that were not edited keep their bytes."""

from __future__ import annotations

import io
import os
import re
from copy import copy
from pathlib import Path
from typing import BinaryIO

from sgf_lark.atomic_files import write_file
from sgf_lark.grammar import Charset
from sgf_lark.model.collection import Collection
from sgf_lark.model.moving import recoded
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree, restored
from sgf_lark.model.values.writer import ends_at_bracket
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.text import charsets, validity
from sgf_lark.text.decoding import Decoding, has_undecodable_bytes
from sgf_lark.text.escaping import short_repr


def dumps(games: Collection | GameTree, *, charset: str | None = None) -> bytes:
    """A collection, or one game, as SGF. Parts that were not edited keep their bytes.

    Each game tree is written in its own charset, and all of a file in UTF-16 or with a byte order
    mark in that of the file. A game tree from elsewhere is written anew for that, with a CA if it
    needs one. `charset` is the name of another charset to write all texts in, and to name in CA;
    in "UTF-16" and "UTF-32" the whole file is written.

    Raises TypeError for anything else than a collection or game tree, LookupError for an unknown
    charset, ValueError for a charset in which SGF cannot be read, for texts that have a character
    the charset lacks or are not valid in their own charset, and for a collection without game
    trees.
    """

    if isinstance(games, Collection):
        if charset is None and not games.edited:
            return games.data
        if not len(games):
            raise ValueError("a collection without game trees is not an SGF file (sgf4, EBNF)")
    elif not isinstance(games, GameTree) or not games.root._is_root:
        raise TypeError(
            "what can be written is a GameTree or a Collection, as Collection(games) makes one; "
            f"given {games!r:.80}"
        )
    return in_own_charsets(games) if charset is None else in_charset(games, charset)


def dump(
    games: Collection | GameTree,
    file: str | os.PathLike[str] | BinaryIO,
    *,
    charset: str | None = None,
) -> None:
    """Write a collection, or one game, to a path or to a binary file object.

    A path is written by :func:`write_file`, so that other programs never read half of a file.
    Raises OSError, and what :func:`dumps` raises, before anything is written.
    """
    data = dumps(games, charset=charset)
    if isinstance(file, (str, os.PathLike)):
        write_file(Path(file), data)
        return
    if isinstance(file, io.TextIOBase) or not callable(getattr(file, "write", None)):
        raise TypeError(
            'expected a path or a binary file object, such as open(path, "wb"), '
            f"not {short_repr(file)}"
        )
    file.write(data)


# Collections and game trees as bytes: in their own charsets, or all in another one.


_WHITE_SPACE = re.compile(rb"[ \t\n\r\v\f]*")
_ESCAPED_OR_BRACKET = re.compile(rb"(\\.)|\]", re.DOTALL)
_UTF_8 = "UTF-8"
#: The charsets that are no supersets of ASCII, but that a file shows by its first bytes.
_UNICODE = ("UTF-16", "UTF-32")


def in_own_charsets(games: Collection | GameTree) -> bytes:
    """Each game tree in its own charset, or in that of the file as a whole."""
    if isinstance(games, GameTree):
        trees, decoding = [games], games.parsed.file.decoding
        signature = decoding.unicode_signature
        mark = "\N{BYTE ORDER MARK}".encode(signature.codec) if signature.length else b""
        parts = [mark]
    else:
        trees, decoding = [*games], games.file.decoding
        roots = games.flat.roots
        parts = [decoding.original_bytes(None, games.flat.bounds(roots[0])[0])] if roots else []
    # The charset that all of the file is in, whatever the game trees declare.
    whole = decoding.whole or (
        charsets.named(decoding.unicode_signature.charset)
        if decoding.unicode_signature.charset
        else None
    )
    for tree in trees:
        if _is_alike(tree.parsed.file.decoding, decoding):
            parts.append(_written(tree))
        elif whole is not None:
            parts.append(decoding.sections[0].encode(_written(_converted(tree, whole))))
        else:
            parts.append(_self_contained(tree))
    return b"".join(parts)


def _is_alike(one: Decoding, two: Decoding) -> bool:
    """Whether both are the same, or those of files in which bytes mean the same."""
    if one is two:
        return True
    return one.sections.are_bytes and two.sections.are_bytes and one.charsets == two.charsets


def _self_contained(tree: GameTree) -> bytes:
    """A tree that shows its charset, whichever file it is in."""
    if tree.parsed.section.charset is not None:
        return _written(_converted(tree, charsets.named(_UTF_8)))
    data = _written(tree)
    is_ascii = data.isascii() and validity.keeps_ascii(tree.charset)
    if is_ascii or _declared(tree) == tree.charset:
        return data
    return _written(_converted(tree, charsets.named(charsets.name_of(tree.charset))))


def _declared(tree: GameTree) -> str | None:
    """The codec of the charset that CA names."""
    found = tree.root.property("CA", None)
    return None if found is None else charsets.codec_of(found.raw[0])


def in_charset(games: Collection | GameTree, charset: str) -> bytes:
    """All game trees in one charset, which they declare."""
    wanted = charsets.named(charset)
    if not wanted.superset and not wanted.name.startswith(_UNICODE):
        raise ValueError(
            f"no reader could find the structure of an SGF file in {wanted.name}; use a charset "
            "that contains ASCII, such as UTF-8, or UTF-16"
        )
    trees = [games] if isinstance(games, GameTree) else [*games]
    head = b"" if isinstance(games, GameTree) else _head(games, wanted)
    data = head + b"".join(_written(_converted(tree, wanted)) for tree in trees)
    if wanted.superset:
        return data
    return ("\N{BYTE ORDER MARK}" + data.decode()).encode(wanted.codec)


def _head(games: Collection, charset: Charset) -> bytes:
    """What a file has before its first game tree, without a byte order mark."""
    if not games.flat.roots:
        return b""
    decoding = games.file.decoding
    # In the data of a file that was not decoded as a whole, the mark is blank.
    start = decoding.unicode_signature.length if decoding.sections.are_bytes else 0
    head = games.flat.data[start : games.flat.bounds(games.flat.roots[0])[0]]
    codec = charset.codec if charset.superset else "utf-8"
    return recoded(head, games.file.codecs[0], codec, "the text before the first game")


def _converted(tree: GameTree, charset: Charset) -> GameTree:
    """A copy of the tree in that charset, or in UTF-8 for one that is not a superset of ASCII."""
    decoding, section = tree.parsed.file.decoding, tree.parsed.section
    whole = section.charset
    codec = charset.codec if charset.superset else "utf-8"
    if whole is None and codec == tree.charset and _declared(tree) == codec:
        return tree
    text = decoding.data[slice(*tree.parsed.bounds)]
    if whole is not None and section.is_decoded and has_undecodable_bytes(text):
        raise ValueError(
            f"the file has bytes that are no text in {whole.name}, so that it cannot be written "
            "in another charset"
        )
    plain = Decoding(decoding.data, decoding.data)
    file = copy(tree.parsed.file) if whole is None else ParsedFile(plain, tree.parsed.flat)
    found = restored(file, tree.number, tree.parsed.context, tree._packed())
    found._declare_charset(charset if charset.superset else Charset(charset.name, codec))
    return found


def _written(tree: GameTree) -> bytes:
    """The bytes of a tree, in the charset of its file.

    There is no recursion: the stack has the nodes and bytes still to be written, last first.
    """
    decoding = tree.parsed.file.decoding
    parts: list[bytes] = []
    stack: list[Node | bytes] = []

    def push_variation(first: Node) -> None:
        stack.extend(
            (_parenthesis(b")", first, decoding), first, _parenthesis(b"(", first, decoding))
        )

    push_variation(tree.root)
    while stack:
        item = stack.pop()
        if isinstance(item, bytes):
            parts.append(item)
            continue
        parts.append(_node(item, decoding))
        match item.children:
            case (child,) if child.number not in tree.parsed.flat.opening:
                stack.append(child)
            case children:
                for child in reversed(children):
                    push_variation(child)
    return b"".join(parts)


def _with_space(decoding: Decoding, start: int, end: int) -> bytes:
    """The bytes of the file from `start` to `end` and the white space after them."""
    match = _WHITE_SPACE.match(decoding.data, end)
    return decoding.original_bytes(start, match.end() if match else end)


def _parenthesis(sign: bytes, node: Node, decoding: Decoding) -> bytes:
    """The "(" before the node, or the ")" of the variation that begins with it; with the white
    space after it."""
    flat = node.tree.parsed.flat
    offset = (flat.opening if sign == b"(" else flat.closing).get(node.number)
    if offset is None or decoding.data[offset : offset + 1] != sign:
        return node.tree.parsed.section.encode(sign)
    return _with_space(decoding, offset, offset + 1)


def _node(node: Node, decoding: Decoding) -> bytes:
    """A node with the white space after it.

    A property that replaces another is followed by the white space after that one. New
    properties follow the last one, before its white space.
    """
    flat, section = node.tree.parsed.flat, node.tree.parsed.section
    if node.tree._store.is_new(node.number) or node.tree.parsed.file.damage:
        # Between the properties of a damaged file there may be anything.
        return section.encode(b";" + b"".join(map(_property, node.properties)))
    start = flat.node_start[node.number]
    numbers = range(*flat.properties_of(node.number))
    end = flat.property_span(numbers[-1])[1] if numbers else start + 1
    if not node.tree._store.is_edited(node.number):
        return _with_space(decoding, start, end)
    entries = node.properties
    kept = {entry.number for entry in entries}
    #: The white space after each property that was replaced, by its identifier.
    gaps: dict[str, list[bytes]] = {}
    for prop in numbers:
        if prop not in kept:
            end = flat.property_span(prop)[1]
            gaps.setdefault(flat.ident(prop), []).append(_with_space(decoding, end, end))
    parts = [_with_space(decoding, start, start + 1)]
    tail = b""
    for entry in entries:
        if entry.number is not None:
            span = flat.property_span(entry.number)
            parts += [tail, decoding.original_bytes(*span)]
            tail = _with_space(decoding, span[1], span[1])
            continue
        own = section.encode(bytes(entry))
        if gaps.get(entry.ident):
            parts += [tail, own]
            tail = gaps[entry.ident].pop(0)
        else:
            parts.append(own)
    parts.append(tail)
    return b"".join(parts)


def _property(entry: Property) -> bytes:
    r"""A property without white space.

    A damaged file may have a "]" in a value that is not escaped, and end in a single "\".
    """
    raws = (_ESCAPED_OR_BRACKET.sub(lambda found: found[1] or rb"\]", raw) for raw in entry.raw)
    closed = (raw if ends_at_bracket(raw) else raw[:-1] for raw in raws)
    return entry.ident.encode("ascii") + b"".join(b"[" + raw + b"]" for raw in closed)
