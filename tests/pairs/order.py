"""Pairs for the order of moves and setup in a node."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF301": [
        never(
            "the second value of the move has words",
            (";B[aa][a move];W[bb][c c]", ";B[aa]C[a move];W[bb];W[cc]"),
        )
    ],
    "SGF501": [
        never(
            "the moves are one that is written in two ways",
            (b"(;FF[4]GM[11];B[a1]B[A1])", b"(;FF[4]GM[11];B[a1];B[A1])"),
        ),
        never(
            "what is a pass is known in Go only",
            (b"(;FF[4]GM[11];B[a1]B[a1])", b"(;FF[4]GM[11];B[a1])"),
        ),
        pair(
            "the points of other setup between are known",
            ("AB[aa]AW[cc]AB[bb]", "AB[aa][bb]AW[cc]"),
            ("AB[aa]AW[b b]AB[bb]", "AB[aa][bb]C[AW: bb]"),
        ),
        pair(
            "the points of setup around other setup are known",
            ("AB[a a]XX[y]PL[W]AB[bb]", "AB[aa][bb]XX[y]PL[W]"),
            ("AB[aa]AW[bb]AB[b b]", "AB[aa][bb]C[AW: bb]"),
        ),
        pair(
            "no move is between the comments",
            (";B[aa]C[a]C[b]", ";B[aa]C[a\nb]"),
            (";B[aa]C[a]W[bb]C[b]", ";B[aa]C[a];W[bb]C[b]"),
        ),
        pair(
            "no bracket of a text is open",
            (";B[aa]C[good]C[bad]", ";B[aa]C[good\nbad]"),
            (";B[aa]C[good;W[bb]C[bad]", ";B[aa]C[good];W[bb]C[bad]"),
        ),
        pair(
            'each "[" of the text is closed, by an escaped "]"',
            ("C[[a\\] b]C[c]", "C[[a\\] b\nc]"),
            ("C[[a b]C[c]", "C[[a b\nc]"),
        ),
        pair(
            'the "]" comes after the "[" that it closes',
            ("C[\\][a\\]]C[c]", "C[\\][a\\]\nc]"),
            ("C[\\][a]C[c]", "C[\\][a\nc]"),
        ),
        pair(
            'what is escaped is a "]"',
            ("C[[a\\]]C[c]", "C[[a\\]\nc]"),
            ("C[[a\\x]C[c]", "C[[a\\x\nc]"),
        ),
        pair(
            "the open bracket is in the last of the texts",
            (";C[a]C[b[]", ";C[a\nb[]"),
            (";C[b[]C[a]", ";C[b[\na]"),
        ),
        pair(
            "root properties and game information stay in the root, whoever moves",
            ("W[aa]W[bb]PB[x]SZ[9]", "W[aa]PB[x]SZ[9];W[bb]"),
            ("W[aa]W[bb]SZ[9]C[x]PB[x]", "W[aa]SZ[9]PB[x];W[bb]C[x]"),
        ),
        never("the pass is certain: other values are no two moves", (";B[!!]B[!!]", ";C[B: !!]")),
        never("equal moves may be two", (";B[aa]B[aa]", ";B[aa]")),
        never("equal passes are two", (";W[]W[]", ";W[];W[]")),
        pair(
            "the texts follow each other: what is between may begin another node",
            (";AB[aa]C[x]C[y]", ";AB[aa]C[x\ny]"),
            (";C[x]AB[aa]C[y]", ";C[x\ny]AB[aa]"),
        ),
        pair(
            "equal names follow each other",
            (";N[x]N[x]CR[aa]", ";N[x]CR[aa]"),
            (";N[x]CR[aa]N[x]", ";N[x]CR[aa]"),
        ),
        pair(
            "the open bracket is in the last comment on the game",
            ("GC[a]GC[b[]", "GC[a\nb[]"),
            ("GC[b[]GC[a]", "GC[b[\na]"),
        ),
        never(
            "the comments are of two nodes, of which the moves are equal",
            (";B[aa]C[x]B[aa]C[y]", ";B[aa]C[x\ny]"),
        ),
    ],
    "SGF502": [
        pair(
            "game information and root properties are in the node once",
            (";B[aa]SZ[9]W[bb]", ";B[aa]SZ[9];W[bb]"),
            (";B[aa]SZ[9]W[bb]SZ[9]", "SZ[9];B[aa];W[bb]"),
        ),
        pair(
            "root properties and game information stay in the root",
            (b"(;GM[1]B[aa]W[bb]FF[4]SZ[9])", b"(;GM[1]B[aa]FF[4]SZ[9];W[bb])"),
            (b"(;FF[4]GM[1]W[bb]B[aa]SZ[9]KM[6.5])", b"(;FF[4]GM[1]W[bb]SZ[9]KM[6.5];B[aa])"),
        ),
        pair(
            "no identifier has small letters",
            (b"(;FF[3]GM[1];B[aa]W[bb])", b"(;FF[3]GM[1];B[aa];W[bb])"),
            (b"(;FF[3]GM[1];Black[aa]W[bb])", b"(;FF[3]GM[1];Black[aa];W[bb])"),
        ),
    ],
    "SGF503": [
        never("the position before is not known", (";B[x];W[bb]AB[cc]", ";C[B: x];AB[cc];W[bb]")),
        pair("no stone is set up", (b"(;FF[4]GM[3];B[e4]PL[W])", b"(;FF[4]GM[3];B[e4];PL[W])")),
    ],
}
