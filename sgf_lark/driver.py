"""Lark's tables and terminals, run by a loop that keeps less account than Lark's own.

For grammars whose terminals look ahead, which no automaton can. What is found is what
Lark finds; lines and columns, which nobody asks for, are not counted. Shortcuts may
read parts of the input by themselves and say which symbol it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift

#: Given the offset at which a terminal stands: the value of the symbol that begins
#: there and the offset behind it, or None.
Shortcut = Callable[[int], tuple[Any, int] | None]

_END = "$END"


class _Step(NamedTuple):
    """What a state does about a symbol: it goes to another state, or it reduces by a rule.

    A rule has a number of symbols, those whose children stand for themselves among
    them (None without such), what makes a value of all children (None where they stand for
    themselves), and a name.
    """

    to: Any
    size: int = 0
    inlined: list[bool] | None = None
    callback: Any = None
    name: str = ""


class Driver:
    """Runs an LALR parser of Lark's that has a contextual lexer.

    `callbacks` has a method for each rule, by name or alias, as Lark's transformers have.
    `symbols` are those that shortcuts read, and the terminals that they begin with. Raises
    RuntimeError for a Lark that keeps its tables otherwise.
    """

    def __init__(self, lark: Lark, callbacks: object, start: str, symbols: dict[str, str]) -> None:
        inside: Any = lark
        try:
            table = inside.parser.parser.parser.parse_table
            self._start = table.start_states[start]
            self._final = table.end_states[start]
            reductions = {rule: _reduction(rule, callbacks) for rule in inside.rules}
            # Names are Tokens there, of which a look-up takes far longer.
            self._states = {
                state: {
                    str(name): _Step(argument) if action is Shift else reductions[argument]
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
        """What the callbacks make of `text`, all of which the grammar accepts.

        `shortcuts` are kept by the terminals that they begin with.
        """
        table, behind = self._states, self._behind
        states, values = [self._start], list[Any]()
        position = 0
        while True:
            token, type_, position = self._next(states[-1], text, position)
            while True:
                to, size, inlined, callback, name = table[states[-1]][type_]
                if to is not None:
                    break
                children: list[Any] = []
                if size:
                    children = values[-size:]
                    del states[-size:], values[-size:]
                if inlined is not None:
                    children = _joined(children, inlined)
                values.append(children if callback is None else callback(children))
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
            token: Any = str.__new__(Token, match[0])  # without line and column
            token.type, token.start_pos = type_, position
            position = match.end()
            if type_ in replaced:
                token = replaced[type_](token)
            if type_ not in ignored:
                return token, token.type, position
        return None, _END, position


def _reduction(rule: Any, callbacks: object) -> _Step:
    """What becomes of the symbols of a rule. Rules named "_…" leave their children to the
    rule in which they stand."""
    options, name = rule.options, str(rule.origin.name)
    if options.expand1 or any(options.empty_indices) or not options.keep_all_tokens:
        raise TypeError(f"the rule {name} has options that are not known here")
    inlined = [not item.is_term and item.name.startswith("_") for item in rule.expansion]
    callback = None if name.startswith("_") else getattr(callbacks, rule.alias or name)
    return _Step(None, len(inlined), inlined if any(inlined) else None, callback, name)


def _joined(values: list[Any], inlined: list[bool]) -> list[Any]:
    """The values, and of those that are inlined their children. The list of the first is used
    again, so that a long one that grows by one each time is not copied."""
    children: list[Any] = values[0] if inlined[0] else values[:1]
    for value, is_list in zip(values[1:], inlined[1:], strict=True):
        if is_list:
            children += value
        else:
            children.append(value)
    return children
