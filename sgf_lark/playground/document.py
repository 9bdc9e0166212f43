"""A text on the page: its diagnostics, its parse tree and its games."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property, lru_cache
from typing import Any

from sgf_lark.diagnostics import Diagnostic, Language
from sgf_lark.fixing.choices import applicable
from sgf_lark.fixing.edits import edits_of
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.tree import GameTree
from sgf_lark.playground import syntax
from sgf_lark.playground.offsets import Offsets
from sgf_lark.rules import load_fixes
from sgf_lark.rules.fixes import Edit
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax.game_trees import parse
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.text.decoding import as_utf_8, decode
from sgf_lark.validation import validate_parsed
from sgf_lark.words import Kind, kinds_of

#: The longest text, in bytes of UTF-8.
LIMIT = 400_000

#: The maximum number of diagnostics in the list; the counts include all.
_MAX_DIAGNOSTICS = 200


class TooLarge(ValueError):
    """The text is longer than LIMIT."""


class Document:
    """A text, and the results of parsing and validating it.

    Offsets in results are in UTF-16 code units, 0-based.
    """

    def __init__(self, text: str, language: Language) -> None:
        """Parse and validate a text. Raises TooLarge."""
        self.data = text.encode("utf-8", "surrogatepass")
        if len(self.data) > LIMIT:
            raise TooLarge(len(self.data))
        load_fixes()
        self.language = language
        found = decode(self.data, charset="UTF-8")
        if found.whole is not None:
            # A text from the page is never UTF-16; NUL bytes in it are damage.
            found = as_utf_8(self.data)
        self.examination = validate_parsed(parse(found), language=language)
        self.reading = self.examination.collection.file.decoding
        self.flat = self.examination.collection.flat
        self.offsets = Offsets(self.data)

    @cached_property
    def syntax(self) -> syntax.Syntax:
        """The parse tree."""
        idents = map(self.flat.ident, range(len(self.flat.ident_start)))
        # Lowercase letters in identifiers, legal up to FF[3], are no damage, but not strict.
        is_strict = not (self.examination.damage or self.flat.names)
        is_strict = is_strict and all(map(str.isupper, idents))
        return syntax.read(self.reading.data, tolerant=not is_strict)

    @cached_property
    def collection(self) -> Collection:
        """The model of the text."""
        return Collection.of_file(ParsedFile(self.reading, self.flat))

    def span(self, start: int, end: int) -> list[int]:
        """The offsets in code units for two byte offsets."""
        return [self.offsets.units(start), self.offsets.units(end)]

    def text(self, start: int, end: int) -> str:
        """The text between two byte offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    # Nodes

    def node_at(self, offset: int) -> int | None:
        """The last node that starts at a byte offset or before it, or else the first node.

        None if the text has no node.
        """
        if not self.flat.roots:
            return None
        return self.flat.node_at(offset)

    def node_in(self, start: int, end: int) -> int | None:
        """The node that contains `start`.

        If `start` is between nodes, the next node if it starts before `end`, or else the
        previous one.
        """
        node = self.node_at(start)
        if node is None or self.node_span(node)[0] <= start < self.node_span(node)[1]:
            return node
        following = node + (self.flat.node_start[node] <= start)
        starts = self.flat.node_start
        return following if following < len(starts) and starts[following] < end else node

    def node_span(self, node: int) -> tuple[int, int]:
        """The byte offsets of a node, from ";" to after the last property."""
        start = self.flat.node_start[node]
        first, last = self.flat.properties_of(node)
        end = self.flat.property_span(last - 1)[1] if last > first else start + 1
        return start, max(end, start)

    def tree_of(self, node: int) -> GameTree:
        """The game tree that contains a node."""
        return self.collection[self.flat.tree_of(node)]

    def model_node(self, node: int) -> Node:
        """The node of the model with this number."""
        tree = self.tree_of(node)
        path = [node]
        while self.flat.parent[path[-1]] >= 0:
            path.append(self.flat.parent[path[-1]])
        found = tree.root
        for number in reversed(path[:-1]):
            found = next(child for child in found.children if child.number == number)
        return found

    # The whole text

    def summary(self) -> dict[str, Any]:
        """The diagnostics and their counts."""
        report = self.examination.report
        shown = report.indexes(_MAX_DIAGNOSTICS)
        listed = report.part(shown)
        return {
            "diagnostics": [
                self._diagnostic(number, found)
                for number, found in zip(shown, listed.diagnostics, strict=True)
            ],
            "counts": report.counts,
            "codes": dict(Counter(found.code for found in report.diagnostics)),
        }

    def _diagnostic(self, number: int, found: Diagnostic) -> dict[str, Any]:
        start, end = self.span(found.span.start, found.span.end)
        return {
            "code": found.code,
            "name": found.name,
            "severity": str(found.severity),
            "message": found.message,
            "fix": found.fix,
            "line": found.span.line,
            "column": found.span.column,
            "start": start,
            "end": end,
            "edits": self._safe_edits.get(number),
        }

    @cached_property
    def _safe_edits(self) -> dict[int, list[list[Any]]]:
        """The edits of safe fixes by the numbers of the diagnostics.

        Edits are in ascending order, each with its start, end and new text.
        """
        return {
            number: [self._edit(edit) for edit in edits]
            for number, _, _, fix in applicable(self.examination, unsafe=False)
            if (edits := edits_of(fix, self.flat))
        }

    def _edit(self, edit: Edit) -> list[Any]:
        return [*self.span(edit.start, edit.end), edit.replacement.decode("utf-8", "replace")]

    # Highlighting

    def terminals(self, start: int, end: int) -> list[list[Any]]:
        """Start, end and kind of the terminals between two offsets; see :meth:`_kind`."""
        regular = lark_grammars.regular_symbols()
        first, last = self.offsets.bytes(start), self.offsets.bytes(end)
        terminals = self.syntax.terminals
        found = []
        for number in range(
            bisect_right(terminals, first, key=lambda entry: entry[2]), len(terminals)
        ):
            name, begin, stop = terminals[number]
            if begin >= last:
                break
            found.append([*self.span(begin, stop), self._kind(name, begin, name in regular)])
        return found

    def marks(self, start: int, end: int) -> list[list[Any]]:
        """Start, end and severity of the diagnostics between two offsets."""
        first, last = self.offsets.bytes(start), self.offsets.bytes(end)
        return [
            [*self.span(found.span.start, found.span.end), str(found.severity)]
            for found in self.examination.report.diagnostics
            if found.span.end >= first and found.span.start <= last
        ]

    def _kind(self, name: str, start: int, is_regular: bool) -> str:
        """The kind of a terminal for highlighting.

        One of "punctuation", "ident", "unknown" (an identifier that the game does not
        have), "damage", or the kind of a value: "text", "point" or "other".
        """
        if not is_regular:
            return "damage"
        if name in syntax.PUNCTUATION:
            return "punctuation"
        prop = self.flat.property_at(start)
        node = self.node_at(start)
        if prop < 0 or node is None:
            return "other"
        tree = self.tree_of(node)
        of_ident, of_values, _ = kinds_of(tree.define(self.flat.ident(prop)), tree.file_format)
        if name == "UCLETTERS":
            return "unknown" if of_ident is Kind.UNKNOWN else "ident"
        return {Kind.TEXT: "text", Kind.POINT: "point"}.get(of_values, "other")


@lru_cache(maxsize=2)
def document(text: str, language: Language) -> Document:
    """The document for `text`, cached for further requests about the same text."""
    return Document(text, language)
