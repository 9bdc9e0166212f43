"""What is known of a text: it is cut at the game trees, and only those that changed are read.

A game tree that follows the grammar is validated as a file of its own. A damaged part reaches to
the next game tree that certainly begins outside of it; the tree before belongs to it, because some
messages depend on whether there is one. Rules about the collection, such as those about mixed
games, see a collection of only the roots. The diagnostics are those of
:func:`sgf_lark.validate` for the whole text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from sgf_lark.diagnostics import Diagnostic, Language
from sgf_lark.fixing.choices import CODES_OF_TREES, Choice, applicable
from sgf_lark.lsp.positions import Text
from sgf_lark.model.collection import Collection
from sgf_lark.model.iterating import LOOKAHEAD
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.reading_options import AS_USUAL, ReadingOptions
from sgf_lark.rules import load_fixes, load_rules
from sgf_lark.rules.registry import RULES, Needs, Scope
from sgf_lark.syntax.game_trees import end_of_tree
from sgf_lark.syntax.parsing import GOVERNING, parse_decoded, parse_if_strict
from sgf_lark.syntax.tolerant import parse_tolerant
from sgf_lark.text.decoding import Decoding, as_utf_8, decode
from sgf_lark.validation import selected_codes, validate_file, validate_parsed

_BYTE_ORDER_MARK = "\ufeff".encode()
_WHITE_SPACE = b" \t\n\r\v\f"


class Outdated(Exception):
    """The text has changed meanwhile, so that nobody needs the result."""


@dataclass(frozen=True)
class Settings:
    """What a client can set: which rules apply, and the language of the messages."""

    profile: str = "strict"
    language: Language = "en"
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the selected rules."""
        return selected_codes(self.select, self.ignore)


@lru_cache(maxsize=8)
def _codes_of_collections() -> frozenset[str]:
    """The rules that see several game trees at once."""
    load_rules()
    rules = RULES[Scope.COLLECTION]
    return frozenset(rule.code for rule in rules if Needs.SEVERAL_TREES in rule.needs)


class Piece:
    """A part of a text that is validated as a file: one game tree, or a damaged part."""

    def __init__(self, decoding: Decoding, settings: Settings) -> None:
        load_fixes()
        self.data = decoding.original
        self.settings = settings
        codes = settings.codes - _codes_of_collections()
        self.validated = validate_parsed(
            parse_decoded(decoding), AS_USUAL, settings.profile, codes, settings.language
        )
        self.flat = self.validated.collection.flat
        self.diagnostics = self.validated.report.diagnostics

    @cached_property
    def collection(self) -> Collection:
        """The model of the piece, for reading only."""
        return self.validated.collection

    @cached_property
    def safe_fixes(self) -> dict[int, Choice]:
        """The fixes that change no meaning, by the numbers of the diagnostics."""
        return {each.number: each for each in applicable(self.validated, unsafe=False)}

    @cached_property
    def unsafe_fixes(self) -> dict[int, Choice]:
        """The fixes that drop or guess something, by the numbers of the diagnostics."""
        return {
            each.number: each
            for each in applicable(self.validated, unsafe=True)
            if not each.fix.safe and each.number not in self.safe_fixes
        }

    @cached_property
    def move_numbers(self) -> list[int]:
        """For each node the number of its move, or of the last one before it; MN sets it."""
        flat, found = self.flat, [0] * len(self.flat.node_start)
        for tree in self.collection:
            first = tree.numbers[0]
            for number in range(first, tree.numbers[-1] + 1):
                idents = [ident for _, ident in flat.idents(number)]
                moves = sum(ident in ("B", "W") for ident in idents)
                found[number] = moves + (found[flat.parent[number]] if number > first else 0)
                if moves and "MN" in idents:
                    with suppress(ValueError):
                        found[number] = int(tree.node(number)["MN"])
        return found

    @property
    def is_damaged(self) -> bool:
        """Whether it does not follow the grammar."""
        return bool(self.validated.damage)

    def node_at(self, offset: int) -> Node | None:
        """The last node that begins at a byte offset or before it; None without nodes."""
        if not self.flat.roots:
            return None
        number = self.flat.node_at(offset)
        return self.collection[self.flat.tree_of(number)].node(number)

    def property_at(self, offset: int) -> Property | None:
        """The property around a byte offset, the one after its last "]" included."""
        number = self.flat.property_at(offset)
        if number < 0 or offset > self.flat.property_span(number)[1]:
            return None
        node = self.flat.node_of_property(number)
        tree = self.collection[self.flat.tree_of(node)]
        return Property(tree.node(node), self.flat.ident(number), None, number)


#: Pieces by their bytes, and whether they begin the text.
Pieces = dict[tuple[bytes, bool], Piece]


@dataclass(frozen=True)
class Placed:
    """A piece and the byte offset at which it begins; `tree` is the number of its first tree."""

    start: int
    tree: int
    piece: Piece


@dataclass(frozen=True)
class Found:
    """A diagnostic with its byte offsets in the text, and the piece that has its fixes.

    `number` is its index in the piece; None for rules about the collection, which have no fix.
    """

    start: int
    end: int
    diagnostic: Diagnostic
    placed: Placed
    number: int | None


@dataclass(eq=False)
class Analysis:
    """A text of one version, with its pieces."""

    text: Text
    settings: Settings
    pieces: list[Placed] = field(default_factory=list)
    #: How many pieces were read for this version; the others were known.
    read: int = 0

    @cached_property
    def known(self) -> Pieces:
        """The pieces, for the analysis of the next version."""
        return {(each.piece.data, each.start == 0): each.piece for each in self.pieces}

    @cached_property
    def found(self) -> list[Found]:
        """All diagnostics, in the order of their places."""
        found = [
            Found(each.start + one.span.start, each.start + one.span.end, one, each, number)
            for each in self.pieces
            for number, one in enumerate(each.piece.diagnostics)
        ]
        found += self._of_collection()
        found.sort(key=lambda one: (one.start, one.diagnostic.code, one.end))
        return found

    def _of_collection(self) -> Iterator[Found]:
        """The diagnostics of rules about several game trees, from a collection of their roots."""
        trees = [(each, tree) for each in self.pieces for tree in each.piece.collection]
        if len(trees) < 2:
            return
        roots = tuple(
            tuple((ident, tree.root_values.get(ident)) for ident in GOVERNING) for _, tree in trees
        )
        for diagnostic in _diagnostics_of_roots(roots, self.settings):
            placed, tree = trees[diagnostic.tree or 0]
            start = placed.start + placed.piece.flat.opening[tree.numbers[0]]
            yield Found(start, start + 1, diagnostic, placed, None)

    def piece_at(self, offset: int) -> Placed | None:
        """The piece that contains a byte offset; None for an empty text."""
        index = bisect_right(self.pieces, offset, key=lambda each: each.start) - 1
        return self.pieces[max(index, 0)] if self.pieces else None

    def between(self, start: int, end: int) -> list[Found]:
        """The diagnostics that touch the bytes from `start` to `end`."""
        return [each for each in self.found if each.start <= end and start <= each.end]


@lru_cache(maxsize=8)
def _diagnostics_of_roots(
    roots: tuple[tuple[tuple[str, bytes | None], ...], ...], settings: Settings
) -> list[Diagnostic]:
    data = b"".join(
        b"(;%s)" % b"".join(b"%s[%s]" % (ident.encode(), raw) for ident, raw in root if raw)
        for root in roots
    )
    codes = settings.codes & _codes_of_collections()
    options = ReadingOptions("UTF-8")
    return validate_file(
        data, options, settings.profile, codes, settings.language
    ).report.diagnostics


def analyze(
    text: Text,
    settings: Settings,
    before: Analysis | None = None,
    is_outdated: Callable[[], bool] = lambda: False,
) -> Analysis:
    """The analysis of a text; what `before` knows of its game trees is not read again.

    Raises Outdated as soon as `is_outdated` is true.
    """
    known = before.known if before is not None and before.settings == settings else {}
    found = Analysis(text, settings)
    start = tree = 0
    while start < len(text.data) or not found.pieces:
        if is_outdated():
            raise Outdated
        end = _end_of_part(text.data, start)
        data = text.data[start:end]
        piece = known.get((data, start == 0))
        if piece is None and _is_intact(data, start):
            piece = _read(found, start, end)
        if piece is None or piece.is_damaged:
            if found.pieces:
                last = found.pieces.pop()
                start, tree = last.start, last.tree
            end = _end_of_damage(text.data, start, end)
            data = text.data[start:end]
            piece = known.get((data, start == 0)) or _read(found, start, end)
        found.pieces.append(Placed(start, tree, piece))
        tree += len(piece.flat.roots)
        start = end
    return found


def _read(found: Analysis, start: int, end: int) -> Piece:
    """The part of the text between two byte offsets, validated."""
    found.read += 1
    return Piece(_decoding(found.text.data[start:end], start), found.settings)


def _end_of_part(data: bytes, start: int) -> int:
    """The byte offset where a game tree ends, with the white space at the end of the text; the end
    of the text if none ends."""
    end = end_of_tree(data, start)
    return len(data) if end is None or not data[end:].strip(_WHITE_SPACE) else end


def _end_of_damage(data: bytes, start: int, end: int) -> int:
    """The byte offset where an intact game tree follows a damaged part, or the end of the text.

    The part begins at `start`, with the tree before it, and its damage is before `end` or goes
    on from there. Nothing before the result depends on what follows it.
    """
    stop = min(len(data), end + 2 * LOOKAHEAD)
    damaged = parse_tolerant(_decoding(data[start:stop], start).data)
    limit = stop - start - (0 if stop == len(data) else LOOKAHEAD)
    uncertain = [each.start for each in damaged.damage if each.code in CODES_OF_TREES]
    limit = min([limit, *uncertain])
    for root in damaged.flat.roots[1:]:
        place = damaged.flat.bounds(root)[0]
        if place >= limit:
            break
        after = start + place
        if after >= end and _is_intact(data[after : _end_of_part(data, after)], after):
            return after
    return len(data)


def _is_intact(data: bytes, start: int) -> bool:
    """Whether a part follows the grammar as a file of its own."""
    if start and data.startswith(_BYTE_ORDER_MARK):
        return False
    return parse_if_strict(_decoding(data, start).data) is not None


def _decoding(data: bytes, start: int) -> Decoding:
    """A part of the text that begins at `start`; a byte order mark can only begin the text."""
    found = decode(data, charset="UTF-8")
    if found.whole is not None or (start and found.signature.length):
        # NUL characters can make a text resemble UTF-16.
        return as_utf_8(data)
    return found
