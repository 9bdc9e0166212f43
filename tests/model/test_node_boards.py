"""The boards of nodes are kept: edits are seen, and memory is bounded."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Board, GameTree, Node, Point, loads
from sgf_lark.model.node_boards import start
from sgf_lark.model.property import Property
from tests.model.test_node_board import games


def anew(node: Node) -> Board:
    """The board of a node, from the root."""
    path = [node]
    while (parent := path[-1].parent) is not None:
        path.append(parent)
    board = start(node.tree)
    for step in reversed(path):
        board.execute(step.properties)
    return board


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["move", "setup", "remove", "comment", "child", "detach", "order", "size"]),
        st.integers(0, 1000),
        st.sampled_from(["aa", "ab", "ba", "bb", "cc", ""]),
    ),
    max_size=12,
)


@given(games(), EDITS)
def test_edits_are_seen(game: tuple[bytes, int], edits: list[tuple[str, int, str]]) -> None:
    tree = loads(game[0])[0]
    for kind, at, point in edits:
        nodes = list(tree.nodes())
        edit(tree, nodes[at % len(nodes)], kind, point)
        nodes = list(tree.nodes())
        for node in (nodes[at % len(nodes)], nodes[-1], nodes[len(nodes) // 2]):
            assert node.board() == anew(node)
            assert node.board().captures == anew(node).captures
    assert [node.board() for node in tree.nodes()] == [anew(node) for node in tree.nodes()]


def edit(tree: GameTree, node: Node, kind: str, point: str) -> None:
    """Edit a node at random."""
    value = Point(*(ord(letter) - 97 for letter in point)) if point else None
    is_on_board = value is None or tree.has_point(value)
    if kind == "move" and is_on_board:
        node["W"] = sgf_lark.Move(value)
    elif kind == "setup" and value is not None and is_on_board:
        node["AB"] = [value]
    elif kind == "remove":
        for ident in [ident for ident in node if ident != "SZ"]:
            del node[ident]
    elif kind == "comment":
        node["C"] = point
    elif kind == "child" and is_on_board:
        node.add_child({"B": sgf_lark.Move(value)}, index=0).board()
    elif kind == "detach" and node.parent is not None:
        node.detach()
        assert node.board() == anew(node)
    elif kind == "order":
        [child.move_to(node) for child in node.children[::-1]]
    elif kind == "size" and tree.size == (5, 5):
        tree.root["C"] = "the size stays"


def test_deep_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards from below and back, and with a variation at each node; few nodes are executed twice,
    as each time all of the way would take time in line with the square of the depth."""
    executed: list[None] = []
    execute = Board.execute

    def counted(board: Board, entries: list[Property]) -> None:
        executed.append(None)
        execute(board, entries)

    monkeypatch.setattr(Board, "execute", counted)
    depth = 6_000
    tree = loads("(;SZ[5]" + ";B[aa];W[ba]" * (depth // 2) + ")")[0]
    nodes = list(tree.main_line())
    assert [node.board().move_number for node in reversed(nodes)] == [*range(depth, -1, -1)]
    assert len(executed) < 3 * depth
    pairs = depth // 10
    data = f"(;SZ[5]{';B[aa](;W[ba]' * pairs}(;B[cc])(;B[dd]){')(;W[bb])' * pairs})"
    for node in loads(data)[0].nodes():
        assert node.board().move_number == node.depth
    assert len(executed) < 3 * depth + 4 * 3 * pairs


def _boards() -> int:
    """The number of boards that there are, those of other tests too."""
    gc.collect()
    return sum(isinstance(each, Board) for each in gc.get_objects())


def test_memory_of_boards() -> None:
    """Large boards are dropped again; those of nodes far away are right all the same."""
    count, before = 3000, _boards()
    tree = loads("(;GM[11]SZ[512]" + ";B[a1];W[b2]" * (count // 2) + ")")[0]
    nodes = [*tree.main_line()]
    assert nodes[-1].board().move_number == count
    assert _boards() < before + 140
    for place in (count // 2, 5, count - 100):
        assert nodes[place].board().move_number == place
