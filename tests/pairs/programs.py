"""Pairs for the fixes of habits of programs."""

from __future__ import annotations

from tests.pairs import never

PAIRS = {
    "SGF442": [
        never(
            "it is known without a conclusion which program wrote the file",
            ("AP[foxwq:1]KM[375]TC[3]TT[30];B[aa]", "AP[foxwq:1]KM[7.5]OT[3x30 byo-yomi];B[aa]"),
        )
    ],
    "SGF607": [
        never(
            "the moves are certainly no moves",
            ("AP[foxwq:1];B[dd];B[pp];W[dp]", "AP[foxwq:1]AB[dd][pp]HA[2];W[dp]"),
        ),
        never("HA is in the root", ("HA[2];B[dd];B[pp];W[dp]", "HA[2]AB[dd][pp];W[dp]")),
        never(
            "a node has a comment, too",
            ("HA[2];B[dd]C[x];B[pp];W[dp]", "HA[2];B[dd]C[x];B[pp];W[dp]"),
        ),
    ],
}
