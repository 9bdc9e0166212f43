"""The tables of audits and of rewritten archives: their columns, as ``columns.toml`` has them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pyarrow


class Column(NamedTuple):
    """A column: its name, its type, with "not null" if each row has a value, and its meaning."""

    name: str
    type: str
    description: str


def _read() -> dict[str, tuple[Column, ...]]:
    text = files("sgf_lark.archive").joinpath("columns.toml").read_text("utf-8")
    return {
        table: tuple(Column(name, *about) for name, about in columns.items())
        for table, columns in tomllib.loads(text).items()
    }


_ALL = _read()
#: The tables of an audit by name. The first has a row for each file, the last for each finding.
TABLES = {name: _ALL[name] for name in ("files", "games", "diagnostics")}
#: The tables about files that were rewritten by name, in the same order.
REWRITE_TABLES = {name: _ALL[name] for name in ("rewritten", "changes")}


def readable_type(column: Column) -> str:
    """The type of the values in a column, such as "string" or "int32"."""
    return column.type.removesuffix(" not null").replace("dictionary", "string")


def columns_of(table: str) -> tuple[Column, ...]:
    """The columns of a table."""
    return _ALL[table]


@cache
def schema(table: str) -> pyarrow.Schema:
    """The schema of a table, with the descriptions of its columns as metadata."""
    import pyarrow

    special = {
        "dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
        "binary(32)": pyarrow.binary(32),
    }
    fields = []
    for name, written, description in _ALL[table]:
        kind = written.removesuffix(" not null")
        found = special.get(kind) or pyarrow.type_for_alias(kind)
        metadata = {"description": description}
        fields.append(pyarrow.field(name, found, kind == written, metadata))
    return pyarrow.schema(fields)
