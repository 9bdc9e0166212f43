"""``sgf-lark manual``: the man page, made from the help of all commands.

``python -m sgf_lark.cli.manual FOLDER`` writes it and the completions of shells to the places below
a folder where systems look for them.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from sgf_lark import __version__
from sgf_lark.cli import completion, terminal

#: Where the page is found, below the prefix of an installation.
PLACE = "share/man/man1/sgf-lark.1"


@click.command()
def manual() -> None:
    """Print the man page, in roff.

    \b
      sgf-lark manual | man -l -
    """
    terminal.prepare_streams("utf-8")
    terminal.write(page())


def page() -> str:
    """Return the man page."""
    from sgf_lark.cli.commands import main

    parts = [
        f'.TH "SGF\\-LARK" "1" "" "sgf\\-lark {_escaped(__version__)}" "User Commands"\n',
        ".SH NAME\nsgf\\-lark \\- strict toolkit for SGF, the Smart Game Format\n",
        ".SH SYNOPSIS\n.B sgf\\-lark\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n",
        ".SH DESCRIPTION\nChecks, fixes, converts, shows and explains game records.\n",
        ".SH COMMANDS\n",
    ]
    context = click.Context(main, info_name="sgf-lark", **main.context_settings)
    for command, names in commands(main):
        parts += _section(command, names, context)
    end = Path(__file__).with_suffix(".roff").read_text("utf-8")
    return "".join(parts) + end


def commands(
    group: click.Group, above: tuple[str, ...] = ()
) -> Iterator[tuple[click.Command, tuple[str, ...]]]:
    """Yield the commands of a group and their names; groups are nested at most twice."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield command, (*above, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))


@dataclass
class OptionEntry:
    """An option: its names, the meanings of these in the commands, and the commands."""

    names: tuple[str, ...]
    meanings: set[str] = field(default_factory=set)
    commands: list[str] = field(default_factory=list)


def all_options() -> list[OptionEntry]:
    """Return the options of all commands, by their long names.

    The meaning is the help up to the first colon, period or default.
    """
    from sgf_lark.cli.commands import main

    found: dict[str, OptionEntry] = {}
    for command, names in commands(main):
        for option in command.params:
            if isinstance(option, click.Option):
                known = (*sorted(option.opts, key=len), *option.secondary_opts)
                entry = found.setdefault(max(option.opts, key=len), OptionEntry(known))
                entry.meanings.add(re.split(r"[:.]|  \[", option.help or "")[0])
                entry.commands.append(" ".join(names))
    return [found[name] for name in sorted(found)]


def _section(command: click.Command, names: tuple[str, ...], above: click.Context) -> list[str]:
    context = click.Context(command, info_name=" ".join(names), parent=above)
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f".SS sgf\\-lark {_escaped(' '.join(names))} {_escaped(usage)}\n"]
    parts += _paragraphs(inspect.cleandoc(command.help or ""))
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            option, text = record
            parts.append(f".TP\n.B {_escaped(option)}\n{_escaped(' '.join(text.split()))}\n")
    return parts


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; those after a backspace keep their lines."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b"):
            yield f".PP\n.nf\n{_escaped(paragraph[1:].lstrip(chr(10)))}\n.fi\n"
        else:
            yield f".PP\n{_escaped(' '.join(paragraph.split()))}\n"


def _escaped(text: str) -> str:
    """Escape what roff would take for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


# --- The man page and the completions of shells in a folder ---------------------------


def write_shared(folder: Path) -> None:
    """Write the files to the places below `folder` where systems look for them."""
    contents = {place: completion.script(shell) for shell, place in completion.PLACES.items()}
    contents[PLACE] = page()
    for place, content in contents.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    write_shared(Path(sys.argv[1]))
