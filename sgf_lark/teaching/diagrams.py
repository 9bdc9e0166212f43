"""Railroad diagrams of the grammar's rules, as SVG. Needs ``railroad-diagrams``.

Shapes have no look of their own: the page's style sheet gives it to them. Each
symbol bears its name in ``data-symbol``.
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

#: Given the name of a rule or a terminal: where its symbol leads, or None.
Link = Callable[[str], str | None]

#: A pattern of up to so many characters is shown in the place of its terminal's name.
_SHORT = 18

#: Up to so many texts are shown, each by itself, in the place of a terminal that lists them.
_FEW = 6

#: The grammar in which a terminal is best known by what it matches.
_SHOWS_PATTERNS = "values.lark"

#: The look of a diagram that stands alone, in light and in dark.
STYLE = """
svg { color-scheme: light dark; font: 13px ui-monospace, monospace;
  --ink: #1f2328; --box: #eef3fa; --sign: #fdf6e3; }
@media (prefers-color-scheme: dark) {
  svg { --ink: #e6edf3; --box: #1c2c40; --sign: #332b14; background: #0d1117; }
}
path { stroke: var(--ink); stroke-width: 1.5; fill: none; }
rect { stroke: var(--ink); stroke-width: 1.2; fill: var(--box); }
.terminal rect { fill: var(--sign); }
text { fill: var(--ink); text-anchor: middle; }
text.comment { font-size: 12px; font-style: italic; }
a text { text-decoration: underline; }
"""


@cache
def structure() -> dict[str, str]:
    """The diagram of each rule of ``sgf.lark``, in the order of the file."""
    return _Grammar("sgf.lark", inlined=True).diagrams()


@cache
def values() -> dict[str, str]:
    """The diagram of each rule of ``values.lark`` that does not only abbreviate others."""
    return _Grammar("values.lark", inlined=True).diagrams()


def productions(file: str, link: Link | None = None) -> dict[str, str]:
    """The diagram of every rule of a grammar file such as ``tolerant.lark``.

    The rules whose names begin with "_" are among them. A symbol for which `link`
    gives an address leads to it.
    """
    return _Grammar(file, inlined=False, link=link).diagrams()


def standalone(file: str, link: Link | None = None) -> dict[str, str]:
    """As :func:`productions`; each is an SVG file by itself, with its look."""
    return {
        name: '<?xml version="1.0" encoding="UTF-8"?>\n'
        + svg.replace(">", f"><style>{STYLE}</style>", 1)
        + "\n"
        for name, svg in productions(file, link).items()
    }


class _Grammar:
    """A grammar file on its way to diagrams.

    If `inlined`, what a rule whose name begins with "_" says stands where the rule is named.
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
            return railroad.Sequence(self.item(expansion), railroad.Comment(f"→ {_name(name)}"))
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
        if name.startswith("_") and self.inlined:
            # A part that only has a name so that it is written once.
            return self.item(self.rules[name])
        if name in self.rules:
            return _named(railroad.NonTerminal(name), name)
        pattern = self.patterns[name]
        texts = [] if self.names else _literals(pattern)
        if 0 < len(texts) <= _FEW:
            signs = [_named(railroad.Terminal(text, title=name), name) for text in texts]
            return signs[0] if len(signs) == 1 else railroad.Choice(0, *signs)
        pattern = _printable(pattern)
        text = name if self.names or len(pattern) > _SHORT else pattern
        return _named(railroad.Terminal(text, title=f"{name}: {pattern}"), name)

    def svg(self, item: railroad.DiagramItem, name: str) -> str:
        parts: list[str] = []
        diagram = railroad.Diagram(item, type="complex")
        diagram.attrs |= {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": name}
        diagram.format(4)
        if self.link is not None:
            # Links cannot be reached in what counts as one image.
            diagram.attrs["role"] = "group"
            _add_links(diagram, self.link)
        diagram.writeSvg(parts.append)
        return "".join(parts)


def _add_links(item: railroad.DiagramItem, link: Link) -> None:
    """Puts what each symbol below `item` shows into a link."""
    for child in item.children:
        symbol = getattr(child, "attrs", {}).get("data-symbol")
        if symbol is not None and (target := link(symbol)) is not None:
            anchor = railroad.DiagramItem("a", {"href": target})
            anchor.children = child.children
            child.children = [anchor]
        elif isinstance(child, railroad.DiagramItem):
            _add_links(child, link)


def _name(symbol: Any) -> str:
    return str(getattr(symbol, "name", symbol))


def _literals(pattern: str) -> list[str]:
    """The texts that `pattern` matches, if it only lists them; a blank gets a sign that is seen."""
    listed = re.fullmatch(r"\(\?:((?:[^\\()]|\\.)*)\)", pattern)
    texts = []
    for part in re.split(r"(?<!\\)\|", listed[1] if listed else pattern):
        texts.append(re.sub(r"\\(.)", r"\1", part))
        if re.escape(texts[-1]) != part:
            return []
    return [text.replace(" ", "␣") for text in texts]


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
