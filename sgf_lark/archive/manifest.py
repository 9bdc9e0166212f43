"""The record of what is finished: it lets a run resume where it was stopped.

Each chunk that is finished has a row in an SQLite database and one Parquet file in each table
folder that has rows of it. The files are renamed into their place before the row is committed, so
that a row means that all rows of the chunk are there, and a file without a row is left over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from sgf_lark.archive.chunks import Chunk, Piece
from sgf_lark.archive.columns import TABLES
from sgf_lark.archive.processing import Outcome
from sgf_lark.archive.sources import Source
from sgf_lark.atomic_files import write_file

FILE = "manifest.sqlite"
#: An empty database that a run locks, so that the system frees it however the run ends.
LOCK = "lock.sqlite"
#: Changes when the tables or the manifest change.
VERSION = 4

_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (options TEXT NOT NULL, sources TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (
    id TEXT PRIMARY KEY, files INTEGER, bytes INTEGER, findings INTEGER, stored INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pieces (
    path TEXT, first INTEGER, end INTEGER, size INTEGER, version TEXT, sha256 TEXT,
    weight INTEGER, stored INTEGER, chunk TEXT, PRIMARY KEY (path, first)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pieces_of_chunk ON pieces (chunk);
CREATE TABLE IF NOT EXISTS outputs (
    path TEXT PRIMARY KEY, target TEXT, size INTEGER, time INTEGER
) WITHOUT ROWID;
CREATE TEMPORARY TABLE listed (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMPORARY TABLE planned (path TEXT PRIMARY KEY, target TEXT UNIQUE) WITHOUT ROWID;
"""


class ResultError(ValueError):
    """A folder that is not a result, one of other options or sources, or one that cannot be
    written: the disk is full, or another run is writing there."""


@contextmanager
def reserved(folder: Path, tables: Iterable[str]) -> Iterator[None]:
    """Create the folder of a result, and keep other runs from it meanwhile.

    Raises ResultError for a folder of something else, if another run has it, and for errors of the
    manifest.
    """
    _check_folder(folder, tuple(tables))
    folder.mkdir(parents=True, exist_ok=True)
    with errors_of_manifest(folder), closing(sqlite3.connect(folder / LOCK, timeout=0)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise ResultError(f"{folder}: another run is writing to it") from None
        yield


@contextmanager
def errors_of_manifest(folder: Path) -> Iterator[None]:
    """Raise ResultError for errors of SQLite."""
    try:
        yield
    except sqlite3.Error as error:
        raise ResultError(f"{folder / FILE}: {error}") from None


def _check_folder(folder: Path, tables: tuple[str, ...]) -> None:
    """Raise ResultError for a folder of something else."""
    known = {FILE, f"{FILE}-journal", LOCK, *tables}
    if folder.is_dir() and (folder / FILE).exists():
        if not (folder / tables[0]).is_dir():
            raise ResultError(f"{folder} is the result of another command")
    elif folder.is_dir():
        other = next((path.name for path in folder.iterdir() if path.name not in known), None)
        if other is not None:
            raise ResultError(
                f"{folder} is not empty, and no result of this command: it has {other}"
            )


class Manifest:
    """The finished chunks of the result in `folder`, which has the given tables."""

    def __init__(self, folder: Path, tables: Iterable[str] = TABLES) -> None:
        """Open the manifest, or begin one, in a folder that is :func:`reserved`."""
        self.folder = folder
        self.tables = tuple(tables)
        for table in self.tables:
            (folder / table).mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(folder / FILE)
        self._database.executescript(_SCHEMA)

    def _first(self, query: str, *values: str) -> Any:
        """The first row of a query, or None."""
        return self._database.execute(query, values).fetchone()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def begin(self, options: dict[str, Any], sources: list[str]) -> None:
        """Record options and sources; raises ResultError if others were recorded before.

        Further sources may come. Files that no finished chunk has are deleted.
        """
        written = _written(options)
        found = self._first("SELECT options, sources FROM run")
        if found is not None:
            check_version(self.folder, found[0])
            if found[0] != written:
                raise ResultError(
                    f"{self.folder} was made with other options, {found[0]}; use these, another "
                    "folder, or --no-resume to begin again"
                )
            missing = [each for each in json.loads(found[1]) if each not in sources]
            if missing:
                raise ResultError(
                    f"{self.folder} has also the files of {missing[0]}; name it too, use another "
                    "folder, or --no-resume to begin again"
                )
        with self._database:
            self._database.execute("DELETE FROM run")
            self._database.execute("INSERT INTO run VALUES (?, ?)", (written, json.dumps(sources)))
        self._delete_left_over()

    def has_options(self, options: dict[str, Any]) -> bool:
        """Whether these options were recorded."""
        found = self._first("SELECT options FROM run")
        return found is not None and found[0] == _written(options)

    def _delete_left_over(self) -> None:
        for table in self.tables:
            for path in (self.folder / table).iterdir():
                if path.suffix != ".parquet" or not self._has_chunk(path.stem):
                    path.unlink()

    def _has_chunk(self, identity: str) -> bool:
        return self._first("SELECT 1 FROM chunks WHERE id = ?", identity) is not None

    # What is finished

    def finished(self, path: str) -> list[Piece]:
        """The finished pieces of a file or archive, in order, as it was then."""
        return [
            _piece(row)
            for row in self._database.execute(
                f"SELECT {_PIECE} FROM pieces WHERE path = ? ORDER BY first", (path,)
            )
        ]

    def recorded_hash(self, path: str) -> str | None:
        """The SHA-256 of a file or archive as it was then, if it is known."""
        query = "SELECT sha256 FROM pieces WHERE path = ? AND sha256 IS NOT NULL"
        found = self._first(query, path)
        return None if found is None else str(found[0])

    def update_version(self, source: Source) -> None:
        """Record that a file with another time has the content that it had."""
        with self._database:
            self._database.execute(
                "UPDATE pieces SET size = ?, version = ? WHERE path = ?",
                (source.size, source.version, source.path),
            )

    def mark_listed(self, path: str) -> bool:
        """Record that the path was listed in this run; return whether it had not been before."""
        done = self._database.execute("INSERT OR IGNORE INTO listed VALUES (?)", (path,))
        return done.rowcount > 0

    def totals(self) -> tuple[int, int, int, int]:
        """The number of finished files, of their bytes, findings, and bytes as stored."""
        files, size, findings, stored = self._first(
            "SELECT total(files), total(bytes), total(findings), total(stored) FROM chunks"
        )
        return int(files), int(size), int(findings), int(stored)

    def chunks_of(self, path: str) -> list[str]:
        """The finished chunks with pieces of a file or archive, in the order of the pieces."""
        rows = self._database.execute(
            "SELECT chunk FROM pieces WHERE path = ? ORDER BY first", (path,)
        )
        return list(dict.fromkeys(row[0] for row in rows))

    def rows_of(self, identity: str, table: str) -> Path:
        """The Parquet file with the rows of a chunk; it is missing where there are none."""
        return self.folder / table / f"{identity}.parquet"

    # Outputs

    def plan(self, path: str, target: str) -> None:
        """Plan where a file or archive will be written.

        Raises ResultError if another one is to be written there.
        """
        self._database.execute("INSERT OR IGNORE INTO planned VALUES (?, ?)", (path, target))
        found = self._first("SELECT path FROM planned WHERE target = ?", target)
        if found is not None and found[0] != path:
            raise ResultError(
                f"{found[0]} and {path} would both be written to {target}; nothing was written"
            )

    def planned(self, path: str) -> Path:
        """Where a file or archive will be written."""
        return Path(self._first("SELECT target FROM planned WHERE path = ?", path)[0])

    def output_of(self, path: str) -> tuple[str, int, int] | None:
        """Where a file or archive was written, and the size and time of that file then."""
        found = self._first("SELECT target, size, time FROM outputs WHERE path = ?", path)
        return None if found is None else (str(found[0]), int(found[1]), int(found[2]))

    def record_outputs(self, outputs: Iterable[tuple[str, str, int, int]]) -> None:
        """Record for files and archives where they were written, as :meth:`output_of` has it."""
        with self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?)", outputs
            )

    def is_written(self, identity: str) -> bool:
        """Whether there are outputs for all pieces of a chunk."""
        query = "SELECT 1 FROM pieces LEFT JOIN outputs USING (path) WHERE chunk = ? "
        return self._first(f"{query} AND target IS NULL", identity) is None

    # Changes

    def add(self, chunk: Chunk, outcome: Outcome, hashes: dict[str, str]) -> None:
        """Store the rows of a finished chunk, and record it."""
        identity = uuid4().hex
        for table, content in outcome.parquet.items():
            if content:
                write_file(self.rows_of(identity, table), content)
        stored = sum(piece.stored for piece in chunk)
        with self._database:
            self._database.execute(
                "INSERT INTO chunks VALUES (?, ?, ?, ?, ?)",
                (identity, outcome.files, outcome.bytes, outcome.findings, stored),
            )
            self._database.executemany(
                "INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        piece.source.path,
                        piece.first,
                        piece.end,
                        piece.source.size,
                        piece.source.version,
                        hashes.get(piece.source.path) or outcome.hashes.get(piece.source.path),
                        piece.weight,
                        piece.stored,
                        identity,
                    )
                    for piece in chunk
                ),
            )

    def discard(self, path: str) -> list[Piece]:
        """Drop the chunks with pieces of a file; return their pieces of other, listed files.

        These have to be processed again.
        """
        again: list[Piece] = []
        rows = self._database.execute("SELECT DISTINCT chunk FROM pieces WHERE path = ?", (path,))
        for (identity,) in rows.fetchall():
            again += map(
                _piece,
                self._database.execute(
                    f"SELECT {_PIECE} FROM pieces JOIN listed USING (path) "
                    "WHERE chunk = ? AND path != ? ORDER BY path, first",
                    (identity, path),
                ),
            )
            with self._database:
                self._database.execute("DELETE FROM pieces WHERE chunk = ?", (identity,))
                self._database.execute("DELETE FROM chunks WHERE id = ?", (identity,))
                self._database.execute("DELETE FROM outputs WHERE path = ?", (path,))
            for table in self.tables:
                with suppress(FileNotFoundError):
                    self.rows_of(identity, table).unlink()
        return again

    def discard_unlisted(self) -> Iterator[Piece]:
        """Drop the chunks with files that were not listed, and yield the pieces of the others."""
        while True:
            found = self._first(
                "SELECT path FROM pieces WHERE path NOT IN (SELECT path FROM listed)"
            )
            if found is None:
                return
            yield from self.discard(found[0])


def check_version(folder: Path, options: str) -> None:
    """Raise ResultError for a result whose tables another version of this package made."""
    if json.loads(options).get("version") != VERSION:
        raise ResultError(
            f"{folder} has tables of another version of sgf-lark; make it again with --no-resume"
        )


def _written(options: dict[str, Any]) -> str:
    return json.dumps({"version": VERSION, **options}, sort_keys=True)


_PIECE = "path, size, version, first, end, weight, stored"


def _piece(row: tuple[Any, ...]) -> Piece:
    path, size, version, *rest = row
    return Piece(Source(path, size, version), *rest)
