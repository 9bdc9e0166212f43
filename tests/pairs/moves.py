"""Pairs for the fixes of points and moves in words and in the notation of people."""

from __future__ import annotations

from tests.pairs import never

#: Fifteen stones.
_STONES = "AB" + "".join(f"[{column}{row}]" for column in "abcde" for row in "abc")

PAIRS = [
    never(
        "SGF319",
        "all moves and stones are those of Go",
        (
            b"(;FF[4]GM[11];B[pd];W[dd];B[tt];W[qq]N[x];B[aa];W[];B[cc])",
            b"(;FF[4]GM[1]C[GM: 11];B[pd];W[dd];B[tt];W[qq]N[x];B[aa];W[];B[cc])",
        ),
    ),
    never(
        "SGF319",
        "not one of them is that of another game",
        (
            b"(;FF[4]GM[11];B[pd];W[dd];B[cc];W[qq];B[ee];W[a1])",
            b"(;FF[4]GM[11];C[B: pd];C[W: dd];C[B: cc];C[W: qq];C[B: ee];W[a1])",
        ),
    ),
    never(
        "SGF319",
        "they are at least five",
        (
            b"(;FF[4]GM[11]AB[pd];B[dd];W[cc];B[qq])",
            b"(;FF[4]GM[11]C[AB: pd];C[B: dd];C[W: cc];C[B: qq])",
        ),
    ),
    never(
        "SGF401",
        "many moves and stones are beyond the board, so that its size is wrong",
        (
            "SZ[9]AB[ja:kb];B[kk];W[tt];B[mm]LB[ss:x];W[aa];B[bb];W[nn];B[no]",
            "SZ[19]C[SZ: 9]AB[ja:kb];B[kk];W[tt];B[mm]LB[ss:x];W[aa];B[bb];W[nn];B[no]",
        ),
    ),
    never(
        "SGF401",
        "they are a quarter of all, and few are on no usual board",
        (
            f"SZ[9]{_STONES};B[ja];W[jb];B[jc];W[jd];B[mm];W[uu];B[vv]",
            f"SZ[13]C[SZ: 9]{_STONES};B[ja];W[jb];B[jc];W[jd];B[mm];C[W: uu];C[B: vv]",
        ),
    ),
    never(
        "SGF401",
        "they are fewer than five",
        ("SZ[9];B[jk];W[kl];B[lm];W[mn]", "SZ[9];C[B: jk];C[W: kl];C[B: lm];C[W: mn]"),
    ),
    never(
        "SGF401",
        "they are less than a quarter of all",
        (
            f"SZ[9]{_STONES}[ii];B[ja];W[jb];B[jc];W[jd];B[je]",
            f"SZ[9]{_STONES}[ii];C[B: ja];C[W: jb];C[B: jc];C[W: jd];C[B: je]",
        ),
    ),
    never(
        "SGF401",
        "more than one of ten is on no usual board",
        (
            "SZ[9];B[ja];W[jb];B[jc];W[jd];B[je];W[tu]",
            "SZ[9];C[B: ja];C[W: jb];C[B: jc];C[W: jd];C[B: je];C[W: tu]",
        ),
    ),
    never(
        "SGF401",
        "in other games the size is what it says",
        (
            b"(;FF[4]GM[18]SZ[10]AB[ka][kb][kc][kd][ke][kf])",
            b"(;FF[4]GM[18]SZ[10]C[AB: ka\nAB: kb\nAB: kc\nAB: kd\nAB: ke\nAB: kf])",
        ),
    ),
    never(
        "SGF319",
        "two points with a bracket between them are the first",
        (
            b"(;FF[4]GM[1];B[pd[dd];W[cc];B[pd(dd])",
            b"(;FF[4]GM[1];B[pd]C[B: pd[dd];W[cc];C[B: pd(dd])",
        ),
    ),
    never(
        "SGF319",
        "moves in the notation of people are on the board",
        (";B[R16];W[D-4];B[u1];W[a20];B[a0]", ";B[qd];W[dp];C[B: u1];C[W: a20];C[B: a0]"),
    ),
    never(
        "SGF319",
        "rows are counted from the lower edge",
        ("SZ[9:13];B[C12];W[A1]", "SZ[9:13];B[cb];W[am]"),
    ),
    never(
        "SGF319",
        "the letter I is a column where a point has it",
        ("SZ[9];B[i9];W[A1]", "SZ[9];B[ia];W[ai]"),
    ),
    never(
        "SGF319",
        "the letters of the columns agree",
        ("SZ[9:13];B[i9];W[J1]", "SZ[9:13];C[B: i9];C[W: J1]"),
    ),
    never(
        "SGF319",
        "only points and moves name columns",
        ("N[i9]XX[i9];B[Q16];W[t1]", "N[i9]XX[i9];B[pd];W[ss]"),
    ),
    never(
        "SGF312",
        "a dash is between the two corners of a rectangle",
        (
            ";AB[dd-ff][D4-F6]AW[pp-qq-rr]TR[aa,cc][ee.gg,jj]",
            ";AB[dd:ff][dn:fp]C[AW: pp-qq-rr]TR[aa][cc][ee][gg][jj]",
        ),
    ),
    never(
        "SGF310",
        "only points of Go are written so",
        (b"(;FF[4]GM[18];AB[D4,E5][D4 E5])", b"(;FF[4]GM[18];C[AB: D4 E5\nAB: D4,E5])"),
    ),
    never(
        "SGF312",
        "only a move is a swap",
        (b"(;FF[4]GM[11]AB[swap];B[a1])", b"(;FF[4]GM[11]C[AB: swap];B[a1])"),
    ),
    never(
        "SGF319",
        "a pass is empty in FF[4], and before on boards that have the point tt",
        (";B[pass];W[Pass.]", ";B[];W[]"),
    ),
    never(
        "SGF319", "tt is a pass before FF[4]", (b"(;FF[3]GM[1];B[pass])", b"(;FF[3]GM[1];B[tt])")
    ),
    never(
        "SGF319",
        "tt is no point of the board",
        (b"(;FF[3]GM[1]SZ[21];B[pass])", b"(;FF[4]GM[1]SZ[21];B[])"),
    ),
    never("SGF319", "the word means a pass", (";B[resigns]", ";C[B: resigns]")),
    never("SGF319", "the game is Go", (b"(;FF[4]GM[18];B[pass])", b"(;FF[4]GM[18];C[B: pass])")),
    never("SGF312", "a word is no point", ("AB[pass]", "C[AB: pass]")),
    never(
        "SGF312",
        "each point in the notation of people is written, other halves stay",
        ("AB[Q16][dd]LB[D4:a][D3:T1]", "AB[pd][dd]LB[dp:a][dq:T1]"),
    ),
    never("SGF312", "only points that are malformed are written", ("AR[Q16:dd]", "AR[pd:dd]")),
    never(
        "SGF312",
        "all of several points in one value are points",
        ("AB[aa,bb][dd,x9]", "AB[aa][bb][dd]C[AB: dd,x9]"),
    ),
    never("SGF319", "a move has one point", (";B[aa,bb]", ";C[B: aa,bb]")),
    never(
        "SGF319",
        "the value is short enough to be a point among other characters",
        (";B[a...ax];W[a....ax]", ";B[aa]C[B: a...ax];C[W: a....ax]"),
    ),
    never(
        "SGF319",
        "letters among other characters are lowercase",
        (";B[bax];W[aaX]", ";B[ba]C[B: bax];C[W: aaX]"),
    ),
    never(
        "SGF319",
        "the letters among other characters are a point of the board",
        (";B[bax];W[zzx]", ";B[ba]C[B: bax];C[W: zzx]"),
    ),
    never(
        "SGF312",
        "a point among other characters is all of the value",
        ("CR[aax]AR[a:a]", "CR[aa]C[CR: aax\nAR: a:a]"),
    ),
]
