"""The sections of a file: runs of game trees, each with one way to find its structure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from operator import attrgetter
from typing import NamedTuple, overload

from sgf_lark.grammar import Charset
from sgf_lark.text import offsets
from sgf_lark.text.charsets import Guess
from sgf_lark.text.offsets import OffsetMap


class Reason(Enum):
    """What determines the charset of a game tree."""

    USER = "the user named it"
    SIGNATURE = "the first bytes of the file show it"
    DECLARED = "CA names it"
    GUESSED = "its text makes sense in it"
    DEFAULT = "it is the default of FF[4]"


class TextCharset(NamedTuple):
    """The charset of the texts of a game tree, and why it is that."""

    #: The charset that applies for that reason.
    charset: Charset
    reason: Reason
    #: If it is guessed, the guess.
    guess: Guess | None = None
    #: The codec in which the texts are read because they are not valid in that charset.
    fallback: str | None = None

    @property
    def codec(self) -> str:
        """Python's name of the codec in which the texts are read."""
        return self.fallback or self.charset.codec

    @property
    def invalid(self) -> str | None:
        """The codec of the charset that applies, if the texts are not valid in it."""
        return None if self.fallback is None else self.charset.codec


class Section(NamedTuple):
    """A run of game trees. The parser reads its bytes as they are, or their text in UTF-8.

    `start` is its offset in what the parser reads, `file_start` that in the file.
    """

    start: int = 0
    file_start: int = 0
    #: The charset of all its texts as the parser reads them; None if each game tree has its own.
    texts: TextCharset | None = None
    #: If it was decoded before it is parsed: its charset, and the offsets in its bytes and text.
    charset: Charset | None = None
    offset_map: OffsetMap | None = None

    def encode(self, text: bytes) -> bytes:
        """The bytes to write to the file for `text`, which is in the charset of the section as
        the parser reads it.

        Raises UnicodeEncodeError for characters that the charset of the section lacks.
        """
        return text if self.offset_map is None else offsets.encode(text, self.offset_map.codec)

    def leading_undecodable_bytes(self, text: bytes) -> bytes:
        """The undecodable bytes of the file with which `text` starts; none in a section that
        was not decoded."""
        return offsets.leading_undecodable_bytes(text) if self.offset_map is not None else b""

    def has_undecodable_bytes(self, text: bytes) -> bool:
        """Whether `text` contains undecodable bytes of the file; False in a section that was
        not decoded."""
        return self.offset_map is not None and offsets.has_undecodable_bytes(text)

    def can_be_stored(self, text: bytes) -> bool:
        """Whether `text`, as the parser reads it, is read again from what is written for it.

        After undecodable bytes it may be read differently, as their neighbors determine what
        cannot be decoded. Raises UnicodeEncodeError as :meth:`encode` does.
        """
        if self.offset_map is None or not self.has_undecodable_bytes(text):
            return True
        return OffsetMap(self.encode(text), self.offset_map.codec, 0).utf_8 == text

    def unescaped_trail_bytes(self) -> Iterator[tuple[int, int]]:
        r"""The characters whose last byte in the file is "\" or "]" without an escape.

        Each is given by its start and end in what the parser reads.
        """
        if self.offset_map is None or not (self.charset is not None and self.charset.trail):
            return
        data = self.offset_map.data
        for start, end in self.offset_map.characters():
            if end.file - start.file > 1 and data[end.file - 1 : end.file] in (b"\\", b"]"):
                yield self.start + start.text, self.start + end.text


_START = attrgetter("start")
_FILE_START = attrgetter("file_start")


class Sections(Sequence[Section]):
    """All sections of a file, in its order; at least one. They translate offsets."""

    def __init__(self, *sections: Section) -> None:
        self._sections = sections

    @overload
    def __getitem__(self, index: int) -> Section: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Section]: ...
    def __getitem__(self, index: int | slice) -> Section | Sequence[Section]:
        return self._sections[index]

    def __len__(self) -> int:
        return len(self._sections)

    @property
    def are_bytes(self) -> bool:
        """Whether the parser reads the bytes of the file as they are."""
        return all(each.offset_map is None for each in self._sections)

    def at(self, offset: int) -> Section:
        """The section at an offset in what the parser reads."""
        if len(self._sections) == 1:  # as in nearly all files
            return self._sections[0]
        return self._sections[bisect_right(self._sections, offset, key=_START) - 1]

    def to_file(self, offset: int) -> int:
        """The offset in the file of the character at `offset` in what the parser reads."""
        section = self.at(offset)
        offset -= section.start
        offset_map = section.offset_map
        return section.file_start + (offset if offset_map is None else offset_map.to_file(offset))

    def to_text(self, offset: int) -> int:
        """The offset in what the parser reads of the character at `offset` in the file."""
        section = self._sections[bisect_right(self._sections, offset, key=_FILE_START) - 1]
        offset -= section.file_start
        return section.start + (
            offset if section.offset_map is None else section.offset_map.to_text(offset)
        )


#: A file that is parsed as it is.
AS_BYTES = Sections(Section())
