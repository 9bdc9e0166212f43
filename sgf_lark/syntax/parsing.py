"""From the bytes of a file to its flat tree, by the engine's tables or by Lark."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark import engine as tables
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax import ENGINES, Engine
from sgf_lark.syntax.damage import DamagedTree
from sgf_lark.text.charsets import decodes, lookup
from sgf_lark.text.decoding import all_declared_in, may_have_trail_bytes

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


class Parsed(NamedTuple):
    """A file that was parsed: how it is decoded, and its flat tree, with the damage in it if it
    does not follow the grammar."""

    decoding: Decoding
    flat: FlatTree
    damaged: DamagedTree | None = None


def parse(decoding: Decoding, engine: Engine = "tables") -> Parsed:
    """The file with its charsets chosen. Any bytes are accepted.

    They are parsed as they are, unless this gives damage or texts without meaning because bytes
    that are brackets or escapes for the parser are halves of characters. Then such game trees
    are decoded before they are parsed, each in its own charset.
    """
    flat = parse_if_strict(decoding.data, engine)
    if decoding.may_have_trail_bytes and (flat is None or not has_meaning(decoding, flat)):
        from sgf_lark.syntax.game_trees import decode_game_by_game

        cut = decode_game_by_game(decoding, engine)
        if cut is not None:
            return cut
    return _parsed(decoding, flat, engine)


def parse_decoded(decoding: Decoding, engine: Engine = "tables") -> Parsed:
    """The file as it is decoded. Any bytes are accepted."""
    return _parsed(decoding, parse_if_strict(decoding.data, engine), engine)


def _parsed(decoding: Decoding, flat: FlatTree | None, engine: Engine) -> Parsed:
    """The file with its flat tree, or with its damage if there is none."""
    if flat is not None:
        return Parsed(decoding, flat)
    from sgf_lark.syntax.tolerant import parse_tolerant

    damaged = parse_tolerant(decoding.data, engine)
    return Parsed(decoding, damaged.flat, damaged)


#: Between two game trees of which the second begins with what only a root has.
BEFORE_ROOT = re.compile(rb"\)[^()\[\]]*\(\s*;\s*(?:AP|CA|FF|GM|SZ)\s*\[")
#: A soft line break, or an escape character and the character after it.
_ESCAPE = re.compile(rb"\\(?:\r\n|\n\r|[\r\n]|(.))", re.DOTALL)
#: Characters that have to be escaped, so that they may follow a "\" that ends a character.
_ESCAPED = ("\\", "]", ":", "")
#: A "]" that is more likely the end of a value than a character in one.
_AFTER_A_VALUE = r"\]\s*(?:[;\[]|\(\s*;|\)\s*[();]|[A-Z]+\s*\[)"
_TEXT_AFTER_A_VALUE = re.compile(_AFTER_A_VALUE)
_BYTES_AFTER_A_VALUE = re.compile(rb"%s|\]\s*\Z" % _AFTER_A_VALUE.encode())


def has_meaning(decoding: Decoding, flat: FlatTree) -> bool:
    """Whether each game tree makes sense in the charset that applies to it.

    In charsets in which the second byte of a character can be "\\" or "]", and in a section that
    was decoded, all values can be decoded after their escapes are removed, and each "\\" escapes
    a character that needs it, so that no "\\" is the second byte of a character.
    """
    if decoding.sections.are_bytes:
        if not decoding.may_have_trail_bytes:
            return True
        if decoding.charsets.override is None:
            declared = [flat.first_values(root, ("CA",)).get("CA") for root in flat.roots]
            if None not in declared and not any(
                map(_has_trail_bytes, {*all_declared_in(flat.data)})
            ):
                return True  # as in nearly all files
        if _hides_tree(decoding, flat):
            return False
    return all(
        _tree_has_meaning(decoding, flat, tree, root) for tree, root in enumerate(flat.roots)
    )


def _hides_tree(decoding: Decoding, flat: FlatTree) -> bool:
    """Whether a value of a file that is parsed as bytes has what looks like the start of a game
    tree, or like a CA with a charset in which the second byte of a character can be "\\" or "]".

    Then a character may have opened that value.
    """
    if len(BEFORE_ROOT.findall(flat.data)) >= max(len(flat.roots), 1):
        return True
    names = Counter(all_declared_in(flat.data))
    names.subtract(flat.first_values(root, ("CA",)).get("CA", b"") for root in flat.roots)
    if any(map(_has_trail_bytes, +names)):
        # In another node than a root CA is out of place, but in no value.
        others = {*range(flat.count)} - {*flat.roots}
        names.subtract(flat.first_values(node, ("CA",)).get("CA", b"") for node in others)
    return any(map(_has_trail_bytes, +names))


def _has_trail_bytes(name: bytes) -> bool:
    """Whether the second byte of a character can be "\\" or "]" in the charset of that name."""
    charset, _ = lookup(name.decode("latin-1"))
    return charset is not None and charset.trail


def _tree_has_meaning(decoding: Decoding, flat: FlatTree, tree: int, root: int) -> bool:
    start, end = flat.bounds(root)
    section = decoding.sections.at(start)
    codec = section.texts.codec if section.texts else ""
    if section.offset_map is None:
        name = flat.first_values(root, ("CA",)).get("CA")
        part = flat.data[start:end]
        if not may_have_trail_bytes(part):
            return True
        codec = codec or decoding.charsets.choose(name, part).codec
        charset, _ = lookup(codec)
        if charset is not None and not charset.trail:
            return True
    nodes = flat.nodes_of(tree)
    first, last = flat.properties_of(nodes[0])[0], flat.properties_of(nodes[-1])[1]
    if first == last:
        return True
    for value in range(flat.values_of(first)[0], flat.values_of(last - 1)[1]):
        raw = flat.data[flat.value_from[value] : flat.value_to[value]]
        if not raw.isascii() and not _value_has_meaning(flat, value, raw, codec):
            return False
    return True


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
