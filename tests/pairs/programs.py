"""Pairs for the fixes of habits of programs."""

from __future__ import annotations

from tests.pairs import never

PAIRS = [
    never(
        "SGF442",
        "it is known without a conclusion which program wrote the file",
        b"(;FF[4]GM[1]AP[foxwq:1]KM[375]TC[3]TT[30];B[aa])",
        b"(;FF[4]GM[1]AP[foxwq:1]KM[7.5]OT[3x30 byo-yomi];B[aa])",
    ),
    never(
        "SGF607",
        "the moves are certainly no moves",
        b"(;FF[4]GM[1]AP[foxwq:1];B[dd];B[pp];W[dp])",
        b"(;FF[4]GM[1]AP[foxwq:1]AB[dd][pp]HA[2];W[dp])",
    ),
    never(
        "SGF607",
        "HA is in the root",
        b"(;FF[4]GM[1]HA[2];B[dd];B[pp];W[dp])",
        b"(;FF[4]GM[1]HA[2]AB[dd][pp];W[dp])",
    ),
    never(
        "SGF607",
        "a node has a comment, too",
        b"(;FF[4]GM[1]HA[2];B[dd]C[x];B[pp];W[dp])",
        b"(;FF[4]GM[1]HA[2];B[dd]C[x];B[pp];W[dp])",
    ),
]
