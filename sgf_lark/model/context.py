"""The context of a game tree, which its root determines: game, file format, size, codec."""

from __future__ import annotations

from functools import lru_cache

from sgf_lark import grammar
from sgf_lark.model.values import Context
from sgf_lark.model.values.basic import bounded
from sgf_lark.syntax import grammars as value_grammar

#: A tree without GM is a game of Go (properties.html, GM).
DEFAULT_GAME = 1


def root_context(
    root: dict[str, bytes],
    codec: str,
    file_format: int | None = None,
    game: int | None = None,
) -> Context:
    """The context in which a tree with these root values is read.

    `codec` is that of its texts; `file_format` and `game` override FF and GM. A value that is
    not valid counts as missing, except that a file format above 4 counts as FF[4]. Without FF
    the tree is in FF[4]; what a tree of a file is in, `ParsedFile.file_format_of` says.
    """
    return _context(root.get("GM"), root.get("FF"), root.get("SZ"), codec, file_format, game)


@lru_cache(maxsize=1024)
def _context(
    gm: bytes | None,
    ff: bytes | None,
    sz: bytes | None,
    codec: str,
    file_format: int | None,
    game: int | None,
) -> Context:
    """The context for raw values of GM, FF and SZ."""
    if game is None:
        game = _number(gm, "game") or DEFAULT_GAME
    if file_format is None:
        file_format = value_grammar.file_format(ff) or value_grammar.LATEST_FILE_FORMAT
    return Context(game, file_format, board_size(sz, game), codec)


def board_size(raw: bytes | None, game: int) -> tuple[int, int] | None:
    """(columns, rows) of the board; the game's default if `raw` is not a size.

    Sides are limited to the game's maximum. None for a game whose points do not depend on a
    size, such as Backgammon.
    """
    entry = grammar.game(game)
    if entry.point and entry.size is None:
        return None
    if raw is None or not value_grammar.pattern("size").fullmatch(raw):
        return entry.size
    sides = board_sides(raw)
    columns, rows = sides[0], sides[-1]
    if entry.maximum_size is not None:
        return min(columns, entry.maximum_size), min(rows, entry.maximum_size)
    return columns, rows


def board_sides(raw: bytes) -> list[int]:
    """The number or numbers of a board size that follows the format, see :func:`bounded`."""
    return [bounded(side) for side in raw.split(b":")]


def _number(raw: bytes | None, rule: str) -> int | None:
    """The number in `raw`; None if it does not match the production `rule`."""
    if raw is None or not value_grammar.pattern(rule).fullmatch(raw):
        return None
    return bounded(raw)
