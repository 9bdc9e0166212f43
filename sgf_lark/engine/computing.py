"""What is stored of a Lark grammar for the engine: its LALR(1) table, and one scanner for all
terminals.

Lark computes the table, interegular the automata of the terminals; a subset construction
makes one automaton of these that finds the longest match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sgf_lark import grammar
from sgf_lark.engine import GRAMMAR, layout
from sgf_lark.engine.shortening import shortened

#: What a run may read: a whole file, one game or variation, or the nodes of a sequence.
STARTS = ("collection", "gametree", "sequence")

#: What the terminals and rules of sgf.lark leave behind.
SHIFTS = {
    "LPAR": layout.OPEN,
    "RPAR": layout.CLOSE,
    "SEMICOLON": layout.NODE,
    "UCLETTERS": layout.NAME,
    "BRACKETED_VALUE": layout.VALUE,
}
REDUCTIONS = {"property": layout.END_PROPERTY, "node": layout.END_NODE}

_END = "$END"

#: So many numbers tell of a rule.
_RULE = 5


def compute() -> dict[str, Any]:
    """The tables of the grammar as it is, in the form in which they are stored.

    Raises ImportError without interegular, RuntimeError for a Lark whose tables are
    not as they are known to be.
    """
    from lark import Lark

    lark: Any = Lark(
        grammar.source(GRAMMAR), parser="lalr", start=list(STARTS), keep_all_tokens=True
    )
    try:
        table = lark.parser.parser.parser.parse_table
        starts = {name: (table.start_states[name], table.end_states[name]) for name in STARTS}
        terminals = [_END, *(t.name for t in lark.terminals if t.name not in lark.ignore_tokens)]
        patterns = [(t.name, t.pattern.to_regexp()) for t in lark.terminals]
        ignored = set(lark.ignore_tokens)
        rules = list(lark.rules)
        parser = shortened(_parser_tables(table.states, starts, rules, terminals))
        scanner = _scanner_tables(patterns, terminals, ignored)
    except (AttributeError, KeyError, TypeError) as error:
        raise RuntimeError(f"this version of Lark keeps its tables otherwise: {error!r}") from error
    return _laid_out(scanner, parser, terminals)


def _parser_tables(
    states: Any, starts: dict[str, tuple[int, int]], rules: list[Any], terminals: list[str]
) -> dict[str, Any]:
    from lark.parsers.lalr_analysis import Shift

    from sgf_lark.lark_grammars import reached

    symbols = list(dict.fromkeys(rule.origin.name for rule in rules))
    number = {rule: index for index, rule in enumerate(rules)}
    order = reached(states, [first for first, _ in starts.values()])
    actions = [[0] * len(terminals) for _ in order]
    gotos = [[-1] * len(symbols) for _ in order]
    for state, place in order.items():
        for symbol, (action, argument) in states[state].items():
            if symbol in terminals:
                value = order[argument] + 1 if action is Shift else -1 - number[argument]
                actions[place][terminals.index(symbol)] = value
            else:
                gotos[place][symbols.index(symbol)] = order[argument]
    return {
        "starts": {name: [order[first], order[final]] for name, (first, final) in starts.items()},
        "terminals": terminals,
        "actions": _joined(actions),
        "nonterminals": [str(symbol) for symbol in symbols],
        "gotos": _joined(gotos),
        "rule_sizes": [len(rule.expansion) for rule in rules],
        "rule_symbols": [symbols.index(rule.origin.name) for rule in rules],
        "shift_operations": [SHIFTS.get(name, layout.NOTHING) for name in terminals],
        "reduce_operations": [
            REDUCTIONS.get(str(rule.origin.name), layout.NOTHING) for rule in rules
        ],
    }


def _joined(rows: Iterable[Sequence[int]]) -> list[int]:
    return [item for row in rows for item in row]


def _scanner_tables(
    patterns: list[tuple[str, str]], terminals: list[str], ignored: set[str]
) -> dict[str, Any]:
    """One automaton: a state is the set of the states of all terminals' automata."""
    import interegular

    parse_pattern: Any = interegular.parse_pattern
    machines = [(name, parse_pattern(pattern).to_fsm().reduce()) for name, pattern in patterns]
    first = tuple(machine.initial for _, machine in machines)
    numbers = {first: 0}
    waiting = [first]
    rows: list[list[int]] = []
    accepts: list[int] = []
    while waiting:
        current = waiting.pop(0)
        row = []
        for byte in range(256):
            following = tuple(
                _step(machine, state, byte)
                for (_, machine), state in zip(machines, current, strict=True)
            )
            if all(state is None for state in following):
                row.append(-1)
                continue
            if following not in numbers:
                numbers[following] = len(numbers)
                waiting.append(following)
            row.append(numbers[following])
        rows.append(row)
        accepted = _accepted(machines, current, terminals, ignored)
        leads_nowhere = all(number < 0 for number in row)
        accepts.append(accepted + layout.LONGEST if leads_nowhere else accepted)
    columns = list(zip(*rows, strict=True))
    distinct = list(dict.fromkeys(columns))
    return {
        "classes": [distinct.index(column) for column in columns],
        "scanner": [
            [256 * column[state] if column[state] >= 0 else -1 for column in distinct]
            for state in range(len(rows))
        ],
        "accepts": accepts,
    }


def _step(machine: Any, state: int | None, byte: int) -> int | None:
    """The next state; None where the machine can no longer accept anything."""
    import interegular

    if state is None:
        return None
    character = chr(byte)
    symbol = machine.alphabet[
        character if character in machine.alphabet else interegular.fsm.anything_else
    ]
    following = machine.map.get(state, {}).get(symbol)
    return following if following is not None and machine.islive(following) else None


def _accepted(
    machines: list[tuple[str, Any]],
    state: tuple[int | None, ...],
    terminals: list[str],
    ignored: set[str],
) -> int:
    names = [
        name
        for (name, machine), part in zip(machines, state, strict=True)
        if part is not None and part in machine.finals
    ]
    if not names:
        return -1
    if len(names) > 1:
        raise RuntimeError(f"the terminals {', '.join(names)} match the same text")
    return layout.IGNORED if names[0] in ignored else terminals.index(names[0])


def _laid_out(
    scanner: dict[str, Any], parser: dict[str, Any], terminals: list[str]
) -> dict[str, Any]:
    """Both as they are stored: the scanner by classes of bytes, and all that stands behind it
    in the numbers of :class:`Tables`."""
    accepts = 256 * len(scanner["accepts"])
    shift_operations = accepts + len(scanner["accepts"])
    states = shift_operations + len(terminals)
    symbols = len(parser["nonterminals"])
    actions = _rows(parser["actions"], len(terminals))
    gotos = _rows(parser["gotos"], symbols)
    width = len(terminals) + symbols
    rules = states + width * len(actions)

    def state(number: int) -> int:
        return states + width * number if number >= 0 else 0

    def action(number: int) -> int:
        return -(rules + _RULE * (-1 - number)) if number < 0 else state(number - 1)

    rows = [
        [*map(action, shifts), *map(state, leads)]
        for shifts, leads in zip(actions, gotos, strict=True)
    ]
    told_of_rules = zip(
        parser["rule_sizes"],
        parser["reduce_operations"],
        map(state, parser["rule_gotos"]),
        map(action, parser["rule_shifts"]),
        [len(terminals) + symbol for symbol in parser["rule_symbols"]],
        strict=True,
    )
    return {
        "classes": scanner["classes"],
        "scanner": scanner["scanner"],
        "numbers": _joined([scanner["accepts"], parser["shift_operations"], *rows, *told_of_rules]),
        "accepts": accepts,
        "shift_operations": shift_operations,
        "starts": {name: [*map(state, found)] for name, found in parser["starts"].items()},
        "terminals": terminals,
    }


def _rows(numbers: list[int], width: int) -> list[list[int]]:
    return [numbers[place : place + width] for place in range(0, len(numbers), width)]
