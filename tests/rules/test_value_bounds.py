"""Where the numbers begin and end that rules about values compare: files at each bound. What FF[4]
made mandatory is at most a hint before FF[4]."""

from __future__ import annotations

from typing import Literal

import pytest

from sgf_lark import fix, validate
from sgf_lark.diagnostics import Severity
from tests.kit.tables import for_each

#: The largest Number of 64 bits.
_LARGEST = 2**63 - 1

#: The code of a rule, and the properties and nodes of files that it does not report, and of files
#: that it does. The last of the one and the first of the other are next to each other at a bound.
BOUNDS: list[tuple[str, list[str], list[str]]] = [
    # Numbers
    ("SGF906", [f"FF[4]MN[{_LARGEST}]", f"FF[4]MN[+00{_LARGEST}]", f"FF[4]MN[-{_LARGEST + 1}]"],
     [f"FF[4]MN[{_LARGEST + 1}]", f"FF[4]MN[+00{_LARGEST + 1}]", f"FF[4]MN[-{_LARGEST + 2}]"]),
    ("SGF402", ["FF[1]", "FF[+04]"], ["FF[0]", "FF[5]", "FF[14]"]),
    ("SGF403", ["GM[1]", "GM[+01]", "GM[10]"], ["GM[0]", "GM[-1]"]),
    ("SGF409", ["FF[4]ST[-0]", "FF[4]ST[3]"], ["FF[4]ST[4]", "FF[4]ST[-1]"]),
    ("SGF410", ["FF[4]PM[-0]", "FF[4]PM[2]"], ["FF[4]PM[3]", "FF[4]PM[-1]"]),
    ("SGF413", ["HA[2]", "HA[+09]", "HA[10]"], ["HA[1]", "HA[01]", "HA[-2]"]),
    ("SGF414", ["HA[2][3]AB[aa][bb]", "HA[2]AB[dp]AB[pd]", "HA[2]AB[dp][pd]AB[pd]"],
     ["HA[3][2]AB[aa][bb]", "HA[2]AB[aa]", "HA[2]AB[dp][pd]AB[dd]"]),
    ("SGF417", ["TM[0]", "TM[-0]", "TM[-0.0]", "FF[4]TM[-x]"], ["TM[-0.1]", "TM[-1]"]),
    ("SGF412", ["FG[0:x]", "FG[-0:x]", "FG[0000000000000000000001:x]"],
     ["FG[-1:x]", "FG[8:x]", "FG[0000000000000000000008:x]", "FG[1%s:x]" % ("0" * 30)]),
    ("SGF906", [f"FF[4]V[{'9' * 308}]"], [f"FF[4]V[1{'0' * 309}]", f"TM[-{'9' * 310}]"]),
    ("SGF441", ["KM[108]", "KM[-108.0]", "SZ[9]KM[30]", "SZ[5]KM[25]", "GM[2]KM[750]"],
     ["KM[108.1]", "KM[-109]", "SZ[9]KM[30.5]", f"KM[{'9' * 310}]"]),
    ("SGF424", ["FF[4]RE[B+0.5]", "FF[4]RE[0]"], ["FF[4]RE[B+0]", "FF[4]RE[W+00.0]"]),
    # Boards
    ("SGF405", ["SZ[1]", "SZ[+01]"], ["SZ[0]", "SZ[-1]"]),
    ("SGF407", ["SZ[52]", "FF[4]SZ[52:1]"], ["SZ[53]", "FF[4]SZ[1:53]"]),
    ("SGF408", ["SZ[19x]", "SZ[19x0]", "SZ[1x2x3]", "FF[4]SZ[19:13]"],
     ["SZ[19x1]", "SZ[19 13]", "FF[4]SZ[19: 13]"]),
    ("SGF433", ["SZ[19]", "FF[4]SZ[20]", "GM[11]SZ[20]"], ["FF[1]SZ[20]", "FF[3]SZ[9:8]"]),
    ("SGF831", ["FF[4]GM[11]SZ[3]", "FF[4]GM[11]SZ[26]", "FF[4]GM[1]SZ[27]"],
     ["FF[4]GM[11]SZ[2]", "FF[4]GM[11]SZ[27]", "FF[4]GM[11]SZ[2:26]"]),
    ("SGF401", ["SZ[2];B[bb]", "SZ[2]LB[bb:x]"], ["SZ[2];B[cb]", "SZ[2];B[bc]"]),
    # Points
    ("SGF315", ["FF[4]AB[aa:ab]", "FF[4]AB[aa:ba]"], ["FF[4]AB[aa:aa]"]),
    ("SGF316", ["FF[4]AB[aa:ab]", "FF[4]AB[aa:ba]"],
     ["FF[4]AB[ab:aa]", "FF[4]AB[ba:aa]", "FF[4]AB[ab:ba]"]),
    ("SGF308", ["FF[4]DD[]"], ["FF[4]DD[][aa]"]),
    ("SGF301", ["FF[4]MN[1]"], ["FF[4]MN[1][1]"]),
    ("SGF861", ["FF[4]GM[20];B[bb:ss]", "FF[4]GM[20];B[sb:bs]",
                "FF[4]GM[20]SZ[20:10];B[cc:jc]", "FF[4]GM[20]SZ[10:20];B[cc:cj]"],
     [*(f"FF[4]GM[20];B[cc:{end}]" for end in ("ac", "ca", "tc", "ct")),
      *(f"FF[4]GM[20]SZ[20:10];B[cc:{end}]" for end in ("tc", "cj"))]),
    ("SGF853", ["FF[4]GM[19]CS[46C][46C]MS[46C]", "FF[4]GM[19]CS[46C]MS[46D]"],
     ["FF[4]GM[19]CS[46C]MS[46C]"]),
    # Values of other games
    ("SGF812", ["FF[4]GM[6]DI[16]"], ["FF[4]GM[6]DI[17]", "FF[4]GM[6]DI[01]"]),
    ("SGF813", ["FF[4]GM[6]CV[1]", "FF[4]GM[6]CV[2]", "FF[4]GM[6]CV[4]"],
     ["FF[4]GM[6]CV[0]", "FF[4]GM[6]CV[-2]", "FF[4]GM[6]CV[3]"]),
    ("SGF814", ["FF[4]GM[6]RE[B+1R]", "FF[4]GM[6]RE[B+]"],
     ["FF[4]GM[6]RE[B+R]", "FF[4]GM[6]RE[W+Resign]"]),
    ("SGF840", ["GM[1]AB[aa]AA[aa]"], ["FF[4]GM[18]AB[aa]AA[aa]", "FF[4]GM[18]AA[bb]AA[aa]AB[aa]"]),
    ("SGF851", ["GM[1]BO[33]WO[33]"], ["FF[4]GM[19]BO[33]WO[33]", "FF[4]GM[19]BO[33]WO[35]WO[33]"]),
    ("SGF811", ["FF[4]GM[6]CO[]"], ["FF[4]GM[6]CO[x]"]),
    # Texts
    ("SGF905", ["FF[4]LB[aa:ab]"], ["FF[4]LB[aa:abc]"]),
    ("SGF436", ["FF[3]LB[aa:abcd]", "FF[4]LB[aa:abcde]"], ["FF[3]LB[aa:abcde]"]),
    ("SGF212", [f"C[{character}x]" for character in "\t\n\v\f\r ~"],
     [f"C[{character}x]" for character in "\1\x08\x0e\x1f\x7f"]),
    ("SGF115", ["AB[aa]", "%s[x]" % ("X" * 101)], ["ABC[aa]", "%s[x]" % ("X" * 100)]),
    ("SGF116", ["%s[x]" % ("X" * 100)], ["%s[x]" % ("X" * 101)]),
    # Dates
    ("SGF418", ["FF[4]DT[1996]", "FF[4]DT[1996-05]", "FF[4]DT[1996-05-06]", "FF[4]DT[05-06]"],
     [f"FF[4]DT[{date}]"
      for date in ("199", "19960", "1996-5", "1996-005", "1996-05-6", "1996-05-006", "5-06")]),
    ("SGF420", ["FF[4]DT[1996-12-31]", "FF[4]DT[0001]", "FF[4]DT[1996-02-29]"],
     [f"FF[4]DT[{date}]"
      for date in ("1996-13", "1996-00", "1996-12-32", "1996-12-00", "0000", "1997-02-29")]),
    ("SGF421", ["FF[4]DT[1996-05-06,07]", "FF[4]DT[1996,1997]"], ["FF[4]DT[1996-05-06,05-07]"]),
    # File formats: what FF[4] made mandatory, and what it allowed
    ("SGF416", ["FF[3]TM[x]"], ["FF[4]TM[x]"]),
    ("SGF418", ["FF[3]DT[x]"], ["FF[4]DT[x]"]),
    ("SGF419", ["FF[3]DT[1996-05-06,]"], ["FF[4]DT[1996-05-06,]"]),
    ("SGF420", ["FF[3]DT[1996-13]"], ["FF[4]DT[1996-13]"]),
    ("SGF421", ["FF[3]DT[1996-05,1996-06]"], ["FF[4]DT[1996-05,1996-06]"]),
    ("SGF423", ["FF[3]RE[x]"], ["FF[4]RE[x]"]),
    ("SGF424", ["FF[3]RE[B+0]"], ["FF[4]RE[B+0]"]),
    ("SGF425", ["FF[3]RU[japanese]"], ["FF[4]RU[japanese]"]),
    ("SGF438", ["FF[4]RE[x]"], ["FF[3]RE[x]"]),
    ("SGF433", ["FF[4]SZ[9:8]"], ["FF[3]SZ[9:8]"]),
    ("SGF434", ["FF[4];B[]", "FF[3];B[tt]", "FF[3];B[aa]"], ["FF[3];B[]"]),
    ("SGF435", ["FF[4]VW[aa]", "FF[3]VW[aa][bb]", "FF[3]VW[]"],
     ["FF[3]VW[aa]", "FF[3]VW[aa][bb][cc]"]),
    ("SGF437", ["FF[4]AB[aa:bb]"], ["FF[3]AB[aa:bb]"]),
    # Nodes
    ("SGF901", [
        f"FF[4];{nodes}" for nodes in (
            "AB[aa];AW[bb][cc]", "AB[aa][cc];AW[bb]", "AB[aa]AE[cc];AW[bb]", "AE[aa];AW[bb]",
            "AB[aa];AB[bb]", "AB[aa:ab];AW[bb]", "AB[aa];AW[zz]", "AB[aa];C[x];AW[bb]",
        )],
     [";AB[aa];AW[bb]", ";AB[aa];AW[bb];AB[cc]"]),
    ("SGF902", [";B[aa];W[]C[x]", ";B[aa];W[];B[bb]", ";B[aa](;W[bb])(;W[])"], ["FF[4];B[aa];W[]"]),
    ("SGF904", [";C[Black: x]", "C[Black x]", "C[Black: x]PB[a]", "C[Red: x]"],
     [*("C[Black: x]", "C[Black: x][y]", "C[Black: x White: y]PB[a]"), "C[x]C[Result: W+R]"]),
    ("SGF907", ["FF[4]TB[aa]"], ["FF[4]TB[]"]),
]  # fmt: skip


@pytest.mark.parametrize("engine", ["tables", "lark"])
@for_each(BOUNDS)
def test_rule_reports_what_is_beyond_its_bounds(
    code: str, clean: list[str], reported: list[str], engine: Literal["tables", "lark"]
) -> None:
    for nodes in (*clean, *reported):
        found = validate(f"(;{nodes})".encode(), engine=engine).diagnostics
        assert (code in {each.code for each in found}) == (nodes in reported), nodes


#: Files with empty nodes, and how many fixes they need.
EMPTY_NODES = {
    b"(;B[aa];)": 1,
    b"(;B[aa];;;)": 1,
    b"(;B[aa](;;)(;B[bb]))": 0,
    b"(;B[aa](;B[bb])(;;))": 0,
    b"(;B[aa](;B[bb];;)(;B[cc];;))": 2,
}


@for_each(EMPTY_NODES.items())
def test_empty_nodes_next_to_each_other_are_deleted_at_once(data: bytes, count: int) -> None:
    result = fix(data, unsafe=True)
    assert [change.code for change in result.applied].count("SGF903") == count


#: A file without FF; the code in FF[4], and the one before.
IN_EACH_FORMAT = [
    ("(;FF[{}]GM[1]TM[30 min])", "SGF416", "SGF438"),
    ("(;FF[{}]GM[1]TM[1:30])", "SGF416", "SGF438"),
    ("(;FF[{}]GM[1]TM[-1x])", "SGF416", "SGF438"),
    ("(;FF[{}]GM[1];B[aa]BL[9 min])", "SGF416", "SGF438"),
    ("(;FF[{}]GM[1]RU[japanese])", "SGF425", "SGF438"),
    ("(;FF[{}]GM[1]DT[5 May 1996])", "SGF418", "SGF438"),
    ("(;FF[{}]GM[1];B[aa]AW[bb])", "SGF503", "SGF520"),
    ("(;FF[{}]GM[1]PB[x];B[aa]RE[B+R])", "SGF601", "SGF606"),
]


@for_each(IN_EACH_FORMAT)
def test_only_ff4_forbids_it(text: str, code: str, older: str) -> None:
    new = validate(text.format(4).encode())
    assert {found.severity for found in new.diagnostics if found.code == code} == {Severity.ERROR}
    for profile in ("strict", "interchange", "archive"):
        old = validate(text.format(3).encode(), profile=profile).diagnostics
        assert {found.severity for found in old} <= {Severity.STYLE}
        assert older in {found.code for found in old} or profile != "strict"
        assert code not in {found.code for found in old}


def test_a_time_without_a_unit_keeps_its_unit() -> None:
    assert fix(b"(;FF[3]GM[1]TM[30 min])").data == b"(;FF[3]GM[1]TM[30 min])"
