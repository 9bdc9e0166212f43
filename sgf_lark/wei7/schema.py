"""What the values of a document may be: the definitions in ``wei7.toml``, for the checks and as a
JSON Schema."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from types import NoneType
from typing import Any

from sgf_lark import grammar
from sgf_lark.diagnostics import Words

#: Keyword of JSON Schema -> whether it holds for a value.
_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
    "multipleOf": lambda value, unit: value % unit == 0,
    "maxLength": lambda value, length: len(value) <= length,
    "pattern": lambda value, pattern: re.search(pattern, value) is not None,
}
#: The keys of a definition that are no keywords.
_OWN_KEYS = ("required", "optional", "value_of_type", "any_of", "code", "codes", "expected")
_LIST = "list of "

#: The kinds of JSON values in words.
KINDS = {
    "object": Words("an object", "对象"),
    "array": Words("an array", "数组"),
    "string": Words("a string", "字符串"),
    "number": Words("a number", "数"),
    "true": Words("true", "true"),
    "false": Words("false", "false"),
    "null": Words("null", "null"),
}
_KIND_OF_TYPE = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    NoneType: "null",
}


def kind_of(value: Any) -> str:
    """The kind of a JSON value, a key of KINDS."""
    return str(value).lower() if isinstance(value, bool) else _KIND_OF_TYPE[type(value)]


def fits(value: Any, name: str) -> bool:
    """Whether a string or number is within the limits of a definition."""
    return next(shape_of(name).broken(value), None) is None


@cache
def shape_of(name: str) -> Shape:
    """The shape of the values that a member may be: the name of a definition, string, null, or
    "list of" one of these."""
    if name.startswith(_LIST):
        return Shape({"type": "array", "items": name.removeprefix(_LIST)})
    return Shape({"type": name} if name in KINDS else _definitions()[name])


def _definitions() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = grammar.table("wei7")["schema"]
    return found


class Shape:
    """What a value may be, by a definition: one kind of JSON value, or several.

    `choices` are the allowed values, if there are few, `item` is the shape of the items of an
    array, and `required` are the names of the members that an object has to have.
    """

    def __init__(self, definition: dict[str, Any]) -> None:
        self.definition = definition
        self.code: str = definition.get("code", "WEI101")
        self.alternatives = [shape_of(name) for name in definition.get("any_of", ())] or [self]
        self.choices: list[Any] = [
            value
            for each in self.alternatives
            for value in (definition.get("enum", ()) if each is self else each.choices)
        ]
        self.item = shape_of(definition["items"]) if "items" in definition else None
        self.required = [*definition.get("required", ())]
        if "value_of_type" in definition:
            self.required = ["type", "value"]

    @cached_property
    def members(self) -> dict[str, Shape | None]:
        """The members of an object, the required ones first; None for a value that depends on the
        type of the object, which is not known."""
        if types := self.definition.get("value_of_type"):
            code = self.definition["codes"]["type"]
            return {"type": Shape({"enum": [*types], "code": code}), "value": None}
        named = self.definition.get("required", {}) | self.definition.get("optional", {})
        return {name: shape_of(each) for name, each in named.items()}

    @cached_property
    def by_type(self) -> dict[str, Shape]:
        """The shapes of an object by its `type`, where its value depends on that."""
        found = {}
        for kind, name in self.definition.get("value_of_type", {}).items():
            found[kind] = Shape(self.definition)
            found[kind].members = {**self.members, "value": shape_of(name)}
        return found

    def of(self, value: Any) -> Shape:
        """The shape of a value of one of the kinds; of an object that of its `type`, if it has a
        valid one."""
        [found] = [each for each in self.alternatives if each.kinds == [kind_of(value)]]
        kind = value.get("type") if isinstance(value, dict) else None
        return found.by_type.get(kind, found) if isinstance(kind, str) else found

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of values, keys of KINDS."""
        if self.alternatives != [self]:
            return [kind for each in self.alternatives for kind in each.kinds]
        if self.choices:
            return [kind_of(self.choices[0])]
        kind = self.definition.get("type", "object")
        return ["number" if kind == "integer" else kind]

    @property
    def expected(self) -> Words:
        """What is expected, in words."""
        words = [KINDS[kind] for kind in self.kinds]
        english = " or ".join(each.en for each in words)
        chinese = "或".join(each.zh for each in words)
        return Words(*self.definition.get("expected", (english, chinese)))

    def broken(self, value: Any) -> Iterator[str]:
        """The codes of the rules that a value breaks; the values in it are not checked."""
        if kind_of(value) not in self.kinds:
            yield self.code
        elif isinstance(value, str | int | float):
            found = self.of(value)
            keywords, codes = found.definition, found.definition.get("codes", {})
            # JSON has one type of numbers: 7.0 is a whole number.
            is_whole = not isinstance(value, float) or value.is_integer()
            is_fraction = keywords.get("type") == "integer" and not is_whole
            if is_fraction or (found.choices and value not in found.choices):
                yield found.code
                return
            broken = (
                codes.get(name, found.code)
                for name, holds in _HOLDS.items()
                if name in keywords and not holds(value, keywords[name])
            )
            yield from dict.fromkeys(broken)


def schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) for wei7.

    It covers the rules for single values. Only `validate` checks that points are on the
    board, that participants exist, and the rules that depend on the order of the moves.
    """
    found = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/Document",
        "$defs": {name: _as_schema(name, each) for name, each in _definitions().items()},
    }
    # Tables of the grammar have tuples, and are shared.
    copied: dict[str, Any] = json.loads(json.dumps(found))
    return copied


def _as_schema(name: str, definition: dict[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in definition.items() if key not in _OWN_KEYS}
    if "any_of" in definition:
        found["anyOf"] = [_reference(each) for each in definition["any_of"]]
    elif "value_of_type" in definition:
        found["anyOf"] = [
            _object({"type": {"const": kind}, "value": _reference(value)}, ["type", "value"])
            for kind, value in definition["value_of_type"].items()
        ]
    elif not found.keys() & {"type", "enum"}:
        required = definition.get("required", {})
        members = required | definition.get("optional", {})
        properties = {member: _reference(each) for member, each in members.items()}
        found |= {"title": name, **_object(properties, [*required])}
    return found


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _reference(name: str) -> dict[str, Any]:
    if name.startswith(_LIST):
        return {"type": "array", "items": _reference(name.removeprefix(_LIST))}
    return {"type": name} if name in KINDS else {"$ref": f"#/$defs/{name}"}
