"""The games of archives as a bag of Dask, for pipelines."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.archive.sources import (
    CHUNK_BYTES,
    Chunk,
    Selection,
    chunks,
    list_sources,
    pieces_of,
    read_piece,
)
from sgf_lark.model.loading import loads
from sgf_lark.model.tree import GameTree

if TYPE_CHECKING:
    import dask.bag


class Game(NamedTuple):
    """A game of an archive: where it is, with its number in the file from 1, and its tree."""

    path: str
    member: str | None
    game_index: int
    tree: GameTree


def games(
    sources: Iterable[str | PathLike[str]],
    *,
    chunk_bytes: int = CHUNK_BYTES,
    max_size: int | None = None,
) -> dask.bag.Bag:
    """A bag of the games in `sources`, which are as for :func:`sgf_lark.archive.audit`.

    Each item is a :class:`Game`. Damaged files are read as far as they can be understood; files
    that cannot be read are left out. Only the names of the sources are looked at here; each
    partition of the bag is a chunk of about `chunk_bytes`, which is read where it is computed.
    """
    import dask.bag

    selection = Selection(max_size=max_size, folder=str(Path.cwd()))
    paths = [each if isinstance(each, str) else str(Path(each)) for each in sources]
    pieces = (
        piece
        for source in list_sources(paths)
        for piece in pieces_of(source, (), chunk_bytes, selection)
    )
    found = list(chunks(pieces, chunk_bytes))
    if not found:
        return dask.bag.from_sequence([], npartitions=1)
    return dask.bag.from_delayed(
        [dask.delayed(_games_of)(chunk, selection, dask_key_name=_key(chunk)) for chunk in found]
    )


def _key(chunk: Chunk) -> str:
    from dask.base import tokenize

    return f"games-{tokenize([vars(piece) for piece in chunk])}"


def _games_of(chunk: Chunk, selection: Selection) -> list[Game]:
    """The games of a chunk."""
    return [
        Game(piece.source.path, file.inner or None, tree.number + 1, tree)
        for piece in chunk
        for file in read_piece(piece, selection)
        if file.data is not None and not file.is_wei7()
        for tree in loads(file.data, charset_mode="auto", tolerant=True)
    ]
