r"""From bytes, and how they are decoded, to a parsed file.

The charset belongs to the game tree (properties.html, CA). In some charsets the second byte
of a character can be "\" or "]", and many programs do not escape it. Such a game tree is
read in two ways, as bytes and as characters, and the first in which it makes sense is chosen,
from the bytes of that game tree only. So a game tree is read alike in every collection.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark import engine as tables
from sgf_lark.diagnostics import Diagnostic
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax import ENGINES, Engine
from sgf_lark.syntax.grammars import file_format
from sgf_lark.syntax.signatures import may_be_text, may_be_wrapped
from sgf_lark.syntax.unnamed_format import unnamed_format
from sgf_lark.text import charsets, validity
from sgf_lark.text.charsets import Reason, TextCharset
from sgf_lark.text.decoding import AddedEscapes, Decoding, FileCharsets
from sgf_lark.text.positions import CodecAt, Position, SourceText
from sgf_lark.text.validity import ends_value, may_have_trail_bytes

if TYPE_CHECKING:
    # Nothing of it is needed for an intact file: it is imported where damage is found.
    from sgf_lark.syntax.layers import Layers
    from sgf_lark.syntax.tolerant import Damage, DamagedTree

#: The root properties that govern how a tree is read.
CONTEXT_PROPERTIES = frozenset({"FF", "GM", "SZ", "CA"})


def parse(decoding: Decoding, engine: Engine = "tables") -> ParsedFile:
    """The file with its charsets chosen. Any bytes are accepted.

    They are parsed as they are, unless this gives damage or texts without meaning because bytes
    that are brackets or escapes for the parser are halves of characters. Then such game trees
    are decoded before they are parsed, each in its own charset. Layers over a file that does not
    follow the grammar are undone if more of it can be read then.
    """
    found = _parse(decoding, engine)
    if not _may_have_layers(found):
        return found
    from sgf_lark.syntax.layers import without_layers

    return without_layers(found, partial(_parse, engine=engine))


def _may_have_layers(file: ParsedFile) -> bool:
    """Whether something may lie over a file: it is text that is damaged, or broken into lines."""
    decoding, damaged = file.decoding, file.damaged
    if (damaged is None or damaged.is_intact) and not may_be_wrapped(decoding.data):
        return False
    return not decoding.sections.are_bytes or may_be_text(decoding.original)


def _parse(decoding: Decoding, engine: Engine = "tables") -> ParsedFile:
    """The file with its charsets chosen, with the layers over it."""
    found = _parse_intact(decoding, engine)
    if found is None or (decoding.may_have_trail_bytes and not makes_sense(found)):
        parsed = _parse_by_sections(decoding, engine)
        if parsed is not None:
            return parsed
    return found or _parse_damaged(decoding, engine)


def parse_decoded(decoding: Decoding, engine: Engine = "tables") -> ParsedFile:
    """The file as it is decoded. Any bytes are accepted."""
    return _parse_intact(decoding, engine) or _parse_damaged(decoding, engine)


def _parse_intact(decoding: Decoding, engine: Engine) -> ParsedFile | None:
    """A file that follows the grammar; None for others."""
    flat = parse_if_strict(decoding.data, engine)
    return None if flat is None else ParsedFile(decoding, flat, engine=engine)


def _parse_damaged(decoding: Decoding, engine: Engine) -> ParsedFile:
    """A file that leaves the grammar, with its damage."""
    from sgf_lark.syntax.tolerant import parse_tolerant

    damaged = parse_tolerant(decoding.data, engine)
    return ParsedFile(decoding, damaged.flat, damaged, engine=engine)


def check_engine(engine: str) -> None:
    """Raise ValueError for an unknown engine."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine: {engine!r}; one of {', '.join(ENGINES)}")


def parse_if_strict(data: bytes, engine: Engine = "tables") -> FlatTree | None:
    """The flat tree of `data`, a collection without a byte order mark; None where it
    leaves the grammar.

    Raises ValueError for an unknown engine.
    """
    check_engine(engine)
    if engine == "tables" and tables.can_parse(data):
        return tables.parse(data)
    from lark.exceptions import UnexpectedInput

    from sgf_lark.syntax.strict import parse_by_lark

    try:
        return parse_by_lark(data)
    except UnexpectedInput:
        return None


def parse_strictly(data: bytes) -> FlatTree:
    """The flat tree of `data`, a collection without a byte order mark; raises SGFSyntaxError."""
    flat = parse_if_strict(data)
    if flat is None:
        from sgf_lark.syntax.errors import syntax_error

        raise syntax_error(data)
    return flat


def plain_file(data: bytes) -> ParsedFile:
    """A file of these bytes, which follow the grammar; none for no bytes."""
    return ParsedFile(Decoding(data, data), parse_strictly(data) if data else FlatTree(data))


@dataclass(eq=False)
class ParsedFile:
    """The bytes of a file, how they were decoded, the flat tree that was parsed from them, and the
    damage if they do not follow the grammar.

    Nothing of it changes, so that copies of game trees share it. What every reader of the trees
    asks for, and `loads` does not, is worked out once.
    """

    decoding: Decoding
    flat: FlatTree
    damaged: DamagedTree | None = None
    #: What overrides FF and GM of every tree.
    file_format: int | None = field(default=None, kw_only=True)
    game: int | None = field(default=None, kw_only=True)
    #: The engine by which it was parsed, and by which its values are read.
    engine: Engine = field(default="tables", kw_only=True)
    #: The layers that were undone before the file was parsed, if there were any.
    layers: Layers | None = field(default=None, kw_only=True)
    # Not cached properties, whose lock on Python 3.11 each file would pay for.
    _root_values: list[dict[str, bytes]] | None = field(default=None, init=False)
    _charsets: list[TextCharset] | None = field(default=None, init=False)

    @property
    def root_values(self) -> list[dict[str, bytes]]:
        """For each tree the first value of each root property that governs the reading."""
        if self._root_values is None:
            flat = self.flat
            self._root_values = [flat.first_values(root, CONTEXT_PROPERTIES) for root in flat.roots]
        return self._root_values

    @cached_property
    def _unnamed_formats(self) -> dict[int, int]:
        """The file formats of trees without FF, as far as they were asked for."""
        return {}

    def file_format_of(self, tree: int) -> int | None:
        """The file format of a tree that does not follow from the FF of its root: the one that
        overrides FF, or the one that a tree without FF is in; else None."""
        if self.file_format is not None or file_format(self.root_values[tree].get("FF")):
            return self.file_format
        if tree not in self._unnamed_formats:
            self._unnamed_formats[tree] = unnamed_format(self.flat, tree, self.game)
        return self._unnamed_formats[tree]

    @property
    def charsets(self) -> list[TextCharset]:
        """For each tree the charset of its texts."""
        if self._charsets is None:
            flat, decoding = self.flat, self.decoding
            self._charsets = [
                decoding.text_charset(values.get("CA"), *flat.bounds(root))
                for values, root in zip(self.root_values, flat.roots, strict=True)
            ]
        return self._charsets

    @property
    def codecs(self) -> list[str]:
        """For each tree Python's codec of its texts."""
        return [charset.codec for charset in self.charsets]

    def overriding(self, file_format: int | None, game: int | None) -> ParsedFile:
        """The same file with that FF and GM for every tree, as far as they are given."""
        if (file_format, game) == (self.file_format, self.game):
            return self
        return replace(self, file_format=file_format, game=game)

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.as_written.decoding.original

    @property
    def as_written(self) -> ParsedFile:
        """The file with the layers that were undone before it was parsed."""
        return self if self.layers is None else self.layers.before

    def _place(self, offset: int) -> int:
        """The offset in what is parsed of the file as it is written."""
        assert self.layers is not None
        return self.layers.was_at(self.decoding.sections.to_file(offset))

    @cached_property
    def source(self) -> SourceText:
        """Lines and columns of :attr:`data`; columns count characters of each tree's charset."""
        if self.layers is not None:
            return self.layers.before.source.seen_from(self._place)
        codecs = self.codecs
        if len(set(codecs)) < 2:
            return self.decoding.source(codecs[0] if codecs else charsets.default().codec)
        starts = [self.flat.bounds(root)[0] for root in self.flat.roots]
        return self.decoding.source(CodecAt(starts, codecs))

    @property
    def places_of_damage(self) -> list[Damage]:
        """What the tolerant parser passed over, and the layers that were undone before."""
        found = [] if self.damaged is None else self.damaged.found(self.file_format)
        return found if self.layers is None else [*self.layers.damage(self.decoding), *found]

    @cached_property
    def damage(self) -> Sequence[Diagnostic]:
        """What the tolerant parser passed over, in the order of the file."""
        places = sorted(self.places_of_damage, key=lambda each: each.start)
        if not places:
            return []
        from sgf_lark.syntax.tolerant import diagnostic

        flat, source = self.flat, self.source
        found = []
        for each in places:
            if not flat.roots:
                found.append(diagnostic(each, flat, source))
                continue
            node = flat.node_at(each.start)
            tree = flat.tree_of(node)
            found.append(diagnostic(each, flat, source, tree, node - flat.roots[tree]))
        return found

    def part(self, tree: int) -> tuple[ParsedFile, int]:
        """A file with one of the game trees, and the number of the tree in it.

        That is this file if there is no other tree in it, or if there were layers over it.
        """
        flat = self.flat
        if len(flat.roots) == 1 or self.layers is not None:
            return self, tree
        starts = [flat.bounds(root)[0] for root in flat.roots[tree : tree + 2]]
        start, end = starts if len(starts) > 1 else (starts[0], len(flat.data))
        # The first tree of a text that was decoded has the byte order mark before it.
        begin = self.source.position(start) if start else self.decoding.begin
        own = self.decoding.part(start, end, begin)
        # To parse what follows the grammar takes less time than to copy what was parsed.
        part = parse_if_strict(own.data, self.engine) if self.damaged is None else None
        part = flat.part(tree, start, own.data) if part is None else part
        found = replace(self, decoding=own, flat=part, damaged=None)
        first, last = (
            bisect_left(self.damage, each, key=attrgetter("tree")) for each in (tree, tree + 1)
        )
        found.damage = self.damage[first:last]
        return found, 0

    def __deepcopy__(self, memo: dict[int, Any]) -> ParsedFile:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the bytes; they are parsed again, unless they are damaged."""
        state = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        is_strict = parse_if_strict(self.decoding.data) == self.flat
        flat = None if is_strict else self.flat
        return state | {"flat": flat, "damaged": None, "damage": self.damage}

    def __setstate__(self, state: dict[str, Any]) -> None:
        flat = state["flat"] or parse_strictly(state["decoding"].data)
        vars(self).update(state, flat=flat)


# --- Each game tree in its own charset ------------------------------------------------

#: All up to a parenthesis that is not in a value, or to a value that is not closed. All quantifiers
#: are possessive: nothing is tried twice, and no stack of places to return to grows with the file.
_TO_PARENTHESIS = re.compile(rb"(?:[^()\[]++|\[(?:[^\]\\]++|\\.)*+\])*+", re.DOTALL)
#: The same, and only over plain ASCII.
_IN_ASCII = re.compile(
    rb"(?:[^()\[\x1b\x80-\xff]++|\[(?:[^\]\\\x1b\x80-\xff]++|\\[^\x1b\x80-\xff])*+\])*+"
)
#: Between two game trees or variations, and where the second begins with what only a root has.
_BETWEEN_TREES = re.compile(rb"\)[^()\[\]]*\(\s*;")
_BEFORE_ROOT = re.compile(rb"\)[^()\[\]]*\(\s*;\s*(?:AP|CA|FF|GM|SZ)\s*\[")
#: What follows a game tree: another, or the end of the file.
_AFTER_TREE = re.compile(rb"\s*(?:\(|\Z)")
#: A game tree in UTF-16 after one in bytes, by its charset, which is in the group.
_WIDE_AFTER_TREE = {
    "UTF-16LE": re.compile(
        rb"\)(?:[ \t-\r](?!\0))*+((?:\xff\xfe)?(?:[ \t-\r]\0)*+\(\0(?:[ \t-\r]\0)*+;\0)"
    ),
    "UTF-16BE": re.compile(rb"\)[ \t-\r]*+((?:\xfe\xff)?(?:\0[ \t-\r])*+\0\((?:\0[ \t-\r])*+\0;)"),
}
#: The number of bytes before the end of a part of a file in which the last game tree often ends.
_NEAR_THE_END = 1 << 16
#: The number of bytes in which the end of a game tree is searched first, if it may have to be
#: decoded; they are doubled.
_WINDOW = 1 << 9
#: How many times as long a game tree may be in one reading as in the other.
_RATIO = 4


def _wide_part(decoding: Decoding) -> tuple[int, int, TextCharset] | None:
    """The part of a file in bytes to which one in UTF-16 was joined: its start and end, and its
    charset."""
    if b"\0" not in decoding.data or not (
        decoding.charsets.decode_trees and decoding.sections.are_bytes
    ):
        return None
    size = len(decoding.data)
    for name, pattern in _WIDE_AFTER_TREE.items():
        found = pattern.search(decoding.data)
        # White space before it may be in bytes, which the number of bytes after it shows.
        if found is not None and (size - found.start(1)) % 2 == 0:
            return found.start(1), size, TextCharset(charsets.named(name), Reason.SIGNATURE)
    return None


def _parse_by_sections(decoding: Decoding, engine: Engine) -> ParsedFile | None:
    """The file with those game trees decoded that make no sense as bytes, each by itself, and with
    a part in UTF-16.

    None if there are none, or if it is uncertain where these trees begin and end.
    """
    wide = _wide_part(decoding)
    end = len(decoding.original) if wide is None else wide[0]
    decoded = [] if wide is None else [wide]
    if decoding.may_have_trail_bytes:
        finder = TreeFinder(decoding.original[:end], decoding.charsets, engine)
        decoded = [*finder.decoded_trees(), *decoded]
    if not decoded:
        return None
    parsed = parse_decoded(decoding.with_sections(decoded), engine)
    return parsed if wide is not None or _keeps_sections(parsed) else None


def _keeps_sections(parsed: ParsedFile) -> bool:
    """Whether no game tree reaches from one section into another."""
    sections, flat = parsed.decoding.sections, parsed.flat
    bounds = (flat.bounds(root) for root in flat.roots)
    return all(sections.at(start) is sections.at(max(start, end - 1)) for start, end in bounds)


def end_of_tree(text: bytes, start: int, up_to: re.Pattern[bytes] = _TO_PARENTHESIS) -> int | None:
    """The offset after the ")" of the first game tree from `start` on; None if it is missing.

    `up_to` passes over what is between parentheses, such as :data:`_IN_ASCII`.
    """
    depth = 0
    while (match := up_to.match(text, start)) is not None:
        start = match.end() + 1
        parenthesis = text[match.end() : start]
        depth += (parenthesis == b"(") - (parenthesis == b")")
        if depth <= 0:
            return start if parenthesis == b")" else None
        if parenthesis not in (b"(", b")"):
            return None
    return None


def end_of_trees(text: bytes) -> int:
    """An offset up to which `text`, the first part of a file, has whole game trees; 0 for none.

    Whether that is so shows when they are parsed: brackets may be halves of characters, or content.
    """
    near = [*_BEFORE_ROOT.finditer(text, max(0, len(text) - _NEAR_THE_END))]
    if near:
        return near[-1].start() + 1
    end = 0
    while (following := end_of_tree(text, end)) is not None:
        end = following
    return end


class TreeReading(NamedTuple):
    """One way to read a game tree: the offset after it, and the charset in which it is decoded
    before it is parsed; None for bytes."""

    end: int
    charset: TextCharset | None = None


class TreeFinder:
    """Finds the game trees of a file, one after the other."""

    def __init__(self, data: bytes, found: FileCharsets, engine: Engine) -> None:
        self.data = data
        self._found = found
        self._engine: Engine = engine
        #: Patterns -> the offset that was found last.
        self._last: dict[re.Pattern[bytes], int] = {}

    def decoded_trees(self) -> Iterator[tuple[int, int, TextCharset]]:
        """The game trees that are decoded before they are parsed: start, end and charset of each,
        with what is between it and the next."""
        start = 0
        while start < len(self.data):
            reading = self.choose(start)
            # What precedes the next "(" belongs to the game tree before it.
            end = self.data.find(b"(", reading.end)
            end = len(self.data) if end < 0 else end
            if reading.charset is not None:
                yield start, end, reading.charset
            start = end

    def choose(self, start: int) -> TreeReading:
        """How the game tree that begins at `start` is read.

        That is the first way in which it follows the grammar and makes sense, or else one in which
        it follows the grammar, as bytes if these do. A damaged one is read in the first way in
        which it makes sense, or else as bytes.
        """
        readings: list[TreeReading] = []
        intact: TreeReading | None = None
        for reading in self._readings(start):
            if reading in readings:
                continue
            readings.append(reading)
            parsed = self._intact(reading, start)
            if parsed is None:
                continue
            if makes_sense(parsed):
                return reading
            if intact is None or reading.charset is None:
                intact = reading
        if intact is not None:
            return intact
        readings = readings or self._readings_to_the_end(start)
        if any(reading.charset for reading in readings):
            for reading in readings:
                parsed = parse_decoded(self._decode(reading, start), self._engine)
                if self._is_declared(reading, parsed, start) and makes_sense(parsed):
                    return reading
        as_bytes = (reading for reading in readings if reading.charset is None)
        return next(as_bytes, TreeReading(readings[0].end))

    def _intact(self, reading: TreeReading, start: int) -> ParsedFile | None:
        """What is read in this way; None if that is not a game tree by the grammar, in the charset
        that it declares."""
        parsed = _parse_intact(self._decode(reading, start), self._engine)
        return parsed if parsed and self._is_declared(reading, parsed, start) else None

    def _decode(self, reading: TreeReading, start: int) -> Decoding:
        part = self.data[start : reading.end]
        decoding = self._found.decode(part, Position(start, 0, 0))
        if reading.charset is None:
            return decoding
        return decoding.with_sections([(0, len(part), reading.charset)])

    def _is_declared(self, reading: TreeReading, parsed: ParsedFile, start: int) -> bool:
        """Whether the charset in which a part of the file was decoded applies to its game trees."""
        # What looked like a CA in the bytes may have been a text, which shows in the parsed tree.
        part = self.data[start : reading.end]
        return reading.charset is None or all(
            self._found.choose(values.get("CA"), part).codec == reading.charset.codec
            for values in parsed.root_values
        )

    def _readings(self, start: int) -> Iterator[TreeReading]:
        """The ways to read the game tree that begins at `start`, the likely ones first; none if no
        ")" ends it."""
        end = end_of_tree(self.data, start, _IN_ASCII)
        if end is not None:
            yield TreeReading(end)
            return
        for texts in self._charsets(start):
            if texts.charset.trail and self._found.decode_trees:
                yield from self._readings_in(texts, start)
            elif (end := end_of_tree(self.data, start)) is not None:
                yield TreeReading(end)

    def _charsets(self, start: int) -> Iterator[TextCharset]:
        """The charsets that the game tree may be in, the likely ones first."""
        # What is before the first variation has the CA.
        part = self.data[start : self._next_match(_BETWEEN_TREES, start)]
        yield self._found.choose(charsets.declared_in(part), part)
        if may_have_trail_bytes(part):
            # That may be no CA, but text; and a guess may need more than this part.
            part = self.data[start : self._next_match(_BEFORE_ROOT, start)]
            yield self._found.choose(None, part)

    def _next_match(self, pattern: re.Pattern[bytes], start: int) -> int:
        """The offset of the first match from `start` on, or the end of the data."""
        # From each start before a match, that match is the next one. A search for each game tree
        # would take quadratic time where the match is far away or missing.
        end = self._last.get(pattern, -1)
        if end < start:
            match = pattern.search(self.data, start)
            end = self._last[pattern] = match.start() if match else len(self.data)
        return end

    def _readings_in(self, texts: TextCharset, start: int) -> list[TreeReading]:
        """The ways to read a game tree whose texts are in that charset, the shortest first: as
        bytes, and as characters."""
        data, size = self.data, _WINDOW
        while True:
            window = data[start : start + size]
            readings: list[TreeReading] = []
            if (end := end_of_tree(window, 0)) is not None:
                readings.append(TreeReading(start + end))
            characters = AddedEscapes(window, texts.charset)
            if (end := end_of_tree(characters.text, 0)) is not None:
                readings.append(TreeReading(start + characters.to_file(end), texts))
            # In the wrong reading a game tree may not end before the file does; it is given up when
            # it is several times as long as in the other: the time has to be in line with the tree.
            is_all = start + size >= len(data)
            longest = max((reading.end - start for reading in readings), default=size)
            is_found = len(readings) == 2 or size > _RATIO * longest
            if is_found or is_all:
                readings.sort(key=lambda reading: reading.end)
                followed = [each for each in readings if _AFTER_TREE.match(data, each.end)]
                return followed or readings
            size *= 2

    def _readings_to_the_end(self, start: int) -> list[TreeReading]:
        """The ways to read a game tree that no ")" ends.

        Others may follow it, so it is decoded only if none of these declares another charset.
        """
        part, end = self.data[start:], len(self.data)
        texts = self._found.choose(charsets.declared_in(part), part)
        declared = map(charsets.declared_superset, charsets.all_declared_in(part))
        if texts.charset.trail and all(
            charset is None or charset.codec == texts.codec for charset in declared
        ):
            return [TreeReading(end), TreeReading(end, texts)]
        return [TreeReading(end)]


# --- Whether the texts make sense ------------------------------------------------------


def makes_sense(file: ParsedFile) -> bool:
    """Whether each game tree makes sense in the charset that applies to it.

    In charsets in which the second byte of a character can be "\\" or "]", and in a section that
    was decoded, each value makes sense: see :func:`sgf_lark.text.validity.makes_sense`.
    """
    if file.decoding.sections.are_bytes:
        if not file.decoding.may_have_trail_bytes:
            return True
        declared = [*map(charsets.declared, {*charsets.all_declared_in(file.flat.data)})]
        if (
            file.decoding.charsets.override is None
            and all("CA" in values for values in file.root_values)
            and not any(charset and charset.trail for charset in declared)
        ):
            # As in nearly all files. What is in UTF-8 as it says is in nothing else.
            is_utf_8 = all(charset and charset.codec == "utf-8" for charset in declared)
            if is_utf_8 and charsets.decodes(file.flat.data, "utf-8"):
                return True
            if not any(texts.charset.trail for texts in file.charsets):
                return True
        if _hides_tree(file):
            return False
    return all(_tree_makes_sense(file, tree) for tree in range(len(file.flat.roots)))


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


def _tree_makes_sense(file: ParsedFile, tree: int) -> bool:
    flat, charset = file.flat, file.charsets[tree].charset
    start, end = flat.bounds(flat.roots[tree])
    values = map(flat.value, flat.values_in(flat.nodes_of(tree)))
    if file.decoding.sections.at(start).offset_map is not None:
        return all(validity.is_text(raw, charset.codec) for raw in values)
    if not (charset.trail and may_have_trail_bytes(flat.data[start:end])):
        return True
    return all(
        validity.makes_sense(
            raw, charset.codec, may_be_cut=ends_value(flat.data, flat.value_to[value])
        )
        for value in flat.values_in(flat.nodes_of(tree))
        if not (raw := flat.value(value)).isascii()
    )
