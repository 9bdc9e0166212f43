"""Pairs for the fixes of properties in one node."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF317": [
        pair(
            "what is repeated without known points is not setup: stones may share a point",
            (b"(;FF[4]GM[2]CR[x][x])", b"(;FF[4]GM[2]CR[x])"),
            (b"(;FF[4]GM[2]AB[x][x])", b"(;FF[4]GM[2]AB[x])"),
        ),
        pair("the points are in one property", ("CR[aa:cc][bb][cc:cd]", "CR[aa:cc][cd]")),
        pair("a value that is no point stays", ("AB[x][aa][aa]", "AB[x][aa]")),
    ],
    "SGF501": [
        never(
            "where nothing is safe, an empty value is no words for a comment",
            ("SZ[9]SZ[19]HA[2]HA[]", "SZ[9]C[SZ: 19]HA[2]"),
        ),
        never("two names of players are not one", ("PB[a]PB[b]", "PB[a]GC[PB: b]")),
        never("the equal moves are passes, which are moves each", (";B[]B[]", ";B[];B[]")),
        never(
            "the equal moves are passes with something between",
            (";B[tt]C[x]B[tt]", ";B[tt]C[x];B[tt]"),
        ),
        pair(
            "two comments on the game are paragraphs",
            ("GC[a]GC[b]", "GC[a\nb]"),
            ("N[a]N[b]", "N[a b]"),
        ),
        pair(
            "the values of the properties are equal",
            ("KM[6.5]PB[x]KM[6.5]", "KM[6.5]PB[x]"),
            ("KM[6.5]PB[x]KM[5.5]", "KM[6.5]GC[KM: 5.5]PB[x]"),
        ),
        pair(
            "the property is known", ("SL[aa]SL[bb]", "SL[aa][bb]"), ("XX[a]XX[a][b]", "XX[a][b]")
        ),
        pair(
            "no text is between the lists, with which another node may end",
            ("SL[aa]DD[cc]SL[bb]C[x]", "SL[aa][bb]DD[cc]C[x]"),
            ("SL[aa]C[x]SL[bb]", "SL[aa][bb]C[x]"),
        ),
        pair(
            "the identifiers are written alike, also before FF[4]",
            (b"(;FF[3]GM[1]AddBlack[aa]AddBlack[bb])", b"(;FF[3]GM[1]AddBlack[aa][bb])"),
            (b"(;FF[3]GM[1]AddBlack[aa]AB[bb])", b"(;FF[3]GM[1]AddBlack[aa][bb])"),
        ),
        pair(
            "a text is all that the node repeats: else it may be two nodes",
            ("AB[aa]C[a]C[b]AW[bb]", "AB[aa]C[a\nb]AW[bb]"),
            ("AB[aa]C[a]C[b]AB[bb]", "AB[aa][bb]C[a\nb]"),
        ),
        pair("no list is empty", ("DD[aa]DD[bb]", "DD[aa][bb]"), ("DD[]DD[aa]", "DD[aa]")),
        pair(
            "the points of all labels are known",
            ("LB[aa:x]LB[bb:y]", "LB[aa:x][bb:y]"),
            ("LB[aa:x]LB[ aa:y]", "LB[aa:x y]"),
        ),
        pair("the texts have no format", ("PB[a]PB[ ]", "PB[a]"), ("DT[1999]DT[ ]", "DT[1999]")),
        pair(
            "the properties are moves",
            (";B[aa]B[bb]", ";B[aa];B[bb]"),
            (";MN[1]MN[2]B[aa]", ";MN[1]C[MN: 2]B[aa]"),
        ),
        never("nothing is lost with an empty number", ("KM[6.5]KM[]", "KM[6.5]")),
        never(
            "a move is between the comments, but no other move is in the node",
            (";C[a]B[aa]C[b]", ";C[a\nb]B[aa]"),
        ),
        pair(
            "the identifiers of stones of Backgammon are written alike",
            (b"(;FF[3]GM[6]AddBlack[a]AddBlack[b])", b"(;FF[3]GM[6]AddBlack[a][b])"),
            (b"(;FF[3]GM[6]AddBlack[a]AB[b])", b"(;FF[3]GM[6]AddBlack[a][b])"),
        ),
        pair(
            "the identifiers of equal properties are written alike",
            (b"(;FF[3]GM[1]AddBlack[aa]AddBlack[aa])", b"(;FF[3]GM[1]AddBlack[aa])"),
            (b"(;FF[3]GM[1]AddBlack[aa]AB[aa])", b"(;FF[3]GM[1]AddBlack[aa])"),
        ),
        pair(
            "the identifiers of texts are written alike",
            (b"(;FF[3]GM[1]Comment[a]Comment[b])", b"(;FF[3]GM[1]Comment[a\nb])"),
            (b"(;FF[3]GM[1]Comment[a]C[b])", b"(;FF[3]GM[1]Comment[a\nb])"),
        ),
        never(
            "only values other than the first are kept in a comment",
            ("KM[6.5]KM[6.5]KM[5.5]", "KM[6.5]GC[KM: 5.5]"),
        ),
    ],
    "SGF502": [
        pair(
            "the node has no setup",
            (b"(;FF[3]GM[1];B[aa]W[bb])", b"(;FF[3]GM[1];B[aa];W[bb])"),
            (b"(;FF[3]GM[1];B[aa]AB[cc]W[bb])", b"(;FF[3]GM[1];B[aa]AB[cc];W[bb])"),
        ),
        pair(
            "each move of the node is another one",
            ("SZ[3]AW[ba][bb][ac]AB[ab];B[cb]W[cc]", "SZ[3]AW[ba][bb][ac]AB[ab];B[cb];W[cc]"),
            ("SZ[3]AW[ba][bb][ac]AB[ab];B[aa]B[aa]W[cc]", "SZ[3]AW[ba][bb][ac]AB[ab];B[aa];W[cc]"),
        ),
        pair(
            "what else is in the node is of the game as a whole",
            ("KM[6.5];B[aa]W[bb]PB[x]", "KM[6.5]PB[x];B[aa];W[bb]"),
            ("KM[6.5];B[aa]W[bb]XX[x]", "KM[6.5];B[aa];W[bb]XX[x]"),
        ),
        pair(
            "no bracket of a text is open",
            (";B[aa]W[bb]PB[x]", "PB[x];B[aa];W[bb]"),
            (";B[aa]W[bb]PB[x;B[cc]", "PB[x];B[aa];W[bb];B[cc]"),
        ),
    ],
    "SGF503": [
        pair(
            "PL names the player after the move",
            (";W[aa]PL[B]XX[y]", ";W[aa]XX[y];PL[B]"),
            (";B[aa]PL[B]", ";PL[B];B[aa]"),
        ),
        pair(
            "the node has a move", (";B[aa]PL[W]", ";B[aa];PL[W]"), (";PL[W]MN[3]", ";PL[W];MN[3]")
        ),
        pair(
            "several setup properties are in the node",
            (";B[aa]AB[bb]AW[cc]", ";AB[bb]AW[cc];B[aa]"),
            (";B[aa]AB[bb]AW[aa]", ";AB[bb]AW[aa];B[aa]"),
        ),
        pair(
            "root properties and game information come first, names with the move",
            (";B[aa]C[W]N[n]KM[6.5]AB[bb]", "KM[6.5];AB[bb];B[aa]C[W]N[n]"),
        ),
        pair(
            "no move is between two properties other than moves",
            (";B[aa]B[bb]AB[cc]", ";AB[cc];B[aa];B[bb]"),
            (";TR[aa]B[aa]B[bb]AB[cc]TR[bb]", ";TR[aa]B[aa];AB[cc];B[bb]TR[bb]"),
        ),
    ],
    "SGF504": [never("a move may be missing", (";KO[]", ""))],
    "SGF505": [never("a move may be missing", (";TE[2]", ";C[TE: 2]"))],
    "SGF506": [
        never(
            "BM after TE meant that a move is interesting, TE after BM that it is doubtful",
            (";B[aa]TE[1]BM[1];W[bb]BM[2]TE[1]", ";B[aa]IT[];W[bb]DO[]"),
        ),
        never("one of the annotations becomes a comment", (";B[aa]BM[1]DO[]", ";B[aa]BM[1]C[DO]")),
    ],
    "SGF507": [never("one of the judgments becomes a comment", ("GB[1]GW[1]", "GB[1]C[GW: 1]"))],
    "SGF508": [
        never(
            "one of the colors becomes a comment", ("AB[aa]AW[aa:ab]", "AB[aa]AW[ab]C[AW: aa:ab]")
        ),
        never(
            "all points of the property that others list are dropped, with a comment",
            (
                "SZ[9]AB[aa:cc]AW[aa][bb:cd][dd]\nAE[aa:bb][cc]\nN[x]",
                "SZ[9]AB[aa:cc]AW[bd][cd][dd]C[AW: aa bb:cd\nAE: aa:bb cc]\nN[x]",
            ),
        ),
    ],
    "SGF510": [
        never("one of the marks becomes a comment", ("CR[aa]TR[aa]", "CR[aa]C[TR: aa]")),
        never(
            "the other marks of the property stay", ("CR[aa]TR[aa][bb]", "CR[aa]TR[bb]C[TR: aa]")
        ),
    ],
    "SGF511": [
        pair(
            "it is known which point each value labels",
            (b"(;FF[4]GM[2]LB[x:1][y:2][x:1])", b"(;FF[4]GM[2]LB[x:1][y:2])"),
            (b"(;FF[4]GM[2]LB[x:1][:2][x:1])", b"(;FF[4]GM[2]LB[x:1][:2])"),
        ),
        never(
            "all further labels of a point are joined to its first one",
            ("LB[aa:x][aa:y][aa:z]", "LB[aa:x y z]"),
        ),
        never("the first label of the point has no text", ("LB[aa][aa:x]", "LB[aa:x]")),
        never("a further label of the point has no text", ("LB[aa:x][aa]", "LB[aa:x]")),
        never("the text of a further label is empty", ("LB[aa:x][aa:]", "LB[aa:x]")),
    ],
    "SGF512": [pair("always: the arrows are equal", ("AR[aa:bb][aa:bb]", "AR[aa:bb]"))],
    "SGF513": [pair("always: the lines are equal", ("LN[aa:bb][aa:bb]", "LN[aa:bb]"))],
    "SGF514": [pair("always: a line has no direction", ("LN[aa:bb][bb:aa]", "LN[aa:bb]"))],
    "SGF516": [never("one of the claims becomes a comment", ("TB[aa]TW[aa]", "TB[aa]C[TW: aa]"))],
    "SGF517": [
        pair(
            "the value in the root is the same",
            ("SZ[9];SZ[9]B[aa]", "SZ[9];B[aa]"),
            ("SZ[9];SZ[19]B[aa]", "SZ[9];C[SZ: 19]B[aa]"),
        ),
        pair(
            "the property does not begin a game",
            ("CA[UTF-8];CA[UTF-8]B[aa]", "CA[UTF-8];B[aa]"),
            (";FF[4]B[aa]", ";C[FF: 4]B[aa]"),
        ),
        pair(
            "no game begins at the node",
            ("CA[UTF-8];CA[UTF-8]B[aa]", "CA[UTF-8];B[aa]"),
            (
                "CA[UTF-8](;B[aa])(;FF[4]GM[1]CA[UTF-8]SZ[9];B[bb])",
                "CA[UTF-8](;B[aa]))(;FF[4]GM[1]CA[UTF-8]SZ[9];B[bb]",
            ),
        ),
        never(
            "the root may have been meant",
            (b"(;GM[1];FF[4]C[x];B[aa])", b"(;GM[1]FF[4];C[x];B[aa])"),
        ),
        never(
            "no property of the root is far below it", (";B[aa];SZ[9]W[bb]", ";B[aa];C[SZ: 9]W[bb]")
        ),
    ],
}
