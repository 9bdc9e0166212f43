"""The promise of safe fixes: they change no meaning, and bring no new error."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from sgf_lark import fix, grammar, loads, validate
from sgf_lark.fixing import FixResult
from sgf_lark.fuzz.mutants import mutate
from sgf_lark.fuzz.strategies import collections, grammatical, mutants, violations
from tests.kit.comparing import changes_by_fix, inventions
from tests.kit.strategies import (
    games_in_charsets,
    repeated_properties,
    slips,
    surplus_parentheses,
)
from tests.kit.tables import for_each


def keeps_meaning(data: bytes) -> FixResult:
    """Fix a file safely, and check that nothing of its meaning is changed."""
    result = fix(data)
    assert all(change.safe for change in result.applied)
    assert changes_by_fix(data, result) == []
    return result


#: Files with damage or violations of which a fix could change the meaning.
CLASSES = [
    # Structure
    b"(;FF[4]GM[1];B[ab] G C[game])",
    b"((;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])",
    b"((;FF[4]GM[1];B[aa](;FF[4]GM[1];B[bb]))",
    b"((;B[4](;C[a]));PL[B]))",
    b"(;FF[4]GC[a\\b]GC[c]GC[ab])",
    b"(;FF[4]GC[a\\b][c][ab])",
    b"(;FF[4]C[a\0b]C[a\0b][])",
    b"(;FF[4]CA[IBM850]SZ[6:\xff2])",
    b"(;FF[4]CA[IBM1026];B[\xc0aa];B[aa])",
    b"(;FF[4]CA[UTF-7]C[\xc0aa])",
    b"(;FFGM[\x80]CA[cp932]C[x])",
    b"(;FF[4]CA[Big5]C[\xa5j\xa4O])(;FF[4]CA[Big5]PB[\xc7\xb3\xc7\xb3]C[\xc7\xb3\xc7\xb3])",
    b"(;FF[4]CA[cp932]C[\x80x])",
    b"(;FF[4]C[a\0b][a b])",
    b"(;FF[4]GM[1];B[aa]((;FF[4]GM[1];B[bb])",
    b"(;FF[4]GM[1];B[aa](W[bb])(;W[cc]))",
    b"(;FF[4]GM[1](;B[aa])(;B[bb])C[x])",
    b"(;FF[4]GM[1];B[aa],C[x])",
    b"(;FF[4]SZ[48];AW[aa]([bb];B[cc])(;W[dd]))(;B[ee];W[])\x1a(;W[ff]))",
    b"(;FF[4]GM[1]((;B[aa]);B[bb])(;B[cc]))",
    b"(;FF[4]GM[1]C[a[1] bar [2] b])",
    b"(;FF[4]GM[1]PB[a[1] bar [2] b])",
    b"(;FF[4]GM[1];P\\[B]W[aa])",
    b"(;FF[4]GM[1]TM[-]KO B[aa])",
    b"(;FF[4]C[a [1] b]x;W[dd])",
    b"(;FF[4]N[a]b];W[dd])",
    b"(;FF[4]GM[1]SO[a[b]AN\x08[c] \n\x08[d])",
    b"(;FF[4]AB[aa]b];W[dd])",
    b"(;FF[4]GM[1]SY[a].1]TM[-]\x80L[B];B[aa])",
    b"(;FF[4]GM[1]F\x00F[4])",
    b"(;EV[4]\0[3",
    b"(;)(\x00;[(;W[][])",
    b"(;FF[4]GM[1]AB[aa])\nheader (x) [y]\n(;FF[4]GM[1])",
    # Nodes
    b"(;FF[4]GM[1];W[aa](;AE[aa];W[ba])(;B[bb]))",
    b"(;FF[4]GM[1]SZ[5]AB[ab]AW[aa];B[ba]AW[ca];W[cc])",
    b"(;FF[4]GM[1]SZ[5]AB[ab]AW[aa];B[ba]AW[ca]AE[aa];W[cc])",
    b"(;FF[4]GM[1];B[aa]PL[W]C[x];W[bb])",
    b"(;FF[4]GM[1];B[aa]PL[B]C[x];B[bb])",
    b"(;FF[4]GM[1];B[aa]B[bb]W[cc]C[x];B[dd])",
    b"(;FF[4]GM[1];B[aa][bb]W[cc]C[x];B[dd])",
    b"(;B[aa]B[]B[aa]AW[aa])",
    b"(;FF[4]GM[1];B[aa]SZ[9]W[bb]SZ[9])",
    b"(;FF[4]GM[1]SZ[5];B[ba]AB[aa];AW[ab]W[ca];B[ee])",
    b"(;AB[aa]AE[aa]AB[aa])",
    b"(;FF[4];B[aa]AE[aa]B[aa])",
    b"(;SZ[3]AW[ba][bb][ac]AB[ab];B[aa]B[aa])",
    b"(;SZ[3]AW[ba][bb][ac]AB[ab];B[aa]B[aa]W[cc])",
    b"(;FF[4]SZ[3];W[ba][ab];B[aa]AB[bb];W[cc])",
    b"(;AE[ba]AB[aa][bb:aa])",
    b"(;AB[aa]AE[aa]AB[bb][aa:bb])",
    b"(;GM[1];SZ[1.0])",
    b"(;F[]GM[]GM[9]W[][])",
    b"(;FF[3]GM[1][9]SZ[9];W[])",
    b"(;GM[1]SZ[9]V[6 1/2])",
    b"(;FF[4]GM[1];AR[bc: cc])",
    b"(;FF[2]GM[1]EX[a\n\rb])",
    b"(;FF[4]GM[1];TW[\\\n])",
    b"(;FF[4]GM[1];B[\\\n])",
    b"(;GM[1]SZ[9];SZ[ 9])",
    b"(;FF[3]SZ[5]AW[aa];AB[ba]B[ab]AB[ba])",
    b"(;FF[3]SZ[5]AW[aa]AB[ba];B[ab]AE[ba]AW[aa])",
    b"(;FF[4]GM[1]PB[a]PB[b])",
    b"(;FF[4]GM[1]PB[a][b])",
    b"(;FF[4]GM[1];LB[aa:x]LB[aa:y])",
    b"(;FF[4]GM[1];DD[]DD[aa])",
    b"(;FF[4]GM[1];XX[a]XX[b])",
    b"(;FF[4]GM[1];C[a]C[b])",
    b"(;FF[4]GM[1](;B[aa];PB[x])(;W[bb]))",
    b"(;FF[4]GM[1]PB[x];GC[a];GC[b];B[aa])",
    b"(;FF[4]GM[1]PB[x](;B[aa];PW[x])(;W[bb]))",
    b"(;FF[4]GM[1];B[aa](;)(;W[bb]))",
    b"(;FF[4]GM[11];B[a2];W[])",
    b"(;aAB[3]GM[1]AB[aa:cc])",
    b"(;AddBlack[cc]GM[1]AB[cc])",
    b"(;FF[2]GM[1];aaC[];aaaaC\t[])",
    # Values
    b"(;FF[4]GM[1]RE[B+.5])",
    b"(;FF[4]GM[1]RE[B+0.0])",
    b"(;FF[4]GM[1]KM[5.]HA[2.]TM[1800.];B[aa]BL[30.];W[bb]WL[.5])",
    b"(;FF[4]GM[1\\1]SZ[9])",
    b"(;FF[4]GM[1]SZ[][9])",
    b"(;SZ[0];W[])",
    b"(;FF[4]GM[1];FG[ 1])",
    b"(;FF[4]GM[1];FG[1\n])",
    b"(;FF[4]GM[1];FG[\r?])",
    b"(;FF[4]GM[1];B[\\\\\r])",
    b"(;FF[4]GM[1];AR[\\\\\n])",
    # Charsets
    "(;FF[4]GM[1]PB[李世石]PW[古力])".encode("gb18030"),
    "(;FF[4]GM[1]CA[nonsense]PB[李世石]PW[古力])".encode("gb18030"),
    "(;FF[4]GM[1]CA[UTF-8]PB[李世石]PW[古力])".encode("gb18030"),
    b"\xef\xbb\xbf(;FF[4]GM[1]CA[IBM861]PB[\x8d\x93x]C[a\x99\x96b])",
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[李世石]KM[5.])".encode(),
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[李世石]KM[5.])".encode("utf-8-sig"),
    "(;FF[4]GM[1]CA[GB18030]PB[李世石 古力]KM[5.])".encode("utf-8-sig"),
    "(;FF[3]CA[UTF-8]OP[6½])".encode(),
    b"(M[]CA[gbk][]Ma[c]B[bb]R[\xdf]B[bb]",
    b"(;CA[UTF-16BE]FF[4]CA[windows-1256]PB[\xf7u\x8cZ])",
    b"\xff\xfe" + "(;FF[4]GM[1]PB[a".encode("utf-16-le") + b"?",
    "(;FF[4]GM[1]PB[a".encode("utf-16-le") + b"\0\0b\0]\0)\0",
    "(;FF[4]GM[1]C[表示])".encode("shift_jis"),
    b"\xef\xef\xbb\xbf(;FF[4]GM[1]CA[latin-2];B[aa])",
    "(;FF[4]GM[1]C[Jiří])".encode("iso8859-2"),
    "(;FF[4]GM[1]C[曹薰铉 對 李昌鎬])".encode(),
    # Collections in several charsets, and bytes of brackets in characters
    b"(;FF[4]GM[1]CA[Shift_JIS]PB[\x95\x5c];B[pd])"
    + "(;FF[4]GM[1]CA[UTF-8]PB[古力];B[pd])".encode(),
    b"(;FF[4]GM[1]CA[Shift_JIS]PB[\x95\x5c];B[pd])" + "(;FF[4]GM[1]PB[古力];B[pd])".encode(),
    "(;FF[4]GM[1]CA[GBK]PB[Lee])(;FF[4]GM[1]CA[GBK]PB[古力])".encode("gbk"),
    "(;FF[4]GM[1]CA[GBK]PB[古力])".encode("gbk") + "(;FF[4]GM[1]CA[UTF-8]PB[李世石])".encode(),
    "(;FF[4]GM[1]CA[Shift_JIS]C[表示])".encode("shift_jis"),
    b"(;FF[4]GM[1]CA[Shift_JIS]PW[\x94\\\\];B[aa])(;FF[4]GM[1]CA[Shift_JIS]PW[\x94\\];B[aa])",
    b"(;FF[4]GM[1]CA[Big5]PB[\xd0]\xc7j]C[a]C[b])(;FF[4]GM[1]CA[Big5]PB[\xd0\\]\xc7j]C[a]C[b])",
    b"(;FF[4]GM[1]CA[Shift_JIS]PW[\x84\\\\\x82\xbe])(;FF[4]GM[1]PB[\xe6\x9d\x8e\xe4\xb8\x96\xe7\x9f\xb3];C[])",
    b"(;FF[4]GM[1]CA[IBM864]EV[%s]C[\x90])",
    b"(;FF[4]GM[1]CA[IBM869]CA[latin9]CA[IBM869]C[\xb6])",
    b"(;FF[4]GM[1]CA[big5hkscs]C[\xe6\xa3\x8b\xe8\xad\x9c\xe6\xa3](;(;B[db]MA[qa])\r(;B[km])))",
    b"(;CA[cp866]FF[4]GM[7]C[one]N[n]C[\xfftwo])",
    b"\xef\xbb\xbf(;CA[HZ-GB-2312]FF[4]GM[9]AS[]C[~])",
    b"(;FF[4]GM[1]PB[\xa5j\xa4O]PW[\xb3\\\xa5\\\xbb\\]KM[6,5];C[\xa7\xf5\xa5@\xa5\xdb])",
    b"(;FF[4]GM[1];B[aa])(FF[4]GM[1]SZ [9])",
    b"(;\x84)(;F[]CA[Big5]B[\xb3\\b])",
    b"CA[GB18030]\xeb[)(;FF[4]CA[GB18030][\x94\xdb])",
    b"(;FF[4]GM[1]CA[Big5]C[\xa6\\]])",
    b"(;FF[4]GM[1]XCA[GB18030];C[\x810\x8f2\x810\x8f2\x810\x8b1\xa0\xdf\xc7]])",
    # Readers that take one of several moves, values and properties
    b"(;FF[4]GM[1];B[aa][bb])",
    b"(;FF[4]GM[1];B[aa]DM[1][1]DM[2])",
    b"(;FF[4]GM[1];B[pd][pd])",
    b"(;FF[4]GM[1];B[aa][bb]B[aa][bb])",
    b"(;FF[4]GM[1];W[bb]B[aa])",
    b"(;FF[4]GM[1];B[aa]W[bb];W[bb])",
    b"(;FF[4]GM[11];W[swap]W[SWAP])",
    b"(;FF[4]GM[1]HA[1]HA[0])",
    b"(;FF[4]GM[1]HA[2][0])",
    b"(;FF[4]GM[1]XX[a]XX[a])",
    b"(;FF[4]GM[1]C[a][b]C[a])",
    b"(;FF[4]GM[6]AB[a]AB[a])",
    b"(;FF[4]GM[6]AB[a]AB[b][a])",
    b"(;FF[4]GM[6]AB[a][a]AW[a]AB[a])",
    # Variations that are games to readers that look for "(;"
    b"(FF[4]GM[2]SZ[7];B[A](;W[aa])(;W[C]))",
    b"(FF[4]GM[2]SZ[7];B[A](;AB[aa])(;KM[6.5]C[x]))",
    # Files that fixes changed once
    b"(;FF[4]GM[9]AS[4]AS[])",  # an empty text beside another
    b"(;FF[4]GM[9]IP[a]KM[1]IP[])",
    b"(;CA[latin1]FF[4]GM[19\xc0]CS[46I])",  # a byte in no text, which is not written in UTF-8
    b"(;CA[latin1]FF[4]GM[1]SZ[1\xe99]PB[\xe9\xe8])",
    b"(;FF[4]GM[1]CA[UTF-8]TE[]TE[19])",  # the event for some programs, a good move for others
    b"(;FF[4]GM[1]TE[][19])",
    b"(;FF[4]GM[1]AP[CGoban:3],;B[aa])",  # a finding that is about no property
    b"(;B[aa]W[bb]SZ[9])",  # properties of the root after its second move
    b"(;GM[1]W[aa]W[bb]FF[4]SZ[9])",
    b"(;FF[4]GM[1]B[aa]W[bb]CA[GB18030]PB[\xb0\xd7])",
    b"(;B[]B[])",  # two passes
    b"(;FF[4]GM[1]SZ[9];W[tt]W[tt])",
    b"(;FF[4]GM[1]SZ[9];B[cc]C[1]B[cc];W[id])",  # moves of one point with something between
    b"(;FF[4]GM[1];B[cc]TR[aa]B[cc])",
    b"(;FF[4]GM[1];B[aa][bb]PB[x]B[aa])",
    b"(;FF[4]GM[1];B[]BL[100]B[]BL[90])",
    b"(;FF[4]GM[11];B[a2]B[a2])",
    b"(;FF[4]GM[11]W[swap]W[SWAP];B[a1])",  # two moves, of which a fix makes one
    b"(;FF[1]GM[8];aVW[a1][b1][b1])",  # small letters in an identifier, of no name
    b"(;FF[3]GM[1]KaM[6,5])",
    b"\xef\xbb\xbf(;CA[US-A\\SCII]FF[4]GM[1]C[\xc3\x80x])",  # a mark for a charset of no name
    b"(;FF[4]GM[1]CA[foo]PB[\xc3\xa9]KM[6,5])",  # a charset that some take for Latin-1
    b"(;FF[4]GM[1]CA[foo]PB[x])(;FF[4]GM[1]CA[GBK]PB[\xb9\xc5])",
    b"(;FF[4]GM[1]CA[utf 8 x]PB[\xc3\xa9]C[a][b])",
    b"(;FF[4]GM[1]EV[S []\0H[1];;B[cm];W[ab])",  # a zero byte between a text and a property
    b"(FF[4]SZ[20\\(;B[aa]TB[aa:ab])",  # what looks like a game in a value
    b"\xef\xbb\xbf(;FF[4]GM[1]CA[UTF-8]PB[\xc3\x80];CA[US-ASCII]AN[];B[aa])",  # two names
    b"(;FF[4]GM[1]C[see [a] h)ere](;;B[aa]))",  # a parenthesis in a text
    b"(;FF[4]GM[1]TB[][])",  # an empty list that is written twice
    b"(;FF[3]GM[1]B[]B[]B[])",  # passes that are written in another way, all or none
    b"(;FF[4]GM[11]SZ[11];B[a 1]B[a 1]B[a 1])",
    b"(;FF[4]SZ[53];B[aa]B[aa]XY[0])",  # a move that is written twice on a board of no size
    b"(;GM[1](;B[aa])(;AB[aa]GM[go]))",
    b"(;FF[4]GM[1]CA[Big5]C[F[4]GM[1]CA[Big5]C[\xa6]])",  # another CA that has to stay
    b"(;;FF[4]CA[ISO-8859-1]SZ[19]BT[\xc3\x80\xc3\x80\xc3\x80\xc3\x80\xc3\x80\xc3\x80\xc3\x80];B[ba])",
    b"(;FF[4]GM[1]CA[Big5]SZ[9]BT[a\xa3[]WTZ\xc0000.0]KM[-9.5])",  # bytes that are in no text
    b";FF[4]SZ[19](;B[aa])(;B[aa]))(;FF[4]GM[1]C[a\0b])",  # a head that is cut off
    b"(;CA[windows-1257]FF[4]GM[1]CA\x01[UTF-8];C[a\xc3\x80\\\r\n])",
    b"(;FF[4\\]CA[UTF-8];W[lc]LB[aa:8\xf0\x9f\x92\x9e]N[\xc3\x80\\\n1\xc3\x80I\xc3\x80YK\xc3\x80\\W+])",
    b"(;FF[4]CA[HZ-GB-2312]C[a~{!A~}~{!A~}]C[a~{!A~}~{!A~}](;B[aa])(;B[aa]))",
    b"(;CA[IBM1026]FF[4]GM[1]C[see [a] here])",  # a charset that some take for Latin-1
]  # fmt: skip


@for_each(CLASSES)
def test_known_classes(data: bytes) -> None:
    keeps_meaning(data)


@for_each(example.data for rule in grammar.rules().values() for example in (*rule.bad, *rule.good))
def test_examples_of_the_catalogue(data: bytes) -> None:
    keeps_meaning(data)


@given(games_in_charsets())
def test_collections_in_several_charsets(data: bytes) -> None:
    keeps_meaning(data)


@given(repeated_properties())
def test_repeated_properties(data: bytes) -> None:
    keeps_meaning(data)


@given(violations() | collections() | grammatical())
@example(b"(;FF[4]CA[+A]BT[a\xc3\x80]CP[a\xc3\x80\xc3\x80];C[a\xc3\x80\xc3\x80\xc3\x80])")
def test_generated_files(data: bytes) -> None:
    keeps_meaning(data)


@given(slips())
@example((b"(;FF[4]GM[1];AW[aa];AW[bb])", b"(;FF[4]GM[1];AW[aa]AW[bb])"))
@example((b"(;FF[4]SZ[9]PB[(;B[\\[])", b"(FF[4]SZ[9]PB[(;B[\\[])"))
def test_a_slip_is_undone_or_stays(files: tuple[bytes, bytes]) -> None:
    intact, damaged = files
    assert validate(intact).ok
    if fix(damaged).data == intact:
        return  # a reader that took a text of it for a game read what was never there
    result = keeps_meaning(damaged)
    assert inventions(intact, damaged, result.data) == []


@given(surplus_parentheses())
def test_surplus_parentheses_are_deleted_at_once(files: tuple[bytes, bytes]) -> None:
    intact, damaged = files
    assert validate(intact).ok
    assert keeps_meaning(damaged).data == fix(damaged, unsafe=True).data == intact


@given(mutants() | violations(), st.randoms(use_true_random=False))
def test_damaged_files(data: bytes, source: random.Random) -> None:
    keeps_meaning(mutate(data, source))


@given(violations())
@example(b"(;FF[4]GM[1]AB[at: cc])")
@example(b"(;FF[4]GM[1]FG[\0Dia. 1])")
@example(b"(;FF[4]GM[1]LB[aa :\0x])")
@example(b"(;FF[4]GM[6]MI[\0length7])")
def test_no_rule_is_violated_more_often(data: bytes) -> None:
    """Where there is no damage, which hides what is in it, nor an escape character outside a text
    (SGF215), which hides what is wrong with the value; without a readable size of the board
    (SGF408), no point is off the board (SGF401), nor a rectangle (SGF314), nor the board too large
    (SGF407) or one that its file format lacks (SGF433). One with a blank in it (SGF310), or
    written as a rectangle (SGF315), is a point off the board once it is written as a point, and
    a rectangle with a blank may be none. A zero byte (SGF121) is reported once the value is one
    of its type: with the ":" of two parts (SGF309), in a point or label without its blank (SGF310),
    in AP with a version (SGF321), in a figure with its flags (SGF411)."""
    result = fix(data)
    if loads(data, charset_mode="auto", tolerant=True).damage:
        return
    before, after = (
        Counter(found.code for found in report.diagnostics if found.severity == "error")
        for report in (validate(data), result.report)
    )
    if before["SGF215"]:
        return
    if before["SGF408"]:
        del after["SGF401"], after["SGF314"], after["SGF407"], after["SGF433"]
    if before["SGF315"]:
        del after["SGF401"], after["SGF314"]
    if any(before[code] for code in ("SGF309", "SGF310", "SGF321", "SGF411")):
        del after["SGF121"]
    assert not after - before
