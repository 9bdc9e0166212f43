"""The changes of a file as a diff of properties, in which text is decoded."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from heapq import merge
from itertools import repeat
from typing import NamedTuple

from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.collection import Collection
from sgf_lark.model.reading_options import ReadingOptions
from sgf_lark.text.escaping import escape
from sgf_lark.text.matching import Difference, differences

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
        offset = _offset(old_lines, hunk[0].start)
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


def _offset(lines: list[_Line], number: int) -> int:
    return lines[number].offset if number < len(lines) else lines[-1].offset if lines else 0


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
    shorter = min(len(before), len(after))
    head = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = range(shorter - head)
    tail = next((n for n in rest if before[-n - 1] != after[-n - 1]), len(rest))
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
        is_decoded = sections.at(start).charset is not None
        errors = "surrogatepass" if is_decoded else "backslashreplace"
        text = data[start:end].decode(codecs[tree] if codecs else "utf-8", errors).strip()
        prefix = _PREFIX.match(text)
        if prefix is not None:
            text = "".join(prefix[0].split()) + text[prefix.end() :]
        lines += [_Line(escape(line), start) for line in text.splitlines()]
    return lines


def _pieces(flat: FlatTree) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each piece: a property, a parenthesis, or what is between them.

    A "(" and a ";" are in the piece of the property after them. All pieces together are the
    whole file.
    """
    pending = done = 0
    for start, end in _tokens(flat):
        token = flat.data[start:end]
        is_after_node = flat.data[pending:done].rstrip().endswith(b";") and token in b"(;"
        if is_after_node or token == b"(" or flat.data[done:start].strip():
            yield pending, done
            yield done, start
            pending = start
        done = end
        if token not in b"(;":
            yield pending, done
            pending = done
    yield pending, len(flat.data)


def _tokens(flat: FlatTree) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each parenthesis, ";" and property; in damaged files some are missing."""
    signs = ((b"(", flat.tree_open), (b";", flat.node_start), (b")", sorted(flat.tree_close)))
    places = [
        [(place, place + 1) for place in numbers if flat.data[place : place + 1] == sign]
        for sign, numbers in signs
    ]
    properties = map(flat.property_span, range(len(flat.ident_start)))
    return merge(*places, properties)
