r"""Whether bytes are text in a charset: whole files and game trees, and values as written.

The "\" before a character escapes the byte after it, in FF[4] before the text is decoded, in many
programs after that.
"""

from __future__ import annotations

import re
from functools import cache

#: What decoders put in the place of bytes that are no character.
INVALID = "\N{REPLACEMENT CHARACTER}"

NON_ASCII = re.compile(rb"[\x80-\xff]")
_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)
_ESCAPE_OF_CHARACTER = re.compile(r"\\(.)", re.DOTALL)


def decodes(data: bytes, codec: str) -> bool:
    """Whether all of `data` is valid in this codec."""
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def invalid_share(text: str) -> float:
    """The share of the non-ASCII characters of a decoded text that are none."""
    non_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text.count(INVALID) / non_ascii if non_ascii else 0.0


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


def makes_sense(data: bytes, start: int, end: int, codec: str) -> bool:
    r"""Whether the value from `start` to `end` is text in which each "\" escapes a character.

    It makes no sense if a "\" can be the second byte of a character, because nobody would escape
    what follows it. If it certainly ends there, its last character may be cut.
    """
    raw = data[start:end]
    if raw.isascii():
        return True
    if raw[-1] > 0x7F and not decodes(raw, codec) and _BYTES_AFTER_A_VALUE.match(data, end):
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


# --- UTF-8 ------------------------------------------------------------------------

#: A text in another charset is valid in UTF-8 by chance only if it is short: each double-byte
#: character of it with a probability of about 1 in 6.
_CERTAIN_BYTES = 12


def is_certainly_utf_8(data: bytes) -> bool:
    """Whether `data` is valid UTF-8 and has enough non-ASCII bytes to be nothing else."""
    count = len(data) - len(NON_ASCII.sub(b"", data))
    return count >= _CERTAIN_BYTES and decodes(data, "utf-8")


def is_probably_utf_8(data: bytes, codec: str) -> bool:
    """Whether non-ASCII `data` is valid UTF-8, and hardly by chance if `codec` is its codec.

    In charsets with several bytes a character a few of them are valid UTF-8 too.
    """
    if data.isascii() or not decodes(data, "utf-8"):
        return False
    has_one_byte_each = len(data.decode(codec, "replace")) == len(data)
    return has_one_byte_each or is_certainly_utf_8(data)


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
