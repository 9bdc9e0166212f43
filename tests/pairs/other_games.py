"""Pairs for the fixes of other games than Go."""

from __future__ import annotations

from tests.pairs import pair

PAIRS = {
    "SGF319": [
        pair(
            "the node has no other move, which may be the next one",
            (b"(;FF[4]GM[11];W[swap];B[a1])", b"(;FF[4]GM[11];W[swap-pieces];B[a1])"),
            (
                b"(;FF[4]GM[11];W[swap]W[SWAP];B[a1])",
                b"(;FF[4]GM[11];C[W: swap];W[swap-pieces];B[a1])",
            ),
        ),
        pair(
            "the game is Hex",
            (b"(;FF[4]GM[11];B[a1];W[swap];B[b2])", b"(;FF[4]GM[11];B[a1];W[swap-pieces];B[b2])"),
            (b"(;FF[4]GM[18];B[swap];W[ddgdgg])", b"(;FF[4]GM[18];C[B: swap];W[ddgdgg])"),
        ),
        pair(
            "the move is a swap",
            (b"(;FF[4]GM[11];B[a1];W[Swap];W[b2])", b"(;FF[4]GM[11];B[a1];W[swap-sides];W[b2])"),
            (b"(;FF[4]GM[11];B[a1];W[swop];W[b2])", b"(;FF[4]GM[11];B[a1];C[W: swop];W[b2])"),
        ),
        pair(
            "a move follows",
            (
                b"(;FF[4]GM[11];B[a1];W[swap];C[x];B[c3])",
                b"(;FF[4]GM[11];B[a1];W[swap-pieces];C[x];B[c3])",
            ),
            (b"(;FF[4]GM[11];B[a1];W[swap];C[x])", b"(;FF[4]GM[11];B[a1];C[W: swap];C[x])"),
        ),
        pair(
            "a node follows",
            (
                b"(;FF[4]GM[11];B[a1];W[swap](;B[b2])(;C[x]))",
                b"(;FF[4]GM[11];B[a1];W[swap-pieces](;B[b2])(;C[x]))",
            ),
            (b"(;FF[4]GM[11];B[a1];W[swap])", b"(;FF[4]GM[11];B[a1];C[W: swap])"),
        ),
        pair(
            "the next moves of all variations have one color",
            (
                b"(;FF[4]GM[11];B[a1];W[swap](;W[b2])(;W[c3]))",
                b"(;FF[4]GM[11];B[a1];W[swap-sides](;W[b2])(;W[c3]))",
            ),
            (
                b"(;FF[4]GM[11];B[a1];W[swap](;B[b2])(;W[c3]))",
                b"(;FF[4]GM[11];B[a1];C[W: swap](;B[b2])(;W[c3]))",
            ),
        ),
        pair(
            "all variations agree, also those in which a node without a move comes first",
            (
                b"(;FF[4]GM[11];B[a1];W[SWAP](;C[x];B[a2])(;B[b1]))",
                b"(;FF[4]GM[11];B[a1];W[swap-pieces](;C[x];B[a2])(;B[b1]))",
            ),
            (
                b"(;FF[4]GM[11];B[a1];W[SWAP](;C[x];B[a2])(;W[b1]))",
                b"(;FF[4]GM[11];B[a1];C[W: SWAP](;C[x];B[a2])(;W[b1]))",
            ),
        ),
    ],
    "SGF820": [
        pair(
            "the value is blank",
            (b"(;FF[4]GM[9]AS[ ])", b"(;FF[4]GM[9])"),
            (b"(;FF[4]GM[9]AS[?])", b"(;FF[4]GM[9]C[AS: ?])"),
        )
    ],
    "SGF822": [pair("the value is blank", (b"(;FF[4]GM[9]IY[])", b"(;FF[4]GM[9])"))],
}
