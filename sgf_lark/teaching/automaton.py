"""The LALR(1) automaton of a grammar, as textbooks show it: the items of each state, what may
follow them, the conflicts, and the steps of a parse.

Lark analyzes the productions; a grammar with conflicts has an automaton, too."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from sgf_lark.lalr_tables import states_of
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax.grammars import structure_parser

if TYPE_CHECKING:
    from lark import Lark

END = "$END"

#: The maximum number of forms that are tried in the search for words.
_MAX_FORMS = 20_000


@dataclass(frozen=True, slots=True)
class Item:
    """A production with a dot, the lookaheads that may follow it, and whether it is in the kernel.

    `production` is a number of :attr:`Automaton.productions`; `dot` is the number of its symbols
    before the dot. An item that is not in the kernel was added by the closure.
    """

    production: int
    dot: int
    lookaheads: tuple[str, ...]
    is_kernel: bool


@dataclass(frozen=True, slots=True)
class State:
    """A state: its items, its targets by symbol, and the shortest symbols that lead to it."""

    number: int
    items: tuple[Item, ...]
    targets: dict[str, int]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A state and a lookahead with which the parser could shift and reduce, or reduce twice."""

    state: State
    lookahead: str
    is_shift: bool
    productions: tuple[int, ...]


class Automaton:
    """The LALR(1) automaton of a grammar; states have the numbers of traces.

    A production is its left-hand side and the symbols of its right-hand side.
    """

    def __init__(self, lark: Lark) -> None:
        """Take the states that Lark finds from the start productions; its parser is not used."""
        from lark.common import ParserConf
        from lark.parsers.lalr_analysis import LALR_Analyzer

        # The class has no annotations.
        analyzer: Any = LALR_Analyzer(ParserConf(lark.rules, {}, lark.options.start))
        analyzer.compute_lr0_states()
        analyzer.compute_reads_relations()
        analyzer.compute_includes_lookback()
        #: The number of productions of the grammar; then come those of the start productions.
        self.count = len(lark.rules)
        rules = [*lark.rules]
        rules += [item.rule for root in analyzer.lr0_start_states.values() for item in root.kernel]
        self.productions = [
            (str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion))
            for rule in rules
        ]
        self._by_origin: dict[str, list[int]] = {}
        for number, (origin, _) in enumerate(self.productions):
            self._by_origin.setdefault(origin, []).append(number)
        self.states = _states(analyzer, {rule: number for number, rule in enumerate(rules)})

    def is_terminal(self, symbol: str) -> bool:
        """Whether a symbol has no production."""
        return symbol not in self._by_origin

    def completed(self, state: State) -> list[Item]:
        """The items with the dot at the end: the productions that the parser can reduce."""
        return [
            item for item in state.items if item.dot == len(self.productions[item.production][1])
        ]

    @cached_property
    def actions(self) -> list[dict[str, int]]:
        """For each state: terminal -> the state to shift to, or ``~n`` to reduce by production n.

        As in Lark a shift comes first.
        """
        return [
            {
                **{
                    terminal: ~item.production
                    for item in self.completed(state)
                    for terminal in item.lookaheads
                },
                **state.targets,
            }
            for state in self.states
        ]

    @cached_property
    def conflicts(self) -> list[Conflict]:
        """The conflicts of all states. A parser of Lark shifts, or refuses the grammar."""
        found = []
        for state in self.states:
            reductions: dict[str, list[int]] = {}
            for item in self.completed(state):
                for terminal in item.lookaheads:
                    reductions.setdefault(terminal, []).append(item.production)
            for terminal, numbers in sorted(reductions.items()):
                is_shift = terminal in state.targets
                if len(numbers) + is_shift > 1:
                    found.append(Conflict(state, terminal, is_shift, tuple(numbers)))
        return found

    def words(self, count: int) -> Iterator[tuple[str, ...]]:
        """The shortest words of the grammar, as terminals: at most `count`, each once.

        The search ends early where a grammar has too many forms without a word.
        """
        shortest = self._shortest()
        starts = [
            symbols for _, symbols in self.productions[self.count :] if symbols[0] in shortest
        ]
        waiting = [(shortest[start[0]], 0, start) for start in starts]
        heapq.heapify(waiting)
        seen, words = set(starts), set[tuple[str, ...]]()
        for _ in range(_MAX_FORMS):
            if not waiting or len(words) == count:
                return
            _, _, form = heapq.heappop(waiting)
            # The leftmost symbol: every word has one leftmost derivation for each of its trees, and
            # others would only find it again.
            place = next((at for at, each in enumerate(form) if not self.is_terminal(each)), None)
            if place is None:
                words.add(form)
                yield form
                continue
            for number in self._by_origin[form[place]]:
                derived = form[:place] + self.productions[number][1] + form[place + 1 :]
                lengths = [1 if self.is_terminal(s) else shortest.get(s) for s in derived]
                if derived not in seen and None not in lengths:
                    seen.add(derived)
                    size = sum(length or 0 for length in lengths)
                    # After the length the number of forms decides, so that the order is the same in
                    # each run.
                    heapq.heappush(waiting, (size, len(seen), derived))

    def _shortest(self) -> dict[str, int]:
        """The length of the shortest word of each symbol with productions that has one."""
        found: dict[str, int] = {}
        changed = True
        while changed:
            changed = False
            for origin, symbols in self.productions:
                if all(self.is_terminal(each) or each in found for each in symbols):
                    length = sum(found.get(each, 1) for each in symbols)
                    if length < found.get(origin, length + 1):
                        found[origin] = length
                        changed = True
        return found


def _states(analyzer: Any, productions: dict[Any, int]) -> list[State]:
    """The item sets of Lark in the order in which they are reached, by the numbers of productions.

    Lark's own order differs from process to process.
    """
    order: list[Any] = [*analyzer.lr0_start_states.values()]
    paths: dict[Any, tuple[str, ...]] = dict.fromkeys(order, ())
    targets: list[dict[str, Any]] = []
    for state in order:  # grows while new states are found
        found = sorted((str(symbol.name), each) for symbol, each in state.transitions.items())
        targets.append(dict(found))
        for symbol, target in found:
            if target not in paths:
                paths[target] = (*paths[state], symbol)
                order.append(target)
    numbers = {state: number for number, state in enumerate(order)}
    lookaheads = _lookaheads(analyzer)

    def items(state: Any) -> Iterator[Item]:
        added = sorted(state.closure - state.kernel, key=lambda each: productions[each.rule])
        found = sorted(state.kernel, key=lambda each: (productions[each.rule], each.index))
        for each in found:  # grows: the productions of a symbol come after an item that needs them
            if not each.is_satisfied:
                found += [item for item in added if item.rule.origin == each.next]
                added = [item for item in added if item.rule.origin != each.next]
            number, follow = productions[each.rule], lookaheads[state, each.rule, each.index]
            yield Item(number, each.index, tuple(sorted(follow)), each in state.kernel)

    return [
        State(
            number,
            tuple(items(state)),
            {symbol: numbers[target] for symbol, target in targets[number].items()},
            paths[state],
        )
        for state, number in numbers.items()
    ]


def _lookaheads(analyzer: Any) -> dict[tuple[Any, Any, int], set[str]]:
    """By item set, rule and dot: the terminals that may follow the production there.

    Lark keeps only those of completed productions; all others follow from the same relations.
    """
    from lark.parsers import lalr_analysis

    union: Any = lalr_analysis.digraph  # has no annotations
    transitions = analyzer.nonterminal_transitions
    reads = union(transitions, analyzer.reads, analyzer.directly_reads)
    follow = union(transitions, analyzer.includes, reads)
    terminals = {key: {str(each.name) for each in found} for key, found in follow.items()}
    for root in analyzer.lr0_start_states.values():
        terminals |= {(root, item.rule.origin): {END} for item in root.kernel}
    found: dict[tuple[Any, Any, int], set[str]] = defaultdict(set)
    for (first, origin), following in terminals.items():
        for rule in analyzer.lr0_rules_by_origin[origin]:
            # The same may follow at its first symbol and in all states on the way to its last.
            state = first
            for dot, symbol in enumerate([*rule.expansion, None]):
                found[state, rule, dot] |= following
                state = state.transitions.get(symbol)
    return found


# --- The automaton of a grammar file, in its notation -------------------------------------


class WrittenItem(NamedTuple):
    """An item in the notation of the grammar, with what may follow the production."""

    text: str
    lookaheads: str
    is_kernel: bool
    is_reason: bool


@dataclass(frozen=True)
class Grammar:
    """A grammar for Lark: its automaton, and its symbols and productions as the file writes them.

    The symbol of a rule that Lark made for a repetition is written as that repetition.
    """

    automaton: Automaton
    symbols: dict[str, str]
    productions: list[str]

    def names(self, symbols: Iterable[str]) -> str:
        """Symbols in a row; $END is the end of the text."""
        return " ".join(self.symbols[each] for each in symbols)

    def items(self, state: int, lookahead: str | None = None) -> Iterator[WrittenItem]:
        """The items of a state, those of the kernel first.

        With a `lookahead`, the items that are the reason for the action with it are marked: the
        dot is before that terminal, or it is at the end and that terminal may follow.
        """
        for item in self.automaton.states[state].items:
            origin, symbols = self.automaton.productions[item.production]
            is_completed = item.dot == len(symbols)
            is_reason = (
                lookahead in item.lookaheads if is_completed else symbols[item.dot] == lookahead
            )
            head = "" if origin.startswith("$") else f"{self.symbols[origin]}: "
            parts = [self.symbols[each] for each in symbols]
            text = head + " ".join([*parts[: item.dot], "•", *parts[item.dot :]])
            yield WrittenItem(text, self.names(item.lookaheads), item.is_kernel, is_reason)


def written_symbols(lark: Lark) -> dict[str, str]:
    """The symbols of a grammar as its file writes them, by their names in Lark."""
    from lark.lexer import PatternStr

    symbols = {
        item.name: f'"{item.pattern.value}"' if isinstance(item.pattern, PatternStr) else item.name
        for item in lark.terminals
    }
    symbols[END] = END
    repeated: dict[str, list[str]] = {}
    for rule in lark.rules:
        name = str(rule.origin.name)
        symbols.setdefault(name, name)
        if name.startswith("__") and rule.expansion[0].name != name:
            parts = [symbols.get(part.name, part.name) for part in rule.expansion]
            repeated.setdefault(name, []).append(" ".join(parts))
    for name, alternatives in repeated.items():
        text = " | ".join(alternatives)
        symbols[name] = f"({text})+" if " " in text else f"{text}+"
    return symbols


def grammar_of(lark: Lark) -> Grammar:
    """The grammar that a parser of Lark was made from."""
    symbols, rules = written_symbols(lark), lark.rules
    automaton = Automaton(lark)
    written = [
        " ".join([f"{symbols[origin]}:", *(symbols[each] for each in parts)])
        + (f" -> {rule.alias}" if rule.alias else "")
        # The productions that Lark adds for the start are the last ones and are written nowhere.
        for rule, (origin, parts) in zip(rules, automaton.productions, strict=False)
    ]
    return Grammar(automaton, symbols, written)


@cache
def structure(tolerant: bool = False) -> Grammar:
    """The grammar ``sgf.lark`` or ``tolerant.lark``."""
    return grammar_of(lark_grammars.structure_parser(tolerant))


def changed(text: str) -> tuple[Grammar, Lark | None]:
    """The grammar of a changed copy, the text of a file for Lark, and its parser.

    The start production is "collection", or else the first one. There is no parser where two
    productions could be reduced. Raises ValueError for a text that is no grammar.
    """
    from lark import Lark
    from lark.exceptions import LarkError
    from lark.load_grammar import GrammarBuilder

    try:
        builder = GrammarBuilder()
        builder.load_grammar(text, "grammar")
        loaded = builder.build()
        names = [str(rule[0]) for rule in loaded.rule_defs]
        if not names:
            raise ValueError("there is no production in it")
        start = "collection" if "collection" in names else names[0]
        # This way of parsing takes any grammar; only its productions are used.
        found = grammar_of(Lark(loaded, parser="earley", lexer="basic", start=start))
        if any(not conflict.is_shift for conflict in found.automaton.conflicts):
            return found, None
        return found, Lark(loaded, parser="lalr", start=start, propagate_positions=True)
    except LarkError as error:
        raise ValueError(str(error)) from None


# --- Steps of a parse -----------------------------------------------------------------


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
        # The lexer of Lark and not its parser, which has no states with items: the parser here is
        # the automaton.
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
