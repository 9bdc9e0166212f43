"""SGF217: a text that swallowed the property after it, because its "]" is lost."""

from __future__ import annotations

from sgf_lark import fix, validate
from tests.kit.tables import for_each

HEAD = "(;FF[4]GM[1]CA[UTF-8]SZ[19]"

#: What follows the head, and the same after unsafe fixes.
SWALLOWED = {
    # The header: on the next line, after a blank, and without either.
    "PB[Lee]WR[5d\nKM[7.5]OT[x];B[aa])": "PB[Lee]WR[5d]\nKM[7.5]OT[x];B[aa])",
    "WR[9段\nKM[6.5];B[aa])": "WR[9d]GC[WR: 9段]\nKM[6.5];B[aa])",
    "PB[LeePW[Cho];B[aa])": "PB[Lee]PW[Cho];B[aa])",
    "EV[Meijin PB[Cho]PW[x];B[pd])": "EV[Meijin] PB[Cho]PW[x];B[pd])",
    "PB[Lee 9p]PW[Cho\n\tHA[2]AB[dd][pp];W[aa])": "PB[Lee 9p]PW[Cho]\n\tHA[2]AB[dd][pp];W[aa])",
    "PB[李昌镐PW[曹薰铉];B[pd])": "PB[李昌镐]PW[曹薰铉];B[pd])",
    "GN[a\nPB[b\nPW[c]RE[W+R];B[pd])": "GN[a]\nPB[b]\nPW[c]RE[W+R];B[pd])",
    "C[A fine game.\nRU[Japanese]KM[6.5];B[pd])": "C[A fine game.]\nRU[Japanese]KM[6.5];B[pd])",
    "GN[2nd gameAB[dd][pp];W[aa])": "GN[2nd game]AB[dd][pp];W[aa])",
    # Other properties of a node, and its move.
    ";B[pd]N[nameC[hello];W[dd])": ";B[pd]N[name]C[hello];W[dd])",
    ";B[pd]C[goodTR[pd];W[dd])": ";B[pd]C[good]TR[pd];W[dd])",
    ";B[pd]C[goodLB[pd:1][dd:2];W[dd])": ";B[pd]C[good]LB[pd:1][dd:2];W[dd])",
    ";B[pd];C[goodW[dd];B[pp])": ";B[pd];C[good]W[dd];B[pp])",
    # The next node, of which the move is in turn.
    ";B[pd]C[good;W[dd];B[cc])": ";B[pd]C[good];W[dd];B[cc])",
    ";B[pd]N[x\n;W[];B[cc])": ";B[pd]N[x]\n;W[];B[cc])",
    "C[Game 1;B[pd];W[dd];B[cc])": "C[Game 1];B[pd];W[dd];B[cc])",
    "GN[Final\n;B[pd];W[dd];B[cc])": "GN[Final]\n;B[pd];W[dd];B[cc])",
    ";B[pd];W[dd]C[see 3-4.\n;B[dp]BL[30];W[pp])": ";B[pd];W[dd]C[see 3-4.]\n;B[dp]BL[30];W[pp])",
}


@for_each(SWALLOWED.items())
def test_text_ends_before_the_property_in_it(damaged: str, right: str) -> None:
    result = fix((HEAD + damaged).encode(), unsafe=True)
    assert result.data.decode() == HEAD + right
    assert "SGF217" in {each.code for each in result.applied}


@for_each([*SWALLOWED])
def test_it_is_a_note_and_nothing_is_changed_safely(damaged: str) -> None:
    data = (HEAD + damaged).encode()
    found = [each for each in validate(data).diagnostics if each.code == "SGF217"]
    assert [each.severity.value for each in found] == ["style"]
    assert "SGF217" not in {each.code for each in fix(data).applied}


#: Texts that nobody swallowed anything in.
HONEST = [
    # Brackets that are escaped, or that belong to nothing.
    ";B[pd]C[try W[dd\\] here];W[dd])",
    ";B[pd]C[see PW[Cho\\]];W[dd])",
    ";B[pd]C[the [ key];W[dd])",
    ";B[pd]C[x:[ and B [dd];W[dd])",
    # Words that no property of this game is called, or that the node has.
    "PB[fooXY[dd];B[pd])",
    "PB[MrFOX[3d];B[pd])",
    "PW[Cho]PB[LeePW[Cho];B[pd])",
    # Values that the property cannot have.
    "PB[Lee\nKM[much];B[pd])",
    ";B[pd]C[see;W[there];W[dd])",
    # After a blank in a comment.
    ";B[pd]C[try W[dd];W[pp])",
    ";B[pd]C[komi is KM[6.5];W[pp])",
    # Moves out of turn: the next one follows without it.
    ";B[pd]C[if;B[dd];W[pp])",
    ";B[pd]C[if;W[dd];W[pp])",
    ";B[pd]C[ifW[dd];W[pp])",
]


@for_each(HONEST)
def test_honest_texts_stay(text: str) -> None:
    data = (HEAD + text).encode()
    assert not [each for each in validate(data).diagnostics if each.code == "SGF217"]


@for_each(
    [b"(;aC[b])", b"(;MultiGogmGM[1];ipB[dd])", b"aB[dd](;FF[4]GM[1])", b"(;xW[aa]ipB[dd] zW[bb])"]
)
def test_letters_outside_values_are_no_texts(data: bytes) -> None:
    assert "SGF217" not in {each.code for each in validate(data).diagnostics}
