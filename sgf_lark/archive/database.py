"""The tables of a result as DuckDB and pyarrow read them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from os import PathLike
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from sgf_lark.archive.columns import (
    REWRITE_TABLES,
    TABLES,
    columns_of,
    readable_type,
    schema,
)
from sgf_lark.archive.results import ResultError, check_result, read_run
from sgf_lark.text.escaping import escape_lines

if TYPE_CHECKING:
    import duckdb
    import pyarrow.dataset

#: Rows are fetched this many at a time.
_ROWS_AT_ONCE = 10_000


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
_ALL = 2**31 - 1
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
    for batch in texts.fetch_arrow_reader(_ROWS_AT_ONCE):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def as_table(rows: duckdb.DuckDBPyRelation, max_rows: int, width: int | None) -> str:
    """At most `max_rows` rows, or all if it is 0, as a table of at most `width` columns."""
    found = StringIO()
    with redirect_stdout(found):
        _readable(rows).show(
            max_rows=max_rows or _ALL,
            max_width=width or _ALL,
            max_col_width=None if width else _ALL,
        )
    return escape_lines(found.getvalue())
