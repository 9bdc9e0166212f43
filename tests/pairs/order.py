"""Pairs for the order of moves and setup in a node."""

from __future__ import annotations

from tests.pairs import Pair

PAIRS = [
    Pair(
        "SGF501",
        "the points of other setup between are known",
        b"(;FF[4]GM[1]AB[aa]AW[cc]AB[bb])",
        b"(;FF[4]GM[1]AB[aa][bb]AW[cc])",
        b"(;FF[4]GM[1]AB[aa]AW[b b]AB[bb])",
        b"(;FF[4]GM[1]AB[aa][bb])",
    ),
    Pair(
        "SGF501",
        "the points of setup around other setup are known",
        b"(;FF[4]GM[1]AB[a a]XX[y]PL[W]AB[bb])",
        b"(;FF[4]GM[1]AB[aa][bb]XX[y]PL[W])",
        b"(;FF[4]GM[1]AB[aa]AW[bb]AB[b b])",
        b"(;FF[4]GM[1]AB[aa][bb])",
    ),
    Pair(
        "SGF501",
        "no other move is between the equal ones",
        b"(;FF[4]GM[1];B[aa]B[aa]W[bb])",
        b"(;FF[4]GM[1];B[aa];W[bb])",
        b"(;FF[4]GM[1];B[aa]W[bb]B[aa])",
        b"(;FF[4]GM[1];B[aa];W[bb];B[aa])",
    ),
    Pair(
        "SGF501",
        "no setup is in the node with the equal moves",
        b"(;FF[3]GM[1];B[aa]B[aa])",
        b"(;FF[3]GM[1];B[aa])",
        b"(;FF[3]GM[1];B[aa]AW[aa]B[aa])",
        b"(;FF[3]GM[1];B[aa]AW[aa])",
    ),
    Pair(
        "SGF501",
        "the points of the moves are known",
        b"(;FF[4]GM[1]SZ[3]AW[ba][bb][ac];B[aa]B[aa])",
        b"(;FF[4]GM[1]SZ[3]AW[ba][bb][ac];B[aa])",
        b"(;FF[4]GM[1]SZ[3]AW[ba][bb][ac]AB[ab];B[a a]B[a a]W[cc])",
        b"(;FF[4]GM[1]SZ[3]AW[ba][bb][ac]AB[ab];B[aa];W[cc])",
    ),
    Pair(
        "SGF501",
        "the position before is known",
        b"(;FF[4]GM[1];B[aa];W[bb]W[bb])",
        b"(;FF[4]GM[1];B[aa];W[bb])",
        b"(;FF[4]GM[1];B[x];W[bb]W[bb])",
        b"(;FF[4]GM[1];C[B: x];W[bb])",
    ),
    Pair(
        "SGF503",
        "no stone is set up",
        b"(;FF[4]GM[3];B[e4]PL[W])",
        b"(;FF[4]GM[3];B[e4];PL[W])",
    ),
    Pair(
        "SGF501",
        "no move is between the comments",
        b"(;FF[4]GM[1];B[aa]C[a]C[b])",
        b"(;FF[4]GM[1];B[aa]C[a\nb])",
        b"(;FF[4]GM[1];B[aa]C[a]W[bb]C[b])",
        b"(;FF[4]GM[1];B[aa]C[a];W[bb]C[b])",
    ),
    Pair(
        "SGF501",
        "no bracket of a text is open",
        b"(;FF[4]GM[1];B[aa]C[good]C[bad])",
        b"(;FF[4]GM[1];B[aa]C[good\nbad])",
        b"(;FF[4]GM[1];B[aa]C[good;W[bb]C[bad])",
        b"(;FF[4]GM[1];B[aa]C[good;W[bb\nbad])",
    ),
    Pair(
        "SGF501",
        'each "[" of the text is closed, by an escaped "]"',
        b"(;FF[4]GM[1]C[[a\\] b]C[c])",
        b"(;FF[4]GM[1]C[[a\\] b\nc])",
        b"(;FF[4]GM[1]C[[a b]C[c])",
        b"(;FF[4]GM[1]C[[a b\nc])",
    ),
    Pair(
        "SGF501",
        'the "]" comes after the "[" that it closes',
        b"(;FF[4]GM[1]C[\\][a\\]]C[c])",
        b"(;FF[4]GM[1]C[\\][a\\]\nc])",
        b"(;FF[4]GM[1]C[\\][a]C[c])",
        b"(;FF[4]GM[1]C[\\][a\nc])",
    ),
    Pair(
        "SGF501",
        'what is escaped is a "]"',
        b"(;FF[4]GM[1]C[[a\\]]C[c])",
        b"(;FF[4]GM[1]C[[a\\]\nc])",
        b"(;FF[4]GM[1]C[[a\\x]C[c])",
        b"(;FF[4]GM[1]C[[a\\x\nc])",
    ),
]
