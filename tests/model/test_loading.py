"""What a tolerant reading passes over, in tables: code, place, game and node."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import sgf_lark
from sgf_lark import SGFSyntaxError, loads

Damage = tuple[str, int, int, int | None, int | None]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        # Lowercase letters are damage in FF[4], and where an identifier has no other letters.
        (b"(;Black[aa])", []),
        (b"(;FF[3]Black[aa])", []),
        (b"(;FF[4]Black[aa])", [("SGF114", 7, 12, 0, 0)]),
        (b"(;FF[5]Black[aa])", [("SGF114", 7, 12, 0, 0)]),
        (b"(;FF[3]b[aa])", [("SGF114", 7, 8, 0, 0)]),
        (b"(;FF[3]Black[aa])(;FF[4]\nBlack[aa];b[bb])",
         [("SGF114", 25, 30, 1, 0), ("SGF114", 35, 36, 1, 1)]),
        # Numbers of nodes count in their game; what is outside belongs to the game before.
        (b"x(;C[a]y)z\n(;B[aa];C[b", [
            ("SGF101", 0, 1, 0, 0), ("SGF120", 7, 8, 0, 0), ("SGF102", 9, 10, 0, 0),
            ("SGF119", 20, 21, 1, 1),
        ]),
        (b"(;C[a])(;C[b]);", [("SGF102", 14, 15, 1, 0)]),
        (b"((;C[a]))", [("SGF105", 1, 2, 0, 0)]),
        (b"nothing", [("SGF002", 0, 7, None, None)]),
        (b"", [("SGF002", 0, 0, None, None)]),
    ],
)  # fmt: skip
def test_damage(data: bytes, expected: list[Damage], tmp_path: Path) -> None:
    collection = loads(data, tolerant=True)
    found = [
        (each.code, each.span.start, each.span.end, each.tree, each.node)
        for each in collection.damage
    ]
    assert found == expected
    assert {str(each.severity) for each in collection.damage} <= {"error"}
    trees = [[each.tree for each in tree.damage] for tree in collection]
    assert trees == [
        [tree.number for each in expected if each[3] == tree.number] for tree in collection
    ]
    path = tmp_path / "game.sgf"
    path.write_bytes(data)
    again = [
        sgf_lark.load(str(path), tolerant=True),
        sgf_lark.load(path, tolerant=True, engine="lark"),
        sgf_lark.load(io.BytesIO(data), tolerant=True),
    ]
    assert all([*each.damage] == [*collection.damage] for each in again)
    if expected:
        with pytest.raises(SGFSyntaxError) as raised:
            loads(data)
        assert raised.value.diagnostic.code == expected[0][0]
    else:
        assert loads(data).equals(collection)


def test_a_text_is_read_tolerantly() -> None:
    with pytest.raises(SGFSyntaxError):
        loads("(;C[é]B[aa)")
    tree = loads("(;CA[Shift_JIS]C[表]N[a];B[aa", tolerant=True)[0]
    assert tree.root["C"] == "表" and tree.charset == "shift_jis" and len(tree.damage) == 1
    assert [*loads("", tolerant=True)] == [*loads("棋", tolerant=True)] == []
    assert loads("(;C[棋]", tolerant=True)[0].root["C"] == "棋"
    # The CA of the first game counts, and a byte order mark is no text.
    text = "\ufeff(;CA[GBK]C[棋])(;CA[UTF-8]C[x])"
    for found in (loads(text), loads(text, tolerant=True)):
        assert sgf_lark.dumps(found) == text[1:].encode("gbk")
    assert loads("(;C[棋])", charset="GBK").data == "(;C[棋])".encode("gbk")
    assert loads("(;C[😀])", charset="GBK").data == "(;C[😀])".encode()
