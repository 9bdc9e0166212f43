"""Values as sgf_lark reads them, as JSON, for the optional level of typed values."""

from __future__ import annotations

from typing import Any

import sgf_lark
from sgf_lark.model.values import Color, Compose, Double, Move, Point, Stone


def typed(data: bytes, place: dict[str, Any]) -> dict[str, Any]:
    """Return ``{"typed": …}`` for the value of a case, {} if its type is of one game only.

    A point is [column, row] from 0, a pass null, a color "black" or "white", a composed value the
    list of both halves, and an empty value null.
    """
    try:
        tree = sgf_lark.loads(data, charset_mode="text")[place["game"]]
        value = _json([*tree.nodes()][place["node"]][place["property"]])
    except (TypeError, ValueError):
        return {}
    return {"typed": value}


def _json(value: Any) -> Any:
    match value:
        case list():
            return [_json(item) for item in value]
        case Move():
            return _json(value.point)
        case Point() | Stone():
            return [value.column, value.row]
        case Compose():
            return [_json(value.left), _json(value.right)]
        case Color():
            return value.name.lower()
        case Double():
            return int(value)
        case str() | int() | float() | None:
            return value
    raise TypeError(value)
