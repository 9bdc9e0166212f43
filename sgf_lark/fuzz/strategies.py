"""Hypothesis strategies that make SGF files, for the tests of any program that reads them.

from hypothesis import given
from sgf_lark.fuzz.strategies import collections

@given(collections())
def test_reads_every_conforming_file(data): my_parser(data)
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.generating_files import ANY, Options, Size, make_file
from sgf_lark.fuzz.generating_grammatical import make_grammatical
from sgf_lark.fuzz.generating_trees import Shape
from sgf_lark.fuzz.mutants import MOST_CHANGES, make_mutant

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError(
        "sgf_lark.fuzz.strategies needs Hypothesis: pip install 'sgf-lark[fuzz]'"
    ) from error

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

Item = TypeVar("Item")

__all__ = ["collections", "grammatical", "mutants"]


class DrawnChoices(Choices):
    """Choices that Hypothesis makes, so that it can shrink them."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return low if low == high else self._draw(_integers(low, high))

    def apart(self) -> Choices:
        return RandomChoices(random.Random(self._draw(_integers(0, 2**32 - 1))))


@lru_cache(maxsize=1_000)
def _integers(low: int, high: int) -> SearchStrategy[int]:
    return st.integers(low, high)


def _drawn(draw: DrawFn, value: Item | SearchStrategy[Item]) -> Item:
    return draw(value) if isinstance(value, st.SearchStrategy) else value


@st.composite
def collections(
    draw: DrawFn,
    *,
    game: int | SearchStrategy[int | None] | None = None,
    file_format: int | SearchStrategy[int | None] | None = None,
    size: Size | SearchStrategy[Size | None] | None = None,
    charset: str | SearchStrategy[str | None] | None = ANY,
    trees: int | SearchStrategy[int | None] | None = None,
    nodes: int | SearchStrategy[int | None] | None = None,
    shape: Shape | SearchStrategy[Shape | None] | None = None,
) -> bytes:
    """Files that conform; all options, each a value or a strategy of values, are those of
    :func:`sgf_lark.fuzz.generating_files.generate`."""
    options = Options(
        _drawn(draw, game),
        _drawn(draw, file_format),
        _drawn(draw, size),
        _drawn(draw, charset),
        _drawn(draw, trees),
        _drawn(draw, nodes),
        _drawn(draw, shape),
    )
    return make_file(DrawnChoices(draw), options)


@st.composite
def grammatical(
    draw: DrawFn,
    *,
    game: int | SearchStrategy[int | None] | None = None,
    file_format: int | SearchStrategy[int | None] | None = None,
    size: Size | SearchStrategy[Size | None] | None = None,
    charset: str | SearchStrategy[str | None] | None = ANY,
    nodes: int | SearchStrategy[int | None] | None = None,
) -> bytes:
    """Files that follow the EBNF, and no other rule but by chance; options as in
    :func:`collections`."""
    options = Options(
        _drawn(draw, game),
        _drawn(draw, file_format),
        _drawn(draw, size),
        _drawn(draw, charset),
        nodes=_drawn(draw, nodes),
    )
    return make_grammatical(DrawnChoices(draw), options)


@st.composite
def mutants(
    draw: DrawFn,
    data: bytes | SearchStrategy[bytes] | None = None,
    *,
    changes: int = MOST_CHANGES,
) -> bytes:
    """`data`, or else a conforming file, with 1 to `changes` changes of tokens and bytes."""
    original = draw(collections()) if data is None else _drawn(draw, data)
    return make_mutant(original, DrawnChoices(draw), changes)
