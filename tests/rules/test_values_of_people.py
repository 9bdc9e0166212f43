"""Values that people and programs write, and what safe and unsafe fixes make of them."""

from __future__ import annotations

from sgf_lark import fix, validate
from tests.kit.tables import for_each

#: A property in the root of a game of Go; what a safe fix makes of it, and an unsafe one.
VALUES = [
    # Dates
    ("DT[1996-05-06 or 07]", None, "GC[DT: 1996-05-06 or 07]"),
    # Results
    ("RE[B+3.5 (after counting)]", None, "RE[B+3.5]GC[RE: B+3.5 (after counting)]"),
    # Two values of which one says what the other does, and more; or something else
    ("RE[black][B+R]", "RE[B+][B+R]", "RE[B+R]"),
    ("RE[W+2.5][白胜]", "RE[W+2.5][W+]", "RE[W+2.5]"),
    ("RE[?][B+T]", None, "RE[B+T]"),
    ("RE[B+]RE[B+5.5]", None, "RE[B+5.5]"),
    ("RE[B+][W+R]", None, "RE[B+]GC[RE: W+R]"),
    ("RE[B+1][B+12]", None, "RE[B+1]GC[RE: B+12]"),
    ("DT[2001][2001-05-06]", None, "DT[2001-05-06]"),
    ("DT[2001-05]DT[2001-05-06]", None, "DT[2001-05-06]"),
    ("DT[2001-05-06][2001-07]", None, "DT[2001-05-06]GC[DT: 2001-07]"),
    ("KM[6][6.5]", None, "KM[6]GC[KM: 6.5]"),
    # Komi and handicap
    ("KM[-550]", None, "KM[-5.5]GC[KM: -550]"),
    ("KM[3000]", None, None),
    ("HA[a]", None, "GC[HA: a]"),
    ("HA[1]HA[0]", None, "GC[HA: 1]"),
    ("HA[2][0]", None, "HA[2]GC[HA: 0]"),
    ("HA[让先]", None, "GC[HA: 让先]"),
    ("KM[黑贴3又3/4子]", None, "KM[7.5]GC[KM: 黑贴3又3/4子]"),
    ("KM[6.5子]", None, "GC[KM: 6.5子]"),
    ("BR[9段]", None, "BR[9d]GC[BR: 9段]"),
    ("BR[P9段]", "BR[9p]", "BR[9p]"),
    ("WR[五段]", None, "WR[5d]GC[WR: 五段]"),
    ("RE[W+Forfeit by no-show]", None, "RE[W+F]GC[RE: W+Forfeit by no-show]"),
    ("RE[Unfinished]", None, "RE[Void]GC[RE: Unfinished]"),
    ("RE[B+3.5 or W+2]", None, "GC[RE: B+3.5 or W+2]"),
    ("DT[1842-03-30 (Tenpo 13 II 19)]", None, "DT[1842-03-30]GC[DT: 1842-03-30 (Tenpo 13 II 19)]"),
    ("DT['96]", None, "DT[1996]GC[DT: '96]"),
    ("DT[199?]", None, "GC[DT: 199?]"),
    ("DT[5/6/1996]", None, "DT[1996]GC[DT: 5/6/1996]"),
    # Times
    ("TM[90 min + 5x30s]", "TM[5400]OT[5x30s]", "TM[5400]OT[5x30s]"),
    # Other values
    ("SZ[19 lines]", "SZ[19]", "SZ[19]"),
    ("TM[3小时 读秒60秒5次]", None, "TM[10800]GC[TM: 3小时 读秒60秒5次]"),
    ("TM[30 sec byo-yomi 5x]", None, "GC[TM: 30 sec byo-yomi 5x]"),
    ("SZ[19,19]", "SZ[19]", "SZ[19]"),
    ("SZ[19 x 19]", "SZ[19]", "SZ[19]"),
    ("SZ[19 big]", None, "SZ[19]C[SZ: 19 big]"),
    ("SZ[l9]", None, "SZ[19]C[SZ: l9]"),
    ("SZ[many]", None, "C[SZ: many]"),
]

#: A file; the file after safe fixes, and after unsafe ones. None is the file as it was.
FILES = [
    # Moves and points that any person reads
    ("(;FF[4]SZ[18];B[aa];W[ss])", None, "(;FF[4]SZ[18];B[aa];W[])"),
    ("(;FF[4]SZ[9];B[jj];W[aa])", None, "(;FF[4]SZ[9];B[];W[aa])"),
    ("(;FF[4]SZ[9];B[jk];W[aa])", None, "(;FF[4]SZ[9];C[B: jk];W[aa])"),
    ("(;FF[4]AB[fc,pc,pd]AW[qc, dd])", None, "(;FF[4]AB[fc][pc][pd]AW[qc][dd])"),
    ("(;FF[4]AB[fc;pc|pd])", None, "(;FF[4]AB[fc][pc][pd])"),
    ("(;FF[4]AB[dd.pp]AW[aa+bb])", None, "(;FF[4]AB[dd][pp]AW[aa][bb])"),
    ("(;FF[4]AB[dd-ff]TR[aa..cc])", None, "(;FF[4]AB[dd:ff]TR[aa:cc])"),
    ("(;FF[4]AB[D4-F6]AW[Q16,dd Q4])", None, "(;FF[4]AB[dn:fp]AW[pd][dd][pp])"),
    ("(;FF[4];B[--];W[``];B[\0\0];W[!])", None, "(;FF[4];B[];W[];B[];C[W: !])"),
    # What would be off the board without its blank or escape
    ("(;FF[4]GM[11]SZ[11];B[a1];W[d 44])", None, "(;FF[4]GM[11]SZ[11];B[a1];C[W: d44])"),
    ("(;FF[4]SZ[9];B[d\\d];W[z z])", "(;FF[4]SZ[9];B[dd];W[z z])", "(;FF[4]SZ[9];B[dd];C[W: zz])"),
    ("(;FF[4]SZ[9];B[\\z\\z];W[aa])", None, "(;FF[4]SZ[9];C[B: zz];W[aa])"),
    # A sign before a move, which may be in the place of a ";"
    ("(;FF[4]SZ[9],B[aa],W[bb](;B[cc]))", None, "(;FF[4]SZ[9];B[aa];W[bb](;B[cc]))"),
    ("(;FF[4]SZ[9]KM[5],PB[a];B[cc])",
     "(;FF[4]SZ[9]KM[5]PB[a];B[cc])", "(;FF[4]SZ[9]KM[5]PB[a];B[cc])"),
    # A ";" of which only numbers are left, and a pass in words
    ("(;FF[4]SZ[19] 1. B[pd] 2. W[dd]\n3. B[qq])", None, "(;FF[4]SZ[19] ;B[pd] ;W[dd]\n;B[qq])"),
    ("(;FF[4];B[pd] 2.W[dd] 3.B[qq])", None, "(;FF[4];B[pd] ;W[dd] ;B[qq])"),
    ("(;FF[4]CA[UTF-8];B[pd];W[虚着])", None, "(;FF[4]CA[UTF-8];B[pd];W[])"),
    # A letter or digit in the place of a "]" in a list
    ("(;FF[4];TW[kdM[ld][md])", None, "(;FF[4];TW[kd][ld][md]C[M])"),
    ("(;FF[4]AB[aa]AW[cd][kd1[ld][md])", None, "(;FF[4]AB[aa]AW[cd][kd][ld][md]C[1])"),
    ("(;FF[4];TW[kdMA[ld][md])", None, "(;FF[4];TW[kd]MA[ld][md])"),
    # Two points with a bracket between them
    ("(;FF[4];B[qa[qe];W[pd])", None, "(;FF[4];B[qa]C[B: qa[qe];W[pd])"),
    ("(;FF[4]AB[qa[qe];W[pd])", None, "(;FF[4]AB[qa][qe];W[pd])"),
    ("(;FF[4]PB[a]B\x07R[9p];B[cc])", None, "(;FF[4]PB[a]BR[9p];B[cc])"),
    # The moves of Go under another number, and beyond the size that SZ says
    ("(;FF[4]GM[11];B[pd];W[dd];B[tt];W[qq];B[dp];W[];B[aa])",
     None, "(;FF[4]GM[1]C[GM: 11];B[pd];W[dd];B[tt];W[qq];B[dp];W[];B[aa])"),
    ("(;FF[4]GM[11];B[pd];W[d4];B[cc];W[qq];B[dp];W[aa])",
     None, "(;FF[4]GM[11];C[B: pd];W[d4];C[B: cc];C[W: qq];C[B: dp];C[W: aa])"),
    ("(;FF[4]SZ[9]AB[aa:cc][oo:pp];B[pd]TR[pd:qq];W[dd];B[qq];W[dq];B[oc];W[];B[tt])",
     None,
     "(;FF[4]SZ[19]C[SZ: 9]AB[aa:cc][oo:pp];B[pd]TR[pd:qq];W[dd];B[qq];W[dq];B[oc];W[];B[tt])"),
    ("(;FF[4]SZ[9];B[jd];W[dk];B[mm];W[dm];B[km];W[cc])",
     None, "(;FF[4]SZ[13]C[SZ: 9];B[jd];W[dk];B[mm];W[dm];B[km];W[cc])"),
    ("(;FF[4]SZ[9];B[aa];W[bb];B[pp];W[cc];B[dd];W[qq];B[ee])",
     None, "(;FF[4]SZ[9];B[aa];W[bb];C[B: pp];W[cc];B[dd];C[W: qq];B[ee])"),
    # Letters before a move that is the next one; without that they are of its identifier
    ("(;FF[4];B[pd];A1W[dd];B[qq])", None, "(;FF[4];B[pd];W[dd];B[qq])"),
    ("(;FF[4];W[pd];TA9B[dd];W[qq])", None, "(;FF[4];W[pd];B[dd];W[qq])"),
    ("(;FF[4];B[pd];A.W[dd];B[qq])", None, "(;FF[4];B[pd];W[dd];B[qq])"),
    ("(;FF[4];B[pd]T)R[aa];W[qq])", None, "(;FF[4];B[pd]TR[aa];W[qq])"),
    ("(;FF[4];B[pd];A1W[dd][ee];B[qq])", None, "(;FF[4];B[pd];AW[dd][ee];B[qq])"),
    ("(;FF[4]A1W[dd];B[qq])", None, "(;FF[4]AW[dd];B[qq])"),
    ("(;FF[4];B[pd]W1L[30];W[qq])", None, "(;FF[4];B[pd]WL[30];W[qq])"),
    # Signs in the place of "];" and of ";"
    ("(;FF[4];W[hl,\nB[ai],\nW[cc])",
     "(;FF[4];W[hl,\nB[ai]\nW[cc])", "(;FF[4];W[hl];\nB[ai]\n;W[cc])"),
    ("(;FF[4];W[hl,B[ai],W[cc])", "(;FF[4];W[hl,B[ai]W[cc])", "(;FF[4];W[hl];B[ai];W[cc])"),
    ("(;FF[4];B[hl.\nW[ai].\nB[cc],C[hi [x\\] you].\nW[dd])",
     None, "(;FF[4];B[hl]\n;W[ai]\n;B[cc]C[hi [x\\] you]\n;W[dd])"),
    ("(;FF[4];B[aa],W[bb],B[hl,W[ai])",
     "(;FF[4];B[aa]W[bb]B[hl,W[ai])", "(;FF[4];B[aa];W[bb];B[hl];W[ai])"),
    ("(;FF[4]:B[aa]:W[bb]:B[cc])", None, "(;FF[4];B[aa];W[bb];B[cc])"),
    ("(;FF[4].B[aa]. W[].B[cc])", None, "(;FF[4];B[aa];W[];B[cc])"),
    ("(;FF[4]:B[aa]:W[bb](;B[cc]))", None, "(;FF[4];B[aa];W[bb](;B[cc]))"),
    # Words stay in the node in which they are
    ('(;FF[4];W[dd]{hm};B[aa]C[x]"ok";W[cc])', None, '(;FF[4];W[dd]C[{hm}];B[aa]C[x\n"ok"];W[cc])'),
    ("(;FF[4];W[dd 12 34;B[aa])", None, "(;FF[4];W[dd]C[12 34];B[aa])"),
    ("(;FF[4]AB[ddpp])", None, "(;FF[4]C[AB: ddpp])"),
    ("(;FF[4]AB[fc,pc,xx])", None, "(;FF[4]AB[fc][pc]C[AB: xx])"),
    ("(;FF[4]AB[dg]x[ef][ff];W[aa])", None, "(;FF[4]AB[dg][ef][ff];W[aa])"),
    ("(;FF[4]AB[aa][b]c[pc][ad]e[ff];W[dd])", None, "(;FF[4]AB[aa][bc][pc][ad][ff];W[dd])"),
    ("(;FF[4]AB[aa]f[r][gr];W[dd])", None, "(;FF[4]AB[aa][fr][gr];W[dd])"),
    ("(;FF[4]TR[dg]y[ef];W[aa])", None, "(;FF[4]TR[dg][ef];W[aa])"),
    ("(;FF[4];B[NC];W[OC])", None, "(;FF[4];B[nc];W[oc])"),
    ("(;FF[4];b[nc];w[oc])", None, "(;FF[4];B[nc];W[oc])"),
    ("(;FF[4]ab[dd][pp]pb[Ann];w[aa])", None, "(;FF[4]AB[dd][pp]PB[Ann];W[aa])"),
    ("(;FF[4]AB[dd]PL[X])", None, "(;FF[4]AB[dd]PL[B])"),
    ("(;FF[4]AB[dd]PL[o])", None, "(;FF[4]AB[dd]PL[W])"),
    ("(;FF[4]CA[UTF-8]AB[dd]PL[●])", None, "(;FF[4]CA[UTF-8]AB[dd]PL[B])"),
    ("(;FF[4];W[kh9];B[aa])", None, "(;FF[4];W[kh]C[W: kh9];B[aa])"),
    ("(;FF[4];W[kpc])", None, "(;FF[4];W[kp]C[W: kpc])"),
    ("(;FF[4];W[:kh])", None, "(;FF[4];W[kh]C[W: :kh])"),
    ("(;FF[4];W[k.h])", None, "(;FF[4];W[kh])"),
    ("(;FF[4];W[kphc])", None, "(;FF[4];C[W: kphc])"),
    ("(;FF[4];W(dd);B[aa])", None, "(;FF[4];W[dd];B[aa])"),
    ("(;FF[4]KM{6.5};B[aa])", None, "(;FF[4]KM[6.5];B[aa])"),
    ("(;FF[4]SZ(9);B{aa})", None, "(;FF[4]SZ[9];B[aa])"),
    ("(;FF[3]VW[aa][bb][cc][dd])", None, "(;FF[4]VW[aa][bb][cc][dd])"),
    ("(;FF[4]LB[bc])", None, "(;FF[4]MA[bc])"),
    ("(;FF[4]LB[hh][hh:x])", None, "(;FF[4]LB[hh:x])"),
    ("(;FF[4]LB[hh][dd:x])", None, "(;FF[4]LB[dd:x]MA[hh])"),
    ("(;FF[4]LB[hh=A][dd b][ff1])", None, "(;FF[4]LB[hh:A][dd:b][ff:1])"),
    ("(;FF[4]LB[A:hh][1:dd])", None, "(;FF[4]LB[hh:A][dd:1])"),
    ("(;FF[4]LB[abc])", None, "(;FF[4]C[LB: abc])"),
    ("(;FF[4]AR[dd-pp]LN[ddpp])", None, "(;FF[4]AR[dd:pp]LN[dd:pp])"),
    ("(;FF[4]LB[dd:[1]])", "(;FF[4]LB[dd:[1\\]])", "(;FF[4]LB[dd:[1\\]])"),
    ("(;FF[4]AB[zz9]AB[aa])", "(;FF[4]AB[zz9][aa])", "(;FF[4]AB[aa]C[AB: zz9])"),
    # Words and markup that are no values
    ("[sgf](;FF[4];B[aa])[/sgf]", None, "(;FF[4];B[aa])"),
    ("```sgf\n(;FF[4];B[aa])\n```\n", None, "\n(;FF[4];B[aa])\n\n"),
    ("<p>Game 1</p>(;FF[4];B[aa])", None, "(;FF[4]C[Game 1];B[aa])"),
    ("(;FF[4];B[aa](;W[bb]) Var 2: (;W[cc]))", None, "(;FF[4];B[aa](;W[bb])  (;C[Var 2:]W[cc]))"),
    ("(;FF[4];B[aa] White 2 at A: (;W[bb])(;W[cc]))",
     None, "(;FF[4];B[aa] C[White 2 at A:] (;W[bb])(;W[cc]))"),
    # Second values
    ("(;FF[4]LZ[a]LZ2[b])", None, "(;FF[4]LZ[a]C[LZ2: b])"),
    ("(;FF[4]AP[CGoban:3]AP[foxwq:])", None, "(;FF[4]AP[CGoban:3]C[AP: foxwq:])"),
    ("(;FF[4]KM[6.5]KM[7.5])", None, "(;FF[4]KM[6.5]GC[KM: 7.5])"),
    ("(;FF[4]TM[60]TM[90]TM[60])", None, "(;FF[4]TM[60]GC[TM: 90])"),
    ("(;FF[4];LB[dd:1]LB[dd:2])", None, "(;FF[4];LB[dd:1 2])"),
    ("(;FF[4]GM[1];B[aa]OB[5 min])", None, "(;FF[4]GM[1];B[aa]C[OB: 5 min])"),
    ("(;FF[4]GM[1];B[aa]OW[30秒])", None, "(;FF[4]GM[1]CA[UTF-8];B[aa]C[OW: 30秒])"),
    ("(;FF[4]CA[UTF-8]SZ[9路];B[aa])",
     "(;FF[4]CA[UTF-8]SZ[9];B[aa])", "(;FF[4]CA[UTF-8]SZ[9];B[aa])"),
    ("(;FF[4]SZ[1O];B[aa])", None, "(;FF[4]SZ[10]C[SZ: 1O];B[aa])"),
    ("(;FF[4]GM[Go]SZ[9];B[aa])", "(;FF[4]GM[1]SZ[9];B[aa])", "(;FF[4]GM[1]SZ[9];B[aa])"),
    ("(;FF[4]GM[weiqi]SZ[9];B[aa])", "(;FF[4]GM[1]SZ[9];B[aa])", "(;FF[4]GM[1]SZ[9];B[aa])"),
    ("(;FF[4]GM[Hex]SZ[11];B[a1];W[k11])", None, "(;FF[4]GM[11]SZ[11];B[a1];W[k11])"),
    ("(;FF[4]GM[Amazons];B[aa])", None, "(;FF[4]GM[18];C[B: aa])"),
    ("(;FF[4]GM[Tetris];B[aa])", None, "(;FF[4]C[GM: Tetris];B[aa])"),
    ("(;FF[4]GM[1];B[aa]OB[1 kk])", None, "(;FF[4]GM[1];B[aa]OB[1]C[OB: 1 kk])"),
    ("(;FF[4]GM[1];DM[1  kk])", None, "(;FF[4]GM[1];DM[1]C[DM: 1  kk])"),
    ("(;FF[4]GM[1];B[R16];W[D4];B[Pass];W[Pass])", None, "(;FF[4]GM[1];B[qd];W[dp];B[];W[])"),
    ("(;FF[4]GM[1];B[aa][bb])", None, "(;FF[4]GM[1];B[aa];B[bb])"),
    ("(;FF[4]GM[1];B[aa][a good move]C[x];W[bb])",
     None, "(;FF[4]GM[1];B[aa]C[a good move\nx];W[bb])"),
    ("(;FF[4]GM[1];B[pd][pd])", None, "(;FF[4]GM[1];B[pd];B[pd])"),
    ("(;FF[4]GM[1]RE[W+Illegal];B[aa]DT[5 d*])",
     "(;FF[4]GM[1]RE[W+Illegal]DT[5 d*];B[aa])",
     "(;FF[4]GM[1]RE[W+]GC[RE: W+Illegal\nDT: 5 d*];B[aa])"),
    ("(;FF[4]GM[1]GC[a];B[aa]GC[b];W[bb]GC[c])", None, "(;FF[4]GM[1]GC[a\nb\nc];B[aa];W[bb])"),
    ("(;FF[4]GM[1]PB[FSF]PB[ego])", None, "(;FF[4]GM[1]PB[FSF]GC[PB: ego])"),
    ("(;FF[4]GM[1]PB[FSF][ego])", None, "(;FF[4]GM[1]PB[FSF]GC[PB: ego])"),
    ("(;FF[4]GM[1]SZ[ 13 ]AB[dd])", "(;FF[4]GM[1]SZ[13]AB[dd])", "(;FF[4]GM[1]SZ[13]AB[dd])"),
    ("(;FF[4]GM[1]SZ[60]AB[AA][ZZ])", None, "(;FF[4]GM[1]SZ[52]C[SZ: 60]AB[AA][ZZ])"),
    ("(;FF[4]GM[1];B[aa]BM[1]TE[1])", None, "(;FF[4]GM[1];B[aa]DO[])"),
    ("(;FF[4]GM[1];B[aa]TE[2]C[x]BM[1])", None, "(;FF[4]GM[1];B[aa]IT[]C[x])"),
    ("(;FF[4]GM[1];B[aa]BM[1]DO[])", None, "(;FF[4]GM[1];B[aa]BM[1]C[DO])"),
    ("(;FF[3]GM[1];B[aa]WL[  ])", None, "(;FF[3]GM[1];B[aa])"),
    ("(;FF[3]GM[1];B[aa]WL[abc])", None, "(;FF[3]GM[1];B[aa]C[WL: abc])"),
    ("(;FF[3]GM[1]RE[W+3((8.5])", None, "(;FF[3]GM[1]RE[W+]GC[RE: W+3((8.5])"),
    ("(;FF[3]GM[1]KM[5;5])", None, "(;FF[3]GM[1]GC[KM: 5;5])"),
    ("(;FF[3]GM[1]PM[1:2])", None, "(;FF[3]GM[1]C[PM: 1:2])"),
    ("(;FF[3]GM[1]AP[x])", "(;FF[3]GM[1]AP[x:])", "(;FF[3]GM[1]AP[x:])"),
    ("(;FF[4]GM[1]TC[])", None, "(;FF[4]GM[1])"),
    ("(;FF[4]GM[1]EX[ 4])", None, "(;FF[4]GM[1]C[EX: 4])"),
    ("(;FF[3]GM[1]HA[0]\n[Go])", None, "(;FF[3]GM[1]GC[HA: Go])"),
    ("(;FF[3]GM[1]VW[aj:am])", None, "(;FF[3]GM[1]VW[aj][am])"),
    ("(;FF[4]GM[11];B[a1];W[SWAP](;B[a2])(;W[b1]))",
     None, "(;FF[4]GM[11];B[a1];C[W: SWAP](;B[a2])(;W[b1]))"),
]  # fmt: skip

_ROOT = "(;FF[4]GM[1]CA[UTF-8]{};B[pd])"
CASES = [
    (_ROOT.format(given), _ROOT.format(safe or given), _ROOT.format(unsafe or given))
    for given, safe, unsafe in VALUES
] + [(given, safe or given, unsafe or given) for given, safe, unsafe in FILES]


@for_each(CASES)
def test_what_fixes_make_of_a_value(given: str, safe: str, unsafe: str) -> None:
    assert validate(given.encode()).diagnostics
    assert fix(given.encode()).data.decode() == safe
    result = fix(given.encode(), unsafe=True)
    assert result.data.decode() == unsafe
    assert result.ok
