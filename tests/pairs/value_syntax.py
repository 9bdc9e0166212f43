"""Pairs for the fixes of the syntax of values (2xx and 3xx)."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF215": [
        pair(
            "the value is a point of a known game",
            (b"(;FF[4]GM[1];B[\\aa])", b"(;FF[4]GM[1];B[aa])"),
            (b"(;FF[4]GM[2];B[\\aa])", b"(;FF[4]GM[2];B[aa])"),
        ),
        pair(
            "the value has no half that is a text",
            ("AR[a\\a:bb]", "AR[aa:bb]"),
            ("LB[a\\a:x]", "C[LB: a\\a:x]"),
        ),
        pair(
            "the value is a point, not a number",
            ("CR[a\\a]", "CR[aa]"),
            (";B[aa]MN[\\7]", ";B[aa]MN[7]"),
        ),
        pair(
            "a point is left without the line break", (";B[a\\\na]", ";B[aa]"), (";B[\\\n]", ";B[]")
        ),
        never('the escaped character is "]", which no point has', ("CR[\\]\\a]", "C[CR: \\]a]")),
        pair(
            "the point is on the board without its escapes",
            ("SZ[9]AB[a\\a:\\bb];B[c\\c]", "SZ[9]AB[aa:bb];B[cc]"),
            ("SZ[9];B[z\\z];W[bb]", "SZ[9];C[B: zz];W[bb]"),
        ),
    ],
    "SGF301": [
        pair(
            "all values are equal",
            (";B[aa]MN[7][7]", ";B[aa]MN[7]"),
            (";B[aa]MN[7][8]", ";B[aa]MN[7]C[MN: 8]"),
        ),
        pair(
            "the values are texts, of which an empty one says nothing",
            ("PB[a][]", "PB[a]"),
            (";B[aa]MN[7][]", ";B[aa]MN[7]"),
        ),
        pair("only empty values are given", ("PB[][]", "")),
        pair(
            "the texts have no format, so that escapes are not compared",
            ("PB[ab][a\\b]", "PB[ab]"),
            ("RE[B+R][B+\\R]", "RE[B+R]GC[RE: B+\\R]"),
        ),
        pair(
            "the first of two values is in the format, and they are equal",
            ("RE[B+R][B+R]", "RE[B+R]"),
            ("RE[nobody][B+R]", "RE[B+R]GC[RE: nobody]"),
        ),
        pair(
            "two texts are the same one, also outside of game information",
            ("N[ab][a\\b]", "N[ab]"),
            ("CA[UTF-8][Big5]", "CA[UTF-8]C[CA: Big5]"),
        ),
        pair(
            "two texts are paragraphs, not names",
            ("C[a][b]", "C[a\nb]"),
            ("PB[a][b]", "PB[a]GC[PB: b]"),
        ),
        pair(
            "the brackets of two texts touch: else they can be part of one text",
            ("C[a][b]", "C[a\nb]"),
            ("C[a] [b]", "C[a\nb]"),
        ),
        pair("an empty text touches the other one", ("C[(][]", "C[(]"), ("C[(] []", "C[(]")),
        never("two names of nodes are joined", ("N[a][b]", "N[a b]")),
        pair("no bracket of the texts is open", ("C[a][b]", "C[a\nb]"), ("C[a[x][b]", "C[a[x\nb]")),
        pair(
            "the value has a format, so that it is not part of another one",
            ("RE[B+R] [B+R]", "RE[B+R]"),
            ("PB[a] [a]", "PB[a]"),
        ),
    ],
    "SGF302": [
        pair(
            'the content only says "yes"',
            (";B[aa]KO[ Yes]", ";B[aa]KO[]"),
            (";B[aa]KO[2]", ";B[aa]KO[]C[KO: 2]"),
        )
    ],
    "SGF305": [
        pair(
            "the value is empty or a number that SGF has",
            ("GB[]", "GB[1]"),
            ("GB[x]", "GB[1]C[GB: x]"),
        ),
        pair("the number is 1", ("GB[01]", "GB[1]"), ("GB[1.5]", "GB[1]C[GB: 1.5]")),
        pair("the number is 2", ("GB[2.0]", "GB[2]"), ("GB[2.5]", "GB[2]C[GB: 2.5]")),
        never("no number has to be guessed from other characters", ("GB[++]", "GB[2]C[GB: ++]")),
        never("no number has to be guessed from one character", ("GB[+]", "GB[1]C[GB: +]")),
        never("the value does not say no", ("GB[No]", "C[GB: No]")),
        never("the number is not 0", ("GB[0.0]", "C[GB: 0.0]")),
        never("the number is not greater than 0", ("GB[.5]", "GB[1]C[GB: .5]")),
    ],
    "SGF306": [
        never(
            "the numbers of colors are those of Go",
            (b"(;FF[4]GM[2]PL[1])", b"(;FF[4]GM[2]C[PL: 1])"),
        ),
        never("the number is that of a color", ("PL[3]", "C[PL: 3]")),
        never("numbers are not colors to every program", ("PL[2]", "PL[W]")),
        pair(
            "the text is a color and nothing else",
            ("PL[white]", "PL[W]"),
            ("PL[w 123]", "PL[W]C[PL: w 123]"),
        ),
    ],
    "SGF307": [
        pair(
            "the empty value is not a move",
            (b"(;FF[4]GM[1];B[aa]MN[])", b"(;FF[4]GM[1];B[aa])"),
            (b"(;FF[4]GM[11];B[])", b"(;FF[4]GM[11])"),
        )
    ],
    "SGF308": [
        pair(
            "an empty value in a list is no point", ("TB[][aa]", "TB[aa]"), ("DD[][aa]", "DD[aa]")
        ),
        pair(
            "no value of the list is a point, and one is kept",
            ("DD[][]", "DD[]"),
            ("DD[][aa][]", "DD[aa]"),
        ),
    ],
    "SGF309": [
        never(
            'the ":" between a point and a label is missing',
            (
                "SZ[9]LB[aa 1][bb2][cc c][abc][zz=1]",
                "SZ[9]LB[aa:1][bb:2][cc:c]C[LB: abc\nLB: zz=1]",
            ),
        ),
        pair(
            "both halves are texts, of which the second may be empty",
            (b"(;FF[4]GM[6]MI[length7])", b"(;FF[4]GM[6]MI[length7:])"),
            (b"(;FF[4]GM[1]AR[aab])", b"(;FF[4]GM[1]C[AR: aab])"),
        ),
        pair(
            "the first half is given",
            (b"(;FF[4]GM[6]MI[x])", b"(;FF[4]GM[6]MI[x:])"),
            (b"(;FF[4]GM[6]MI[])", b"(;FF[4]GM[6])"),
        ),
        never("a label without a text is a mark", (";LB[aa][bb:x]", ";LB[bb:x]MA[aa]")),
        never(
            "the point of a label without a text has another label", (";LB[aa][aa:x]", ";LB[aa:x]")
        ),
        never("the label is not at a point", (";LB[5]", ";C[LB: 5]")),
    ],
    "SGF310": [
        never(
            'the ":" is missing in another game',
            (b"(;FF[4]GM[11]LB[aa x])", b"(;FF[4]GM[11]C[LB: aa x])"),
        ),
        pair("the point is on the board", (";B[a b]", ";B[ab]"), (";B[a z]", ";C[B: az]")),
        pair("the move is a pass", (";B[t t]", ";B[tt]"), (";B[t u]", ";C[B: tu]")),
        pair(
            "the point of the label is on the board",
            (";LB[a a:x]", ";LB[aa:x]"),
            (";LB[a z:x]", ";C[LB: az:x]"),
        ),
        pair(
            "the composed value has two halves",
            ("AR[a a:bb]", "AR[aa:bb]"),
            ("AR[a a]", "C[AR: a a]"),
        ),
        pair(
            "the value is one point without its white space",
            ("CR[a\na]", "CR[aa]"),
            ("CR[aa bb]", "CR[aa][bb]"),
        ),
        pair(
            "the text next to the point keeps its blanks and colons",
            ("LB[a a:x y\\:z]", "LB[aa:x y\\:z]"),
            ("LB[a a a:x y]", "C[LB: a a a:x y]"),
        ),
        pair(
            "the white space is not between two digits",
            (b"(;FF[4]GM[11]SZ[11];B[d 10])", b"(;FF[4]GM[11]SZ[11];B[d10])"),
            (b"(;FF[4]GM[11]SZ[11];B[d 1 0])", b"(;FF[4]GM[11]SZ[11];B[d10])"),
        ),
        never("points that are separated are those of a list", (";B[aa bb]", ";C[B: aa bb]")),
        pair(
            "the digits with white space between them are in a text",
            (b"(;FF[4]GM[1];LB[a a:1 2])", b"(;FF[4]GM[1];LB[aa:1 2])"),
            (b"(;FF[4]GM[11];LB[a1 2:x])", b"(;FF[4]GM[11];C[LB: a1 2:x])"),
        ),
        pair("more than white space is in the move", (";B[a a]", ";B[aa]"), (";B[ ]", ";B[]")),
    ],
    "SGF312": [
        never(
            "a label is before its point",
            ("LB[1:aa][12:x]AR[b:aa]", "LB[aa:1]C[LB: 12:x\nAR: b:aa]"),
        )
    ],
    "SGF315": [pair("a rectangle of one point is that point", ("AB[cc:cc]", "AB[cc]"))],
    "SGF316": [pair("two corners are a rectangle in any order", ("AB[ca:ac]", "AB[aa:cc]"))],
    "SGF321": [pair("a program needs no version", ("AP[prog]", "AP[prog:]"))],
    "SGF401": [
        never("the point is in capital letters", ("SZ[19];B[PD]", "SZ[19];B[pd]")),
        never("the pass is in capital letters", ("SZ[9];B[TT]", "SZ[9];B[tt]")),
        never("the point is not on the board in any letters", ("SZ[9];B[ZZ]", "SZ[9];C[B: ZZ]")),
        never(
            "the point is not in letters",
            (b"(;FF[4]GM[11]SZ[11];B[z9])", b"(;FF[4]GM[11]SZ[11];C[B: z9])"),
        ),
        never(
            "a move one beyond the lower right corner may be a pass", ("SZ[9];B[jj]", "SZ[9];B[]")
        ),
        never("the move is beyond the board elsewhere", ("SZ[9];B[jk]", "SZ[9];C[B: jk]")),
        never(
            "a stone beyond the lower right corner is no pass", ("SZ[9];AB[jj]", "SZ[9];C[AB: jj]")
        ),
        never(
            "in other games the move beyond the corner is no pass",
            (b"(;FF[4]GM[11]SZ[11];B[l12])", b"(;FF[4]GM[11]SZ[11];C[B: l12])"),
        ),
    ],
    "SGF411": [
        pair(
            "the name is not a number, which may be flags",
            (";B[aa]FG[257a]", ";B[aa]FG[0:257a]"),
            (";B[aa]FG[2 57]", ";B[aa]FG[257:]"),
        ),
        pair(
            "the value is not blank", (";B[aa]FG[ a]", ";B[aa]FG[0: a]"), (";B[aa]FG[ ]", ";B[aa]")
        ),
        pair(
            "the file format is 4",
            (b"(;FF[4]GM[1];B[aa]FG[Dia. 1])", b"(;FF[4]GM[1];B[aa]FG[0:Dia. 1])"),
            (b"(;FF[3]GM[1];B[aa]FG[Dia. 1])", b"(;FF[3]GM[1];B[aa]FG[0:Dia. 1])"),
        ),
        pair(
            'a ":" is at most the first character',
            (";B[aa]FG[:D]", ";B[aa]FG[0:D]"),
            (";B[aa]FG[D:]", ";B[aa]FG[0:D\\:]"),
        ),
        never(
            "there are no flags that cannot be read", (";B[aa]FG[a:b\\]c]", ";B[aa]FG[0:a\\:b\\]c]")
        ),
    ],
}
