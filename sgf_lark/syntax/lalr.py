"""One loop that runs the LALR(1) table and the contextual lexer of a Lark parser.

It gives what Lark's own parser gives with a `transformer`: each production calls the method
of its name with the list of its children. It is leaner, because it counts neither lines nor
columns, and it can skip regions of the input that another parser reads faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from lark import Lark

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


#: What a symbol of a production contributes to the children: nothing, itself, or its own
#: children, as for productions whose name begins with "_".
_NOTHING, _ITSELF, _CHILDREN = range(3)


class _Production(NamedTuple):
    """A production: its left-hand side, the name of its callback, and for each symbol of its
    right-hand side what that contributes to the children."""

    origin: str
    name: str
    contributions: tuple[int, ...]


class Tables:
    """The LALR(1) table and the lexers of a Lark parser.

    Raises RuntimeError for a version of Lark whose tables are different, and for a grammar
    with options that :class:`LALRParser` does not implement.
    """

    def __init__(self, lark: Lark) -> None:
        inside: Any = lark
        try:
            table = inside.parser.parser.parser.parse_table
            numbers = {rule: number for number, rule in enumerate(inside.rules)}
            #: State -> symbol -> the state to shift to, or ``~n`` to reduce by production n.
            self.states: dict[int, dict[str, int]] = {
                state: {
                    str(symbol): argument if action.name == "Shift" else ~numbers[argument]
                    for symbol, (action, argument) in row.items()
                }
                for state, row in table.states.items()
            }
            self.start_states: dict[str, int] = table.start_states
            self.end_states: dict[str, int] = table.end_states
            self.productions = [_production(rule) for rule in inside.rules]
            #: The terminals as regular expressions.
            self.terminals = {item.name: item.pattern.to_regexp() for item in inside.terminals}
            self.ignored = frozenset(map(str, inside.lexer_conf.ignore))
            self._lexers = inside.parser.lexer.lexers
        except (AttributeError, KeyError, TypeError) as error:
            raise RuntimeError(f"the tables of this version of Lark differ: {error!r}") from error
        #: State -> what finds the terminal at an offset; its name is that of the group. States
        #: are added when they are first reached: most values reach few of them.
        self.matchers: dict[int, Matcher] = {}

    def add_matcher(self, state: int) -> Matcher:
        """The entry of :attr:`matchers` for a state that is reached for the first time."""
        lexer = self._lexers[state]
        try:
            patterns = lexer.scanner._mres
            replaced = lexer.callback.keys() - self.ignored
        except AttributeError as error:
            raise RuntimeError(f"the lexer of this version of Lark differs: {error!r}") from error
        if replaced or len(patterns) > 1:
            raise RuntimeError(f"terminals that another may replace: {sorted(replaced)}")
        pattern = patterns[0] if patterns else re.compile("(?!)")
        matcher = self.matchers[state] = pattern.match
        return matcher


def _production(rule: Any) -> _Production:
    options, origin = rule.options, str(rule.origin.name)
    if options.expand1 or any(options.empty_indices) or options.template_source:
        raise RuntimeError(f"the production {origin} has options that are not implemented")
    contributions = [
        _NOTHING
        if symbol.is_term and symbol.filter_out and not options.keep_all_tokens
        else _CHILDREN
        if not symbol.is_term and symbol.name.startswith("_")
        else _ITSELF
        for symbol in rule.expansion
    ]
    return _Production(origin, str(rule.alias or origin), tuple(contributions))


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
        tables: Tables,
        transformer: Any,
        skips: Mapping[str, tuple[str, Skip]] | None = None,
    ) -> None:
        self._tables = tables
        self._matchers = tables.matchers
        self._reductions = [
            (
                len(production.contributions),
                production.origin,
                None if set(production.contributions) <= {_ITSELF} else production.contributions,
                _callback(transformer, production.name),
            )
            for production in tables.productions
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
        states, values = [self._tables.start_states[start]], list[Any]()
        position = 0
        while True:
            token, lookahead, position = self._next(states[-1], text, position)
            action = table[states[-1]].get(lookahead)
            while action is not None and action < 0:
                size, origin, contributions, callback = reductions[~action]
                children = values[-size:] if size else []
                if size:
                    del states[-size:], values[-size:]
                if contributions is not None:
                    children = _contributed(children, contributions)
                values.append(children if callback is None else callback(children))
                states.append(table[states[-1]][origin])
                if lookahead == _END and states[-1] == end_state:
                    return values[-1]
                action = table[states[-1]].get(lookahead)
            if action is None or token is None:
                raise ValueError(f"{text!r} is no {start}")
            value: Any = token
            if (states[-1], lookahead) in skips:
                value, position, action = self._skip(states[-1], token, action, position)
            states.append(action)
            values.append(value)

    def _next(self, state: int, text: str, position: int) -> tuple[Token | None, str, int]:
        """The next token, the name of its terminal, and the offset after it."""
        while position < len(text):
            matcher = self._matchers.get(state) or self._tables.add_matcher(state)
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

    def _skip(self, state: int, token: Token, action: int, position: int) -> tuple[Any, int, int]:
        """The value of the symbol that begins with `token`, the offset after its region, and
        the state to go to after it; where it cannot be skipped, those of the token itself."""
        skip, following = self._skips[state, token.type]
        found = skip(token.start_pos)
        return (token, position, action) if found is None else (*found, following)


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
        if contribution == _ITSELF:
            children.append(value)
        elif contribution == _CHILDREN:
            if children:
                children += value
            else:
                children = value  # not copied: a left-recursive list would take quadratic time
    return children
