"""A file as it was parsed: what the game trees of a collection share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sgf_lark.diagnostics import Diagnostic
from sgf_lark.flat_tree import FlatTree
from sgf_lark.text.charsets import default_codec
from sgf_lark.text.decoding import Decoding
from sgf_lark.text.positions import SourceText

#: The root properties that govern how a tree is read.
GOVERNING = ("FF", "GM", "SZ", "CA")


class ParsedFile:
    """The bytes of a file, how they were decoded, and the flat tree that was parsed from them.

    `file_format` and `game` override FF and GM of every tree.
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
        #: For each tree Python's codec of its texts.
        self.codecs = [
            decoding.tree_codec(values, *flat.bounds(root))
            for values, root in zip(self.root_values, flat.roots, strict=True)
        ]

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


@dataclass(frozen=True)
class CodecAt:
    """The codec at a byte offset: that of the tree around it."""

    starts: Sequence[int]
    codecs: Sequence[str]

    def __call__(self, offset: int) -> str:
        """The Python codec of the texts at `offset`."""
        return self.codecs[max(0, bisect_right(self.starts, offset) - 1)]
