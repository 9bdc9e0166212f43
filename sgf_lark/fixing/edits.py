"""Changes and edits of bytes, and how they are shown."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise, repeat
from typing import NamedTuple

from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.rules.fixes import Fix
from sgf_lark.text.edits import Edit
from sgf_lark.text.escaping import escape
from sgf_lark.text.matching import Difference, differences

#: The identifier of an inserted property.
_INSERTED = re.compile(rb"([A-Z]+)\[")


class Change(NamedTuple):
    """One change of a file: its edits, the span that it concerns, in the offsets of the text
    before, and its name.

    `texts` are the text before and after if the edits do not give them: for a change that the
    model makes, which has no edits. A fix has the `code` of its rule and the `number` of its
    finding, and `reason` is its message if it is not that of the finding.
    """

    edits: tuple[Edit, ...]
    start: int
    end: int
    name: str
    safe: bool = True
    texts: tuple[str, str] | None = None
    code: str = ""
    number: int | None = None
    reason: str = ""


class Chosen:
    """Fixes of `data` that do not overlap; of fixes that overlap, the first one is taken.

    Two fixes overlap if one changes a byte of what the other one replaces: a fix may rest on the
    bytes that it keeps. Several fixes may insert properties at the same offset if their identifiers
    differ or if they are comments, which are joined later, and several may insert ")".
    """

    def __init__(self, data: bytes) -> None:
        #: The changes, in order: edits without the bytes that they keep.
        self.edits: list[Edit] = []
        self._data = data
        self._change_starts: list[int] = []
        #: Where edits and their changes begin.
        self._begins: set[int] = set()
        #: What edits replace, in order and joined where it overlaps: begins, and ends.
        self._replaced: tuple[list[int], list[int]] = [], []
        #: Offsets -> the identifiers of properties, or ")", that are inserted there.
        self._inserted: dict[int, set[bytes]] = {}

    def take(self, edits: Iterable[Edit]) -> bool:
        """Take the edits of a fix unless they overlap each other or another fix; whether they were
        taken."""
        edits = sorted(edits)
        if any(one.end > other.start for one, other in pairwise(edits)):
            return False
        changes = [_change(edit, self._data) for edit in edits]
        if not all(map(self._is_free, edits, changes)):
            return False
        for edit, change in zip(edits, changes, strict=True):
            self._add(edit, change)
        return True

    def _add(self, edit: Edit, change: Edit) -> None:
        if (inserted := _inserted(edit)) is not None:
            self._inserted.setdefault(edit.start, set()).add(inserted)
        place = bisect_right(self._change_starts, change.start)
        self._change_starts.insert(place, change.start)
        self.edits.insert(place, change)
        self._begins |= {edit.start, change.start}
        begins, ends = self._replaced
        first, last = bisect_right(ends, edit.start), bisect_left(begins, edit.end)
        if first < last:
            begins[first:last] = [min(edit.start, begins[first])]
            ends[first:last] = [max(edit.end, ends[last - 1])]
        else:
            begins.insert(first, edit.start)
            ends.insert(first, edit.end)

    def _is_free(self, edit: Edit, change: Edit) -> bool:
        """Whether the edit overlaps no edit taken so far."""
        inserted, others = _inserted(edit), self._inserted.get(edit.start, set())
        if inserted is not None and others:
            return inserted in (b")", b"C", b"GC") or inserted not in others
        if edit.start in self._begins or change.start in self._begins:
            return False
        begins, ends = self._replaced
        replaced = bisect_right(ends, change.start)
        if replaced < len(begins) and begins[replaced] < change.end:
            return False
        before = bisect_left(self._change_starts, edit.end) - 1
        return before < 0 or self.edits[before].end <= edit.start


def _change(edit: Edit, data: bytes) -> Edit:
    """The edit without the bytes that it keeps at its begin and end."""
    before, after = data[edit.start : edit.end], edit.replacement
    first = _count_equal(before, after)
    before, after = before[first:], after[first:]
    last = _count_equal(before[::-1], after[::-1])
    return Edit(edit.start + first, edit.end - last, after[: len(after) - last])


def _count_equal(one: bytes | str, other: bytes | str) -> int:
    """The number of bytes or characters with which both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _inserted(edit: Edit) -> bytes | None:
    """The identifier of a property that the edit inserts, or ")"; None for other edits."""
    if edit.start != edit.end:
        return None
    if not edit.replacement.strip(b")"):
        return b")"
    found = _INSERTED.match(edit.replacement)
    return found[1] if found else None


def with_identifiers(edits: list[Edit], flat: FlatTree) -> list[Edit]:
    """The edits, and for each property of which they delete all values that of its identifier."""
    deleted: Counter[int] = Counter()
    for edit in edits:
        number = -1 if edit.replacement else flat.value_at(edit.start)
        if number >= 0 and flat.value_span(number) == (edit.start + 1, edit.end - 1):
            deleted[flat.property_at(edit.start)] += 1
    identifiers = []
    for prop, count in deleted.items():
        first, end = flat.values_of(prop)
        if count == end - first:
            identifiers.append(Edit(flat.ident_start[prop], flat.value_from[first] - 1))
    return sorted((*edits, *identifiers))


def edits_of(fix: Fix, flat: FlatTree) -> list[Edit]:
    """Only the edits of one fix, in order; none if they overlap each other."""
    chosen = Chosen(flat.data)
    return with_identifiers(chosen.edits, flat) if chosen.take(fix.edits) else []


# The changes of a file as a diff of properties, in which text is decoded.

#: The number of unchanged lines before and after a change.
_CONTEXT = 2
#: Longer lines are shortened, but for what was changed in them and this much around it.
_LONGEST = 120
_AROUND = 30

#: White space, also as :func:`escape` has it.
_SPACE = re.compile(r"\s|\\[tnr]|\\x0[bc]")
#: What precedes a property: "(" and ";" and the white space between them.
_PREFIX = re.compile(r"[(;\s]+")


class _Line(NamedTuple):
    """A line of the diff, and the offset of its piece in the text of the file."""

    text: str
    offset: int


def diff_lines(
    path: str, before: bytes, after: bytes, reading: ReadingOptions, after_reading: ReadingOptions
) -> Iterator[str]:
    """Yield the lines of a diff: nothing where the files are equal.

    A line has a property with what comes before it, `(` and `;`. The breaks in a text break the
    line too. `reading` and `after_reading` are options of
    :func:`sgf_lark.text.decoding.decode`, for the one and the other.
    """
    if before == after:
        return
    yield f"--- {path}\n+++ {path} (fixed)\n"
    old = _read(before, reading)
    old_lines, new_lines = _lines(old), _lines(_read(after, after_reading))
    hunks = _hunks([line.text for line in old_lines], [line.text for line in new_lines])
    is_equal = True
    for hunk in hunks:
        is_equal = False
        # What is added at the end of the file is shown with its last line.
        nearest = old_lines[min(hunk[0].start, len(old_lines) - 1)] if old_lines else None
        offset = nearest.offset if nearest is not None else 0
        span = old.source.span(offset, offset)
        yield f"@@ line {span.line}, column {span.column} @@\n"
        end = max(0, hunk[0].start - _CONTEXT)
        for change in hunk:
            yield from (f" {_cut(line.text)}\n" for line in old_lines[end : change.start])
            yield from _changed(
                [line.text for line in old_lines[change.start : change.end]],
                [line.text for line in new_lines[change.new_start : change.new_end]],
            )
            end = change.end
        yield from (f" {_cut(line.text)}\n" for line in old_lines[end : end + _CONTEXT])
    if is_equal:
        yield "(only the charset, or white space and line breaks, differ)\n"


def _read(data: bytes, reading: ReadingOptions) -> Collection:
    return Collection.of_file(reading.parse(data))


def _changed(before: list[str], after: list[str]) -> Iterator[str]:
    """Yield the lines of a change."""
    if len(before) == len(after):
        pairs = [*map(shortened, before, after, repeat(_LONGEST))]
        before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    yield from (f"-{line}\n" for line in before)
    yield from (f"+{line}\n" for line in after)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def shortened(before: str, after: str, longest: int) -> tuple[str, str]:
    """Return both texts without most of what they have in common, if one is too long.

    Where only white space differs, it is made visible.
    """
    both = _shortened(before, after, longest)
    if before == after or _SPACE.sub("", before) != _SPACE.sub("", after):
        return both
    return _with_visible_space(both[0]), _with_visible_space(both[1])


def _with_visible_space(text: str) -> str:
    dotted = text.replace(" ", "·")
    return re.sub(r"\s", lambda match: ascii(match[0])[1:-1], dotted)


def _shortened(before: str, after: str, longest: int) -> tuple[str, str]:
    if max(len(before), len(after)) <= longest:
        return before, after
    head = _count_equal(before, after)
    tail = _count_equal(before[head:][::-1], after[head:][::-1])
    start, end = _around(before[:head]), _around(before[len(before) - tail :])
    middle_before, middle_after = before[head : len(before) - tail], after[head : len(after) - tail]
    return start + middle_before + end, start + middle_after + end


def _around(text: str) -> str:
    """Return the text with an ellipsis for its middle, if it is long."""
    return text if len(text) <= 2 * _AROUND + 3 else f"{text[:_AROUND]} … {text[-_AROUND:]}"


def _hunks(old: list[str], new: list[str]) -> Iterator[list[Difference]]:
    """Yield changes with few equal lines between them together."""
    hunk: list[Difference] = []
    for change in differences(old, new):
        if hunk and change.start - hunk[-1].end > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


# --- Lines ----------------------------------------------------------------------------


def _lines(collection: Collection) -> list[_Line]:
    """Return the lines of a file, without white space around each piece."""
    data, codecs = collection.file.decoding.data, collection.file.codecs
    sections = collection.file.decoding.sections
    openings = [collection.flat.bounds(root)[0] for root in collection.flat.roots]
    lines: list[_Line] = []
    for start, end in _pieces(collection.flat):
        tree = max(bisect_right(openings, start) - 1, 0)
        # The text of a section that was decoded has lone surrogates for undecodable bytes.
        section = sections.at(start)
        errors = "surrogatepass" if section.is_decoded else "backslashreplace"
        text = (
            section.shown(data[start:end])
            .decode(codecs[tree] if codecs else "utf-8", errors)
            .strip()
        )
        prefix = _PREFIX.match(text)
        if prefix is not None:
            text = "".join(prefix[0].split()) + text[prefix.end() :]
        lines += [_Line(escape(line), start) for line in text.splitlines()]
    return lines


def _pieces(flat: FlatTree) -> Iterator[tuple[int, int]]:
    """The bounds of each piece: a property with what comes before it, or a parenthesis. All pieces
    together are the whole file."""
    cuts = {0, len(flat.data), *flat.tree_open}
    cuts |= {flat.property_span(number)[1] for number in range(len(flat.ident_start))}
    # The first node of a tree is in the piece of its "(".
    cuts |= {start for node, start in enumerate(flat.node_start) if node not in flat.opening}
    for place in flat.tree_close:
        if flat.data[place : place + 1] == b")":  # in damaged files some are missing
            cuts |= {place, place + 1}
    return pairwise(sorted(cuts))
