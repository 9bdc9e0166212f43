"""Pairs for the fixes of damage (1xx)."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = {
    "SGF101": [
        pair(
            'the text has no "(", or each tree is certainly one game',
            (b"\0(;FF[4]GM[1](;FF[4]GM[1]))", b"(;FF[4]GM[1](;FF[4]GM[1]))"),
            (b"(()(;FF[4]GM[1](;FF[4]GM[1])))", b"(;FF[4]GM[1])"),
        ),
        pair(
            "the text before the first game is only control characters",
            (b"\x1a(;FF[4]GM[1])", b"(;FF[4]GM[1])"),
            (b"x(;FF[4]GM[1])", b"(;FF[4]GM[1]C[x])"),
        ),
        never(
            'where nothing is safe, a "(" that opens nothing is no text either',
            (
                b"(((\n(;FF[4]GM[1]SZ[9]SZ[19];FF[4]GM[1])))",
                b"\n(;FF[4]GM[1]SZ[9]C[SZ: 19])(;FF[4]GM[1])",
            ),
        ),
        never("markup is around the game", (b"<b>1</b><p>(;FF[4]GM[1])</p>", b"(;FF[4]GM[1]C[1])")),
        never('only "(" are before the game', (b"(((;FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])")),
        never("only markup is before the game", (b"<p>(;FF[4]GM[1])", b"(;FF[4]GM[1])")),
    ],
    "SGF102": [
        pair(
            "the text between games is only control characters",
            (")\x00\x1a(;FF[4]GM[1]", ")(;FF[4]GM[1]"),
            (";B[aa])x(;FF[4]GM[1]", ";B[aa]C[x])(;FF[4]GM[1]"),
        )
    ],
    "SGF103": [
        pair(
            'the properties without a ";" begin a game',
            (b"(FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])"),
            (b"(FF[4]GM[1](B[aa]))", b"(;FF[4]GM[1](;B[aa]))"),
        ),
        pair(
            "no other game of the file is read without it",
            (b"(FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])"),
            (b"(;FF[4]GM[1])(FF[4]GM[1];B[aa])", b"(;FF[4]GM[1])(;FF[4]GM[1];B[aa])"),
        ),
        pair(
            "nor what looks like one",
            (b"(FF[4]GM[1]C[x])", b"(;FF[4]GM[1]C[x])"),
            (b"(FF[4]GM[1]C[(;])", b"(;FF[4]GM[1]C[(;])"),
        ),
    ],
    "SGF104": [
        pair(
            'there is a game besides "()"',
            (b"(;FF[4]GM[1];B[aa]())", b"(;FF[4]GM[1];B[aa])"),
            (b"()", b"()"),
        )
    ],
    "SGF105": [
        pair(
            "no later node has the properties of a root",
            (b"((;FF[4]GM[1];B[aa];B[bb]))", b"(;FF[4]GM[1];B[aa];B[bb])"),
            (b"((;FF[4]GM[1];B[aa];FF[4]GM[1];B[bb]))", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])"),
        ),
        pair(
            'no other game without a "(" comes before the ")"',
            (
                b"((;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb]))",
                b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])",
            ),
            (b"((;FF[4]GM[1];B[aa]);FF[4]GM[1];B[bb])", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])"),
        ),
        pair(
            'a ")" closes the surplus "("',
            (b"((;FF[4]GM[1];B[aa]))", b"(;FF[4]GM[1];B[aa])"),
            (b"((;FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])"),
        ),
    ],
    "SGF106": [
        pair(
            "no later node has the properties of a root",
            ("(;B[aa]);B[bb]", "(;B[aa])(;B[bb])"),
            ("(;B[aa]);B[bb];FF[4]GM[1]", "(;B[aa])(;B[bb]))(;FF[4]GM[1]"),
        ),
        pair(
            'what follows the variation begins with a ";"',
            ("(;B[aa]);B[bb]", "(;B[aa])(;B[bb])"),
            ("(;B[aa])B[bb]", "(;B[aa])(;B[bb])"),
        ),
        pair(
            "the node is not empty",
            ("(;B[aa]);B[bb]", "(;B[aa])(;B[bb])"),
            ("(;B[aa]);(;B[bb])", "(;B[aa])(;(;B[bb]))"),
        ),
        pair(
            "no parenthesis is lost or one too many",
            (b"(;FF[4]GM[1](;B[aa]);B[bb])", b"(;FF[4]GM[1](;B[aa])(;B[bb]))"),
            (b"(;FF[4]GM[1](;B[aa]);B[bb]", b"(;FF[4]GM[1](;B[aa])(;B[bb]))"),
        ),
    ],
    "SGF107": [
        never(
            "the header of a game is there twice", ("SZ[9](;FF[4]GM[1]SZ[9];B[aa]", "SZ[9];B[aa]")
        ),
        never(
            "the header is there twice, without a parenthesis",
            (b"(;FF[4]GM[1]SZ[9];FF[4]GM[1]SZ[9];B[aa]", b"(;FF[4]GM[1]SZ[9];B[aa])"),
        ),
        never(
            "the next node begins another game",
            ("SZ[9](;FF[4]GM[1]SZ[9]PB[x];B[aa]", "SZ[9])(;FF[4]GM[1]SZ[9]PB[x];B[aa]"),
        ),
        pair(
            'the "(" that nothing follows is the last one', (b"(;FF[4]GM[1]) ((", b"(;FF[4]GM[1]) ")
        ),
        pair(
            "the file ends within a node",
            (b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]", b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]))"),
            (b"(;FF[4]GM[1];B[aa](;W[bb](;B[cc]))", b"(;FF[4]GM[1];B[aa](;W[bb](;B[cc])))"),
        ),
    ],
    "SGF108": [
        pair(
            "each game has a property of a root in its root",
            (";B[aa])(;GM[1];B[bb])", ";B[aa])(;GM[1];B[bb]"),
            (";B[aa])(;B[bb])", "(;B[aa])(;B[bb])"),
        ),
        pair(
            "no node follows a variation",
            (";B[aa](;W[bb])(;W[cc];B[dd]))", ";B[aa](;W[bb])(;W[cc];B[dd])"),
            (";B[aa](;W[bb])(;W[cc]);B[dd])", ";B[aa](;W[bb])(;W[cc];B[dd])"),
        ),
        pair(
            "the variations of the game are in turn",
            (";B[aa](;W[bb])(;W[cc]))", ";B[aa](;W[bb])(;W[cc])"),
            (";B[aa](;W[bb])(;B[cc]))", ";B[aa](;W[bb])(;B[cc])"),
        ),
        pair(
            'nothing but white space follows the surplus ")"',
            (b"(;FF[4]GM[1];B[aa])) \n", b"(;FF[4]GM[1];B[aa]) \n"),
            (b"(;FF[4]GM[1];B[aa])) x", b"(;FF[4]GM[1];B[aa]C[x]) "),
        ),
        pair(
            'the ")" closes no "(" in text outside the games',
            (b"(;FF[4]GM[1];B[aa]))", b"(;FF[4]GM[1];B[aa])"),
            (b"(x(;FF[4]GM[1];B[aa]))", b"(;FF[4]GM[1]C[(x];B[aa])"),
        ),
        never(
            "a later node has the properties of a root",
            (
                b"((()(;FF[4]GM[1];B[aa];FF[4]GM[1];B[bb])))",
                b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])",
            ),
        ),
    ],
    "SGF109": [
        never(
            "a property after the game may belong to it",
            (b"(;FF[4]GM[1];B[aa])C[x]", b"(;FF[4]GM[1];B[aa]C[x])"),
        )
    ],
    "SGF110": [
        never("a value is missing", (";KO W[aa]", ";KO[] W[aa]")),
        never("a value is missing that cannot be empty", (";B", "")),
        never("the word is no identifier", ("C[x]XXX", "C[x\nXXX]")),
        never(
            "words with what may be identifiers stay together",
            (";W[aa] KO 2 at A; 5 B[bb]", ";W[aa] C[KO 2 at A];  B[bb]"),
        ),
        never("all words may be identifiers", (";W[aa]KO DO;B[bb]", ";W[aa]KO[] DO[];B[bb]")),
        never(
            "a property without a value is in no node", ("(;B[aa])KO(;W[bb])", "(;B[aa])(;W[bb])")
        ),
    ],
    "SGF111": [
        pair("the value without an identifier is empty", (";[ ]", ""), (";[aa][ ]", ";C[aa]")),
        never(
            "the moves around the value show whose move it is",
            (";B[aa];W[bb];[cc]C[x];W[dd]", ";B[aa];W[bb];B[cc]C[x];W[dd]"),
        ),
        never(
            "no move shows whose move it is, or two of one color do", (";[aa];[bb]", ";C[aa];C[bb]")
        ),
        never("junk is in its place", (";B[aa];5[bb];B[cc]", ";B[aa];W[bb];B[cc]")),
        never("the value is in the root", (b"(;[aa];W[bb])", b"(;FF[4]C[aa];W[bb])")),
        never("the value is no move", (";B[aa];[b]", ";B[aa];C[b]")),
        never("the move is a pass", (";B[aa];[];B[cc]", ";B[aa];W[];B[cc]")),
    ],
    "SGF112": [
        never("in the root the whole identifier can be meant", ("G C[x]", "GC[x]")),
        never("below the root the last letters are meant", (";G C[x]", ";C[x]")),
        never("the identifier is one of another game", (";I P[x]", ";IP[x]")),
        never("the last letters can be an identifier too", (";B L[30]", ";BL[30]")),
    ],
    "SGF113": [
        never("a character of the identifier may be wrong, not one too many", ("C1[x]", "C[x]")),
        never("no capital is in the identifier", ("c1[x]", "c1[x]")),
        never("the node has that unknown property", (";X[y]X1[x]", ";X[y]C[X1: x]")),
        never("the node has that known property", (";B[aa]B1[bb]", ";B[aa];B[bb]")),
        never("the property is unknown, and the only one", (";X1[x]", ";X[x]")),
    ],
    "SGF114": [
        pair(
            "the identifier has capitals", (";Black[aa]", ";B[aa]"), ("remark[x]", "C[remark: x]")
        ),
        pair(
            "the identifier is made of words of the name of the property",
            (";AddBlack[aa]", ";AB[aa]"),
            (";Answer[aa]B[bb]", ";A[aa]B[bb]"),
        ),
        pair(
            "the identifier is not the name of a property",
            ("PlayerBlack[Lee]BlackRank[9d]", "PB[Lee]BR[9d]"),
            ("Komi[6.5]Size[9]Time[60]Player[x]", "KM[6.5]SZ[9]TM[60]P[x]"),
        ),
        never(
            "names of properties are in small letters",
            ("komi[6.5]comment[x];label[aa:x]", "KM[6.5]C[x];LB[aa:x]"),
        ),
        never("the capitals are an identifier", ("Copyright[x]", "C[x]")),
        never("the name is below the root", (";Komi[6.5]", ";K[6.5]")),
        never("the identifier in capitals has values of this type", (";pl[B]", ";PL[B]")),
        never("the identifier in capitals takes other values", (";pl[b]", ";C[pl: b]")),
        never("the move is in capitals, not the identifier", (";b[AA]", ";B[aa]")),
        never("the identifier in capitals is that of one program", (";kgsde[x]", ";C[kgsde: x]")),
        never("the letter is in a list of points", (";AB[aa]x[bb]", ";AB[aa][bb]")),
        never(
            "the letter and the bracket after it have changed places",
            (";MA[aa]f[rr]g[h]", ";MA[aa][rr][gh]"),
        ),
        never(
            "the letter and the bracket before it have changed places",
            (";AB[aa][b]c[pc][ad]e[ff]", ";AB[aa][bc][pc][ad][ff]"),
        ),
        never("a blank is between the letter and the bracket", (";AB[aa]f [r]", ";AB[aa]C[f: r]")),
        never("the list is after the letter", (";PB[x]e[pc]AB[aa]", "PB[x];C[e: pc]AB[aa]")),
        never(
            "the point is of more than the letter beside the bracket",
            (";LB[aa:x]y[bb:z]", ";LB[aa:x][bb:z]"),
        ),
        never(
            "of two ways to change places the one after the letter is taken",
            (";AB[aa][b]e[d][ad]", ";AB[aa][ed][ad]C[AB: b]"),
        ),
        never(
            "the values after the letter are no points as those before it",
            (";AB[aa]x[hello]", ";AB[aa]C[x: hello]"),
        ),
        never("the property before the letter takes one value", (";N[aa]x[bb]", ";N[aa]C[x: bb]")),
        never("the property before the letter is unknown", (";XX[aa]x[bb]", ";XX[aa]C[x: bb]")),
        never(
            "the list is not right before the letter", (";TR[aa]C[x]x[bb]", ";TR[aa]C[x\nx: bb]")
        ),
        never(
            "words are between the list and the letter",
            (";AB[aa]hello world x[bb]", ";AB[aa]C[hello world\nx: bb] "),
        ),
        never('a "]" without a property is before the letter', (";]x[bb]", ";C[x: bb]")),
    ],
    "SGF118": [
        pair(
            'the "]" closes a "[" in the text',
            ("C[a [b] c]", "C[a [b\\] c]"),
            ("C[a b] c]", "C[a b\\] c]"),
        ),
        pair(
            "the property of the value is known",
            ("C[[a] b]", "C[[a\\] b]"),
            ("XX[[a] b]", "XX[[a]C[b]"),
        ),
        pair(
            "what is after the bracket can be decoded",
            (
                b"(;FF[4]GM[1]CA[UTF-8]C[a [b] \xc3\x80 c])",
                b"(;FF[4]GM[1]CA[UTF-8]C[a [b\\] \xc3\x80 c])",
            ),
            (
                b"(;FF[4]GM[1]CA[UTF-8]C[a [b] \xc0 c])",
                b"(;FF[4]GM[1]CA[UTF-8]C[a [b\\] \xc3\x80 c])",
            ),
        ),
        never('the "]" comes after a value', (";B[aa]];W[bb]", ";B[aa];W[bb]")),
        never('the "]" comes before a value', (";];W[bb]", ";;W[bb]")),
        never('the "]" after a text may belong to it', ("C[a [1] b]x;W[dd]", "C[a [1\\] b];W[dd]")),
        never('no "[" is open in the text before the "]"', ("C[a]5]x;W[dd]", "C[a\\]5];W[dd]")),
        never(
            'the "]" may be the second half of a character',
            (b"(;FF[4]GM[1]C[\x83];a5];W[dd])", "(;FF[4]GM[1]C[ゾ;a5]CA[UTF-8];W[dd])".encode()),
        ),
        pair(
            "nothing in the text is escaped",
            ("C[a [b] c [d] e]", "C[a [b\\] c [d\\] e]"),
            ("C[a [b\\] c [d] e]", "C[a [b\\] c [d\\] e]"),
        ),
        pair(
            'a ":" comes before the "]" in the value',
            ("AP[a:[b] 2]", "AP[a:[b\\] 2]"),
            ("AP[a[b]:2]", "AP[a[b:]C[:2]"),
        ),
        never("the point of a label has a bracket", (";LB[[aa]:2]", ";C[LB: [aa\n:2]")),
        never("the value is no text, and ends at the first bracket", ("RE[[B+R]]", "RE[B+R]")),
        pair(
            'no property follows the "]"',
            (";C[a [b] c [d] e]", ";C[a [b\\] c [d\\] e]"),
            (";C[a [b] N[d] e]", ";C[a [b\\] N[d\\] e]"),
        ),
        pair(
            "the half of the value is a text",
            ("AP[a:[b] 2]", "AP[a:[b\\] 2]"),
            (";AR[aa:[b] 2]", ";C[AR: aa:[b\n2]"),
        ),
    ],
    "SGF119": [
        pair(
            "the open value is a text",
            (b"(;FF[4]GM[1]C[open", b"(;FF[4]GM[1]C[open])"),
            (b"(;FF[4]GM[1]KM[6", b"(;FF[4]GM[1]KM[6])"),
        ),
        pair(
            "the open value is an empty text",
            (b"(;FF[4]GM[1]C[", b"(;FF[4]GM[1])"),
            (b"(;FF[4]GM[1]AB[aa][", b"(;FF[4]GM[1]AB[aa])"),
        ),
        never("the property has only the open value", (b"(;FF[4]GM[1];B[", b"(;FF[4]GM[1])")),
        pair(
            "no byte of a character comes before an escape",
            (b"(;FF[4]GM[1]CA[Shift_JIS](;C[a\x95x", b"(;FF[4]GM[1]CA[UTF-8](;C[a\xe5\xaf\x8c]))"),
            (b"(;FF[4]GM[1]CA[Shift_JIS]C[\x95\\]", b"(;FF[4]GM[1]CA[UTF-8]C[\xe8\xa9\x95])"),
        ),
        pair(
            "the text with an escape after a byte of a character is in UTF-8",
            (b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9\\]", b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9\\]])"),
            (b"(;FF[4]GM[1]CA[Big5]C[\xa5\\]", b"(;FF[4]GM[1]CA[UTF-8]C[\xe5\x8c\x85])"),
        ),
        pair(
            "the text ends with an escape",
            (b"(;FF[4]GM[1]C[a\\", b"(;FF[4]GM[1]C[a\\\\])"),
            (b"(;FF[4]GM[1]KM[5\\", b"(;FF[4]GM[1]GC[KM: 5\\\\])"),
        ),
        pair(
            'the text does not end with a ")"',
            (b"(;FF[4]GM[1]C[open;", b"(;FF[4]GM[1]C[open;])"),
            (b"(;FF[4]GM[1]C[open) \n", b"(;FF[4]GM[1]C[open]) \n"),
        ),
    ],
    "SGF120": [
        never(
            "words with digits in them stay together",
            ("(;B[aa]) , Var 2: (;B[bb])", "(;B[aa])  (;C[, Var 2:]B[bb])"),
        ),
        never(
            "damage of another kind is before the words",
            (";W[aa]a[x] ab;B[bb]", ";W[aa]C[a: x\nab] ;B[bb]"),
        ),
        pair(
            "between the tokens are only control characters and separators",
            (";B[aa],;W[bb]", ";B[aa];W[bb]"),
            (";B[aa]5;W[bb]", ";B[aa];W[bb]"),
        ),
        pair(
            "no value follows, which would then have a property",
            (";B[aa],;W[bb]", ";B[aa];W[bb]"),
            ("AB[aa],[bb]", "AB[aa][bb]"),
        ),
        pair(
            "no move follows, before which they may be in the place of a semicolon",
            ("SZ[9],C[aa];B[bb]", "SZ[9]C[aa];B[bb]"),
            ("SZ[9],B[aa];W[bb]", "SZ[9];B[aa];W[bb]"),
        ),
        pair(
            "two moves become two nodes without the semicolon, too",
            (";B[aa],W[bb]", ";B[aa];W[bb]"),
            (";B[aa]C[x],W[bb]", ";B[aa]C[x];W[bb]"),
        ),
        pair(
            "the move is the first property of its node",
            ("SZ[9];,B[aa]", "SZ[9];B[aa]"),
            ("SZ[9],B[aa];W[bb]", "SZ[9];B[aa];W[bb]"),
        ),
        pair(
            "no property is before the move",
            (b"(;,B[aa];C[x])", b"(;B[aa];C[x])"),
            (b"(;SZ[9],B[aa];C[x])", b"(;FF[4]SZ[9];B[aa];C[x])"),
        ),
        never('the node after the junk has no ";"', ("(;B[aa])ab(B[bb])", "(;B[aa])(;C[ab]B[bb])")),
        never("no node follows the junk", ("(;B[aa])(;B[bb])ab", "(;B[aa])(;B[bb]C[ab])")),
        never(
            'a ")" is between the junk and the next node',
            ("(;B[aa](;W[cc])ab)(;B[bb])", "(;B[aa](;W[cc]C[ab]))(;B[bb])"),
        ),
        never(
            "a space of another charset is no word",
            (
                b"(;FF[4]GM[1]CA[UTF-8](;B[aa])\xe3\x80\x80(;B[bb]))",
                b"(;FF[4]GM[1]CA[UTF-8](;B[aa])(;B[bb]))",
            ),
        ),
        never(
            "bytes that cannot be decoded may be a word",
            (
                "(;FF[4]GM[1]CA[UTF-8]C[棋棋棋棋](;B[aa])".encode() + b"\xb0\xd7(;B[bb]))",
                "(;FF[4]GM[1]CA[UTF-8]C[棋棋棋棋](;B[aa])(;C[白]B[bb]))".encode(),
            ),
        ),
        never(
            "several runs of junk may belong to the text",
            ("C[a [1] b;d]x;W[dd]", "C[a [1\\] b;d];W[dd]"),
        ),
        never("no property comes before the junk", (b"(;5)", b"(;FF[4])")),
        never(
            "the first property of the file is the text",
            (b"(;C[a [1] b]x;W[dd])", b"(;FF[4]C[a [1\\] b];W[dd])"),
        ),
    ],
    "SGF121": [
        pair(
            "most bytes between the zero bytes are too far from each other for UTF-16",
            (b"(;FF[4]C[a\0bcdef\0])", b"(;FF[4]C[a bcdef ])"),
            (b"(;FF[4]C[a\0b\0cd])", b"(;FF[4]C[a\0b\0cd])"),
        ),
        pair(
            "zero bytes side by side are not text in UTF-16",
            (b"(;FF[4]C[a\0\0b\0])", b"(;FF[4]C[a  b ])"),
        ),
        pair(
            "the zero byte does not follow a word",
            (b"(;FF[4]\x00GM[1])", b"(;FF[4]GM[1])"),
            (b"(;FF[4]GM[1];B\x00[aa])", b"(;FF[4]GM[1];B[aa])"),
        ),
        pair(
            "the zero byte is in a text without a format",
            ("PB[a\x00b]", "PB[a b]"),
            ("RU[a\x00b]", "RU[a b]"),
        ),
    ],
    "SGF122": [
        pair(
            "the control character does not follow a word",
            (b"(;FF[4]\x01GM[1])", b"(;FF[4]GM[1])"),
            (b"(;FF[4]G\x01M[1])", b"(;FF[4]GM[1])"),
        ),
        pair(
            "a value follows the control character",
            (";B\x01[aa]", ";B[aa]"),
            (";KO\x01;B[aa]", ";;B[aa]"),
        ),
    ],
    "SGF123": [
        never("the whole file is read anew", ("%3BB%5Baa%5D", ";B[aa]")),
        never(
            "the head is cut off; what looks like escapes of a string is in texts only",
            (b";FF[4]GM[1];B[ab]C[end\\\\];W[ag])", b"(;FF[4]GM[1];B[ab]C[end\\\\];W[ag])"),
        ),
    ],
    "SGF517": [
        never(
            "the node with the properties of a root is not the next one",
            ("SZ[9];B[cc];FF[4]GM[1]SZ[9];B[aa]", "SZ[9];B[cc])(;FF[4]GM[1]SZ[9];B[aa]"),
        )
    ],
    "SGF518": [
        never(
            "each tree goes on with the one before",
            (";B[aa])(;W[cc])(;B[dd];C[x])(;W[ee]B[ff]", ";B[aa];W[cc];B[dd];C[x];W[ee];B[ff]"),
        ),
        never("the same color is no next move", (";B[aa])(;B[cc]", ";B[aa])(;B[cc]")),
        never(
            "the game before has not the properties of a root",
            (b"(;B[aa])(;W[cc])", b"(;B[aa])(;W[cc])"),
        ),
        never("the tree has setup", (";B[aa])(;W[cc]AB[dd]", ";B[aa])(;AB[dd];W[cc]")),
        never("the tree has game information", (";B[aa])(;W[cc]GN[x]", ";B[aa])(;FF[4]W[cc]GN[x]")),
        never(
            "the tree has the properties of a root",
            (";B[aa])(;FF[4]GM[1]W[cc]", ";B[aa])(;FF[4]GM[1]W[cc]"),
        ),
        never("the tree before has no move", (";B[aa])(;C[x])(;W[cc]", ";B[aa])(;C[x])(;W[cc]")),
    ],
}
