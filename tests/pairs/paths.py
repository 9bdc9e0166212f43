"""Pairs for the fixes of paths and trees."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF601": [
        pair(
            "the node above has the property once",
            ("PB[y];PB[y]", "PB[y]"),
            ("PB[y]PB[x];PB[y]", "PB[y]GC[PB: x]"),
        ),
        pair(
            "no variation begins between the two nodes",
            ("PB[x];B[aa]RE[B+R]", "PB[x]RE[B+R];B[aa]"),
            ("PB[x](;B[aa]RE[B+R])(;B[bb])", "PB[x]RE[B+R](;B[aa])(;B[bb])"),
        ),
        pair(
            "the property is only once in the node",
            ("PB[x];B[aa]PW[y]", "PB[x]PW[y];B[aa]"),
            ("PB[x];B[aa]PW[y]PW[z]", "PB[x]GC[PW: y\nPW: z];B[aa]"),
        ),
        pair(
            "the property is only in one node below",
            ("PB[x];B[aa]PW[y];W[bb]PW[z]", "PB[x]PW[y];B[aa];W[bb]PW[z]"),
        ),
        never("the game has another comment", (b"(;FF[4]GC[a];GC[b])", b"(;FF[4]GC[a\nb])")),
        pair(
            "no bracket of the node is open",
            ("KM[6.5];B[aa]PB[x]", "KM[6.5]PB[x];B[aa]"),
            ("KM[6.5];B[aa]PB[x;W[bb]", "KM[6.5]PB[x];B[aa];W[bb]"),
        ),
    ],
    "SGF602": [
        pair(
            "no variation begins before the node, in which IP of Hex stays",
            (b"(;FF[4]GM[11];B[a1]IP[]PB[x])", b"(;FF[4]GM[11]PB[x];B[a1]IP[])"),
            (
                b"(;FF[4]GM[11];B[a1](;W[b2]IP[]PB[x])(;W[c3]))",
                b"(;FF[4]GM[11]PB[x];B[a1](;W[b2]IP[])(;W[c3]))",
            ),
        ),
        pair(
            "no bracket of the node is open",
            (";B[aa]KM[6.5]PB[x]", "KM[6.5]PB[x];B[aa]"),
            (";B[aa]KM[6.5]PB[x;W[bb]", "KM[6.5]PB[x];B[aa];W[bb]"),
        ),
    ],
    "SGF605": [
        never(
            "the move is in a variation",
            ("(;W[aa](;AE[aa];W[ba])(;B[bb]))(;W[cc])", "(;W[aa](;B[bb]))(;W[ba])(;W[cc])"),
        ),
        never(
            "several variations keep their order",
            (
                ";W[aa](;AE[aa];W[ba])(;B[bb])(;AE[aa];W[ef])(;AE[cc];W[dd])(;AE[aa]N[x])",
                "(;W[aa](;B[bb])(;AE[cc];W[dd])(;AE[aa]N[x]))(;W[ba])(;W[ef])",
            ),
        ),
        never(
            "another variation takes the move off and plays none",
            (";W[aa](;AE[aa];W[ba])(;AE[aa];B[ef])", "(;W[aa](;AE[aa];B[ef]))(;W[ba])"),
        ),
        never(
            "the move that is taken off is the first of several values",
            (";W[aa][bb](;AE[aa];W[ba])(;B[bb])", ";W[aa];W[bb](;AE[aa];W[ba])(;B[bb])"),
        ),
        never(
            "the move is in the root",
            ("W[aa](;AE[aa];W[ba])(;B[bb])", "W[aa](;AE[aa];W[ba])(;B[bb])"),
        ),
        never(
            "the node does more than take the move off",
            (";W[aa](;AE[aa]C[x];W[ba])(;B[bb])", ";W[aa](;AE[aa]C[x];W[ba])(;B[bb])"),
        ),
        never("the node begins no variation", (";W[aa];AE[aa];W[ba]", ";W[aa];AE[aa];W[ba]")),
    ],
}
