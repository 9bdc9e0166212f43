"""``sgf-lark fix``: fix files, or show the changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli import (
    CLEAN,
    COULD_NOT_RUN,
    VIOLATIONS,
    fix_destinations,
    inputs,
    progress,
    terminal,
)
from sgf_lark.cli.completion import complete_charsets, complete_paths
from sgf_lark.cli.options import (
    ArchiveOptions,
    archive_options,
    code_options,
    exclude_option,
    reading_options,
    size_option,
)
from sgf_lark.cli.outputs import report_failure
from sgf_lark.cli.settings import FileSettings, file_settings, settings_options
from sgf_lark.files.patterns import Patterns
from sgf_lark.model.reading_options import ReadingOptions
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    from sgf_lark.cli.fix_destinations import Destination
    from sgf_lark.cli.fix_questions import Questions
    from sgf_lark.cli.inputs import Input
    from sgf_lark.cli.progress import ProgressBar
    from sgf_lark.fixing import FixResult
    from sgf_lark.fixing.rewriting import Rewriting

#: Of a longer text only what was changed is listed, and at most twice this.
_LONGEST = 60
#: The rule about files without games: its message names what the file is instead.
_NO_GAME_TREE = "SGF002"

#: Prints what was changed in a file, or would be.
_Reporter = Callable[["Input", "FixResult"], None]


@click.command()
@click.argument("paths", nargs=-1, required=True, shell_complete=complete_paths)
@click.option("--unsafe", is_flag=True, help="Also make changes that drop something or guess.")
@click.option("--diff", is_flag=True, help="Show the changes property by property.")
@click.option("-i", "--in-place", is_flag=True, help="Overwrite the files that change.")
@click.option(
    "--interactive",
    is_flag=True,
    help="Ask before each fix, safe or not, with the place before and after and, where the "
    "position changes, with the board.",
)
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
@exclude_option
@size_option
@code_options
@reading_options
@click.option(
    "--to-charset",
    metavar="NAME",
    default="UTF-8",
    show_default=True,
    shell_complete=complete_charsets,
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
    interactive: bool,
    backup: str | None,
    keep_times: bool,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    split: bool,
    exclude: Patterns,
    max_size: int | None,
    archives: ArchiveOptions | None,
    **options: Any,
) -> None:
    """Fix SGF files.

    PATHS are as for check. Without --in-place, --output, --diff or --json, the fixed
    file is written to standard output; then only one file may be given. What was changed
    and what is left is reported on standard error.

    Only safe changes are made, which neither drop anything nor guess, unless --unsafe
    is given or --interactive asks.

    With --changes, PATHS are as for audit, and the work is done in several processes. A folder
    is written to a folder, an archive to an archive of the same kind; what is not a game in an
    archive is copied. Without --output this is a dry run: only the table is written, and
    --diff shows a sample. A run that was stopped resumes where it was.

    The exit code is 0 if no error is left, 1 if one is, and 2 if something could not be
    read or written.
    """
    terminal.prepare_streams("utf-8" if as_json else None)
    rewriting = _rewriting(ctx, options)
    if archives is not None:
        from sgf_lark.cli.archives import fix as fix_archives

        others = (
            in_place,
            backup is not None,
            keep_times,
            split,
            as_json,
            interactive,
            exclude.patterns,
        )
        if any(others):
            raise click.UsageError(
                "--in-place, --interactive, --exclude, --backup, --keep-times, --split and --json "
                "are not for --changes",
                ctx,
            )
        show = partial(_print_sample, rewriting, options) if diff else None
        ctx.exit(fix_archives(paths, output, archives, rewriting, options, max_size, quiet, show))
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
    files = _sgf_files(paths, output, max_size, exclude)
    if fix_destinations.takes_one_file(write):
        files = _only_file(ctx, files)
    accept = _questions(ctx, paths) if interactive else None
    run = _Run(rewriting, options, file_settings(ctx), accept, write)
    reporters: list[_Reporter] = [_print_json] if as_json else []
    if not (as_json or quiet):
        reporters.append(partial(_print_changes, run, _is_several(paths)))
    if diff:
        reporters.append(run.print_diff)
    counted = progress.is_wanted() and not interactive
    total = inputs.count_files(paths, inputs.SGF_SUFFIXES, exclude) if counted else 0
    with progress.progress_bar(total) as bar:
        for file in bar.watch(files):
            run.fix(file, [partial(_after_hiding, bar, report) for report in reporters])
            if accept is not None and accept.has_ended:
                break
    if run.totals.files > 1 and not (as_json or quiet):
        click.echo(run.totals.summary(), err=True)
    ctx.exit(run.totals.exit_code)


def _is_several(paths: tuple[str, ...]) -> bool:
    return len(paths) > 1 or any(map(inputs.holds_files, paths))


def _questions(ctx: click.Context, paths: tuple[str, ...]) -> Questions:
    from sgf_lark.cli.fix_questions import Questions

    if inputs.STDIN in paths:
        raise click.UsageError("--interactive cannot read a file from standard input", ctx)
    return Questions()


def _after_hiding(bar: ProgressBar, report: _Reporter, file: Input, result: FixResult) -> None:
    bar.hide()
    report(file, result)


def _sgf_files(
    paths: tuple[str, ...], output: Path | None, max_size: int | None, excluded: Patterns
) -> Iterator[Input]:
    """Read the files, without those that were written to the folder `output` before."""
    left_out = inputs.real_path(output) if output is not None else None
    for file in inputs.read_all(
        paths,
        suffixes=inputs.SGF_SUFFIXES,
        left_out=left_out,
        max_size=max_size,
        excluded=excluded,
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


@dataclass
class _Totals:
    """Counts over all files."""

    files: int = 0
    changed: int = 0
    changes: int = 0
    unsafe: int = 0
    with_errors: int = 0
    failed: int = 0

    @property
    def exit_code(self) -> int:
        if self.failed:
            return COULD_NOT_RUN
        return VIOLATIONS if self.with_errors else CLEAN

    def summary(self) -> str:
        """Return one line, such as ``3 files, 2 changed: 5 changes, all safe; no error left``."""
        from sgf_lark.cli.results import plural

        text = f"{plural(self.files, 'file')}, {self.changed} changed"
        if self.changes:
            unsafe = f"{self.unsafe} of them unsafe" if self.unsafe else "all safe"
            text += f": {plural(self.changes, 'change')}, {unsafe}"
        left = f"errors left in {self.with_errors}" if self.with_errors else "no error left"
        failed = f"; {self.failed} could not be read or written" if self.failed else ""
        return f"{text}; {left}{failed}"


@dataclass
class _Run:
    """How files are fixed, and what came of it."""

    rewriting: Rewriting
    options: dict[str, Any]
    settings: FileSettings
    accept: Questions | None
    write: Destination
    totals: _Totals = field(default_factory=_Totals)

    def options_for(self, file: Input) -> dict[str, Any]:
        """Return the options of :func:`sgf_lark.fix` for a file."""
        return self.settings.apply(file.path, self.options)

    def print_diff(self, file: Input, result: FixResult) -> None:
        """Print the changes of a file."""
        _print_diff(self.rewriting, self.options_for(file), file, result)

    def fix(self, file: Input, reporters: list[_Reporter]) -> None:
        """Fix, report and write one file."""
        from sgf_lark import fixing

        self.totals.files += 1
        if file.data is None:
            terminal.print_error(f"{escape(file.path)}: {file.reason}")
            self.totals.failed += 1
            return
        accept = None if self.accept is None else partial(self.accept.ask, file.path)
        result = fixing.fix(
            file.data, rewriting=self.rewriting, accept=accept, **self.options_for(file)
        )
        for report in reporters:
            report(file, result)
        try:
            self.write(file, result.data)
        except (OSError, ValueError) as error:
            report_failure(error, file)
            self.totals.failed += 1
            return
        self.totals.changed += result.data != file.data
        self.totals.changes += len(result.applied)
        self.totals.unsafe += _count_unsafe(result)
        self.totals.with_errors += not result.ok


# --- Reports --------------------------------------------------------------------------


def _print_json(file: Input, result: FixResult) -> None:
    item = {
        "path": file.path,
        "ok": result.ok,
        "applied": [change.as_dict() for change in result.applied],
        "remaining": [found.as_dict() for found in result.remaining],
    }
    terminal.write(to_json(item) + "\n")


def _print_changes(run: _Run, several: bool, file: Input, result: FixResult) -> None:
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
    if several and not (result.applied or left):
        return
    changes = plural(len(result.applied), "change")
    if result.applied:
        unsafe = _count_unsafe(result)
        changes += f", {unsafe} of them unsafe" if unsafe else ", all safe"
    summary = f"{path}: {changes}; {left + ' left' if left else 'no error left'}"
    if left and not run.options["unsafe"] and run.accept is None:
        more = _count_more_with_unsafe(run, file, result)
        summary += f"; --unsafe would make {plural(more, 'unsafe change')}" if more else ""
    for found in result.remaining:
        if found.code == _NO_GAME_TREE:
            summary += f": {escape(found.message)}"
    click.echo(summary, err=True)


def _count_unsafe(result: FixResult) -> int:
    return sum(not change.safe for change in result.applied)


def _count_more_with_unsafe(run: _Run, file: Input, result: FixResult) -> int:
    from sgf_lark import fixing

    options = {**run.options_for(file), "unsafe": True}
    unsafe = fixing.fix(file.data or b"", rewriting=run.rewriting, **options)
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

    reading = ReadingOptions.of(options)
    after_reading = reading if rewriting.charset is None else ReadingOptions()
    path = escape(file.path)
    terminal.write_all(diff_lines(path, file.data or b"", result.data, reading, after_reading))
