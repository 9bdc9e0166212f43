"""What is clean, by identifiers: derived from the rules, and built with the package for Go.

To derive it takes a quarter of the time in which one small file is checked.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache

from sgf_lark import built, grammar
from sgf_lark.engine.kinds import CleanIf, PropertyBits
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.board import BITS_OF_BOARD
from sgf_lark.model.values import Context
from sgf_lark.rules import FAMILIES
from sgf_lark.rules.registry import Plain, Scope, plays
from sgf_lark.validation.derivation import clean_in_nodes, clean_kinds, sample_context
from sgf_lark.validation.runner import ActiveRules

#: How properties are clean, and their bits for the screen, by identifiers.
CleanTables = tuple[dict[bytes, int], dict[str, int]]

#: How properties of each kind of plain value are clean, where the cache knows the kind.
_CLEAN_IF = {
    Plain.TEXT: CleanIf.TEXT,
    Plain.MOVE: CleanIf.POINT,
    Plain.POINTS: CleanIf.LIST,
    Plain.LABELS: CleanIf.LABELS,
    Plain.DATE: CleanIf.DATE,
}

#: The same for the screen.
_PLAIN_BITS = {
    Plain.TEXT: PropertyBits.PLAIN_TEXT,
    Plain.NUMBER: PropertyBits.PLAIN_NUMBER,
    Plain.REAL: PropertyBits.PLAIN_REAL,
    Plain.MOVE: PropertyBits.PLAIN_MOVE,
    Plain.POINTS: PropertyBits.PLAIN_POINTS,
    Plain.LABELS: PropertyBits.PLAIN_LABELS,
}

#: The screen knows identifiers of at most this many letters.
_LONGEST_IDENT = 2

#: The profiles, and the game and file formats, whose tables are built with the package: with these
#: nearly all files are validated.
_BUILT_PROFILES = ("strict", "interchange", "archive")
_BUILT_GAME, _BUILT_FORMATS = 1, (1, 3, 4)
#: What the built tables are made from.
_SOURCES = (
    *("properties.toml", "rules.toml", "rules/registry.py", "engine/kinds.py"),
    *("validation/clean.py", "validation/derivation.py"),
    *(f"rules/{family}.py" for family in FAMILIES),
)


@lru_cache(maxsize=256)
def clean_tables(rules: ActiveRules, game: int, file_format: int) -> CleanTables:
    """What is clean in trees of that game and file format."""
    if game == _BUILT_GAME and file_format in _BUILT_FORMATS:
        found = _built_tables().get((_checksum(rules), file_format))
        if found is not None:
            return found
    return _derived(rules, game, file_format)


def build_content() -> None:
    """Ask for all content that :mod:`sgf_lark.built` keeps for this module."""
    _built_tables()


@cache
def _built_tables() -> dict[tuple[int, int], CleanTables]:
    """The tables by the checksum of the rules and the file format."""
    return built.content("clean", _SOURCES, _build_tables)


def _build_tables() -> dict[tuple[int, int], CleanTables]:
    every = [ActiveRules(profile, frozenset(grammar.codes())) for profile in _BUILT_PROFILES]
    return {
        (_checksum(rules), file_format): _derived(rules, _BUILT_GAME, file_format)
        for rules in every
        for file_format in _BUILT_FORMATS
    }


def _checksum(rules: ActiveRules) -> int:
    """The same number for the same active rules."""
    functions = [
        f"{scope.name} {rule.code} {rule.function.__module__} {rule.function.__qualname__}"
        for scope in (Scope.PROPERTY, Scope.VALUE, Scope.CONTENT, Scope.NODE)
        for rule in rules.by_scope[scope]
    ]
    return zlib.crc32("\n".join(functions).encode())


def _derived(rules: ActiveRules, game: int, file_format: int) -> CleanTables:
    context = sample_context(game, file_format)
    kinds = clean_kinds(rules, context)
    clean_if = {
        ident.encode("latin-1"): int(_CLEAN_IF[kind])
        for ident, kind in kinds.items()
        if kind in _CLEAN_IF
    }
    bits = _bits(rules, kinds, context)
    return clean_if, {ident: int(bit) for ident, bit in bits.items()}


def _bits(rules: ActiveRules, kinds: dict[str, Plain], context: Context) -> dict[str, PropertyBits]:
    """What the screen has to know of each identifier of one or two letters."""
    definitions = {
        entry.ident: definition
        for entry in grammar.properties()
        if len(entry.ident) <= _LONGEST_IDENT
        and (definition := grammar.definition(entry.ident, context.game, context.file_format))
    }
    candidates = {
        ident: kind
        for ident, kind in kinds.items()
        if ident in definitions and kind in _PLAIN_BITS and definitions[ident].type != "setup"
    }
    plain = clean_in_nodes(rules.by_scope[Scope.NODE], candidates, context)
    return {
        ident: _role_bits(ident, definition)
        | (_PLAIN_BITS[plain[ident]] if ident in plain else PropertyBits(0))
        for ident, definition in definitions.items()
    }


def _role_bits(ident: str, definition: PropertyDefinition) -> PropertyBits:
    """What a property of that identifier does to its tree and the board."""
    if plays(definition):
        return BITS_OF_BOARD[ident]
    if definition.type == "game-info":
        return PropertyBits.GAME_INFO
    if definition.type != "setup":
        return PropertyBits(0)
    return BITS_OF_BOARD.get(ident, PropertyBits.SETUP)
