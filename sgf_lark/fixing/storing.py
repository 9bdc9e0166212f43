"""Changes of a whole tree through the model: its charset, the order of its variations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.text import charsets

#: The name of a change, its offset, the text before and after, and whether it is safe.
Note = tuple[str, int, str, str, bool]


def recoded(collection: Collection, charset: str, *, unsafe: bool, needed: bool) -> list[Note]:
    """Write all texts and CA in `charset`.

    A tree stays as it is if it is ASCII, if `charset` lacks one of its characters, or if its
    file format is older than FF[4], which introduced CA. With `needed` older trees are written
    too, because the file as a whole was in another charset. A tree of which the charset is a
    guess is written only if `unsafe`, and only if its texts make sense in that charset.
    """
    codec = charsets.named(charset).codec
    notes: list[Note] = []
    for tree in collection:
        start, end = (
            tree.flat.opening[tree.root.number or 0],
            tree.flat.closing[tree.root.number or 0],
        )
        part = tree.flat.data[start:end]
        before = tree.charset
        # CA may have several values if no fix chose one of them.
        declared = tree.root.property("CA").raw[0].decode("latin-1") if "CA" in tree.root else None
        named = charsets.lookup(declared)[0] if declared else None
        if part.isascii() or (before == codec and named and named.codec == codec):
            continue
        certain = _has_meaning(tree) and tree.has_certain_charset
        if not certain and (not unsafe or _CONTROLS.search(part.decode(before, "replace"))):
            continue
        if tree.file_format < 4 and not needed:
            continue
        try:
            tree.root["CA"] = charset
        except ValueError:
            continue
        was = f"CA[{declared}]" if declared is not None else charsets.name_of(before)
        notes.append(("charset", start, was, f"CA[{charset}]", certain))
    return notes


_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)
#: Control characters that no text has, but bytes of many characters in ISO-8859-1.
_CONTROLS = re.compile("[\x80-\x84\x86-\x9f]")


def _has_meaning(tree: GameTree) -> bool:
    """Whether each value can be decoded in the charset of the tree.

    A byte "]" inside the values may also be the second half of a character.
    """
    return all(
        raw.isascii() or charsets.decodes(_ESCAPE.sub(rb"\1", raw), tree.charset)
        for node in tree.nodes()
        for entry in node.properties
        for raw in entry.raw
    )


def reversed_variations(collection: Collection) -> Iterator[Note]:
    """Reverse the order of the variations of each node."""
    for tree in collection:
        yield from _reversed(tree)


def _reversed(tree: GameTree) -> Iterator[Note]:
    """Reverse the order of the variations of each node of a tree."""
    for node in list(tree.nodes()):
        if len(node.children) > 1:
            place = tree.flat.node_start[node.number or 0]
            node.order_children(list(reversed(node.children)))
            yield "reverse-variations", place, "", "", True
