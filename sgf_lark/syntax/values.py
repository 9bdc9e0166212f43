"""``values.lark`` as a parser of property values and as regular expressions.

The callbacks of the parser, one for each production, are in :mod:`sgf_lark.model.values`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from sgf_lark.syntax.grammars import tables, value_patterns
from sgf_lark.syntax.lalr import LALRParser


@cache
def value_types() -> frozenset[str]:
    """The names of the start productions of ``values.lark``."""
    return frozenset(value_patterns())


@cache
def pattern(value_type: str) -> re.Pattern[bytes]:
    """The language of a value type as a regular expression over bytes.

    It only tests whether a value belongs to the type; the meaning of the value comes from
    :func:`value_parser`. Raises KeyError for a type that the grammar lacks.
    """
    return re.compile(b"(?s)" + value_patterns()[value_type].encode("latin-1"))


#: A tree without FF is in FF[1] (properties.html, FF).
DEFAULT_FILE_FORMAT = 1
FILE_FORMATS = (1, 2, 3, 4)
LATEST_FILE_FORMAT = FILE_FORMATS[-1]


def file_format(raw: bytes | None) -> int:
    """The file format that a value of FF names, None where there is none.

    One above 4 counts as FF[4], a value that is not valid as missing.
    """
    if raw is None or not pattern("game").fullmatch(raw):
        return DEFAULT_FILE_FORMAT
    return int(raw[-1:]) if pattern("file_format").fullmatch(raw) else LATEST_FILE_FORMAT


def value_parser(transformer: Any) -> LALRParser:
    """The parser of ``values.lark`` with the callbacks of `transformer`; each value type is a
    start production. It parses bytes decoded as Latin-1."""
    return LALRParser(tables("values"), transformer)


def value_terminals() -> dict[str, str]:
    """The terminals of ``values.lark`` as regular expressions, by name."""
    return tables("values").terminals
