"""A small parser without bugs, and usual bugs that can be planted in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sgf_lark.text import charsets


@dataclass(frozen=True)
class Bug:
    """A bug: how a parser comes to have it, and the causes that name it (regular expressions)."""

    title: str
    causes: tuple[str, ...]


BUGS = {
    "escapes": Bug("A backslash before a character stays", (r"escape",)),
    "soft_line_breaks": Bug("An escaped line break is a line break", (r"soft line break",)),
    "two_byte_line_breaks": Bug(
        "Both bytes of a line break count",
        (r"(carriage return|line feed) (line|carriage)", r"of two bytes"),
    ),
    "escaped_colon": Bug(
        "A label is cut at each colon, also at an escaped one", (r"escaped “:” in LB",)
    ),
    "one_column": Bug("Rectangles have at least two columns", (r"one column",)),
    "empty_list": Bug("A list of points has at least one", (r"nothing between the brackets",)),
    "lowercase": Bug("Lowercase letters are no part of an identifier", (r"lowercase letters",)),
    "variations": Bug("The last variation is read first", (r"several variations",)),
    "byte_order_mark": Bug("A byte order mark is a crash", (r"byte order mark",)),
    "charset": Bug("CA is ignored: all text is in UTF-8", (r"character outside ASCII",)),
    "numbers": Bug("Numbers have 32 bits", (r"number 21474836\d\d or more",)),
    "depth": Bug("The parser is recursive", (r"nested 20\d deep",)),
    "text_after": Bug("Something follows the last parenthesis", (r"after the last game tree",)),
    "double": Bug(
        "A Double is 1", (r"Double “2”", r"“2” in \w\w|number 2 in", r"^(DM|GB|GW|UC|HO|BM|TE)$")
    ),
}
#: Bugs of the same kind, which are measured one at a time.
VARIANTS = {
    "charset_latin_1": Bug("CA is ignored: all text is in Latin-1", BUGS["charset"].causes),
    "charset_strict": Bug("CA is ignored: no UTF-8 is an error", BUGS["charset"].causes),
    "numbers_64": Bug("Numbers have 64 bits", (r"number 92233720368547758\d\d or more",)),
    "second_value": Bug("A value after white space is lost", (r"white space between two values",)),
    "long_identifiers": Bug("Identifiers have two letters", (r"identifier of 3 letters or more",)),
    "trailing": Bug("White space at the end is lost", (r"white space .*at the end in",)),
    "leading": Bug("White space at the beginning is lost", (r"white space .*at the beginning in",)),
    "stripped": Bug("White space around a value is lost", (r"white space .*at the beginning",)),
    "indented": Bug("White space after a line break is lost", (r"white space after a line break",)),
    "third_game": Bug("There are two games at most", (r"^3 game trees or more$",)),
    "surrogates": Bug("Characters have 16 bits", (r"character above U\+FFFF in",)),
    "buffer": Bug("The escape at byte 4,096 is none", (r"^escape.* with 40\d\d bytes or more",)),
    "blocks": Bug("A backslash at the end of a block is lost", (r"an escape cut in two",)),
    "block_starts": Bug("A backslash after a block is none", (r"an escape at a multiple",)),
    "empty_node": Bug("A node has a property", (r"^a node without properties$",)),
}

_GAP = rb"[ \t\n\r\v\f]*"
_TOKEN = re.compile(
    rb"(?P<open>\()|(?P<close>\))|(?P<node>;)|(?P<ident>[A-Za-z]+)"
    rb"|\[(?P<value>(?:[^\]\\]|\\.)*)\]|(?P<gap>[ \t\n\r\v\f]+)",
    re.DOTALL,
)
_BREAK = re.compile(rb"\r\n|\n\r|\r|\n")
_ESCAPE = re.compile(rb"\\(\r\n|\n\r|.)", re.DOTALL)
_DOUBLES = frozenset({"DM", "GB", "GW", "UC", "HO", "BM", "TE"})
_LISTS = frozenset({"DD", "VW", "AB", "AW", "AE", "TR", "CR", "MA", "SL", "SQ", "TB", "TW"})
_NUMBERS = frozenset({"MN", "OB", "OW", "PM", "HA", "SE"})


class BrokenParserError(Exception):
    """What the parser raises where it should not."""


Node = dict[str, Any]


def parse(data: bytes, bugs: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the canonical tree of a file. Raises ValueError for what is no SGF."""
    if bugs & {"blocks", "block_starts"}:
        data = _read_in_blocks(data, bugs)
    has_mark = data.startswith(b"\xef\xbb\xbf")
    if has_mark and "byte_order_mark" in bugs:
        raise BrokenParserError("unknown character")
    games = [_values(nodes, has_mark, bugs) for nodes in _trees(data[3 * has_mark :], bugs)]
    if len(games) > 2 and "third_game" in bugs:
        raise BrokenParserError("too many games")
    if "empty_node" in bugs and not all(node["properties"] for nodes in games for node in nodes):
        raise BrokenParserError("no property")
    if "variations" in bugs:
        games = [_reversed_variations(nodes) for nodes in games]
    return {"form": "text", "games": games}


def _read_in_blocks(data: bytes, bugs: frozenset[str]) -> bytes:
    """Return the file as a reader sees it that knows only the escapes inside of a block."""
    escapes = {found.start() for found in _ESCAPE.finditer(data)}
    before = 1 if "blocks" in bugs else 0
    lost = escapes & {end - before for end in range(4096, len(data), 4096)}
    return bytes(byte for place, byte in enumerate(data) if place not in lost)


def _trees(data: bytes, bugs: frozenset[str]) -> Iterator[list[Node]]:
    """Yield the nodes of each game tree, with raw values."""
    nodes: list[Node] = []
    starts: list[int | None] = []
    here: int | None = None
    depth = end = 0
    for token in _tokens(data, bugs):
        kind, text = token.lastgroup, token[token.lastgroup or 0]
        if kind == "open":
            starts.append(here)
            depth += 1
            _check_depth(depth, bugs)
        elif kind == "close":
            here = starts.pop()
            depth -= 1
            if not nodes:
                raise ValueError("a game tree without nodes")
            if not depth:
                yield nodes
                nodes, end = [], token.end()
        elif kind == "node":
            nodes.append({"parent": here, "properties": []})
            here = len(nodes) - 1
        elif kind != "gap":
            _add(kind, text, nodes, bugs)
    if depth:
        raise ValueError("a parenthesis is missing")
    if "text_after" in bugs and data[end:].strip():
        raise BrokenParserError("what is this?")


def _check_depth(depth: int, bugs: frozenset[str]) -> None:
    if depth > 200 and "depth" in bugs:
        raise RecursionError("maximum recursion depth exceeded")


def _add(kind: str | None, text: bytes, nodes: list[Node], bugs: frozenset[str]) -> None:
    """Add an identifier or a value to the last node."""
    if kind == "ident" and nodes:
        nodes[-1]["properties"].append([_identifier(text, nodes, bugs), []])
    elif kind == "value" and nodes and nodes[-1]["properties"]:
        nodes[-1]["properties"][-1][1].append(text)
    else:
        raise ValueError("a property or a value is out of place")


def _tokens(data: bytes, bugs: frozenset[str]) -> Iterator[re.Match[bytes]]:
    """Yield the tokens; text before and after the game trees is skipped."""
    at = data.find(b"(")
    if at < 0:
        raise ValueError("no game tree")
    depth = 0
    kinds: list[str | None] = [None, None]
    while at < len(data):
        token = _TOKEN.match(data, at)
        if token is None or (depth == 0 and token.lastgroup != "open"):
            if depth:
                raise ValueError("unknown character")
            at += 1
            continue
        depth += (token.lastgroup == "open") - (token.lastgroup == "close")
        at = token.end()
        kinds = [*kinds[-2:], token.lastgroup]
        if "second_value" not in bugs or kinds != ["value", "gap", "value"]:
            yield token


def _identifier(text: bytes, nodes: list[Node], bugs: frozenset[str]) -> str:
    if not text.isupper():
        if "lowercase" in bugs:
            raise ValueError("unknown character in an identifier")
        if b"4" in dict(nodes[0]["properties"]).get("FF", []):
            raise ValueError("a lowercase letter")
    name = re.sub("[a-z]", "", text.decode())
    if len(name) > 2 and "long_identifiers" in bugs:
        raise ValueError("an identifier of more than two letters")
    return name


def _values(nodes: list[Node], has_mark: bool, bugs: frozenset[str]) -> list[Node]:
    """Return the nodes with values as text."""
    root = dict(nodes[0]["properties"])
    charset, _ = charsets.lookup((root.get("CA") or [b""])[0].decode("latin-1").strip())
    codec = "utf-8" if has_mark else charset.codec if charset is not None else "latin-1"
    if "charset" in bugs or "charset_strict" in bugs:
        codec = "utf-8"
    if "charset_latin_1" in bugs:
        codec = "latin-1"
    errors = "strict" if "charset_strict" in bugs else "replace"

    def value(ident: str, raw: bytes) -> str:
        text = _unescaped(raw, bugs).decode(codec, errors)
        _check(ident, raw, text, bugs)
        if bugs & {"trailing", "stripped"}:
            text = text.rstrip()
        if bugs & {"leading", "stripped"}:
            text = text.lstrip()
        if "indented" in bugs:
            text = re.sub("\n +", "\n", text)
        if "surrogates" in bugs:
            text = "".join(chr(ord(character) & 0xFFFF) for character in text)
        return "1" if ident in _DOUBLES and "double" in bugs else text

    return [
        {
            "parent": node["parent"],
            "properties": [
                [ident, [value(ident, raw) for raw in raws]] for ident, raws in node["properties"]
            ],
        }
        for node in nodes
    ]


def _unescaped(raw: bytes, bugs: frozenset[str]) -> bytes:
    def escaped(found: re.Match[bytes]) -> bytes:
        text = found[1]
        if text[:1] in b"\r\n":
            return b"\n" if "soft_line_breaks" in bugs else b""
        return b"\\" + text if "escapes" in bugs else text

    parts = []
    start = 0
    for found in _ESCAPE.finditer(raw):
        if found.start() == 4096 and "buffer" in bugs:
            continue
        parts += [_breaks(raw[start : found.start()], bugs), escaped(found)]
        start = found.end()
    return b"".join([*parts, _breaks(raw[start:], bugs)])


def _breaks(text: bytes, bugs: frozenset[str]) -> bytes:
    if "two_byte_line_breaks" in bugs:
        return text.replace(b"\r", b"\n")
    return _BREAK.sub(b"\n", text)


def _check(ident: str, raw: bytes, text: str, bugs: frozenset[str]) -> None:
    if ident == "LB" and "escaped_colon" in bugs:
        _, _ = raw.split(b":")
    ends = re.fullmatch("([a-zA-Z])([a-zA-Z]):([a-zA-Z])([a-zA-Z])", text)
    if ident in _LISTS and ends and ends[1] == ends[3] and "one_column" in bugs:
        raise BrokenParserError("empty range")
    if ident in _LISTS and not text and "empty_list" in bugs:
        raise IndexError("string index out of range")
    if ident in _NUMBERS and re.fullmatch("[+-]?[0-9]+", text):
        for name, bits in (("numbers", 31), ("numbers_64", 63)):
            if name in bugs and int(text) >= 1 << bits:
                raise OverflowError("number too large")


def _reversed_variations(nodes: list[Node]) -> list[Node]:
    children: dict[int | None, list[int]] = {}
    for index, node in enumerate(nodes):
        children.setdefault(node["parent"], []).append(index)
    made: list[Node] = []
    stack: list[tuple[int, int | None]] = [(0, None)]
    while stack:
        index, parent = stack.pop()
        made.append({"parent": parent, "properties": nodes[index]["properties"]})
        stack += [(child, len(made) - 1) for child in children.get(index, [])]
    return made
