"""The JSON Schema of wei7, from the annotations of the models."""

from __future__ import annotations

import inspect
from typing import Any

from sgf_lark.wei7.models import Document
from sgf_lark.wei7.shapes import Shape, shape_of

#: The moves of a tree with a problem have an evaluation (5.15.3.2.1.3).
_PROBLEM = {
    "if": {"required": ["pre"], "properties": {"pre": {"required": ["problem"]}}},
    "then": {
        "properties": {
            "steps": {
                "items": {
                    "properties": {
                        "action": {
                            "if": {"properties": {"type": {"const": "move"}}},
                            "then": {"properties": {"value": {"required": ["evaluation"]}}},
                        }
                    }
                }
            }
        }
    },
}
_SCALARS = {str: "string", int: "integer", float: "number"}


def schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) for wei7, made from the models.

    It covers the rules for single values. Only `validate` checks that points are on the
    board, that participants exist, and the rules that depend on the order of the moves.
    """
    definitions: dict[str, Any] = {}
    models: list[type] = [Document]
    for model in models:  # grows by the models of their members
        if model.__name__ in definitions:
            continue
        shape = shape_of(model)
        definitions[model.__name__] = {
            "title": model.__name__,
            "description": inspect.getdoc(model),
            "type": "object",
            "properties": {name: _value(member) for name, member in shape.members.items()},
            "required": shape.required,
            "additionalProperties": False,
        }
        for member in shape.members.values():
            models += (member.item or member).models
    definitions["Tree"].update(_PROBLEM)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/Document",
        "$defs": definitions,
    }


def _value(shape: Shape) -> dict[str, Any]:
    """The schema of a value: one for each kind that it can be."""
    found: list[dict[str, Any]] = []
    if shape.choices:
        found.append({"enum": [*shape.choices]})
    elif shape.scalar is not None:
        limits = {name: given for limit in shape.limits for name, given in limit.keywords.items()}
        found.append({"type": _SCALARS[shape.scalar], **limits})
    found += [{"$ref": f"#/$defs/{model.__name__}"} for model in shape.models]
    if shape.item is not None:
        found.append({"type": "array", "items": _value(shape.item)})
    if "null" in shape.kinds:
        found.append({"type": "null"})
    return found[0] if len(found) == 1 else {"anyOf": found}
