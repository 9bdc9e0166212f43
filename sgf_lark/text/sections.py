"""The sections of a file: runs of game trees, each with one way to find its structure."""

from __future__ import annotations

import codecs
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from sgf_lark.grammar import Charset
from sgf_lark.text import charsets
from sgf_lark.text.charsets import TextCharset
from sgf_lark.text.validity import special_bytes, with_escapes, without_escapes


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

    def has_undecodable_bytes(self, text: bytes) -> bool:
        """Whether `text` contains undecodable bytes of the file; False in a section that was
        not decoded."""
        return self.is_decoded and has_undecodable_bytes(text)

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

# Files that are decoded as a whole: their text in UTF-8, and offsets in file and text.
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
    """The undecodable bytes of the file with which `text`, in UTF-8, starts."""
    match = _UNDECODABLE.match(text)
    return _original_bytes(match) if match else b""


def has_undecodable_bytes(text: bytes) -> bool:
    """Whether `text`, in UTF-8, contains undecodable bytes of the file."""
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
