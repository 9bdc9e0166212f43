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
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import NamedTuple

from sgf_lark.fixing import parentheses
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
from sgf_lark.flat_tree import last_up_to
from sgf_lark.rules.fixes import Edit, Fix, FixContext, escape_text
from sgf_lark.rules.trees import count_unclosed, without_markup
from sgf_lark.syntax.tolerant import answers_move

#: The number of bytes that a window around a place of damage has at most.
_LONGEST = 500
#: The number of bytes in which the token after a place is searched.
_NEAR = 16
#: The number of places in a window at which the same error is undone, and of ends of a window.
_PLACES, _ENDS = 4, 3
#: Damage between values, where a property or a part of one is missing.
_BETWEEN_VALUES = {"SGF110", "SGF111", "SGF113", "SGF118", "SGF120"}

#: A move whose first letter may have come before the "[".
_LETTER_OF_POINT = re.compile(rb"[BW][a-z]\[(?:[a-z]|[0-9]{1,2})\]")
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
#: A node after values.
_NODE = re.compile(rb"\s*;")
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
    if site.code in parentheses.CODES:
        return parentheses.repair_parentheses(site)
    attempts = site.cached("attempts", lambda: Attempts(len(site.data)))
    windows = list(_windows(site)) if attempts.left > 0 else []
    for window in windows:
        best = min(_candidates(site, window, attempts), default=None)
        if best is not None:
            text = best.text
            is_kept = b"[%b]" % best.left_out.strip(b"[]") in text
            words = b"" if is_kept else without_markup(site, best.left_out)
            remarks = []
            if best.dropped and words:
                remark = site.remark(escape_text(words))
                if end := _end_of_changed(site.data[window.start : window.end], text):
                    text = text[:end] + remark + text[end:]
                else:
                    end = _end_of_values(site, window.end)
                    remarks.append(Edit(end, end, remark))
            edits = (Edit(window.start, window.end, text), *remarks)
            return Fix(edits, safe=False, reason=best.reason)
    attempts.left -= len(windows)
    return None


def _end_of_changed(before: bytes, after: bytes) -> int:
    """The end of the values at which the two begin to differ, if other nodes follow there; 0 if
    not."""
    pairs = zip_longest(before, after)
    changed = next((place for place, (old, new) in enumerate(pairs) if old != new), 0)
    values = _VALUES.match(after, after.find(b"]", max(0, changed - 1)) + 1)
    assert values is not None
    return values.end() if _NODE.match(after, values.end()) else 0


def _end_of_values(site: FixContext, start: int) -> int:
    """The end of the values from an offset on, which belong to the property before it."""
    if site.value_if_any is not None:
        return max(start, site.value.property.offsets[1])
    values = _VALUES.match(site.data, start)
    assert values is not None
    return values.end()


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
    if not _is_between_values(site):
        return None
    if (number := _value_before(site)) is None:
        return site.start, site.start, b"", Where.ANYWHERE
    ident = site.flat.ident(site.flat.property_at(site.flat.value_to[number]))
    if (where := _where(site, ident)) is Where.TEXTS:
        return None
    return site.flat.value_from[number] - 1, site.start, ident.encode("latin-1"), where


def _is_between_values(site: FixContext) -> bool:
    """Whether the damage is between values; an identifier in small letters is only where its last
    letter may be that of a point."""
    is_point = site.code == "SGF114" and _LETTER_OF_POINT.match(site.data, site.start)
    return bool(is_point) or site.code in _BETWEEN_VALUES


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
    characters = len(_ALPHANUMERIC.findall(text))
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
                characters - len(_ALPHANUMERIC.findall(new)),
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
        parts += [text[end : _start(place)], place.expand(replacement)]
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
