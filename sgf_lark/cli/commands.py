"""The command group ``sgf-lark``; each command is imported when it is called."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from typing import Any

import click

from sgf_lark import __version__
from sgf_lark.cli import INTERRUPTED
from sgf_lark.text.escaping import escape, escape_lines

#: The commands under the headings of the help, what a newcomer needs first. Each is a function in
#: the module of the same name in this package, or in that of _MODULES.
_GROUPS = {
    "Files": ("check", "fix", "show", "explain", "diff", "convert"),
    "The format": ("playground", "tree", "grammar", "schema"),
    "Archives": ("audit", "query", "report", "duplicates", "archive"),
    "Parsers and editors": ("fuzz", "conformance", "lsp"),
}
_COMMANDS = tuple(chain.from_iterable(_GROUPS.values()))
_MODULES = {
    "schema": "convert",
    "playground": "servers",
    "lsp": "servers",
    "audit": "archive",
    "report": "query",
    "duplicates": "query",
}


@contextmanager
def _program_errors() -> Iterator[None]:
    """Escape messages of errors, which quote what the user gave, and end where no output can be
    written."""
    try:
        yield
    except OSError as error:
        from sgf_lark.cli import terminal

        # click would exit with 1, which means that files break rules, or print a traceback.
        terminal.end_after(error)
    except ModuleNotFoundError as error:
        from sgf_lark.cli import extras, terminal

        advice = extras.advice(error)
        if advice is None:
            raise
        terminal.fail(advice)
    except click.ClickException as error:
        is_one_line = isinstance(error, click.UsageError)
        message = escape(error.message) if is_one_line else escape_lines(error.message)
        error.message = message  # type: ignore[misc]
        raise


class _LazyGroup(click.Group):
    """A group that imports only the command that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, _COMMANDS))
        for title, names in _GROUPS.items():
            with formatter.section(title):
                found = [(name, self.get_command(ctx, name)) for name in names]
                room = formatter.width - width - 6
                formatter.write_dl(
                    [
                        (name.ljust(width), each.get_short_help_str(room))
                        for name, each in found
                        if each
                    ]
                )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = _MODULES.get(cmd_name, cmd_name)
        # To import all commands would take longer than to check a file.
        command = getattr(import_module(f"sgf_lark.cli.{module}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            from sgf_lark.files import inputs

            if inputs.exists(name) or name.lower().endswith(inputs.GAME_SUFFIXES):
                shown = shlex.quote(name)
                ctx.fail(f"{shown} is not a command; to check it: sgf-lark check {shown}")
            from difflib import get_close_matches

            close = get_close_matches(name, _COMMANDS, 2, 0.5)
            hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        with _program_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _program_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            _end_workers()
            # click would exit with 1, which means that files break rules.
            ctx.exit(INTERRUPTED)


def _end_workers() -> None:
    """End the program with its worker processes, if it has any, without waiting for their work."""
    if "multiprocessing" not in sys.modules:
        return
    import signal
    from multiprocessing import active_children

    workers = active_children()
    for worker in workers:
        worker.kill()
    if workers:
        # At exit the interpreter would wait for threads that write to these processes. A program
        # that is interrupted ends by the signal itself; shells show this as 130.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)


@click.group(
    "sgf-lark",
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="sgf-lark")
def main() -> None:
    """Strict toolkit for SGF, the Smart Game Format.

    To begin with, check a file: sgf-lark check game.sgf. Each command has a --help of its own.
    """


def commands(
    group: click.Group = main, above: tuple[str, ...] = ()
) -> Iterator[tuple[click.Command, tuple[str, ...]]]:
    """Yield the commands of a group and their names; groups are nested at most twice."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield command, (*above, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))
