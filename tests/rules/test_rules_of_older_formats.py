"""What FF[4] made mandatory is at most a hint before FF[4]; rules count repeated properties."""

from __future__ import annotations

import sgf_lark
from sgf_lark.diagnostics import Severity
from tests.kit.tables import for_each

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
    new = sgf_lark.validate(text.format(4).encode())
    assert {found.severity for found in new.diagnostics if found.code == code} == {Severity.ERROR}
    for profile in ("strict", "interchange", "archive"):
        old = sgf_lark.validate(text.format(3).encode(), profile=profile).diagnostics
        assert {found.severity for found in old} <= {Severity.STYLE}
        assert older in {found.code for found in old} or profile != "strict"
        assert code not in {found.code for found in old}


def test_a_time_without_a_unit_keeps_its_unit() -> None:
    assert sgf_lark.fix(b"(;FF[3]GM[1]TM[30 min])").data == b"(;FF[3]GM[1]TM[30 min])"


#: A node with a repeated property, and whether the rule reports it.
REPEATED = [
    ("SGF414", "(;FF[4]GM[1]HA[2]AB[dp]AB[pd])", False),
    ("SGF414", "(;FF[4]GM[1]HA[2]AB[dp][pd]AB[pd])", False),
    ("SGF414", "(;FF[4]GM[1]HA[2]AB[dp][pd]AB[dd])", True),
    ("SGF840", "(;FF[4]GM[18]AA[bb]AA[aa]AB[aa])", True),
    ("SGF851", "(;FF[4]GM[19]BO[33]WO[35]WO[33])", True),
    ("SGF605", "(;FF[4]GM[1];B[aa];W[bb](;B[cc])(;AE[bb]AE[aa];W[dd];B[ee]))", False),
    ("SGF904", "(;FF[4]GM[1]C[x]C[Result: W+R])", True),
]


@for_each(REPEATED)
def test_repeated_properties_count(code: str, text: str, is_reported: bool) -> None:
    for engine in ("tables", "lark"):
        report = sgf_lark.validate(text.encode(), engine=engine)
        assert (code in {found.code for found in report.diagnostics}) is is_reported
