"""The charset of the result: whether it is another one than that of the input, and game trees
written in it, which the model does."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from sgf_lark.fixing.edits import Change
from sgf_lark.grammar import Charset
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.model.writing import dumps
from sgf_lark.rules.fixes import FixContext
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.text import charsets, validity
from sgf_lark.text.charsets import Reason, has_controls, is_usual
from sgf_lark.text.decoding import (
    AS_BYTES,
    Decoding,
    Section,
    Sections,
    has_undecodable_bytes,
)
from sgf_lark.text.edits import Edit, apply


def edited(decoding: Decoding, data: bytes) -> Decoding:
    """The same decoding for edited text, as the parser reads it."""
    [section] = decoding.sections
    of_file = decoding.charsets
    if section.charset is not None:
        # The text is UTF-8 by now, and nothing may have it decoded once more.
        of_file = of_file._replace(whole=None, unicode_signature=charsets.NO_SIGNATURE)
    return Decoding(data, data, of_file, Sections([Section(texts=section.texts)]))


def needs_byte_order_mark(collection: Collection) -> bool:
    """Whether a byte order mark is all that says that the texts are in UTF-8."""
    declared = (tree.parsed.declared_charset for tree in collection)
    codecs = {charset.codec if charset else None for charset in declared} - {"utf-8"}
    data = collection.flat.data
    if data.isascii():
        return not all(validity.reads_ascii_alike(data, codec) for codec in codecs if codec)
    return bool(codecs)


def is_charset_for_all(site: FixContext) -> bool:
    """Whether all of the file can be read by the CA that a fix leaves in its game tree.

    Many programs read a file in one charset, that of the first tree that declares one, and Latin-1
    is what they take for a name that they do not know. So another name in its place is right only
    if the rest of the file is ASCII, or if all of it is in the charset of the tree.
    """
    if site.finding.ident != "CA":
        return True
    tree = site.tree
    if tree.number > site.cached("declares", lambda: _declares(site)):
        return True
    codec = "ascii" if _part(tree).isascii() else tree.charset
    others = site.cached(("not in", codec), lambda: _trees_not_in(codec, site.collection))
    return others <= {tree.number}


def _declares(site: FixContext) -> float:
    """The number of the first game tree with a CA that every program knows."""
    for tree in site.collection:
        name = tree.parsed.root_values.get("CA", b"").decode("latin-1")
        if charsets.lookup(name)[1] and charsets.is_name(name):
            return tree.number
    return math.inf


def _trees_not_in(codec: str, collection: Collection) -> set[int]:
    """The numbers of the game trees that cannot be read in this codec; -1 for the text outside."""
    found = {tree.number for tree in collection if not _is_in(codec, tree)}
    outside = apply(collection.flat.data, (Edit(*tree.parsed.bounds) for tree in collection))
    return found if charsets.decodes(outside, codec) else {*found, -1}


def is_kept(section: Section, first: Collection, text: bytes, unsafe: bool) -> bool:
    """Whether the section of a file that is decoded before it is parsed keeps its charset: if some
    of the bytes of its `text` cannot be decoded, if its charset is a guess, or if a CA in the file
    as it was `first` is not a name and has to stay."""
    if section.charset is None:
        return False
    if section.is_decoded and has_undecodable_bytes(text):
        return True
    named = (tree.parsed.root_values.get("CA", b"") for tree in first)
    names = (name.decode("utf-8", "replace") for name in named)
    return not unsafe and (section.is_guess or not all(map(charsets.is_name, names)))


def recoded(
    collection: Collection, section: Section, charset: str, unsafe: bool
) -> tuple[list[Change], Decoding] | None:
    """The changes, and the text with its game trees in this charset; None if it is the same.

    `section` is that of the input; the game trees of the result have the charsets that they
    declare.
    """
    decoding = edited(collection.file.decoding, collection.file.decoding.data)
    model = Collection.of_file(ParsedFile(decoding, collection.flat))
    changes = _written_in(model, charset, unsafe=unsafe, whole=section.charset)
    if not changes and not section.is_decoded:
        return None
    data = dumps(model)
    codec = charsets.named(charset).codec
    if not unsafe and section.charset is None and not charsets.decodes(data, codec):
        return None  # bytes that are in no text stay as they are
    of_file = decoding.charsets
    of_file = of_file._replace(
        mode="text" if of_file.mode == "none" else of_file.mode,
        override=None,
        default=of_file.default or of_file.override,
        whole=None,
    )
    return changes, Decoding(data, data, of_file, AS_BYTES)


def _written_in(
    collection: Collection, charset: str, *, unsafe: bool, whole: Charset | None
) -> list[Change]:
    """Write all texts and CA in `charset`.

    A tree stays as it is if it is ASCII and no other tree is written, if `charset` lacks one of its
    characters, if it is not known which charset its texts are in, or if its file format is older
    than FF[4], which introduced CA, and they are valid in the charset of the file. With `whole`,
    the charset in which all of the file was decoded, the last two are written too. If `unsafe`, a
    tree without FF of which the charset is a guess is written, too, and any tree with CA has FF[4].
    A tree of which the charset is a guess is written only if `unsafe`.
    """
    codec = charsets.named(charset).codec
    chosen = [
        (tree, certain)
        for tree in collection
        if (certain := _certainty(tree, codec, needed=whole is not None)) is not None
        and (unsafe or certain)
    ]
    if chosen:
        others = ((tree, True) for tree in collection if _is_ascii_in_another(tree, codec))
        chosen = sorted((*chosen, *others), key=lambda each: each[0].number)
    if not unsafe and not _can_be_in(codec, collection, [tree for tree, _ in chosen]):
        return []
    changes: list[Change] = []
    for tree, certain in chosen:
        start, _ = tree.parsed.bounds
        was = _as_it_was(tree, whole)
        written = f"CA[{charset}]"
        try:
            if unsafe and tree.file_format < 4:
                tree.root["FF"], written = 4, f"FF[4]{written}"
            tree.root["CA"] = charset
        except ValueError:
            continue
        texts = was, written
        changes.append(Change((), start, start, "charset", certain, texts))
    return changes


def _as_it_was(tree: GameTree, whole: Charset | None) -> str:
    """The charset of the texts of a tree for the record: CA, and what they are in if it is wrong,
    or what they are in where there is no CA."""
    found = tree.parsed.text_charset
    name = (whole or found.charset).shown
    if "CA" not in tree.root:
        return name
    is_wrong = found.refuted is not None or found.other is not None
    return f"CA[{_declared(tree)}]" + (f" ({name})" if is_wrong else "")


def _declared(tree: GameTree) -> str | None:
    """The name in CA, of which no fix chose one if it has several values."""
    return tree.root.property("CA").raw[0].decode("latin-1") if "CA" in tree.root else None


def _is_ascii_in_another(tree: GameTree, codec: str) -> bool:
    """Whether the tree is ASCII and declares a charset that other trees may have too, or none that
    is known."""
    part, charset = _part(tree), tree.parsed.declared_charset
    if not part.isascii():
        return False
    if charset is None:
        name = tree.parsed.root_values.get("CA")
        return name is not None and charsets.is_name(name.decode("latin-1"))
    if charset.codec == codec:
        return False
    return validity.reads_ascii_alike(part, charset.codec)


def _certainty(tree: GameTree, codec: str, *, needed: bool) -> bool | None:
    """Whether the charset of a tree that is to be written in `codec` is certain; None if the
    tree stays as it is."""
    start, end = tree.parsed.bounds
    part = tree.parsed.flat.data[start:end]
    declared = _declared(tree)
    named = charsets.lookup(declared)[0] if declared else None
    if part.isascii() or (tree.charset == codec and named and named.codec == codec):
        return None
    found = tree.parsed.text_charset
    is_undeclared = "FF" not in tree.parsed.root_values and found.reason is Reason.GUESSED
    has_reason = tree.file_format >= 4 or found.refuted is not None or is_undeclared
    if not needed and not (has_reason and _makes_sense(tree, part)):
        return None
    is_certain = not _has_other_names(tree, codec) and tree.has_certain_charset
    # Many programs decode a value before they resolve its escapes.
    return is_certain and (
        needed or all(validity.is_one_text(raw, tree.charset) for raw in _raws(tree))
    )


def _has_other_names(tree: GameTree, codec: str) -> bool:
    """Whether the tree names another charset than that of `codec` elsewhere than once in its root.
    Such a name would stay, and some programs look for it anywhere."""
    flat = tree.parsed.flat
    properties = flat.properties_in(tree.parsed.numbers)
    names = [raw for prop in properties if flat.ident(prop) == "CA" for raw in flat.raw(prop)]
    return any(charsets.codec_of(name) != codec for name in names["CA" in tree.root :])


def _makes_sense(tree: GameTree, part: bytes) -> bool:
    """Whether the text of a tree is hardly in another charset than the one it is read in."""
    if _UTF_16.search(part):
        return False
    if tree.charset == "utf-8" or tree.parsed.file.decoding.charsets.named_by_user:
        return True
    found = tree.parsed.text_charset
    if has_controls(part, found.charset):
        return False
    if (
        "CA" in tree.parsed.root_values
        and tree.parsed.declared_charset is None
        and not is_usual(part, found.codec)
    ):
        return False  # it may name a charset that nobody knows here
    if found.other is None and found.guess is not None and found.refuted is not None:
        return found.reason is Reason.GUESSED or is_usual(part, found.codec)
    if found.reason is Reason.DECLARED and not found.is_certain and found.other is None:
        return False
    is_other = found.guess is not None and found.guess.charset != charsets.DEFAULT
    return found.reason is not Reason.DEFAULT or not is_other


def _can_be_in(codec: str, collection: Collection, chosen: list[GameTree]) -> bool:
    """Whether all of the file can be read in `codec` if these trees are written in it.

    Many programs read a file in one charset, that of the first tree that declares one.
    """
    first = next((tree for tree in collection if "CA" in tree.parsed.root_values), None)
    declared = None if first is None or first in chosen else first.parsed.declared_charset
    if first is not None and first not in chosen and (not declared or declared.codec != codec):
        return False
    if not all(_is_in_as_declared(codec, tree) for tree in collection if tree not in chosen):
        return False
    rest = apply(collection.flat.data, (Edit(*tree.parsed.bounds) for tree in chosen))
    return rest.isascii() or charsets.decodes(rest, codec)


#: Text in UTF-16, by its zero bytes or by its byte order mark at the beginning of a value.
_UTF_16 = re.compile(rb"\0|\[(?:\xff\xfe|\xfe\xff)")


def _is_in(codec: str, tree: GameTree) -> bool:
    """Whether the tree is read in this codec, or is ASCII."""
    return tree.charset == codec or _part(tree).isascii()


def _is_in_as_declared(codec: str, tree: GameTree) -> bool:
    """Whether the tree is read in this codec and names no other, or is ASCII."""
    declared = tree.parsed.declared_charset
    is_declared = declared is None or declared.codec == codec
    return _part(tree).isascii() or (tree.charset == codec and is_declared)


def _part(tree: GameTree) -> bytes:
    """The bytes of the tree, as they were parsed."""
    return tree.parsed.flat.data[slice(*tree.parsed.bounds)]


def is_declared_in_a_value(section: Section, trees: Sequence[GameTree]) -> bool:
    """Whether the CA by which the section was decoded is in none of its roots: it is in a value
    that has lost its "]", and by brackets and escapes there is no CA."""
    texts = section.texts
    if section.charset is None or texts is None or texts.reason is not Reason.DECLARED:
        return False
    declared = (tree.parsed.declared_charset for tree in trees)
    return section.charset.codec not in {charset.codec for charset in declared if charset}


def can_be_read_in_two_ways(tree: GameTree) -> bool:
    """Whether a value ends in half of a character, of which the other half may be the "]" after
    it: to programs that decode the text before they parse it."""
    if not charsets.named(tree.charset).trail:
        return False
    part = _part(tree)
    if part.isascii() or not charsets.decodes(part, tree.charset):
        return False
    return not all(validity.is_text(raw, tree.charset) for raw in _raws(tree))


def _raws(tree: GameTree) -> Iterator[bytes]:
    """All values of the tree as parsed."""
    flat = tree.parsed.flat
    values = flat.values_in(tree.parsed.numbers)
    return map(flat.value, values)
