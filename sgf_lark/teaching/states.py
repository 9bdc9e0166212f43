"""The LALR(1) automaton of a grammar, as textbooks show it: the items of each state, what may
follow them, and the conflicts.

Lark analyzes the productions; a grammar with conflicts has an automaton, too.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.syntax import grammars as lark_grammars

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

    def production(self, number: int, dot: int | None = None) -> str:
        """A production, with a dot if one is given."""
        origin, symbols = self.automaton.productions[number]
        if dot is None:
            return self.productions[number]
        head = "" if origin.startswith("$") else f"{self.symbols[origin]}: "
        parts = [self.symbols[each] for each in symbols]
        return head + " ".join([*parts[:dot], "•", *parts[dot:]])

    def names(self, symbols: Iterable[str]) -> str:
        """Symbols in a row; $END is the end of the text."""
        return " ".join(self.symbols[each] for each in symbols)

    def items(self, state: int, lookahead: str | None = None) -> Iterator[WrittenItem]:
        """The items of a state, those of the kernel first.

        With a `lookahead`, the items that are the reason for the action with it are marked: the
        dot is before that terminal, or it is at the end and that terminal may follow.
        """
        for item in self.automaton.states[state].items:
            symbols = self.automaton.productions[item.production][1]
            is_completed = item.dot == len(symbols)
            is_reason = (
                lookahead in item.lookaheads if is_completed else symbols[item.dot] == lookahead
            )
            text = self.production(item.production, item.dot)
            yield WrittenItem(text, self.names(item.lookaheads), item.is_kernel, is_reason)


def grammar_of(lark: Lark) -> Grammar:
    """The grammar that a parser of Lark was made from."""
    from lark.lexer import PatternStr

    rules: Any = lark.rules
    symbols = {
        item.name: f'"{item.pattern.value}"' if isinstance(item.pattern, PatternStr) else item.name
        for item in lark.terminals
    }
    symbols[END] = END
    repeated: dict[str, list[str]] = {}
    for rule in rules:
        name = str(rule.origin.name)
        symbols.setdefault(name, name)
        if name.startswith("__") and rule.expansion[0].name != name:
            parts = [symbols.get(part.name, part.name) for part in rule.expansion]
            repeated.setdefault(name, []).append(" ".join(parts))
    for name, alternatives in repeated.items():
        text = " | ".join(alternatives)
        symbols[name] = f"({text})+" if " " in text else f"{text}+"
    automaton = Automaton(lark)
    written = [
        " ".join([f"{symbols[origin]}:", *(symbols[each] for each in parts)])
        + (f" -> {rule.alias}" if rule.alias else "")
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
        names = [str(rule[0]) for rule in builder.build().rule_defs]
        if not names:
            raise ValueError("there is no production in it")
        start = "collection" if "collection" in names else names[0]
        # This way of parsing takes any grammar; only its productions are used.
        found = grammar_of(Lark(text, parser="earley", lexer="basic", start=start))
        if any(not conflict.is_shift for conflict in found.automaton.conflicts):
            return found, None
        return found, Lark(text, parser="lalr", start=start, propagate_positions=True)
    except LarkError as error:
        raise ValueError(str(error)) from None
