"""``sgf-lark archive``: fix or convert archives of any size, in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.cli import exit_code, extras, options, terminal
from sgf_lark.cli.audit import run_on_cluster
from sgf_lark.cli.convert import converting_options
from sgf_lark.cli.fix import count_changes, fixing_options, print_diff, take_rewriting
from sgf_lark.cli.fix_destinations import DIFF_WITH_OUTPUT
from sgf_lark.cli.outputs import Outputs, writing
from sgf_lark.cli.results import plural
from sgf_lark.cli.settings import settings_options
from sgf_lark.files.inputs import STDIN, Input
from sgf_lark.files.patterns import Patterns
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.archive.rewriting import Transform
    from sgf_lark.conversion import Format

#: A sample has at most this number of files, and this number of problems is listed.
_MOST_FILES = 20

#: The options of both commands for the run, but result and output.
_OF_RUN = ("sources", "exclude", "quiet", "jobs", "scheduler", "resume", "max_size")
#: What both commands take.
_archive_options = options.together(
    options.sources_argument,
    options.result_option(),
    options.output_option(
        "a folder; files have the paths there that they have in their own folder, and those of an "
        "archive are in a folder with its name.  [default: nothing is written but the tables]"
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
_COUNTS = """
SELECT count(*), count(*) FILTER (WHERE is_changed), coalesce(sum(changes), 0)::BIGINT,
    (SELECT count(*) FROM changes WHERE NOT safe), coalesce(sum(error), 0)::BIGINT,
    count(*) FILTER (WHERE error > 0), count(*) FILTER (WHERE error > 0 OR warning > 0),
    count(problem), count(problem) FILTER (WHERE error IS NULL)
FROM rewritten
"""
_PROBLEMS = f"""
SELECT path || coalesce('!' || member, ''), problem FROM rewritten WHERE problem IS NOT NULL
ORDER BY ALL LIMIT {_MOST_FILES}
"""


@click.group()
def archive() -> None:
    """Fix or convert archives of any size, in several processes or on a cluster.

    The tables of what was changed are a RESULT that query reads.
    """


@archive.command()
@_archive_options
@click.option(
    "--diff",
    is_flag=True,
    help="Show the changes property by property: those of a sample, in a dry run.",
)
@fixing_options
@settings_options
@click.pass_context
def fix(
    ctx: click.Context, /, result: Path, output: Path | None, diff: bool, **settings: Any
) -> None:
    """Fix archives of any size.

    SOURCES are as for audit. Without --output this is a dry run: only the tables changes and
    rewritten are written, to RESULT, and --diff shows a sample. A run that was stopped resumes
    where it was. What is not SGF is not written.

    The exit code is 0 if nothing worse than style is left, 1 if an error or a warning is, and 2 if
    something could not be read or written.
    """
    from sgf_lark import fixing
    from sgf_lark.archive.rewriting import Fixing

    if diff and output is not None:
        raise click.UsageError(DIFF_WITH_OUTPUT, ctx)
    run = {name: settings.pop(name) for name in _OF_RUN}
    rewriting = take_rewriting(settings)
    totals, failed = _run(result, output, Fixing(settings, rewriting), **run)
    if diff:
        for file in _sample(result, run):
            fixed = fixing.fix(file.data or b"", rewriting=rewriting, **settings)
            print_diff(rewriting, settings, file, fixed)
    if not run["quiet"]:
        left = "no error left"
        if totals.errors:
            files = plural(totals.with_errors, "file")
            left = f"{plural(totals.errors, 'error')} left in {files}"
        done = "would be changed" if output is None else "changed"
        click.echo(
            f"{escape(output or result)}: {totals.changed} of {plural(totals.files, 'file')} {done}"
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
    output: Path | None,
    output_format: Format | None,
    tolerant: bool,
    **settings: Any,
) -> None:
    """Convert archives of any size between SGF, JSON and wei7.

    SOURCES are as for audit. Without --output this is a dry run: only the tables changes and
    rewritten are written, to RESULT. A run that was stopped resumes where it was. What cannot be
    converted is not written.

    The exit code is 0 if all was converted, 1 if something could not be represented, was fixed, or
    is so damaged that nothing was written for it, and 2 if something could not be read or written.
    """
    from sgf_lark.archive.rewriting import Converting

    run = {name: settings.pop(name) for name in _OF_RUN}
    transform = Converting(output_format, tolerant, charsets=settings)
    totals, failed = _run(result, output, transform, **run)
    if not run["quiet"]:
        converted = totals.files - totals.problems
        done = "can be converted" if output is None else "converted"
        click.echo(
            f"{escape(output or result)}: {converted} of {plural(totals.files, 'file')} {done}; "
            f"{plural(totals.changes, 'note')} on what was lost or fixed",
            err=True,
        )
    ctx.exit(exit_code(failed, totals.changes or totals.problems))


def _run(
    result: Path,
    output: Path | None,
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
    from sgf_lark.archive.result_tables import connect
    from sgf_lark.archive.sources import Selection

    terminal.prepare_streams()
    extras.require("archive")
    if STDIN in sources:
        raise click.UsageError("standard input is not an archive; give paths")
    outputs = Outputs(sources, output)

    def write(target: Path, data: bytes, path: str) -> None:
        outputs.write_stream(target, writing(data), path)

    selection = Selection(transform.suffixes, excluded=exclude)
    where |= {"exclude": exclude.patterns, "write": write}
    with run_on_cluster(scheduler, sources, result, quiet, selection) as (client, watch):
        done = rewrite(sources, result, output, transform, client, watch=watch, **where)
    database = connect(result)
    totals = _Totals(*map(int, database.execute(_COUNTS).fetchone() or ()))
    for path, problem in database.execute(_PROBLEMS).fetchall():
        terminal.print_error(f"{escape(path)}: {escape(problem)}")
    if totals.problems > _MOST_FILES:
        more = plural(totals.problems - _MOST_FILES, "more file")
        terminal.print_error(f"{more}, see the column problem of the table rewritten")
    for path, problem in done.failed:
        if problem.startswith("not written"):
            terminal.print_error(f"{escape(path)}: {escape(problem)}")
    return totals, bool(totals.unreadable or done.failed or not totals.files)


def _sample(result: Path, run: dict[str, Any]) -> Iterator[Input]:
    """Yield a file for each rule whose findings were fixed, up to a number of files."""
    from sgf_lark.archive.result_tables import connect, storable_text
    from sgf_lark.archive.sources import Piece, Selection, list_sources, read_piece

    rows = connect(result).execute(
        "SELECT DISTINCT ON (code) path, member FROM changes ORDER BY code, path, member"
    )
    wanted = set(list(dict.fromkeys(rows.fetchall()))[:_MOST_FILES])
    paths = {path for path, _ in wanted}
    selection = Selection(max_size=run["max_size"], excluded=run["exclude"])
    for source in list_sources(run["sources"], selection=selection):
        # The tables have escapes for bytes in names that are no characters.
        if (path := storable_text(source.path)) not in paths:
            continue
        for file in read_piece(Piece(source), selection):
            member = storable_text(file.inner) if file.inner else None
            if file.data is not None and (path, member) in wanted:
                yield file
