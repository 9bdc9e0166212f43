"""``sgf-lark query``, ``report`` and ``duplicates``: what is made of the tables of an audit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import options, outputs, terminal
from sgf_lark.cli.results import plural
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    import duckdb

    from sgf_lark.archive.duplicate_games import Group
    from sgf_lark.diagnostics import Language

FORMATS = ("table", "jsonl", "parquet")

#: A table on the terminal shows at most this number of rows.
MAX_ROWS = 100


@click.command()
@options.result_argument
@click.argument("sql", required=False)
@options.format_option(
    FORMATS, "a table, JSON Lines with an object for each row, or Parquet.", default="table"
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
def query(
    result: Path, sql: str | None, output_format: str, output: Path | None, max_rows: int
) -> None:
    """Query the tables of an audit with SQL.

    RESULT is the folder that audit wrote, or archive fix or archive convert. SQL is a query of
    DuckDB over the tables files, games and diagnostics, or changes and rewritten; -: read it from
    standard input. Without SQL the tables and their columns are listed.

    The exit code is 2 if the query cannot be run or its rows cannot be written.
    """
    terminal.prepare_streams("utf-8")
    if sql is None and output_format != "table":
        raise click.UsageError("without SQL the tables are listed as text; DESCRIBE lists columns")
    if output_format == "parquet" and output is None:
        raise click.UsageError("Parquet is written to a file; give an --output")
    if output is not None:
        outputs.check_file(output)
    statement = sys.stdin.read() if sql == "-" else sql
    with ending_on_errors():
        from sgf_lark.archive import results as tables

        # The relation belongs to the connection, which has to stay.
        database = tables.connect(result)
        if statement is None:
            outputs.write_text(_listing(result, database), output)
        else:
            rows = _rows_of(statement, database)
            write_rows(rows, output_format, output, max_rows)


def _rows_of(statement: str, database: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    """Return the rows of a statement; end the command where it has none."""
    if not all(map(_only_reads, database.extract_statements(statement))):
        terminal.fail("query takes a SELECT; no other statement is run")
    rows = database.sql(statement)
    if rows is None:
        terminal.fail("the statement has no rows; query takes a SELECT")
    return rows


def _only_reads(statement: duckdb.Statement) -> bool:
    """Whether a statement has rows and writes nothing, unlike COPY, ATTACH and SET."""
    import duckdb

    if statement.type == duckdb.StatementType.EXPLAIN:
        return "analyze" not in statement.query.lower()  # that runs what it explains
    # PIVOT is several statements to DuckDB.
    return statement.type in (duckdb.StatementType.SELECT, duckdb.StatementType.MULTI)


def _listing(result: Path, database: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield the tables with their columns and what these mean."""
    from sgf_lark.archive.results import COLUMNS, readable_type, tables_of

    width = terminal.output_style(None).width
    tables = tables_of(result)
    for table in tables:
        columns = COLUMNS[table]
        [(count,)] = database.sql(f"SELECT count(*) FROM {table}").fetchall()
        yield f"{table}: {plural(count, 'row')}\n"
        heads = terminal.aligned([(each.name, readable_type(each)) for each in columns])
        indent = max(map(len, heads)) + 4
        for head, each in zip(heads, columns, strict=True):
            first, *more = terminal.wrapped(each.description, max(width - indent, 20))
            yield f"  {head:{indent - 2}}{first}\n"
            yield from (f"{'':{indent}}{line}\n" for line in more)
        yield "\n"


@contextmanager
def ending_on_errors() -> Iterator[None]:
    """End with exit code 2 for a folder that is not a result, and for errors of DuckDB."""
    import duckdb

    from sgf_lark.archive.results import ResultError

    try:
        yield
    except (ResultError, duckdb.Error) as error:
        terminal.fail(str(error))


def write_rows(
    rows: duckdb.DuckDBPyRelation, output_format: str, output: Path | None, max_rows: int
) -> None:
    """Write rows to `output`, or to standard output; of a table at most `max_rows`, if not 0."""
    from sgf_lark.archive.results import as_table, json_lines, write_parquet
    from sgf_lark.atomic_files import write_stream

    if output_format == "table":
        width = terminal.output_style(None).width if sys.stdout.isatty() else None
        outputs.write_text([as_table(rows, max_rows, width)], output)
    elif output is None:
        terminal.write_all(json_lines(rows))
    elif output_format == "jsonl":
        lines = json_lines(rows)
        write_stream(output, lambda stream: stream.writelines(map(str.encode, lines)))
    else:
        write_stream(output, lambda stream: write_parquet(rows, stream.name))


@click.command()
@options.result_argument
@options.output_option("the page.  [default: RESULT/report.html]")
@options.language_option
@settings_options
def report(result: Path, output: Path | None, language: Language) -> None:
    """Show the result of an audit as a page.

    RESULT is the folder that audit wrote. The page is one HTML file that needs no network: players,
    events and programs, what the games are like, what is wrong by profile, rule, program and year,
    which files are the worst, which games are there more than once, and what fix would change. Its
    figures are those of the profile interchange, with the other profiles beside it.

    The exit code is 2 if RESULT cannot be read or the page cannot be written.
    """
    terminal.prepare_streams()
    with ending_on_errors():
        from sgf_lark.archive.report import report as make
        from sgf_lark.archive.results import tables_of

        tables_of(result)
        output = output or result / "report.html"
        outputs.check_file(output)
        page = make(result, language=language)
    outputs.write_text([page], output)
    click.echo(f"{escape(output)}: {page.count('<figure>')} charts", err=True)


@click.command()
@options.result_argument
@click.option(
    "--min-moves",
    "least_moves",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Leave out games with fewer than N moves, unless their bytes are the same.",
)
@options.format_option(
    ("text", "jsonl"),
    "text, or JSON Lines with an object for each copy, a file that query reads as a table.",
)
@options.output_option("the list.  [default: standard output]")
@settings_options
def duplicates(
    result: Path,
    least_moves: int,
    output_format: str,
    output: Path | None,
) -> None:
    """List the games that an archive has more than once.

    RESULT is the folder that audit wrote. Games of a group have the same bytes, the same moves
    otherwise written, the same moves with the board turned or the colors swapped, or one is the
    beginning of another. Each group shows which copy to keep, and why: that with the longest
    comments, then with the most complete game information, the most nodes, the fewest errors.

    The exit code is 2 if RESULT cannot be read or the list cannot be written.
    """
    terminal.prepare_streams("utf-8")
    if output is not None:
        outputs.check_file(output)
    with ending_on_errors():
        from sgf_lark.archive.duplicate_games import as_objects
        from sgf_lark.archive.duplicate_games import duplicates as find

        groups = find(result, least_moves=least_moves)
        lines = (to_json(each) + "\n" for each in as_objects(groups))
        outputs.write_text(_text(groups) if output_format == "text" else lines, output)


def _text(groups: Iterator[Group]) -> Iterator[str]:
    from sgf_lark.archive.duplicate_games import KINDS

    count = surplus = 0
    for count, group in enumerate(groups, 1):
        surplus += len(group.copies) - 1
        yield f"{count}. {KINDS[group.kind]}\n"
        for index, copy in enumerate(group.copies):
            game = f", game {copy.later_game}" if copy.later_game else ""
            why = f"  ({group.reason})" if index == 0 else ""
            yield f"   {'drop' if index else 'keep'} {escape(copy.place)}{game}{why}\n"
    copies = "1 copy" if surplus == 1 else f"{surplus} copies"
    yield f"{plural(count, 'group')}, {copies} to drop\n"
