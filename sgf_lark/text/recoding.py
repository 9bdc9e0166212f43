"""Raw values from one charset to another. Their escapes stay where they are."""

from __future__ import annotations

import codecs
import re

from sgf_lark.text import charsets

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
