"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import click
from writing import code, table, text

from sgf_lark.cli import manual
from sgf_lark.cli.commands import main


def markdown() -> str:
    """The page: each command with its options, as mkdocs-click prints them, and all options."""
    found = "# Commands\n\n"
    found += "Each command explains itself with `--help`. Settings can be in `sgf-lark.toml`.\n\n"
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        module = "" if command is None or command.callback is None else command.callback.__module__
        found += (
            "::: mkdocs-click\n"
            f"    :module: {module}\n"
            f"    :command: {name}\n"
            f"    :prog_name: sgf-lark {name}\n"
            "    :depth: 1\n"
            "    :style: table\n"
            "    :list_subcommands: true\n\n"
        )
    found += "## All options\n\nAn option means the same in all commands that have it.\n\n"
    rows = [
        [
            ", ".join(map(code, entry.names)),
            text(next(iter(entry.meanings))),
            ", ".join(map(code, entry.commands)),
        ]
        for entry in manual.all_options()
    ]
    return found + table(["option", "meaning", "commands"], rows)
