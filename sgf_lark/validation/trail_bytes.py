"""Files whose writer escaped characters where the specification escapes bytes (SGF207).

In Shift_JIS, Big5, GBK and GB18030 the second byte of a character can be "\\" or
"]". The structure is found on bytes, so such a byte has to be escaped; programs
that decode the whole file first do not do it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from lark.exceptions import UnexpectedInput

from sgf_lark import charset as charsets
from sgf_lark.parser import parse

TRAIL_BYTE = "SGF207"

_CA = re.compile(rb"CA[ \t\n\r\v\f]*\[([^\]\\]*)\]")


def unescaped_trail_bytes(data: bytes, codec: str | None) -> Iterator[tuple[int, int, str]]:
    """The characters (start, end, charset) that break a file which parses once decoded.

    Nothing where the damage has another cause.
    """
    declared = _CA.search(data)
    if codec is not None:
        charset = next((c for c, _ in [charsets.lookup(codec)]), None)
    elif declared is not None:
        charset, _ = charsets.lookup(declared[1].decode("latin-1"))
    else:
        return
    if charset is None or not charset.trail:
        return
    try:
        text = data.decode(charset.codec)
        parse(text.encode("utf-8"))
    except (UnicodeDecodeError, UnexpectedInput):
        return
    decoder = codecs.getincrementaldecoder(charset.codec)()
    start = 0
    for end in range(1, len(data) + 1):
        if decoder.decode(data[end - 1 : end]):
            if end - start > 1 and data[end - 1 : end] in b"\\]":
                yield start, end, charset.name
            start = end
