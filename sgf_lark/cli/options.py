"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from sgf_lark.cli.completion import complete_charsets, complete_rules
from sgf_lark.files.patterns import NONE, Patterns

MEGABYTE = 2**20

Command = TypeVar("Command", bound=Callable[..., Any])


def code_options(command: Command) -> Command:
    """Add ``select`` and ``ignore``: codes of rules or their beginnings, or None.

    Rules may also be given by name, or by words of their names: "komi" is each rule about komi.
    """
    command = click.option(
        "--ignore",
        metavar="CODES",
        multiple=True,
        callback=_parse_codes,
        shell_complete=complete_rules,
        help="Skip these rules: codes or their beginnings, or names or words of them, "
        "separated by commas.",
    )(command)
    return click.option(
        "--select",
        metavar="CODES",
        multiple=True,
        callback=_parse_codes,
        shell_complete=complete_rules,
        help="Apply only these rules: codes or their beginnings, or names or words of them, "
        "separated by commas.",
    )(command)


def _parse_codes(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Return the codes in `values`, None where the option was not given.

    What is no code, name or word of the catalog is refused: it would silently select nothing.
    """
    if not values:
        return None
    from sgf_lark import grammar
    from sgf_lark.wei7.rules import rules as wei7_rules

    names = {rule.code: rule.name for rule in grammar.rules().values()}
    names |= {rule.code: rule.name for rule in wei7_rules().values()}
    codes: dict[str, None] = {}
    for part in (part.strip() for value in values for part in value.split(",")):
        found = _codes_of(part, names)
        if not found:
            from difflib import get_close_matches

            close = get_close_matches(part.lower(), _words_of_names(names), 3, 0.7)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise click.BadParameter(
                f"no rule has a code that begins with {part!r}, or a name with it{hint}", ctx, param
            )
        codes |= dict.fromkeys(found)
    return tuple(codes)


def _codes_of(part: str, names: Mapping[str, str]) -> list[str]:
    """Return the beginning of codes, or the codes of the rules with that name, or else with these
    words in their names."""
    if part and any(code.startswith(part.upper()) for code in names):
        return [part.upper()]
    words = part.lower()
    exact = [code for code, name in names.items() if name == words]
    return exact or [code for code, name in names.items() if f"-{words}-" in f"-{name}-"]


def _words_of_names(names: Mapping[str, str]) -> list[str]:
    """Return all names, and the words in them."""
    return [*dict.fromkeys([*names.values(), *"-".join(names.values()).split("-")])]


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


def exclude_option(command: Command) -> Command:
    """Add ``exclude``: patterns of paths, relative to the current folder."""
    return click.option(
        "--exclude",
        metavar="PATTERN",
        multiple=True,
        callback=lambda _, __, values: Patterns(values) if values else NONE,
        help="Leave out files and folders that match, such as old or 'games/19*/*.sgf'; relative "
        "to the current folder.",
    )(command)


def table_output_option(command: Command) -> Command:
    """Add ``output``: the file for rows of an audit's result; standard output without it."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write to this file.  [default: standard output; Parquet needs a file]",
    )(command)


class ArchiveOptions(NamedTuple):
    """How archives are fixed or converted: the folder of the tables, and where it is done."""

    result: Path
    resume: bool
    jobs: int | None
    scheduler: str | None


def archive_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``archives``, :class:`ArchiveOptions` or None: without ``--changes``."""

    @wraps(command)
    def with_archives(
        *arguments: Any,
        changes: Path | None,
        resume: bool,
        jobs: int | None,
        scheduler: str | None,
        **options: Any,
    ) -> Any:
        if changes is not None:
            archives = ArchiveOptions(changes, resume, jobs, scheduler)
            return command(*arguments, archives=archives, **options)
        if jobs is not None or scheduler is not None or not resume:
            raise click.UsageError("--jobs, --scheduler and --no-resume need --changes")
        return command(*arguments, archives=None, **options)

    with_resume = click.option(
        "--resume/--no-resume",
        default=True,
        help="With --changes keep what RESULT has already, or begin again.  [default: keep it]",
    )(jobs_options(with_archives))
    return click.option(
        "--changes",
        type=click.Path(path_type=Path),
        metavar="RESULT",
        help="Work on archives of any size: write a table of all changes to the folder RESULT, "
        "and to --output the files and archives with the layout that they have.",
    )(with_resume)


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
        shell_complete=complete_charsets,
        help="Decode text with this charset, whatever CA says.",
    ),
    click.option(
        "--default-charset",
        metavar="NAME",
        callback=_parse_charset,
        shell_complete=complete_charsets,
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
