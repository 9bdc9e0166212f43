"""``sgf-lark audit``: validate archives of any size into tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from sgf_lark.cli.check import PROFILES
from sgf_lark.cli.completion import complete_paths
from sgf_lark.cli.options import (
    MEGABYTE,
    code_options,
    jobs_options,
    reading_options,
    size_option,
)
from sgf_lark.cli.settings import settings_options
from sgf_lark.files.inputs import GAME_SUFFIXES

if TYPE_CHECKING:
    from distributed import Client

    from sgf_lark.archive.running import Progress


@click.command()
@click.argument("sources", nargs=-1, shell_complete=complete_paths)
@click.option(
    "-o",
    "--output",
    "result",
    type=click.Path(path_type=Path),
    required=True,
    metavar="RESULT",
    help="Write the tables to this folder.",
)
@click.option(
    "--files-from",
    type=click.File(encoding="utf-8", errors="surrogateescape"),
    metavar="FILE",
    help="Read further sources from FILE, one a line; -: from standard input.",
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="strict",
    show_default=True,
    help="Record everything with hints, what has to be put right, or only what loses or distorts "
    "content.",
)
@code_options
@reading_options
@click.option(
    "--resume/--no-resume",
    default=True,
    show_default=True,
    help="Keep what RESULT has already, and read only new and changed files, or begin again.",
)
@click.option(
    "--compare-content",
    is_flag=True,
    help="Compare the content of files that were read before, not only their size and time.",
)
@jobs_options
@click.option(
    "--chunk-size",
    "chunk_bytes",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    metavar="MB",
    callback=lambda _, __, value: value * MEGABYTE,
    help="Give a process this many megabytes at a time.",
)
@size_option
@click.option("-q", "--quiet", is_flag=True, help="Print neither progress nor a summary.")
@settings_options
@click.pass_context
def audit(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    result: Path,
    files_from: TextIO | None,
    scheduler: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Validate archives of any size into tables.

    SOURCES are files, folders, zip and tar archives (also in folders), packed files, glob
    patterns, and URLs that fsspec knows, such as s3://bucket/games.

    RESULT becomes a folder with the tables files, games and diagnostics as Parquet, which query,
    report and duplicates read, and any other program. A run that was stopped resumes where it
    was; a later one reads only what is new or has changed.

    The exit code is 0 if all files have been processed, whatever is wrong in them, and 2 if that
    was not possible.
    """
    from sgf_lark.archive import audit as run
    from sgf_lark.archive.sources import read_list
    from sgf_lark.cli import extras, terminal

    terminal.prepare_streams()
    extras.require("archive")
    paths = [*sources, *(read_list(files_from) if files_from else ())]
    if not paths:
        raise click.UsageError("no sources are given", ctx)
    with on_cluster(scheduler) as client, show_progress(paths, result, quiet) as watch:
        progress = run(paths, result, client, watch=watch, **options)
    _print_summary(progress, result, quiet)


@contextmanager
def on_cluster(scheduler: str | None) -> Iterator[Client | None]:
    """Give the client of that scheduler, or None; report errors of the run and Ctrl-C."""
    from sgf_lark.archive.clusters import connected_client
    from sgf_lark.archive.manifest import ResultError
    from sgf_lark.cli import terminal

    try:
        with connected_client(scheduler) if scheduler else nullcontext() as client:
            yield client
    except (ResultError, OSError) as error:
        terminal.fail(str(error))
    except KeyboardInterrupt:
        terminal.print_error("interrupted; the same command resumes from here")
        raise


def _print_summary(progress: Progress, result: Path, quiet: bool) -> None:
    from time import monotonic

    from sgf_lark.cli import terminal
    from sgf_lark.cli.results import plural
    from sgf_lark.text.escaping import escape

    for path, problem in progress.failed:
        terminal.print_error(f"{escape(path)}: not processed: {problem}")
    if quiet:
        return
    seconds = monotonic() - progress.started
    known = f"; {plural(progress.known, 'file')} known before" if progress.known else ""
    click.echo(
        f"{escape(result)}: {plural(progress.files, 'file')}, "
        f"{progress.bytes / MEGABYTE:.1f} MB, {plural(progress.findings, 'finding')} "
        f"in {seconds:.0f} s{known}",
        err=True,
    )


@contextmanager
def show_progress(
    paths: list[str],
    result: Path,
    quiet: bool,
    suffixes: tuple[str, ...] = GAME_SUFFIXES,
) -> Iterator[Callable[[Progress], None] | None]:
    """Show a bar on a terminal: files, MB, MB/s, findings and the time left."""
    from sgf_lark.cli import progress

    if quiet or not progress.is_wanted():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from sgf_lark.archive.sources import list_sources
    from sgf_lark.files.inputs import real_path

    found = list_sources(paths, real_path(result), suffixes)
    total = sum(source.size for source in found)
    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("starting", total=total)

    def watch(done: Progress) -> None:
        from time import monotonic

        megabytes = done.bytes / MEGABYTE
        speed = megabytes / max(monotonic() - done.started, 0.001)
        bar.update(
            task,
            completed=done.stored_before + done.stored,
            description=f"{done.known + done.files} files, {megabytes:.1f} MB, {speed:.1f} MB/s, "
            f"{done.findings} findings",
        )

    with bar:
        yield watch
