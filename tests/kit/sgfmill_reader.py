"""sgfmill as a reader: its parser, its typed getters and its boards."""

from __future__ import annotations

from collections.abc import Iterator

from sgfmill import sgf, sgf_grammar
from sgfmill.boards import Board

from sgf_lark.text import charsets
from tests.kit.readers import (
    UNREAD,
    Games,
    Properties,
    RawGame,
    RawNode,
    Reader,
    decodes_after_parsing,
)


def read_by_sgfmill(data: bytes) -> Games:
    """The games of Go as sgfmill reads and replays them; None if it raises an error."""
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
        return [_game(sgf.Sgf_game.from_coarse_game_tree(tree)) for tree in trees]
    except (ValueError, IndexError):
        return None


def _game(game: sgf.Sgf_game) -> RawGame:
    """A game, replayed; ValueError if it is not Go, or has a move or setup that is not legal."""
    root = game.get_root()
    if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
        raise ValueError("not Go")
    charset, _ = charsets.lookup(root.get_encoding())
    if charset is None or not charset.superset:
        raise ValueError("texts in a charset in which letters are no letters")
    nodes: list[RawNode] = []
    positions: dict[int, int] = {}
    waiting = [(root, -1, Board(game.get_size()))]
    while waiting:
        node, parent, board = waiting.pop()
        nodes.append(RawNode(parent, list(_properties(node))))
        _execute(node, board)
        children = list(node)
        for child in reversed(children):
            own = board if len(children) == 1 else board.copy()
            waiting.append((child, len(nodes) - 1, own))
        if not children:
            positions[len(nodes) - 1] = hash(tuple(map(tuple, board.board)))
    found = RawGame(nodes, setup_first=True, codec=root.get_encoding(), positions=positions)
    if not decodes_after_parsing(found):
        raise ValueError("texts that cannot be decoded")
    return found


def _properties(node: sgf.Tree_node) -> Iterator[tuple[str, list[bytes]]]:
    """The properties of a node as sgfmill has them: lists are joined, and there is one move."""
    moves: Properties = []
    for ident in node.properties():
        raws = node.get_raw_list(ident)
        if ident in ("B", "W"):
            moves.append((ident, raws[:1]))
        elif ident in ("FF", "GM", "SZ"):
            yield ident, raws[:1]
        else:
            yield ident, raws if _is_readable(node, ident) else UNREAD
    yield from sorted(moves)[:1]


def _is_readable(node: sgf.Tree_node, ident: str) -> bool:
    """Whether sgfmill knows the type of the property and its getter raises no error."""
    try:
        node.get(ident)
        node.get_presenter().get_property_type(ident)
    except (ValueError, KeyError, TypeError):
        return False
    return True


def _execute(node: sgf.Tree_node, board: Board) -> None:
    """Set up the stones of the node and play its move."""
    if node.has_setup_stones() and not board.apply_setup(*node.get_setup_stones()):
        raise ValueError("a position that is not legal")
    color, point = node.get_move()
    if point is not None:
        board.play(*point, color)


SGFMILL = Reader("sgfmill", read_by_sgfmill)
