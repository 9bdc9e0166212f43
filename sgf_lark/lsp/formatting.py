"""Formatting: a pair of moves on each line, long texts in several lines, no value changed."""

from __future__ import annotations

from dataclasses import replace

from lsprotocol import types

from sgf_lark.fixing.rewriting import wrapped
from sgf_lark.lsp.actions import edits_between
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.syntax.parsing import ParsedFile, parse_if_strict

#: Lines are at most this long where the format has a place for a line break.
WIDTH = 80


def format_text(analysis: Analysis, width: int = WIDTH) -> list[types.TextEdit]:
    """The edits that format a text; a damaged one stays as it is, until it is fixed.

    Only white space between the parts of a game tree changes, and soft line breaks in texts,
    which mean nothing. Formatting a second time changes nothing.
    """
    if analysis.is_damaged or not analysis.collection:
        return []
    new = "".join(f"{_Layout(tree, width).text()}\n" for tree in analysis.collection).encode(
        "utf-8", "surrogatepass"
    )
    if b"\r\n" in analysis.data:
        new = new.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    decoding = analysis.collection.file.decoding
    flat = parse_if_strict(new)
    if flat is None:
        return []
    again = Collection.of_file(ParsedFile(replace(decoding, original=new, data=new), flat))
    if not all(map(GameTree.equals, analysis.collection, again)):
        return []
    return edits_between(analysis.text, analysis.data[: decoding.signature.length] + new)


class _Layout:
    """Writes a game tree line by line."""

    def __init__(self, tree: GameTree, width: int) -> None:
        self.tree = tree
        self.width = width
        self.lines: list[str] = [""]
        #: Whether the last line holds one node with a move, and can take the answer to it.
        self.awaits_answer = False

    def text(self) -> str:
        """The tree with its brackets."""
        flat, first, last = self.tree.flat, self.tree.numbers[0], self.tree.numbers[-1]
        closing = sorted(flat.tree_close)
        place = 0
        for number in range(first, last + 1):
            start = flat.node_start[number]
            while closing[place] < start:
                self._close()
                place += 1
            if number in flat.opening:
                self._open()
            self._node(self.tree.node(number))
        self.lines[-1] += ")" * (len(closing) - place)
        return "\n".join(self.lines)

    def _open(self) -> None:
        if self.lines[-1]:
            self.lines.append("")
        self.lines[-1] += "("
        self.awaits_answer = False

    def _close(self) -> None:
        self.lines[-1] += ")"
        self.awaits_answer = False

    def _node(self, node: Node) -> None:
        """Write a node: after "(", as an answer to the move on the line, or on a line."""
        properties = [self._property(entry) for entry in node.properties]
        text = ";" + "".join("".join(parts) for parts in properties)
        moves = node.moves()
        is_plain = bool(moves) and "\n" not in text and not node.is_root
        fits = len(self.lines[-1]) + len(text) <= self.width
        is_opened = self.lines[-1] == "("
        if is_plain and fits and (is_opened or self.awaits_answer):
            self.lines[-1] += text
            self.awaits_answer = is_opened and _is_first_color(moves)
            return
        if not is_opened and self.lines[-1]:
            self.lines.append("")
        self.lines[-1] += ";"
        for parts in properties:
            self._pack(parts)
        self.awaits_answer = is_plain and fits and _is_first_color(moves)

    def _pack(self, parts: list[str]) -> None:
        """Write a property; lines are broken before it and between its values."""
        whole = "".join(parts)
        if "\n" not in whole and len(whole) <= self.width:
            parts = [whole]
        for part in parts:
            first, *further = part.split("\n")
            if len(self.lines[-1]) + len(first) > self.width and self.lines[-1] not in ("(;", ";"):
                self.lines.append("")
            self.lines[-1] += first
            self.lines += further

    def _property(self, entry: Property) -> list[str]:
        """The identifier with the first value, and each other value."""
        codec = entry.tree.charset
        is_text = entry.definition is not None and entry.definition.is_text
        values = [raw.decode(codec, "surrogatepass") for raw in entry.raw]
        if is_text:
            values = [self._wrapped(value) for value in values]
        first, *others = (f"[{value}]" for value in values)
        return [entry.ident + first, *others]

    def _wrapped(self, value: str) -> str:
        """A text with soft line breaks, if a line of it is too long."""
        if all(len(line) <= self.width for line in value.splitlines()):
            return value
        return wrapped(value, self.width)


def _is_first_color(moves: list[Property]) -> bool:
    """Whether a move is one of Black, which a pair of moves begins with."""
    return moves[0].ident == "B"
