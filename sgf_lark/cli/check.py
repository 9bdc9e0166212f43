"""``sgf-lark check``: which files break which rules."""

from __future__ import annotations

from typing import Any

import click

from sgf_lark.cli.checking import FORMATS, run
from sgf_lark.cli.options import code_options, language_option, reading_options
from sgf_lark.cli.settings import settings_options

PROFILES = ("strict", "default", "archive")

_DEFAULTS = run.__kwdefaults__ or {}


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    default=_DEFAULTS["output_format"],
    show_default=True,
    help="Text for readers, one JSON array, JSON Lines (one object a file), SARIF 2.1.0, "
    "or commands for GitHub Actions.",
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default=_DEFAULTS["profile"],
    show_default=True,
    help="The letter of the specification, what every reader should object to, "
    "or only what loses or distorts information.",
)
@code_options
@reading_options
@language_option
@click.option(
    "--color/--no-color",
    default=_DEFAULTS["color"],
    help="Colour or none. Without either: colour on a terminal, unless NO_COLOR is set.",
)
@click.option(
    "--excerpt/--no-excerpt",
    default=_DEFAULTS["excerpt"],
    help="Show the place in the source, or not.",
)
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
def check(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Check SGF files against the format.

    PATHS are files, folders (every .sgf and .mgt file in them), zip and tar
    archives, or - for standard input. Options may have their values in
    sgf-lark.toml, or in [tool.sgf-lark] of pyproject.toml, in this folder or one
    above it.

    The exit code is 0 where there is no error and no warning, 1 where there is
    one, 2 where something could not be read.
    """
    ctx.exit(run(paths, **options))
