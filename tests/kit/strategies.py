"""Strategies for files that readers read in different ways."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from sgf_lark.text import charsets

#: Charsets of which some have bytes of brackets in characters, and a game without CA.
_CHARSETS = ["UTF-8", "GB18030", "GBK", "Big5", "Shift_JIS", "EUC-KR", "ISO-8859-1", ""]
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
    """A game in a charset. Its names may have no escapes where readers of bytes need them."""
    charset = draw(st.sampled_from(_CHARSETS))
    codec = charsets.named(charset or "UTF-8").codec
    names = [draw(_names(codec)).encode(codec, "ignore") for _ in range(3)]
    if draw(st.booleans()):
        names = [name.replace(b"\\", b"\\\\").replace(b"]", b"\\]") for name in names]
    declared = f"CA[{charset}]".encode() if charset else b""
    violation = draw(st.sampled_from(_VIOLATIONS)).encode()
    parts = (b"(;FF[4]GM[1]SZ[9]", declared, b"PB[", names[0], b"]PW[", names[1], b"]", violation)
    return b"".join((*parts, b";B[aa]C[", names[2], b"];W[bb])"))


@cache
def _names(codec: str) -> st.SearchStrategy[str]:
    """Names of players, and other letters of a charset."""
    letters = st.characters(
        min_codepoint=0x80, codec=codec, categories=["L"], exclude_characters="\u3164"
    )
    return st.sampled_from(_NAMES) | st.text(letters, max_size=4)


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
