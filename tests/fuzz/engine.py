"""The compiled parser against plain Lark: strict, and for the intact regions of damaged files."""

from sgf_lark import engine
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.tolerant import parse_tolerant


def TestOneInput(data: bytes) -> None:
    assert engine.parse(data) == parse_if_strict(data, "lark")
    assert parse_tolerant(data) == parse_tolerant(data, "lark")
