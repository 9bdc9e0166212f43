"""Layers over a whole file: what is read without them, and where their findings are."""

from __future__ import annotations

import base64
import html
import io
import json
import pickle
import quopri
import random
import re
from collections.abc import Callable, Iterable
from itertools import product
from urllib.parse import quote

import pytest

import sgf_lark
from sgf_lark import GameTree, SGFSyntaxError
from sgf_lark.analysis import Settings, Text, TextAnalysis
from sgf_lark.model import loading
from sgf_lark.syntax.layers import layers
from sgf_lark.text.edits import apply
from tests.kit.tables import for_each

GAME = (
    "(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[Lee & Cho]AB[dd][pp]\n;W[dp]C[a \\[b\\] <c>, 50%]\n"
    "(;B[pd]C[好 é])(;B[qd]N[second];W[oc]))\n"
)


def lines(head: str) -> Callable[[str], str]:
    return lambda game: "".join(head + line + "\n" for line in game.splitlines())


def entities(game: str) -> str:
    return "".join(f"&#{ord(each)};" if each in "[]();\\&<" else each for each in game)


def full_width(game: str) -> str:
    """Only the brackets of the grammar: those in texts are content."""
    game = game.replace("\\[", "{").replace("\\]", "}")
    game = game.translate({ord(each): ord(each) + 0xFEE0 for each in "[]();"})
    return game.replace("{", "\\[").replace("}", "\\\uff3d")


def rtf(game: str) -> str:
    game = game.replace("\\", "\\\\").replace("\n", "\\par\n")
    game = "".join(each if ord(each) < 128 else f"\\u{ord(each)}?" for each in game)
    return "{\\rtf1\\ansi{\\fonttbl{\\f0 Courier;}}\\f0 " + game + "}"


KINDS: dict[str, Callable[[str], str]] = {
    "URL": quote,
    "URL twice": lambda game: quote(quote(game)),
    "URL, brackets only": lambda game: (
        game.replace("%", "%25").replace("[", "%5B").replace("]", "%5D")
    ),
    "quoted-printable": lambda game: (
        quopri.encodestring(game.encode()).decode().replace("[", "=5B")
    ),
    "entities": entities,
    "entities twice": lambda game: entities(game).replace("&", "&amp;"),
    "hexadecimal entities": lambda game: "".join(f"&#x{ord(each):x};" for each in game),
    "JSON": json.dumps,
    "JSON without quotes": lambda game: json.dumps(game)[1:-1],
    "Python": lambda game: ascii(game.encode())[1:],
    "RTF": rtf,
    "mail": lines("> "),
    "mail twice": lines(">> "),
    "mail over quoted-printable": lambda game: lines("> ")(
        quopri.encodestring(game.encode()).decode().replace("[", "=5B")
    ),
    "page": lambda game: html.escape(game).replace("\n", "<br>\n"),
    "full-width": full_width,
    "braces": lambda game: game.replace("\\[b\\]", "b").replace("[", "{").replace("]", "}"),
    "corner brackets": lambda game: (
        game.replace("\\[b\\]", "b").replace("[", "【").replace("]", "】")
    ),
    "Base64": lambda game: base64.encodebytes(game.encode()).decode(),
    "chat": lines("[12/03/2021, 14:05:33] Lee: "),
    "log": lines("14:05 <lee> "),
    "line numbers": lambda game: "".join(
        f"{number:4}  {line}\n" for number, line in enumerate(game.splitlines(), 1)
    ),
    "no parentheses": lambda game: game.strip()[1:-1],
    "no first parenthesis": lambda game: game[1:],
    "Cyrillic": lambda game: game.replace(";B[", ";\u0412["),
    "numbers of moves": lambda game: "".join(
        f";{number}. {part}" if part[0] in "BW" else f";{part}" if number else part
        for number, part in enumerate(game.split(";"))
    ),
    "no brackets around moves": lambda game: re.sub(r";([BW])\[(..)\]", r";\1=\2", game),
    "no signs around moves": lambda game: re.sub(r";([BW])\[(..)\]", r";\1\2", game),
    "numbers before moves without signs": lambda game: re.sub(
        r";([BW])\[(..)\]", lambda move: f";{move.start()}. {move[1]}{move[2]}", game
    ),
    "names of colors before points": lambda game: re.sub(
        r";([BW])\[(..)\]", lambda move: f";{'黑白'[move[1] == 'W']}{move[2]}", game
    ),
    "names of colors": lambda game: game.replace(";W[", ";白[").replace(";B[", ";黑["),
    "terminal": lambda game: game.replace("\n", "^M\n"),
    "colors": lambda game: game.replace(";", "\x1b[31m;\x1b[0m"),
}


def games(data: bytes | str, *, tolerant: bool = False) -> list[object]:
    return content(sgf_lark.loads(data, tolerant=tolerant))


def content(found: Iterable[GameTree]) -> list[object]:
    return [
        (node.depth, {ident: node[ident] for ident in node if ident != "CA"})
        for game in found
        for node in game.nodes()
    ]


def plain(kind: str) -> str:
    """The game that is left of a kind that cannot have brackets in texts."""
    return GAME if kind not in {"braces", "corner brackets"} else GAME.replace("\\[b\\]", "b")


@for_each(KINDS)
def test_a_layer_is_undone(kind: str) -> None:
    data = KINDS[kind](GAME).encode()
    assert games(data, tolerant=True) == games(plain(kind).encode())
    fixed = sgf_lark.fix(data, unsafe=True)
    assert fixed.ok and games(fixed.data) == games(plain(kind).encode())
    assert "SGF123" in {each.code for each in fixed.applied}
    assert sgf_lark.fix(data).data == data
    # It is a guess, which can be left out.
    without = sgf_lark.fix(data, unsafe=True, ignore=["SGF123"])
    assert "SGF123" not in {each.code for each in without.applied}
    with pytest.raises(SGFSyntaxError) as raised:
        sgf_lark.loads(data)
    report = sgf_lark.validate(data)
    assert raised.value.diagnostic in report.diagnostics
    assert not any(each.fix == "safe" for each in report.diagnostics)
    assert all(0 <= each.span.start <= each.span.end <= len(data) for each in report.diagnostics)


@for_each(KINDS)
def test_all_ways_to_read_a_file_give_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole, tree by tree from a small and from a large file, and as it is typed in an editor."""
    small = KINDS[kind](GAME).encode()
    # More than is read at once, in two kinds.
    monkeypatch.setattr(loading, "_BLOCK_SIZE", 1 << 15)
    large = KINDS[kind](GAME + f"(;C[{'many words ' * 500}\n])" * 12).encode()
    for data in (small, large) if kind in {"mail", "URL, brackets only"} else (small,):
        whole = sgf_lark.loads(data, tolerant=True)
        found = [*sgf_lark.iter_games(io.BytesIO(data), tolerant=True)]
        assert content(found) == content(whole)
        assert [each.code for game in found for each in game.damage] == [
            each.code for each in whole.damage
        ]
        with pytest.raises(SGFSyntaxError) as raised:
            [*sgf_lark.iter_games(io.BytesIO(data))]
        assert "SGF123" in raised.value.diagnostic.code
    analysis = TextAnalysis(Text(small), Settings())
    assert analysis.codes.keys() == {"SGF123"}
    [choice] = analysis.unsafe_fixes.values()
    assert games(apply(small, analysis.edits(choice)), tolerant=True) == games(plain(kind).encode())
    assert not analysis.safe_fixes


@for_each(
    [
        b"(;FF[4]C[&amp; <br> %5B =5D \\\\n &#91; {a}])",
        b"(;FF[4]C[a &amp; b];B[aa]*;W[bb])",
        b"(;FF[4]C[> a\n> b]GM[1],;B[aa])",
        "(;FF[4]CA[UTF-8]C[\uff3ba\uff3d\uff08b\uff09]B[aa]".encode(),
    ]
)
def test_texts_alone_are_content(data: bytes) -> None:
    collection = sgf_lark.loads(data, tolerant=True)
    assert "SGF123" not in {each.code for each in collection.damage}
    assert bytes(collection[0].root.property("C")) in data


#: Signs of layers as they stand in texts that mean just that, by layer.
SIGNS_IN_TEXTS = {
    "mail quotes": "> a\n> b\n> c\n",
    "heads of lines as in chats and logs": "Lee: hi\n14:05 <lee> ok\nCho: bye\n",
    "line numbers": "1 a\n2 b\n3 c\n",
    "marks of a comparison of files": "+a\n-b\n+c\n",
    "quoted-printable": "=3D =20 =5B",
    "URL encoding of a form": "100%25+50%25+%5B",
    "URL encoding": "100%20 50%25 %5B %u597d",
    "HTML": "&lt;b&gt; &amp; <br> &#91;",
    "RTF": "a\\par b\\\\ \\{c",
    "escapes of a string as in JSON": "C:\\\\x\\\\new \\n \\u597d \\/ \\t",
    "quotation marks around the file": '"x" ""y""',
    "Markdown escapes": "a \\(b\\) \\* \\; \\_",
    "Markdown": "`a` **b** ~~",
    "BBCode": "\\[b\\]bold\\[/b\\] /",
    "control sequences of a terminal": "^M^M ^J",
    "Base64": "KDtleHBlcnQgb3BpbmlvbnMgb2YgYSBnYW1lIHdpdGhvdXQgb25l",
    "full-width letters and brackets": "\uff22\uff3baa\uff3d",
    "full-width brackets": "\uff08d\uff09\uff1b",
    "other brackets": "{a} 【b】",
    "angle brackets": "B<aa> W<bb>",
    "parentheses for brackets": "B(aa) W(bb)",
    "quotation marks for brackets": "B\"aa\" W'bb'",
    "no-break, ideographic and invisible blanks": "a\u00a0b\u3000c\u200bd",
}


@for_each([*SIGNS_IN_TEXTS.values(), "end\\\\", "a\\\\b", "\\\\\\\\", "\\\\\\]", 'say \\"hi\\"'])
def test_a_head_that_is_cut_off_makes_no_layer_of_what_texts_contain(text: str) -> None:
    rest = f"FF[4]GM[1]CA[UTF-8];B[ab]C[{text}];W[ag]N[{text}])"
    for head in ("", ";", "(;"):
        fixed = sgf_lark.fix((head + rest).encode(), unsafe=True).data.decode()
        assert fixed == f"(;{rest}"


@for_each(
    [
        (
            ';FF[4]GM[1]\\n;B[ab]C[say \\"hi\\"\\n]\\n;W[ag])',
            '(;FF[4]GM[1]\n;B[ab]C[say "hi"\n]\n;W[ag])',
        ),
        (";FF[4]GM[1]%0A;B%5Bab]C[a%20b]%0A;W[ag])", "(;FF[4]GM[1]\n;B[ab]C[a b]\n;W[ag])"),
        (";FF[4]GM[1]<br>;B[ab]C[a &lt; b]<br>;W[ag])", "(;FF[4]GM[1]\n;B[ab]C[a < b]\n;W[ag])"),
        (
            "(;FF[4]GM[1]CA[UTF-8];黑[pd]C[见 黑[A] 和 白[bb]];白[dd])",
            "(;FF[4]GM[1]CA[UTF-8];B[pd]C[见 黑[A\\] 和 白[bb\\]];W[dd])",
        ),
        (
            "(;FF[4]GM[1]CA[UTF-8];В[pd];W[dd];В[cc]С[и В[а] и В[b]])",
            "(;FF[4]GM[1]CA[UTF-8];B[pd];W[dd];B[cc]C[и В[а\\] и В[b\\]])",
        ),
        # With the layer the texts seem to go on over the next nodes.
        (
            "(;FF[4]GM[1];\xa0B[pd]C[j\n];\xa0W[dd];\xa0B[aa];\xa0W[cc])",
            "(;FF[4]GM[1]; B[pd]C[j\n]; W[dd]; B[aa]; W[cc])",
        ),
    ]
)
def test_a_layer_outside_of_texts_is_undone(data: str, fixed: str) -> None:
    charset = "utf-8" if "UTF-8" in data else "latin-1"
    assert sgf_lark.fix(data.encode(charset), unsafe=True).data.decode() == fixed


@for_each([("[sgf]", "[/sgf]"), ("```sgf\n", "\n```\n"), ('"', '"'), ("<pre>", "</pre>")])
def test_what_is_only_around_a_game_is_junk(before: str, after: str) -> None:
    data = (before + GAME + after).encode()
    assert games(data, tolerant=True) == games(GAME)
    codes = {each.code for each in sgf_lark.validate(data).diagnostics}
    assert "SGF101" in codes and "SGF123" not in codes


@for_each(["\\;B[aa]", "\uff1bB[aa]", "{x};B[aa]", "<br>;B[aa]", "\u00a0AB[aa]", "C[a\\\\\\]"])
def test_one_stray_is_no_layer(stray: str) -> None:
    data = f"(;FF[4]GM[1]{stray})".encode()
    assert "SGF123" not in {each.code for each in sgf_lark.validate(data).diagnostics}


def test_findings_are_where_they_are_in_the_file() -> None:
    data = quote("(;FF[4]GM[1]SZ[19];B[zz])").encode()
    [found] = [each for each in sgf_lark.validate(data).diagnostics if each.code == "SGF401"]
    assert data[found.span.start :].startswith(b"%5Bzz") or data[found.span.start :].startswith(
        b"zz"
    )


def test_a_collection_without_a_layer_is_pickled_and_written() -> None:
    data = quote(GAME).encode()
    collection = sgf_lark.loads(data, tolerant=True)
    assert sgf_lark.dumps(collection) == data
    assert pickle.loads(pickle.dumps(collection)).damage == collection.damage
    collection[0].root["PB"] = "x"
    assert sgf_lark.loads(sgf_lark.dumps(collection))[0].root["PB"] == "x"


@for_each(
    [
        (b";PW[Dosaku];B[pd];W[qq]", 2),
        (b";W[po];B[qq]", 2),
        (b";W[po]", 1),
        (b"PW[Dosaku]B[aa]", 1),
        (b"B[aa] is a point", 0),
        (b"FF[4]GM[1]SZ[19]PB[a];B[pd];W[dd]", 2),
        (b"PB[Lee]\nPW[Cho]\n;B[pd]\n;W[dd]\n", 2),
        (b";FF[4]SZ[9];B[aa](;W[bb])(;W[cc]C[(])", 3),
        (b"PB[Lee (9p)]PW[Cho];B[pd];W[dd]C[the e", 2),
        (b";B[pd] (;FF[4];B[aa];W[bb]) (;FF[4];B[cc])", 3),
    ]
)
def test_a_game_without_parentheses(data: bytes, moves: int) -> None:
    nodes = [node for game in sgf_lark.loads(data, tolerant=True) for node in game.nodes()]
    assert sum(len(node.moves()) for node in nodes) == moves
    fixed = sgf_lark.loads(sgf_lark.fix(data, unsafe=True).data, tolerant=True)
    assert sum(len(node.moves()) for game in fixed for node in game.nodes()) == moves


#: A file with a layer of its grammar, and the same without: what its texts have is content, though
#: their brackets are not escaped.
WORDS_IN_TEXTS = [
    ("黑[pd]C[见 黑[A] 白[B]];白[dd];黑[cc]", "B[pd]C[见 黑[A\\] 白[B\\]];W[dd];B[cc]"),
    (
        "black[pd]C[so black[aa] or white[b]];white[dd]",
        "B[pd]C[so black[aa\\] or white[b\\]];W[dd]",
    ),
    (
        "\u0412[pd]C[\u0412[\u0430] \u0438 \u0412[b]];W[dd];\u0412[cc]\u0421[x]",
        "B[pd]C[\u0412[\u0430\\] \u0438 \u0412[b\\]];W[dd];B[cc]C[x]",
    ),
    (
        "12.B[pd]C[see [a] 13.;W[bb] ok];13.W[dd];14.B[cc]",
        "B[pd]C[see [a\\] 13.;W[bb\\] ok];W[dd];B[cc]",
    ),
    ("Bpd;Wdd;Bcc", "B[pd];W[dd];B[cc]"),
    ("1.Bpd;2. W dd;1003)B=ccC[a [b];Waa c]", "B[pd];W[dd];B[cc]C[a [b\\];Waa c]"),
    ("B pd;Wdd;B[cc]", "B[pd];W[dd];B[cc]"),
    ("黑pd;白dd;黑cc", "B[pd];W[dd];B[cc]"),
    ("B{pd}C{so {A} b};W{dd};B{cc}", "B[pd]C[so {A} b];W[dd];B[cc]"),
    ("B“pd”C“so “yes””;W“dd”", "B[pd]C[so “yes”];W[dd]"),
    ("**B[pd]**;**W[dd]**C[a **b** [c]];*B[cc]*", "B[pd];W[dd]C[a **b** [c\\]];B[cc]"),
    ("999.B[pd];1000.W[dd];1001.B[cc]", "B[pd];W[dd];B[cc]"),
    (
        "B[pd]/W[dd]/B[cc]C[or [1] /B[dd] /W[ee] too]",
        "B[pd];W[dd];B[cc]C[or [1\\] /B[dd\\] /W[ee\\] too]",
    ),
    ("\u0410\u0412[pd]\u0410W[dd]\u041d\u041e[1]", "AB[pd]AW[dd]HO[1]"),
]


@for_each(WORDS_IN_TEXTS)
def test_words_in_texts_stay(given: str, expected: str) -> None:
    head = "(;FF[4]GM[1]CA[UTF-8]SZ[19];"
    result = sgf_lark.fix(f"{head}{given})".encode(), unsafe=True)
    assert result.data.decode() == f"{head}{expected})"
    assert sgf_lark.fix(f"{head}{given})".encode()).data.decode() == f"{head}{given})"


@for_each(["[;FF[4];B[pd];W[dd]]", "[;FF[4];B[pd][;W[dd];B[]][;W[dp]]]"])
def test_full_width_brackets_are_parentheses_too(game: str) -> None:
    expected = re.sub(r"\[(?=;)", "(", re.sub(r"(?<=\])\]", ")", game))
    wide = game.translate({ord(each): ord(each) + 0xFEE0 for each in "[];"})
    assert sgf_lark.fix(wide.encode(), unsafe=True).data.decode() == expected


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@for_each([61, 73, 80])
def test_lines_that_a_program_broke(width: int, line_end: str) -> None:
    """They are joined in a file that follows the grammar as well."""
    points = [f"{a}{b}" for a in "abcdefghi" for b in "abcdefg"]
    moves = [f";{color}[{point}]" for point, color in zip(points, "BW" * 40, strict=False)]
    comment = "one long line of words that is broken as well, and is one line again"
    game = f"(;FF[4]GM[1]SZ[19]C[{comment}]{''.join(moves)})"
    pieces = [game[at : at + width] for at in range(0, len(game), width)]
    assert games(line_end.join(pieces), tolerant=True) == games(game)
    # Lines that were written so are not touched.
    written = line_end.join("".join(moves[at : at + 13]) for at in range(0, len(moves), 13))
    plain = f"(;FF[4]C[a\nb]{line_end}{written})"
    assert "SGF123" not in {each.code for each in sgf_lark.validate(plain).diagnostics}


@pytest.mark.parametrize("size", [10, 2_000])
@for_each(["1]", "]", "GNU Go 3.5.4 (2004-04-10; 00:32)\n]", "a \\] b; c :) d]", "", ";"])
def test_a_head_is_cut_off_in_files_of_any_size(head: str, size: int) -> None:
    data = f"{head}SZ[19]PB[Lee]{';B[aa];W[bb]' * size})"
    [game] = sgf_lark.loads(data, tolerant=True)
    assert game.parsed.numbers.stop == 2 * size + 1 and game.root["PB"] == "Lee"


def test_signs_alone_are_no_game() -> None:
    """Repeated signs of all layers, in which no game is, are read to their end."""
    signs = [sign for each in layers() for sign in each.signs]
    choices = random.Random(1)
    small = b"".join(choices.choices(signs, k=2000))
    for data in (small, b"(;" + small * 4 + b")", b"%25" * 5000, b"<" * 12500):
        assert len(sgf_lark.loads(data, tolerant=True)) <= 1


HEAD = "(;FF[4]GM[1]CA[UTF-8]SZ[19]"
#: Games in scripts of all kinds, and with characters that have the bytes 10 and 13 in UTF-16.
SCRIPTS = {
    script: HEAD + game
    for script, game in {
        "Chinese": "PB[古力]\n;B[pd]C[一手\n好棋]\n;W[dd]\n;B[pp])\n",
        "byte 10": "PB[上上南]\n;B[pd]C[向上\n上不]\n;W[dd];B[pp]\n)\n",
        "byte 13": "\nPB[不田]\n;B[pd]C[没有不\n]\n;W[dd]\n;B[pp])\n",
        "Korean": "PW[이세돌]\n;B[pd]C[좋은 수\n\n포석]\n;W[dd])\n",
        "Japanese": "\n\nPW[武宮正樹]\n;B[pd]C[はい\nかな]\n;W[dd])",
        "Russian": "PW[Михаил]\n;B[pd]C[ход\n]\n;W[dd])\n",
        "French": "EV[café]\n\n\n;B[pd]\n;W[dd]C[à côté\ndéjà\n])\n",
        "emoji": "\nGC[😀😀\nx]\n;B[pd]\n;W[dd]C[👍]\n)\n",
        "English": "\n" + "\n".join(f";B[{a}c]\n;W[{a}d]" for a in "abcdefgh") + "\n)",
        "two games": 2 * f"\n;B[pd]C[好\n])\n{HEAD}" + "\n;B[pd]C[好\n])\n",
    }.items()
}
ORDERS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
#: How a program wrote the ends of lines of a text that is in UTF-16.
LINE_ENDS: dict[str, Callable[[str, str], bytes]] = {
    "LF": lambda game, codec: b"\n".join(each.encode(codec) for each in game.split("\n")),
    "CR": lambda game, codec: b"\r".join(each.encode(codec) for each in game.split("\n")),
    "CR LF": lambda game, codec: b"\r\n".join(each.encode(codec) for each in game.split("\n")),
    "LF after a character CR": lambda game, codec: b"\n".join(
        each.encode(codec) for each in game.replace("\n", "\r\n").split("\n")
    ),
    "CR before a character LF": lambda game, codec: b"".join(
        each.encode(codec).replace("\n".encode(codec), b"\r" + "\n".encode(codec)) for each in game
    ),
}


@pytest.mark.parametrize("written", LINE_ENDS)
@for_each(product(SCRIPTS, ORDERS))
def test_line_ends_of_one_byte_in_utf_16(script: str, codec: str, written: str) -> None:
    game = SCRIPTS[script]
    for mark in (ORDERS[codec], b""):
        data = mark + LINE_ENDS[written](game, codec)
        collection = sgf_lark.loads(data, tolerant=True)
        assert content(collection) == games(game)
        assert [each.code for each in collection.damage] == ["SGF123"]


@for_each(product(LINE_ENDS, ORDERS))
def test_line_ends_of_one_byte_are_fixed_and_read_game_by_game(written: str, codec: str) -> None:
    game = SCRIPTS["byte 10"]
    data = ORDERS[codec] + LINE_ENDS[written](game, codec)
    fixed = sgf_lark.fix(data, unsafe=True)
    assert fixed.ok and games(fixed.data) == games(game)
    assert sgf_lark.fix(data).data == data
    assert content(sgf_lark.iter_games(io.BytesIO(data), tolerant=True)) == games(game)
    found = sgf_lark.validate(data).diagnostics
    assert all(0 <= each.span.start <= each.span.end <= len(data) for each in found)


@for_each(SCRIPTS)
@pytest.mark.parametrize("codec", ORDERS)
def test_utf_16_with_other_damage_is_read_as_it_is(script: str, codec: str) -> None:
    game = SCRIPTS[script].replace(";B[pd]", "*;B[pd]").replace(";W[dd]", "<br>;W[dd]")
    data = ORDERS[codec] + game.encode(codec)
    assert games(data, tolerant=True) == games(game, tolerant=True)
    found = sgf_lark.loads(data, tolerant=True).damage
    assert not any("UTF-16" in each.message for each in found)


@for_each(["mail", "URL", "entities", "quoted-printable"])
def test_a_layer_over_a_file_in_utf_16(kind: str) -> None:
    data = b"\xff\xfe" + KINDS[kind](GAME).encode("utf-16-le")
    assert games(data, tolerant=True) == games(GAME)
