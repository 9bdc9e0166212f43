"""From the bytes of a file to the bytes that the parser reads, and the charset of each game tree.

The parser reads bytes in which ASCII characters are ASCII bytes. Most files are like that.
Files in a charset such as UTF-16 are decoded as a whole and encoded in UTF-8. Game trees in which
the second byte of a character is a bracket for the parser get escapes before these bytes: see
:mod:`sgf_lark.syntax.parsing`, which chooses their :class:`Section`.
"""

from __future__ import annotations

import codecs
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from sgf_lark.grammar import CHARSET_MODES, Charset, CharsetMode
from sgf_lark.text import charsets
from sgf_lark.text.charsets import (
    NO_SIGNATURE,
    TRUSTED_CONFIDENCE,
    Reason,
    TextCharset,
    UnicodeSignature,
    decide,
)
from sgf_lark.text.escaping import short_repr
from sgf_lark.text.positions import START, CodecAt, Position, SourceText
from sgf_lark.text.validity import (
    is_plain_ascii,
    may_have_trail_bytes,
    special_bytes,
    with_escapes,
    without_escapes,
)


class FileCharsets(NamedTuple):
    """What determines the charsets of the game trees of a file, apart from what they declare and
    contain: the options of the user, and the first bytes of the file."""

    mode: CharsetMode = "auto"
    #: The charset of all texts, and that of game trees without CA, if the user named them.
    override: Charset | None = None
    default: Charset | None = None
    unicode_signature: UnicodeSignature = NO_SIGNATURE
    #: The charset that the whole file is in, whatever its game trees declare, if there is one.
    whole: TextCharset | None = None

    @property
    def named_by_user(self) -> bool:
        """Whether the user named a charset."""
        return self.override is not None or self.default is not None

    @property
    def ignores_declared(self) -> bool:
        """Whether all game trees are in one charset, whatever they declare."""
        return bool(
            self.override
            or self.unicode_signature.codec
            or self.whole is not None
            or self.mode == "none"
        )

    def choose(self, name: bytes | None, part: bytes) -> TextCharset:
        """The charset of a game tree: `name` is the value of its CA, `part` are its bytes."""
        if self.mode == "none":
            return TextCharset(charsets.default(), Reason.DEFAULT)
        claim, reason = self._claim(name)
        found = decide(part, claim, reason, guesses=self.mode == "auto")
        if reason is Reason.GUESSED and self.whole is not None:
            return found._replace(guess=self.whole.guess)
        return found

    def confirmed(self, found: TextCharset, name: bytes | None) -> TextCharset:
        """The charset of a game tree, uncertain if that CA contradicts the first bytes of the
        file."""
        signature = self.unicode_signature.charset
        if not signature or not found.is_certain:
            return found
        declared = charsets.declared(name)
        is_alike = declared is None or declared.name == signature
        return found if is_alike else found._replace(is_certain=False)

    def _claim(self, name: bytes | None) -> tuple[Charset | None, Reason]:
        """The charset that is named for a game tree with that CA, and what names it."""
        if self.override is not None:
            return self.override, Reason.USER
        if self.unicode_signature.charset:
            return charsets.named(self.unicode_signature.charset), Reason.SIGNATURE
        if self.whole is not None:
            return self.whole.charset, self.whole.reason
        declared = charsets.declared_superset(name)
        if declared is not None:
            return declared, Reason.DECLARED
        return self.default, Reason.DEFAULT if self.default is None else Reason.USER

    @property
    def decode_whole(self) -> bool:
        """Whether all of the file is decoded before it is parsed."""
        # Without trail bytes each bracket in a superset of ASCII is one: decoding texts is enough.
        charset = self.whole and self.whole.charset
        return charset is not None and (charset.trail or not charset.superset)

    @property
    def decode_trees(self) -> bool:
        """Whether single game trees may be decoded before they are parsed."""
        return (
            self.mode == "auto"
            and not self.unicode_signature.codec
            and (self.override is None or self.override.trail)
        )

    def for_content(self, data: bytes) -> FileCharsets:
        """What determines the charsets of another file, with the same options of the user."""
        override, default = (each and each.name for each in (self.override, self.default))
        return choose_charsets(data, override, default, self.mode)

    def decode_as_guessed(self, data: bytes) -> Decoding | None:
        """The file decoded as a whole in the charset that its text makes sense in, in which it may
        be damaged; None if that is too uncertain."""
        guess = charsets.guess(data)
        if guess is None or guess.confidence < TRUSTED_CONFIDENCE:
            return None
        whole = TextCharset(charsets.named(guess.charset), Reason.GUESSED, False, guess)
        section = Section.decoded(data, whole, whole.codec)
        return _decoding_of(data, section, self._replace(whole=whole), START)

    def decode(self, data: bytes, begin: Position = START) -> Decoding:
        """The file, or a part of it that starts at `begin`, before it is known which of its game
        trees have to be decoded before they are parsed."""
        if self is _NOTHING_NAMED:
            return Decoding(data, data, begin=begin)
        found, signature, whole = self, self.unicode_signature, self.whole
        # Only the first part has the byte order mark, which tells the charset of all of them.
        if begin.offset and signature.length:
            signature = signature._replace(length=0)
            found = self._replace(unicode_signature=signature)
        # Plain ASCII is the same text in each charset that contains ASCII.
        is_alike = whole is not None and whole.charset.superset and is_plain_ascii(data)
        if whole is not None and self.decode_whole and not is_alike:
            # The signature shows the order of bytes, which the name UTF-16 leaves open.
            section = Section.of(data, whole, signature.codec or whole.codec, signature.length)
            return _decoding_of(data, section, found, begin)
        # The mark is blanked and not cut off, so that offsets are those of the file.
        blanked = b" " * signature.length + data[signature.length :] if signature.length else data
        return Decoding(data, blanked, found, begin=begin)


_NOTHING_NAMED = FileCharsets()


# Many files have no other byte, and what they declare is one of few names.
@lru_cache(maxsize=256)
def _charset_of_ascii(found: FileCharsets, name: bytes | None) -> TextCharset:
    """The charset of a game tree in ASCII whose CA that is."""
    return found.confirmed(found.choose(name, b""), name)


# --- Sections: runs of game trees, each with one way to find its structure ------------


class Section(NamedTuple):
    """A run of game trees. The parser reads its bytes as they are, these with added escapes, or
    their text in UTF-8.

    `start` is its offset in what the parser reads, `file_start` that in the file.
    """

    start: int = 0
    file_start: int = 0
    #: The charset of all its texts as the parser reads them; None if each game tree has its own.
    texts: TextCharset | None = None
    #: If the parser does not read its bytes as they are: its charset, and what the parser reads.
    charset: Charset | None = None
    offset_map: OffsetMap | AddedEscapes | None = None

    @classmethod
    def of(cls, data: bytes, found: TextCharset, codec: str, mark: int = 0) -> Section:
        """These bytes, of which characters in a charset are parsed and not bytes."""
        if not found.charset.superset:
            return cls.decoded(data, found, codec, mark)
        return cls(0, 0, found, found.charset, AddedEscapes(data, found.charset))

    @classmethod
    def decoded(cls, data: bytes, found: TextCharset, codec: str, mark: int = 0) -> Section:
        """The same as text in UTF-8; a byte order mark of the length `mark` is left out."""
        texts = found._replace(charset=charsets.named("UTF-8"))
        return cls(0, 0, texts, found.charset, OffsetMap(data, codec, mark))

    @property
    def is_guess(self) -> bool:
        """Whether the charset of its texts is a guess."""
        return self.texts is not None and not self.texts.is_certain

    def encode(self, text: bytes) -> bytes:
        """The bytes to write to the file for `text`, which is in the charset of the section as
        the parser reads it.

        Raises UnicodeEncodeError for characters that the charset of the section lacks.
        """
        return text if self.offset_map is None else self.offset_map.encode(text)

    @property
    def is_decoded(self) -> bool:
        """Whether it was decoded before it is parsed."""
        return isinstance(self.offset_map, OffsetMap)

    def shown(self, text: bytes) -> bytes:
        """`text` as a person reads it: without the escapes that the file does not have."""
        return self.encode(text) if isinstance(self.offset_map, AddedEscapes) else text

    def leading_undecodable_bytes(self, text: bytes) -> bytes:
        """The undecodable bytes of the file with which `text` starts; none in a section that
        was not decoded."""
        return leading_undecodable_bytes(text) if self.is_decoded else b""

    def can_be_stored(self, text: bytes) -> bool:
        """Whether `text`, as the parser reads it, is read again from what is written for it.

        After undecodable bytes it may be read differently, as their neighbors determine what
        cannot be decoded. Raises UnicodeEncodeError as :meth:`encode` does.
        """
        return self.offset_map is None or self.offset_map.is_read_again(text)

    def unescaped_trail_bytes(self) -> Iterator[tuple[int, int]]:
        r"""The characters with a byte "\" or "]" that has no escape in the file.

        Each is given by its start and end in what the parser reads.
        """
        if isinstance(self.offset_map, AddedEscapes):
            for start, end in self.offset_map.unescaped():
                yield self.start + start, self.start + end

    def has_escape(self, offset: int) -> bool:
        r"""Whether a "\" of the file is at this offset in what the parser reads."""
        return isinstance(self.offset_map, AddedEscapes) and self.offset_map.has_escape(
            offset - self.start
        )


_START = attrgetter("start")
_FILE_START = attrgetter("file_start")


class Sections(tuple[Section, ...]):
    """All sections of a file, in its order; at least one. They translate offsets."""

    __slots__ = ()

    @property
    def are_bytes(self) -> bool:
        """Whether the parser reads the bytes of the file as they are."""
        return self is AS_BYTES or all(each.offset_map is None for each in self)

    def at(self, offset: int) -> Section:
        """The section at an offset in what the parser reads."""
        if len(self) == 1:  # as in nearly all files
            return self[0]
        return self[bisect_right(self, offset, key=_START) - 1]

    def to_file(self, offset: int) -> int:
        """The offset in the file of the character at `offset` in what the parser reads."""
        section = self.at(offset)
        offset -= section.start
        offset_map = section.offset_map
        return section.file_start + (offset if offset_map is None else offset_map.to_file(offset))

    def to_text(self, offset: int) -> int:
        """The offset in what the parser reads of the character at `offset` in the file."""
        section = self[bisect_right(self, offset, key=_FILE_START) - 1]
        offset -= section.file_start
        return section.start + (
            offset if section.offset_map is None else section.offset_map.to_text(offset)
        )


#: A file that is parsed as it is.
AS_BYTES = Sections([Section()])


# --- The file -----------------------------------------------------------------------


@dataclass(eq=False)
class Decoding:
    """How the bytes of a file are decoded.

    The parser reads `data`. That is `original`, the bytes of the file, with blanks in place
    of a byte order mark; in other sections, it is what their offset map has as text.
    """

    original: bytes
    data: bytes
    charsets: FileCharsets = _NOTHING_NAMED
    sections: Sections = AS_BYTES
    #: Where `original` begins, if it is a part of a file.
    begin: Position = START
    #: Whether all bytes of :attr:`data` are ASCII.
    is_ascii: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_ascii = self.data.isascii()

    @property
    def may_have_trail_bytes(self) -> bool:
        """Whether bytes that are brackets or escapes for the parser can be halves of characters in
        a game tree that is to be decoded before it is parsed."""
        return (
            may_have_trail_bytes(self.data)
            and self.charsets.decode_trees
            and self.sections is AS_BYTES
        )

    @property
    def unicode_signature(self) -> UnicodeSignature:
        """What the first bytes of the file show."""
        return self.charsets.unicode_signature

    @property
    def whole(self) -> Charset | None:
        """The charset in which all of the file was decoded before it was parsed, if it was."""
        return self.sections[0].charset if len(self.sections) == 1 else None

    def text_charset(self, name: bytes | None, start: int, end: int) -> TextCharset:
        """The charset for the texts of a game tree as the parser reads it, and why it is that.

        `name` is the value of its CA; `start` and `end` are its offsets in :attr:`data`.
        """
        found = self.sections.at(start).texts
        if found is None and self.is_ascii:
            return _charset_of_ascii(self.charsets, name)
        if found is None:
            found = self.charsets.choose(name, self.data[start:end])
        return self.charsets.confirmed(found, name)

    def source(self, codec: str | CodecAt) -> SourceText:
        """The text of the file with lines and columns; `codec` as for SourceText."""
        if any(each.is_decoded for each in self.sections):
            return SourceText(self.data, codec, self.sections, self.begin)
        if self.sections.are_bytes:
            return SourceText(self.original, codec, begin=self.begin)
        if isinstance(codec, CodecAt):
            codec = codec._replace(starts=[*map(self.sections.to_file, codec.starts)])
        else:
            codecs = [each.texts.codec if each.texts else codec for each in self.sections]
            codec = CodecAt([each.file_start for each in self.sections], codecs)
        source = SourceText(self.original, codec, begin=self.begin)
        return source.seen_from(self.sections.to_file)

    def original_bytes(self, start: int | None, end: int) -> bytes:
        """The bytes of the file for :attr:`data` from `start` to `end`.

        If `start` is None, they begin at the start of the file, with its byte order mark.
        """
        first = 0 if start is None else self.sections.to_file(start)
        return self.original[first : self.sections.to_file(end)]

    def part(self, start: int, end: int, begin: Position) -> Decoding:
        """The same for a part of the file, from `start` to `end` in :attr:`data`, which begins at
        the position `begin`."""
        section = self.sections.at(start)
        original = self.original_bytes(start or None, end)
        if section.offset_map is None:
            found = Sections([Section(texts=section.texts)])
            return replace(
                self, original=original, data=self.data[start:end], sections=found, begin=begin
            )
        assert section.texts is not None and section.charset is not None
        mark = 0 if start else self.unicode_signature.length
        texts = section.texts._replace(charset=section.charset)
        of = Section.decoded if section.is_decoded else Section.of
        own = of(original, texts, section.offset_map.codec, mark)
        return _decoding_of(original, own, self.charsets, begin)

    def with_sections(self, decoded: Sequence[tuple[int, int, TextCharset]]) -> Decoding:
        """The same with parts of the file of which characters are parsed and not bytes: their
        start and end in the file, and their charset."""
        sections: list[Section] = []
        parts: list[bytes] = []
        size = position = 0
        for start, end, found in decoded:
            if position < start:
                sections.append(Section(size, position))
                parts.append(self.data[position:start])
                size += start - position
            section = Section.of(self.original[start:end], found, found.charset.codec)
            assert section.offset_map is not None
            sections.append(section._replace(start=size, file_start=start))
            parts.append(section.offset_map.text)
            size += len(parts[-1])
            position = end
        if position < len(self.data):
            sections.append(Section(size, position))
            parts.append(self.data[position:])
        return replace(self, data=b"".join(parts), sections=Sections(sections))


def _decoding_of(data: bytes, section: Section, found: FileCharsets, begin: Position) -> Decoding:
    assert section.offset_map is not None
    return Decoding(data, section.offset_map.text, found, Sections([section]), begin)


def decode(
    data: bytes,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    mode: CharsetMode = "auto",
) -> Decoding:
    """How a file is decoded, before it is parsed.

    `charset` overrides what the file declares, `default_charset` applies where it declares nothing.
    `mode` is described at :func:`sgf_lark.loads`. Raises LookupError for unknown charsets,
    ValueError for an unknown mode and TypeError for anything but bytes.
    """
    if not isinstance(data, bytes):
        raise TypeError(f"expected the bytes of a file, or its text, not {short_repr(data)}")
    return choose_charsets(data, charset, default_charset, mode).decode(data)


def as_utf_8(data: bytes) -> Decoding:
    """How a text in UTF-8 is decoded, whatever its first bytes are."""
    return Decoding(data, data, FileCharsets(override=charsets.named("UTF-8")))


def choose_charsets(
    data: bytes,
    charset: str | None = None,
    default_charset: str | None = None,
    mode: CharsetMode = "auto",
) -> FileCharsets:
    """What determines the charsets of the file that starts with `data`; options and errors as
    for :func:`decode`."""
    if mode not in CHARSET_MODES:
        raise ValueError(f"unknown charset mode: {mode!r}; one of {', '.join(CHARSET_MODES)}")
    override = None if charset is None else charsets.named(charset)
    default = None if default_charset is None else charsets.named(default_charset)
    signature = charsets.unicode_signature(data)
    if mode == "auto" and signature is NO_SIGNATURE and override is None and default is None:
        return _NOTHING_NAMED  # as for nearly all files
    if signature.charset not in ("", "UTF-8"):
        whole = TextCharset(charsets.named(signature.charset), Reason.SIGNATURE)
        return FileCharsets(mode, unicode_signature=signature, whole=whole)
    if mode == "none":
        return FileCharsets(mode, unicode_signature=signature)
    found = FileCharsets(mode, override, default, signature)
    if mode != "file" and all(each is None or each.superset for each in (override, default)):
        return found
    # A CA that names no superset of ASCII is wrong: it could not be read if that were true.
    declared = charsets.declared_superset(charsets.declared_in(data))
    named = override or (charsets.named("UTF-8") if signature.charset else declared) or default
    if named is not None and not named.superset:
        return found._replace(whole=TextCharset(named, Reason.USER))
    if mode != "file":
        return found
    if named is not None:
        is_declared = named is declared and not signature.charset
        reason = Reason.DECLARED if is_declared else Reason.USER
        return found._replace(whole=TextCharset(named, reason))
    texts = decide(data, None, Reason.DEFAULT, guesses=True)
    is_guess = texts.reason is Reason.GUESSED
    return found._replace(whole=texts._replace(other=None)) if is_guess else found


# --- Bytes of the file with added escapes ----------------------------------------------


class AddedEscapes:
    """The bytes of a file with an escape before each byte within a character that needs one, and
    the offsets in both."""

    def __init__(self, data: bytes, charset: Charset) -> None:
        self.data = data
        self.charset = charset
        self.codec = charset.codec
        found = [*special_bytes(data, charset)]
        #: The offsets in the file of the characters with an added escape, and of the bytes with it.
        self._starts = [start for start, _ in found]
        self._bytes = [place for _, place in found]
        self.text = with_escapes(data, self._bytes)
        #: The offsets in :attr:`text` of the escapes.
        self._escapes = [place + number for number, place in enumerate(self._bytes)]

    def to_file(self, offset: int) -> int:
        """The offset in the file of the byte at `offset` in the text, or of the one it escapes."""
        return min(offset, len(self.text)) - bisect_left(self._escapes, offset)

    def to_text(self, offset: int) -> int:
        """The offset in the text of the byte at `offset` in the file, or of its escape."""
        return offset + bisect_left(self._bytes, offset)

    def encode(self, text: bytes) -> bytes:
        """The bytes to write for `text`: without the escapes that would be added to them."""
        return without_escapes(text, self.charset)

    def is_read_again(self, text: bytes) -> bool:
        """Whether `text` is what would be parsed in place of what is written for it."""
        # Text that a fix has put in has escapes only where they matter.
        texts = text, AddedEscapes(self.encode(text), self.charset).text
        return len({_HARMLESS.sub(rb"\1", each) for each in texts}) == 1

    def unescaped(self) -> Iterator[tuple[int, int]]:
        r"""Where the characters with a byte "\" or "]" begin and end in the text."""
        for start, place, escape in zip(self._starts, self._bytes, self._escapes, strict=True):
            if self.data[place] in b"\\]":
                yield self.to_text(start), escape + 2

    def has_escape(self, offset: int) -> bool:
        r"""Whether a "\" of the file is at this offset in the text."""
        number = bisect_left(self._escapes, offset)
        is_added = self._escapes[number : number + 1] == [offset]
        return self.text[offset : offset + 1] == b"\\" and not is_added


#: An escape of what neither ends a value nor is one.
_HARMLESS = re.compile(rb"\\([\[:])")

# --- Text that is decoded before it is parsed -----------------------------------------

# It is in UTF-8, with the offsets of its characters in file and text.
#
# Bytes that cannot be decoded are kept: each becomes a lone surrogate, U+DC00 plus the byte,
# which no valid text contains, and becomes that byte again when the text is encoded.


class OffsetMap:
    """The text of a file in UTF-8, and the offsets of its characters in file and text."""

    def __init__(self, data: bytes, codec: str, start: int) -> None:
        """Decode `data`, the bytes of the file, from the offset `start`."""
        self.data = data
        self.codec = codec
        self._start = start
        #: The text of the file in UTF-8.
        self.text = data[start:].decode(codec, _ERROR_HANDLER).encode("utf-8", "surrogatepass")

    def to_file(self, offset: int) -> int:
        """The offset in the file of the character at `offset` in the text."""
        in_file, in_text = self._offsets
        return in_file[bisect_right(in_text, offset) - 1]

    def to_text(self, offset: int) -> int:
        """The offset in the text of the character at `offset` in the file."""
        in_file, in_text = self._offsets
        return in_text[max(bisect_right(in_file, offset) - 1, 0)]

    def encode(self, text: bytes) -> bytes:
        """The bytes to write for `text`; raises UnicodeEncodeError."""
        return encode(text, self.codec)

    def is_read_again(self, text: bytes) -> bool:
        """Whether `text` is what would be parsed in place of what is written for it."""
        is_text = not has_undecodable_bytes(text)
        return is_text or OffsetMap(self.encode(text), self.codec, 0).text == text

    @cached_property
    def _offsets(self) -> tuple[array[int], array[int]]:
        """Where each character begins in the file and in the text; at last, where these end."""
        characters = self.text.decode("utf-8", "surrogatepass")
        in_utf_8 = {each: each.encode("utf-8", "surrogatepass") for each in {*characters}}
        if self.codec not in _STEPWISE:
            sizes = {each: len(encode(raw, self.codec)) for each, raw in in_utf_8.items()}
            in_file = array(
                "i", accumulate(map(sizes.__getitem__, characters), initial=self._start)
            )
        else:
            in_file = array("i", _bounds(self.data, self.codec, self._start))
        in_file[-1] = len(self.data)
        sizes = {each: len(raw) for each, raw in in_utf_8.items()}
        return in_file, array("i", accumulate(map(sizes.__getitem__, characters), initial=0))


#: The codecs in which the bytes of a character depend on the one before it, or it can be written
#: in two ways: only a decoder knows which bytes it has.
_STEPWISE = {"euc_jp", "shift_jis_2004", "shift_jisx0213", "utf-7"}
#: A byte, or a run of characters in UTF-7 with the byte that ends it. Elsewhere these are ASCII.
_PIECE = re.compile(rb"\+[A-Za-z0-9+/]*+.?|.", re.DOTALL)


def _bounds(data: bytes, codec: str, start: int) -> Iterator[int]:
    """`start`, and where each character ends in the bytes from there on."""
    yield start
    decoder = codecs.getincrementaldecoder(codec)(_ERROR_HANDLER)
    for piece in _PIECE.finditer(data, start):
        is_last = piece.end() == len(data)
        text = decoder.decode(piece[0], is_last)
        # After an undecodable byte Python's decoders can keep bytes for more that follow, even at
        # the end. Each further call takes at least one of them.
        for _ in decoder.getstate()[0] if is_last else b"":
            text += decoder.decode(b"", True)
        end = piece.end() - len(decoder.getstate()[0])
        # Of several characters at once all but the last one have one byte each: most of them are
        # undecodable bytes.
        for left in reversed(range(len(text))):
            start = start + 1 if left else end
            yield start


# --- Undecodable bytes --------------------------------------------------------------

#: U+DC00 to U+DCFF in UTF-8.
_UNDECODABLE = re.compile(rb"(?:\xed[\xb0-\xb3][\x80-\xbf])+")
#: Python's surrogateescape refuses bytes below 128, but in charsets of several bytes they can be
#: undecodable as well.
_ERROR_HANDLER = "sgf_lark.keep_undecodable_bytes"


def _keep_undecodable_bytes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    # Outside UTF-16 and UTF-32 a valid character may start at the next byte.
    end = error.end if error.encoding.startswith(("utf-16", "utf-32")) else error.start + 1
    return "".join(chr(0xDC00 + byte) for byte in error.object[error.start : end]), end


codecs.register_error(_ERROR_HANDLER, _keep_undecodable_bytes)


def leading_undecodable_bytes(text: bytes) -> bytes:
    """The undecodable bytes with which the `text` of a section that was decoded starts."""
    match = _UNDECODABLE.match(text)
    return _original_bytes(match) if match else b""


def has_undecodable_bytes(text: bytes) -> bool:
    """Whether the `text` of a section that was decoded contains undecodable bytes of the file."""
    return _UNDECODABLE.search(text) is not None


def encode(text: bytes, codec: str) -> bytes:
    """Encode `text`, in UTF-8, in another codec; undecodable bytes become what they were.

    Raises UnicodeEncodeError for characters that the codec lacks.
    """
    parts: list[bytes] = []
    position = 0
    for match in _UNDECODABLE.finditer(text):
        parts += [_encoded(text[position : match.start()], codec), _original_bytes(match)]
        position = match.end()
    parts.append(_encoded(text[position:], codec))
    return b"".join(parts)


def _encoded(text: bytes, codec: str) -> bytes:
    return text.decode("utf-8", "surrogatepass").encode(codec)


def _original_bytes(match: re.Match[bytes]) -> bytes:
    return bytes(ord(each) - 0xDC00 for each in match[0].decode("utf-8", "surrogatepass"))
