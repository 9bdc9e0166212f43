"""What is where in a text: the board, the outline, moves and stones, and the words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lsprotocol import types

from sgf_lark import drawing, grammar
from sgf_lark.diagnostics import Language, Words
from sgf_lark.flat_tree import FlatTree
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.node import Node
from sgf_lark.model.pictures import Theme
from sgf_lark.model.property import Property, value_in
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Color, Move, Point
from sgf_lark.words import Kind, highlighted_words


def board(
    analysis: Analysis, position: types.Position, theme: Theme = "light"
) -> dict[str, Any] | None:
    """The board after the node at a position, for a preview.

    The object has "svg" (None for a game without a board), "move", "toMove", "captured",
    "comment" and "range", that of the node.
    """
    node = analysis.node_at(analysis.text.offset(position))
    if node is None:
        return None
    area = analysis.text.range(*analysis.flat.node_span(node.number))
    comment = value_in(node, "C")
    answer: dict[str, Any] = {
        "svg": None,
        "comment": comment if isinstance(comment, str) else "",
        "range": {
            "start": {"line": area.start.line, "character": area.start.character},
            "end": {"line": area.end.line, "character": area.end.character},
        },
    }
    try:
        after = drawing.position(node.tree, node)
    except drawing.DrawingError:
        return answer
    captured = {str(color): after.captured.get(color, 0) for color in Color}
    language = analysis.language
    return answer | {
        "svg": drawing.svg(after, theme=theme, language=language),
        "move": after.move_number,
        "toMove": str(after.to_move),
        "captured": captured,
    }


# --- Outline and folding --------------------------------------------------------------


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
        name = _GAME.in_language(self.language).format(number=number)
        detail = _shorten(title(self.tree))
        start, end = self.tree.parsed.bounds
        root = self._entry(name, detail, types.SymbolKind.Module, start, end + 1)
        self._add_entries(root)
        return root

    def _add_entries(self, root: types.DocumentSymbol) -> None:
        """Add variations and named nodes, in the order of the file."""
        flat, first = self.flat, self.tree.parsed.numbers[0]
        #: For each node: the entry that it belongs to, and its depth.
        owners: list[tuple[types.DocumentSymbol, int]] = []
        for number in range(first, self.tree.parsed.numbers[-1] + 1):
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
        title = _VARIATION.in_language(self.language).format(number=moves)
        first, last = self.flat.node_span(number)
        detail = _shorten(self.flat.data[first:last].decode("utf-8", "replace"))
        entry = self._entry(title, detail, types.SymbolKind.Namespace, start, end + 1)
        self._add(owner, entry)
        return entry, depth + 1

    def _named(self, owner: types.DocumentSymbol, number: int, moves: int) -> None:
        """Add a node that has a name."""
        if self.left <= 0:
            return
        name = value_in(self.tree.node(number), "N")
        title = _NODE.in_language(self.language).format(number=moves)
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
    for value, start in enumerate(flat.value_from):
        if line_break in flat.value(value):
            yield start - 1, flat.value_to[value], types.FoldingRangeKind.Comment


# --- Hints ----------------------------------------------------------------------------


#: More hints than any screen shows; those of a long file are megabytes.
_MOST_HINTS = 1000


def inlay_hints(analysis: Analysis, area: types.Range) -> list[types.InlayHint]:
    """The hints in a range: the number before each move, and "Q16" after it in Go. At most
    _MOST_HINTS: clients ask for what is on the screen, and for the next part when that moves."""
    return list(islice(_hints(analysis, *analysis.text.offsets(area)), _MOST_HINTS))


def _hints(analysis: Analysis, start: int, end: int) -> Iterator[types.InlayHint]:
    flat, numbers = analysis.flat, analysis.move_numbers
    first = flat.node_at(start) if flat.roots else 0
    for number in range(first, len(flat.node_start)):
        if flat.node_start[number] > end:
            return
        for prop, ident in flat.idents(number):
            if ident not in ("B", "W"):
                continue
            before, after = map(analysis.text.position, flat.property_span(prop))
            yield types.InlayHint(before, str(numbers[number]), padding_right=True)
            if name := _notation(analysis.node(number), ident):
                yield types.InlayHint(after, name, padding_left=True)


def _notation(node: Node, ident: str) -> str:
    """A move of Go as people write it; "" for other games and for what is not a move."""
    size = node.tree.size
    try:
        move = node.get(ident)
        return move.gtp(size) if isinstance(move, Move) and size is not None else ""
    except ValueError:
        return ""


# --- Points ---------------------------------------------------------------------------


#: The properties that place or remove stones.
_PLACING = ("B", "W", "AB", "AW", "AE")


def definition(analysis: Analysis, position: types.Position) -> types.Range | None:
    """Where the stone on the point at a position was placed or removed last: by a move or by
    setup, in the node or before it. A move itself is looked for before its node."""
    found = _point_at(analysis, position)
    if found is None:
        return None
    entry, point = found
    start = entry.node.parent if entry.ident in _PLACING else entry.node
    place = analysis.origin(start, point, _PLACING)
    return None if place is None else analysis.text.range(*place)


def references(analysis: Analysis, position: types.Position) -> list[types.Range]:
    """All moves and setup on the point at a position, in the game tree."""
    found = _point_at(analysis, position)
    if found is None:
        return []
    entry, point = found
    return [
        analysis.text.range(*place)
        for node in entry.tree.nodes()
        for place in reversed([*analysis.values_with(node, point, _PLACING)])
    ]


def _point_at(analysis: Analysis, position: types.Position) -> tuple[Property, Point] | None:
    """The property and the point at a position; None for anything else."""
    here = analysis.text.offset(position)
    value = analysis.value_at(here)
    if value is None:
        return None
    entry, number = value
    points = [point for area in analysis.areas(entry, number) for point in area]
    colon = analysis.data.find(b":", *analysis.flat.value_span(number))
    # A label has only one point, so the one in its text is that.
    return (entry, points[-1 if 0 <= colon < here else 0]) if points else None


# --- Words ----------------------------------------------------------------------------


LEGEND = types.SemanticTokensLegend([str(kind) for kind in Kind], ["deprecated"])
_NUMBERS = {kind: number for number, kind in enumerate(Kind)}


def semantic_tokens(analysis: Analysis, start: int, end: int) -> list[int]:
    """The tokens between two byte offsets, as the protocol encodes them.

    Each is five numbers: lines and columns since the one before, length, type, modifiers.
    """
    text = analysis.text
    data: list[int] = []
    line = column = 0
    for word in highlighted_words(analysis.collection, start, end):
        if word.end <= start or word.start >= end:
            continue
        # Clients that take tokens of several lines are the exception, and say so; one for each line
        # is right for all.
        for begin, stop in _lines(analysis, word.start, word.end):
            position = text.position(begin)
            length = text.position(stop).character - position.character
            if length <= 0:
                continue
            down = position.line - line
            right = position.character - (0 if down else column)
            data += (down, right, length, _NUMBERS[word.kind], int(word.is_old))
            line, column = position.line, position.character
    return data


def _lines(analysis: Analysis, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a word on each line: no token may have several lines."""
    text = analysis.text
    line = text.position(start).line
    while start < end:
        stop = min(end, text.line_end(line))
        yield start, stop
        line += 1
        if line >= len(text.line_starts):
            return
        start = text.line_starts[line]
