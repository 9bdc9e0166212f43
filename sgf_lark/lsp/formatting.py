"""Formatting: a pair of moves on each line, long texts in several lines, no value changed."""

from __future__ import annotations

import re
from dataclasses import replace

from lsprotocol import types

from sgf_lark.lsp.actions import edits_between
from sgf_lark.lsp.analysis import Analysis, Piece
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.syntax.parsing import ParsedFile, parse_if_strict

#: Lines are at most this long where the format has a place for a line break.
WIDTH = 80


def format_text(analysis: Analysis, width: int = WIDTH) -> list[types.TextEdit]:
    """The edits that format a text; damaged parts stay as they are.

    Only white space between the parts of a game tree changes, and soft line breaks in texts,
    which mean nothing. Formatting a second time changes nothing.
    """
    line_break = b"\r\n" if b"\r\n" in analysis.text.data else b"\n"
    parts: list[bytes] = []
    for placed in analysis.pieces:
        new = formatted(placed.piece, width, line_break)
        if new is None:
            parts.append(placed.piece.data)
        else:
            parts += [line_break if placed.start else b"", new]
    if analysis.pieces and new is not None:
        parts.append(line_break)
    return edits_between(analysis.text, b"".join(parts))


def formatted(piece: Piece, width: int, line_break: bytes) -> bytes | None:
    """The game tree of a piece, from its "(" to its ")"; None if it has to stay as it is."""
    decoding = piece.collection.file.decoding
    if piece.is_damaged or not piece.flat.roots:
        return None
    new = "".join(_Layout(tree, width).text() for tree in piece.collection).encode(
        "utf-8", "surrogatepass"
    )
    if line_break != b"\n":
        new = new.replace(line_break, b"\n").replace(b"\n", line_break)
    flat = parse_if_strict(new)
    if flat is None:
        return None
    again = Collection.of_file(ParsedFile(replace(decoding, original=new, data=new), flat))
    if not all(map(GameTree.equals, piece.collection, again)):
        return None
    return piece.data[: decoding.signature.length] + new


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


#: An escaped character, a line break or another character, as they are in a value.
_TOKENS = re.compile(r"\\(?:\r\n|\n\r|[\s\S])|\r\n|\n\r|[\s\S]")


def wrapped(text: str, width: int) -> str:
    """`text` with soft line breaks, after the last blank of the line if it has one."""
    parts: list[str] = []
    line_start = 0
    length = 0
    for token in _TOKENS.findall(text):
        if token[-1] in "\r\n":
            # Hard line breaks stay; soft line breaks are placed anew.
            if token[0] != "\\":
                parts.append(token)
                line_start, length = len(parts), 0
            continue
        if length >= width:
            blank = next(
                (at for at in range(len(parts) - 1, line_start, -1) if parts[at] == " "),
                len(parts) - 1,
            )
            parts.insert(blank + 1, "\\\n")
            line_start = blank + 2
            length = sum(map(len, parts[line_start:]))
        parts.append(token)
        length += len(token)
    return "".join(parts)
