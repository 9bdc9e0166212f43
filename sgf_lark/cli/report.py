"""``sgf-lark report``: the result of an audit as a page for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import options
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language


@click.command()
@options.result_argument
@options.output_option("the page.  [default: RESULT/report.html]")
@click.option(
    "--plots",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write the plots to this folder, as SVG and PNG.  [default: RESULT/plots]",
)
@options.language_option
@settings_options
def report(result: Path, output: Path | None, plots: Path | None, language: Language) -> None:
    """Show the result of an audit as a page.

    RESULT is the folder that audit wrote. The page is one HTML file that needs no network: players,
    events and programs, what the games are like, what is wrong by profile, rule, program and year,
    which files are the worst, which games are there more than once, and what fix would change. Its
    figures are those of the profile default, with the other profiles beside it.

    The exit code is 2 if RESULT cannot be read or the page cannot be written.
    """
    from sgf_lark.atomic_files import write_file
    from sgf_lark.cli import terminal
    from sgf_lark.cli.outputs import check_file
    from sgf_lark.cli.query import ending_on_errors
    from sgf_lark.text.escaping import escape

    terminal.prepare_streams()
    with ending_on_errors():
        from sgf_lark.archive.report import report as make
        from sgf_lark.archive.results import check_result

        check_result(result)
        output = output or result / "report.html"
        check_file(output)
        made = make(result, language=language)
    folder = plots or result / "plots"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in made.files():
        write_file(folder / name, content)
    write_file(output, made.page.encode("utf-8", "backslashreplace"))
    click.echo(f"{escape(output)}: {len(made.charts)} plots, also in {escape(folder)}", err=True)
