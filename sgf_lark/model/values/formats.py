"""Reading texts that have a format of their own, such as those of RE, DT and BR."""

from __future__ import annotations

from typing import Any

from sgf_lark import grammar
from sgf_lark.diagnostics import shorten
from sgf_lark.model.values.context import Context
from sgf_lark.model.values.reader import reader
from sgf_lark.text.escaping import shown

#: The latest file format: only there all formats are mandatory.
_FILE_FORMAT = 4


def read_format(ident: str, text: str, game: int = 1) -> Any:
    """The value of a text by the format that ``properties.toml`` gives for a property.

    Raises ValueError for a text that does not follow it, TypeError for anything but a text.
    """
    definition = grammar.definition(ident, game, _FILE_FORMAT)
    if definition is None or not definition.format:
        raise ValueError(f"{ident} has no format in GM[{game}]")
    if not isinstance(text, str):
        raise TypeError(f"{ident} is read from its text, not from {shown(text)}")
    try:
        return reader(Context(game, _FILE_FORMAT)).read(definition.format, text.encode())
    except ValueError as error:
        name, given = definition.name.lower(), shorten(text)
        raise ValueError(f"{given!r} is no {name} ({ident}): {definition.range}") from error
