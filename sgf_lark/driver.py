"""Lark's tables and terminals, run by a loop that keeps less account than Lark's own.

For grammars whose terminals look ahead, which no automaton can. What is found is what
Lark finds; lines and columns, which nobody asks for, are not counted. Shortcuts may
read parts of the input by themselves and say which symbol it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift

from sgf_lark.records import NamedTuple

#: Given the offset at which a terminal stands: the value of the symbol that begins
#: there and the offset behind it, or None.
Shortcut = Callable[[int], tuple[Any, int] | None]

_END = "$END"


class _Step(NamedTuple):
    """What a state does about a symbol: it goes to another state, or it reduces by a rule
    with so many symbols, to that name."""

    to: Any
    callback: Any = None
    size: int = 0
    name: str = ""


class Driver:
    """Runs an LALR parser of Lark's that has a contextual lexer and a transformer.

    `symbols` are those that shortcuts read, and the terminals that they begin with. Raises
    RuntimeError for a Lark that keeps its tables otherwise.
    """

    def __init__(self, lark: Lark, start: str, symbols: dict[str, str]) -> None:
        inside: Any = lark
        try:
            parser = inside.parser.parser.parser
            table = parser.parse_table
            self._start = table.start_states[start]
            self._final = table.end_states[start]
            # Names are Tokens there, of which a look-up takes far longer.
            self._states = {
                state: {
                    str(name): _Step(argument)
                    if action is Shift
                    else _Step(
                        None,
                        parser.callbacks[argument],
                        len(argument.expansion),
                        str(argument.origin.name),
                    )
                    for name, (action, argument) in row.items()
                }
                for state, row in table.states.items()
            }
            self._lexers = {
                state: (lexer.scanner._mres, lexer.callback, lexer.ignore_types)
                for state, lexer in inside.parser.lexer.lexers.items()
            }
        except (AttributeError, KeyError, TypeError) as error:
            message = f"this version of Lark keeps its tables otherwise: {error!r}"
            raise RuntimeError(message) from error
        #: State -> where a shortcut leads, by the terminal that it begins with.
        self._behind = {
            state: {symbols[name]: row[name].to for name in symbols if name in row}
            for state, row in self._states.items()
        }

    def parse(self, text: str, shortcuts: dict[str, Shortcut]) -> Any:
        """What the transformer makes of `text`, all of which the grammar accepts.

        `shortcuts` are kept by the terminals that they begin with.
        """
        table, behind = self._states, self._behind
        states, values = [self._start], list[Any]()
        position = 0
        while True:
            token, type_, position = self._next(states[-1], text, position)
            while True:
                to, callback, size, name = table[states[-1]][type_]
                if to is not None:
                    break
                children: list[Any] = []
                if size:
                    children = values[-size:]
                    del states[-size:], values[-size:]
                values.append(callback(children))
                states.append(table[states[-1]][name].to)
                if type_ == _END and states[-1] == self._final:
                    return values[-1]
            if type_ in behind[states[-1]]:
                found = shortcuts[type_](token.start_pos)
                if found is not None:
                    value, position = found
                    values.append(value)
                    states.append(behind[states[-1]][type_])
                    continue
            states.append(to)
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
