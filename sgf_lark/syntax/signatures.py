"""Files that are no SGF: what they are, by their first bytes (``signatures.toml``)."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from sgf_lark import grammar
from sgf_lark.diagnostics import Words

#: The bytes at the start of a file in which signatures and control characters are counted.
_HEAD = 4096
#: At least this many different control characters are in the first bytes of binary data. There
#: are few of them in text, and in damaged text they repeat.
_MANY_CONTROLS = 12

_CONTROLS = frozenset(range(1, 32)) - frozenset(b"\t\n\v\f\r")
_GAME = re.compile(rb"\([ \t\n\r\v\f]*;")
_BINARY_DATA = Words("binary data", "二进制数据")
_NO_TREE = Words('an SGF file holds at least "(;)"', "SGF 文件至少要有“(;)”")


class Signature(NamedTuple):
    """One entry of ``signatures.toml``; the keys are explained at its top."""

    kind: Words
    start: bytes
    at: int
    text: bool
    binary: bool
    suffix: str

    def matches(self, data: bytes) -> bool:
        """Whether the file is of this kind."""
        place = data[self.at : self.at + len(self.start)]
        if place.lower() != self.start.lower() if self.text else place != self.start:
            return False
        if self.text:
            return not _GAME.search(data)
        return not self.binary or b"\0" in data[:_HEAD]


@cache
def signatures() -> tuple[Signature, ...]:
    """The signatures, in the order of the file."""
    return tuple(
        Signature(
            Words(row["name"], row["name_zh"]),
            row["start"].encode("latin-1"),
            row.get("at", 0),
            row.get("text", False),
            row.get("binary", False),
            row.get("suffix", ""),
        )
        for row in grammar.table("signatures")["signature"]
    )


def kind_of(data: bytes) -> Words | None:
    """What a file is that is no SGF; None where it may be a damaged SGF file."""
    if data[:1] == b"(" and data[1:2] != b"\xb5":
        return None
    found = next((each.kind for each in signatures() if each.matches(data)), None)
    return found or (_BINARY_DATA if _is_binary(data) else None)


def _is_binary(data: bytes) -> bool:
    """Whether the first bytes are neither text nor the beginning of a game."""
    head = data[:_HEAD]
    return (
        len(data) >= _HEAD and len(_CONTROLS.intersection(head)) >= _MANY_CONTROLS
    ) and not _GAME.search(head)


def why_no_tree(data: bytes) -> Words:
    """Why there is no game tree in `data`: what the file is, if that is known."""
    kind = kind_of(data)
    if kind is None:
        return _NO_TREE
    suffix = next((each.suffix for each in signatures() if each.kind == kind), "")
    if not suffix:
        return Words(f"the file is {kind.en}", f"这个文件是{kind.zh}")
    return Words(
        f"the file is {kind.en}; if its name ended in {suffix}, the games in it would be read",
        f"这个文件是{kind.zh}；文件名以 {suffix} 结尾时会读取其中的棋谱",
    )
