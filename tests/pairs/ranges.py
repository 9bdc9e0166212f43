"""Pairs for the fixes of ranges and formats of values (4xx)."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF202": [
        pair(
            "the characters are full-width ones, and CA names their charset",
            ("CA[UTF-8]KM[６．５]", "CA[UTF-8]KM[6.5]"),
            ("CA[UTF-8]KM[6½²]", "CA[UTF-8]GC[KM: 6½²]"),
        ),
        pair("the charset is no guess", ("CA[UTF-8]PL[Ｂ]", "CA[UTF-8]PL[B]"), ("PL[Ｂ]", "PL[B]")),
        pair(
            "the game remains the same",
            ("(;FF[4]CA[UTF-8]GM[１])".encode(), b"(;FF[4]CA[UTF-8]GM[1])"),
            ("(;FF[4]CA[UTF-8]GM[２])".encode(), b"(;FF[4]CA[UTF-8]GM[2])"),
        ),
        pair(
            "the notation of the game is known",
            ("(;FF[4]CA[UTF-8]GM[1];B[ａａ])".encode(), b"(;FF[4]CA[UTF-8]GM[1];B[aa])"),
            ("(;FF[4]CA[UTF-8]GM[2];B[ａａ])".encode(), b"(;FF[4]CA[UTF-8]GM[2];B[aa])"),
        ),
        pair(
            "the value is not composed",
            ("CA[UTF-8]SZ[９：９]", "CA[UTF-8]SZ[9]"),
            ("CA[UTF-8]AR[ａａ]", "CA[UTF-8]C[AR: ａａ]"),
        ),
        pair(
            "the handicap has a unit",
            ("CA[UTF-8]HA[２子]", "CA[UTF-8]HA[2]"),
            ("CA[UTF-8]HA[１子]", "CA[UTF-8]GC[HA: １子]"),
        ),
        pair(
            "the komi has a unit",
            ("CA[UTF-8]KM[6目半]", "CA[UTF-8]KM[6.5]"),
            ("CA[UTF-8]KM[6目半 (中国)]", "CA[UTF-8]KM[6.5]GC[KM: 6目半 (中国)]"),
        ),
        pair(
            "the time has a unit",
            ("CA[UTF-8]TM[3小时]", "CA[UTF-8]TM[10800]"),
            ("CA[UTF-8]TM[3小时?]", "CA[UTF-8]TM[10800]GC[TM: 3小时?]"),
        ),
        pair(
            "the file format has a unit for times",
            ("(;FF[4]CA[UTF-8]GM[1]TM[30分])".encode(), b"(;FF[4]CA[UTF-8]GM[1]TM[1800])"),
            (
                "(;FF[3]CA[UTF-8]GM[1]TM[30分])".encode(),
                "(;FF[3]CA[UTF-8]GM[1]GC[TM: 30分])".encode(),
            ),
        ),
        pair(
            "a time before FF[4] is a number",
            ("(;FF[3]CA[UTF-8]GM[1]TM[１８００])".encode(), b"(;FF[3]CA[UTF-8]GM[1]TM[1800])"),
            (
                "(;FF[3]CA[UTF-8]GM[1]TM[1時間（30秒読み）])".encode(),
                "(;FF[3]CA[UTF-8]GM[1]GC[TM: 1時間（30秒読み）])".encode(),
            ),
        ),
        pair(
            "the size has a cross",
            ("CA[UTF-8]SZ[19×13]", "CA[UTF-8]SZ[19:13]"),
            ("CA[UTF-8]SZ[19些]", "CA[UTF-8]SZ[19]C[SZ: 19些]"),
        ),
        pair(
            "the number has no digits after its point",
            ("CA[UTF-8];B[aa]MN[７.]", "CA[UTF-8];B[aa]MN[7]"),
            ("CA[UTF-8];B[aa]MN[七番]", "CA[UTF-8];B[aa]MN[7]C[MN: 七番]"),
        ),
        pair(
            "the real number has a fraction",
            ("CA[UTF-8]V[５½]", "CA[UTF-8]V[5.5]"),
            ("CA[UTF-8]V[五番]", "CA[UTF-8]V[5]C[V: 五番]"),
        ),
        pair(
            "the color is in words",
            ("CA[UTF-8]PL[黑]", "CA[UTF-8]PL[B]"),
            ("CA[UTF-8]PL[é]", "CA[UTF-8]C[PL: é]"),
        ),
        pair(
            "the value is not a point",
            ("CA[UTF-8]CR[ａａ]", "CA[UTF-8]CR[aa]"),
            ("CA[UTF-8]CR[é]", "CA[UTF-8]C[CR: é]"),
        ),
        never(
            "the game of a later node remains the same",
            (
                "(;FF[4]CA[UTF-8]GM[1];C[x]GM[２])".encode(),
                b"(;FF[4]CA[UTF-8]GM[1])(;FF[4]C[x]GM[2])",
            ),
        ),
        pair(
            "a time before FF[4] has no text after it",
            ("(;FF[3]CA[UTF-8]GM[1]TM[１８００])".encode(), b"(;FF[3]CA[UTF-8]GM[1]TM[1800])"),
            (
                "(;FF[3]CA[UTF-8]GM[1]TM[１８００x])".encode(),
                "(;FF[3]CA[UTF-8]GM[1]GC[TM: １８００x])".encode(),
            ),
        ),
    ],
    "SGF303": [
        pair(
            "the value is a whole number",
            (";B[aa]MN[7.]", ";B[aa]MN[7]"),
            (";B[aa]MN[7.5]", ";B[aa]C[MN: 7.5]"),
        ),
        pair(
            "the value begins with no text",
            (";B[aa]MN[ 7 ]", ";B[aa]MN[7]"),
            (";B[aa]MN[x7]", ";B[aa]C[MN: x7]"),
        ),
        pair("the value is blank or a number", ("HA[ ]", ""), ("HA[x]", "GC[HA: x]")),
        pair(
            "0 is all that the value can mean",
            ("HA[0 stones]", ""),
            ("HA[0 (even)]", "GC[HA: 0 (even)]"),
        ),
        pair("the number is more than 1", ("HA[2.]", "HA[2]"), ("HA[1.]", "GC[HA: 1.]")),
        pair(
            "the number is all that the value can mean",
            ("HA[2 stones]", "HA[2]"),
            ("HA[2 (fixed)]", "HA[2]GC[HA: 2 (fixed)]"),
        ),
    ],
    "SGF304": [pair("the value is a number", ("V[.5]", "V[0.5]"), ("V[B+3]", "C[V: B+3]"))],
    "SGF311": [
        pair(
            'the value without ":" is a komi',
            ("KM[Komi: 6.5]", "KM[6.5]"),
            ("KM[Komi: 6:5]", "GC[KM: Komi: 6:5]"),
        )
    ],
    "SGF402": [
        pair(
            "the value is a number of a file format in another form",
            (b"(;FF[ 4]GM[1])", b"(;FF[4]GM[1])"),
            (b"(;FF[5]GM[1])", b"(;FF[4]C[FF: 5]GM[1])"),
        )
    ],
    "SGF403": [
        pair(
            "the game remains the same",
            (b"(;FF[4]GM[ 1])", b"(;FF[4]GM[1])"),
            (b"(;FF[4]GM[ 2])", b"(;FF[4]GM[2])"),
        ),
        never("the number is that of a game", (b"(;FF[4]GM[Tetris])", b"(;FF[4]C[GM: Tetris])")),
        never(
            "the number that text follows is that of the game",
            (b"(;FF[4]GM[2x])", b"(;FF[4]GM[2]C[GM: 2x])"),
        ),
        never("the game of a later node remains the same", (";GM[ 2]", ")(;FF[4]GM[2]")),
    ],
    "SGF405": [pair("the number is a size", ("SZ[1.]", "SZ[1]"), ("SZ[0.]", "C[SZ: 0.]"))],
    "SGF406": [pair("a square board has one size", ("SZ[+9:9]", "SZ[+9]"))],
    "SGF407": [
        never(
            "the board may be larger than SGF can say",
            ("SZ[60]AB[AA][ZZ]", "SZ[52]C[SZ: 60]AB[AA][ZZ]"),
        ),
        never("one number is enough for two equal ones", ("SZ[60:9]", "SZ[52:9]C[SZ: 60:9]")),
    ],
    "SGF408": [
        pair(
            "something joins the two numbers",
            ("SZ[19x13]", "SZ[19:13]"),
            ("SZ[19 13]", "C[SZ: 19 13]"),
        ),
        pair(
            "a word joins the two numbers",
            ("SZ[19 by 13]", "SZ[19:13]"),
            ("SZ[19 or 13]", "C[SZ: 19 or 13]"),
        ),
        pair("the two numbers are equal", ("SZ[19 19]", "SZ[19]"), ("SZ[19 18]", "C[SZ: 19 18]")),
    ],
    "SGF409": [pair("the number is that of a style", ("ST[ 3]", "ST[3]"), ("ST[ 4]", "C[ST: 4]"))],
    "SGF410": [pair("the number is that of a mode", ("PM[ 2]", "PM[2]"), ("PM[ 3]", "C[PM: 3]"))],
    "SGF415": [
        pair("the value is blank or a number", ("KM[ ]", ""), ("KM[x]", "GC[KM: x]")),
        pair(
            "the number is all that the value can mean",
            ("KM[6,5]", "KM[6.5]"),
            ("KM[6,5 (Chinese)]", "KM[6.5]GC[KM: 6,5 (Chinese)]"),
        ),
    ],
    "SGF416": [
        pair("the value is blank or a time", ("TM[ ]", ""), ("TM[long]", "GC[TM: long]")),
        pair(
            "a number without a unit is in seconds",
            ("TM[1800.]", "TM[1800]"),
            ("TM[30:00]", "TM[1800]GC[TM: 30:00]"),
        ),
        pair(
            "seconds are those of the time left, and may be those of the overtime in TM",
            (";B[aa]BL[1 min 20 s]", ";B[aa]BL[80]"),
            ("TM[1 min 20 s]", "TM[80]GC[TM: 1 min 20 s]"),
        ),
        pair(
            "the text after the time describes overtime",
            ("TM[1 hour + 30 s byo-yomi]", "TM[3600]OT[30 s byo-yomi]"),
            ("TM[1 hour + 30 s]", "TM[3600]GC[TM: 1 hour + 30 s]"),
        ),
        pair(
            "the time before the overtime can mean one thing only",
            ("TM[1:00:00(5x1:00)]", "TM[3600]OT[5x1:00]"),
            ("TM[30:00(5x1:00)]", "TM[1800]GC[TM: 30:00(5x1:00)]"),
        ),
        pair(
            "the node has no OT",
            ("TM[1 hour (5x1:00)]", "TM[3600]OT[5x1:00]"),
            ("TM[1 hour (5x1:00)]OT[x]", "TM[3600]GC[TM: 1 hour (5x1:00)]OT[x]"),
        ),
    ],
    "SGF418": [
        pair(
            "the text is a date and nothing else",
            ("DT[1996/05/06]", "DT[1996-05-06]"),
            ("DT[1996/05/06 10:00]", "DT[1996-05-06]GC[DT: 1996/05/06 10:00]"),
        ),
        never("the text is a date", ("DT[long ago]", "GC[DT: long ago]")),
    ],
    "SGF419": [
        pair(
            "the shortcuts can mean one thing only",
            ("DT[1996-05-06, 07]", "DT[1996-05-06,07]"),
            ("DT[1996-05-06,,07]", "DT[1996-05-06,07]GC[DT: 1996-05-06,,07]"),
        )
    ],
    "SGF420": [
        never(
            "a part of the date is in the calendar",
            ("DT[1996-02-30]", "DT[1996-02]GC[DT: 1996-02-30]"),
        )
    ],
    "SGF421": [
        pair(
            "the dates are in the format, however many they are",
            (
                (
                    "DT[1996-05-01,1996-05-02,1996-05-03,1996-05-04,1996-05-05,1996-05-06,1996-05-07,1996-05-08,1996-05-09,1996-05-10,1996-05-11,1996-05-12,1996-05-13,1996-05-14]"
                ),
                "DT[1996-05-01,02,03,04,05,06,07,08,09,10,11,12,13,14]",
            ),
        )
    ],
    "SGF423": [
        pair(
            "the result is one of Go",
            (b"(;FF[4]GM[1]RE[Black resigns])", b"(;FF[4]GM[1]RE[W+R])"),
            (b"(;FF[4]GM[6]RE[Black resigns])", b"(;FF[4]GM[6]GC[RE: Black resigns])"),
        ),
        pair(
            "the result is all that the value can mean",
            ("RE[B+.5]", "RE[B+0.5]"),
            ("RE[B+.5 (moves 231)]", "RE[B+0.5]GC[RE: B+.5 (moves 231)]"),
        ),
        never("the result is understood", ("RE[Both lost]", "GC[RE: Both lost]")),
    ],
    "SGF425": [pair("the name has another spelling only", ("RU[japanese]", "RU[Japanese]"))],
    "SGF426": [
        pair(
            "the text is a rank and nothing else",
            ("BR[1 Dan]", "BR[1d]"),
            ("BR[1 Dan of old]", "BR[1 Dan of old]"),
        )
    ],
    "SGF435": [
        never(
            "the file format is a guess",
            (b"(;GM[1]VW[aa][bb][cc]L[aa])", b"(;FF[4]GM[1]VW[aa][bb][cc]L[aa])"),
        )
    ],
    "SGF438": [
        pair(
            "the time is a number",
            (b"(;FF[3]GM[1]TM[1800.])", b"(;FF[3]GM[1]TM[1800])"),
            (b"(;FF[3]GM[1]TM[30 min])", b"(;FF[3]GM[1]TM[30 min])"),
        ),
        *(
            never("a number has a sign in it that is in no time", (data, becomes))
            for data, becomes in (
                (b"(;FF[3]GM[1];B[aa]BL[3107(])", b"(;FF[3]GM[1];B[aa]BL[3107])"),
                (b"(;FF[3]GM[1];W[aa]WL[;12.5])", b"(;FF[3]GM[1];W[aa]WL[12.5])"),
                (b"(;FF[3]GM[1]TM[{3600}])", b"(;FF[3]GM[1]TM[3600])"),
                (b"(;FF[1]GM[1]TM[36[00])", b"(;FF[1]GM[1]TM[3600])"),
                (b"(;FF[3]GM[1]TM[(1h)])", b"(;FF[3]GM[1]TM[(1h)])"),
            )
        ),
        pair(
            "the result is one of Go in words",
            (b"(;FF[3]GM[1]RE[Black resigns])", b"(;FF[3]GM[1]RE[W+R])"),
            (b"(;FF[3]GM[1]RE[5.])", b"(;FF[3]GM[1]RE[5.])"),
        ),
        pair(
            "the date is in the calendar",
            (b"(;FF[3]GM[1]DT[5 May 1996])", b"(;FF[3]GM[1]DT[1996-05-05])"),
            (b"(;FF[3]GM[1]DT[5/6/1996])", b"(;FF[3]GM[1]DT[1996]GC[DT: 5/6/1996])"),
        ),
        pair(
            "the name of the rules is known",
            (b"(;FF[3]GM[1]RU[japanese])", b"(;FF[3]GM[1]RU[Japanese])"),
        ),
    ],
    "SGF439": [
        never(
            "the file format is known; that of the properties and values is a guess",
            (b"(;GM[1]SZ[13:9];B[mi];W[aa])", b"(;FF[4]GM[1]SZ[13:9];B[mi];W[aa])"),
        ),
        never(
            "the file format is known; that of older properties is a guess, too",
            (b"(;GM[1]AB[aa]L[bb][cc])", b"(;FF[1]GM[1]AB[aa]L[bb][cc])"),
        ),
        never(
            "the file format is in a later node", (b"(;GM[1];FF[4]B[aa])", b"(;GM[1]FF[4];B[aa])")
        ),
        never(
            "trees without game information may be parts of one game",
            (b"(;B[aa])(;W[bb])", b"(;B[aa])(;W[bb])"),
        ),
        never("the only tree is no part of another one", (b"(;B[aa])", b"(;FF[4]B[aa])")),
        never(
            "each tree has the properties of a root",
            (b"(;GM[1];B[aa])(;GM[1];W[aa])", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];W[aa])"),
        ),
    ],
    "SGF441": [
        never("the komi is a whole number of hundredths", ("KM[750.5]", "KM[750.5]")),
        never("points are halves, and stones are quarters", ("KM[650]", "KM[6.5]GC[KM: 650]")),
        never("stones count two points", ("KM[375]", "KM[7.5]GC[KM: 375]")),
        never("the number is that of a komi in points or stones", ("KM[180]", "KM[180]")),
        never("the komi is usual", ("KM[2050]", "KM[2050]")),
        never("the largest usual komi is 20", ("KM[2000]", "KM[20]GC[KM: 2000]")),
        never("the komi is not far below 0 either", ("KM[-2050]", "KM[-2050]")),
        never("the least usual komi is -20", ("KM[-2000]", "KM[-20]GC[KM: -2000]")),
    ],
}
