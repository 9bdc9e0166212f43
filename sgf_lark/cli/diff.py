"""``sgf-lark diff``: what differs between the games of two files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli import VIOLATIONS, options
from sgf_lark.cli.options import complete_paths

if TYPE_CHECKING:
    from sgf_lark.model.collection import Collection


@click.command()
@click.argument("before", shell_complete=complete_paths)
@click.argument("after", shell_complete=complete_paths)
@options.quiet_option("do not list the differences.")
@options.charset_options
@options.size_option
@click.pass_context
def diff(
    ctx: click.Context,
    /,
    before: str,
    after: str,
    quiet: int,
    max_size: int | None,
    **charsets: Any,
) -> None:
    """Show what differs between two files, node by node.

    BEFORE and AFTER are SGF files, or - for standard input; damaged files are read, too. Games are
    compared in their order, variations by their moves. Charsets, white space and compressed
    point lists make no difference, so that this also shows what a fix changed in a game.

    The exit code is 1 if there is a difference, and 2 if a file could not be read.
    """
    from sgf_lark import compare
    from sgf_lark.cli import terminal
    from sgf_lark.text.escaping import escape_lines

    terminal.prepare_streams()
    found = compare(*(_read(path, max_size, charsets) for path in (before, after)))
    if not quiet and found:
        terminal.write(escape_lines(str(found)) + "\n")
    if found:
        ctx.exit(VIOLATIONS)


def _read(path: str, max_size: int | None, charsets: dict[str, Any]) -> Collection:
    """Return the games of a file; ends the program where there is none."""
    from sgf_lark import loads
    from sgf_lark.cli import terminal
    from sgf_lark.cli.outputs import read_one
    from sgf_lark.text.escaping import escape

    file = read_one(path, max_size=max_size)
    if file.is_wei7():
        terminal.fail(f"{escape(path)}: it is wei7; convert it to SGF")
    found = loads(file.data or b"", tolerant=True, **charsets)
    if not found:
        terminal.fail(f"{escape(path)}: there is no game in it")
    return found
