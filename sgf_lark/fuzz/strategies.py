"""Hypothesis strategies for SGF files, to test any program that reads them.

::

    from hypothesis import given
    from sgf_lark.fuzz.strategies import collections

    @given(collections(game=1, file_format=4, charset="UTF-8"))
    def test_reads_every_conforming_file(data): my_parser(data)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.generating_files import ANY, Options, Size, make_file
from sgf_lark.fuzz.generating_trees import Shape
from sgf_lark.fuzz.mutants import MOST_CHANGES, make_grammatical, make_mutant
from sgf_lark.fuzz.violations import (
    Document,
    codes,
    examples,
    make_document,
    make_violation,
    violate,
)

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError(
        "sgf_lark.fuzz.strategies needs Hypothesis: pip install 'sgf-lark[fuzz]'"
    ) from error

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

Item = TypeVar("Item")

__all__ = [
    "Document",
    "collections",
    "documents_with_verdict",
    "grammatical",
    "mutants",
    "violations",
]


#: Decisions are drawn in blocks of so many bytes, as Hypothesis limits their number and size.
_BLOCK = 12


class DrawnChoices(Choices):
    """Choices that Hypothesis makes and can shrink: those of each part in blocks of its own."""

    def __init__(self, draw: DrawFn) -> None:
        """Take all decisions from `draw`."""
        self._draw = draw
        self._block: Iterator[int] = iter(b"")

    def integer(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""
        count = high - low + 1
        if count == 1:
            return low
        if count > 256:
            return self._draw(_integers(low, high))
        octet = next(self._block, None)
        if octet is None:
            self._block = iter(self._draw(_binary(_BLOCK)))
            octet = next(self._block)
        return low + octet % count

    def octets(self, count: int) -> Iterable[int]:
        """Return `count` numbers from 0 to 255, as one choice."""
        return self._draw(_binary(count))

    def count(self, low: int, high: int) -> int:
        """Return a number of parts. Hypothesis knows it for a number: it lowers the number and
        leaves out one of the parts that follow."""
        return self._draw(_integers(low, high))

    def part(self, make: Callable[[], Item]) -> Item:
        """Return a part whose choices are in blocks of their own, and a span for Hypothesis."""
        self._block = iter(b"")
        return self._draw(_span(lambda draw: make()))

    def bulk(self) -> Choices:
        """Return random choices with a seed that Hypothesis draws."""
        return RandomChoices(random.Random(self._draw(_integers(0, 2**32 - 1))))


@st.composite
def _span(draw: DrawFn, make: Callable[[DrawFn], Item]) -> Item:
    return make(draw)


@lru_cache(maxsize=1_000)
def _integers(low: int, high: int) -> SearchStrategy[int]:
    return st.integers(low, high)


@lru_cache(maxsize=1_000)
def _binary(size: int) -> SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


def _drawn(draw: DrawFn, value: Item | SearchStrategy[Item]) -> Item:
    return draw(value) if isinstance(value, st.SearchStrategy) else value


def _options(draw: DrawFn, *given: Any) -> Options:
    """Return the options of a file, in their order, each given as a value or a strategy."""
    return Options(*(_drawn(draw, value) for value in given))


P = ParamSpec("P")


@cache
def _prepare() -> None:
    """Load what generators need, so that no example takes longer than Hypothesis allows."""
    source = random.Random(0)
    for code in codes():
        examples(code)
    for _ in range(50):
        violate(source)
        make_document(RandomChoices(source))


def _prepared(
    make: Callable[P, SearchStrategy[Item]],
) -> Callable[P, SearchStrategy[Item]]:
    """Let a function that makes strategies prepare first what takes time."""

    @wraps(make)
    def prepared(*args: P.args, **options: P.kwargs) -> SearchStrategy[Item]:
        _prepare()
        return make(*args, **options)

    return prepared


@_prepared
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
    """Files that conform: the validator reports no error and no warning.

    Each parameter is a value or a strategy of values; one that is not given, or None, is drawn:

    - `game`, a GM number: Go in two of three files, otherwise any game of the specification
    - `file_format`: FF[4] in three of four files, otherwise FF[1] to FF[3]
    - `size`, a number of lines or (columns, rows): the usual board of the game in half of the
      files, otherwise up to the largest, and 19 to 21, 26, 27 and 52 lines more often
    - `charset`, a name for CA, or None for a file without CA: by default UTF-8, another one that
      contains ASCII, or none
    - `trees`, the number of games: one in five of six files, otherwise up to three
    - `nodes`, their number after the root of each game: 0 to 8, in one of ten files up to 60;
      one in 100 files has up to 406 nodes, each nested in the one before it
    - `shape` of the variations: "line", "bushy" or "mixed"

    White space between tokens, the order of properties, escapes, line breaks, numbers and points
    are drawn as well. Examples shrink to one game of a few properties on one line. A parser of Go
    passes with ``collections(game=1, file_format=4, charset="UTF-8")``; without parameters most
    parsers fail at the first example. Raises ValueError and LookupError as
    :func:`sgf_lark.fuzz.generating_files.generate` does.
    """
    given = (game, file_format, size, charset, trees, nodes, shape)
    return make_file(DrawnChoices(draw), _options(draw, *given))


@_prepared
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
    """Files that follow the EBNF, and other rules only by chance.

    They are files of :func:`collections`, which has the parameters, with up to 12 changes: any
    property in place of another, any value or word of a value type in place of a value, or large
    numbers. A parser that checks the structure only accepts them.
    """
    options = _options(draw, game, file_format, size, charset, None, nodes)
    return make_grammatical(DrawnChoices(draw), options)


def violations(code: str | None = None) -> SearchStrategy[bytes]:
    """Files that violate the rule `code`, or any one rule, and no other.

    They are the bad examples of the rule in the catalogue, changed at up to 12 places: other words,
    letters and properties, more nodes, properties and games. Raises KeyError for a code that no
    file can violate. See :func:`sgf_lark.fuzz.violations.violate`.
    """
    if code is not None and code not in codes():
        raise KeyError(code)
    return _violations(code)


@_prepared
@st.composite
def _violations(draw: DrawFn, code: str | None) -> bytes:
    data, _ = make_violation(DrawnChoices(draw), code)
    return data


@_prepared
@st.composite
def documents_with_verdict(draw: DrawFn) -> Document:
    """Files, each a :class:`Document`: `data` with the `verdict` that a strict parser must give.

    Half of them conform ("accept"). A quarter violates one rule, whose code is in `codes`: "reject"
    if that is a rule of the syntax, otherwise "either". A quarter follows the EBNF and may violate
    any other rule: "either".
    """
    return make_document(DrawnChoices(draw))


@st.composite
def mutants(
    draw: DrawFn,
    data: bytes | SearchStrategy[bytes] | None = None,
    *,
    changes: int = MOST_CHANGES,
) -> bytes:
    """`data`, or any file of :func:`collections`, with 1 to `changes` changes of tokens and bytes.

    Half of the changes concern tokens: deleted, repeated, swapped, copied or inserted ones, other
    parentheses, identifiers, values, escapes and charsets. Half concern bytes: flipped bits,
    inserted, deleted, repeated and overwritten ones, a cut end, a byte order mark. No verdict is
    known of the outcome; a parser must not fail or hang on it.
    """
    original = draw(collections()) if data is None else _drawn(draw, data)
    return make_mutant(original, DrawnChoices(draw), changes)
