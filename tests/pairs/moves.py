"""Pairs for the fixes of points and moves in words and in the notation of people."""

from __future__ import annotations

from tests.pairs import never

#: Fifteen stones.
_STONES = "AB" + "".join(f"[{column}{row}]" for column in "abcde" for row in "abc")

PAIRS = {
    "SGF310": [
        never(
            "only points of Go are written so",
            (b"(;FF[4]GM[18];AB[D4,E5][D4 E5])", b"(;FF[4]GM[18];C[AB: D4 E5\nAB: D4,E5])"),
        )
    ],
    "SGF312": [
        never(
            "a dash is between the two corners of a rectangle",
            (
                ";AB[dd-ff][D4-F6]AW[pp-qq-rr]TR[aa,cc][ee.gg,jj]",
                ";AB[dd:ff][dn:fp]C[AW: pp-qq-rr]TR[aa][cc][ee][gg][jj]",
            ),
        ),
        never(
            "only a move is a swap",
            (b"(;FF[4]GM[11]AB[swap];B[a1])", b"(;FF[4]GM[11]C[AB: swap];B[a1])"),
        ),
        never("a word is no point", ("AB[pass]", "C[AB: pass]")),
        never(
            "each point in the notation of people is written, other halves stay",
            ("AB[Q16][dd]LB[D4:a][D3:T1]", "AB[pd][dd]LB[dp:a][dq:T1]"),
        ),
        never("only points that are malformed are written", ("AR[Q16:dd]", "AR[pd:dd]")),
        never(
            "all of several points in one value are points",
            ("AB[aa,bb][dd,x9]", "AB[aa][bb][dd]C[AB: dd,x9]"),
        ),
        never(
            "a point among other characters is all of the value",
            ("CR[aax]AR[a:a]", "CR[aa]C[CR: aax\nAR: a:a]"),
        ),
    ],
    "SGF319": [
        never(
            "all moves and stones are those of Go",
            (
                b"(;FF[4]GM[11];B[pd];W[dd];B[tt];W[qq]N[x];B[aa];W[];B[cc])",
                b"(;FF[4]GM[1]C[GM: 11];B[pd];W[dd];B[tt];W[qq]N[x];B[aa];W[];B[cc])",
            ),
        ),
        never(
            "not one of them is that of another game",
            (
                b"(;FF[4]GM[11];B[pd];W[dd];B[cc];W[qq];B[ee];W[a1])",
                b"(;FF[4]GM[11];C[B: pd];C[W: dd];C[B: cc];C[W: qq];C[B: ee];W[a1])",
            ),
        ),
        never(
            "they are at least five",
            (
                b"(;FF[4]GM[11]AB[pd];B[dd];W[cc];B[qq])",
                b"(;FF[4]GM[11]C[AB: pd];C[B: dd];C[W: cc];C[B: qq])",
            ),
        ),
        never(
            "two points with a bracket between them are the first",
            (
                b"(;FF[4]GM[1];B[pd[dd];W[cc];B[pd(dd])",
                b"(;FF[4]GM[1];B[pd]C[B: pd[dd];W[cc];C[B: pd(dd])",
            ),
        ),
        never(
            "moves in the notation of people are on the board",
            (";B[R16];W[D-4];B[u1];W[a20];B[a0]", ";B[qd];W[dp];C[B: u1];C[W: a20];C[B: a0]"),
        ),
        never(
            "rows are counted from the lower edge",
            ("SZ[9:13];B[C12];W[A1]", "SZ[9:13];B[cb];W[am]"),
        ),
        never(
            "the letter I is a column where a point has it",
            ("SZ[9];B[i9];W[A1]", "SZ[9];B[ia];W[ai]"),
        ),
        never(
            "the letters of the columns agree",
            ("SZ[9:13];B[i9];W[J1]", "SZ[9:13];C[B: i9];C[W: J1]"),
        ),
        never(
            "only points and moves name columns",
            ("N[i9]XX[i9];B[Q16];W[t1]", "N[i9]XX[i9];B[pd];W[ss]"),
        ),
        never(
            "a pass is empty in FF[4], and before on boards that have the point tt",
            (";B[pass];W[Pass.]", ";B[];W[]"),
        ),
        never("tt is a pass before FF[4]", (b"(;FF[3]GM[1];B[pass])", b"(;FF[3]GM[1];B[tt])")),
        never(
            "tt is no point of the board",
            (b"(;FF[3]GM[1]SZ[21];B[pass])", b"(;FF[4]GM[1]SZ[21];B[])"),
        ),
        never("the word means a pass", (";B[resigns]", ";C[B: resigns]")),
        never("the game is Go", (b"(;FF[4]GM[18];B[pass])", b"(;FF[4]GM[18];C[B: pass])")),
        never("a move has one point", (";B[aa,bb]", ";C[B: aa,bb]")),
        never(
            "the value is short enough to be a point among other characters",
            (";B[a...ax];W[a....ax]", ";B[aa]C[B: a...ax];C[W: a....ax]"),
        ),
        never(
            "letters among other characters are lowercase",
            (";B[bax];W[aaX]", ";B[ba]C[B: bax];C[W: aaX]"),
        ),
        never(
            "the letters among other characters are a point of the board",
            (";B[bax];W[zzx]", ";B[ba]C[B: bax];C[W: zzx]"),
        ),
    ],
    "SGF401": [
        never(
            "many moves and stones are beyond the board, so that its size is wrong",
            (
                "SZ[9]AB[ja:kb];B[kk];W[tt];B[mm]LB[ss:x];W[aa];B[bb];W[nn];B[no]",
                "SZ[19]C[SZ: 9]AB[ja:kb];B[kk];W[tt];B[mm]LB[ss:x];W[aa];B[bb];W[nn];B[no]",
            ),
        ),
        never(
            "they are a quarter of all, and few are on no usual board",
            (
                f"SZ[9]{_STONES};B[ja];W[jb];B[jc];W[jd];B[mm];W[uu];B[vv]",
                f"SZ[13]C[SZ: 9]{_STONES};B[ja];W[jb];B[jc];W[jd];B[mm];C[W: uu];C[B: vv]",
            ),
        ),
        never(
            "they are fewer than five",
            ("SZ[9];B[jk];W[kl];B[lm];W[mn]", "SZ[9];C[B: jk];C[W: kl];C[B: lm];C[W: mn]"),
        ),
        never(
            "they are less than a quarter of all",
            (
                f"SZ[9]{_STONES}[ii];B[ja];W[jb];B[jc];W[jd];B[je]",
                f"SZ[9]{_STONES}[ii];C[B: ja];C[W: jb];C[B: jc];C[W: jd];C[B: je]",
            ),
        ),
        never(
            "more than one of ten is on no usual board",
            (
                "SZ[9];B[ja];W[jb];B[jc];W[jd];B[je];W[tu]",
                "SZ[9];C[B: ja];C[W: jb];C[B: jc];C[W: jd];C[B: je];C[W: tu]",
            ),
        ),
        never(
            "in other games the size is what it says",
            (
                b"(;FF[4]GM[18]SZ[10]AB[ka][kb][kc][kd][ke][kf])",
                b"(;FF[4]GM[18]SZ[10]C[AB: ka\nAB: kb\nAB: kc\nAB: kd\nAB: ke\nAB: kf])",
            ),
        ),
    ],
}
