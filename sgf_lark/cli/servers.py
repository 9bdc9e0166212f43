"""``sgf-lark lsp`` and ``sgf-lark playground``: programs that run until they are ended."""

from __future__ import annotations

from pathlib import Path

import click

from sgf_lark.cli import options, terminal
from sgf_lark.text.escaping import escape


@click.command()
@click.option("--stdio", is_flag=True, help="Use standard input and output.  [default]")
@options.port_option("not on standard input.")
@options.profile_option
@click.option(
    "--lang",
    "language",
    type=click.Choice(("en", "zh")),
    help="Use English or Chinese: what the editor chooses overrides it.  [default: as the editor]",
)
def lsp(stdio: bool, port: int | None, profile: str, language: str | None) -> None:
    """Run the language server, which editors start.

    It shows diagnostics while a file is edited, and has fixes, explanations, completion,
    an outline, highlighting, formatting and boards. This needs the extra "lsp". The
    documentation has the configuration for VS Code, Neovim, Helix and Emacs, which may choose
    another profile and language.

    The exit code is 2 if the server cannot be started.
    """
    if stdio and port is not None:
        raise click.UsageError("use --stdio or --port, not both")
    from sgf_lark.lsp.server import Options, create_server

    server = create_server(Options().updated({"profile": profile, "language": language}))
    with terminal.failing_on(OSError):
        if port is None:
            server.start_io()
        else:
            server.start_tcp("127.0.0.1", port)


#: Where npm installs the package.
_PYODIDE = Path("node_modules/pyodide")


@click.command()
@options.port_option("0 takes one that is free.", default=0, show_default=True)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@options.output_option(
    "the page, as a folder that any web server can serve, and exit.",
    type=click.Path(file_okay=False, path_type=Path),
)
@click.option(
    "--pyodide",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read the npm package pyodide from this folder, with --output.  "
    f"[default: {_PYODIDE.as_posix()}]",
)
def playground(port: int, no_browser: bool, output: Path | None, pyodide: Path | None) -> None:
    """Open a web page that explains the SGF typed into it.

    The page shows the parse tree, the diagnostics and the board. It is served to this
    machine alone until Ctrl-C is pressed; what is typed does not leave it. This needs the
    extra "web".

    With --output the page is written into a folder, together with Python for the browser
    (the npm package pyodide). Any web server can serve it, and nothing is sent to the
    server.

    The exit code is 2 if the page cannot be served or written.
    """
    with terminal.failing_on(OSError):
        if output is not None:
            from sgf_lark.playground.export import export

            size = export(output, pyodide or _PYODIDE)
            place = escape(output)
            click.echo(f"{place}: {size / 1e6:.1f} MB; serve it with any web server, such as")
            click.echo(f"python -m http.server --bind 127.0.0.1 --directory {place}")
            return
        from sgf_lark.playground import server

        listening = server.bind(port)
        click.echo(f"{server.address(listening)} (Ctrl-C ends it)")
        server.serve(listening, open_browser=not no_browser)
