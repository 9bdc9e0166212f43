"""The grammars as Lark reads them: its parsers, rules, terminals, and what it makes of
them for those who do not call it."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Any

from lark import Lark, Tree
from lark.load_grammar import GrammarBuilder

from sgf_lark import value_parser
from sgf_lark.grammar import source


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
        "tables": value_parser.compute(parser_of_values()),
    }


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
        return f"(?:{self.terminals[symbol]})"

    def convert(self, tree: Any) -> str:
        if not isinstance(tree, Tree):
            return self.of(str(getattr(tree, "name", tree)))
        if tree.data == "literal":
            return re.escape(str(ast.literal_eval(str(tree.children[0]))))
        parts = [self.convert(child) for child in tree.children if not is_operator(child)]
        match tree.data:
            case "expansions":
                return "(?:" + "|".join(parts) + ")"
            case "maybe":
                return f"(?:{parts[0]})?"
            case "expr":
                return f"(?:{parts[0]})" + _repetition(
                    [str(child) for child in tree.children if is_operator(child)]
                )
            case _:
                return "".join(parts)


def is_operator(item: Any) -> bool:
    """Whether a child in such a tree only tells how often what stands before it comes."""
    return getattr(item, "type", "") in {"OP", "NUMBER", "TILDE"}


def _repetition(operators: list[str]) -> str:
    """Lark's "?", "*", "+" or "~ 2..4" as the operator of a regular expression."""
    if operators[0] != "~":
        return operators[0]
    return "{" + ",".join(operators[1:]) + "}"
