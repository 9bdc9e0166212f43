"""Pairs for the fixes of style (9xx)."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF901": [
        never(
            "the position remains the same",
            ("AW[ba]AB[ac];AB[bb];AW[ab];AB[aa]", "AW[ba]AB[ac];B[bb];W[ab];AB[aa]"),
        ),
        never("the point is empty", ("AB[aa];AB[bb];AW[aa];AB[cc]", "AB[aa];B[bb];AW[aa];B[cc]")),
        never(
            "the node has no move",
            (b"(;FF[3]GM[1];AB[aa]W[cc];AW[bb])", b"(;FF[3]GM[1];AB[aa]W[cc];W[bb])"),
        ),
        never(
            "the position is not known",
            (b"(;FF[4]GM[11];AB[a1];AW[b2])", b"(;FF[4]GM[11];AB[a1];AW[b2])"),
        ),
    ],
    "SGF903": [
        pair(
            "the next token is near",
            (b"(;FF[4]GM[1];B[aa];" + b" " * 199 + b")", b"(;FF[4]GM[1];B[aa]" + b" " * 199 + b")"),
            (
                b"(;FF[4]GM[1];B[aa];" + b" " * 200 + b")",
                b"(;FF[4]GM[1];B[aa];" + b" " * 200 + b")",
            ),
        ),
        pair("no variation is lost", (";B[aa];;;", ";B[aa]"), (";B[aa](;;)", ";B[aa](;;)")),
        pair("the node is no root of a further game", (")(;;", ")(;"), (")(;(;)(;)", ")(;(;)(;)")),
    ],
}
