"""Rules about charsets and texts (2xx)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from sgf_lark.diagnostics import shorten
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import TEXT_TYPES, Charset, PropertyDefinition
from sgf_lark.model.board_walk import is_next_move
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.fixes import (
    Edit,
    Fix,
    FixContext,
    escape_colons_in,
    fix_for,
    has_type,
    may_be_part_of_text,
)
from sgf_lark.rules.registry import CleanForm, Finding, Needs, Scope, at, kinds, rule, where
from sgf_lark.text import charsets

# --- The name in CA ---------------------------------------------------------------


@rule("SGF210", Scope.VALUE, where(format="charset"))
def empty_charset(value: PropValue) -> Finding | None:
    """Reports CA without a name."""
    return at(value) if not value.raw else None


@rule("SGF203", Scope.VALUE, where(format="charset"))
def unknown_charset(value: PropValue) -> Finding | None:
    """Reports CA with a name that nobody knows, or with that of a charset that is not
    registered."""
    charset, _ = charsets.lookup(value.text)
    if charset is not None and charsets.is_registered(charset) and value.matches("charset"):
        return None
    return at(value)


@rule("SGF208", Scope.VALUE, where(format="charset"))
def charset_without_ascii(value: PropValue) -> Finding | None:
    """Reports CA with a charset that is not a superset of ASCII."""
    charset, _ = charsets.lookup(value.text)
    return at(value) if charset is not None and not charset.superset else None


@fix_for("SGF203", "SGF204", "SGF208", "SGF210")
def write_charset_name(site: FixContext) -> Fix | None:
    """Write the registered name of the charset that the text is read in.

    This is not safe if the charset is a guess, if readers may know the old name only, or if the
    value cannot be a name: it may be text that a broken character runs into. The value stays where
    it is the name of a charset that has no other, where the text is in a charset that nobody knows
    here, and where bytes of ASCII stand for other characters, as in UTF-7 and HZ.
    """
    if site.node.parent is not None:
        return None
    codec, declared = site.tree.charset, site.tree.parsed.declared_charset
    part = slice(*site.tree.parsed.bounds)
    plain, is_encoded = site.cached(
        ("ASCII", site.tree.number), lambda: _reads_as_ascii(site.data[part], declared)
    )
    # Text outside the game may be in the charset, too, if anybody knows it.
    keeps = not plain or (declared is not None and not site.cached("ASCII", site.data.isascii))
    name = charsets.name_of(codec) if keeps else "UTF-8"
    is_foreign = declared is None and site.value.raw.strip() and charsets.is_name(site.value.text)
    if is_encoded or not charsets.lookup(name)[1]:
        return Fix(())
    if is_foreign and not plain and not charsets.is_usual(site.data[part], codec):
        return Fix(())
    is_known = plain or charsets.codec_of(site.value.raw.strip()) == codec
    is_rare = keeps and declared is not None and declared.rare
    safe = is_known and not is_rare and charsets.is_name(site.value.text)
    return site.replace(name, safe=safe)


def _reads_as_ascii(part: bytes, charset: Charset | None) -> tuple[bool, bool]:
    """Whether a game tree is in ASCII; if so, whether its bytes stand for other characters, as in
    UTF-7. In UTF-16 they are no SGF."""
    if not part.isascii():
        return False, False
    text = part.decode(charset.codec, "replace") if charset is not None else ""
    return True, text.startswith("(") and text != part.decode("ascii")


@rule("SGF204", Scope.VALUE, where(format="charset"))
def unregistered_charset_name(value: PropValue) -> Finding | None:
    """Reports CA with a known name that is not the registered one."""
    charset, registered = charsets.lookup(value.text)
    if charset is None or registered:
        return None
    return at(value, meant=charset.name)


@rule("SGF201", Scope.COLLECTION, needs=Needs.BYTE_ORDER_MARK)
def byte_order_mark(collection: Collection) -> Iterator[Finding]:
    """Reports a byte order mark of UTF-8 that CA of the first tree contradicts."""
    signature, first = collection.file.decoding.unicode_signature, collection[0].parsed
    declared = first.declared_charset
    if signature.charset == "UTF-8" and (declared is None or declared.name != "UTF-8"):
        name = first.root_values.get("CA", b"").decode("latin-1") or charsets.DEFAULT
        values: dict[str, object] = {"found": signature.charset, "declared": name}
        yield Finding(0, signature.length, values, node=first.numbers[0])


@rule("SGF214", Scope.COLLECTION, needs=Needs.WHOLE_FILE_CHARSET)
def file_without_ascii(collection: Collection) -> Iterator[Finding]:
    """Reports a file in a charset that is not a superset of ASCII, such as UTF-16."""
    charset = collection.file.decoding.whole
    if charset is not None and not charset.superset:
        yield Finding(0, 1, {"value": charset.name}, node=collection[0].parsed.numbers[0])


@rule("SGF207", Scope.COLLECTION, needs=Needs.WHOLE_FILE_CHARSET)
def unescaped_trail_byte(collection: Collection) -> Iterator[Finding]:
    r"""Reports a second byte of a character that is "]" or "\" and is not escaped."""
    decoding = collection.file.decoding
    for section in decoding.sections:
        name = section.charset.shown if section.charset else ""
        for start, end in section.unescaped_trail_bytes():
            byte = decoding.original_bytes(start, end)[-1:].decode("latin-1")
            values: dict[str, object] = {"charset": name, "value": f'"{byte}"'}
            yield Finding(start, end, values)


# --- The bytes of the texts -------------------------------------------------------

_NON_ASCII = re.compile(rb"[\x80-\xff]+")
#: The number of texts of which one is shown, and that of its bytes.
_MOST_RUNS = 100
_MOST_BYTES_SHOWN = 8
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")
#: From the beginning of a text to its first ":" that is not escaped.
_UP_TO_COLON = re.compile(rb"(?s)(?:[^:\\]|\\.)*:")

#: Formats with rules of their own for texts without a visible character.
OWN_RULE_FOR_BLANK = {"loa_adding", "loa_invert"}
#: Kinds of plain value whose texts have visible characters and are valid in their charset.
_PLAIN_TEXTS = CleanForm.TEXT | CleanForm.LABELS | CleanForm.DATE


@rule("SGF205", Scope.TREE, needs=Needs.NON_ASCII)
def probably_missing_charset(tree: GameTree) -> Iterator[Finding]:
    """Reports text without CA that is probably not in the default charset."""
    named = tree.parsed.file.decoding.charsets
    if "CA" in tree.parsed.root_values or named.unicode_signature.charset or named.named_by_user:
        return
    start, end = tree.parsed.bounds
    first = _NON_ASCII.search(tree.parsed.flat.data, start, end)
    if first is None:
        return
    guess = tree.parsed.text_charset.guess or charsets.guess(tree.parsed.flat.data[start:end])
    if (
        guess is not None
        and guess.charset != charsets.DEFAULT
        and guess.confidence >= charsets.MIN_CONFIDENCE
    ):
        values = {"meant": charsets.named(guess.charset).shown, "confidence": guess.confidence}
        yield Finding(*first.span(), values, node=tree.parsed.numbers[0])


@rule("SGF209", Scope.TREE, needs=Needs.NON_ASCII, is_valid=False)
@rule("SGF216", Scope.TREE, needs=Needs.NON_ASCII, is_valid=True)
def wrong_charset(tree: GameTree, is_valid: bool) -> Iterator[Finding]:
    """Reports text that is read in another charset than the declared one, in which it is not valid,
    or valid, but probably not meant."""
    declared = tree.parsed.text_charset.refuted
    if declared is not None:
        original = tree.parsed.file.decoding.original_bytes(*tree.parsed.bounds)
        if charsets.decodes(original, declared.codec) is is_valid:
            yield _read_in_another(tree)


def _read_in_another(tree: GameTree) -> Finding:
    """Where a game tree has text that is not in the declared charset, and what it is read in."""
    parsed, found, section = tree.parsed, tree.parsed.text_charset, tree.parsed.section
    assert found.refuted is not None
    start, end = parsed.bounds
    part = parsed.flat.data[start:end]
    # Of values in several charsets, those in UTF-8 are the ones that CA does not know.
    runs = [*islice(_NON_ASCII.finditer(part), _MOST_RUNS)]
    first = next((run for run in runs if charsets.decodes(run[0], tree.charset)), runs[0])
    place = start + first.start(), start + first.end()
    if section.charset is None:
        try:
            part.decode(found.refuted.codec)
        except UnicodeDecodeError as error:
            place = start + error.start, start + error.end
    values: dict[str, object] = {
        "value": parsed.file.decoding.original_bytes(*place)[:_MOST_BYTES_SHOWN].hex(" ").upper(),
        "declared": found.refuted.shown,
        "read": (section.charset or found.charset).shown,
    }
    return Finding(*place, values, node=parsed.numbers[0])


@rule("SGF206", Scope.CONTENT, kinds(*TEXT_TYPES), ignores=_PLAIN_TEXTS)
def undecodable_text(value: PropValue) -> Finding | None:
    """Reports bytes of a text that are not valid in its charset."""
    codec, found = value.tree.charset, value.tree.parsed.text_charset
    if found.reason is charsets.Reason.GUESSED and found.refuted is None:
        return None  # without CA all bytes are text, in the default charset
    for kind, raw in value.text_parts:
        if raw.isascii() and codec not in {"iso2022_jp"}:
            continue
        # FF[4] resolves the escapes byte by byte before the text is decoded.
        data = value.tree.parsed.reader.unescape(kind, raw)
        try:
            data.decode(codec)
        except UnicodeDecodeError as error:
            section = value.tree.parsed.section
            if found.refuted is not None and value.tree.parsed.context.codec_of(data) != codec:
                continue  # the value is in the charset that CA names, others are not
            name = (section.charset or found.charset).shown
            bad = section.leading_undecodable_bytes(data[error.start :])
            shown = (bad or data[error.start : error.end]).hex(" ").upper()
            return at(value, value=shown, charset=name)
    return None


@fix_for("SGF206")
def replace_undecodable_bytes(site: FixContext) -> Fix | None:
    """Replace each undecodable character by U+FFFD, or by "?" in charsets without it.

    A value that is in another charset becomes what it is in that.
    """
    value, codec = site.value, site.tree.charset
    try:
        raw = site.tree.parsed.context.decode(value.raw).encode(codec, "replace")
        escaped = value.tree.parsed.reader.unescape("text", raw)
    except ValueError:
        return None
    return site.replace(raw, safe=False) if charsets.decodes(escaped, codec) else None


@rule("SGF212", Scope.CONTENT, kinds(*TEXT_TYPES), ignores=_PLAIN_TEXTS)
def control_character(value: PropValue) -> Finding | None:
    """Reports a control character in a text."""
    for _, raw in value.text_parts:
        found = _CONTROL.search(raw)
        if found:
            return at(value, value=f"U+{found[0][0]:04X}")
    return None


@rule("SGF121", Scope.CONTENT, ignores=CleanForm.ANY)
def zero_byte(value: PropValue) -> Finding | None:
    """Reports a zero byte in a value."""
    return at(value) if 0 in value.raw else None


@rule(
    "SGF211",
    Scope.CONTENT,
    lambda definition: any(each.composed for each in definition.alternatives),
    ignores=CleanForm.LABELS,
)
def unescaped_colon(value: PropValue) -> Finding | None:
    """Reports a ":" without escape in the text of a composed value."""
    has_colon = any(_UP_TO_COLON.match(raw) for _, raw in value.text_parts)
    return at(value) if has_colon and len(value.parts) > 1 else None


@fix_for("SGF211", local=True)
def escape_colons(site: FixContext) -> Fix | None:
    """Escape each ":" after the first one."""
    value = site.value
    assert value.halves is not None
    left, right = value.halves
    return site.replace(left + b":" + escape_colons_in(right))


@rule("SGF213", Scope.CONTENT, kinds(*TEXT_TYPES), ignores=_PLAIN_TEXTS)
def empty_text(value: PropValue) -> Finding | None:
    """Reports a text without a visible character."""
    definition = value.definition
    if not definition.is_text or definition.format in OWN_RULE_FOR_BLANK:
        return None
    if not value.raw and definition.format == "hex_initial_position":
        return None  # this text is meant to be empty
    return at(value, value=shorten(value.raw)) if not value.raw.strip() else None


@fix_for("SGF213", "SGF820", "SGF822", local=True)
def delete_empty_text(site: FixContext) -> Fix | None:
    """Delete the value if it is blank; this is not safe where it may end another text."""
    if site.value.raw.strip():
        return None
    return site.delete(safe=not may_be_part_of_text(site.value))


# --- A text that goes on where the next property begins ---------------------------

#: A property in a value: after a character that no value ends with, perhaps with a ";" before it,
#: or after a "]" whose escape is one too many, with a ";". Its value has no bracket and no escape,
#: and ends with the one that it is in: nothing in the text closes it.
_PROPERTY_IN_TEXT = re.compile(
    rb"(?:[^\s\[\];()\\A-Z](?=[\s;A-Z])|(?P<escaped>\\\])(?=\s*+;))(?P<space>\s*+)(?P<semicolon>;?)"
    rb"\s*+(?P<property>(?P<ident>[A-Z]{1,2})\s*+\[)(?P<value>[^\[\]\\]*+)\Z"
)


@rule("SGF217", Scope.TREE, needs=Needs.BRACKET_IN_VALUE)
def property_in_text(tree: GameTree) -> Iterator[Finding]:
    """Reports a text with the beginning of a property in it."""
    flat = tree.parsed.flat
    for found in tree.parsed.in_values_with_brackets(_PROPERTY_IN_TEXT):
        number = flat.property_at(found.start())
        ident = flat.ident(number)
        definition, inner = tree.define(ident), tree.define(found["ident"].decode("ascii"))
        if definition is None or inner is None or not definition.is_text:
            continue
        if found["escaped"] and _closes_bracket(flat, found.start()):
            continue
        node = tree.node(flat.node_of_property(number))
        semicolon, value = found["semicolon"], found["value"]
        if inner.is_move:
            fits = is_next_move(node, inner.ident, is_in_own_node=bool(semicolon))
        else:
            fits = not semicolon and _is_of_node(node, definition, inner, found["space"])
        # A text has a visible character.
        fits = fits and (not inner.is_text or value.strip() != b"")
        if fits and has_type(tree, inner, [value]):
            values: dict[str, object] = {"value": found["property"].decode("ascii")}
            yield Finding(*found.span("property"), values, ident, node=node.number)


def _closes_bracket(flat: FlatTree, offset: int) -> bool:
    """Whether an escaped "]" in a text belongs to a "[" before it."""
    start = flat.value_from[flat.value_at(offset)]
    return b"[" in flat.data[start:offset]


def _is_of_node(
    node: Node, text: PropertyDefinition, inner: PropertyDefinition, before: bytes
) -> bool:
    """Whether a property in a text of the node, with that white space before it, may be one of the
    node: it has none of it. After a blank it is one only in the header, where no sentences are."""
    if before and b"\n" not in before and text.is_long_text:
        return False
    is_of_header = inner.type in ("root", "game-info")
    return inner.ident not in node and (node.parent is None or not is_of_header)


@fix_for("SGF217")
def end_text_before_property(site: FixContext) -> Fix | None:
    """End the text before the property, with a "]" of its own or with one that a "\\" escapes,
    which becomes part of the text; this is not safe: the property may be part of it, too."""
    value = site.value
    end = value.start + len(site.data[value.start : site.start].rstrip(b" \t\r\n\v\f;"))
    following = repr(site.finding.values["value"])
    if site.data[end - 2 : end] == rb"\]":
        reason = f'the "]" before {following} is escaped'
        return Fix((Edit(end - 2, end - 2, b"\\"),), safe=False, reason=reason)
    return Fix((Edit(end, end, b"]"),), safe=False, reason=f'a "]" is missing before {following}')
