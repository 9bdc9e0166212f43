"""Writes a collection. Parts that were not edited keep their bytes."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import BinaryIO

from sgf_lark.atomic_files import write_file
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.text.escaping import shown


def dumps(games: Collection | GameTree, *, charset: str | None = None) -> bytes:
    """A collection, or one game, as SGF. Parts that were not edited keep their bytes.

    Each game tree is written in its own charset, and all of a file in UTF-16 or with a byte order
    mark in that of the file. A game tree from elsewhere is written anew for that, with a CA if it
    needs one. `charset` is the name of another charset to write all texts in, and to name in CA;
    in "UTF-16" and "UTF-32" the whole file is written.

    Raises TypeError for anything else than a collection or game tree, LookupError for an unknown
    charset, ValueError for a charset in which SGF cannot be read, for texts that have a character
    the charset lacks or are not valid in their own charset, and for a collection without game
    trees.
    """
    from sgf_lark.model.serializing import in_charset, in_own_charsets

    if isinstance(games, Collection):
        if charset is None and not games.edited:
            return games.data
        if not len(games):
            raise ValueError("a collection without game trees is not an SGF file (sgf4, EBNF)")
    elif not isinstance(games, GameTree) or not games.root.is_root:
        raise TypeError(
            "what can be written is a GameTree or a Collection, as Collection(games) makes one; "
            f"given {games!r:.80}"
        )
    return in_own_charsets(games) if charset is None else in_charset(games, charset)


def dump(
    games: Collection | GameTree,
    file: str | os.PathLike[str] | BinaryIO,
    *,
    charset: str | None = None,
) -> None:
    """Write a collection, or one game, to a path or to a binary file object.

    A path is written by :func:`write_file`, so that other programs never read half of a file.
    Raises OSError, and what :func:`dumps` raises, before anything is written.
    """
    data = dumps(games, charset=charset)
    if isinstance(file, (str, os.PathLike)):
        write_file(Path(file), data)
        return
    if isinstance(file, io.TextIOBase) or not callable(getattr(file, "write", None)):
        raise TypeError(
            f'expected a path or a binary file object, such as open(path, "wb"), not {shown(file)}'
        )
    file.write(data)
