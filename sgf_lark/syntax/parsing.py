"""The first decoding of a file under which it parses, by the engine's tables or by Lark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sgf_lark import engine as tables
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax import ENGINES, Engine
from sgf_lark.syntax.damage import DamagedTree
from sgf_lark.text.charsets import decodes

if TYPE_CHECKING:
    from sgf_lark.text.decoding import Decoding


def check_engine(engine: str) -> None:
    """Raise ValueError for an unknown engine."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine: {engine!r}; one of {', '.join(ENGINES)}")


def parse_if_strict(data: bytes, engine: Engine = "tables") -> FlatTree | None:
    """The flat tree of `data`, a collection without a byte order mark; None where it
    leaves the grammar.

    Raises ValueError for an unknown engine.
    """
    check_engine(engine)
    if engine == "tables" and tables.can_parse(data):
        return tables.parse(data)
    from lark.exceptions import UnexpectedInput

    from sgf_lark.syntax.strict import parse_by_lark

    try:
        return parse_by_lark(data)
    except UnexpectedInput:
        return None


def parse_strictly(data: bytes) -> FlatTree:
    """The flat tree of `data`, a collection without a byte order mark; raises SGFSyntaxError."""
    flat = parse_if_strict(data)
    if flat is None:
        from sgf_lark.syntax.errors import syntax_error

        raise syntax_error(data)
    return flat


def parse_best(
    decodings: list[Decoding], engine: Engine = "tables"
) -> tuple[Decoding, FlatTree] | None:
    """The first decoding under which the file follows the grammar and its texts have a
    meaning, or else the first under which it follows the grammar; None where there is none."""
    parsed: list[tuple[Decoding, FlatTree]] = []
    for decoding in decodings:
        flat = parse_if_strict(decoding.data, engine)
        if flat is None:
            continue
        if len(decodings) == 1 or has_meaning(decoding, flat):
            return decoding, flat
        parsed.append((decoding, flat))
    return parsed[0] if parsed else None


def parse_damaged(
    decodings: list[Decoding], engine: Engine = "tables"
) -> tuple[Decoding, DamagedTree]:
    """The first decoding of a damaged file under which its texts have a meaning, or else
    the first, and what can be read of it."""
    from sgf_lark.syntax.tolerant import parse_tolerant

    parsed = []
    for decoding in decodings:
        damaged = parse_tolerant(decoding.data, engine)
        if len(decodings) == 1 or has_meaning(decoding, damaged.flat):
            return decoding, damaged
        parsed.append((decoding, damaged))
    return parsed[0]


#: A soft line break, or an escape character and the character after it.
_ESCAPE = re.compile(rb"\\(?:\r\n|\n\r|[\r\n]|(.))", re.DOTALL)
#: Characters that have to be escaped, so that they may follow a "\" that ends a character.
_ESCAPED = ("\\", "]", ":", "")
#: A "]" that is more likely the end of a value than a character in one.
_AFTER_A_VALUE = r"\]\s*(?:[;\[]|\(\s*;|\)\s*[();]|[A-Z]+\s*\[)"
_TEXT_AFTER_A_VALUE = re.compile(_AFTER_A_VALUE)
_BYTES_AFTER_A_VALUE = re.compile(rb"%s|\]\s*\Z" % _AFTER_A_VALUE.encode())


def has_meaning(decoding: Decoding, flat: FlatTree) -> bool:
    """Whether all values can be decoded after their escapes are removed, and each "\\" escapes
    a character that needs it, so that no "\\" is the second byte of a character."""
    for tree, root in enumerate(flat.roots):
        codec = decoding.codec or decoding.declared_codec(_declared_charset(flat, root))
        nodes = flat.nodes_of(tree)
        first, last = flat.properties_of(nodes[0])[0], flat.properties_of(nodes[-1])[1]
        if first == last:
            continue
        for value in range(flat.values_of(first)[0], flat.values_of(last - 1)[1]):
            raw = flat.data[flat.value_from[value] : flat.value_to[value]]
            if not raw.isascii() and not _value_has_meaning(flat, value, raw, codec):
                return False
    return True


def _declared_charset(flat: FlatTree, root: int) -> dict[str, bytes]:
    """The first value of CA in a root, by its identifier."""
    for prop in range(*flat.properties_of(root)):
        if flat.ident(prop) == "CA":
            return {"CA": flat.raw(prop)[0]}
    return {}


def _value_has_meaning(flat: FlatTree, value: int, raw: bytes, codec: str) -> bool:
    if _BYTES_AFTER_A_VALUE.match(flat.data, flat.value_to[value]):
        raw = _without_cut_character(raw, codec)
    return decodes(without_escapes(raw), codec) and _is_escaped(raw, codec)


def without_escapes(raw: bytes) -> bytes:
    """The bytes of a text without its soft line breaks and its escape characters."""
    return _ESCAPE.sub(rb"\1", raw)


def _without_cut_character(raw: bytes, codec: str) -> bytes:
    """`raw` without the first byte of a character whose second one is missing at its end."""
    return raw[:-1] if raw[-1] > 0x7F and not decodes(raw, codec) else raw


def _is_escaped(raw: bytes, codec: str) -> bool:
    """Whether no "\\" that could be the second byte of a character precedes a character that
    nobody would escape."""
    if b"\\" not in raw or codec == "utf-8":
        return True
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return True
    for index, character in enumerate(text, 1):
        if character > "\x7f" and character.encode(codec, "replace").endswith(b"\\"):
            if text[index : index + 1] not in _ESCAPED:
                return False
            if _TEXT_AFTER_A_VALUE.match(text, index):
                return False
    return True
