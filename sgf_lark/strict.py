"""Strict parsing, and what is said of the first place that leaves the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from sgf_lark import lark_grammars
from sgf_lark.diagnostics import Diagnostic, Severity, make, shorten
from sgf_lark.flat import FlatTree
from sgf_lark.lark_parser import parse, parse_by_lark
from sgf_lark.text.positions import SourceText
from sgf_lark.tolerant import parse_tolerant

#: Terminals of sgf.lark, in the words of someone who reads game records.
EXPECTED_WORDS = {
    "LPAR": '"(" to open a game or a variation',
    "RPAR": '")" to close the variation',
    "SEMICOLON": '";" to begin a node',
    "UCLETTERS": "a property such as B or C",
    "BRACKETED_VALUE": 'a value in brackets, "[…]"',
    "$END": "the end of the file",
}


class SGFSyntaxError(ValueError):
    """The input is outside the grammar.

    `diagnostic` says what is wrong and where; `expected` what the grammar
    allowed there, as names of terminals of ``sgf.lark``. The text shows the line
    with a caret.
    """

    def __init__(self, diagnostic: Diagnostic, expected: tuple[str, ...], excerpt: str) -> None:
        self.diagnostic = diagnostic
        self.expected = expected
        self.excerpt = excerpt
        span = diagnostic.span
        super().__init__(
            f"line {span.line}, column {span.column} (byte {span.start}): "
            f"{diagnostic.message}\n{excerpt}\nexpected here: {words_for(expected)}"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.diagnostic, self.expected, self.excerpt)


def words_for(terminals: Iterable[str]) -> str:
    """The terminals of ``sgf.lark`` as words, in a fixed order."""
    names = set(terminals)
    return ", or ".join(words for name, words in EXPECTED_WORDS.items() if name in names)


def parse_strictly(data: bytes) -> FlatTree:
    """The flat tree of `data`; raises SGFSyntaxError."""
    try:
        return parse(data)
    except UnexpectedInput as error:
        raise explain(data, error) from None


def refusal(data: bytes, source: SourceText) -> SGFSyntaxError:
    """Why the strict grammar refuses `data`, with places in `source`."""
    try:
        parse_by_lark(data)
    except UnexpectedInput as error:
        return explain(data, error, source)
    raise AssertionError("Lark accepts what the tables of its grammar refuse")


def parse_tree(data: bytes | str, *, tolerant: bool = False) -> Tree[Token]:
    """Lark's parse tree of a collection, by the rules and names of ``sgf.lark``.

    With `tolerant`, by those of ``tolerant.lark``: then any input has a tree, in
    which the damage bears its name. Tokens and rules bear offsets in bytes
    (``start_pos``, ``meta.start_pos``). Text is encoded as UTF-8 first. Raises
    SGFSyntaxError.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    try:
        return lark_grammars.structure_parser(tolerant).parse(data.decode("latin-1"))
    except UnexpectedInput as error:
        raise explain(data, error) from None


def pre_order(tree: Tree[Token]) -> Iterator[tuple[int, Tree[Token] | Token]]:
    """Each subtree and token of a parse tree with its depth, without recursion."""
    stack: list[tuple[int, Any]] = [(0, tree)]
    while stack:
        depth, item = stack.pop()
        yield depth, item
        if isinstance(item, Tree):
            stack += [(depth + 1, child) for child in reversed(item.children)]


def explain(
    data: bytes, error: UnexpectedInput, source: SourceText | None = None
) -> SGFSyntaxError:
    """What Lark's `error` in `data` means: the first damage that tolerant reading finds.

    `source` gives the places, where they are not those of `data` itself.
    """
    damaged = parse_tolerant(data)
    # A tree that is left open may be so because of what comes later in it.
    damage = min(
        damaged.damage + damaged.lowercase,
        key=lambda damage: (damage.code == "SGF107", damage.start),
    )
    source = source or SourceText(data)
    diagnostic = make(
        damage.code,
        Severity.ERROR,
        source.span(damage.start, damage.end),
        ident=damage.ident,
        value=shorten(data[damage.start : damage.end]),
    )
    line, column = source.excerpt(diagnostic.span, 60, 60)
    line = "".join(character if character.isprintable() else " " for character in line)
    expected = _expected(error, data)
    return SGFSyntaxError(diagnostic, expected, f"  {line}\n  {' ' * column}^")


def _expected(error: UnexpectedInput, data: bytes) -> tuple[str, ...]:
    """What the grammar allowed where Lark stopped.

    A state of an LALR(1) table can stand for places inside and outside a tree,
    so that the trees still open have to tell which of its terminals fit.
    """
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    before = data if at_end else data[: error.pos_in_stream or 0]
    if not _is_inside(before):
        return ("LPAR", "$END") if before.strip() else ("LPAR",)
    if isinstance(error, UnexpectedToken):
        names = set(error.accepts or error.expected)
    elif isinstance(error, UnexpectedCharacters):
        names = set(error.allowed or ())
    else:
        names = set()
    return tuple(name for name in EXPECTED_WORDS if name in names and name != "$END")


_BRACKETS = re.compile(rb"\[(?:[^\]\\]|\\.)*\]|[()]", re.DOTALL)


def _is_inside(data: bytes) -> bool:
    """Whether a "(" is still open at the end of `data`."""
    found = [match[0] for match in _BRACKETS.finditer(data)]
    return found.count(b"(") > found.count(b")")
