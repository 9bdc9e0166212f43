"""``sgf-lark query``: SQL over the tables of an audit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import options, outputs, terminal
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    import duckdb

FORMATS = ("table", "csv", "json", "jsonl", "parquet")

#: A table on the terminal shows at most this number of rows.
MAX_ROWS = 100


@click.command()
@options.result_argument
@click.argument("sql")
@options.format_option(
    FORMATS, "a table, CSV, one JSON array, JSON Lines, or Parquet.", default="table"
)
@options.output_option("the rows.  [default: standard output; Parquet needs a file]")
@click.option(
    "--max-rows",
    type=click.IntRange(0),
    default=MAX_ROWS,
    show_default=True,
    metavar="N",
    help="Show at most N rows of a table; 0: show all. The other formats have all rows.",
)
@settings_options
def query(result: Path, sql: str, output_format: str, output: Path | None, max_rows: int) -> None:
    """Query the tables of an audit, or of fixed or converted archives, with SQL.

    RESULT is the folder that audit wrote, or archive fix or archive convert. SQL is a query of
    DuckDB over the tables files, games and diagnostics, or changes and rewritten; -: read it from
    standard input.

    The exit code is 2 if the query cannot be run or its rows cannot be written.
    """
    check_output(output_format, output)
    statement = sys.stdin.read() if sql == "-" else sql
    with ending_on_errors():
        from sgf_lark.archive.database import connect

        # The relation belongs to the connection, which has to stay.
        database = connect(result)
        rows = database.sql(statement)
        if rows is None:
            terminal.fail("the statement has no rows; query takes a SELECT")
        write_rows(rows, output_format, output, max_rows)


def check_output(output_format: str, output: Path | None) -> None:
    """Prepare standard output; raise UsageError where rows cannot be written in that format."""
    terminal.prepare_streams("utf-8")
    if output_format == "parquet" and output is None:
        raise click.UsageError("Parquet is written to a file; give an --output")
    if output is not None:
        outputs.check_file(output)


@contextmanager
def ending_on_errors() -> Iterator[None]:
    """End with exit code 2 for a folder that is not a result, and for errors of DuckDB."""
    import duckdb

    from sgf_lark.archive.manifest import ResultError

    try:
        yield
    except (ResultError, duckdb.Error) as error:
        terminal.fail(str(error))


def write_rows(
    rows: duckdb.DuckDBPyRelation, output_format: str, output: Path | None, max_rows: int = 0
) -> None:
    """Write rows to `output`, or to standard output; of a table at most `max_rows`, if not 0."""
    from sgf_lark.archive.database import as_table, copy_to

    if output_format == "table":
        width = terminal.output_style(None).width if sys.stdout.isatty() else None
        outputs.write_text([as_table(rows, max_rows, width)], output)
    elif output is not None:
        from sgf_lark.model.writing import write_stream

        write_stream(output, lambda stream: copy_to(rows, output_format, stream.name))
    else:
        with TemporaryDirectory() as folder:
            written = Path(folder, "rows")
            copy_to(rows, output_format, str(written))
            with written.open("rb") as stream, terminal.ending_on_full_disk():
                copyfileobj(stream, sys.stdout.buffer)
                sys.stdout.buffer.flush()
