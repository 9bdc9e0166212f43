"""What the look of a file says before it is parsed: files that are no SGF, by their first bytes
(``signatures.toml``), and files whose lines were broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from sgf_lark import grammar
from sgf_lark.diagnostics import Words

#: The bytes at the start of a file in which signatures and control characters are counted.
_HEAD = 4096
#: The number of bytes before a game in which the ")" of the game before it is searched.
_NEAR = 20
#: At least this many different control characters are in the first bytes of binary data. There
#: are few of them in text, and in damaged text they repeat.
_MANY_CONTROLS = 12
#: The number of bytes from which layers are chosen: what lies over a file is seen at its start.
SAMPLE = 1 << 14
#: The length of lines that a program breaks; the rest of a move that is broken so, and how many of
#: them show it.
WIDTHS = range(40, 201)
_BROKEN_MOVE = re.compile(rb"\n[A-Za-z]{0,2}\]")
_BROKEN_MOVES = 3
_CONTROLS = frozenset(range(1, 32)) - frozenset(b"\t\n\v\f\r")
_GAME = re.compile(rb"\([ \t\n\r\v\f]*;")
#: The beginning of a game that has other characters between "(" and ";"; or one whose "(" is lost,
#: by FF or GM in its first properties.
_DAMAGED_GAME = re.compile(
    rb"(?P<opening>\()(?P<stray>[^()\[\];]{1,60})(?=;\s{0,20}[A-Z]{1,9}\s?\[)"
    rb"|(?=(?P<semicolon>;)?\s{0,20}(?:[A-Z]{2}(?:\[[^\[\]]{0,60}\]){1,2}\s{0,20}){0,4}"
    rb"(?<![A-Za-z])(?:FF|GM)\[[0-9]{1,2}\])"
)
_BINARY_DATA = Words("binary data", "二进制数据")
_NO_TREE = Words('an SGF file holds at least "(;)"', "SGF 文件至少要有“(;)”")
_NO_OPENING = Words('a "(" is missing before the game', "棋谱之前缺少“(”")
_STRAY_CHARACTERS = Words(
    'other characters are between the first "(" and ";"', "第一个“(”和“;”之间有多余的字符"
)


class FileKind(NamedTuple):
    """One entry of ``signatures.toml``; the keys are explained at its top."""

    name: str
    name_zh: str
    start: str = ""
    at: int = 0
    text: bool = False
    binary: bool = False
    suffix: str = ""
    pattern: str = ""

    @property
    def kind(self) -> Words:
        """What such a file is."""
        return Words(self.name, self.name_zh)

    def fits(self, data: bytes) -> bool:
        """Whether the file is of this kind."""
        if self.pattern:
            head = data[:_HEAD].replace(b"\r", b"")
            found = re.search(self.pattern.encode(), head, re.MULTILINE)
            return found is not None and not _GAME.search(data)
        start = self.start.encode("latin-1")
        place = data[self.at : self.at + len(start)]
        if place.lower() != start.lower() if self.text else place != start:
            return False
        if self.text:
            games = damaged_games(data, 0, len(data))
            return not _GAME.search(data) and not any(game["opening"] for game in games)
        return not self.binary or b"\0" in data[:_HEAD]


@cache
def file_kinds() -> tuple[FileKind, ...]:
    """The kinds of files, in the order of ``signatures.toml``."""
    return tuple(FileKind(**row) for row in grammar.table("signatures")["signature"])


def kind_of(data: bytes) -> Words | None:
    """What a file is that is not SGF; None where it may be a damaged SGF file."""
    if data[:1] == b"(" and data[1:2] != b"\xb5":
        return None
    found = _known_kind(data)
    if found is not None:
        return found.kind
    return _BINARY_DATA if _is_binary(data) else None


def may_be_text(data: bytes) -> bool:
    """Whether a file is text, a web page or a document in RTF for example, as far as its first
    bytes show."""
    kind = _known_kind(data)
    # Not by a zero byte: a text with one would be read otherwise once a fix has removed it.
    return kind.text if kind is not None else not _is_binary(data)


def _known_kind(data: bytes) -> FileKind | None:
    return next((each for each in file_kinds() if each.fits(data)), None)


def _is_binary(data: bytes) -> bool:
    """Whether the first bytes are neither text nor the beginning of a game."""
    head = data[:_HEAD]
    return (
        len(data) >= _HEAD and len(_CONTROLS.intersection(head)) >= _MANY_CONTROLS
    ) and not _GAME.search(head)


def damaged_games(data: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """The places between two offsets at which a game begins whose "(" or ";" is not where it should
    be.

    The group `opening` is the "(", which may be missing, `stray` is what follows in place of the
    ";", and `semicolon` the ";" of a game without "(", which may be missing too.
    """
    is_first = True
    for game in _DAMAGED_GAME.finditer(data, start, end):
        before = data[max(0, game.start() - _NEAR) : game.start()].rstrip()
        if game["opening"] is not None or is_first or before.endswith(b")"):
            is_first = False
            yield game


def why_no_tree(data: bytes) -> Words:
    """Why there is no game tree in `data`: what the file is, if that is known."""
    kind = kind_of(data)
    if kind is None:
        game = next(damaged_games(data, 0, len(data)), None)
        if game is None:
            return _NO_TREE
        return _STRAY_CHARACTERS if game["opening"] else _NO_OPENING
    suffix = next((each.suffix for each in file_kinds() if each.kind == kind), "")
    if not suffix:
        return Words(f"the file is {kind.en}", f"文件类型：{kind.zh}")
    return Words(
        f"the file is {kind.en}; if its name ended in {suffix}, the games in it would be read",
        f"文件类型：{kind.zh}；文件名以 {suffix} 结尾时会读取其中的棋谱",
    )


def may_be_wrapped(data: bytes) -> bool:
    """Whether the lines of a file that follows the grammar were broken after a fixed number of
    characters: two neighbors have the same length, and moves are broken."""
    # This is asked for each file that is read, so it looks at a few bytes of most of them.
    middle = len(data) // 2
    first = data.rfind(b"\n", 0, middle)
    second = data.find(b"\n", middle, middle + WIDTHS.stop)
    third = data.find(b"\n", second + 1, second + WIDTHS.stop + 1)
    return (
        third - second == second - first
        and third - second - 1 in WIDTHS
        and len(_BROKEN_MOVE.findall(data)) >= _BROKEN_MOVES
    )
