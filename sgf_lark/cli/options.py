"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def _codes(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    """The codes in `values`, None where the option was not given.

    One that begins no code of the catalogue is refused: it would silently
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


def code_options(command: Command) -> Command:
    """Adds ``select`` and ``ignore``: codes of rules or their beginnings, or None."""
    command = click.option(
        "--ignore", metavar="CODES", multiple=True, callback=_codes, help="All rules but these."
    )(command)
    return click.option(
        "--select",
        metavar="CODES",
        multiple=True,
        callback=_codes,
        help="Only these rules: codes or their beginnings, separated by commas.",
    )(command)


def language_option(command: Command) -> Command:
    """Adds ``language``: that of messages and explanations."""
    return click.option(
        "--lang",
        "language",
        type=click.Choice(("en", "zh")),
        default="en",
        show_default=True,
        help="The language of messages: English or Chinese.",
    )(command)


def _charset(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    from sgf_lark.text import charsets as charset

    try:
        return name and charset.named(name).name
    except LookupError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def reading_options(command: Command) -> Command:
    """Adds what tells how the bytes of a file are read: ``charset``, ``default_charset``,
    ``charset_mode``, ``file_format`` and ``game``, as :func:`sgf_lark.validate` takes them."""
    for option in reversed(_READING):
        command = option(command)
    return command


_READING = (
    click.option(
        "--charset", metavar="NAME", callback=_charset, help="Text is in this charset, not in CA's."
    ),
    click.option(
        "--default-charset",
        metavar="NAME",
        callback=_charset,
        help="Text without CA is in this charset. Without the option: in what it looks like.",
    ),
    click.option(
        "--charset-mode",
        type=click.Choice(("auto", "file", "text", "none")),
        default="auto",
        show_default=True,
        help="Decode the whole file before it is read, or each text after (the letter of "
        "FF[4]), or nothing; auto: by the letter where that makes sense of the file.",
    ),
    click.option(
        "--ff",
        "file_format",
        type=click.IntRange(1, 4),
        help="Every game tree is of this file format, whatever FF says.",
    ),
    click.option(
        "--gm",
        "game",
        type=click.IntRange(1),
        metavar="NUMBER",
        help="Every game tree is of this game, whatever GM says.",
    ),
)
