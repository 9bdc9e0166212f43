"""Tables of edits: the file, what is done to its first game, and the exact bytes written then."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import sgf_lark
from sgf_lark import BoardError, GameTree, Node
from tests.kit.tables import for_each

Edit = Callable[[GameTree], object]


def at(tree: GameTree, place: str) -> Node:
    """The node at a place such as "01": the second child of the first child of the root."""
    node = tree.root
    for index in place:
        node = node.children[int(index)]
    return node


def put(place: str, ident: str, value: Any) -> Edit:
    return lambda tree: at(tree, place).__setitem__(ident, value)


def remove(place: str, ident: str) -> Edit:
    return lambda tree: at(tree, place).__delitem__(ident)


def raw(place: str, ident: str, *raws: bytes, number: int = 0) -> Edit:
    """Set the values as written of the property, or of a repetition of it."""
    return lambda tree: setattr(at(tree, place).select(ident)[number], "raw", [*raws])


def add(place: str, index: int | None = None, **properties: Any) -> Edit:
    return lambda tree: at(tree, place).add_child(properties, index=index)


def detach(place: str) -> Edit:
    return lambda tree: at(tree, place).detach()


def move(place: str, target: str, index: int | None = None) -> Edit:
    return lambda tree: at(tree, place).move_to(at(tree, target), index)


def copied(place: str, target: str, index: int | None = None) -> Edit:
    return lambda tree: at(tree, place).copy().move_to(at(tree, target), index)


def order(place: str, *indices: int) -> Edit:
    def edit(tree: GameTree) -> None:
        for child in [at(tree, place + str(i)) for i in indices]:
            child.move_to(at(tree, place))

    return edit


def both(*edits: Edit) -> Edit:
    return lambda tree: [edit(tree) for edit in edits]


SPACED = b" (;FF[4] C[a]\n N[b] ;B[aa] )\n"
REPEATED = b"(;C[a] N[b] C[c]\tN[d]\n;)"
BRANCHED = b"(;FF[4] (;B[aa] (;W[bb] ) ) (;B[cc]))"

#: Properties: each keeps its white space, and a new one comes before that of the last.
PROPERTIES: list[tuple[bytes, Edit, bytes]] = [
    (SPACED, put("", "C", "x"), b"(;FF[4] C[x]\n N[b] ;B[aa] )\n"),
    (SPACED, put("", "N", "x"), b"(;FF[4] C[a]\n N[x] ;B[aa] )\n"),
    (SPACED, put("", "PB", "x"), b"(;FF[4] C[a]\n N[b]PB[x] ;B[aa] )\n"),
    (SPACED, both(put("", "PB", "x"), put("", "PW", "y"), put("", "PB", "z")),
     b"(;FF[4] C[a]\n N[b]PB[z]PW[y] ;B[aa] )\n"),
    (SPACED, remove("", "FF"), b"(;C[a]\n N[b] ;B[aa] )\n"),
    (SPACED, remove("", "C"), b"(;FF[4] N[b] ;B[aa] )\n"),
    (SPACED, remove("", "N"), b"(;FF[4] C[a]\n ;B[aa] )\n"),
    (SPACED, remove("0", "B"), b"(;FF[4] C[a]\n N[b] ;)\n"),
    (SPACED, both(remove("", "C"), put("", "C", "x")), b"(;FF[4] N[b] C[x]\n ;B[aa] )\n"),
    (SPACED, raw("", "C", b"\\]", b"y"), b"(;FF[4] C[\\]][y]\n N[b] ;B[aa] )\n"),
    (SPACED, raw("", "FF", b"4"), b"(;FF[4] C[a]\n N[b] ;B[aa] )\n"),
    (REPEATED, put("", "C", "x"), b"(;C[x] N[b] C[c]\tN[d]\n;)"),
    (REPEATED, put("", "N", "x"), b"(;C[a] N[x] C[c]\tN[d]\n;)"),
    (REPEATED, remove("", "C"), b"(;N[b] N[d]\n;)"),
    (REPEATED, remove("", "N"), b"(;C[a] C[c]\t;)"),
    (REPEATED, raw("", "C", b"x", number=1), b"(;C[a] N[b] C[x]\tN[d]\n;)"),
    (b"(; C [a] [b]\n;)", put("0", "N", "x"), b"(; C [a] [b]\n;N[x])"),
    (b"(; C [a] [b]\n;)", put("", "N", "x"), b"(; C [a] [b]N[x]\n;)"),
    (b"(; C [a] [b]\n;)", put("", "C", "x"), b"(; C[x]\n;)"),
    (b"(; ;\n;)", put("", "N", "x"), b"(; N[x];\n;)"),
    (b"(; ;\n;)", put("0", "N", "x"), b"(; ;\nN[x];)"),
    (b"(;\t\v\fN[a]\r\n)", put("", "N", "x"), b"(;\t\v\fN[x]\r\n)"),
    (b"(;FF[3] Comment[a] N[b])", put("", "N", "x"), b"(;FF[3] Comment[a] N[x])"),
    (b"(;FF[3] Comment[a] N[b])", put("", "C", "x"), b"(;FF[3] C[x] N[b])"),
]  # fmt: skip

#: The nodes: a "(" and the ")" of it stay with the node after it.
STRUCTURE: list[tuple[bytes, Edit, bytes]] = [
    (b"(;FF[4] ;B[aa] ;W[bb] )", add("", B="cc"), b"(;FF[4] (;B[aa] ;W[bb] )(;B[cc]))"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", add("", 0, B="cc"), b"(;FF[4] (;B[cc])(;B[aa] ;W[bb] ))"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", add("00", B="cc"), b"(;FF[4] ;B[aa] ;W[bb] ;B[cc])"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", add("0", B="cc", C="]"),
     b"(;FF[4] ;B[aa] (;W[bb] )(;B[cc]C[\\]]))"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", detach("0"), b"(;FF[4] )"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", detach("00"), b"(;FF[4] ;B[aa] )"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", move("00", ""), b"(;FF[4] (;B[aa] )(;W[bb] ))"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", both(move("00", "", 0), move("1", "0")),
     b"(;FF[4] ;W[bb] ;B[aa] )"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", copied("0", "", 0),
     b"(;FF[4] (;B[aa];W[bb])(;B[aa] ;W[bb] ))"),
    (b"(;FF[4] ;B[aa] ;W[bb] )", copied("", "00"),
     b"(;FF[4] ;B[aa] ;W[bb] ;;B[aa];W[bb])"),
    (BRANCHED, detach("0"), b"(;FF[4] (;B[cc]))"),
    (BRANCHED, detach("1"), b"(;FF[4] (;B[aa] (;W[bb] ) ) )"),
    (BRANCHED, detach("00"), b"(;FF[4] (;B[aa] ) (;B[cc]))"),
    (BRANCHED, order("", 1, 0), b"(;FF[4] (;B[cc])(;B[aa] (;W[bb] ) ) )"),
    (BRANCHED, add("", 1, B="dd"), b"(;FF[4] (;B[aa] (;W[bb] ) ) (;B[dd])(;B[cc]))"),
    (BRANCHED, add("", -1, B="dd"), b"(;FF[4] (;B[aa] (;W[bb] ) ) (;B[dd])(;B[cc]))"),
    (BRANCHED, add("0", 0, B="dd"), b"(;FF[4] (;B[aa] (;B[dd])(;W[bb] ) ) (;B[cc]))"),
    (BRANCHED, move("00", ""), b"(;FF[4] (;B[aa] ) (;B[cc])(;W[bb] ) )"),
    (BRANCHED, move("00", "", 0), b"(;FF[4] (;W[bb] ) (;B[aa] ) (;B[cc]))"),
    (BRANCHED, move("1", "00"), b"(;FF[4] (;B[aa] (;W[bb] (;B[cc])) ) )"),
    (BRANCHED, move("0", "", 1), b"(;FF[4] (;B[cc])(;B[aa] (;W[bb] ) ) )"),
    (BRANCHED, both(detach("00"), detach("0")), b"(;FF[4] (;B[cc]))"),
    (BRANCHED, lambda tree: at(tree, "").play("cc", color="B").play("dd"),
     b"(;FF[4] (;B[aa] (;W[bb] ) ) (;B[cc];W[dd]))"),
    (BRANCHED, lambda tree: at(tree, "").play("dd"),
     b"(;FF[4] (;B[aa] (;W[bb] ) ) (;B[cc])(;B[dd]))"),
]  # fmt: skip

#: A root property changes how values are read: those are written anew, and no others.
CONTEXTS: list[tuple[bytes, Edit, bytes]] = [
    # The size: points that stay on the board, and those that were outside before.
    (b"(;FF[4]SZ[19];B[sr])", put("", "SZ", (19, 18)), b"(;FF[4]SZ[19:18];B[sr])"),
    (b"(;FF[4]SZ[19];B[rs])", put("", "SZ", (18, 19)), b"(;FF[4]SZ[18:19];B[rs])"),
    (b"(;FF[4]SZ[9];B[ss]AB[ja][aj])", put("", "SZ", 13), b"(;FF[4]SZ[13];B[ss]AB[ja][aj])"),
    (b"(;FF[4]SZ[19];AB[aa:bb])", put("", "SZ", 2), b"(;FF[4]SZ[2];AB[aa:bb])"),
    (b"(;FF[4]SZ[19];AB[bb:aa])", put("", "SZ", 9), b"(;FF[4]SZ[9];AB[bb:aa])"),
    (b"(;FF[4]SZ[19];AR[aa:bb]LB[aa:x])", put("", "SZ", 9),
     b"(;FF[4]SZ[9];AR[aa:bb]LB[aa:x])"),
    (b"(;FF[4]SZ[19];B[ss][aa])", put("", "SZ", 9), b"(;FF[4]SZ[9];B[ss][aa])"),
    (b"(;FF[4]SZ[19];XX[ss])", put("", "SZ", 9), b"(;FF[4]SZ[9];XX[ss])"),
    (b"(;FF[4]SZ[19];B[aa])", remove("", "SZ"), b"(;FF[4];B[aa])"),
    (b"(;FF[4]SZ[25];B[aa])", remove("", "SZ"), b"(;FF[4];B[aa])"),
    (b"(;FF[4]SZ[19];B[aa])", raw("", "SZ", b"9"), b"(;FF[4]SZ[9];B[aa])"),
    (b"(;FF[4]SZ[19]SZ[9];B[ss])", raw("", "SZ", b"13", number=1),
     b"(;FF[4]SZ[19]SZ[13];B[ss])"),
    (b"(;FF[4]GM[19]SZ[9];AB[77AB])", put("", "SZ", 5), b"(;FF[4]GM[19]SZ[5];AB[77AB])"),
    (b"(;FF[4]GM[18]SZ[10];B[aajjaa])", put("", "SZ", 11), b"(;FF[4]GM[18]SZ[11];B[aajjaa])"),
    # A pass, and the point that is written as one.
    (b"(;FF[4]SZ[9];B[tt];W[])", put("", "SZ", 19), b"(;FF[4]SZ[19];B[tt];W[])"),
    (b"(;FF[4]SZ[9];B[tt];W[])", put("", "SZ", 20), b"(;FF[4]SZ[20];B[];W[])"),
    (b"(;FF[4]SZ[20];B[tt])", put("", "SZ", 21), b"(;FF[4]SZ[21];B[tt])"),
    (b"(;FF[4]SZ[9];B[tt];W[])", put("", "FF", 3), b"(;FF[3]SZ[9];B[tt];W[tt])"),
    (b"(;FF[3]SZ[9];B[tt];W[])", put("", "FF", 4), b"(;FF[4]SZ[9];B[];W[])"),
    (b"(;FF[3]SZ[20];B[];W[tt])", put("", "FF", 4), b"(;FF[4]SZ[20];B[];W[tt])"),
    # What is no move keeps its form.
    (b"(;FF[4]KM[06.50]AB[bb:aa];B[aa])", put("", "FF", 3), b"(;FF[3]KM[06.50]AB[bb:aa];B[aa])"),
    (b"(;FF[3]GM[6]SZ[1];B[31acde]AE[b:a])", put("", "FF", 4),
     b"(;FF[4]GM[6]SZ[1];B[31acde]AE[b:a])"),
    # Nothing is written anew for another game, as its values mean something else.
    (b"(;FF[4]SZ[9];B[aa];W[tt])", put("", "GM", 11), b"(;FF[4]SZ[9]GM[11];B[aa];W[tt])"),
]  # fmt: skip

#: Setup, moves, whose turn it is and what decides on the start: the boards follow them.
BOARDS: list[tuple[bytes, Edit, bytes]] = [
    (b"(;SZ[3];B[aa];W[ba];B[ca])", put("0", "B", "ab"), b"(;SZ[3];B[ab];W[ba];B[ca])"),
    (b"(;SZ[3];B[aa];W[ba];B[ca])", remove("00", "W"), b"(;SZ[3];B[aa];;B[ca])"),
    (b"(;SZ[3];B[aa];W[ba];B[ca])", put("", "AW", ["ab"]),
     b"(;SZ[3]AW[ab];B[aa];W[ba];B[ca])"),
    (b"(;SZ[3]AE[aa];B[aa])", put("", "AB", ["ab"]), b"(;SZ[3]AE[aa]AB[ab];B[aa])"),
    (b"(;SZ[3];AE[aa])", put("", "AB", ["aa"]), b"(;SZ[3]AB[aa];AE[aa])"),
    (b"(;SZ[3];B[aa];C[x])", put("0", "PL", "B"), b"(;SZ[3];B[aa]PL[B];C[x])"),
    (b"(;SZ[3];B[aa];C[x])", put("0", "MN", 7), b"(;SZ[3];B[aa]MN[7];C[x])"),
    (b"(;SZ[3]AB[aa][bb];C[x])", put("", "HA", 2), b"(;SZ[3]AB[aa][bb]HA[2];C[x])"),
    (b"(;SZ[3]HA[2]AB[aa][bb];C[x])", remove("", "HA"), b"(;SZ[3]AB[aa][bb];C[x])"),
    (b"(;SZ[3]AB[aa];B[bb])", put("", "SZ", (4, 3)), b"(;SZ[4:3]AB[aa];B[bb])"),
    (b"(;SZ[9]AB[aa];B[bb])", put("", "GM", 11), b"(;SZ[9]AB[aa]GM[11];B[bb])"),
    (b"(;SZ[9]GM[2];B[bb])", remove("", "GM"), b"(;SZ[9];B[bb])"),
    (b"(;FF[4]GM[9];B[b1-b3])", put("", "SU", "Custom"), b"(;FF[4]GM[9]SU[Custom];B[b1-b3])"),
    (b"(;FF[4]GM[18];B[djddgd])", put("", "AA", ["aa"]), b"(;FF[4]GM[18]AA[aa];B[djddgd])"),
    (b"(;SZ[3];B[aa];W[ba](;B[ca])(;B[bb]))", move("000", ""),
     b"(;SZ[3](;B[aa];W[ba](;B[bb]))(;B[ca]))"),
    (b"(;SZ[3];B[aa];W[ba](;B[ca])(;B[bb]))", order("00", 1, 0),
     b"(;SZ[3];B[aa];W[ba](;B[bb])(;B[ca]))"),
    (b"(;SZ[3];B[aa];W[ba];B[ca])", raw("0", "B", b"zz"), b"(;SZ[3];B[zz];W[ba];B[ca])"),
    (b"(;SZ[3]AB[ba][ab]AW[aa];W[bb];C[x])", raw("", "AW", b"ca", b"ac"),
     b"(;SZ[3]AB[ba][ab]AW[ca][ac];W[bb];C[x])"),
]  # fmt: skip

#: Edits that raise, after which everything is as it was.
REFUSED: list[tuple[bytes, Edit, str]] = [
    (b"(;FF[4]SZ[19];B[ss])", put("", "SZ", 18), r"B\[ss\].*\(18, 18\) is not on the board of 18 "),
    (b"(;FF[4]SZ[19];B[rs])", put("", "SZ", (19, 18)), r"\(17, 18\) is .* board of 19 by 18"),
    (b"(;FF[4]SZ[19];B[sr])", put("", "SZ", (18, 19)), r"\(18, 17\) is .* board of 18 by 19"),
    (b"(;FF[4]SZ[19];C[x];W[aa]AB[aa:bb])", put("", "SZ", (2, 1)), r"\(0, 1\) is not on the board"),
    (b"(;FF[4]SZ[20];B[tt];W[])", put("", "SZ", 19), r"\(19, 19\) is not on the board"),
    (b"(;FF[4];LB[ss:x])", put("", "SZ", 9), r"LB\[ss:x\]"),
    (b"(;FF[4];AR[aa:ss])", put("", "SZ", 9), r"AR\[aa:ss\]"),
    (b"(;FF[4]SZ[25];B[yy])", remove("", "SZ"), r"\(24, 24\)"),
    (b"(;FF[4]GM[18];B[jjaaaa])", put("", "SZ", 9), r"B\[jjaaaa\]"),
    (b"(;FF[4];B[aa])", remove("", "SZ"), "SZ"),
    (b"(;FF[4];B[aa])", detach(""), "root of a game tree cannot be detached"),
    (BRANCHED, move("0", "00"), "to itself or to a node after it"),
    (BRANCHED, move("0", "0"), "to itself or to a node after it"),
    (BRANCHED, move("", "0"), "root of a game tree cannot be moved"),
    (BRANCHED, move("0", "1", "x"), "index is 'x'"),  # type: ignore[arg-type]
    (BRANCHED, add("", "x", B="aa"), "index is 'x'"),  # type: ignore[arg-type]
]  # fmt: skip

#: Ways to come to the tree that is edited.
SOURCES: dict[str, Callable[[bytes], GameTree]] = {
    "parsed": lambda data: sgf_lark.loads(data)[0],
    "one of several": lambda data: sgf_lark.loads(b"(;N[first];B[aa]C[x])" + data + b"(;)")[1],
    "copied": lambda data: copy.copy(sgf_lark.loads(data)[0]),
    "pickled": lambda data: pickle.loads(pickle.dumps(SOURCES["one of several"](data))),
}


def state(tree: GameTree) -> tuple[Any, ...]:
    context = tree.game, tree.file_format, tree.size, tree.charset
    return sgf_lark.dumps(tree), context, tree.edited, repr([*tree.nodes()])


def boards(tree: GameTree) -> list[Any]:
    """All that the boards of the nodes know."""
    try:
        found = [node.board() for node in tree.nodes()]
    except BoardError as error:
        return [str(error)]
    return [
        (board, board.captures, board.last_move, board.move_number, board.arrows) for board in found
    ]


def check(tree: GameTree, written: bytes) -> None:
    """The tree is written like that, is consistent, and so are its copies."""
    assert sgf_lark.dumps(tree) == written
    read = sgf_lark.loads(written)[0]
    assert read.equals(tree) and boards(read) == boards(tree)
    for again in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert again is not tree and again.equals(tree)
        assert state(again)[:2] == state(tree)[:2]
        assert not {*again.nodes()} & {*tree.nodes()}
    for place, node in enumerate(tree.nodes()):
        again, same = pickle.loads(pickle.dumps((tree, node)))
        assert [*again.nodes()][place] is same


@pytest.mark.parametrize("source", SOURCES)
@for_each(PROPERTIES + STRUCTURE + CONTEXTS + BOARDS)
def test_edit_writes_these_bytes(data: bytes, edit: Edit, written: bytes, source: str) -> None:
    tree = SOURCES[source](data)
    original = copy.copy(tree)
    before = [*tree.nodes()], boards(tree), state(original)
    edit(tree)
    check(tree, written)
    assert tree.edited
    # Nodes that are still there are the same objects.
    kept = {id(node) for node in tree.nodes()}
    assert all(node.tree is not tree or id(node) in kept for node in before[0])
    assert state(original) == before[2] and boards(original) == before[1]


@pytest.mark.parametrize("source", SOURCES)
@for_each(REFUSED)
def test_refused_edit_changes_nothing(data: bytes, edit: Edit, message: str, source: str) -> None:
    tree = SOURCES[source](data)
    before, positions = state(tree), boards(tree)
    with pytest.raises((TypeError, ValueError, KeyError), match=message):
        edit(tree)
    assert state(tree) == before and boards(tree) == positions
    check(tree, before[0])
