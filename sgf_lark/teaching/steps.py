"""Lists the steps of an LALR(1) parse: each shift and each reduction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from sgf_lark.lalr_tables import states_of
from sgf_lark.syntax.grammars import structure_parser
from sgf_lark.teaching.states import END, Grammar, structure

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
    return steps_by(structure_parser(tolerant), structure(tolerant), data)


def steps_by(lark: Lark, grammar: Grammar, data: bytes) -> Iterator[Step]:
    """As :func:`steps`, by the LALR(1) parser of any grammar with one start production."""
    return _Parse(lark, grammar).run(data.decode("latin-1"))


class _Parse:
    """The stack of a parse, with the actions of the automaton and the lexer of Lark."""

    def __init__(self, lark: Any, grammar: Grammar) -> None:
        [start] = lark.options.start
        self._lark = lark
        self._grammar = grammar
        self._actions = grammar.automaton.actions
        self._of_lark = states_of(lark, start)
        self._states: list[int] = [0]
        self._symbols: list[str] = []

    @property
    def position(self) -> int:
        """Lark's number of the state, by which its contextual lexer chooses the terminals."""
        return self._of_lark[self._states[-1]]

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
            yield from self._take(END, len(text), len(text))

    def _take(self, terminal: str, start: int, end: int) -> Iterator[Step]:
        """The reductions before a token is shifted, and the shift."""
        states, symbols, written = self._states, self._symbols, self._grammar.symbols
        while True:
            action = self._actions[states[-1]].get(terminal)
            if action is None:
                yield self._error(terminal, start, end)
                return
            if action >= 0:
                yield self._step("shift", terminal, start, end, target=action)
                states.append(action)
                symbols.append(written[terminal])
                return
            if ~action >= self._grammar.automaton.count:
                yield self._step("accept", terminal, start, end)
                return
            origin, parts = self._grammar.automaton.productions[~action]
            size = len(parts)
            target = self._actions[states[-1 - size]][origin]
            production = self._grammar.productions[~action]
            yield self._step("reduce", terminal, start, end, target=target, production=production)
            del states[len(states) - size :], symbols[len(symbols) - size :]
            states.append(target)
            symbols.append(written[origin])

    def _step(self, action: Any, terminal: str, start: int, end: int, **more: Any) -> Step:
        stack = tuple(self._symbols[-STACK:])
        return Step(
            action, self._states[-1], terminal, start, end, stack, len(self._symbols), **more
        )

    def _error(self, terminal: str, start: int, end: int) -> Step:
        """The step for an error.

        A state of an LALR(1) table has lookaheads that are not valid after every stack, so
        each terminal is tried.
        """
        found = filter(self._grammar.automaton.is_terminal, self._actions[self._states[-1]])
        expected = tuple(sorted(name for name in found if self._fits(name)))
        return self._step("error", terminal, start, end, expected=expected)

    def _fits(self, terminal: str) -> bool:
        states, automaton = list(self._states), self._grammar.automaton
        while (action := self._actions[states[-1]].get(terminal)) is not None:
            if action >= 0 or ~action >= automaton.count:
                return True
            origin, parts = automaton.productions[~action]
            del states[len(states) - len(parts) :]
            states.append(self._actions[states[-1]][origin])
        return False
