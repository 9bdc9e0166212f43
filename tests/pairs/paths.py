"""Pairs for the fixes of paths and trees."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = [
    pair(
        "SGF601",
        "the node above has the property once",
        ("PB[y];PB[y]", "PB[y]"),
        ("PB[y]PB[x];PB[y]", "PB[y]GC[PB: x]"),
    ),
    pair(
        "SGF601",
        "no variation begins between the two nodes",
        ("PB[x];B[aa]RE[B+R]", "PB[x]RE[B+R];B[aa]"),
        ("PB[x](;B[aa]RE[B+R])(;B[bb])", "PB[x]RE[B+R](;B[aa])(;B[bb])"),
    ),
    pair(
        "SGF601",
        "the property is only once in the node",
        ("PB[x];B[aa]PW[y]", "PB[x]PW[y];B[aa]"),
        ("PB[x];B[aa]PW[y]PW[z]", "PB[x]GC[PW: y\nPW: z];B[aa]"),
    ),
    pair(
        "SGF601",
        "the property is only in one node below",
        ("PB[x];B[aa]PW[y];W[bb]PW[z]", "PB[x]PW[y];B[aa];W[bb]PW[z]"),
    ),
    never("SGF601", "the game has another comment", (b"(;FF[4]GC[a];GC[b])", b"(;FF[4]GC[a\nb])")),
    pair(
        "SGF602",
        "no variation begins before the node, in which IP of Hex stays",
        (b"(;FF[4]GM[11];B[a1]IP[]PB[x])", b"(;FF[4]GM[11]PB[x];B[a1]IP[])"),
        (
            b"(;FF[4]GM[11];B[a1](;W[b2]IP[]PB[x])(;W[c3]))",
            b"(;FF[4]GM[11]PB[x];B[a1](;W[b2]IP[])(;W[c3]))",
        ),
    ),
    never(
        "SGF605",
        "the move is in a variation",
        ("(;W[aa](;AE[aa];W[ba])(;B[bb]))(;W[cc])", "(;W[aa](;B[bb]))(;W[ba])(;W[cc])"),
    ),
    never(
        "SGF605",
        "several variations keep their order",
        (
            ";W[aa](;AE[aa];W[ba])(;B[bb])(;AE[aa];W[ef])(;AE[cc];W[dd])(;AE[aa]N[x])",
            "(;W[aa](;B[bb])(;AE[cc];W[dd])(;AE[aa]N[x]))(;W[ba])(;W[ef])",
        ),
    ),
    never(
        "SGF605",
        "another variation takes the move off and plays none",
        (";W[aa](;AE[aa];W[ba])(;AE[aa];B[ef])", "(;W[aa](;AE[aa];B[ef]))(;W[ba])"),
    ),
    never(
        "SGF605",
        "the move that is taken off is the first of several values",
        (";W[aa][bb](;AE[aa];W[ba])(;B[bb])", ";W[aa];W[bb](;AE[aa];W[ba])(;B[bb])"),
    ),
    never(
        "SGF605",
        "the move is in the root",
        ("W[aa](;AE[aa];W[ba])(;B[bb])", "W[aa](;AE[aa];W[ba])(;B[bb])"),
    ),
    never(
        "SGF605",
        "the node does more than take the move off",
        (";W[aa](;AE[aa]C[x];W[ba])(;B[bb])", ";W[aa](;AE[aa]C[x];W[ba])(;B[bb])"),
    ),
    never("SGF605", "the node begins no variation", (";W[aa];AE[aa];W[ba]", ";W[aa];AE[aa];W[ba]")),
    pair(
        "SGF602",
        "no bracket of the node is open",
        (";B[aa]KM[6.5]PB[x]", "KM[6.5]PB[x];B[aa]"),
        (";B[aa]KM[6.5]PB[x;W[bb]", "KM[6.5]PB[x];B[aa];W[bb]"),
    ),
    pair(
        "SGF601",
        "no bracket of the node is open",
        ("KM[6.5];B[aa]PB[x]", "KM[6.5]PB[x];B[aa]"),
        ("KM[6.5];B[aa]PB[x;W[bb]", "KM[6.5]PB[x];B[aa];W[bb]"),
    ),
]
