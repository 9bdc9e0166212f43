"""The outline of a text and the parts that fold: game trees, variations, long values."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from sgf_lark import grammar
from sgf_lark.diagnostics import Language, Words
from sgf_lark.flat_tree import FlatTree
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.property import Property
from sgf_lark.model.readable_values import first_value
from sgf_lark.model.tree import GameTree

#: Deeper variations are listed beside the one that contains them.
_DEEPEST = 24
#: An outline has at most this many entries.
_MOST_ENTRIES = 5000
_LONGEST_NAME = 60

_GAME = Words("Game {number}", "第 {number} 局")
_VARIATION = Words("Variation at move {number}", "变化：第 {number} 手")
_NODE = Words("Move {number}", "第 {number} 手")


def outline(analysis: Analysis) -> list[types.DocumentSymbol]:
    """The game trees, each with its variations and the nodes that have a name.

    The first variations of all nodes form the main line, which is the game itself.
    """
    found: list[types.DocumentSymbol] = []
    left = _MOST_ENTRIES
    for number, tree in enumerate(analysis.collection, 1):
        if left <= 0:
            break
        builder = _Outline(analysis, tree, left)
        found.append(builder.symbol(number))
        left = builder.left
    return found


class _Outline:
    """Builds the outline of one game tree."""

    def __init__(self, analysis: Analysis, tree: GameTree, left: int) -> None:
        self.text = analysis.text
        self.language: Language = analysis.language
        self.flat: FlatTree = analysis.flat
        self.move_numbers = analysis.move_numbers
        self.tree = tree
        self.left = left
        self._children: dict[int, list[types.DocumentSymbol]] = {}

    def symbol(self, number: int) -> types.DocumentSymbol:
        """The game tree with everything below it."""
        name = getattr(_GAME, self.language).format(number=number)
        detail = _shorten(title(self.tree))
        start, end = self.tree.bounds
        root = self._entry(name, detail, types.SymbolKind.Module, start, end + 1)
        self._add_entries(root)
        return root

    def _add_entries(self, root: types.DocumentSymbol) -> None:
        """Add variations and named nodes, in the order of the file."""
        flat, first = self.flat, self.tree.numbers[0]
        #: For each node: the entry that it belongs to, and its depth.
        owners: list[tuple[types.DocumentSymbol, int]] = []
        for number in range(first, self.tree.numbers[-1] + 1):
            parent = flat.parent[number]
            owner, depth = owners[parent - first] if number > first else (root, 0)
            idents = [ident for _, ident in flat.idents(number)]
            moves = self.move_numbers[number]
            if number > first and number != parent + 1 and number in flat.opening:
                owner, depth = self._variation(owner, depth, number, moves)
            if "N" in idents:
                self._named(owner, number, moves)
            owners.append((owner, depth))

    def _variation(
        self, owner: types.DocumentSymbol, depth: int, number: int, moves: int
    ) -> tuple[types.DocumentSymbol, int]:
        """The entry of the variation that begins with a node, and its depth."""
        if self.left <= 0 or depth >= _DEEPEST:
            return owner, depth
        start, end = self.flat.bounds(number)
        title = getattr(_VARIATION, self.language).format(number=moves)
        first, last = self.flat.node_span(number)
        detail = _shorten(self.flat.data[first:last].decode("utf-8", "replace"))
        entry = self._entry(title, detail, types.SymbolKind.Namespace, start, end + 1)
        self._add(owner, entry)
        return entry, depth + 1

    def _named(self, owner: types.DocumentSymbol, number: int, moves: int) -> None:
        """Add a node that has a name."""
        if self.left <= 0:
            return
        prop = self.flat.first_of_ident(number, "N")
        name = first_value(Property(self.tree.node(number), "N", None, prop))
        title = getattr(_NODE, self.language).format(number=moves)
        shown = _shorten(str(name or "")) or title
        entry = self._entry(shown, title, types.SymbolKind.Key, *self.flat.node_span(number))
        self._add(owner, entry)

    def _add(self, owner: types.DocumentSymbol, entry: types.DocumentSymbol) -> None:
        self._children.setdefault(id(owner), []).append(entry)
        owner.children = self._children[id(owner)]

    def _entry(
        self, name: str, detail: str, kind: types.SymbolKind, start: int, end: int
    ) -> types.DocumentSymbol:
        self.left -= 1
        area = self.text.range(start, end)
        # A damaged tree may have no bracket of its own.
        selection = self.text.range(start, min(start + 1, end))
        return types.DocumentSymbol(name, kind, area, selection, detail=detail or None)


def title(tree: GameTree) -> str:
    """Players and result, as far as they are known."""
    info = tree.info
    names = [player.name or "?" for player in (info.black, info.white)]
    players = " – ".join(names) if names != ["?", "?"] else grammar.game(tree.game).name
    result = info.text("RE")
    return f"{players}, {result}" if result else players


def _shorten(text: str) -> str:
    """Text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"


def folding_ranges(analysis: Analysis) -> list[types.FoldingRange]:
    """The game trees, variations and texts that take several lines."""
    return [
        types.FoldingRange(start_line=first, end_line=last, kind=kind)
        for start, end, kind in _foldable(analysis.flat)
        if (first := analysis.text.position(start).line)
        < (last := analysis.text.position(end).line)
    ]


def _foldable(flat: FlatTree) -> Iterator[tuple[int, int, types.FoldingRangeKind | None]]:
    """Byte offsets of the first and the last character of each part that can fold."""
    for start, end in zip(flat.tree_open, flat.tree_close, strict=True):
        yield start, end, None
    line_break = b"\n" if b"\n" in flat.data else b"\r"
    for start, end in zip(flat.value_from, flat.value_to, strict=True):
        if flat.data.find(line_break, start, end) >= 0:
            yield start - 1, end, types.FoldingRangeKind.Comment
