"""The folder of a result: its tables, and the options that they were made with.

Each chunk has a name, which is made of its files with their sizes and times, and a Parquet file of
that name in the folder of each table. Files appear whole or not at all, and that of the table
with a row for each file is the last: where it is there, the chunk is done. So a run resumes where
it was stopped, and a later run does only the chunks in which something changed.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO, StringIO
from os import PathLike
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from sgf_lark.archive.sources import Chunk, Source
from sgf_lark.atomic_files import write_file
from sgf_lark.text.escaping import escape_json, escape_lines

if TYPE_CHECKING:
    import duckdb
    import pyarrow
    import pyarrow.dataset
    import pyarrow.parquet

#: The options and sources of a result, and which run was the last to write to it.
FILE = "run.json"
#: Changes when the tables or the names of chunks change.
VERSION = 6


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

    def begin(self, options: dict[str, Any], sources: list[str]) -> None:
        """Create the folder, or resume what is in it.

        Raises ResultError for a folder of something else, of other options or of other sources;
        there may be further sources. OSError.
        """
        self._check_folder()
        options = json.loads(json.dumps({"version": VERSION, **options}))
        if (self.folder / FILE).exists():
            self._check(options, sources)
        for table in self.tables:
            (self.folder / table).mkdir(parents=True, exist_ok=True)
        content = {"options": options, "sources": sources, "run": self._run}
        write_file(self.folder / FILE, json.dumps(content, indent=1).encode("ascii"))
        self._done = {path.stem for path in (self.folder / self.tables[0]).glob("*.parquet")}

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
                f"{self.folder} was made with other options, {known}; use these, or another folder"
            )
        missing = [each for each in recorded["sources"] if each not in sources]
        if missing:
            raise ResultError(
                f"{self.folder} has also the files of {missing[0]}; name it too, or use "
                "another folder"
            )

    # Chunks

    def is_done(self, name: str) -> bool:
        """Whether the chunk of that name is done."""
        return name in self._done

    def keep(self, names: set[str], archives: set[str]) -> None:
        """Delete the rows of all other chunks, which are those of files that changed or are gone.

        `archives` have chunks of their own, and are given as :func:`digest_of` names them.
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
        # No lock file: one that a killed run leaves behind would have to be removed by hand.
        if read_run(self.folder)["run"] != self._run:
            raise ResultError(f"{self.folder}: another run has begun to write to it")
        for table in reversed(self.tables):
            if content := parquet[table]:
                write_file(self.folder / table / f"{name}.parquet", content)
        self._done.add(name)


def chunk_name(chunk: Chunk) -> str:
    """The name of a chunk: the same for the same files, as long as they do not change."""
    [first, *others] = chunk
    if not others and first.is_part:
        return f"{digest_of(first.source)}-{first.first}"
    return digest_of(*(piece.source for piece in chunk))


def digest_of(*sources: Source) -> str:
    """The name of a chunk of these files, and how those of the parts of an archive begin."""
    digest = sha256()
    for source in sources:
        text = json.dumps([source.path, source.size, source.version])
        digest.update(text.encode("ascii") + b"\n")
    return digest.hexdigest()[:32]


# --- Reading ----------------------------------------------------------------------------


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
            f"{folder} has tables of another version of sgf-lark; make them again in another folder"
        )
    return found


# --- Tables -----------------------------------------------------------------------------


class Column(NamedTuple):
    """A column: its name, its type, with "not null" if each row has a value, and its meaning."""

    name: str
    type: str
    description: str


#: The columns of all tables, as ``columns.toml`` has them.
COLUMNS = {
    table: tuple(Column(name, *about) for name, about in columns.items())
    for table, columns in tomllib.loads(
        files("sgf_lark.archive").joinpath("columns.toml").read_text("utf-8")
    ).items()
}
#: The tables of an audit by name. The first has a row for each file, the last for each finding.
TABLES = {name: COLUMNS[name] for name in ("files", "games", "diagnostics")}
#: The tables about files that were rewritten by name, in the same order.
REWRITE_TABLES = {name: COLUMNS[name] for name in ("rewritten", "changes")}


def readable_type(column: Column) -> str:
    """The type of the values in a column, such as "string" or "int32"."""
    return column.type.removesuffix(" not null").replace("dictionary", "string")


@cache
def schema(table: str) -> pyarrow.Schema:
    """The schema of a table, with the descriptions of its columns as metadata."""
    import pyarrow

    special = {
        "dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
        "binary(32)": pyarrow.binary(32),
    }
    fields = []
    for name, written, description in COLUMNS[table]:
        kind = written.removesuffix(" not null")
        found = special.get(kind) or pyarrow.type_for_alias(kind)
        metadata = {"description": description}
        fields.append(pyarrow.field(name, found, kind == written, metadata))
    return pyarrow.schema(fields)


#: The values of a row by column.
Row = dict[str, Any]
#: The rows of a file by table.
Rows = dict[str, list[Row]]

#: The rows of a file, and its new content, if it is to be written.
Processed = tuple[Rows, bytes | None]


#: Rows become columns when there are this many of a table: as dictionaries they take several
#: times the memory.
_ROWS_AT_ONCE = 1000


class TableWriter:
    """Rows of one table on their way to Parquet."""

    def __init__(self, table: str) -> None:
        self.schema = schema(table)
        self.rows: list[Row] = []
        self.packed: list[pyarrow.Table] = []

    def add(self, rows: list[Row]) -> None:
        """Add rows; columns that they lack are null."""
        self.rows.extend(rows)
        if len(self.rows) >= _ROWS_AT_ONCE:
            self._pack()

    def _pack(self) -> None:
        from pyarrow import Table

        try:
            packed = Table.from_pylist(self.rows, self.schema)
        # Tried as they are first: hardly any value cannot be stored.
        except (ValueError, OverflowError):
            rows = [
                {each.name: _storable(row.get(each.name), each.type) for each in self.schema}
                for row in self.rows
            ]
            packed = Table.from_pylist(rows, self.schema)
        self.packed.append(packed)
        self.rows.clear()

    def finish(self) -> bytes:
        """The Parquet file, empty where there are no rows."""
        if self.rows:
            self._pack()
        return as_parquet(self.packed)


def as_parquet(tables: list[pyarrow.Table]) -> bytes:
    """One Parquet file for several tables of the same columns, empty where there are none."""
    import pyarrow
    import pyarrow.parquet

    buffer = BytesIO()
    if tables:
        pyarrow.parquet.write_table(pyarrow.concat_tables(tables), buffer, compression="zstd")
    return buffer.getvalue()


def _storable(value: object, kind: pyarrow.DataType) -> object:
    """The value as Parquet can hold it: no lone surrogates, only integers of 64 bits."""
    if isinstance(value, str):
        # Lone surrogates stand for bytes in names of files.
        return value.encode("utf-8", "backslashreplace").decode()
    # All integers of the table are of 64 bits, or far below that.
    end = 2**64 if str(kind) == "uint64" else 2**63
    return None if isinstance(value, int) and not -end < value < end else value


#: Rows are fetched this many at a time.
_ROWS_FETCHED = 10_000


def connect(result: str | PathLike[str], needed: str | None = None) -> duckdb.DuckDBPyConnection:
    """A new database in memory in which the tables of a result are views.

    Raises ResultError for a folder that is not a result, or that lacks the table `needed`.
    """
    import duckdb

    folder = Path(result)
    names = tables_of(folder)
    if needed is not None and needed not in names:
        raise ResultError(f"{folder} has no table {needed}, but {' and '.join(names)}")
    # DuckDB makes this folder where the memory is not enough, and deletes it; the default is one in
    # the current folder, which all processes share.
    spill = Path(gettempdir()) / f"sgf-lark-{uuid4().hex}"
    database = duckdb.connect(config={"temp_directory": str(spill)})
    for table in names:
        if any((folder / table).glob("*.parquet")):
            pattern = str(folder / table / "*.parquet").replace("'", "''")
            database.execute(f"CREATE VIEW {table} AS FROM read_parquet('{pattern}')")
        else:
            database.register(f"empty_{table}", schema(table).empty_table())
            database.execute(f"CREATE VIEW {table} AS FROM empty_{table}")
    return database


def tables_of(folder: Path) -> list[str]:
    """The names of the tables of a result: those of an audit, or of rewritten files.

    Raises ResultError for a folder that is not a result.
    """
    read_run(folder)
    is_audit = any((folder / table).is_dir() for table in TABLES)
    return list(TABLES if is_audit else REWRITE_TABLES)


_ALL_ROWS = 2**31 - 1


def write_parquet(rows: duckdb.DuckDBPyRelation, path: str) -> None:
    """Write rows to a file; raises duckdb.Error."""
    place = path.replace("'", "''")
    options = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
    rows.query("written", f"COPY written TO '{place}' ({options})")


def json_lines(rows: duckdb.DuckDBPyRelation) -> Iterator[str]:
    """Yield an object of JSON for each row; raises duckdb.Error."""
    found = _readable(rows).query("found", "SELECT to_json(found)::VARCHAR FROM found")
    assert found is not None  # as it is for statements without rows
    for batch in found.to_arrow_reader(_ROWS_FETCHED):
        yield from (escape_json(line) + "\n" for line in batch.column(0).to_pylist())


def _readable(rows: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """The same rows with bytes, such as hashes, in hexadecimal digits."""
    kinds = {name: str(kind) for name, kind in zip(rows.columns, rows.types, strict=True)}
    if "BLOB" not in kinds.values():
        return rows
    columns = []
    for name, kind in kinds.items():
        quoted = '"' + name.replace('"', '""') + '"'
        columns.append(f"lower(hex({quoted})) AS {quoted}" if kind == "BLOB" else quoted)
    return rows.project(", ".join(columns))


def as_table(rows: duckdb.DuckDBPyRelation, max_rows: int, width: int | None) -> str:
    """At most `max_rows` rows, or all if it is 0, as a table of at most `width` columns."""
    found = StringIO()
    with redirect_stdout(found):
        _readable(rows).show(
            max_rows=max_rows or _ALL_ROWS,
            max_width=width or _ALL_ROWS,
            max_col_width=None if width else _ALL_ROWS,
        )
    return escape_lines(found.getvalue())
