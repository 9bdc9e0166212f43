"""Syntax errors: what is wrong at the first place that leaves the grammar, and where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from sgf_lark.diagnostics import Diagnostic
from sgf_lark.syntax.strict import parse_by_lark
from sgf_lark.syntax.tolerant import depth_of, diagnostic, parse_tolerant
from sgf_lark.text.positions import SourceText

if TYPE_CHECKING:
    from sgf_lark.syntax.parsing import ParsedFile

#: The terminals of sgf.lark in the words of someone who reads game records.
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

    `diagnostic` describes the error and its place; `expected` what the grammar
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
    """The terminals of ``sgf.lark`` in words, in a fixed order."""
    names = set(terminals)
    return ", or ".join(words for name, words in EXPECTED_WORDS.items() if name in names)


def error_of(file: ParsedFile) -> SGFSyntaxError:
    """The error in a file with damage: the layer over it, if there is one, or what the strict
    grammar does not accept."""
    written = file.as_written
    layer = None if file.layers is None else file.damage[0]
    return syntax_error(written.decoding.data, written.source, layer)


def syntax_error(
    data: bytes, source: SourceText | None = None, layer: Diagnostic | None = None
) -> SGFSyntaxError:
    """The error in `data`, which the strict grammar does not accept, whatever the case of
    identifiers before FF[4].

    `source` gives the places, if they are not those in `data` itself. `layer` is the layer over the
    file that is the cause, if there is one.
    """
    damaged = parse_tolerant(data)
    try:
        parse_by_lark(damaged.in_uppercase())
    except UnexpectedInput as error:
        expected = _expected(error, data)
    else:
        raise AssertionError("Lark accepts what the tables of its grammar do not")
    # The cause of a tree that stays open may come after its "(".
    first = min(damaged.found(), key=lambda each: (each.code == "SGF107", each.start))
    source = source or SourceText(data)
    found = layer or diagnostic(first, damaged.flat, source)
    line, column = source.excerpt(found.span, 60, 60)
    line = "".join(character if character.isprintable() else " " for character in line)
    return SGFSyntaxError(found, expected, f"  {line}\n  {' ' * column}^")


def _expected(error: UnexpectedInput, data: bytes) -> tuple[str, ...]:
    """The terminals that the grammar allowed where Lark stopped.

    A state of an LALR(1) table can belong to places inside and outside a game tree; which of
    its terminals fit depends on the trees that are open.
    """
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    before = data if at_end else data[: error.pos_in_stream or 0]
    if depth_of(before) <= 0:
        return ("LPAR", "$END") if before.strip() else ("LPAR",)
    if isinstance(error, UnexpectedToken):
        names = set(error.expected)
    elif isinstance(error, UnexpectedCharacters):
        names = set(error.allowed or ())
    else:
        names = set()
    return tuple(name for name in EXPECTED_WORDS if name in names and name != "$END")
