"""Tables of the properties by property type and game."""

from __future__ import annotations

from typing import Any, get_args

from sgf_lark import grammar
from sgf_lark.diagnostics import Language
from sgf_lark.grammar import PropertyDefinition, Role

ROLES: tuple[Role, ...] = get_args(Role)

#: The columns of the table, by language.
HEADS = {
    "en": ("property", "name", "value", "games", "FF"),
    "zh": ("属性", "名称", "属性值", "棋类", "FF"),
}
_ALL_GAMES = {"en": "all games", "zh": "所有棋类"}


def by_type(game: int | None = None) -> dict[Role, tuple[PropertyDefinition, ...]]:
    """The definitions by property type, those for all games first, then game by game.

    With `game`, a GM number, only those of that game. A type without definitions is omitted.
    """
    found = {}
    for each in ROLES:
        entries = [
            entry
            for entry in grammar.properties()
            if entry.type == each and (game is None or entry.in_game(game))
        ]
        if entries:
            found[each] = tuple(sorted(entries, key=lambda entry: (entry.games, entry.ident)))
    return found


def row(entry: PropertyDefinition, language: Language) -> tuple[str, ...]:
    """The cells of a definition, in the order of ``HEADS``."""
    return (
        entry.ident,
        entry.name_zh if language == "zh" else entry.name,
        entry.value,
        games(entry, language),
        ", ".join(map(str, entry.file_formats)),
    )


def games(entry: PropertyDefinition, language: Language) -> str:
    """The names of the games that have the property."""
    listed = map(grammar.game, entry.games)
    names = [game.name_zh if language == "zh" else game.name for game in listed]
    return ", ".join(names) or _ALL_GAMES[language]


def as_dict(entry: PropertyDefinition, language: Language) -> dict[str, Any]:
    """The definition as an object for JSON: games as numbers, [] for all games."""
    return {
        "property": entry.ident,
        "name": entry.name_zh if language == "zh" else entry.name,
        "type": entry.type,
        "value": entry.value,
        "games": list(entry.games),
        "file_formats": list(entry.file_formats),
        "private": entry.private,
    }
