"""Builds the value of JSON tokens without recursion, with the place of each value in the text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sgf_lark.diagnostics import shorten
from sgf_lark.wei7.findings import Finding, Located, Pointer
from sgf_lark.wei7.tolerant_lexer import Piece


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
    repeated: list[Located]


def build(tokens: Iterable[Piece]) -> Built:
    """The value of tokens that follow the grammar of JSON."""
    outside = Place(0, 0)
    values: list[Any] = []
    repeated = []
    stack: list[tuple[Any, Place, Pointer]] = [(values, outside, Pointer())]
    name: Piece | None = None
    for token in tokens:
        holder, around, pointer = stack[-1]
        if token.type in ("RBRACE", "RSQB"):
            around.end = token.end
            stack.pop()
        elif token.type in ("COMMA", "COLON"):
            continue
        elif isinstance(holder, dict) and name is None:
            name = token
        else:
            value = _value(token)
            place = Place(token.start, token.end)
            key: str | int = len(around.inner)
            if name is not None:
                key, place.name, name = json.loads(name.text), (name.start, name.end), None
                if key in holder:
                    found: dict[str, object] = {"name": f'"{shorten(str(key))}"'}
                    repeated.append(Located("WEI004", *place.name, found, str(pointer / key)))
                holder[key] = value
            else:
                holder.append(value)
            around.inner[key] = place
            if token.type in ("LBRACE", "LSQB"):
                # The pointer of the whole text is the root itself.
                stack.append((value, place, pointer / key if len(stack) > 1 else pointer))
    return Built(values[0], outside.inner[0], repeated)


def _value(token: Piece) -> Any:
    """The value of a token; that of an opening bracket is empty.

    An integer with more digits than Python converts becomes an infinite float.
    """
    if token.type in ("LBRACE", "LSQB"):
        return {} if token.type == "LBRACE" else []
    try:
        return json.loads(token.text)
    except ValueError:
        return float(token.text)


def locate(finding: Finding, root: Place) -> Located:
    """The place of a finding in the text."""
    tokens = finding.pointer.tokens()
    place = root
    for token in tokens if finding.part != "bracket" else tokens[:-1]:
        place = place.inner[token]
    start, end = place.name if finding.part == "name" else (place.start, place.end)
    if finding.part == "bracket":
        end = start + 1
    return Located(finding.code, start, end, finding.values, str(finding.pointer))
