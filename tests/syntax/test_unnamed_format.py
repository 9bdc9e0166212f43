"""What a game tree without FF is in, and that nothing of it is lost when FF is written."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.syntax import Engine
from tests.kit.tables import for_each

#: Trees without FF, by the file format that their properties and values are in.
TREES = {
    4: (
        b"(;)",
        b"(;GM[1];B[aa];W[tt])",
        b"(;GM[1]SZ[21];B[uu];W[aa];B[ts])",
        b"(;GM[1]SZ[13:9];B[ma])",
        b"(;SZ[37];B[KK];W[Aa])",
        b"(;GM[1]SZ[19]TM[3\xec\x8b\x9c\xea\xb0\x84];B[pd])",
        b"(;GM[1]CA[UTF-8]AP[CGoban:3]ST[2];B[])",
        b"(;AB[aa:cc]C[L[1\\] M[2\\]])",
        b"(;GM[6]DI[11])",
        b"(;GM[1]KI[11])",
        # What only FF[4] has outweighs as much of an older format.
        b"(;AB[aa:cc]L[dd])",
        b"(;GM[1]ST[2]LN[aa:bb];B[cc]M[dd])",
        b"(;GM[1]VW[aa:ss])",
        b"(;GM[1]VW[aa][bb][cc])",
        b"(;GM[9]SE[x])",
        b"(;ABC[x]LL[aa])",
    ),
    1: (
        b"(;GM[1]L[aa][bb])",
        b"(;GM[1]SZ[19];B[aa]M[bb])",
        b"(;L\n[aa])",
        b"(;GM[1]VW[aa][ss])",
        b"(;GaMe[1]SiZe[9];Black[aa];White[tt])",
        b"(;GM[1]EL[3];B[aa]EX[bb])",
        b"(;GM[1]CH[1]BS[1]WS[2])",
        # More of it than of FF[4].
        b"(;GM[1]CA[UTF-8]L[aa];B[bb]M[cc])",
    ),
    3: (
        b"(;GM[1]TC[3])",
        b"(;GM[1]ID[7];B[aa]KO[])",
        b"(;GM[1]SI[2]OM[25]OP[600];B[aa])",
        b"(;GM[1]SE[aa]LB[bb:1])",
    ),
}


@pytest.mark.parametrize("engine", ["tables", "lark"])
@for_each([(data, number) for number in TREES for data in TREES[number]])
def test_the_file_format_is_what_properties_and_values_say(
    data: bytes, file_format: int, engine: Engine
) -> None:
    [tree] = sgf_lark.loads(data, tolerant=True)
    assert tree.file_format == file_format
    report = sgf_lark.validate(data, engine=engine)
    assert report.trees[0].ff == file_format
    [found] = [each for each in report.diagnostics if each.code == "SGF439"]
    assert f"FF[{file_format}]" in found.message
    # It is the only finding that the tree has and the same tree with FF has not.
    named = data.replace(b"(;", b"(;FF[%d]" % file_format, 1)
    others = [each.code for each in report.diagnostics if each is not found]
    assert others == [each.code for each in sgf_lark.validate(named, engine=engine).diagnostics]


@for_each([data for number in TREES for data in TREES[number]])
def test_unsafe_fixes_are_those_of_the_tree_with_its_file_format(data: bytes) -> None:
    [tree] = sgf_lark.loads(data, tolerant=True)
    named = data.replace(b"(;", b"(;FF[%d]" % tree.file_format, 1)
    fixed = sgf_lark.fix(data, unsafe=True)
    assert fixed.data == sgf_lark.fix(named, unsafe=True).data
    assert b"FF[" not in sgf_lark.fix(data).data


def test_a_tree_keeps_its_file_format_when_ff_is_deleted() -> None:
    for number in (3, 4):
        [tree] = sgf_lark.loads(b"(;FF[%d]GM[1];B[])" % number)
        del tree.root["FF"]
        assert tree.file_format == number


def test_override_holds() -> None:
    report = sgf_lark.validate(b"(;GM[1]SZ[21])", file_format=1)
    assert {"SGF433"} == {each.code for each in report.diagnostics}


def test_each_tree_is_judged_by_itself() -> None:
    old, new = sgf_lark.loads(b"(;L[aa])(;SZ[21];B[uu])")
    assert (old.file_format, new.file_format) == (1, 4)
