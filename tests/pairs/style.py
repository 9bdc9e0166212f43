"""Pairs for the fixes of style (9xx)."""

from __future__ import annotations

from tests.pairs import Pair, never

PAIRS = [
    never(
        "SGF901",
        "the position remains the same",
        b"(;FF[4]GM[1]AW[ba]AB[ac];AB[bb];AW[ab];AB[aa])",
        b"(;FF[4]GM[1]AW[ba]AB[ac];B[bb];W[ab];AB[aa])",
    ),
    never(
        "SGF901",
        "the point is empty",
        b"(;FF[4]GM[1]AB[aa];AB[bb];AW[aa];AB[cc])",
        b"(;FF[4]GM[1]AB[aa];B[bb];AW[aa];B[cc])",
    ),
    Pair(
        "SGF903",
        "the next token is near",
        b"(;FF[4]GM[1];B[aa];" + b" " * 199 + b")",
        b"(;FF[4]GM[1];B[aa]" + b" " * 199 + b")",
        b"(;FF[4]GM[1];B[aa];" + b" " * 200 + b")",
        b"(;FF[4]GM[1];B[aa];" + b" " * 200 + b")",
    ),
    Pair(
        "SGF903",
        "no variation is lost",
        b"(;FF[4]GM[1];B[aa];;;)",
        b"(;FF[4]GM[1];B[aa])",
        b"(;FF[4]GM[1](;;)(;;))",
        b"(;FF[4]GM[1])",
    ),
    Pair(
        "SGF903",
        "the variations beside it are empty",
        b"(;FF[4]GM[1];B[aa](;))",
        b"(;FF[4]GM[1];B[aa])",
        b"(;FF[4]GM[1];B[aa](;)(;W[bb];B[cc])(;;))",
        b"(;FF[4]GM[1];B[aa](;)(;W[bb];B[cc])(;;))",
    ),
    Pair(
        "SGF903",
        "no node below an empty one has content",
        b"(;FF[4]GM[1];B[aa];(;))",
        b"(;FF[4]GM[1];B[aa])",
        b"(;FF[4]GM[1];B[aa](;(;)(;W[bb]))(;))",
        b"(;FF[4]GM[1];B[aa](;(;)(;W[bb]))(;))",
    ),
    Pair(
        "SGF903",
        "the node above is not the root",
        b"(;;)",
        b"(;)",
        b"(;;(;)(;))",
        b"(;FF[4])",
    ),
    Pair(
        "SGF903",
        "the node is no root of a further game",
        b"(;FF[4]GM[1])(;;)",
        b"(;FF[4]GM[1])(;)",
        b"(;FF[4]GM[1])(;(;)(;))",
        b"(;FF[4]GM[1])(;)",
    ),
    Pair(
        "SGF903",
        "the nodes have no parentheses of their own",
        b"(;FF[4]GM[1];B[aa];(;))",
        b"(;FF[4]GM[1];B[aa])",
        b"(;FF[4]GM[1];B[aa];C[a](;)(;))",
        b"(;FF[4]GM[1];B[aa];C[a])",
    ),
    never(
        "SGF901",
        "the node has no move",
        b"(;FF[3]GM[1];AB[aa]W[cc];AW[bb])",
        b"(;FF[3]GM[1];AB[aa]W[cc];W[bb])",
    ),
    never(
        "SGF901",
        "the position is not known",
        b"(;FF[4]GM[11];AB[a1];AW[b2])",
        b"(;FF[4]GM[11];AB[a1];AW[b2])",
    ),
]
