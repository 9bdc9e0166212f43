"""Reads and writes JSON without recursion: branches can have any depth."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sgf_lark.diagnostics import Words, shorten
from sgf_lark.wei7.checking import Finding, FindingInText, Pointer
from sgf_lark.wei7.models import Document, Model
from sgf_lark.wei7.shapes import KINDS

#: The tokens of JSON (RFC 8259). A STRING_START is a string up to what does not belong in it; JUNK
#: is a word or a character that begins no token. Quantifiers are possessive, so that matching takes
#: linear time.
_TOKEN = re.compile(
    r"""
      (?P<SPACE>[ \t\n\r]++)
    | (?P<STRING>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    | (?P<NUMBER>(?>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))(?![\w.])
    | (?P<TRUE>true)(?![\w.]) | (?P<FALSE>false)(?![\w.]) | (?P<NULL>null)(?![\w.])
    | (?P<LBRACE>{) | (?P<RBRACE>}) | (?P<LSQB>\[) | (?P<RSQB>\]) | (?P<COMMA>,) | (?P<COLON>:)
    | (?P<STRING_START>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)
    | (?P<JUNK>[\w.+-]++|[\s\S])
    """,
    re.VERBOSE,
)
_CLOSING = {"LBRACE": "RBRACE", "LSQB": "RSQB"}
_VALUES = frozenset({"STRING", "NUMBER", "TRUE", "FALSE", "NULL", *_CLOSING})

#: What is expected, in words.
_WORDS = {
    "value": Words("a value", "值"),
    "STRING": KINDS["string"],
    "RBRACE": Words('"}"', "“}”"),
    "RSQB": Words('"]"', "“]”"),
    "COMMA": Words('","', "“,”"),
    "COLON": Words('":"', "“:”"),
    "end": Words("the end of the text", "文本结尾"),
    "quote": Words("'\"'", '“"”'),
    "escape": Words('an escape such as \\n or \\"', '如 \\n 或 \\" 的转义'),
}


class NotJSONError(ValueError):
    """A text is not JSON: `fault` is the first place where it is not."""

    def __init__(self, start: int, end: int, found: str, *expected: str) -> None:
        """Name what was found, and the keys in `_WORDS` of what was expected."""
        words = [_WORDS[each] for each in expected]
        values: dict[str, object] = {
            "found": Words(f'"{shorten(found)}"', f"“{shorten(found)}”")
            if found
            else _WORDS["end"],
            "expected": Words(
                " or ".join(each.en for each in words), "或".join(each.zh for each in words)
            ),
        }
        self.fault = FindingInText("WEI001", start, end, values)
        super().__init__(f"not JSON at character {start}")


class _Token(NamedTuple):
    """A token of JSON."""

    type: str
    start: int
    end: int
    text: str


@dataclass(slots=True)
class Place:
    """Where a value is (in characters), with its name in an object, and the values in it."""

    start: int
    end: int
    name: tuple[int, int] = (0, 0)
    inner: dict[Any, Place] = field(default_factory=dict)


class Built(NamedTuple):
    """The value of a text, the places of its parts, and members whose name is repeated."""

    value: Any
    place: Place
    repeated: list[FindingInText]


class _Container(NamedTuple):
    """An open object or array, its place, its pointer, and the token that closes it."""

    value: Any
    place: Place
    pointer: Pointer
    closing: str

    @property
    def first(self) -> str:
        """What begins a member or an item."""
        return "STRING" if self.closing == "RBRACE" else "value"


def parse(text: str) -> Built:
    """The value of a text; raises NotJSONError."""
    # A list around the text, so that its value is added as all others are.
    outside = _Container([], Place(0, 0), Pointer(), "end")
    repeated: list[FindingInText] = []
    stack = [outside]
    name: _Token | None = None
    expected: tuple[str, ...] = ("value",)
    for token in _tokens(text):
        kind, container = token.type, stack[-1]
        if kind not in expected and not (kind in _VALUES and "value" in expected):
            raise NotJSONError(token.start, token.end, token.text, *expected)
        if kind == "COMMA":
            expected = (container.first,)
        elif kind == "COLON":
            expected = ("value",)
        elif "STRING" in expected and kind == "STRING":
            name, expected = token, ("COLON",)
        elif kind in _CLOSING:
            opened = _add(container, name, token, repeated)
            name, expected = None, (opened.first, opened.closing)
            stack.append(opened)
        else:
            if kind != container.closing:
                _add(container, name, token, repeated)
                name = None
            elif kind != "end":
                container.place.end = token.end
                stack.pop()
                container = stack[-1]
            expected = ("end",) if container.closing == "end" else ("COMMA", container.closing)
    return Built(outside.value[0], outside.place.inner[0], repeated)


def _add(
    container: _Container, name: _Token | None, token: _Token, repeated: list[FindingInText]
) -> _Container:
    """Add the value that begins with this token to its container; return it as a container."""
    value, place = _value(token), Place(token.start, token.end)
    key: str | int = len(container.place.inner)
    if name is None:
        container.value.append(value)
    else:
        key, place.name = json.loads(name.text), (name.start, name.end)
        if key in container.value:
            found: dict[str, object] = {"name": f'"{shorten(str(key))}"'}
            repeated.append(
                FindingInText("WEI004", *place.name, found, str(container.pointer / key))
            )
        container.value[key] = value
    container.place.inner[key] = place
    # The pointer of the whole text is the root itself.
    pointer = Pointer() if container.closing == "end" else container.pointer / key
    return _Container(value, place, pointer, _CLOSING.get(token.type, ""))


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a text, and its end; raises NotJSONError in a string."""
    for match in _TOKEN.finditer(text):
        kind, start, end = match.lastgroup or "", *match.span()
        if kind == "STRING_START":
            wrong = text[end : end + (2 if text[end : end + 1] == "\\" else 1)]
            raise NotJSONError(end, end + len(wrong), wrong, "escape" if wrong else "quote")
        if kind != "SPACE":
            yield _Token(kind, start, end, match[0])
    yield _Token("end", len(text), len(text), "")


def _value(token: _Token) -> Any:
    """The value of a token; that of an opening bracket is empty.

    An integer with more digits than Python converts becomes an infinite float.
    """
    if token.type in _CLOSING:
        return {} if token.type == "LBRACE" else []
    try:
        return json.loads(token.text)
    except ValueError:
        return float(token.text)


def locate(finding: Finding, root: Place) -> FindingInText:
    """The place of a finding in the text."""
    tokens = finding.pointer.tokens()
    place = root
    for token in tokens if finding.part != "bracket" else tokens[:-1]:
        place = place.inner[token]
    start, end = place.name if finding.part == "name" else (place.start, place.end)
    if finding.part == "bracket":
        end = start + 1
    return FindingInText(finding.code, start, end, finding.values, str(finding.pointer))


class _Text(str):
    """A part of the JSON text, unlike a string in the document."""

    __slots__ = ()


def dumps(document: Document | Mapping[str, Any]) -> bytes:
    """The UTF-8 text of a model, or of dicts and lists; each item of a list has its own line.

    Raises TypeError for types that JSON lacks, and ValueError for numbers that are not
    finite and for lone surrogates, which UTF-8 cannot encode.
    """
    return ("".join(_parts(document)) + "\n").encode()


def _parts(document: Document | Mapping[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, float) and item.is_integer() and abs(item) < 2**53:
            # 7 and 7.0 are the same number; the document writes 7.
            item = int(item)
        elif isinstance(item, Model):
            item = item.members()
        if isinstance(item, _Text):
            yield item
        elif isinstance(item, Mapping):
            parts: list[Any] = [_Text("{")]
            for name, value in item.items():
                parts += [
                    _Text(f"{json.dumps(str(name), ensure_ascii=False)}: "),
                    value,
                    _Text(", "),
                ]
            parts[len(parts) - bool(item) :] = [_Text("}")]
            waiting.extend(reversed(parts))
        elif isinstance(item, list | tuple):
            parts = [_Text("[")]
            for value in item:
                parts += [_Text("\n"), value, _Text(",")]
            parts[len(parts) - bool(item) :] = [_Text("]")]
            waiting.extend(reversed(parts))
        else:
            yield json.dumps(item, ensure_ascii=False, allow_nan=False)
