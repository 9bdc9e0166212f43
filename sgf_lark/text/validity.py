"""Whether bytes are text in a charset, and raw values from one charset to another."""

from __future__ import annotations

import codecs
import re
from functools import cache

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


# Raw values from one charset to another. Their escapes stay where they are.

#: The characters that an escape changes the meaning of.
_SPECIAL = ("]", "\\", ":")


def recode(raw: bytes, old: str, new: str) -> bytes:
    """A value as written in the codec `old`, as it is written in the codec `new`.

    Raises UnicodeError (a ValueError) if either codec cannot represent the value.
    """
    return encode(_decode(raw, old), new)


def encode(text: str, codec: str) -> bytes:
    r"""SGF text in a codec, with a "\" before each byte of a character that is "\" or "]".

    Raises UnicodeEncodeError.
    """
    data = text.encode(codec)
    if not _has_trail_bytes(codec):
        return data
    parts = (character.encode(codec) for character in text)
    return b"".join(
        part if len(part) == 1 else re.sub(rb"[\]\\]", rb"\\\g<0>", part) for part in parts
    )


def _decode(raw: bytes, codec: str) -> str:
    """A value as SGF text, escapes included; raises UnicodeDecodeError.

    Escapes belong to bytes. One within a character escapes its last byte, and is not part of the
    text.
    """
    if not _has_trail_bytes(codec):
        return raw.decode(codec)
    decoder = codecs.getincrementaldecoder(codec)()
    parts: list[str] = []
    is_escaped = is_inside = False
    for byte in raw:
        if byte == 0x5C and not is_escaped:
            is_escaped = True
            continue
        text = decoder.decode(bytes([byte]))
        if is_escaped and (not is_inside or text in _SPECIAL):
            parts.append("\\")
        parts.append(text)
        is_escaped, is_inside = False, not text
    return "".join(parts) + decoder.decode(b"", final=True) + "\\" * is_escaped


def _has_trail_bytes(codec: str) -> bool:
    """Whether a byte of "\\" or "]" can be a part of another character."""
    charset, _ = charsets.lookup(codec)
    return charset is None or charset.trail
