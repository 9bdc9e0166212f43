"""Lark's tables and terminals, run by a loop that keeps less account than Lark's own.

For grammars whose terminals look ahead, which no automaton can. What is found is what
Lark finds; lines and columns, which nobody asks for, are not counted. A shortcut may
read a part of the input by itself and say which symbol it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift

#: Given the offset at which a terminal stands: the value of the symbol that begins
#: there and the offset behind it, or None.
Shortcut = Callable[[int], tuple[Any, int] | None]

_END = "$END"


class Driver:
    """Runs an LALR parser of Lark's that has a contextual lexer and a transformer.

    `symbol` is one that the shortcut reads, beginning with the terminal `terminal`.
    Raises RuntimeError for a Lark that keeps its tables otherwise.
    """

    def __init__(self, lark: Lark, start: str, symbol: str, terminal: str) -> None:
        inside: Any = lark
        try:
            parser = inside.parser.parser.parser
            self._states = parser.parse_table.states
            self._start = parser.parse_table.start_states[start]
            self._final = parser.parse_table.end_states[start]
            self._callbacks = parser.callbacks
            self._lexers = {
                state: (lexer.scanner._mres, lexer.callback, lexer.ignore_types)
                for state, lexer in inside.parser.lexer.lexers.items()
            }
        except (AttributeError, KeyError, TypeError) as error:
            message = f"this version of Lark keeps its tables otherwise: {error!r}"
            raise RuntimeError(message) from error
        self._symbol = symbol
        self._terminal = terminal

    def parse(self, text: str, shortcut: Shortcut) -> Any:
        """What the transformer makes of `text`, all of which the grammar accepts."""
        states, callbacks = [self._start], self._callbacks
        table, values = self._states, list[Any]()
        position = 0
        while True:
            token, type_, position = self._next(states[-1], text, position)
            while True:
                action, argument = table[states[-1]][type_]
                if action is Shift:
                    break
                size = len(argument.expansion)
                children: list[Any] = []
                if size:
                    children = values[-size:]
                    del states[-size:], values[-size:]
                values.append(callbacks[argument](children))
                states.append(table[states[-1]][argument.origin.name][1])
                if type_ == _END and states[-1] == self._final:
                    return values[-1]
            if type_ == self._terminal and self._symbol in table[states[-1]]:
                found = shortcut(token.start_pos)
                if found is not None:
                    value, position = found
                    values.append(value)
                    states.append(table[states[-1]][self._symbol][1])
                    continue
            states.append(argument)
            values.append(token)

    def _next(self, state: int, text: str, position: int) -> tuple[Any, str, int]:
        """The next token, its type and where it ends; what is ignored is passed over."""
        patterns, replaced, ignored = self._lexers[state]
        while position < len(text):
            for pattern in patterns:
                match = pattern.match(text, position)
                if match is not None:
                    break
            else:
                raise RuntimeError(f"no terminal fits at {position}: {text[position:][:40]!r}")
            type_ = match.lastgroup
            if type_ in ignored and type_ not in replaced:
                position = match.end()
                continue
            token = Token(type_, match[0], position)
            position = match.end()
            if type_ in replaced:
                token = replaced[type_](token)
            if type_ not in ignored:
                return token, token.type, position
        return None, _END, position
