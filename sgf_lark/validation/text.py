"""Rules about charsets and texts (2xx)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from sgf_lark import charset as charsets
from sgf_lark.diagnostics import shorten
from sgf_lark.grammar import TEXT_TYPES
from sgf_lark.validation.views import (
    CollectionView,
    Finding,
    TreeView,
    ValueView,
    formats,
    kinds,
    not_text,
    rule,
)

# --- The name in CA ---------------------------------------------------------------


@rule("SGF210", "value", formats("charset"))
def empty_charset(value: ValueView) -> Finding | None:
    return value.finding() if not value.raw else None


@rule("SGF203", "value", formats("charset"))
def unknown_charset(value: ValueView) -> Finding | None:
    charset, _ = charsets.lookup(value.text())
    if charset is not None and value.matches("charset"):
        return None
    return value.finding(None if value.matches("charset") else 15)


@rule("SGF208", "value", formats("charset"))
def charset_without_ascii(value: ValueView) -> Finding | None:
    charset, _ = charsets.lookup(value.text())
    return value.finding() if charset is not None and not charset.superset else None


@rule("SGF204", "value", formats("charset"))
def unregistered_charset_name(value: ValueView) -> Finding | None:
    charset, registered = charsets.lookup(value.text())
    if charset is None or registered:
        return None
    return value.finding(meant=charset.name)


@rule("SGF201", "collection")
def byte_order_mark(collection: CollectionView) -> Iterator[Finding]:
    length, found = charsets.byte_order_mark(collection.data)
    tree = collection.trees[0]
    if length and (tree.declared is None or tree.declared.name != found):
        name = tree.root.get("CA", b"").decode("latin-1") or charsets.DEFAULT
        yield Finding(0, length, {"found": found, "declared": name}, node=tree.first)


# --- The bytes of the texts -------------------------------------------------------

_HIGH = re.compile(rb"[\x80-\xff]+")
#: Controls in ISO-8859-1, which nobody writes; letters and signs in windows-1252.
_C1_CONTROLS = re.compile(rb"[\x80-\x9f]")


@rule("SGF205", "tree")
def probably_missing_charset(tree: TreeView) -> Iterator[Finding]:
    """Without CA every byte has a meaning, but often not the one meant."""
    if "CA" in tree.root or tree.collection.codec is not None:
        return
    end = tree.flat.closing[tree.first]
    first = _HIGH.search(tree.flat.data, tree.flat.node_start[tree.first], end)
    if first is None:
        return
    text = tree.flat.data[first.start() : end]
    meant = (
        "UTF-8" if _is_utf_8(text) else "windows-1252" if re.search(rb"[\x80-\x9f]", text) else ""
    )
    if meant:
        yield Finding(*first.span(), {"meant": meant}, node=tree.first)


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@rule("SGF206", "content", kinds(*TEXT_TYPES))
def undecodable_text(value: ValueView) -> Finding | None:
    codec = value.tree.context.codec
    for kind, raw in value.text_parts:
        if raw.isascii() and codec not in {"iso2022_jp"}:
            continue
        # Un-escaped by the grammar, byte for byte, before it is decoded.
        data = value.tree.reader.unescape(kind, raw)
        try:
            data.decode(codec)
        except UnicodeDecodeError as error:
            bad = " ".join(f"{byte:02X}" for byte in data[error.start : error.end])
            return value.finding(value=bad, charset=codecs.lookup(codec).name)
    return None


_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")


@rule("SGF212", "content", kinds(*TEXT_TYPES))
def control_character(value: ValueView) -> Finding | None:
    for _, raw in value.text_parts:
        found = _CONTROL.search(raw)
        if found:
            return value.finding(value=f"U+{found[0][0]:04X}")
    return None


@rule("SGF121", "content")
def zero_byte(value: ValueView) -> Finding | None:
    return value.finding() if b"\0" in value.raw else None


_BARE_COLON = re.compile(rb"(?:[^:\\]|\\.)*:", re.DOTALL)


@rule("SGF211", "content", not_text)
def unescaped_colon(value: ValueView) -> Finding | None:
    if len(value.parts) < 2:
        return None
    if any(_BARE_COLON.match(raw) for _, raw in value.text_parts):
        return value.finding()
    return None


@rule("SGF213", "content", kinds(*TEXT_TYPES))
def empty_text(value: ValueView) -> Finding | None:
    definition = value.definition
    if not definition.is_text:
        return None
    if not value.raw and definition.format == "hex_initial_position":
        return None  # the one text that says something by being empty
    blank = not value.raw or value.raw.isspace()
    return value.finding(value=shorten(value.raw)) if blank else None
