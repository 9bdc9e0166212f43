"""Pairs for conditions without which some reader would read otherwise."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF301": [
        pair(
            "no other property has text for the comment",
            ("C[a][b]", "C[a\nb]"),
            ("C[a][b]C[a]", "C[a\nb]"),
        ),
        pair("the property is no move", ("KM[6][6]", "KM[6]"), (";B[aa][bb]", ";B[aa];B[bb]")),
    ],
    "SGF303": [
        pair(
            "an empty value is no handicap",
            ("HA[ ]HA[2]", "HA[2]"),
            ("HA[2][0 stones]", "HA[2]GC[HA: 0 stones]"),
        )
    ],
    "SGF319": [
        pair(
            "all variations go on with the same color",
            (
                b"(;FF[4]GM[11];B[a1];W[swap](;W[b2])(;W[c2]))",
                b"(;FF[4]GM[11];B[a1];W[swap-sides](;W[b2])(;W[c2]))",
            ),
            (
                b"(;FF[4]GM[11];B[a1];W[swap](;W[b2])(;B[b2]))",
                b"(;FF[4]GM[11];B[a1];C[W: swap](;W[b2])(;B[b2]))",
            ),
        ),
        pair(
            "the next color is that of the swap",
            (b"(;FF[4]GM[11];B[a1];W[swap];W[b2])", b"(;FF[4]GM[11];B[a1];W[swap-sides];W[b2])"),
        ),
    ],
    "SGF413": [
        pair("there is no other handicap in the node", ("HA[0]", ""), ("HA[0]HA[2]", "HA[2]"))
    ],
    "SGF501": [
        pair(
            "the moves are on empty points",
            (";W[cc];B[aa]B[bb]", ";W[cc];B[aa];B[bb]"),
            (";W[aa];B[aa]B[bb]", ";W[aa];B[aa];B[bb]"),
        ),
        pair("the property is known", ("PB[a]PB[a]", "PB[a]"), ("XX[a]XX[a]", "XX[a]")),
        pair(
            "the checkers are not taken off in between",
            (b"(;FF[4]GM[6]AB[a]AB[a]AE[a])", b"(;FF[4]GM[6]AB[a][a]AE[a])"),
            (b"(;FF[4]GM[6]AB[a]AE[a]AB[a])", b"(;FF[4]GM[6]AB[a][a]AE[a])"),
        ),
        pair("points are listed once", ("AB[aa]AB[aa]", "AB[aa]")),
        pair(
            "marks in Backgammon are not counted",
            (b"(;FF[4]GM[6];TR[a]TR[a])", b"(;FF[4]GM[6];TR[a])"),
        ),
        never("a move has one value", (";B[ee][ef]B[ee][ef]", ";B[ee];B[ef]")),
    ],
    "SGF502": [
        pair(
            "each move of the game is a pass or on a point",
            (";B[aa]W[bb];B[]", ";B[aa];W[bb];B[]"),
            (";B[aa]W[bb];B[zzz]", ";B[aa];W[bb];C[B: zzz]"),
        )
    ],
}
