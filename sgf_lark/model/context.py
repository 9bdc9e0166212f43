"""The context of a game tree, which its root determines: game, file format, size, codec."""

from __future__ import annotations

from functools import lru_cache

from sgf_lark import grammar
from sgf_lark.model.values import Context
from sgf_lark.model.values.basic import bounded
from sgf_lark.syntax import grammars as value_grammar

#: The numbers in GM of the games that have boards.
GO, LINES_OF_ACTION, HEX, AMAZONS = 1, 9, 11, 18
#: A tree without GM is a game of Go (properties.html, GM).
DEFAULT_GAME = GO


def root_context(
    root: dict[str, bytes],
    codec: str,
    file_format: int | None = None,
    game: int | None = None,
) -> Context:
    """The context in which a tree with these root values is read.

    `codec` is that of its texts; `file_format` and `game` override FF and GM. A value that is
    not valid counts as what people mean by it, as far as that is known, such as ``SZ[19x19]``;
    else it counts as missing, except that a file format above 4 counts as FF[4]. Without FF
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
        number = in_format(gm, "game", codec)
        game = DEFAULT_GAME if number is None else bounded(number)
    if file_format is None:
        file_format = value_grammar.file_format(ff) or value_grammar.LATEST_FILE_FORMAT
    return Context(game, file_format, board_size(in_format(sz, "size", codec), game), codec)


def in_format(raw: bytes | None, format_: str, codec: str) -> bytes | None:
    """A value that follows the format, or what people mean by it; None if that is unknown."""
    if raw is None or value_grammar.pattern(format_).fullmatch(raw):
        return raw
    from sgf_lark.model import informal  # slow to import

    found = informal.BY_FORMAT[format_](raw.decode(codec, "replace"))
    return found and found.value.encode()


def is_read_with_doubt(root: dict[str, bytes], codec: str) -> bool:
    """Whether programs may read a tree with these root values as another game or on another board:
    GM or SZ is not in the form of SGF, and what people mean by it is not certain, or not Go."""
    from sgf_lark.model import informal

    for ident, format_ in (("GM", "game"), ("SZ", "size")):
        raw = root.get(ident)
        if raw is None or value_grammar.pattern(format_).fullmatch(raw):
            continue
        found = informal.BY_FORMAT[format_](raw.decode(codec, "replace"))
        if found and (not found.complete or (ident == "GM" and found.value != f"{DEFAULT_GAME}")):
            return True
    return False


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


def largest_komi(size: tuple[int, int] | None) -> int:
    """The largest komi that is plausible on a board of that size (SGF441)."""
    columns, rows = size or (0, 0)
    data = grammar.rule("SGF441").data
    limit: int = max(data["always"], columns * rows * data["points_of_ten"] // 10)
    return limit
