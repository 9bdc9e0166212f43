"""``sgf-lark fix``: fix files, or show the changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli import CLEAN, COULD_NOT_RUN, VIOLATIONS, fix_destinations, inputs, terminal
from sgf_lark.cli.options import archive_options, code_options, reading_options, size_option
from sgf_lark.cli.outputs import report_failure
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    from sgf_lark.cli.fix_destinations import Destination
    from sgf_lark.cli.inputs import Input
    from sgf_lark.fixing import FixResult
    from sgf_lark.fixing.rewriting import Rewriting

#: Of a longer text only what was changed is listed, and at most twice this.
_LONGEST = 60

#: Prints what was changed in a file, or would be.
_Reporter = Callable[["Input", "FixResult"], None]


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--unsafe", is_flag=True, help="Also make changes that drop something or guess.")
@click.option("--diff", is_flag=True, help="Show the changes property by property.")
@click.option("-i", "--in-place", is_flag=True, help="Overwrite the files that change.")
@click.option(
    "--backup",
    metavar="SUFFIX",
    help="Keep the old file with this suffix appended, and .1, .2 and so on after it if that file "
    "exists: no backup is overwritten.",
)
@click.option("--keep-times", is_flag=True, help="Keep the times of overwritten files.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file; for several files, and with --split, to this folder, with the paths "
    "that the files have in their own folder or archive.",
)
@click.option("--json", "as_json", is_flag=True, help="List the changes as JSON Lines.")
@click.option("-q", "--quiet", is_flag=True, help="Do not list the changes.")
@size_option
@code_options
@reading_options
@click.option(
    "--to-charset",
    metavar="NAME",
    default="UTF-8",
    show_default=True,
    help='Write text in this charset; "keep" leaves it unchanged.',
)
@click.option("--to-ff4", is_flag=True, help="Convert older trees to FF[4].")
@click.option(
    "--header",
    type=click.Choice(("keep", "comment", "drop")),
    help="Keep text outside the games, move it into a comment, or drop it. By default it is kept, "
    "and moved into a comment with --unsafe.",
)
@click.option(
    "--points",
    type=click.Choice(("keep", "expand", "compress")),
    default="keep",
    show_default=True,
    help="Write point lists unchanged, point by point, or as few rectangles.",
)
@click.option(
    "--passes",
    type=click.Choice(("keep", "empty", "tt")),
    default="keep",
    show_default=True,
    help="Write passes unchanged, as [], or as [tt].",
)
@click.option(
    "--delete",
    metavar="WHAT",
    multiple=True,
    help="Delete properties by name, or: empty-nodes, unknown, obsolete, move-markup, "
    "trailing-passes.",
)
@click.option(
    "--wrap",
    type=click.IntRange(1),
    metavar="N",
    help="Break lines of text after N characters with soft line breaks.",
)
@click.option("--split-root", is_flag=True, help="Move moves in the root to a node of their own.")
@click.option("--reverse-variations", is_flag=True, help="Reverse the order of variations.")
@click.option(
    "--split", is_flag=True, help="Write one file for each game tree, named by GN or number."
)
@archive_options
@settings_options
@click.pass_context
def fix(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    diff: bool,
    in_place: bool,
    backup: str | None,
    keep_times: bool,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    split: bool,
    max_size: int | None,
    changes: Path | None,
    resume: bool,
    jobs: int | None,
    scheduler: str | None,
    **options: Any,
) -> None:
    """Fix SGF files.

    PATHS are as for check. Without --in-place, --output, --diff or --json, the fixed
    file is written to standard output; then only one file may be given. What was changed
    and what is left is reported on standard error.

    Only safe changes are made, which neither drop anything nor guess, unless --unsafe
    is given.

    With --changes, PATHS are as for audit, and the work is done in several processes. A folder
    is written to a folder, an archive to an archive of the same kind; what is no game in an
    archive is copied. Without --output this is a dry run: only the table is written, and
    --diff shows a sample. A run that was stopped goes on where it was.

    The exit code is 0 if no error is left, 1 if one is, and 2 if something could not be
    read or written.
    """
    terminal.prepare_streams("utf-8" if as_json else None)
    rewriting = _rewriting(ctx, options)
    if changes is not None:
        from sgf_lark.cli import archives

        if in_place or backup is not None or keep_times or split or as_json:
            raise click.UsageError(
                "--in-place, --backup, --keep-times, --split and --json are not for --changes", ctx
            )
        cluster = archives.Cluster(jobs, scheduler)
        show = partial(_print_sample, rewriting, options) if diff else None
        ctx.exit(
            archives.fix(
                paths, changes, output, rewriting, options, cluster, resume, max_size, quiet, show
            )
        )
    if jobs is not None or scheduler is not None or not resume:
        raise click.UsageError("--jobs, --scheduler and --no-resume need --changes", ctx)
    write = fix_destinations.choose(
        ctx,
        paths,
        in_place=in_place,
        backup=backup,
        keep_times=keep_times,
        output=output,
        split=split,
        only_show=diff or as_json,
    )
    files = _sgf_files(paths, output, max_size)
    if fix_destinations.takes_one_file(write):
        files = _only_file(ctx, files)
    reporters: list[_Reporter] = [_print_json] if as_json else []
    if not (as_json or quiet):
        reporters.append(partial(_print_changes, rewriting, options))
    if diff:
        reporters.append(partial(_print_diff, rewriting, options))
    worst = CLEAN
    for file in files:
        worst = max(worst, _fix_one(file, rewriting, options, reporters, write))
    ctx.exit(worst)


def _sgf_files(
    paths: tuple[str, ...], output: Path | None, max_size: int | None
) -> Iterator[Input]:
    """Read the files, without those that were written to the folder `output` before."""
    left_out = inputs.real_path(output) if output is not None else None
    for file in inputs.read_all(
        paths, suffixes=inputs.SGF_SUFFIXES, left_out=left_out, max_size=max_size
    ):
        if file.is_wei7() and file.data is not None:
            yield replace(file, data=None, reason="it is no SGF; convert --tolerant fixes wei7")
        else:
            yield file


def _only_file(ctx: click.Context, files: Iterator[Input]) -> Iterator[Input]:
    """Return the only file; raises UsageError if there are several."""
    first = list(islice(files, 2))
    if len(first) > 1:
        raise click.UsageError("for several files say --in-place, --output, --diff or --json", ctx)
    return iter(first)


def _rewriting(ctx: click.Context, options: dict[str, Any]) -> Rewriting:
    """Take the options of the rewriting out of `options`."""
    from sgf_lark.fixing.rewriting import Rewriting

    charset = options.pop("to_charset")
    deleted = {part.strip() for value in options.pop("delete") for part in value.split(",")}
    try:
        return Rewriting(
            charset=None if charset == "keep" else charset,
            header=options.pop("header"),
            upgrade=options.pop("to_ff4"),
            points=options.pop("points"),
            passes=options.pop("passes"),
            delete=frozenset(deleted),
            wrap=options.pop("wrap"),
            split_root=options.pop("split_root"),
            reverse=options.pop("reverse_variations"),
        )
    except (ValueError, LookupError) as error:
        raise click.UsageError(str(error), ctx) from None


def _fix_one(
    file: Input,
    rewriting: Rewriting,
    options: dict[str, Any],
    reporters: list[_Reporter],
    write: Destination,
) -> int:
    """Fix one file and return its exit code."""
    from sgf_lark import fixing

    if file.data is None:
        terminal.print_error(f"{escape(file.path)}: {file.reason}")
        return COULD_NOT_RUN
    result = fixing.fix(file.data, rewriting=rewriting, **options)
    for report in reporters:
        report(file, result)
    try:
        write(file, result.data)
    except (OSError, ValueError) as error:
        report_failure(error, file)
        return COULD_NOT_RUN
    return CLEAN if result.ok else VIOLATIONS


# --- Reports --------------------------------------------------------------------------


def _print_json(file: Input, result: FixResult) -> None:
    item = {
        "path": file.path,
        "ok": result.ok,
        "applied": [change.as_dict() for change in result.applied],
        "remaining": [found.as_dict() for found in result.remaining],
    }
    terminal.write(to_json(item) + "\n")


def _print_changes(
    rewriting: Rewriting, options: dict[str, Any], file: Input, result: FixResult
) -> None:
    from sgf_lark.cli.fix_diff import shortened
    from sgf_lark.cli.results import plural

    path = escape(file.path)
    for change in result.applied:
        place = f"{path}:{change.span.line}:{change.span.column}:"
        how = "" if change.safe else " (unsafe)"
        label = f"{change.code} {change.name}".strip()
        before, after = map(_shorten, shortened(change.before, change.after, _LONGEST))
        click.echo(f"{place} {label}{how}: {before} -> {after}", err=True)
    left = ", ".join(
        plural(count, severity)
        for severity, count in result.report.counts.items()
        if count and severity != "style"
    )
    changes = plural(len(result.applied), "change")
    if result.applied:
        unsafe = _count_unsafe(result)
        changes += f", {unsafe} of them unsafe" if unsafe else ", all safe"
    summary = f"{path}: {changes}; {left + ' left' if left else 'no error left'}"
    if left and not options["unsafe"]:
        more = _count_more_with_unsafe(rewriting, options, file, result)
        summary += f"; --unsafe would make {plural(more, 'unsafe change')}" if more else ""
    click.echo(summary, err=True)


def _count_unsafe(result: FixResult) -> int:
    return sum(not change.safe for change in result.applied)


def _count_more_with_unsafe(
    rewriting: Rewriting, options: dict[str, Any], file: Input, result: FixResult
) -> int:
    from sgf_lark import fixing

    unsafe = fixing.fix(file.data or b"", rewriting=rewriting, **{**options, "unsafe": True})
    return _count_unsafe(unsafe) - _count_unsafe(result)


def _shorten(text: str) -> str:
    text = escape(text)
    return (text if len(text) <= 2 * _LONGEST else text[: 2 * _LONGEST - 1] + "…") or "nothing"


def _print_sample(rewriting: Rewriting, options: dict[str, Any], file: Input) -> None:
    from sgf_lark import fixing

    result = fixing.fix(file.data or b"", rewriting=rewriting, **options)
    _print_diff(rewriting, options, file, result)


def _print_diff(
    rewriting: Rewriting, options: dict[str, Any], file: Input, result: FixResult
) -> None:
    from sgf_lark.cli.fix_diff import diff_lines

    reading = {name: options[name] for name in ("charset", "default_charset", "charset_mode")}
    after_reading = reading if rewriting.charset is None else {}
    path = escape(file.path)
    terminal.write_all(diff_lines(path, file.data or b"", result.data, reading, after_reading))
