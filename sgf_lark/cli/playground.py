"""``sgf-lark playground``: a web page that explains the SGF typed into it."""

from __future__ import annotations

from pathlib import Path

import click

from sgf_lark.cli import terminal
from sgf_lark.text.escaping import escape

#: Where npm installs the package.
_PYODIDE = Path("node_modules/pyodide")


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Listen on this port of this machine.  [default: any that is free]",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the page as files that any web server can serve, and exit.",
)
@click.option(
    "--pyodide",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read the npm package pyodide from this folder, with --export.  "
    f"[default: {_PYODIDE.as_posix()}]",
)
def playground(port: int, no_browser: bool, folder: Path | None, pyodide: Path | None) -> None:
    """Open a web page that explains the SGF typed into it.

    The page shows the parse tree, the diagnostics and the board. It is served to this
    machine alone until Ctrl-C is pressed; what is typed does not leave it. This needs the
    extra "web".

    With --export the page is written into a folder, together with Python for the browser
    (the npm package pyodide). Any web server can serve it, and nothing is sent to the
    server.

    The exit code is 2 if the page cannot be served or written.
    """
    try:
        if folder is not None:
            _export(folder, pyodide or _PYODIDE)
        else:
            _serve(port, open_browser=not no_browser)
    except OSError as error:
        terminal.fail(str(error))


def _export(folder: Path, pyodide: Path) -> None:
    from sgf_lark.playground.export import export

    size = export(folder, pyodide)
    click.echo(f"{escape(folder)}: {size / 1e6:.1f} MB; serve it with any web server, such as")
    click.echo(f"python -m http.server --bind 127.0.0.1 --directory {escape(folder)}")


def _serve(port: int, *, open_browser: bool) -> None:
    from sgf_lark.playground import server

    listening = server.bind(port)
    click.echo(f"{server.address(listening)} (Ctrl-C ends it)")
    server.serve(listening, open_browser=open_browser)
