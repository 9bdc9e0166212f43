"""The types of properties for type checkers, worked out from ``properties.toml``.

When the package is built, the stub ``property_types.pyi`` is written into the folder ``_built``,
so that ``node["C"]`` is a str for mypy and pyright. It has one overload for all identifiers
whose values have the same type. At run time nothing imports it; where it is missing, as in a
checkout that was never built, the values are Any. To write it: ``python -m sgf_lark.built``.
"""

from __future__ import annotations

from sgf_lark import built, grammar
from sgf_lark.grammar import ValueType

#: The Python types of value types. Points, moves and stones depend on the game, so that a type
#: checker does not object to what another game allows.
_TYPES = {
    "none": "None",
    "number": "int",
    "real": "float",
    "double": "Double",
    "color": "Color",
    "simpletext": "str",
    "text": "str",
    "point": "Point | Any",
    "move": "Move | Any",
    "stone": "Stone | Any",
    "unknown": "bytes",
}

_HEAD = '''\
"""Written by sgf_lark.stubs from properties.toml."""

from abc import ABCMeta
from collections.abc import MutableMapping
from typing import Any, Literal, TypeVar, overload

from sgf_lark.model.values import Color, Compose, Double, Move, Point, Stone

Default = TypeVar("Default")

class PropertyTypes(MutableMapping[str, Any], metaclass=ABCMeta):
'''

_METHODS = """\
    @overload{ignored}
    def {name}(self, ident: {ident}) -> {result}: ...
"""

_WITH_DEFAULT = """\
    @overload
    def {name}(self, ident: {ident}, default: Default) -> {result}: ...
"""


def build_content() -> None:
    """Write the stub."""
    built.write("property_types.pyi", property_types().encode())


def property_types() -> str:
    """The text of the stub: a class with the overloads, from which Node inherits."""
    groups: dict[str, list[str]] = {}
    for ident in sorted({definition.ident for definition in grammar.properties()}):
        groups.setdefault(type_of(ident), []).append(ident)
    literals = {
        f"Literal[{', '.join(map(repr, idents))}]": result for result, idents in groups.items()
    }
    parts = [_HEAD]
    for ident, result in (literals | {"str": "Any"}).items():
        parts.append(_METHODS.format(name="__getitem__", ident=ident, result=result, ignored=""))
    for name in ("get", "inherited"):
        ignored = "  # type: ignore[override]" if name == "get" else ""
        for ident, result in (literals | {"str": "Any"}).items():
            optional = result if "None" in result else f"{result} | None"
            method = {"name": name, "ident": ident}
            parts.append(_METHODS.format(**method, result=optional, ignored=ignored))
            ignored = ""
            parts.append(_WITH_DEFAULT.format(**method, result=f"{result} | Default"))
    return "".join(parts)


def type_of(ident: str) -> str:
    """The type of ``node[ident]`` in all games, as an annotation."""
    definitions = grammar.definitions(ident)
    found = dict.fromkeys(_annotation(form) for each in definitions for form in each.alternatives)
    if not any(not each.games for each in definitions):
        found["Any"] = None  # without a definition in other games
    return " | ".join(found)


def _annotation(alternative: ValueType) -> str:
    item = _TYPES[alternative.first]
    if alternative.composed:
        item = f"Compose[{item}, {_TYPES[alternative.second]}]"
    return f"list[{item}]" if alternative.many else item
