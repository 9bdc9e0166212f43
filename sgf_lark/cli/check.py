"""``sgf-lark check``: report which files break which rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from sgf_lark.cli import exit_code, options
from sgf_lark.cli.settings import file_settings, settings_folder, settings_options
from sgf_lark.files.inputs import Patterns
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.cli.check_baseline import BaselineFile
    from sgf_lark.cli.results import Result, Tally
    from sgf_lark.diagnostics import Language

FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab")

#: At most this many diagnostics of a file are printed as text by default.
MAX_DIAGNOSTICS = 300

#: Formats for people; all others are in UTF-8, whatever the encoding of the terminal is.
_FOR_PEOPLE = ("text", "concise")


@click.command(cls=options.GroupedCommand)
@options.paths_argument
@options.titled_group(
    "Options",
    options.profile_option,
    options.code_options,
    options.format_option(
        FORMATS,
        "text for people, one line for each diagnostic, one JSON array, JSON Lines (one object "
        "for each file), SARIF 2.1.0, commands for GitHub Actions, or a code quality report for "
        "GitLab.",
    ),
    options.quiet_option("one line for each file with diagnostics; with -qq nothing."),
)
@options.titled_group(
    "Report",
    click.option(
        "--statistics", is_flag=True, help="Print only the number of diagnostics by code, as text."
    ),
    click.option(
        "--style/--no-style",
        default=None,
        help="List style notes in text, or only count them.  [default: count them, unless "
        "--profile strict or --select is given]",
    ),
    click.option(
        "--max-diagnostics",
        type=click.IntRange(0),
        metavar="N",
        help="Print at most N diagnostics of each file and count the others; 0: print all.  "
        f"[default: {MAX_DIAGNOSTICS} in text, 1000 of each rule in the other formats]",
    ),
    options.color_option,
    options.language_option,
)
@options.titled_group(
    "Reading",
    options.charset_option,
    options.exclude_option,
    options.size_option,
    settings_options,
)
@options.titled_group(
    "Running",
    click.option(
        "--baseline",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Report only what is not in this file: the findings that were there before.",
    ),
    click.option(
        "--write-baseline",
        is_flag=True,
        help="Write the findings of these files to the file that --baseline names; those of other "
        "files stay there.",
    ),
    options.exit_zero_option,
    options.jobs_option,
)
@click.pass_context
def check(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    exclude: Patterns,
    **options: Any,
) -> None:
    """Check SGF files against the format.

    PATHS are files, folders (every .sgf, .mgt and .wei7 file in them), zip and tar
    archives, or - for standard input. Options may also be set in sgf-lark.toml, or in
    [tool.sgf-lark] of pyproject.toml, in the current folder or one above it.

    The exit code is 0 if there is no error and no warning, or none but those of the baseline, 1 if
    there is one, and 2 if something could not be read.
    """
    from sgf_lark.cli import terminal

    terminal.prepare_streams(None if options["output_format"] in _FOR_PEOPLE else "utf-8")
    baseline = _baseline(ctx, options.pop("baseline"), options.pop("write_baseline"))
    ctx.exit(_check(ctx, paths, exclude, _output(ctx, options), baseline, options))


def _baseline(ctx: click.Context, path: Path | None, is_written: bool) -> BaselineFile | None:
    """Return the baseline; a path in a settings file is relative to the folder of that file."""
    if path is None:
        if is_written:
            raise click.UsageError("--write-baseline needs --baseline FILE", ctx)
        return None
    from sgf_lark.cli import check_baseline

    if ctx.get_parameter_source("baseline") is ParameterSource.DEFAULT_MAP:
        path = settings_folder(ctx) / path
    found = check_baseline.baseline_file(path, is_written=is_written)
    check_baseline.load(found)
    return found


def _output(ctx: click.Context, options: dict[str, Any]) -> _Output:
    """Take the options for what is printed out of `options`, which keep those of validation."""
    style = options.pop("style")
    if style is None:
        style = options["select"] is not None or (
            options["profile"] == "strict"
            and ctx.get_parameter_source("profile") is not ParameterSource.DEFAULT
        )
    limit = options.pop("max_diagnostics")
    name = options.pop("output_format")
    if options["statistics"] and name != "text":
        raise click.UsageError(f"--statistics is not for --format {name}", ctx)
    lists_all = limit == 0
    if limit is None:
        limit = MAX_DIAGNOSTICS if name == "text" else 0
    return _Output(
        format=name,
        lists_style=style or name != "text",
        max_diagnostics=limit or None,
        lists_all=lists_all,
        profile=options["profile"],
        language=options["language"],
        **{key: options.pop(key) for key in ("color", "statistics", "quiet")},
    )


def _check(
    ctx: click.Context,
    paths: tuple[str, ...],
    exclude: Patterns,
    output: _Output,
    baseline: BaselineFile | None,
    options: dict[str, Any],
) -> int:
    """Check all files and return the exit code."""
    from sgf_lark.cli import check_output, parallel, progress, terminal
    from sgf_lark.cli.results import Tally, plural
    from sgf_lark.files import contents, inputs
    from sgf_lark.validation import MAX_PER_RULE

    jobs = options.pop("jobs") or parallel.processors()
    max_size, exit_zero = options.pop("max_size"), options.pop("exit_zero")
    checking = parallel.Checking(
        options,
        file_settings(ctx),
        max_diagnostics=output.max_diagnostics if output.lists_diagnostics else 0,
        max_per_rule=None if output.lists_all else max(output.max_diagnostics or 0, MAX_PER_RULE),
        hides_style=not output.lists_style,
        with_source=output.format in ("text", "sarif"),
        with_trees=output.format in ("json", "jsonl"),
        with_fixes=output.format in _FOR_PEOPLE and output.quiet < 2 and not output.is_brief,
        baseline=baseline,
    )
    tally = Tally()
    total = inputs.count_files(paths, excluded=exclude) if progress.is_wanted() else 0
    with progress.progress_bar(total) as bar:
        files = contents.read_all(paths, max_size=max_size, excluded=exclude)
        results = parallel.validate_all(bar.watch(files), jobs, checking)
        if baseline is not None and baseline.is_written:
            from sgf_lark.cli import check_baseline

            results = check_baseline.written(results, baseline)
        for piece in output.render(tally.count(results), tally):
            bar.hide()
            terminal.write(piece)
    if baseline is not None and baseline.is_written and not output.quiet:
        click.echo(f"{escape(baseline.path)}: {plural(tally.known, 'finding')}", err=True)
    elif tally.fixed and output.format != "text" and not output.quiet:
        click.echo(check_output.of_baseline(tally, output.language), err=True)
    if tally.repeated and output.format != "text" and not output.quiet:
        click.echo(check_output.of_repeated(tally, output.language), err=True)
    return exit_code(tally.unreadable, tally.violations and not exit_zero)


class _Output(NamedTuple):
    """The options for what is printed."""

    format: str
    lists_style: bool
    max_diagnostics: int | None
    lists_all: bool
    profile: str
    language: Language
    color: bool | None
    statistics: bool
    quiet: int

    @property
    def is_brief(self) -> bool:
        """Whether only one line for each file is printed."""
        return self.format == "text" and self.quiet == 1 and not self.statistics

    @property
    def lists_diagnostics(self) -> bool:
        """Whether diagnostics are printed, or else only their numbers."""
        return not (self.quiet > 1 or self.is_brief or self.statistics)

    def render(self, results: Iterator[Result], tally: Tally) -> Iterator[str]:
        """Yield pieces of text, each when its file is done; `tally` is complete at the end."""
        if self.quiet > 1:
            deque(results, maxlen=0)
            return iter(())
        from sgf_lark.cli import check_output, terminal

        match self.format:
            case "text":
                style = terminal.output_style(self.color, self.language)
                if self.statistics:
                    return check_output.statistics(results, tally, style)
                if self.quiet:
                    return check_output.brief(results, style)
                return check_output.full(results, tally, style)
            case "concise":
                return check_output.concise(results)
            case "sarif":
                return check_output.sarif_log(results, self.profile)
            case "gitlab":
                return check_output.json_array(check_output.gitlab_issues(results))
            case "github":
                return check_output.github_commands(results)
        objects = (result.report.as_dict(result.path) for result in results)
        as_text = check_output.json_lines if self.format == "jsonl" else check_output.json_array
        return as_text(objects)
