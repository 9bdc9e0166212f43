"""Parses JSON by the grammar ``json.lark``, with the offsets of each value."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from sgf_lark import grammar
from sgf_lark.diagnostics import Words


class Member(NamedTuple):
    """A member of an object: its name, the offsets of the name, and its value."""

    name: str
    start: int
    end: int
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A JSON value; `start` and `end` are offsets in characters.

    `kind` is "object", "array", "string", "number", "true", "false" or "null";
    `content` is a list of members or values, a text, or a number.
    """

    kind: str
    start: int
    end: int
    content: Any = None


class JSONSyntaxError(ValueError):
    """The text is not JSON."""


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
    """The number; an integer with more digits than Python converts becomes an infinite float."""
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


def _lark() -> Lark:
    if not _parsers:
        _parsers.append(_Parser())
    return _parsers[0].lark


def terminals() -> dict[str, str]:
    """The terminals of the grammar as regular expressions."""
    return {terminal.name: terminal.pattern.to_regexp() for terminal in _lark().terminals}


#: Terminals in words; TRUE, FALSE and NULL are words themselves.
WORDS = {
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
ANY_VALUE = Words("a value", "值")


def parse(text: str) -> Value:
    """The value of a JSON text; raises JSONSyntaxError."""
    try:
        found: Any = _lark().parse(text)
        return _leaf(found)
    except UnexpectedInput as error:
        raise JSONSyntaxError(str(error)) from None


def parse_tokens(tokens: Iterable[Token]) -> Value:
    """The value of tokens that follow the grammar; its offsets are those of the tokens."""
    reader = _lark().parse_interactive()
    for token in tokens:
        reader.feed_token(token)
    found: Any = reader.feed_eof()  # type: ignore[no-untyped-call]
    return _leaf(found)
