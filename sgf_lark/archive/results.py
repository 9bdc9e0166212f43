"""The folder of a result: its tables, and the options that they were made with.

Each chunk has a name, which is made of its files with their sizes and times, and a Parquet file of
that name in the folder of each table. Files appear whole or not at all, and that of the table
with a row for each file is the last: where it is there, the chunk is done. So a run resumes where
it was stopped, and a later run does only the chunks in which something changed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any
from uuid import uuid4

from sgf_lark.archive.sources import Chunk, Piece, Source
from sgf_lark.atomic_files import write_file

#: The options and sources of a result, and which run was the last to write to it.
FILE = "run.json"
#: Changes when the tables or the names of chunks change.
VERSION = 4


class ResultError(ValueError):
    """A folder that is not a result, or one of other options or sources, or to which another run is
    writing."""


class Result:
    """The result in `folder`, which a run writes. Of the `tables` the first has a row for each
    file."""

    def __init__(self, folder: Path, tables: Iterable[str]) -> None:
        self.folder = folder
        self.tables = tuple(tables)
        self._run = uuid4().hex
        self._done: set[str] = set()

    def begin(self, options: dict[str, Any], sources: list[str], *, resume: bool) -> None:
        """Create the folder, or resume what is in it; without `resume` that is deleted.

        Raises ResultError for a folder of something else, of other options or of other sources;
        there may be further sources. OSError.
        """
        self._check_folder()
        if not resume:
            self.delete()
        options = as_recorded(options)
        if (self.folder / FILE).exists():
            self._check(options, sources)
        for table in self.tables:
            (self.folder / table).mkdir(parents=True, exist_ok=True)
        content = {"options": options, "sources": sources, "run": self._run}
        write_file(self.folder / FILE, json.dumps(content, indent=1).encode("ascii"))
        self._done = {path.stem for path in self._files(self.tables[0])}

    def _check_folder(self) -> None:
        """Raise ResultError for a folder of something else."""
        folder = self.folder
        if (folder / FILE).exists():
            if not (folder / self.tables[0]).is_dir():
                raise ResultError(f"{folder} is the result of another command")
        elif folder.is_dir():
            known = {FILE, *self.tables}
            other = next((path.name for path in folder.iterdir() if path.name not in known), None)
            if other is not None:
                raise ResultError(
                    f"{folder} is not empty, and no result of this command: it has {other}"
                )

    def _check(self, options: dict[str, Any], sources: list[str]) -> None:
        """Raise ResultError for a result of other options, or with other sources."""
        recorded = read_run(self.folder)
        if recorded["options"] != options:
            known = json.dumps(recorded["options"])
            raise ResultError(
                f"{self.folder} was made with other options, {known}; use these, another folder, "
                "or --no-resume to begin again"
            )
        missing = [each for each in recorded["sources"] if each not in sources]
        if missing:
            raise ResultError(
                f"{self.folder} has also the files of {missing[0]}; name it too, use another "
                "folder, or --no-resume to begin again"
            )

    def delete(self) -> None:
        """Delete the tables and the options, and nothing else."""
        for table in self.tables:
            shutil.rmtree(self.folder / table, ignore_errors=True)
        with suppress(FileNotFoundError):
            (self.folder / FILE).unlink()

    def _files(self, table: str) -> list[Path]:
        return list((self.folder / table).glob("*.parquet"))

    # Chunks

    def is_done(self, name: str) -> bool:
        """Whether the chunk of that name is done."""
        return name in self._done

    def done_pieces(self, source: Source) -> list[Piece]:
        """The pieces of an archive that are done as chunks of their own, in order."""
        before = f"{_digest(source)}-"
        found = []
        for name in self._done:
            if name.startswith(before):
                first, end = name.removeprefix(before).split("-")
                found.append(
                    Piece(source, int(first), None if end == _END else int(end), is_part=True)
                )
        return sorted(found, key=lambda piece: piece.first)

    def count_files(self, name: str) -> int:
        """The number of files in a chunk that is done."""
        import pyarrow.parquet

        place = self.folder / self.tables[0] / f"{name}.parquet"
        count: int = pyarrow.parquet.read_metadata(place).num_rows
        return count

    def keep(self, names: set[str], archives: set[str]) -> None:
        """Delete the rows of all other chunks, which are those of files that changed or are gone.

        `archives` have chunks of their own, and are given as :func:`archive_name` names them.
        """
        for table in reversed(self.tables):
            for path in (self.folder / table).iterdir():
                name = path.stem
                is_known = name in names or name.partition("-")[0] in archives
                if path.suffix != ".parquet" or not (is_known and name in self._done):
                    path.unlink()
        self._done = {
            name for name in self._done if name in names or name.partition("-")[0] in archives
        }

    def add(self, name: str, parquet: Mapping[str, bytes]) -> None:
        """Store the rows of a chunk, as Parquet by table.

        Raises ResultError if another run writes to the folder.
        """
        if read_run(self.folder)["run"] != self._run:
            raise ResultError(f"{self.folder}: another run has begun to write to it")
        for table in reversed(self.tables):
            if content := parquet[table]:
                write_file(self.folder / table / f"{name}.parquet", content)
        self._done.add(name)


#: The end of a piece that has all up to the last file of an archive, in the name of a chunk.
_END = "end"


def chunk_name(chunk: Chunk) -> str:
    """The name of a chunk: the same for the same files, as long as they do not change."""
    [first, *others] = chunk
    if not others and first.is_part:
        return f"{_digest(first.source)}-{first.first}-{_END if first.end is None else first.end}"
    return _digest(*(piece.source for piece in chunk))


def archive_name(source: Source) -> str:
    """How the names of chunks begin that are parts of an archive."""
    return _digest(source)


def _digest(*sources: Source) -> str:
    digest = sha256()
    for source in sources:
        text = json.dumps([source.path, source.size, source.version])
        digest.update(text.encode("ascii") + b"\n")
    return digest.hexdigest()[:32]


def as_recorded(options: dict[str, Any]) -> dict[str, Any]:
    """The options as a result records them."""
    found: dict[str, Any] = json.loads(json.dumps({"version": VERSION, **options}))
    return found


# --- Reading ----------------------------------------------------------------------------


def check_result(result: str | PathLike[str]) -> Path:
    """The folder of a result; raises ResultError if it is none, or of another version."""
    folder = Path(result)
    read_run(folder)
    return folder


def read_run(folder: Path) -> dict[str, Any]:
    """The options and the sources of a result, and the last run; raises ResultError for a folder
    that is none, and for a result whose tables another version of this package made."""
    try:
        found: dict[str, Any] = json.loads((folder / FILE).read_bytes())
        version = found["options"]["version"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        reason = "there is no" if isinstance(error, OSError) else "something else is in the"
        raise ResultError(
            f"{folder} is not a result of audit, fix or convert: {reason} {FILE} in it"
        ) from None
    if version != VERSION:
        raise ResultError(
            f"{folder} has tables of another version of sgf-lark; make it again with --no-resume"
        )
    return found
