"""A small parser with ten bugs that are planted, for tests of the fuzzer.

Each bug is one line of :func:`_fail`, by name; an eleventh is in it only on request.
"""

from __future__ import annotations

import re
from typing import Any

from sgf_lark.fuzz.canonical import Games, canonical

_OUTSIDE = re.compile(rb"\[(?:[^\]\\]|\\.)*\]", re.DOTALL)
_VALUE = re.compile(rb"([A-Z]+)((?:[ \t\n\r\v\f]*\[(?:[^\]\\]|\\.)*\])+)", re.DOTALL)


class BrokenParserError(Exception):
    """What the parser raises where it should not."""


def ten_bugs(data: bytes) -> Games:
    """Parse with ten bugs."""
    return _parse(data)


def eleven_bugs(data: bytes) -> Games:
    """Parse with one bug more."""
    if re.search(rb"DM[ \t\n\r\v\f]*\[", _blank_texts(data)):
        raise BrokenParserError("DM")
    return _parse(data)


def _parse(data: bytes) -> Games:
    between = _OUTSIDE.sub(b"[]", data)
    if data.startswith(b"\xef\xbb\xbf"):
        raise BrokenParserError("1: byte order mark")
    if b"\v" in between:
        raise ValueError(f"2: line {data[: data.find(11)].count(10)}: unexpected character")
    tree = canonical(data)
    numbers = {ident: values for game in tree for ident, values in _properties(game)}
    if numbers.get("KM", [""])[0].startswith("-"):
        raise BrokenParserError("3: negative komi")
    if "SZ" in numbers and re.fullmatch("[0-9]+", numbers["SZ"][0]) and int(numbers["SZ"][0]) > 25:
        raise ValueError(f"4: size {numbers['SZ'][0]}")
    if any(":" in value for ident, values in _all(tree) if ident in _POINTS for value in values):
        raise IndexError("5: compressed")
    if re.search(rb"\)[ \t\n\r\v\f]*\([ \t\n\r\v\f]*;", between) and len(tree) > 1:
        tree = tree[:1]
    return [_wrong(game) for game in tree]


_POINTS = frozenset({"AB", "AW", "AE", "TR", "CR", "MA", "SL", "SQ", "TB", "TW", "DD", "VW"})


def _blank_texts(data: bytes) -> bytes:
    return _OUTSIDE.sub(b"[]", data)


def _properties(game: list[dict[str, Any]]) -> Any:
    return [(ident, values) for node in game for ident, values in node["properties"]]


def _all(tree: Games) -> Any:
    return [pair for game in tree for pair in _properties(game)]


def _wrong(game: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for node in game:
        properties = []
        for ident, values in node["properties"]:
            if ident == "ST":
                continue
            if ident == "LB":
                values = values[:1]
            if ident == "B" and values == ["tt"]:
                values = [""]
            properties.append([ident, [value.replace("\\\\", "/") for value in values]])
        made.append({**node, "properties": properties})
    return made
