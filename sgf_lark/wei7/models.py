"""wei7 documents as typed objects, with the names of the document.

The annotations are the only declaration of the members and their limits: the checks and the JSON
Schema are derived from them. A missing member is `UNSET`, which is
neither null nor the default. The limits are checked when a text is loaded, not when an object is
made or changed.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal

from sgf_lark.diagnostics import Words
from sgf_lark.wei7.shapes import UNSET as UNSET
from sgf_lark.wei7.shapes import Limit, Shape, UnsetType, shape_of

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


class Model:
    """The base of all objects in a document."""

    def members(self) -> dict[str, Any]:
        """The members that are set, by name, in the order of the document."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in found.items() if value is not UNSET}


@dataclass
class Point(Model):
    """A point (5.6): x to the right and y downwards, both from 0."""

    x: Index
    y: Index


@dataclass
class Size(Model):
    """The lines of a board (5.9)."""

    width: Lines
    height: Lines


@dataclass
class Result(Model):
    """A result (5.8). The winner is null for a draw; without margin the loser resigned."""

    winner: Color | None
    margin: Margin | UnsetType = UNSET


@dataclass
class Rules(Model):
    """Rules of a game (5.10.1)."""

    scoring: Scoring | UnsetType = UNSET
    komi: Komi | UnsetType = UNSET
    type: RulesType | UnsetType = UNSET


@dataclass
class Participant(Model):
    """A participant (5.10.4)."""

    domain: ShortString | UnsetType = UNSET
    id: ShortString | UnsetType = UNSET
    name: ShortString | UnsetType = UNSET
    title: ShortString | UnsetType = UNSET
    rank: ShortString | UnsetType = UNSET


@dataclass
class Player(Model):
    """A participant who plays (5.10.7), and the color."""

    participant: Index
    color: Color | UnsetType = UNSET


@dataclass
class Info(Model):
    """The game as a whole (5.10)."""

    domain: ShortString | UnsetType = UNSET
    id: ShortString | UnsetType = UNSET
    name: ShortString | UnsetType = UNSET
    rules: Rules | UnsetType = UNSET
    time: Time | UnsetType = UNSET
    place: ShortString | UnsetType = UNSET
    participants: list[Participant] | UnsetType = UNSET
    players: list[Player] | UnsetType = UNSET
    result: Result | UnsetType = UNSET


@dataclass
class Mark(Model):
    """A symbol on a point (5.12)."""

    point: Point
    symbol: Symbol


@dataclass
class Stone(Model):
    """A setup stone (5.15.2.1)."""

    color: Color
    point: Point


@dataclass
class Problem(Model):
    """A problem, and the color that has to solve it (5.15.2.2)."""

    color: Color


@dataclass
class Pre(Model):
    """The state before the steps of a tree (5.15.2)."""

    stones: list[Stone] | UnsetType = UNSET
    problem: Problem | UnsetType = UNSET
    marks: list[Mark] | UnsetType = UNSET
    comment: str | UnsetType = UNSET


@dataclass
class Move(Model):
    """A move (5.15.3.2.1); null as point is a pass."""

    color: Color
    point: Annotated[Point | None, Words("a point, or null for a pass", "点，或表示停一手的 null")]
    evaluation: Evaluation | UnsetType = UNSET


@dataclass
class MoveAction(Model):
    """A move is played."""

    type: Annotated[Literal["move"], Limit("WEI211")] = field(default="move", init=False)
    value: Move


@dataclass
class TakebackAction(Model):
    """The last `value` moves are taken back (5.15.3.2.2)."""

    type: Annotated[Literal["takeback"], Limit("WEI211")] = field(default="takeback", init=False)
    value: Moves


@dataclass
class MarkAction(Model):
    """A mark is set (5.15.3.2.4)."""

    type: Annotated[Literal["mark"], Limit("WEI211")] = field(default="mark", init=False)
    value: Mark


@dataclass
class MessageAction(Model):
    """Somebody writes a message (5.15.3.2.5)."""

    type: Annotated[Literal["message"], Limit("WEI211")] = field(default="message", init=False)
    value: str


@dataclass
class ResultAction(Model):
    """Somebody resigns, or claims a result (5.15.3.2.3)."""

    type: Annotated[Literal["result"], Limit("WEI211")] = field(default="result", init=False)
    value: Result


Action = MoveAction | TakebackAction | MarkAction | MessageAction | ResultAction


@dataclass
class Step(Model):
    """An event in a game (5.15.3); `time` counts seconds from its start."""

    action: Action
    time: StepTime | UnsetType = UNSET
    actor: Index | UnsetType = UNSET
    marks: list[Mark] | UnsetType = UNSET
    comment: str | UnsetType = UNSET


@dataclass(eq=False, repr=False, kw_only=True)
class Tree(Model):
    """A sequence of steps and its branches; the first branch is the game itself (5.15)."""

    title: str | UnsetType = UNSET
    pre: Pre | UnsetType = UNSET
    steps: list[Step] | UnsetType = UNSET
    branches: list[Tree] | UnsetType = UNSET

    # Trees can be nested deeper than Python can recurse.

    def __eq__(self, other: object) -> bool:
        """Whether both trees have the same members, compared without recursion."""
        if not isinstance(other, Tree):
            return NotImplemented
        waiting = [(self, other)]
        while waiting:
            one, two = waiting.pop()
            if (one.title, one.pre, one.steps) != (two.title, two.pre, two.steps):
                return False
            if isinstance(one.branches, UnsetType) or isinstance(two.branches, UnsetType):
                if one.branches is not two.branches:
                    return False
            elif len(one.branches) == len(two.branches):
                waiting.extend(zip(one.branches, two.branches, strict=True))
            else:
                return False
        return True

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The title and the numbers of steps and branches."""
        parts = [] if isinstance(self.title, UnsetType) else [repr(self.title)]
        for name in "steps", "branches":
            items = getattr(self, name)
            if items is not UNSET:
                parts.append(f"{len(items)} {name}")
        return f"<Tree: {', '.join(parts) or 'empty'}>"


@dataclass(kw_only=True)
class Document(Model):
    """A wei7 text (5.2)."""

    format: Format = "wei7"
    version: Version = "3.0"
    size: (
        Annotated[
            Lines | Size,
            Words(
                "a whole number, or an object with width and height",
                "整数，或含 width 和 height 的对象",
            ),
        ]
        | UnsetType
    ) = UNSET
    info: Info | UnsetType = UNSET
    tree: Tree

    @property
    def lines(self) -> tuple[int, int]:
        """The columns and rows of the board; 19 each without `size` (5.9)."""
        if isinstance(self.size, Size):
            return self.size.width, self.size.height
        side = DEFAULT_SIZE if isinstance(self.size, UnsetType) else self.size
        return side, side


def build(document: Mapping[str, Any]) -> Document:
    """The model of a document of dicts and lists, as `from_sgf` gives it.

    Raises ValueError for a value that its annotation excludes.
    """
    built: Document = _built({**document, "tree": {}}, shape_of(Document))
    waiting: list[tuple[Tree, Any]] = [(built.tree, document.get("tree"))]
    while waiting:
        into, given = waiting.pop()
        # Each tree is built without its branches, which can be nested too deeply for recursion.
        branches = given.get("branches") if isinstance(given, dict) else None
        own = {**given, "branches": []} if isinstance(branches, list) else given
        into.__dict__.update(_built(own, shape_of(Tree)).__dict__)
        if isinstance(branches, list):
            into.branches = [Tree() for _ in branches]
            waiting.extend(zip(into.branches, branches, strict=True))
    return built


def _built(value: Any, shape: Shape) -> Any:
    if code := next(shape.broken(value), None):
        raise ValueError(f"{value!r:.60} breaks the rule {code} of wei7")
    if isinstance(value, list) and shape.item is not None:
        return [_built(item, shape.item) for item in value]
    if not isinstance(value, dict):
        return value
    shape = shape.of(value)
    model = shape.models[0]
    names = [each.name for each in fields(model) if each.init]
    if wrong := (value.keys() - shape.members.keys()) | ({*shape.required} - value.keys()):
        raise ValueError(f"a {model.__name__} of wei7 lacks, or cannot have: {', '.join(wrong)}")
    return model(
        **{name: _built(value[name], shape.members[name]) for name in names if name in value}
    )


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
