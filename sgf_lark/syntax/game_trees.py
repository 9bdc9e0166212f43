r"""A file parsed with each game tree in its own charset: where each one ends, and whether it has to
be decoded for that.

The charset belongs to the game tree (properties.html, CA). In some charsets the second byte
of a character can be "\" or "]", and many programs do not escape it. Such a game tree is
read in two ways, as bytes and as characters, and the one that makes sense is chosen, from the
bytes of that game tree only. So a game tree is read alike in every collection.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sgf_lark import engine as tables
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax import Engine
from sgf_lark.syntax.parsing import ParsedFile, parse_damaged, parse_decoded, parse_if_strict
from sgf_lark.text import charsets
from sgf_lark.text.decoding import Decoding, FileCharsets
from sgf_lark.text.offsets import OffsetMap
from sgf_lark.text.positions import Position
from sgf_lark.text.sections import TextCharset

#: All up to a parenthesis that is not in a value, or to a value that is not closed.
_TO_PARENTHESIS = re.compile(rb"(?:[^()\[]++|\[(?:[^\]\\]++|\\.)*+\])*+", re.DOTALL)
#: Between two game trees or variations, and where the second begins with what only a root has.
_BETWEEN_TREES = re.compile(rb"\)[^()\[\]]*\(\s*;")
_BEFORE_ROOT = re.compile(rb"\)[^()\[\]]*\(\s*;\s*(?:AP|CA|FF|GM|SZ)\s*\[")
#: What follows a game tree: another, or the end of the file.
_AFTER_TREE = re.compile(rb"\s*(?:\(|\Z)")
#: The number of bytes in which the end of a game tree is searched first, if it has to be decoded
#: for that, or else; they are doubled.
_WINDOW = 1 << 9
_ASCII_WINDOW = 1 << 13
#: How many times as long a game tree may be in one reading as in the other.
_RATIO = 4


def parse(decoding: Decoding, engine: Engine = "tables") -> ParsedFile:
    """The file with its charsets chosen. Any bytes are accepted.

    They are parsed as they are, unless this gives damage or texts without meaning because bytes
    that are brackets or escapes for the parser are halves of characters. Then such game trees
    are decoded before they are parsed, each in its own charset.
    """
    flat = parse_if_strict(decoding.data, engine)
    found = None if flat is None else ParsedFile(decoding, flat)
    if decoding.may_have_trail_bytes and (found is None or not has_meaning(found)):
        cut = _decode_game_by_game(decoding, engine)
        if cut is not None:
            return cut
    return found or parse_damaged(decoding, engine)


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
    """One way to read a game tree: the offset after it, and the charset in which it is decoded
    before it is parsed; None for bytes."""

    end: int
    charset: TextCharset | None = None

    def decode(self, data: bytes, start: int, found: FileCharsets) -> Decoding:
        """The game tree that begins at `start`."""
        decoding = found.decode(data[start : self.end], Position(start, 0, 0))
        if self.charset is None:
            return decoding
        return decoding.with_sections([(0, self.end - start, self.charset)])

    def is_declared(self, flat: FlatTree, found: FileCharsets, part: bytes) -> bool:
        """Whether the charset in which each game tree is decoded applies to it."""
        return self.charset is None or all(
            found.choose(flat.first_values(root, ("CA",)).get("CA"), part).codec
            == self.charset.codec
            for root in flat.roots
        )


class FoundTree(NamedTuple):
    """A game tree of a file with whatever precedes it: the ways to read it, best first, and the
    tree itself, read in the first of them, if that follows the grammar."""

    readings: list[Reading]
    parsed: ParsedFile | None

    @property
    def makes_sense(self) -> bool:
        """Whether it follows the grammar and its texts make sense."""
        return self.parsed is not None and has_meaning(self.parsed)

    def or_better(self, other: FoundTree) -> FoundTree:
        """Of two damaged or meaningless readings the other only if this one is worse."""
        is_worse = self.parsed is None and (other.parsed is not None or not self.readings)
        return other if is_worse else self


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
        as_bytes = _end_of_bytes(data, start, self._engine)
        if as_bytes is not None and charsets.is_plain_ascii(data[start:as_bytes]):
            return self._best([Reading(as_bytes)], data, start)
        best: FoundTree | None = None
        for charset in self._charsets(data, start, is_complete):
            if charset is None:
                return None
            readings = self._readings(data, start, charset, as_bytes, is_complete)
            if readings is None:
                return None
            found = self._best(readings, data, start)
            if found.makes_sense:
                return found
            best = found if best is None else best.or_better(found)
        return best

    def _charsets(self, data: bytes, start: int, is_complete: bool) -> Iterator[TextCharset | None]:
        """The charsets that the game tree may be in, the likely ones first; None if more data is
        needed to tell."""
        # What is before the first variation has the CA.
        end = self._next_match(_BETWEEN_TREES, data, start)
        if end == len(data) and not is_complete:
            yield None
        part = data[start:end]
        name = charsets.declared_in(part)
        yield self._found.choose(name, part)
        if not charsets.may_have_trail_bytes(part):
            return
        if name is not None:
            # That may be no CA, but text.
            yield self._found.choose(None, part)
        # A guess may need more than that.
        end = self._next_match(_BEFORE_ROOT, data, start)
        if end == len(data) and not is_complete:
            yield None
        yield self._found.choose(None, data[start:end])

    def _next_match(self, pattern: re.Pattern[bytes], data: bytes, start: int) -> int:
        """The offset of the first match from `start` on, or the end of the data."""
        last, end = self._last.get(pattern, (b"", 0))
        if last is not data or end < start:
            match = pattern.search(data, start)
            end = match.start() if match else len(data)
            self._last[pattern] = data, end
        return end

    def _readings(
        self,
        data: bytes,
        start: int,
        texts: TextCharset,
        as_bytes: int | None,
        is_complete: bool,
    ) -> list[Reading] | None:
        """The ways to read the game tree that begins at `start`, the shortest first, if its texts
        are in that charset; None if more data is needed. As bytes it ends at `as_bytes`, if that
        is known."""
        if not (texts.charset.trail and self._found.decode_trees):
            end = as_bytes or end_of_tree(data, start)
            return [Reading(end)] if end is not None else [] if is_complete else None
        size = _WINDOW
        while True:
            window = data[start : start + size]
            readings: list[Reading] = []
            if (end := end_of_tree(window, 0)) is not None:
                readings.append(Reading(start + end))
            characters = OffsetMap(window, texts.codec, 0)
            if (end := end_of_tree(characters.utf_8, 0)) is not None:
                readings.append(Reading(start + _in_file(characters, end), texts))
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

    def _best(self, readings: list[Reading], data: bytes, start: int) -> FoundTree:
        """The first reading that follows the grammar and makes sense, or else one that follows the
        grammar, as bytes if these do."""
        best = FoundTree(readings, None)
        for reading in readings:
            decoding = reading.decode(data, start, self._found)
            flat = parse_if_strict(decoding.data, self._engine)
            part = data[start : reading.end]
            if flat is None or not reading.is_declared(flat, self._found, part):
                continue
            others = [each for each in readings if each is not reading]
            tree = FoundTree([reading, *others], ParsedFile(decoding, flat))
            if len(readings) == 1 or tree.makes_sense:
                return tree
            best = tree if best.parsed is None or reading.charset is None else best
        return best

    def reading_of_damage(self, readings: list[Reading], data: bytes, start: int) -> Reading:
        """How a damaged game tree is read: the first way in which it makes sense, or else as bytes.

        One without an end may be followed by others, so it is decoded only if none of these
        declares another charset.
        """
        found = self._found
        if not readings:
            part = data[start:]
            texts = found.choose(charsets.declared_in(part), part)
            readings = [Reading(len(data))]
            if texts.charset.trail and _declares_only(part, texts.codec):
                readings.append(Reading(len(data), texts))
        if len(readings) > 1 or readings[0].charset is not None:
            for reading in readings:
                parsed = parse_decoded(reading.decode(data, start, found), self._engine)
                is_declared = reading.is_declared(parsed.flat, found, data[start : reading.end])
                if is_declared and has_meaning(parsed):
                    return reading
        as_bytes = (reading for reading in readings if reading.charset is None)
        return next(as_bytes, Reading(readings[0].end))


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


def _decode_game_by_game(decoding: Decoding, engine: Engine) -> ParsedFile | None:
    """The file with those game trees decoded that make no sense as bytes, each by itself.

    None if there is no such tree, or if it is uncertain where these trees begin and end.
    """
    data = decoding.original
    decoded: list[tuple[int, int, TextCharset]] = []
    finder = TreeFinder(decoding.charsets, engine)
    start = 0
    while start < len(data):
        tree = finder.find(data, start)
        assert tree is not None
        if tree.parsed is not None:
            reading = tree.readings[0]
        else:
            reading = finder.reading_of_damage(tree.readings, data, start)
        # What precedes the next "(" belongs to the game tree before it.
        end = data.find(b"(", reading.end)
        end = len(data) if end < 0 else end
        if reading.charset is not None:
            decoded.append((start, end, reading.charset))
        start = end
    if not decoded:
        return None
    parsed = parse_decoded(decoding.with_sections(decoded), engine)
    return parsed if _keeps_sections(parsed) else None


def _declares_only(part: bytes, codec: str) -> bool:
    """Whether what looks like CA in a damaged part names that charset, or none that is known."""
    declared = map(charsets.declared_superset, charsets.all_declared_in(part))
    return all(charset is None or charset.codec == codec for charset in declared)


def _keeps_sections(parsed: ParsedFile) -> bool:
    """Whether no game tree reaches from one section into another."""
    sections, flat = parsed.decoding.sections, parsed.flat
    bounds = (flat.bounds(root) for root in flat.roots)
    return all(sections.at(start) is sections.at(max(start, end - 1)) for start, end in bounds)


# --- Whether the texts make sense ------------------------------------------------------

#: A soft line break, or an escape character and the character after it.
_ESCAPE = re.compile(rb"\\(?:\r\n|\n\r|[\r\n]|(.))", re.DOTALL)
#: Characters that have to be escaped, so that they may follow a "\" that ends a character.
_ESCAPED = ("\\", "]", ":", "")
#: A "]" that is more likely the end of a value than a character in one.
_AFTER_A_VALUE = r"\]\s*(?:[;\[]|\(\s*;|\)\s*[();]|[A-Z]+\s*\[)"
_TEXT_AFTER_A_VALUE = re.compile(_AFTER_A_VALUE)
_BYTES_AFTER_A_VALUE = re.compile(rb"%s|\]\s*\Z" % _AFTER_A_VALUE.encode())


def has_meaning(file: ParsedFile) -> bool:
    """Whether each game tree makes sense in the charset that applies to it.

    In charsets in which the second byte of a character can be "\\" or "]", and in a section that
    was decoded, all values can be decoded after their escapes are removed, and each "\\" escapes
    a character that needs it, so that no "\\" is the second byte of a character.
    """
    decoding, data = file.decoding, file.flat.data
    if decoding.sections.are_bytes:
        if not decoding.may_have_trail_bytes:
            return True
        names = {*charsets.all_declared_in(data)}
        is_declared = decoding.charsets.override is None and all(
            "CA" in values for values in file.root_values
        )
        if is_declared and not any(map(_has_trail_bytes, names)):
            return True  # as in nearly all files
        if _hides_tree(file):
            return False
    return all(_tree_has_meaning(file, tree) for tree in range(len(file.flat.roots)))


def _hides_tree(file: ParsedFile) -> bool:
    """Whether a value of a file that is parsed as bytes has what looks like the start of a game
    tree, or like a CA with a charset in which the second byte of a character can be "\\" or "]".

    Then a character may have opened that value.
    """
    flat = file.flat
    if len(_BEFORE_ROOT.findall(flat.data)) >= max(len(flat.roots), 1):
        return True
    names = Counter(charsets.all_declared_in(flat.data))
    names.subtract(values.get("CA", b"") for values in file.root_values)
    if any(map(_has_trail_bytes, +names)):
        # In another node than a root CA is out of place, but in no value.
        others = {*range(flat.count)} - {*flat.roots}
        names.subtract(flat.first_values(node, ("CA",)).get("CA", b"") for node in others)
    return any(map(_has_trail_bytes, +names))


def _has_trail_bytes(name: bytes) -> bool:
    """Whether the second byte of a character can be "\\" or "]" in the charset of that name."""
    charset = charsets.declared(name)
    return charset is not None and charset.trail


def _tree_has_meaning(file: ParsedFile, tree: int) -> bool:
    flat = file.flat
    start, end = flat.bounds(flat.roots[tree])
    is_decoded = file.decoding.sections.at(start).offset_map is not None
    if not (is_decoded or charsets.may_have_trail_bytes(flat.data[start:end])):
        return True
    charset = file.charsets[tree].charset
    if not (is_decoded or charset.trail):
        return True
    nodes = flat.nodes_of(tree)
    first, last = flat.properties_of(nodes[0])[0], flat.properties_of(nodes[-1])[1]
    if first == last:
        return True
    for value in range(flat.values_of(first)[0], flat.values_of(last - 1)[1]):
        raw = flat.data[flat.value_from[value] : flat.value_to[value]]
        if not raw.isascii() and not _value_has_meaning(flat, value, raw, charset.codec):
            return False
    return True


def _value_has_meaning(flat: FlatTree, value: int, raw: bytes, codec: str) -> bool:
    if _BYTES_AFTER_A_VALUE.match(flat.data, flat.value_to[value]):
        raw = _without_cut_character(raw, codec)
    return charsets.decodes(_ESCAPE.sub(rb"\1", raw), codec) and _is_escaped(raw, codec)


def _without_cut_character(raw: bytes, codec: str) -> bytes:
    """`raw` without the first byte of a character whose second one is missing at its end."""
    return raw[:-1] if raw[-1] > 0x7F and not charsets.decodes(raw, codec) else raw


def _is_escaped(raw: bytes, codec: str) -> bool:
    """Whether no "\\" that could be the second byte of a character precedes a character that
    nobody would escape."""
    if b"\\" not in raw or codec == "utf-8":
        return True
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return True
    for index, character in enumerate(text, 1):
        if character > "\x7f" and character.encode(codec, "replace").endswith(b"\\"):
            if text[index : index + 1] not in _ESCAPED:
                return False
            if _TEXT_AFTER_A_VALUE.match(text, index):
                return False
    return True
