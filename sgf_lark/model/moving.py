"""Moving a node to another place or game, and the values that stay the same in another context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sgf_lark import grammar
from sgf_lark.model.assigning import in_its_charset
from sgf_lark.model.property import Property, points_in, set_properties
from sgf_lark.model.values import Context
from sgf_lark.model.values.points import is_on_board
from sgf_lark.model.values.reader import reader
from sgf_lark.model.values.writer import write_all
from sgf_lark.text import charsets, validity
from sgf_lark.text.validity import recode

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree


def move(node: Node, parent: Node, index: int | None) -> None:
    """Put a node after another; see :meth:`Node.move_to`."""
    if node._is_root:
        raise ValueError("the root of a game tree cannot be moved; copy() it, or move its children")
    above: Node | None = parent
    while above is not None:
        if above is node:
            raise ValueError("a node cannot be moved to itself or to a node after it")
        above = above.parent
    if node.tree is not parent.tree:
        _adopt(node, parent.tree)
    else:
        node.tree._unlink(node)
    parent.tree._insert(node, parent, index)


def _adopt(top: Node, tree: GameTree) -> None:
    """Take a node and all after it out of its own tree, to be read as a part of another one."""
    nodes = [*top.nodes()]
    old = top.tree.parsed.context

    def changes(new: Context) -> Rewritten:
        return [] if new == old else reread_nodes(nodes, old, new, {})

    keeps_ascii = validity.keeps_ascii(old.codec)
    if keeps_ascii and all(node.tree._store.is_ascii(node.number) for node in nodes):
        rewritten = changes(tree.parsed.context)
    else:
        raws = (raw for node in nodes for entry in node.properties for raw in entry.raw)
        text = b"".join(raw for raw in raws if not (keeps_ascii and raw.isascii()))
        rewritten = in_its_charset(tree, changes, text.decode(old.codec, "ignore"))
    # Read while they are still in their own tree.
    written = [
        (node, [Property(node, entry.ident, entry.raw) for entry in properties])
        for node, properties in rewritten
    ]
    top.tree._unlink(top)
    tree._take(nodes)
    for node, properties in written:
        set_properties(node, properties)


# Properties that keep their values while the context in which they are read changes.

#: Nodes whose properties have to be written anew, with those.
Rewritten = list[tuple["Node", list[Property]]]


def reread(entry: Property, old: Context, new: Context) -> list[bytes]:
    """The raw values to write in the context `new` for those of `entry` in the context `old`.

    They are those of `entry` where both contexts give the same values. Raises ValueError if the
    new charset lacks a character, if a text is not valid in the old one, if a point is not on the
    new board, or if the new game has no such value.
    """
    raws = entry.raw
    if (old.codec, old.other) != (new.codec, new.other):
        is_kept = _keeps_ascii(old, new)
        raws = [
            raw if is_kept and raw.isascii() else recoded(raw, old.codec_of(raw), new.codec, entry)
            for raw in raws
        ]
        old = old._replace(codec=new.codec, other=new.other)
    if old == new:
        return raws
    definition = grammar.definition(entry.ident, old.game, old.file_format)
    if definition is None:
        return raws
    try:
        before = reader(old).read_all(definition, raws)
    except ValueError:
        return raws  # what cannot be read has no meaning that could change
    if _has_bytes(before):
        return raws
    try:
        is_same = reader(new).read_all(definition, raws) == before
    except ValueError:
        is_same = False
    # Both formats read each way to write a pass, but each writes it in its own.
    is_rewritten = definition.is_move and old.file_format != new.file_format
    if is_same and not is_rewritten and _fits(before, old, new):
        return raws
    try:
        return write_all(definition, before, new)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{entry!r} cannot be kept: {error}") from error


def reread_property(entry: Property, old: Context, new: Context) -> Property:
    """The property as it has to be written in the context `new`; itself where that is the same."""
    raws = reread(entry, old, new)
    return entry if raws == entry.raw else Property(entry.node, entry.ident, raws)


def reread_nodes(
    nodes: Iterable[Node], old: Context, new: Context, edited: Mapping[Node, list[Property]]
) -> Rewritten:
    """The nodes whose properties have to be written anew in the context `new`, with those.

    `edited` has the properties of nodes that are about to change. Raises ValueError.
    """
    is_only_codec = old._replace(codec=new.codec, other=new.other) == new
    keeps_ascii = _keeps_ascii(old, new)
    found: Rewritten = []
    for node in nodes:
        entries = edited.get(node)
        if entries is None:
            if is_only_codec and keeps_ascii and node.tree._store.is_ascii(node.number):
                continue
            entries = node.properties
        changed = [reread_property(entry, old, new) for entry in entries]
        if any(a is not b for a, b in zip(changed, entries, strict=True)):
            found.append((node, changed))
    return found


def _keeps_ascii(old: Context, new: Context) -> bool:
    """Whether ASCII is the same text in the charsets of both contexts."""
    return validity.keeps_ascii(old.codec) and validity.keeps_ascii(new.codec)


def recoded(raw: bytes, old: str, new: str, place: Property | str) -> bytes:
    """Bytes as written in another charset, by the codecs of both; `place` is where they are.

    Raises ValueError for a character that the new charset lacks, and for what is not text in the
    old one.
    """
    try:
        return recode(raw, old, new)
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise ValueError(
            f"the charset {charsets.name_of(new)} cannot hold {character!r} "
            f"(U+{ord(character):04X}) in {place}"
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{place} has bytes that are no text in {charsets.name_of(old)}, "
            "so that they cannot be written in another charset"
        ) from error


def _has_bytes(value: Any) -> bool:
    """Whether a value, or a part of it, is of a type that nobody can read."""
    return isinstance(value, bytes) or (
        isinstance(value, (list, tuple)) and any(map(_has_bytes, value))
    )


def _fits(value: Any, old: Context, new: Context) -> bool:
    """Whether no point leaves the board."""
    return all(
        is_on_board(point, new.size) or not is_on_board(point, old.size)
        for point in points_in(value)
    )
