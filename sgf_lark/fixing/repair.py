"""Repairs: what a person would read at a place of damage.

At each place the slips of :data:`SLIPS` are undone, such as a "]" that is missing before the next
node: one slip for each reading, at one place or at all that are near. Each reading is tried: the
few bytes around the place are validated as a game of their own, with the grammar and the rules.
A reading with an error is rejected. Of the others the one is taken that leaves the parentheses of
the file best in balance; among equals the one with the fewest findings, and then the one that
drops the fewest letters and digits. Brackets and parentheses are all that a repair adds. No repair
is safe, because other readings remain possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from typing import NamedTuple

from sgf_lark.diagnostics import Severity
from sgf_lark.flat_tree import last_up_to
from sgf_lark.rules.damage import TEXT_OUTSIDE, count_unclosed
from sgf_lark.rules.fixes import Edit, Fix, Site, escape_text
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.signatures import damaged_games, kind_of
from sgf_lark.validation import validate

#: The number of bytes that a window around a place of damage has at most.
_LONGEST = 500
#: The number of places in a window at which the same slip is undone, and of ends of a window.
_PLACES, _ENDS = 4, 3
#: The rules that judge readings: those of structure, values and nodes, and that of unknown
#: properties.
_JUDGES = ("SGF1", "SGF202", "SGF215", "SGF3", "SGF4", "SGF5", "SGF804")
#: Damage between values, where a property or a part of one is missing.
_BETWEEN_VALUES = {"SGF110", "SGF111", "SGF113", "SGF118", "SGF120"}


class Where(Enum):
    """The windows in which a slip is undone."""

    ANYWHERE = "anywhere"
    #: In values of points, moves and stones, which have letters and digits only.
    POINTS = "points"
    #: In texts, where brackets are allowed.
    TEXTS = "texts"


#: The slips that are undone in each kind of window.
_SLIPS_IN = {
    Where.ANYWHERE: {Where.ANYWHERE},
    Where.POINTS: {Where.ANYWHERE, Where.POINTS},
    Where.TEXTS: {Where.TEXTS},
}


class Slip(NamedTuple):
    """What can go wrong with the brackets of a file, and how it is undone.

    `pattern` finds the places in a window, and `replacement` is the template of what to write
    there. `reason` is the message; ``{here}`` is what is at the place, ``{next}`` what follows.
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
    # What is not part of any token, up to the next "[".
    "STRAY": r"[^A-Za-z0-9\[\\](?:[^\[\\]{0,60}?[^A-Za-z0-9\[\\])??(?:\[\])?",
    # What is not part of a value: without letters and digits, around words, or brackets.
    "SIGNS": r"[^A-Za-z0-9:\\]+",
    "WORDS": r"[^A-Za-z0-9:\[\]\\](?:(?!PROPERTY)[^\[\]\\]){1,60}[^A-Za-z0-9:\[\]\\]",
    "BRACKETS": r"(?:[()\[{}\x00-\x1f]|\[\])(?:[()\[{}\x00-\x1f> ]|\[\])*",
}


def _slip(reason: str, pattern: str, replacement: str, where: Where = Where.ANYWHERE) -> Slip:
    for name in reversed(_NAMES):
        pattern = pattern.replace(name, _NAMES[name])
    return Slip(reason, re.compile(pattern.encode(), re.DOTALL), replacement.encode(), where)


#: The slips. A window begins with an identifier, or with the "[" of a value.
SLIPS = (
    _slip(
        'a "]" is missing before {next}',
        r"(?<=[^\[\]\\;])(?=~(?:;~PROPERTY|PROPERTY|\)~[();]|\(~;))|(?<=[^\[\]\\;A-Z])(?=~\[)",
        "]",
    ),
    _slip(
        '{here} is in place of a "]"',
        r"(?<=[^\[])(?!\(~;)[^\[\]\\A-Za-z0-9\s;](?=~(?:;|PROPERTY|\[|[()]|\Z))",
        "]",
    ),
    *(
        _slip(
            'a "[" is missing before {next}',
            rf"(BEGIN[A-Z]{length})~(?=[^\[\]\\()\s;][^\[\]\\]*\])",
            r"\1[",
        )
        for length in ("", "{2}", "{3,9}")
    ),
    _slip('a "[" is missing before {next}', r"CLOSED(?=[^\[\]\\();\s]+\])", "["),
    _slip(
        'a "[" is missing before {next}',
        r"CLOSED(~;~[A-Z]|[A-Z]{2}(?![a-z]))(?=[^\[\]\\()\s;][^\[\]\\]*\]\Z)",
        r"\1[",
        Where.TEXTS,
    ),
    _slip(
        '{here} is in place of a "["', r"(BEGIN[A-Z]+)[^\[\]\\A-Za-z0-9\s;](?=[^\[\]\\]*\])", r"\1["
    ),
    _slip('{here} is in place of a "["', r"CLOSED[^\[\]\\A-Za-z0-9\s;](?=[^\[\]\\]*\])", "["),
    _slip("{here} does not belong before the value", r"(BEGIN[A-Z]+)STRAY(?=\[)", r"\1"),
    _slip(
        "{here} does not belong in the identifier", r"(BEGIN[A-Z])(?!~;)STRAY(?=[A-Z]~\[)", r"\1"
    ),
    _slip("{here} does not belong after the value", r"CLOSEDSTRAY(?=PROPERTY|;)", ""),
    _slip('a "[" too many is before {next}', r"(?:CLOSED|\A)~\[(?=~(?:;|PROPERTY))", ""),
    _slip('a "[" too many is before {next}', r"(BEGIN[A-Z])\[(?=[A-Z]\[)", r"\1"),
    _slip("zero bytes are in the value", r"\x00", " "),
    _slip("{here} does not belong between the values", r"CLOSEDSTRAY(?=\[)", ""),
    *(
        _slip(
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

#: Text outside of game trees.
_OUTSIDE = {"SGF002", *TEXT_OUTSIDE}
#: What can only be the rest of a game that has ended already.
_REST_OF_GAME = re.compile(rb"\s*(?:;\s*)?[A-Z]{1,2}\s*\[")

_BLANK = bytes(range(0x21)) + b"\x7f"
#: The end of a value after which the file continues as the grammar allows.
_END = re.compile(rb"\](?=[\x00-\x20\x7f]*(?:[\[;()]|[A-Z]+[\x00-\x20\x7f]*\[|\Z))")
#: A value that begins as a node with a property, or a property, does.
_NEXT_TOKEN = re.compile(rb"\s*(?:;\s*)?[A-Z]+\s*\[")
#: The values that follow.
_VALUES = re.compile(rb"(?s)(?:\s*\[(?:[^\]\\]|\\.)*\])*")
#: A property value, or a parenthesis outside of values.
_TOKEN = re.compile(rb"(?s)\[(?:[^\]\\]|\\.)*\]|[()]")
#: The beginning of what follows a place, to name it in a message.
_WORD = re.compile(rb"(?s)\A(?:;?\s?(?:[A-Z]+|[a-z0-9]+|.)|\Z)")
_ALPHANUMERIC = re.compile(rb"[A-Za-z0-9]")


class Window(NamedTuple):
    """The bytes around a place of damage, from offset `start` to `end`.

    `ident` is the identifier of the property whose value the window begins with; it is empty if
    the window begins with an identifier.
    """

    start: int
    end: int
    ident: bytes
    where: Where


class Candidate(NamedTuple):
    """A reading of a window; those that sort first are better.

    Of two identifiers that are equally good the longer one sorts first, because "[" follows the
    letters in ASCII.
    """

    #: By how many parentheses the file is out of balance.
    unbalanced: int
    findings: tuple[int, int]
    #: The number of letters and digits that are left out.
    dropped: int
    length: int
    text: bytes
    left_out: bytes
    reason: str


def repair(site: Site) -> Fix | None:
    """The fix that writes the best reading of the place; None if no reading is free of errors."""
    if site.code in _OUTSIDE:
        if kind_of(site.data) is not None:
            return None  # an archive or a program is no damaged game
        return _with_parenthesis(site) or _continued(site)
    for window in _windows(site):
        best = min(_candidates(site, window), default=None)
        if best is not None:
            edits = [Edit(window.start, window.end, best.text)]
            if best.dropped:
                end = _end_of_values(site, window.end)
                edits.append(Edit(end, end, site.remark(escape_text(best.left_out))))
            return Fix(tuple(edits), safe=False, reason=best.reason)
    return None


def _end_of_values(site: Site, start: int) -> int:
    """The end of the values from an offset on, which belong to the property before it."""
    if site.value is not None:
        return max(start, site.value.property.offsets[1])
    values = _VALUES.match(site.data, start)
    assert values is not None
    return values.end()


def _with_parenthesis(site: Site) -> Fix | None:
    """Insert the "(" that is missing before each game, or delete what is between "(" and the
    game."""
    edits: list[Edit] = []
    reason = ""
    for game in damaged_games(site.data, site.start, site.end):
        if game["opening"]:
            edits.append(Edit(*game.span("stray")))
            reason = reason or 'other characters are between "(" and ";"'
        else:
            edits.append(
                Edit(game.end(), game.end(), b"(" if game["semicolon"] or game["first"] else b"(;")
            )
            reason = reason or 'a "(" is missing before the game'
    return Fix(tuple(edits), safe=False, reason=reason) if edits else None


def _continued(site: Site) -> Fix | None:
    """Delete the ")" before the rest of a game, and each one in it that does the same; move the
    ")" to the end if the file has none too many."""
    if site.previous_character != b")" or not _REST_OF_GAME.match(site.data, site.start, site.end):
        return None
    closing = site.data.rindex(b")", 0, site.start)
    edits = [Edit(closing, closing + 1)]
    depth = 0
    for token in _TOKEN.finditer(site.data, site.start, site.end):
        depth += {b"(": 1, b")": -1}.get(token[0], 0)
        if depth < 0:
            depth = 0
            if _REST_OF_GAME.match(site.data, token.end(), site.end):
                edits.append(Edit(*token.span()))
    surplus = site.cached("surplus", lambda: [max(0, -count_unclosed(site))])
    if surplus[0] < len(edits):
        edits.append(Edit(site.end, site.end, b")" * (len(edits) - surplus[0])))
    surplus[0] = max(0, surplus[0] - len(edits))
    return Fix(tuple(edits), safe=False, reason='this ")" ends the game before its end')


def _windows(site: Site) -> Iterator[Window]:
    """The windows around the finding, the shortest first."""
    found = _beginning(site)
    if found is None:
        return
    start, least, ident, where = found
    limit = start + _LONGEST
    ends = 1 if site.value is not None and _END.match(site.data, least) else _ENDS
    for end in islice(_END.finditer(site.data, least, limit), ends):
        # At the limit it is unknown what follows.
        if limit >= len(site.data) or site.data[end.end() : limit].strip(_BLANK):
            yield Window(start, end.end(), ident, where)


def _beginning(site: Site) -> tuple[int, int, bytes, Where] | None:
    """Where the windows around the finding begin, the least offset of the "]" that ends them, and
    the identifier of the value that they begin with; None if there is nothing to repair."""
    value = site.value
    if value is not None:
        if site.code.startswith("SGF2"):
            return None
        entry = value.property
        where = _where(site, entry.ident)
        if where is Where.TEXTS and (site.code != "SGF118" or b"[" in value.raw):
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
    return site.flat.value_from[number] - 1, site.end - 1, ident.encode("latin-1"), where


def _value_before(site: Site) -> int | None:
    """The number of the value directly before the finding, if that does not begin with an
    identifier."""
    number = last_up_to(site.flat.value_to, site.start)
    if number < 0 or site.data[site.start : site.start + 1].isalpha():
        return None
    end = site.flat.value_to[number] + 1
    is_next = site.start - end < _LONGEST and not site.data[end : site.start].strip(_BLANK)
    return number if is_next else None


def _where(site: Site, ident: str) -> Where:
    """The kind of windows that values of the property are in."""
    definition = site.tree.define(ident)
    if definition is None:
        return Where.ANYWHERE
    if definition.is_text and not definition.format:
        return Where.TEXTS
    points = {"point", "move", "stone", ""}
    is_of_points = all({kind.first, kind.second} <= points for kind in definition.alternatives)
    return Where.POINTS if is_of_points else Where.ANYWHERE


def _candidates(site: Site, window: Window) -> Iterator[Candidate]:
    """The readings of the window in which one slip is undone, as far as they have no error."""
    text = site.data[window.start : window.end]
    unclosed = site.cached("unclosed", lambda: count_unclosed(site)) - _depth(text)[0]
    tried = {text}
    for slip in SLIPS:
        if slip.where not in _SLIPS_IN[window.where]:
            continue
        places = list(islice(slip.pattern.finditer(text), _PLACES))
        sets_of_places = [[place] for place in places]
        if len(places) > 1:
            sets_of_places.append(list(slip.pattern.finditer(text)))
        for chosen in sets_of_places:
            new = _replaced(text, chosen, slip.replacement)
            if new in tried:
                continue
            tried.add(new)
            findings = _findings(site, window, new)
            if findings is not None:
                left_out = b" ".join(_at(place).strip(_BLANK) for place in chosen)
                yield Candidate(
                    abs(unclosed + _depth(new)[0]),
                    findings,
                    len(_ALPHANUMERIC.findall(left_out)),
                    abs(len(text) - len(new)),
                    new,
                    left_out,
                    _reason(site, slip, chosen[0]),
                )


def _replaced(text: bytes, places: list[re.Match[bytes]], replacement: bytes) -> bytes:
    """The text with the replacement at these places."""
    parts = []
    end = 0
    for place in places:
        parts += [text[end : place.start()], place.expand(replacement)]
        end = place.end()
    return b"".join([*parts, text[end:]])


def _at(place: re.Match[bytes]) -> bytes:
    """What a slip replaces at a place: the match without the group that its replacement keeps."""
    return place[0][len(place[1]) if place.re.groups else 0 :]


def _reason(site: Site, slip: Slip, place: re.Match[bytes]) -> str:
    """The message about a slip at a place."""
    following = place.string[place.end() :].lstrip(_BLANK)
    codec = site.tree.charset
    here, after = (
        repr(text.strip(_BLANK).decode(codec, "backslashreplace"))
        for text in (_at(place), *_WORD.findall(following)[:1])
    )
    return slip.reason.format(here=here, next=after)


def _findings(site: Site, window: Window, text: bytes) -> tuple[int, int] | None:
    """The numbers of warnings and of hints about a reading of the window; None if it has an error,
    or a property that is unknown and nowhere else in the file.

    The reading is validated as a part of a game of its own.
    """
    text = window.ident + text
    depth, lowest = _depth(text)
    game = _head(site, text) + b"(;" * -lowest + text + b")" * (depth - lowest + 1)
    found = site.cached(("reading", game), lambda: _validate(game, site.tree.charset))
    if found is None:
        return None
    warnings, hints, unknown = found
    idents = site.cached("identifiers", lambda: set(map(site.flat.ident, _properties(site))))
    return (warnings, hints) if unknown <= idents else None


def _properties(site: Site) -> range:
    """The numbers of the properties of the file."""
    return range(len(site.flat.ident_start))


def _validate(game: bytes, charset: str) -> tuple[int, int, set[str]] | None:
    """The numbers of warnings and of hints about a game, and the identifiers of its unknown
    properties; None if it has an error."""
    if parse_if_strict(game) is None:
        return None
    report = validate(game, charset=charset, select=_JUDGES)
    if not report.ok:
        return None
    unknown = {each.ident or "" for each in report.diagnostics if each.code == "SGF804"}
    return report.counts[Severity.WARNING], report.counts[Severity.STYLE], unknown


def _depth(text: bytes) -> tuple[int, int]:
    """How many more "(" than ")" are in the text outside of values, and the least number of them up
    to any place."""
    depth = lowest = 0
    for token in _TOKEN.finditer(text):
        depth += {b"(": 1, b")": -1}.get(token[0], 0)
        lowest = min(lowest, depth)
    return depth, lowest


def _head(site: Site, text: bytes) -> bytes:
    """A root with the file format, game and size of the tree, as far as the text does not have
    them, and the beginning of a node if the site is not in the root."""
    tree = site.tree
    values = {b"FF": str(tree.file_format), b"GM": str(tree.game)}
    if tree.size is not None and tree.size != (19, 19):
        columns, rows = tree.size
        values[b"SZ"] = str(columns) if columns == rows else f"{columns}:{rows}"
    is_root = site.node.is_root
    given = "".join(
        f"{ident.decode()}[{value}]"
        for ident, value in values.items()
        if not is_root or ident + b"[" not in text
    )
    return b"(;" + given.encode() + (b"" if is_root else b";")
