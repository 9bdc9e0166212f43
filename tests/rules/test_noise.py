"""One finding for what has one cause."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.syntax import Engine
from tests.kit.tables import for_each

#: Files, and the codes of all findings.
FINDINGS = {
    b"(;FF[4]GM[1]ABC[x];B[aa]ABC[y];W[bb]ABC[z]ABCD[z])": ["SGF115", "SGF115"],
    b"(;FF[4]ABC[x])(;FF[4]ABC[x])": ["SGF115"],
    b"(;FF[4]GM[1];B[aa]KGSDE[bb];W[cc]KGSDE[bb])": [],
    b"(;FF[4]GM[1]KGSSB[1]KGSSW[2]MULTIGOGM[1])": [],
    b"(;FF[4]GM[1]AP[x:1]LZOP[a])": [],
    b"(;FF[4]GM[1]AB[aa]AB[bb]AB[cc]AB[dd])": ["SGF501"],
    b"(;FF[4]GM[1]AB[aa]AW[cc]AB[bb]AW[dd]AB[ee])": ["SGF501", "SGF501"],
    b"(;FF[4]GM[1]AB[aa]AB[bb];AE[aa]AE[bb])": ["SGF501", "SGF501"],
    b"(;FF[4]GM[11]SZ[11];B[a1];W[swap-sides];W[f6];B[f7])": [],
    b"(;FF[4]GM[11]SZ[11];B[a1];W[swap-sides];C[x];W[f6])": [],
    b"(;FF[4]GM[11]SZ[11];B[a1];W[swap-pieces];W[f6])": ["SGF603"],
    b"(;FF[4]GM[11]SZ[11];B[a1];W[swap-sides];W[f6];W[f7])": ["SGF603"],
    b"(;FF[4]GM[1];W[aa];W[bb])": ["SGF603"],
    rb"(;FF[4]GM[1]RU[Ja\panese])": [],
    rb"(;FF[4]GM[1]RU[\AGA])": [],
    rb"(;FF[4]GM[1]RU[ja\panese])": ["SGF425"],
}


@pytest.mark.parametrize("engine", ["tables", "lark"])
@for_each(FINDINGS)
def test_one_cause_is_reported_once(data: bytes, engine: Engine) -> None:
    ignored = ["SGF804", "SGF701", "SGF604", "SGF802"]
    report = sgf_lark.validate(data, ignore=ignored, engine=engine)
    assert [each.code for each in report.diagnostics] == FINDINGS[data]


def test_a_bounded_report_counts_an_identifier_once() -> None:
    data = b"(;FF[4]" + b";B[aa]ABC[x]" * 3000 + b")"
    assert sgf_lark.validate(data, select=["SGF115"]).counts["warning"] == 1
