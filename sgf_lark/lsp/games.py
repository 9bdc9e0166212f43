"""The games of a workspace, to be found by their players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from sgf_lark.files.inputs import SGF_SUFFIXES, walk
from sgf_lark.lsp.outline import title
from sgf_lark.lsp.positions import Text
from sgf_lark.model.loading import loads

#: At most this many files of the workspace are read, none of them larger than this, in bytes.
_MOST_FILES = 2000
_LARGEST = 1 << 20
#: At most this many games are listed.
_MOST_SYMBOLS = 500


class _Game(NamedTuple):
    """A game: its players and result, its event and date, and where it begins."""

    title: str
    detail: str
    position: types.Position


def symbols(
    folders: Sequence[str], texts: Mapping[str, bytes], query: str
) -> list[types.WorkspaceSymbol]:
    """The games of open texts and of files in the folders whose players, result, event or date
    contain all words of `query`. `folders` and the keys of `texts` are addresses."""
    words = query.casefold().split()
    found = (
        types.WorkspaceSymbol(
            types.Location(uri, types.Range(game.position, game.position)),
            game.title,
            types.SymbolKind.Module,
            container_name=game.detail or None,
        )
        for uri, games in _sources(folders, texts)
        for game in games
        if all(word in f"{game.title} {game.detail}".casefold() for word in words)
    )
    return list(islice(found, _MOST_SYMBOLS))


def _sources(
    folders: Sequence[str], texts: Mapping[str, bytes]
) -> Iterator[tuple[str, tuple[_Game, ...]]]:
    """The addresses of open texts, then of files, with their games."""
    for uri, data in texts.items():
        yield uri, _games(data)
    paths = (
        Path(found.path)
        for folder in map(to_fs_path, folders)
        for found in walk(folder or "", SGF_SUFFIXES)
        if folder and found.error is None
    )
    for path in islice(paths, _MOST_FILES):
        uri = from_fs_path(str(path)) or ""
        if uri not in texts:
            with suppress(OSError):
                status = path.stat()
                if status.st_size <= _LARGEST:
                    yield uri, _games_of_file(path, status.st_mtime_ns)


@lru_cache(maxsize=_MOST_FILES)
def _games_of_file(path: Path, time: int) -> tuple[_Game, ...]:
    """The games of a file as it was at that time."""
    return _read(path.read_bytes())


@lru_cache(maxsize=16)
def _games(data: bytes) -> tuple[_Game, ...]:
    """The games of an open text."""
    return _read(data)


def _read(data: bytes) -> tuple[_Game, ...]:
    text = Text(data)
    return tuple(
        _Game(
            title(tree),
            ", ".join(filter(None, (tree.info.text("EV"), tree.info.text("DT")))),
            text.position(tree.bounds[0]),
        )
        for tree in loads(data, tolerant=True)
    )
