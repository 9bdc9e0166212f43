"""Pairs for what fixes of many rules share, and for the last resort."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF202": [
        pair(
            "the charset of the value is certain",
            (b"(;FF[4]GM[1]CA[ISO-8859-1]KM[5\xbd])", b"(;FF[4]GM[1]CA[ISO-8859-1]KM[5.5])"),
            (b"(;FF[4]GM[1]KM[5\xbd])", b"(;FF[4]GM[1]KM[5.5])"),
        )
    ],
    "SGF203": [
        pair(
            "the name of the charset is known",
            ("CA[xyz-123]C[x]", "CA[UTF-8]C[x]"),
            ("CA[UTF 8!]C[x]", "CA[UTF-8]C[x]"),
        )
    ],
    "SGF209": [
        never(
            "an error of the file is none of the property at its place",
            (b"(;FF[4]GM[1]CA[UTF-8]C[\xe9t\xe9])", "(;FF[4]GM[1]CA[UTF-8]C[été])".encode()),
        )
    ],
    "SGF213": [
        pair("nothing else is on the line", ("\n  N[]\nC[x]", "\n  C[x]")),
        pair("the property does not begin its line", ("N[]\nC[x]", "\nC[x]")),
        pair("the property does not end its line", ("\nN[]C[x]", "\nC[x]")),
        never("white space is between the empty text and the one before it", ("C[a] []", "C[a]")),
        never("white space is between the empty text and the one after it", ("C[] [a]", "C[a]")),
    ],
    "SGF301": [
        never("nobody knew the first result", ("RE[?][B+T]", "RE[B+T]")),
        never("the second result is another one", ("RE[B+][W+R]", "RE[B+]GC[RE: W+R]")),
        never("the numbers begin alike", ("RE[B+1][B+12]", "RE[B+1]GC[RE: B+12]")),
        never("the second date says more", ("DT[2001][2001-05-06]", "DT[2001-05-06]")),
        never(
            "the second date is another one",
            ("DT[2001-05-06][2001-07]", "DT[2001-05-06]GC[DT: 2001-07]"),
        ),
        never("the second text is no date", ("GN[a][a-b]", "GN[a]GC[GN: a-b]")),
    ],
    "SGF303": [
        pair(
            "the property, of which a value is replaced, is not obsolete",
            (b"(;FF[3]GM[1]TC[ 3])", b"(;FF[3]GM[1]TC[3])"),
            (b"(;FF[4]GM[1]TC[ 3])", b"(;FF[4]GM[1]TC[3])"),
        )
    ],
    "SGF306": [
        never("a player may be missing", ("PL[]", "")),
        never("the property is no list", ("PL[q]PL[B]", "C[PL: q]PL[B]")),
    ],
    "SGF307": [
        pair(
            "the property, of which a value is deleted, is not obsolete",
            (b"(;FF[3]GM[1]TC[])", b"(;FF[3]GM[1])"),
            (b"(;FF[4]GM[1]TC[])", b"(;FF[4]GM[1])"),
        )
    ],
    "SGF312": [
        never(
            "a value that is no point becomes a comment", ("AB[aa][x][bb]", "AB[aa][bb]C[AB: x]")
        ),
        never("a property without a point becomes a comment", ("\nAB[x]\nN[y]", "\nC[AB: x]N[y]")),
        never(
            "a list with an error waits for the lists that are joined to it",
            ("AB[x]AB[bb]", "AB[bb]C[AB: x]"),
        ),
    ],
    "SGF415": [
        pair(
            "the value can mean one thing only",
            ("KM[6,5]", "KM[6.5]"),
            ("KM[7.5 (Chinese)]", "KM[7.5]GC[KM: 7.5 (Chinese)]"),
        ),
        pair(
            "the value is ASCII, whatever the charset of other text is",
            (b"(;FF[4]GM[1]C[\xe9]KM[6,5])", b"(;FF[4]GM[1]C[\xe9]KM[6.5])"),
        ),
    ],
    "SGF435": [
        never(
            "a property that the game lacks becomes a comment",
            (b"(;FF[3]GM[1]VW[aj][ak][ ])", b"(;FF[3]GM[1]C[VW: aj ak])"),
        ),
        never(
            "the error is of a list that is joined to another",
            (
                b"(;FF[3]GM[1]SZ[9][19];VW[aj][ak]VW[bb][cc][x])",
                b"(;FF[3]GM[1]SZ[9]C[SZ: 19];C[VW: aj ak bb cc x])",
            ),
        ),
    ],
    "SGF501": [
        pair(
            "the names differ only in a line break",
            ("N[a\nb]N[a b]", "N[a\nb]"),
            ("N[a\nb]N[ab]", "N[a\nb ab]"),
        ),
        pair("a comment ends with a soft line break", ("C[a\\\n]C[b]", "C[a\\\n \nb]")),
        never("the second result says more", ("RE[B+]RE[B+R]", "RE[B+R]")),
    ],
    "SGF504": [
        never(
            "the annotation with a text is the first property",
            (b"(;KO[x]C[y])", b"(;FF[4]C[KO: x\ny])"),
        ),
        never("one of the values is empty", (";KO[x][ ]", ";C[KO: x]")),
    ],
    "SGF515": [
        never("a property with one value is deleted with its line", ("\nAR[cc:cc]\nC[x]", "\nC[x]"))
    ],
}
