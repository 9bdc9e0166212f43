"""Fixes of the damage that the tolerant grammar finds (1xx)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from functools import cache

from sgf_lark import grammar
from sgf_lark.flat_tree import FlatTree, last_up_to
from sgf_lark.grammar import TEXT_TYPES, PropertyDefinition
from sgf_lark.model.board_walk import is_next_move, is_out_of_turn, mover_before
from sgf_lark.model.cells import PLAYED
from sgf_lark.model.collection import Collection
from sgf_lark.model.property import PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.fixes import (
    FIXED_WITH_ANOTHER,
    Edit,
    Fix,
    FixContext,
    escape_text,
    fix_for,
    has_type,
    labeled,
)
from sgf_lark.syntax.text_ends import markup
from sgf_lark.syntax.tolerant import DEPTHS, LAYER, VALUE_OR_PARENTHESIS
from sgf_lark.text.charsets import decodes

#: For what the fix of another finding fixes, which is not safe.
_FIXED_WITH_GUESS = FIXED_WITH_ANOTHER._replace(safe=False)
#: The rules about text outside the game trees.
TEXT_OUTSIDE = ("SGF101", "SGF102", "SGF109")

#: A property value; the group is what is between its brackets.
_VALUE = re.compile(rb"(?s)\[((?:[^\]\\]|\\.)*)\]")
#: A byte that may belong to a word.
_WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]")
#: What may be a word or a value.
_WORDS = re.compile(rb"[0-9A-Za-z\x80-\xff]{2}")
#: The number of places of damage that are taken for one remark.
_MOST_WORDS = 10
#: What has the form of the identifiers of FF[4].
_IDENTIFIER = re.compile(rb"[A-Z]{1,2}")
#: Control characters and separators, which mean nothing between tokens to any reader.
_MEANINGLESS = re.compile(rb"[\x00-\x20\x7f,.:]+")
#: What means nothing outside of game trees.
_NOTHING = b"\0 \t\r\n\v\f\x1a"
#: White space and control characters.
_INVISIBLE = bytes(range(0x21)) + b"\x7f"
#: What is written for bytes that cannot be decoded.
_UNDECODABLE = "\N{REPLACEMENT CHARACTER}"
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
#: The number of bytes before a game in which the end of the game before it is searched.
_NEAR = 200
#: What programs look for that search a file for games.
_GAME = re.compile(rb"\([\x00-\x20\x7f]*;")
#: What may follow a surplus ")": the end of the file, another one, or the next game.
_END_OR_GAME = re.compile(rb"\s*(?:\(\s*;|\)|\Z)")


@fix_for(*TEXT_OUTSIDE)
def move_text_to_comment(site: FixContext) -> Fix | None:
    """Move text outside the game trees to a comment: in the node before it, or the first root.

    This is not safe: no reader took the text for a comment before. Markup is deleted, and so are a
    "(", with the ")" that closes it, and a byte order mark, which a file has that was joined to
    another.
    """
    text = site.data[site.start : site.end].replace(BOM_UTF8, b"")
    deletion = Edit(site.start, site.end)
    if not text.strip(_NOTHING):
        return Fix((deletion,))
    if _is_surplus(text):
        pairs = parentheses_of(site).pairs
        closing = sorted(pairs[place] for place in range(site.start, site.end) if place in pairs)
        edits = (deletion, *(Edit(each, each + 1) for each in closing))
        return Fix(edits, safe=_are_games(site.collection))
    if _without_signs(text) != text:
        text = without_markup(site, text)
        if not text:
            return Fix((deletion,), safe=False)
    place = site.flat.node_span(site.node.number)[1]
    remark = Edit(place, place, site.remark(escape_text(text.strip())))
    return Fix(tuple(sorted((deletion, remark))), safe=False)


@fix_for("SGF103")
def insert_semicolon(site: FixContext) -> Fix | None:
    """Insert ";", safely in a game without variations if no "(;" is in the file.

    In a variation the properties may belong to the node before it. A program that looks for "(;"
    takes the variations of a game that does not begin like that for games, of Go, and what looks so
    in a text; and where it reads other games of the file, it may not be able to read this one.
    """

    def is_safe() -> bool:
        has_variations = not site.flat.opening.keys().isdisjoint(site.tree.parsed.numbers[1:])
        return not has_variations and _GAME.search(site.data) is None

    safe = site.cached(("semicolon", site.tree.number), is_safe)
    return Fix((Edit(site.start, site.start, b";"),), safe=safe)


@fix_for("SGF104")
def delete_empty_tree(site: FixContext) -> Fix | None:
    """Delete "()", unless the file has nothing else."""
    return Fix((Edit(site.start, site.end),)) if site.flat.roots else None


def _is_surplus(text: bytes) -> bool:
    """Whether text outside the game trees has nothing but "(" that open none."""
    return not text.strip(_NOTHING + b"(")


def _openings_outside(site: FixContext) -> Iterator[tuple[int, int | None]]:
    """The offset of each ")" that closes a "(" in text outside the game trees, with that of the
    "(", or None if the text has anything else."""
    pairs = parentheses_of(site).pairs
    for each in site.collection.file.places_of_damage:
        is_surplus = _is_surplus(site.data[each.start : each.end])
        for place in filter(pairs.__contains__, range(each.start, each.end)):
            yield pairs[place], place if is_surplus else None


def _are_games(trees: Iterable[GameTree]) -> bool:
    """Whether each of these trees is certainly one game: no later node has FF or GM, as roots have.

    Otherwise parentheses may be missing, so that games are read as variations.
    """
    return not any(tree.parsed.nested_roots for tree in trees)


def _find_parentheses(flat: FlatTree) -> Iterator[tuple[int, bytes]]:
    """The parentheses outside of values, with their offsets.

    A value ends where the parser found its end, which may be after an unescaped "]".
    """
    data = bytearray(flat.data)
    for start, end in zip(flat.value_from, flat.value_to, strict=True):
        data[start:end] = bytes(end - start)
    for match in VALUE_OR_PARENTHESIS.finditer(data):
        if match[0] in (b"(", b")"):
            yield match.start(), match[0]


class _Parentheses:
    """The parentheses outside of values: which belong together, and which close what."""

    def __init__(self, flat: FlatTree) -> None:
        #: Each with its offset, in the order of the file.
        self.found = [*_find_parentheses(flat)]
        #: Their offsets, after -1 for the beginning of the file.
        self._starts = [-1]
        #: For each of them the offset of the ")" that closes what is open after it, or the end
        #: of the text.
        end = len(flat.data.rstrip())
        self._closing = [end]
        #: For each of them how many more "(" than ")" there are up to it.
        self._depths = [0]
        #: The offset of each "(" that is closed -> that of its ")".
        self.pairs: dict[int, int] = {}
        #: The offset of each "(" -> that of the "(" that is open before it, or -1.
        self.around: dict[int, int] = {}
        levels: list[list[int]] = [[]]
        for start, parenthesis in self.found:
            if parenthesis == b"(":
                self.around[start] = self._starts[levels[-1][0]] if len(levels) > 1 else -1
                levels.append([])
            elif len(levels) > 1:
                closed = levels.pop()
                self.pairs[self._starts[closed[0]]] = start
                for number in closed:
                    self._closing[number] = start
            levels[-1].append(len(self._starts))
            self._depths.append(self._depths[-1] + DEPTHS[parenthesis])
            self._starts.append(start)
            self._closing.append(end)

    def before(self, offset: int) -> int:
        """The offset of the last parenthesis before an offset, or -1."""
        return self._starts[last_up_to(self._starts, offset - 1)]

    def depth(self, offset: int) -> int:
        """How many more "(" than ")" are before an offset."""
        return self._depths[last_up_to(self._starts, offset - 1)]

    def closing_after(self, offset: int) -> int:
        """The offset of the ")" that closes the tree around an offset, or the end of the text."""
        return self._closing[last_up_to(self._starts, offset - 1)]


def count_unclosed(site: FixContext, start: int = 0, end: int = 0) -> int:
    """How many more "(" than ")" the file has without what is between two offsets; negative if it
    has more ")"."""
    return depth_at(site, len(site.data)) - depth_at(site, end) + depth_at(site, start)


def depth_at(site: FixContext, offset: int) -> int:
    """How many more "(" than ")" are before an offset, outside of values."""
    return parentheses_of(site).depth(offset)


def parentheses_of(site: FixContext) -> _Parentheses:
    """The parentheses of the file."""
    return site.cached("parentheses", lambda: _Parentheses(site.flat))


@fix_for("SGF105")
def delete_surplus_parentheses(site: FixContext) -> Fix | None:
    """Delete the surplus "(" around the tree, and the ")" that closes it.

    Another game before that ")" and nodes after the variations of the tree first get a "(" of their
    own (SGF106): what follows the tree would belong to them. A tree that is not closed is closed
    first (SGF107).
    """
    parentheses = parentheses_of(site)
    # Of several "(" around it each has a finding, all at the same place.
    outwards = site.cached(("outwards", site.start), lambda: [site.start])
    opening = parentheses.around.get(outwards[-1], -1)
    outwards.append(opening)
    closing = parentheses.pairs.get(opening)
    others = site.cached("ends after variations", lambda: _ends_after_variations(site))
    if closing is None or closing in others:
        return _FIXED_WITH_GUESS
    edits = Edit(opening, opening + 1), Edit(closing, closing + 1)
    return Fix(edits, safe=_are_games([site.tree]))


def _ends_after_variations(site: FixContext) -> set[int]:
    """The offsets of the ")" that close trees in which nodes, or a game without a "(", follow
    variations."""
    closing_after = parentheses_of(site).closing_after
    places = site.collection.file.places_of_damage
    return {closing_after(each.start) for each in places if each.code == "SGF106"}


@fix_for("SGF106")
def put_in_variation(site: FixContext) -> Fix | None:
    """Put the rest of the tree into a variation.

    This is not safe if the rest begins with a property, which may belong to the node before; nor
    if it begins with an empty node, which may be a ";" too many. If the file has too many or too
    few ")", the one before may be one too many, or another parenthesis is lost.
    """
    opening = b"(" if site.data[site.start : site.start + 1] == b";" else b"(;"
    is_node = opening == b"(" and site.node.properties != []
    safe = is_node and _are_games([site.tree]) and count_unclosed(site) == 0
    end = parentheses_of(site).closing_after(site.start)
    return Fix((Edit(site.start, site.start, opening), Edit(end, end, b")")), safe)


def _count_open_trees(site: FixContext) -> int:
    """The number of game trees and variations that are not closed."""
    return sum(1 for end in site.flat.closing.values() if end == len(site.data))


@fix_for("SGF107")
def close_trees(site: FixContext) -> Fix | None:
    """Close what is open at the end of the file; delete each "(" that nothing follows.

    If later nodes have the properties of a root, the trees are closed before each of them instead.
    This is safe if the file ends within a node: at a ")" it is more likely whole, and any other ")"
    can be missing.
    """
    if site.start not in site.cached("openings", lambda: {*site.flat.opening.values()}):
        # It is the last of a row of "(".
        before = len(site.data[: site.end].rstrip(b"( \t\r\n\v\f"))
        return Fix((Edit(site.data.index(b"(", before), site.end),))
    if not _are_games([site.tree]):
        return begin_games(site)
    end = len(site.data.rstrip(b" \t\r\n\v\f"))
    safe = not site.data[:end].endswith(b")")
    return Fix((Edit(end, end, b")" * _count_open_trees(site)),), safe)


def begin_games(site: FixContext) -> Fix | None:
    """Close all that is open before each node of the tree that begins a game by its properties, and
    open a game tree there; delete each ")" that then closes nothing. None if there is no such
    node."""
    flat = site.flat
    tree = site.tree
    if not tree.parsed.nested_games:
        return None
    if not site.is_first("games", tree.number):
        return FIXED_WITH_ANOTHER
    if (repeated := _repeated_header(site)) is not None:
        return Fix((repeated,), safe=False, reason="the header of the game is here twice")
    begins = {
        flat.opening.get(number, flat.node_start[number]) for number in tree.parsed.nested_games
    }
    edits = []
    depth = 0
    places = ((start, b"") for start in begins if site.data[start : start + 1] != b"(")
    for start, parenthesis in sorted((*parentheses_of(site).found, *places)):
        if start in begins:
            text = site.data[max(0, start - _NEAR) : start]
            end = start - len(text) + len(text.rstrip())
            opening = b"" if parenthesis else b"("
            edits.append(Edit(end, start, b")" * depth + site.data[end:start] + opening))
            depth = 0
        if parenthesis == b")" and not depth:
            edits.append(Edit(start, start + 1))
        else:
            depth += -1 if parenthesis == b")" else 1
    return Fix(tuple(edits), safe=False, reason="another game begins here")


def _repeated_header(site: FixContext) -> Edit | None:
    """The deletion of the root of the tree, which the next node repeats."""
    flat, first = site.flat, site.tree.parsed.numbers[0]
    following = min(site.tree.parsed.nested_games)
    header, again = (
        b"".join(site.data[slice(*site.flat.node_span(number))].split())
        for number in (first, following)
    )
    if following != first + 1 or header != again:
        return None
    return Edit(flat.node_start[first], flat.node_start[following])


@fix_for("SGF518")
def continue_game(site: FixContext) -> Fix | None:
    """Join a tree that goes on with the game before it: ")(" stands between two of its moves."""
    tree = site.tree
    if tree.number not in site.cached("continued", lambda: {*_continued_games(site.collection)}):
        return None
    is_damaged = bool(site.collection.file.places_of_damage)
    if is_damaged and count_unclosed(site) != 0:
        return None  # other parentheses are lost
    if not site.is_first("continued", tree.number):
        return FIXED_WITH_ANOTHER
    closing, opening = site.collection[tree.number - 1].parsed.bounds[1], tree.parsed.bounds[0]
    edits = Edit(closing, closing + 1), Edit(opening, opening + 1)
    return Fix(edits, safe=False, reason="the game before goes on here")


def may_be_rest(tree: GameTree) -> bool:
    """Whether the root of a tree has nothing of a root, so that the tree may be a part of the one
    before."""
    return not any(tree.root.select(type=each) for each in ("root", "game-info", "setup"))


def _continued_games(collection: Collection) -> Iterator[int]:
    """The numbers of the trees that go on with the one before: it has the properties of a root and
    no variations, and this one has none of a root, but the next move."""
    mover = ""
    for tree in collection:
        moves = tree.root.moves()
        if moves and mover and may_be_rest(tree) and moves[0].ident != mover:
            yield tree.number
        elif not tree.root.select(type="root"):
            mover = ""
            continue
        has_variations = len(tree.parsed.main_line_numbers) < len(tree.parsed.numbers)
        last = tree.node(tree.parsed.numbers[-1])
        mover = (
            "" if has_variations else last.moves()[-1].ident if last.moves() else mover_before(last)
        )


@fix_for("SGF119")
def close_value(site: FixContext) -> Fix | None:
    """Close the value at the end of the file; delete it if it is empty and no text.

    This is safe in a text, except before ")" at its end, of which a "]" is missing rather than the
    rest of the file. Of a number or a move a part can be missing. An escape after another byte than
    ASCII may be half of a character, so that the "]" after it closes the value.
    """
    data, value = site.data, site.value_if_any
    end, count = len(data), _count_open_trees(site)
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


def closings_at_end(text: bytes, count: int) -> bytes:
    """The end of a text from the first of at most that number of ")" on, after which is nothing
    else but white space."""
    parts = text[len(text.rstrip(_INVISIBLE + b")")) :].split(b")")
    number = min(count, len(parts) - 1)
    return b")" + b")".join(parts[-number:]) if number else b""


@cache
def _signs_of_markup() -> tuple[re.Pattern[bytes], ...]:
    """What markup looks like: that of the grammar, and that of layers over a file."""
    layers = (row["token"] for row in grammar.table("layers")["layer"] if row.get("markup"))
    patterns = (re.compile(token["pattern"].encode()) for tokens in layers for token in tokens)
    return markup(), *patterns


def _without_signs(text: bytes) -> bytes:
    for pattern in _signs_of_markup():
        text = pattern.sub(b" ", text)
    return text


def without_markup(site: FixContext, text: bytes) -> bytes:
    """Text without markup, which is about how it looks; empty if no letter or digit is left.

    Bytes that are not text in the charset of the tree may be text in another one.
    """
    text = _without_signs(text).strip(_INVISIBLE)
    characters = text.decode(site.tree.charset, "replace")
    has_words = any(each.isalnum() or each == _UNDECODABLE for each in characters)
    return text if has_words else b""


def _moved(site: FixContext) -> Fix:
    """Move the damaged bytes to a comment; delete them if they have no word.

    Between variations the comment is in the node that follows, or else in the one before: one of
    its own would be another variation.
    """
    start, end = site.start, _ends_of_words(site).get(site.start, site.end)
    if end is None:
        return _FIXED_WITH_GUESS
    text = without_markup(site, site.data[start:end])
    if not _WORDS.search(text):
        return _deletion(site, safe=False)
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


def _deletion(site: FixContext, *, safe: bool = True) -> Fix:
    """Delete the damaged bytes; a blank keeps the words on both sides separate.

    This is not safe after a word, which could be a part of an identifier.
    """
    is_after_word = _WORD.match(site.previous_character) is not None
    gap = b" " if is_after_word and _WORD.match(site.next_character) else b""
    return Fix((Edit(site.start, site.end, gap),), safe and not is_after_word)


@fix_for("SGF108")
def delete_surplus_close(site: FixContext) -> Fix | None:
    """Delete the surplus ")". One that closes a "(" in text outside the game trees is deleted with
    it, if the text has no words.

    This is safe if no part of a game follows. It is not where a tree may be a variation of the
    game before, or a variation that is out of turn one of another node, which then was ended too
    early: because of one ")" too many, or of a "(" or "]" that is lost. The surplus ")" is the
    only sign of that.
    """
    openings = site.cached("openings outside", lambda: dict(_openings_outside(site)))
    if site.start not in openings:
        is_end = _END_OR_GAME.match(site.data, site.end) is not None
        has_rest = site.cached("rest", lambda: _has_rest(site))
        is_certain = is_end and not has_rest and not has_variation_out_of_turn(site)
        return _deletion(site, safe=is_certain)
    opening = openings[site.start]
    if opening is None:
        return _deletion(site, safe=False)
    edits = Edit(opening, opening + 1), Edit(site.start, site.end)
    return Fix(edits, safe=_are_games(site.collection))


def _has_rest(site: FixContext) -> bool:
    """Whether a tree, or nodes after a variation, may belong into what is before."""
    is_after_variation = any(
        each.code == "SGF106" for each in site.collection.file.places_of_damage
    )
    return is_after_variation or any(map(may_be_rest, site.collection[1:]))


def has_variation_out_of_turn(site: FixContext) -> bool:
    """Whether a variation of the tree begins with a move of the color that moved before."""

    def compute() -> bool:
        variations = site.flat.opening.keys() & {*site.tree.parsed.numbers[1:]}
        return any(map(is_out_of_turn, map(site.tree.node, variations)))

    return site.cached(("out of turn", site.tree.number), compute)


@fix_for("SGF122")
def delete_control_characters(site: FixContext) -> Fix | None:
    """Delete the control characters; between an identifier and its value they mean nothing."""
    deletion = _deletion(site)
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
    parts[::2] = (escape_text(part.strip(_INVISIBLE)) for part in parts[::2])
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
    if (
        site.node.parent is not None
        and definition is not None
        and definition.type in ("root", "game-info")
    ):
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
        return _deletion(site, safe=False)
    if not _is_in_text(site):
        # What follows the first bracket goes with it, up to the end of the value.
        if not site.is_first("rest of value", value.number):
            return _FIXED_WITH_GUESS
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
        return _deletion(site, safe=safe)
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
        return _deletion(site)
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
