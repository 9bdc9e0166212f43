"""The tables of results: their columns, as ``columns.toml`` has them; writing them as Parquet, and
reading them with DuckDB and pyarrow."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib.resources import files
from io import BytesIO, StringIO
from os import PathLike
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from sgf_lark.archive.results import ResultError, check_result, read_run
from sgf_lark.text.escaping import escape_lines

if TYPE_CHECKING:
    import duckdb
    import pyarrow
    import pyarrow.dataset
    import pyarrow.parquet


class Column(NamedTuple):
    """A column: its name, its type, with "not null" if each row has a value, and its meaning."""

    name: str
    type: str
    description: str


def _read() -> dict[str, tuple[Column, ...]]:
    text = files("sgf_lark.archive").joinpath("columns.toml").read_text("utf-8")
    return {
        table: tuple(Column(name, *about) for name, about in columns.items())
        for table, columns in tomllib.loads(text).items()
    }


_ALL = _read()
#: The tables of an audit by name. The first has a row for each file, the last for each finding.
TABLES = {name: _ALL[name] for name in ("files", "games", "diagnostics")}
#: The tables about files that were rewritten by name, in the same order.
REWRITE_TABLES = {name: _ALL[name] for name in ("rewritten", "changes")}


def readable_type(column: Column) -> str:
    """The type of the values in a column, such as "string" or "int32"."""
    return column.type.removesuffix(" not null").replace("dictionary", "string")


def columns_of(table: str) -> tuple[Column, ...]:
    """The columns of a table."""
    return _ALL[table]


@cache
def schema(table: str) -> pyarrow.Schema:
    """The schema of a table, with the descriptions of its columns as metadata."""
    import pyarrow

    special = {
        "dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
        "binary(32)": pyarrow.binary(32),
    }
    fields = []
    for name, written, description in _ALL[table]:
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
#: They are written when there are this many.
_ROWS_OF_GROUP = 20_000


class TableWriter:
    """Rows of one table on their way to Parquet."""

    def __init__(self, table: str) -> None:
        self.schema = schema(table)
        self.rows: list[Row] = []
        self.packed: list[pyarrow.Table] = []
        self.buffer = BytesIO()
        self.writer: pyarrow.parquet.ParquetWriter | None = None

    def add(self, rows: list[Row]) -> None:
        """Add rows; columns that they lack are null."""
        self.rows.extend(rows)
        if len(self.rows) >= _ROWS_AT_ONCE:
            self._pack()
        if sum(table.num_rows for table in self.packed) >= _ROWS_OF_GROUP:
            self._write()

    def _pack(self) -> None:
        import pyarrow

        columns = []
        for name, kind in zip(self.schema.names, self.schema.types, strict=True):
            values = [row.get(name) for row in self.rows]
            try:
                columns.append(pyarrow.array(values, kind))
            except (ValueError, OverflowError):
                end = 2**64 if kind == pyarrow.uint64() else 2**63
                values = [_storable(value, end) for value in values]
                columns.append(pyarrow.array(values, kind))
        self.packed.append(pyarrow.table(columns, schema=self.schema))
        self.rows.clear()

    def _write(self) -> None:
        import pyarrow
        import pyarrow.parquet

        if self.writer is None:
            self.writer = pyarrow.parquet.ParquetWriter(
                self.buffer, self.schema, compression="zstd"
            )
        self.writer.write_table(pyarrow.concat_tables(self.packed))
        self.packed.clear()

    def finish(self) -> bytes:
        """The Parquet file, empty where there are no rows."""
        if self.rows:
            self._pack()
        if self.packed:
            self._write()
        if self.writer is not None:
            self.writer.close()
        return self.buffer.getvalue()


def _storable(value: object, end: int) -> object:
    """The value as Parquet can hold it: no lone surrogates, only integers before `end`."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, int) and not -end < value < end:
        return None
    return value


def storable_text(text: str) -> str:
    """The text with escapes for lone surrogates, which stand for bytes in names of files."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


#: Rows are fetched this many at a time.
_ROWS_FETCHED = 10_000


def connect(result: str | PathLike[str], needed: str | None = None) -> duckdb.DuckDBPyConnection:
    """A new database in memory in which the tables of a result are views.

    Raises ResultError for a folder that is not a result, or that lacks the table `needed`.
    """
    import duckdb

    folder = check_result(result)
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


class Counts(NamedTuple):
    """Files of an audit: all, those that could not be read, those with errors or warnings."""

    files: int
    unreadable: int
    with_findings: int


def count_files(result: str | PathLike[str]) -> Counts:
    """Count the files of an audit; raises ResultError for a folder that is no result."""
    counts = connect(result, needed="files").execute(
        "SELECT count(*), count(*) FILTER (WHERE size IS NULL), "
        "count(*) FILTER (WHERE error + warning > 0) FROM files"
    )
    return Counts(*counts.fetchone() or (0, 0, 0))


def tables(result: str | PathLike[str]) -> dict[str, pyarrow.dataset.Dataset]:
    """The tables of a result by name: files, games and diagnostics, or changes and rewritten.

    Raises ResultError for a folder that is not a result.
    """
    import pyarrow.dataset

    folder = check_result(result)
    return {
        table: pyarrow.dataset.dataset(
            sorted(map(str, (folder / table).glob("*.parquet"))),
            schema=schema(table),
            format="parquet",
        )
        for table in tables_of(folder)
    }


def tables_of(folder: Path) -> list[str]:
    """The names of the tables of a result: those of an audit, or of rewritten files."""
    is_audit = any((folder / table).is_dir() for table in TABLES)
    return list(TABLES if is_audit else REWRITE_TABLES)


def options_of(result: str | PathLike[str]) -> dict[str, Any]:
    """The options with which a result was made; raises ResultError for another folder."""
    found: dict[str, Any] = read_run(Path(result))["options"]
    return found


def columns_as_rows(folder: Path, database: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    """The columns of all tables of a result as rows, with what they mean."""
    import pyarrow

    found = [
        {
            "table": table,
            "column": each.name,
            "type": readable_type(each),
            "description": each.description,
        }
        for table in tables_of(folder)
        for each in columns_of(table)
    ]
    return database.from_arrow(pyarrow.Table.from_pylist(found))


#: How DuckDB writes rows, by format.
_COPY = {
    "json": "FORMAT json, ARRAY true",
    "jsonl": "FORMAT json",
    "parquet": "FORMAT parquet, COMPRESSION zstd",
}
_ALL_ROWS = 2**31 - 1
_IN_HEXADECIMAL = "lower(hex({}))"


def copy_to(rows: duckdb.DuckDBPyRelation, output_format: str, path: str) -> None:
    """Write rows to a file as JSON, JSON Lines or Parquet; raises duckdb.Error."""
    if output_format != "parquet":
        rows = _readable(rows)
    place = path.replace("'", "''")
    options = f"{_COPY[output_format]}, USE_TMP_FILE false"
    rows.query("written", f"COPY written TO '{place}' ({options})")


def _readable(rows: duckdb.DuckDBPyRelation, other: str = "{}") -> duckdb.DuckDBPyRelation:
    """The same rows with bytes, such as hashes, in hexadecimal digits, and other columns as the
    expression `other` has it."""
    kinds = [str(kind) for kind in rows.types]
    if "BLOB" not in kinds and other == "{}":
        return rows
    names = ['"' + name.replace('"', '""') + '"' for name in rows.columns]
    forms = [_IN_HEXADECIMAL if kind == "BLOB" else other for kind in kinds]
    columns = [f"{form.format(name)} AS {name}" for form, name in zip(forms, names, strict=True)]
    return rows.project(", ".join(columns))


def as_texts(rows: duckdb.DuckDBPyRelation) -> Iterator[tuple[str | None, ...]]:
    """Yield the rows with their values as DuckDB writes them; None for NULL."""
    texts = _readable(rows, "CAST({} AS VARCHAR)")
    for batch in texts.fetch_arrow_reader(_ROWS_FETCHED):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


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
