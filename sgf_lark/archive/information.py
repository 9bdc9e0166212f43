"""Game information as the columns of a table have it."""

from __future__ import annotations

from typing import Any

from sgf_lark.model.info import GameInfo, Player
from sgf_lark.model.tree import GameTree


def information(tree: GameTree) -> dict[str, Any]:
    """The columns about players, dates, result and so on, by name."""
    info = tree.info
    result = info.result
    dates = info.dates or ()
    return {
        **_player("black", info.black),
        **_player("white", info.white),
        "date": _text(info, "DT"),
        "first_date": min((each.first for each in dates), default=None),
        "last_date": max((each.last for each in dates), default=None),
        "result": _text(info, "RE"),
        "winner": None if result is None or result.winner is None else str(result.winner),
        "margin": None if result is None else result.margin,
        "reason": None if result is None else str(result.reason),
        "komi": info.komi,
        "handicap": info.handicap,
        "rules": info.rules,
        "event": info.event,
        "place": info.place,
    }


def _player(name: str, player: Player) -> dict[str, str | None]:
    return {name: player.name, f"{name}_rank": player.rank_text, f"{name}_team": player.team}


def _text(info: GameInfo, ident: str) -> str | None:
    return info.text(ident) or None
