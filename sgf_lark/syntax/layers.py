"""What lies over a whole file, such as an encoding or the markup of a page (``layers.toml``).

A layer is recognized in a file that does not follow the grammar, or whose moves are broken by line
ends, by its signs at the places that cannot be read. It is undone if more of the file can be read
without it, the outermost first. The file is then parsed anew; :class:`Layers` says what was undone,
and where in the file it was.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from html.entities import html5
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark import grammar
from sgf_lark.diagnostics import Words
from sgf_lark.syntax.signatures import SAMPLE, WIDTHS
from sgf_lark.syntax.tolerant import LAYER, Damage, DamagedTree, parse_tolerant
from sgf_lark.text.charsets import decodes
from sgf_lark.text.decoding import Decoding, OffsetMap, as_utf_8
from sgf_lark.text.edits import Edit, Origins, apply

if TYPE_CHECKING:
    from sgf_lark.syntax.parsing import ParsedFile

#: At most this many layers are undone, and as many readings of the sample tried.
_MOST_LAYERS, _MOST_READINGS = 4, 24
#: The bytes after a place of damage that may belong to what is there.
_AFTER_DAMAGE = 2
#: The share of lines whose head a layer is in.
_MOST_LINES = 0.5
#: How much more can be read without layers at least, in values and places of damage: what is at two
#: places is junk there, and not over the file.
_LEAST_GAIN = 3
#: The same of a file without game trees, of which only signs cannot be read.
_LEAST_OF_NONE = 2
#: The number of signs of a layer at damage.
_LEAST_SIGNS = 2

#: The name of the layer that no pattern describes, because it shifts all that follows.
_LINE_ENDS = Words("line ends of one byte in UTF-16", "UTF-16 文本中的单字节换行符")

#: The values of points and moves have no white space. No part of this pattern reads past the next
#: "[", so a search takes time in line with the size of a file in which no value ends.
_OF_POINTS = {"point", "move", "stone", "none"}
_BROKEN_VALUE = re.compile(rb"\[[^\[\]\s]*+\s++[^\[\]\s]*+(?=\])")
#: The brackets of values, and escapes of them, in a pattern after the tokens of a layer.
_BRACKETS = r"(?P<open>\[)|(?P<close>\])|(?P<escape>\\[\[\]\\])"

#: Flags at the start of a pattern, and the rest of it.
_FLAGS = re.compile(r"\A\(\?([ims]+)\)(.*)", re.DOTALL)

#: Makes a file of bytes and how they are decoded.
Parse = Callable[[Decoding], "ParsedFile"]


class LayerToken(NamedTuple):
    """A token of a layer; the keys of ``layers.toml`` are explained at its top."""

    pattern: str
    text: str | None = None
    decode: str = ""
    structure: bool = False

    def meaning(self, match: re.Match[bytes], group: int, *, beyond_ascii: bool) -> bytes | None:
        """What the token stands for; None if that is nothing, or no ASCII where only ASCII can be
        written.

        `group` is the number of its group.
        """
        if self.text is not None:
            return self.text.encode().replace(b"\\1", match[group] or b"")
        found = _DECODERS[self.decode](match[group])
        if isinstance(found, bytes) or found is None:
            return found
        found = found.replace("\N{NO-BREAK SPACE}", " ")
        return found.encode() if beyond_ascii or found.isascii() else None


class Reading:
    """A text that may have layers over it, and what can be read of it.

    Of a sample, brackets in values are not searched: that takes most of the time, and finds much
    the same with a layer and without.
    """

    def __init__(
        self, data: bytes, damaged: DamagedTree | None = None, *, is_sample: bool = False
    ) -> None:
        """`damaged` is what was parsed of it, if it was parsed."""
        self.data = data
        self.is_sample = is_sample
        if damaged is not None:
            self.damaged = damaged

    @classmethod
    def of_file(cls, file: ParsedFile) -> Reading:
        """What was read of a file."""
        return cls(file.decoding.data, file.damaged or DamagedTree(file.flat))

    @cached_property
    def damaged(self) -> DamagedTree:
        """The flat tree and its damage."""
        return parse_tolerant(self.data, inner=[] if self.is_sample else None)

    @cached_property
    def is_utf_8(self) -> bool:
        """Whether it is text in UTF-8, in which characters beyond ASCII can be written."""
        return decodes(self.data, "utf-8")

    @cached_property
    def unread(self) -> list[tuple[int, int]]:
        """The places that cannot be read: damage, and the values of points and moves that are not
        in one piece, which follow the grammar."""
        flat = self.damaged.flat
        places = [(each.start, each.end) for each in self.damaged.found()]
        for found in _BROKEN_VALUE.finditer(flat.data):
            value = flat.value_at(found.start())
            if value < 0 or flat.value_from[value] != found.start() + 1:
                continue
            definitions = grammar.definitions(flat.ident(flat.property_at(found.start())))
            if definitions and _OF_POINTS.issuperset(definitions[0].kinds):
                places.append(found.span())
        return places

    @cached_property
    def score(self) -> int:
        """How much can be read: the number of values of known properties, without the number of
        places that cannot be read."""
        flat = self.damaged.flat
        known = 0
        for prop in range(len(flat.ident_start)):
            if grammar.definitions(flat.ident(prop)):
                first, end = flat.values_of(prop)
                known += end - first
        return known - len(self.unread)

    def layers(self) -> list[Layer]:
        """The layers that may lie over it, by what cannot be read."""
        damaged = b" ".join(self.data[start : end + _AFTER_DAMAGE] for start, end in self.unread)
        return [each for each in layers() if damaged and each.is_seen(damaged, self.data)]

    def is_in_text(self, offset: int) -> bool:
        """Whether the byte at an offset is between the brackets of a text."""
        flat = self.damaged.flat
        value = flat.value_at(offset)
        if value < 0 or not flat.value_from[value] <= offset < flat.value_to[value]:
            return False
        definitions = grammar.definitions(flat.ident(flat.property_at(offset)))
        return any(each.is_text and not each.format for each in definitions)


@dataclass(frozen=True)
class Undone:
    """One layer over the text `before` that was undone: by these edits. Characters beyond ASCII
    that they write may be in UTF-8."""

    name: Words
    before: Reading
    edits: list[Edit]
    is_utf_8: bool

    @cached_property
    def after(self) -> Reading:
        """The text without the layer."""
        return Reading(apply(self.before.data, self.edits), is_sample=self.before.is_sample)

    def outside_texts(self) -> Undone:
        """The same without the edits in texts: what stands for a token of the grammar is a word of
        the text there.

        A text is what is one without the layer, under which it may go on over the next nodes. But
        tokens that are written there may end it, so they count by what it is with the layer, too.
        """
        edits, added = [], 0
        for edit in self.edits:
            is_token = edit.replacement.strip() != b""
            if not (is_token and self.before.is_in_text(edit.start)) and not self.after.is_in_text(
                edit.start + added
            ):
                edits.append(edit)
            added += len(edit.replacement) - (edit.end - edit.start)
        return Undone(self.name, self.before, edits, self.is_utf_8)


@dataclass(frozen=True)
class Layer:
    """One layer; the keys of ``layers.toml`` are explained at its top."""

    name: Words
    signs: tuple[bytes, ...]
    tokens: tuple[LayerToken, ...]
    needs: str = ""
    lines: bool = False

    def is_seen(self, damaged: bytes, data: bytes) -> bool:
        """Whether the layer may lie over `data`, of which `damaged` is what cannot be read."""
        if sum(map(damaged.count, self.signs)) < _LEAST_SIGNS:
            return False
        needs = self._compiled(self.needs, data)
        return needs is not None and needs.search(data) is not None

    def undo(self, text: Reading) -> Undone | None:
        """`text` without the layer; None if it has none."""
        data = text.data
        tokens = self._compiled(self._pattern, data)
        pattern = self._compiled(f"{self._pattern}|{_BRACKETS}", data)
        if tokens is None or pattern is None or tokens.search(data) is None:
            return None
        if self.lines and not _is_in_most_lines(tokens, data):
            return None
        edits = list(self._edits(pattern, text))
        if not edits:
            return None
        is_utf_8 = (
            text.is_utf_8
            and any(token.decode in _OF_CHARACTERS for token in self.tokens)
            and not all(edit.replacement.isascii() for edit in edits)
        )
        return Undone(self.name, text, edits, is_utf_8)

    @cached_property
    def _pattern(self) -> str:
        patterns = (_FLAGS.sub(r"(?\1:\2)", token.pattern) for token in self.tokens)
        return "|".join(f"(?P<t{number}>{pattern})" for number, pattern in enumerate(patterns))

    def _compiled(self, pattern: str, data: bytes) -> re.Pattern[bytes] | None:
        """A pattern over bytes; None where it needs the length of lines, and they have none."""
        if "WIDTH" in pattern:
            width = max(map(len, data.splitlines()), default=0)
            if width not in WIDTHS:
                return None
            pattern = pattern.replace("WIDTH", str(width))
        return _compile(pattern)

    def _edits(self, pattern: re.Pattern[bytes], of: Reading) -> Iterator[Edit]:
        """The edits that undo the layer."""
        # Each match with its token, which a bracket has not, and what that stands for.
        read: list[tuple[re.Match[bytes], LayerToken | None, bytes | None]] = []
        balance = 0
        for match in pattern.finditer(of.data):
            name = match.lastgroup or ""
            token = text = None
            if name in ("open", "close", "escape"):
                balance -= name == "close"
            else:
                token = self.tokens[int(name[1:])]
                text = token.meaning(match, (match.lastindex or 0) + 1, beyond_ascii=of.is_utf_8)
                balance += text == b"]"
            read.append((match, token, text))
        values = _Values(
            of.data,
            is_mostly_encoded=balance > 0,
            escapes_backslash=any(token.pattern.startswith("\\\\") for token in self.tokens),
        )
        for match, token, text in read:
            if token is None:
                values.pass_bracket(match)
            elif text is not None:
                written = values.written(match, text, structure=token.structure)
                if written is not None and written != match[0]:
                    yield Edit(*match.span(), written)


def _is_in_most_lines(tokens: re.Pattern[bytes], data: bytes) -> bool:
    """Whether more than half of the lines have one of the tokens."""
    heads = sum(1 for _ in tokens.finditer(data))
    return heads > _MOST_LINES * sum(1 for line in data.splitlines() if line.strip())


class _Values:
    """Where values begin and end while the tokens of a layer are read, and what is written for
    tokens in them.

    A bracket ends a value as the one that began it did: both are encoded, or neither, unless most
    are encoded.
    """

    def __init__(self, data: bytes, *, is_mostly_encoded: bool, escapes_backslash: bool) -> None:
        self._data = data
        self._is_mostly_encoded = is_mostly_encoded
        #: Whether a "\\" is always encoded, because it is the escape of the layer itself.
        self._escapes_backslash = escapes_backslash
        self._is_open = self._is_encoded = False
        #: The offset of what an encoded "\\" escapes, and the end of the last match.
        self._escaped = self._end = -1

    def _is_escaped(self, match: re.Match[bytes]) -> bool:
        start = match.start()
        after_backslash = self._data[start - 1 : start] == b"\\" and self._end != start
        self._end = match.end()
        return after_backslash or self._escaped == start

    def pass_bracket(self, match: re.Match[bytes]) -> None:
        """Go on after a bracket that is not encoded, or after an escape."""
        if self._is_escaped(match) or match.lastgroup == "escape":
            return
        if match.lastgroup == "close":
            self._is_open = False
        elif not self._is_open:
            self._is_open, self._is_encoded = True, False

    def written(self, match: re.Match[bytes], text: bytes, *, structure: bool) -> bytes | None:
        """What is written for a token that stands for `text`; None if it stays as it is, which is
        part of a value."""
        is_escaped = self._is_escaped(match)
        if not self._is_open:
            self._is_open = self._is_encoded = text == b"["
            return text
        if text == b"]" and (self._is_encoded or (self._is_mostly_encoded and not structure)):
            self._is_open = is_escaped
            return text
        if structure:
            return None
        if text == b"\\" and (self._is_encoded or self._escapes_backslash):
            self._escaped = -1 if is_escaped else match.end()
            return text
        return b"\\" + text if text in (b"]", b"\\") else text


@lru_cache(maxsize=64)
def _compile(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode())


@cache
def layers() -> tuple[Layer, ...]:
    """The layers, in the order of ``layers.toml``."""
    rows = grammar.table("layers")["layer"]
    return tuple(
        Layer(
            Words(row["name"], row["name_zh"]),
            tuple(sign.encode() for sign in row["signs"]),
            tuple(LayerToken(**token) for token in row["token"]),
            row.get("needs", ""),
            row.get("lines", False),
        )
        for row in rows
    )


# What tokens stand for.


def _character(digits: bytes, base: int = 16) -> str | None:
    """The character of that code point, or of both halves of a surrogate pair."""
    try:
        codes = [int(each, base) for each in digits.split(b"\\u")]
        text = "".join(chr(code % 0x10000 if code < 0 else code) for code in codes)
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except (ValueError, OverflowError):
        return None


def _base64(text: bytes) -> bytes | None:
    digits = b"".join(text.split()).rstrip(b"=")
    try:
        return base64.b64decode(digits[: len(digits) - (len(digits) % 4 == 1)] + b"==")
    except binascii.Error:
        return None


#: Capitals of the Cyrillic and the Greek alphabet, and those of the Latin one that look like them.
_LATIN = str.maketrans("АΑВΒСЕΕНΗКΚМΜОΟРΡТΤ", "AABBCEEHHKKMMOOPPTT")

_DECODERS: dict[str, Callable[[bytes], bytes | str | None]] = {
    "byte": lambda digits: bytes([int(digits, 16)]),
    "octal": lambda digits: bytes([int(digits, 8)]),
    "character": _character,
    "decimal": lambda digits: _character(digits, 10),
    "entity": lambda name: html5.get(name.decode() + ";"),
    "base64": _base64,
    "upper": bytes.upper,
    "latin": lambda letter: letter.decode().translate(_LATIN),
    "narrow": lambda text: unicodedata.normalize("NFKC", text.decode("utf-8", "surrogateescape")),
}
_OF_CHARACTERS = {"character", "decimal", "entity"}


# Which layers lie over a file.


def without_layers(file: ParsedFile, parse: Parse) -> ParsedFile:
    """A file without the layers over it; the same file if it reads no better then."""
    text = Reading.of_file(file)
    found = _undone(file, text, file, text, parse)
    if found is None and file.decoding.sections.are_bytes and not text.is_utf_8:
        # Brackets beyond ASCII are found only in characters.
        decoding = file.decoding.charsets.decode_as_guessed(file.decoding.original)
        if decoding is not None:
            before = parse(decoding)
            found = _undone(file, text, before, Reading.of_file(before), parse)
    return found or file


def _undone(
    file: ParsedFile, read: Reading, before: ParsedFile, text: Reading, parse: Parse
) -> ParsedFile | None:
    """The file without the layers over `before`, which is the same file or one that is decoded;
    None if there are none, or it reads no better. `read` and `text` are what was read of both."""
    is_utf_8 = not before.decoding.sections.are_bytes
    found = Layers(before)
    chosen: list[Layer] = []
    if (undone := _without_line_ends(text, before.decoding)) is not None:
        found.add(undone)
        text = undone.after
    elif text.layers():
        chosen = _Search().needed(Reading(text.data[:SAMPLE], is_sample=True))
    for layer in chosen:
        undone = layer.undo(text)
        if undone is not None and all(token.structure for token in layer.tokens):
            undone = undone.outside_texts()
        if undone is not None and undone.edits:
            found.add(undone)
            text, is_utf_8 = undone.after, is_utf_8 or undone.is_utf_8
    if not found.undone:
        return None
    data, charsets = text.data, file.decoding.charsets
    result = parse(as_utf_8(data) if is_utf_8 else charsets.for_content(data).decode(data))
    least_gain = _LEAST_GAIN if file.flat.roots else _LEAST_OF_NONE
    if Reading.of_file(result).score < read.score + least_gain:
        return None
    result.layers = found
    return result


def _without_line_ends(text: Reading, decoding: Decoding) -> Undone | None:
    """The text of a file in UTF-16 as it is without line ends of one byte; None if it has none."""
    codec, mark = decoding.unicode_signature.codec, decoding.unicode_signature.length
    if not codec.startswith("utf-16"):
        return None
    to_text = decoding.sections.to_text
    edits = [
        edit._replace(start=to_text(edit.start), end=to_text(edit.end))
        for edit in _single_byte_line_ends(decoding.original, codec, mark)
    ]
    return Undone(_LINE_ENDS, text, edits, is_utf_8=True) if edits else None


class _Search:
    """The search for the layers over a text: those without which most of it can be read."""

    def __init__(self) -> None:
        self._left = _MOST_READINGS

    def needed(self, text: Reading) -> list[Layer]:
        """The fewest layers without which as much of the text can be read as without the best ones.

        The tokens of any layer may be content as well, such as "%20" in a comment, or the escapes
        of SGF. Where another layer explains all the damage, as a head that is cut off does, no sign
        of this one is left outside of content, and the search ends at the first reading without
        damage.
        """
        _, chosen = self._best(text, _MOST_LAYERS)
        least = _score_without(text, chosen) if len(chosen) > 1 else 0
        # Not one by one: a backslash that is escaped twice seems to be a layer that lies over
        # itself.
        for size in range(1, len(chosen)):
            for some in combinations(chosen, size):
                if _score_without(text, some) >= least:
                    return list(some)
        return chosen

    def _best(self, text: Reading, most: int) -> tuple[int, list[Layer]]:
        """How much of the text can be read at best, and without which layers, at most so many."""
        self._left -= 1
        best: tuple[int, list[Layer]] = text.score, []
        if not text.unread:
            self._left = 0  # no other reading can be much better
        for layer in text.layers() if most > 0 else ():
            if self._left <= 0:
                break
            if (undone := layer.undo(text)) is not None:
                score, others = self._best(undone.after, most - 1)
                # Of two readings that are equally good the one with fewer layers is taken.
                if (score, -len(others) - 1) > (best[0], -len(best[1])):
                    best = score, [layer, *others]
        return best


def _score_without(text: Reading, chosen: Iterable[Layer]) -> int:
    """How much of the text can be read without these layers."""
    for layer in chosen:
        undone = layer.undo(text)
        text = text if undone is None else undone.after
    return text.score


class UndoneLayer(NamedTuple):
    """A layer that was undone: the place of its first token in the file, the bytes of that token
    and what it stands for, and the number of its tokens."""

    name: Words
    place: int
    before: bytes
    after: bytes
    tokens: int


class Layers:
    """The layers that were undone in a file, which is `before` with them."""

    def __init__(self, before: ParsedFile) -> None:
        self.before = before
        self.undone: list[UndoneLayer] = []
        self._origins = Origins(len(before.decoding.data))

    def add(self, undone: Undone) -> None:
        """Note a layer that was undone in a text without those before it."""
        start, end, after = undone.edits[0]
        place = self._origins.was_at(start)
        token = undone.before.data[start:end]
        self.undone.append(UndoneLayer(undone.name, place, token, after, len(undone.edits)))
        self._origins.follow(undone.edits)

    def was_at(self, offset: int) -> int:
        """The offset in the data of :attr:`before` for an offset in the bytes without layers."""
        return self._origins.was_at(offset)

    def as_damage(self) -> DamagedTree:
        """The layers, as all of the damage of the file with them."""
        found = [
            self._damage(each, each.place, each.place + len(each.before)) for each in self.undone
        ]
        return DamagedTree(self.before.flat, found)

    def damage(self, decoding: Decoding) -> list[Damage]:
        """The damage that the layers are, in the offsets of the decoding without them."""
        offsets = range(len(decoding.original) + 1)
        found = []
        for each in self.undone:
            start, end = (
                decoding.sections.to_text(bisect_left(offsets, place, key=self.was_at))
                for place in (each.place, each.place + len(each.before))
            )
            found.append(self._damage(each, start, end))
        return found

    @staticmethod
    def _damage(layer: UndoneLayer, start: int, end: int) -> Damage:
        # Where something is missing, it is what was written.
        token = layer.before.strip() or layer.after.strip() or layer.before
        value = token.decode("utf-8", "backslashreplace")
        values = {"layer": layer.name, "value": value, "count": layer.tokens}
        return Damage(LAYER, start, end, None, values)


# --- UTF-16 with line ends of one byte ----------------------------------------------

#: How likely two bytes are a character that people write, and one byte a line end of its own. What
#: is written in most files is ASCII; half of one character and half of the next are seldom that,
#: but often an ideograph, a syllable or unassigned.
_ASCII, _COMMON, _LONE, _RARE, _UNASSIGNED = 3, 1, 1, 0, -1
#: The first code points, by 256, of the scripts in which games are written.
_COMMON_ROWS = frozenset(
    [*range(7), 0x1E, 0x20, 0x30, *range(0x4E, 0xA0), *range(0xAC, 0xD7), 0xFF]
)


@cache
def _likely() -> list[int]:
    """The likelihood of each code unit of UTF-16."""
    return [_likelihood(chr(unit)) for unit in range(0x10000)]


def _likelihood(character: str) -> int:
    if character.isascii():
        return _ASCII if character.isprintable() or character in "\t\n\r" else _UNASSIGNED
    if unicodedata.category(character) in ("Cn", "Co", "Cc"):
        return _UNASSIGNED
    return _COMMON if ord(character) >> 8 in _COMMON_ROWS else _RARE


def _single_byte_line_ends(data: bytes, codec: str, start: int) -> list[Edit]:
    """The edits of the bytes of a file in UTF-16, from the offset `start` on, that make its text,
    in UTF-8, of what is misread after line ends of one byte.

    A program that writes text as bytes puts a single byte 10 or 13 at the end of a line, so that
    all up to the next one is read in halves of characters. Of all ways to read the file with and
    without such bytes, the likeliest is taken.
    """
    likely = _likely()
    high, low = (1, 0) if codec == "utf-16-le" else (0, 1)
    # From the end on: how likely the best reading of the rest is, and whether it starts with such a
    # byte. What is after the last character is one byte at most.
    best = [0] * (len(data) + 2)
    lone = bytearray(len(data))
    for place in range(len(data) - 1, start - 1, -1):
        rest = data[place : place + 2]
        pair = likely[rest[high] << 8 | rest[low]] if len(rest) == 2 else _UNASSIGNED
        best[place] = pair + best[place + 2]
        if rest[0] in b"\n\r" and _LONE + best[place + 1] > best[place]:
            best[place], lone[place] = _LONE + best[place + 1], 1
    edits: list[Edit] = []
    parts: list[bytes] = []
    begin = position = after = start
    while position < len(data):
        if not lone[position]:
            position += 2
            continue
        if parts:
            parts.append(OffsetMap(data[after:position], codec, 0).text)
        else:
            begin = position
        position = after = position + 1
        parts.append(data[position - 1 : position])
        if (position - begin) % 2 == 0:
            edits.append(Edit(begin, position, b"".join(parts)))
            parts = []
    if parts:
        parts.append(OffsetMap(data[after:], codec, 0).text)
        edits.append(Edit(begin, len(data), b"".join(parts)))
    return edits
