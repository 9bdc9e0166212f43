"""Strategies for files that readers read in different ways."""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category

from hypothesis import strategies as st

from sgf_lark.text import charsets

#: Charsets of which some have bytes of brackets in characters.
_CHARSETS = ["UTF-8", "GB18030", "GBK", "Big5", "Shift_JIS", "EUC-KR", "ISO-8859-1"]
_NAMES = ["古力", "李世石", "表ソ能", "許功蓋", "予申", "曹薰鉉", "François", "Jiří", "Lee", "한국"]
#: Properties that violate a rule whose fix is safe, or nothing.
_VIOLATIONS = [
    *("", "KM[6,5]", "RE[B+.5]", "TM[1 hour]", "DT[12 March 1994]", "C[a]C[b]", "AP[x]", "HA[2.]"),
    *(";AB[cc]AB[dd]", ";B[cc]W[dd]", ";BR[5 kyu]", ";GB[yes]", ";C[]", ";", ";N[a\0b]"),
]
#: Properties that may be repeated in a node, for all games and for single games.
_REPEATED = [
    *("C[a]", "C[b]", "C[]", "C[a][b]", "N[a]", "N[b]", "N[a][b]", "PB[x]", "PB[y]", "PB[]"),
    *("KM[6]", "KM[6,5]", "KM[]", "KM[6][6]", "GC[a]", "GC[b]", "GB[1]", "GB[2]", "KO[]", "MN[1]"),
    *("BL[6,5]", "BL[6.5]", "PL[B]", "PL[white]", "XX[a]", "XX[b]", "RE[B+R]", "RE[W+R]"),
]
_OF_GAME = {
    1: [
        *("B[aa]", "B[bb]", "B[aa][bb]", "B[]", "W[aa]", "W[bb]", "W[tt]", "AB[aa]", "AB[aa][bb]"),
        *("AW[bb]", "AE[aa]", "AE[aa:bb]", "AB[cc]", "LB[aa:x]", "LB[aa:y]", "TR[aa]", "TR[bb]"),
        *("TR[bb][bb]", "HA[0]", "HA[2]", "HA[]", "DD[]", "DD[aa]", "VW[][aa]", "TB[aa]", "TB[]"),
        *("SZ[9]", "SZ[9:9]"),
    ],
    6: ["AB[a]", "AB[a][a]", "AB[b]", "AW[a]", "AE[a]", "B[31abcd]", "W[42xyz]", "CO[b]", "CV[2]"],
    9: ["AB[a1]", "AB[b1][b1]", "AW[c1]", "B[a1a2]", "B[b1b2]", "W[c1c2]", "IP[All]", "SE[a1]"],
    11: ["AB[a1]", "AB[b1]", "AW[a1]", "B[a1]", "B[b1]", "W[swap]", "W[SWAP]", "W[c1]", "IP[]"],
}  # fmt: skip


@st.composite
def games_in_charsets(draw: st.DrawFn) -> bytes:
    """A collection of up to three games, each in a charset of its own, with names of players."""
    return b"".join(draw(st.lists(_game_in_charset(), min_size=1, max_size=3)))


@st.composite
def _game_in_charset(draw: st.DrawFn) -> bytes:
    """A game in a charset, which CA may not name. Its names may have no escapes where readers of
    bytes need them."""
    charset = draw(st.sampled_from(_CHARSETS))
    codec = charsets.named(charset).codec
    names = [draw(_names(codec)).encode(codec, "ignore") for _ in range(3)]
    if draw(st.booleans()):
        names = [name.replace(b"\\", b"\\\\").replace(b"]", b"\\]") for name in names]
    declared = draw(st.sampled_from([f"CA[{charset}]".encode()] * 3 + [b""]))
    violation = draw(st.sampled_from(_VIOLATIONS)).encode()
    parts = (b"(;FF[4]GM[1]SZ[9]", declared, b"PB[", names[0], b"]PW[", names[1], b"]", violation)
    return b"".join((*parts, b";B[aa]C[", names[2], b"];W[bb])"))


@cache
def _names(codec: str) -> st.SearchStrategy[str]:
    """Names of players, and other letters of a charset.

    `st.characters(codec=...)` would encode each of a million characters once for each charset,
    which takes seconds where Hypothesis has no database from an earlier run.
    """
    letters = [letter for letter in _letters() if _encodes(letter, codec)]
    return st.sampled_from(_NAMES) | st.text(st.sampled_from(letters), max_size=4)


@cache
def _letters() -> list[str]:
    """Letters beyond ASCII, of the larger scripts some; without one that is shown as a blank."""
    codes = (*range(0x80, 0x600), *range(0x600, 0x10000, 7), *range(0x20000, 0x20100))
    return [chr(code) for code in codes if category(chr(code))[0] == "L" and code != 0x3164]


def _encodes(letter: str, codec: str) -> bool:
    try:
        return bool(letter.encode(codec))
    except UnicodeEncodeError:
        return False


#: Parts of texts. How a bracket is written differs from program to program: "[" needs no escape.
_WORDS = ["a", "see", "B", "dd", " ", "\n", ": ", "(", ")", ";"]
_PARTS = [*_WORDS, " ", "[", r"\[", r"\]", r"\]", r"\\"]
_TEXTS = st.lists(st.sampled_from(_PARTS), max_size=8).map("".join)
#: Properties with a text each, of the root and of nodes with a move, and other properties of those.
_TEXTS_OF_ROOT = ["PB", "PW", "GN", "GC", "C", "N"]
_TEXTS_OF_NODE = ["C", "N"]
_WITH_MOVE = ["TR[aa]", "LB[bb:1]", "BL[60]", "WL[50]", "TE[1]", "GB[1]", "\n"]
_WITH_SETUP = ["TR[aa]", "PL[B]", "GB[1]", "AE[ha]", "\n"]
#: A bracket, a parenthesis, a semicolon or an escape.
_STRUCTURE = re.compile(rb"[][();\\]")


@st.composite
def slips(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A file without an error, and a copy in which a bracket, a parenthesis, a semicolon or an
    escape is missing or doubled.

    A text that programs which escape nothing would write in this way is left out, because such
    programs are more frequent than slips: one with a "[" and no escape, which such a program writes
    for a longer text, or one with "][", between two values.
    """
    nodes = ["FF[4]GM[1]CA[UTF-8]SZ[9]" + draw(_properties(_TEXTS_OF_ROOT, []))]
    for number in range(draw(st.integers(0, 4))):
        row = draw(st.sampled_from("abcdefghi"))
        if draw(st.integers(0, 4)):
            move = f"{'BW'[number % 2]}[{'abcde'[number]}{row}]"
            nodes.append(move + draw(_properties(_TEXTS_OF_NODE, _WITH_MOVE)))
        else:
            nodes.append(f"AW[i{row}]" + draw(_properties(_TEXTS_OF_NODE, _WITH_SETUP)))
    branch = draw(st.integers(1, len(nodes)))
    line, rest = nodes[:branch], nodes[branch:]
    trees = _nodes(rest)
    if draw(st.booleans()) and rest:
        trees = f"({trees})({_nodes(rest[:1])})"
    intact = f"({_nodes(line)}{trees})\n".encode()
    places = [found.start() for found in _STRUCTURE.finditer(intact)]
    place = draw(st.sampled_from(places))
    copies = draw(st.sampled_from([0, 2]))
    return intact, intact[:place] + copies * intact[place : place + 1] + intact[place + 1 :]


def _nodes(nodes: list[str]) -> str:
    return "".join(f";{node}" for node in nodes)


@st.composite
def _properties(draw: st.DrawFn, of_text: list[str], others: list[str]) -> str:
    """Properties of a node, at most one for each identifier."""
    chosen = draw(st.lists(st.sampled_from(of_text), max_size=3, unique=True))
    texts = [f"{ident}[{draw(_TEXTS.filter(_is_of_one_writer))}]" for ident in chosen]
    more: list[str] = []
    if others:
        more = draw(st.lists(st.sampled_from(others), max_size=2, unique=True))
    return "".join(draw(st.permutations(texts + more)))


def _is_of_one_writer(text: str) -> bool:
    """Whether only a program that escapes brackets writes the text: see :func:`slips`."""
    is_escaped = "\\" in text or "[" not in text
    return bool(text.strip()) and is_escaped and r"\][" not in text


@st.composite
def surplus_parentheses(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A collection without an error, and a copy with further parentheses around games, variations
    and both, and with empty ones."""
    collection = draw(st.lists(_trees("FF[4]GM[1]", 2), min_size=1, max_size=2))
    intact, damaged = ("".join(texts) for texts in zip(*collection, strict=True))
    return intact.encode(), draw(_wrapped(damaged)).encode()


@st.composite
def _trees(draw: st.DrawFn, properties: str, depth: int) -> tuple[str, str]:
    """A tree that begins with a node with these properties, and a copy with further parentheses."""
    nodes = ["", ";B[aa]C[(]", ";W[bb];B[cc]"]
    sequence = f";{properties}{draw(st.sampled_from(nodes))}"
    below = st.lists(_trees("N[x]", depth - 1), max_size=2) if depth else st.just([])
    variations = draw(below) or [("", "")]
    intact, damaged = ("".join(texts) for texts in zip(*variations, strict=True))
    if intact:
        damaged = draw(_wrapped(damaged))
    return f"({sequence}{intact})", draw(_wrapped(f"({sequence}{damaged})"))


def _wrapped(trees: str) -> st.SearchStrategy[str]:
    """The trees in parentheses, one, several or none, after an empty pair or none."""
    return st.tuples(st.integers(0, 3), st.sampled_from(["", "", "()"])).map(
        lambda how: how[1] + "(" * how[0] + how[1] + trees + ")" * how[0]
    )


@st.composite
def repeated_properties(draw: st.DrawFn) -> bytes:
    """A game in which nodes have properties with the same identifier."""
    game = draw(st.sampled_from(list(_OF_GAME)))
    nodes = st.lists(st.sampled_from(_REPEATED + 2 * _OF_GAME[game]), max_size=5).map("".join)
    root, *others = draw(st.lists(nodes, min_size=1, max_size=4))
    file_format = draw(st.sampled_from(["FF[4]", "FF[3]", ""]))
    tail = draw(st.sampled_from(["", "(;B[ee])(;W[ee])"])) if game == 1 else ""
    return (
        f"(;{file_format}GM[{game}]{root}{''.join(';' + each for each in others)}{tail})".encode()
    )
