"""The parser of values: Lark's LALR(1) table of ``values.lark``, run without Lark.

:func:`compute` asks Lark for its table, for the terminals that its contextual lexer
looks for in each state, and for what becomes of the symbols of each rule; the result is
plain data, which :mod:`sgf_lark.stored` keeps, and :class:`ValueParser` runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

_END = "$END"

# What becomes of a symbol among the children of its rule: left out, or a child, or its
# own children in its place.
_DROPPED = 0
_CHILD = 1
_CHILDREN = 2


class Token(str):
    """A part of a value, and in `type` the name of the terminal that it is."""

    __slots__ = ("type",)
    type: str


class ValueParser:
    """Reads values by the tables that :func:`compute` gives.

    `meanings` is asked for a method of the name of each rule, which is given the list of
    its children and gives what the rule stands for. Without such a method it stands for
    its children.
    """

    def __init__(self, tables: dict[str, Any]) -> None:
        self._starts: dict[str, list[int]] = tables["starts"]
        self._states: list[dict[str, int]] = tables["states"]
        self._lexers: list[int] = tables["lexer_of_state"]
        #: The terminals as regular expressions.
        self.terminals: dict[str, str] = tables["terminals"]
        self._looked_for: list[list[str]] = tables["lexers"]
        self._rules: list[tuple[int, str, list[int] | None]] = tables["rules"]
        self._match: dict[int, Callable[[str, int], re.Match[str] | None]] = {}

    def parse(self, text: str, start: str, meanings: object) -> Any:
        """What `text` means by the rule `start`; raises ValueError where it is not in its
        language. `text` is bytes decoded as Latin-1."""
        first, final = self._starts[start]
        states, values, table = [first], list[Any](), self._states
        position = 0
        while True:
            token, kind, position = self._next(states[-1], text, position, start)
            while True:
                action = table[states[-1]].get(kind)
                if action is None:
                    raise ValueError(f"{text!r} is no {start}")
                if action >= 0:
                    break
                size, name, places = self._rules[-1 - action]
                children = values[-size:] if size else []
                if size:
                    del states[-size:], values[-size:]
                values.append(_meaning(name, _placed(children, places), meanings))
                states.append(table[states[-1]][name])
                if kind == _END and states[-1] == final:
                    return values[-1]
            states.append(action)
            values.append(token)

    def _next(
        self, state: int, text: str, position: int, start: str
    ) -> tuple[Token | None, str, int]:
        """The next token, its type, and where it ends."""
        if position == len(text):
            return None, _END, position
        number = self._lexers[state]
        if number not in self._match:
            parts = (f"(?P<{name}>{self.terminals[name]})" for name in self._looked_for[number])
            self._match[number] = re.compile("|".join(parts) or "(?!)").match
        found = self._match[number](text, position)
        if found is None:
            raise ValueError(f"{text!r} is no {start}")
        token = Token(found[0])
        token.type = found.lastgroup or ""
        return token, token.type, found.end()


def _placed(children: list[Any], places: list[int] | None) -> list[Any]:
    if places is None:
        return children
    placed: list[Any] = []
    for child, place in zip(children, places, strict=True):
        if place == _CHILD:
            placed.append(child)
        elif place == _CHILDREN:
            placed += child
    return placed


def _meaning(name: str, children: list[Any], meanings: object) -> Any:
    method = None if name.startswith("_") else getattr(meanings, name, None)
    return children if method is None else method(children)


# --- From Lark ---------------------------------------------------------------------


def compute(lark: Lark) -> dict[str, Any]:
    """The tables of a Lark parser of values, with states numbered as they are reached.

    Raises RuntimeError for a Lark that keeps them otherwise, and for a grammar with
    what :class:`ValueParser` does not know.
    """
    inside: Any = lark
    try:
        table = inside.parser.parser.parser.parse_table
        lexers = inside.parser.lexer.lexers
        order = _reached(table)
        looked_for = {state: _terminals_of(lexers[state]) for state in order}
        distinct = list(dict.fromkeys(looked_for.values()))
        rules = {rule: number for number, rule in enumerate(lark.rules)}
        return {
            "starts": {
                name: [order[table.start_states[name]], order[table.end_states[name]]]
                for name in table.start_states
            },
            "terminals": {item.name: item.pattern.to_regexp() for item in lark.terminals},
            "lexers": [list(names) for names in distinct],
            "lexer_of_state": [distinct.index(names) for names in looked_for.values()],
            "states": [
                {
                    symbol: -1 - rules[argument] if argument in rules else order[argument]
                    for symbol, (_, argument) in sorted(table.states[state].items())
                }
                for state in order
            ],
            "rules": [_rule(rule) for rule in lark.rules],
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise RuntimeError(f"this version of Lark keeps its tables otherwise: {error!r}") from error


def _reached(table: Any) -> dict[int, int]:
    """Lark's number of each state -> a number by the order in which they are reached."""
    order: dict[int, int] = {}
    waiting = [state for _, state in sorted(table.start_states.items())]
    for state in waiting:
        if state not in order:
            order[state] = len(order)
            actions = sorted(table.states[state].items())
            waiting += [argument for _, (_, argument) in actions if isinstance(argument, int)]
    return order


def _terminals_of(lexer: Any) -> tuple[str, ...]:
    """The terminals that a lexer looks for, in the order in which it tries them."""
    if (lexer.scanner and lexer.callback) or lexer.ignore_types:
        raise RuntimeError("a terminal that stands for another, or is ignored")
    return tuple(item.name for item in lexer.terminals)


def _rule(rule: Any) -> list[Any]:
    options, name = rule.options, str(rule.origin.name)
    if rule.alias or options.expand1 or any(options.empty_indices) or options.keep_all_tokens:
        raise RuntimeError(f"the rule {name} has options that are not known here")
    places = [
        _DROPPED
        if symbol.is_term and symbol.filter_out
        else _CHILDREN
        if not symbol.is_term and symbol.name.startswith("_")
        else _CHILD
        for symbol in rule.expansion
    ]
    return [len(places), name, None if set(places) <= {_CHILD} else places]
