"""The lexer "sgf-lark" of Pygments: for documentation, ``pygmentize`` and notebooks.

The text is parsed with the tolerant grammar, so that values are marked by the type that their
property has in the game of the tree. Pygments has a lexer "sgf" of its own, which knows a part of
the properties of Go; for file names ``*.sgf`` this one is preferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from pygments.lexer import Lexer
from pygments.token import (
    Error,
    Keyword,
    Literal,
    Name,
    Number,
    Punctuation,
    String,
    Text,
    _TokenType,
)

from sgf_lark.model.collection import Collection
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.syntax.tolerant import parse_tolerant
from sgf_lark.text.decoding import as_utf_8
from sgf_lark.words import Kind, highlighted_words

_TOKENS = {
    Kind.MOVE: Keyword,
    Kind.PROPERTY: Name.Attribute,
    Kind.ROOT: Keyword.Declaration,
    Kind.UNKNOWN: Name.Variable,
    Kind.TEXT: String,
    Kind.NUMBER: Number,
    Kind.ENUMERATION: Name.Constant,
    Kind.POINT: Literal,
}
#: What is between words: brackets, white space, and what the grammar does not allow.
_BETWEEN = re.compile(r"(?P<punctuation>[()\[\];])|(?P<space>\s+)|(?P<error>[^()\[\];\s]+)")
_NAMES = {"punctuation": Punctuation, "space": Text.Whitespace, "error": Error}


class SGFLexer(Lexer):
    """Lexer for files in SGF, the Smart Game Format, of all games."""

    name = "Smart Game Format (sgf_lark)"
    url = "https://www.red-bean.com/sgf/"
    aliases: ClassVar[list[str]] = ["sgf-lark"]
    filenames: ClassVar[list[str]] = ["*.sgf"]
    #: Above that of the lexer that Pygments itself has for these files.
    priority = 1.0
    mimetypes: ClassVar[list[str]] = ["application/x-go-sgf"]

    @staticmethod
    def analyse_text(text: str) -> float:
        """Return how likely a text is SGF, from 0 to 1."""
        return 0.9 if re.match(r"\s*\(\s*;\s*[A-Z]{1,2}\s*\[", text) else 0.0

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield the tokens of a text, each with its place."""
        data = text.encode("utf-8", "surrogatepass")
        flat = parse_tolerant(data).flat
        collection = Collection.of_file(ParsedFile(as_utf_8(data), flat))
        place = offset = 0
        for word in highlighted_words(collection):
            between = data[offset : word.start].decode("utf-8", "surrogatepass")
            yield from _between(between, place)
            place += len(between)
            written = data[word.start : word.end].decode("utf-8", "surrogatepass")
            yield place, _TOKENS[word.kind], written
            place += len(written)
            offset = word.end
        yield from _between(data[offset:].decode("utf-8", "surrogatepass"), place)


def _between(text: str, place: int) -> Iterator[tuple[int, _TokenType, str]]:
    for match in _BETWEEN.finditer(text):
        yield place + match.start(), _NAMES[str(match.lastgroup)], match[0]
