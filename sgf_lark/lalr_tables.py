"""The LALR(1) table and the lexers of a Lark parser, as plain data.

Lark has no public way to its tables. This is the one place that looks for them inside; all that
run or show a table take it from here, so that an update of Lark can break no other place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from lark import Lark

#: What a symbol of a production contributes to the children: nothing, itself, or its own
#: children, as for productions whose name begins with "_".
NOTHING, ITSELF, CHILDREN = range(3)

Production = tuple[str, str, tuple[int, ...]]


class LALRTables(NamedTuple):
    """The LALR(1) table and the lexers of a parser; states have Lark's numbers."""

    #: State -> symbol -> the state to shift to, or ``~n`` to reduce by production n.
    states: dict[int, dict[str, int]]
    #: Start production -> its first state, and the state after it.
    start_states: dict[str, int]
    end_states: dict[str, int]
    #: The left-hand side of each production, the name of its callback, and for each symbol of its
    #: right-hand side what that contributes to the children.
    productions: list[Production]
    #: The terminals as regular expressions.
    terminals: dict[str, str]
    ignored: frozenset[str]
    #: State -> the regular expression of the terminals that can follow; the name of the group
    #: that matches is that of the terminal.
    lexers: dict[int, str]

    def numbers(self, starts: Iterable[str]) -> dict[int, int]:
        """State -> its number in the order in which the states are reached from these start
        productions: Lark's own numbers differ from process to process."""
        order: dict[int, int] = {}
        waiting = [self.start_states[start] for start in starts]
        for state in waiting:  # grows while new states are found
            if state not in order:
                order[state] = len(order)
                waiting += [
                    action for _, action in sorted(self.states[state].items()) if action >= 0
                ]
        return order


def tables_of(lark: Lark) -> LALRTables:
    """The tables of a Lark parser with ``parser="lalr"``.

    Raises RuntimeError for a version of Lark that keeps them otherwise, and for a grammar with
    options of productions or terminals that these tables have no place for.
    """
    inside: Any = lark
    states, starts, ends = _states(inside)
    try:
        ignored = frozenset(map(str, inside.lexer_conf.ignore))
        return LALRTables(
            states,
            starts,
            ends,
            [_production(rule) for rule in inside.rules],
            {item.name: item.pattern.to_regexp() for item in inside.terminals},
            ignored,
            _patterns(inside.parser.lexer.lexers, ignored),
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise _is_changed(error) from error


def states_of(lark: Lark, start: str) -> list[int]:
    """The states that are reached from a start production, in the order of their numbers.

    Unlike :func:`tables_of` it takes a grammar with any options. Raises RuntimeError for a version
    of Lark that keeps them otherwise.
    """
    states, starts, ends = _states(lark)
    return list(LALRTables(states, starts, ends, [], {}, frozenset(), {}).numbers([start]))


def _states(inside: Any) -> tuple[dict[int, dict[str, int]], dict[str, int], dict[str, int]]:
    """The states, the start states and the end states of :class:`LALRTables`."""
    try:
        table = inside.parser.parser.parser.parse_table
        numbers = {rule: number for number, rule in enumerate(inside.rules)}
        states = {
            state: {
                str(symbol): argument if action.name == "Shift" else ~numbers[argument]
                for symbol, (action, argument) in row.items()
            }
            for state, row in table.states.items()
        }
        return states, dict(table.start_states), dict(table.end_states)
    except (AttributeError, KeyError, TypeError) as error:
        raise _is_changed(error) from error


def _is_changed(error: Exception) -> RuntimeError:
    return RuntimeError(f"this version of Lark keeps its tables otherwise: {error!r}")


def _production(rule: Any) -> Production:
    options, origin = rule.options, str(rule.origin.name)
    if options.expand1 or any(options.empty_indices) or options.template_source:
        raise RuntimeError(f"the production {origin} has options that are not implemented")
    contributions = [
        NOTHING
        if symbol.is_term and symbol.filter_out and not options.keep_all_tokens
        else CHILDREN
        if not symbol.is_term and symbol.name.startswith("_")
        else ITSELF
        for symbol in rule.expansion
    ]
    return origin, str(rule.alias or origin), tuple(contributions)


def _patterns(lexers: dict[int, Any], ignored: frozenset[str]) -> dict[int, str]:
    """The regular expressions of Lark's lexers; states with the same terminals share one."""
    found: dict[int, str] = {}
    by_lexer: dict[int, str] = {}
    for state, lexer in lexers.items():
        if id(lexer) not in by_lexer:
            patterns = lexer.scanner._mres  # noqa: SLF001
            replaced = lexer.callback.keys() - ignored
            if replaced or len(patterns) > 1:
                raise RuntimeError(f"terminals that another may replace: {sorted(replaced)}")
            by_lexer[id(lexer)] = patterns[0].pattern if patterns else "(?!)"
        found[state] = by_lexer[id(lexer)]
    return found
