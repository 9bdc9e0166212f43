"""SGF as plain data, and its conversion to JSON."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import grammar, grove
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.model import property
from tests.kit.commands import invoke

CHARSETS = [entry.name.encode() for entry in grammar.charsets()]

#: Bytes with a meaning in SGF, and bytes of which characters of several charsets consist.
PIECES = [
    *(bytes([byte]) for byte in b"ab]\\:[~\x1b\x0e\x0f\x81\x90\xa6\xe6\xff"),
    *(b"\\]", b"\\\\", b"\x90\\", b"\xa6]", b"\x1b$B", b"\x1b(B", b"~{", b"~}", b"\xe6\xa3\x8b"),
]

VALUES: list[tuple[bytes, Any]] = [
    (b"C[a\\]b: \\\\ c]", "a]b: \\ c"),
    (b"C[]", ""),
    (b"C[0]", "0"),
    (b"AB[aa:bb][dd]", [[0, 0], [1, 0], [0, 1], [1, 1], [3, 3]]),
    (b"AB[aa]", [[0, 0]]),
    (b"TB[]", []),
    (b"PL[1]", "B"),
    (b"PL[w]", "W"),
    (b"AP[x:1\\:2]", ["x", "1:2"]),
    (b"LB[cc:1\\:2][dd:x]", [[[2, 2], "1:2"], [[3, 3], "x"]]),
    (b"SZ[19:13]", [19, 13]),
    (b"KM[6.5]", 6.5),
    (b"KM[7]", 7),
    (b"KM[half]", "half"),
    (b"AB[aa][off]", [[0, 0], "off"]),
    (b"FG[]", None),
    (b"FG[257:x]", [257, "x"]),
    (b"DM[2]", 2),
    (b"B[]", []),
    (b"B[tt]", []),
    (b"B[zz]", [25, 25]),
    (b"ZZ[a\\]][\xe9]", ["a\\]", "é"]),
]


@pytest.mark.parametrize(("raw", "expected"), VALUES)
def test_values(raw: bytes, expected: Any) -> None:
    ident = raw[: raw.index(b"[")].decode()
    ((root,),) = grove.decode_sgf(b"(;FF[4]GM[1]CA[ISO-8859-1]" + raw + b")")
    assert root[ident] == expected
    ((again,),) = grove.decode_sgf(grove.encode_sgf([[root]]))
    assert again[ident] == expected


def test_variations_are_games() -> None:
    data = b"(;FF[4];B[aa](;W[bb];B[cc])(;W[dd](;B[ee])))(;FF[4])"
    games = grove.decode_sgf(data)
    assert games == [
        [
            {"FF": 4},
            {
                "B": [0, 0],
                "variations": [
                    [{"W": [1, 1]}, {"B": [2, 2]}],
                    [{"W": [3, 3], "variations": [[{"B": [4, 4]}]]}],
                ],
            },
        ],
        [{"FF": 4}],
    ]
    assert [tree["FF"] for (tree, *_) in grove.decode_sgf(grove.encode_sgf(games))] == [4, 4]


def test_root_is_filled_and_the_data_stay() -> None:
    game: list[Any] = [{"C": "x", "note": 1, "_private": 2, "Mixed": 3}, {"B": [0, 0]}]
    ((root, move),) = grove.decode_sgf(grove.encode_sgf([game]))
    assert root == {
        "FF": 4,
        "GM": 1,
        "CA": "UTF-8",
        "AP": ["sgf_lark", sgf_lark.__version__],
        "C": "x",
    }
    assert move == {"B": [0, 0]}
    assert game[0] == {"C": "x", "note": 1, "_private": 2, "Mixed": 3}


def test_nodes_after_variations_are_the_first_variation() -> None:
    games: list[Any] = [[{"B": [0, 0], "variations": [[{"W": [2, 2]}]]}, {"W": [1, 1]}]]
    assert grove.encode_sgf(games).endswith(b"B[aa](;W[bb])(;W[cc]))\n")


def test_the_point_that_a_short_pass_names() -> None:
    games: list[Any] = [[{"SZ": 21, "B": [19, 19]}], [{"SZ": 19, "AB": [[19, 19]], "B": []}]]
    data = grove.encode_sgf(games)
    assert data.count(b"B[tt]") == 2
    decoded = grove.decode_sgf(data)
    assert [game[0]["B"] for game in decoded] == [[19, 19], []]


def test_charset() -> None:
    assert grove.decode_sgf(b"(;FF[4]C[\x93x\x94])")[0][0]["C"] == "“x”"
    data = grove.encode_sgf([[{"CA": "GB18030", "C": "围棋"}]])
    assert "围棋".encode("gb18030") in data
    assert grove.decode_sgf(data)[0][0]["C"] == "围棋"
    assert grove.decode_sgf("(;FF[4]C[棋])")[0][0]["C"] == "棋"


def test_unescaped_bracket_is_text() -> None:
    assert grove.decode_sgf(b"(;FF[4]C[see [1] there];B[aa])")[0][0]["C"] == "see [1] there"
    with pytest.raises(sgf_lark.SGFSyntaxError):
        grove.decode_sgf(b"(;FF[4]C[x]")


WRONG: list[tuple[Any, str]] = [
    ([[]], "node"),
    ([[{"FF": 4, "variations": [[]]}]], "variation"),
    ([[{"variations": [[{"B": None}], [{"variations": [[{}], []]}]]}]], "variation"),
    ([[{"AB": [0, 0]}]], "AB"),
    ([[{"AB": 3}]], "AB"),
    ([[{"KM": [1]}]], "KM"),
    ([[{"B": [99, 0]}]], "B"),
    ([[{"B": [19, 19]}]], "B: .*pass"),
    ([[{"SZ": 9, "GM": 1}, {"W": (19, 19)}]], "W: .*pass"),
    ([[{"CA": "UTF-16"}]], "UTF-16"),
    ([[{"CA": "US-ASCII", "C": "é"}]], "C"),
    ([[{"ZZ": "open\\"}]], "ZZ"),
    *(
        ([[{ident: value}]], f"{ident}: .*zero byte")
        for ident, value in {
            "C": "a\0b",
            "PB": "\0",
            "ZZ": "a\0b",
            "LB": [[[1, 1], "a\0"]],
            "AP": ["\0", "1"],
            "FG": [0, "\0"],
        }.items()
    ),
]


@pytest.mark.parametrize(("games", "named"), WRONG)
def test_what_sgf_cannot_hold_is_refused(games: Any, named: str) -> None:
    with pytest.raises((TypeError, ValueError), match=named):
        grove.encode_sgf(games)


def test_arrows_of_games_whose_points_nobody_describes() -> None:
    data = b"(;FF[4]GM[2]AR[a1:h8][b2:c3])"
    assert b"AR[a1:h8][b2:c3]" in grove.encode_sgf(grove.decode_sgf(data))


@given(collections(charset="UTF-8"))
def test_decoded_data_are_json_and_encode_to_the_same(data: bytes) -> None:
    games = grove.decode_sgf(data)
    assert json.loads(json.dumps(games)) == games
    again = grove.decode_sgf(grove.encode_sgf(games))
    for game, other in zip(games, again, strict=True):
        for added in {"AP", "CA", "GM"} - game[0].keys():
            del other[0][added]
        assert game == other


def assert_encodes_to_the_same(data: bytes) -> None:
    """What the data decode to, encoded and decoded again, is the same and has the defaults, as far
    as it is certain which charset each game is in."""
    try:
        games = grove.decode_sgf(data)
    except sgf_lark.SGFSyntaxError:
        return
    again = grove.decode_sgf(grove.encode_sgf(games))
    if not all(tree.has_certain_charset for tree in sgf_lark.loads(data, tolerant=True)):
        return
    for game, other in zip(games, again, strict=True):
        for added in ("FF", "GM", "CA", "AP"):
            if not game[0].get(added):
                game[0].pop(added, None)
                del other[0][added]
    assert again == games


DAMAGED = [
    b"(;B[a]b])",
    b"(;FF[4]]GM[1];B[aa])",
    b"(;FF[3]FF[4]GM[1];B[])",
    b"(;FF[4)]SZ[43:36];B[])",
    b"(;GM[\xff]SZ[a]b];AB[aa]x][bb])",
    b"(;FF[4]AP[nl]LB[ab])",
    b"(;FF[4]CA[xyz]C[\xe9])",
    b"(;FF[4]CA[UTF-16]C[x])",
    b"(;FF[4]CA[windows-1255]C[\xfc])",
    b"(;FF[4]CA[Shift_JIS]ZZ[\x90\\\\]C[\x90])",
    b"(;FF[4]CA[ISO-2022-JP]B[\x1b\xeeBI=\x1b(B]C[x])",
    b"(;FF[4]CA[HZ-GB-2312]AP[a~{!Aa]B[~{])",
    b"(;FF[4]GM[9];B[c5c6\x81];W[C2:C5++])",
    b"(;FF[4]GM[11]SZ[25];MA[ki6];B[swap]])",
    b"(;FF[4]GM[19]AS[67:74][67AB:74]AB[])",
    b"(;FF[4]GM[2];B[f5]LB[\xe9:x][a]b:y])",
]


@pytest.mark.parametrize("data", DAMAGED)
def test_damaged_files_encode_to_the_same(data: bytes) -> None:
    assert_encodes_to_the_same(data)


@given(mutants())
def test_mutants_encode_to_the_same(data: bytes) -> None:
    assert_encodes_to_the_same(data)


@given(st.lists(st.sampled_from(PIECES)).map(b"".join), st.sampled_from(CHARSETS))
def test_bytes_of_every_charset_encode_to_the_same(value: bytes, charset: bytes) -> None:
    for ident in (b"C", b"B", b"ZZ", b"LB", b"AB"):
        assert_encodes_to_the_same(b"(;FF[4]CA[%s]%s[%s]N[x])" % (charset, ident, value))


def test_points_of_a_file_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten bytes in each of many nodes stand for a whole board."""
    monkeypatch.setattr(property, "_USUAL_POINTS", 10_000)
    node, head = b";AB[aa:ZZ]", b"(;FF[4]GM[1]SZ[52]"
    [game] = grove.decode_sgf(head + node * 3 + b")")
    assert len(game[3]["AB"]) == 52 * 52
    with pytest.raises(ValueError, match="more than 10,000 points"):
        grove.decode_sgf((head + node * 2 + b")") * 2)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    grove.save_sgf(path, [[{"C": "x"}]])
    assert grove.load_sgf(path)[0][0]["C"] == "x"
    assert [item.name for item in tmp_path.iterdir()] == ["game.sgf"]


def test_depth_is_no_matter() -> None:
    data = b"(;FF[4]" + b"(;" * 50_000 + b")" * 50_001
    assert grove.encode_sgf(grove.decode_sgf(data)).count(b"(") == 50_001


# --- sgf-lark convert ---------------------------------------------------------------------


convert = partial(invoke, "convert")


SGF = b"(;FF[4]GM[1]CA[UTF-8]AP[x:1]C[\xe6\xa3\x8b];B[aa])\n"


def test_there_and_back(tmp_path: Path) -> None:
    there = convert("-", stdin=SGF)
    assert json.loads(there.stdout_bytes)[0][0]["C"] == "棋"
    assert convert("-", stdin=there.stdout_bytes).stdout_bytes == SGF
    source, target = tmp_path / "a.sgf", tmp_path / "a.json"
    source.write_bytes(SGF)
    assert convert(source, "-o", target).exit_code == 0
    assert convert(target, "-o", tmp_path / "b.sgf").exit_code == 0
    assert (tmp_path / "b.sgf").read_bytes() == SGF
    assert convert("-", "--format", "sgf", stdin=SGF).stdout_bytes == SGF


def test_deep_json_is_read_back_or_refused() -> None:
    data = b"(;FF[4]GM[1]CA[UTF-8]AP[x:1]" + b"(;LB[aa:1]" * 200 + b")" * 201 + b"\n"
    there = convert("-", stdin=data)
    assert convert("-", stdin=there.stdout_bytes).stdout_bytes == data
    deeper = convert("-", stdin=b"(;B[aa]" * 20_000 + b")" * 20_000)
    assert (deeper.exit_code, deeper.stdout_bytes) == (1, b"")
    assert "the variations are nested too deeply for JSON" in deeper.stderr


def test_undecodable_bytes_survive() -> None:
    text = "(;FF[4]GM[1]CA[UTF-8]AP[x:1]C[棋譜]".encode()
    there = convert("-", stdin=text + b"ZZ[\xff])")
    assert convert("-", stdin=there.stdout_bytes).stdout_bytes.endswith(b"ZZ[\xff])\n")


@pytest.mark.parametrize(
    "data",
    [b"", b"(;FF[4]", b"[", b"{}", b"[1]", b"[[1]]", b'[[{"AB": 1}]]', b"[[]]", b"[\xff]",
     b'[[{"variations": 3}]]', b'[[{"variations": [[3]]}]]', b'[[{"KM": [%s]}]]' % (b"5" * 5_000),
     b"(;" * 100_000 + b")" * 100_000, b"[" * 100_000 + b"]" * 100_000],
)  # fmt: skip
def test_what_cannot_be_converted_is_refused(tmp_path: Path, data: bytes) -> None:
    target = tmp_path / ("out.json" if data[:1] in (b"", b"(") else "out.sgf")
    result = convert("-", "-o", target, stdin=data)
    assert result.exit_code == 1
    assert result.stderr.startswith("sgf-lark: -: ")
    assert not target.exists()
    assert convert("no-such.sgf").exit_code == 2
    assert "sys." not in result.stderr


@pytest.mark.parametrize(
    ("json_text", "key"),
    [
        (b'[[{"GM":1,"PB":"a","PB":"b"}]]', "'PB'"),
        (b'[[{"GM":1}, {"B":[3,3], "C":"x", "C":"x"}]]', "'C'"),
        (b'[[{"variations":[[{"B":[1,1]}]],"variations":[[{"B":[2,2]}]]}]]', "'variations'"),
        (b'[[{"GM":1}], [{"KM":1,"KM":2,"KM":3}]]', "'KM'"),
        (b'[[{"_x":1,"_x":2}]]', "'_x'"),
    ],
)
def test_a_key_that_is_there_twice_is_named(json_text: bytes, key: str) -> None:
    done = convert("-", stdin=json_text)
    assert done.exit_code == 1 and key in done.stderr


def test_keys_that_no_file_can_have_are_named() -> None:
    keys = b'"C": "x", "b": ["y"], "_note": 1, "": 0, "variations": [[{"B1": "z"}]]'
    result = convert("-", stdin=b"[[{%s}]]" % keys)
    assert result.exit_code == 1
    assert result.stdout_bytes.endswith(b"C[x](;))\n")
    notes = sorted(line.split(":")[1] for line in result.stderr.splitlines())
    assert notes == [" lost '' of /0/0", " lost 'B1' of /0/0/variations/0/0", " lost 'b' of /0/0"]
