"""``sgf-lark grammar``: show the grammar, and which parts of it files use."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import CLEAN, COULD_NOT_RUN, terminal
from sgf_lark.cli.completion import complete_paths
from sgf_lark.cli.options import language_option
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language
    from sgf_lark.grammar import Role
    from sgf_lark.teaching.coverage import Coverage

LARK = ("sgf", "values", "tolerant")
TYPES = ("move", "setup", "root", "game-info", "none")

_Path = click.Path(path_type=Path)


@click.command()
@click.argument("files", nargs=-1, metavar="[FILES]...", shell_complete=complete_paths)
@click.option("--lark", "source", type=click.Choice(LARK), help="Show this Lark grammar.")
@click.option(
    "--diagrams", type=_Path, metavar="DIR", help="Write a railroad diagram of each production."
)
@click.option(
    "--html", type=_Path, metavar="FILE", help="Write one page with diagrams and properties."
)
@click.option("--properties", is_flag=True, help="List the properties by type and game.")
@click.option(
    "--game", type=click.IntRange(1), help="List only properties of this GM, with --properties."
)
@click.option(
    "--type",
    "role",
    type=click.Choice(TYPES),
    help="List only properties of this type, with --properties.",
)
@click.option("--coverage", is_flag=True, help="Count how often FILES use each production.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("text", "markdown", "json")),
    default="text",
    show_default=True,
    help="Write this format, with --properties or --coverage.",
)
@language_option
@click.pass_context
def grammar(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    source: str | None,
    diagrams: Path | None,
    html: Path | None,
    properties: bool,
    game: int | None,
    role: Role | None,
    coverage: bool,
    output_format: str,
    language: Language,
) -> None:
    """Show the grammar: without options the documented EBNF.

    --diagrams and --html need the extra teach. With --coverage, FILES are files,
    folders, archives or - for standard input: for each production of sgf.lark and
    values.lark, its uses and those of each alternative are counted. Damaged files are
    parsed with tolerant.lark. A value is counted for the production that it matches.

    The exit code is 2 if a file could not be read or written.
    """
    _check_options(ctx)
    terminal.prepare_streams("utf-8" if output_format == "json" else None)
    if coverage:
        ctx.exit(_print_coverage(files, output_format))
    if properties:
        from sgf_lark.cli import grammar_properties

        render = grammar_properties.FORMATS[output_format]
        terminal.write(_joined(render(game, role, language)))
        return
    for path, write in ((diagrams, _write_diagrams), (html, partial(_write_page, language))):
        try:
            if path is not None:
                write(path)
        except OSError as error:
            terminal.fail(f"{escape(path or error.filename)}: {error.strerror}")
    if diagrams is None and html is None:
        from sgf_lark import grammar as data

        terminal.write(data.source(f"{source}.lark" if source else "sgf.ebnf"))


def _check_options(ctx: click.Context) -> None:
    """Raise UsageError for options that exclude each other or would have no effect."""
    params = ctx.params
    names = ("lark", "diagrams", "html", "properties", "coverage")
    chosen = [name for name in names if params["source" if name == "lark" else name]]
    if len(chosen) > 1 and chosen != ["diagrams", "html"]:
        options = " and ".join(f"--{name}" for name in chosen)
        raise click.UsageError(f"{options} exclude each other")
    if params["files"] and chosen != ["coverage"]:
        raise click.UsageError("files are only read with --coverage")
    if not params["files"] and chosen == ["coverage"]:
        raise click.UsageError("--coverage needs files")
    if chosen != ["properties"] and (params["game"] or params["role"]):
        raise click.UsageError("--game and --type need --properties")
    source = ctx.get_parameter_source("output_format")
    is_given = source is not click.core.ParameterSource.DEFAULT
    if is_given and chosen not in (["properties"], ["coverage"]):
        raise click.UsageError("--format needs --properties or --coverage")


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# --- Diagrams and page ----------------------------------------------------------------


def _write_diagrams(folder: Path) -> None:
    from sgf_lark.model.writing import write_file
    from sgf_lark.syntax import grammars as lark_grammars
    from sgf_lark.teaching import diagrams

    count = 0
    for name in LARK:
        rules = {str(rule) for rule in lark_grammars.rule_trees(f"{name}.lark")}
        addresses = {rule: f"{rule}.svg" for rule in rules}
        pictures = diagrams.standalone(f"{name}.lark", addresses.get)
        (folder / name).mkdir(parents=True, exist_ok=True)
        for rule, picture in pictures.items():
            write_file(folder / name / f"{rule}.svg", picture.encode())
        count += len(pictures)
    click.echo(f"{escape(folder)}: {count} diagrams")


def _write_page(language: Language, file: Path) -> None:
    from sgf_lark.model.writing import write_file
    from sgf_lark.teaching.page import page

    write_file(file, page(language).encode())
    click.echo(str(file))


# --- Coverage -------------------------------------------------------------------------


def _print_coverage(files: tuple[str, ...], output_format: str) -> int:
    """Print the coverage of the files that can be read, and return the exit code."""
    from sgf_lark.cli import grammar_coverage

    found, is_complete = _measure_coverage(files)
    if found.files or is_complete:
        render = grammar_coverage.FORMATS[output_format]
        terminal.write(_joined(render(found, terminal.output_style(None))))
    return CLEAN if is_complete else COULD_NOT_RUN


def _measure_coverage(files: tuple[str, ...]) -> tuple[Coverage, bool]:
    """Return the coverage of the files, and whether all of them could be read."""
    from sgf_lark.cli import inputs
    from sgf_lark.teaching.coverage import Coverage

    found, is_complete = Coverage(), True
    for file in inputs.read_all(files):
        if file.data is None:
            terminal.print_error(f"{escape(file.path)}: {file.reason}")
            is_complete = False
        elif file.is_wei7():
            terminal.print_error(f"{escape(file.path)}: left out, it is no SGF")
        else:
            found.add(file.data)
    return found, is_complete
