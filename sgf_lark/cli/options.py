"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

MEGABYTE = 2**20

Command = TypeVar("Command", bound=Callable[..., Any])


def code_options(command: Command) -> Command:
    """Add ``select`` and ``ignore``: codes of rules or their beginnings, or None."""
    command = click.option(
        "--ignore",
        metavar="CODES",
        multiple=True,
        callback=_parse_codes,
        help="Skip these rules: codes or their beginnings, separated by commas.",
    )(command)
    return click.option(
        "--select",
        metavar="CODES",
        multiple=True,
        callback=_parse_codes,
        help="Apply only these rules: codes or their beginnings, separated by commas.",
    )(command)


def _parse_codes(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Return the codes in `values`, None where the option was not given.

    One that begins no code of the catalog is refused: it would silently
    select nothing.
    """
    if not values:
        return None
    from sgf_lark import grammar
    from sgf_lark.wei7.rules import rules as wei7_rules

    known = [*grammar.rules(), *wei7_rules()]
    codes = tuple(part.strip().upper() for value in values for part in value.split(","))
    for code in codes:
        if not code or not any(name.startswith(code) for name in known):
            raise click.BadParameter(f"no rule has a code that begins with {code!r}", ctx, param)
    return codes


def language_option(command: Command) -> Command:
    """Add ``language``: that of messages and explanations."""
    return click.option(
        "--lang",
        "language",
        type=click.Choice(("en", "zh")),
        default="en",
        show_default=True,
        help="Print messages in this language: English or Chinese.",
    )(command)


def color_option(command: Command) -> Command:
    """Add ``color``: True, False, or None, which means colored on a terminal."""
    return click.option(
        "--color/--no-color",
        default=None,
        help="Print in color, or do not.  [default: color on a terminal, unless NO_COLOR is set]",
    )(command)


def size_option(command: Command) -> Command:
    """Add ``max_size`` in bytes, given in megabytes, or None."""
    return click.option(
        "--max-size",
        type=click.IntRange(1),
        metavar="MB",
        callback=lambda _, __, value: value and value * MEGABYTE,
        help="Do not read files that are larger than this many megabytes.  "
        "[default: 1024, and 256 unpacked]",
    )(command)


def jobs_options(command: Command) -> Command:
    """Add ``jobs``, the number of processes on this machine or None, and ``scheduler``, the
    address of a scheduler of Dask or None."""
    command = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Use the workers of this scheduler of Dask, such as tcp://host:8786; they have to "
        "reach the sources.",
    )(command)
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(1),
        metavar="N",
        help="Use N processes of this machine.  [default: one for each processor]",
    )(command)


def archive_options(command: Command) -> Command:
    """Add ``changes``, a folder or None, ``resume``, and the options of :func:`jobs_options`."""
    command = click.option(
        "--resume/--no-resume",
        default=True,
        help="With --changes keep what RESULT has already, or begin again.  [default: keep it]",
    )(jobs_options(command))
    return click.option(
        "--changes",
        type=click.Path(path_type=Path),
        metavar="RESULT",
        help="Work on archives of any size: write a table of all changes to the folder RESULT, "
        "and to --output the files and archives with the layout that they have.",
    )(command)


def limit_options(command: Command) -> Command:
    """Add ``timeout`` in seconds and ``memory`` in megabytes: the limits of a tested parser."""
    command = click.option(
        "--memory",
        type=click.IntRange(16),
        default=1024,
        show_default=True,
        metavar="MB",
        help="Limit the memory of a parser to this many megabytes.",
    )(command)
    return click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=5.0,
        show_default=True,
        metavar="SECONDS",
        help="Report a hang after this many seconds without an answer.",
    )(command)


def reading_options(command: Command) -> Command:
    """Add the options for how the bytes of a file are read.

    They are ``charset``, ``default_charset``, ``charset_mode``, ``file_format`` and
    ``game``, as :func:`sgf_lark.validate` takes them.
    """
    for option in reversed(_READING):
        command = option(command)
    return command


def _parse_charset(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    from sgf_lark.text import charsets

    try:
        return name and charsets.named(name).name
    except LookupError as error:
        raise click.BadParameter(str(error), ctx, param) from None


_READING = (
    click.option(
        "--charset",
        metavar="NAME",
        callback=_parse_charset,
        help="Decode text with this charset, whatever CA says.",
    ),
    click.option(
        "--default-charset",
        metavar="NAME",
        callback=_parse_charset,
        help="Decode text without CA with this charset.  [default: detected]",
    ),
    click.option(
        "--charset-mode",
        type=click.Choice(("auto", "file", "text", "none")),
        default="auto",
        show_default=True,
        help="Decode the whole file before it is parsed, or each text after that (as the "
        "specification of FF[4] says), or nothing; auto: as the specification says if the file "
        "makes sense that way.",
    ),
    click.option(
        "--ff",
        "file_format",
        type=click.IntRange(1, 4),
        help="Treat every game tree as of this file format, whatever FF says.",
    ),
    click.option(
        "--gm",
        "game",
        type=click.IntRange(1),
        metavar="NUMBER",
        help="Treat every game tree as of this game, whatever GM says.",
    ),
)
