"""Pairs for conditions without which some reader would read otherwise."""

from __future__ import annotations

from tests.pairs import Pair

PAIRS = [
    Pair(
        "SGF501",
        "the moves are on empty points",
        b"(;FF[4]GM[1];W[cc];B[aa]B[bb])",
        b"(;FF[4]GM[1];W[cc];B[aa];B[bb])",
        b"(;FF[4]GM[1];W[aa];B[aa]B[bb])",
        b"(;FF[4]GM[1];W[aa];B[aa];B[bb])",
    ),
    Pair(
        "SGF501",
        "the property is known",
        b"(;FF[4]GM[1]PB[a]PB[a])",
        b"(;FF[4]GM[1]PB[a])",
        b"(;FF[4]GM[1]XX[a]XX[a])",
        b"(;FF[4]GM[1]XX[a])",
    ),
    Pair(
        "SGF501",
        "the checkers are not taken off in between",
        b"(;FF[4]GM[6]AB[a]AB[a]AE[a])",
        b"(;FF[4]GM[6]AB[a][a]AE[a])",
        b"(;FF[4]GM[6]AB[a]AE[a]AB[a])",
        b"(;FF[4]GM[6]AB[a][a]AE[a])",
    ),
    Pair(
        "SGF501",
        "points are listed once",
        b"(;FF[4]GM[1]AB[aa]AB[aa])",
        b"(;FF[4]GM[1]AB[aa])",
    ),
    Pair(
        "SGF301",
        "no other property has text for the comment",
        b"(;FF[4]GM[1]C[a][b])",
        b"(;FF[4]GM[1]C[a\nb])",
        b"(;FF[4]GM[1]C[a][b]C[a])",
        b"(;FF[4]GM[1]C[a\nb])",
    ),
    Pair(
        "SGF301",
        "the property is no move",
        b"(;FF[4]GM[1]KM[6][6])",
        b"(;FF[4]GM[1]KM[6])",
        b"(;FF[4]GM[1];B[aa][bb])",
        b"(;FF[4]GM[1];B[aa];B[bb])",
    ),
    Pair(
        "SGF413",
        "there is no other handicap in the node",
        b"(;FF[4]GM[1]HA[0])",
        b"(;FF[4]GM[1])",
        b"(;FF[4]GM[1]HA[0]HA[2])",
        b"(;FF[4]GM[1]GC[HA: 2])",
    ),
    Pair(
        "SGF303",
        "an empty value is no handicap",
        b"(;FF[4]GM[1]HA[ ]HA[2])",
        b"(;FF[4]GM[1]HA[2])",
        b"(;FF[4]GM[1]HA[2][0 stones])",
        b"(;FF[4]GM[1]HA[2]GC[HA: 0 stones])",
    ),
    Pair(
        "SGF319",
        "all variations go on with the same color",
        b"(;FF[4]GM[11];B[a1];W[swap](;W[b2])(;W[c2]))",
        b"(;FF[4]GM[11];B[a1];W[swap-sides](;W[b2])(;W[c2]))",
        b"(;FF[4]GM[11];B[a1];W[swap](;W[b2])(;B[b2]))",
        b"(;FF[4]GM[11];B[a1];C[W: swap](;W[b2])(;B[b2]))",
    ),
    Pair(
        "SGF319",
        "the next color is that of the swap",
        b"(;FF[4]GM[11];B[a1];W[swap];W[b2])",
        b"(;FF[4]GM[11];B[a1];W[swap-sides];W[b2])",
    ),
    Pair(
        "SGF319",
        "the next color is not that of the swap",
        b"(;FF[4]GM[11];B[a1];W[swap];B[b2])",
        b"(;FF[4]GM[11];B[a1];W[swap-pieces];B[b2])",
    ),
    Pair(
        "SGF501",
        "marks in Backgammon are not counted",
        b"(;FF[4]GM[6];TR[a]TR[a])",
        b"(;FF[4]GM[6];TR[a])",
    ),
    Pair(
        "SGF502",
        "each move of the game is a pass or on a point",
        b"(;FF[4]GM[1];B[aa]W[bb];B[])",
        b"(;FF[4]GM[1];B[aa];W[bb];B[])",
        b"(;FF[4]GM[1];B[aa]W[bb];B[zzz])",
        b"(;FF[4]GM[1];B[aa];W[bb];C[B: zzz])",
    ),
    Pair(
        "SGF501",
        "a move has one value",
        b"(;FF[4]GM[1];B[ee]B[ee])",
        b"(;FF[4]GM[1];B[ee])",
        b"(;FF[4]GM[1];B[ee][ef]B[ee][ef])",
        b"(;FF[4]GM[1];B[ee];B[ef])",
    ),
    Pair(
        "SGF501",
        "the equal moves come last",
        b"(;FF[4]GM[1];W[bb]B[aa]B[aa])",
        b"(;FF[4]GM[1];W[bb]B[aa])",
    ),
]
