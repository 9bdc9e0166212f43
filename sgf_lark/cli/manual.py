"""``sgf-lark manual``: the man page, made from the help of all commands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from sgf_lark import __version__
from sgf_lark.cli import terminal

#: Where the page is found, below the prefix of an installation.
PLACE = "share/man/man1/sgf-lark.1"

_END = """\
.SH EXIT STATUS
.TP
.B 0
No error and no warning was found.
.TP
.B 1
A file breaks a rule.
.TP
.B 2
Something could not be read or written, or the command line is wrong.
.TP
.B 130
The user interrupted the program.
.SH FILES
.TP
.B sgf\\-lark.toml
Settings: the keys are names of options. A table with the name of a command is for that command,
a table [files."PATTERN"] for the files that match. The file in the current folder, or in the
nearest folder above it, is read.
.TP
.B pyproject.toml
The same in the table [tool.sgf\\-lark].
.SH ENVIRONMENT
.TP
.B NO_COLOR
If it is set, output is not colored.
.SH SEE ALSO
.UR https://www.red\\-bean.com/sgf/
The specification of SGF
.UE
"""


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
    for command, names in _commands(main, context, ()):
        parts += _section(command, names, context)
    return "".join(parts) + _END


def _commands(
    group: click.Group, context: click.Context, above: tuple[str, ...]
) -> Iterator[tuple[click.Command, tuple[str, ...]]]:
    """Yield the commands of a group and their names; groups are nested at most twice."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        yield command, (*above, name)
        if isinstance(command, click.Group):
            yield from _commands(command, context, (*above, name))


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
