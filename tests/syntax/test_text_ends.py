"""Brackets that are not escaped in values: each "]" of a value is found, and all moves stay."""

from __future__ import annotations

import re

from sgf_lark import fix, loads, validate
from sgf_lark.syntax.text_ends import brackets_in_values
from tests.kit.tables import for_each

BEFORE, AFTER = "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[pd]C[", "];W[dd];B[pp])"
#: Texts of which no "]" is escaped.
TEXTS = [
    "白[A]黑[B]好",
    "黑[1]、白[2] 之後",
    "흑[A]백[B]가 좋다",
    "foo[3d]: a\nbar[2k]: b\n",
    "BOB [3d]: hi\nTED [2k]: hello\n",
    "ANNA[5k]: ok\nBERT[4k]: no",
    "kim [7d?]: B[dd] was better\nlee [6d]: [yes]",
    "foo[3d]: hi :] there",
    "see P[A] and Q[B]",
    "P[A]",
    "x[A]，z[B]",
    "(see[A]) or B[x] ok",
    "A [1] [2]",
    "1. [A] 2. [B] 3. [C]",
    "[a][b][c]",
    "[[A] [B]]",
    "x [y]\n\n[z] (w)",
    "a)b[c]",
    "RE [2]",
    "after W[dd] B[cc] is good",
    "see B[dd], W[dd]; then B[cc].",
    "If W[qc], B[qd], W[pc], B[od] it is joseki.",
    "白[qc];黑[qd];白[pc]",
    "AB[dd] or TR[cc]?",
    "GN[x]PB[y] is it",
    "see (;W[dd];B[ee]) ok",
    "a] b",
    "nice :]",
    "a (see 3]\n) and so",
    "x [3d]\n)\nmore",
    "haha :])\nnice",
    "here: (;B[aa]\n)\n is it",
]


@for_each(TEXTS)
def test_text_ends_where_the_grammar_goes_on(text: str) -> None:
    data = f"{BEFORE}{text}{AFTER}"
    start = len(BEFORE.encode())
    brackets = [start + n for n, byte in enumerate(text.encode()) if byte == ord("]")]
    found = validate(data).diagnostics
    assert [(each.code, each.span.start) for each in found] == [("SGF118", n) for n in brackets]
    (tree,) = loads(data, tolerant=True)
    moves = [move.ident for node in tree.nodes() for move in node.moves()]
    assert moves == ["B", "W", "B"]
    assert (
        fix(data, unsafe=True).data == f"{BEFORE}{text.replace(']', chr(92) + ']')}{AFTER}".encode()
    )


#: Other brackets that are lost or too many -> what is read with unsafe fixes.
OTHERS = {
    "PB[Lee]\nPWCho]KM[6.5];B[pd])": "PB[Lee]\nPW[Cho]KM[6.5];B[pd])",
    "PB[Lee [9p\\]]\nPWCho]KM[6.5];B[pd])": "PB[Lee [9p\\]]\nPW[Cho]KM[6.5];B[pd])",
    "PB[a]\nPW > [b];B[pd])": "PB[a]\nPW[b];B[pd])",
    "PB[Lee [9p]]PW[Cho [9p]]KM[6.5];B[pd])": "PB[Lee [9p\\]]PW[Cho [9p\\]]KM[6.5];B[pd])",
    "HA[0RU[Japanese];B[pd])": "RU[Japanese];B[pd])",
    ";B[pd]C[good;W[dd]C[bad];B[cc])": ";B[pd]C[good];W[dd]C[bad];B[cc])",
    ";B[pd]C[text][(;W[dd])(;W[pp]))": ";B[pd]C[text](;W[dd])(;W[pp]))",
    ";B[pd]];W[dd]]];B[pp])": ";B[pd];W[dd];B[pp])",
    ";B[pd];W[kh[kh];B[lm])": ";B[pd];W[kh];B[lm])",
    ";B[pd];W[kh9;B[lm])": ";B[pd];W[kh]C[9];B[lm])",
    ";B[pd];W[[];B[dd])": ";B[pd];W[];B[dd])",
    ";B[pd]LB[dd:[1]];W[dd])": ";B[pd]LB[dd:[1\\]];W[dd])",
    # After a text a node begins without its identifier, or with one before its ";".
    ";B[pd]C[U]W;[pb]MA[mi];B[cc])": ";B[pd]C[U];W[pb]MA[mi];B[cc])",
    ";B[pd]C[good move]W;[pb];B[cc])": ";B[pd]C[good move];W[pb];B[cc])",
    ";B[pd]C[S];[rc];B[qq];W[dd])": ";B[pd]C[S];W[rc];B[qq];W[dd])",
    ";B[pd]N[x]; [rc]C[y];B[qq])": ";B[pd]N[x]; W[rc]C[y];B[qq])",
    ";B[pd]C[x];[see];B[qq])": ";B[pd]C[x];C[see];B[qq])",
    ";B[pd]C[x];[rc];W[qq])": ";B[pd]C[x];C[rc];W[qq])",
    ";B[pd]C[see [A];[B] ok];W[pb])": ";B[pd]C[see [A\\];[B\\] ok];W[pb])",
    # Names of variations.
    ";B[pd]\n(1) (;W[dd])\n(2) (;W[dp]))": ";B[pd]\n (;W[dd])\n (;W[dp]))",
    ";B[pd](a)(;W[dd];B[cc])(b)(;W[dp]))": ";B[pd](;W[dd];B[cc])(;W[dp]))",
    ";B[pd]C[x] (A) (;W[dd]) (B) (;W[dp]))": ";B[pd]C[x]  (;W[dd])  (;W[dp]))",
    ";B[pd] [Fig 1] (;W[dd]) [Fig 2] (;W[dp]))": (";B[pd] C[Fig 1] (;W[dd]) (;C[Fig 2] (;W[dp])))"),
    ";B[pd]C[see [a] (;W[dd]) or [b] (;W[dp]) ok];W[dd])": (
        ";B[pd]C[see [a\\] (;W[dd\\]) or [b\\] (;W[dp\\]) ok];W[dd])"
    ),
    # Numbers of moves, and letters that are no identifiers.
    ";1.B[pd];2.W[dd];3.B[pp])": ";B[pd];W[dd];B[pp])",
    "PB[Lee];#1 B[pd];#2 W[dd];#3 B[pp])": "PB[Lee];B[pd];W[dd];B[pp])",
    "C[a]" + "".join(f";{n}.{'BW'[n % 2]}[{chr(97 + n)}c]" for n in range(18)) + ")": (
        "C[a]" + "".join(f";{'BW'[n % 2]}[{chr(97 + n)}c]" for n in range(18)) + ")"
    ),
    ";1)B[pd];2)W[dd];3)B[pp])": ";B[pd];W[dd];B[pp])",
    "PB[Lee];Б[pd];Ч[dd])": "PB[Lee];C[Б\npd];C[Ч\ndd])",
    # A value is in parentheses.
    "KM(6.5);B[pd];W[dd])": "KM[6.5];B[pd];W[dd])",
    ";B[pd]C(x y z);W[dp];B[qq])": ";B[pd]C[x y z];W[dp];B[qq])",
    "MD[21];W(bi);B[pd])": "MD[21];W[bi];B[pd])",
    "C[good]KM(6.5);B[pd])": "C[good]KM[6.5];B[pd])",
    "PB[Lee]PW(Cho)KM[6.5];B[pd])": "PB[Lee]PW[Cho]KM[6.5];B[pd])",
}


@for_each(OTHERS.items())
def test_other_brackets(damaged: str, read: str) -> None:
    root = "(;FF[4]GM[1]CA[UTF-8]SZ[19]"
    assert fix(root + damaged, unsafe=True).data == (root + read).encode()


#: Values that are not closed, in files that follow the grammar, and what the root is read as.
IN_THE_GRAMMAR = {
    "HA[0RU[Japanese]": {"HA": b"0RU[Japanese"},
    "HA[2RE[B+R]KM[0]": {"HA": b"2RE[B+R", "KM": b"0"},
    "KM[6.5RU[Japanese]": {"KM": b"6.5RU[Japanese"},
    "TM[3600PB[Lee]": {"TM": b"3600PB[Lee"},
    "PB[LeePW[Cho]": {"PB": b"LeePW[Cho"},
    "DT[2001-02-03EV[Cup]": {"DT": b"2001-02-03EV[Cup"},
}


@for_each(IN_THE_GRAMMAR.items())
def test_what_follows_the_grammar_is_read_by_it(root: str, read: dict[str, bytes]) -> None:
    """A tolerant load reads what the grammar says; `validate` finds what is wrong in it."""
    data = f"(;FF[4]GM[1]{root};B[pd])"
    for tolerant in (False, True):
        (tree,) = loads(data, tolerant=tolerant)
        entries = {each.ident: each.raw for each in tree.root.properties[2:]}
        assert entries == {ident: [value] for ident, value in read.items()}
    start = data.index("[", len("(;FF[4]GM[1]"))
    wrong = [each.span for each in validate(data).diagnostics]
    assert any(start < each.start < data.index(";B") for each in wrong)


@for_each(["see (;W[dd];B[ee]) ok", "GN[x]PB[y] is it", "a] b", "x :] [y]"])
def test_a_text_that_may_end_earlier_is_not_fixed_safely(text: str) -> None:
    data = f"{BEFORE}{text}{AFTER}".encode()
    assert fix(data).data == data


def test_a_long_file_is_read_to_its_end() -> None:
    """Brackets that are too many to be read in all ways are read by what follows them."""
    game = b"(;FF[4]GM[1]" + b";B[aa]C[see [k3] and] N[x]" * 5_000 + b")"
    found = [match.end() - 1 for match in re.finditer(rb"k3\]", game)]
    assert brackets_in_values(game) == found


#: Games before junk with a bracket -> how many games there are, and the words of the first.
JUNK_AFTER_GAMES = [
    (b"(;F[])(;g])", 2, b"(;F[])"),
    (b"(;C[])\n(;g])", 2, b"(;C[])"),
    (b"(;PB[])(;g]B[aa])", 2, b"(;PB[])"),
    (b"(;FF[4]GM[1]SZ[9];B[])\n(b]", 1, b"(;FF[4]GM[1]SZ[9];B[])"),
    (b"(;FF[4]GM[1]SZ[9];B[cc])\n(old x]\n", 1, b"(;FF[4]GM[1]SZ[9];B[cc])"),
    (b"(;FF[4]GM[1];B[aa];W[])\n(b](;FF[4];B[aa])", 2, b"(;FF[4]GM[1];B[aa];W[])"),
]


@for_each(JUNK_AFTER_GAMES)
def test_no_value_swallows_the_end_of_its_game(data: bytes, games: int, first: bytes) -> None:
    found = loads(data, tolerant=True)
    assert len(found) == games
    assert [dict(node) for node in found[0].nodes()] == [
        dict(node) for node in loads(first)[0].nodes()
    ]
