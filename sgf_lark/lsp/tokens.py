"""The words of a text as semantic tokens."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from sgf_lark.lsp.analysis import Analysis
from sgf_lark.words import Kind, words

LEGEND = types.SemanticTokensLegend([str(kind) for kind in Kind], ["deprecated"])
_NUMBERS = {kind: number for number, kind in enumerate(Kind)}


def semantic_tokens(analysis: Analysis, start: int, end: int) -> list[int]:
    """The tokens between two byte offsets, as the protocol encodes them.

    Each is five numbers: lines and columns since the one before, length, type, modifiers.
    """
    text = analysis.text
    data: list[int] = []
    line = column = 0
    for word in words(analysis.collection):
        if word.end <= start or word.start >= end:
            continue
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
