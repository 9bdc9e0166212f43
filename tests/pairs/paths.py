"""Pairs for the fixes of paths and trees."""

from __future__ import annotations

from tests.pairs import Pair, never

PAIRS = [
    Pair(
        "SGF601",
        "the node above has the property once",
        b"(;FF[4]GM[1]PB[y];PB[y])",
        b"(;FF[4]GM[1]PB[y])",
        b"(;FF[4]GM[1]PB[y]PB[x];PB[y])",
        b"(;FF[4]GM[1]PB[y]GC[PB: x])",
    ),
    Pair(
        "SGF601",
        "no variation begins between the two nodes",
        b"(;FF[4]GM[1]PB[x];B[aa]RE[B+R])",
        b"(;FF[4]GM[1]PB[x]RE[B+R];B[aa])",
        b"(;FF[4]GM[1]PB[x](;B[aa]RE[B+R])(;B[bb]))",
        b"(;FF[4]GM[1]PB[x]RE[B+R](;B[aa])(;B[bb]))",
    ),
    Pair(
        "SGF601",
        "the property is only once in the node",
        b"(;FF[4]GM[1]PB[x];B[aa]PW[y])",
        b"(;FF[4]GM[1]PB[x]PW[y];B[aa])",
        b"(;FF[4]GM[1]PB[x];B[aa]PW[y]PW[z])",
        b"(;FF[4]GM[1]PB[x]GC[PW: y\nPW: z];B[aa])",
    ),
    Pair(
        "SGF601",
        "the property is only in one node below",
        b"(;FF[4]GM[1]PB[x];B[aa]PW[y];W[bb]PW[z])",
        b"(;FF[4]GM[1]PB[x]PW[y];B[aa];W[bb]PW[z])",
    ),
    never("SGF601", "the game has another comment", b"(;FF[4]GC[a];GC[b])", b"(;FF[4]GC[a\nb])"),
    Pair(
        "SGF602",
        "no variation begins before the node, in which IP of Hex stays",
        b"(;FF[4]GM[11];B[a1]IP[]PB[x])",
        b"(;FF[4]GM[11]PB[x];B[a1]IP[])",
        b"(;FF[4]GM[11];B[a1](;W[b2]IP[]PB[x])(;W[c3]))",
        b"(;FF[4]GM[11]PB[x];B[a1](;W[b2]IP[])(;W[c3]))",
    ),
    never(
        "SGF605",
        "the move is in a variation",
        b"(;FF[4]GM[1](;W[aa](;AE[aa];W[ba])(;B[bb]))(;W[cc]))",
        b"(;FF[4]GM[1](;W[aa](;B[bb]))(;W[ba])(;W[cc]))",
    ),
    never(
        "SGF605",
        "several variations keep their order",
        b"(;FF[4]GM[1];W[aa](;AE[aa];W[ba])(;B[bb])(;AE[aa];W[ef])(;AE[cc];W[dd])(;AE[aa]N[x]))",
        b"(;FF[4]GM[1](;W[aa](;B[bb])(;AE[cc];W[dd])(;AE[aa]N[x]))(;W[ba])(;W[ef]))",
    ),
    never(
        "SGF605",
        "another variation takes the move off and plays none",
        b"(;FF[4]GM[1];W[aa](;AE[aa];W[ba])(;AE[aa];B[ef]))",
        b"(;FF[4]GM[1](;W[aa](;AE[aa];B[ef]))(;W[ba]))",
    ),
    never(
        "SGF605",
        "the move that is taken off is the first of several values",
        b"(;FF[4]GM[1];W[aa][bb](;AE[aa];W[ba])(;B[bb]))",
        b"(;FF[4]GM[1];W[aa];W[bb](;AE[aa];W[ba])(;B[bb]))",
    ),
    never(
        "SGF605",
        "the move is in the root",
        b"(;FF[4]GM[1]W[aa](;AE[aa];W[ba])(;B[bb]))",
        b"(;FF[4]GM[1]W[aa](;AE[aa];W[ba])(;B[bb]))",
    ),
    never(
        "SGF605",
        "the node does more than take the move off",
        b"(;FF[4]GM[1];W[aa](;AE[aa]C[x];W[ba])(;B[bb]))",
        b"(;FF[4]GM[1];W[aa](;AE[aa]C[x];W[ba])(;B[bb]))",
    ),
    never(
        "SGF605",
        "the node begins no variation",
        b"(;FF[4]GM[1];W[aa];AE[aa];W[ba])",
        b"(;FF[4]GM[1];W[aa];AE[aa];W[ba])",
    ),
    Pair(
        "SGF602",
        "no bracket of the node is open",
        b"(;FF[4]GM[1];B[aa]KM[6.5]PB[x])",
        b"(;FF[4]GM[1]KM[6.5]PB[x];B[aa])",
        b"(;FF[4]GM[1];B[aa]KM[6.5]PB[x;W[bb])",
        b"(;FF[4]GM[1]KM[6.5]PB[x];B[aa];W[bb])",
    ),
    Pair(
        "SGF601",
        "no bracket of the node is open",
        b"(;FF[4]GM[1]KM[6.5];B[aa]PB[x])",
        b"(;FF[4]GM[1]KM[6.5]PB[x];B[aa])",
        b"(;FF[4]GM[1]KM[6.5];B[aa]PB[x;W[bb])",
        b"(;FF[4]GM[1]KM[6.5]PB[x];B[aa];W[bb])",
    ),
]
