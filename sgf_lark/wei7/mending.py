"""A text that is no JSON, mended with the fewest changes.

The members that the objects of wei7 have tell which bracket is missing or too many: a
"comment" does not stand in an array, and a "time" not in an action. Several ways to
mend a text are followed at once, and the one that costs least is taken. Only around a
place at which the best one fails are new ones tried, so that the effort grows with
the length of the text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from lark import Token

from sgf_lark.diagnostics import Words
from sgf_lark.wei7.json import ANY_VALUE, WORDS, Value, parse_tokens
from sgf_lark.wei7.pieces import Fault, Piece, pieces, quoted
from sgf_lark.wei7.rules import actions, objects

#: How many ways are followed at once, how many pieces are looked at again where all
#: fail, and how many changes are made before the rest of a text is given up.
_WAYS = 24
_BACK = 12
_CHANGES = 1000
#: What it costs to leave out everything.
_NOTHING_LEFT = 10
#: What an object costs where none belongs, or an array.
_WRONG_CONTAINER = 3
#: How many ways are followed into the end of the text.
_ENDED = 4
#: A way that costs so much more than the best is no longer followed, and none that costs
#: more behind so many pieces in which the best one did not fail.
_SLACK = 4
_SETTLED = 200

_TEXTS = {
    "RBRACE": "}",
    "RSQB": "]",
    "COMMA": ",",
    "COLON": ":",
    "LBRACE": "{",
    "LSQB": "[",
    "NULL": "null",
    "STRING": '""',
}
_CLOSERS = ("RBRACE", "RSQB")
_SCALARS = ("STRING", "NUMBER", "TRUE", "FALSE", "NULL")
_OPENERS = {"LBRACE": "object", "LSQB": "array"}
#: What may be inserted, and what that costs.
_INSERTED = {
    "RBRACE": 1,
    "RSQB": 1,
    "COMMA": 1,
    "COLON": 1,
    "LBRACE": 1,
    "LSQB": 1,
    "NULL": 2,
    "STRING": 3,
}
#: What may come: for each phase the terminals, for messages.
_EXPECTED = {
    "value": (ANY_VALUE,),
    "first value": (ANY_VALUE, WORDS["RSQB"]),
    "name": (WORDS["STRING"],),
    "first name": (WORDS["STRING"], WORDS["RBRACE"]),
    "colon": (WORDS["COLON"],),
    "member read": (WORDS["COMMA"], WORDS["RBRACE"]),
    "item read": (WORDS["COMMA"], WORDS["RSQB"]),
    "end": (WORDS["$END"],),
}


class _Open(NamedTuple):
    """An open object or array: what it is in wei7, or of what; None where unknown."""

    above: _Open | None
    kind: str
    type: str | None
    depth: int


class _Change(NamedTuple):
    """A piece that is left out, or a token inserted before it; `before` is the last change."""

    before: _Change | None
    place: int
    inserted: str | None
    expected: tuple[Words, ...]


class _Names(NamedTuple):
    """The members of the open objects so far."""

    above: _Names | None
    names: frozenset[str]


class _Way(NamedTuple):
    """One way to read the text up to some piece."""

    cost: int
    open: _Open | None
    phase: str
    #: The type of the value that comes next.
    type: str | None
    names: _Names | None
    changes: _Change | None

    @property
    def key(self) -> tuple[object, ...]:
        """Ways with the same key go on alike: what is open, and its members, is interned."""
        return id(self.open), self.phase, self.type, id(self.names)


class Mended(NamedTuple):
    """What a text was read as; None where nothing was left; and what it lacks of JSON."""

    value: Value | None
    faults: list[Fault]


def mend(text: str) -> Mended:
    """Reads a text that is no JSON."""
    found = [*pieces(text)]
    way = _Search(found).best()
    changes = _moved(found, _in_order(way.changes))
    dropped = {change.place for change in changes if change.inserted is None}
    inserted: dict[int, list[str]] = {}
    for change in changes:
        if change.inserted is not None:
            inserted.setdefault(change.place, []).append(change.inserted)
    tokens = _tokens(found, dropped, inserted)
    faults = [
        piece.fault
        for place, piece in enumerate(found)
        if piece.fault is not None and place not in dropped
    ]
    faults += _faults(text, found, changes)
    if not tokens and not faults:
        faults.append(Fault(len(text), len(text), WORDS["$END"], ANY_VALUE))
    faults.sort(key=lambda fault: (fault.start, fault.end))
    return Mended(parse_tokens(tokens) if tokens else None, faults)


def _tokens(found: list[Piece], dropped: set[int], inserted: dict[int, list[str]]) -> list[Token]:
    tokens: list[Token] = []
    end = 0
    for place in range(len(found) + 1):
        tokens += [
            Token(kind, _TEXTS[kind], start_pos=end, end_pos=end)
            for kind in inserted.get(place, ())
        ]
        if place < len(found) and place not in dropped:
            piece = found[place]
            tokens.append(Token(piece.type, piece.text, start_pos=piece.start, end_pos=piece.end))
            end = piece.end
    return tokens


def _in_order(last: _Change | None) -> list[_Change]:
    changes = []
    while last is not None:
        changes.append(last)
        last = last.before
    return changes[::-1]


def _moved(found: list[Piece], changes: list[_Change]) -> list[_Change]:
    """The changes with tokens inserted behind their like, and not before: where they lack."""
    moved: list[_Change] = []
    for change in reversed(changes):
        place = change.place
        taken = moved[-1].place if moved else len(found) + 1
        if change.inserted is not None and place < taken:
            while place < min(len(found), taken) and found[place].type == change.inserted:
                place += 1
        moved.append(change._replace(place=place))
    return moved[::-1]


def _faults(text: str, found: list[Piece], changes: list[_Change]) -> Iterator[Fault]:
    """A fault for each run of pieces left out, and of tokens inserted at one place."""
    run: list[_Change] = []
    for change, following in pairwise([*changes, None]):
        assert change is not None
        run.append(change)
        alike = following is not None and (following.inserted is None) == (change.inserted is None)
        near = following is not None and following.place - change.place == (change.inserted is None)
        if not (alike and near):
            yield _fault(text, found, run)
            run = []


def _fault(text: str, found: list[Piece], run: list[_Change]) -> Fault:
    first = run[0]
    if first.place == len(found):
        start = end = len(text)
        shown = WORDS["$END"]
    else:
        start = found[first.place].start
        end = found[run[-1].place].end
        shown = quoted(text[start:end])
    expected = first.expected
    if first.inserted is not None:
        expected = (WORDS.get(first.inserted, ANY_VALUE),)
    elif len(expected) > 1:
        own = WORDS.get(found[first.place].type)
        expected = tuple(words for words in expected if words != own)
    either = Words(
        " or ".join(words.en for words in expected), "或".join(words.zh for words in expected)
    )
    return Fault(start, end, shown, either)


class _Search:
    def __init__(self, found: list[Piece]) -> None:
        self.pieces = found
        self.ways = [_Way(0, None, "value", "document", None, None)]
        self._opened: dict[tuple[Any, ...], _Open] = {}
        self._names: dict[tuple[Any, ...], _Names] = {}
        self._members = {name: each.members for name, each in objects().items()}
        self._members["value"] = {}
        for kind in actions().values():
            self._members["value"] |= self._members.get(kind, {})

    def best(self) -> _Way:
        """The way that costs least."""
        # What the ways were before each of the last pieces.
        earlier: deque[list[_Way]] = deque(maxlen=_BACK)
        place = tried = 0
        while place <= len(self.pieces):
            cheapest = self.ways[0].cost
            if cheapest > _CHANGES:
                return self._given_up(place)
            following = self._read(place, 0 if place - tried > _SETTLED else _SLACK)
            if following and following[0].cost == cheapest:
                earlier.append(self.ways)
                self.ways = following
                place += 1
                continue
            back = min(len(earlier), place - tried)
            for _ in range(back):
                self.ways = earlier.pop()
            for again in range(place - back, place + 1):
                earlier.append(self.ways)
                self.ways = self._change(again)
            place = tried = place + 1
        return self.ways[0]

    def _read(self, place: int, slack: int) -> list[_Way]:
        """The ways behind a piece, but for those that cost more than the best and `slack`."""
        if place == len(self.pieces):
            return self._ended()
        return self._chosen((self._step(way, place) for way in self.ways), slack)

    def _change(self, place: int) -> list[_Way]:
        """As `_read`, but with every change that lets the ways go on."""
        if place == len(self.pieces):
            return self._ended()
        found: list[_Way | None] = []
        for way in self.ways:
            found += (self._step(way, place), self._without(way, place))
            found += self._with(way, place)
        return self._chosen(found)

    def _ended(self) -> list[_Way]:
        """The ways with everything closed, of those that have little to close."""
        likely = sorted(self.ways, key=lambda way: way.cost + (way.open.depth if way.open else 0))
        return self._chosen(map(self._end, likely[:_ENDED]))

    @staticmethod
    def _chosen(ways: Iterable[_Way | None], slack: int = _SLACK) -> list[_Way]:
        cheapest: dict[Any, _Way] = {}
        for way in filter(None, ways):
            known = cheapest.get(way.key)
            if known is None or way.cost < known.cost:
                cheapest[way.key] = way
        ranked = sorted(cheapest.values(), key=lambda way: way.cost)[:_WAYS]
        return [way for way in ranked if way.cost <= ranked[0].cost + slack]

    def _given_up(self, place: int) -> _Way:
        way = self.ways[0]
        for rest in range(place, len(self.pieces)):
            way = self._without(way, rest)
        return self._end(way)

    def _step(self, way: _Way, place: int) -> _Way | None:
        piece = self.pieces[place]
        if piece.type == "COMMENT":
            return self._without(way, place, cost=0)
        return self._token(way, piece.type, piece.text)

    def _without(self, way: _Way, place: int, cost: int = 1) -> _Way:
        change = _Change(way.changes, place, None, _EXPECTED[way.phase])
        return way._replace(cost=way.cost + cost, changes=change)

    def _with(self, way: _Way, place: int) -> Iterator[_Way]:
        """The ways with a token inserted before the piece, or with up to three closers."""
        for kind in _INSERTED:
            changed: _Way | None = way
            for _ in range(3 if kind == "RBRACE" else 1):
                options = _CLOSERS if kind == "RBRACE" else (kind,)
                changed = self._inserted(changed, options, place)
                following = self._step(changed, place) if changed is not None else None
                if following is not None:
                    yield following
                    break

    def _inserted(self, way: _Way | None, options: tuple[str, ...], place: int) -> _Way | None:
        """The way with the first of these tokens that may stand here."""
        for kind in options:
            after = None if way is None else self._token(way, kind, _TEXTS[kind])
            if after is not None:
                change = _Change(after.changes, place, kind, ())
                return after._replace(cost=after.cost + _INSERTED[kind], changes=change)
        return None

    def _end(self, way: _Way) -> _Way:
        """Everything closed behind the last piece."""
        while way.open is not None:
            closed = self._inserted(way, (*_CLOSERS, "NULL", "COLON", "STRING"), len(self.pieces))
            assert closed is not None
            way = closed
        return way if way.phase == "end" else way._replace(cost=way.cost + _NOTHING_LEFT)

    # The grammar, and what costs something though it is JSON

    def _token(self, way: _Way, kind: str, text: str) -> _Way | None:
        """The way behind a token, or None where JSON does not have it there."""
        phase = way.phase
        if phase in ("name", "first name") and kind == "STRING":
            return self._name(way, text)
        if kind == "COLON":
            return way._replace(phase="value") if phase == "colon" else None
        if kind == "COMMA":
            return self._comma(way)
        if kind in _CLOSERS:
            return self._close(way, kind)
        if phase not in ("value", "first value"):
            return None
        if kind in _OPENERS:
            return self._open(way, _OPENERS[kind])
        if kind not in _SCALARS:
            return None
        meant = way.type
        is_wrong = meant is not None and (
            meant.startswith("list of ")
            or (meant in self._members and meant not in ("size", "point", "value"))
        )
        return self._after(way._replace(cost=way.cost + is_wrong))

    def _name(self, way: _Way, text: str) -> _Way:
        assert way.open is not None and way.names is not None
        name = text[1:-1]
        known = None if way.open.type is None else self._members[way.open.type]
        cost = way.cost + (name in way.names.names) + (known is not None and name not in known)
        names = self._interned(way.names.above, way.names.names | {name})
        meant = None if known is None else known.get(name)
        return way._replace(cost=cost, phase="colon", type=meant, names=names)

    def _interned(self, above: _Names | None, names: frozenset[str]) -> _Names:
        return self._names.setdefault((id(above), names), _Names(above, names))

    def _comma(self, way: _Way) -> _Way | None:
        if way.phase == "member read":
            return way._replace(phase="name")
        if way.phase == "item read":
            assert way.open is not None
            return way._replace(phase="value", type=way.open.type)
        return None

    def _open(self, way: _Way, kind: str) -> _Way:
        meant = way.type
        if kind == "object":
            inner = meant if meant in self._members else None
        else:
            is_list = meant is not None and meant.startswith("list of ")
            inner = meant.removeprefix("list of ") if meant is not None and is_list else None
        cost = way.cost + (_WRONG_CONTAINER if inner is None and meant is not None else 0)
        key = (id(way.open), kind, inner)
        depth = 1 if way.open is None else way.open.depth + 1
        opened = self._opened.setdefault(key, _Open(way.open, kind, inner, depth))
        names = self._interned(way.names, frozenset())
        phase = "first name" if kind == "object" else "first value"
        return _Way(cost, opened, phase, inner, names, way.changes)

    def _close(self, way: _Way, kind: str) -> _Way | None:
        phases = ("first name", "member read") if kind == "RBRACE" else ("first value", "item read")
        if way.phase not in phases:
            return None
        assert way.open is not None and way.names is not None
        cost = way.cost
        if kind == "RBRACE" and way.open.type in objects():
            required = objects()[way.open.type].required
            cost += sum(name not in way.names.names for name in required)
        return self._after(way._replace(cost=cost, open=way.open.above, names=way.names.above))

    @staticmethod
    def _after(way: _Way) -> _Way:
        """Behind a value."""
        if way.open is None:
            return way._replace(phase="end", type=None)
        phase = "member read" if way.open.kind == "object" else "item read"
        return way._replace(phase=phase, type=way.open.type)
