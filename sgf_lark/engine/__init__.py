"""All compiled code: the parser of the strict grammar, columns of numbers, and the filter.

Without a compiler :data:`available` is False; then Lark parses, and no node is skipped.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sgf_lark import built

if TYPE_CHECKING:
    from sgf_lark.engine.parser import Parser, RegionParser
    from sgf_lark.flat_tree import FlatTree

#: Data of more bytes than this is left to Lark: offsets and numbers of nodes have to fit into a
#: C int, also when they are doubled.
LARGEST = 2**30 - 1

#: Whether the modules are compiled.
available: bool = find_spec("sgf_lark.engine.parser") is not None


@cache
def get_parser() -> Parser | None:
    """The parser of ``sgf.lark``; None if it is not compiled, or if its tables would have to
    be computed without interegular."""
    if not available:
        return None
    from sgf_lark.engine.parser import Parser

    try:
        return Parser(_tables())
    except ImportError:
        return None


def _tables() -> dict[str, Any]:
    sources = ("sgf.lark", "engine/tables.py", "engine/optimize.py", "engine/kinds.py")
    return built.content("engine", sources, _compute_tables)


def _compute_tables() -> dict[str, Any]:
    """The tables as plain data; raises ImportError without interegular."""
    from sgf_lark.engine.tables import compute_tables

    return compute_tables()


def build_content() -> None:
    """Ask for all content that :mod:`sgf_lark.built` keeps for this package."""
    _tables()


def can_parse(data: bytes) -> bool:
    """Whether :func:`parse` can be asked about data of that length."""
    return get_parser() is not None and len(data) <= LARGEST


def parse(data: bytes) -> FlatTree | None:
    """The flat tree of `data`; None if the strict grammar rejects it, or if there is no
    :func:`get_parser` for it."""
    found = get_parser()
    return None if found is None else found.parse(data)


def region_parser(data: bytes) -> RegionParser | None:
    """What reads intact regions of that data; None if there is no :func:`get_parser` for it."""
    found = get_parser()
    return None if found is None else found.region_parser(data)
