"""Making, editing, moving and copying: what ``test_model_machine.py`` does not try."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, MutableMapping, MutableSequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Collection, GameTree, Move, Node, Point
from sgf_lark.fuzz.strategies import collections
from sgf_lark.text.validity import encode, recode

DEEP = 5_000


def game_of(text: str | bytes) -> GameTree:
    return sgf_lark.loads(text if isinstance(text, bytes) else text.encode())[0]


# --- Values -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "ident", "value", "written"),
    [
        (1, "B", "pd", "B[pd]"),
        (1, "B", "", "B[]"),
        (1, "B", "tt", "B[]"),
        (1, "W", (15, 3), "W[pd]"),
        (1, "AB", ["dd", "pp:qq"], "AB[dd][pp:qq]"),
        (1, "AB", ["qa:pc"], "AB[pa:qc]"),
        (1, "AE", ["dd:dd"], "AE[dd]"),
        (1, "LB", [("dd", "A")], "LB[dd:A]"),
        (1, "AR", [("aa", Point(1, 1))], "AR[aa:bb]"),
        (1, "SZ", (9, 9), "SZ[9]"),
        (1, "SZ", (9, 13), "SZ[9:13]"),
        (1, "KM", 6.5, "KM[6.5]"),
        (1, "KM", 0.1, "KM[0.1]"),
        (1, "KM", -0.0, "KM[0]"),
        (1, "KM", 1e-7, "KM[0.0000001]"),
        (1, "KM", 1e23, "KM[100000000000000000000000]"),
        (1, "KM", 7, "KM[7]"),
        (6, "B", "31acde", "B[31acde]"),
        (9, "B", "a1-b2", "B[a1-b2]"),
        (11, "B", "D4", "B[d4]"),
        (11, "W", "swap-sides", "W[swap-sides]"),
        (19, "AB", ["11"], "AB[11]"),
    ],
)
def test_value_is_written(game: int, ident: str, value: Any, written: str) -> None:
    tree = sgf_lark.new_game(game=game)
    tree.root[ident] = value
    assert written in sgf_lark.dumps(tree).decode()
    assert sgf_lark.loads(sgf_lark.dumps(tree))[0].equals(tree)


@pytest.mark.parametrize(
    ("ident", "value"),
    [
        ("B", "tk"),
        ("B", "é"),
        ("B", "Q16"),
        ("AB", ["pp:tt"]),
        ("AB", "p"),
        ("KM", float("inf")),
        ("KM", float("nan")),
        ("KM", 10**400),
        ("KM", 2**53 + 1),
        ("C", "\ud800"),
        ("XX", [b"\xff"]),
        ("XX", b"]"),
        ("b", "pd"),
        (1, "pd"),
    ],
)
def test_value_is_refused_and_nothing_changes(ident: Any, value: Any) -> None:
    game = sgf_lark.new_game()
    before = sgf_lark.dumps(game)
    with pytest.raises((TypeError, ValueError)):
        game.root[ident] = value
    assert sgf_lark.dumps(game) == before


@pytest.mark.parametrize(
    ("data", "text", "written"),
    [
        ("(;FF[4]C[x])", "é", "(;FF[4]C[é]CA[UTF-8])".encode()),
        ("(;FF[4]C[x])", "plain", b"(;FF[4]C[plain])"),
        (b"(;FF[4]C[x]N[\xe9])", "\xfc", b"(;FF[4]C[\xfc]N[\xe9]CA[ISO-8859-1])"),
        (b"(;FF[4]C[x]N[\xe9])", "棋", "(;FF[4]C[棋]N[é]CA[UTF-8])".encode()),
        ("(;FF[4]CA[GBK]C[x])", "棋", "(;FF[4]CA[GBK]C[棋])".encode("gbk")),
        ("(;FF[4]CA[Shift_JIS]C[x])", "表", b"(;FF[4]CA[Shift_JIS]C[\x95\\\x5c])"),
        (b"\xef\xbb\xbf(;FF[4]C[x])", "棋", b"\xef\xbb\xbf" + "(;FF[4]C[棋])".encode()),
        ("(;FF[4]C[x])".encode("utf-16"), "棋", "(;FF[4]C[棋])".encode("utf-16")),
    ],
)
def test_text_gets_a_charset_that_has_it(data: Any, text: str, written: bytes) -> None:
    collection = sgf_lark.loads(data if isinstance(data, bytes) else data.encode())
    collection[0].root["C"] = text
    assert sgf_lark.dumps(collection) == written
    assert sgf_lark.loads(written)[0].root["C"] == text


def test_charset_that_lacks_a_character_is_an_error_that_names_the_ways_out() -> None:
    game = sgf_lark.new_game(charset="GBK", C="棋")
    with pytest.raises(ValueError, match=r'U\+1F600.*root\["CA"\] = "UTF-8".*dumps\(') as found:
        game.root["C"] = "😀"
    assert "GBK" in str(found.value)
    again = sgf_lark.loads(sgf_lark.dumps(game, charset="UTF-8"))[0]
    again.root["N"] = game.root["C"]
    game.root["CA"] = "UTF-8"
    game.root["C"] = again.root["N"] + "😀"


@pytest.mark.parametrize("codec", ["utf-8", "gbk", "shift_jis", "big5", "gb18030", "euc_kr"])
@given(st.data())
def test_recoding_keeps_text_and_escapes(codec: str, data: st.DataObject) -> None:
    characters = [each for each in "aé表能ソ棋乗가😀" if each.encode(codec, "ignore")]
    parts = st.sampled_from(["\\]", "\\\\", "\\:", "\\\n", *characters])
    text = "".join(data.draw(st.lists(parts)))
    raw = encode(text, codec)
    assert recode(raw, codec, "utf-8") == text.encode()
    assert recode(text.encode(), "utf-8", codec) == raw


@pytest.mark.parametrize(
    ("charset", "written"),
    [
        ("UTF-8", "(;FF[4]CA[UTF-8]C[表\\]])(;N[a]CA[UTF-8])".encode()),
        ("Shift_JIS", b"(;FF[4]CA[Shift_JIS]C[\x95\\\x5c\\]])(;N[a]CA[Shift_JIS])"),
        ("UTF-16", "\ufeff(;FF[4]CA[UTF-16]C[表\\]])(;N[a]CA[UTF-16])".encode("utf-16-be")),
    ],
)
def test_collection_is_written_in_another_charset(charset: str, written: bytes) -> None:
    collection = sgf_lark.loads("(;FF[4]CA[GBK]C[表\\]])(;N[a])".encode("gbk"))
    before = sgf_lark.dumps(collection)
    assert sgf_lark.dumps(collection, charset=charset) == written
    assert sgf_lark.loads(written).equals(
        sgf_lark.loads(sgf_lark.dumps(collection, charset="UTF-8"))
    )
    assert sgf_lark.dumps(collection) == before and not collection.edited


@pytest.mark.parametrize(
    ("games", "charset", "error"),
    [
        (lambda: sgf_lark.new_game(C="棋"), "ISO-8859-1", ValueError),
        (lambda: sgf_lark.new_game(), "UTF-7", ValueError),
        (lambda: sgf_lark.new_game(), "no-such", LookupError),
        (lambda: game_of(b"(;FF[4]CA[UTF-8]C[" + b"\xc3\xa9" * 9 + b"\xff])"), "GBK", ValueError),
        (lambda: Collection(), None, ValueError),
        (lambda: [sgf_lark.new_game()], None, TypeError),
        (lambda: sgf_lark.new_game().root, None, TypeError),
        (lambda: sgf_lark.new_game().root.play("aa").detach().tree, None, TypeError),
    ],
)
def test_what_cannot_be_dumped(
    games: Callable[[], Any], charset: str | None, error: type[Exception]
) -> None:
    with pytest.raises(error):
        sgf_lark.dumps(games(), charset=charset)


@pytest.mark.parametrize(
    "arguments",
    [{"SZ": 9}, {"FF": 3}, {"size": 0}, {"game": 0}, {"charset": "UTF-16"}, {"KM": "x"}, {"b": 1}],
)
def test_new_game_refuses(arguments: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        sgf_lark.new_game(**arguments)


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        ({}, (19, 19)),
        ({"size": (9, 13)}, (9, 13)),
        ({"game": 11}, (11, 11)),
        ({"game": 6}, None),
    ],
)
def test_new_game_has_a_size(arguments: dict[str, Any], size: Any) -> None:
    game = sgf_lark.new_game(**arguments)
    assert game.size == size and not sgf_lark.validate(sgf_lark.dumps(game)).counts["error"]


@pytest.mark.parametrize("charset", ["UTF-16", "UTF-7", "no-such", 3])
def test_charset_that_a_tree_cannot_declare(charset: Any) -> None:
    game = sgf_lark.new_game()
    with pytest.raises(ValueError, match="CA"):
        game.root["CA"] = charset
    assert game.root["CA"] == "UTF-8"


@pytest.mark.parametrize(
    ("properties", "arguments"),
    [([("B", "pd")], {}), (None, {"Q": 3}), (None, {"b": 1}), (None, {"index": "x", "B": "pd"})],
)
def test_child_that_cannot_be_added(properties: Any, arguments: dict[str, Any]) -> None:
    game = sgf_lark.new_game()
    with pytest.raises((TypeError, ValueError)):
        game.root.add_child(properties, **arguments)
    assert not game.root.children


def test_child_gets_the_properties_of_another_node() -> None:
    game = game_of("(;FF[4];B[aa]C[x])")
    child = game.root.add_child(game.root.children[0], C="y", index=0)
    assert game.root.children[0] is child and dict(child) == {"B": Move(Point(0, 0)), "C": "y"}


def test_raw_values_have_a_door() -> None:
    node = game_of("(;FF[4]CA[UTF-8];B[aa]AB[bb]AB[cc])").root.children[0]
    entry = node.property("B")
    entry.raw = [b"A1", b"x\\]"]
    assert bytes(entry) == b"B[A1][x\\]]" and node.property("B").raw == entry.raw
    entry.raw = b"aa"
    second = node.of_ident("AB")[1]
    second.raw = b"dd"
    assert sgf_lark.dumps(node.tree) == b"(;FF[4]CA[UTF-8];B[aa]AB[bb]AB[dd])"
    wrong: list[Any] = [b"]", [], [b"\\"], "text", [b"\xe9"], None]
    for raw in wrong:
        with pytest.raises((TypeError, ValueError)):
            entry.raw = raw
    assert sgf_lark.dumps(node.tree) == b"(;FF[4]CA[UTF-8];B[aa]AB[bb]AB[dd])"
    root = node.root
    root["SZ"] = 9
    root.property("SZ").raw = b"13"
    assert node.tree.size == (13, 13)
    del node["B"]
    with pytest.raises(ValueError, match="no longer"):
        entry.raw = b"bb"


# --- Moving ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target", "written"),
    [
        ("(;FF[4];B[pd])", "(;FF[4])", b"(;FF[4];B[pd])"),
        ("(;FF[4];B[])", "(;FF[3])", b"(;FF[3];B[tt])"),
        ("(;FF[3];B[tt])", "(;FF[4]SZ[21])", b"(;FF[4]SZ[21];B[])"),
        ("(;FF[4]CA[UTF-8];C[é])", "(;FF[4]CA[ISO-8859-1])", b"(;FF[4]CA[ISO-8859-1];C[\xe9])"),
        ("(;FF[4]CA[UTF-8];C[é])", "(;FF[4])", "(;FF[4]CA[UTF-8];C[é])".encode()),
        ("(;FF[4];B[pd])", "(;FF[4]SZ[9])", None),
        ("(;FF[4];AB[aa][kk])", "(;FF[4]SZ[9])", None),
        ("(;FF[4];B[pd])", "(;FF[4]GM[11])", None),
        ("(;FF[4];C[x])", "(;FF[4]GM[11])", b"(;FF[4]GM[11];C[x])"),
        ("(;FF[4]CA[UTF-8];C[棋])", "(;FF[4]CA[ISO-8859-1])", None),
        ("(;FF[4];XX[\\]]B[zz9])", "(;FF[4]SZ[9])", b"(;FF[4]SZ[9];XX[\\]]B[zz9])"),
    ],
)
def test_node_moves_to_another_game(source: str, target: str, written: bytes | None) -> None:
    one, two = game_of(source), game_of(target)
    node = one.root.children[0]
    others = {node: "kept"}
    before = sgf_lark.dumps(one), sgf_lark.dumps(two)
    if written is None:
        with pytest.raises(ValueError):
            node.move_to(two.root)
        assert (sgf_lark.dumps(one), sgf_lark.dumps(two)) == before
        return
    assert node.move_to(two.root) is node and node.tree is two
    assert sgf_lark.dumps(two) == written and len(list(one.nodes())) == 1
    assert others[node] == "kept" and two.root.children == (node,)


def test_nothing_gets_into_a_file_whose_charset_lacks_it() -> None:
    game = sgf_lark.loads(
        "(;FF[4]C[表]N[能])".encode("cp932"), charset="cp932", charset_mode="file"
    )[0]
    assert game.file.decoding.whole is not None
    before = sgf_lark.dumps(game)
    with pytest.raises(ValueError, match="dumps"):
        game.root["C"] = "😀"
    with pytest.raises(ValueError, match="dumps"):
        game.root.property("C").raw = "😀".encode()
    with pytest.raises(ValueError, match="dumps"):
        sgf_lark.new_game().root.add_child(C="😀").move_to(game.root)
    assert sgf_lark.dumps(game) == before


def test_what_cannot_be_moved_or_detached() -> None:
    game = game_of("(;FF[4];B[aa];W[bb])")
    first = game.root.children[0]
    wrong: list[tuple[Node, Any]] = [
        (game.root, first), (first, first), (first, first.children[0]), (first, None),
    ]  # fmt: skip
    for node, parent in wrong:
        with pytest.raises((TypeError, ValueError)):
            node.move_to(parent)
    assert not game.edited


def test_detached_node_is_independent_of_its_tree() -> None:
    game = game_of("(;FF[4]CA[UTF-8]SZ[19];C[é]B[tt];W[pd])")
    node = game.root.children[0].detach()
    game.root["CA"] = "ISO-8859-1"
    game.root["SZ"] = 9
    assert node["C"] == "é" and node.parent is None and node.root is node and not node.is_root
    assert node.detach() is node
    node["N"] = "棋"
    with pytest.raises(ValueError):
        node.move_to(game.root)
    game.root["SZ"], game.root["CA"] = 19, "UTF-8"
    node.move_to(game.root)
    assert sgf_lark.dumps(game).decode() == "(;FF[4]CA[UTF-8]SZ[19];C[é]B[tt]N[棋];W[pd])"


def test_copied_root_leaves_root_properties_behind() -> None:
    game = game_of("(;FF[4]SZ[9]C[x]AB[aa];B[bb])")
    game.root.copy().move_to(game.root)
    assert sgf_lark.dumps(game) == b"(;FF[4]SZ[9]C[x]AB[aa](;B[bb])(;C[x]AB[aa];B[bb]))"


# --- Collections ------------------------------------------------------------------------


def test_collection_keeps_bytes_while_games_come_and_go() -> None:
    collection = sgf_lark.loads(b" (;FF[4] C[a] )\n(;C[b]) (;C[c])")
    assert isinstance(collection, MutableSequence) and isinstance(
        collection[0].root, MutableMapping
    )
    first, second, third = collection
    collection[1:2] = []
    assert sgf_lark.dumps(collection) == b" (;FF[4] C[a] )\n(;C[c])"
    collection.insert(0, second)
    collection.reverse()
    assert list(collection) == [third, first, second]
    collection[0] = sgf_lark.loads(b"(;CA[GBK]N[\xc6\xe5])")[0]
    assert sgf_lark.dumps(collection[:1]) == b" (;CA[GBK]N[\xc6\xe5])"
    wrong: list[Any] = [b"(;)", first.root, None, [first], first.root.copy().tree]
    for game in wrong:
        with pytest.raises(TypeError):
            collection.append(game)
    with pytest.raises(TypeError):
        collection[0:1] = first  # type: ignore[call-overload]
    assert len(collection) == 3


@pytest.mark.parametrize(
    ("container", "game", "written"),
    [
        ("(;C[é])".encode("utf-16"), b"(;CA[GBK]N[\xc6\xe5])",
         "\ufeff(;C[é])(;CA[UTF-16]N[棋])".encode("utf-16-le")),
        (b"\xef\xbb\xbf(;C[a])", b"(;CA[GBK]N[\xc6\xe5])",
         "\ufeff(;C[a])(;CA[UTF-8]N[棋])".encode()),
        (b"(;C[a])", "(;N[棋])".encode("utf-16"), "(;C[a])(;N[棋]CA[UTF-8])".encode()),
        (b"(;C[a])", "\ufeff(;N[é])".encode(), "(;C[a])(;N[é]CA[UTF-8])".encode()),
        (b"(;C[a])", b"(;N[\xe9])", b"(;C[a])(;N[\xe9])"),
    ],
)  # fmt: skip
def test_game_is_written_in_the_charset_of_its_new_file(
    container: bytes, game: bytes, written: bytes
) -> None:
    collection = sgf_lark.loads(container)
    collection += sgf_lark.loads(game)
    assert sgf_lark.dumps(collection) == written
    assert sgf_lark.loads(written).equals(collection)


@pytest.mark.parametrize(
    "damaged",
    [
        b"(;FF[4]C[a](;B[aa](;W[bb]",
        b"(;C[a\\",
        b"(;B[aa] junk;W[bb]))(;",
        b"(;C[a]b\\]c]d\\\\];B[aa])",
        b"(;PB[\x83\\]\x83\\];B[aa])",
    ],
)
def test_edited_damage_is_written_by_the_grammar(damaged: bytes) -> None:
    collection = sgf_lark.loads(damaged, tolerant=True)
    assert sgf_lark.dumps(collection) == damaged
    collection[0].root["N"] = "x"
    again = sgf_lark.loads(sgf_lark.dumps(collection))
    assert [_texts(game) for game in again] == [_texts(game) for game in collection]


def _texts(game: sgf_lark.GameTree) -> list[dict[str, Any]]:
    return [dict(node) for node in game.nodes()]


# --- Copies -----------------------------------------------------------------------------

COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))]


@pytest.mark.parametrize("copied", COPIES)
@given(data=collections())
def test_copies_are_equal_and_independent(copied: Callable[[Any], Any], data: bytes) -> None:
    collection = sgf_lark.loads(data)
    last = [*collection[-1].nodes()][-1]
    last["C"] = "edited"
    again, game, node = copied((collection, collection[-1], last))
    assert (
        node.tree is game and again[-1] is game and game._index_of(node) == len([*game.nodes()]) - 1
    )
    assert again.equals(collection) and sgf_lark.dumps(again) == sgf_lark.dumps(collection)
    spans = [entry.span for entry in collection[0].root.properties]
    assert [entry.span for entry in again[0].root.properties] == spans
    node["C"] = "other"
    assert last["C"] == "edited" and not again.equals(collection)


def test_pickled_game_has_only_its_part_of_the_file_and_the_place_in_it() -> None:
    collection = sgf_lark.loads(b"(;C[" + b"x" * 9999 + b"])\n (;FF[4]\nN[a];B[aa])(;)")
    data = pickle.dumps(collection[1])
    game = pickle.loads(data)
    assert len(data) < 2000 and game.equals(collection[1])
    for one, two in zip(game.nodes(), collection[1].nodes(), strict=True):
        assert [entry.span for entry in one.properties] == [entry.span for entry in two.properties]


@pytest.mark.parametrize("copied", COPIES)
def test_detached_and_damaged_nodes_are_copied(copied: Callable[[Any], Any]) -> None:
    top = game_of("(;FF[4]CA[UTF-8];C[é];B[aa])").root.children[0].detach()
    again, child = copied((top, top.children[0]))
    assert again.equals(top) and again.children == (child,) and again.parent is None
    damaged = sgf_lark.loads(b"(;FF[4]a[b];Aa[x] ] (;C[d", tolerant=True)
    again = copied(damaged)
    assert again.equals(damaged) and again.damage == damaged.damage
    assert copied(damaged[0]).equals(damaged[0])


def test_shallow_copies() -> None:
    collection = sgf_lark.loads(b"(;FF[4]C[a];B[aa])")
    shallow = copy.copy(collection)
    assert shallow[0] is collection[0] and shallow is not collection
    game = copy.copy(collection[0])
    assert game is not collection[0] and game.equals(collection[0])
    node = copy.copy(collection[0].root.children[0])
    assert node.parent is None and node.equals(collection[0].root.children[0])


def test_equality_is_identity() -> None:
    one, two = game_of("(;FF[4];B[aa];B[aa])"), game_of("(;FF[4];B[aa];B[aa])")
    assert one.equals(two) and one != two and one.root != two.root
    assert one.root == one.root and one.root.equals(two.root)
    assert not one.root.equals(one.root.children[0]) and not one.equals(game_of("(;FF[4];B[aa])"))


def test_deep_trees_are_walked_without_recursion() -> None:
    game = game_of(b"(;FF[4]" + b"(;B[aa]" * DEEP + b")" * DEEP + b")")
    *_, last = game.nodes()
    assert last.depth == DEEP == len(last.path()) - 1 == last.move_number
    assert list(game.leaves()) == [last] and list(game.main_line())[-1] is last
    assert last.inherited("VW") is None
    last.play("bb")
    for copied in COPIES:
        again, node = copied((game, last))
        assert again.equals(game) and node.depth == DEEP
    first = game.root.children[0]
    assert first.copy().equals(first)
    other = sgf_lark.new_game()
    first.detach().move_to(other.root)
    assert pickle.loads(pickle.dumps(first)).equals(first)
    assert sgf_lark.loads(sgf_lark.dumps(other, charset="UTF-16"))[0].equals(other)


# --- At the prompt ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("(;FF[4]CA[UTF-8]C[é棋])", "Node(;FF[4]CA[UTF-8]C[é棋])"),
        ("(;C[a\nb\\]])", r"Node(;C[a\nb\\]])".replace(r"\\]", r"\]")),
        ("(;C[" + "x" * 99 + "])", "Node(;C[" + "x" * 60 + "…])"),
        ("(;AB" + "[aa]" * 9 + ")", "Node(;AB" + "[aa]" * 6 + "…)"),
    ],
)
def test_repr_shows_text(data: str, shown: str) -> None:
    node = game_of(data).root
    assert repr(node) == shown
    *_, last = node.properties
    assert repr(last) == f"Property({shown[shown.rindex(last.ident + '[') :][:-1]})"
    assert repr(node.tree) == f"<GameTree: Go 19x19, FF[{node.tree.file_format}], {shown}>"
