"""Fixes of the damage in game trees that the tolerant grammar finds (1xx)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sgf_lark import grammar
from sgf_lark.grammar import TEXT_TYPES, PropertyDefinition
from sgf_lark.model.board_walk import is_next_move
from sgf_lark.model.cells import PLAYED
from sgf_lark.model.property import PropValue
from sgf_lark.rules.fixes import (
    Edit,
    Fix,
    FixContext,
    escape_text,
    fix_for,
    has_type,
    labeled,
)
from sgf_lark.rules.trees import (
    FIXED_WITH_GUESS,
    INVISIBLE,
    closings_at_end,
    count_open_trees,
    deletion_of,
    parentheses_of,
    without_markup,
)
from sgf_lark.syntax.tolerant import LAYER
from sgf_lark.text.charsets import decodes

#: A property value; the group is what is between its brackets.
_VALUE = re.compile(rb"(?s)\[((?:[^\]\\]|\\.)*)\]")
#: What may be a word or a value.
_WORDS = re.compile(rb"[0-9A-Za-z\x80-\xff]{2}")
#: The number of places of damage that are taken for one remark.
_MOST_WORDS = 10
#: What has the form of the identifiers of FF[4].
_IDENTIFIER = re.compile(rb"[A-Z]{1,2}")
#: Control characters and separators, which mean nothing between tokens to any reader.
_MEANINGLESS = re.compile(rb"[\x00-\x20\x7f,.:]+")
_BRACKET = re.compile(rb"[\[\]]")
#: A value, which has no identifier.
_OPENING = re.compile(rb"\s*\[")
_MOVE = re.compile(rb"\s*[BW]\s*\[")
#: What may follow a text, after white space or control characters: a node, a tree, the end of one,
#: or a property.
_MAY_FOLLOW = re.compile(
    rb"[\x00-\x20\x7f]*(?:;|\(\s*;|\)[\s)]*(?:\(\s*;|;|\Z)|[A-Z]{1,2}[\x00-\x20\x7f]*\[)"
)
#: A byte of many multibyte charsets, and what may be an escape or the second half of a character.
_TRAIL_BYTE = re.compile(rb"[\x80-\xff]\\\]")


@fix_for("SGF119")
def close_value(site: FixContext) -> Fix | None:
    """Close the value at the end of the file; delete it if it is empty and no text.

    This is safe in a text, except before ")" at its end, of which a "]" is missing rather than the
    rest of the file. Of a number or a move a part can be missing. An escape after another byte than
    ASCII may be half of a character, so that the "]" after it closes the value.
    """
    data, value = site.data, site.value_if_any
    end, count = len(data), count_open_trees(site)
    if value is not None and not value.raw.strip() and not _is_in_text(site):
        entry = value.property
        start = entry.offsets[0] if entry.count == 1 else value.start - 1
        return Fix((Edit(start, end, b")" * count),), safe=False)
    closings = closings_at_end(data[site.start :], count)
    place = end - len(closings)
    escape = b"\\" if (place - len(data[:place].rstrip(b"\\"))) % 2 else b""
    can_be_closed = _TRAIL_BYTE.search(data, site.start) is not None
    is_text = _is_in_text(site) and (not can_be_closed or decodes(data, "utf-8"))
    closing = escape + b"]" + closings + b")" * (count - closings.count(b")"))
    return Fix((Edit(place, end, closing),), safe=is_text and not closings)


def _moved(site: FixContext) -> Fix:
    """Move the damaged bytes to a comment; delete them if they have no word.

    Between variations the comment is in the node that follows, or else in the one before: one of
    its own would be another variation.
    """
    start, end = site.start, _ends_of_words(site).get(site.start, site.end)
    if end is None:
        return FIXED_WITH_GUESS
    text = without_markup(site, site.data[start:end])
    if not _WORDS.search(text):
        return deletion_of(site, safe=False)
    remark = site.remark(escape_text(text))
    place = _place_between_nodes(site)
    edits = [Edit(start, end, b"" if place else remark)]
    if place:
        edits.append(Edit(place, place, remark))
    return Fix(tuple(edits), safe=False)


def _ends_of_words(site: FixContext) -> dict[int, int | None]:
    """Where words end that are several places of damage with nothing but white space between them,
    as ``White 2 at A:`` is, by the offset at which they start; None for their other places."""
    return site.cached("ends of words", lambda: _find_words(site))


def _find_words(site: FixContext) -> dict[int, int | None]:
    groups: list[list[range]] = [[]]
    end = 0
    for each in site.collection.file.places_of_damage:
        if each.code in ("SGF110", "SGF120"):
            if site.data[end : each.start].strip():
                groups.append([])
            groups[-1].append(range(each.start, each.end))
            end = each.end
    ends: dict[int, int | None] = {}
    for first, *others in filter(None, groups):
        # Many are no remark of a person, and identifiers alone may be properties without values.
        if 0 < len(others) < _MOST_WORDS and not all(
            _IDENTIFIER.fullmatch(site.data, word.start, word.stop) for word in (first, *others)
        ):
            ends |= dict.fromkeys(word.start for word in others)
            ends[first.start] = others[-1].stop
    return ends


def _place_between_nodes(site: FixContext) -> int | None:
    """The offset in the nearest node at which a comment about damage that is in none can be."""
    flat, before = site.flat, parentheses_of(site).before
    number = flat.node_at(site.start)
    if before(site.start) <= flat.node_start[number]:
        return None
    opening = flat.opening.get(number + 1)
    if opening is None or before(opening) >= site.start:
        return site.flat.node_span(site.node.number)[1]
    begin = flat.node_start[number + 1]
    return begin + site.data.startswith(b";", begin)


@fix_for("SGF122")
def delete_control_characters(site: FixContext) -> Fix | None:
    """Delete the control characters; between an identifier and its value they mean nothing."""
    deletion = deletion_of(site)
    return deletion._replace(safe=deletion.safe or site.next_character == b"[")


@fix_for("SGF110")
def complete_property(site: FixContext) -> Fix | None:
    """Add an empty value to a property of a node that takes no other; delete any other identifier,
    and move other words to a comment."""
    if site.start in _ends_of_words(site):
        return _moved(site)
    definition = site.tree.define(site.ident)
    takes_none = definition and all(kind.first == "none" for kind in definition.alternatives)
    if takes_none and _place_between_nodes(site) is None:
        return Fix((Edit(site.end, site.end, b"[]"),), safe=False)
    if _IDENTIFIER.fullmatch(site.data, site.start, site.end):
        return Fix((Edit(site.start, site.end),), safe=False)
    return _moved(site)


@fix_for("SGF111")
def move_values_to_comment(site: FixContext) -> Fix | None:
    """Write the identifier that the only move of a node has lost, if the moves around it show the
    color. Move other values to a comment, with what follows an unescaped "]"."""
    move = _with_identifier(site)
    if move is not None:
        return move
    parts = _VALUE.split(site.data[site.start : site.end])
    parts[::2] = (escape_text(part.strip(INVISIBLE)) for part in parts[::2])
    text = b" ".join(part for part in parts if part.strip())
    remark = site.remark(text) if text else b""
    return Fix((Edit(site.start, site.end, remark),), safe=not text)


def _with_identifier(site: FixContext) -> Fix | None:
    """Write the identifier of a move before a value, the only one of its node."""
    raw = site.data[site.start + 1 : site.end - 1]
    idents = [each for each in PLAYED if is_next_move(site.node, each, is_in_own_node=False)]
    is_move = site.node.parent is not None and site.tree.parsed.reader.matches("move", raw)
    if not is_move or len(idents) != 1:
        return None
    return Fix((Edit(site.start, site.start, idents[0].encode()),), safe=False)


@fix_for("SGF112")
def join_identifier(site: FixContext) -> Fix | None:
    """Write the identifier in one piece; this is not safe, because its last letters can be an
    identifier too. They are, if the whole one belongs in a root, and the node is none."""
    ident = site.ident.encode()
    definition = site.tree.define(site.ident)
    is_of_root = definition is not None and definition.type in ("root", "game-info")
    if is_of_root and site.node.parent is not None:
        _, ident = site.data[site.start : site.end].split()
    return Fix((Edit(site.start, site.end, ident),), safe=False)


@fix_for("SGF114")
def delete_lowercase_letters(site: FixContext) -> Fix | None:
    """Write the identifier without lowercase letters.

    As all fixes of such a property, this is safe only if they are from its name: others may have
    been the identifier of a program, or a text before which the bracket is lost.
    """
    ident = site.ident.encode()
    by_name = _by_name(site)
    if by_name is not None:
        return by_name
    if ident.isupper():
        return Fix((Edit(site.start, site.end, ident),))
    return _in_capitals(site) or _join_to_list(site) or site.to_comment()


def _by_name(site: FixContext) -> Fix | None:
    """Write the identifier of a property whose English name is there, if that is no identifier of
    older formats."""
    name = site.data[site.start : site.end].decode("latin-1").lower()
    meant = site.tree.define(_idents_by_name().get(name, ""))
    if meant is None or site.tree.define(site.ident) is not None:
        return None
    if meant.type in ("root", "game-info") and site.node.parent is not None:
        return None
    return Fix((Edit(site.start, site.end, meant.ident.encode()),))


@cache
def _idents_by_name() -> dict[str, str]:
    """Identifiers by names in small letters without blanks; those of a root by the first and the
    last word, too, if only one name has it."""
    whole: dict[str, str] = {}
    by_word: dict[str, set[str]] = {}
    for definition in grammar.properties():
        if not definition.private:
            words = definition.name.lower().split()
            whole.setdefault("".join(words), definition.ident)
            for word in (words[0], words[-1]) if definition.type in ("root", "game-info") else ():
                by_word.setdefault(word, set()).add(definition.ident)
    return {word: each for word, (each, *others) in by_word.items() if not others} | whole


def _in_capitals(site: FixContext) -> Fix | None:
    """Write an identifier in small letters in capitals, if its values have the type of that
    property."""
    ident = site.ident.upper()
    definition = site.tree.define(ident)
    if definition is None or definition.private:
        return None
    raws = [raw.lower() if definition.is_move else raw for raw in site.entry.raw]
    if not has_type(site.tree, definition, raws):
        return None
    return Fix((Edit(site.start, site.end, ident.encode()),))


def _join_to_list(site: FixContext) -> Fix | None:
    """Join values after a stray letter to the list before it, if they are of its type. The letter
    may have changed places with the bracket after it, as in "[er]f[r]"."""
    if site.previous_character != b"]":
        return None
    stray, (first, *others) = site.ident.encode(), site.entry.raw
    entries = site.node.properties
    place = next(n for n, each in enumerate(entries) if each.number == site.entry.number)
    # Other strays may be between the list and this one.
    before = next((each for each in reversed(entries[:place]) if not each.ident.islower()), None)
    if before is None or before.definition is None or not before.definition.takes_many:
        return None
    ways = [(Edit(site.start, site.end), [first, *others])]
    if site.data[site.end : site.end + 1] == b"[":
        ways.append((Edit(site.start, site.end + 1, b"[" + stray), [stray + first, *others]))
    known = (edit for edit, raws in reversed(ways) if has_type(site.tree, before.definition, raws))
    return next((Fix((edit,)) for edit in known), None)


def is_name_of(definition: PropertyDefinition | None, ident: bytes) -> bool:
    """Whether an identifier is made of words of the name of a property, as "Black" and "AddBlack"
    were, and "SiZe"."""
    rest = ident.decode("latin-1").lower()
    for word in definition.name.lower().split() if definition is not None else ():
        rest = rest.replace(word, " ")
    return not rest.strip()


@fix_for("SGF113")
def delete_from_identifier(site: FixContext) -> Fix | None:
    """Delete the characters that cannot be in an identifier; if it is then that of an unknown
    property of the node, its values are those of another one and become a comment."""
    ident = site.ident.encode()
    if not ident.isupper():
        return None
    if site.tree.define(site.ident) is None and site.is_repeated:
        written = site.data[site.start : site.end]
        remark = site.remark(written + labeled(site.entry, site.entry.raw)[len(ident) :])
        return Fix((Edit(*site.entry.offsets, remark),), safe=False)
    return Fix((Edit(site.start, site.end, ident),), safe=False)


@fix_for("SGF118")
def escape_bracket(site: FixContext) -> Fix | None:
    """Escape the bracket inside a text, end any other value at it, and delete it elsewhere.

    Only in a text, and after a "[" that it closes, the bracket is certainly part of the value; and
    only if nothing in the text is escaped. A program that escapes one character escapes all
    brackets: then a bracket may as well be one too many, or that of a value of which the "[" is
    lost. Where another property, node or tree follows the bracket, the text may end there, and also
    where the rest is no text in the charset.
    """
    value = site.value_if_any
    if value is None:
        return deletion_of(site, safe=False)
    if not _is_in_text(site):
        # What follows the first bracket goes with it, up to the end of the value.
        if not site.is_first("rest of value", value.number):
            return FIXED_WITH_GUESS
        deletion = Edit(site.start, value.end)
        rest = site.data[site.start : value.end].strip(b"] \t\r\n\v\f")
        if not rest:
            return Fix((deletion,), safe=False)
        end = value.property.offsets[1]
        return Fix((deletion, Edit(end, end, site.remark(escape_text(rest)))), safe=False)
    # Where nothing is escaped, no bracket has to be told from an escaped one.
    is_safe = (
        b"\\" not in value.raw
        and not _MAY_FOLLOW.match(site.data, site.end)
        and _is_in_declared_charset(value)
        and site.start
        in site.cached(
            ("closing brackets", value.number), lambda: {*_closing_brackets(value.raw, value.start)}
        )
    )
    return Fix((Edit(site.start, site.start, b"\\"),), safe=is_safe)


def _is_in_declared_charset(value: PropValue) -> bool:
    """Whether a text can be decoded in the charset that CA names, if there is one."""
    parsed = value.tree.parsed
    charset = parsed.declared_charset
    return charset is None or decodes(parsed.reader.unescape("text", value.raw), charset.codec)


def _closing_brackets(text: bytes, start: int) -> Iterator[int]:
    """The offsets of each "]" that closes a "[" in a text without escapes that begins at an
    offset."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == b"]" and depth > 0:
            yield start + bracket.start()
        depth += {b"[": 1, b"]": -1}.get(bracket[0], 0)


@fix_for("SGF120")
def delete_junk(site: FixContext) -> Fix | None:
    """Delete characters between tokens; this is safe if they are control characters and
    separators only, and no value follows, which would then have a property, nor a move after
    another property, where they may be in the place of a ";". Words become a comment."""
    if site.start in _ends_of_words(site):
        return _moved(site)
    if _MEANINGLESS.fullmatch(site.data, site.start, site.end):
        safe = not (_OPENING.match(site.data, site.end) or _may_be_semicolon(site))
        return deletion_of(site, safe=safe)
    return _moved(site)


def _may_be_semicolon(site: FixContext) -> bool:
    """Whether characters are before a move and after another property: two moves of one node
    become two nodes without them, too."""
    before = site.flat.property_at(site.start)
    if before < 0 or _MOVE.match(site.data, site.end) is None:
        return False
    end = site.flat.value_to[site.flat.value_end[before] - 1]
    return site.flat.ident(before) not in ("B", "W") and b";" not in site.data[end : site.start]


@fix_for(LAYER)
def keep_without_layer(site: FixContext) -> Fix | None:
    """The file is read without the layer, which is never safe; so nothing is left to edit here."""
    return Fix((Edit(site.start, site.start),), safe=False)


@fix_for("SGF121")
def replace_zero_bytes(site: FixContext) -> Fix | None:
    """Replace zero bytes in a value by blanks; delete them elsewhere. Text in UTF-16 stays."""
    if site.value_if_any is None:
        return deletion_of(site)
    if _may_be_utf_16(site.value.raw):
        return None
    new = site.data[site.start : site.end].replace(b"\0", b" ")
    return Fix((Edit(site.start, site.end, new),), safe=_is_in_text(site))


def _may_be_utf_16(raw: bytes) -> bool:
    """Whether every second byte is zero, at least two of them and most in their places."""
    zeros = [raw[start::2].count(0) for start in (0, 1)]
    return min(zeros) == 0 and max(zeros) > 1 and max(zeros) * 4 > len(raw)


def _is_in_text(site: FixContext) -> bool:
    """Whether the damage is in the value of a SimpleText or Text, or in the text of a label."""
    value = site.value_if_any
    if value is None:
        return False
    definition = value.property.definition
    if definition is None:
        return False
    is_free_text = definition.is_text and not definition.format
    ends_with_text = definition.alternatives[-1].second in TEXT_TYPES
    return is_free_text or (ends_with_text and b":" in site.data[value.start : site.start])
