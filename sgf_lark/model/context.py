"""How the root of a game tree governs the reading of its values."""

from __future__ import annotations

from functools import lru_cache

from sgf_lark import grammar
from sgf_lark.model.values import Context
from sgf_lark.model.values.reader import reader
from sgf_lark.syntax import values as value_grammar

#: A tree that does not say its file format is FF[1], one without game is Go (sgf4, FF and GM).
DEFAULT_FILE_FORMAT = 1
DEFAULT_GAME = 1
FILE_FORMATS = (1, 2, 3, 4)
LATEST_FILE_FORMAT = FILE_FORMATS[-1]


def root_context(
    root: dict[str, bytes],
    codec: str,
    *,
    file_format: int | None = None,
    game: int | None = None,
) -> Context:
    """The context in which a tree with these root values is read.

    `codec` is that of its texts; `file_format` and `game` go before FF and GM. A
    value that cannot be used counts as missing, except that a file format above
    the known ones is read as the latest.
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
        file_format = _number(ff, "file_format")
    if file_format is None:
        above = _number(ff, "game")
        file_format = LATEST_FILE_FORMAT if above else DEFAULT_FILE_FORMAT
    return Context(game, file_format, board_size(sz, game), codec)


def board_size(raw: bytes | None, game: int) -> tuple[int, int] | None:
    """(columns, rows) of the board; the game's default where `raw` is no size.

    Sides beyond the game's maximum are cut to it. None for a game whose points are laid
    down without one, as in Backgammon.
    """
    entry = grammar.game(game)
    if entry.point and entry.size is None:
        return None
    if raw is None or not value_grammar.pattern("size").fullmatch(raw):
        return entry.size
    columns, rows = reader(Context()).read("size", raw)
    if entry.maximum_size is not None:
        return min(columns, entry.maximum_size), min(rows, entry.maximum_size)
    return columns, rows


def _number(raw: bytes | None, rule: str) -> int | None:
    """The number in `raw`; None if it does not match the production `rule`."""
    if raw is None or not value_grammar.pattern(rule).fullmatch(raw):
        return None
    number: int = reader(Context()).read("number", raw)
    return number
