"""Collections in several charsets: each game tree is read, validated and fixed by itself."""

from __future__ import annotations

import io
import pickle
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import SGFSyntaxError
from sgf_lark.text import charsets
from sgf_lark.text.validity import encode
from tests.kit.tables import for_each

#: Names in CA, with letters that the charset has. The second bytes of some of them are brackets
#: or escapes to the parser.
LETTERS = {
    "Shift_JIS": "表ソ能予ゾ倉黒ｱ",
    "GB18030": "乗淺古力棋俓㐀€",
    "GBK": "乗淺古力棋",
    "Big5": "功許蓋開圍棋",
    "UTF-8": "古力é表😀",
    "KOI8-R": "Шахматы",
    "windows-1252": "é“ü€",
    "ISO-8859-1": "éüß",
    "EUC-KR": "한국",
    "ISO-2022-JP": "表黒",
}
#: Rules about a collection, which a game tree by itself cannot break.
OF_COLLECTIONS = {"SGF701", "SGF702", "SGF703", "SGF704"}


@st.composite
def games(draw: st.DrawFn) -> bytes:
    """A game tree in a charset, which it declares or not. In some, brackets are not escaped."""
    name = draw(st.sampled_from(sorted(LETTERS)))
    letters = st.sampled_from(LETTERS[name])
    texts = [
        draw(st.text(letters | st.sampled_from("ab. ") if draw(st.booleans()) else letters,
                     min_size=1, max_size=6))
        for _ in range(3)
    ]  # fmt: skip
    codec = charsets.named(name).codec
    is_escaped = draw(st.booleans())
    raws = [encode(text, codec) if is_escaped else text.encode(codec) for text in texts]
    declared = b"CA[%s]" % name.encode() if draw(st.integers(0, 3)) else b""
    before, after = (declared, b"") if draw(st.booleans()) else (b"", declared)
    tail = draw(
        st.sampled_from([b"", b"(;W[dd])(;W[de]C[%s])" % raws[2], b";W[dd]N[%s]" % raws[2]])
    )
    end = draw(st.sampled_from([b"", b"\n", b" \r\n"]))
    return b"(;FF[4]GM[1]%sPB[%s]%sPW[%s];B[pd]%s)%s" % (
        before, raws[0], after, raws[1], tail, end,
    )  # fmt: skip


collections = st.lists(games(), min_size=2, max_size=3)


def content(game: sgf_lark.GameTree) -> list[Any]:
    """All values of a game tree."""
    return [[(each.ident, each.value) for each in node.properties] for node in game.nodes()]


def verdicts(data: bytes, before: int = 0) -> list[Any]:
    """The diagnostics of a file, as if so many bytes preceded it."""
    return [
        (each.code, each.message, each.span.start + before, each.span.end + before)
        for each in sgf_lark.validate(data).diagnostics
        if each.code not in OF_COLLECTIONS
    ]


def read(data: bytes) -> list[sgf_lark.GameTree]:
    return list(sgf_lark.loads(data, tolerant=True))


def are_intact(parts: list[bytes]) -> bool:
    """Whether each part is one game tree by itself."""
    try:
        return all(len(sgf_lark.loads(part)) == 1 for part in parts)
    except SGFSyntaxError:
        return False


SHIFT_JIS = b"(;FF[4]GM[1]CA[Shift_JIS]PB[\x95\x5c];B[pd])"
OTHERS = [
    f"(;FF[4]GM[1]CA[{name}]PB[{text}];B[pd])".encode(name) for name, text in LETTERS.items()
] + ["(;FF[4]GM[1]PB[古力];B[pd])".encode(), b"(;FF[4]GM[1];B[pd])"]


@pytest.mark.parametrize("is_first", [True, False])
@for_each(OTHERS)
def test_a_game_tree_beside_one_in_shift_jis(other: bytes, is_first: bool) -> None:
    parts = [SHIFT_JIS, other] if is_first else [other, SHIFT_JIS]
    found = read(b"".join(parts))
    assert [content(game) for game in found] == [content(read(part)[0]) for part in parts]
    assert found[not is_first].root["PB"] == "表"


@given(collections)
@example(
    [
        b"(;FF[4]GM[1]PB[\xa2\xe3]PW[\xa2\xe3];B[pd];W[dd]N[\xa2\xe3\x81\\])",
        b"(;FF[4]GM[1]PB[\xb1\xb9]CA[EUC-KR]PW[\xb1\xb9];B[pd])",
    ]
)
def test_a_collection_is_read_like_its_parts(parts: list[bytes]) -> None:
    assume(are_intact(parts))
    alone = [read(part)[0] for part in parts]
    data = b"".join(parts)
    together = sgf_lark.loads(data)
    assert list(map(content, together)) == list(map(content, alone))
    assert [each.charset for each in together] == [each.charset for each in alone]
    assert [each.has_certain_charset for each in together] == [
        each.has_certain_charset for each in alone
    ]
    assert list(map(content, sgf_lark.iter_games(io.BytesIO(data)))) == list(map(content, alone))


@given(collections)
def test_a_collection_is_validated_like_its_parts(parts: list[bytes]) -> None:
    assume(are_intact(parts))
    expected, size = [], 0
    for part in parts:
        expected += verdicts(part, size)
        size += len(part)
    assert sorted(verdicts(b"".join(parts))) == sorted(expected)


@given(collections, st.booleans())
def test_a_collection_is_fixed_like_its_parts(parts: list[bytes], unsafe: bool) -> None:
    """Or its bytes are kept.

    Where no CA tells where the characters of a game end, an unsafe fix may go by another reading.
    """
    assume(are_intact(parts))
    assume(not unsafe or all(part.isascii() or b"CA[" in part for part in parts))
    data = b"".join(parts)
    fixed = sgf_lark.fix(data, unsafe=unsafe).data
    if fixed != data:
        alone = [read(sgf_lark.fix(part, unsafe=unsafe).data)[0] for part in parts]
        assert list(map(texts, read(fixed))) == list(map(texts, alone))
    assert sgf_lark.fix(fixed, unsafe=unsafe).data == fixed


def texts(game: sgf_lark.GameTree) -> list[Any]:
    """All values of a game tree but the name of its charset."""
    return [[each for each in node if each[0] != "CA"] for node in content(game)]


@given(collections)
def test_a_collection_is_written_as_it_was_read(parts: list[bytes]) -> None:
    data = b"".join(parts)
    collection = sgf_lark.loads(data, tolerant=True)
    if not collection.damage:
        assert sgf_lark.dumps(collection) == data


def test_bytes_are_kept_where_a_game_tree_is_open() -> None:
    """It may contain the next one, which declares another charset."""
    data = SHIFT_JIS[:-1] + OTHERS[4]
    collection = sgf_lark.loads(data, tolerant=True)
    assert collection.file.decoding.sections.are_bytes
    assert sgf_lark.fix(data).data == data


def test_a_value_that_looks_like_the_charset_is_text() -> None:
    data = "(;FF[4]GM[1]C[黑棋許功蓋，白棋功]PB[CA[GBK])".encode("big5")
    root = sgf_lark.loads(data)[0].root
    assert (root["C"], root["PB"]) == ("黑棋許功蓋，白棋功", "CA[GBK")


def test_a_pickled_tree_takes_along_a_file_that_is_its_own() -> None:
    tree = sgf_lark.loads(b"x(;FF[4])", tolerant=True)[-1]
    assert pickle.loads(pickle.dumps(tree)).parsed.bounds == tree.parsed.bounds


def test_a_game_tree_of_another_file_keeps_its_texts() -> None:
    """In a collection whose game trees have several charsets; each of them is decoded by itself."""
    texts = {"Shift_JIS": "表]", "Big5": "許]"}
    data = b"".join(
        b"(;FF[4]GM[1]CA[%s]PB[%s])" % (name.encode(), text[0].encode(name) + b"\\]")
        for name, text in texts.items()
    )
    collection = sgf_lark.loads(data)
    [other] = sgf_lark.loads("(;FF[4]GM[1]CA[UTF-8]PB[한국])")
    collection.append(other)
    found = sgf_lark.loads(sgf_lark.dumps(collection))
    assert [tree.root["PB"] for tree in found] == [*texts.values(), "한국"]
