"""Lists the steps of an LALR(1) parse with Lark's tables: each shift and each reduction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import PatternStr

from sgf_lark.lalr_tables import LALRTables, tables_of
from sgf_lark.syntax import grammars as lark_grammars

_END = "$END"

#: The number of symbols at the top of the stack that each step has.
STACK = 20


@dataclass(frozen=True, slots=True)
class Step:
    """An action of the parser in `state`, with `stack` before the action.

    `terminal` is that of the lookahead, "" if no terminal matches; `start` and `end` are its
    byte offsets. `target` is the state after a shift or a reduction. `production` is the
    reduced production. `stack` has the last STACK of `stack_size` symbols. `expected` are
    the terminals that are valid in place of an error.
    """

    action: Literal["shift", "reduce", "accept", "error"]
    state: int
    terminal: str
    start: int
    end: int
    stack: tuple[str, ...]
    stack_size: int
    target: int | None = None
    production: str = ""
    expected: tuple[str, ...] = ()


def steps(data: bytes, *, tolerant: bool = False) -> Iterator[Step]:
    """The steps of parsing a collection by ``sgf.lark`` or ``tolerant.lark``.

    The last step is an "accept" or an "error". Raises RuntimeError if this version of Lark
    has other tables.
    """
    return _Parse(tolerant).run(data.decode("latin-1"))


class _Parse:
    """The stack of a parse, and the LALR(1) table."""

    def __init__(self, tolerant: bool) -> None:
        self._lark: Any = lark_grammars.structure_parser(tolerant)
        tables = _tables(tolerant)
        self._table = tables.states
        self._productions = tables.productions
        self._final = tables.end_states["collection"]
        self._states: list[int] = [tables.start_states["collection"]]
        self._numbers = tables.numbers(["collection"])
        self._notation = notation(tolerant)
        self._symbols: list[str] = []

    @property
    def position(self) -> int:
        """The state, by which Lark's contextual lexer chooses the terminals to match."""
        return self._states[-1]

    def run(self, text: str) -> Iterator[Step]:
        lexer = self._lark.parse_interactive(text).lexer_thread
        try:
            for token in lexer.lex(self):
                for step in self._take(token.type, token.start_pos, token.end_pos):
                    yield step
                    if step.action == "error":
                        return
        except UnexpectedCharacters as error:
            start = error.pos_in_stream or 0
            yield self._error("", start, start + 1)
        except UnexpectedToken as error:
            start = error.pos_in_stream or 0
            yield self._error(error.token.type, start, start + len(error.token))
        else:
            yield from self._take(_END, len(text), len(text))

    def _take(self, terminal: str, start: int, end: int) -> Iterator[Step]:
        """The reductions before a token is shifted, and the shift."""
        states, symbols = self._states, self._symbols
        while True:
            if terminal not in self._table[states[-1]]:
                yield self._error(terminal, start, end)
                return
            action = self._table[states[-1]][terminal]
            if action >= 0:
                yield self._step("shift", terminal, start, end, target=action)
                states.append(action)
                symbols.append(self._notation.symbols[terminal])
                return
            origin, _, parts = self._productions[~action]
            size = len(parts)
            target = self._table[states[-1 - size]][origin]
            yield self._step(
                "reduce",
                terminal,
                start,
                end,
                target=target,
                production=self._notation.productions[~action],
            )
            del states[len(states) - size :], symbols[len(symbols) - size :]
            states.append(target)
            symbols.append(self._notation.symbols[origin])
            if terminal == _END and target == self._final:
                yield self._step("accept", terminal, start, end)
                return

    def _step(self, action: Any, terminal: str, start: int, end: int, **more: Any) -> Step:
        stack = tuple(self._symbols[-STACK:])
        if "target" in more:
            more["target"] = self._numbers[more["target"]]
        number = self._numbers[self.position]
        return Step(action, number, terminal, start, end, stack, len(self._symbols), **more)

    def _error(self, terminal: str, start: int, end: int) -> Step:
        """The step for an error.

        A state of an LALR(1) table has lookaheads that are not valid after every stack, so
        each terminal is tried.
        """
        found = (name for name in self._table[self.position] if name in self._notation.terminals)
        expected = tuple(sorted(name for name in found if self._fits(name)))
        return self._step("error", terminal, start, end, expected=expected)

    def _fits(self, terminal: str) -> bool:
        states = list(self._states)
        while terminal in self._table[states[-1]]:
            action = self._table[states[-1]][terminal]
            if action >= 0:
                return True
            origin, _, parts = self._productions[~action]
            del states[len(states) - len(parts) :]
            states.append(self._table[states[-1]][origin])
            if states[-1] == self._final:
                return terminal == _END
        return False


@cache
def _tables(tolerant: bool) -> LALRTables:
    return tables_of(lark_grammars.structure_parser(tolerant))


# --- The grammar's own notation ------------------------------------------------


@dataclass(frozen=True)
class Notation:
    """Symbols, by their names in Lark, and productions as a grammar file writes them.

    The symbol of a rule that Lark made for a repetition is written as that repetition.
    """

    terminals: frozenset[str]
    symbols: dict[str, str]
    productions: list[str]


@cache
def notation(tolerant: bool = False) -> Notation:
    """The notation of ``sgf.lark`` or ``tolerant.lark``."""
    parser = lark_grammars.structure_parser(tolerant)
    symbols = {
        item.name: f'"{item.pattern.value}"' if isinstance(item.pattern, PatternStr) else item.name
        for item in parser.terminals
    }
    terminals = frozenset({*symbols, _END})
    repeated: dict[str, list[str]] = {}
    for rule in parser.rules:
        name = str(rule.origin.name)
        symbols.setdefault(name, name)
        if name.startswith("__") and rule.expansion[0].name != name:
            parts = [symbols.get(part.name, part.name) for part in rule.expansion]
            repeated.setdefault(name, []).append(" ".join(parts))
    for name, alternatives in repeated.items():
        text = " | ".join(alternatives)
        symbols[name] = f"({text})+" if " " in text else f"{text}+"
    return Notation(terminals, symbols, [_written(rule, symbols) for rule in parser.rules])


def _written(rule: Any, symbols: dict[str, str]) -> str:
    parts = [f"{symbols[rule.origin.name]}:", *(symbols[part.name] for part in rule.expansion)]
    return " ".join([*parts, "->", rule.alias] if rule.alias else parts)
