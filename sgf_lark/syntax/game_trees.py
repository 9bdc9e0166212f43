r"""Where each game tree of a file ends, and in which charset it has to be decoded for that.

The charset belongs to the game tree (properties.html, CA). In some charsets the second byte
of a character can be "\" or "]", and many programs do not escape it. Such a game tree is
read in two ways, as bytes and as characters, and the one that makes sense is chosen, from the
bytes of that game tree only. So a game tree is read alike in every collection.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sgf_lark import engine as tables
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import Charset
from sgf_lark.syntax import Engine
from sgf_lark.syntax.parsing import BEFORE_ROOT, Parsed, has_meaning, parse_decoded, parse_if_strict
from sgf_lark.text import charsets
from sgf_lark.text.decoding import (
    Decoding,
    FileCharsets,
    all_declared_in,
    declared_in,
    may_have_trail_bytes,
)
from sgf_lark.text.offsets import OffsetMap
from sgf_lark.text.positions import Position
from sgf_lark.text.sections import TextCharset

#: All up to a parenthesis that is not in a value, or to a value that is not closed.
_TO_PARENTHESIS = re.compile(rb"(?:[^()\[]++|\[(?:[^\]\\]++|\\.)*+\])*+", re.DOTALL)
#: Between two game trees or variations.
_BETWEEN_TREES = re.compile(rb"\)[^()\[\]]*\(\s*;")
#: What follows a game tree: another, or the end of the file.
_AFTER_TREE = re.compile(rb"\s*(?:\(|\Z)")
#: The number of bytes in which the end of a game tree is searched first, if it has to be decoded
#: for that, or else; they are doubled.
_WINDOW = 1 << 9
_ASCII_WINDOW = 1 << 13
#: How many times as long a game tree may be in one reading as in the other.
_RATIO = 4


def end_of_tree(text: bytes, start: int) -> int | None:
    """The offset after the ")" of the first game tree from `start` on; None if it is missing."""
    depth = 0
    while (match := _TO_PARENTHESIS.match(text, start)) is not None:
        start = match.end() + 1
        parenthesis = text[match.end() : start]
        depth += (parenthesis == b"(") - (parenthesis == b")")
        if depth <= 0:
            return start if parenthesis == b")" else None
        if parenthesis not in (b"(", b")"):
            return None
    return None


class Reading(NamedTuple):
    """One way to read a game tree: the offset after it, and how it is decoded before it is
    parsed; both are None for bytes."""

    end: int
    charset: Charset | None = None
    texts: TextCharset | None = None

    def decode(self, data: bytes, start: int, found: FileCharsets) -> Decoding:
        """The game tree that begins at `start`."""
        decoding = found.decode(data[start : self.end], Position(start, 0, 0))
        if self.charset is None or self.texts is None:
            return decoding
        size = self.end - start
        return decoding.with_sections([(0, size, self.texts, self.charset)])


class FoundTree(NamedTuple):
    """A game tree of a file with whatever precedes it: the ways to read it, best first, and the
    tree itself, read in the first of them, if that follows the grammar."""

    readings: list[Reading]
    parsed: Parsed | None


class TreeFinder:
    """Finds the game trees of a file, one after the other."""

    def __init__(self, found: FileCharsets, engine: Engine = "tables") -> None:
        self._found = found
        self._engine: Engine = engine
        #: Patterns -> the data in which each was searched last, and the offset found.
        self._last: dict[re.Pattern[bytes], tuple[bytes, int]] = {}

    def find(self, data: bytes, start: int, *, is_complete: bool = True) -> FoundTree | None:
        """The game tree that begins at `start`.

        It has no readings if no ")" ends it. None if more data is needed, which can only be if
        `data` is not complete.
        """
        found = self._found
        as_bytes = _end_of_bytes(data, start, self._engine)
        if as_bytes is not None and charsets.is_plain_ascii(data[start:as_bytes]):
            return _best([Reading(as_bytes)], data, start, found, self._engine)
        # What is before the first variation has the CA.
        end = self._next_match(_BETWEEN_TREES, data, start)
        if end == len(data) and not is_complete:
            return None
        part = data[start:end]
        name = declared_in(part)
        texts = found.choose(name, part)
        charset, _ = charsets.lookup(texts.codec)
        if as_bytes is not None and (charset is None or not charset.trail):
            best: FoundTree | None = _best([Reading(as_bytes)], data, start, found, self._engine)
        else:
            best = self._find_in(data, start, texts, is_complete)
        if best is None or _makes_sense(best) or not may_have_trail_bytes(part):
            return best
        if name is not None:
            # That may be no CA, but text.
            tree = self._find_in(data, start, found.choose(None, part), is_complete)
            if tree is None or _makes_sense(tree):
                return tree
            best = _better(best, tree)
        # A guess may need more than that.
        end = self._next_match(BEFORE_ROOT, data, start)
        if end == len(data) and not is_complete:
            return None
        tree = self._find_in(data, start, found.choose(None, data[start:end]), is_complete)
        return None if tree is None else tree if _makes_sense(tree) else _better(best, tree)

    def _find_in(
        self, data: bytes, start: int, texts: TextCharset, is_complete: bool
    ) -> FoundTree | None:
        """The game tree if its texts are in that charset; None if more data is needed."""
        readings = _readings(data, start, self._found, texts, is_complete)
        if readings is None:
            return None
        return _best(readings, data, start, self._found, self._engine)

    def _next_match(self, pattern: re.Pattern[bytes], data: bytes, start: int) -> int:
        """The offset of the first match from `start` on, or the end of the data."""
        last, end = self._last.get(pattern, (b"", 0))
        if last is not data or end < start:
            match = pattern.search(data, start)
            end = match.start() if match else len(data)
            self._last[pattern] = data, end
        return end


def _makes_sense(tree: FoundTree) -> bool:
    return tree.parsed is not None and has_meaning(*tree.parsed[:2])


def _better(one: FoundTree, two: FoundTree) -> FoundTree:
    """The second of two damaged or meaningless readings only if the first is worse."""
    is_worse = one.parsed is None and (two.parsed is not None or not one.readings)
    return two if is_worse else one


def _end_of_bytes(data: bytes, start: int, engine: Engine) -> int | None:
    """The offset after the game tree that begins at `start`, read as bytes; None if its end is
    missing, or far from the start and the tree is not plain ASCII."""
    size = _ASCII_WINDOW
    while True:
        window = data[start : start + size]
        end = _end_of_intact_tree(window) if engine == "tables" else None
        if end is None:
            end = end_of_tree(window, 0)
        if end is not None:
            return start + end
        if start + size >= len(data) or not charsets.is_plain_ascii(window):
            return None
        size *= 2


def _end_of_intact_tree(data: bytes) -> int | None:
    """The same as :func:`end_of_tree`, sooner, if the game tree follows the grammar; else None."""
    region = tables.region_parser(data)
    return region.tree_end if region is not None and region.parse("gametree", 0) < 0 else None


def _readings(
    data: bytes, start: int, found: FileCharsets, texts: TextCharset, is_complete: bool
) -> list[Reading] | None:
    """The ways to read the game tree that begins at `start`, the shortest first, if its texts are
    in that charset; None if more data is needed."""
    charset, _ = charsets.lookup(texts.codec)
    if charset is None or not charset.trail or not found.decode_trees:
        end = end_of_tree(data, start)
        return [Reading(end)] if end is not None else [] if is_complete else None
    decoded = texts._replace(codec="utf-8")
    size = _WINDOW
    while True:
        window = data[start : start + size]
        readings: list[Reading] = []
        if (end := end_of_tree(window, 0)) is not None:
            readings.append(Reading(start + end))
        characters = OffsetMap(window, charset.codec, 0)
        if (end := end_of_tree(characters.utf_8, 0)) is not None:
            readings.append(Reading(start + _in_file(characters, end), charset, decoded))
        is_all = start + size >= len(data)
        longest = max((reading.end - start for reading in readings), default=size)
        is_found = len(readings) == 2 or size > _RATIO * longest
        if is_all and not is_complete and (not is_found or not data[longest + start :].strip()):
            return None
        if is_found or is_all:
            readings.sort(key=lambda reading: reading.end)
            followed = [each for each in readings if _AFTER_TREE.match(data, each.end)]
            return followed or readings
        size *= 2


def _in_file(characters: OffsetMap, end: int) -> int:
    """The offset in the file after the ")" that ends at `end` in the text."""
    data = characters.data
    if b"\x1b" in data:
        return characters.to_file(end)
    # Outside ISO-2022 that byte is a part of no other character.
    place = -1
    for _ in range(characters.utf_8.count(b")", 0, end)):
        place = data.index(b")", place + 1)
    return place + 1


def _best(
    readings: list[Reading], data: bytes, start: int, found: FileCharsets, engine: Engine
) -> FoundTree:
    """The first reading that follows the grammar and makes sense, or else the first that follows
    the grammar."""
    best = FoundTree(readings, None)
    for reading in readings:
        decoding = reading.decode(data, start, found)
        flat = parse_if_strict(decoding.data, engine)
        if flat is None or not _is_declared(reading, flat, found, data[start : reading.end]):
            continue
        others = [each for each in readings if each is not reading]
        tree = FoundTree([reading, *others], Parsed(decoding, flat))
        if len(readings) == 1 or has_meaning(decoding, flat):
            return tree
        best = best if best.parsed is not None else tree
    return best


def _is_declared(reading: Reading, flat: FlatTree, found: FileCharsets, part: bytes) -> bool:
    """Whether the charset in which each game tree is decoded applies to it."""
    return reading.charset is None or all(
        found.choose(flat.first_values(root, ("CA",)).get("CA"), part).codec
        == reading.charset.codec
        for root in flat.roots
    )


def decode_game_by_game(decoding: Decoding, engine: Engine = "tables") -> Parsed | None:
    """The file with those game trees decoded that make no sense as bytes, each by itself.

    None if there is no such tree, or if it is uncertain where these trees begin and end.
    """
    data, found = decoding.original, decoding.charsets
    decoded: list[tuple[int, int, TextCharset, Charset]] = []
    finder = TreeFinder(found, engine)
    start = 0
    while start < len(data):
        tree = finder.find(data, start)
        assert tree is not None
        if tree.parsed is not None:
            reading = tree.readings[0]
        else:
            reading = _reading_of_damage(tree.readings, data, start, found, engine)
        # What precedes the next "(" belongs to the game tree before it.
        end = data.find(b"(", reading.end)
        end = len(data) if end < 0 else end
        if reading.charset is not None and reading.texts is not None:
            decoded.append((start, end, reading.texts, reading.charset))
        start = end
    if not decoded:
        return None
    parsed = parse_decoded(decoding.with_sections(decoded), engine)
    return parsed if _keeps_sections(parsed) else None


def _reading_of_damage(
    readings: list[Reading], data: bytes, start: int, found: FileCharsets, engine: Engine
) -> Reading:
    """How a damaged game tree is read: the first way in which it makes sense, or else as bytes.

    One without an end may be followed by others, so it is decoded only if none of these declares
    another charset.
    """
    rest = len(data)
    if not readings:
        part = data[start:]
        texts = found.choose(declared_in(part), part)
        charset, _ = charsets.lookup(texts.codec)
        readings = [Reading(rest)]
        if charset is not None and charset.trail and _declares_only(part, texts.codec):
            readings.append(Reading(rest, charset, texts._replace(codec="utf-8")))
    if len(readings) > 1 or readings[0].charset is not None:
        for reading in readings:
            parsed = parse_decoded(reading.decode(data, start, found), engine)
            is_declared = _is_declared(reading, parsed.flat, found, data[start : reading.end])
            if is_declared and has_meaning(parsed.decoding, parsed.flat):
                return reading
    as_bytes = (reading for reading in readings if reading.charset is None)
    return next(as_bytes, Reading(readings[0].end))


def _declares_only(part: bytes, codec: str) -> bool:
    """Whether what looks like CA in a damaged part names that charset, or none that is known."""
    return all(charsets.codec_of(name) in (codec, None) for name in all_declared_in(part))


def _keeps_sections(parsed: Parsed) -> bool:
    """Whether no game tree reaches from one section into another."""
    sections, flat = parsed.decoding.sections, parsed.flat
    bounds = (flat.bounds(root) for root in flat.roots)
    return all(sections.at(start) is sections.at(max(start, end - 1)) for start, end in bounds)
