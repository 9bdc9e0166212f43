"""What notebooks show of collections, games, nodes and boards: HTML and SVG.

All text of a file is escaped; long text is shortened. Nothing raises: what cannot be drawn is
left out.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from sgf_lark.drawing.characters import text
from sgf_lark.drawing.pictures import as_xml
from sgf_lark.drawing.positions import COLOR_NAMES, DrawingError, of_board
from sgf_lark.model.property import value_in

if TYPE_CHECKING:
    from sgf_lark.model.board import Board
    from sgf_lark.model.collection import Collection
    from sgf_lark.model.info import GameInfo, Player
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

#: At most this many games of a collection are listed.
_MOST_GAMES = 20
#: Longer texts are cut.
_LONGEST_TEXT = 200
_LONGEST_COMMENT = 4000

_BLOCK = "display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start"
_SIDE = "max-width:32em;text-align:left"
_COMMENT = "white-space:pre-wrap;overflow-wrap:anywhere"


def board_text(board: Board) -> str | None:
    """A board drawn with characters, in lines; None for one that is too large to draw."""
    return _if_drawn(lambda: text(of_board(board)).rstrip("\n"))


def board_svg(board: Board) -> str | None:
    """The picture of a board without markup; None for one that is too large to draw."""
    return _if_drawn(board.svg)


def node_svg(node: Node) -> str | None:
    """The picture of the board after a node, with its markup; None if there is no board."""
    return _if_drawn(node.svg)


def _if_drawn(draw: Callable[[], str]) -> str | None:
    try:
        return draw()
    except DrawingError:
        return None


def tree_svg(tree: GameTree) -> str | None:
    """The picture of the board at the end of the main line; None if there is no board."""
    return node_svg(_end(tree))


def node_html(node: Node) -> str:
    """Board, state, name and comment of a node, and the players of its game."""
    return _page(node.tree, node)


def tree_html(tree: GameTree) -> str:
    """Players, result and other information of a game, and the end of its main line."""
    return _page(tree, _end(tree))


def collection_html(collection: Collection) -> str:
    """One game as :func:`tree_html`, several as a table."""
    if len(collection) == 1:
        return tree_html(collection[0])
    titles = ("", "Game", "Black", "White", "Result", "Date", "Event", "Nodes")
    rows = [_row(number, tree) for number, tree in islice(enumerate(collection), _MOST_GAMES)]
    more = len(collection) - len(rows)
    note = f"<p>… and {more} more game{'s' if more != 1 else ''}</p>" if more > 0 else ""
    head = "".join(f"<th>{title}</th>" for title in titles)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{note}"


def _row(number: int, tree: GameTree) -> str:
    info = tree.info
    cells = [
        str(number),
        tree.game_definition.name,
        _player(info.black),
        _player(info.white),
        *(info.text(ident) or "" for ident in ("RE", "DT", "EV")),
        str(sum(1 for _ in tree.nodes())),
    ]
    return f"<tr>{''.join(f'<td>{_shown(cell)}</td>' for cell in cells)}</tr>"


def _end(tree: GameTree) -> Node:
    """The last node of the main line."""
    *_, node = tree.main_line()
    return node


def _page(tree: GameTree, node: Node) -> str:
    """The board on the left, everything else beside it."""
    parts = [_heading(tree.info), _facts(tree.info), _state(node), _comment(node)]
    picture = node_svg(node) or ""
    return f'<div style="{_BLOCK}">{picture}<div style="{_SIDE}">{"".join(parts)}</div></div>'


def _heading(info: GameInfo) -> str:
    names = [_player(player) for player in (info.black, info.white)]
    if not any(names):
        return ""
    black, white = (_shown(name or "?") for name in names)
    return f"<p><strong>{black}</strong> (Black) – <strong>{white}</strong> (White)</p>"


def _player(player: Player) -> str:
    """Name, rank and team."""
    parts = [player.name, player.rank_text, f"({player.team})" if player.team else None]
    return " ".join(part for part in parts if part)


def _facts(info: GameInfo) -> str:
    """The rest of the usual information, as a list."""
    facts = (
        ("Result", "RE"),
        ("Date", "DT"),
        ("Event", "EV"),
        ("Round", "RO"),
        ("Place", "PC"),
        ("Komi", "KM"),
        ("Handicap", "HA"),
        ("Rules", "RU"),
    )
    shown = [(title, text) for title, ident in facts if (text := info.text(ident))]
    return "<p>" + "<br/>".join(f"{title}: {_shown(text)}" for title, text in shown) + "</p>"


def _state(node: Node) -> str:
    """The name of the node, and the moves and the turn after it."""
    try:
        board = node.board()
    except ValueError:
        return ""
    counts = ", ".join(
        f"{COLOR_NAMES[color].en} {count}" for color, count in board.captures.items()
    )
    captures = f" Captures: {counts}." if any(board.captures.values()) else ""
    title = value_in(node, "N")
    name = f"<strong>{_shown(title)}</strong>: " if isinstance(title, str) and title else ""
    turn = f"{COLOR_NAMES[board.to_play].en} to play"
    return f"<p>{name}Move {board.move_number}, {turn}.{captures}</p>"


def _comment(node: Node) -> str:
    text = value_in(node, "C")
    if not isinstance(text, str) or not text:
        return ""
    return f'<p style="{_COMMENT}">{_shown(text, _LONGEST_COMMENT)}</p>'


def _shown(text: str, longest: int = _LONGEST_TEXT) -> str:
    """Text of a file in HTML: escaped, without invisible characters, and not too long."""
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return escape("\n".join(map(as_xml, text.split("\n"))))
