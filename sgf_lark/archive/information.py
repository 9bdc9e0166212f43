"""Game information as the columns of a table have it."""

from __future__ import annotations

import re
from calendar import monthrange
from contextlib import suppress
from datetime import date
from typing import Any

from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.reader import SGFValueError

_RESULT = re.compile(r"([BW])\+(.*)")
_REASONS = {"R": "resign", "T": "time", "F": "forfeit"}
_TEXTS = {
    "black": "PB",
    "black_rank": "BR",
    "black_team": "BT",
    "white": "PW",
    "white_rank": "WR",
    "white_team": "WT",
    "rules": "RU",
    "event": "EV",
    "place": "PC",
    "date": "DT",
    "result": "RE",
    "komi": "KM",
    "handicap": "HA",
}


def information(tree: GameTree) -> dict[str, Any]:
    """The columns about players, dates, result and so on, by name."""
    texts = {name: _text(tree, ident) for name, ident in _TEXTS.items()}
    found: dict[str, Any] = dict(texts)
    found["komi"] = _number(texts["komi"])
    handicap = _number(texts["handicap"])
    found["handicap"] = int(handicap) if handicap is not None else None
    found["first_date"], found["last_date"] = _days(tree, texts["date"])
    found["winner"] = found["margin"] = found["reason"] = None
    match = _RESULT.fullmatch(texts["result"] or "")
    if match:
        reason = match[2][:1].upper()
        found |= {
            "winner": match[1],
            "margin": _number(match[2]),
            "reason": _REASONS.get(reason, "points" if _number(match[2]) is not None else None),
        }
    return found


def _text(tree: GameTree, ident: str) -> str | None:
    for number in tree.parsed_main_line[:2]:
        prop = tree.flat.first_of_ident(number, ident)
        if prop >= 0:
            raw = tree.flat.raw(prop)[0]
            try:
                return str(tree.reader.read("simpletext", raw)).strip() or None
            except SGFValueError:
                return raw.decode("latin-1")
    return None


def _number(text: str | None) -> float | None:
    with suppress(ValueError, TypeError):
        number = float(text)  # type: ignore[arg-type]
        return number if abs(number) < 2**31 else None
    return None


def _days(tree: GameTree, text: str | None) -> tuple[date | None, date | None]:
    try:
        found = tree.reader.read("date", (text or "").encode("latin-1"))
    except ValueError:
        return None, None
    with suppress(ValueError):
        first, last = list(min(found)), list(max(found))
        month = last[1] if len(last) > 1 else 12
        day = last[2] if len(last) > 2 else monthrange(last[0], month)[1]
        return date(*[*first, 1, 1][:3]), date(last[0], month, day)
    return None, None
