"""``sgf-lark fix``: fix files, or show the changes."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli import exit_code, options, outputs, progress, terminal
from sgf_lark.cli.options import complete_charsets
from sgf_lark.cli.outputs import Destination
from sgf_lark.cli.settings import FileSettings, file_settings, settings_options
from sgf_lark.cli.words import message
from sgf_lark.diagnostics import Language
from sgf_lark.files import contents, inputs
from sgf_lark.files.inputs import Input, Patterns, file_name
from sgf_lark.files.packed import is_packed
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    from sgf_lark.cli.progress import ProgressBar
    from sgf_lark.fixing import FixResult
    from sgf_lark.fixing.rewriting import Rewriting

#: Of a longer text only what was changed is listed, and at most twice this.
_LONGEST = 60
#: The beginning of the codes of damage.
_DAMAGE = "SGF1"
#: The rule about files without games: its message names what the file is instead.
_NO_GAME_TREE = "SGF002"

#: Prints what was changed in a file, or would be.
_Reporter = Callable[[Input, "FixResult"], None]

#: Which findings are fixed: ``unsafe``, ``select`` and ``ignore``.
choosing_options = options.option_group(
    click.option("--unsafe", is_flag=True, help="Also make changes that drop something or guess."),
    options.code_options,
)
#: What is written otherwise than it was, :func:`take_rewriting`.
rewriting_options = options.option_group(
    click.option(
        "--to-charset",
        metavar="NAME",
        default="UTF-8",
        show_default=True,
        shell_complete=complete_charsets,
        help='Write text in this charset; "keep" leaves it unchanged.',
    ),
    click.option("--to-ff4", is_flag=True, help="Convert older trees to FF[4]."),
    click.option(
        "--header",
        type=click.Choice(("keep", "comment", "drop")),
        help="Keep text outside the games, move it into a comment, or drop it. By default it is "
        "kept, and moved into a comment with --unsafe.",
    ),
    click.option(
        "--points",
        type=click.Choice(("keep", "expand", "compress")),
        default="keep",
        show_default=True,
        help="Write point lists unchanged, point by point, or as few rectangles.",
    ),
    click.option(
        "--delete",
        metavar="WHAT",
        multiple=True,
        help="Delete properties by name, or: empty-nodes, unknown, obsolete, move-markup, "
        "trailing-passes. Separate several by commas.",
    ),
)


@click.command(cls=options.GroupedCommand)
@options.paths_argument
@options.titled_group(
    "Options",
    click.option(
        "--diff",
        is_flag=True,
        help="Show the changes property by property: no file is written, also with --in-place.",
    ),
    click.option("-i", "--in-place", is_flag=True, help="Overwrite the files that change."),
    click.option(
        "--backup",
        metavar="SUFFIX",
        help="Keep the old file with this suffix appended, such as .bak, and .1, .2 and so on "
        "after it if that file exists: no backup is overwritten.",
    ),
    options.output_option(
        "a folder for several files; they have the paths there that they have in their own "
        "folder or archive.  [default: standard output, for one file]"
    ),
    choosing_options,
)
@options.titled_group("Rewriting", rewriting_options)
@options.titled_group("Reading", options.charset_option, options.exclude_option, settings_options)
@options.titled_group(
    "Report",
    options.format_option(("text", "jsonl"), "text or JSON Lines, for the changes."),
    options.quiet_option("do not list the changes."),
    options.language_option,
)
@click.pass_context
def fix(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    diff: bool,
    in_place: bool,
    backup: str | None,
    output: Path | None,
    output_format: str,
    quiet: int,
    language: Language,
    exclude: Patterns,
    **options: Any,
) -> None:
    """Fix SGF files.

    PATHS are as for check. Without --in-place, --output, --diff or --format jsonl, the fixed
    file is written to standard output; then only one file may be given. What was changed
    and what is left is reported on standard error.

    Only safe changes are made, which neither drop anything nor guess, unless --unsafe
    is given. For archives that are too large for this command there is sgf-lark archive fix.

    The exit code is 0 if nothing worse than style is left, 1 if an error or a warning is, and 2 if
    something could not be read or written.
    """
    as_json = output_format == "jsonl"
    terminal.prepare_streams("utf-8" if as_json else None)
    rewriting = take_rewriting(options)
    write = _destination(
        ctx,
        paths,
        in_place=in_place,
        backup=backup,
        output=output,
        diff=diff,
        only_report=as_json,
    )
    # Those that were written to the folder `output` before are not read.
    left_out = None if output is None else inputs.real_path(output)
    files = contents.read_all(
        paths, suffixes=inputs.SGF_SUFFIXES, left_out=left_out, excluded=exclude
    )
    if write is outputs.to_stdout:
        files = outputs.only_file(files, "--in-place, --output, --diff or --format jsonl")
    run = _Run(rewriting, options, file_settings(ctx), write, language)
    if as_json:
        run.reporters.append(_print_json)
    elif not quiet:
        is_several = len(paths) > 1 or any(map(inputs.holds_files, paths))
        run.reporters.append(partial(_print_changes, run, is_several))
    if diff:
        run.reporters.append(run.print_diff)
    is_counted = progress.is_wanted()
    total = inputs.count_files(paths, inputs.SGF_SUFFIXES, exclude) if is_counted else 0
    with progress.progress_bar(total) as bar:
        for file in bar.watch(files):
            run.fix(file, bar)
    if run.totals.files > 1 and not (as_json or quiet):
        click.echo(run.totals.summary(language), err=True)
    ctx.exit(exit_code(run.totals.failed, run.totals.with_findings))


def take_rewriting(options: dict[str, Any]) -> Rewriting:
    """Take the options of the rewriting out of `options`, which keep those of a fix."""
    from sgf_lark.fixing.rewriting import Rewriting

    charset = options.pop("to_charset")
    deleted = {part.strip() for value in options.pop("delete") for part in value.split(",")}
    try:
        return Rewriting(
            charset=None if charset == "keep" else charset,
            header=options.pop("header"),
            upgrade=options.pop("to_ff4"),
            points=options.pop("points"),
            delete=frozenset(deleted),
        )
    except (ValueError, LookupError) as error:
        raise click.UsageError(str(error)) from None


@dataclass
class _Totals:
    """Counts over all files."""

    files: int = 0
    changed: int = 0
    changes: int = 0
    unsafe: int = 0
    #: The findings that were fixed.
    fixed: int = 0
    with_errors: int = 0
    with_findings: int = 0
    failed: int = 0

    def changes_in_words(self, language: Language) -> str:
        """Return ``6 findings fixed by 5 changes, all safe``."""
        changes = count_changes(self.changes, self.unsafe, language)
        return (
            message("fix.fixed", language, n=self.fixed, changes=changes) if self.fixed else changes
        )

    def summary(self, language: Language) -> str:
        """Return one line, such as ``3 files, 2 changed: 6 findings fixed by 5 changes, all safe;
        no error left``."""
        text = message("fix.files", language, n=self.files, changed=self.changed)
        if self.changes:
            text += message("shared.colon", language) + self.changes_in_words(language)
        text += message("shared.semicolon", language)
        text += message(
            "fix.errors_left" if self.with_errors else "fix.no_error_left",
            language,
            n=self.with_errors,
        )
        return text + (message("fix.failed", language, n=self.failed) if self.failed else "")


def count_changes(changes: int, unsafe: int, language: Language = "en") -> str:
    """Return ``5 changes, 2 of them unsafe``."""
    how = message(f"fix.{'some_unsafe' if unsafe else 'all_safe'}", language, n=unsafe)
    return message("fix.changes", language, n=changes) + (how if changes else "")


@dataclass
class _Run:
    """How files are fixed, and what came of it."""

    rewriting: Rewriting
    options: dict[str, Any]
    settings: FileSettings
    write: Destination
    language: Language
    reporters: list[_Reporter] = field(default_factory=list)
    totals: _Totals = field(default_factory=_Totals)

    def options_for(self, file: Input) -> dict[str, Any]:
        """Return the options of :func:`sgf_lark.fix` for a file."""
        return self.settings.apply(file.path, self.options)

    def print_diff(self, file: Input, result: FixResult) -> None:
        """Print the changes of a file."""
        from sgf_lark.fixing.edits import diff_lines

        before = ReadingOptions.of(self.options_for(file))
        after = before if self.rewriting.charset is None else ReadingOptions()
        path = escape(file.path)
        terminal.write_all(diff_lines(path, file.data or b"", result.data, before, after))

    def fix(self, file: Input, bar: ProgressBar) -> None:
        """Fix, report and write one file."""
        from sgf_lark import fixing

        self.totals.files += 1
        if file.data is None or file.is_wei7():
            reason = file.reason or "it is not SGF, but wei7"
            terminal.print_error(f"{escape(file.path)}: {reason}")
            self.totals.failed += 1
            return
        result = fixing.fix(
            file.data,
            rewriting=self.rewriting,
            language=self.language,
            **self.options_for(file),
        )
        bar.hide()
        try:
            self.write(file, result.data, "")
        except (OSError, ValueError) as error:
            # What was not written is not reported as fixed.
            outputs.report_failure(error, file)
            self.totals.failed += 1
            return
        for report in self.reporters:
            report(file, result)
        counts = result.report.counts
        self.totals.changed += result.data != file.data
        self.totals.changes += len(result.applied)
        self.totals.unsafe += _count_unsafe(result)
        self.totals.with_errors += not result.ok
        self.totals.with_findings += bool(counts["error"] or counts["warning"])


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
    from sgf_lark.cli.results import counts_in_words
    from sgf_lark.fixing.edits import shortened

    path, language = escape(file.path), run.language
    for change in result.applied:
        place = f"{path}:{change.span.line}:{change.span.column}:"
        how = "" if change.safe else message("fix.unsafe", language)
        label = f"{change.code} {change.name}".strip()
        both = shortened(change.before, change.after, _LONGEST)
        before, after = (_shorten(text) or message("shared.nothing", language) for text in both)
        click.echo(f"{place} {label}{how}: {before} -> {after}", err=True)
    left = counts_in_words({**result.report.counts, "style": 0}, language)
    if several and not (result.applied or left):
        return
    fixed, more = _count_findings(run, file, result)
    run.totals.fixed += fixed
    of_file = _Totals(changes=len(result.applied), unsafe=_count_unsafe(result), fixed=fixed)
    parts = [
        of_file.changes_in_words(language),
        message("fix.left" if left else "fix.no_error_left", language, counts=left),
        *([message("fix.more", language, n=more)] if more else ()),
    ]
    damaged = sum(found.code.startswith(_DAMAGE) for found in result.remaining)
    if 0 < damaged < more:
        parts.append(message("fix.waiting", language))
    summary = f"{path}: {message('shared.semicolon', language).join(parts)}"
    for found in result.remaining:
        if found.code == _NO_GAME_TREE:
            summary += f": {escape(found.message)}"
    click.echo(summary, err=True)


def _count_unsafe(result: FixResult) -> int:
    return sum(not change.safe for change in result.applied)


def _count_findings(run: _Run, file: Input, result: FixResult) -> tuple[int, int]:
    """Return how many of the findings were fixed that ``check`` marks as fixable, and how many of
    them only ``--unsafe`` fixes."""
    from sgf_lark.analysis import Analysis
    from sgf_lark.validation import selected_codes, validate_file

    options = run.options_for(file)
    codes = selected_codes(options["select"], options["ignore"])
    before = Analysis(validate_file(file.data or b"", ReadingOptions.of(options), codes=codes))
    codes_before = [found.code for found in before.validated.findings]
    gone = Counter(codes_before) - Counter(found.code for found in result.remaining)
    is_any = options["unsafe"]
    fixable = before.fixability
    fixed = Counter(codes_before[number] for number, safe in fixable.items() if safe or is_any)
    more = 0 if is_any else len(fixable) - fixed.total()
    return (fixed & gone).total(), more


def _shorten(text: str) -> str:
    text = escape(text)
    return text if len(text) <= 2 * _LONGEST else text[: 2 * _LONGEST - 1] + "…"


# --- Where the fixed files are written ------------------------------------------------


def _destination(
    ctx: click.Context,
    paths: Sequence[str],
    *,
    in_place: bool,
    backup: str | None,
    output: Path | None,
    diff: bool,
    only_report: bool,
) -> Destination:
    """Return the destination for these options of the command.

    With `diff` nothing is written anywhere, with `only_report` nothing to standard output. Raises
    UsageError where the options contradict each other or one is missing.
    """
    for is_contradiction, problem in (
        (diff and output is not None, "--diff writes nothing; leave it out to write to --output"),
        (in_place and output is not None, "--in-place and --output exclude each other"),
        (
            only_report and output == outputs.STDOUT,
            "--format jsonl writes to standard output itself; give --output a file",
        ),
        (backup is not None and not in_place, "--backup needs --in-place"),
    ):
        if is_contradiction:
            raise click.UsageError(problem, ctx)
    # What does not look like a suffix is meant as a file to fix, or as another option.
    if backup is not None and not (backup.startswith((".", "~")) and file_name(backup) == backup):
        raise click.UsageError(f"{backup!r} is not a suffix for backups, as .bak and ~ are", ctx)
    if in_place:
        for path in paths:
            if not inputs.may_be_overwritten(path):
                raise click.UsageError(
                    f"{escape(path)} cannot be overwritten; give an --output", ctx
                )
        return _discard if diff else partial(_overwrite, backup=backup)
    if output is None and (diff or only_report):
        return _discard
    return outputs.destination(paths, output)


def _discard(file: Input, data: bytes, suffix: str = "") -> None:
    """Write nothing: the changes are only shown."""


# --- In place -------------------------------------------------------------------------


def _overwrite(file: Input, data: bytes, suffix: str = "", *, backup: str | None) -> None:
    if data == file.data:
        return
    if is_packed(file.path):
        raise ValueError("not overwritten, because it is packed; give an --output")
    from sgf_lark.atomic_files import write_file

    target = Path(file.path)
    if backup is not None:
        _back_up(target, file.data or b"", backup)
    write_file(target, data)


def _back_up(target: Path, data: bytes, suffix: str) -> None:
    """Give the file, whose content is `data`, a second name, which it keeps when another file takes
    its place under the first one.

    That name is the one of `target` with the suffix, then with ".1", ".2" and so on. None is given
    where one of these files has this content already.
    """
    first = target.with_name(target.name + suffix)
    for number in count(1):
        backup = first if number == 1 else first.with_name(f"{first.name}.{number - 1}")
        if inputs.is_file(backup) and backup.read_bytes() == data:
            return
        with suppress(FileExistsError):
            _link(Path(os.path.realpath(target)), backup)
            return


def _link(file: Path, name: Path) -> None:
    """Give a file a second name; raises FileExistsError if there is one of that name."""
    try:
        os.link(file, name)
    except FileExistsError:
        raise
    except OSError:  # the file system has no links, so that the content is copied
        from sgf_lark.atomic_files import write_file

        if os.path.lexists(name):
            raise FileExistsError from None
        write_file(name, file.read_bytes())
        shutil.copystat(file, name)
