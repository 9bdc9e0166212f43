"""``sgf-lark check``: which files break which rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import click

from sgf_lark.cli.options import code_options, language_option, reading_options
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.cli.tally import Result, Tally
    from sgf_lark.cli.terminal import Look

Format = Literal["text", "json", "jsonl", "sarif", "github"]

PROFILES = ("strict", "default", "archive")


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("text", "json", "jsonl", "sarif", "github")),
    default="text",
    show_default=True,
    help="Text for readers, one JSON array, JSON Lines (one object a file), SARIF 2.1.0, "
    "or commands for GitHub Actions.",
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="strict",
    show_default=True,
    help="The letter of the specification, what every reader should object to, "
    "or only what loses or distorts information.",
)
@code_options
@reading_options
@language_option
@click.option(
    "--color/--no-color",
    default=None,
    help="Colour or none. Without either: colour on a terminal, unless NO_COLOR is set.",
)
@click.option("--excerpt/--no-excerpt", default=True, help="Show the place in the source, or not.")
@click.option("--statistics", is_flag=True, help="Only count the diagnostics by code.")
@click.option(
    "-q", "--quiet", count=True, help="One line for each file with diagnostics; -qq: no output."
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Check many files in N processes. Without it: one for each processor.",
)
@settings_options
@click.pass_context
def check(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    output_format: Format,
    profile: str,
    select: tuple[str, ...] | None,
    ignore: tuple[str, ...] | None,
    color: bool | None,
    excerpt: bool,
    statistics: bool,
    quiet: int,
    jobs: int | None,
    **reading: Any,
) -> None:
    """Check SGF files against the format.

    PATHS are files, folders (every .sgf and .mgt file in them), zip and tar
    archives, or - for standard input. Options may have their values in
    sgf-lark.toml, or in [tool.sgf-lark] of pyproject.toml, in this folder or one
    above it.

    The exit code is 0 where there is no error and no warning, 1 where there is
    one, 2 where something could not be read.
    """
    from sgf_lark.cli import inputs, parallel, terminal
    from sgf_lark.cli.tally import Tally

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    tally = Tally()
    total = inputs.count(paths) if terminal.bar_is_wanted() else 0
    with terminal.progress_bar(total) as bar:
        files = bar.watch(inputs.read_all(paths))
        results = tally.watch(
            parallel.validated(
                files,
                jobs or parallel.processors(),
                output_format in ("text", "sarif"),
                profile=profile,
                select=select,
                ignore=ignore,
                **reading,
            )
        )
        if output_format == "text":
            look = terminal.look(color, str(reading["language"]))
            pieces = _text(results, tally, look, excerpt, statistics, quiet)
        else:
            pieces = _data(results, tally, output_format, profile, statistics, quiet)
        for piece in pieces:
            bar.hide()
            terminal.write(piece)
    ctx.exit(tally.exit_code)


def _text(
    results: Iterator[Result],
    tally: Tally,
    look: Look,
    excerpt: bool,
    statistics: bool,
    quiet: int,
) -> Iterator[str]:
    from sgf_lark.cli import formats

    if quiet > 1:
        return formats.nothing(results)
    if statistics:
        return formats.statistics_text(results, tally, look)
    if quiet:
        return formats.brief_text(results)
    return formats.full_text(results, tally, look, excerpt=excerpt)


def _data(
    results: Iterator[Result],
    tally: Tally,
    output_format: Format,
    profile: str,
    statistics: bool,
    quiet: int,
) -> Iterator[str]:
    from sgf_lark.cli import formats, sarif

    if quiet > 1:
        return formats.nothing(results)
    if output_format == "sarif":
        return sarif.log(results, profile)
    if output_format == "github":
        return formats.github(results)
    objects = (
        formats.statistics_objects(results, tally) if statistics else formats.file_objects(results)
    )
    return formats.json_lines(objects) if output_format == "jsonl" else formats.json_array(objects)
