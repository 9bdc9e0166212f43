"""The file format of a game tree without FF: what its properties and values say.

The specification reads such a tree as FF[1] (properties.html, FF). But nearly all of them are in
FF[4] but for its name, and read as FF[1] they would lose boards and moves. So each file format is
weighed by what the tree has that the format does not allow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from sgf_lark import grammar
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax.grammars import FILE_FORMATS, LATEST_FILE_FORMAT
from sgf_lark.syntax.programs import program_named, program_of_root

#: The format in which boards may be large or not square, a pass empty, and point lists compressed;
#: in the older ones identifiers had lowercase letters, and VW took two corners.
_NEW = (LATEST_FILE_FORMAT,)
_OLD = tuple(number for number in FILE_FORMATS if number not in _NEW)
_LARGEST_OLD_BOARD = 19
_GO = 1
_NUMBER_OF_GAME = re.compile(rb"\d{1,9}")
#: Of equally good file formats the first: without evidence FF[4]; among the older ones FF[1], the
#: default of the specification.
_PREFERRED = (4, 1, 3, 2)
_RECTANGLE = re.compile(rb"\s*\w\w\s*:\s*\w\w\s*")


def unnamed_format(flat: FlatTree, tree: int, game: int | None = None) -> int:
    """The file format that the game tree of that number, without FF, is in.

    `game` overrides GM.
    """
    nodes = flat.nodes_of(tree)
    if not flat.names and not _old_identifiers().search(flat.data, *flat.bounds(nodes[0])):
        return LATEST_FILE_FORMAT
    root = flat.first_values(nodes[0], ("GM", "SZ"))
    if game is None:
        named = root.get("GM", b"")
        game = int(named) if _NUMBER_OF_GAME.fullmatch(named) else _GO
    # What is in the tree and not in a file format; each kind of thing counts once.
    wrong: dict[int, set[str]] = {number: set() for number in FILE_FORMATS}
    program = program_of_root(flat, nodes[0]) if game == _GO else ""
    own = {each.ident for each in program_named(program).properties} if program else set()
    for written, props in _by_identifier(flat, nodes).items():
        if flat.ident(props[0]) in own:
            continue
        for kind, formats in _evidence(flat, written, props, game):
            for number in formats:
                wrong[number].add(kind)
    if _is_new_board(root.get("SZ", b""), game):
        for number in _OLD:
            wrong[number].add("board")
    return min(_PREFERRED, key=lambda number: len(wrong[number]))


def _by_identifier(flat: FlatTree, nodes: range) -> dict[bytes, list[int]]:
    """The properties of some nodes, by their identifiers as they are written."""
    found: dict[bytes, list[int]] = {}
    data, starts, ends = flat.data, flat.ident_start, flat.ident_end
    for prop in flat.properties_in(nodes):
        found.setdefault(data[starts[prop] : ends[prop]], []).append(prop)
    return found


def _evidence(
    flat: FlatTree, written: bytes, props: list[int], game: int
) -> Iterator[tuple[str, Iterable[int]]]:
    """What properties with one identifier are evidence of, and the file formats that do not have
    it."""
    if written != written.upper():
        yield "lowercase", _NEW
    ident = flat.ident(props[0])
    known = [each for each in grammar.definitions(ident) if each.in_game(game) and not each.private]
    if not known:
        return
    defined = {number for each in known for number in each.file_formats}
    yield ident, [number for number in FILE_FORMATS if number not in defined]
    if known[0].is_move:
        if any(flat.raw(prop) == [b""] for prop in props):
            yield "pass", _OLD
    elif known[0].list_kind in ("point", "stone"):
        for raws in map(flat.raw, props):
            if any(map(_RECTANGLE.fullmatch, raws)):
                yield "rectangle", _OLD
            elif ident == "VW" and len(raws) == 2:
                yield "corners", _NEW


def _is_new_board(size: bytes, game: int) -> bool:
    """Whether only FF[4] has a board of that size."""
    sides = [int(side) for side in re.findall(rb"\d{1,6}", size)]
    return b":" in size or (game == _GO and max(sides, default=0) > _LARGEST_OLD_BOARD)


@cache
def _old_identifiers() -> re.Pattern[bytes]:
    """The identifiers that may be evidence of an older file format, and their bracket."""
    idents = {"VW"} | {
        each.ident
        for each in grammar.properties()
        if LATEST_FILE_FORMAT not in each.file_formats and not each.private
    }
    # What is before an identifier is looked at after its letters, by which a search is fast.
    names = (b"%s(?<![A-Za-z]%s)" % (each.encode(), b"." * len(each)) for each in sorted(idents))
    return re.compile(rb"(?:%s)\s*\[" % b"|".join(names))
