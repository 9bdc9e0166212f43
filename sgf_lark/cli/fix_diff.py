"""The changes of a file as a diff of properties, in which text is decoded."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from heapq import merge
from itertools import zip_longest
from typing import Any, NamedTuple

from sgf_lark.cli.terminal import escape
from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import read_collection
from sgf_lark.text.decoding import decodings

#: The number of unchanged lines before and after a change.
_CONTEXT = 2
#: Longer lines are shortened, but for what was changed in them and this much around it.
_LONGEST = 120
_AROUND = 30


class _Line(NamedTuple):
    """A line of the diff, and the offset of its piece in the text of the file."""

    text: str
    offset: int


def diff_lines(
    path: str, before: bytes, after: bytes, reading: dict[str, Any], after_reading: dict[str, Any]
) -> Iterator[str]:
    """Yield the lines of a diff: nothing where the files are equal.

    A line has a property with what comes before it, `(` and `;`. The breaks in a text break the
    line too. `reading` and `after_reading` are options of
    :func:`sgf_lark.text.decoding.decodings`, for the one and the other.
    """
    if before == after:
        return
    yield f"--- {path}\n+++ {path} (fixed)\n"
    old = _read(before, reading)
    old_lines, new_lines = _lines(old), _lines(_read(after, after_reading))
    matcher = difflib.SequenceMatcher(
        None, [line.text for line in old_lines], [line.text for line in new_lines]
    )
    is_equal = True
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        is_equal = False
        span = old.source.span(_offset(old_lines, group[0][1]), _offset(old_lines, group[0][1]))
        yield f"@@ line {span.line}, column {span.column} @@\n"
        for kind, start, end, new_start, new_end in group:
            yield from _changed(kind, old_lines[start:end], new_lines[new_start:new_end])
    if is_equal:
        yield "(only the charset, or white space and line breaks, differ)\n"


def _read(data: bytes, reading: dict[str, Any]) -> Collection:
    mode = reading.get("charset_mode", "auto")
    found = decodings(
        data,
        charset=reading.get("charset"),
        default_charset=reading.get("default_charset"),
        mode=mode,
    )
    return read_collection(found)[0]


def _offset(lines: list[_Line], number: int) -> int:
    return lines[number].offset if number < len(lines) else lines[-1].offset if lines else 0


def _changed(kind: str, old: list[_Line], new: list[_Line]) -> Iterator[str]:
    """Yield a part of the diff in which all lines are equal, or none."""
    if kind == "equal":
        for line in old:
            yield f" {_shorten(line.text, 0, len(line.text))}\n"
        return
    removed, added = [], []
    for before, after in zip_longest((line.text for line in old), (line.text for line in new)):
        if before is None or after is None or len(old) != len(new):
            removed += [] if before is None else [before]
            added += [] if after is None else [after]
            continue
        head, tail = _common_ends(before, after)
        removed.append(_shorten(before, head, tail))
        added.append(_shorten(after, head, tail))
    yield from (f"-{line}\n" for line in removed)
    yield from (f"+{line}\n" for line in added)


def _common_ends(before: str, after: str) -> tuple[int, int]:
    """Return the lengths of the common beginning and of the common end, without overlap."""
    shorter = min(len(before), len(after))
    head = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = range(shorter - head)
    tail = next((n for n in rest if before[-n - 1] != after[-n - 1]), shorter - head)
    return head, tail


def _shorten(text: str, head: int, tail: int) -> str:
    """Replace the middle of the first `head` and of the last `tail` characters of a long line.

    A line that is unchanged has a `tail` of its length, and is cut at its end.
    """
    if len(text) <= _LONGEST:
        return text
    if tail >= len(text):
        return text[: _LONGEST - 1] + "…"
    middle = len(text) - tail
    start, end = text[:head], text[middle:]
    if len(start) > 2 * _AROUND:
        start = f"{start[:_AROUND]} … {start[-_AROUND:]}"
    if len(end) > 2 * _AROUND:
        end = f"{end[:_AROUND]} … {end[-_AROUND:]}"
    return start + text[head:middle] + end


# --- Lines ----------------------------------------------------------------------------


def _lines(collection: Collection) -> list[_Line]:
    """Return the lines of a file, without white space around each of them."""
    data = collection.decoding.data
    codecs = collection.file.codecs
    openings = [collection.flat.bounds(root)[0] for root in collection.flat.roots]
    lines: list[_Line] = []
    tree = -1
    for start, end in _pieces(collection.flat):
        while tree + 1 < len(openings) and openings[tree + 1] <= start:
            tree += 1
        codec = codecs[max(tree, 0)] if codecs else "utf-8"
        text = data[start:end].decode(codec, "backslashreplace")
        lines += [_Line(escape(line.strip()), start) for line in text.splitlines() if line.strip()]
    return lines


def _pieces(flat: FlatTree) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each piece: a property, a parenthesis, or what is between them.

    A "(" and a ";" are in the piece of the property after them.
    """
    opened = ((place, place + 1, True) for place in flat.tree_open)
    nodes = ((place, place + 1, True) for place in flat.node_start)
    properties = (
        (*flat.property_span(prop), False) for prop in range(len(flat.ident_start))
    )
    closed = ((place, place + 1, False) for place in sorted(flat.tree_close))
    done = pending = 0
    for start, end, is_prefix in merge(opened, nodes, properties, closed):
        if start < done:
            continue  # in damaged files a node may begin with its first property
        if flat.data[done:start].strip() or (is_prefix and flat.data[start : start + 1] == b"("):
            if pending < done:
                yield pending, done
            if done < start:
                yield done, start
            pending = start
        if is_prefix and flat.data[pending:done].rstrip().endswith(b";"):
            yield pending, done
            pending = start
        done = end
        if not is_prefix:
            yield pending, done
            pending = done
    yield pending, len(flat.data)
