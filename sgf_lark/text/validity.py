"""Whether bytes are text in a charset, and raw values from one charset to another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from sgf_lark.grammar import Charset
from sgf_lark.text import charsets
from sgf_lark.text.charsets import decodes

_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)
_ESCAPE_OF_CHARACTER = re.compile(r"\\(.)", re.DOTALL)


# --- Values as written ------------------------------------------------------------


def unescaped(raw: bytes) -> bytes:
    """A value as written without its escape characters; soft line breaks stay line breaks."""
    return _ESCAPE.sub(rb"\1", raw)


def is_text(raw: bytes, codec: str) -> bool:
    """Whether a value as written can be decoded after its escapes are resolved."""
    return raw.isascii() or decodes(unescaped(raw), codec)


def is_one_text(raw: bytes, codec: str) -> bool:
    """Whether a value as written is the same text if its escapes are resolved before it is decoded,
    and after that."""
    if raw.isascii():
        return True
    try:
        return unescaped(raw).decode(codec) == _ESCAPE_OF_CHARACTER.sub(r"\1", raw.decode(codec))
    except UnicodeDecodeError:
        return False


#: A "]" that is more likely the end of a value than a character in one.
_AFTER_A_VALUE = r"\]\s*(?:[;\[]|\(\s*;|\)\s*[();]|[A-Z]+\s*\[)"
_TEXT_AFTER_A_VALUE = re.compile(_AFTER_A_VALUE)
_BYTES_AFTER_A_VALUE = re.compile(rb"%s|\]\s*\Z" % _AFTER_A_VALUE.encode())
#: Characters that have to be escaped, so that they may follow a "\" that ends a character.
_ESCAPED = ("\\", "]", ":", "")


def ends_value(data: bytes, offset: int) -> bool:
    """Whether a "]" at that offset certainly ends a value."""
    return _BYTES_AFTER_A_VALUE.match(data, offset) is not None


def makes_sense(raw: bytes, codec: str, *, may_be_cut: bool) -> bool:
    r"""Whether a value as written is text in which each "\" escapes a character.

    It makes no sense if a "\" can be the second byte of a character, because nobody would escape
    what follows it. Its last character may be cut if the value certainly ends there.
    """
    if raw.isascii():
        return True
    if may_be_cut and raw[-1] > 0x7F and not decodes(raw, codec):
        raw = raw[:-1]
    return decodes(unescaped(raw), codec) and _has_only_escapes(raw, codec)


def _has_only_escapes(raw: bytes, codec: str) -> bool:
    r"""Whether no "\" that can be the second byte of a character precedes what nobody would
    escape."""
    if b"\\" not in raw or codec == "utf-8" or not decodes(raw, codec):
        return True
    text = raw.decode(codec)
    after = (
        index
        for index, character in enumerate(text, 1)
        if character > "\x7f" and character.encode(codec, "replace").endswith(b"\\")
    )
    return all(
        text[index : index + 1] in _ESCAPED and not _TEXT_AFTER_A_VALUE.match(text, index)
        for index in after
    )


# --- ASCII ------------------------------------------------------------------------

#: All ASCII characters, and an escape sequence of ISO-2022.
_ASCII = bytes(range(0x80)) + b"\x1b$B!!\x1b(B"
#: What may be a "[", "\\" or "]" in another character.
_TRAIL_BYTE = re.compile(rb"[\x80-\xff][\[\\\]]|\x1b")


def is_plain_ascii(data: bytes) -> bool:
    """Whether `data` decodes to the same text in all charsets that are supersets of ASCII.

    ESC is excluded because it switches between character sets in ISO-2022.
    """
    return data.isascii() and b"\x1b" not in data


def reads_ascii_alike(data: bytes, codec: str) -> bool:
    """Whether ASCII `data` is the same text in that codec."""
    return data.decode(codec, "replace") == data.decode("ascii")


@cache
def keeps_ascii(codec: str) -> bool:
    """Whether ASCII is the same text in that codec, whatever is around it: not in ISO-2022 and HZ,
    which write all text in ASCII, nor in IBM864."""
    return reads_ascii_alike(_ASCII, codec)


def may_have_trail_bytes(data: bytes) -> bool:
    """Whether a "[", "\\" or "]" can be a part of another character in some charset: one of several
    bytes, or one after an escape sequence of ISO-2022."""
    return not is_plain_ascii(data) and _TRAIL_BYTE.search(data) is not None


# --- Escapes within characters ------------------------------------------------------

# In some charsets bytes of a character can be brackets or escapes. FF[4] resolves escapes byte by
# byte before texts are decoded, so that such a byte needs one.

#: What can have an escape. Of these only "]" and "\\" end a value or are lost without it.
_SPECIAL = re.compile(rb"[\[\\\]:]")


@cache
def _characters(charset: Charset) -> re.Pattern[bytes]:
    return re.compile(charset.character.encode(), re.DOTALL)


@cache
def _special_characters(charset: Charset) -> frozenset[bytes]:
    """The characters of two bytes that end in a special one; other pairs are none."""
    pairs = (bytes((lead, byte)) for lead in range(0x80, 0x100) for byte in b"[\\]:")
    return frozenset(pair for pair in pairs if decodes(pair, charset.codec))


@cache
def _up_to_special(charset: Charset) -> re.Pattern[bytes]:
    """All up to a character that ends in a special byte, or up to a run; this is the group."""
    shift, one = rb"\x0e\x1b~", charset.character.encode()
    special = rb"[\[\\\]:]"
    return re.compile(
        rb"(?s)(?:[^%b\x80-\xff]++|(?![%b])(?:%b)(?<!%b)|(?!%b).)*+(%b)"
        % (shift, shift, one, special, one, one)
    )


def special_bytes(data: bytes, charset: Charset) -> Iterator[tuple[int, int]]:
    """The bytes within characters that need an escape, each with the offset of its character, or
    its own in a run of characters between two shifts."""
    done, up_to, known = 0, _up_to_special(charset), _special_characters(charset)
    while (match := up_to.match(data, done)) is not None:
        start, end = match.span(1)
        done = end
        if data[start] < 0x80:
            yield from ((found.start(),) * 2 for found in _SPECIAL.finditer(data, start + 1, end))
        elif match[1] in known:
            yield start, end - 1


def with_escapes(data: bytes, places: Iterable[int]) -> bytes:
    """`data` with an escape before each of these bytes."""
    bounds = pairwise((0, *places, len(data)))
    return b"\\".join(data[start:end] for start, end in bounds)


def without_escapes(data: bytes, charset: Charset) -> bytes:
    """`data` without the escapes within characters. Its other escapes stay."""
    parts: list[bytes] = []
    done = 0
    while (match := _characters(charset).search(data, done)) is not None:
        start, end = match.span()
        parts.append(data[done:start])
        character, done = match[0], end
        if data[start] < 0x80:
            character = _ESCAPED_SPECIAL.sub(rb"\1", character)
        # Where the byte after the first is an escape, the next one belongs to the character.
        elif character[-1:] == b"\\" and end < len(data):
            whole = character[:-1] + data[end : end + 1]
            if decodes(whole, charset.codec):
                character, done = whole, end + 1
        parts.append(character)
    return b"".join((*parts, data[done:]))


_ESCAPED_SPECIAL = re.compile(rb"\\([\[\\\]:])")


def recode(raw: bytes, old: str, new: str) -> bytes:
    """A value as written in the codec `old`, as it is written in the codec `new`. Escapes of
    characters stay where they are.

    Raises UnicodeError (a ValueError) if either codec cannot represent the value.
    """
    charset = charsets.named(old)
    if not charset.trail:
        return encode(raw.decode(old), new)
    text = without_escapes(raw, charset).decode(old)
    # What is no text where escapes are resolved first must not become one.
    if _ESCAPE_OF_CHARACTER.sub(r"\1", text) != unescaped(raw).decode(old):
        raise UnicodeDecodeError(old, raw, 0, len(raw), "an escape is half of a character")
    return encode(text, new)


def encode(text: str, codec: str) -> bytes:
    r"""SGF text in a codec, with a "\" before each byte of a character that is "\" or "]".

    Raises UnicodeEncodeError.
    """
    data, charset = text.encode(codec), charsets.named(codec)
    if not charset.trail:
        return data
    places = (place for _, place in special_bytes(data, charset))
    return with_escapes(data, (place for place in places if data[place] in b"\\]"))
