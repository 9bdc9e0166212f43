"""Repairs of parentheses: where variations and games begin and end, by the turn of the moves.

Parentheses that are lost or too many, and brackets whose loss hides parentheses in a text, change
which moves follow which. Of the places where one can have been lost, that one is taken that leaves
the moves of the game in turn; where several are as good, nothing is changed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from operator import itemgetter

from sgf_lark.flat_tree import FlatTree, last_up_to
from sgf_lark.model.cells import PLAYED, SET_UP
from sgf_lark.model.collection import Collection
from sgf_lark.model.context import GO
from sgf_lark.rules.fixes import FIXED_WITH_ANOTHER, Edit, Fix, FixContext
from sgf_lark.rules.trees import (
    TEXT_OUTSIDE,
    closings_at_end,
    count_unclosed,
    depth_at,
    has_variation_out_of_turn,
    may_be_rest,
    parentheses_of,
)
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.signatures import damaged_games, kind_of
from sgf_lark.syntax.tolerant import DEPTHS, VALUE_OR_PARENTHESIS
from sgf_lark.text.edits import apply

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
#: The number of bytes before a game in which the end of the one before is searched.
_LONGEST = 500
#: The rules whose findings are repaired here.
CODES = {*_OUTSIDE, "SGF106", "SGF107", "SGF108"}


def repair_parentheses(site: FixContext) -> Fix | None:
    """The fix for a finding with one of these codes; None if nothing says what is lost."""
    if site.code in _OUTSIDE:
        if kind_of(site.data) is not None:
            return None  # an archive or a program is not a damaged game
        return _with_parenthesis(site) or _continued(site)
    return _closed_in_turn(site) if site.code == "SGF107" else _without_surplus(site)


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
    parentheses = parentheses_of(site)
    found = parentheses.found
    between = slice(bisect_left(found, (start,)), bisect_left(found, (end,)))
    following = {
        place: _after_blanks(data, place + 1)
        for place, parenthesis in found[between]
        if parenthesis == b")"
    }
    first = _first_after_variation(site, start, end)
    for place, after in following.items():
        if after == first or (first is None and after in nodes):
            yield Edit(place, place + 1), 'a ")" too many ends the variation'
    for node in range(flat.node_at(start) + 1, flat.node_at(end) + 1):
        place = flat.node_start[node]
        beside = nodes.get(following.get(parentheses.closing_after(place), -1))
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
    found = parentheses_of(site).found
    tokens = [(place, parenthesis, nodes.get(place)) for place, parenthesis in found]
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
