"""Explains the first place at which a file leaves the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from sgf_lark import grammar
from sgf_lark.diagnostics import Diagnostic, Severity, SourceText, make, shorten

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


def explain(data: bytes, error: UnexpectedInput) -> SGFSyntaxError:
    """What Lark's `error` in `data` means, by the rules of the catalogue."""
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    found = len(data) if at_end else (error.pos_in_stream or 0)
    expected = _expected(error, _open_trees(data[:found]), data[:found].strip() != b"")
    code, start, end = classify(data, found, expected)
    source = SourceText(data)
    span = source.span(start, end)
    ident = _identifier_near(data, start)
    diagnostic = make(
        code, Severity.ERROR, span, ident=ident, value=shorten(data[start:end]) or "nothing"
    )
    line, column = source.excerpt(span, 60, 60)
    line = "".join(character if character.isprintable() else " " for character in line)
    return SGFSyntaxError(diagnostic, expected, f"  {line}\n  {' ' * column}^")


def _expected(error: UnexpectedInput, open_trees: list[int], begun: bool) -> tuple[str, ...]:
    """What the grammar allowed, from the state of the parser.

    A state of an LALR(1) table can stand for places inside and outside a tree,
    so that the trees still open have to tell which of its terminals fit.
    """
    if not open_trees:
        return ("LPAR", "$END") if begun else ("LPAR",)
    if isinstance(error, UnexpectedToken):
        names = set(error.accepts or error.expected)
    elif isinstance(error, UnexpectedCharacters):
        names = set(error.allowed or ())
    else:
        names = set()
    return tuple(name for name in EXPECTED_WORDS if name in names and name != "$END")


_SPACE = b" \t\n\r\v\f"
_TREE_START = re.compile(rb"\([ \t\n\r\v\f]*;")
_PROPERTY = re.compile(rb"[A-Z]+[ \t\n\r\v\f]*\[")
_LOWER_IDENT = re.compile(rb"[A-Za-z]*[a-z][A-Za-z]*[ \t\n\r\v\f]*\[")
_DIRTY_IDENT = re.compile(rb"[A-Za-z0-9_\x80-\xff]+[ \t\n\r\v\f]*\[")
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[\x00-\xff]")
_IDENT_END = re.compile(rb"[A-Z]+\Z")


def classify(data: bytes, found: int, expected: tuple[str, ...]) -> tuple[str, int, int]:
    """The rule that the byte at `found` breaks, and the offsets of the place.

    `expected` are the terminals that the grammar allowed there.
    """
    before = len(data[:found].rstrip(_SPACE))
    previous = data[before - 1 : before]
    byte = data[found : found + 1]
    word = _WORD.match(data, found)
    end = word.end() if word else found
    if byte == b"\0":
        return "SGF121", found, found + 1
    if "$END" in expected or (expected == ("LPAR",) and not previous):
        return _outside(data, found, previous)
    if byte == b"[" and not _BRACKETS.match(data, found):
        return "SGF119", found, found + 1
    if not byte and not previous.isalpha():
        innermost = _open_trees(data)[-1]
        return "SGF107", innermost, innermost + 1
    if previous == b"(":
        code = {b")": "SGF104", b"(": "SGF105"}.get(byte, "SGF103")
        return code, (before - 1 if code == "SGF104" else found), end
    if previous == b")":
        is_node = byte == b";" or _PROPERTY.match(data, found)
        return ("SGF106" if is_node else "SGF120"), found, end
    if "BRACKETED_VALUE" in expected and "UCLETTERS" not in expected:
        return _after_identifier(data, found, before, end)
    return _in_node(data, found, previous, end)


def _outside(data: bytes, found: int, previous: bytes) -> tuple[str, int, int]:
    next_tree = _TREE_START.search(data, found)
    end = next_tree.start() if next_tree else len(data)
    end = max(len(data[:end].rstrip(_SPACE)), min(found + 1, len(data)))
    if not previous:
        return ("SGF101" if next_tree else "SGF002"), found, end
    if data[found : found + 1] == b")":
        return "SGF108", found, found + 1
    if _PROPERTY.match(data, found):
        return "SGF109", found, end
    return "SGF102", found, end


def _after_identifier(data: bytes, found: int, before: int, end: int) -> tuple[str, int, int]:
    """An identifier stands at `before`, and no value follows."""
    match = _IDENT_END.search(data, 0, before)
    start = match.start() if match else before
    ident = data[start:before]
    byte = data[found : found + 1]
    if found == before and byte.isalpha() and _LOWER_IDENT.match(data, start):
        return "SGF114", start, end
    if found == before and _DIRTY_IDENT.match(data, start):
        return "SGF113", start, end
    rest = _PROPERTY.match(data, found)
    if rest and grammar.definitions((ident + rest[0].rstrip(b"[" + _SPACE)).decode("latin-1")):
        return "SGF112", start, found + len(rest[0].rstrip(b"[" + _SPACE))
    return "SGF110", start, before


def _in_node(data: bytes, found: int, previous: bytes, end: int) -> tuple[str, int, int]:
    """Between the properties of a node."""
    if data[found : found + 1] == b"[":
        return "SGF111", found, data.index(b"]", found) + 1
    if _LOWER_IDENT.match(data, found):
        return "SGF114", found, end
    if _DIRTY_IDENT.match(data, found):
        return "SGF113", found, end
    # A "]" before anything else of the structure: a value ended too early.
    structure = re.compile(rb"[\[\]();]").search(data, found)
    if previous == b"]" and structure and structure[0] == b"]":
        return "SGF118", found, structure.end()
    return "SGF120", found, end


_BRACKETS = re.compile(rb"\[(?:[^\]\\]|\\.)*\]|[()]", re.DOTALL)


def _open_trees(data: bytes) -> list[int]:
    """The offsets of the "(" that are still open at the end of `data`, outermost first."""
    stack: list[int] = []
    for match in _BRACKETS.finditer(data):
        if match[0] == b"(":
            stack.append(match.start())
        elif match[0] == b")" and stack:
            stack.pop()
    return stack


_IDENTIFIER = re.compile(rb"[A-Z]+")
_PROPERTY_START = re.compile(rb"([A-Z]+)[ \t\n\r\v\f]*\[")


def _identifier_near(data: bytes, offset: int) -> str | None:
    """The identifier at `offset`, or else the last one of the line before it."""
    here = _IDENTIFIER.match(data, offset)
    if here is not None:
        return here[0].decode()
    before = _PROPERTY_START.findall(data, max(0, offset - 200), offset)
    return before[-1].decode() if before else None
