"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import click
from writing import code, table, text

from sgf_lark.cli.commands import commands, main


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
        for entry in _all_options()
    ]
    return found + table(["option", "meaning", "commands"], rows)


@dataclass
class _Entry:
    """An option: its names, the meanings of these in the commands, and the commands."""

    names: tuple[str, ...]
    meanings: set[str] = field(default_factory=set)
    commands: list[str] = field(default_factory=list)


def _all_options() -> list[_Entry]:
    """The options of all commands, by their long names.

    The meaning is the help up to the first colon, period or default.
    """
    found: dict[str, _Entry] = {}
    for command, names in commands():
        for option in command.params:
            if isinstance(option, click.Option):
                known = (*sorted(option.opts, key=len), *option.secondary_opts)
                entry = found.setdefault(max(option.opts, key=len), _Entry(known))
                entry.meanings.add(re.split(r"[:.]|  \[", option.help or "")[0])
                entry.commands.append(" ".join(names))
    return [found[name] for name in sorted(found)]
