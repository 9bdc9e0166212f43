"""The grammars as Lark reads them: its parsers, rules, terminals, and what it makes of
them for those who do not call it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from lark import Lark, Tree
from lark.load_grammar import GrammarBuilder

from sgf_lark.grammar import source
from sgf_lark.value_parser import CHILD, CHILDREN, DROPPED


@cache
def structure_parser(tolerant: bool = False) -> Lark:
    """Lark's LALR(1) parser of ``sgf.lark`` or ``tolerant.lark``.

    It reads bytes decoded as Latin-1.
    """
    text = source("tolerant.lark" if tolerant else "sgf.lark")
    return Lark(text, parser="lalr", start="collection", propagate_positions=True)


@cache
def regular_symbols() -> frozenset[str]:
    """The rules and terminals of ``sgf.lark``; all others that a tree shows are damage."""
    parser = structure_parser()
    rules = {str(rule.origin.name) for rule in parser.rules}
    return frozenset(rules | {terminal.name for terminal in parser.terminals})


@cache
def rule_trees(name: str) -> dict[str, Tree[Any]]:
    """The rules of the grammar file `name`, as Lark's grammar loader leaves them."""
    return {rule[0]: rule[2] for rule in _loaded(name).rule_defs}


@cache
def terminal_patterns(name: str) -> dict[str, str]:
    """The terminals of the grammar file `name` as regular expressions."""
    terminals, _, _ = _loaded(name).compile([str(rule) for rule in rule_trees(name)], "*")
    return {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}


def _loaded(name: str) -> Any:
    builder = GrammarBuilder()
    builder.load_grammar(source(name), name)
    return builder.build()


def reached(states: Any, firsts: Iterable[int]) -> dict[int, int]:
    """Numbers for the states of a table of Lark's, as they are reached from the first ones:
    Lark numbers them otherwise in every run."""
    order: dict[int, int] = {}
    waiting = list(firsts)
    for state in waiting:
        if state not in order:
            order[state] = len(order)
            actions = sorted(states[state].items())
            waiting += [argument for _, (_, argument) in actions if isinstance(argument, int)]
    return order


# --- Values -------------------------------------------------------------------


@cache
def parser_of_values() -> Lark:
    """Lark's LALR(1) parser of ``values.lark``; each value type is a start rule."""
    return Lark(source("values.lark"), parser="lalr", start=_value_types())


def _value_types() -> list[str]:
    return sorted(str(name) for name in rule_trees("values.lark") if not name.startswith("_"))


def values() -> dict[str, Any]:
    """The "patterns" of the value types, regular expressions, and the parser's "tables"."""
    expressions = _RegularExpression(rule_trees("values.lark"), parser_of_values())
    return {
        "patterns": {name: expressions.of(name) for name in _value_types()},
        "tables": _tables(parser_of_values()),
    }


def _tables(lark: Lark) -> dict[str, Any]:
    """What a ValueParser runs: Lark's table, the terminals that its contextual lexer looks
    for in each state, and what becomes of the symbols of each rule.

    Raises RuntimeError for a Lark that keeps them otherwise, and for a grammar with
    what :class:`ValueParser` does not know.
    """
    inside: Any = lark
    try:
        table = inside.parser.parser.parser.parse_table
        lexers = inside.parser.lexer.lexers
        firsts = [first for _, first in sorted(table.start_states.items())]
        order = reached(table.states, firsts)
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
        DROPPED
        if symbol.is_term and symbol.filter_out
        else CHILDREN
        if not symbol.is_term and symbol.name.startswith("_")
        else CHILD
        for symbol in rule.expansion
    ]
    return [len(places), name, None if set(places) <= {CHILD} else places]


class _RegularExpression:
    """Turns a rule, as Lark's grammar loader leaves it, into a regular expression."""

    def __init__(self, rules: dict[str, Tree[Any]], parser: Lark) -> None:
        self.rules = rules
        self.terminals = {
            terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals
        }

    def of(self, symbol: str) -> str:
        if symbol in self.rules:
            return self.convert(self.rules[symbol])
        return _grouped(self.terminals[symbol], joined=True)

    def convert(self, tree: Any) -> str:
        if not isinstance(tree, Tree):
            return self.of(str(getattr(tree, "name", tree)))
        if tree.data == "literal":
            return re.escape(str(ast.literal_eval(str(tree.children[0]))))
        parts = [self.convert(child) for child in tree.children if not is_operator(child)]
        match tree.data:
            case "expansions":
                return parts[0] if len(parts) == 1 else "(?:" + "|".join(parts) + ")"
            case "maybe":
                return _grouped(parts[0]) + "?"
            case "expr":
                return _grouped(parts[0]) + _repetition(
                    [str(child) for child in tree.children if is_operator(child)]
                )
            case _:
                return "".join(parts)


#: A part of a regular expression that brackets do not hold together.
_PART = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)


def _grouped(pattern: str, joined: bool = False) -> str:
    """`pattern` in a group, unless it is one part, or is to be `joined` to others and has no
    alternatives."""
    depth = parts = alternatives = 0
    for part in _PART.findall(pattern):
        depth -= part == ")"
        if depth == 0:
            parts += part != ")"
            alternatives += part == "|"
        depth += part == "("
    if parts == 1 or (joined and not alternatives):
        return pattern
    return f"(?:{pattern})"


def is_operator(item: Any) -> bool:
    """Whether a child in such a tree only tells how often what stands before it comes."""
    return getattr(item, "type", "") in {"OP", "NUMBER", "TILDE"}


def _repetition(operators: list[str]) -> str:
    """Lark's "?", "*", "+" or "~ 2..4" as the operator of a regular expression."""
    if operators[0] != "~":
        return operators[0]
    return "{" + ",".join(operators[1:]) + "}"
