"""Games that an archive has more than once, and which of them to keep."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import partial
from importlib.resources import files
from itertools import chain, groupby
from operator import itemgetter
from os import PathLike
from typing import NamedTuple

from sgf_lark.archive.results import connect

_CONTENT = tomllib.loads(
    files("sgf_lark.archive").joinpath("duplicate_games.toml").read_text("utf-8")
)
#: The kinds of groups, each with what its members have in common.
KINDS = {kind: about["text"] for kind, about in _CONTENT["kind"].items()}

#: Games with fewer moves are equal by chance, and not listed, unless their bytes are the same.
LEAST_MOVES = 20

_INFORMATION = (
    *("black", "black_rank", "black_team", "white", "white_rank", "white_team", "date"),
    *("result", "komi", "handicap", "rules", "event", "place"),
)

_ROWS_AT_ONCE = 10_000


class Copy(NamedTuple):
    """A game in a group, or a file in a group of files with the same bytes.

    `information` counts the columns about players, date, result and so on that are known.
    """

    path: str
    member: str | None
    game_index: int | None
    moves: int | None
    comment_length: int | None
    information: int | None
    nodes: int | None
    errors: int
    orientation: int | None

    @property
    def place(self) -> str:
        """The path, with the member of an archive."""
        return self.path if self.member is None else f"{self.path}!{self.member}"

    @property
    def later_game(self) -> int | None:
        """The number of the game, from 1, if it is not the first one of the file."""
        return self.game_index if (self.game_index or 1) > 1 else None


class Group(NamedTuple):
    """Copies of a game, that to keep first, and why it is that one."""

    kind: str
    copies: list[Copy]
    reason: str


def duplicates(result: str | PathLike[str], *, least_moves: int = LEAST_MOVES) -> Iterator[Group]:
    """Yield groups of games that are there more than once, kind by kind.

    Games with fewer than `least_moves` moves are left out, except in groups of the same bytes. Of
    files with the same bytes only the first appears in the other groups. Raises ResultError for
    a folder that is not a result of an audit.
    """
    database = connect(result, needed="files")
    known = " + ".join(f"({name} IS NOT NULL)::INT" for name in _INFORMATION)
    database.execute(_CONTENT["views"].format(information=known, least_moves=int(least_moves)))
    for kind, about in _CONTENT["kind"].items():
        query = about["query"].format(copy=_CONTENT["copy"], best=_CONTENT["best"])
        found = database.execute(query)
        rows = chain.from_iterable(iter(partial(found.fetchmany, _ROWS_AT_ONCE), []))
        for _, members in groupby(rows, itemgetter(0)):
            copies = [Copy(*row[1:]) for row in members]
            yield Group(kind, copies, _reason(kind, copies))


def _reason(kind: str, copies: list[Copy]) -> str:
    """Why the first of the copies is the one to keep."""
    if kind == "bytes":
        return "shortest path, or the first of these"
    first, second = copies[:2]
    for reason, mine, other in (
        ("most moves", first.moves, second.moves),
        ("most characters in comments", first.comment_length, second.comment_length),
        ("most complete game information", first.information, second.information),
        ("most nodes", first.nodes, second.nodes),
        ("fewest errors", first.errors, second.errors),
    ):
        if mine != other:
            return reason
    return "first path; nothing else distinguishes them"


def as_objects(groups: Iterable[Group]) -> Iterator[dict[str, object]]:
    """An object for each copy, with the number of its group and whether it is the one to keep."""
    for number, group in enumerate(groups, 1):
        for index, copy in enumerate(group.copies):
            yield {
                "group": number,
                "kind": group.kind,
                "keep": index == 0,
                "reason": None if index else group.reason,
                **copy._asdict(),
            }
