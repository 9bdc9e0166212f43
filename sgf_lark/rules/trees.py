"""Fixes of where game trees begin and end: parentheses, and text outside the trees (1xx)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from functools import cache

from sgf_lark import grammar
from sgf_lark.flat_tree import FlatTree, last_up_to
from sgf_lark.model.board_walk import is_out_of_turn, mover_before
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.fixes import (
    FIXED_WITH_ANOTHER,
    Edit,
    Fix,
    FixContext,
    escape_text,
    fix_for,
)
from sgf_lark.syntax.text_ends import markup
from sgf_lark.syntax.tolerant import DEPTHS, VALUE_OR_PARENTHESIS

#: For what the fix of another finding fixes, which is not safe.
FIXED_WITH_GUESS = FIXED_WITH_ANOTHER._replace(safe=False)
#: The rules about text outside the game trees.
TEXT_OUTSIDE = ("SGF101", "SGF102", "SGF109")
#: A byte that may belong to a word.
_WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]")
#: What means nothing outside of game trees.
_NOTHING = b"\0 \t\r\n\v\f\x1a"
#: White space and control characters.
INVISIBLE = bytes(range(0x21)) + b"\x7f"
#: What is written for bytes that cannot be decoded.
_UNDECODABLE = "\N{REPLACEMENT CHARACTER}"
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
        return FIXED_WITH_GUESS
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


def count_open_trees(site: FixContext) -> int:
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
    return Fix((Edit(end, end, b")" * count_open_trees(site)),), safe)


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


def closings_at_end(text: bytes, count: int) -> bytes:
    """The end of a text from the first of at most that number of ")" on, after which is nothing
    else but white space."""
    parts = text[len(text.rstrip(INVISIBLE + b")")) :].split(b")")
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
    text = _without_signs(text).strip(INVISIBLE)
    characters = text.decode(site.tree.charset, "replace")
    has_words = any(each.isalnum() or each == _UNDECODABLE for each in characters)
    return text if has_words else b""


def deletion_of(site: FixContext, *, safe: bool = True) -> Fix:
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
        return deletion_of(site, safe=is_certain)
    opening = openings[site.start]
    if opening is None:
        return deletion_of(site, safe=False)
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
