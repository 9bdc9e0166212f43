"""``sgf-lark lsp``: the language server for editors."""

from __future__ import annotations

import click

from sgf_lark.cli import options, terminal


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
