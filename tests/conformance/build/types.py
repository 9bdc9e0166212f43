"""The properties of type SimpleText, according to the property table."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from tests.conformance.build.cases import SUITE


@cache
def _table() -> list[dict[str, Any]]:
    text = (SUITE.parent.parent / "grammar" / "properties.toml").read_text("utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["property"]
    return rows


def simple_text(ident: str, game: bytes) -> bool:
    """Whether the property is SimpleText in that game, or has a half that is."""
    number = int(game) if game.isdigit() else 1
    return any(
        "simpletext" in row["value"]
        for row in _table()
        if row["ident"] == ident and (not row.get("games") or number in row["games"])
    )
