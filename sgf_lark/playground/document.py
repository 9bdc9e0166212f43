"""A text on the page: its diagnostics, its parse tree and its games."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from sgf_lark.analysis import Settings, Text, TextAnalysis
from sgf_lark.diagnostics import Diagnostic, Language
from sgf_lark.fixing.choices import Choice
from sgf_lark.syntax.grammars import tables
from sgf_lark.syntax.lalr import LALRParser, Token
from sgf_lark.syntax.text_ends import brackets_in_values
from sgf_lark.syntax.tolerant import with_inner_brackets
from sgf_lark.teaching.automaton import Step, steps
from sgf_lark.words import Kind, highlighted_words

#: The longest text, in bytes of UTF-8.
LIMIT = 400_000

#: The maximum number of diagnostics in the list; the counts include all.
_MAX_DIAGNOSTICS = 200

#: The maximum number of branches in the graph of the variations, and of steps of the parser.
_MAX_BRANCHES = 3000
MAX_STEPS = 20_000

#: What is between identifiers and values: punctuation, or else damage.
_BETWEEN = re.compile(rb"[();]|\[\]|(?P<damage>[^\s();]+)")

#: The kinds of words that are values, and the names of all kinds for the page; else "ident".
_VALUES = (Kind.TEXT, Kind.NUMBER, Kind.ENUMERATION, Kind.POINT)
_HIGHLIGHTS = {
    **dict.fromkeys(_VALUES, "other"),
    Kind.TEXT: "text",
    Kind.POINT: "point",
    Kind.UNKNOWN: "unknown",
}


class TooLarge(ValueError):
    """The text is longer than LIMIT."""


class Document(TextAnalysis):
    """A text, and the results of parsing and validating it.

    Offsets in results are in UTF-16 code units, 0-based.
    """

    def __init__(self, text: str, language: Language, profile: str) -> None:
        """Parse and validate a text by the rules of a profile. Raises TooLarge."""
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > LIMIT:
            raise TooLarge(len(data))
        # Strings of JavaScript are counted in UTF-16.
        super().__init__(Text(data), Settings(profile, language))
        self._parsed = self.collection.file.decoding.data

    @cached_property
    def is_strict(self) -> bool:
        """Whether ``sgf.lark`` takes the text; otherwise it is parsed by ``tolerant.lark``."""
        idents = map(self.flat.ident, range(len(self.flat.ident_start)))
        # Lowercase letters in identifiers, legal up to FF[3], are no damage, but not strict.
        is_strict = not (self.is_damaged or self.flat.names)
        return is_strict and all(map(str.isupper, idents))

    @cached_property
    def syntax(self) -> Syntax:
        """The parse tree."""
        return read_syntax(self._parsed, tolerant=not self.is_strict)

    @cached_property
    def steps(self) -> list[Step]:
        """The first steps of the parser, at most MAX_STEPS."""
        found = steps(self._parsed, tolerant=not self.is_strict)
        return list(itertools.islice(found, MAX_STEPS))

    def span(self, start: int, end: int) -> list[int]:
        """The offsets in code units for two byte offsets."""
        return [self.text.units(start), self.text.units(end)]

    def part(self, start: int, end: int) -> str:
        """The text between two byte offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    # Nodes

    def node_in(self, start: int, end: int) -> int | None:
        """The node that contains `start`; None if the text has no node.

        If `start` is between nodes, the next node if it starts before `end`, or else the
        previous one.
        """
        if not self.flat.roots:
            return None
        node = self.flat.node_at(start)
        first, last = self.flat.node_span(node)
        if first <= start < last:
            return node
        following = node + (first <= start)
        starts = self.flat.node_start
        return following if following < len(starts) and starts[following] < end else node

    # The whole text

    def summary(self) -> dict[str, Any]:
        """The diagnostics and their counts."""
        shown, _ = self.most_severe(_MAX_DIAGNOSTICS)
        fixes = self.safe_fixes_of(shown)
        return {
            "diagnostics": [
                self._diagnostic(found, fixes.get(number)) for number, found in shown.items()
            ],
            "counts": self.validated.report.counts,
            "codes": self.codes,
        }

    def _diagnostic(self, found: Diagnostic, choice: Choice | None) -> dict[str, Any]:
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
            "edits": None if choice is None else self._edits(choice),
        }

    def _edits(self, choice: Choice) -> list[list[Any]] | None:
        """The edits of a fix, in ascending order: start, end, new text; None if they overlap."""
        return [
            [*self.span(edit.start, edit.end), edit.replacement.decode("utf-8", "replace")]
            for edit in self.edits(choice)
        ] or None

    # Highlighting

    def terminals(self, start: int, end: int) -> list[list[Any]]:
        """Start, end and kind of what is between two offsets, for highlighting.

        The kind is "punctuation", "ident", "unknown" (an identifier that the game does not have),
        "damage", or that of a value: "text", "point" or "other". They come from the model,
        because a parse tree of a long text takes Lark a second.
        """
        first, last = self.text.bytes(start), self.text.bytes(end)
        found: list[tuple[int, int, str]] = []
        position = first
        for word in highlighted_words(self.collection, first, last):
            begin, stop = word.start, word.end
            if word.kind in _VALUES:  # with its brackets
                begin, stop = begin - 1, min(stop + 1, len(self.data))
            found += self._between(position, begin)
            found.append((begin, stop, _HIGHLIGHTS.get(word.kind, "ident")))
            position = max(first, stop)
        found += self._between(position, last)
        return [[*self.span(begin, stop), kind] for begin, stop, kind in found]

    def _between(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """The punctuation and the damage in a part without identifiers and values."""
        for match in _BETWEEN.finditer(self.data, start, max(start, end)):
            yield match.start(), match.end(), "damage" if match.lastgroup else "punctuation"

    def marks(self, start: int, end: int) -> list[list[Any]]:
        """Start, end and severity of the diagnostics between two offsets."""
        found = self.between(self.text.bytes(start), self.text.bytes(end)).values()
        return [[*self.span(one.span.start, one.span.end), str(one.severity)] for one in found]

    # The variations

    def graph(self, node: int) -> list[list[Any]] | None:
        """The branches of the game tree that contains a node; None if there are too many.

        Each has the number of its first node, the depth of that node, its row, the row of its
        parent, and a letter for each node: "B" or "W" for a move, "-" for any other node. A branch
        goes on with the first child; every other child begins a branch in a row of its own.
        """
        flat = self.flat
        rows: dict[int, tuple[int, int]] = {}
        branches: list[list[Any]] = []
        for number in flat.nodes_of(flat.tree_of(node)):
            parent = flat.parent[number]
            row, depth = rows.get(parent, (0, -1))
            if not branches or number != parent + 1:
                if len(branches) == _MAX_BRANCHES:
                    return None
                branches.append([number, depth + 1, len(branches), row, []])
            rows[number] = len(branches) - 1, depth + 1
            idents = {ident for _, ident in flat.idents(number)} & {"B", "W"}
            branches[-1][4].append(min(idents, default="-"))
        return [[*entries, "".join(letters)] for *entries, letters in branches]


@lru_cache(maxsize=2)
def document(text: str, language: Language, profile: str) -> Document:
    """The document for `text`, cached for further requests about the same text."""
    return Document(text, language, profile)


# --- The parse tree -------------------------------------------------------------------


class Item(NamedTuple):
    """A rule or a terminal in a parse tree, with its offsets in bytes.

    Items have numbers in pre-order: `parent` is that of the rule above, -1 for the root, and `last`
    that of the last item below it, or its own if there is none.
    """

    name: str
    start: int
    end: int
    parent: int
    depth: int
    last: int


class Syntax(list[Item]):
    """A parse tree: its items by number."""

    def children(self, item: int) -> list[int]:
        """The items right below `item`."""
        found = []
        child = item + 1
        while child <= self[item].last:
            found.append(child)
            child = self[child].last + 1
        return found

    def path(self, item: int) -> list[int]:
        """The items from the root to `item`."""
        found = [item]
        while self[found[-1]].parent >= 0:
            found.append(self[found[-1]].parent)
        return found[::-1]

    def at(self, start: int, end: int) -> int:
        """The innermost item that contains the range from `start` to `end`.

        For an empty range that is the item that starts there, or else one that ends there.
        """
        found = self._enclosing(start, max(end, start + 1))
        if start == end:
            ending = self._enclosing(start - 1, end)
            if self[ending].end == end and (found == 0 or found in self.path(ending)):
                return ending
        return found

    def _enclosing(self, start: int, end: int) -> int:
        """The innermost item that starts at `start` or before it and reaches to `end`."""
        item = bisect_right(self, start, key=attrgetter("start")) - 1
        while item > 0 and self[item].end < end:
            item = self[item].parent
        return max(item, 0)


def read_syntax(data: bytes, *, tolerant: bool) -> Syntax:
    """The parse tree by ``sgf.lark`` or ``tolerant.lark``, which is Lark's.

    It is built by our own loop over Lark's tables and not by
    :func:`sgf_lark.syntax.parse_trees.in_preorder`, which takes twice the time with the objects of
    Lark: a text of LIMIT bytes has hundreds of thousands of items.
    """
    inner = brackets_in_values(data) if tolerant else []
    root = _parser(tolerant).parse(with_inner_brackets(data, inner), "collection")
    waiting = [(root, -1, 0)]
    syntax = Syntax()
    while waiting:
        (name, start, end, size, children), parent, depth = waiting.pop()
        number = len(syntax)
        syntax.append(Item(name, start, end, parent, depth, number + size - 1))
        waiting += [(child, number, depth + 1) for child in reversed(children)]
    return syntax


#: Terminals that productions imply: they are no items, but bound that of their production.
_IMPLIED = {"LPAR", "RPAR", "SEMICOLON"}


class _Items:
    """Makes what :class:`Item` has of each production: its name, its bounds, how many items it and
    those below it are, and those right below it."""

    def __default__(self, name: str, children: list[Any], _: None) -> tuple[Any, ...]:
        below = [
            (child.type, child.start_pos, child.start_pos + len(child), 1, ())
            if isinstance(child, Token)
            else child
            for child in children
        ]
        # Only the empty text has no terminals.
        start, end = (below[0][1], below[-1][2]) if below else (0, 0)
        items = [item for item in below if item[0] not in _IMPLIED]
        return name, start, end, 1 + sum(item[3] for item in items), items


@cache
def _parser(tolerant: bool) -> LALRParser:
    return LALRParser(tables("tolerant" if tolerant else "strict"), _Items())
