"""Repairs a text that is not JSON, by the method of Burke and Fisher.

Where the parser fails, it tries one edit at each of the last pieces: some are deleted, or a token
is inserted. The edit after which most of the next pieces fit is made, and parsing continues. The
members of the objects of wei7 show which bracket is missing or redundant: for the parser a
"comment" in an array is as wrong as a missing comma, and so is a "time" in an action.

Libraries that know JSON only do not serve here: of the seven kinds of faults in the examples of the
document, json-repair 0.64 repairs two as they were meant, and tree-sitter-json 0.24 three; of the
164 steps of example 8.4 they keep none and 24. json-repair does not say what it changed, either.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from sgf_lark.diagnostics import Words
from sgf_lark.wei7.findings import Located, not_json
from sgf_lark.wei7.models import Document
from sgf_lark.wei7.shapes import Shape, shape_of
from sgf_lark.wei7.tolerant_lexer import WORDS, Piece, lex, quoted

#: Edits are tried at this number of pieces before a failure, and judged by as many after it.
_NEAR = 12
#: At most this number of pieces are deleted at once, or of brackets inserted.
_MOST_AT_ONCE = 3
#: After this number of failures pieces that do not fit are deleted, so that garbage takes no time.
_MOST_SEARCHES = 1000

#: The cost of a value of a wrong kind, such as an object in an array of numbers.
_WRONG_KIND = 3

#: The tokens that can be inserted, as text; the brackets that close are tried in runs.
_TEXTS = {
    "COMMA": ",",
    "COLON": ":",
    "LBRACE": "{",
    "LSQB": "[",
    "NULL": "null",
    "STRING": '""',
    "RBRACE": "}",
    "RSQB": "]",
}
_CLOSERS = frozenset({"RBRACE", "RSQB"})
#: An opening bracket costs more than the others: none was meant to be there.
_OPENERS = frozenset({"LBRACE", "LSQB"})
_ANY_VALUE = Words("a value", "值")
#: Phase of the parser -> the tokens that are expected; the last one ends the container.
_EXPECTED = {
    "value": ("NULL",),
    "first value": ("NULL", "RSQB"),
    "name": ("STRING",),
    "first name": ("STRING", "RBRACE"),
    "colon": ("COLON",),
    "member read": ("COMMA", "RBRACE"),
    "item read": ("COMMA", "RSQB"),
    "end": ("$END",),
}


class _Container(NamedTuple):
    """An open object or array; `shape` is None if wei7 has none there."""

    above: _Container | None
    kind: str
    shape: Shape | None
    depth: int
    #: The members of an object so far that wei7 knows.
    names: frozenset[str] = frozenset()


class _State(NamedTuple):
    """The parser between two pieces; `errors` counts what wei7 does not allow."""

    container: _Container | None = None
    phase: str = "value"
    #: The shape of the next value.
    shape: Shape | None = None
    errors: int = 0


class _Edit(NamedTuple):
    """Pieces from `at` on are deleted, or tokens are inserted before the piece `at`."""

    at: int
    phase: str
    deleted: int = 0
    inserted: tuple[str, ...] = ()

    def is_continued_by(self, other: _Edit) -> bool:
        """Whether both delete pieces, without others between them."""
        return bool(self.deleted and other.deleted) and self.at + self.deleted == other.at


class Repaired(NamedTuple):
    """The tokens of the repaired text, none if there is no value, and the faults."""

    tokens: list[Piece]
    faults: list[Located]


def repair(text: str) -> Repaired:
    """The tokens of a text, with few edits if it is not JSON."""
    pieces: list[Piece] = []
    faults: list[Located] = []
    for piece in lex(text):
        if piece.type == "COMMENT":
            faults.append(not_json(piece.start, piece.end, quoted(piece.text), WORDS["$END"]))
        else:
            pieces.append(piece)
    tokens: list[Piece] = []
    position = 0
    for edit in _Parser(pieces).edits():
        tokens += pieces[position : edit.at]
        end = tokens[-1].end if tokens else 0
        tokens += [Piece(kind, end, end, _TEXTS[kind]) for kind in edit.inserted]
        position = edit.at + edit.deleted
        faults.append(_fault(text, pieces, edit))
    tokens += pieces[position:]
    faults += [token.fault for token in tokens if token.fault is not None]
    if not tokens and not faults:
        faults.append(not_json(len(text), len(text), WORDS["$END"], _ANY_VALUE))
    return Repaired(tokens, sorted(faults, key=lambda fault: (fault.start, fault.end)))


def _fault(text: str, pieces: list[Piece], edit: _Edit) -> Located:
    start = end = len(text)
    found = WORDS["$END"]
    if edit.at < len(pieces):
        start = pieces[edit.at].start
        end = pieces[edit.at + max(edit.deleted, 1) - 1].end
        found = quoted(text[start:end])
    expected = edit.inserted[:1]
    if edit.deleted:
        own = pieces[edit.at].type
        expected = tuple(kind for kind in _EXPECTED[edit.phase] if kind != own)
    words = [_ANY_VALUE if kind == "NULL" else WORDS[kind] for kind in expected]
    either = " or ".join(each.en for each in words), "或".join(each.zh for each in words)
    return not_json(start, end, found, Words(*either))


class _Parser:
    """Parses pieces, and edits them where it fails."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        #: The states before the last pieces, and before the next one.
        self.states = deque([_State(shape=shape_of(Document))], _NEAR + 1)
        self.searches = 0
        openers = {"LBRACE": 1, "LSQB": 1, "RBRACE": -1, "RSQB": -1}
        #: The number of brackets that close, less those that open, from each piece to the end.
        self.surplus = [0]
        for piece in reversed(pieces):
            self.surplus.append(self.surplus[-1] - openers.get(piece.type, 0))
        self.surplus.reverse()

    def edits(self) -> list[_Edit]:
        """The edits after which the pieces are JSON, in order."""
        if self._are_json():
            return []
        found: list[_Edit] = []
        index = 0
        while index < len(self.pieces) or self.states[-1].container is not None:
            state = self.states[-1]
            following = self._step(state, index)
            if following is None or following.errors > state.errors:
                edit, following = self._choose(index, following)
                if edit is not None:
                    index = edit.at + edit.deleted
                    if found and found[-1].is_continued_by(edit):
                        before = found.pop()
                        edit = before._replace(deleted=before.deleted + edit.deleted)
                    found.append(edit)
                    self.states.clear()
                    self.states.append(following)
                    continue
            self.states.append(following)
            index += 1
        return found

    def _are_json(self) -> bool:
        """Whether no edit is needed, whatever wei7 allows."""
        state: _State | None = _State()
        for index in range(len(self.pieces)):
            state = state and self._step(state, index)
        return state is not None and state.phase == "end"

    def _step(self, state: _State, index: int) -> _State | None:
        """The state after a piece; None if JSON does not allow it there."""
        if index == len(self.pieces):
            return None
        return _shift(state, self.pieces[index].type, self.pieces[index].text)

    def _choose(self, index: int, following: _State | None) -> tuple[_Edit | None, _State]:
        """The best edit for a failure before the piece `index`, and the state after it.

        It is None if the piece is best left, as an unknown member is, with the state `following`.
        """
        options: Iterable[tuple[_Edit | None, _State]] = self._options(index)
        if following is not None:
            options = chain([(None, following)], options)
        self.searches += 1
        if self.searches > _MOST_SEARCHES:
            return next(iter(options))
        best, lowest = None, (sys.maxsize, 0)
        for option in options:
            rank = self._rank(index, *option, lowest[0])
            if rank < lowest:
                best, lowest = option, rank
        assert best is not None
        return best

    def _rank(self, index: int, edit: _Edit | None, state: _State, limit: int) -> tuple[int, int]:
        """The cost of an edit and of the next pieces after it, of which some do not fit.

        Of edits with the same cost that is better after which as many brackets are open as the
        rest of the text closes. The cost may be too low if it is above `limit`.
        """
        cost, position = 0, index + 1
        if edit is not None:
            cost = edit.deleted + len(edit.inserted) + (not _OPENERS.isdisjoint(edit.inserted))
            position = edit.at + edit.deleted
        depth = state.container.depth if state.container is not None else 0
        difference = abs(depth - self.surplus[position])
        end = min(len(self.pieces), index + _NEAR)
        while position < end and cost + state.errors <= limit:
            following = self._step(state, position)
            cost += following is None
            state = following or state
            position += 1
        if position == len(self.pieces):
            inserted, state = _closing(state)
            cost += len(inserted)
        return cost + state.errors, difference

    def _options(self, index: int) -> Iterator[tuple[_Edit, _State]]:
        """The edits to try, with the states after them."""
        if index == len(self.pieces):
            inserted, state = _closing(self.states[-1])
            yield _Edit(index, self.states[-1].phase, 0, inserted), state
        for at, state in zip(range(index, -1, -1), reversed(self.states), strict=False):
            for deleted in range(1, min(_MOST_AT_ONCE, len(self.pieces) - at) + 1):
                yield _Edit(at, state.phase, deleted), state
            for kind in ("COMMA", "COLON", *_OPENERS):
                after = _shift(state, kind, _TEXTS[kind])
                if after is not None:
                    yield _Edit(at, state.phase, 0, (kind,)), after
            closers: tuple[str, ...] = ()
            closed = state
            for _ in range(_MOST_AT_ONCE):
                kind = _EXPECTED[closed.phase][-1]
                if kind not in _CLOSERS:
                    break
                closed = _close(closed)
                closers += (kind,)
                yield _Edit(at, state.phase, 0, closers), closed


def _closing(state: _State) -> tuple[tuple[str, ...], _State]:
    """The tokens to insert at the end of the text, and the state after them."""
    inserted: list[str] = []
    while state.container is not None:
        inserted.append(_EXPECTED[state.phase][-1])
        following = _shift(state, inserted[-1], _TEXTS[inserted[-1]])
        assert following is not None
        state = following
    return tuple(inserted), state._replace(phase="end")


# The grammar of JSON, and what wei7 does not allow


def _shift(state: _State, kind: str, text: str) -> _State | None:
    """The state after a token; None if JSON does not allow it there."""
    container, phase = state.container, state.phase
    if kind in _CLOSERS:
        return _close(state) if kind == _EXPECTED[phase][-1] else None
    if kind == "STRING" and phase in ("name", "first name"):
        return _shift_name(state, text[1:-1])
    if kind == "COLON":
        return state._replace(phase="value") if phase == "colon" else None
    if kind == "COMMA" and phase == "member read":
        return state._replace(phase="name")
    if kind == "COMMA" and phase == "item read" and container is not None:
        return _State(container, "value", _item(container), state.errors)
    if phase not in ("value", "first value") or kind in ("COMMA", "JUNK"):
        return None
    shape = state.shape
    # What is in a value of an unknown or wrong kind is wrong, too.
    wrong, right = (1, ()) if shape is None else (_WRONG_KIND, shape.kinds)
    if kind not in _OPENERS:
        fits = not {"string", "number", "null"}.isdisjoint(right)
        return _after_value(container, state.errors + (0 if fits else wrong))
    opened, phase = ("object", "first name") if kind == "LBRACE" else ("array", "first value")
    fits = opened in right
    depth = 1 if container is None else container.depth + 1
    container = _Container(container, opened, shape if fits else None, depth)
    return _State(container, phase, _item(container), state.errors + (0 if fits else wrong))


def _item(container: _Container) -> Shape | None:
    return None if container.shape is None else container.shape.item


def _shift_name(state: _State, name: str) -> _State:
    container, errors = state.container, state.errors
    assert container is not None
    if container.shape is None:
        return _State(container, "colon", None, errors)
    shape = container.shape.members.get(name)
    errors += shape is None or name in container.names
    if shape is not None:
        container = container._replace(names=container.names | {name})
    return _State(container, "colon", shape, errors)


def _close(state: _State) -> _State:
    container = state.container
    assert container is not None
    return _after_value(container.above, state.errors)


def _after_value(container: _Container | None, errors: int) -> _State:
    if container is None:
        return _State(None, "end", None, errors)
    phase = "member read" if container.kind == "object" else "item read"
    return _State(container, phase, None, errors)
