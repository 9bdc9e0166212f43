"""Repairs a text that is not JSON with as few edits as possible.

The members of the objects of wei7 show which bracket is missing or redundant: a "comment"
cannot be in an array, nor a "time" in an action. The repair is a beam search. A state is a
way to parse the pieces of the text up to some index, with the edits so far and their cost;
the cheapest states are kept. New edits are only tried near a piece at which the cheapest
state fails, so that the time is linear in the length of the text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from lark import Token

from sgf_lark.diagnostics import Words
from sgf_lark.wei7.json import ANY_VALUE, WORDS, Value, parse_tokens
from sgf_lark.wei7.rules import actions, objects
from sgf_lark.wei7.tolerant_lexer import Fault, Piece, lex, quoted

#: The number of states that are kept for each piece.
_BEAM_WIDTH = 24
#: The number of pieces to go back if all states fail.
_BACKTRACK = 12
#: The rest of the text is deleted if the cost of the cheapest state exceeds this.
_MAX_COST = 1000
#: The number of states that are closed at the end of the text.
_END_STATES = 4
#: A state is dropped if it costs this much more than the cheapest one.
_MAX_EXTRA_COST = 4
#: All states but the cheapest ones are dropped after this many pieces without a new edit.
_SETTLED_AFTER = 200
#: The additional cost of deleting everything.
_EMPTY_COST = 10
#: The additional cost of an object or array where the type in wei7 is another one.
_WRONG_CONTAINER_COST = 3

#: The tokens that can be inserted, and the cost of each.
_INSERTION_COSTS = {
    "RBRACE": 1,
    "RSQB": 1,
    "COMMA": 1,
    "COLON": 1,
    "LBRACE": 1,
    "LSQB": 1,
    "NULL": 2,
    "STRING": 3,
}
#: The text of each inserted token.
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
_LIST_OF = "list of "
#: Phase of the parse -> the terminals that are expected, in words.
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


class _Container(NamedTuple):
    """An open object or array.

    `type` is the type of the object, or of the items of the array, in wei7; None if it is
    unknown.
    """

    above: _Container | None
    kind: str
    type: str | None
    depth: int


class _MemberNames(NamedTuple):
    """The names of the members of an open container so far."""

    above: _MemberNames | None
    names: frozenset[str]


class _Edit(NamedTuple):
    """The piece with the number `at` is deleted, or a token is inserted before it."""

    previous: _Edit | None
    at: int
    inserted: str | None
    expected: tuple[Words, ...]


class _State(NamedTuple):
    """One way to parse the pieces up to some index."""

    cost: int
    container: _Container | None
    phase: str
    #: The type in wei7 of the next value.
    type: str | None
    names: _MemberNames | None
    last_edit: _Edit | None

    @property
    def key(self) -> tuple[object, ...]:
        """States with the same key continue in the same way.

        Containers and names are interned, so that their identities can be compared.
        """
        return id(self.container), self.phase, self.type, id(self.names)


class Repaired(NamedTuple):
    """The value of a repaired text, None if everything was deleted, and the faults."""

    value: Value | None
    faults: list[Fault]


def repair(text: str) -> Repaired:
    """Parse a text that is not JSON."""
    pieces = [*lex(text)]
    edits = _after_equal_tokens(pieces, _in_order(_Search(pieces).cheapest().last_edit))
    deleted = {edit.at for edit in edits if edit.inserted is None}
    tokens = _tokens(pieces, deleted, edits)
    faults = [
        piece.fault
        for index, piece in enumerate(pieces)
        if piece.fault is not None and index not in deleted
    ]
    faults += _faults(text, pieces, edits)
    if not tokens and not faults:
        faults.append(Fault(len(text), len(text), WORDS["$END"], ANY_VALUE))
    faults.sort(key=lambda fault: (fault.start, fault.end))
    return Repaired(parse_tokens(tokens) if tokens else None, faults)


def _in_order(last: _Edit | None) -> list[_Edit]:
    edits = []
    while last is not None:
        edits.append(last)
        last = last.previous
    return edits[::-1]


def _after_equal_tokens(pieces: list[Piece], edits: list[_Edit]) -> list[_Edit]:
    """Move each insertion after the pieces of the same type.

    If a text has two closing brackets instead of three, the third one is missing after
    these, not before them.
    """
    moved: list[_Edit] = []
    for edit in reversed(edits):
        index = edit.at
        limit = moved[-1].at if moved else len(pieces) + 1
        if edit.inserted is not None and index < limit:
            while index < min(len(pieces), limit) and pieces[index].type == edit.inserted:
                index += 1
        moved.append(edit._replace(at=index))
    return moved[::-1]


def _tokens(pieces: list[Piece], deleted: set[int], edits: list[_Edit]) -> list[Token]:
    """The tokens of the repaired text."""
    inserted: dict[int, list[str]] = {}
    for edit in edits:
        if edit.inserted is not None:
            inserted.setdefault(edit.at, []).append(edit.inserted)
    tokens: list[Token] = []
    end = 0
    for index in range(len(pieces) + 1):
        tokens += [
            Token(terminal, _TEXTS[terminal], start_pos=end, end_pos=end)
            for terminal in inserted.get(index, ())
        ]
        if index < len(pieces) and index not in deleted:
            piece = pieces[index]
            tokens.append(Token(piece.type, piece.text, start_pos=piece.start, end_pos=piece.end))
            end = piece.end
    return tokens


def _faults(text: str, pieces: list[Piece], edits: list[_Edit]) -> Iterator[Fault]:
    """A fault for each run of deleted pieces, and of tokens inserted at one index."""
    run: list[_Edit] = []
    for edit, following in pairwise([*edits, None]):
        assert edit is not None
        run.append(edit)
        is_deletion = edit.inserted is None
        continues = (
            following is not None
            and (following.inserted is None) == is_deletion
            and following.at - edit.at == is_deletion
        )
        if not continues:
            yield _fault(text, pieces, run)
            run = []


def _fault(text: str, pieces: list[Piece], run: list[_Edit]) -> Fault:
    first = run[0]
    if first.at == len(pieces):
        start = end = len(text)
        found = WORDS["$END"]
    else:
        start = pieces[first.at].start
        end = pieces[run[-1].at].end
        found = quoted(text[start:end])
    expected = first.expected
    if first.inserted is not None:
        expected = (WORDS.get(first.inserted, ANY_VALUE),)
    elif len(expected) > 1:
        own = WORDS.get(pieces[first.at].type)
        expected = tuple(words for words in expected if words != own)
    either = Words(
        " or ".join(words.en for words in expected), "或".join(words.zh for words in expected)
    )
    return Fault(start, end, found, either)


class _Search:
    """The beam search for the cheapest edits."""

    def __init__(self, pieces: list[Piece]) -> None:
        self._pieces = pieces
        #: The states before the current piece, cheapest first.
        self._states = [_State(0, None, "value", "document", None, None)]
        self._containers: dict[tuple[Any, ...], _Container] = {}
        self._names: dict[tuple[Any, ...], _MemberNames] = {}
        #: Type in wei7 -> the types of its members, by name. "value" has those of all actions.
        self._members = {name: each.members for name, each in objects().items()}
        self._members["value"] = {}
        for action_type in actions().values():
            self._members["value"] |= self._members.get(action_type, {})

    def cheapest(self) -> _State:
        """The cheapest state after the last piece."""
        # The states before each of the previous pieces.
        earlier: deque[list[_State]] = deque(maxlen=_BACKTRACK)
        # The index after the last piece near which edits were tried.
        index = edited = 0
        while index <= len(self._pieces):
            cost = self._states[0].cost
            if cost > _MAX_COST:
                return self._without_rest(index)
            following = self._step_all(
                index, 0 if index - edited > _SETTLED_AFTER else _MAX_EXTRA_COST
            )
            if following and following[0].cost == cost:
                earlier.append(self._states)
                self._states = following
                index += 1
                continue
            back = min(len(earlier), index - edited)
            for _ in range(back):
                self._states = earlier.pop()
            for again in range(index - back, index + 1):
                earlier.append(self._states)
                self._states = self._edit_all(again)
            index = edited = index + 1
        return self._states[0]

    # All states

    def _step_all(self, index: int, max_extra_cost: int) -> list[_State]:
        """The states after a piece, without new edits."""
        if index == len(self._pieces):
            return self._end_all()
        return self._beam((self._step(state, index) for state in self._states), max_extra_cost)

    def _edit_all(self, index: int) -> list[_State]:
        """The states after a piece, with every new edit there that lets a state continue."""
        if index == len(self._pieces):
            return self._end_all()
        found: list[_State | None] = []
        for state in self._states:
            found += (self._step(state, index), self._delete(state, index))
            found += self._insert_any(state, index)
        return self._beam(found)

    def _end_all(self) -> list[_State]:
        """The states with all containers closed, of those that have few to close."""
        likely = sorted(
            self._states,
            key=lambda state: state.cost + (state.container.depth if state.container else 0),
        )
        return self._beam(map(self._end, likely[:_END_STATES]))

    @staticmethod
    def _beam(
        states: Iterable[_State | None], max_extra_cost: int = _MAX_EXTRA_COST
    ) -> list[_State]:
        """The states to keep: the cheapest for each key, of these the cheapest."""
        by_key: dict[Any, _State] = {}
        for state in filter(None, states):
            known = by_key.get(state.key)
            if known is None or state.cost < known.cost:
                by_key[state.key] = state
        ranked = sorted(by_key.values(), key=lambda state: state.cost)[:_BEAM_WIDTH]
        return [state for state in ranked if state.cost <= ranked[0].cost + max_extra_cost]

    def _without_rest(self, index: int) -> _State:
        """The cheapest state with all pieces from `index` deleted."""
        state = self._states[0]
        for rest in range(index, len(self._pieces)):
            state = self._delete(state, rest)
        return self._end(state)

    # One state

    def _step(self, state: _State, index: int) -> _State | None:
        """The state after a piece; None if JSON does not allow the piece there."""
        piece = self._pieces[index]
        if piece.type == "COMMENT":
            return self._delete(state, index, cost=0)
        return self._shift(state, piece.type, piece.text)

    def _delete(self, state: _State, index: int, cost: int = 1) -> _State:
        edit = _Edit(state.last_edit, index, None, _EXPECTED[state.phase])
        return state._replace(cost=state.cost + cost, last_edit=edit)

    def _insert_any(self, state: _State, index: int) -> Iterator[_State]:
        """The states after a piece with a token, or up to three closers, inserted before it."""
        for terminal in _INSERTION_COSTS:
            edited: _State | None = state
            for _ in range(3 if terminal == "RBRACE" else 1):
                options = _CLOSERS if terminal == "RBRACE" else (terminal,)
                edited = self._insert(edited, options, index)
                following = self._step(edited, index) if edited is not None else None
                if following is not None:
                    yield following
                    break

    def _insert(self, state: _State | None, options: tuple[str, ...], index: int) -> _State | None:
        """The state after the first of these tokens that JSON allows there."""
        for terminal in options:
            after = None if state is None else self._shift(state, terminal, _TEXTS[terminal])
            if after is not None:
                edit = _Edit(after.last_edit, index, terminal, ())
                return after._replace(cost=after.cost + _INSERTION_COSTS[terminal], last_edit=edit)
        return None

    def _end(self, state: _State) -> _State:
        """The state after the end of the text, with all containers closed."""
        while state.container is not None:
            options = (*_CLOSERS, "NULL", "COLON", "STRING")
            closed = self._insert(state, options, len(self._pieces))
            assert closed is not None
            state = closed
        return state if state.phase == "end" else state._replace(cost=state.cost + _EMPTY_COST)

    # The grammar of JSON, and the cost of what wei7 does not allow

    def _shift(self, state: _State, terminal: str, text: str) -> _State | None:
        """The state after a token; None if JSON does not allow the token there."""
        if terminal == "STRING" and state.phase in ("name", "first name"):
            return self._shift_name(state, text)
        if terminal == "COLON":
            return state._replace(phase="value") if state.phase == "colon" else None
        if terminal == "COMMA":
            return self._shift_comma(state)
        if terminal in _CLOSERS:
            return self._close(state, terminal)
        if state.phase not in ("value", "first value"):
            return None
        if terminal in _OPENERS:
            return self._open(state, _OPENERS[terminal])
        return self._shift_scalar(state) if terminal in _SCALARS else None

    def _shift_scalar(self, state: _State) -> _State:
        is_wrong = state.type is not None and (
            state.type.startswith(_LIST_OF)
            or (state.type in self._members and state.type not in ("size", "point", "value"))
        )
        return self._after_value(state._replace(cost=state.cost + is_wrong))

    def _shift_name(self, state: _State, text: str) -> _State:
        assert state.container is not None and state.names is not None
        name = text[1:-1]
        known = None if state.container.type is None else self._members[state.container.type]
        is_repeated = name in state.names.names
        is_unknown = known is not None and name not in known
        return state._replace(
            cost=state.cost + is_repeated + is_unknown,
            phase="colon",
            type=None if known is None else known.get(name),
            names=self._interned(state.names.above, state.names.names | {name}),
        )

    def _interned(self, above: _MemberNames | None, names: frozenset[str]) -> _MemberNames:
        return self._names.setdefault((id(above), names), _MemberNames(above, names))

    def _shift_comma(self, state: _State) -> _State | None:
        if state.phase == "member read":
            return state._replace(phase="name")
        if state.phase == "item read":
            assert state.container is not None
            return state._replace(phase="value", type=state.container.type)
        return None

    def _open(self, state: _State, kind: str) -> _State:
        inner = None
        if kind == "object" and state.type in self._members:
            inner = state.type
        elif kind == "array" and state.type is not None and state.type.startswith(_LIST_OF):
            inner = state.type.removeprefix(_LIST_OF)
        is_wrong = inner is None and state.type is not None
        depth = 1 if state.container is None else state.container.depth + 1
        container = self._containers.setdefault(
            (id(state.container), kind, inner), _Container(state.container, kind, inner, depth)
        )
        return _State(
            state.cost + (_WRONG_CONTAINER_COST if is_wrong else 0),
            container,
            "first name" if kind == "object" else "first value",
            inner,
            self._interned(state.names, frozenset()),
            state.last_edit,
        )

    def _close(self, state: _State, terminal: str) -> _State | None:
        is_object = terminal == "RBRACE"
        phases = ("first name", "member read") if is_object else ("first value", "item read")
        if state.phase not in phases:
            return None
        assert state.container is not None and state.names is not None
        cost = state.cost
        if is_object and state.container.type in objects():
            required = objects()[state.container.type].required
            cost += sum(name not in state.names.names for name in required)
        return self._after_value(
            state._replace(cost=cost, container=state.container.above, names=state.names.above)
        )

    @staticmethod
    def _after_value(state: _State) -> _State:
        if state.container is None:
            return state._replace(phase="end", type=None)
        phase = "member read" if state.container.kind == "object" else "item read"
        return state._replace(phase=phase, type=state.container.type)
