"""Repairs: what a person would read at a place of damage.

At each place the errors of :data:`BRACKET_ERRORS` are undone, such as a "]" that is missing before
the next node: one error for each reading, at one place or at all that are near. Each reading is
tried: the few bytes around the place are validated as a game of their own, with the grammar and
the rules.
A reading with an error is rejected. Of the others the one is taken that leaves the parentheses of
the file best in balance; among equals the one with the fewest findings, and then the one that
drops the fewest letters and digits. Brackets, parentheses, and the ";" between two moves are all
that a repair adds. No repair is safe, because other readings remain possible.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from operator import itemgetter
from typing import NamedTuple

from sgf_lark.fixing.readings import (
    BRACKET_ERRORS,
    BRACKET_ERRORS_IN,
    Attempts,
    BracketError,
    Judge,
    Judgment,
    Where,
    Window,
    depth_of,
)
from sgf_lark.flat_tree import FlatTree, last_up_to
from sgf_lark.model.cells import PLAYED, SET_UP
from sgf_lark.model.collection import Collection
from sgf_lark.model.context import GO
from sgf_lark.rules.damage import (
    TEXT_OUTSIDE,
    closings_at_end,
    count_unclosed,
    depth_at,
    find_parentheses,
    has_variation_out_of_turn,
    may_be_rest,
    parentheses_of,
    without_markup,
)
from sgf_lark.rules.fixes import FIXED_WITH_ANOTHER, Edit, Fix, FixContext, escape_text
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.signatures import damaged_games, kind_of
from sgf_lark.syntax.tolerant import DEPTHS, VALUE_OR_PARENTHESIS, answers_move
from sgf_lark.text.edits import apply

#: The number of bytes that a window around a place of damage has at most.
_LONGEST = 500
#: The number of bytes in which the token after a place is searched.
_NEAR = 16
#: The number of places in a window at which the same error is undone, and of ends of a window.
_PLACES, _ENDS = 4, 3
#: Damage between values, where a property or a part of one is missing.
_BETWEEN_VALUES = {"SGF110", "SGF111", "SGF113", "SGF118", "SGF120"}


#: Text outside of game trees.
_OUTSIDE = {"SGF002", *TEXT_OUTSIDE}
#: What can only be the rest of a game that has ended already.
_REST_OF_GAME = re.compile(rb"\s*(?:;\s*)?[A-Z]{1,2}\s*\[")

#: The properties after which it may be the turn of either color.
_NEW_TURN = {*SET_UP, "PL"}
#: The number of places that are tried for a bracket or a parenthesis.
_TRIED = 24
#: The rules about parentheses that are considered together.
_OF_PARENTHESES = {"SGF104", "SGF106", "SGF108"}
_BLANKS = re.compile(rb"[\x00-\x20\x7f]*")
#: A variation in a text, up to its first move.
_VARIATION_IN_TEXT = re.compile(rb"\s*\(\s*;\s*[BW]\s*\[[^\[\]]*\Z")
#: A move in it, and how many of them are on stones at least where it is that of another game: one
#: may be where a move before it is damaged.
_MOVE = re.compile(rb";\s*([BW])\s*\[([a-z]{2})\]")
_LEAST_ON_STONES = 2

_BLANK = bytes(range(0x21)) + b"\x7f"
#: The end of a value after which the file continues as the grammar allows.
_END = re.compile(rb"\](?=[\x00-\x20\x7f]*(?:[\[;()]|[A-Z]+[\x00-\x20\x7f]*\[|\Z))")
#: The end of a value, and white space.
_CLOSING = re.compile(rb"\][\x00-\x20\x7f]*")
#: A value that begins as a node with a property, or a property, does, also after parentheses.
_NEXT_TOKEN = re.compile(rb"(?:\s*[()])*\s*(?:;\s*)?[A-Z]+\s*\[")
#: The beginning of a node in a value.
_NODE_IN_VALUE = re.compile(rb";\s*[A-Z]{1,2}\s*\[[^\[\]]*\Z")
#: The values that follow.
_VALUES = re.compile(rb"(?s)(?:\s*\[(?:[^\]\\]|\\.)*\])*")
#: The beginning of what follows a place, to name it in a message.
_WORD = re.compile(rb"(?s)\A(?:;?\s?(?:[A-Z]+|[a-z0-9]+|[\x80-\xff]+|.)|\Z)")
#: A place that may be inside of a character.
_BETWEEN_BYTES = re.compile(rb"(?<=[\x80-\xff])(?=[\x80-\xff])")
_ALPHANUMERIC = re.compile(rb"[A-Za-z0-9\x80-\xff]")


class Candidate(NamedTuple):
    """A reading of a window; those that sort first are better.

    Of two identifiers that are equally good the longer one sorts first, because "[" follows the
    letters in ASCII.
    """

    #: By how many parentheses the file is out of balance.
    unbalanced: int
    judgment: Judgment
    #: The number of letters and digits that are left out.
    dropped: int
    #: The number of bytes that are left out or added.
    length: int
    #: Whether one is left out: of two readings the one that keeps all of the file sorts first.
    is_shorter: bool
    text: bytes
    left_out: bytes
    reason: str


def repair(site: FixContext) -> Fix | None:
    """The fix that writes the best reading of the place; None if no reading is free of errors."""
    if site.code in _OUTSIDE:
        if kind_of(site.data) is not None:
            return None  # an archive or a program is not a damaged game
        return _with_parenthesis(site) or _continued(site)
    if site.code in ("SGF106", "SGF108"):
        return _without_surplus(site)
    if site.code == "SGF107":
        return _closed_in_turn(site)
    attempts = site.cached("attempts", lambda: Attempts(len(site.data)))
    windows = list(_windows(site)) if attempts.left > 0 else []
    for window in windows:
        best = min(_candidates(site, window, attempts), default=None)
        if best is not None:
            edits = [Edit(window.start, window.end, best.text)]
            is_kept = b"[%b]" % best.left_out.strip(b"[]") in best.text
            words = b"" if is_kept else without_markup(site, best.left_out)
            if best.dropped and words:
                end = _end_of_values(site, window.end)
                edits.append(Edit(end, end, site.remark(escape_text(words))))
            return Fix(tuple(edits), safe=False, reason=best.reason)
    attempts.left -= len(windows)
    return None


def _end_of_values(site: FixContext, start: int) -> int:
    """The end of the values from an offset on, which belong to the property before it."""
    if site.value_if_any is not None:
        return max(start, site.value.property.offsets[1])
    values = _VALUES.match(site.data, start)
    assert values is not None
    return values.end()


def _with_parenthesis(site: FixContext) -> Fix | None:
    """Insert the "(" that is missing before each game, or delete what is between "(" and the
    game."""
    edits: list[Edit] = []
    reason = ""
    for game in damaged_games(site.data, site.start, site.end):
        if game["opening"]:
            edits.append(Edit(*game.span("stray")))
            reason = reason or 'other characters are between "(" and ";"'
        else:
            edits.append(Edit(game.end(), game.end(), b"(" if game["semicolon"] else b"(;"))
            reason = reason or 'a "(" is missing before the game'
    return Fix(tuple(edits), safe=False, reason=reason) if edits else None


def close_before_games(site: FixContext) -> Fix:
    """Insert the "]" that is missing at the end of each game of the tree that runs into the next
    one, before the ")" that close its trees. Before, nothing is known of any of them."""
    tree = site.tree
    if not site.is_first("games in values", tree.number):
        return FIXED_WITH_ANOTHER
    edits = []
    outside = depth_at(site, tree.parsed.bounds[0])
    for place in tree.parsed.games_in_values:
        depth = depth_at(site, place)
        before = site.data[max(0, place - _LONGEST) : place]
        text = before.removesuffix(closings_at_end(before, depth - outside)).rstrip()
        end = place - len(before) + len(text)
        edits.append(Edit(end, end, b"]"))
        outside = depth - 1
    return Fix(tuple(edits), safe=False, reason='a "]" is missing before the next game')


def _continued(site: FixContext) -> Fix | None:
    """Delete the ")" before the rest of the game, and each one in it that does the same; move the
    ")" to the end if the file has none too many. The rest of another game stays a text."""
    if site.previous_character != b")" or not _REST_OF_GAME.match(site.data, site.start, site.end):
        return None
    if site.cached(("of another game", site.node.tree.number), lambda: _is_of_another(site)):
        return None
    closing = site.data.rindex(b")", 0, site.start)
    edits = [Edit(closing, closing + 1)]
    depth = 0
    for token in VALUE_OR_PARENTHESIS.finditer(site.data, site.start, site.end):
        depth += DEPTHS.get(token[0], 0)
        if depth < 0:
            depth = 0
            if _REST_OF_GAME.match(site.data, token.end(), site.end):
                edits.append(Edit(*token.span()))
    surplus = site.cached("surplus", lambda: [b")"] * -count_unclosed(site))
    missing = edits[len(surplus) :]
    del surplus[: len(edits)]
    if missing:
        edits.append(Edit(site.end, site.end, b")" * len(missing)))
    return Fix(tuple(edits), safe=False, reason='this ")" ends the game before its end')


def _without_surplus(site: FixContext) -> Fix | None:
    """Undo what makes a ")" one too many, where it ends a variation for a game: one before is too
    many, or a "(" or "]" is lost. Only one reading may leave the moves in turn, and variations of
    a node with moves of one color; otherwise nothing is changed.

    None if nothing says that it is not simply one too many, or if other damage is in the way.
    """
    begun = site.cached("begun", lambda: _begun_games(site.collection))[site.tree.number]
    # Several are undone one by one.
    end = site.cached("surplus in games", lambda: _surplus_in_games(site)).get(begun)
    if end is None:
        return None
    start = site.collection[begun].parsed.bounds[0]
    if _first_other_damage(site, start, end) is not None:
        return None
    is_rest = site.flat.tree_of(site.flat.node_at(end)) > begun
    is_after_variation = _first_after_variation(site, start, end) is not None
    if not is_rest and not is_after_variation and not has_variation_out_of_turn(site):
        return None
    found = site.cached(("balanced", begun), lambda: _balanced(site, start, end))
    if found is None and not is_rest:
        return None
    edit, reason = found or (None, "a variation may end elsewhere")
    edits = (edit,) if edit is not None and site.start == end else ()
    return Fix(edits, safe=False, reason=reason)


def _begun_games(collection: Collection) -> list[int]:
    """For each tree the number of the game that it may be a part of."""
    numbers: list[int] = []
    for tree in collection:
        numbers.append(numbers[-1] if numbers and may_be_rest(tree) else tree.number)
    return numbers


def _surplus_in_games(site: FixContext) -> dict[int, int]:
    """The offset of the first ")" too many after each game."""
    begun = site.cached("begun", lambda: _begun_games(site.collection))
    found: dict[int, int] = {}
    for each in site.collection.file.places_of_damage:
        if each.code == "SGF108":
            tree = site.flat.tree_of(site.flat.node_at(each.start))
            found.setdefault(begun[tree], each.start)
    return found


def _balanced(site: FixContext, start: int, end: int) -> tuple[Edit, str] | None:
    """The one change that makes a single game, with its moves in turn, of what is between two
    offsets; None if there is none or several. A variation that begins in a text says more than
    the moves."""
    text = site.data[start : end + 1]
    # Without the last ")" it may be a single game as well.
    plain = parse_if_strict(text[:-1])
    if plain is not None and len(plain.roots) > 1:
        plain = None
    for changes in (_ends_of_texts(site, start, end), _other_parentheses(site, start, end)):
        tried = list(islice(changes, _TRIED + 1))
        readings: dict[int, list[tuple[Edit, str]]] = {}
        for edit, reason in tried[:_TRIED]:
            new = text[: edit.start - start] + edit.replacement + text[edit.end - start :]
            flat = parse_if_strict(new)
            if flat is not None and len(flat.roots) == 1:
                readings.setdefault(_count_out_of_turn(flat), []).append((edit, reason))
        if readings and len(tried) <= _TRIED:
            least = min(readings)
            is_better = plain is None or least < _count_out_of_turn(plain)
            return readings[least][0] if is_better and len(readings[least]) == 1 else None
    return None


def _ends_of_texts(site: FixContext, start: int, end: int) -> Iterator[tuple[Edit, str]]:
    """A "]" before each variation that is in a text."""
    values = range(last_up_to(site.flat.value_from, start) + 1, len(site.flat.value_from))
    for number in takewhile(lambda each: site.flat.value_from[each] < end, values):
        if variation := _VARIATION_IN_TEXT.search(site.flat.value(number)):
            place = site.flat.value_from[number] + variation.start()
            yield Edit(place, place, b"]"), 'a "]" is missing before the variation'


def _other_parentheses(site: FixContext, start: int, end: int) -> Iterator[tuple[Edit, str]]:
    """Without a ")", or with one more "(": at the first node after a variation, if there is one,
    else without each ")" before a variation, and with a "(" before each node that a variation of
    the same color follows."""
    flat, data = site.flat, site.data
    nodes, movers = _moves_in_trees(site)
    parentheses = site.cached("places of parentheses", lambda: [*find_parentheses(flat)])
    between = slice(bisect_left(parentheses, (start,)), bisect_left(parentheses, (end,)))
    following = {
        place: _after_blanks(data, place + 1)
        for place, parenthesis in parentheses[between]
        if parenthesis == b")"
    }
    first = _first_after_variation(site, start, end)
    for place, after in following.items():
        if after == first or (first is None and after in nodes):
            yield Edit(place, place + 1), 'a ")" too many ends the variation'
    closing_after = parentheses_of(site).closing_after
    for node in range(flat.node_at(start) + 1, flat.node_at(end) + 1):
        place = flat.node_start[node]
        beside = nodes.get(following.get(closing_after(place), -1))
        is_beside = beside is not None and movers[node][0] == movers[beside][0]
        if place == first or (first is None and is_beside and node not in flat.opening):
            yield Edit(place, place, b"("), 'a "(" is missing before the variation'


def _first_after_variation(site: FixContext, start: int, end: int) -> int | None:
    """The offset of the first node after a variation between two offsets."""
    return _first_damage(site, start, end, "after variation", "SGF106".__eq__)


def _first_other_damage(site: FixContext, start: int, end: int) -> int | None:
    """The same of damage that is not at parentheses."""
    return _first_damage(site, start, end, "other", lambda code: code not in _OF_PARENTHESES)


def _first_damage(
    site: FixContext, start: int, end: int, key: str, is_wanted: Callable[[str], bool]
) -> int | None:
    """The same of any kind of damage, which has that key."""
    damage = site.collection.file.places_of_damage
    places = site.cached(
        ("damage", key), lambda: [each.start for each in damage if is_wanted(each.code)]
    )
    number = bisect_left(places, start)
    return places[number] if number < len(places) and places[number] < end else None


def _moves_in_trees(site: FixContext) -> tuple[dict[int, int], dict[int, tuple[str, str]]]:
    """The node after each "(", by its offset; who moves in each node first, and moved last after
    it."""

    def compute() -> tuple[dict[int, int], dict[int, tuple[str, str]]]:
        nodes = {begin: node for node, begin in site.flat.opening.items()}
        return nodes, {node: (first, after) for node, _, first, after in _movers(site.flat)}

    return site.cached("moves in trees", compute)


def _after_blanks(data: bytes, start: int) -> int:
    """The offset of what follows an offset."""
    blanks = _BLANKS.match(data, start)
    assert blanks is not None
    return blanks.end()


def _movers(flat: FlatTree) -> Iterator[tuple[int, str, str, str]]:
    """Each node, who moved before it and who moves in it first, and who moved last after it."""
    last: list[str] = []
    for node in range(flat.count):
        before = last[flat.parent[node]] if flat.parent[node] >= 0 else ""
        idents = flat.identifiers(node)
        moves = [ident for ident in idents if ident in PLAYED]
        after = moves[-1] if moves else "" if _NEW_TURN & {*idents} else before
        last.append(after)
        yield node, before, moves[0] if moves else "", after


def _count_out_of_turn(flat: FlatTree) -> int:
    """How many moves are of the color that moved before, or of another than the first variation
    there begins with; and how many variations have none beside them."""
    colors: dict[int, str] = {}
    count = 0
    for node, before, mover, _ in _movers(flat):
        parent = flat.parent[node]
        if mover and (mover == before or colors.setdefault(parent, mover) != mover):
            count += 1
        if parent >= 0 and node in flat.opening and flat.child_counts[parent] == 1:
            count += 1
    return count


def _closed_in_turn(site: FixContext) -> Fix | None:
    """Insert the ")" that are missing before variations that are out of turn; None if as many moves
    are in turn where all are at the end of the file."""
    missing = count_unclosed(site)
    start, end = site.tree.parsed.bounds[0], len(site.data.rstrip(_BLANK))
    places = Counter(islice(_variations_out_of_turn(site, start), max(0, missing)))
    if not places:
        return None
    edits = [Edit(place, place, b")" * number) for place, number in places.items()]
    rest = Edit(end, end, b")" * (missing - places.total()))
    edits += [rest] if rest.replacement else []
    counts = []
    for closings in (edits, [Edit(end, end, b")" * missing)]):
        flat = parse_if_strict(apply(site.data[:end], closings)[start:])
        if flat is None:
            return None
        counts.append(_count_out_of_turn(flat))
    if counts[0] >= counts[1]:
        return None
    return Fix(tuple(edits), safe=False, reason='a ")" is missing before the next variation')


def _variations_out_of_turn(site: FixContext, start: int) -> Iterator[int]:
    """The offset of each variation that begins with the color that moved before, once for each
    tree that has to be closed there for it to be in turn."""
    flat = site.flat
    nodes, movers = _moves_in_trees(site)
    tokens = [
        (place, parenthesis, nodes.get(place)) for place, parenthesis in find_parentheses(flat)
    ]
    tokens += [(place, b";", node) for node, place in enumerate(flat.node_start)]
    #: Who moved last before all trees, and in each one that is open.
    last = [""]
    for place, token, node in sorted(tokens, key=itemgetter(0)):
        if place < start:
            continue
        if token == b")":
            if len(last) > 1:
                last.pop()
        elif token == b"(":
            while node is not None and len(last) > 2 and last[-1] == movers[node][0] != "":
                last.pop()
                yield place
            last.append(last[-1])
        elif node is not None:
            first, after = movers[node]
            last[-1] = after if first or not after else last[-1]


def _is_of_another(site: FixContext) -> bool:
    """Whether what follows a game is the rest of another one, as in files that were joined, so that
    nobody played it in this game: its moves are on stones, or no ")" too many can explain it."""
    tree = site.node.tree
    has_variations = not site.flat.opening.keys().isdisjoint(tree.parsed.numbers[1:])
    # The ")" of variations come after all nodes: one too many ends them only with the game.
    if has_variations and count_unclosed(site) == -1:
        return True
    if tree.game != GO or tree.size is None:
        return False
    board = site.node.board()
    on_stones = 0
    for move in _MOVE.finditer(site.data, site.start, site.end):
        color, point = (each.decode() for each in move.groups())
        if point in board:
            on_stones += board[point] is not None
            board.play(point, color)
    return on_stones >= _LEAST_ON_STONES


def _windows(site: FixContext) -> Iterator[Window]:
    """The windows around the finding, the shortest first."""
    found = _beginning(site)
    if found is None:
        return
    start, least, ident, where = found
    limit = start + _LONGEST
    is_closed = site.value_if_any is not None and b"]" not in site.value.raw
    ends = 1 if is_closed and _END.match(site.data, least) else _ENDS
    for end in islice(_ends(site, least, limit), ends):
        # At the limit it is unknown what follows.
        if limit >= len(site.data) or site.data[end:limit].strip(_BLANK):
            yield Window(start, end, ident, where)


def _ends(site: FixContext, start: int, limit: int) -> Iterator[int]:
    """The offset after each "]" after which the file continues as the grammar allows, or with
    other damage, which is repaired by itself."""
    junk = site.cached("junk", lambda: {*_starts_of_junk(site)})
    for bracket in _CLOSING.finditer(site.data, start, limit):
        if bracket.end() in junk or _END.match(site.data, bracket.start(), limit):
            yield bracket.start() + 1


def _starts_of_junk(site: FixContext) -> Iterator[int]:
    """The offsets of characters between tokens that belong to none, unless the next value belongs
    to the property before them."""
    for each in site.collection.file.places_of_damage:
        following = site.data[each.end : each.end + _NEAR].lstrip(_BLANK)
        if each.code == "SGF120" and not following.startswith(b"["):
            yield each.start


def _beginning(site: FixContext) -> tuple[int, int, bytes, Where] | None:
    """Where the windows around the finding begin, the least offset of the "]" that ends them, and
    the identifier of the value that they begin with; None if there is nothing to repair."""
    if site.code in ("SGF301", "SGF501"):
        return _value_that_is_none(site) if site.code == "SGF301" else _unclosed_before(site)
    value = site.value_if_any
    if value is not None:
        if site.code.startswith("SGF2") and site.code != "SGF202":
            return None
        entry = value.property
        where = _where(site, entry.ident)
        if where is Where.TEXTS:
            return None
        start = value.start - 1
        if _NEXT_TOKEN.match(value.raw):
            prop = site.flat.property_at(value.start)
            if value.number == site.flat.values_of(prop)[0]:
                return entry.offsets[0], value.end, b"", Where.ANYWHERE
            start = site.flat.value_from[value.number - 1] - 1
        return start, value.end, entry.ident.encode("latin-1"), where
    if site.code not in _BETWEEN_VALUES:
        return None
    if (number := _value_before(site)) is None:
        return site.start, site.start, b"", Where.ANYWHERE
    ident = site.flat.ident(site.flat.property_at(site.flat.value_to[number]))
    if (where := _where(site, ident)) is Where.TEXTS:
        return None
    return site.flat.value_from[number] - 1, site.start, ident.encode("latin-1"), where


def _unclosed_before(site: FixContext) -> tuple[int, int, bytes, Where] | None:
    """The same for a property that its node has twice: the first one may have the rest of its node,
    because its "]" is missing."""
    flat = site.flat
    number = flat.property_at(site.start)
    first, *_ = flat.of_ident(flat.node_of_property(number), flat.ident(number))
    value = flat.values_of(first)[1] - 1
    if first == number or _NODE_IN_VALUE.search(flat.value(value)) is None:
        return None
    start, end = flat.value_from[value] - 1, flat.property_span(number)[1] - 1
    ident = flat.ident(first)
    return start, end, ident.encode("latin-1"), _where(site, ident)


def _value_that_is_none(site: FixContext) -> tuple[int, int, bytes, Where] | None:
    """The same for a property with several values in place of one, of which one begins as the next
    node does."""
    flat = site.flat
    number = flat.property_at(site.start)
    first, end = flat.values_of(number)
    for value in range(first + 1, end):
        if _NEXT_TOKEN.match(flat.value(value)):
            start = flat.value_from[value - 1] - 1
            return start, flat.value_to[value], flat.ident(number).encode("latin-1"), Where.ANYWHERE
    return None


def _value_before(site: FixContext) -> int | None:
    """The number of the value directly before the finding, if that does not begin with an
    identifier."""
    number = last_up_to(site.flat.value_to, site.start)
    if number < 0 or site.data[site.start : site.start + 1].isalpha():
        return None
    end = site.flat.value_to[number] + 1
    is_next = site.start - end < _LONGEST and not site.data[end : site.start].strip(_BLANK)
    return number if is_next else None


def _where(site: FixContext, ident: str) -> Where:
    """The kind of windows that values of the property are in."""
    definition = site.tree.define(ident)
    if definition is None:
        return Where.ANYWHERE
    if definition.is_text and not definition.format:
        return Where.TEXTS
    types = {each for kind in definition.alternatives for each in (kind.first, kind.second)}
    is_of_points = {"point", "move", "stone", ""}.issuperset(types)
    return Where.POINTS if is_of_points else Where.ANYWHERE


def _candidates(site: FixContext, window: Window, attempts: Attempts) -> Iterator[Candidate]:
    """The readings of the window in which one error is undone, as far as none is left.

    No "(" or ")" is left out where that brings the file out of balance.
    """
    text = site.data[window.start : window.end]
    around = count_unclosed(site, window.start, window.end)
    before = abs(around + depth_of(text)[0])
    judge = Judge(site, window, attempts)
    for new, (error, places) in _readings(text, window.where, judge.refused_at(text)).items():
        unbalanced = abs(around + depth_of(new)[0])
        left_out = b" ".join(_at(place).strip(_BLANK) for place in places)
        if unbalanced > before and depth_of(left_out)[0]:
            continue
        if any(_takes_move(site, window.start, place) for place in places):
            continue
        judgment = judge.judge(new, places[0].start())
        if judgment is not None:
            yield Candidate(
                unbalanced,
                judgment,
                len(_ALPHANUMERIC.findall(left_out)),
                abs(len(text) - len(new)),
                len(new) < len(text),
                new,
                left_out,
                _reason(site, error, places[0]),
            )


def _readings(
    text: bytes, where: Where, refused: int
) -> dict[bytes, tuple[BracketError, list[re.Match[bytes]]]]:
    """The text after each error is undone, at one place or at all of them; which error it was, and
    the places. The text leaves the grammar at the offset `refused`, up to which one of them is."""
    readings: dict[bytes, tuple[BracketError, list[re.Match[bytes]]]] = {}
    for error in BRACKET_ERRORS:
        if error.where not in BRACKET_ERRORS_IN[where]:
            continue
        places = (each for each in error.pattern.finditer(text) if not _splits_character(each))
        first = next(places, None)
        if first is None or _start(first) > refused:
            continue
        every = [first, *places]
        single = [[place] for place in every[:_PLACES] if _start(place) <= refused]
        for replaced in (*single, every):
            readings.setdefault(_replaced(text, replaced, error.replacement), (error, replaced))
    readings.pop(text, None)
    return readings


def _replaced(text: bytes, places: list[re.Match[bytes]], replacement: bytes) -> bytes:
    """The text with the replacement at these places."""
    parts = []
    end = 0
    for place in places:
        parts += [text[end : _start(place)], replacement]
        end = place.end()
    return b"".join([*parts, text[end:]])


def _takes_move(site: FixContext, start: int, place: re.Match[bytes]) -> bool:
    """Whether a place, in a window that starts at that offset, is between a letter and a move that
    is the next one of the game, which would become a part of another property."""
    flat, end = site.flat, start + place.end()
    before = place.string[: _start(place)][-1:]
    number = flat.property_at(end)
    if not before.isalpha() or number < 0 or flat.ident_start[number] != end:
        return False
    first, last = flat.values_of(number)
    return answers_move(flat, number, flat.ident(number), last - first)


def _start(place: re.Match[bytes]) -> int:
    """Where what is replaced begins at a place: after the group, if there is one."""
    return place.end(1) if place.re.groups else place.start()


def _at(place: re.Match[bytes]) -> bytes:
    """What is replaced at a place."""
    return place.string[_start(place) : place.end()]


def _splits_character(place: re.Match[bytes]) -> bool:
    """Whether what is replaced begins or ends between two bytes of a character."""
    return any(_BETWEEN_BYTES.match(place.string, edge) for edge in (_start(place), place.end()))


def _reason(site: FixContext, error: BracketError, place: re.Match[bytes]) -> str:
    """The message about an error at a place."""
    following = place.string[place.end() :].lstrip(_BLANK)
    codec = site.tree.charset
    here, after = (
        repr((text.strip(_BLANK) or text).decode(codec, "backslashreplace"))
        for text in (_at(place), *_WORD.findall(following))
    )
    return error.reason.format(here=here, next=after)
