"""Changes and edits of bytes, and the offsets in the original that the edited bytes come from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from sgf_lark.flat_tree import FlatTree
from sgf_lark.rules.fixes import Edit, Fix

#: The identifier of an inserted property.
_INSERTED = re.compile(rb"([A-Z]+)\[")


class Change(NamedTuple):
    """One change of a file: its edits, the span that it concerns, in the offsets of the text
    before, and its name.

    `texts` are the text before and after if the edits do not give them: for a change that the
    model makes, which has no edits.
    """

    edits: tuple[Edit, ...]
    start: int
    end: int
    name: str
    safe: bool = True
    texts: tuple[str, str] | None = None


class Chosen:
    """Fixes that do not overlap; of fixes that overlap, the first one is taken.

    Several fixes may insert properties at the same offset if their identifiers differ or if they
    are comments, which are joined later, and several may insert ")".
    """

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._starts: list[int] = []
        #: Offsets -> the identifiers of properties, or ")", that are inserted there.
        self._inserted: dict[int, set[bytes]] = {}

    def take(self, fix: Fix) -> bool:
        """Take the fix unless it overlaps another; whether it was taken."""
        if not self.has_room_for(fix):
            return False
        self.add(fix)
        return True

    def add(self, fix: Fix) -> None:
        """Take a fix for which there is room."""
        for edit in sorted(fix.edits):
            if (inserted := _inserted(edit)) is not None:
                self._inserted.setdefault(edit.start, set()).add(inserted)
            place = bisect_right(self._starts, edit.start)
            self._starts.insert(place, edit.start)
            self.edits.insert(place, edit)

    def has_room_for(self, fix: Fix) -> bool:
        """Whether the fix overlaps none that was taken."""
        edits = sorted(fix.edits)
        if any(edits[i].end > edits[i + 1].start for i in range(len(edits) - 1)):
            return False
        return all(map(self._is_free, edits))

    def _is_free(self, edit: Edit) -> bool:
        """Whether the edit overlaps no edit taken so far."""
        inserted, others = _inserted(edit), self._inserted.get(edit.start, set())
        if inserted is not None and others:
            return inserted in (b")", b"C", b"GC") or inserted not in others
        place = bisect_right(self._starts, edit.start)
        before = self.edits[place - 1] if place else None
        after = self.edits[place] if place < len(self.edits) else None
        if before is not None and (before.end > edit.start or before.start == edit.start):
            return False
        return after is None or edit.end <= after.start


def _inserted(edit: Edit) -> bytes | None:
    """The identifier of a property that the edit inserts, or ")"; None for other edits."""
    if edit.start != edit.end:
        return None
    if not edit.replacement.strip(b")"):
        return b")"
    found = _INSERTED.match(edit.replacement)
    return found[1] if found else None


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` after edits that are sorted and do not overlap."""
    parts: list[bytes] = []
    position = 0
    for edit in edits:
        parts += [data[position : edit.start], edit.replacement]
        position = edit.end
    parts.append(data[position:])
    return b"".join(parts)


def with_identifiers(edits: list[Edit], flat: FlatTree) -> list[Edit]:
    """The edits, and for each property of which they delete all values that of its identifier."""
    deleted: Counter[int] = Counter()
    for edit in edits:
        number = bisect_left(flat.value_from, edit.start + 1)
        is_value = number < len(flat.value_from) and flat.value_from[number] == edit.start + 1
        if is_value and not edit.replacement and edit.end == flat.value_to[number] + 1:
            deleted[flat.property_at(edit.start)] += 1
    identifiers = []
    for prop, count in deleted.items():
        first, end = flat.values_of(prop)
        if count == end - first:
            identifiers.append(Edit(flat.ident_start[prop], flat.value_from[first] - 1))
    return sorted((*edits, *identifiers))


def edits_of(fix: Fix, flat: FlatTree) -> list[Edit]:
    """Only the edits of one fix, in order; none if they overlap each other."""
    chosen = Chosen()
    return with_identifiers(chosen.edits, flat) if chosen.take(fix) else []


class Origins:
    """Maps offsets in the edited text to offsets in the original."""

    def __init__(self, length: int) -> None:
        #: (offset in the edited text, offset in the original, whether both advance together:
        #: not in inserted text)
        self._pieces: list[tuple[int, int, bool]] = [(0, 0, True)]
        #: The offsets in the edited text.
        self._starts = [0]
        self._length = length

    def place(self, offset: int) -> int:
        """The offset in the original; for new text, the offset where it was inserted."""
        index = bisect_right(self._starts, offset) - 1
        start, origin, together = self._pieces[index]
        return min(origin + (offset - start if together else 0), self._length)

    def apply(self, edits: list[Edit]) -> None:
        """Apply edits that are sorted and do not overlap."""
        pieces: list[tuple[int, int, bool]] = []
        shift = position = 0
        for edit in edits:
            self._copy(pieces, position, edit.start, shift)
            pieces.append((edit.start + shift, self.place(edit.start), False))
            shift += len(edit.replacement) - (edit.end - edit.start)
            position = edit.end
        self._copy(pieces, position, None, shift)
        self._pieces = pieces
        self._starts = [start for start, _, _ in pieces]

    def _copy(
        self, pieces: list[tuple[int, int, bool]], start: int, end: int | None, shift: int
    ) -> None:
        """Copy the pieces between two offsets, which are not edited."""
        pieces.append((start + shift, self.place(start), self._is_together(start)))
        first = bisect_right(self._starts, start)
        last = len(self._pieces)
        if end is not None:
            last = bisect_left(self._starts, end)
        for place, origin, together in self._pieces[first:last]:
            pieces.append((place + shift, origin, together))

    def _is_together(self, offset: int) -> bool:
        """Whether the text at `offset` was copied from the original."""
        index = bisect_right(self._starts, offset) - 1
        return self._pieces[index][2]
