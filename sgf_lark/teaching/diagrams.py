"""Draws railroad diagrams of the grammar's rules as SVG. Needs ``railroad-diagrams``.

The style sheet of the page sets the style of the shapes. Each symbol has its name in
``data-symbol``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import railroad
from lark import Tree

from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax.grammars import is_operator

#: Name of a rule or a terminal -> the address for its symbol, or None.
Link = Callable[[str], str | None]

#: The longest pattern, in characters, that is shown instead of the name of its terminal.
_MAX_PATTERN_LENGTH = 18

#: The maximum number of texts that are shown instead of a terminal that lists them.
_MAX_TEXTS = 6

#: The grammar in which a terminal is shown by its pattern.
_SHOWS_PATTERNS = "values.lark"


@cache
def rules(file: str) -> dict[str, str]:
    """The diagram of each rule of a grammar file such as ``sgf.lark``, in the order of the file,
    except for those whose names begin with "_": these are drawn where they are used."""
    return _Grammar(file, inlined=True).diagrams()


def productions(file: str, link: Link | None = None) -> dict[str, str]:
    """The diagram of every rule of a grammar file such as ``tolerant.lark``.

    That includes the rules whose names begin with "_". Symbols are links to the addresses
    that `link` returns.
    """
    return _Grammar(file, inlined=False, link=link).diagrams()


class _Grammar:
    """Draws the diagrams of a grammar file.

    If `inlined`, a rule whose name begins with "_" is drawn in the rules that contain it.
    """

    def __init__(self, file: str, *, inlined: bool, link: Link | None = None) -> None:
        self.rules = lark_grammars.rule_trees(file)
        self.patterns = lark_grammars.terminal_patterns(file)
        self.names = file != _SHOWS_PATTERNS
        self.inlined = inlined
        self.link = link

    def diagrams(self) -> dict[str, str]:
        return {
            str(name): self.svg(self.item(tree), str(name))
            for name, tree in self.rules.items()
            if not (self.inlined and name.startswith("_"))
        }

    def item(self, tree: Any) -> railroad.DiagramItem:
        """The shape of a part of a rule, as Lark's grammar loader leaves it."""
        if not isinstance(tree, Tree):
            return self.symbol(str(getattr(tree, "name", tree)))
        if tree.data == "literal":
            text = str(ast.literal_eval(str(tree.children[0])))
            return _named(railroad.Terminal(text), text)
        if tree.data == "alias":
            expansion, name = tree.children
            return railroad.Sequence(
                self.item(expansion), railroad.Comment(f"→ {getattr(name, 'name', name)}")
            )
        items = [self.item(child) for child in tree.children if not is_operator(child)]
        operators = [str(child) for child in tree.children if is_operator(child)]
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
        # Lark leaves these rules out of its trees, so a reader of a tree does not meet them.
        if name.startswith("_") and self.inlined:
            return self.item(self.rules[name])
        if name in self.rules:
            return _named(railroad.NonTerminal(name), name)
        pattern = self.patterns[name]
        texts = [] if self.names else _literals(pattern)
        if 0 < len(texts) <= _MAX_TEXTS:
            terminals = [_named(railroad.Terminal(text, title=name), name) for text in texts]
            return terminals[0] if len(terminals) == 1 else railroad.Choice(0, *terminals)
        pattern = re.sub("[^ -~]", lambda match: f"\\x{ord(match[0]):02x}", pattern)
        text = name if self.names or len(pattern) > _MAX_PATTERN_LENGTH else pattern
        return _named(railroad.Terminal(text, title=f"{name}: {pattern}"), name)

    def svg(self, item: railroad.DiagramItem, name: str) -> str:
        parts: list[str] = []
        diagram = railroad.Diagram(item, type="complex")
        diagram.attrs |= {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": name}
        diagram.format(4)
        if self.link is not None:
            # Assistive programs do not see links in an element with the role "img".
            diagram.attrs["role"] = "group"
            _add_links(diagram, self.link)
        diagram.writeSvg(parts.append)
        return "".join(parts)


def _add_links(item: railroad.DiagramItem, link: Link) -> None:
    """Wrap the content of each symbol below `item` in a link."""
    for child in item.children:
        symbol = getattr(child, "attrs", {}).get("data-symbol")
        if symbol is not None and (target := link(symbol)) is not None:
            anchor = railroad.DiagramItem("a", {"href": target})
            anchor.children = child.children
            child.children = [anchor]
        elif isinstance(child, railroad.DiagramItem):
            _add_links(child, link)


def _literals(pattern: str) -> list[str]:
    """The texts that `pattern` matches, if it only lists them; blanks become visible."""
    listed = re.fullmatch(r"\(\?:((?:[^\\()]|\\.)*)\)", pattern)
    texts = []
    for part in re.split(r"(?<!\\)\|", listed[1] if listed else pattern):
        texts.append(re.sub(r"\\(.)", r"\1", part))
        if re.escape(texts[-1]) != part:
            return []
    return [text.replace(" ", "␣") for text in texts]


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
    # "~ 0..4": the numbers are shown as a comment.
    numbers = railroad.Comment("…".join(operators[1:]))
    return (
        railroad.ZeroOrMore(item, numbers)
        if operators[1] == "0"
        else railroad.OneOrMore(item, numbers)
    )
