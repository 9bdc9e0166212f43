"""One loop that runs the LALR(1) table and the contextual lexer of a Lark parser.

It gives what Lark's own parser gives with a `transformer`: each production calls the method
of its name with the list of its children. It is leaner, because it counts neither lines nor
columns, and it can skip regions of the input that another parser reads faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from sgf_lark.lalr_tables import CHILDREN, ITSELF, LALRTables

_END = "$END"

#: Reads the region of a symbol by other means. Given the offset at which the symbol begins:
#: its value and the offset after it, or None where that region cannot be skipped.
Skip = Callable[[int], tuple[Any, int] | None]

Matcher = Callable[[str, int], "re.Match[str] | None"]


class Token(str):
    """A terminal in the input: `type` is the name of the terminal, `start_pos` its offset."""

    __slots__ = ("start_pos", "type")
    type: str
    start_pos: int


class LALRParser:
    """Parses with the methods of a `transformer` as callbacks, as Lark does.

    A production calls the method of its name, or of its alias, with the list of its children;
    without such a method, ``transformer.__default__(name, children, None)``. A terminal that
    is ignored calls the method of its name, if there is one, with the token.

    `skips` are symbols whose regions may be skipped, each with the terminal that it begins
    with and the function that reads the region.
    """

    def __init__(
        self,
        tables: LALRTables,
        transformer: Any,
        skips: Mapping[str, tuple[str, Skip]] | None = None,
    ) -> None:
        self._tables = tables
        #: State -> what finds the terminal at an offset; its name is that of the group. States
        #: are added when they are first reached: most values reach few of them.
        self._matchers: dict[int, Matcher] = {}
        self._reductions = [
            (
                len(contributions),
                origin,
                None if set(contributions) <= {ITSELF} else contributions,
                _callback(transformer, name),
            )
            for origin, name, contributions in tables.productions
        ]
        self._ignored: dict[str, Any] = {
            name: getattr(transformer, name, None) for name in tables.ignored
        }
        #: State and lookahead -> the function that reads the region of a symbol, and the
        #: state to go to after that symbol.
        self._skips = {
            (state, terminal): (skip, row[symbol])
            for symbol, (terminal, skip) in (skips or {}).items()
            for state, row in tables.states.items()
            if symbol in row
        }

    def parse(self, text: str, start: str) -> Any:
        """The value of `text` by the start production `start`.

        Raises ValueError where `text` is not in its language.
        """
        table, reductions, skips = self._tables.states, self._reductions, self._skips
        end_state = self._tables.end_states[start]
        state = self._tables.start_states[start]
        states, values = [state], list[Any]()
        position = 0
        while True:
            token, lookahead, position = self._next(state, text, position)
            action = table[state].get(lookahead)
            while action is not None and action < 0:
                size, origin, contributions, callback = reductions[~action]
                children = values[-size:] if size else []
                if size:
                    del states[-size:], values[-size:]
                if contributions is not None:
                    children = _contributed(children, contributions)
                values.append(children if callback is None else callback(children))
                state = table[states[-1]][origin]
                states.append(state)
                if lookahead == _END and state == end_state:
                    return values[-1]
                action = table[state].get(lookahead)
            if action is None or token is None:
                raise ValueError(f"{text!r} is not a {start}")
            value: Any = token
            if (state, lookahead) in skips:
                value, position, action = self._skip(state, token, action, position)
            state = action
            states.append(state)
            values.append(value)

    def _next(self, state: int, text: str, position: int) -> tuple[Token | None, str, int]:
        """The next token, the name of its terminal, and the offset after it."""
        while position < len(text):
            matcher = self._matchers.get(state) or self._add_matcher(state)
            match = matcher(text, position)
            if match is None:
                return None, "", position
            token = Token(match[0])
            token.type = name = match.lastgroup or ""
            token.start_pos = position
            position = match.end()
            if name not in self._ignored:
                return token, name, position
            if self._ignored[name] is not None:
                self._ignored[name](token)
        return None, _END, position

    def _add_matcher(self, state: int) -> Matcher:
        matcher = self._matchers[state] = _matcher(self._tables.lexers[state])
        return matcher

    def _skip(self, state: int, token: Token, action: int, position: int) -> tuple[Any, int, int]:
        """The value of the symbol that begins with `token`, the offset after its region, and
        the state to go to after it; where it cannot be skipped, those of the token itself."""
        skip, following = self._skips[state, token.type]
        found = skip(token.start_pos)
        return (token, position, action) if found is None else (*found, following)


@cache
def _matcher(pattern: str) -> Matcher:
    return re.compile(pattern).match


def _callback(transformer: Any, name: str) -> Callable[[list[Any]], Any] | None:
    if name.startswith("_"):
        return None
    method: Callable[[list[Any]], Any] | None = getattr(transformer, name, None)
    if method is None:
        return partial(_default, transformer, name)
    return method


def _default(transformer: Any, name: str, children: list[Any]) -> Any:
    return transformer.__default__(name, children, None)


def _contributed(values: list[Any], contributions: tuple[int, ...]) -> list[Any]:
    """The children of a production whose symbols have these values."""
    children: list[Any] = []
    for value, contribution in zip(values, contributions, strict=True):
        if contribution == ITSELF:
            children.append(value)
        elif contribution == CHILDREN:
            if children:
                children += value
            else:
                children = value  # not copied: a left-recursive list would take quadratic time
    return children
