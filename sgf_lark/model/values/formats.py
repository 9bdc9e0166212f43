"""Reading texts that have a format of their own, such as those of RE, DT and BR."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from sgf_lark import grammar
from sgf_lark.diagnostics import shorten
from sgf_lark.syntax.lalr import LALRParser
from sgf_lark.syntax.values import LATEST_FILE_FORMAT, value_parser
from sgf_lark.text.escaping import shown

#: Values of longer texts are not kept: they are seldom the same.
_LONGEST_KEPT = 48


def read_format(ident: str, text: str, methods: type, game: int = 1) -> Any:
    """The value of a text by the format that ``properties.toml`` gives for a property.

    `methods` has a method for the production of the format, as a Lark Transformer has. Raises
    ValueError for a text that does not follow it, TypeError for anything but a text.
    """
    # Only there all formats are mandatory.
    definition = grammar.definition(ident, game, LATEST_FILE_FORMAT)
    if definition is None or not definition.format:
        raise ValueError(f"{ident} has no format in GM[{game}]")
    if not isinstance(text, str):
        raise TypeError(f"{ident} is read from its text, not from {shown(text)}")
    read = read_production if len(text) <= _LONGEST_KEPT else read_production.__wrapped__
    try:
        return read(methods, text, definition.format)
    except ValueError as error:
        name, given = definition.name.lower(), shorten(text)
        raise ValueError(f"{given!r} is not a {name} ({ident}): {definition.range}") from error


@lru_cache(maxsize=2048)
def read_production(methods: type, text: str, production: str) -> Any:
    """The value of a text by a production of the values, as these methods make it."""
    return _parser(methods).parse(text.encode().decode("latin-1"), production)


@cache
def _parser(methods: type) -> LALRParser:
    """The parser of ``values.lark`` that calls these methods."""
    return value_parser(methods())
