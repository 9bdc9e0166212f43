"""All compiled code: the parser of the strict grammar, columns of numbers, and the screen.

Without a compiler :data:`available` is False; then Lark parses, and rules check every node.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from sgf_lark.engine.parser import Parser, RegionParser
    from sgf_lark.syntax.flat_tree import FlatTree

#: Whether the modules are compiled.
available: bool = find_spec("sgf_lark.engine.parser") is not None

#: Which parser is used: the engine, which runs the tables of the grammar, or Lark.
Engine = Literal["tables", "lark"]
ENGINES: tuple[Engine, ...] = get_args(Engine)


@cache
def get_parser() -> Parser | None:
    """The parser of ``sgf.lark``; None if it is not compiled, or if its tables would have to
    be computed without interegular."""
    if not available:
        return None
    from sgf_lark.engine.parser import Parser
    from sgf_lark.engine.tables import compute_tables

    try:
        return Parser(compute_tables())
    except ImportError:
        return None


def parse(data: bytes) -> FlatTree | None:
    """The flat tree of `data`; None if the strict grammar refuses it, or if there is no
    :func:`get_parser` for it."""
    found = get_parser()
    return None if found is None else found.parse(data)


def region_parser(data: bytes) -> RegionParser | None:
    """What reads intact regions of that data; None if there is no :func:`get_parser` for it."""
    found = get_parser()
    return None if found is None else found.region_parser(data)
