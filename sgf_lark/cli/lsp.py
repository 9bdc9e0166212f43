"""``sgf-lark lsp``: the language server for editors."""

from __future__ import annotations

import click

from sgf_lark.cli import terminal


@click.command()
@click.option("--stdio", is_flag=True, help="Use standard input and output.  [default]")
@click.option(
    "--tcp",
    "port",
    type=click.IntRange(0, 65535),
    help="Listen on this port of this machine instead.",
)
@click.option(
    "--profile",
    type=click.Choice(("strict", "default", "archive")),
    default="strict",
    show_default=True,
    help="Choose what is reported, unless the editor does.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice(("en", "zh")),
    help="Use English or Chinese, unless the editor chooses.  [default: as the editor]",
)
def lsp(stdio: bool, port: int | None, profile: str, language: str | None) -> None:
    """Run the language server, which editors start.

    It shows diagnostics while a file is edited, and has fixes, explanations, completion,
    an outline, highlighting, formatting and boards. This needs the extra "lsp". The
    documentation has the configuration for VS Code, Neovim, Helix and Emacs.

    The exit code is 2 if the server cannot be started.
    """
    if stdio and port is not None:
        raise click.UsageError("use --stdio or --tcp, not both")
    from sgf_lark.lsp.server import Options, create_server

    server = create_server(Options().updated({"profile": profile, "language": language}))
    try:
        if port is None:
            server.start_io()
        else:
            server.start_tcp("127.0.0.1", port)
    except OSError as error:
        terminal.fail(str(error))
