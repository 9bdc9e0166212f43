"""The objects of wei7 documents, with the names of the specification.

They are dicts and lists; the types are for type checkers. The annotations are the only declaration
of the members and their limits: the checks and the JSON Schema are derived from them.
"""

from __future__ import annotations

import inspect
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from sgf_lark.diagnostics import Words
from sgf_lark.wei7.shapes import Limit, Shape, shape_of

#: The scoring that the rules imply.
SCORING = {"Chinese": "area", "Japanese": "territory", "Korean": "territory"}
#: The size of the board if the text has none (5.9).
DEFAULT_SIZE = 19

# Patterns mean the same in Python and in JSON Schema: "$" would match before a line break in
# Python.
CONTROL_CHARACTER = r"[\u0000-\u001f\u007f-\u009f\u2028\u2029]"
TIME = (
    r"^([0-9]{4}(?:-[0-9]{2}){2})T([0-9]{2}:[0-9]{2})(?::([0-9]{2}(?:\.[0-9]{1,9})?))?Z(?![\s\S])"
)
_COUNT = Words("a whole number of at least 0", "不小于 0 的整数")

Format = Annotated[Literal["wei7"], Limit("WEI201")]
Version = Annotated[Literal["3.0"], Limit("WEI202")]
#: Black and White (5.5).
Color = Annotated[Literal[1, 2], Limit("WEI206")]
Scoring = Annotated[Literal["area", "territory"], Limit("WEI211")]
RulesType = Annotated[Literal["Chinese", "Japanese", "Korean"], Limit("WEI211")]
Evaluation = Annotated[Literal["bad", "good"], Limit("WEI211")]
ShortString = Annotated[
    str,
    Limit("WEI101"),
    Limit("WEI204", maxLength=128),
    Limit("WEI205", pattern=rf"^(?![\s\S]*{CONTROL_CHARACTER})"),
]
Symbol = Annotated[str, Limit("WEI214", pattern=r"^[a-zA-Z0-9@#$%&?](?![\s\S])")]
Time = Annotated[str, Limit("WEI101"), Limit("WEI212", pattern=TIME)]
#: Indices and coordinates count from 0.
Index = Annotated[int, Limit("WEI101", minimum=0), _COUNT]
Lines = Annotated[int, Limit("WEI203", minimum=1)]
Moves = Annotated[int, Limit("WEI216", minimum=1)]
Komi = Annotated[float, Limit("WEI210", minimum=0, exclusiveMaximum=10, multipleOf=0.5)]
Margin = Annotated[float, Limit("WEI209", exclusiveMinimum=0, exclusiveMaximum=512, multipleOf=0.5)]
StepTime = Annotated[float, Limit("WEI215", minimum=0, exclusiveMaximum=86400)]


class Point(TypedDict):
    """A point (5.6): x to the right and y downwards, both from 0."""

    x: Index
    y: Index


class Size(TypedDict):
    """The lines of a board (5.9)."""

    width: Lines
    height: Lines


class Result(TypedDict):
    """A result (5.8). The winner is null for a draw; without margin the loser resigned."""

    winner: Color | None
    margin: NotRequired[Margin]


class Rules(TypedDict):
    """Rules of a game (5.10.1)."""

    scoring: NotRequired[Scoring]
    komi: NotRequired[Komi]
    type: NotRequired[RulesType]


class Participant(TypedDict):
    """A participant (5.10.4)."""

    domain: NotRequired[ShortString]
    id: NotRequired[ShortString]
    name: NotRequired[ShortString]
    title: NotRequired[ShortString]
    rank: NotRequired[ShortString]


class Player(TypedDict):
    """A participant who plays (5.10.7), and the color."""

    participant: Index
    color: NotRequired[Color]


class Info(TypedDict):
    """The game as a whole (5.10)."""

    domain: NotRequired[ShortString]
    id: NotRequired[ShortString]
    name: NotRequired[ShortString]
    rules: NotRequired[Rules]
    time: NotRequired[Time]
    place: NotRequired[ShortString]
    participants: NotRequired[list[Participant]]
    players: NotRequired[list[Player]]
    result: NotRequired[Result]


class Mark(TypedDict):
    """A symbol on a point (5.12)."""

    point: Point
    symbol: Symbol


class Stone(TypedDict):
    """A setup stone (5.15.2.1)."""

    color: Color
    point: Point


class Problem(TypedDict):
    """A problem, and the color that has to solve it (5.15.2.2)."""

    color: Color


class Pre(TypedDict):
    """The state before the steps of a tree (5.15.2)."""

    stones: NotRequired[list[Stone]]
    problem: NotRequired[Problem]
    marks: NotRequired[list[Mark]]
    comment: NotRequired[str]


class Move(TypedDict):
    """A move (5.15.3.2.1); null as point is a pass."""

    color: Color
    point: Annotated[Point | None, Words("a point, or null for a pass", "点，或表示停一手的 null")]
    evaluation: NotRequired[Evaluation]


class MoveAction(TypedDict):
    """A move is played."""

    type: Annotated[Literal["move"], Limit("WEI211")]
    value: Move


class TakebackAction(TypedDict):
    """The last `value` moves are taken back (5.15.3.2.2)."""

    type: Annotated[Literal["takeback"], Limit("WEI211")]
    value: Moves


class MarkAction(TypedDict):
    """A mark is set (5.15.3.2.4)."""

    type: Annotated[Literal["mark"], Limit("WEI211")]
    value: Mark


class MessageAction(TypedDict):
    """Somebody writes a message (5.15.3.2.5)."""

    type: Annotated[Literal["message"], Limit("WEI211")]
    value: str


class ResultAction(TypedDict):
    """Somebody resigns, or claims a result (5.15.3.2.3)."""

    type: Annotated[Literal["result"], Limit("WEI211")]
    value: Result


Action = MoveAction | TakebackAction | MarkAction | MessageAction | ResultAction


class Step(TypedDict):
    """An event in a game (5.15.3); `time` counts seconds from its start."""

    action: Action
    time: NotRequired[StepTime]
    actor: NotRequired[Index]
    marks: NotRequired[list[Mark]]
    comment: NotRequired[str]


class Tree(TypedDict):
    """A sequence of steps and its branches; the first branch is the game itself (5.15)."""

    title: NotRequired[str]
    pre: NotRequired[Pre]
    steps: NotRequired[list[Step]]
    branches: NotRequired[list[Tree]]


class Document(TypedDict):
    """A wei7 text (5.2)."""

    format: Format
    version: Version
    size: NotRequired[
        Annotated[
            Lines | Size,
            Words(
                "a whole number, or an object with width and height",
                "整数，或含 width 和 height 的对象",
            ),
        ]
    ]
    info: NotRequired[Info]
    tree: Tree


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
