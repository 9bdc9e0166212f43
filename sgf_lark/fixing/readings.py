"""Readings of a place of damage: how good each is, by the grammar, the rules and the moves."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from sgf_lark import engine
from sgf_lark.diagnostics import Severity
from sgf_lark.flat_tree import FEW_PROPERTIES
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import (
    CHANGING,
    changes_of_board,
    is_certain,
    is_out_of_turn,
    mover_before,
    played_point,
)
from sgf_lark.model.cells import EMPTY, PLAYED, SET_UP
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.values import Point
from sgf_lark.model.values.points import Rectangle
from sgf_lark.rules.fixes import FixContext, fix_of_rule
from sgf_lark.rules.order import known_positions
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.tolerant import DEPTHS, VALUE_OR_PARENTHESIS
from sgf_lark.validation import selected_codes, validate_parsed

#: The rules that judge readings: those of structure, values and nodes, and that of unknown
#: properties.
_JUDGES = ("SGF1", "SGF202", "SGF215", "SGF3", "SGF4", "SGF5", "SGF804")
#: Of these, what is about values that are well written, but mean nothing.
_OUT_OF_RANGE = ("SGF413",)
#: A tree in which so many moves follow one of their color has its moves in no particular order.
_OUT_OF_TURN = 3
#: As many wrong moves a move on a stone counts as: the next one is out of turn without it.
_ON_STONE = 2
#: The number of windows that may be tried in vain in any file, and the number of bytes for each
#: further one. Damaged files of people need less than half of them.
_ATTEMPTS, _BYTES_PER_ATTEMPT = 1000, 100
#: The move of the next node.
_NEXT_MOVE = re.compile(rb"\s*;\s*([BW])\s*\[")


class Window(NamedTuple):
    """The bytes around a place of damage, from offset `start` to `end`.

    `ident` is the identifier of the property whose value the window begins with; it is empty if
    the window begins with an identifier.
    """

    start: int
    end: int
    ident: bytes
    where: Where


class Judgment(NamedTuple):
    """How good a reading is; those that sort first are better."""

    #: The number of errors before the place, which are not of its making.
    errors: int
    #: The number of moves that are out of turn or on a stone.
    wrong_moves: int
    warnings: int
    hints: int


class _Change(NamedTuple):
    """A change of the board: a move by its point, which is None for a pass, or setup by areas."""

    ident: str
    point: Point | None
    areas: list[Rectangle]


class _Validated(NamedTuple):
    """A game that has the reading in it, and what is wrong with it."""

    #: The changes of the board in its main line.
    changes: list[_Change]
    #: Whether the main line ends where the game does, so that the next move of the file follows it.
    is_followed: bool
    #: The place of each error, and whether a fix for it is safe.
    errors: dict[tuple[int, int], bool]
    warnings: int
    hints: int
    #: The identifiers of unknown properties.
    unknown: set[str]


class Attempts:
    """What is known of the readings of a file, in all rounds in which it is fixed.

    After many windows without an acceptable reading, in line with the size of the file, no more are
    tried: what is left is no game with such errors in it, and a rule fixes each place.
    """

    def __init__(self, size: int) -> None:
        """For a file of that size."""
        #: The number of windows that may still be tried in vain.
        self.left = _ATTEMPTS + size // _BYTES_PER_ATTEMPT
        #: Games, each with its charset -> what is wrong with them.
        self.validated: dict[tuple[bytes, str], _Validated | None] = {}


class Judge:
    """Judges the readings of a window."""

    def __init__(self, site: FixContext, window: Window, attempts: Attempts) -> None:
        self.site = site
        self.window = window
        self.attempts = attempts

    def judge(self, text: bytes, place: int) -> Judgment | None:
        """How good the reading `text` is, which differs from the window from offset `place` on.

        None if it has an error from there on, unless it is in another value and has a safe fix; or
        a property that is unknown and nowhere else in the file; or if, in a game with its moves in
        turn, more moves are out of turn or on a stone than without the reading.
        """
        site = self.site
        game, start = self._game(text)
        found = self._validated(game)
        if found is None:
            return None
        flat = site.flat
        if not found.unknown <= site.cached(
            "identifiers", lambda: set(map(flat.ident, range(len(flat.ident_start))))
        ):
            return None
        own = start + place
        errors = [
            (start, end)
            for (start, end), is_safe in found.errors.items()
            if not is_safe or start <= own <= end
        ]
        if any(end >= own for _, end in errors):
            return None
        wrong = self._count_wrong_moves(found.changes, found.is_followed)
        if wrong > self._wrong_without and _plays_in_turn(site):
            return None
        return Judgment(len(errors), wrong, found.warnings, found.hints)

    def _validated(self, game: bytes) -> _Validated | None:
        """A game that has a reading in it, and what is wrong with it; None if it does not parse."""
        key = game, self.site.tree.charset
        known = self.attempts.validated
        if key not in known:
            known[key] = _validate(*key)
        return known[key]

    def refused_at(self, text: bytes) -> int:
        """The offset in a text of the window at which it leaves the grammar, or its length.

        A text that differs only after that offset leaves it there too. That does not hold for a
        "[", which is refused where no "]" closes it.
        """
        game, start = self._game(text)
        region = engine.region_parser(game)
        refused = -1 if region is None else region.parse("collection", 0)
        is_in_text = start <= refused < start + len(text) and game[refused : refused + 1] != b"["
        return refused - start if is_in_text else len(text)

    def _game(self, text: bytes) -> tuple[bytes, int]:
        """A game that has `text` in place of the window, and its offset there."""
        ident = self.window.ident
        depth, lowest = depth_of(text)
        head = _head(self.site, ident + text) + b"(;" * -lowest + ident
        return head + text + b")" * (depth - lowest + 1), len(head)

    @cached_property
    def _wrong_without(self) -> int:
        """What is wrong with the moves of the window that are intact in the damaged file."""
        flat, window = self.site.flat, self.window
        numbers = range(max(0, flat.property_at(window.start)), flat.property_at(window.end) + 1)
        entries = [
            entry
            for entry in self._entries(numbers)
            if entry.ident in CHANGING and window.start < entry.offsets[1] <= window.end
        ]
        return self._count_wrong_moves(map(_change, filter(is_certain, entries)), True)

    def _entries(self, numbers: range) -> list[Property]:
        """The properties with these numbers."""
        flat, node = self.site.flat, self.site.tree.node
        return [
            Property(node(flat.node_of_property(number)), flat.ident(number), flat, number)
            for number in numbers
        ]

    def _count_wrong_moves(self, changes: Iterable[_Change], is_followed: bool) -> int:
        """How many of the moves in these changes, and the next one in the file if it follows them,
        are out of turn; a move on a stone counts more."""
        mover = self._mover
        board = None if self._board is None else self._board.copy()
        wrong = 0
        for ident, point, areas in changes:
            is_setup = ident in SET_UP
            wrong += not is_setup and ident == mover
            mover = "" if is_setup else ident
            if board is None:
                continue
            if is_setup:
                board.fill(areas, SET_UP[ident])
            elif point is not None:
                wrong += _ON_STONE if board.cell(point) != EMPTY else 0
                board.add_stone(point, PLAYED[ident])
        following = is_followed and _NEXT_MOVE.match(self.site.data, self.window.end)
        return wrong + bool(following and following[1].decode() == mover)

    @cached_property
    def _node(self) -> Node:
        """The node in which the window begins."""
        return self.site.tree.node(self.site.flat.node_at(self.window.start))

    @cached_property
    def _before(self) -> range:
        """The numbers of the properties of that node before the window."""
        flat = self.site.flat
        first, end = flat.properties_of(self.site.flat.node_at(self.window.start))
        end = min(end, flat.property_at(self.window.start) + 1)
        while end > first and flat.property_span(end - 1)[1] > self.window.start:
            end -= 1
        return range(first, end)

    @cached_property
    def _mover(self) -> str:
        """Who moved last before the window; "" where it is the first move, or one after setup."""
        nearest = reversed(self._entries(self._before[-FEW_PROPERTIES:]))
        before = (entry.ident for entry in nearest if entry.ident in PLAYED)
        return next(before, None) or mover_before(self._node)

    @cached_property
    def _board(self) -> Board | None:
        """The board before the window; None where its position is not known, after many properties
        in one node, and in a root, which may change its size."""
        if self._node.parent is None or len(self._before) > FEW_PROPERTIES:
            return None
        board = known_positions(self.site).before(self.site.flat.node_at(self.window.start))
        if board is not None:
            for entry in self._entries(self._before):
                board.execute([entry])
        return board


def _change(entry: Property) -> _Change:
    """A change of the board, as far as it can be read."""
    areas = (value.area for value in entry.prop_values()) if entry.ident in SET_UP else ()
    return _Change(entry.ident, played_point(entry), [area for area in areas if area is not None])


def _validate(game: bytes, charset: str) -> _Validated | None:
    """A game that has the reading in it, and what is wrong with it; None if it does not parse."""
    if parse_if_strict(game) is None:
        return None
    options = ReadingOptions(charset=charset)
    file = validate_parsed(options.parse(game), options, codes=selected_codes(_JUDGES, None))
    counts = file.report.counts
    errors = {}
    shared: dict[Hashable, Any] = {}
    for found in file.findings if counts[Severity.ERROR] else ():
        if file.report.findings.severities[found.code] is Severity.ERROR:
            site = FixContext(file.collection, found.code, found.placed(), found.node, shared)
            # What the fixes need is read once for all errors, but each is judged by itself.
            fix = fix_of_rule(site.alone())
            is_safe = fix is not None and fix.safe
            # A value that is out of range is well written.
            if not (is_safe and found.code in _OUT_OF_RANGE):
                errors[site.start, site.end] = is_safe
    unknown = {each.ident or "" for each in file.report.diagnostics if each.code == "SGF804"}
    (reading,) = file.collection
    line = reading.parsed.main_line_numbers
    changes = [
        _change(entry) for number in line for entry in changes_of_board(reading.node(number))
    ]
    is_followed = line[-1] == reading.parsed.numbers[-1]
    return _Validated(
        changes, is_followed, errors, counts[Severity.WARNING], counts[Severity.STYLE], unknown
    )


def depth_of(text: bytes) -> tuple[int, int]:
    """How many more "(" than ")" are in the text outside of values, and the least number of them up
    to any place."""
    depth = lowest = 0
    for token in VALUE_OR_PARENTHESIS.findall(text):
        depth += DEPTHS.get(token, 0)
        lowest = min(lowest, depth)
    return depth, lowest


def _head(site: FixContext, text: bytes) -> bytes:
    """A root with the file format, game and size of the tree, as far as the text does not have
    them, and the beginning of a node if the site is not in the root."""
    tree = site.tree
    values = {b"FF": str(tree.file_format), b"GM": str(tree.game)}
    if tree.size is not None:
        columns, rows = tree.size
        values[b"SZ"] = str(columns) if columns == rows else f"{columns}:{rows}"
    is_root = site.node.parent is None
    given = "".join(
        f"{ident.decode()}[{value}]"
        for ident, value in values.items()
        if not is_root or ident + b"[" not in text
    )
    return b"(;" + given.encode() + (b"" if is_root else b";")


def _plays_in_turn(site: FixContext) -> bool:
    """Whether the moves of the tree are in turn, apart from a few places."""

    def compute() -> bool:
        nodes = map(site.tree.node, site.tree.parsed.numbers)
        return len([*islice(filter(is_out_of_turn, nodes), _OUT_OF_TURN)]) < _OUT_OF_TURN

    return site.cached(("in turn", site.tree.number), compute)


# Errors of brackets: what can go wrong with the brackets of a file, and how each is undone.


class Where(Enum):
    """The windows in which an error is undone; what can go wrong anywhere does in points too."""

    ANYWHERE = "anywhere"
    #: In values of points, moves and stones, which have letters and digits only.
    POINTS = "points"
    #: In texts, too, which may have any sign: only their end can be lost.
    TEXTS = "texts"


#: The errors that are undone in each kind of window.
BRACKET_ERRORS_IN = {
    Where.TEXTS: {Where.TEXTS},
    Where.ANYWHERE: {Where.TEXTS, Where.ANYWHERE},
    Where.POINTS: {Where.TEXTS, Where.ANYWHERE, Where.POINTS},
}


class BracketError(NamedTuple):
    r"""What can go wrong with the brackets of a file, and how it is undone.

    `pattern` finds the places in a window, and `replacement` is what to write there, after the
    first group of the pattern if it has one; ``\2`` in it is the second group. `reason` is the
    message; ``{here}`` is what is at the place, ``{next}`` what follows.
    """

    reason: str
    pattern: re.Pattern[bytes]
    replacement: bytes
    where: Where


_NAMES = {
    "~": r"[\x00-\x20\x7f]*",
    # An identifier and the "[" after it.
    "PROPERTY": r"[A-Z]+~\[",
    # Where an identifier begins: at the beginning of the window, or after another token.
    "BEGIN": r"(?:\A|(?<=[;\])]))~",
    # The "]" of a value, before the place.
    "CLOSED": r"(?<=\])(?<!\\\])",
    # One character that is not part of a value, also one of several bytes.
    "OTHER": r"(?:[\x80-\xff]{1,4}|[^\[\]\\A-Za-z0-9\s;\x80-\xff])",
    # The beginning of a game tree or variation.
    "TREE": r"\(~;",
    # The same with junk in it.
    "VARIATION": r"\([^()\[\]\\;]{0,60};",
    # What is not part of any token, up to the next "[".
    "STRAY": r"(?!VARIATION)[^A-Za-z0-9\[\\]"
    r"(?:(?:(?!VARIATION)[^\[\\]){0,60}?(?!VARIATION)[^A-Za-z0-9\[\\])??(?:\[\])?",
    # What is not part of a value: without letters and digits, around words, or brackets. A
    # parenthesis after a "]" is outside of it.
    "SIGNS": r"(?:(?!\]~[()])[^A-Za-z0-9:\\])+",
    "WORDS": r"[^A-Za-z0-9:\[\]\\](?:(?!PROPERTY)[^\[\]\\]){1,60}[^A-Za-z0-9:\[\]\\]",
    "BRACKETS": r"(?:\[\]|[()\[{}\x00-\x1f])(?:\[\]|[()\[{}\x00-\x1f> ])*",
}


def _bracket_error(
    reason: str, pattern: str, replacement: str, where: Where = Where.ANYWHERE
) -> BracketError:
    for name in reversed(_NAMES):
        pattern = pattern.replace(name, _NAMES[name])
    return BracketError(
        reason, re.compile(pattern.encode(), re.DOTALL), replacement.encode(), where
    )


#: The errors. A window begins with an identifier, or with the "[" of a value.
BRACKET_ERRORS = (
    _bracket_error(
        'a "]" is missing before {next}',
        r"(?<=[^\[\]\\;])(?=~(?:;~PROPERTY|PROPERTY|\)~[();]|TREE))|(?<=[^\[\]\\;A-Z])(?=~\[)",
        "]",
        Where.TEXTS,
    ),
    _bracket_error(
        '{here} is in place of a "]"',
        r"(?<=[^\[])(?!TREE)OTHER(?=~(?:;|PROPERTY|\[|[()]|\Z))",
        "]",
    ),
    *(
        _bracket_error(
            'a "[" is missing before {next}',
            rf"(BEGIN[A-Z]{length})~(?=[^\[\]\\()\s;][^\[\]\\]*\])",
            "[",
        )
        for length in ("", "{2}", "{3,9}")
    ),
    _bracket_error('a "[" is missing before {next}', r"CLOSED(?=[^\[\]\\();\s]+\])", "["),
    _bracket_error('{here} is in place of a "["', r"(BEGIN[A-Z]+)OTHER(?=[^\[\]\\]*\])", "["),
    _bracket_error('{here} is in place of a "["', r"CLOSEDOTHER(?=[^\[\]\\]*\])", "["),
    _bracket_error("{here} does not belong before the value", r"(BEGIN[A-Z]+)STRAY(?=\[)", ""),
    _bracket_error(
        "{here} does not belong in the identifier", r"(BEGIN[A-Z])(?![^\[]*;)STRAY(?=[A-Z]~\[)", ""
    ),
    _bracket_error('{here} is in place of ";"', r"CLOSED[,.:|/](?=~[BW]~\[[A-Za-z]{0,2}\])", ";"),
    _bracket_error("{here} does not belong after the value", r"CLOSEDSTRAY(?=PROPERTY|;)", ""),
    _bracket_error(
        "{here} does not belong between parentheses",
        r"(CLOSED(?:~[()])+~)\](?=~(?:[();]|\Z))",
        "",
    ),
    _bracket_error(
        'a "[" too many is before {next}', r"(?:CLOSED|\A)~\[(?=~(?:[()]~)*(?:;|PROPERTY))", ""
    ),
    _bracket_error('a "[" too many is before {next}', r"(BEGIN[A-Z])\[(?=[A-Z]\[)", ""),
    _bracket_error('a "[" too many is before {next}', r"(?<=\[)\[(?=\])", "", Where.POINTS),
    # A bracket and a character of a point were typed in the wrong order. A number may be complete,
    # and the other character one too many.
    _bracket_error(
        "{here} is in the wrong order",
        r"(\[[A-Za-z0-9]{1,2})\]([A-Za-z0-9])(?=~(?:;|PROPERTY|\[|[()]|\Z))",
        r"\2]",
        Where.POINTS,
    ),
    _bracket_error(
        "{here} is in the wrong order", r"(BEGIN[BW])([a-z])\[(?=[a-z0-9]{1,2}\])", r"[\2"
    ),
    _bracket_error("{here} repeats the value", r"(\[([A-Za-z]{2}))\[\2(?=\])", "", Where.POINTS),
    _bracket_error(
        '{here} is in place of a "]"',
        # Two letters of a word may be a point; other signs and what follows them may not.
        r"(?<=\[[A-Za-z]{2})(?:(?:[A-Za-z0-9]{1,2}|[^A-Za-z:\[\]\\;\x00-\x1f][^\[\]\\;]{0,60}?)"
        r"(?=~;~PROPERTY)|[A-Za-z0-9](?=[A-Z]{2}~\[|\[[A-Za-z]{2}[\]:]))",
        "]",
        Where.POINTS,
    ),
    # Two moves are never in one node, so the next one begins its own.
    *(
        _bracket_error(
            reason, rf"(?<=\[[A-Za-z]{{2}}){stray}(?=~[BW]~\[[A-Za-z]{{0,2}}\])", "];", Where.POINTS
        )
        for reason, stray in (
            ('a "]" and a ";" are missing before {next}', ""),
            (
                '{here} is in place of "];"',
                r"[^A-Za-z:\[\]\\;\x00-\x1f](?:[^\[\]\\;]{0,60}?[^\[\]\\;A-Za-z])??",
            ),
        )
    ),
    _bracket_error("zero bytes are in the value", r"\x00", " "),
    _bracket_error("{here} does not belong between the values", r"CLOSEDSTRAY(?=\[)", ""),
    # Between two digits it may be a decimal point.
    _bracket_error(
        "{here} does not belong in the value",
        r"(?<=\[);+(?=[0-9])|(?<=[0-9]);+(?=[].])|(?<=\.);+(?=[0-9])",
        "",
    ),
    *(
        _bracket_error(
            "{here} does not belong in the value",
            rf"(?<={inner}){stray}(?={inner}|\])|(?<=\[){stray}(?={inner})",
            "",
            where,
        )
        for inner, stray, where in (
            ("[A-Za-z0-9:]", "SIGNS", Where.POINTS),
            ("[A-Za-z0-9:]", "WORDS", Where.POINTS),
            ("[A-Za-z0-9.+-]", "BRACKETS", Where.ANYWHERE),
        )
    ),
)
