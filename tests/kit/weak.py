"""Parsers with one weakness each, for tests of the fuzzer."""

from __future__ import annotations

import json
import re
from typing import Any

from sgf_lark.fuzz.canonical import canonical


def dislikes_komi(data: bytes) -> None:
    """Fails on KM in a variation."""
    if b"(" in data[1:] and b"KM[" in data:
        raise KeyError("KM")


def refuses_markup(data: bytes) -> bool:
    """Rejects a property that conforms."""
    return b"TR[" not in data


def refuses_markup_and_komi(data: bytes) -> bool:
    """Rejects two properties that conform."""
    return b"TR[" not in data and b"KM[" not in data


def keeps_escapes(data: bytes) -> Any:
    """Reads text without undoing the escapes."""
    games = json.dumps(canonical(data, "raw"))
    return json.loads(re.sub(r"(?<!\\)((?:\\\\)*)(?:\\[tvf]|\\u000[bc])", r"\1 ", games))


def accepts_all(data: bytes) -> None:
    """Never rejects."""


def guesses_charset(data: bytes) -> None:
    """Fails, always in the same place, on files of which it cannot guess the charset."""
    is_odd = b"~{" in data or b"\x1b" in data or b"(;" not in data
    if is_odd or (b"]" in data and max(data) > 127):
        raise LookupError("no charset")


def refuses_letters(data: bytes) -> bool:
    """Rejects what is not ASCII."""
    return data.isascii()


def refuses_mark(data: bytes) -> bool:
    """Rejects a byte order mark."""
    return not data.startswith(b"\xef\xbb\xbf")
