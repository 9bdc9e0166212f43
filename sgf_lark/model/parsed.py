"""A file as it was parsed: what the game trees of a collection share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sgf_lark.diagnostics import Diagnostic
from sgf_lark.flat_tree import FlatTree
from sgf_lark.text.charsets import default_codec
from sgf_lark.text.decoding import Decoding
from sgf_lark.text.positions import CodecAt, Position, SourceText

#: The root properties that govern how a tree is read.
GOVERNING = ("FF", "GM", "SZ", "CA")


class ParsedFile:
    """The bytes of a file, how they were decoded, and the flat tree that was parsed from them.

    `file_format` and `game` override FF and GM of every tree. Nothing of it changes, so that
    copies of game trees share it.
    """

    def __init__(
        self,
        decoding: Decoding,
        flat: FlatTree,
        file_format: int | None = None,
        game: int | None = None,
    ) -> None:
        self.decoding = decoding
        self.flat = flat
        self.file_format = file_format
        self.game = game
        #: What a tolerant parser passed over, in the order of the file.
        self.damage: Sequence[Diagnostic] = ()
        #: For each tree the first value of each root property that governs the reading.
        self.root_values = [flat.first_values(root, GOVERNING) for root in flat.roots]
        #: For each tree the charset of its texts.
        self.charsets = [
            decoding.text_charset(values, *flat.bounds(root))
            for values, root in zip(self.root_values, flat.roots, strict=True)
        ]
        #: For each tree Python's codec of its texts.
        self.codecs = [charset.codec for charset in self.charsets]

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.decoding.original

    @cached_property
    def source(self) -> SourceText:
        """Lines and columns of :attr:`data`; columns count characters of each tree's charset."""
        codecs = self.codecs
        if len(set(codecs)) < 2:
            return self.decoding.source(codecs[0] if codecs else default_codec())
        starts = [self.flat.bounds(root)[0] for root in self.flat.roots]
        return self.decoding.source(CodecAt(starts, codecs))

    def part(self, tree: int) -> tuple[ParsedFile, int]:
        """A file with one of the game trees, and the number of the tree in it.

        That is this file if there is no other tree in it, or if it was decoded as a whole.
        """
        flat, decoding = self.flat, self.decoding
        if len(flat.roots) == 1 or decoding.whole is not None:
            return self, tree
        starts = [flat.bounds(root)[0] for root in flat.roots[tree : tree + 2]]
        start, end = starts if len(starts) > 1 else (starts[0], len(flat.data))
        part = flat.part(tree, start, flat.data[start:end])
        span = self.source.span(start, start)
        begin = Position(span.start, span.line - 1, span.column - 1)
        own = decoding.part(start, end, begin)
        found = ParsedFile(own, part, self.file_format, self.game)
        found.damage = [each for each in self.damage if each.tree == tree]
        return found, 0

    def __deepcopy__(self, memo: dict[int, Any]) -> ParsedFile:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bytes; they are parsed again, unless they are damaged."""
        from sgf_lark.syntax.parsing import parse_if_strict

        flat = None if parse_if_strict(self.decoding.data) == self.flat else self.flat
        overridden = self.file_format, self.game
        return _restored, (self.decoding, flat, *overridden, self.damage)


def _restored(
    decoding: Decoding,
    flat: FlatTree | None,
    file_format: int | None,
    game: int | None,
    damage: Sequence[Diagnostic],
) -> ParsedFile:
    from sgf_lark.syntax.parsing import parse_strictly

    found = ParsedFile(decoding, flat or parse_strictly(decoding.data), file_format, game)
    found.damage = damage
    return found


def plain_file(data: bytes) -> ParsedFile:
    """A file of these bytes, which follow the grammar; none for no bytes."""
    from sgf_lark.syntax.parsing import parse_strictly

    flat = parse_strictly(data) if data else FlatTree(data)
    return ParsedFile(Decoding(data, data), flat)
