"""A selection in a text, as each panel of the page shows it."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from sgf_lark import grammar
from sgf_lark.diagnostics import Diagnostic
from sgf_lark.drawing import DrawingError, position, svg
from sgf_lark.drawing.positions import LARGEST
from sgf_lark.model.pictures import Theme
from sgf_lark.model.property import Property, value_in
from sgf_lark.model.values import Point
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.model.values.points import expand
from sgf_lark.playground.document import Document
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.teaching import facts
from sgf_lark.teaching.described_values import described_values

#: The largest tree, in items, that is shown in full; of a larger one only a part is shown.
_MAX_ITEMS = 300
#: The number of siblings that are shown on each side of an item on the path.
_MAX_SIBLINGS = 12
#: The maximum number of characters that are shown of a terminal.
_MAX_LENGTH = 60


@dataclass(frozen=True)
class Selection:
    """A range of bytes in a document, its item of the parse tree and its node."""

    document: Document
    start: int
    end: int
    item: int
    node: int | None
    dark: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The content of all panels."""
        syntax = self.document.syntax
        return {
            "item": self.item,
            "span": self._span_of(self.item),
            "path": [
                {"item": item, "name": syntax[item].name, "span": self._span_of(item)}
                for item in syntax.path(self.item)
            ],
            "tree": self.tree(),
            "node": self.node,
            "nodeSpan": self.node
            if self.node is None
            else self.document.span(*self.document.flat.node_span(self.node)),
            "values": self.values(),
            "texts": self.texts(),
            "explanation": self.explanation(),
            "points": self.points(),
            "moves": self.moves(),
            **self.board(),
        }

    def _span_of(self, item: int) -> list[int]:
        found = self.document.syntax[item]
        return self.document.span(found.start, found.end)

    # The parse tree

    def tree(self) -> list[dict[str, Any]]:
        """The visible items in pre-order; an entry with `left` replaces that many items."""
        if self._is_large:
            return self._part_of_tree()
        return [self._line(item) for item in range(len(self.document.syntax))]

    @property
    def _is_large(self) -> bool:
        return len(self.document.syntax) > _MAX_ITEMS

    def _part_of_tree(self) -> list[dict[str, Any]]:
        """The path to the selection with its siblings, and the items below the selection."""
        syntax = self.document.syntax
        path = syntax.path(self.item)
        head: list[dict[str, Any]] = [self._line(path[0])]
        tail: list[dict[str, Any]] = []
        for parent, child in itertools.pairwise(path):
            children = syntax.children(parent)
            index = bisect_right(children, child) - 1
            head += self._lines(children[:index], near_end=True)
            head.append(self._line(child))
            tail = self._lines(children[index + 1 :], near_end=False) + tail
        last = syntax[self.item].last
        below = range(self.item + 1, min(last + 1, self.item + _MAX_ITEMS // 2))
        inner = [self._line(item) for item in below]
        left = last - self.item - len(inner)
        inner += [{"left": left, "depth": len(path)}] if left else []
        return head + inner + tail

    def _lines(self, items: list[int], *, near_end: bool) -> list[dict[str, Any]]:
        """The first or the last of these items, and a line for the omitted ones."""
        shown = items[-_MAX_SIBLINGS:] if near_end else items[:_MAX_SIBLINGS]
        lines = [self._line(item) for item in shown]
        if left := len(items) - len(shown):
            # A click on this line selects the nearest omitted item.
            nearest = items[-_MAX_SIBLINGS - 1] if near_end else items[_MAX_SIBLINGS]
            depth, span = self.document.syntax[nearest].depth, self._span_of(nearest)
            line = {"left": left, "depth": depth, "item": nearest, "span": span}
            lines = [line, *lines] if near_end else [*lines, line]
        return lines

    def _line(self, item: int) -> dict[str, Any]:
        name, start, end, _, depth, last = self.document.syntax[item]
        line = {
            "item": item,
            "depth": depth,
            "name": name,
            "span": self.document.span(start, end),
            "damage": name not in lark_grammars.regular_symbols(),
            "inner": last > item,
        }
        if name.isupper() or name == "property" or (name == "node" and self._is_large):
            text = self.document.part(start, min(end, start + 4 * _MAX_LENGTH))
            cut = len(text) > _MAX_LENGTH or end > start + 4 * _MAX_LENGTH
            line["text"] = text[:_MAX_LENGTH] + "…" if cut else text
        return line

    # The node

    def values(self) -> list[dict[str, Any]]:
        """The explanation of each value of the node."""
        if self.node is None:
            return []
        node = self.document.node(self.node)
        return [
            {
                "ident": value.ident,
                "name": value.name,
                "type": value.type,
                "raw": value.raw,
                "result": value.result,
                "fits": value.fits,
                "rules": value.rules,
                "span": self.document.span(value.start, value.end),
            }
            for value in described_values(node, self.document.language)
        ]

    def texts(self) -> dict[str, str]:
        """The name and the comment of the node, as they are read: N and C, if it has them."""
        if self.node is None:
            return {}
        node = self.document.node(self.node)
        found = {ident: value_in(node, ident) for ident in ("N", "C")}
        return {ident: value for ident, value in found.items() if isinstance(value, str)}

    def points(self) -> list[str]:
        """The points in the selected value."""
        entry = self._property()
        if entry is None or entry.number is None:
            return []
        flat = self.document.flat
        for value in range(*flat.values_of(entry.number)):
            start, end = flat.value_span(value)
            if start - 1 <= self.start and self.end <= end + 1:
                return self._named(entry, value)
        return []

    def _named(self, entry: Property, value: int) -> list[str]:
        """The points in a value, as SGF writes them, without those outside any drawn board."""
        edge = LARGEST - 1
        write = NOTATIONS.get(grammar.game(entry.tree.game).point, str)
        return [
            write(point)
            for first, last in self.document.areas(entry, value)
            if first.column <= edge and first.row <= edge
            for point in expand(first, Point(min(last.column, edge), min(last.row, edge)))
        ]

    def board(self) -> dict[str, Any]:
        """The board of the node as SVG, or the key of the text that explains why there is none."""
        if self.node is None:
            return {"board": None, "noBoard": "noNode"}
        node = self.document.node(self.node)
        try:
            after = position(node.tree, node)
        except DrawingError:
            return {"board": None, "noBoard": "noBoard"}
        theme: Theme = "dark" if self.dark else "light"
        return {
            "board": svg(after, clickable=True, theme=theme, language=self.document.language),
            "move": after.move_number,
            "toMove": str(after.to_move),
            "captured": {str(color): count for color, count in after.captured.items()},
        }

    def moves(self) -> dict[str, int | None]:
        """The offset of the node to which each button of the board leads, or None."""
        node, flat = self.node, self.document.flat
        if node is None:
            return dict.fromkeys(("first", "previous", "next", "last", "sibling"))
        parent = flat.parent[node]
        siblings = flat.roots if parent < 0 else flat.children_of(parent)
        children = flat.children_of(node)
        end = node
        while below := flat.children_of(end):
            end = below[0]
        goals = {
            "first": flat.roots[flat.tree_of(node)],
            "previous": parent,
            "next": children[0] if children else node,
            "last": end,
            "sibling": siblings[(siblings.index(node) + 1) % len(siblings)],
        }
        return {
            name: None if goal in (node, -1) else self.document.text.units(flat.node_start[goal])
            for name, goal in goals.items()
        }

    # Explanations

    def explanation(self) -> list[dict[str, Any]]:
        """The broken rules at the selection, its property, and its production."""
        language = self.document.language
        found = [
            {**_shown(facts.of_rule(grammar.rule(each.code), language)), "severity": each.severity}
            for each in self._broken()
        ]
        entry = self._property()
        if entry is not None and entry.definition is not None:
            found.append(_shown(facts.of_property(entry.definition, language)))
        names = (self.document.syntax[item].name for item in self.document.syntax.path(self.item))
        terms = [name for name in names if name in grammar.terms()]
        production = facts.of_production(terms[-1], language) if terms else None
        return found if production is None else [*found, _shown(production)]

    def _broken(self) -> list[Diagnostic]:
        """A diagnostic for each rule broken at the selection, or else in its node."""
        here = self.document.over(self.start, self.end)
        if not here and self.node is not None:
            here = self.document.over(*self.document.flat.node_span(self.node))
        return list({found.code: found for found in reversed(here)}.values())[::-1]

    def _property(self) -> Property | None:
        entry = self.document.property_at(self.start)
        # The one after the last bracket of a property is not in it.
        return entry if entry is not None and self.start < entry.offsets[1] else None


#: The facts that are shown here.
_FACTS = ("fix", "source", "value", "range")


def _shown(found: facts.Explanation) -> dict[str, Any]:
    """An explanation as JSON has it."""
    shown = [(fact.label, found.fact(fact.key)) for fact in found.facts if fact.key in _FACTS]
    # The name of a production is often its title: "node".
    title = " ".join(dict.fromkeys((found.name, found.title)))
    return {"kind": found.kind, "title": title, "texts": found.texts, "facts": shown}
