"""Pairs for the fixes of points and moves in words and in the notation of people."""

from __future__ import annotations

from tests.pairs import never

PAIRS = [
    never(
        "SGF319",
        "moves in the notation of people are on the board",
        b"(;FF[4]GM[1];B[R16];W[D-4];B[u1];W[a20];B[a0])",
        b"(;FF[4]GM[1];B[qd];W[dp];C[B: u1];C[W: a20];C[B: a0])",
    ),
    never(
        "SGF319",
        "rows are counted from the lower edge",
        b"(;FF[4]GM[1]SZ[9:13];B[C12];W[A1])",
        b"(;FF[4]GM[1]SZ[9:13];B[cb];W[am])",
    ),
    never(
        "SGF319",
        "the letter I is a column where a point has it",
        b"(;FF[4]GM[1]SZ[9];B[i9];W[A1])",
        b"(;FF[4]GM[1]SZ[9];B[ia];W[ai])",
    ),
    never(
        "SGF319",
        "the letters of the columns agree",
        b"(;FF[4]GM[1]SZ[9:13];B[i9];W[J1])",
        b"(;FF[4]GM[1]SZ[9:13];C[B: i9];C[W: J1])",
    ),
    never(
        "SGF319",
        "only points and moves name columns",
        b"(;FF[4]GM[1]N[i9]XX[i9];B[Q16];W[t1])",
        b"(;FF[4]GM[1]N[i9]XX[i9];B[pd];W[ss])",
    ),
    never(
        "SGF312",
        "a dash is between the two corners of a rectangle",
        b"(;FF[4]GM[1];AB[dd-ff][D4-F6]AW[pp-qq-rr]TR[aa,cc][ee.gg,jj])",
        b"(;FF[4]GM[1];AB[dd:ff][dn:fp]C[AW: pp-qq-rr]TR[aa][cc][ee][gg][jj])",
    ),
    never(
        "SGF310",
        "only points of Go are written so",
        b"(;FF[4]GM[18];AB[D4,E5][D4 E5])",
        b"(;FF[4]GM[18];C[AB: D4 E5\nAB: D4,E5])",
    ),
    never(
        "SGF312",
        "only a move is a swap",
        b"(;FF[4]GM[11]AB[swap];B[a1])",
        b"(;FF[4]GM[11]C[AB: swap];B[a1])",
    ),
    never(
        "SGF319",
        "a pass is empty in FF[4], and before on boards that have the point tt",
        b"(;FF[4]GM[1];B[pass];W[Pass.])",
        b"(;FF[4]GM[1];B[];W[])",
    ),
    never("SGF319", "tt is a pass before FF[4]", b"(;FF[3]GM[1];B[pass])", b"(;FF[3]GM[1];B[tt])"),
    never(
        "SGF319",
        "tt is no point of the board",
        b"(;FF[3]GM[1]SZ[21];B[pass])",
        b"(;FF[4]GM[1]SZ[21];B[])",
    ),
    never(
        "SGF319",
        "the word means a pass",
        b"(;FF[4]GM[1];B[resigns])",
        b"(;FF[4]GM[1];C[B: resigns])",
    ),
    never("SGF319", "the game is Go", b"(;FF[4]GM[18];B[pass])", b"(;FF[4]GM[18];C[B: pass])"),
    never("SGF312", "a word is no point", b"(;FF[4]GM[1]AB[pass])", b"(;FF[4]GM[1]C[AB: pass])"),
    never(
        "SGF312",
        "each point in the notation of people is written, other halves stay",
        b"(;FF[4]GM[1]AB[Q16][dd]LB[D4:a][D3:T1])",
        b"(;FF[4]GM[1]AB[pd][dd]LB[dp:a][dq:T1])",
    ),
    never(
        "SGF312",
        "only points that are malformed are written",
        b"(;FF[4]GM[1]AR[Q16:dd])",
        b"(;FF[4]GM[1]AR[pd:dd])",
    ),
    never(
        "SGF312",
        "all of several points in one value are points",
        b"(;FF[4]GM[1]AB[aa,bb][dd,x9])",
        b"(;FF[4]GM[1]AB[aa][bb][dd]C[AB: dd,x9])",
    ),
    never(
        "SGF319", "a move has one point", b"(;FF[4]GM[1];B[aa,bb])", b"(;FF[4]GM[1];C[B: aa,bb])"
    ),
    never(
        "SGF319",
        "the value is short enough to be a point among other characters",
        b"(;FF[4]GM[1];B[a...ax];W[a....ax])",
        b"(;FF[4]GM[1];B[aa]C[B: a...ax];C[W: a....ax])",
    ),
    never(
        "SGF319",
        "letters among other characters are lowercase",
        b"(;FF[4]GM[1];B[bax];W[aaX])",
        b"(;FF[4]GM[1];B[ba]C[B: bax];C[W: aaX])",
    ),
    never(
        "SGF319",
        "the letters among other characters are a point of the board",
        b"(;FF[4]GM[1];B[bax];W[zzx])",
        b"(;FF[4]GM[1];B[ba]C[B: bax];C[W: zzx])",
    ),
    never(
        "SGF312",
        "a point among other characters is all of the value",
        b"(;FF[4]GM[1]CR[aax]AR[a:a])",
        b"(;FF[4]GM[1]CR[aa]C[CR: aax\nAR: a:a])",
    ),
]
