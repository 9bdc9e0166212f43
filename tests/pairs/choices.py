"""Pairs for which fixes are applied where damage makes it uncertain how a file is read."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF107": [
        never(
            "nothing else is fixed before games with other damage are apart",
            (
                "PB[a];B[bb]\n(;GM[1]FF[3]VieW[]PB[b];B[aa]",
                "PB[a];B[bb])\n(;GM[1]FF[3]VieW[]PB[b];B[aa]",
            ),
        ),
        never(
            "a later node that has the properties of a root begins a game",
            (
                b"(;FF[4]GM[1]KM[6,5];B[aa];FF[4]GM[1];B[bb]",
                b"(;FF[4]GM[1]KM[6.5];B[aa])(;FF[4]GM[1];B[bb])",
            ),
        ),
    ],
    "SGF110": [
        never(
            "a repair of that place is planned before the other fixes of the game tree",
            (";AW da][ea][fa]", ";AW[da][ea][fa]"),
        )
    ],
    "SGF119": [never("the open value has no identifier", (b"(;FF[4]GM[1];[", b"(;FF[4]GM[1])"))],
    "SGF122": [
        pair(
            "what is between equal moves is a part of neither",
            (";B[aa]\x01TR[bb]", ";B[aa]TR[bb]"),
            (";B[aa]\x01B[aa]", ";B[aa]"),
        )
    ],
    "SGF213": [
        pair(
            "no program reads the game as another one",
            (b"(;FF[4]GM[go]N[]C[x])", b"(;FF[4]GM[1]C[x])"),
            (b"(;FF[4]GM[chess]N[]C[x])", b"(;FF[4]GM[3]C[x])"),
        )
    ],
    "SGF307": [
        *(
            pair(
                "it is not between two equal moves, which may be of two nodes",
                (outside, "B[aa]B[aa]"),
                ("B[aa]KM[]B[aa]", "B[aa]"),
            )
            for outside in ("KM[]B[aa]B[aa]", "B[aa]B[aa]KM[]")
        )
    ],
    "SGF312": [never("an error without a fix of its own becomes a comment", ("AB[x]", "C[AB: x]"))],
    "SGF415": [
        pair(
            "no value ends in half of a character",
            (
                b"(;FF[4]GM[1]CA[GBK]PB[\xca\xca]KM[6,5])",
                b"(;FF[4]GM[1]CA[GBK]PB[\xca\xca]KM[6.5])",
            ),
            (b"(;FF[4]GM[1]CA[GBK]PB[\xca]KM[6,5])", b"(;FF[4]GM[1]CA[GBK]PB[?]KM[6.5])"),
        ),
        pair(
            "no escape comes after a character of which one byte is a bracket",
            (
                b"(;FF[4]GM[1]CA[Shift_JIS]PB[\x95\\]KM[6,5])",
                "(;FF[4]GM[1]CA[UTF-8]PB[表]KM[6.5])".encode(),
            ),
            (
                b"(;FF[4]GM[1]CA[Shift_JIS]PB[\x83]\\\\a]KM[6,5])",
                "(;FF[4]GM[1]CA[UTF-8]PB[ゾ\\\\a]KM[6.5])".encode(),
            ),
        ),
        pair(
            "in a guessed charset no character with a byte of an escape is at the end of a value",
            (
                b"(;FF[4]GM[1]PB[\xa5j\xa4O]PW[\xb3\\\xa5\\\xbb\\\xa4@]KM[6,5]C[\xa7\xf5\xa5@\xa5\xdb])",
                b"(;FF[4]GM[1]PB[\xa5j\xa4O]PW[\xb3\\\xa5\\\xbb\\\xa4@]KM[6.5]C[\xa7\xf5\xa5@\xa5\xdb])",
            ),
            (
                b"(;FF[4]GM[1]PB[\xa5j\xa4O]PW[\xb3\\\xa5\\\xbb\\]KM[6,5]C[\xa7\xf5\xa5@\xa5\xdb])",
                "(;FF[4]GM[1]PB[古力]PW[許功蓋]KM[6.5]C[李世石]CA[UTF-8])".encode(),
            ),
        ),
        pair(
            "in a guessed charset no character has a byte of a bracket",
            (
                b"(;FF[4]GM[1]PB[\xa5j\xa4O]PW[\xb3\\\xa5\\\xbb\\\xa4@]KM[6,5]C[\xa7\xf5\xa5@\xa5\xdb])",
                b"(;FF[4]GM[1]PB[\xa5j\xa4O]PW[\xb3\\\xa5\\\xbb\\\xa4@]KM[6.5]C[\xa7\xf5\xa5@\xa5\xdb])",
            ),
            (
                b"(;FF[4]GM[1]PB[\xa5j\xa4O]PW[\xb3\\\xa5\\\xa4]\xa4@]KM[6,5]C[\xa7\xf5\xa5@\xa5\xdb])",
                "(;FF[4]GM[1]PB[古力]PW[許功也一]KM[6.5]C[李世石]CA[UTF-8])".encode(),
            ),
        ),
        pair(
            "the tree has no damage, or damage that is fixed safely",
            ("KM[6,5],", "KM[6.5]"),
            ("KM[6,5]5", "KM[6.5]"),
        ),
        pair(
            'no value has the header of another game in it, before which its "]" may be lost',
            ("KM[6,5]C[a)(;B[aa]", "KM[6.5]C[a)(;B[aa]"),
            ("KM[6,5]C[a)(;FF[4]GM[1];B[aa]", "KM[6.5]C[a])(;FF[4]GM[1];B[aa]"),
        ),
        pair(
            "no small letters are in the identifier",
            (b"(;KM[6,5]FF[3]GM[1])", b"(;KM[6.5]FF[3]GM[1])"),
            (b"(;KoMi[6,5]FF[3]GM[1])", b"(;KoMi[6.5]FF[3]GM[1])"),
        ),
        pair(
            "damage without a fix is in another tree",
            ("c1[x])(;FF[4]GM[1]KM[6,5]", "c1[x])(;FF[4]GM[1]KM[6.5]"),
            (")(;FF[4]GM[1]c1[x]KM[6,5]", ")(;FF[4]GM[1]c1[x]KM[6.5]"),
        ),
        pair(
            "the text before the games has no bracket",
            (b"x(;FF[4]GM[1]KM[6,5])", b"x(;FF[4]GM[1]KM[6.5])"),
            (b"[(;FF[4]GM[1]KM[6,5])", b"(;FF[4]GM[1]KM[6.5]C[[])"),
        ),
        pair(
            "the text before the games closes no value",
            (b"x(;FF[4]GM[1]KM[6,5])", b"x(;FF[4]GM[1]KM[6.5])"),
            (b"](;FF[4]GM[1]KM[6,5])", b"(;FF[4]GM[1]KM[6.5]C[\\]])"),
        ),
        pair(
            "the text between the games has no bracket",
            (")x(;FF[4]GM[1]KM[6,5]", ")x(;FF[4]GM[1]KM[6.5]"),
            (")[(;FF[4]GM[1]KM[6,5]", "C[[])(;FF[4]GM[1]KM[6.5]"),
        ),
        pair(
            "the size of the board is there once",
            ("SZ[9]KM[6,5]", "SZ[9]KM[6.5]"),
            ("SZ[9]SZ[19]KM[6,5]", "SZ[9]C[SZ: 19]KM[6.5]"),
        ),
        pair(
            "nothing is over the file, also where a later game begins",
            (
                b"(;FF[4]GM[1]\n;B[aa])\n(;FF[4]GM[1]KM[6,5]\n;B[aa];W[bb])\n",
                b"(;FF[4]GM[1]\n;B[aa])\n(;FF[4]GM[1]KM[6.5]\n;B[aa];W[bb])\n",
            ),
            (
                b"> (;FF[4]GM[1]\n> ;B[aa])\n> (;FF[4]GM[1]KM[6,5]\n> ;B[aa];W[bb])\n",
                b"(;FF[4]GM[1]\n;B[aa])\n(;FF[4]GM[1]KM[6.5]\n;B[aa];W[bb])\n",
            ),
        ),
        pair(
            "a named charset: the byte of an escape is not before another escape",
            (
                b"(;FF[4]GM[1]CA[Shift_JIS]PB[\x95\\]KM[6,5])",
                "(;FF[4]GM[1]CA[UTF-8]PB[表]KM[6.5])".encode(),
            ),
            (
                b"(;FF[4]GM[1]CA[Shift_JIS]PB[\x95\\\\]a]KM[6,5])",
                "(;FF[4]GM[1]CA[UTF-8]PB[表\\]a]KM[6.5])".encode(),
            ),
        ),
    ],
    "SGF426": [never("brackets in a value without an error stay", ("BR[(9)d]", "BR[(9)d]"))],
    "SGF434": [
        never(
            "equal moves are changed all or none",
            (b"(;FF[3]GM[1]B[]B[]B[])", b"(;FF[3]GM[1]B[tt];B[tt];B[tt])"),
        )
    ],
    "SGF501": [
        pair(
            "no value is open at the end of the file",
            (b"(;FF[4]GM[1]C[a]C[b])", b"(;FF[4]GM[1]C[a\nb])"),
            (b"(;FF[4]GM[1]c1[x]C[a]C[b", b"(;FF[4]GM[1]c1[x]C[a\nb])"),
        ),
        pair("several findings share one fix", ("AB[aa]AB[bb]AB[cc]", "AB[aa][bb][cc]")),
    ],
    "SGF503": [
        pair(
            "what is between equal moves is a part of neither, nor of the setup before them",
            (";W[bb]AB[aa]", ";AB[aa];W[bb]"),
            (";W[bb]AB[aa]W[bb]", ";AB[aa];W[bb]"),
        )
    ],
}
