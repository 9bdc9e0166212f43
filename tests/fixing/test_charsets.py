"""Which game trees are written in another charset, and how the change reads."""

from __future__ import annotations

import re

import pytest

from sgf_lark import Rewriting, fix
from tests.kit.tables import for_each

IN_GBK = "(;FF[4]CA[GBK]PB[古力])".encode("gbk")
IN_UTF_8 = "(;FF[4]CA[UTF-8]PB[古力])".encode()
FROM_GBK = ("CA[GBK]", "CA[UTF-8]")

#: Files, the files in UTF-8, and what the changes of game trees are from and to.
WRITTEN: list[tuple[bytes, bytes, list[tuple[str, str]]]] = [
    (IN_GBK, IN_UTF_8, [FROM_GBK]),
    # The bytes of the other game can be read in UTF-8.
    (IN_UTF_8 + IN_GBK, IN_UTF_8 * 2, [FROM_GBK]),
    (IN_GBK + IN_UTF_8, IN_UTF_8 * 2, [FROM_GBK]),
    (b"\n".join([b"", IN_GBK, IN_GBK, b""]), b"\n".join([b"", IN_UTF_8, IN_UTF_8, b""]),
     [FROM_GBK] * 2),
    # What is ASCII is in both.
    (b"(;FF[4]CA[Big5]PB[x])" + IN_GBK, b"(;FF[4]CA[UTF-8]PB[x])" + IN_UTF_8,
     [("CA[Big5]", "CA[UTF-8]"), FROM_GBK]),
    (b"(;FF[4]CA[]PB[x])" + IN_GBK, b"(;FF[4]CA[UTF-8]PB[x])" + IN_UTF_8,
     [("CA[]", "CA[UTF-8]"), FROM_GBK]),
    (b"(;FF[4]CA[foo]PB[x])" + IN_GBK, b"(;FF[4]CA[UTF-8]PB[x])" + IN_UTF_8,
     [("CA[foo]", "CA[UTF-8]"), FROM_GBK]),
    (b"(;FF[4]PB[x])" + IN_GBK, b"(;FF[4]PB[x])" + IN_UTF_8, [FROM_GBK]),
    ("(;FF[4]CA[Shift_JIS]C[表])".encode("cp932"), "(;FF[4]CA[UTF-8]C[表])".encode(),
     [("CA[Shift_JIS]", "CA[UTF-8]")]),
]  # fmt: skip


@for_each(WRITTEN)
def test_written_in_utf_8(data: bytes, expected: bytes, changes: list[tuple[str, str]]) -> None:
    result = fix(data)
    assert result.data == expected
    assert [(each.before, each.after) for each in result.applied] == changes
    assert all(each.safe for each in result.applied)


def test_a_charset_that_is_not_declared_is_named() -> None:
    result = fix("(;FF[4]PB[café été])".encode("latin-1"), default_charset="ISO-8859-1")
    assert [(each.before, each.after) for each in result.applied] == [("ISO-8859-1", "CA[UTF-8]")]


#: Files that stay as they are.
KEPT = [
    # Text before, between or after the games that could not be read any more.
    b"\xff" + IN_GBK,
    b"\xff " + IN_GBK,
    IN_GBK + b"\xff" + IN_GBK,
    IN_GBK + b"\xff",
    "古力".encode("gbk") + IN_GBK,
    # A game of which the charset is not certain, or in which not all can be decoded.
    "(;FF[3]PB[古力])".encode("gbk") + IN_GBK,
    IN_GBK + b"(;FF[4]CA[GBK]PB[\xff\xff])",
    b"(;FF[4]CA[GBK]C[\xd6]B[aa])",
    # Programs that take the charset of the first game that declares one for all.
    b"(;FF[4]CA[HZ-GB-2312]PB[~{9EA&~}])" + IN_GBK,
    # The same, where the first name is none and cannot be right for all of the file.
    *(
        first + rest
        for first in (
            b"(;CA[]FF[4]GM[1])",
            b"(;CA[ ]FF[4]GM[1])",
            b"(;CA[foo]FF[4]GM[1])",
            b"(;CA[UTF\\-8]FF[4]GM[1])",
            b"(;CA[UTF-8][]FF[4]GM[1])",
            b"(;CA[]CA[UTF-8]FF[4]GM[1])",
            b"(;FF[4]GM[1])(;CA[]FF[4]GM[1])",
            b"(;CA[foo]FF[4]GM[1])(;CA[UTF-8]FF[4]GM[1])",
        )
        for rest in (
            b"(;FF[4]GM[1]C[\xe9])",
            b"(;CA[]FF[4]GM[1]C[\xe9])",
            b"(;CA[foo]FF[4]GM[1]C[\xe9])",
            b"(;CA[UTF-8]FF[4]GM[1]C[\xe9])",
        )
    ),
    # A CA in a value that has lost its "]", or that speaks of one: by brackets there is none.
    *(
        before + "C[表 功])".encode("big5")
        for before in (
            b"(;FF[4]GM[1]C[a)(;CA[Big5]FF[4]GM[1]",
            b"(;FF[4]GM[1];B[aa]N[a)(;CA[Big5]FF[4]GM[1]",
            b"(;FF[4]GM[1])(;FF[4]GM[1]C[a)(;CA[Big5]FF[4]GM[1]",
            b"(;CA[UTF-8]FF[4]GM[1]C[a)(;CA[Big5]FF[4]GM[1]",
            b"(;FF[4]GM[1]C[see CA[Big5]",
            b"(;FF[4]GM[1]C[CA[Big5\\]]",
        )
    ),
    # A game in an older format, which is not written anew.
    b"(;FF[4]CA[Big5]PB[\xa5j\xa4O])(;FF[3]CA[Big5]PW[\xc6\xac])",
    # Halves of characters that are no escapes, without CA.
    *(text.encode("cp932") for text in ("(;FF[4]C[表示])", "(;FF[4]PB[ソ])")),
    # UTF-16 in a value.
    b"(;FF[4]CA[ISO-8859-1]PB[\xff\xfeab]C[\xe9])",
]


@for_each(KEPT)
def test_kept(data: bytes) -> None:
    assert fix(data).data == data


# --- Files in several charsets, and in others than are named --------------------------------------


#: Files of which another reader than ours gets the same texts only if their bytes stay.
UNCERTAIN = [
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[李世石])".encode(),
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[François])".encode(),
    "(;FF[4]GM[1]CA[GBK]PB[李世石 古力])".encode(),
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[李世石])".encode("utf-8-sig"),
    b"(;FF[4]GM[1]CA[ISO-8859-1]PB[\x93x\x94])",
    b"(;FF[4]GM[1]CA[Big5]C[\xa6\\]])",
    "(;FF[4]GM[1]CA[UTF-7]PB[李世石])".encode("utf-7"),
    "(;FF[4]GM[1]PB[李世石])(;FF[4]GM[1]CA[GB18030]PB[李世石])".encode("gb18030"),
    "header 李世石 (;FF[4]GM[1]CA[GB18030]PB[李世石])".encode("gb18030"),
]


@for_each(UNCERTAIN)
def test_bytes_of_texts_stay_where_programs_may_read_them_differently(data: bytes) -> None:
    assert fix(data).data == data
    with_number = data.replace(b"GM[1]", b"GM[1]KM[5.]")
    assert fix(with_number).data == with_number.replace(b"5.", b"5")


@pytest.mark.parametrize(
    "data",
    [
        b"(;FF[4]CA[GBK]PB[\xca]KM[5.])",
        b"(;FF[4]CA[Shift_JIS]PB[\x95\\\\]PW[\x97\\\\];G\x9aB[yes]KM[5.])",
    ],
    ids=str,
)
def test_nothing_is_fixed_where_brackets_may_be_halves_of_characters(data: bytes) -> None:
    assert fix(data).data == data
    assert not any(change.safe for change in fix(data, unsafe=True).applied if change.code)


def test_halves_of_characters_in_one_charset() -> None:
    data = b"(;FF[4]CA[Shift_JIS]PB[\x95\\]KM[5.])(;FF[4]CA[Shift_JIS]PB[\x83\\])"
    fixed = "(;FF[4]CA[UTF-8]PB[表]KM[5])(;FF[4]CA[UTF-8]PB[ソ])"
    assert fix(data).data == fixed.encode()


@for_each(UNCERTAIN[:3])
def test_text_in_utf_8_becomes_text_in_utf_8_whatever_ca_says(data: bytes) -> None:
    fixed = re.sub(rb"CA\[[^]]+", b"CA[UTF-8", data)
    assert fix(data).data == data and fix(data, unsafe=True).data == fixed


@pytest.mark.parametrize("codec", ["utf-16-le", "cp932"])
def test_files_in_other_charsets_become_utf_8(codec: str) -> None:
    text = "(;FF[4]GM[1]CA[Shift_JIS]C[表ソ];B[aa]C[予])"
    mark = "\ufeff" if codec == "utf-16-le" else ""
    result = fix((mark + text).encode(codec))
    assert result.data == text.replace("Shift_JIS", "UTF-8").encode()
    assert result.ok


def test_files_in_other_charsets_may_keep_them() -> None:
    data = "\ufeff(;FF[4]GM[1]KM[6,5]C[棋];B[aa])".encode("utf-16-le")
    result = fix(data, rewriting=Rewriting(charset=None))
    assert result.data == data.replace("6,5".encode("utf-16-le"), "6.5".encode("utf-16-le"))


def test_the_mark_of_another_charset_is_text_in_the_one_that_is_named() -> None:
    data = "\ufeff(;FF[4]GM[1]KM[6,5]C[ä])".encode()
    assert fix(data, charset="UTF-16").data == "(;FF[4]GM[1]KM[6.5]C[ä]CA[UTF-8])".encode()


def test_the_fixed_file_is_reported_on_as_it_is_read_without_options() -> None:
    result = fix(b"(;FF[4]GM[1]C[\xe4])", charset="UTF-8")
    assert result.data == b"(;FF[4]GM[1]C[\xe4])" and not result.remaining


def test_the_first_of_several_charsets_is_the_one_of_the_texts() -> None:
    data = "(;FF[4]GM[1]CA[UTF-8][GBK]C[棋])".encode()
    assert fix(data, unsafe=True, ignore=["SGF301"]).data == data


def test_undecodable_bytes_are_never_lost() -> None:
    bad = b"\x00\xd8"
    start, end = (
        "\ufeff(;FF[4]GM[1]KM[6,5]C[棋譜棋".encode("utf-16-le"),
        "];B[aa])".encode("utf-16-le"),
    )
    result = fix(start + bad + end)
    assert result.data == (start + bad + end).replace(b",", b".")
    assert [found.code for found in result.remaining][:2] == ["SGF214", "SGF206"]
    unsafe = fix(start + bad + end, unsafe=True)
    assert unsafe.ok and "KM[6.5]C[棋譜棋\ufffd" in unsafe.data.decode()


@pytest.mark.parametrize("charset", ["Big5", "GBK", "UTF-8", "Shift_JIS"])
@pytest.mark.parametrize("junk", [b"\xc3", b"x\xc3", b"\xa4\xa4"])
def test_undecodable_bytes_after_a_tree_are_kept_once(charset: str, junk: bytes) -> None:
    """In Big5 a "]" can be the second half of a character, but not the end of a value."""
    once = fix(b"(;FF[4]GM[1]CA[" + charset.encode() + b"])" + junk).data
    assert fix(once).data == once


#: Two games in charsets of their own, each with a safe and an unsafe fix.
IN_TWO_CHARSETS = (
    "(;FF[4]GM[1]CA[Shift_JIS]KM[6,5]PB[表];B[zz])".encode("cp932")
    + "(;FF[4]GM[1]CA[UTF-8]KM[6,5]PB[古力];B[zz])".encode()
)


def test_games_in_several_charsets_are_fixed_safely_unless_asked() -> None:
    kept = Rewriting(charset=None)
    result = fix(IN_TWO_CHARSETS, rewriting=kept)
    assert result.data == IN_TWO_CHARSETS.replace(b"6,5", b"6.5")
    assert all(change.safe for change in result.applied)
    result = fix(IN_TWO_CHARSETS, unsafe=True, rewriting=kept)
    assert [change.safe for change in result.applied].count(False) == 2
