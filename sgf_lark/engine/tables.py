"""The tables of the compiled parser, computed from the grammar ``sgf.lark``.

Lark computes the LALR(1) table, :mod:`sgf_lark.engine.optimize` shortens the way from token
to token in it. Interegular computes an automaton for each terminal; a subset construction
joins these into one scanner that finds the longest token. :func:`compute_tables` packs both
into lists of small numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sgf_lark.engine.kinds import IGNORED, NO_LONGER_TOKEN, Closes, Shift
from sgf_lark.engine.optimize import Rule, Table, optimize
from sgf_lark.lalr_tables import LALRTables, tables_of

GRAMMAR = "sgf.lark"

#: What the parser records when it shifts a terminal of ``sgf.lark``.
SHIFTS = {
    "LPAR": Shift.OPEN_TREE,
    "RPAR": Shift.CLOSE_TREE,
    "SEMICOLON": Shift.NODE,
    "UCLETTERS": Shift.IDENT,
    "BRACKETED_VALUE": Shift.VALUE,
}
#: What is complete once the parser has reduced by a rule of ``sgf.lark``.
CLOSES = {"property": Closes.PROPERTY, "node": Closes.NODE}

#: What the parser can read: a whole file, one game or variation, or the nodes of a sequence.
STARTS = ("collection", "gametree", "sequence")

_END_OF_INPUT = "$END"

#: The terminals before which the input of a start symbol may end.
ENDS_BEFORE = {
    "collection": (_END_OF_INPUT,),
    "gametree": (_END_OF_INPUT,),
    "sequence": (_END_OF_INPUT, "LPAR", "RPAR"),
}
#: The start symbols whose input ends with the first tree that is closed.
ENDS_WITH_TREE = {"gametree"}


def compute_tables() -> dict[str, Any]:
    """The tables of the grammar, as plain data:

    - ``byte_classes``: byte -> class. Bytes of a class are the same to the scanner.
    - ``scanner``: scanner state -> class -> next state, or -1.
    - ``accepts``: scanner state -> number of the terminal that ends there, or IGNORED, plus
      NO_LONGER_TOKEN if nothing longer can follow; -1 if no token ends there.
    - ``shifts``: terminal -> Shift. Terminal 0 is the end of the input.
    - ``rows``: all rows of the LALR(1) table one after the other. A parser state is the index
      at which its row begins; 0 is not a state. First come the actions, by terminal: a state to
      shift to, ``-1 - reduction``, or 0 for an error. Then come the states to go to, by
      nonterminal.
    - ``reductions``: size, Closes, index of the nonterminal in a row, the state to go to if
      it is always the same, and the state that the lookahead shifts to then; 0 if unknown.
    - ``starts``: start symbol -> first state, final state, bits of the terminals before which
      its input may end, and 1 if it ends with the first tree that is closed, else 0.

    Raises ImportError without interegular, RuntimeError for a Lark whose tables have another
    form.
    """
    from lark import Lark

    from sgf_lark import grammar

    source = grammar.source(GRAMMAR)
    lark = Lark(source, parser="lalr", start=list(STARTS), keep_all_tokens=True)
    found = tables_of(lark)
    terminals = [_END_OF_INPUT, *(name for name in found.terminals if name not in found.ignored)]
    table = _table_of(found, terminals)
    return {**_scanner_of(found, terminals), **_packed(optimize(table), terminals)}


# --- The LALR(1) table -----------------------------------------------------------------


def _table_of(found: LALRTables, terminals: list[str]) -> Table:
    """Lark's table as rows of numbers."""
    number = found.numbers(STARTS)
    symbols = list(dict.fromkeys(origin for origin, _, _ in found.productions))
    actions = [[0] * len(terminals) for _ in number]
    gotos = [[-1] * len(symbols) for _ in number]
    for state, index in number.items():
        for symbol, action in found.states[state].items():
            if symbol not in terminals:
                gotos[index][symbols.index(symbol)] = number[action]
            elif action >= 0:
                actions[index][terminals.index(symbol)] = number[action] + 1
            else:
                actions[index][terminals.index(symbol)] = action
    return Table(
        starts={
            name: (number[found.start_states[name]], number[found.end_states[name]])
            for name in STARTS
        },
        opening={index for index, name in enumerate(terminals) if name == "LPAR"},
        actions=actions,
        gotos=gotos,
        rules=[
            Rule(len(contributions), symbols.index(origin), CLOSES.get(origin, Closes(0)))
            for origin, _, contributions in found.productions
        ],
    )


# --- The scanner -----------------------------------------------------------------------


@dataclass
class _Automaton:
    """The automaton of one terminal."""

    name: str
    machine: Any

    def step(self, state: int | None, byte: int) -> int | None:
        """The next state; None if the terminal can no longer match."""
        import interegular

        if state is None:
            return None
        alphabet, character = self.machine.alphabet, chr(byte)
        known = character if character in alphabet else interegular.fsm.anything_else
        following: int | None = self.machine.map.get(state, {}).get(alphabet[known])
        return following if following is not None and self.machine.islive(following) else None

    def accepts(self, state: int | None) -> bool:
        """Whether the terminal ends in that state."""
        return state is not None and state in self.machine.finals


def _scanner_of(found: LALRTables, terminals: list[str]) -> dict[str, Any]:
    """One automaton for all terminals: each of its states is a tuple of their states.

    "[" for example leads to (None, ..., state within BRACKETED_VALUE, ...).
    """
    import interegular

    parse_pattern: Any = interegular.parse_pattern
    automata = [
        _Automaton(name, parse_pattern(pattern).to_fsm().reduce())
        for name, pattern in found.terminals.items()
    ]
    first = tuple(automaton.machine.initial for automaton in automata)
    numbers: dict[tuple[int | None, ...], int] = {first: 0}
    rows: list[list[int]] = []
    accepts: list[int] = []
    waiting = [first]
    for current in waiting:  # grows while new states are found
        row = []
        for byte in range(256):
            following = tuple(
                automaton.step(state, byte)
                for automaton, state in zip(automata, current, strict=True)
            )
            if following not in numbers and any(state is not None for state in following):
                numbers[following] = len(numbers)
                waiting.append(following)
            row.append(numbers.get(following, -1))
        rows.append(row)
        accepted = _accepted(automata, current, terminals, found.ignored)
        accepts.append(accepted + NO_LONGER_TOKEN if max(row) < 0 else accepted)
    columns = list(zip(*rows, strict=True))
    distinct = list(dict.fromkeys(columns))
    return {
        "byte_classes": [distinct.index(column) for column in columns],
        "scanner": [list(row) for row in zip(*distinct, strict=True)],
        "accepts": accepts,
    }


def _accepted(
    automata: list[_Automaton],
    states: tuple[int | None, ...],
    terminals: list[str],
    ignored: Iterable[str],
) -> int:
    """The number of the terminal that ends in that state of the scanner, or -1."""
    names = [
        automaton.name
        for automaton, state in zip(automata, states, strict=True)
        if automaton.accepts(state)
    ]
    if len(names) > 1:
        raise RuntimeError(f"the terminals {', '.join(names)} match the same text")
    if not names:
        return -1
    return IGNORED if names[0] in ignored else terminals.index(names[0])


# --- Packing ---------------------------------------------------------------------------


def _packed(table: Table, terminals: list[str]) -> dict[str, Any]:
    """The table in the form that :func:`compute_tables` describes."""
    width = len(table.actions[0]) + len(table.gotos[0])

    def state(number: int) -> int:
        # The first row stays unused, so that 0 is not a state.
        return width * (number + 1) if number >= 0 else 0

    def action(number: int) -> int:
        return state(number - 1) if number >= 0 else number

    rows = [0] * width
    for actions, gotos in zip(table.actions, table.gotos, strict=True):
        rows += [*map(action, actions), *map(state, gotos)]

    return {
        "shifts": [int(SHIFTS.get(name, Shift.NOTHING)) for name in terminals],
        "rows": rows,
        "reductions": [
            [
                rule.size,
                int(rule.closes),
                len(terminals) + rule.symbol,
                state(rule.goto),
                action(rule.shift),
            ]
            for rule in table.rules
        ],
        "starts": {
            name: [
                state(first),
                state(final),
                sum(1 << terminals.index(end) for end in ENDS_BEFORE[name]),
                int(name in ENDS_WITH_TREE),
            ]
            for name, (first, final) in table.starts.items()
        },
    }
