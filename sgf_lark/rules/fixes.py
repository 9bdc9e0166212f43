"""What mends a finding: corrections, which stand next to the rules whose findings they mend.

A correction is a few edits of the text that was read. It is safe where it drops
nothing that anybody could miss, and where what it writes is certain to be meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, TypeVar

from sgf_lark.flat import last_up_to
from sgf_lark.rules.registry import Finding
from sgf_lark.validation.trees import CollectionView, TreeView
from sgf_lark.validation.views import NodeView, PropertyView, ValueView


class Edit(NamedTuple):
    """`replacement` stands for the bytes from `start` to `end`."""

    start: int
    end: int
    replacement: bytes = b""


class Correction(NamedTuple):
    """Edits that belong together."""

    edits: tuple[Edit, ...]
    safe: bool = True


class Site:
    """Where a finding is, with what stands there."""

    def __init__(self, collection: CollectionView, code: str, finding: Finding, node: int) -> None:
        self.collection = collection
        self.flat = collection.flat
        self.data = collection.flat.data
        self.code = code
        self.finding = finding
        self.start = finding.start
        self.end = finding.end
        self._node = node

    @cached_property
    def tree(self) -> TreeView:
        return self.collection.trees[self.flat.tree_of(self._node)]

    @cached_property
    def node(self) -> NodeView:
        """The node that the finding is in."""
        return NodeView(self.tree, self.flat.node_at(self.start))

    @cached_property
    def entry(self) -> PropertyView | None:
        """The property that the finding is in, or is."""
        prop = self.flat.property_at(self.start)
        if prop < 0 or self.start >= self.flat.property_span(prop)[1]:
            return None
        node = last_up_to(self.flat.property_end, prop) + 1
        return PropertyView(self.tree, prop, node)

    @cached_property
    def value(self) -> ValueView | None:
        """The value that the finding is."""
        if self.entry is None:
            return None
        for value in range(*self.flat.values_of(self.entry.number)):
            if self.flat.value_from[value] - 1 <= self.start <= self.flat.value_to[value]:
                return ValueView(self.entry, value)
        return None

    # What can be done there

    def write(self, text: str) -> bytes:
        """`text` as a value in the charset of the tree; raises UnicodeEncodeError."""
        return re.compile(rb"[\]\\]").sub(rb"\\\g<0>", text.encode(self.tree.context.codec))

    def replace(self, raw: bytes | str, *, safe: bool = True) -> Correction | None:
        """Another value in the place of this one."""
        assert self.value is not None
        new = raw.encode("ascii") if isinstance(raw, str) else raw
        if new == self.value.raw:
            return None
        return Correction((Edit(self.value.start, self.value.end, new),), safe)

    def delete(self, *, safe: bool = True) -> Correction:
        """Without this value, and without the property where it has no other."""
        value, entry = self.value, self.entry
        assert entry is not None
        if value is None or len(entry.raw) == 1:
            return self.delete_property(safe=safe)
        return Correction((Edit(value.start - 1, value.end + 1),), safe)

    def delete_property(self, *, safe: bool = True) -> Correction:
        assert self.entry is not None
        return Correction((_without(self.data, *self.entry.span),), safe)

    def to_comment(self) -> Correction:
        """What stands there as a remark: nothing is lost, but no program understands it."""
        entry, value = self.entry, self.value
        assert entry is not None
        whole = value is None or len(entry.raw) == 1
        raws = entry.raw if value is None else [value.raw]
        text = b" ".join(_readable(raw) for raw in raws if raw.strip())
        edits = list((self.delete_property() if whole else self.delete()).edits)
        if text:
            remark = self.remark(entry.ident.encode("latin-1") + b": " + text, entry)
            edits[0] = Edit(edits[0].start, edits[0].end, remark if whole else b"")
            if not whole:
                end = entry.span[1]
                edits.append(Edit(end, end, remark))
        return Correction(tuple(edits), safe=False)

    def remark(self, text: bytes, entry: PropertyView | None = None) -> bytes:
        """A property that holds `text`, which is escaped: a comment, or one on the game."""
        about_game = (
            entry is not None
            and entry.definition is not None
            and (entry.definition.type == "game-info")
        )
        general = self.tree.define("GC") if about_game else None
        is_known = general is not None and self.tree.file_format in general.file_formats
        return (b"GC[" if is_known else b"C[") + text + b"]"


def _readable(raw: bytes) -> bytes:
    """A value as a part of a text: the same, with a lone escape at its end escaped."""
    trailing = len(raw) - len(raw.rstrip(b"\\"))
    return raw + b"\\" if trailing % 2 else raw


def _without(data: bytes, start: int, end: int) -> Edit:
    """Deletes from `start` to `end`, and the line where nothing else is on it."""
    before = data.rfind(b"\n", 0, start) + 1
    alone = re.compile(rb"[ \t]*\r?\n").match(data, end)
    if before and data[before:start].isspace() | (before == start) and alone:
        return Edit(start, alone.end())
    return Edit(start, end)


Function = TypeVar("Function", bound=Callable[[Site], Correction | None])

CORRECTIONS: dict[str, Callable[[Site], Correction | None]] = {}


def correction(*codes: str) -> Callable[[Function], Function]:
    """Registers a function that mends the findings of these rules.

    It is given the site of a finding, and gives None where it knows no way.
    """

    def register(function: Function) -> Function:
        for code in codes:
            assert code not in CORRECTIONS, code
            CORRECTIONS[code] = function
        return function

    return register


def last_resort(site: Site) -> Correction | None:
    """For errors that nothing else mends: what is wrong becomes a remark."""
    if site.entry is None or site.code.startswith(("SGF0", "SGF1")):
        return None
    if (
        site.entry.definition is not None
        and site.entry.definition.is_text
        and (site.entry.ident in ("C", "GC"))
    ):
        return None
    return site.to_comment()
