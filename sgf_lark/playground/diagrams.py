"""Railroad diagrams of the grammar's rules, as SVG. Needs ``railroad-diagrams``.

Shapes have no look of their own: the page's style sheet gives it to them. Each
symbol bears its name in ``data-symbol``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import railroad
from lark import Tree

from sgf_lark import grammar

#: A pattern of up to so many characters is shown in the place of its terminal's name.
_SHORT = 18


@cache
def structure() -> dict[str, str]:
    """The diagram of each rule of ``sgf.lark``, in the order of the file."""
    return _Grammar("sgf.lark", names=True).diagrams()


@cache
def values() -> dict[str, str]:
    """The diagram of each rule of ``values.lark``."""
    return _Grammar("values.lark", names=False).diagrams()


class _Grammar:
    """A grammar file on its way to diagrams; with `names`, terminals are named."""

    def __init__(self, file: str, *, names: bool) -> None:
        self.rules = grammar.rule_trees(file)
        self.patterns = grammar.terminal_patterns(file)
        self.names = names

    def diagrams(self) -> dict[str, str]:
        return {
            str(name): _svg(self.item(tree), str(name))
            for name, tree in self.rules.items()
            if not name.startswith("_")
        }

    def item(self, tree: Any) -> railroad.DiagramItem:
        """The shape of a part of a rule, as Lark's grammar loader leaves it."""
        if not isinstance(tree, Tree):
            return self.symbol(str(getattr(tree, "name", tree)))
        if tree.data == "literal":
            text = str(ast.literal_eval(str(tree.children[0])))
            return _named(railroad.Terminal(text), text)
        items = [self.item(child) for child in tree.children if not grammar.is_operator(child)]
        operators = [str(child) for child in tree.children if grammar.is_operator(child)]
        match tree.data:
            case "expansions":
                return items[0] if len(items) == 1 else railroad.Choice(0, *items)
            case "maybe":
                return railroad.Optional(items[0])
            case "expr":
                return _repeated(items[0], operators)
            case _:
                if not items:
                    return railroad.Skip()
                return items[0] if len(items) == 1 else railroad.Sequence(*items)

    def symbol(self, name: str) -> railroad.DiagramItem:
        if name.startswith("_"):
            # A part that only has a name so that it is written once.
            return self.item(self.rules[name])
        if name in self.rules:
            return _named(railroad.NonTerminal(name), name)
        pattern = _printable(self.patterns[name])
        text = name if self.names or len(pattern) > _SHORT else pattern
        return _named(railroad.Terminal(text, title=f"{name}: {pattern}"), name)


def _printable(pattern: str) -> str:
    return "".join(sign if " " <= sign <= "~" else f"\\x{ord(sign):02x}" for sign in pattern)


def _named(item: railroad.DiagramItem, name: str) -> railroad.DiagramItem:
    item.attrs["data-symbol"] = name
    return item


_REPEATED: dict[str, Callable[[railroad.DiagramItem], railroad.DiagramItem]] = {
    "?": railroad.Optional,
    "*": railroad.ZeroOrMore,
    "+": railroad.OneOrMore,
}


def _repeated(item: railroad.DiagramItem, operators: list[str]) -> railroad.DiagramItem:
    if operators[0] in _REPEATED:
        return _REPEATED[operators[0]](item)
    # "~ 0..4": how often stands beside it.
    often = railroad.Comment("…".join(operators[1:]))
    return (
        railroad.ZeroOrMore(item, often) if operators[1] == "0" else railroad.OneOrMore(item, often)
    )


def _svg(item: railroad.DiagramItem, name: str) -> str:
    parts: list[str] = []
    diagram = railroad.Diagram(item, type="complex")
    diagram.attrs |= {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": name}
    diagram.format(4).writeSvg(parts.append)
    return "".join(parts)
