"""Takes a minimal input to a canonical form, so that inputs with one cause become equal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sgf_lark.fuzz.features_properties import context_of, simpler
from sgf_lark.fuzz.features_values import usual_values
from sgf_lark.fuzz.tokens import GAP, VALUE, Token, join, properties, split

#: Whether an input still shows the finding.
Keeps = Callable[[bytes], bool]

#: Simple properties of several types.
_USUAL = (b"AB[aa:ba]", b"AB[aa]", b"TR[aa:ba]", b"C[a]", b"C[:]", b"KM[1]")
_SIMPLE_VALUES = (b"", b"1", b"aa", b"a")
_BREAK = re.compile(rb"\r\n|\n\r|\r")
_NUMBER, _SIGNED = re.compile(rb"[0-9]{1,12}"), re.compile(rb"[+-]?[0-9]{1,12}")
_DECLARATIONS = (b"FF", b"GM", b"CA")
#: Of larger files only few variants are tried.
_LARGE = 100
#: At most this many properties are tried in place of one.
_MOST_SUBSTITUTES = 3


def simplify(data: bytes, keeps: Keeps) -> bytes:
    """Return the canonical form of a minimal input: as simple as `keeps` allows.

    White space becomes a space, a property the first one of the same type in the property
    table, a value the simplest one, a number the smallest one, and the file one of Go and FF[4].
    """
    for step in (_white_space, _breaks, _declarations, _idents, _values, _numbers, _orders):
        data = step(data, keeps)
    return data


def valid_variants(data: bytes) -> Iterator[bytes]:
    """Yield variants of a file that may conform: with FF[4], and with usual values."""
    node = data.find(b";") + 1
    if node and b"FF[" not in data:
        data = b"%sFF[4]%s" % (data[:node], data[node:])
        yield data
    if len(data) > _LARGE:
        return
    tokens = split(data)
    for span in properties(tokens):
        if span.ident in _DECLARATIONS:
            continue
        own = [b"%s[%s]" % (span.ident, value) for value in usual_values(span.ident.decode())]
        for new in (*own, *_USUAL):
            yield join([*tokens[: span.first], Token("", new), *tokens[span.last :]])


def _white_space(data: bytes, keeps: Keeps) -> bytes:
    tokens = split(data)
    for index, token in enumerate(tokens):
        if token.kind == GAP and token.data != b" ":
            changed = [*tokens[:index], Token(GAP, b" "), *tokens[index + 1 :]]
            if keeps(join(changed)):
                tokens = changed
    return join(tokens)


def _breaks(data: bytes, keeps: Keeps) -> bytes:
    """Replace line breaks in values by line feeds."""
    for at in _value_places(data):
        changed = _with_value(data, at, _BREAK.sub(b"\n", split(data)[at].data[1:-1]))
        if changed != data and keeps(changed):
            data = changed
    return data


def _declarations(data: bytes, keeps: Keeps) -> bytes:
    changes: tuple[tuple[bytes, bytes], ...] = (
        (rb"GM\[[^\]]*\]", b""),
        (rb"FF\[[1-3]\]", b"FF[4]"),
    )
    for pattern, new in changes:
        changed = re.sub(pattern, new, data)
        if changed != data and keeps(changed):
            data = changed
    return data


def _idents(data: bytes, keeps: Keeps) -> bytes:
    for span in list(properties(split(data))):
        if span.ident in _DECLARATIONS:
            continue
        for other in _earlier(span.ident, data):
            tokens = split(data)
            tokens[span.first] = Token(tokens[span.first].kind, other)
            if keeps(join(tokens)):
                data = join(tokens)
                break
    return data


def _earlier(ident: bytes, data: bytes) -> Iterator[bytes]:
    """Yield the properties of the same type that precede this one in the table."""
    for other in simpler(ident.decode(), *context_of(data))[:_MOST_SUBSTITUTES]:
        yield other.encode()


def _value_places(data: bytes) -> list[int]:
    return [
        at
        for span in properties(split(data))
        if span.ident not in _DECLARATIONS
        for at in span.values
    ]


def _with_value(data: bytes, at: int, value: bytes) -> bytes:
    tokens = split(data)
    tokens[at] = Token(VALUE, b"[%s]" % value)
    return join(tokens)


def _values(data: bytes, keeps: Keeps) -> bytes:
    for at in _value_places(data):
        for value in _SIMPLE_VALUES:
            if split(data)[at].data == b"[%s]" % value:
                break
            changed = _with_value(data, at, value)
            if keeps(changed):
                data = changed
                break
    return data


def _numbers(data: bytes, keeps: Keeps) -> bytes:
    """Replace numbers by the smallest ones that keep the finding, found by bisection."""
    for at in _value_places(data):
        raw = split(data)[at].data[1:-1]
        if _SIGNED.fullmatch(raw):
            changed = _with_value(data, at, b"%d" % abs(int(raw)))
            if keeps(changed):
                data = changed
        runs = [found.span() for found in _NUMBER.finditer(split(data)[at].data[1:-1])]
        for start, end in reversed(runs):
            data = _smaller_number(data, at, start, end, keeps)
    return data


def _smaller_number(data: bytes, at: int, start: int, end: int, keeps: Keeps) -> bytes:
    """Return the file with a smaller number in a part of the value `at`."""
    raw = split(data)[at].data[1:-1]
    low, high = 1, int(raw[start:end])
    while low < high:
        middle = (low + high) // 2
        changed = _with_value(data, at, b"%s%d%s" % (raw[:start], middle, raw[end:]))
        if keeps(changed):
            data, high = changed, middle
        else:
            low = middle + 1
    return data


def _orders(data: bytes, keeps: Keeps) -> bytes:
    """Sort neighbors among the properties of a node by their identifiers."""
    index = 0
    while True:
        tokens = split(data)
        spans = list(properties(tokens))
        if index + 1 >= len(spans):
            return data
        one, other = spans[index : index + 2]
        index += 1
        if one.node != other.node or one.last != other.first or one.ident <= other.ident:
            continue
        if one.ident in _DECLARATIONS:
            continue
        swapped = tokens[other.first : other.last] + tokens[one.first : one.last]
        changed = join([*tokens[: one.first], *swapped, *tokens[other.last :]])
        if keeps(changed):
            data, index = changed, 0
