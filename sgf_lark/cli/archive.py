"""``sgf-lark audit`` and ``sgf-lark archive``: validate, fix or convert archives of any size, in
several processes or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.cli import exit_code, extras, options, progress, terminal
from sgf_lark.cli.convert import converting_options
from sgf_lark.cli.fix import (
    choosing_options,
    count_changes,
    rewriting_options,
    take_rewriting,
)
from sgf_lark.cli.outputs import Outputs
from sgf_lark.cli.results import plural
from sgf_lark.cli.settings import settings_options
from sgf_lark.files.inputs import STDIN, Patterns, reason
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from distributed import Client
    from duckdb import DuckDBPyConnection

    from sgf_lark.archive.rewriting import Transform
    from sgf_lark.archive.running import Progress
    from sgf_lark.conversion import Format

#: At most this number of problems is listed.
_MOST_FILES = 20

#: The options of both commands for the run, but result and output.
_OF_RUN = ("sources", "exclude", "quiet", "jobs", "scheduler", "max_size")
#: What both commands take.
_archive_options = options.option_group(
    options.sources_argument,
    options.result_option,
    options.output_option(
        "a folder; files have the paths there that they have in their own folder, and those of an "
        "archive are in a folder with its name.",
        required=True,
    ),
    options.exclude_option,
    options.quiet_option("neither progress nor a summary."),
    options.cluster_options,
)


class _Totals(NamedTuple):
    """Counts over all files of a result."""

    files: int
    changed: int
    changes: int
    unsafe: int
    errors: int
    with_errors: int
    findings: int
    problems: int
    unreadable: int


#: The counts, in the order of the fields.
_TOTALS = """
SELECT count(*), count(*) FILTER (WHERE is_changed), coalesce(sum(changes), 0)::BIGINT,
    (SELECT count(*) FROM changes WHERE NOT safe), coalesce(sum(error), 0)::BIGINT,
    count(*) FILTER (WHERE error > 0), count(*) FILTER (WHERE error > 0 OR warning > 0),
    count(problem), count(problem) FILTER (WHERE error IS NULL)
FROM rewritten
"""
#: Of an audit: all files, those that could not be read, those with errors or warnings.
_AUDIT_COUNTS = """
SELECT count(*), count(*) FILTER (WHERE size IS NULL), count(*) FILTER (WHERE error + warning > 0)
FROM files
"""
_PROBLEMS = """
SELECT path || coalesce('!' || member, ''), problem FROM {table} WHERE problem IS NOT NULL
ORDER BY ALL LIMIT {most}
"""


@click.group()
def archive() -> None:
    """Fix or convert archives of any size.

    The work is done in several processes or on a cluster. The tables of what was changed are a
    RESULT that query reads.
    """


@archive.command()
@_archive_options
@choosing_options
@rewriting_options
@options.charset_option
@options.size_option
@settings_options
@click.pass_context
def fix(ctx: click.Context, /, result: Path, output: Path, **settings: Any) -> None:
    """Fix archives of any size.

    SOURCES are as for audit. The tables changes and rewritten are written to RESULT. A run that was
    stopped resumes where it was. What is not SGF is not written.

    The exit code is 0 if nothing worse than style is left, 1 if an error or a warning is, and 2 if
    something could not be read or written.
    """
    from sgf_lark.archive.rewriting import Fixing

    run = {name: settings.pop(name) for name in _OF_RUN}
    rewriting = take_rewriting(settings)
    totals, failed = _run(result, output, Fixing(settings, rewriting), **run)
    if not run["quiet"]:
        left = "no error left"
        if totals.errors:
            files = plural(totals.with_errors, "file")
            left = f"{plural(totals.errors, 'error')} left in {files}"
        click.echo(
            f"{escape(output)}: {totals.changed} of {plural(totals.files, 'file')} changed"
            f", {count_changes(totals.changes, totals.unsafe)}; {left}",
            err=True,
        )
    ctx.exit(exit_code(failed, totals.findings))


@archive.command()
@_archive_options
@converting_options
@settings_options
@click.pass_context
def convert(
    ctx: click.Context,
    /,
    result: Path,
    output: Path,
    output_format: Format | None,
    tolerant: bool,
    **settings: Any,
) -> None:
    """Convert archives of any size between SGF, JSON and wei7.

    SOURCES are as for audit. The tables changes and rewritten are written to RESULT. A run that was
    stopped resumes where it was. What cannot be converted is not written.

    The exit code is 0 if all was converted, 1 if something could not be represented, was fixed, or
    is so damaged that nothing was written for it, and 2 if something could not be read or written.
    """
    from sgf_lark.archive.rewriting import Converting

    run = {name: settings.pop(name) for name in _OF_RUN}
    transform = Converting(output_format, tolerant, charsets=settings)
    totals, failed = _run(result, output, transform, **run)
    if not run["quiet"]:
        converted = totals.files - totals.problems
        click.echo(
            f"{escape(output)}: {converted} of {plural(totals.files, 'file')} converted; "
            f"{plural(totals.changes, 'note')} on what was lost or fixed",
            err=True,
        )
    ctx.exit(exit_code(failed, totals.changes or totals.problems))


def _run(
    result: Path,
    output: Path,
    transform: Transform,
    *,
    sources: Sequence[str],
    exclude: Patterns,
    quiet: int,
    scheduler: str | None,
    **where: Any,
) -> tuple[_Totals, bool]:
    """Run over all sources and print the problems; return the counts, and whether something could
    not be read or written, or there was nothing."""
    from sgf_lark.archive import rewrite
    from sgf_lark.archive.results import connect

    terminal.prepare_streams()
    extras.require("archive")
    if STDIN in sources:
        raise click.UsageError("standard input is not an archive; give paths")
    where |= {"exclude": exclude.patterns, "write": Outputs(sources, output).write}
    with run_on_cluster(scheduler, result, quiet) as (client, watch):
        done = rewrite(sources, result, output, transform, client, watch=watch, **where)
    database = connect(result)
    totals = _Totals(*map(int, database.execute(_TOTALS).fetchone() or ()))
    _print_problems(database, "rewritten", totals.problems)
    for path, problem in done.failed:
        if problem.startswith("not written"):
            terminal.print_error(f"{escape(path)}: {escape(problem)}")
    return totals, bool(totals.unreadable or done.failed or not totals.files)


def _print_problems(database: DuckDBPyConnection, table: str, count: int) -> None:
    """Print the first of the files that were not read or processed, and why."""
    query = _PROBLEMS.format(table=table, most=_MOST_FILES)
    for path, problem in database.execute(query).fetchall():
        terminal.print_error(f"{escape(path)}: {escape(problem)}")
    if count > _MOST_FILES:
        more = plural(count - _MOST_FILES, "more file")
        terminal.print_error(f"{more}, see the column problem of the table {table}")


#: Called with the progress after each chunk.
_Watch = Callable[["Progress"], None]


@click.command()
@options.sources_argument
@options.result_option
@options.profile_option
@options.code_options
@options.reading_options
@options.cluster_options
@options.size_option
@options.exclude_option
@options.quiet_option("neither progress nor a summary.")
@options.exit_zero_option
@settings_options
@click.pass_context
def audit(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    result: Path,
    scheduler: str | None,
    quiet: int,
    exit_zero: bool,
    exclude: Patterns,
    **options: Any,
) -> None:
    """Validate archives of any size into tables.

    SOURCES are files, folders, zip and tar archives (also in folders), and packed files.

    RESULT becomes a folder with the tables files, games and diagnostics as Parquet, which query,
    report and duplicates read, and any other program. A run that was stopped resumes where it
    was; a later one reads only what is new or has changed.

    The exit code is 0 if no file has an error or a warning, 1 if one has, and 2 if something could
    not be read or written.
    """
    extras.require("archive")
    from sgf_lark.archive import audit as run
    from sgf_lark.archive.results import connect

    terminal.prepare_streams()
    with run_on_cluster(scheduler, result, quiet) as (client, watch):
        done = run(sources, result, client, exclude=exclude.patterns, watch=watch, **options)
    database = connect(result)
    [(count, unreadable, with_findings)] = database.execute(_AUDIT_COUNTS).fetchall()
    _print_problems(database, "files", unreadable)
    if not quiet:
        known = f"; {plural(count - done.files, 'file')} known before" if count > done.files else ""
        click.echo(
            f"{escape(result)}: {plural(done.files, 'file')}, "
            f"{done.bytes / 1e6:.1f} MB, {plural(done.findings, 'finding')} "
            f"in {monotonic() - done.started:.0f} s{known}",
            err=True,
        )
    failed = done.failed or unreadable or not count
    ctx.exit(exit_code(failed, with_findings and not exit_zero))


@contextmanager
def run_on_cluster(
    scheduler: str | None, result: Path, quiet: int
) -> Iterator[tuple[Client | None, _Watch | None]]:
    """Give the client of that scheduler, or None, and what shows the progress on a terminal.

    Errors of the run end the command with exit code 2.
    """
    from sgf_lark.archive.results import ResultError
    from sgf_lark.archive.running import RunError, connected_client

    try:
        with (
            connected_client(scheduler) if scheduler else nullcontext() as client,
            _shown_progress(quiet) as watch,
        ):
            yield client, watch
    except (ResultError, RunError) as error:
        terminal.fail(str(error))
    except OSError as error:
        terminal.fail(f"{error.filename or result}: {reason(error)}")
    except KeyboardInterrupt:
        terminal.print_error("interrupted; the same command resumes from here")
        raise


@contextmanager
def _shown_progress(quiet: int) -> Iterator[_Watch | None]:
    """Show a bar on a terminal: files, MB, MB/s, findings and the time left."""
    if quiet or not progress.is_wanted():
        yield None
        return
    with progress.progress_bar(100) as bar:

        def watch(done: Progress) -> None:
            megabytes = done.bytes / 1e6
            speed = megabytes / max(monotonic() - done.started, 0.001)
            bar.update(
                100 * done.stored / max(done.total, 1),
                f"{done.files} files, {megabytes:.1f} MB, {speed:.1f} MB/s, "
                f"{done.findings} findings",
            )

        yield watch
