"""Pictures of boards, nodes and games as users ask for them, with one set of options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sgf_lark.drawing.images import ANIMATION_WIDTH, WIDTH, animation, png
from sgf_lark.drawing.pictures import SIZE, Picture, sheet, svg
from sgf_lark.drawing.positions import DrawingError, Position, diagram, of_board, position
from sgf_lark.model.pictures import PictureOptions as PictureOptions
from sgf_lark.model.values.points import expand

if TYPE_CHECKING:
    from sgf_lark.model.board import Board
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree


def board_svg(board: Board, options: PictureOptions) -> str:
    """The picture of a board as SVG; raises DrawingError for one that is too large."""
    return _sized(_drawn(of_board(board), board, options), options)


def node_svg(node: Node, numbers: bool | tuple[int, int], options: PictureOptions) -> str:
    """The picture of the board after a node as SVG, with its markup; with `numbers`, instead of
    the markup, the moves of its path with their numbers. Raises DrawingError."""
    board = _board(node)
    if numbers is False:
        return _sized(_drawn(position(node.tree, node), board, options), options)
    moves = [each for each in node.path() if each.moves()]
    first, last = (1, len(moves)) if numbers is True else numbers
    if not 1 <= first <= last <= len(moves):
        raise DrawingError(f"there are no moves {first} to {last}: the path has {len(moves)}")
    found = diagram(moves[first - 1 : last], language=options.get("language", "en"))
    picture = _drawn(found.position, board, options)
    if found.captions:
        theme = options.get("theme", "light")
        picture = sheet([Picture(picture, "", found.captions)], theme=theme)
    return _sized(picture, options)


def _width(options: PictureOptions, default: int) -> int:
    """The width in pixels; raises ValueError for what is none."""
    size = options.get("size", default)
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise ValueError(f"size is {size!r}; expected the width in pixels, such as 400")
    return size


def as_png(picture: str, options: PictureOptions) -> bytes:
    """A picture as PNG; raises ImportError, which names the extra, without resvg_py."""
    return png(picture, width=_width(options, WIDTH))


def game_gif(game: GameTree, seconds: float, options: PictureOptions) -> bytes:
    """The main line of a game as an animated GIF; raises what :func:`animation` raises."""
    board = _board(game.root)
    pictures = [
        # VW would change the size of frames.
        _drawn(replace(position(game, node), visible=None), board, options)
        for node in after_moves(game)
    ]
    return animation(pictures, width=_width(options, ANIMATION_WIDTH), seconds=seconds)


def after_moves(game: GameTree) -> list[Node]:
    """For each number of moves, from 0, the last node of the main line before the next move."""
    found = [game.root]
    for node in game.main_line():
        if node.moves():
            found.append(node)
        else:
            found[-1] = node
    return found


def _board(node: Node) -> Board:
    """The board after a node; raises DrawingError where there is none."""
    try:
        return node.board()
    except ValueError as error:
        raise DrawingError(str(error)) from error


def _drawn(found: Position, board: Board, options: PictureOptions) -> str:
    """The picture of a position; `board` reads the points in the options."""
    arrows = [(board.point(tail), board.point(head)) for tail, head in options.get("arrows", ())]
    labels = {board.point(point): text for point, text in options.get("labels", {}).items()}
    found = replace(found, labels={**found.labels, **labels}, arrows=(*found.arrows, *arrows))
    if "region" in options:
        region = options["region"]
        corners = region.split(":") if isinstance(region, str) else region
        points = [point for point in map(board.point, corners) if point in board]
        if len(points) != 2:
            raise ValueError(f"region is {region!r}; expected two points of the board, or 'aa:jj'")
        found = replace(found, visible=frozenset(expand(points[0], points[1])))
    return svg(
        found,
        coordinates=options.get("coordinates", True),
        theme=options.get("theme", "light"),
        language=options.get("language", "en"),
    )


def _sized(picture: str, options: PictureOptions) -> str:
    """The picture as wide as the options say."""
    size = SIZE.search(picture)
    if "size" not in options or size is None:
        return picture
    width, height = float(size["width"]), float(size["height"])
    wanted_width = _width(options, 0)
    wanted = f'width="{wanted_width}" height="{wanted_width * height / width:.4g}"'
    return picture[: size.start("size")] + wanted + picture[size.end("size") :]
