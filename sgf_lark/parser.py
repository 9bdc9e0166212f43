"""Who reads the structure, the tables of the grammar or Lark itself, and under which of the
ways to read a file.

Lark is not imported before it is needed.
"""

from __future__ import annotations

import re

from sgf_lark.engine import ENGINES, Engine
from sgf_lark.flat import DamagedTree, FlatTree
from sgf_lark.model.parsed import ParsedFile
from sgf_lark.text.charsets import decodes
from sgf_lark.text.decoding import Decoding


def parse_if_strict(data: bytes, engine: Engine = "tables") -> FlatTree | None:
    """The flat tree of `data`, a collection without a byte order mark; None where it
    leaves the grammar.

    Raises ValueError for an unknown engine.
    """
    if engine not in ENGINES:
        raise ValueError(f"unknown engine: {engine!r}; one of {', '.join(ENGINES)}")
    from lark.exceptions import UnexpectedInput

    from sgf_lark.lark_parser import parse_by_lark

    try:
        return parse_by_lark(data)
    except UnexpectedInput:
        return None


def parse_best(
    found: list[Decoding], engine: Engine = "tables"
) -> tuple[Decoding, FlatTree] | None:
    """The first reading under which the file follows the grammar and its texts have a
    meaning, or else the first under which it follows the grammar; None where it never does."""
    parsed: list[tuple[Decoding, FlatTree]] = []
    for reading in found:
        flat = parse_if_strict(reading.data, engine)
        if flat is None:
            continue
        if len(found) == 1 or has_meaning(reading, flat):
            return reading, flat
        parsed.append((reading, flat))
    return parsed[0] if parsed else None


def parse_damaged(found: list[Decoding], engine: Engine = "tables") -> tuple[Decoding, DamagedTree]:
    """The first decoding of a damaged file under which its texts have a meaning, or else
    the first."""
    from sgf_lark.tolerant import parse_tolerant

    trees = []
    for reading in found:
        damaged = parse_tolerant(reading.data, engine)
        if len(found) == 1 or has_meaning(reading, damaged.flat):
            return reading, damaged
        trees.append((reading, damaged))
    return trees[0]


_ESCAPE = rb"(?s)\\(?:\r\n|\n\r|[\r\n]|(.))"
#: What has to be escaped, and so may follow a "\" that ends a character.
_ESCAPED = ("\\", "]", ":", "")
#: A "]" that more likely ends a value than that it stands in one.
_BEHIND_A_VALUE = r"\]\s*(?:[;\[]|\(\s*;|\)\s*[();]|[A-Z]+\s*\[)"
_BYTES_BEHIND_A_VALUE = rb"%s|\]\s*\Z" % _BEHIND_A_VALUE.encode()


def has_meaning(reading: Decoding, flat: FlatTree) -> bool:
    """Whether all values can be decoded behind their escapes, and escapes are what
    they have to be if a "\" is not one half of a character."""
    for tree, root in enumerate(flat.roots):
        codec = reading.codec or reading.declared_codec(ParsedFile(reading, flat).root_values[tree])
        nodes = flat.nodes_of(tree)
        first, last = flat.properties_of(nodes[0])[0], flat.properties_of(nodes[-1])[1]
        for prop in range(first, last):
            for value in range(*flat.values_of(prop)):
                raw = flat.data[flat.value_from[value] : flat.value_to[value]]
                if raw.isascii():
                    continue
                if re.compile(_BYTES_BEHIND_A_VALUE).match(flat.data, flat.value_to[value]):
                    raw = _without_cut_character(raw, codec)
                if not (
                    decodes(re.compile(_ESCAPE).sub(rb"\1", raw), codec) and _is_escaped(raw, codec)
                ):
                    return False
    return True


def _without_cut_character(raw: bytes, codec: str) -> bytes:
    """`raw` without the first byte of a character whose second one is missing at its end."""
    return raw[:-1] if raw[-1] > 0x7F and not decodes(raw, codec) else raw


def _is_escaped(raw: bytes, codec: str) -> bool:
    """Whether no "\" that could be the second byte of a character stands before what
    nobody would escape."""
    if b"\\" not in raw or codec == "utf-8":
        return True
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return True
    for index, character in enumerate(text, 1):
        if character > "\x7f" and character.encode(codec).endswith(b"\\"):
            if text[index : index + 1] not in _ESCAPED:
                return False
            if re.compile(_BEHIND_A_VALUE).match(text, index):
                return False
    return True
