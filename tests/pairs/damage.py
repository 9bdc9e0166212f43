"""Pairs for the fixes of damage (1xx)."""

from __future__ import annotations

from tests.pairs import never, pair

PAIRS = [
    never("SGF123", "the whole file is read anew", ("%3BB%5Baa%5D", ";B[aa]")),
    never(
        "SGF123",
        "the head is cut off; what looks like escapes of a string is in texts only",
        (b";FF[4]GM[1];B[ab]C[end\\\\];W[ag])", b"(;FF[4]GM[1];B[ab]C[end\\\\];W[ag])"),
    ),
    never(
        "SGF107",
        "the header of a game is there twice",
        ("SZ[9](;FF[4]GM[1]SZ[9];B[aa]", "SZ[9];B[aa]"),
    ),
    never(
        "SGF107",
        "the header is there twice, without a parenthesis",
        (b"(;FF[4]GM[1]SZ[9];FF[4]GM[1]SZ[9];B[aa]", b"(;FF[4]GM[1]SZ[9];B[aa])"),
    ),
    never(
        "SGF107",
        "the next node begins another game",
        ("SZ[9](;FF[4]GM[1]SZ[9]PB[x];B[aa]", "SZ[9])(;FF[4]GM[1]SZ[9]PB[x];B[aa]"),
    ),
    pair(
        "SGF101",
        'the text has no "(", or each tree is certainly one game',
        (b"\0(;FF[4]GM[1](;FF[4]GM[1]))", b"(;FF[4]GM[1](;FF[4]GM[1]))"),
        (b"(()(;FF[4]GM[1](;FF[4]GM[1])))", b"(;FF[4]GM[1])"),
    ),
    pair(
        "SGF101",
        "the text before the first game is only control characters",
        (b"\x1a(;FF[4]GM[1])", b"(;FF[4]GM[1])"),
        (b"x(;FF[4]GM[1])", b"(;FF[4]GM[1]C[x])"),
    ),
    never(
        "SGF101",
        'where nothing is safe, a "(" that opens nothing is no text either',
        (
            b"(((\n(;FF[4]GM[1]SZ[9]SZ[19];FF[4]GM[1])))",
            b"\n(;FF[4]GM[1]SZ[9]C[SZ: 19])(;FF[4]GM[1])",
        ),
    ),
    never(
        "SGF101",
        "markup is around the game",
        (b"<b>1</b><p>(;FF[4]GM[1])</p>", b"(;FF[4]GM[1]C[1])"),
    ),
    never(
        "SGF101", 'only "(" are before the game', (b"(((;FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])")
    ),
    never("SGF101", "only markup is before the game", (b"<p>(;FF[4]GM[1])", b"(;FF[4]GM[1])")),
    pair(
        "SGF102",
        "the text between games is only control characters",
        (")\x00\x1a(;FF[4]GM[1]", ")(;FF[4]GM[1]"),
        (";B[aa])x(;FF[4]GM[1]", ";B[aa]C[x])(;FF[4]GM[1]"),
    ),
    never(
        "SGF109",
        "a property after the game may belong to it",
        (b"(;FF[4]GM[1];B[aa])C[x]", b"(;FF[4]GM[1];B[aa]C[x])"),
    ),
    pair(
        "SGF103",
        'the properties without a ";" begin a game',
        (b"(FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])"),
        (b"(FF[4]GM[1](B[aa]))", b"(;FF[4]GM[1](;B[aa]))"),
    ),
    pair(
        "SGF103",
        "no other game of the file is read without it",
        (b"(FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])"),
        (b"(;FF[4]GM[1])(FF[4]GM[1];B[aa])", b"(;FF[4]GM[1])(;FF[4]GM[1];B[aa])"),
    ),
    pair(
        "SGF103",
        "nor what looks like one",
        (b"(FF[4]GM[1]C[x])", b"(;FF[4]GM[1]C[x])"),
        (b"(FF[4]GM[1]C[(;])", b"(;FF[4]GM[1]C[(;])"),
    ),
    pair(
        "SGF104",
        'there is a game besides "()"',
        (b"(;FF[4]GM[1];B[aa]())", b"(;FF[4]GM[1];B[aa])"),
        (b"()", b"()"),
    ),
    pair(
        "SGF105",
        "no later node has the properties of a root",
        (b"((;FF[4]GM[1];B[aa];B[bb]))", b"(;FF[4]GM[1];B[aa];B[bb])"),
        (b"((;FF[4]GM[1];B[aa];FF[4]GM[1];B[bb]))", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])"),
    ),
    pair(
        "SGF105",
        'no other game without a "(" comes before the ")"',
        (b"((;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb]))", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])"),
        (b"((;FF[4]GM[1];B[aa]);FF[4]GM[1];B[bb])", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])"),
    ),
    pair(
        "SGF105",
        'a ")" closes the surplus "("',
        (b"((;FF[4]GM[1];B[aa]))", b"(;FF[4]GM[1];B[aa])"),
        (b"((;FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[aa])"),
    ),
    pair(
        "SGF106",
        "no later node has the properties of a root",
        ("(;B[aa]);B[bb]", "(;B[aa])(;B[bb])"),
        ("(;B[aa]);B[bb];FF[4]GM[1]", "(;B[aa])(;B[bb]))(;FF[4]GM[1]"),
    ),
    pair(
        "SGF106",
        'what follows the variation begins with a ";"',
        ("(;B[aa]);B[bb]", "(;B[aa])(;B[bb])"),
        ("(;B[aa])B[bb]", "(;B[aa])(;B[bb])"),
    ),
    pair(
        "SGF106",
        "the node is not empty",
        ("(;B[aa]);B[bb]", "(;B[aa])(;B[bb])"),
        ("(;B[aa]);(;B[bb])", "(;B[aa])(;(;B[bb]))"),
    ),
    pair(
        "SGF106",
        "no parenthesis is lost or one too many",
        (b"(;FF[4]GM[1](;B[aa]);B[bb])", b"(;FF[4]GM[1](;B[aa])(;B[bb]))"),
        (b"(;FF[4]GM[1](;B[aa]);B[bb]", b"(;FF[4]GM[1](;B[aa])(;B[bb]))"),
    ),
    pair(
        "SGF108",
        "each game has a property of a root in its root",
        (";B[aa])(;GM[1];B[bb])", ";B[aa])(;GM[1];B[bb]"),
        (";B[aa])(;B[bb])", "(;B[aa])(;B[bb])"),
    ),
    pair(
        "SGF108",
        "no node follows a variation",
        (";B[aa](;W[bb])(;W[cc];B[dd]))", ";B[aa](;W[bb])(;W[cc];B[dd])"),
        (";B[aa](;W[bb])(;W[cc]);B[dd])", ";B[aa](;W[bb])(;W[cc];B[dd])"),
    ),
    pair(
        "SGF108",
        "the variations of the game are in turn",
        (";B[aa](;W[bb])(;W[cc]))", ";B[aa](;W[bb])(;W[cc])"),
        (";B[aa](;W[bb])(;B[cc]))", ";B[aa](;W[bb])(;B[cc])"),
    ),
    pair(
        "SGF107",
        'the "(" that nothing follows is the last one',
        (b"(;FF[4]GM[1]) ((", b"(;FF[4]GM[1]) "),
    ),
    never("SGF110", "a value is missing", (";KO W[aa]", ";KO[] W[aa]")),
    never("SGF110", "a value is missing that cannot be empty", (";B", "")),
    never("SGF110", "the word is no identifier", ("C[x]XXX", "C[x\nXXX]")),
    pair(
        "SGF111", "the value without an identifier is empty", (";[ ]", ""), (";[aa][ ]", ";C[aa]")
    ),
    never(
        "SGF111",
        "the moves around the value show whose move it is",
        (";B[aa];W[bb];[cc]C[x];W[dd]", ";B[aa];W[bb];B[cc]C[x];W[dd]"),
    ),
    never(
        "SGF111",
        "no move shows whose move it is, or two of one color do",
        (";[aa];[bb]", ";C[aa];C[bb]"),
    ),
    never("SGF111", "junk is in its place", (";B[aa];5[bb];B[cc]", ";B[aa];W[bb];B[cc]")),
    never("SGF111", "the value is in the root", (b"(;[aa];W[bb])", b"(;FF[4]C[aa];W[bb])")),
    never("SGF111", "the value is no move", (";B[aa];[b]", ";B[aa];C[b]")),
    never("SGF111", "the move is a pass", (";B[aa];[];B[cc]", ";B[aa];W[];B[cc]")),
    pair(
        "SGF108",
        'nothing but white space follows the surplus ")"',
        (b"(;FF[4]GM[1];B[aa])) \n", b"(;FF[4]GM[1];B[aa]) \n"),
        (b"(;FF[4]GM[1];B[aa])) x", b"(;FF[4]GM[1];B[aa]C[x]) "),
    ),
    never("SGF112", "in the root the whole identifier can be meant", ("G C[x]", "GC[x]")),
    never("SGF112", "below the root the last letters are meant", (";G C[x]", ";C[x]")),
    never("SGF112", "the identifier is one of another game", (";I P[x]", ";IP[x]")),
    never("SGF112", "the last letters can be an identifier too", (";B L[30]", ";BL[30]")),
    never(
        "SGF113", "a character of the identifier may be wrong, not one too many", ("C1[x]", "C[x]")
    ),
    never("SGF113", "no capital is in the identifier", ("c1[x]", "c1[x]")),
    pair(
        "SGF114",
        "the identifier has capitals",
        (";Black[aa]", ";B[aa]"),
        ("remark[x]", "C[remark: x]"),
    ),
    pair(
        "SGF118",
        'the "]" closes a "[" in the text',
        ("C[a [b] c]", "C[a [b\\] c]"),
        ("C[a b] c]", "C[a b\\] c]"),
    ),
    pair(
        "SGF118",
        "the property of the value is known",
        ("C[[a] b]", "C[[a\\] b]"),
        ("XX[[a] b]", "XX[[a]C[b]"),
    ),
    pair(
        "SGF118",
        "what is after the bracket can be decoded",
        (
            b"(;FF[4]GM[1]CA[UTF-8]C[a [b] \xc3\x80 c])",
            b"(;FF[4]GM[1]CA[UTF-8]C[a [b\\] \xc3\x80 c])",
        ),
        (b"(;FF[4]GM[1]CA[UTF-8]C[a [b] \xc0 c])", b"(;FF[4]GM[1]CA[UTF-8]C[a [b\\] \xc3\x80 c])"),
    ),
    never("SGF118", 'the "]" comes after a value', (";B[aa]];W[bb]", ";B[aa];W[bb]")),
    never("SGF118", 'the "]" comes before a value', (";];W[bb]", ";;W[bb]")),
    never(
        "SGF118",
        'the "]" after a text may belong to it',
        ("C[a [1] b]x;W[dd]", "C[a [1\\] b];W[dd]"),
    ),
    pair(
        "SGF119",
        "the open value is a text",
        (b"(;FF[4]GM[1]C[open", b"(;FF[4]GM[1]C[open])"),
        (b"(;FF[4]GM[1]KM[6", b"(;FF[4]GM[1]KM[6])"),
    ),
    pair(
        "SGF119",
        "the open value is an empty text",
        (b"(;FF[4]GM[1]C[", b"(;FF[4]GM[1])"),
        (b"(;FF[4]GM[1]AB[aa][", b"(;FF[4]GM[1]AB[aa])"),
    ),
    never("SGF119", "the property has only the open value", (b"(;FF[4]GM[1];B[", b"(;FF[4]GM[1])")),
    pair(
        "SGF119",
        "no byte of a character comes before an escape",
        (b"(;FF[4]GM[1]CA[Shift_JIS](;C[a\x95x", b"(;FF[4]GM[1]CA[UTF-8](;C[a\xe5\xaf\x8c]))"),
        (b"(;FF[4]GM[1]CA[Shift_JIS]C[\x95\\]", b"(;FF[4]GM[1]CA[UTF-8]C[\xe8\xa9\x95])"),
    ),
    pair(
        "SGF119",
        "the text with an escape after a byte of a character is in UTF-8",
        (b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9\\]", b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9\\]])"),
        (b"(;FF[4]GM[1]CA[Big5]C[\xa5\\]", b"(;FF[4]GM[1]CA[UTF-8]C[\xe5\x8c\x85])"),
    ),
    pair(
        "SGF119",
        "the text ends with an escape",
        (b"(;FF[4]GM[1]C[a\\", b"(;FF[4]GM[1]C[a\\\\])"),
        (b"(;FF[4]GM[1]KM[5\\", b"(;FF[4]GM[1]GC[KM: 5\\\\])"),
    ),
    never(
        "SGF120",
        "words with digits in them stay together",
        ("(;B[aa]) , Var 2: (;B[bb])", "(;B[aa])  (;C[, Var 2:]B[bb])"),
    ),
    never(
        "SGF110",
        "words with what may be identifiers stay together",
        (";W[aa] KO 2 at A; 5 B[bb]", ";W[aa] C[KO 2 at A];  B[bb]"),
    ),
    never("SGF110", "all words may be identifiers", (";W[aa]KO DO;B[bb]", ";W[aa]KO[] DO[];B[bb]")),
    never(
        "SGF120",
        "damage of another kind is before the words",
        (";W[aa]a[x] ab;B[bb]", ";W[aa]C[a: x\nab] ;B[bb]"),
    ),
    pair(
        "SGF120",
        "between the tokens are only control characters and separators",
        (";B[aa],;W[bb]", ";B[aa];W[bb]"),
        (";B[aa]5;W[bb]", ";B[aa];W[bb]"),
    ),
    pair(
        "SGF120",
        "no value follows, which would then have a property",
        (";B[aa],;W[bb]", ";B[aa];W[bb]"),
        ("AB[aa],[bb]", "AB[aa][bb]"),
    ),
    pair(
        "SGF120",
        "no move follows, before which they may be in the place of a semicolon",
        ("SZ[9],C[aa];B[bb]", "SZ[9]C[aa];B[bb]"),
        ("SZ[9],B[aa];W[bb]", "SZ[9];B[aa];W[bb]"),
    ),
    pair(
        "SGF120",
        "two moves become two nodes without the semicolon, too",
        (";B[aa],W[bb]", ";B[aa];W[bb]"),
        (";B[aa]C[x],W[bb]", ";B[aa]C[x];W[bb]"),
    ),
    pair(
        "SGF120",
        "the move is the first property of its node",
        ("SZ[9];,B[aa]", "SZ[9];B[aa]"),
        ("SZ[9],B[aa];W[bb]", "SZ[9];B[aa];W[bb]"),
    ),
    pair(
        "SGF120",
        "no property is before the move",
        (b"(;,B[aa];C[x])", b"(;B[aa];C[x])"),
        (b"(;SZ[9],B[aa];C[x])", b"(;FF[4]SZ[9];B[aa];C[x])"),
    ),
    never(
        "SGF120",
        'the node after the junk has no ";"',
        ("(;B[aa])ab(B[bb])", "(;B[aa])(;C[ab]B[bb])"),
    ),
    never("SGF120", "no node follows the junk", ("(;B[aa])(;B[bb])ab", "(;B[aa])(;B[bb]C[ab])")),
    never(
        "SGF120",
        'a ")" is between the junk and the next node',
        ("(;B[aa](;W[cc])ab)(;B[bb])", "(;B[aa](;W[cc]C[ab]))(;B[bb])"),
    ),
    never(
        "SGF120",
        "a space of another charset is no word",
        (
            b"(;FF[4]GM[1]CA[UTF-8](;B[aa])\xe3\x80\x80(;B[bb]))",
            b"(;FF[4]GM[1]CA[UTF-8](;B[aa])(;B[bb]))",
        ),
    ),
    never(
        "SGF120",
        "bytes that cannot be decoded may be a word",
        (
            "(;FF[4]GM[1]CA[UTF-8]C[棋棋棋棋](;B[aa])".encode() + b"\xb0\xd7(;B[bb]))",
            "(;FF[4]GM[1]CA[UTF-8]C[棋棋棋棋](;B[aa])(;C[白]B[bb]))".encode(),
        ),
    ),
    never(
        "SGF110",
        "a property without a value is in no node",
        ("(;B[aa])KO(;W[bb])", "(;B[aa])(;W[bb])"),
    ),
    never(
        "SGF118", 'no "[" is open in the text before the "]"', ("C[a]5]x;W[dd]", "C[a\\]5];W[dd]")
    ),
    never(
        "SGF118",
        'the "]" may be the second half of a character',
        (b"(;FF[4]GM[1]C[\x83];a5];W[dd])", "(;FF[4]GM[1]C[ゾ;a5]CA[UTF-8];W[dd])".encode()),
    ),
    never(
        "SGF120",
        "several runs of junk may belong to the text",
        ("C[a [1] b;d]x;W[dd]", "C[a [1\\] b;d];W[dd]"),
    ),
    never("SGF120", "no property comes before the junk", (b"(;5)", b"(;FF[4])")),
    never(
        "SGF120",
        "the first property of the file is the text",
        (b"(;C[a [1] b]x;W[dd])", b"(;FF[4]C[a [1\\] b];W[dd])"),
    ),
    never(
        "SGF518",
        "each tree goes on with the one before",
        (";B[aa])(;W[cc])(;B[dd];C[x])(;W[ee]B[ff]", ";B[aa];W[cc];B[dd];C[x];W[ee];B[ff]"),
    ),
    never("SGF518", "the same color is no next move", (";B[aa])(;B[cc]", ";B[aa])(;B[cc]")),
    never(
        "SGF518",
        "the game before has not the properties of a root",
        (b"(;B[aa])(;W[cc])", b"(;B[aa])(;W[cc])"),
    ),
    never("SGF518", "the tree has setup", (";B[aa])(;W[cc]AB[dd]", ";B[aa])(;AB[dd];W[cc]")),
    never(
        "SGF518",
        "the tree has game information",
        (";B[aa])(;W[cc]GN[x]", ";B[aa])(;FF[4]W[cc]GN[x]"),
    ),
    never(
        "SGF518",
        "the tree has the properties of a root",
        (";B[aa])(;FF[4]GM[1]W[cc]", ";B[aa])(;FF[4]GM[1]W[cc]"),
    ),
    never(
        "SGF518", "the tree before has no move", (";B[aa])(;C[x])(;W[cc]", ";B[aa])(;C[x])(;W[cc]")
    ),
    pair(
        "SGF121",
        "most bytes between the zero bytes are too far from each other for UTF-16",
        (b"(;FF[4]C[a\0bcdef\0])", b"(;FF[4]C[a bcdef ])"),
        (b"(;FF[4]C[a\0b\0cd])", b"(;FF[4]C[a\0b\0cd])"),
    ),
    pair(
        "SGF121",
        "zero bytes side by side are not text in UTF-16",
        (b"(;FF[4]C[a\0\0b\0])", b"(;FF[4]C[a  b ])"),
    ),
    pair(
        "SGF121",
        "the zero byte does not follow a word",
        (b"(;FF[4]\x00GM[1])", b"(;FF[4]GM[1])"),
        (b"(;FF[4]GM[1];B\x00[aa])", b"(;FF[4]GM[1];B[aa])"),
    ),
    pair(
        "SGF121",
        "the zero byte is in a text without a format",
        ("PB[a\x00b]", "PB[a b]"),
        ("RU[a\x00b]", "RU[a b]"),
    ),
    pair(
        "SGF122",
        "the control character does not follow a word",
        (b"(;FF[4]\x01GM[1])", b"(;FF[4]GM[1])"),
        (b"(;FF[4]G\x01M[1])", b"(;FF[4]GM[1])"),
    ),
    pair(
        "SGF122",
        "a value follows the control character",
        (";B\x01[aa]", ";B[aa]"),
        (";KO\x01;B[aa]", ";;B[aa]"),
    ),
    pair(
        "SGF107",
        "the file ends within a node",
        (b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]", b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]))"),
        (b"(;FF[4]GM[1];B[aa](;W[bb](;B[cc]))", b"(;FF[4]GM[1];B[aa](;W[bb](;B[cc])))"),
    ),
    pair(
        "SGF118",
        "nothing in the text is escaped",
        ("C[a [b] c [d] e]", "C[a [b\\] c [d\\] e]"),
        ("C[a [b\\] c [d] e]", "C[a [b\\] c [d\\] e]"),
    ),
    pair(
        "SGF114",
        "the identifier is made of words of the name of the property",
        (";AddBlack[aa]", ";AB[aa]"),
        (";Answer[aa]B[bb]", ";A[aa]B[bb]"),
    ),
    pair(
        "SGF119",
        'the text does not end with a ")"',
        (b"(;FF[4]GM[1]C[open;", b"(;FF[4]GM[1]C[open;])"),
        (b"(;FF[4]GM[1]C[open) \n", b"(;FF[4]GM[1]C[open]) \n"),
    ),
    pair(
        "SGF108",
        'the ")" closes no "(" in text outside the games',
        (b"(;FF[4]GM[1];B[aa]))", b"(;FF[4]GM[1];B[aa])"),
        (b"(x(;FF[4]GM[1];B[aa]))", b"(;FF[4]GM[1]C[(x];B[aa])"),
    ),
    never(
        "SGF108",
        "a later node has the properties of a root",
        (b"((()(;FF[4]GM[1];B[aa];FF[4]GM[1];B[bb])))", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])"),
    ),
    pair(
        "SGF118",
        'a ":" comes before the "]" in the value',
        ("AP[a:[b] 2]", "AP[a:[b\\] 2]"),
        ("AP[a[b]:2]", "AP[a[b:]C[:2]"),
    ),
    never("SGF118", "the point of a label has a bracket", (";LB[[aa]:2]", ";C[LB: [aa\n:2]")),
    never(
        "SGF118", "the value is no text, and ends at the first bracket", ("RE[[B+R]]", "RE[B+R]")
    ),
    pair(
        "SGF114",
        "the identifier is not the name of a property",
        ("PlayerBlack[Lee]BlackRank[9d]", "PB[Lee]BR[9d]"),
        ("Komi[6.5]Size[9]Time[60]Player[x]", "KM[6.5]SZ[9]TM[60]P[x]"),
    ),
    never(
        "SGF114",
        "names of properties are in small letters",
        ("komi[6.5]comment[x];label[aa:x]", "KM[6.5]C[x];LB[aa:x]"),
    ),
    never("SGF114", "the capitals are an identifier", ("Copyright[x]", "C[x]")),
    never("SGF114", "the name is below the root", (";Komi[6.5]", ";K[6.5]")),
    never("SGF114", "the identifier in capitals has values of this type", (";pl[B]", ";PL[B]")),
    never("SGF114", "the identifier in capitals takes other values", (";pl[b]", ";C[pl: b]")),
    never("SGF114", "the move is in capitals, not the identifier", (";b[AA]", ";B[aa]")),
    never(
        "SGF114", "the identifier in capitals is that of one program", (";kgsde[x]", ";C[kgsde: x]")
    ),
    never("SGF114", "the letter is in a list of points", (";AB[aa]x[bb]", ";AB[aa][bb]")),
    never(
        "SGF114",
        "the letter and the bracket after it have changed places",
        (";MA[aa]f[rr]g[h]", ";MA[aa][rr][gh]"),
    ),
    never(
        "SGF114",
        "the letter and the bracket before it have changed places",
        (";AB[aa][b]c[pc][ad]e[ff]", ";AB[aa][bc][pc][ad][ff]"),
    ),
    never(
        "SGF114",
        "a blank is between the letter and the bracket",
        (";AB[aa]f [r]", ";AB[aa]C[f: r]"),
    ),
    never("SGF114", "the list is after the letter", (";PB[x]e[pc]AB[aa]", "PB[x];C[e: pc]AB[aa]")),
    never(
        "SGF114",
        "the point is of more than the letter beside the bracket",
        (";LB[aa:x]y[bb:z]", ";LB[aa:x][bb:z]"),
    ),
    never(
        "SGF114",
        "of two ways to change places the one after the letter is taken",
        (";AB[aa][b]e[d][ad]", ";AB[aa][ed][ad]C[AB: b]"),
    ),
    never(
        "SGF114",
        "the values after the letter are no points as those before it",
        (";AB[aa]x[hello]", ";AB[aa]C[x: hello]"),
    ),
    never(
        "SGF114",
        "the property before the letter takes one value",
        (";N[aa]x[bb]", ";N[aa]C[x: bb]"),
    ),
    never(
        "SGF114", "the property before the letter is unknown", (";XX[aa]x[bb]", ";XX[aa]C[x: bb]")
    ),
    never(
        "SGF114",
        "the list is not right before the letter",
        (";TR[aa]C[x]x[bb]", ";TR[aa]C[x\nx: bb]"),
    ),
    never(
        "SGF114",
        "words are between the list and the letter",
        (";AB[aa]hello world x[bb]", ";AB[aa]C[hello world\nx: bb] "),
    ),
    never("SGF114", 'a "]" without a property is before the letter', (";]x[bb]", ";C[x: bb]")),
    never(
        "SGF517",
        "the node with the properties of a root is not the next one",
        ("SZ[9];B[cc];FF[4]GM[1]SZ[9];B[aa]", "SZ[9];B[cc])(;FF[4]GM[1]SZ[9];B[aa]"),
    ),
    never("SGF113", "the node has that unknown property", (";X[y]X1[x]", ";X[y]C[X1: x]")),
    never("SGF113", "the node has that known property", (";B[aa]B1[bb]", ";B[aa];B[bb]")),
    never("SGF113", "the property is unknown, and the only one", (";X1[x]", ";X[x]")),
    pair(
        "SGF118",
        'no property follows the "]"',
        (";C[a [b] c [d] e]", ";C[a [b\\] c [d\\] e]"),
        (";C[a [b] N[d] e]", ";C[a [b\\] N[d\\] e]"),
    ),
    pair(
        "SGF118",
        "the half of the value is a text",
        ("AP[a:[b] 2]", "AP[a:[b\\] 2]"),
        (";AR[aa:[b] 2]", ";C[AR: aa:[b\n2]"),
    ),
]
