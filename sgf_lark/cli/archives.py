"""``fix`` and ``convert`` with ``--changes``: on archives of any size, in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.cli import CLEAN, COULD_NOT_RUN, VIOLATIONS, inputs, terminal
from sgf_lark.cli.inputs import Input
from sgf_lark.cli.options import ArchiveOptions
from sgf_lark.cli.outputs import Outputs
from sgf_lark.cli.results import plural
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.archive.running import Progress
    from sgf_lark.archive.transforms import Transform
    from sgf_lark.conversion import Format
    from sgf_lark.fixing.rewriting import Rewriting

#: A sample has at most this number of files, and this number of problems is listed.
_MOST_FILES = 20


class _Totals(NamedTuple):
    """Counts over all files of a result."""

    files: int
    changed: int
    changes: int
    unsafe: int
    errors: int
    with_errors: int
    problems: int


def fix(
    paths: Sequence[str],
    output: Path | None,
    archives: ArchiveOptions,
    rewriting: Rewriting,
    options: dict[str, Any],
    max_size: int | None,
    quiet: bool,
    show: Callable[[Input], None] | None,
) -> int:
    """Fix archives and return the exit code; `show` is called with each file of a sample."""
    from sgf_lark.archive.transforms import Fixing

    result = archives.result
    progress = _run(paths, output, archives, Fixing(options, rewriting), max_size, quiet)
    if show is not None:
        for file in _sample(result, max_size):
            show(file)
    totals = _totals(result)
    _print_problems(result, progress, totals)
    if not quiet:
        unsafe = f"{totals.unsafe} of them unsafe" if totals.unsafe else "all safe"
        left = (
            f"{plural(totals.errors, 'error')} left in {plural(totals.with_errors, 'file')}"
            if totals.errors
            else "no error left"
        )
        done = "would be changed" if output is None else "changed"
        click.echo(
            f"{escape(output or result)}: {totals.changed} of {plural(totals.files, 'file')} {done}"
            f", {plural(totals.changes, 'change')}, {unsafe}; {left}",
            err=True,
        )
    if totals.problems or progress.failed:
        return COULD_NOT_RUN
    return VIOLATIONS if totals.errors else CLEAN


def convert(
    source: str,
    output: Path | None,
    archives: ArchiveOptions,
    target: Format | None,
    tolerant: bool,
    max_size: int | None,
) -> int:
    """Convert archives and return the exit code."""
    from sgf_lark.archive.transforms import Converting

    result = archives.result
    progress = _run([source], output, archives, Converting(target, tolerant), max_size, False)
    totals = _totals(result)
    _print_problems(result, progress, totals)
    converted = totals.files - totals.problems
    done = "can be converted" if output is None else "converted"
    click.echo(
        f"{escape(output or result)}: {converted} of {plural(totals.files, 'file')} {done}; "
        f"{plural(totals.changes, 'note')} on what was lost or fixed",
        err=True,
    )
    if totals.problems or progress.failed:
        return COULD_NOT_RUN
    return VIOLATIONS if totals.changes else CLEAN


def _run(
    paths: Sequence[str],
    output: Path | None,
    archives: ArchiveOptions,
    transform: Transform,
    max_size: int | None,
    quiet: bool,
) -> Progress:
    from sgf_lark.archive import rewrite
    from sgf_lark.cli import extras
    from sgf_lark.cli.audit import on_cluster, show_progress

    extras.require("archive")
    if inputs.STDIN in paths:
        raise click.UsageError("standard input is not an archive; --changes needs paths")
    outputs = Outputs(paths, output)
    with (
        on_cluster(archives.scheduler) as client,
        show_progress(list(paths), archives.result, quiet, transform.suffixes) as watch,
    ):
        return rewrite(
            paths,
            archives.result,
            output,
            transform,
            client,
            jobs=archives.jobs,
            resume=archives.resume,
            max_size=max_size,
            watch=watch,
            write=outputs.write_stream,
        )


def _totals(result: Path) -> _Totals:
    from sgf_lark.archive.database import connect

    row = (
        connect(result)
        .execute(
            "SELECT count(*), count(*) FILTER (WHERE is_changed), "
            "coalesce(sum(changes), 0)::BIGINT, (SELECT count(*) FROM changes WHERE NOT safe), "
            "coalesce(sum(error), 0)::BIGINT, count(*) FILTER (WHERE error > 0), count(problem) "
            "FROM rewritten"
        )
        .fetchone()
    )
    assert row is not None
    return _Totals(*map(int, row))


def _print_problems(result: Path, progress: Progress, totals: _Totals) -> None:
    from sgf_lark.archive.database import connect

    rows = connect(result).execute(
        "SELECT path || coalesce('!' || member, ''), problem FROM rewritten "
        f"WHERE problem IS NOT NULL ORDER BY ALL LIMIT {_MOST_FILES}"
    )
    for path, problem in rows.fetchall():
        terminal.print_error(f"{escape(path)}: {escape(problem)}")
    if totals.problems > _MOST_FILES:
        more = plural(totals.problems - _MOST_FILES, "more file")
        terminal.print_error(f"{more}, see the column problem of the table rewritten")
    for path, problem in progress.failed:
        if problem.startswith("not written"):
            terminal.print_error(f"{escape(path)}: {escape(problem)}")


def _sample(result: Path, max_size: int | None) -> Iterator[Input]:
    """Yield a file for each rule whose findings were fixed, up to a number of files."""
    from sgf_lark.archive.chunks import Piece, read_piece
    from sgf_lark.archive.database import connect
    from sgf_lark.archive.sources import Selection, list_sources

    rows = connect(result).execute(
        "SELECT DISTINCT ON (code) path, member FROM changes ORDER BY code, path, member"
    )
    for path, member in list(dict.fromkeys(rows.fetchall()))[:_MOST_FILES]:
        for source in list_sources([path]):
            files = read_piece(Piece(source), Selection(max_size=max_size))
            file = next((each for each in files if (each.inner or None) == member), None)
            if file is not None and file.data is not None:
                yield file
