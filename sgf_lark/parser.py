"""Which parser reads the structure: the tables of the grammar, or Lark itself.

Lark is not imported before it is needed.
"""

from __future__ import annotations

from sgf_lark import engine as tables
from sgf_lark.annotations import Literal, get_args
from sgf_lark.flat import FlatTree

#: Who reads the structure: the engine, which runs the tables of the grammar, or Lark.
Engine = Literal["tables", "lark"]
ENGINES = get_args(Engine)


def parse_if_strict(data: bytes, engine: Engine = "tables") -> FlatTree | None:
    """The flat tree of `data`, a collection without a byte order mark; None where it
    leaves the grammar.

    Raises ValueError for an unknown engine.
    """
    if engine == "tables":
        flat = tables.parse(data)
        if flat is not None or tables.can_run(data):
            return flat
    elif engine not in ENGINES:
        raise ValueError(f"unknown engine: {engine!r}; one of {', '.join(ENGINES)}")
    from lark.exceptions import UnexpectedInput

    from sgf_lark.lark_parser import parse_by_lark

    try:
        return parse_by_lark(data)
    except UnexpectedInput:
        return None
