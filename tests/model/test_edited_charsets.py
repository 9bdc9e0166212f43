"""Tables of texts and charsets: the file, what is done, and the exact bytes written then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import sgf_lark
from sgf_lark import Collection
from tests.kit.tables import for_each
from tests.model.test_edited_bytes import (
    Edit,
    add,
    both,
    check,
    copied,
    move,
    put,
    raw,
    remove,
    state,
)

BOM = b"\xef\xbb\xbf"
UTF_16 = "utf-16-le"


def wide(text: str) -> bytes:
    return ("\ufeff" + text).encode(UTF_16)


def in_gbk(text: str) -> bytes:
    return text.encode("gbk")


#: The file, how it is read, the edit and what is written.
TEXTS: list[tuple[bytes, dict[str, Any], Edit, bytes]] = [
    # Without CA the tree gets one, wherever the text is, and the rest is written in it as well.
    (b"(;FF[4]C[x];B[aa])", {}, put("0", "C", "é"), "(;FF[4]C[x]CA[UTF-8];B[aa]C[é])".encode()),
    (b"(;FF[4]C[x];B[aa])", {}, add("0", C="é"), "(;FF[4]C[x]CA[UTF-8];B[aa];C[é])".encode()),
    (b"(;FF[4])", {}, put("", "LB", [("aa", "é")]), "(;FF[4]CA[UTF-8]LB[aa:é])".encode()),
    (b"(;FF[4]C[\xe9];N[a])", {}, put("0", "N", "棋"),
     "(;FF[4]C[é]CA[UTF-8];N[棋])".encode()),
    (b"(;FF[4];N[a];C[\xe9];N[b])", {}, put("000", "N", "棋"),
     "(;FF[4]CA[UTF-8];N[a];C[é];N[棋])".encode()),
    (b"(;FF[4];N[a];C[\xe9];N[b])", {}, put("000", "N", "\xfc"),
     b"(;FF[4]CA[ISO-8859-1];N[a];C[\xe9];N[\xfc])"),
    (b"(;FF[4]C[x])", {}, put("", "XX", [b"\xe9"]), b"(;FF[4]C[x]CA[ISO-8859-1]XX[\xe9])"),
    (b"(;FF[4]C[x])", {}, raw("", "C", b"\xe9"), b"(;FF[4]C[\xe9]CA[ISO-8859-1])"),
    (b"(;FF[4]C[x])", {}, both(put("", "C", "é"), put("", "C", "x")), b"(;FF[4]C[x]CA[UTF-8])"),
    # The charset that the user names for the file, and that for files that name none.
    (b"(;FF[4]C[x])", {"charset": "ISO-8859-1"}, put("", "C", "é"), b"(;FF[4]C[\xe9])"),
    (b"(;FF[4]C[x])", {"charset": "ISO-8859-1"}, raw("", "C", b"\xe9"), b"(;FF[4]C[\xe9])"),
    (b"(;FF[4]C[x])", {"charset": "ISO-8859-1"}, put("", "C", "棋"),
     "(;FF[4]C[棋]CA[UTF-8])".encode()),
    (b"(;FF[4]C[x])", {"default_charset": "GBK"}, put("", "C", "棋"),
     "(;FF[4]C[棋]CA[UTF-8])".encode()),
    (b"(;FF[4]C[\xc6\xe5])", {"default_charset": "GBK"}, put("", "N", "棋"),
     in_gbk("(;FF[4]C[棋]CA[GBK]N[棋])")),
    (b"(;FF[4]C[\xc6\xe5])", {"default_charset": "GBK"}, put("", "N", "😀"),
     "(;FF[4]C[棋]CA[UTF-8]N[😀])".encode()),
    # The charset that CA names.
    (b"(;FF[4]CA[no-such]C[x])", {}, put("", "C", "é"), b"(;FF[4]CA[no-such]C[\xe9])"),
    (b"(;FF[4]CA[GBK]C[x])", {}, raw("", "C", in_gbk("棋")), in_gbk("(;FF[4]CA[GBK]C[棋])")),
    (b"(;FF[4]CA[Shift_JIS]C[x])", {}, raw("", "C", b"\x95\\\\"),
     b"(;FF[4]CA[Shift_JIS]C[\x95\\\\])"),
    (b"(;FF[4]C[x])", {}, put("", "CA", "GBK"), b"(;FF[4]C[x]CA[GBK])"),
    ("(;FF[4]CA[UTF-8]C[a];N[x];C[棋])".encode(), {}, put("", "CA", "GBK"),
     in_gbk("(;FF[4]CA[GBK]C[a];N[x];C[棋])")),
    ("(;FF[4]CA[UTF-8]C[é])".encode(), {}, remove("", "CA"), b"(;FF[4]C[\xe9])"),
    ("(;FF[4]CA[UTF-8]C[a];CI[é])".encode(), {}, put("", "CA", "ISO-8859-1"),
     b"(;FF[4]CA[ISO-8859-1]C[a];CI[\xe9])"),
    ("(;FF[4]CA[UTF-8]C[é];B[])".encode(), {}, put("", "FF", 3),
     "(;FF[3]CA[UTF-8]C[é];B[tt])".encode()),
    # A file that is in one charset as a whole stays in it, whatever CA names.
    (wide("(;FF[4]C[x])"), {}, raw("", "C", "棋".encode()), wide("(;FF[4]C[棋])")),
    (wide("(;FF[4]C[é])"), {}, put("", "CA", "UTF-16"), wide("(;FF[4]C[é]CA[UTF-16])")),
    (wide("(;FF[4]C[é])"), {}, put("", "CA", "GBK"), wide("(;FF[4]C[é]CA[GBK])")),
    (wide("(;FF[4] C[é]\n)"), {}, put("", "N", "棋"), wide("(;FF[4] C[é]N[棋]\n)")),
    (wide(" (;FF[4]C[é] ;B[aa])"), {}, copied("0", ""),
     wide("(;FF[4]C[é] (;B[aa])(;B[aa]))")),
    ("(;FF[4]C[表])".encode("cp932"), {"charset": "Shift_JIS", "charset_mode": "file"},
     put("", "N", "能"), "(;FF[4]C[表]N[能])".encode("cp932")),
    (BOM + "(;FF[4]C[é])".encode(), {}, put("", "N", "棋"), BOM + "(;FF[4]C[é]N[棋])".encode()),
    (BOM + "(;FF[4]C[é])".encode(), {}, put("", "CA", "GBK"),
     BOM + "(;FF[4]C[é]CA[GBK])".encode()),
    (BOM + "(;FF[4]CA[UTF-8]C[é])".encode(), {}, remove("", "CA"),
     BOM + "(;FF[4]C[é])".encode()),
    (BOM + b"(;FF[4]C[x\xc6\xe5])", {"charset": "GBK"}, put("", "CA", "GBK"),
     BOM + "(;FF[4]C[x棋]CA[GBK])".encode()),
    (BOM + b"(;FF[4]C[x])", {}, raw("", "C", "é".encode()), BOM + "(;FF[4]C[é])".encode()),
    # Moves within a tree change no text.
    (b"(;FF[4];C[\xe9];N[b])", {}, move("00", "", 0), b"(;FF[4](;N[b])(;C[\xe9]))"),
]  # fmt: skip


@for_each(TEXTS)
def test_text_is_written_in_these_bytes(
    data: bytes, options: dict[str, Any], edit: Edit, written: bytes
) -> None:
    tree = sgf_lark.loads(data, **options)[0]
    edit(tree)
    if options:
        assert sgf_lark.dumps(tree) == written
        read = {} if "CA" in tree.root else options
        assert sgf_lark.loads(written, **read)[0].equals(tree)
    else:
        check(tree, written)


#: Edits that raise, and the key facts of the message; nothing is changed.
REFUSED: list[tuple[bytes, dict[str, Any], Edit, str]] = [
    (b"(;CA[no-such]C[x])", {}, put("", "C", "棋"), r"ISO-8859-1, .* '棋' \(U\+68CB\)"),
    (b"(;CA[US-ASCII]C[x])", {}, put("", "C", "aé"), r"US-ASCII, which .* 'é' \(U\+00E9\)"),
    (wide("(;C[x])"), {}, put("", "C", "ab\ud800"), "at index 2 of the text is half of"),
    (b"(;C[x])", {}, put("", "LB", [("aa", "\udc80")]), "at index 0 of the text"),
    (b"(;C[x])", {"charset": "UTF-8"}, raw("", "C", b"\xe9"), "no text in UTF-8, the charset of"),
    (b"(;CA[UTF-8]C[x])", {}, raw("", "C", b"a", b"\xe9"), r"C: b'\\xe9' has bytes that are"),
    (b"(;CA[GBK]C[x])", {}, put("", "XX", [b"\xc6"]), r"XX: b'\\xc6' has bytes .* in GBK"),
    (b"(;C[x])", {}, raw("", "C", b"a]"), r"C: b'a\]' would not end at its bracket"),
    (b"(;C[x])", {}, raw("", "C"), "C: a property has at least one value"),
    (b"(;C[x])", {}, raw("", "C", "x"), "C: raw values are bytes"),  # type: ignore[arg-type]
    (b"(;C[x])", {}, put("", "CA", "UTF-16"), r"cannot be in UTF-16.*dumps\(game, charset="),
    (b"(;C[x])", {}, put("", "CA", "no-such"), "CA: 'no-such' is not a charset; .* 'UTF-8'"),
    (wide("(;C[x])"), {}, put("", "CA", 8), "CA: 8 is not a charset"),
    ("(;CA[UTF-8];N[a];C[棋])".encode(), {}, put("", "CA", "ISO-8859-1"),
     r"ISO-8859-1 cannot hold '棋' \(U\+68CB\) in Property\(C\[棋\]\)"),
    ("(;CA[UTF-8];N[a];C[棋])".encode(), {}, remove("", "CA"), "ISO-8859-1 cannot hold '棋'"),
    (b"(;CA[UTF-8];C[\xff" + "é".encode() * 9 + b"])", {}, put("", "CA", "GBK"),
     "has bytes that are no text in UTF-8, so that"),
    ("(;FF[4]C[表])".encode("cp932"), {"charset": "cp932", "charset_mode": "file"},
     put("", "C", "x😀"), r"Windows-31J, which cannot hold '😀' \(U\+1F600\)"),
    (b"(;C[x])", {}, add("", b="x"), "an identifier consists of the letters A to Z: 'b'"),
    (b"(;C[x])", {}, lambda tree: tree.root.add_child([("B", "aa")]),  # type: ignore[arg-type]
     r"expected a mapping such as \{'B': 'pd'\}; given \[\('B'"),
]  # fmt: skip


@for_each(REFUSED)
def test_refused_text_changes_nothing(
    data: bytes, options: dict[str, Any], edit: Edit, message: str
) -> None:
    tree = sgf_lark.loads(data, **options)[0]
    before = state(tree)
    with pytest.raises((TypeError, ValueError), match=message):
        edit(tree)
    assert state(tree) == before


# --- Nodes in another game tree ---------------------------------------------------------

#: A node of one game, another game, and what that is with the node; a message if it is refused.
MOVED: list[tuple[bytes, bytes, bytes | str]] = [
    (b"(;FF[4];AB[aa])", b"(;FF[4]GM[11])", b"(;FF[4]GM[11];AB[a1])"),
    (b"(;FF[4];TR[aa])", b"(;FF[4]GM[6])", b"(;FF[4]GM[6];TR[a])"),
    (b"(;FF[4];AB[aa:bb])", b"(;FF[4]GM[20])", b"(;FF[4]GM[20];AB[aa:bb])"),
    (b"(;FF[4]GM[2];B[d3]AB[d3][e4]LB[d3:x])", b"(;FF[4])", b"(;FF[4];B[d3]AB[d3][e4]LB[d3:x])"),
    (b"(;FF[4]GM[11];B[a1]AB[b2])", b"(;FF[4]GM[11]SZ[13])", b"(;FF[4]GM[11]SZ[13];B[a1]AB[b2])"),
    (b"(;FF[4];KM[06.50]B[aa])", b"(;FF[3])", b"(;FF[3];KM[06.50]B[aa])"),
    (b"(;FF[4]SZ[9];B[ss]W[tt])", b"(;FF[4]SZ[13])", b"(;FF[4]SZ[13];B[ss]W[tt])"),
    (b"(;FF[4];C[a];C[\xe9])", "(;FF[4]CA[UTF-8]C[棋])".encode(),
     "(;FF[4]CA[UTF-8]C[棋];C[a];C[é])".encode()),
    (b"(;FF[4];C[a];C[\xe9])", b"(;FF[4]C[x])", "(;FF[4]C[x]CA[UTF-8];C[a];C[é])".encode()),
    (b"(;FF[4];C[a];C[\xe9])", b"(;FF[4]C[\xfc])", b"(;FF[4]C[\xfc]CA[ISO-8859-1];C[a];C[\xe9])"),
    ("(;FF[4]CA[UTF-8];C[棋])".encode(), b"(;FF[4]C[\xfc])",
     "(;FF[4]C[ü]CA[UTF-8];C[棋])".encode()),
    (b"(;FF[4]CA[UTF-8];C[a])", b"(;FF[4]C[\xfc])", b"(;FF[4]C[\xfc];C[a])"),
    ("(;FF[4]CA[UTF-8];C[é])".encode(), wide("(;FF[4]C[x])"), wide("(;FF[4]C[x];C[é])")),
    (wide("(;FF[4];C[棋])"), BOM + b"(;FF[4]C[x])", BOM + "(;FF[4]C[x];C[棋])".encode()),
    (b"(;FF[4] ; B[aa] C[x] ( ;W[bb] ) ( ;W[cc] ) )", b"(;FF[4] )",
     b"(;FF[4] ;B[aa]C[x](;W[bb])(;W[cc]))"),
    (b"(;CA[UTF-8];C[" + "棋".encode() * 9 + b"\xff];)", b"(;CA[GBK])", "no text in UTF-8"),
    (b"(;FF[4];B[aa])", b"(;FF[4]GM[2])", r"B\[aa\].* cannot be kept: .* bytes"),
    (b"(;FF[4]GM[11];B[a1])", b"(;FF[4]GM[9])", r"B\[a1\].* Lines of Action"),
    (b"(;FF[4]SZ[25];C[x];AB[aa:yy])", b"(;FF[4]SZ[9])", "is not on the board of 9 by 9"),
    ("(;FF[4]CA[UTF-8];C[棋])".encode(), b"(;FF[4]CA[ISO-8859-1])", r"which cannot hold '棋'"),
]  # fmt: skip


@pytest.mark.parametrize("detached", [False, True])
@for_each(MOVED)
def test_node_is_written_for_its_new_tree(
    source: bytes, target: bytes, expected: bytes | str, detached: bool
) -> None:
    one, two = sgf_lark.loads(source)[0], sgf_lark.loads(target)[0]
    top = one.root.children[0]
    nodes = [*top.nodes()]
    if detached:
        top.detach()
    before = state(one), state(two)
    if isinstance(expected, str):
        with pytest.raises(ValueError, match=expected):
            top.move_to(two.root)
        assert (state(one), state(two)) == before
        assert top.parent is (None if detached else one.root)
        return
    copied = top.copy()
    assert top.move_to(two.root) is top
    check(two, expected)
    assert [*two.nodes()][1:] == nodes and not one.root.children
    # Copies of the nodes are still read in their old tree, and can be moved in the same way.
    three = sgf_lark.loads(target)[0]
    copied.move_to(three.root)
    check(three, expected)
    top.detach()
    assert not two.root.children


# --- Collections -------------------------------------------------------------------------


def games(*files: bytes | tuple[bytes, str]) -> Collection:
    pairs = [(each, None) if isinstance(each, bytes) else each for each in files]
    return Collection([sgf_lark.loads(data, charset=charset)[0] for data, charset in pairs])


def mixed() -> Collection:
    return games(
        in_gbk("(;CA[GBK]C[棋])"), wide("(;C[é])"), b"(;C[\xe9])", (b"(;C[\xe9])", "ISO-8859-2"),
        (b"(;C[x])", "ISO-8859-2"), BOM + "(;C[é])".encode(), BOM + b"(;C[x])",
    )  # fmt: skip


DUMPED: list[tuple[Callable[[], Collection], str | None, bytes]] = [
    (mixed, None, b"(;CA[GBK]C[\xc6\xe5])(;C[\xc3\xa9]CA[UTF-8])(;C[\xe9])"
     b"(;C[\xe9]CA[ISO-8859-2])(;C[x])(;C[\xc3\xa9]CA[UTF-8])(;C[x])"),
    (mixed, "utf-8", "(;CA[UTF-8]C[棋])(;C[é]CA[UTF-8])(;C[é]CA[UTF-8])(;C[é]CA[UTF-8])"
     "(;C[x]CA[UTF-8])(;C[é]CA[UTF-8])(;C[x]CA[UTF-8])".encode()),
    (lambda: games(b"(;C[x])"), "UTF-16", "\ufeff(;C[x]CA[UTF-16])".encode("utf-16-be")),
    (lambda: games(b"(;C[x])"), "UTF-16LE", "\ufeff(;C[x]CA[UTF-16LE])".encode(UTF_16)),
    (lambda: games(b"(;C[x])"), "UTF-32BE", "\ufeff(;C[x]CA[UTF-32BE])".encode("utf-32-be")),
    (lambda: sgf_lark.loads(wide(" (;C[é])")), "GBK", b" (;C[\xa8\xa6]CA[GBK])"),
    (lambda: sgf_lark.loads(BOM + " (;C[é])".encode()), "GBK", b" (;C[\xa8\xa6]CA[GBK])"),
    (lambda: sgf_lark.loads(BOM + " (;C[é])".encode()), "UTF-8", " (;C[é]CA[UTF-8])".encode()),
    (lambda: sgf_lark.loads(BOM + " (;C[é])".encode()), "UTF-16BE",
     "\ufeff (;C[é]CA[UTF-16BE])".encode("utf-16-be")),
    # A game tree that is in that charset, and declares it, keeps its bytes.
    (lambda: games(b"(;CA[gbk] C[\xc6])"), "GBK", b"(;CA[gbk] C[\xc6])"),
    (lambda: games(b"(;CA[gbk] C[x])(;C[y])"), "cp936", b"(;CA[gbk] C[x])"),
    (lambda: games(b"(;CA[GBK][UTF-8] C[\xc6\xe5])"), "GBK", b"(;CA[GBK][UTF-8] C[\xc6\xe5])"),
    # What a damaged file has before its games; what it has after them is lost.
    (lambda: sgf_lark.loads(in_gbk("x棋(;CA[GBK]C[棋])y"), tolerant=True), "UTF-8",
     "x棋(;CA[UTF-8]C[棋])".encode()),
    (lambda: sgf_lark.loads(in_gbk("x棋(;CA[GBK]C[棋])y"), tolerant=True), "GBK",
     in_gbk("x棋(;CA[GBK]C[棋])")),
    (lambda: sgf_lark.loads(
        in_gbk("x棋(;CA[GBK]C[棋])") + "(;CA[UTF-8]C[棋])".encode(), tolerant=True),
     "UTF-8", "x棋(;CA[UTF-8]C[棋])(;CA[UTF-8]C[棋])".encode()),
]  # fmt: skip


@for_each(DUMPED)
def test_collection_is_written_in_these_bytes(
    make: Callable[[], Collection], charset: str | None, written: bytes
) -> None:
    collection = make()
    assert sgf_lark.dumps(collection, charset=charset) == written
    again = sgf_lark.loads(written, tolerant=True)
    if charset is not None:  # without CA "é" is no certain text
        assert again.equals(collection)


UNDECODABLE = wide("(;C[棋") + b"\x00\xd8" + "x])".encode(UTF_16)

NOT_DUMPED = [
    (UNDECODABLE, "UTF-8", "the file has bytes that are no text in UTF-16, so that it"),
    (UNDECODABLE, "UTF-16", "the file has bytes that are no text in UTF-16, so that it"),
    (in_gbk("x棋(;CA[GBK])"), "ISO-8859-1", r"ISO-8859-1 cannot hold '棋' \(U\+68CB\)"),
    (b"\xff(;CA[UTF-8]C[" + "棋棋棋".encode() + b"])", "GBK", "are no text in UTF-8, so that"),
    (b"(;C[x])", "UTF-7", "could find the structure of an SGF file in UTF-7"),
]


@for_each(NOT_DUMPED)
def test_charset_in_which_a_file_cannot_be_written(data: bytes, charset: str, message: str) -> None:
    collection = sgf_lark.loads(data, tolerant=True)
    with pytest.raises(ValueError, match=message):
        sgf_lark.dumps(collection, charset=charset)


#: Damaged files: edited nodes and those around them are written by the grammar.
DAMAGED: list[tuple[bytes, Edit, bytes]] = [
    (b"(;FF[4] C[a] (;B[aa] (;W[bb]", put("", "N", "x"), b"(;FF[4]C[a]N[x](;B[aa](;W[bb])))"),
    (b"(;C[a\\", put("", "N", "x"), b"(;C[a]N[x])"),
    (b"(;C[abc][de\\\\\\", put("", "N", "x"), b"(;C[abc][de\\\\]N[x])"),
    (b"(;C[a\\]", put("", "N", "x"), b"(;C[a\\]]N[x])"),
    (b"(;B[aa] junk;W[bb]) ) (;", put("0", "N", "x"), b"(;B[aa];W[bb]N[x]) (;)"),
    (b"junk (;B[aa])", put("", "N", "x"), b"junk (;B[aa]N[x])"),
    (
        b"(;FF[3]Comment[x]) (;FF[3] C[x] N[y",
        put("", "N", "x"),
        b"(;FF[3]C[x]N[x]) (;FF[3]C[x]N[y])",
    ),
]


@for_each(DAMAGED)
def test_edited_damage_is_written_in_these_bytes(data: bytes, edit: Edit, written: bytes) -> None:
    collection = sgf_lark.loads(data, tolerant=True)
    assert sgf_lark.dumps(collection) == data and not collection.edited
    edit(collection[0])
    assert sgf_lark.dumps(collection) == written and collection.edited


@pytest.mark.parametrize(
    ("one", "two"), [("ISO-8859-1", "UTF-8"), ("UTF-8", "UTF-16"), ("ISO-8859-1", "UTF-16")]
)
@for_each(["C[é]", "B[é][é]", "B[é]", "XX[é]", "KM[é]"])
def test_games_are_equal_in_any_charset(property_: str, one: str, two: str) -> None:
    text = f"(;FF[4]GM[1];{property_})"
    first, second = (sgf_lark.loads(text.encode(name), charset=name)[0] for name in (one, two))
    assert first.equals(second) and second.equals(first)
    third = sgf_lark.loads(text.replace("é", "è").encode(one), charset=one)[0]
    assert not first.equals(third)


@for_each([("ISO-2022-JP", "中国"), ("HZ-GB-2312", "中~国"), ("IBM864", "٪s")])
def test_charsets_whose_text_is_ascii(charset: str, text: str) -> None:
    """A text that is written in ASCII, and is none, stays what it is in another charset."""
    raw = text.encode(charset)
    assert raw.isascii()
    data = b"(;FF[4]CA[%s]C[%s];B[aa]C[%s])" % (charset.encode(), raw, raw)
    game = sgf_lark.loads(data)[0]
    written = sgf_lark.loads(sgf_lark.dumps(game, charset="UTF-8"))[0]
    assert [node["C"] for node in written.nodes()] == [text, text]
    other = sgf_lark.loads("(;FF[4]CA[UTF-8]C[a~b%])")[0]
    other.root.add_child(game.root.children[0].copy())
    assert other.root.children[0]["C"] == text
    plain = sgf_lark.loads("(;FF[4])")[0]
    plain.root.add_child(game.root.children[0].copy())
    assert plain.root.children[0]["C"] == text
    game.root["CA"] = "UTF-8"
    assert [node["C"] for node in game.nodes()] == [text, text]
    assert sgf_lark.dumps(game) == data.replace(charset.encode(), b"UTF-8").replace(
        raw, text.encode()
    )


def test_ascii_in_charsets_that_read_it_otherwise() -> None:
    """ASCII that is moved to a charset in which it means another text is written as it is there."""
    game = sgf_lark.loads("(;FF[4]CA[HZ-GB-2312]C[x])")[0]
    game.root.add_child(sgf_lark.loads("(;FF[4]CA[UTF-8];C[a~b])")[0].root.children[0].copy())
    assert sgf_lark.dumps(game) == b"(;FF[4]CA[HZ-GB-2312]C[x];C[a~~b])"
