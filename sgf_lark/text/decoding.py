"""From the bytes of a file to the bytes that the parser reads.

The parser reads bytes in which ASCII characters are ASCII bytes. Most files are like that.
Other files, such as those in UTF-16, are decoded as a whole and encoded in UTF-8; an
:class:`OffsetMap` then translates offsets in that text to offsets in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from sgf_lark.grammar import CHARSET_MODES, Charset, CharsetMode
from sgf_lark.text import charsets, offsets
from sgf_lark.text.charsets import NO_SIGNATURE, Guess, UnicodeSignature
from sgf_lark.text.escaping import shown
from sgf_lark.text.offsets import OffsetMap
from sgf_lark.text.positions import START, Position, SourceText

_CA = re.compile(rb"CA[ \t\n\r\v\f]*\[([^\]\\]*)\]")
_ESCAPE = re.compile(rb"(?s)\\(.)")
#: Between two game trees; also between variations that do not begin with a move.
_BETWEEN_TREES = re.compile(rb"\)\s*\(\s*;(?!\s*[BW]\s*\[)")


@dataclass(eq=False)
class Decoding:
    """One way to decode the bytes of a file.

    The parser reads `data`. That is `original`, the bytes of the file, with blanks in place
    of a byte order mark; or the text of the file in UTF-8, if it was decoded as a whole.
    """

    original: bytes
    data: bytes
    #: The Python codec of all texts in `data`; None if each game tree has its own.
    codec: str | None
    #: The Python codec of game trees without CA.
    fallback: str
    signature: UnicodeSignature = NO_SIGNATURE
    #: The likely charset of game trees without CA, if nothing declares one.
    guess: Guess | None = None
    #: Whether the user named the charset of game trees without CA.
    named_by_user: bool = False
    #: Whether the charset of game trees without CA is guessed.
    guessing: bool = False
    #: If the file was decoded as a whole: its charset, and the offsets in file and text.
    whole_file_charset: Charset | None = None
    offset_map: OffsetMap | None = None
    #: Where `original` begins, if it is a part of a file.
    begin: Position = START

    @cached_property
    def is_ascii(self) -> bool:
        """Whether all bytes of :attr:`data` are ASCII."""
        return self.data.isascii()

    def tree_codec(self, root: Mapping[str, bytes], start: int, end: int) -> str:
        """The Python codec for the texts of a game tree.

        `root` maps the identifiers in its root node to their first raw values; `start` and
        `end` are its offsets in :attr:`data`. If its bytes are not valid in the charset that
        applies, the result is the first of these in which they are valid: UTF-8, the guessed
        charset, ISO-8859-1.
        """
        applicable = self.codec or self.declared_codec(root)
        if self.is_ascii:
            return applicable
        part = self.data[start:end]
        if part.isascii():
            return applicable
        if self.guessing and self.codec is None and "CA" not in root:
            applicable = self._guessed_codec(part) or applicable
        if (
            self.whole_file_charset is not None
            or charsets.decodes(part, applicable)
            or _mostly_decodes(part, applicable)
        ):
            return applicable
        guess = charsets.guess(part)
        candidates = ["utf-8", *([guess.codec] if guess else []), charsets.default_codec()]
        return next((codec for codec in candidates if charsets.decodes(part, codec)), applicable)

    def declared_codec(self, root: Mapping[str, bytes]) -> str:
        """The codec of the charset that CA in `root` names, or that of game trees without CA."""
        name = root.get("CA")
        if name is None:
            return self.fallback
        return charsets.codec_of(name) or self._codec_for_unknown_charsets

    def decodes(self, start: int, end: int, codec: str) -> bool:
        """Whether the bytes of :attr:`data` from `start` to `end` are valid in this codec."""
        return charsets.decodes(self.data[start:end], codec)

    def _guessed_codec(self, part: bytes) -> str | None:
        """The codec of a trusted guess in which `part` is valid."""
        charset = _trusted_charset(self.guess or charsets.guess(part))
        return charset.codec if charset and charsets.decodes(part, charset.codec) else None

    @cached_property
    def _codec_for_unknown_charsets(self) -> str:
        """The codec of game trees in which CA names no known charset.

        If charsets are guessed and :attr:`guess` is None because CA resembled the name of
        a charset, the charset is guessed from all of the file.
        """
        guess = charsets.guess(self.data) if self.guessing and not self.guess else None
        charset = _trusted_charset(guess)
        return charset.codec if charset else self.fallback

    def source(self, codec: str | Callable[[int], str]) -> SourceText:
        """The text of the file with lines and columns; `codec` as for SourceText."""
        if self.offset_map is None:
            return SourceText(self.original, codec, begin=self.begin)
        return SourceText(self.data, "utf-8", self.offset_map, self.begin)

    def original_bytes(self, start: int | None, end: int) -> bytes:
        """The bytes of the file for :attr:`data` from `start` to `end`.

        If `start` is None, they begin at the start of the file, with its byte order mark.
        """
        if self.offset_map is None:
            return self.original[start or 0 : end]
        first = 0 if start is None else self.offset_map.to_file(start)
        return self.original[first : self.offset_map.to_file(end)]

    def leading_undecodable_bytes(self, text: bytes) -> bytes:
        """The undecodable bytes of the file with which `text`, a part of `data`, starts.

        Empty for a file that was not decoded as a whole.
        """
        return offsets.leading_undecodable_bytes(text) if self.offset_map is not None else b""

    def has_undecodable_bytes(self, text: bytes) -> bool:
        """Whether `text`, in the charset of `data`, contains undecodable bytes of the file.

        False for a file that was not decoded as a whole.
        """
        return self.offset_map is not None and offsets.has_undecodable_bytes(text)

    def encode(self, text: bytes) -> bytes:
        """The bytes to write to the file for `text`, which is in the charset of `data`.

        Raises UnicodeEncodeError for characters that the charset of the file lacks.
        """
        if self.whole_file_charset is None:
            return text
        return offsets.encode(text, self.signature.codec or self.whole_file_charset.codec)

    def can_be_stored(self, text: bytes) -> bool:
        """Whether `text`, in the charset of `data`, is read again from what is written for it.

        After undecodable bytes it may be read differently, as their neighbors determine what
        cannot be decoded. Raises UnicodeEncodeError as :meth:`encode` does.
        """
        if self.whole_file_charset is None or not self.has_undecodable_bytes(text):
            return True
        codec = self.signature.codec or self.whole_file_charset.codec
        return OffsetMap(self.encode(text), codec, 0).utf_8 == text

    @property
    def may_have_other_charset(self) -> bool:
        """Whether the file is decoded as a whole, but not all of its game trees with other text
        than ASCII declare that charset, or none of them a charset."""
        whole = self.whole_file_charset
        if whole is None or not whole.superset:
            return False
        declared = {
            frozenset(charsets.codec_of(name) for name in _CA.findall(part))
            for part in _BETWEEN_TREES.split(self.original)
            if not part.isascii()
        }
        return len(declared) > 1 or any(not codecs <= {whole.codec, None} for codecs in declared)

    @cached_property
    def unescaped_trail_bytes(self) -> list[tuple[int, int]]:
        r"""The characters whose last byte in the file is "\" or "]" without an escape.

        Each is given by its start and end in :attr:`data`.
        """
        if self.offset_map is None or not (
            self.whole_file_charset is not None and self.whole_file_charset.trail
        ):
            return []
        return [
            (start.text, end.text)
            for start, end in self.offset_map.characters()
            if end.file - start.file > 1 and self.original[end.file - 1 : end.file] in (b"\\", b"]")
        ]


def decodings(
    data: bytes,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    mode: CharsetMode = "auto",
) -> list[Decoding]:
    """The ways to decode a file, best first.

    If there are two, the first one applies unless the file is invalid with it. `charset`
    overrides what the file declares, `default_charset` applies where it declares nothing.
    `mode` is described at :func:`sgf_lark.loads`. Raises LookupError for unknown charsets,
    ValueError for an unknown mode and TypeError for anything but bytes.
    """
    if not isinstance(data, bytes):
        raise TypeError(f"expected the bytes of a file, or its text, not {shown(data)}")
    if (
        mode in ("auto", "text")
        and charset is None
        and default_charset is None
        and charsets.is_plain_ascii(data)
        and charsets.unicode_signature(data) is NO_SIGNATURE
    ):
        # Most files: the text is the same in every charset that CA can name.
        return [Decoding(data, data, None, charsets.default_codec(), guessing=mode == "auto")]
    return _decodings(data, charset, default_charset, mode)


def _decodings(
    data: bytes, charset: str | None, default_charset: str | None, mode: CharsetMode
) -> list[Decoding]:
    """As :func:`decodings`, for any data and any options."""
    return choose_charsets(data, charset, default_charset, mode).decodings(data)


class FileCharsets(NamedTuple):
    """What is known of the charsets of a file, from its start or from all of it."""

    mode: CharsetMode
    #: The charset of all texts, and that of game trees without CA, if the user named them.
    override: Charset | None
    default: Charset | None
    signature: UnicodeSignature
    guess: Guess | None
    #: The charset of game trees without CA.
    fallback: Charset
    #: The charset of the whole file, if it has one.
    whole: Charset | None

    def decodings(self, part: bytes, begin: Position = START) -> list[Decoding]:
        """The ways to decode a part of the file that starts at `begin`, best first; as for
        :func:`decodings`."""
        if begin.offset == 0 or not self.signature.length:
            return [replace(each, begin=begin) for each in self._decodings(part)]
        without_mark = self._replace(signature=self.signature._replace(length=0))
        return without_mark.decodings(part, begin)

    def _decodings(self, part: bytes) -> list[Decoding]:
        signature, whole = self.signature, self.whole
        if whole is not None and not whole.superset:
            return [_as_a_whole(part, whole, signature)]
        if self.mode == "none":
            blanked = _blank_byte_order_mark(part, signature)
            return [Decoding(part, blanked, "latin-1", self.fallback.codec, signature)]
        by_tree = self._by_game_tree(part)
        if whole is None or self.mode == "text":
            return [by_tree]
        if whole.trail and not charsets.is_plain_ascii(part):
            as_a_whole = _as_a_whole(part, whole, signature, self.guess)
            return [as_a_whole] if self.mode == "file" else [by_tree, as_a_whole]
        return [replace(by_tree, codec=whole.codec)] if self.mode == "file" else [by_tree]

    def _by_game_tree(self, part: bytes) -> Decoding:
        """The decoding that FF[4] describes: after parsing, with a charset for each game tree."""
        named_by_user = self.override is not None or self.default is not None
        return Decoding(
            part,
            _blank_byte_order_mark(part, self.signature),
            self.override.codec if self.override else self.signature.codec or None,
            self.fallback.codec,
            self.signature,
            self.guess,
            named_by_user=named_by_user,
            guessing=not named_by_user and self.mode != "text",
        )


def choose_charsets(
    data: bytes,
    charset: str | None = None,
    default_charset: str | None = None,
    mode: CharsetMode = "auto",
) -> FileCharsets:
    """The charsets of the file that starts with `data`; options and errors as for
    :func:`decodings`."""
    if mode not in CHARSET_MODES:
        raise ValueError(f"unknown charset mode: {mode!r}; one of {', '.join(CHARSET_MODES)}")
    override = None if charset is None else charsets.named(charset)
    default = None if default_charset is None else charsets.named(default_charset)
    signature = charsets.unicode_signature(data)
    latin_1 = charsets.named(charsets.DEFAULT)
    if signature.charset not in ("", "UTF-8"):
        whole = charsets.named(signature.charset)
        return FileCharsets(mode, None, None, signature, None, latin_1, whole)
    if mode == "none":
        return FileCharsets(mode, None, None, signature, None, latin_1, None)
    named = override or _declared_charset(data, signature) or default
    guess = None
    if named is None and mode != "text" and not data.isascii():
        guess = charsets.guess(data)
    guessed = _trusted_charset(guess)
    fallback = default or guessed or latin_1
    if fallback is guessed and not charsets.decodes(data, guessed.codec):
        fallback = latin_1  # all bytes are valid in ISO-8859-1
    return FileCharsets(mode, override, default, signature, guess, fallback, named or guessed)


def _as_a_whole(
    data: bytes, charset: Charset, signature: UnicodeSignature, guess: Guess | None = None
) -> Decoding:
    """The decoding of the whole file before parsing."""
    offset_map = OffsetMap(data, signature.codec or charset.codec, signature.length)
    return Decoding(
        data,
        offset_map.utf_8,
        "utf-8",
        "utf-8",
        signature,
        guess,
        whole_file_charset=charset,
        offset_map=offset_map,
    )


def _blank_byte_order_mark(data: bytes, signature: UnicodeSignature) -> bytes:
    """`data` with blanks in place of the byte order mark, so that offsets stay the same."""
    return b" " * signature.length + data[signature.length :] if signature.length else data


def _declared_charset(data: bytes, signature: UnicodeSignature) -> Charset | None:
    """The charset that the file declares by its signature or its first CA.

    A CA that names a charset which is no superset of ASCII is wrong: it could not be read
    if the file were in that charset.
    """
    if signature.charset:
        return charsets.named(signature.charset)
    declared = _CA.search(data)
    charset = charsets.lookup(declared[1].decode("latin-1"))[0] if declared else None
    return charset if charset and charset.superset else None


def _trusted_charset(guess: Guess | None) -> Charset | None:
    """The guessed charset, if the confidence suffices to decode text with it."""
    if guess is None or guess.confidence < charsets.TRUSTED_CONFIDENCE:
        return None
    return charsets.named(guess.charset)


def _mostly_decodes(data: bytes, codec: str) -> bool:
    """Whether more of the non-ASCII characters are valid in this codec than are invalid."""
    text = _ESCAPE.sub(rb"\1", data).decode(codec, "replace")
    invalid = text.count("\N{REPLACEMENT CHARACTER}")
    non_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return non_ascii - invalid > invalid
