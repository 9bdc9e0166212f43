"""All damage of a file: its places and properties; and syntax errors as shown."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.syntax import Engine
from sgf_lark.syntax.errors import SGFSyntaxError, syntax_error
from tests.kit.tables import for_each

#: A file, and its damage: the code, the start and the end, and the property if there is one.
DAMAGE = [
    (b"", "SGF002[0:0]"),
    (b" \n", "SGF002[0:2]"),
    (b"hello", "SGF002[0:5]"),
    (b"(;GM[1]) hello (;GM[1])", "SGF102[9:14]"),
    (b"( FF[4]GM[1])", "SGF103[2:3]"),
    (b"(;B[aa](W[bb]))", "SGF103[8:9]"),
    (b"()", "SGF104[0:2]"),
    (b"(;B[aa] ( ))", "SGF104[8:11]"),
    (b"(;B[aa]((;W[bb])))", "SGF105[8:9]"),
    (b"(;B[aa](;W[bb])", "SGF107[0:1]"),
    (b"(;B[aa](;W[bb]", "SGF107[7:8]"),
    (b"(", "SGF002[0:1]"),
    (b"(;B[aa]))", "SGF108[8:9]"),
    (b"(;GM[1])W[tt]", "SGF109[8:13]"),
    (b"(;GM[1];B)", "SGF110[8:9]/B"),
    (b"(;GM[1];B", "SGF107[0:1], SGF110[8:9]/B"),
    (b"(;[aa])", "SGF111[2:6]"),
    (b"(;GM[1]C1[x])", "SGF113[7:9]/C"),
    (b"(;GM[1]\xc4B[x])", "SGF113[7:9]/B"),
    (b"(;GM[1]comment[x])", "SGF114[7:14]/comment"),
    (b"(;C[a]])", "SGF118[5:6]/C"),
    (b"(;C[open\\])", "SGF119[3:4]/C"),
    (b"\x00(;FF[4])", "SGF101[0:1]"),
    (b"hello (;FF[4];B[aa])", "SGF101[0:5]"),
    (b"From: a (b) c\n[xy]\n(;FF[4];B[aa])", "SGF101[0:18]"),
    (b"(;FF[4]);;x)(;B[aa])", "SGF102[8:12]"),
    (b"(;FF[4]))) x (;B[aa])", "SGF108[8:9], SGF108[9:10], SGF102[11:12]"),
    (b"(;FF[4](B[aa];W[bb]))", "SGF103[8:9]"),
    (b"(;FF[4]()(;B[aa])())", "SGF104[7:9], SGF104[17:19]"),
    (b"(;FF[4]((;B[aa])(;B[bb])))", "SGF105[8:9]"),
    (b"((;FF[4];B[aa]))", "SGF105[1:2]"),
    (b"(;FF[4](;B[aa]);B[bb];W[cc])", "SGF106[15:16]"),
    (b"(;FF[4](;B[aa])B[bb];W[cc])", "SGF106[15:16]"),
    (b"(;FF[4](;B[aa](;W[bb]", "SGF107[14:15]"),
    (b"(;FF[4];B;W[bb])", "SGF110[8:9]/B"),
    (b"(;FF[4];KO B[aa])", "SGF110[8:10]/KO"),
    (b"(;FF[4];[aa][bb]B[cc])", "SGF111[8:16]"),
    (b"(;FF[4];B L[30]W[aa])", "SGF112[8:11]/BL"),
    (b"(;FF[4];C1[x]_N[y])", "SGF113[8:10]/C, SGF113[13:15]/N"),
    (b"(;FF[4];Black[aa];COmment[x])", "SGF114[8:13]/B, SGF114[18:25]/CO"),
    (b"(;FF[3];Black[aa];WHite[bb])", ""),
    (b"(;C[see [a] here];B[aa])", "SGF118[10:11]/C"),
    (b"(;C[a [1], b [2] c]N[x])", "SGF118[8:9]/C, SGF118[15:16]/C"),
    (b"(;C[a (see [1]) c]N[x])", "SGF118[13:14]/C"),
    (b"(;B[aa]];W[bb])", "SGF118[7:8]"),
    (b"(;FF[4];C[open", "SGF119[9:10]/C"),
    (b"(;B[aa],, ..;W[bb]7)", "SGF120[7:12], SGF120[18:19]"),
    (b"(;B[aa]\x00;W[bb])", "SGF121[7:8]"),
    (b"x [ab] (;GM[1])", "SGF101[0:6]"),
    (b"x [abc] (;GM[1])", "SGF101[0:7]"),
    (b"[1a](;)", "SGF101[0:4]"),
    (b"[aB](;)", "SGF101[0:4]"),
    (b"(;FF[4];COmment[x])", "SGF114[8:15]/CO"),
    (b"(B[aa](;W[bb]))", "SGF103[1:2]"),
    (b"(;GM[1])(B[aa])", "SGF103[9:10]"),
    (b"(;GM[1])()", "SGF104[8:10]"),
    (b"()\n()", "SGF104[0:2], SGF104[3:5]"),
    (b"(;GM[1]\x01\x02)", "SGF122[7:9]"),
    (b"(;GM[1]\x02\x00\x01B[aa])", "SGF121[7:10]"),
    (b"(;GM[1]))) ) x", "SGF108[8:9], SGF108[9:10], SGF108[11:12], SGF102[13:14]"),
    (b"(;GM[1](( ();B[aa])))", "SGF105[8:9], SGF104[10:12], SGF106[12:13]"),
    (b"(;GM[1](();B[aa]))", "SGF104[8:10], SGF106[10:11]"),
    (b"(;GM[1])\nW [tt] x \n", "SGF109[9:17]"),
    (b"(;GM[1])W tt", "SGF102[8:12]"),
    (b"(;GM[1];[a][b)", "SGF111[8:14], SGF119[11:12]"),
    (b"(;GM[1];B W L[3])", "SGF110[8:9]/B, SGF112[10:13]/WL"),
    (b"(;GM[1];B\nL[3])", "SGF112[8:11]/BL"),
    (b"(;GM[1];B ,L[3])", "SGF110[8:9]/B, SGF120[10:11]"),
    (b"(;B[aa]?\n? ]?)", "SGF120[7:10], SGF118[11:12], SGF120[12:13]"),
    (b"(;B[aa]) ] ( ;W[bb]", "SGF102[9:10], SGF107[11:12]"),
    (b"(((;B[aa])))", "SGF101[0:1], SGF105[2:3], SGF108[11:12]"),
    (b"(;C[a]b]c]N[x", "SGF118[5:6]/C, SGF118[7:8]/C, SGF119[11:12]/N"),
    (b"(;C[a\\]b] c\\]] N[x])", "SGF118[8:9]/C"),
    (b"(;A(;B(;C[a])", "SGF110[2:3]/A, SGF107[3:4], SGF110[5:6]/B"),
    (b"(;GM[1](;B[aa]);W[bb];B[cc];W[dd](;B[ee]))", "SGF106[15:16]"),
    (b" \n hello \n", "SGF002[3:8]"),
    (b"(;C[ab\\", "SGF119[3:4]/C"),
    (b"((;B[aa]", "SGF107[1:2]"),
    (b"(;12[x])", "SGF120[2:4], SGF111[4:7]"),
    (b"(;b[x])", "SGF114[2:3]/b"),
    (b"(;FF[4]bL[1]Wl[2])", "SGF114[7:9]/L, SGF114[12:14]/W"),
]


@pytest.mark.parametrize("engine", ["tables", "lark"])
@for_each(DAMAGE)
def test_damage(data: bytes, expected: str, engine: Engine) -> None:
    report = sgf_lark.validate(data, select=["SGF0", "SGF1"], ignore=["SGF115"], engine=engine)
    found = [
        f"{each.code}[{each.span.start}:{each.span.end}]{f'/{each.ident}' if each.ident else ''}"
        for each in report.diagnostics
    ]
    assert ", ".join(found) == expected
    if found:
        # The cause of a tree that stays open may come after its "(".
        first = min(found, key=lambda each: each.startswith("SGF107"))
        diagnostic = syntax_error(data).diagnostic
        assert first.startswith(f"{diagnostic.code}[{diagnostic.span.start}:{diagnostic.span.end}]")
        for read in (sgf_lark.parse_tree, sgf_lark.loads):
            with pytest.raises(SGFSyntaxError) as raised:
                read(data)
            assert raised.value.diagnostic == diagnostic


@for_each([(b"(;GM[1](;)[a][b])", "SGF106"), (b"(;GM[1];([a][b]))", "SGF103")])
def test_a_node_begins_with_the_first_of_the_values_that_are_left_out(
    data: bytes, code: str
) -> None:
    found = sgf_lark.validate(data, select=["SGF1"]).diagnostics
    start = data.index(b"[a]")
    places = [(each.code, each.span.start, each.span.end) for each in found]
    assert places == [(code, start, start + 1), ("SGF111", start, start + 6)]


#: A file, and what the grammar allowed where it leaves it.
EXPECTED = [
    (b"", "LPAR"),
    (b"\n ", "LPAR"),
    (b"x", "LPAR"),
    (b"\n\n(", "SEMICOLON"),
    (b"()", "SEMICOLON"),
    (b"(;", "LPAR RPAR SEMICOLON UCLETTERS"),
    (b"(;B", "BRACKETED_VALUE"),
    (b"(;B[aa]", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
    (b"(;B[aa", "BRACKETED_VALUE"),
    (b"(;B[aa]x", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
    (b"(;B[aa](;W[bb])", "LPAR RPAR"),
    (b"(;B[aa](;W[bb])x", "LPAR RPAR"),
    (b"(;B[aa](;W[bb]);", "LPAR RPAR"),
    (b"(;)x", "LPAR $END"),
    (b"(;))", "LPAR $END"),
    (b"(;)(", "SEMICOLON"),
    (b"(;)B[aa]", "LPAR $END"),
    (b"(;[aa])", "LPAR RPAR SEMICOLON UCLETTERS"),
    (b"(;C[a(]", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
    (b"(;C[\\](]x", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
    (b"(;C[)])x", "LPAR $END"),
    (b"(;B[aa]]", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
    (b"(;B[aa],", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
    (b"(;B[aa]\x01\t)", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
    (b"((;))", "SEMICOLON"),
    (b"x(;)", "LPAR"),
    (b"(;C[\xe9\x01]],", "LPAR RPAR SEMICOLON UCLETTERS BRACKETED_VALUE"),
]


@for_each(EXPECTED)
def test_what_was_expected(data: bytes, expected: str) -> None:
    assert " ".join(syntax_error(data).expected) == expected
