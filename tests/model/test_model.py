"""The model: reading, editing, and writing without loss."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Move, Point, grammar
from sgf_lark.fuzz.strategies import collections

GAME = (
    b" (;FF[4] GM[1]\nSZ[9]  C[root]\r\n;B[aa]C[one] ( ;W[bb]\n;B[cc] )\n(;W[dd]N[x] C[y] ) )\n"
    b"(;GM[11]) \n"
)


def test_tree_has_its_game_file_format_and_size() -> None:
    first, second = sgf_lark.loads(GAME)
    assert (first.game, first.file_format, first.size) == (1, 4, (9, 9))
    assert (second.game, second.file_format) == (11, 1)
    assert [node.get("C") for node in first.nodes()] == ["root", "one", None, None, "y"]
    assert [len(node.children) for node in first.nodes()] == [1, 2, 1, 0, 0]
    assert [node.get("W") for node in first.main_line()] == [None, None, Move(Point(1, 1)), None]
    node = first.root.children[0]
    assert node.parent is first.root and "B" in node and "W" not in node
    assert list(node) == ["B", "C"] and len(node) == 2
    with pytest.raises(KeyError):
        node["W"]


def test_property_has_its_raw_values_and_span() -> None:
    entry = sgf_lark.loads(b"(;FF[4]\n AB [aa:bb] [cc])")[0].root.property("AB")
    assert entry.ident == "AB" and entry.raw == [b"aa:bb", b"cc"]
    assert len(entry.values) == 5
    span = entry.span
    assert span is not None
    assert (span.start, span.end, span.line, span.column) == (9, 24, 2, 2)


@given(collections(charset="UTF-8"))
def test_untouched_collection_keeps_its_bytes(data: bytes) -> None:
    collection = sgf_lark.loads(data)
    assert sgf_lark.dumps(collection) == data
    # Through the writer for edited collections as well.
    for tree in collection:
        tree.edited = True
    assert sgf_lark.dumps(collection) == data


@given(collections(game=1, charset="UTF-8"), st.data())
def test_edit_changes_only_that_property(data: bytes, draw: st.DataObject) -> None:
    collection = sgf_lark.loads(data)
    tree = draw.draw(st.sampled_from(list(collection)))
    node = draw.draw(st.sampled_from(list(tree.nodes())))
    text = draw.draw(st.text(st.characters(codec="utf-8"), max_size=8))
    old = node.property("C").span if "C" in node else None
    node["C"] = text
    written = sgf_lark.dumps(collection)
    if old is not None:
        assert written.startswith(data[: old.start])
        assert written.endswith(data[old.end :])
    again = sgf_lark.loads(written)
    assert [n.items() for t in again for n in t.nodes()] == [
        n.items() for t in collection for n in t.nodes()
    ]


@given(collections(game=1, charset="UTF-8"), st.data())
def test_any_edit_reads_back(data: bytes, draw: st.DataObject) -> None:
    collection = sgf_lark.loads(data)
    for _ in range(draw.draw(st.integers(1, 4))):
        tree = draw.draw(st.sampled_from(list(collection)))
        node = draw.draw(st.sampled_from(list(tree.nodes())))
        match draw.draw(st.sampled_from(["add", "detach", "delete", "set"])):
            case "add":
                child = node.add_child({"W": Move(None)}, index=draw.draw(st.integers(0, 1)))
                child["N"] = "new"
            case "detach" if node.parent is not None:
                node.detach()
            case "delete" if node is not tree.root and len(node):
                del node[draw.draw(st.sampled_from(list(node)))]
            case _:
                node["XX"] = [b"a", b"\\]"]
    again = sgf_lark.loads(sgf_lark.dumps(collection))
    for before, after in zip(collection, again, strict=True):
        assert [n.items() for n in before.nodes()] == [n.items() for n in after.nodes()]
        assert [len(n.children) for n in before.nodes()] == [len(n.children) for n in after.nodes()]


def test_charset_can_be_changed() -> None:
    collection = sgf_lark.loads(b"(;FF[4]C[\xe9]PB[x];B[tt]N[\xfc])")
    root = collection[0].root
    root["CA"] = "UTF-8"
    assert sgf_lark.dumps(collection) == (b"(;FF[4]C[\xc3\xa9]PB[x]CA[UTF-8];B[tt]N[\xc3\xbc])")
    with pytest.raises(ValueError, match="cannot hold"):
        root["CA"] = "US-ASCII"
    assert root["C"] == "é" and root["CA"] == "UTF-8"


def test_board_size_can_be_changed_without_changing_a_pass() -> None:
    collection = sgf_lark.loads(b"(;FF[4]SZ[19];B[tt];W[aa])")
    collection[0].root["SZ"] = 21
    assert sgf_lark.dumps(collection) == b"(;FF[4]SZ[21];B[];W[aa])"
    assert collection[0].size == (21, 21)


def test_root_cannot_be_detached() -> None:
    with pytest.raises(ValueError, match="root"):
        sgf_lark.loads(b"(;)")[0].root.detach()


@pytest.mark.parametrize("ident", ["", "b", "B1", "É", "B "])
def test_identifier_is_checked(ident: str) -> None:
    with pytest.raises(ValueError, match="identifier"):
        sgf_lark.loads(b"(;)")[0].root[ident] = [b"x"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;FF[4]C[é])", b"(;FF[4]C[\xe9])"),
        ("(;FF[4]CA[UTF-8]C[é])", "(;FF[4]CA[UTF-8]C[é])".encode()),
        ("(;FF[4]CA[GBK]C[棋])", "(;FF[4]CA[GBK]C[棋])".encode("gbk")),
        ("(;FF[4]C[棋])", "(;FF[4]C[棋])".encode()),
    ],
)
def test_text_can_be_loaded(text: str, expected: bytes) -> None:
    collection = sgf_lark.loads(text)
    assert sgf_lark.dumps(collection) == expected
    assert collection[0].root["C"] == text[text.index("C[") + 2 : -2]


def test_byte_order_mark_is_kept() -> None:
    data = b"\xef\xbb\xbf(;FF[4]CA[UTF-8]C[\xc3\xa9])"
    collection = sgf_lark.loads(data)
    assert sgf_lark.dumps(collection) == data
    collection[0].root["C"] = "x"
    assert sgf_lark.dumps(collection) == b"\xef\xbb\xbf(;FF[4]CA[UTF-8]C[x])"


def test_files_are_read_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(GAME)
    path.chmod(0o640)
    collection = sgf_lark.load(path)
    assert sgf_lark.load(io.BytesIO(GAME))[0].root["C"] == "root"
    collection[0].root["C"] = "new"
    sgf_lark.dump(collection, path)
    assert path.read_bytes() == GAME.replace(b"C[root]", b"C[new]")
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.sgf"]
    stream = io.BytesIO()
    sgf_lark.dump(collection, stream)
    assert stream.getvalue() == path.read_bytes()
    with pytest.raises(OSError):
        sgf_lark.dump(collection, tmp_path / "missing" / "game.sgf")


def test_charset_of_loading_ends_where_ca_is_set() -> None:
    collection = sgf_lark.loads("(;FF[4]C[棋])")
    collection[0].root["CA"] = "GBK"
    written = sgf_lark.dumps(collection)
    assert written == "(;FF[4]C[棋]CA[GBK])".encode("gbk")
    assert sgf_lark.loads(written)[0].root["C"] == "棋"


def test_values_of_unknown_type_are_converted_to_another_charset() -> None:
    """CI[...] of FF[3] has a definition, but no source defines its value."""
    collection = sgf_lark.loads(b"(;FF[4]GM[1]CI[\xe3]N[\xe3])")
    collection[0].root["CA"] = "UTF-8"
    assert sgf_lark.dumps(collection) == b"(;FF[4]GM[1]CI[\xc3\xa3]N[\xc3\xa3]CA[UTF-8])"


# --- Repeated properties --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ident", "read", "written", "after"),
    [
        ("AB[dd]AB[aa]", "AB", ["dd", "aa"], ["bb"], "AB[bb]"),
        ("AB[dd]C[x]AB[aa]AB[bb:bc]", "AB", ["dd", "aa", "bb", "bc"], ["ee"], "AB[ee]C[x]"),
        ("XX[a]XX[b]", "XX", [b"a", b"b"], [b"c"], "XX[c]"),
        ("VW[]VW[aa]", "VW", ["aa"], [], "VW[]"),
        ("DD[]DD[]", "DD", [], ["aa"], "DD[aa]"),
        ("C[a]N[n]C[b]", "C", "a", "c", "C[c]N[n]C[b]"),
        ("B[aa]B[bb]", "B", "aa", "cc", "B[cc]B[bb]"),
    ],
)
def test_assigning_replaces_what_reading_gives(
    text: str, ident: str, read: Any, written: Any, after: str
) -> None:
    """Of a property that takes lists all lists are read; of another one the first is."""
    node = sgf_lark.loads(f"(;FF[4]GM[1];{text})", tolerant=True)[0].root.children[0]

    def shown(value: Any) -> Any:
        return [shown(each) for each in value] if isinstance(value, list) else _text(value)

    assert shown(node[ident]) == shown(node.get(ident)) == read
    if ident in ("AB", "B"):
        assert set(read if isinstance(read, list) else [read]) <= {
            str(point) for point in node.board().stones
        }
    node[ident] = written
    assert sgf_lark.dumps(node.tree) == f"(;FF[4]GM[1];{after})".encode()
    assert shown(node[ident]) == written


def _text(value: Any) -> Any:
    return value if isinstance(value, bytes) else str(value)


def test_inherited_lists_are_read_as_one() -> None:
    root = sgf_lark.loads("(;FF[4]GM[1]VW[aa]VW[bb];B[cc])")[0].root
    inherited = root.children[0].inherited("VW")
    assert inherited is not None and [str(point) for point in inherited] == ["aa", "bb"]


# --- Text in place of bytes -----------------------------------------------------------

_ASCII = [
    example.data
    for rule in grammar.rules().values()
    for example in (*rule.bad, *rule.good)
    if example.data.isascii()
]


@pytest.mark.parametrize("tolerant", [False, True])
def test_text_is_read_as_its_bytes_are(tolerant: bool) -> None:
    def read(data: bytes | str) -> object:
        try:
            collection = sgf_lark.loads(data, tolerant=tolerant)
        except ValueError as error:
            return str(error)
        return collection.data, [found.code for found in collection.damage], repr([*collection])

    for data in _ASCII:
        assert read(data.decode()) == read(data)


@pytest.mark.parametrize("text", ["(;CA[GBK]PB[古力];B[aa]", "(;FF[3]CA[GBK]PlayerBlack[古力])"])
def test_damaged_text_is_written_in_its_charset(text: str) -> None:
    collection = sgf_lark.loads(text, tolerant=True)
    assert collection.data == text.encode("gbk")
    assert collection[0].root["PB"] == "古力"
