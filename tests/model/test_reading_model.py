"""Tables of files and of what is read from them: contexts, charsets, places, equality, names."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from string import ascii_uppercase
from typing import Any

import pytest

import sgf_lark
from sgf_lark import Collection, GameTree, Move, Node, Point, Property, Stone, loads
from sgf_lark.text import charsets
from tests.kit.tables import for_each

BOM = b"\xef\xbb\xbf"


def game(text: str | bytes, **options: Any) -> GameTree:
    return loads(text if isinstance(text, bytes) else text.encode(), tolerant=True, **options)[0]


# --- What the root determines ------------------------------------------------------------


@for_each(
    [
        ("", 1, 4, (19, 19)),
        ("FF[1]", 1, 1, (19, 19)),
        ("FF[2]", 1, 2, (19, 19)),
        ("FF[3]", 1, 3, (19, 19)),
        ("FF[+4]", 1, 4, (19, 19)),
        ("FF[5]", 1, 4, (19, 19)),
        ("FF[0]", 1, 4, (19, 19)),
        ("FF[-1]", 1, 4, (19, 19)),
        ("FF[x]", 1, 4, (19, 19)),
        ("FF[99999999999999999999]", 1, 4, (19, 19)),
        # What is above 4 is FF[4], whatever it has; without a number the properties decide.
        ("FF[5]L[aa]", 1, 4, (19, 19)),
        ("FF[-1]L[aa]", 1, 1, (19, 19)),
        ("FF[3]FF[4]", 1, 3, (19, 19)),
        ("GM[0]", 1, 4, (19, 19)),
        ("GM[x]", 1, 4, (19, 19)),
        # Games whose points have no known notation have the size that is given.
        ("GM[2]", 2, 4, None),
        ("GM[2]SZ[8]", 2, 4, (8, 8)),
        ("GM[99]", 99, 4, None),
        ("GM[99]SZ[7]", 99, 4, (7, 7)),
        ("GM[6]SZ[9]", 6, 4, None),
        ("GM[9]", 9, 4, (8, 8)),
        ("GM[11]", 11, 4, (11, 11)),
        ("GM[18]", 18, 4, (10, 10)),
        ("GM[19]SZ[5]", 19, 4, (5, 5)),
        ("GM[20]", 20, 4, (20, 20)),
        ("SZ[5:7]", 1, 4, (5, 7)),
        ("SZ[1]", 1, 4, (1, 1)),
        ("SZ[0]", 1, 4, (19, 19)),
        ("SZ[:9]", 1, 4, (19, 19)),
        ("SZ[9]SZ[13]", 1, 4, (9, 9)),
        # Go has letters for 52 columns and rows; Hex has names for all.
        ("SZ[52]", 1, 4, (52, 52)),
        ("SZ[53]", 1, 4, (52, 52)),
        ("SZ[53:7]", 1, 4, (52, 7)),
        ("SZ[7:53]", 1, 4, (7, 52)),
        ("GM[11]SZ[1000]", 11, 4, (1000, 1000)),
        ("GM[11]SZ[99999999999999999999]", 11, 4, (2**63 - 1, 2**63 - 1)),
    ]
)
def test_context(root: str, number: int, file_format: int, size: tuple[int, int] | None) -> None:
    tree = game(f"(;{root};B[aa])")
    for again in (tree, copy.copy(tree), pickle.loads(pickle.dumps(tree))):
        assert (again.game, again.file_format, again.size) == (number, file_format, size)


GUESSED = "(;C[黑方这手棋是败着，应当在左下角补一手])"


@for_each(
    [
        ("(;C[x])", {}, "ISO-8859-1", True),
        (b"(;C[\xe9])", {}, "ISO-8859-1", False),
        (b"(;C[\xe9])", {"charset": "ISO-8859-1"}, "ISO-8859-1", True),
        (b"(;C[\xe9])", {"default_charset": "ISO-8859-2"}, "ISO-8859-2", True),
        (b"(;C[\xe9])", {"charset": "UTF-8"}, "ISO-8859-1", False),
        (b"(;CA[ISO-8859-1]C[\xe9])", {}, "ISO-8859-1", True),
        (b"(;CA[ISO-8859-1]C[\xe9])", {"default_charset": "UTF-8"}, "ISO-8859-1", True),
        (b"(;CA[UTF-8]C[\xe9])", {}, "ISO-8859-1", False),
        (b"(;CA[no-such]C[\xe9])", {}, "ISO-8859-1", False),
        ("(;CA[UTF-8]C[é])", {}, "UTF-8", True),
        ("(;CA[UTF-8]C[é])", {"charset": "ISO-8859-1"}, "ISO-8859-1", True),
        ("(;CA[no-such]C[é])", {}, "UTF-8", False),
        # Without CA some text can be nothing but UTF-8, and under another CA it may be that.
        ("(;C[棋棋棋棋])", {}, "UTF-8", True),
        ("(;C[é])", {}, "UTF-8", False),
        ("(;C[é])", {"charset_mode": "text"}, "ISO-8859-1", False),
        ("(;CA[ISO-8859-1]C[棋棋棋棋])", {}, "UTF-8", False),
        ("(;CA[GBK]C[棋棋棋棋])", {}, "UTF-8", False),
        ("(;CA[GBK]C[黑方这手棋])".encode("gbk"), {}, "GBK", True),
        (GUESSED.encode("gbk"), {}, "GB18030", False),
        (GUESSED.encode("gbk"), {"charset": "GBK"}, "GBK", True),
        # What the first bytes show, and a CA that says something else.
        (BOM + "(;C[é])".encode(), {}, "UTF-8", True),
        (BOM + "(;CA[UTF-8]C[é])".encode(), {}, "UTF-8", True),
        (BOM + "(;CA[GBK]C[é])".encode(), {}, "UTF-8", False),
        (BOM + b"(;CA[GBK]C[\xe9])", {}, "ISO-8859-1", False),
        ("(;C[棋])".encode("utf-16"), {}, "UTF-8", True),
        ("(;CA[UTF-16]C[棋])".encode("utf-16"), {}, "UTF-8", True),
        ("(;CA[GBK]C[棋])".encode("utf-16"), {}, "UTF-8", False),
        ("(;CA[Shift_JIS]C[表])".encode("cp932"), {}, "Shift_JIS", True),
    ]
)
def test_charset(
    data: str | bytes, options: dict[str, Any], charset: str, is_certain: bool
) -> None:
    tree = game(data, **options)
    assert (charsets.name_of(tree.charset), tree.has_certain_charset) == (charset, is_certain)
    again = pickle.loads(pickle.dumps(tree))
    assert (again.charset, again.has_certain_charset) == (tree.charset, is_certain)


# --- Places in the file ------------------------------------------------------------------

TWO_CHARSETS = (
    "(;CA[UTF-8]C[棋棋]N[a])\n".encode() + "(;CA[GBK]C[棋棋]N[b]) ".encode("gbk")
    + b"(;C[x]\nN[c])(;N[d])"
)  # fmt: skip


def test_columns_count_the_characters_of_each_tree() -> None:
    collection = loads(TWO_CHARSETS)
    expected = [(20, 24, 1, 17), (42, 46, 2, 15), (55, 59, 3, 1), (62, 66, 3, 8)]
    trees = [*collection, *pickle.loads(pickle.dumps([*collection]))]
    trees += [pickle.loads(pickle.dumps(tree)) for tree in collection]
    for tree, span in zip(trees, expected * 3, strict=True):
        assert tree.root.property("N").span == span
    source = collection.source
    assert [source.text(tree.root.property("N").span) for tree in collection] == [  # type: ignore[arg-type]
        *("N[a]", "N[b]", "N[c]", "N[d]")
    ]


def test_pickled_games_have_their_own_bytes_and_damage() -> None:
    data = TWO_CHARSETS + b" junk (;N[e,"
    collection = loads(data, tolerant=True)
    found = [[each.code for each in tree.damage] for tree in collection]
    assert found == [[], [], [], ["SGF102"], ["SGF119"]]
    for tree in collection:
        again = pickle.loads(pickle.dumps(tree))
        assert again.equals(tree) and again.number == 0
        assert [*again.damage] == [*tree.damage]
        assert [each.span for each in again.root.properties] == [
            each.span for each in tree.root.properties
        ]
        others = [each for each in collection if each is not tree]
        assert not any(sgf_lark.dumps(each)[1:-2] in pickle.dumps(tree) for each in others)
    # Of two games, in two charsets.
    two = loads(TWO_CHARSETS[: TWO_CHARSETS.index(b"(;C[x]")])
    assert [tree.root.property("N").span for tree in two] == [(20, 24, 1, 17), (42, 46, 2, 15)]
    assert pickle.loads(pickle.dumps(two[1])).number == 0
    for tree in loads("(;C[a])(;C[棋])".encode("utf-16")):
        again = pickle.loads(pickle.dumps(tree))
        assert again.equals(tree) and again.number == 0
        assert again.root.property("C").span == tree.root.property("C").span
    nothing = loads(b"", tolerant=True)
    assert [*nothing] == [] and nothing.source.position(0).offset == 0


def test_new_properties_have_no_place() -> None:
    tree = game("(;N[a] C [b] [c];B[aa])")
    entry = tree.root.property("C")
    assert (entry.offsets, entry.count, entry.number) == ((7, 16), 2, 1)
    flat = tree.parsed.flat
    assert [flat.node_span(number) for number in tree.parsed.numbers] == [(1, 16), (16, 22)]
    tree.root["C"] = "x"
    new, child = tree.root.property("C"), tree.root.add_child(B="bb")
    assert (new.span, new.count, new.number, child.number) == (None, 1, None, 2)
    assert child.property("B").count == 1
    with pytest.raises(ValueError):
        _ = new.offsets
    # The one that it replaced is another property, and has its place.
    assert entry.span == (7, 16, 1, 8) and entry not in tree.root.properties
    first, again = tree.root.properties[0], tree.root.property("N")
    assert first == again and hash(first) == hash(again)
    assert new == tree.root.property("C") and first != new and first != "N[a]"


# --- Nodes -------------------------------------------------------------------------------

#: Of each value 60 characters are shown, and properties until there are more than 240.
LONG = "(;" + "".join(f"{ident}[{ident * 59}é]" for ident in "CDE") + f"F[{'F' * 61}]"
SHOWN = ";" + "".join(f"{ident}[{ident * 59}é]" for ident in "CDE") + f"F[{'F' * 60}…]"
#: 236 characters.
FULL = "".join(f"{ident}[{'x' * 56}]" for ident in "CNVW")
MANY = "(;FF[4]B[aa]W[bb]KO[]DT[1996]AB[cc]TR[dd]C[x]GB[1]XX[a]PB[y]DD[ee])"
#: So many properties are looked up in an index.
WIDE = "(;" + "".join(f"Y{letter}[a]Z{letter}[a]" for letter in ascii_uppercase) + "C[b])"


def nested(tree: GameTree) -> tuple[list[int], list[int]]:
    return tree.parsed.nested_roots, tree.parsed.nested_games


def idents(entries: list[Property]) -> str:
    return " ".join(entry.ident for entry in entries)


READ: list[tuple[str, Callable[[GameTree], Any], Any]] = [
    ("(;W[bb]B[aa])", lambda tree: (tree.root.move, tree.root.color), (Move(Point(1, 1)), "W")),
    ("(;C[x])", lambda tree: (tree.root.move, tree.root.color), (None, None)),
    ("(;C[a]N[b]C[c])", lambda tree: [*tree.root], ["C", "N"]),
    ("(;C[a]N[b]C[c])", lambda tree: len(tree.root), 2),
    ("(;C[a]N[b]C[c])", lambda tree: tree.root["C"], "a"),
    ("(;C[a]N[b]C[c])", lambda tree: [each.value for each in tree.root.select("C")], ["a", "c"]),
    ("(;)", lambda tree: bool(tree.root), True),
    ("(;C[a])", lambda tree: (tree.root.get("N"), tree.root.get("N", 3)), (None, 3)),
    ("(;C[a])", lambda tree: tree.root.property("N", None), None),
    ("(;C[a])", lambda tree: ("C" in tree.root, "N" in tree.root), (True, False)),
    ("(;FF[4]AB[aa:bb])", lambda tree: len(tree.root.property("AB").values), 4),
    ("(;FF[4]C[a])", lambda tree: tree.root.property("C").values, ["a"]),
    ("(;FF[4]AB[aa]TR[aa])", lambda tree: [type(tree.root[ident][0]) for ident in ("AB", "TR")],
     [Stone, Point]),
    ("(;XX[a][b])", lambda tree: tree.root.property("XX").values, [b"a", b"b"]),
    ("(;XX[a])", lambda tree: tree.root.property("XX").definition, None),
    ("(;GM[11])", lambda tree: tree.write_point(Point(2, 3)), "c4"),
    ("(;SZ[9:13])", lambda tree: [tree.has_point(Point(*each)) for each in
                                 ((8, 12), (9, 12), (8, 13))], [True, False, False]),
    ("(;GM[6])", lambda tree: tree.has_point(Point(99, 0)), True),
    ("(;AB" + "[aa]" * 6 + ")", lambda tree: repr(tree.root), f"Node(;AB{'[aa]' * 6})"),
    ("(;AB" + "[aa]" * 7 + ")", lambda tree: repr(tree.root), f"Node(;AB{'[aa]' * 6}…)"),
    (f"(;{FULL}A[x]D[])", lambda tree: repr(tree.root), f"Node(;{FULL}A[x]D[])"),
    (f"(;{FULL}A[xx]D[])", lambda tree: repr(tree.root), f"Node(;{FULL}A[xx]…)"),
    (LONG + "G[])", repr, f"<GameTree: Go 19x19, FF[4], Node({SHOWN}…)>"),
    (LONG + ")", repr, f"<GameTree: Go 19x19, FF[4], Node({SHOWN})>"),
    ("(;FF[4]SZ[9:13])", repr, "<GameTree: Go 9x13, FF[4], Node(;FF[4]SZ[9:13])>"),
    ("(;FF[4]GM[6])", repr, "<GameTree: Backgammon, FF[4], Node(;FF[4]GM[6])>"),
    (WIDE, lambda tree: idents(tree.root.select("C")), "C"),
    (WIDE, lambda tree: len(tree.root.select("N")), 0),
    (MANY, lambda tree: idents(tree.root.select(type="setup")), "AB"),
    (MANY, lambda tree: idents(tree.root.select(type="game-info")), "DT PB"),
    (MANY, lambda tree: idents(tree.root.select(type="root")), "FF"),
    (MANY, lambda tree: idents(tree.root.select(format="date")), "DT"),
    (MANY, lambda tree: idents(tree.root.select(unique="markup")), "TR"),
    (MANY, lambda tree: idents(tree.root.select(unique="setup")), "AB"),
    (MANY, lambda tree: idents(tree.root.select(exclusive="move")), "B W"),
    (MANY, lambda tree: idents(tree.root.select(needs_move=True)), "KO"),
    (MANY, lambda tree: idents(tree.root.moves()), "B W"),
    ("(;B[aa](;W[bb])(;W[cc];B[dd]))", lambda tree: [each.depth for each in tree.nodes()],
     [0, 1, 1, 2]),
    ("(;B[aa](;W[bb])(;W[cc];B[dd]))", lambda tree: [each.number for each in tree.leaves()],
     [1, 3]),
    ("(;B[aa](;W[bb])(;W[cc];B[dd]))", lambda tree: [each.number for each in tree.main_line()],
     [0, 1]),
    # Where other games may begin.
    ("(;GM[1];B[aa];C[x];FF[4]GM[1])", nested,
     ([3], [3])),
    ("(;;FF[4]GM[1];FF[4]C[x];GM[1]B[aa])", nested,
     ([1, 2, 3], [2])),
]  # fmt: skip


@for_each(READ)
def test_what_is_read(text: str, read: Callable[[GameTree], Any], expected: Any) -> None:
    tree = game(text)
    assert read(tree) == expected
    # The same of nodes that have their own lists.
    for node in tree.nodes():
        node["XX"] = node.get("XX", [b"x"])
        if text.count("XX") == 0:
            del node["XX"]
        for child in node.children:
            child.move_to(node)
    assert read(tree) == expected and read(copy.copy(tree)) == expected


def test_nodes_of_a_tree_are_the_same_by_their_numbers() -> None:
    tree, other = game("(;C[a];B[aa])"), game("(;C[a];B[aa])")
    assert Node(tree, 1) == tree.node(1) and hash(Node(tree, 1)) == hash(tree.node(1))
    assert Node(tree, 1) != tree.node(0) != other.node(0) and tree.node(1) != 1
    child = tree.node(1)
    child.move_to(other.root)
    assert child.number == 2 and child.tree is other
    # The tree can be asked for what was parsed, which is another node then.
    assert tree.node(1) is not child and tree.node(1).tree is tree


def test_property_is_that_of_its_file_wherever_it_goes() -> None:
    node = game("(;FF[4](;C[other])(;N[nnn]C[c]))").node(2)
    second = loads(b"(;FF[4]N[first])(;GM[1]N[second]C[x][y])")[1]
    entry = second.root.property("C")
    held, replaced = node.property("C"), node.property("N")
    node["N"] = "new"
    node.move_to(second.root)
    assert (held.raw, held.value, held.count, held.span) == ([b"c"], "c", 1, None)
    again, *removed = pickle.loads(pickle.dumps((entry, held, replaced)))
    assert again.raw == [b"x", b"y"] and again in again.node.properties
    assert [each.raw for each in removed] == [[b"c"], [b"nnn"]]


@for_each(
    [
        ("(;B[aa])", "( ;B\n[aa] )", True),
        ("(;B[aa]C[x])", "(;C[x]B[aa])", False),
        ("(;N[x])", "(;C[x])", False),
        ("(;N[x])", "(;N[x]C[y])", False),
        ("(;CA[UTF-8]C[é])", b"(;C[\xe9])", True),
        ("(;CA[UTF-8]C[x])", "(;C[x]CA[GBK])", True),
        ("(;FF[4]AB[aa:bb])", "(;FF[4]AB[aa][ba][ab][bb])", True),
        ("(;FF[4]KM[06.50])", "(;FF[4]KM[6.5])", True),
        # The same bytes that mean something else.
        ("(;SZ[19];B[tt])", "(;SZ[25];B[tt])", False),
        (b"(;CA[ISO-8859-1];C[\xc6\xe5])", b"(;CA[GBK];C[\xc6\xe5])", False),
        # Bytes that cannot be read mean only themselves.
        ("(;B[a])", "(;B[a])", True),
        ("(;B[a])", "(;B[b])", False),
        ("(;CA[UTF-8]B[a])", "(;CA[GBK]B[a])", True),
        ("(;B[a])", "(;B[aa])", False),
        ("(;B[aa])", "(;B[a])", False),
        ("(;(;B[aa])(;B[bb]))", "(;(;B[bb])(;B[aa]))", False),
        ("(;;B[aa](;B[bb])(;C[x]))", "(;;B[aa](;B[bb])(;C[y]))", False),
        ("(;B[aa](;B[bb])(;C[x]))", "(;B[aa];B[bb])", False),
    ]
)
def test_equality(one: str | bytes, two: str | bytes, expected: bool) -> None:
    first, second = game(one), game(two)
    pairs: list[tuple[Any, Any]] = [(first, second), (first.root, second.root)]
    pairs += [(Collection([first]), Collection([second]))]
    for left, right in pairs:
        assert left.equals(right) == right.equals(left) == expected
        assert left.equals(left) and left != right
    # Other contexts are other games, also with the same nodes.
    assert not game("(;SZ[19])").equals(game("(;SZ[9])"))
    assert not game("(;FF[3])").equals(game("(;FF[4])"))


# --- Collections and new games -----------------------------------------------------------


def test_collections() -> None:
    collection = loads(b"(;GM[1])(;GM[6])")
    assert repr(collection) == "<Collection of 2 game trees>"
    assert repr(collection[:1]) == "<Collection of 1 game tree>"
    assert sgf_lark.dumps(collection[1:]) == b"(;GM[6])"
    assert sgf_lark.dumps(Collection(collection)) == b"(;GM[1])(;GM[6])"
    assert repr(Collection()) == "<Collection of 0 game trees>"
    assert collection._repr_svg_() == collection[0]._repr_svg_() is not None
    assert collection[::-1]._repr_svg_() is None is Collection()._repr_svg_()
    assert not collection.equals(collection[:1]) and not collection[:1].equals(collection)
    assert collection.equals(collection[:]) and not collection.equals(collection[::-1])
    edits: list[Callable[[Collection], object]] = [
        lambda games: games.insert(1, games[0]),
        lambda games: games.__delitem__(0),
        lambda games: games.__setitem__(0, games[1]),
        lambda games: games.__setitem__(slice(0, 1), [games[1]]),
        lambda games: games[1].root.__setitem__("C", "x"),
        lambda games: games[1].root.add_child(),
    ]
    for edit in edits:
        again = loads(b"(;GM[1])(;GM[6])")
        assert not again.edited
        edit(again)
        assert again.edited and copy.copy(again).edited
        written = b"".join(sgf_lark.dumps(each) for each in again)
        assert sgf_lark.dumps(again) == written
        assert pickle.loads(pickle.dumps(again)).edited


@for_each(
    [
        *({"GM": 2}, {"CA": "GBK"}, {"SZ": 9}, {"FF": 4}, {"KM": "x"}, {"b": 1}),
        *({"game": game} for game in (0, -1, True, "1", 1.0)),
        *({"size": size} for size in (0, 53, (9, 53))),
        {"charset": "UTF-16"},
    ]
)
def test_new_game_refuses(arguments: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        sgf_lark.new_game(**arguments)


@for_each(
    [
        ({}, "(;FF[4]CA[UTF-8]GM[1]SZ[19])"),
        ({"size": 1}, "(;FF[4]CA[UTF-8]GM[1]SZ[1])"),
        ({"size": 52}, "(;FF[4]CA[UTF-8]GM[1]SZ[52])"),
        ({"size": (9, 13)}, "(;FF[4]CA[UTF-8]GM[1]SZ[9:13])"),
        ({"size": (9, 9), "KM": 6.5, "C": "x"}, "(;FF[4]CA[UTF-8]GM[1]SZ[9]KM[6.5]C[x])"),
        ({"charset": "cp936"}, "(;FF[4]CA[GBK]GM[1]SZ[19])"),
        ({"game": 6}, "(;FF[4]CA[UTF-8]GM[6])"),
        ({"game": 6, "size": 9}, "(;FF[4]CA[UTF-8]GM[6]SZ[9])"),
        ({"game": 18}, "(;FF[4]CA[UTF-8]GM[18]SZ[10])"),
        ({"game": 1000}, "(;FF[4]CA[UTF-8]GM[1000])"),
    ]
)
def test_new_game_is_written_in_these_bytes(arguments: dict[str, Any], written: str) -> None:
    tree = sgf_lark.new_game(**arguments)
    assert sgf_lark.dumps(tree) == written.encode()
    assert loads(written)[0].equals(tree)
