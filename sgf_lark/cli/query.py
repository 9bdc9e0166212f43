"""``sgf-lark query``: SQL over the tables of an audit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli import terminal
from sgf_lark.cli.options import table_output_option
from sgf_lark.cli.settings import settings_options
from sgf_lark.cli.terminal import fail

if TYPE_CHECKING:
    import duckdb

Row = tuple[Any, ...]

FORMATS = ("table", "csv", "json", "jsonl", "parquet")

#: A table on the terminal shows at most this number of rows.
MAX_ROWS = 100


@click.command()
@click.argument("result", type=click.Path(path_type=Path))
@click.argument("sql")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="Print a table, CSV, one JSON array, JSON Lines, or write Parquet.",
)
@table_output_option
@click.option(
    "--max-rows",
    type=click.IntRange(0),
    default=MAX_ROWS,
    show_default=True,
    metavar="N",
    help="Show at most N rows of a table; 0: show all. The other formats have all rows.",
)
@settings_options
@click.pass_context
def query(
    ctx: click.Context,
    /,
    result: Path,
    sql: str,
    output_format: str,
    output: Path | None,
    max_rows: int,
) -> None:
    """Query the tables of an audit, or of fixed or converted archives, with SQL.

    RESULT is the folder that audit wrote, or fix or convert with --changes. SQL is a query of
    DuckDB over the tables files, games and diagnostics, or changes and rewritten; -: read it from
    standard input.
    """
    import sys

    from sgf_lark.cli.outputs import check_file

    terminal.prepare_streams("utf-8" if output_format != "table" else None)
    if output_format == "parquet" and output is None:
        raise click.UsageError("Parquet is written to a file; give an --output", ctx)
    if output is not None:
        check_file(output)
    statement = sys.stdin.read() if sql == "-" else sql
    if output_format == "parquet":
        _write_parquet(result, statement, output or Path())
        return
    columns, rows = _run(result, statement)
    print_rows(columns, rows, output_format, max_rows, output)


def _run(result: Path, sql: str) -> tuple[list[str], Iterator[Row]]:
    """Return the names of the columns and the rows; end with exit code 2 where that fails."""
    with ending_on_errors():
        from sgf_lark.archive.database import connect

        database = connect(result).execute(sql)
        if not database.description:
            fail("the statement has no rows; query takes a SELECT")
        return [column[0] for column in database.description], _rows(database)


def _rows(database: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    """Yield the rows, a few at a time in memory."""
    from sgf_lark.archive.database import rows_of

    with ending_on_errors():
        yield from rows_of(database)


def _write_parquet(result: Path, sql: str, output: Path) -> None:
    """Write to a temporary file and rename it."""
    temporary = output.with_name(f".{output.name}.tmp")
    try:
        with ending_on_errors():
            from sgf_lark.archive.database import connect

            connect(result).sql(sql).write_parquet(str(temporary), compression="zstd")
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def ending_on_errors() -> Iterator[None]:
    """End with exit code 2 for a folder that is no result, and for errors of DuckDB."""
    import duckdb

    from sgf_lark.archive.manifest import ResultError

    try:
        yield
    except (ResultError, duckdb.Error) as error:
        fail(str(error))


# --- Formats --------------------------------------------------------------------------


def print_rows(
    columns: list[str],
    rows: Iterator[Row],
    output_format: str,
    max_rows: int,
    output: Path | None,
) -> None:
    """Print rows as a table, CSV, JSON or JSON Lines, or write them to the file `output`."""
    match output_format:
        case "table":
            pieces = _table(columns, rows, max_rows)
        case "csv":
            pieces = csv_lines([columns], rows)
        case "jsonl":
            pieces = json_lines(columns, rows)
        case _:
            pieces = _json_array(columns, rows)
    write_pieces(pieces, output)


def write_pieces(pieces: Iterator[str], output: Path | None) -> None:
    """Print the pieces, or write them to the file `output`."""
    if output is None:
        terminal.write_all(pieces)
    else:
        from sgf_lark.model.writing import write_file

        write_file(output, "".join(pieces).encode("utf-8", "backslashreplace"))


def csv_lines(*parts: Any) -> Iterator[str]:
    """Yield rows as lines of CSV; null is empty."""
    import csv
    from io import StringIO

    for rows in parts:
        for row in rows:
            buffer = StringIO()
            csv.writer(buffer, lineterminator="\n").writerow(row)
            yield buffer.getvalue()


def json_lines(columns: list[str], rows: Iterator[Row]) -> Iterator[str]:
    """Yield rows as JSON Lines."""
    for row in rows:
        yield _json_object(columns, row) + "\n"


def _json_array(columns: list[str], rows: Iterator[Row]) -> Iterator[str]:
    opening = "[\n"
    for row in rows:
        yield opening + _json_object(columns, row)
        opening = ",\n"
    yield "\n]\n" if opening == ",\n" else "[]\n"


def _json_object(columns: list[str], row: Row) -> str:
    from sgf_lark.text.escaping import to_json

    plain = (int, float, str, bool, type(None), list, dict)
    values = [value if isinstance(value, plain) else str(value) for value in row]
    return to_json(dict(zip(columns, values, strict=True)))


def _table(columns: list[str], rows: Iterator[Row], max_rows: int) -> Iterator[str]:
    from itertools import islice

    from sgf_lark.cli.results import plural
    from sgf_lark.cli.terminal import cell_width
    from sgf_lark.text.escaping import escape

    shown = [
        ["" if value is None else escape(str(value)) for value in row]
        for row in islice(rows, max_rows or None)
    ]
    left = sum(1 for _ in rows)
    widths = [
        max([cell_width(name), *(cell_width(row[index]) for row in shown)])
        for index, name in enumerate(columns)
    ]
    for row in [columns, ["-" * width for width in widths], *shown]:
        cells = [cell + " " * (w - cell_width(cell)) for cell, w in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip() + "\n"
    if left:
        yield f"… and {plural(left, 'more row')}; --max-rows 0 shows all\n"
