"""Reads JSON with the places of its values, and without recursion; writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sgf_lark.diagnostics import Words, shorten
from sgf_lark.wei7.schema import KINDS

if TYPE_CHECKING:
    from lark import Lark

#: JSON as RFC 8259 has it. Not json.loads(): branches can be nested deeper than it reads, and it
#: keeps no places.
_GRAMMAR = r"""
?start: value
?value: object | array | scalar
!object: "{" [member ("," member)*] "}"
!array: "[" [value ("," value)*] "]"
!member: STRING ":" value
!scalar: STRING | NUMBER | "true" | "false" | "null"

STRING: /"(?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])/
%ignore /[ \t\n\r]+/
"""
#: The part of a string up to what does not belong in it, and what else begins no token.
_STRING_START = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_JUNK = re.compile(r"[\w.+\x80-\xff-]+|[\s\S]")

#: What is expected, in words, by terminals.
_WORDS = {
    "NUMBER": Words("a value", "值"),
    "STRING": KINDS["string"],
    "COLON": Words('":"', "“:”"),
    "COMMA": Words('","', "“,”"),
    "RBRACE": Words('"}"', "“}”"),
    "RSQB": Words('"]"', "“]”"),
    "$END": Words("the end of the text", "文本结尾"),
    "quote": Words("'\"'", '“"”'),
    "escape": Words('an escape such as \\n or \\"', '如 \\n 或 \\" 的转义'),
}


class Finding(NamedTuple):
    """A broken rule from `start` to `end` (bytes), and the JSON pointer (RFC 6901)."""

    code: str
    start: int
    end: int
    values: dict[str, object]
    pointer: str = ""


class NotJSONError(ValueError):
    """A text is not JSON: `finding` is the first place where it is not."""

    def __init__(self, start: int, found: str, expected: set[str]) -> None:
        """Name what was found, and the keys in `_WORDS` of what was expected."""
        shown = shorten(_text(found))
        # Wherever a number can be, any value can.
        names = expected - {"STRING"} if "NUMBER" in expected else expected
        words = [text for name, text in _WORDS.items() if name in names]
        values: dict[str, object] = {
            "found": Words(f'"{shown}"', f"“{shown}”") if found else _WORDS["$END"],
            "expected": Words(
                " or ".join(each.en for each in words), "或".join(each.zh for each in words)
            ),
        }
        self.finding = Finding("WEI001", start, start + len(found), values)
        super().__init__(f"not JSON at byte {start}")


@dataclass(slots=True, eq=False)
class Place:
    """A value and where it is (in bytes), with the values in it by name or index.

    The checks take wrong values out of `inner`, and leave `value` as it is. `key` is the name or
    index of a value in its `parent`, and `name` is where the name is. `repeated` are the places of
    members whose name an object has more than once; of these the last one counts.
    """

    value: Any
    start: int
    end: int
    inner: dict[str | int, Place] = field(default_factory=dict)
    parent: Place | None = None
    key: str | int = ""
    name: tuple[int, int] = (0, 0)
    repeated: list[Place] = field(default_factory=list)

    def items(self, name: str) -> list[Place]:
        """The items of an array in this object that are right; none where there is no array."""
        return [*self.inner[name].inner.values()] if name in self.inner else []

    def all_items(self, name: str) -> list[Place | None]:
        """The same, and None for each that is wrong."""
        array = self.inner.get(name)
        return [] if array is None else [array.inner.get(at) for at in range(len(array.value))]

    def drop(self) -> None:
        """Take this value out of the right ones; of the whole text everything."""
        if self.parent is None:
            self.inner.clear()
        else:
            del self.parent.inner[self.key]

    def pointer(self, *more: str | int) -> str:
        """The JSON pointer to this value, or to what its names and indices `more` lead to."""
        # Not kept as text: in a deep tree all pointers together would take quadratic memory.
        tokens, place = [*reversed(more)], self
        while place.parent is not None:
            tokens.append(place.key)
            place = place.parent
        escaped = (str(token).replace("~", "~0").replace("/", "~1") for token in reversed(tokens))
        return "".join(f"/{token}" for token in escaped)

    def finding(
        self, code: str, part: Literal["value", "name", "bracket"] = "value", **values: Any
    ) -> Finding:
        """A rule that this value breaks; its name, or the bracket that opens it, can be shown."""
        start, end = self.name if part == "name" else (self.start, self.end)
        end = start + 1 if part == "bracket" else end
        return Finding(code, start, end, values, self.pointer())


def parse(data: bytes) -> Place:
    """The value of a text; raises NotJSONError. What is not UTF-8 in its strings is U+FFFD."""
    from lark.exceptions import UnexpectedInput

    # Each character stands for a byte, so that places are those in the file.
    text = data.decode("latin-1")
    try:
        root: Place = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        raise _not_json(text, error) from None
    return root


@cache
def _parser() -> Lark:
    from lark import Lark, Token, Transformer

    class Builder(Transformer[Token, Place]):
        """Makes the places while Lark parses, the inner ones first."""

        def scalar(self, children: list[Token]) -> Place:
            [token] = children
            return Place(_scalar(token), token.start_pos or 0, token.end_pos or 0)

        def member(self, children: list[Any]) -> Place:
            place: Place
            name, _, place = children
            place.key, place.name = _scalar(name), (name.start_pos, name.end_pos)
            return place

        def array(self, children: list[Any]) -> Place:
            items = [each for each in children if isinstance(each, Place)]
            place = _enclosing([each.value for each in items], children)
            for index, item in enumerate(items):
                item.parent, item.key = place, index
                place.inner[index] = item
            return place

        def object(self, children: list[Any]) -> Place:
            place = _enclosing({}, children)
            for member in children:
                if isinstance(member, Place):
                    if member.key in place.inner:
                        place.repeated.append(member)
                    member.parent = place
                    place.value[member.key] = member.value
                    place.inner[member.key] = member
            return place

    return Lark(_GRAMMAR, parser="lalr", maybe_placeholders=False, transformer=Builder())


def _enclosing(value: Any, children: list[Any]) -> Place:
    """The place of an object or array: its first and last children are its brackets."""
    return Place(value, children[0].start_pos, children[-1].end_pos)


_SURROGATES = re.compile("[\ud800-\udfff]")


def _text(characters: str) -> str:
    """The text of bytes that are given as characters."""
    return characters.encode("latin-1").decode(errors="replace")


def _scalar(token: str) -> Any:
    """The value of a token; 7 for 7.0, since JSON has one type of numbers."""
    try:
        value = json.loads(_text(token))
    except ValueError:  # an integer with more digits than Python converts becomes infinite
        value = float(token)
    if isinstance(value, str):
        return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", value)
    # Floats below 2**53 have all integers exactly.
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if is_whole else value


def _not_json(text: str, error: Any) -> NotJSONError:
    """The error for what Lark did not expect."""
    # The lookaheads of an LALR(1) state may be wrong for the brackets that are open.
    expected = error.interactive_parser.accepts()
    token = getattr(error, "token", None)
    if token is not None:
        at_end = token.type == "$END"
        return NotJSONError(len(text) if at_end else token.start_pos, str(token), expected)
    start = error.pos_in_stream
    if string := _STRING_START.match(text, start):
        wrong = text[string.end() : string.end() + 2]
        wrong = wrong if wrong[:1] == "\\" else wrong[:1]
        return NotJSONError(string.end(), wrong, {"escape" if wrong else "quote"})
    junk = _JUNK.match(text, start)
    return NotJSONError(start, junk[0] if junk else "", expected)


def dumps(document: Mapping[str, Any]) -> bytes:
    """The UTF-8 text of a document.

    Raises TypeError for types that JSON lacks, and ValueError for numbers that are not finite, for
    lone surrogates, which UTF-8 cannot encode, and for branches that are nested too deeply.
    """
    try:
        return (json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except RecursionError:
        raise ValueError("the branches are nested too deeply for JSON") from None
