"""Bytes and text are read, validated, fixed and parsed alike, and all functions accept the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from lark import Token

import sgf_lark
from sgf_lark import SGFSyntaxError, grammar
from sgf_lark.conformance.suite import load_suite
from sgf_lark.fuzz.strategies import mutants
from tests.kit.tables import for_each

EXAMPLES = sorted(
    {
        example.data
        for rule in grammar.rules().values()
        for example in (*rule.bad, *rule.good)
        if len(example.data) < 5000
    }
)
SUITE = sorted({case.data for case in load_suite().cases if len(case.data) < 5000})


#: Text is in one charset, whatever its games declare.
OF_BYTES = ["SGF704"]


def outcome(function: Any, data: bytes | str) -> Any:
    """What the function gives, or the code and the place of the syntax error."""
    try:
        return function(data)
    except SGFSyntaxError as error:
        return error.diagnostic.code, error.diagnostic.span


def games(data: bytes | str, *, tolerant: bool = False) -> list[Any]:
    return [
        [[(each.ident, each.raw) for each in node.properties] for node in game.nodes()]
        for game in sgf_lark.loads(data, tolerant=tolerant)
    ]


def is_tree(data: bytes | str) -> bool:
    return sgf_lark.parse_tree(data).data == "collection"


def check_ascii(data: bytes) -> None:
    """Check that a file reads as its text does, where both are the same in each charset."""
    text = data.decode("ascii")
    assert outcome(games, data) == outcome(games, text)
    one, two = (sgf_lark.validate(each, ignore=OF_BYTES) for each in (data, text))
    assert one.diagnostics == two.diagnostics
    first, second = (sgf_lark.fix(each, unsafe=True) for each in (data, text))
    assert (first.data, first.applied) == (second.data, second.applied)
    assert games(data, tolerant=True) == games(text, tolerant=True)
    damage, same = (sgf_lark.loads(each, tolerant=True).damage for each in (data, text))
    assert damage == same


def check_agreement(data: bytes | str) -> None:
    """Check that the functions accept the same, and report the same cause where it is wrong."""
    read, parsed = outcome(games, data), outcome(is_tree, data)
    if isinstance(read, tuple):
        assert isinstance(parsed, tuple) and parsed[0] == read[0]
        found = sgf_lark.validate(data, select=[read[0]]).diagnostics
        assert any(each.span[:2] == read[1][:2] for each in found)
    else:
        assert parsed is True
        assert not sgf_lark.loads(data, tolerant=True).damage


#: Files are read in several ways, validated and fixed twice: only the profile thorough takes all.
STEP = 1 if settings().max_examples > 100 else 8


@for_each([EXAMPLES, SUITE])
def test_text_is_read_as_its_bytes(files: list[bytes]) -> None:
    for data in files[::STEP]:
        if data.isascii() and b"\0" not in data[:2]:
            check_ascii(data)


@for_each([EXAMPLES, SUITE])
def test_all_functions_accept_the_same(files: list[bytes]) -> None:
    for data in files[::STEP]:
        check_agreement(data)


@given(mutants())
def test_damaged_text_is_read_as_its_bytes(data: bytes) -> None:
    check_agreement(data)
    # ISO-2022 and HZ write other text in ASCII.
    if data.isascii() and b"\0" not in data[:2] and not {*b"\x1b~"} & {*data}:
        check_ascii(data)


#: A file, and the code and offset of what is wrong in it; None if nothing is.
CAUSES = [
    ("(;FF[3]GaMe[1](;B[aa]);W[bb])", ("SGF106", 22)),
    ("(;FF[3]Black[aa]C[x])(;FF[4]\nBlack[aa];b[bb])", ("SGF114", 29)),
    ("(;FF[3]Black[aa]C[x])(;FF[4]B[aa];b[bb])", ("SGF114", 34)),
    ("(;FF[3]b[aa])", ("SGF114", 7)),
    ("(;GM[1]FF[3]CoPyright[test])", None),
    ("(;FF[10]Copyright[x])", ("SGF114", 8)),
    ("(;FF[x]CoPyright[x])", None),
]


@for_each(CAUSES)
def test_a_message_names_the_cause(text: str, expected: tuple[str, int] | None) -> None:
    for data in (text, text.encode()):
        for function in (games, is_tree):
            found = outcome(function, data)
            assert (expected is None) == (not isinstance(found, tuple))
            if expected is not None:
                assert (found[0], found[1].start) == expected


def is_identifier(token: object) -> bool:
    return isinstance(token, Token) and token.type == "UCLETTERS"


def test_tokens_of_a_parse_tree_are_as_written() -> None:
    tree = sgf_lark.parse_tree("(;FF[3]CoPyright[x]GaMe[1])")
    assert [*map(str, tree.scan_values(is_identifier))] == ["FF", "CoPyright", "GaMe"]


def test_each_game_tree_of_a_text_is_in_its_own_charset() -> None:
    text = "(;CA[Shift_JIS]PB[表])(;CA[UTF-8]PB[古力])(;PB[é])"
    collection = sgf_lark.loads(text)
    assert [game.charset for game in collection] == ["shift_jis", "utf-8", "latin-1"]
    assert [game.root["PB"] for game in collection] == ["表", "古力", "é"]
    assert [game.root["PB"] for game in sgf_lark.loads(text + "(;PB[古力])")] == [
        "表", "古力", "é", "古力",
    ]  # fmt: skip
