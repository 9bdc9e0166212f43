"""Fixes of points and moves in words and in the notation of people: ``Q16``, ``pass``, ``swap``."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_uppercase

from sgf_lark.model.board_walk import CHANGING
from sgf_lark.model.property import PropValue, points_in
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Point
from sgf_lark.model.values.points import GTP_LETTERS
from sgf_lark.rules.fixes import FIXED_WITH_ANOTHER, Edit, Fix, FixContext, fix_for, labeled

#: A column and a row, as on the edges of a board.
_VERTEX = re.compile(rb"\s*([A-Za-z])-?([1-9][0-9]?)\s*")
#: What separates the points of a list in one value.
_SEPARATORS = re.compile(rb"[\s,;|/.&+]+")
#: What is written between the corners of a rectangle instead of ":".
_TO = re.compile(rb"\s*(?:-+>?|\.{2,3}|~|\xe2\x80[\x93\x94]|\xe2\x80\xa6)\s*")
#: A point, and what should be after a ":" that is missing.
_WITHOUT_COLON = re.compile(rb"(?s)([a-z]{2})([\s,;|/=>.-]*)(.+)")
_TWO_POINTS = re.compile(rb"[a-z]{2}\[[a-z]{2}")
_NO_LETTERS = re.compile(rb"[^a-zA-Z]+")
#: Longer values are not points with other characters.
_LONGEST_POINT = 6
#: Types of values that name places on the board.
PLACES = {"point", "stone", "move"}
#: The usual sizes of boards of Go, moves and stones on the largest of them, how many are no chance,
#: and the corner of the largest board.
_USUAL_SIZES = (9, 13, 19)
_POINTS_OF_GO = re.compile(rb"[a-s]{2}(?::[a-s]{2})?|tt|")
_LEAST_POINTS, _CORNER = 5, Point(18, 18)


@fix_for("SGF312", "SGF319")
def write_point_or_move(site: FixContext) -> Fix | None:
    """Write a point or move of Go in letters; columns and rows are counted as on most boards.

    This is not safe: some people count from the other side, or count the letter I.
    """
    from sgf_lark.model import informal

    value = site.value
    if site.tree.game != 1:
        is_move = value.kind == "move"
        return declare_go(site) or (write_kind_of_swap(site) if is_move else None)
    if value.kind == "move" and informal.names_pass(site.text):
        return site.replace("", safe=False)
    written = [_in_letters(site, kind, raw) for kind, raw in value.parts]
    known = [raw for raw in written if raw is not None]
    if known == written:
        return site.replace(b":".join(known), safe=False)
    if value.composed:
        return _with_halves_in_order(site)
    return separate_points(site) or _point_among_other_characters(site)


def declare_go(site: FixContext) -> Fix | None:
    """Write 1 for the GM of another game if all moves are those of Go; this is not safe."""
    tree = site.tree

    def go() -> str | None:
        points, others = _points_of_go(tree)
        return "1" if len(points) >= _LEAST_POINTS and not others else None

    return _write_in_root(site, "GM", go)


def write_size_of_moves(site: FixContext) -> Fix | None:
    """Write the usual size of a board on which all moves and stones are, if many are not on that of
    SZ, but for a few; this is not safe."""
    tree = site.tree

    def size() -> str | None:
        points, others = _points_of_go(tree)
        outside = [each for each in points if not tree.has_point(each)]
        if len(outside) < max(_LEAST_POINTS, len(points) / 4) or others > len(points) / 10:
            return None
        needed = 1 + max(max(each) for each in points)
        return next(str(each) for each in _USUAL_SIZES if each >= needed)

    if tree.game != 1 or tree.has_point(_CORNER):
        return None
    return _write_in_root(site, "SZ", size)


def _write_in_root(site: FixContext, ident: str, compute: Callable[[], str | None]) -> Fix | None:
    """Write the computed value of a property that the root has, and what it was as a comment; the
    other findings for which that is the fix are fixed with the first."""
    number, entry = site.tree.number, site.tree.root.property(ident, None)
    if entry is None:
        return None
    written = site.cached((ident, "of moves", number), compute)
    if written is None:
        return None
    if not site.is_first(ident, "of moves", number):
        return FIXED_WITH_ANOTHER
    text = f"{ident}[{written}]".encode() + site.remark(labeled(entry, entry.raw))
    return Fix((Edit(*entry.offsets, text),), safe=False)


def _points_of_go(tree: GameTree) -> tuple[list[Point], int]:
    """The points of the moves and stones of a tree that are on the largest usual board of Go, and
    the number of values that are neither such points nor passes."""
    flat = tree.parsed.flat
    values = [
        flat.value(value)
        for prop in flat.properties_in(tree.parsed.numbers)
        for value in range(*flat.values_of(prop))
        if flat.ident(prop) in CHANGING
    ]
    known = [value for value in values if _POINTS_OF_GO.fullmatch(value)]
    corners = (each for value in known for each in value.split(b":") if each not in (b"", b"tt"))
    points = [Point(column - ord("a"), row - ord("a")) for column, row in corners]
    return points, len(values) - len(known)


def separate_points(site: FixContext) -> Fix | None:
    """Write points that commas, blanks and the like separate as points of the list, and two with a
    dash between them as the corners of a rectangle; this is not safe."""
    value = site.value
    if not value.definition.takes_many:
        return None
    for pattern, written in ((_TO, b":"), (_SEPARATORS, b"][")):
        points = [_in_letters(site, value.kind, part) for part in pattern.split(value.raw.strip())]
        known = [point for point in points if point is not None]
        if known == points and (len(points) == 2 or pattern is _SEPARATORS):
            return site.replace(written.join(known), safe=False)
    return None


def _with_halves_in_order(site: FixContext) -> Fix | None:
    """Write a label before its point, such as ``A:dd``, after it."""
    value = site.value
    assert value.halves is not None
    label, point = value.halves
    if value.definition.unique != "label" or not value.matches("point", point):
        return None
    return site.replace(point + b":" + label, safe=False)


def write_missing_colon(site: FixContext) -> Fix | None:
    """Write ":" between a point and its label or a second point, in the place of another separator
    or of none; this is not safe."""
    value = site.value
    halves = value.definition.alternatives[-1]
    match = _WITHOUT_COLON.fullmatch(value.raw.strip())
    if site.tree.game != 1 or match is None:
        return None
    point, separator, other = match.groups()
    if not is_on_board(value, "point", point):
        return None
    if halves.second == "point":
        is_known = value.matches("point", other)
    else:
        is_known = bool(separator) or not other.islower()
    return site.replace(point + b":" + other, safe=False) if is_known else None


def _point_among_other_characters(site: FixContext) -> Fix | None:
    """Write the only two letters of a point or move, or the first two of three, without other
    characters, or the first of two points with a bracket between them; the value is kept in a
    comment."""
    value = site.value
    letters = _NO_LETTERS.sub(b"", value.raw)
    point = letters[:2]
    is_one = len(letters) in (2, 3) and len(value.raw) <= _LONGEST_POINT
    if not (is_one or _TWO_POINTS.fullmatch(value.raw)):
        return None
    if not letters.islower() or not is_on_board(value, "point", point):
        return None
    return site.replace_keeping_text(point)


def is_on_board(value: PropValue, kind: str, raw: bytes) -> bool:
    """Whether a correct part of a value names no point outside the board."""
    return all(map(value.tree.has_point, points_in(value.tree.parsed.reader.read(kind, raw))))


def _in_letters(site: FixContext, kind: str, raw: bytes) -> bytes | None:
    """A value as it is, or a point such as ``Q16`` in the letters of SGF; None for what is neither,
    or not on the board. Other than for :meth:`Point.from_gtp`, a board may have a column I."""
    if site.value.matches(kind, raw):
        return raw
    match = _VERTEX.fullmatch(raw)
    size = site.tree.size
    if match is None or site.tree.game != 1:
        return None
    assert size is not None
    letters = site.cached(("columns", site.tree.number), lambda: _column_letters(site.tree))
    point = Point(letters.find(match[1].decode().upper()), size[1] - int(match[2]))
    if not site.tree.has_point(point):
        return None
    return site.tree.write_point(point).encode()


def _column_letters(tree: GameTree) -> str:
    """The letters that the points of the tree have for columns; none if they contradict each other.

    I is left out on most boards.
    """
    used = {
        match[1].decode().upper()
        for node in tree.nodes()
        for entry in node.properties
        if entry.definition is not None and not entry.definition.kinds.isdisjoint(PLACES)
        for raw in entry.raw
        if (match := _VERTEX.fullmatch(raw.partition(b":")[0]))
    }
    if "I" not in used:
        return GTP_LETTERS
    assert tree.size is not None
    return ascii_uppercase if ascii_uppercase.index(max(used)) < tree.size[0] else ""


def write_kind_of_swap(site: FixContext) -> Fix | None:
    """Write a bare "swap" of Hex as swap of sides or of pieces, by the colors of the next moves of
    all variations, unless its own node has another move."""
    value = site.value
    if site.tree.game_definition.move != "hex_move" or value.raw.lower() != b"swap":
        return None
    following = site.cached(("next colors", site.node.number), lambda: _next_colors(site))
    if len(following) != 1 or len(site.node.moves()) > 1:
        return None
    return site.replace("swap-sides" if value.property.ident in following else "swap-pieces")


def _next_colors(site: FixContext) -> set[str]:
    """The identifiers of the next moves after the node of the site, in all variations."""
    found: set[str] = set()
    waiting = list(site.node.children)
    while waiting:
        node = waiting.pop()
        moves = node.moves()
        found.update(move.ident for move in moves)
        waiting += [] if moves else node.children
    return found
