"""All damage of a file: its places and properties; and syntax errors as shown."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.syntax import Engine
from sgf_lark.syntax.errors import SGFSyntaxError, syntax_error
from sgf_lark.syntax.strict import parse_by_lark
from sgf_lark.syntax.tolerant import parse_tolerant
from tests.kit.tables import for_each

#: A file, and its damage: the code, the start and the end, and the property if there is one;
#: and of some the same file without it, which is how they are read.
DAMAGE = [
    (b"", "SGF002[0:0]", None),
    (b" \n", "SGF002[0:2]", None),
    (b"hello", "SGF002[0:5]", None),
    (b"(;GM[1]) hello (;GM[1])", "SGF102[9:14]", None),
    (b"( FF[4]GM[1])", "SGF103[2:3]", None),
    (b"(;B[aa](W[bb]))", "SGF103[8:9]", None),
    (b"()", "SGF104[0:2]", None),
    (b"(;B[aa] ( ))", "SGF104[8:11]", None),
    (b"(;B[aa]((;W[bb])))", "SGF105[8:9]", None),
    (b"(;B[aa](;W[bb])", "SGF107[0:1]", None),
    (b"(;B[aa](;W[bb]", "SGF107[7:8]", None),
    (b"(", "SGF002[0:1]", None),
    (b"(;B[aa]))", "SGF108[8:9]", None),
    (b"(;GM[1])W[tt]", "SGF109[8:13]", None),
    (b"(;GM[1];B)", "SGF110[8:9]/B", None),
    (b"(;GM[1];B", "SGF107[0:1], SGF110[8:9]/B", None),
    (b"(;[aa])", "SGF111[2:6]", None),
    (b"(;GM[1]C1[x])", "SGF113[7:9]/C", None),
    (b"(;GM[1]\xc4B[x])", "SGF113[7:9]/B", None),
    (b"(;GM[1]comment[x])", "SGF114[7:14]/comment", None),
    (b"(;C[a]])", "SGF118[5:6]/C", None),
    (b"(;C[open\\])", "SGF119[3:4]/C", None),
    (b"\x00(;FF[4])", "SGF101[0:1]", None),
    (b"hello (;FF[4];B[aa])", "SGF101[0:5]", b"(;FF[4];B[aa])"),
    (b"From: a (b) c\n[xy]\n(;FF[4];B[aa])", "SGF101[0:18]", b"(;FF[4];B[aa])"),
    (b"(;FF[4]);;x)(;B[aa])", "SGF102[8:12]", b"(;FF[4])(;B[aa])"),
    (b"(;FF[4]))) x (;B[aa])", "SGF108[8:9], SGF108[9:10], SGF102[11:12]", b"(;FF[4])(;B[aa])"),
    (b"(;FF[4](B[aa];W[bb]))", "SGF103[8:9]", b"(;FF[4](;B[aa];W[bb]))"),
    (b"(;FF[4]()(;B[aa])())", "SGF104[7:9], SGF104[17:19]", b"(;FF[4](;B[aa]))"),
    (b"(;FF[4]((;B[aa])(;B[bb])))", "SGF105[8:9]", b"(;FF[4](;B[aa])(;B[bb]))"),
    (b"((;FF[4];B[aa]))", "SGF105[1:2]", b"(;FF[4];B[aa])"),
    (b"(;FF[4](;B[aa]);B[bb];W[cc])", "SGF106[15:16]", b"(;FF[4](;B[aa])(;B[bb];W[cc]))"),
    (b"(;FF[4](;B[aa])B[bb];W[cc])", "SGF106[15:16]", b"(;FF[4](;B[aa])(;B[bb];W[cc]))"),
    (b"(;FF[4](;B[aa](;W[bb]", "SGF107[14:15]", b"(;FF[4](;B[aa](;W[bb])))"),
    (b"(;FF[4];B;W[bb])", "SGF110[8:9]/B", b"(;FF[4];;W[bb])"),
    (b"(;FF[4];KO B[aa])", "SGF110[8:10]/KO", b"(;FF[4];B[aa])"),
    (b"(;FF[4];[aa][bb]B[cc])", "SGF111[8:16]", b"(;FF[4];B[cc])"),
    (b"(;FF[4];B L[30]W[aa])", "SGF112[8:11]/BL", b"(;FF[4];BL[30]W[aa])"),
    (b"(;FF[4];C1[x]_N[y])", "SGF113[8:10]/C, SGF113[13:15]/N", b"(;FF[4];C[x]N[y])"),
    (b"(;FF[4];Black[aa];COmment[x])", "SGF114[8:13]/B, SGF114[18:25]/CO", b"(;FF[4];B[aa];CO[x])"),
    (b"(;FF[3];Black[aa];WHite[bb])", "", b"(;FF[3];B[aa];WH[bb])"),
    (b"(;C[see [a] here];B[aa])", "SGF118[10:11]/C", b"(;C[see [a\\] here];B[aa])"),
    (
        b"(;C[a [1], b [2] c]N[x])",
        "SGF118[8:9]/C, SGF118[15:16]/C",
        b"(;C[a [1\\], b [2\\] c]N[x])",
    ),
    (b"(;C[a (see [1]) c]N[x])", "SGF118[13:14]/C", b"(;C[a (see [1\\]) c]N[x])"),
    (b"(;B[aa]];W[bb])", "SGF118[7:8]", b"(;B[aa];W[bb])"),
    (b"(;FF[4];C[open", "SGF119[9:10]/C", b"(;FF[4];C[open])"),
    (b"(;B[aa],, ..;W[bb]7)", "SGF120[7:12], SGF120[18:19]", b"(;B[aa];W[bb])"),
    (b"(;B[aa]\x00;W[bb])", "SGF121[7:8]", b"(;B[aa];W[bb])"),
    (b"x [ab] (;GM[1])", "SGF101[0:6]", None),
    (b"x [abc] (;GM[1])", "SGF101[0:7]", None),
    (b"[1a](;)", "SGF101[0:4]", None),
    (b"[aB](;)", "SGF101[0:4]", None),
    (b"(;FF[4];COmment[x])", "SGF114[8:15]/CO", None),
    (b"(B[aa](;W[bb]))", "SGF103[1:2]", None),
    (b"(;GM[1])(B[aa])", "SGF103[9:10]", None),
    (b"(;GM[1])()", "SGF104[8:10]", None),
    (b"()\n()", "SGF104[0:2], SGF104[3:5]", None),
    (b"(;GM[1]\x01\x02)", "SGF122[7:9]", None),
    (b"(;GM[1]\x02\x00\x01B[aa])", "SGF121[7:10]", None),
    (b"(;GM[1]))) ) x", "SGF108[8:9], SGF108[9:10], SGF108[11:12], SGF102[13:14]", None),
    (b"(;GM[1](( ();B[aa])))", "SGF105[8:9], SGF104[10:12], SGF106[12:13]", None),
    (b"(;GM[1](();B[aa]))", "SGF104[8:10], SGF106[10:11]", None),
    (b"(;GM[1])\nW [tt] x \n", "SGF109[9:17]", None),
    (b"(;GM[1])W tt", "SGF102[8:12]", None),
    (b"(;GM[1];[a][b)", "SGF111[8:14], SGF119[11:12]", None),
    (b"(;GM[1];B W L[3])", "SGF110[8:9]/B, SGF112[10:13]/WL", None),
    (b"(;GM[1];B\nL[3])", "SGF112[8:11]/BL", None),
    (b"(;GM[1];B ,L[3])", "SGF110[8:9]/B, SGF120[10:11]", None),
    (b"(;B[aa]?\n? ]?)", "SGF120[7:10], SGF118[11:12], SGF120[12:13]", None),
    (b"(;B[aa]) ] ( ;W[bb]", "SGF102[9:10], SGF107[11:12]", None),
    (b"(((;B[aa])))", "SGF101[0:1], SGF105[2:3], SGF108[11:12]", None),
    (b"(;C[a]b]c]N[x", "SGF118[5:6]/C, SGF118[7:8]/C, SGF119[11:12]/N", None),
    (b"(;C[a\\]b] c\\]] N[x])", "SGF118[8:9]/C", None),
    (b"(;A(;B(;C[a])", "SGF110[2:3]/A, SGF107[3:4], SGF110[5:6]/B", None),
    (b"(;GM[1](;B[aa]);W[bb];B[cc];W[dd](;B[ee]))", "SGF106[15:16]", None),
    (b" \n hello \n", "SGF002[3:8]", None),
    (b"(;C[ab\\", "SGF119[3:4]/C", None),
    (b"((;B[aa]", "SGF107[1:2]", None),
    (b"(;12[x])", "SGF120[2:4], SGF111[4:7]", None),
    (b"(;b[x])", "SGF114[2:3]/b", None),
    (b"(;FF[4]bL[1]Wl[2])", "SGF114[7:9]/L, SGF114[12:14]/W", None),
]


@pytest.mark.parametrize("engine", ["tables", "lark"])
@for_each(DAMAGE)
def test_damage(data: bytes, expected: str, meant: bytes | None, engine: Engine) -> None:
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


@for_each([(data, meant) for data, _, meant in DAMAGE if meant is not None])
def test_what_follows_damage_is_read_as_meant(data: bytes, meant: bytes) -> None:
    damaged, whole = parse_tolerant(data).flat, parse_by_lark(meant)
    assert damaged.roots == whole.roots
    assert damaged.parent == whole.parent
    for node in range(whole.count):
        assert damaged.properties_of(node) == whole.properties_of(node)
    for prop in range(len(whole.ident_start)):
        assert damaged.ident(prop) == whole.ident(prop)
        assert [raw.replace(b"\\]", b"]") for raw in whole.raw(prop)] == damaged.raw(prop)


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
