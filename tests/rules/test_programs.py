"""Habits of programs: what is reported, what unsafe fixes write, and what `info` reads."""

from __future__ import annotations

from typing import Any

import pytest

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fixing import fix
from sgf_lark.model.values.formats import PartialDate
from sgf_lark.syntax import Engine
from tests.kit.tables import for_each

H = "(;FF[4]GM[1]CA[UTF-8]SZ[19]"

#: Roots after H, and what unsafe fixes write in the place of what is in them.
ROOTS = [
    # Fox: hundredths, and stones by Chinese rules.
    *(
        (f"AP[foxwq:1]RU[{rules}]KM[{written}]", f"AP[foxwq:1]RU[{rules}]KM[{komi}]")
        for rules, written, komi in [
            ("Chinese", 275, "5.5"), ("Chinese", 325, "6.5"), ("Chinese", 350, "7"),
            ("Chinese", 375, "7.5"), ("Chinese", 550, "5.5"), ("Chinese", 650, "6.5"),
            ("Chinese", 700, "7"), ("Chinese", 750, "7.5"), ("Japanese", 650, "6.5"),
            ("Japanese", 50, "0.5"), ("Chinese", 50, "0.5"), ("Japanese", 350, "3.5"),
            ("Korean", 650, "6.5"), ("Chinese", -750, "-7.5"), ("Chinese", 1500, "15"),
        ]
    ),
    ("AP[foxwq_3:1]KM[375]", "AP[foxwq_3:1]KM[7.5]"),
    ("AP[SGFC:2.0]KM[325]", "AP[SGFC:2.0]KM[6.5]"),
    # Its look, without AP.
    ("KM[375]RU[Chinese]", "KM[7.5]RU[Chinese]"),
    ("KM[350]RU[Chinese]", "KM[7]RU[Chinese]"),
    ("KM[650]TM[60]TC[3]TT[30]", "KM[6.5]TM[60]OT[3x30 byo-yomi]"),
    # What stays.
    *(
        (text, text)
        for text in [
            "AP[foxwq:1]KM[0]HA[3]AB[dd][pp][pd]", "AP[foxwq:1]KM[7.5]", "AP[foxwq:1]KM[6]",
            "KM[50]", "AP[SGFC:2.0]KM[50]", "AP[SGFC:1.0]KM[6.5]", "AP[CGoban:3]KM[15]",
        ]
    ),
    # Headers of Cyberoro, Sina and the Nihon Ki-in.
    ("TE[第1期名人战]RD[2016-03-03]", "EV[第1期名人战]DT[2016-03-03]"),
    ("KO[6.5]PB[a]", "KM[6.5]PB[a]"),
    ("RD[2019-11-25 ]HD[2]AB[dd][pp]", "DT[2019-11-25]HA[2]AB[dd][pp]"),
    ("RD[2016-03-10]LT[60]LC[5]", "DT[2016-03-10]OT[5x60 byo-yomi]"),
    ("RD[2016-03-10]TM[180]LT[60]LC[5]", "DT[2016-03-10]TM[10800]OT[5x60 byo-yomi]"),
    ("RD[2016-03-10]TM[3小时]KO[7.5]", "DT[2016-03-10]TM[10800]KM[7.5]"),
    ("TE[제21회 농심배]TM[1시간]LT[60]LC[1]", "EV[제21회 농심배]TM[3600]OT[1x60 byo-yomi]"),
    ("RD[2016-03-10]TM[180]LT[60]LC[5]OT[x]", "DT[2016-03-10]TM[180]LT[60]LC[5]OT[x]"),
    ("RD[2016-03-10]DT[2016-03-11]", "RD[2016-03-10]DT[2016-03-11]"),
    # Other programs.
    ("PC[OGS: https://online-go.com/game/1]XX[aa][bb]", "PC[OGS: https://online-go.com/game/1]MA[aa][bb]"),
    ("AP[OGS:1];B[dd]XX[cc];W[ee]", "AP[OGS:1];B[dd]MA[cc];W[ee]"),
    ("XX[aa]", "XX[aa]"),
    ("AP[SmartGo:1]DI[3d]CO[5]DP[12]", "AP[SmartGo:1]DI[3d]CO[5]DP[12]"),
    ("AP[SmartGo Kifu:4.7]DI[10k]GE[life]", "AP[SmartGo Kifu:4.7]DI[10k]GE[life]"),
    # Handicap stones as moves.
    ("AP[foxwq:1];B[dd];B[pp];W[dp]", "AP[foxwq:1]AB[dd][pp]HA[2];W[dp]"),
    ("HA[3];B[dd];B[pp];B[pd];W[dp];B[dq]", "HA[3]AB[dd][pp][pd];W[dp];B[dq]"),
    ("HA[3];B[dd];B[pp];W[dp]", "HA[3];B[dd];B[pp];W[dp]"),
    ("HA[2];B[dd];B[dd];W[dp]", "HA[2];B[dd];B[dd];W[dp]"),
    ("HA[2];B[dd]C[x];B[pp];W[dp]", "HA[2];B[dd]C[x];B[pp];W[dp]"),
    ("AP[foxwq:1];B[dd];W[pp];B[dp]", "AP[foxwq:1];B[dd];W[pp];B[dp]"),
    (";B[dd];B[pp];W[dp]", ";B[dd];B[pp];W[dp]"),
]  # fmt: skip


@for_each(ROOTS)
def test_unsafe_fixes_write_what_the_program_means(root: str, becomes: str) -> None:
    data = f"{H}{root})".encode()
    assert fix(data, unsafe=True).data.decode() == f"{H}{becomes})"
    # Twice changes nothing more, and a safe fix writes no other komi.
    assert fix(fix(data, unsafe=True).data, unsafe=True).data.decode() == f"{H}{becomes})"
    safe = fix(data).data.decode()
    assert "KM[375]" not in root or "KM[375]" in safe


@pytest.mark.parametrize("engine", ["tables", "lark"])
@for_each(ROOTS)
def test_only_what_means_something_else_is_reported(
    root: str, becomes: str, engine: Engine
) -> None:
    report = sgf_lark.validate(f"{H}{root})".encode(), engine=engine)
    codes = {each.code for each in report.diagnostics}
    if root == becomes:
        assert not {"SGF442", "SGF803"} & codes
    assert not {"SGF302", "SGF430", "SGF504", "SGF505"} & codes
    assert "SGF441" not in codes or "KM[50]" in root


def test_a_header_without_semicolon_is_read() -> None:
    data = "(\r\nTE[a]\r\nRD[2016-03-03]\r\nKO[6.5]\r\nHD[0]\r\nGK[1]\r\nTC[]\r\n;B[pd];W[dd])"
    fixed = fix(data.encode(), unsafe=True).data
    assert b"EV[a]" in fixed and b"DT[2016-03-03]" in fixed and b"KM[6.5]" in fixed
    assert b";B[pd];W[dd])" in fixed and b"FF[4]" in fixed and b"HD" not in fixed


def test_information_is_what_the_program_means() -> None:
    for written, komi in (("375", 7.5), ("750", 7.5), ("650", 6.5), ("350", 7), ("0", 0)):
        [game] = sgf_lark.loads(f"(;GM[1]AP[foxwq]KM[{written}]RU[Chinese])".encode())
        assert game.info.komi == komi
    [game] = sgf_lark.loads(b"(;GM[1]TE[Cup]RD[2016-03-03]KO[6.5]HD[2])")
    info: Any = game.info
    assert (info.event, info.komi, info.handicap) == ("Cup", 6.5, 2)
    assert info.dates == (PartialDate(2016, 3, 3),)
    info.komi = 5.5
    assert game.info.komi == 5.5


def test_marks_of_moves_are_no_header() -> None:
    data = f"{H};B[aa]TE[1]KO[];W[bb]BM[2])".encode()
    assert not sgf_lark.validate(data).diagnostics


def test_each_program_is_explained_by_each_of_its_names() -> None:
    from sgf_lark.teaching.facts import explanations

    for program in grammar.programs():
        for name in (program.name, *program.also, program.title):
            [english] = explanations(name, "en")
            [chinese] = explanations(name, "zh")
            assert english.name == chinese.name == program.name
            assert english.texts == (program.text,) and chinese.texts == (program.text_zh,)


def test_fixes_leave_properties_of_programs_as_they_are() -> None:
    for root in ("KGSDE[1][2]", "AP[Lizzie:1];B[aa]LZ[a: b][c]", "AP[SmartGo:1]DI[3d][4d]"):
        data = f"{H}{root})".encode()
        assert fix(data).data == fix(data, unsafe=True).data == data
