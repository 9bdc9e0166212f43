"""Pairs for the fixes of charsets and texts (2xx)."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF203": [
        pair("CA is in the root", ("CA[xyz]", "CA[UTF-8]"), (";CA[xyz]", "CA[UTF-8]")),
        pair(
            "the charset is no guess",
            (b"(;FF[4]GM[1]CA[xyz]C[e])", b"(;FF[4]GM[1]CA[UTF-8]C[e])"),
            (b"(;FF[4]GM[1]CA[xyz]C[\xe9\xe8\xe0])", "(;FF[4]GM[1]CA[UTF-8]C[éèà])".encode()),
        ),
        pair(
            "the value can be a name: it has at most 40 characters",
            (b"(;FF[4]GM[1]CA[" + b"x" * 40 + b"])", "CA[UTF-8]"),
            (b"(;FF[4]GM[1]CA[" + b"x" * 41 + b"])", "CA[UTF-8]"),
        ),
        pair(
            "the value can be a name: it has no brackets",
            ("CA[x y]", "CA[UTF-8]"),
            ("CA[x=y]", "CA[UTF-8]"),
        ),
        pair("the charset has a registered name", ("CA[ cp737]C[x]", "CA[UTF-8]C[x]")),
        pair(
            "the other games are in ASCII, too: some programs take the name for all of them",
            (
                b"(;FF[4]GM[1]CA[xyz];B[aa])(;FF[4]GM[1]C[e])",
                b"(;FF[4]GM[1]CA[UTF-8];B[aa])(;FF[4]GM[1]C[e])",
            ),
            (
                b"(;FF[4]GM[1]CA[xyz];B[aa])(;FF[4]GM[1]C[\xe9])",
                b"(;FF[4]GM[1]CA[UTF-8];B[aa])(;FF[4]GM[1]C[\xe9])",
            ),
        ),
        never(
            "the text is usual in the charset in which it is read",
            (
                b"(;FF[4]GM[1]CA[xyz]C[\x81\x8d\xfe\xff\x90])",
                b"(;FF[4]GM[1]CA[xyz]C[\x81\x8d\xfe\xff\x90])",
            ),
        ),
        never(
            "unusual text stays with the name of a charset, not with other values",
            (
                b"(;FF[4]GM[1]CA[x=y]C[\x81\x8d\xfe\xff\x90])",
                b"(;FF[4]GM[1]CA[ISO-8859-1]C[\x81\x8d\xfe\xff\x90])",
            ),
        ),
        never(
            "the text is usual, but for a byte that is not of the charset",
            (
                b"(;FF[4]GM[1]CA[xyz]C[\xd5\xe2\xca\xc7\xd6\xd0\xce\xc4\xb5\xc4\xce\xa7\xc6\xe5\xbd\xb2\xbd\xe2\xff])",
                "(;FF[4]GM[1]CA[UTF-8]C[这是中文的围棋讲解\ufffd])".encode(),
            ),
        ),
        never(
            "the charset has a registered name, which the text needs",
            (b"(;FF[4]GM[1]CA[cp737]C[\x98\x99])", "(;FF[4]GM[1]CA[UTF-8]C[αβ])".encode()),
        ),
        never(
            "the charset has a registered name, which text before the game may need",
            (b"\xe9(;FF[4]GM[1]CA[ cp737]C[x])", "(;FF[4]GM[1]CA[UTF-8]C[x\nώ])".encode()),
        ),
    ],
    "SGF204": [
        pair(
            "the text is in the charset that CA names",
            (b"(;FF[4]GM[1]CA[ISO8859_1]C[\xe9])", "(;FF[4]GM[1]CA[UTF-8]C[é])".encode()),
            (b"(;FF[4]GM[1]CA[utf8]C[\xe9])", "(;FF[4]GM[1]CA[UTF-8]C[é])".encode()),
        ),
        pair(
            "readers of the old name know the registered one, too",
            ("CA[latin-2]C[x]", "CA[UTF-8]C[x]"),
            (b"\xb1\n(;FF[4]GM[1]CA[cp932];B[aa])", "\n(;FF[4]GM[1]CA[UTF-8]C[ｱ];B[aa])".encode()),
        ),
        never(
            "readers of the old name may not know the registered one",
            (
                b"(;FF[4]GM[1]CA[cp874]C[\xa1\xa2\xfc])",
                b"(;FF[4]GM[1]CA[UTF-8]C[\xe0\xb8\x81\xe0\xb8\x82?])",
            ),
        ),
        pair(
            "or it is not written, as the game is in ASCII",
            ("CA[cp932]C[x]", "CA[UTF-8]C[x]"),
            (b"\xb1\n(;FF[4]GM[1]CA[cp932];B[aa])", "\n(;FF[4]GM[1]CA[UTF-8]C[ｱ];B[aa])".encode()),
        ),
        pair(
            "no byte of ASCII stands for another character, as in HZ",
            ("CA[hz]C[x]", "CA[UTF-8]C[x]"),
            ("CA[hz]C[~{<:Ky2;~}]", "CA[hz]C[~{<:Ky2;~}]"),
        ),
        pair(
            "no byte of ASCII stands for another character, as in ISO-2022-JP",
            ("CA[iso2022_jp]C[x]", "CA[UTF-8]C[x]"),
            ("CA[iso2022_jp]C[\x1b$B@P\x1b(B]", "CA[iso2022_jp]C[\x1b$B@P\x1b(B]"),
        ),
    ],
    "SGF206": [
        never(
            "what cannot be decoded is lost",
            (
                b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9\xc3\xa9\xff])",
                "(;FF[4]GM[1]CA[UTF-8]C[éé�])".encode(),
            ),
        ),
        never(
            "the text can be decoded after its escapes are resolved",
            (
                b"(;FF[4]GM[1]CA[GBK]N[\x95\\\xa5\xa5\x8e])",
                b"(;FF[4]GM[1]CA[GBK]C[N: \x95\\\xa5\xa5\x8e])",
            ),
        ),
    ],
    "SGF208": [
        pair(
            "bytes of ASCII stand for themselves",
            ("CA[UTF-16]C[x]", "CA[UTF-8]C[x]"),
            ("CA[UTF-7]C[+AGE-]", "CA[UTF-7]C[+AGE-]"),
        ),
        pair(
            "no byte of ASCII stands for another character",
            ("CA[UTF-7]C[x]", "CA[UTF-8]C[x]"),
            ("CA[UTF-7]C[+AGE-]", "CA[UTF-7]C[+AGE-]"),
        ),
    ],
    "SGF210": [
        pair(
            "the text is in ASCII",
            (b"(;FF[4]GM[1]CA[]C[x])", b"(;FF[4]GM[1]CA[UTF-8]C[x])"),
            (b"(;FF[4]GM[1]CA[]C[\xe9])", "(;FF[4]GM[1]CA[UTF-8]C[é])".encode()),
        )
    ],
    "SGF211": [pair("a colon after the first one is text", ("LB[aa:p\\]:q]", "LB[aa:p\\]\\:q]"))],
    "SGF213": [never("the blank text touches the other one", ("C[a] [ ]", "C[a\n ]"))],
    "SGF217": [
        never(
            "a property that the node lacks is in the text", ("PB[Lee\nPW[Cho]", "PB[Lee]\nPW[Cho]")
        ),
        never(
            'the "]" before the move is escaped, and belongs to no "["',
            (";B[aa]C[good\\];W[bb];B[cc]", ";B[aa]C[good\\\\];W[bb];B[cc]"),
        ),
        never(
            "the move in the text is the next one",
            (";B[aa]C[good;W[bb];B[cc]", ";B[aa]C[good];W[bb];B[cc]"),
        ),
    ],
    "SGF301": [
        never(
            "the later values are those of the property in the text",
            ("C[goodLB[aa:1][bb:2]", "C[good]LB[aa:1][bb:2]"),
        )
    ],
}
