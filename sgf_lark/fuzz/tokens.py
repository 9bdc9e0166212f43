"""A file as a list of tokens of ``sgf.lark``, with everything between them, for small changes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from sgf_lark.syntax import grammars as lark_grammars

GAP, IDENT, VALUE = "WHITE_SPACE", "UCLETTERS", "BRACKETED_VALUE"
MARK, JUNK = "byte order mark", "other bytes"
OPEN, CLOSE, NODE = "LPAR", "RPAR", "SEMICOLON"
#: A terminal that is only a part of :data:`VALUE`.
_CONTENT = "CVALUETYPE"


@dataclass(frozen=True, slots=True)
class Token:
    """A terminal of ``sgf.lark`` by name, or :data:`MARK` or :data:`JUNK`, and its bytes."""

    kind: str
    data: bytes


@cache
def _pattern() -> re.Pattern[bytes]:
    named = [
        f"(?P<{name}>{pattern})"
        for name, pattern in lark_grammars.terminal_patterns("sgf.lark").items()
        if name != _CONTENT
    ]
    longest_first = sorted(named, key=len, reverse=True)
    return re.compile("|".join(longest_first).encode("latin-1"), re.DOTALL)


def split(data: bytes) -> list[Token]:
    """Return the tokens of a file, which :func:`join` makes into the same bytes again."""
    return list(_split(data))


@lru_cache(maxsize=16)
def _split(data: bytes) -> tuple[Token, ...]:
    tokens = []
    start = 0
    if data.startswith(codecs.BOM_UTF8):
        start = len(codecs.BOM_UTF8)
        tokens.append(Token(MARK, codecs.BOM_UTF8))
    for found in _pattern().finditer(data, start):
        if found.start() > start:
            tokens.append(Token(JUNK, data[start : found.start()]))
        tokens.append(Token(found.lastgroup or JUNK, found[0]))
        start = found.end()
    if start < len(data):
        tokens.append(Token(JUNK, data[start:]))
    return tuple(tokens)


def join(tokens: list[Token]) -> bytes:
    """Return the bytes of the tokens."""
    return b"".join(token.data for token in tokens)


@dataclass(frozen=True, slots=True)
class PropertySpan:
    """A property: the indices of its identifier and of the end of its last value.

    `node` is the index of the ";" of its node, or -1.
    """

    ident: bytes
    first: int
    last: int
    node: int
    values: tuple[int, ...]


def properties(tokens: list[Token]) -> Iterator[PropertySpan]:
    """Yield the properties in their order."""
    node = -1
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind == NODE:
            node = index
        elif token.kind == IDENT:
            values = []
            last = index + 1
            for at in range(index + 1, len(tokens)):
                if tokens[at].kind == VALUE:
                    values.append(at)
                    last = at + 1
                elif tokens[at].kind != GAP:
                    break
            yield PropertySpan(token.data, index, last, node, tuple(values))
            index = last
            continue
        index += 1


def change_values(
    data: bytes, change: Callable[[bytes], bytes], ident: bytes | None = None
) -> bytes:
    """Return the file with each value, without its brackets, replaced by ``change(value)``.

    With `ident`, only values of properties of that name are changed.
    """
    tokens = split(data)
    for span in properties(tokens):
        if ident is None or span.ident == ident:
            for at in span.values:
                raw = tokens[at].data[1:-1]
                tokens[at] = Token(VALUE, b"[" + change(raw) + b"]")
    return join(tokens)


def values(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the identifier and the content of each value."""
    tokens = split(data)
    for span in properties(tokens):
        for at in span.values:
            yield span.ident, tokens[at].data[1:-1]


def children(tokens: list[Token]) -> dict[int, list[int]]:
    """Return the indices of the "(" directly inside each "(", and of game trees under -1.

    Only those that are closed count.
    """
    found: dict[int, list[int]] = {-1: []}
    opened: list[int] = []
    closed = closing(tokens)
    for index, token in enumerate(tokens):
        if token.kind == OPEN and index in closed:
            found.setdefault(opened[-1] if opened else -1, []).append(index)
            found[index] = []
            opened.append(index)
        elif token.kind == CLOSE and opened and closed[opened[-1]] == index:
            opened.pop()
    return found


def closing(tokens: list[Token]) -> dict[int, int]:
    """Return the index of the ")" of each "(" that is closed."""
    found = {}
    opened = []
    for index, token in enumerate(tokens):
        if token.kind == OPEN:
            opened.append(index)
        elif token.kind == CLOSE and opened:
            found[opened.pop()] = index
    return found
