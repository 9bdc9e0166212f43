"""Changes of a whole tree through the model: its charset, the order of its variations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.text import charsets

#: What was done, where in the text, what it was and became, whether nothing was lost.
Note = tuple[str, int, str, str, bool]


def recoded(collection: Collection, charset: str, *, unsafe: bool, needed: bool) -> list[Note]:
    """Writes all texts in `charset`, and CA with them.

    Trees of ASCII alone stay as they are, and those whose text cannot be written; so
    do those before FF[4], which knows no CA, unless it is `needed` because the file
    was not stored in the charset of its text.
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
        # The first of several: all of them may be left for the user to choose from.
        declared = tree.root.property("CA").raw[0].decode("latin-1") if "CA" in tree.root else None
        named = charsets.lookup(declared)[0] if declared else None
        if part.isascii() or (before == codec and named and named.codec == codec):
            continue
        if not unsafe and not (_has_meaning(tree) and charsets.is_name(declared or "")):
            continue
        if tree.file_format < 4 and not needed:
            continue
        try:
            tree.root["CA"] = charset
        except ValueError:
            continue
        was = f"CA[{declared}]" if declared is not None else charsets.name_of(before)
        notes.append(("charset", start, was, f"CA[{charset}]", True))
    return notes


_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)


def _has_meaning(tree: GameTree) -> bool:
    """Whether each value has a meaning in the tree's charset, where a "]" may be half of
    a character if one looks at the whole."""
    return all(
        raw.isascii() or charsets.decodes(_ESCAPE.sub(rb"\1", raw), tree.charset)
        for node in tree.nodes()
        for entry in node.properties
        for raw in entry.raw
    )


def reversed_variations(collection: Collection) -> Iterator[Note]:
    """Turns the order of the variations of each node round."""
    for tree in collection:
        yield from _reversed(tree)


def _reversed(tree: GameTree) -> Iterator[Note]:
    """Reverse the order of the variations of each node of a tree."""
    for node in list(tree.nodes()):
        if len(node.children) > 1:
            place = tree.flat.node_start[node.number or 0]
            node.order_children(list(reversed(node.children)))
            yield "reverse-variations", place, "", "", True
