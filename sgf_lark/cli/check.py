"""``sgf-lark check``: report which files break which rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import (
    code_options,
    color_option,
    language_option,
    reading_options,
    size_option,
)
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.cli.results import Result, Tally
    from sgf_lark.diagnostics import Language

FORMATS = ("text", "json", "jsonl", "sarif", "github")
PROFILES = ("strict", "default", "archive")

#: At most this many diagnostics of a file are printed as text by default.
MAX_DIAGNOSTICS = 300

#: Formats that need the source of the files.
_WITH_SOURCE = ("text", "sarif")


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Write text for people, one JSON array, JSON Lines (one object for each file), "
    "SARIF 2.1.0, or commands for GitHub Actions.",
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="strict",
    show_default=True,
    help="Report everything with hints, what has to be put right, or only what loses or "
    "distorts content.",
)
@code_options
@reading_options
@language_option
@color_option
@click.option(
    "--excerpt/--no-excerpt",
    default=True,
    help="Show the place in the source, or do not.",
)
@click.option(
    "--max-diagnostics",
    type=click.IntRange(0),
    metavar="N",
    help="Print at most N diagnostics of each file and count the others; 0: print all.  "
    f"[default: {MAX_DIAGNOSTICS} in text, 0 in the other formats]",
)
@click.option("--statistics", is_flag=True, help="Only count the diagnostics by code.")
@click.option(
    "-q",
    "--quiet",
    count=True,
    help="Print one line for each file with diagnostics; with -qq print nothing.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Check many files in N processes.  [default: one for each processor]",
)
@size_option
@settings_options
@click.pass_context
def check(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    output_format: str,
    profile: str,
    language: Language,
    color: bool | None,
    excerpt: bool,
    statistics: bool,
    quiet: int,
    jobs: int | None,
    max_size: int | None,
    max_diagnostics: int | None,
    **options: Any,
) -> None:
    """Check SGF files against the format.

    PATHS are files, folders (every .sgf, .mgt and .wei7 file in them), zip and tar
    archives, or - for standard input. Options may also be set in sgf-lark.toml, or in
    [tool.sgf-lark] of pyproject.toml, in the current folder or one above it.

    The exit code is 0 if there is no error and no warning, 1 if there is one, and 2
    if something could not be read.
    """
    from sgf_lark.cli import inputs, parallel, progress, terminal
    from sgf_lark.cli.results import Tally

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    if max_diagnostics is None:
        max_diagnostics = MAX_DIAGNOSTICS if output_format == "text" else 0
    output = _Output(output_format, profile, language, color, excerpt, statistics, quiet)
    tally = Tally()
    total = inputs.count_files(paths) if progress.is_wanted() else 0
    empty: list[str] = []
    with progress.progress_bar(total) as bar:
        results = parallel.validate_all(
            bar.watch(inputs.read_all(paths, when_empty=empty.append, max_size=max_size)),
            jobs or parallel.processors(),
            with_source=output_format in _WITH_SOURCE,
            profile=profile,
            language=language,
            max_diagnostics=max_diagnostics or None,
            **options,
        )
        for piece in output.render(tally.count(results), tally):
            bar.hide()
            terminal.write(piece)
    for path in empty:
        inputs.report_empty(path)
    ctx.exit(tally.exit_code)


@dataclass(frozen=True)
class _Output:
    """The options for what is printed."""

    format: str
    profile: str
    language: Language
    color: bool | None
    excerpt: bool
    statistics: bool
    quiet: int

    def render(self, results: Iterator[Result], tally: Tally) -> Iterator[str]:
        """Yield pieces of text, each when its file is done; `tally` is complete at the end."""
        if self.quiet > 1:
            for _ in results:
                pass
            return iter(())
        match self.format:
            case "text":
                return self._render_text(results, tally)
            case "github":
                from sgf_lark.cli import check_github

                return check_github.commands(results)
            case "sarif":
                from sgf_lark.cli import check_sarif

                return check_sarif.log(results, self.profile)
            case _:
                return self._render_json(results, tally)

    def _render_text(self, results: Iterator[Result], tally: Tally) -> Iterator[str]:
        from sgf_lark.cli import check_text, terminal

        style = terminal.output_style(self.color, self.language)
        if self.statistics:
            return check_text.statistics(results, tally, style)
        if self.quiet:
            return check_text.brief(results)
        return check_text.full(results, tally, style, excerpt=self.excerpt)

    def _render_json(self, results: Iterator[Result], tally: Tally) -> Iterator[str]:
        from sgf_lark.cli import check_json

        if self.statistics:
            objects = check_json.statistics_objects(results, tally)
        else:
            objects = check_json.file_objects(results)
        if self.format == "jsonl":
            return check_json.json_lines(objects)
        return check_json.json_array(objects)
