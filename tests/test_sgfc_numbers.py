"""The numbers of SGFC that diagnostics carry: what SGFC 2.0 prints for these files.

The numbers of warnings and errors that belong to other diagnostics of a file are left out.
"""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark import grammar
from tests.tables import for_each

#: The code of a rule, a file that breaks it, and the number of SGFC.
NUMBERS: list[tuple[str, str, int | None]] = [
    # Damage
    ("SGF101", "hello (;FF[4]GM[1])", None),
    ("SGF101", "hello[aa] (;FF[4]GM[1])", 6),
    ("SGF103", "(FF[4]GM[1]SZ[19];B[aa])", 36),
    ("SGF103", "(;FF[4]GM[1])(FF[4]GM[1])", 36),
    ("SGF103", "(;FF[4]GM[1];B[aa](W[bb]))", 67),
    ("SGF104", "()", 7),
    ("SGF104", "(;FF[4]GM[1];B[aa]())", 12),
    ("SGF114", "(;FF[4]GM[1];Black[aa])", 16),
    ("SGF114", "(;FF[4]GM[1]comment[x])", 8),
    ("SGF121", "(;FF[4]\0GM[1])", 8),
    ("SGF121", "(;FF[4]GM[1]C[a\0b])", 22),
    # Numbers
    ("SGF303", "(;FF[4]GM[1];B[aa]MN[1.5])", 15),
    ("SGF303", "(;FF[4]GM[1];B[aa]MN[--7])", 14),
    ("SGF303", "(;FF[4]GM[1];B[aa]MN[x])", 14),
    ("SGF304", "(;FF[4]GM[1]V[1e3])", 15),
    ("SGF304", "(;FF[4]GM[1]V[abc])", 14),
    ("SGF304", "(;FF[4]GM[1]V[B+3])", None),
    ("SGF413", "(;FF[4]GM[1]HA[0])", None),
    ("SGF413", "(;FF[4]GM[1]HA[1])", None),
    ("SGF303", "(;FF[4]GM[1]HA[two])", 14),
    ("SGF415", "(;FF[4]GM[1]KM[6,5])", 15),
    ("SGF415", "(;FF[4]GM[1]KM[half])", 15),
    ("SGF202", "(;FF[4]GM[1]KM[\xbd])", 33),
    ("SGF202", "(;FF[4]GM[1];B[\xe9a])", 14),
    ("SGF416", "(;FF[4]GM[1]TM[1h])", 15),
    ("SGF416", "(;FF[4]GM[1]TM[9:00])", 33),
    ("SGF416", "(;FF[4]GM[1]TM[3600+5x30])", 33),
    ("SGF416", "(;FF[4]GM[1];B[aa]BL[1:30])", 15),
    ("SGF416", "(;FF[4]GM[1];B[aa]WL[none])", 14),
    # Dates and results
    ("SGF418", "(;FF[4]GM[1]DT[5 May 1996])", 15),
    ("SGF418", "(;FF[4]GM[1]DT[1996/05/06])", 33),
    ("SGF418", "(;FF[4]GM[1]DT[96-05-06])", 33),
    ("SGF419", "(;FF[4]GM[1]DT[1996,05])", 15),
    ("SGF419", "(;FF[4]GM[1]DT[1996,05-06])", 33),
    ("SGF419", "(;FF[4]GM[1]DT[1996-05-06, 07])", 15),
    ("SGF419", "(;FF[4]GM[1]DT[1996-05-06,,07])", 15),
    ("SGF419", "(;FF[4]GM[1]DT[05-06])", 33),
    ("SGF420", "(;FF[4]GM[1]DT[1996-00-01])", 33),
    ("SGF420", "(;FF[4]GM[1]DT[1996-13])", None),
    ("SGF423", "(;FF[4]GM[1]RE[B])", 33),
    ("SGF423", "(;FF[4]GM[1]RE[Black resigns])", 15),
    ("SGF423", "(;FF[4]GM[1]RE[W + 3.5])", 15),
    ("SGF423", "(;FF[4]GM[1]RE[jigo])", 15),
    ("SGF423", "(;FF[4]GM[6]RE[B+R6])", 15),
    ("SGF438", "(;FF[3]GM[1]DT[5 May 1996])", 15),
    ("SGF438", "(;FF[3]GM[1]RU[japanese])", None),
    # Other values
    ("SGF306", "(;FF[4]GM[1]PL[b])", 15),
    ("SGF306", "(;FF[4]GM[1]PL[1])", 14),
    ("SGF306", "(;FF[4]GM[1]PL[])", 17),
    ("SGF402", "(;FF[5]GM[1])", 46),
    ("SGF402", "(;FF[four]GM[1])", 18),
    ("SGF410", "(;FF[4]GM[1]PM[])", 17),
    ("SGF410", "(;FF[4]GM[1]PM[3])", None),
    ("SGF203", "(;FF[4]GM[1]CA[UTF 8!])", 15),
    ("SGF310", "(;FF[4]GM[1]AR[a a:bb])", 25),
    ("SGF308", "(;FF[4]GM[1]DD[][aa])", 17),
    ("SGF308", "(;FF[4]GM[1]VW[][aa])", 52),
    ("SGF317", "(;FF[4]GM[1]DD[aa:cc][cc:dd])", 38),
    ("SGF317", "(;FF[4]GM[1]VW[aa:cc][bb])", None),
    ("SGF321", "(;FF[4]GM[1]AP[prog])", 23),
    ("SGF430", "(;FF[4]GM[1]BS[1])", 40),
    ("SGF430", "(;FF[4]GM[1]CI[2])", 35),
    ("SGF518", "(;FF[4]GM[1]B[aa])", 24),
    ("SGF518", "(;FF[4]GM[1]BL[300])", None),
    # Before FF[4]
    ("SGF520", "(;FF[3]GM[1];B[aa]PL[W])", 30),
    ("SGF606", "(;FF[3]GM[1]PB[x];B[aa]RE[B+R])", 44),
    # Games other than Go, of which SGFC checks next to nothing
    ("SGF319", "(;FF[4]GM[11];B[swap])", None),
    ("SGF401", "(;FF[4]GM[11]AB[l1])", None),
    ("SGF406", "(;FF[4]GM[11]SZ[11:11])", None),
    ("SGF307", "(;FF[4]GM[11];B[])", None),
    ("SGF307", "(;FF[4]GM[9]SE[])", 17),
    ("SGF303", "(;FF[4]GM[19]NP[many])", None),
    ("SGF309", "(;FF[4]GM[6]MI[length7])", None),
    ("SGF309", "(;FF[4]GM[1]AR[:bb])", 17),
    ("SGF312", "(;FF[4]GM[1]AB[a.b])", 15),
    ("SGF312", "(;FF[4]GM[1]AB[a.])", 14),
    ("SGF319", "(;FF[4]GM[1];B[a.b])", 15),
    ("SGF319", "(;FF[4]GM[1];B[a.])", 14),
    ("SGF309", "(;FF[4]GM[1]LN[aa:])", 14),
    ("SGF317", "(;FF[4]GM[19]BO[33][33])", None),
    ("SGF503", "(;FF[4]GM[18];B[djddgd]AA[aa])", None),
    ("SGF517", "(;FF[4]GM[11];IS[tried:on])", None),
    ("SGF803", "(;FF[4]GM[1]CO[b])", 35),
    ("SGF803", "(;FF[4]GM[11]TB[a1])", None),
]


@for_each(NUMBERS)
def test_number_is_that_of_sgfc(code: str, text: str, number: int | None) -> None:
    data = text.encode("latin-1")
    for engine in ("tables", "lark"):
        report = sgf_lark.validate(data, engine=engine)
        assert [found.sgfc for found in report.diagnostics if found.code == code] == [number]


def test_damage_of_the_model_and_syntax_errors_have_the_same_numbers() -> None:
    data = b"(FF[4]GM[1])"
    (damage,) = sgf_lark.loads(data, tolerant=True).damage
    with pytest.raises(sgf_lark.SGFSyntaxError) as error:
        sgf_lark.loads(data)
    assert damage.sgfc == error.value.diagnostic.sgfc == 36


def test_no_number_is_zero() -> None:
    for rule in grammar.rules().values():
        for example in rule.bad:
            report = sgf_lark.validate(example.data, charset_mode=example.charset_mode)
            assert all(found.sgfc is None or found.sgfc > 0 for found in report.diagnostics)
