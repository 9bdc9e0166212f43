"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import click

from sgf_lark.cli.commands import main


def markdown() -> str:
    """The page: each command with its options, as mkdocs-click prints them."""
    found = "# Commands\n\n"
    found += "Each command explains itself with `--help`. Settings can be in `sgf-lark.toml`.\n\n"
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        if not command.hidden:
            found += (
                "::: mkdocs-click\n"
                f"    :module: sgf_lark.cli.{name}\n"
                f"    :command: {name}\n"
                f"    :prog_name: sgf-lark {name}\n"
                "    :depth: 1\n"
                "    :style: table\n"
                "    :list_subcommands: true\n\n"
            )
    return found
