"""Which game trees are written in another charset, and how the change reads."""

from __future__ import annotations

from sgf_lark import fix
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
    # UTF-16 in a value.
    b"(;FF[4]CA[ISO-8859-1]PB[\xff\xfeab]C[\xe9])",
]


@for_each(KEPT)
def test_kept(data: bytes) -> None:
    assert fix(data).data == data
