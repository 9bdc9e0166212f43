"""JSON by the grammar ``json.lark``, with the place of each value."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from sgf_lark import grammar
from sgf_lark.diagnostics import Words


class Member(NamedTuple):
    """A member of an object: its name, where that stands, and its value."""

    name: str
    start: int
    end: int
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A JSON value; `start` and `end` are offsets in characters.

    `kind` is "object", "array", "string", "number", "true", "false" or "null";
    `content` what that holds: members, values, a text or a number.
    """

    kind: str
    start: int
    end: int
    content: Any = None


class JSONSyntaxError(ValueError):
    """The text is not JSON: at `offset` (in characters) stands `found`."""

    def __init__(self, offset: int, found: Words, expected: Words) -> None:
        super().__init__(f"{found.en} at {offset}; expected {expected.en}")
        self.offset = offset
        self.found = found
        self.expected = expected


def _leaf(item: Token | Value) -> Value:
    if isinstance(item, Value):
        return item
    start, end = item.start_pos or 0, item.end_pos or 0
    if item.type == "STRING":
        return Value("string", start, end, json.loads(item))
    if item.type == "NUMBER":
        return Value("number", start, end, _number(item))
    return Value(str(item), start, end)


def _number(text: str) -> int | float:
    """Python refuses to read integers of thousands of digits; as a float they are infinite."""
    try:
        number: int | float = json.loads(text)
    except ValueError:
        return float(text)
    return number


class _Builder(Transformer[Token, Any]):
    def __init__(self) -> None:
        super().__init__(visit_tokens=False)

    def object(self, children: list[Any]) -> Value:
        members = [child for child in children if isinstance(child, Member)]
        return Value("object", children[0].start_pos, children[-1].end_pos, members)

    def member(self, children: list[Any]) -> Member:
        name = children[0]
        return Member(json.loads(name), name.start_pos, name.end_pos, _leaf(children[2]))

    def array(self, children: list[Any]) -> Value:
        values = [_leaf(child) for child in children[1:-1:2]]
        return Value("array", children[0].start_pos, children[-1].end_pos, values)

    def start(self, children: list[Any]) -> Any:
        return children[0]


class _Parser(threading.local):
    def __init__(self) -> None:
        self.lark = Lark(
            grammar.source("json.lark"),
            parser="lalr",
            transformer=_Builder(),
            keep_all_tokens=True,
        )


_parsers: list[_Parser] = []

#: Terminals in words.
_WORDS = {
    "STRING": Words("a string", "字符串"),
    "NUMBER": Words("a number", "数"),
    "LBRACE": Words('"{"', "“{”"),
    "RBRACE": Words('"}"', "“}”"),
    "LSQB": Words('"["', "“[”"),
    "RSQB": Words('"]"', "“]”"),
    "COMMA": Words('","', "“,”"),
    "COLON": Words('":"', "“:”"),
    "$END": Words("the end of the text", "文本结尾"),
}
_VALUES = {"LBRACE", "LSQB", "STRING", "NUMBER", "TRUE", "FALSE", "NULL"}
_ANY_VALUE = Words("a value", "值")


def parse(text: str) -> Value:
    """The value of a JSON text; raises JSONSyntaxError."""
    if not _parsers:
        _parsers.append(_Parser())
    try:
        found: Any = _parsers[0].lark.parse(text)
        return _leaf(found)
    except UnexpectedInput as error:
        raise _explained(text, error) from None


def _explained(text: str, error: UnexpectedInput) -> JSONSyntaxError:
    if isinstance(error, UnexpectedToken):
        expected, at_end = set(error.accepts or error.expected), error.token.type == "$END"
        offset = len(text) if at_end else error.token.start_pos or 0
    else:
        assert isinstance(error, UnexpectedCharacters)
        expected, offset = set(error.allowed or ()), error.pos_in_stream
    words = [_WORDS[name] for name in _WORDS if name in expected]
    if expected >= _VALUES:
        words = [_ANY_VALUE, *(_WORDS[name] for name in ("RSQB",) if name in expected)]
    character = text[offset : offset + 1]
    found = Words("the end of the text", "文本结尾")
    if character:
        shown = ascii(character)[1:-1] if not character.isprintable() else character
        found = Words(f'"{shown}"', f"“{shown}”")
    either = Words(" or ".join(word.en for word in words), "或".join(word.zh for word in words))
    return JSONSyntaxError(offset, found, either)
