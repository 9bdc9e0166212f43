"""The collection: the game trees of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from sgf_lark.diagnostics import Diagnostic
from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.parsed import ParsedFile
from sgf_lark.model.tree import GameTree
from sgf_lark.text.decoding import Decoding
from sgf_lark.text.positions import SourceText


class Collection(Sequence[GameTree]):
    """The game trees of a file.

    `decoding` is how the bytes were decoded, `flat` the flat tree that was parsed from them;
    `file_format` and `game` override FF and GM.
    """

    def __init__(
        self,
        decoding: Decoding,
        flat: FlatTree,
        *,
        file_format: int | None = None,
        game: int | None = None,
    ) -> None:
        self.file = ParsedFile(decoding, flat, file_format, game)
        self._trees = [GameTree(self.file, number) for number in range(len(flat.roots))]

    @property
    def data(self) -> bytes:
        """The bytes of the file as given."""
        return self.file.data

    @property
    def decoding(self) -> Decoding:
        """How the bytes of the file were decoded."""
        return self.file.decoding

    @property
    def flat(self) -> FlatTree:
        """The flat tree that was parsed from the file."""
        return self.file.flat

    @property
    def source(self) -> SourceText:
        """Lines and columns of :attr:`data`."""
        return self.file.source

    @property
    def damage(self) -> Sequence[Diagnostic]:
        """What a tolerant parser passed over, in the order of the file."""
        return self.file.damage

    @property
    def edited(self) -> bool:
        """Whether any tree was changed since it was parsed."""
        return any(tree.edited for tree in self._trees)

    @overload
    def __getitem__(self, index: int) -> GameTree: ...
    @overload
    def __getitem__(self, index: slice) -> list[GameTree]: ...
    def __getitem__(self, index: int | slice) -> GameTree | list[GameTree]:
        return self._trees[index]

    def __iter__(self) -> Iterator[GameTree]:
        return iter(self._trees)

    def __len__(self) -> int:
        return len(self._trees)

    def _repr_html_(self) -> str:
        """A table of the games, for notebooks; one game with its board."""
        from sgf_lark.drawing.notebook import collection_html

        return collection_html(self)

    def _repr_svg_(self) -> str | None:
        """The board at the end of the first game; None where there is none."""
        return self[0]._repr_svg_() if self else None

    def __repr__(self) -> str:
        return f"<Collection of {len(self)} game tree{'s' if len(self) != 1 else ''}>"
