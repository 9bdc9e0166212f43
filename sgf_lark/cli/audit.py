"""``sgf-lark audit``: validate archives of any size into tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

import click

from sgf_lark.cli import exit_code, extras, options, progress, terminal
from sgf_lark.cli.options import MEGABYTE
from sgf_lark.cli.results import plural
from sgf_lark.cli.settings import settings_options
from sgf_lark.files.inputs import real_path, reason
from sgf_lark.files.patterns import Patterns
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from distributed import Client

    from sgf_lark.archive.running import Progress
    from sgf_lark.archive.sources import Selection

#: Called with the progress after each chunk.
_Watch = Callable[["Progress"], None]


@click.command()
@options.sources_argument
@options.output_option("the tables.", hidden=True)
@options.result_option(required=False)
@click.option(
    "--files-from",
    type=click.File(encoding="utf-8", errors="surrogateescape"),
    metavar="FILE",
    help="Read further sources from FILE, one a line; -: from standard input.",
)
@options.profile_option
@options.code_options
@options.reading_options
@options.cluster_options
@click.option(
    "--chunk-size",
    "chunk_bytes",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    metavar="MB",
    callback=lambda _, __, value: value * MEGABYTE,
    help="Give a process this many megabytes at a time.",
)
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
    result: Path | None,
    output: Path | None,
    files_from: TextIO | None,
    scheduler: str | None,
    quiet: int,
    exit_zero: bool,
    exclude: Patterns,
    **options: Any,
) -> None:
    """Validate archives of any size into tables.

    SOURCES are files, folders, zip and tar archives (also in folders), packed files, glob
    patterns, and URLs that fsspec knows, such as s3://bucket/games.

    RESULT becomes a folder with the tables files, games and diagnostics as Parquet, which query,
    report and duplicates read, and any other program. A run that was stopped resumes where it
    was; a later one reads only what is new or has changed.

    The exit code is 0 if no file has an error or a warning, 1 if one has, and 2 if something could
    not be read or written.
    """
    extras.require("archive")
    from sgf_lark.archive import audit as run
    from sgf_lark.archive.result_tables import count_files
    from sgf_lark.archive.sources import Selection, read_list

    terminal.prepare_streams()
    paths = [*sources, *(read_list(files_from) if files_from else ())]
    if not paths:
        raise click.UsageError("no sources are given", ctx)
    # The tables are all that an audit writes, so -o means them, too.
    result = result or output
    if result is None:
        raise click.MissingParameter(ctx=ctx, param_type="option", param_hint="'--result'")
    selection = Selection(excluded=exclude)
    with run_on_cluster(scheduler, paths, result, quiet, selection) as (client, watch):
        done = run(paths, result, client, exclude=exclude.patterns, watch=watch, **options)
    _print_summary(done, result, quiet)
    counts = count_files(result)
    failed = done.failed or counts.unreadable or not counts.files
    ctx.exit(exit_code(failed, counts.with_findings and not exit_zero))


@contextmanager
def run_on_cluster(
    scheduler: str | None,
    paths: Sequence[str],
    result: Path,
    quiet: int,
    selection: Selection,
) -> Iterator[tuple[Client | None, _Watch | None]]:
    """Give the client of that scheduler, or None, and what shows the progress on a terminal.

    Errors of the run end the command with exit code 2.
    """
    from sgf_lark.archive.results import ResultError
    from sgf_lark.archive.running import RunError, connected_client

    try:
        with (
            connected_client(scheduler) if scheduler else nullcontext() as client,
            _shown_progress(paths, result, quiet, selection) as watch,
        ):
            yield client, watch
    except (ResultError, RunError) as error:
        terminal.fail(str(error))
    except OSError as error:
        terminal.fail(f"{error.filename or result}: {reason(error)}")
    except KeyboardInterrupt:
        terminal.print_error("interrupted; the same command resumes from here")
        raise


def _print_summary(done: Progress, result: Path, quiet: int) -> None:
    for path, problem in done.failed:
        terminal.print_error(f"{escape(path)}: not processed: {problem}")
    if quiet:
        return
    known = f"; {plural(done.known, 'file')} known before" if done.known else ""
    click.echo(
        f"{escape(result)}: {plural(done.files, 'file')}, "
        f"{done.bytes / 1e6:.1f} MB, {plural(done.findings, 'finding')} "
        f"in {monotonic() - done.started:.0f} s{known}",
        err=True,
    )


@contextmanager
def _shown_progress(
    paths: Sequence[str], result: Path, quiet: int, selection: Selection
) -> Iterator[_Watch | None]:
    """Show a bar on a terminal: files, MB, MB/s, findings and the time left."""
    if quiet or not progress.is_wanted():
        yield None
        return
    from sgf_lark.archive.sources import list_sources

    found = list_sources(paths, real_path(result), selection)
    with progress.progress_bar(sum(source.size for source in found)) as bar:

        def watch(done: Progress) -> None:
            megabytes = done.bytes / 1e6
            speed = megabytes / max(monotonic() - done.started, 0.001)
            bar.update(
                done.stored_before + done.stored,
                f"{done.known + done.files} files, {megabytes:.1f} MB, {speed:.1f} MB/s, "
                f"{done.findings} findings",
            )

        yield watch
