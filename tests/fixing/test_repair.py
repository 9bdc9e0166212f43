"""Repairs: what unsafe fixes make of damaged places."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import fix
from tests.kit.tables import for_each

HEAD = b"(;FF[4]GM[1]"

#: Damaged files and what a person reads there, without `HEAD`.
PLACES = {
    # A "]" is lost, or another character is in its place.
    b";W[pi;B[cc];W[dd])": b";W[pi];B[cc];W[dd])",
    b";W[pi\n;B[cc];W[dd])": b";W[pi]\n;B[cc];W[dd])",
    b";W[pi;B[cc;W[dd])": b";W[pi];B[cc];W[dd])",
    b";W[piBL[20];B[dd])": b";W[pi]BL[20];B[dd])",
    # A letter is in its place.
    b";B[peUMA[mg];W[qe])": b";B[pe]MA[mg]C[U];W[qe])",
    b";W[qdSTR[aa][bb];B[dd])": b";W[qd]TR[aa][bb]C[S];B[dd])",
    b";B[dd];W[pdxBM[1]C[no];B[cc])": b";B[dd];W[pd]BM[1]C[x\nno];B[cc])",
    b";AB[aa][bb9AW[cc][dd];B[ee])": b";AB[aa][bb]AW[cc][dd]C[9];B[ee])",
    b"KM[5.5PW[White];B[dd])": b"KM[5.5]PW[White];B[dd])",
    b";AB[aa][bb[cc])": b";AB[aa][bb][cc])",
    b";W[pi(;B[cc])(;B[dd]))": b";W[pi](;B[cc])(;B[dd]))",
    b"(;W[pi)(;W[dd];B[cc]))": b"(;W[pi])(;W[dd];B[cc]))",
    b";W[pi};B[cc])": b";W[pi];B[cc])",
    b";AB[aa}[bb][cc])": b";AB[aa][bb][cc])",
    # With it the ";" of the next move is lost.
    b";W[piB[cc];W[dd])": b";W[pi];B[cc];W[dd])",
    b";W[pi}B[cc];W[dd])": b";W[pi];B[cc];W[dd])",
    b";W[pi ... B[cc];W[dd])": b";W[pi]; B[cc];W[dd])",
    b";B[aa];W[pi>W[cc];B[dd])": b";B[aa];W[pi];W[cc];B[dd])",
    b";W[pi 12 words B[cc];W[dd])": b";W[pi]C[12 words];B[cc];W[dd])",
    b";W[piB[];W[dd])": b";W[pi];B[];W[dd])",
    b";W[piAB[cc];W[dd])": b";AB[cc];W[pi];W[dd])",
    # A "[" is lost, or another character is in its place.
    b";W pi];B[cc])": b";W[pi];B[cc])",
    b";Wpi];B[cc])": b";W[pi];B[cc])",
    b";AB[aa]bb][cc])": b";AB[aa][bb][cc])",
    b";AB aa][bb][cc])": b";AB[aa][bb][cc])",
    b"KM5.5]PW[White];B[dd])": b"KM[5.5]PW[White];B[dd])",
    b"PBBlack];B[dd])": b"PB[Black];B[dd])",
    b"PW[GNU]WR13k];B[dd])": b"PW[GNU]WR[13k];B[dd])",
    b";B[aa]C[good];Wpi];B[cc])": b";B[aa]C[good];W[pi];B[cc])",
    b";W{pi];B[cc])": b";W[pi];B[cc])",
    b";AB[aa]{bb][cc])": b";AB[aa][bb][cc])",
    b"AP[a:1]RU{Japanese];B[cc])": b"AP[a:1]RU[Japanese];B[cc])",
    b"PL[2]AW bb][cc];B[dd])": b"PL[W]AW[bb][cc];B[dd])",
    # Characters that belong to nothing.
    b";W[(pi];B[cc])": b";W[pi];B[cc])",
    b";W[pi.];B[cc])": b";W[pi];B[cc])",
    b";W[p;i];B[cc])": b";W[pi];B[cc])",
    b";W[p\r\n> i];B[cc])": b";W[pi];B[cc])",
    b";W\r\n> [pi];B[cc])": b";W[pi];B[cc])",
    b";AB[aa]\r\n> [bb][cc])": b";AB[aa][bb][cc])",
    b"AP[a:1]\r\n> RU[Japanese];B[cc])": b"AP[a:1]RU[Japanese];B[cc])",
    b"KM[5\r\n> .5];B[cc])": b"KM[5.5];B[cc])",
    b";W ## lost ## [pi];B[cc])": b";W[pi]C[## lost ##];B[cc])",
    b";W[p lost! i];B[cc])": b";W[pi]C[lost!];B[cc])",
    b";W[p)(i];B[cc])": b";W[pi];B[cc])",
    b";W)([pi];B[cc])": b";W[pi];B[cc])",
    b";W;[pi];B[cc])": b";W[pi];B[cc])",
    b";W][pi];B[cc])": b";W[pi];B[cc])",
    b";W[[pi];B[cc])": b";W[pi];B[cc])",
    b";W[pi[];B[cc])": b";W[pi];B[cc])",
    b";W[pi[]];B[cc])": b";W[pi];B[cc])",
    b";W[p]i];B[cc])": b";W[pi];B[cc])",
    b";W[pi][;B[cc])": b";W[pi];B[cc])",
    # A bracket and a letter of a point are in the wrong order.
    b";W[p]i;B[cc])": b";W[pi];B[cc])",
    b";Wp[i];B[cc])": b";W[pi];B[cc])",
    b";AB[aa][b]b[cc])": b";AB[aa][bb][cc])",
    b";W[pi];[B[cc])": b";W[pi];B[cc])",
    b";W[pi]W[L[20];B[cc])": b";W[pi]WL[20];B[cc])",
    b";W[pi]W)(L[20];B[cc])": b";W[pi]WL[20];B[cc])",
    b";W[\0\0\0pi];B[cc])": b";W[pi];B[cc])",
    b";W[p\0\0\0i];B[cc])": b";W[pi];B[cc])",
    b"KM[5\0\0.5];B[cc])": b"KM[5.5];B[cc])",
    b";B[aa]G C[x])": b";B[aa]C[x])",
    b";W[pi]WL[;1682];B[cc])": b";W[pi]WL[1682];B[cc])",
    b";W[pi]WL[1599.;691];B[cc])": b";W[pi]WL[1599.691];B[cc])",
    b";W[pi]WL[1[]409];B[cc])": b";W[pi]WL[1409];B[cc])",
    b";W[pi]WL][1409];B[cc])": b";W[pi]WL[1409];B[cc])",
    b"KM[5.[]5];B[cc])": b"KM[5.5];B[cc])",
    b"RE[W+3((8.5];B[cc])": b"RE[W+38.5];B[cc])",
    b"KM[7.5]H)(A[2];B[cc])": b"KM[7.5]HA[2];B[cc])",
    b"KM[7.5]H)(A[0];B[cc])": b"KM[7.5];B[cc])",
    b"AP[a:1]RU][Japanese];B[cc])": b"AP[a:1]RU[Japanese];B[cc])",
    # Of readings that are equally good, the one that changes less.
    b"KM[5]]];AB[aa][bb];W[bb])": b"KM[5];AB[aa][bb];W[bb])",
    b";LB[aa:x\0][bb:y])": b";LB[aa:x ][bb:y])",
    # A value of an unknown property, if the property is elsewhere too.
    b"XX[a]aa]YY[b];W[bb])": b"XX[a][aa]YY[b];W[bb])",
    # A stone of the same node is on the point of the move.
    b";AB[aa][bb][cc]AW[dd;W[aa])": b";AB[aa][bb][cc]C[AW: dd];W[aa])",
    b"SZ[9:13];B[im;W[aa])": b"SZ[9:13];B[im];W[aa])",
    # In a root the board is not known before its size is.
    b"B[aa]W[bb]B[ccW[aa];W[dd])": b"B[aa];W[bb];B[cc];W[aa];W[dd])",
    # The move and the stones before the place in its node: B[ee] is out of turn, W[ee] on a stone.
    b";W[cc];B[dd]TR[AW[dd]Bee])": b";W[cc];B[dd]C[TR: AW[dd\nBee])",
    b";AB[ee]TR[AW[dd]Wee])": b";AB[ee]C[TR: AW[dd\nWee])",
    # A value that is wrong but closed is not read together with the next one.
    b";B[a];[bb])": b";C[B: a];W[bb])",
    # Only the property that begins as another one does goes to a comment.
    b";N[a]AB[W[cc]LB)[dd:x];B[dd])": b";N[a]C[AB:] W[cc]LB[dd:x];B[dd])",
    b"PW[White]\nPB([Black]GN[x (W)];B[cc])": b"PW[White]\nPB[Black]GN[x (W)];B[cc])",
    # Words between the properties.
    b";B[aa] hello ;W[bb])": b";B[aa] C[hello] ;W[bb])",
    b";B[aa] hello! ;W[bb])": b";B[aa] C[hello!] ;W[bb])",
    b";B[aa]HELLO;W[bb])": b";B[aa]C[HELLO];W[bb])",
    b";B[aa]#;W[bb]BL;B[cc])": b";B[aa];W[bb];B[cc])",
    # Moves in turn: with a "[" this one would be a second move of Black, or on a stone.
    b";B[aa];W[bb];Bcc];B[dd];W[ee])": b";B[aa];W[bb];C[Bcc];B[dd];W[ee])",
    b";B[aa];W[bb];Baa];W[dd];B[ee])": b";B[aa];W[bb];C[Baa];W[dd];B[ee])",
    b";AB[aa]P)(L[B])": b";AB[aa]PL[B])",
    # A move in turn stays one: no letter before it, or before its node, makes it a property of two.
    b";B[aa] A. ;W[bb])": b";B[aa]  ;W[bb])",
    b";B[aa] T) ;W[bb];B[cc])": b";B[aa]  ;W[bb];B[cc])",
    b";B[aa] D ! ;W[bb])": b";B[aa];W[bb])",
    b"KM[7]A,;B[aa];W[bb])": b"KM[7];B[aa];W[bb])",
    b";B[aa] move A, then ;W[bb])": b";B[aa] C[move A, then] ;W[bb])",
    b";B[aa];A. W[bb];B[cc])": b";B[aa]; W[bb];B[cc])",
    b";B[aa];T)(W[bb];B[cc])": b";B[aa];W[bb];B[cc])",
    b";B[aa]P-W[bb];B[cc])": b";B[aa];W[bb];B[cc])",
    b";B[aa];A W[bb];B[cc])": b";B[aa]; W[bb];B[cc])",
    b";B[aa]A-W[bb][cc])": b";AW[bb][cc];B[aa])",
    b"A-B[aa][bb];W[cc])": b"AB[aa][bb];W[cc])",
    # With three moves out of turn, the moves of a game are in no particular order.
    b";B[aa];B[ab];B[ac];W[bb];Bcc];B[dd])": b";B[aa];B[ab];B[ac];W[bb];C[Bcc];B[dd])",
    b";B[aa];B[ab];B[ac];B[ad];Bcc];B[dd])": b";B[aa];B[ab];B[ac];B[ad];B[cc];B[dd])",
    b";W[aa];B[ab]W[ac];B[ad];B[ae];Bcc];B[dd])": (b";W[aa];B[ab];W[ac];B[ad];B[ae];C[Bcc];B[dd])"),
    b";W[aa];W[ab];W[ac];B[pi;B[cc];B[dd])": b";W[aa];W[ab];W[ac];B[pi];B[cc];B[dd])",
    # Parentheses; of two readings the one is taken that leaves them in balance.
    b";B[aa](;W[pi];B[cc)(;W[ff]))": b";B[aa](;W[pi];B[cc])(;W[ff]))",
    b"(;B[aa](;W[cc))(;B[dd]))": b"(;B[aa](;W[cc]))(;B[dd]))",
    b";B[aa]);W[bb];B[cc])": b";B[aa];W[bb];B[cc])",
    b";B[aa]);W[bb]);B[cc])": b";B[aa];W[bb];B[cc])",
    b";B[aa]);W[bb](;B[cc])(;B[dd]))": b";B[aa];W[bb](;B[cc])(;B[dd]))",
    b";B[aa])C[x]": b";B[aa]C[x])",
    b";B)([aa];W[bb])": b";B[aa];W[bb])",
}


@for_each(PLACES)
def test_place_is_read_as_a_person_reads_it(damaged: bytes) -> None:
    data = HEAD + damaged
    result = fix(data, unsafe=True)
    assert result.data == HEAD + PLACES[damaged]
    assert result.ok
    assert not all(change.safe for change in result.applied)
    assert PLACES[damaged] not in fix(data).data


def test_place_after_the_first_value_is_read_alike() -> None:
    assert fix(b"(;FF[4]AB[aa]bb][cc])", unsafe=True).data == b"(;FF[4]AB[aa][bb][cc])"
    data = "(;FF[4]CA[UTF-8]B[aa]中BL[5])".encode()
    assert fix(data, unsafe=True).data == "(;FF[4]CA[UTF-8]B[aa]BL[5]C[中])".encode()


#: Damage in roots, which may be all that a file has of its game.
ROOTS = {
    b"(;B[aaB[aa]];W[bb}])": b"(;FF[4]C[B: aa]B[aa];W[bb])",
    b"(;B;)[aa];W[bb])": b"(;FF[4]B[aa];W[bb])",
    b"(;FF[4]GM[6]DI[11CP[x])": b"(;FF[4]GM[6]DI[11]CP[x])",
    b"(;FF[4])(GM[6]DI[11CP[x])": b"(;FF[4])(;FF[4]GM[6]DI[11]CP[x])",
    # There is no game before the damage.
    b"B[aa]": b"(;FF[4]B[aa])",
    b";B[": b";B[",
    b"(;]": b"(;FF[4])",
    b"(;FF{": b"(;FF[4])",
}


@for_each(ROOTS)
def test_root_is_read(damaged: bytes) -> None:
    assert fix(damaged, unsafe=True).data == ROOTS[damaged]


def test_a_game_that_ends_again_and_again_is_continued_in_one_change() -> None:
    parts = [b";B[%ca];W[%cb]" % (column, column) for column in b"abcdefghi"]
    result = fix(HEAD + b")".join(parts) + b")", unsafe=True)
    assert result.data == HEAD + b"".join(parts) + b")"
    assert len(result.applied) == 1


def test_a_window_has_at_most_499_bytes() -> None:
    for blanks, is_read in ((486, True), (487, False)):
        data = HEAD + b"KM[5.5" + b" " * blanks + b"PW[White];B[dd])"
        assert (b"KM[5.5]" in fix(data, unsafe=True).data) == is_read


def test_what_follows_a_window_may_be_the_end_of_the_file() -> None:
    for blanks in range(485, 500):
        data = HEAD + b";W[p;i]" + b" " * blanks
        assert fix(data, unsafe=True).data.startswith(HEAD + b";W[pi]"), blanks


def test_nothing_far_from_a_place_is_changed() -> None:
    assert b";B[a1];W[b2])" in fix(b"(;F,[4]GM[11]IP[x];B[a1];W[b2])", unsafe=True).data


def test_place_far_from_the_beginning_is_read_alike() -> None:
    before = b"(;C[" + b"x" * 600 + b"]FF[4]GM[1]"
    for damaged, read in PLACES.items():
        assert fix(before + damaged, unsafe=True).data == before + read, damaged


#: Texts with characters of several bytes: nothing in them is taken or cut in half.
TEXTS_OF_BYTES = {
    "(;FF[4]GM[1]CA[GBK]PB[古];W[中;B[cc])".encode("gbk"): "中];B[cc",
    "(;FF[4]GM[1]CA[UTF-8];W[pi］;B[cc])".encode(): ";W[pi];B[cc]",
    "(;FF[4]GM[1]CA[UTF-8]PB[a];W中[pi];B[cc])".encode(): ";W[pi]C[中];B[cc]",
    "(;FF[4]GM[1]CA[UTF-8];W[pi中 国 9;B[cc])".encode(): ";W[pi]C[中 国 9];B[cc]",
    "(;FF[4]GM[1]CA[UTF-8];W[p古i];B[cc])".encode(): "古",
    "(;FF[4]GM[1]CA[UTF-8]PB中[古力];B[aa])".encode(): "C[中]",
    # What comes before the place in its node is not counted twice.
    "(;FF[4]GM[1]CA[UTF-8];B[aa];W[bb]B[cc];AE[aa]B中[aa]W[ab])".encode(): "C[中]",
    "(;FF[4]GM[1]CA[UTF-8];C,中文];W[bb])".encode(): "C[中文]",
    "(;FF[4]GM[1]CA[UTF-8];W[pi中国;B[cc])".encode(): ";W[pi]C[中国];B[cc]",
    # Text in Windows-31J without CA, in which "]" and the escape are halves of characters.
    "(;FF[4]GM[1]C[能ゾゾ番囲竹];B[aa];W[bb])".encode("cp932"): "番囲竹",
}


@for_each(TEXTS_OF_BYTES)
def test_characters_of_several_bytes_stay_whole(data: bytes) -> None:
    result = fix(data, unsafe=True)
    text = result.data.decode()
    assert TEXTS_OF_BYTES[data] in text
    assert "\N{REPLACEMENT CHARACTER}" not in text
    assert result.ok


#: Text in UTF-16 in files that are not: nobody knows where it ends, so it stays.
UTF_16 = [
    b"(;FF[4]GM[1]CA[UTF-8]C[" + "hällo".encode("utf-16-le") + b"];B[aa])",
    b"(;FF[4]GM[1]C[" + "hällo".encode("utf-16-be") + b"];B[aa])",
    b"(;FF[4]GM[1]PB[" + "hällo".encode("utf-16") + b"];B[aa])",
    b"(;FF[4]GM[1]CA[UTF-8]C[" + "中国围棋".encode("utf-16") + b"];B[aa])",
]


@pytest.mark.parametrize("data", UTF_16)
@pytest.mark.parametrize("unsafe", [False, True])
def test_utf_16_in_a_text_is_refused(data: bytes, unsafe: bool) -> None:
    result = fix(data, unsafe=unsafe)
    assert result.data == data
    assert not result.ok


def test_words_in_a_value_are_kept() -> None:
    data = HEAD + b";W[p ## lost ## i];AB[aa ## lost ## ][bb])"
    expected = HEAD + b";W[pi]C[## lost ##];AB[aa][bb]C[## lost ##])"
    assert fix(data, unsafe=True).data == expected


#: Files that begin with damage.
BEGINNINGS = {
    b"(x;FF[4]GM[1];B[aa])": b"(;FF[4]GM[1];B[aa])",
    b";FF[4]GM[1];B[aa])": b"(;FF[4]GM[1];B[aa])",
    b"FF[4]GM[1];B[aa])": b"(;FF[4]GM[1];B[aa])",
    b";CA[UTF-8]GM[1]FF[4];B[aa])": b"(;CA[UTF-8]GM[1]FF[4];B[aa])",
    b"\n;PB[Black]PW[White];B[aa])": b"\n(;FF[4]PB[Black]PW[White];B[aa])",
    b"PB[Black]PW[White];B[aa])": b"(;FF[4]PB[Black]PW[White];B[aa])",
    b";B[aa];W[bb])": b"(;FF[4]B[aa];W[bb])",
    b"(x;FF[4];B[aa])(x;FF[4];B[bb])": b"(;FF[4];B[aa])(;FF[4];B[bb])",
}


@for_each(BEGINNINGS)
def test_beginning_is_read(damaged: bytes) -> None:
    report = sgf_lark.validate(damaged)
    assert {"SGF002", "SGF123"} & {each.code for each in report.diagnostics}
    assert "at least" not in report.diagnostics[0].message
    result = fix(damaged, unsafe=True)
    assert result.data == BEGINNINGS[damaged]
    assert result.ok
    assert not any(change.safe for change in result.applied)
    assert fix(damaged).data == damaged


#: Several games of which the parentheses are damaged.
GAMES = {
    b"(;GM[1]FF[4]((;N[a];N[b]))\n(;GM[1]FF[4]SZ[9]B[aa])\n(;FF[4]GM[1];B[bb]))": [
        b"(;GM[1]FF[4](;N[a];N[b]))", b"(;GM[1]FF[4]SZ[9]B[aa])", b"(;FF[4]GM[1];B[bb])",
    ],
    b"(;FF[4]GM[1];B[aa])\n;FF[4]GM[1];B[bb])": [b"(;FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[bb])"],
    b"(;FF[4]GM[1];B[aa]\n(;FF[4]GM[1];B[bb])": [b"(;FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[bb])"],
    b"(;FF[4]GM[1];B[aa]\n;FF[4]GM[1];B[bb])": [b"(;FF[4]GM[1];B[aa])", b"(;FF[4]GM[1];B[bb])"],
    b"(;FF[4];B[aa](;W[bb])(;W[cc];FF[4]SZ[9];B[bb]))(;FF[4];B[dd])": [
        b"(;FF[4];B[aa](;W[bb])(;W[cc]))", b"(;FF[4]SZ[9];B[bb])", b"(;FF[4];B[dd])",
    ],
    # The "]" before the end of a game is lost.
    b"(;FF[4]GM[1]C[a)(;FF[4]GM[1]C[b])": [b"(;FF[4]GM[1]C[a])", b"(;FF[4]GM[1]C[b])"],
    b"(;FF[4]GM[1]C[a)\n\n(;FF[4]GM[1]C[b)(;FF[4]GM[1]C[c])": [
        b"(;FF[4]GM[1]C[a])", b"(;FF[4]GM[1]C[b])", b"(;FF[4]GM[1]C[c])",
    ],
    b"(;FF[4]GM[1]PB[x]C[a)\n" * 39 + b"(;FF[4]GM[1]PB[x]C[a])": [b"(;FF[4]GM[1]PB[x]C[a])"] * 40,
    b"(;FF[4]GM[1]C[a)(;GM[1]FF[3]PB[x];B[aa])": [
        b"(;FF[4]GM[1]C[a])", b"(;GM[1]FF[3]PB[x];B[aa])",
    ],
    b"(;FF[4]SZ[9]PB[y]C[a)(;SZ[9]FF[4]PB[x];B[aa])": [
        b"(;FF[4]SZ[9]PB[y]C[a])", b"(;SZ[9]FF[4]PB[x];B[aa])",
    ],
    b"(;FF[4]PB[x]PW[y]RE[B+R)(;PB[x]PW[y]FF[4];B[aa])": [
        b"(;FF[4]PB[x]PW[y]RE[B+R])", b"(;PB[x]PW[y]FF[4];B[aa])",
    ],
    b"(;FF[4]GM[1];B[aa];W[bb]C[a\n)(;FF[4]GM[1];B[cc]C[b])": [
        b"(;FF[4]GM[1];B[aa];W[bb]C[a]\n)", b"(;FF[4]GM[1];B[cc]C[b])",
    ],
    b"(;FF[4]GM[1];B[aa];W[bb)(;FF[4]GM[1]AB[cc][dd)(;FF[4]GM[1];W[ee])": [
        b"(;FF[4]GM[1];B[aa];W[bb])", b"(;FF[4]GM[1]AB[cc][dd])", b"(;FF[4]GM[1];W[ee])",
    ],
    b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]C[:)))\r\n(;FF[4]GM[1](;B[dd])(;B[ee]N[x))(;GM[1]FF[4])": [
        b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]C[:)]))", b"(;FF[4]GM[1](;B[dd])(;B[ee]N[x]))",
        b"(;GM[1]FF[4])",
    ],
    # With it the ")" is lost.
    b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]C[a\n(;GM[1]FF[4];B[cc]\n(;FF[4]GM[1])": [
        b"(;FF[4]GM[1];B[aa](;W[bb])(;W[cc]C[a]))", b"(;GM[1]FF[4];B[cc])", b"(;FF[4]GM[1])",
    ],
}  # fmt: skip


@for_each(GAMES)
def test_games_stay_apart(damaged: bytes) -> None:
    result = fix(damaged, unsafe=True)
    games = sgf_lark.loads(result.data)
    assert [result.data[slice(*_bounds(tree))] for tree in games] == GAMES[damaged]
    assert result.ok


#: Texts with a game in them, and what becomes of it.
GAMES_IN_TEXTS = {
    b"C[see (;FF[4]GM[1]) ok])": b"C[see (;FF[4\\]GM[1\\]) ok])",
    b"C[see (x) (;FF[4]GM[1]) ok])": b"C[see (x) (;FF[4\\]GM[1\\]) ok])",
    b";B[aa]C[(x)(;FF[4\\]GM[1\\]) ok];B[bb])": b";B[aa]C[(x)(;FF[4\\]GM[1\\]) ok];B[bb])",
    b"C[a)(;FF[4\\]GM[1]C[b])": b"C[a)(;FF[4\\]GM[1\nb])",
    b";B[aa]C[see (;FF[4]GM[1\\]) ok])": b";B[aa]C[see (;FF[4\nGM: 1\\]) ok])",
    b"KM[6,5]C[a)(;SZ[9]AB[aa]C[b])": b"KM[6.5]C[a)(;SZ[9\nb]AB[aa])",
}


@for_each(GAMES_IN_TEXTS)
def test_a_game_in_a_text_stays_there(text: bytes) -> None:
    assert fix(HEAD + text, unsafe=True).data == HEAD + GAMES_IN_TEXTS[text]


def _bounds(tree: sgf_lark.GameTree) -> tuple[int, int]:
    start, end = tree.parsed.bounds
    return start, end + 1


def test_game_goes_on_after_its_end() -> None:
    data = HEAD + b";B[aa])\n(;W[bb];B[cc](;W[dd])(;W[ee]))"
    result = fix(data, unsafe=True)
    assert result.data == HEAD + b";B[aa]\n;W[bb];B[cc](;W[dd])(;W[ee]))"
    assert {each.message for each in result.applied} == {"the game before goes on here"}
    assert fix(data).data == data


#: A game that is complete, and the rest of another one after it, which stays a text.
JOINED = {
    # Its moves are on stones of this game.
    b";B[dd];W[pp];B[dp];W[pd])\n": b";W[dd];B[pp];W[qq])",
    b";B[dd];W[pp];B[dp];W[pd])\n\n": b"W[aa];B[dp];W[pd];B[ab](;W[ac])(;W[ad]))",
    b";B[dd]C[end])": b";B[dp];W[dp];B[dd]C[x];W[ee])",
    b"SZ[9];B[ee];W[ec];B[eg])": b"\n;W[eg]\n;B[ec]\n;W[ee])\n",
    # It begins inside a value, after a text that ends this game.
    b";B[dd];W[aa]C[S17 removed]\n)\n": b"sc];B[bn];W[bo];B[sb])\n",
    b";B[dd]C[thanks]\r\n)\r\n": b"15] B+3];B[bn];W[bo])\r\n",
    b"(;B[dd])(;W[aa];B[cc]C[x]))\n": b"e text goes on];W[bn];B[bo])",
    b"PB[Lee];B[dd]C[x [3d\\]: ok]\n)\n\n": b"9d]KM[0];W[bn];B[bo]C[y])",
    # This game has ended with its variations.
    b";B[dd](;W[pp])(;W[dp]))": b";W[qq];B[aa])",
    b";B[dd](;W[pp];B[dp])(;W[dp]C[x]))\n": b"B[qq];W[aa])\n",
    b"(;B[dd];W[aa])(;B[pp](;W[dp])(;W[pd])))": b";B[qd];W[qe];B[re])",
}


@for_each(JOINED)
def test_the_rest_of_another_game_is_not_played_in_this_one(game: bytes) -> None:
    result = fix(HEAD + game + JOINED[game], unsafe=True)
    found = sgf_lark.loads(result.data)[0]
    whole = sgf_lark.loads(HEAD + game)[0]
    moves = [[node.move for node in tree.nodes()] for tree in (found, whole)]
    assert moves[0] == moves[1]
    first = re.findall(rb"[BW]\[[a-z0-9]{2}", JOINED[game])[0]
    assert first in result.data  # in a comment


#: A ")" too many in a game, of which all that follows is played.
TOO_MANY = [
    b";B[dd];W[pp]);B[dp];W[pd])",
    b";B[dd];W[pp])\n;B[dp];W[pd](;B[aa])(;B[ab]))",
    b";AB[dd][pp];W[dp])W[pd];B[aa])",
    # One stone may be where a move is damaged; one that was taken is none.
    b";B[dd];W[pp]);B[dd];W[pd])",
    b";B[ab];W[aa];B[ba];W[pp]);B[aa];W[ca];B[qq])",
]


@for_each(TOO_MANY)
def test_a_surplus_parenthesis_does_not_end_a_game(game: bytes) -> None:
    result = fix(HEAD + game, unsafe=True)
    [found] = sgf_lark.loads(result.data)
    moves = [node.move for node in found.nodes() if node.move]
    assert len(moves) == len(re.findall(rb"[BW]\[[a-z]{2}\]", game.replace(b"AB", b"")))


#: Places where any reading would invent or drop something: the value goes to a comment.
OPEN_PLACES = {
    b";AB[aa;W[aa];B[cc])": b"AB: aa",
    b";W[aa];W[ab];B[pi;B[cc];B[dd])": b"B: pi;B[cc",
    b";W[(];B[cc])": b"W: (",
    b"KM[6;5];B[cc])": b"KM: 6;5",
    b";B[pd or dd])": b"B: pd or dd",
    b";B[dnq])": b"B: dnq",
    b"DT[May [1] 2000];B[cc])": b"May",
}


@for_each(OPEN_PLACES)
def test_open_place_stays_in_a_comment(damaged: bytes) -> None:
    result = fix(HEAD + damaged, unsafe=True)
    assert result.ok
    comments = [*re.findall(rb"G?C\[((?:[^\]\\]|\\.)*)\]", result.data)]
    assert any(OPEN_PLACES[damaged].lstrip(b";W[") in each for each in comments), result.data


#: What is replaced, and by what, where a place is repaired.
CHANGES = {
    b";W[pi][;B[cc])": [("[pi][;B[cc]", "[pi];B[cc]")],
    b";W[;B[cc])": [("W[;B[cc]", "C[W: ;B[cc]"), ("", "]")],
    b";AB[aa]P)(L[B])": [("P)(L[B]", "PL[B]")],
    b";B[aa])C[x]": [(") ", " )")],
    b"AP[a:1]][];W[pi])": [("[a:1]][];W[pi]", "[a:1];W[pi]")],
}


@for_each(CHANGES)
def test_change_is_as_short_as_the_place(damaged: bytes) -> None:
    changes = [(each.before, each.after) for each in fix(HEAD + damaged, unsafe=True).applied]
    assert changes == CHANGES[damaged]


# --- Generated damage ---------------------------------------------------------------------

POINT = st.text("abcdefghijklmnopqrs", min_size=2, max_size=2)
STRAY = st.sampled_from(["(", ")", ";", ")(", "((", "[", "[]", ".", "\0\0\0", "\r\n> ", "*", "}"])


@st.composite
def games(draw: st.DrawFn) -> list[str]:
    """The tokens of a game: its root, and moves of different points in turn."""
    points = draw(st.lists(POINT, min_size=3, max_size=8, unique=True))
    tokens = ["(;FF[4]GM[1]PB[Black]"]
    for number, point in enumerate(points):
        tokens += [";", "BW"[number % 2], "[", point[0], point[1], "]"]
    return [*tokens, ")"]


@given(games(), st.data())
def test_stray_characters_in_a_move_lose_nothing(tokens: list[str], data: st.DataObject) -> None:
    places = [number for number, token in enumerate(tokens) if token == "["]
    place = data.draw(st.sampled_from(places)) + data.draw(st.integers(1, 3))
    damaged = [*tokens[:place], data.draw(STRAY), *tokens[place:]]
    assert fix("".join(damaged), unsafe=True).data == "".join(tokens).encode()


@given(games(), st.data())
def test_lost_bracket_loses_nothing(tokens: list[str], data: st.DataObject) -> None:
    places = [number for number, token in enumerate(tokens) if token in ("[", "]")]
    place = data.draw(st.sampled_from(places[:-1]))
    damaged = [
        *tokens[:place],
        data.draw(st.sampled_from(["", "*", "}", "{"])),
        *tokens[place + 1 :],
    ]
    assert fix("".join(damaged), unsafe=True).data == "".join(tokens).encode()


@given(games(), st.data())
def test_nothing_is_invented(tokens: list[str], data: st.DataObject) -> None:
    whole = "".join(tokens).encode()
    start = data.draw(st.integers(1, len(whole) - 1))
    end = data.draw(st.integers(start, min(start + 7, len(whole))))
    damaged = whole[:start] + data.draw(STRAY).encode() + whole[end:]
    repaired = sgf_lark.loads(fix(damaged, unsafe=True).data, tolerant=True)
    entries = [entry for tree in repaired for node in tree.nodes() for entry in node.properties]
    written = {raw for entry in entries if entry.ident in "BW" for raw in entry.raw}
    read = set(re.findall(rb"(?=([a-z]{2}))", re.sub(rb"[^a-z]", b"", damaged)))
    assert written <= read | ({b""} if b"[]" in damaged else set())


#: Files that are damaged at the parentheses, and what becomes of them.
PARENTHESES = {
    b"(x;FF[4];B[aa])": b"(;FF[4];B[aa])",
    b";FF[4];B[aa])(x;FF[4])": b"(;FF[4];B[aa])(;FF[4])",
    b"(;FF[4];B[aa]);W[bb]": b"(;FF[4];B[aa];W[bb])",
    b"(;FF[4];B[aa]);W[bb])": b"(;FF[4];B[aa];W[bb])",
    b"(;FF[4];B[aa]);W[bb]);B[cc]": b"(;FF[4];B[aa];W[bb];B[cc])",
    b";FF[4];B[aa]);W[bb]);B[cc](;W[dd])(;W[ee])": b"(;FF[4];B[aa];W[bb];B[cc];W[dd])(;W[ee])",
    b"(;FF[4];B[aa]);W[bb](;B[cc]);B[dd])": b"(;FF[4];B[aa];W[bb](;B[cc];B[dd]))",
}


@for_each(PARENTHESES.items())
def test_parentheses(damaged: bytes, fixed: bytes) -> None:
    result = fix(damaged, unsafe=True)
    assert result.data == fixed
    # Each ")" has one change: the one that moves it, not a second one that deletes or adds it.
    assert not {"SGF107", "SGF108"} & {each.code for each in result.applied}


#: Games with variations in which one character is lost or one too many: the moves show which.
IN_TURN = {
    # A ")" too many.
    b";B[aa](;W[bb])(;W[cc]);B[dd]))": b";B[aa](;W[bb])(;W[cc];B[dd]))",
    b";B[aa]();W[bb])(;W[cc]))": b";B[aa](;W[bb])(;W[cc]))",
    b"(;B[aa]);W[bb])(;B[cc]))": b"(;B[aa];W[bb])(;B[cc]))",
    b";B[aa](;W[bb]))\n(;W[cc]))": b";B[aa](;W[bb])\n(;W[cc]))",
    b";B[aa](;W[bb];B[cc])(;B[dd]))(;W[ee]))": b";B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))",
    # A "(" is lost.
    b";B[aa](;W[bb]);W[cc])(;W[dd]))": b";B[aa](;W[bb])(;W[cc])(;W[dd]))",
    b";B[ii];W[ef];B[be])(;W[ec]))": b";B[ii](;W[ef];B[be])(;W[ec]))",
    b";B[aa];W[bb](;B[cc])(;B[dd];W[ee])(;W[ff])))": (
        b";B[aa];W[bb](;B[cc])(;B[dd](;W[ee])(;W[ff])))"
    ),
    # A "]" is lost.
    b";B[ii]C[good(;W[ef];B[be])(;W[ec];B[cc]))": b";B[ii]C[good](;W[ef];B[be])(;W[ec];B[cc]))",
    b";B[ii]N[x\n(;W[ef])\n(;W[ec]))": b";B[ii]N[x]\n(;W[ef])\n(;W[ec]))",
    # A ")" is lost.
    b";B[ee](;W[aa](;W[dd];B[ff]))": b";B[ee](;W[aa])(;W[dd];B[ff]))",
    b";B[ee](;W[aa](;W[dd];B[ff])(;W[hh]))": b";B[ee](;W[aa])(;W[dd];B[ff])(;W[hh]))",
    b";B[ee](;W[aa];B[bb](;W[cc](;W[dd]))(;W[gg]))": (
        b";B[ee](;W[aa];B[bb](;W[cc])(;W[dd]))(;W[gg]))"
    ),
    b"(;B[aa](;W[bb];B[cc](;B[dd]))": b"(;B[aa](;W[bb];B[cc]))(;B[dd]))",
    # Several places are as good: the end of the file, or nothing.
    b";B[ee](;W[aa];B[bb](;W[dd]))": b";B[ee](;W[aa];B[bb](;W[dd])))",
    b";B[ii];W[ef];B[be])(;W[ec];B[cc])(;W[dd]))": b";B[ii];W[ef];B[be])(;W[ec];B[cc])(;W[dd]))",
    b";B[aa];W[bb];B[cc];W[dd])(;W[ee]))": b";B[aa];W[bb];B[cc];W[dd])(;W[ee]))",
}


@for_each(IN_TURN.items())
def test_variations_stay_in_turn(damaged: bytes, fixed: bytes) -> None:
    head = b"(;FF[4]GM[1]SZ[9]"
    result = fix(head + damaged, unsafe=True)
    assert result.data == head + fixed
    assert fix(head + damaged).data == head + damaged
