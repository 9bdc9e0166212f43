"""Where rules about nodes, paths and positions report: the places, nodes and related places."""

from __future__ import annotations

import re

from sgf_lark import grammar, validate
from sgf_lark.syntax import Engine
from tests.kit.tables import for_each

#: A rule, a file in which all places that it reports are marked, their trees and nodes, and
#: the places related to the last one.
PLACES: list[tuple[str, bytes, list[tuple[int, int]], list[tuple[int, int]]]] = [
    ("SGF201", b"<\xef\xbb\xbf>(;FF[4]CA[Big5]C[x];B[aa])", [(0, 0)], []),
    ("SGF205", "(;FF[4]C[x];B[aa]C[<黑方这手棋是败着>])".encode("gb18030"), [(0, 0)], []),
    ("SGF205", b"\xef\xbb\xbf(;FF[4]C[\xc3\xa9])", [], []),
    ("SGF206", b"(;FF[4]CA[UTF-8]AP[<a:\xff>]C[\xc3\xa9\xc3\xa9])", [(0, 0)], []),
    ("SGF207", b"(;FF[4]GM[1]CA[Shift_JIS]C[<\x90\\>])", [(0, -1)], []),
    ("SGF207", b"(;FF[4]GM[1]CA[Big5]C[<\xa6]>])", [(0, -1)], []),
    ("SGF209", b"(;FF[4]CA[UTF-8]C[a<\xe9>b];B[aa]C[x\xe9])", [(0, 0)], []),
    ("SGF209", b"(;FF[4]CA[UTF-8]C[x])(;FF[4]CA[UTF-8]C[<\xe9>\xe9];B[aa])", [(1, 0)], []),
    ("SGF216", "(;FF[4]CA[ISO-8859-1]C[x];B[aa]C[<黑方这手棋是败着>])".encode("gb18030"),
     [(0, 0)], []),
    ("SGF317", b"(;AB[aa:zz][bb][cc:dd][<dd>])", [(0, 0)], []),
    ("SGF501", b"(;C[a]<C[b]>N[x]C[c])", [(0, 0)], [(2, 6)]),
    ("SGF502", b"(;;B[aa]<W[bb]>W[cc])", [(0, 1)], []),
    ("SGF503", b"(;FF[4];<AB[bb]>W[aa]B[cc]<AW[dd]>)", [(0, 1), (0, 1)], [(14, 19)]),
    ("SGF504", b"(;;C[x]<KO[]>)", [(0, 1)], []),
    ("SGF505", b"(;;C[x]<TE[1]>)", [(0, 1)], []),
    ("SGF506", b"(;FF[4];B[aa]BM[1]<DO[]><IT[]>)", [(0, 1), (0, 1)], []),
    ("SGF507", b"(;FF[4]GB[1]<GW[1]><DM[1]>)", [(0, 0), (0, 0)], []),
    ("SGF508", b"(;AB[aa]AW[bb][<aa>]AE[<aa>])", [(0, 0), (0, 0)], []),
    ("SGF508", b"(;AB[aa]AW[zz][<aa>])", [(0, 0)], []),
    ("SGF508", b"(;AB[aa:zz]AW[bb])", [], []),
    ("SGF510", b"(;CR[aa]TR[bb][<aa>]MA[<aa>])", [(0, 0), (0, 0)], []),
    ("SGF511", b"(;LB[aa:x][bb:x][<aa:y>])", [(0, 0)], []),
    ("SGF512", b"(;FF[4]AR[aa:bb][cc:dd][<aa:bb>])", [(0, 0)], []),
    ("SGF513", b"(;FF[4]LN[aa:bb][cc:dd][<aa:bb>])", [(0, 0)], []),
    ("SGF514", b"(;FF[4]LN[aa:bb][cc:dd][<bb:aa>])", [(0, 0)], []),
    ("SGF514", b"(;FF[4]LN[aa:aa][bb:cc][aa:aa])", [], []),
    ("SGF515", b"(;FF[4]LN[aa:bb][<cc:cc>])", [(0, 0)], []),
    ("SGF516", b"(;TB[aa]TW[bb][<aa>])", [(0, 0)], []),
    ("SGF517", b"(;FF[4];C[x]<FF[4]><SZ[9]>)", [(0, 1), (0, 1)], []),
    ("SGF518", b"(;FF[4]C[x]<B[aa]><MN[3]>)", [(0, 0), (0, 0)], []),
    ("SGF519", b"(;FF[3];B[aa]TE[1]<BM[1]>)", [(0, 1)], []),
    ("SGF520", b"(;FF[3];<AB[bb]>W[aa]B[cc]<AW[dd]>)", [(0, 1), (0, 1)], [(14, 19)]),
    ("SGF601", b"(;FF[4];B[aa]PB[x];W[bb]C[y]<PW[z]><PC[p]>;B[cc]<RE[B+R]>)",
     [(0, 2), (0, 2), (0, 3)], [(7, 8)]),
    ("SGF602", b"(;FF[4];B[aa];W[bb]C[y]<PW[z]>PC[p])", [(0, 2)], []),
    ("SGF603", b"(;FF[4];B[aa];C[x]<B[bb]>W[cc])", [(0, 2)], []),
    ("SGF604", b"(;FF[4];B[aa];C[x]PL[B]<AW[bb]><AB[cc]>(;<AE[bb]>)(;AE[bb]))",
     [(0, 2), (0, 2), (0, 3)], []),
    ("SGF605",
     b"(;FF[4];W[aa](;AE[aa];B[bb](;W[ba]))(<;AE[aa]>;W[ba])(;B[bb](;AE[bb])(<;AE[bb]C[x]>;B[ba])))",
     [(0, 5), (0, 9)], []),
    ("SGF605",
     b"(;FF[4];W[aa][bb](<;AE[aa]>;W[ba])(;AE[bb];W[ba])(;AE[cc];W[ba])(;AE[aa];B[cc]W[dd]))",
     [(0, 2)], []),
    ("SGF605", b"(;FF[4];W[aa]B[bb](;AE[aa];W[ba]))", [], []),
    ("SGF605", b"(;FF[4];B[aa];W[bb](;AE[bb][aa];W[ba])(;AE[bb]AE[aa];W[ba]))", [], []),
    ("SGF605", b"(;FF[4];W[aa](;AE[aa]B[cc];W[ba]))", [], []),
    ("SGF605", b"(;FF[4];C[x](;C[y];W[ba])(;AE[aa];B[bb]))", [], []),
    ("SGF606", b"(;FF[3]PB[x];B[aa]<RE[B+R]>)", [(0, 1)], [(1, 2)]),
    ("SGF701", b"(;FF[4])\n<(>;FF[4])(;FF[4])", [(1, 0)], []),
    ("SGF701", b"(;FF[4])", [], []),
    ("SGF702", b"(;FF[4])<(>;FF[3])(;FF[4])(;FF[3])<(>;FF[1])", [(1, 0), (4, 0)], []),
    ("SGF702", b"(;FF[4];B[aa])<(>;FF[3];B[aa])", [(1, 0)], []),
    ("SGF703", b"(;GM[1])<(>;GM[2])", [(1, 0)], []),
    ("SGF704", b"(;FF[4]CA[UTF-8])(;FF[4]CA[UTF-8])<(>;FF[4]CA[Big5])", [(2, 0)], []),
    ("SGF801", b"(;FF[4];B[aa];C[x]<W[aa]>)", [(0, 2)], []),
    ("SGF802", b"(;FF[4]AB[aa];C[x]<AB[zz][bb][aa]><AE[cc]>)", [(0, 1), (0, 1)], []),
    ("SGF802", b"(;FF[4]SZ[9]<AE[aa:fa]>)", [(0, 0)], []),
    ("SGF840", b"(;FF[4]GM[18]<AB[aa][bb]>AA[aa][bb])", [(0, 0)], []),
    ("SGF851", b"(;FF[4]GM[19]BO[33][55]<WO[33][55]>)", [(0, 0)], []),
    ("SGF832", b"(;FF[4]GM[11](;B[a1]IP[])(;B[b2]<IP[]>)(;B[b3]<IP[]>))", [(0, 2), (0, 3)],
     [(20, 24)]),
]  # fmt: skip


@for_each(PLACES)
def test_places(
    code: str, marked: bytes, nodes: list[tuple[int, int]], related: list[tuple[int, int]]
) -> None:
    data = re.sub(rb"[<>]", b"", marked)
    expected = [
        (match.start() - 2 * number, match.end() - 2 * number - 2)
        for number, match in enumerate(re.finditer(rb"<.*?>", marked))
    ]
    engines: list[Engine] = ["lark", "tables"]
    for engine in engines:
        found = [each for each in validate(data, engine=engine).diagnostics if each.code == code]
        assert [(each.span.start, each.span.end) for each in found] == expected
        assert [(each.tree, each.node) for each in found] == nodes
        last = found[-1].related if found else ()
        assert [(span.start, span.end) for span in last] == related


#: Setup of black stones without effect, and what is named of the points.
NAMED = [
    (b"(;FF[4]AB[aa:da];XX[a]AW[zz]AB[aa:da][aa])", "aa ba ca da"),
    (b"(;FF[4]AB[aa:ea];PL[W]AB[aa:ea])", "aa ba ca da ea"),
    (b"(;FF[4]AB[aa:fa];AB[fa][ea][aa:da])", "fa ea aa ba ca …"),
    (b"(;FF[4]AB[aa]AB[cb]AB[ab];AB[aa:cc])", "aa ab cb"),
    (b"(;FF[4]AB[aa][ba]AW[bb];AW[bb]AB[ba:bb])", "ba"),
]


def test_points_without_effect_are_named() -> None:
    message = grammar.rule("SGF802").message
    for data, points in NAMED:
        found = [each for each in validate(data).diagnostics if each.code == "SGF802"]
        assert found[-1].message == message.format(ident="AB", point=points), data
