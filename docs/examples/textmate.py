"""The TextMate grammar, generated from the Lark grammar and the property table.

``python docs/examples/textmate.py`` writes it, for editors that take one; it needs sgf_lark.

TextMate grammars work line by line, and do not know the game of a tree. So a property begins with
its identifier and ends before the first character that cannot follow a value; each of its values
is one of the value types that the identifier has in any game.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition, PropertyType
from sgf_lark.syntax.grammars import terminal_patterns, value_patterns

SCOPE = "source.sgf"

#: Scopes of identifiers, by the type of the property.
_IDENTS = {
    PropertyType.MOVE: "keyword.control.move.sgf",
    PropertyType.SETUP: "keyword.other.setup.sgf",
    PropertyType.ROOT: "storage.type.root.sgf",
    PropertyType.GAME_INFO: "entity.name.tag.game-info.sgf",
    PropertyType.NONE: "entity.other.attribute-name.sgf",
}
#: Scopes of values, by the type.
_VALUES = {
    "number": "constant.numeric.sgf",
    "real": "constant.numeric.sgf",
    "double": "constant.language.sgf",
    "color": "constant.language.sgf",
    "simpletext": "string.unquoted.simpletext.sgf",
    "text": "string.unquoted.text.sgf",
    "point": "variable.other.point.sgf",
    "move": "variable.other.point.sgf",
    "stone": "variable.other.point.sgf",
    "none": "",
    "unknown": "string.other.unknown.sgf",
}
#: The types that each game defines.
_OF_GAMES = ("point", "move", "stone")


def textmate_grammar() -> dict[str, Any]:
    """The grammar as the object of a ``.tmLanguage.json`` file."""
    repository: dict[str, Any] = {
        "escape": {"name": "constant.character.escape.sgf", "match": r"\\."},
        "value-of-unknown": _value(_VALUES["unknown"], []),
    }
    properties = [_property(*group, repository) for group in _groups()]
    unknown = _with_values(
        terminal_patterns("sgf.lark")["UCLETTERS"],
        "invalid.deprecated.unknown.sgf",
        "value-of-unknown",
    )
    return {
        "name": "SGF",
        "scopeName": SCOPE,
        "fileTypes": ["sgf"],
        "patterns": [
            {"name": "punctuation.section.gametree.begin.sgf", "match": r"\("},
            {"name": "punctuation.section.gametree.end.sgf", "match": r"\)"},
            {"name": "punctuation.separator.node.sgf", "match": ";"},
            *properties,
            unknown,
            {"name": "invalid.illegal.junk.sgf", "match": r"[^\s()\[\];A-Z]+"},
        ],
        "repository": repository,
    }


def _groups() -> Iterator[tuple[PropertyType, str, list[str]]]:
    """The identifiers with the same type and the same values: type, name of values, identifiers."""
    found: dict[tuple[PropertyType, str], list[str]] = defaultdict(list)
    of_ident: dict[str, list[PropertyDefinition]] = defaultdict(list)
    for definition in grammar.properties():
        of_ident[definition.ident].append(definition)
    for ident, definitions in of_ident.items():
        kinds = sorted({kind for each in definitions for kind in each.kinds})
        found[definitions[0].type, "-".join(kinds)].append(ident)
    for (kind, values), idents in sorted(found.items()):
        yield kind, values, idents


def _property(
    kind: PropertyType, values: str, idents: list[str], repository: dict[str, Any]
) -> dict[str, Any]:
    """The rule for some identifiers; the rule for their values goes to the repository."""
    name = f"value-of-{values}"
    if name not in repository:
        repository[name] = _value_of(values.split("-"))
    longest_first = sorted(idents, key=lambda ident: (-len(ident), ident))
    return _with_values(rf"(?:{'|'.join(longest_first)})(?![A-Za-z])", _IDENTS[kind], name)


def _with_values(ident: str, scope: str, values: str) -> dict[str, Any]:
    """A property: identifier, then any number of values."""
    return {
        "begin": f"(?<![A-Za-z])({ident})",
        "beginCaptures": {"1": {"name": scope}},
        "end": r"(?=[^\s\[])",
        "patterns": [{"include": f"#{values}"}],
    }


def _value_of(kinds: list[str]) -> dict[str, Any]:
    """A value that is of one of these types; a composed one has two parts."""
    texts = [kind for kind in kinds if kind in grammar.TEXT_TYPES]
    others = [kind for kind in kinds if kind not in grammar.TEXT_TYPES]
    # The second part of a composed value is the text, if the property has one.
    before = r"(?<=\[)" if texts else r"(?<=[\[:])"
    patterns = [
        {"name": scope, "match": rf"{before}(?!\])(?:{pattern})(?=[\]:])"}
        for kind in others
        for pattern, scope in _of_kind(kind)
    ]
    separator = {"name": "punctuation.separator.compose.sgf", "match": ":"}
    if len(kinds) > 1 or not texts:
        patterns.append(separator)
    scope = _VALUES[texts[0]] if texts else ""
    # Some games have no notation for these.
    if not texts and not {"unknown", *_OF_GAMES} & {*others}:
        patterns.append({"name": "invalid.illegal.value.sgf", "match": r"[^\]:\\]+"})
    return _value(scope, patterns)


def _of_kind(kind: str) -> Iterator[tuple[str, str]]:
    """The regular expressions of a type in all games, each with its scope."""
    scope = _VALUES.get(kind, "")
    if not scope or kind == "unknown":
        return
    rules = {kind}
    if kind in _OF_GAMES:
        rules = {getattr(game, kind) for game in grammar.games().values()} - {""}
    for rule in sorted(rules):
        pattern = value_patterns().get(rule)
        if pattern:
            yield pattern, scope


def _value(scope: str, patterns: list[dict[str, Any]]) -> dict[str, Any]:
    """A value from "[" to the first "]" that is not escaped."""
    rule: dict[str, Any] = {
        "begin": r"\[",
        "beginCaptures": {"0": {"name": "punctuation.definition.value.begin.sgf"}},
        "end": r"\]",
        "endCaptures": {"0": {"name": "punctuation.definition.value.end.sgf"}},
        "patterns": [{"include": "#escape"}, *patterns],
    }
    if scope:
        rule["contentName"] = scope
    return rule


if __name__ == "__main__":
    json.dump(textmate_grammar(), sys.stdout, indent=2)
    print()
