"""wei7 documents as typed objects, with the names of the document. Needs msgspec.

A missing member is `UNSET`, which is neither null nor the default. The types check single
values when a text is loaded; `sgf_lark.wei7.validate` also checks that values fit together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from sgf_lark.wei7 import limits
from sgf_lark.wei7.rules import objects

try:
    import msgspec
    from msgspec import UNSET, Meta, Struct, UnsetType
except ImportError as error:
    raise ImportError(
        "the models of wei7 need msgspec: pip install 'sgf-lark[wei7]'", name="msgspec"
    ) from error

__all__ = [
    "UNSET",
    "Action",
    "Document",
    "Info",
    "Mark",
    "MarkAction",
    "MessageAction",
    "Move",
    "MoveAction",
    "Participant",
    "Player",
    "Point",
    "Pre",
    "Problem",
    "Result",
    "ResultAction",
    "Rules",
    "Size",
    "Step",
    "Stone",
    "TakebackAction",
    "Tree",
    "build",
]

# JSON Schema searches for a pattern; "$" would match before a line break in Python.
ShortString = Annotated[
    str,
    Meta(
        max_length=limits.SHORT_STRING_LENGTH,
        pattern=rf"^(?![\s\S]*{limits.CONTROL_CHARACTER})",
    ),
]
Symbol = Annotated[str, Meta(max_length=1, pattern=limits.SYMBOL)]
Time = Annotated[str, Meta(pattern=rf"^{limits.TIME}(?![\s\S])")]
#: Indices and coordinates count from 0.
Index = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Komi = Annotated[float, Meta(ge=0, lt=limits.KOMI_END, multiple_of=limits.HALF_POINT)]
Margin = Annotated[float, Meta(gt=0, lt=limits.MARGIN_END, multiple_of=limits.HALF_POINT)]
StepTime = Annotated[float, Meta(ge=0, lt=limits.STEP_TIME_END)]


class Model(Struct, forbid_unknown_fields=True):
    """The base of all objects in a document."""

    def members(self) -> dict[str, Any]:
        """The members that are set, by name, in the order of the document."""
        tag = self.__struct_config__.tag
        found: dict[str, Any] = {} if tag is None else {"type": tag}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not UNSET:
                found[name] = value
        return found


class Point(Model):
    """A point (5.6): x to the right and y downwards, both from 0."""

    x: Index
    y: Index


class Size(Model):
    """The lines of a board (5.9)."""

    width: Positive
    height: Positive


class Result(Model):
    """A result (5.8). The winner is null for a draw; without margin the loser resigned."""

    winner: limits.Color | None
    margin: Margin | UnsetType = UNSET


class Rules(Model):
    """Rules of a game (5.10.1)."""

    scoring: limits.Scoring | UnsetType = UNSET
    komi: Komi | UnsetType = UNSET
    type: limits.RulesType | UnsetType = UNSET


class Participant(Model):
    """A participant (5.10.4)."""

    domain: ShortString | UnsetType = UNSET
    id: ShortString | UnsetType = UNSET
    name: ShortString | UnsetType = UNSET
    title: ShortString | UnsetType = UNSET
    rank: ShortString | UnsetType = UNSET


class Player(Model):
    """A participant who plays (5.10.7), and the color."""

    participant: Index
    color: limits.Color | UnsetType = UNSET


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


class Mark(Model):
    """A symbol on a point (5.12)."""

    point: Point
    symbol: Symbol


class Stone(Model):
    """A setup stone (5.15.2.1)."""

    color: limits.Color
    point: Point


class Problem(Model):
    """A problem, and the color that has to solve it (5.15.2.2)."""

    color: limits.Color


class Pre(Model):
    """The state before the steps of a tree (5.15.2)."""

    stones: list[Stone] | UnsetType = UNSET
    problem: Problem | UnsetType = UNSET
    marks: list[Mark] | UnsetType = UNSET
    comment: str | UnsetType = UNSET


class Move(Model):
    """A move (5.15.3.2.1); null as point is a pass."""

    color: limits.Color
    point: Point | None
    evaluation: limits.Evaluation | UnsetType = UNSET


class MoveAction(Model, tag_field="type", tag="move"):
    """A move is played."""

    type: ClassVar[str] = "move"
    value: Move


class TakebackAction(Model, tag_field="type", tag="takeback"):
    """The last `value` moves are taken back (5.15.3.2.2)."""

    type: ClassVar[str] = "takeback"
    value: Positive


class MarkAction(Model, tag_field="type", tag="mark"):
    """A mark is set (5.15.3.2.4)."""

    type: ClassVar[str] = "mark"
    value: Mark


class MessageAction(Model, tag_field="type", tag="message"):
    """Somebody writes a message (5.15.3.2.5)."""

    type: ClassVar[str] = "message"
    value: str


class ResultAction(Model, tag_field="type", tag="result"):
    """Somebody resigns, or claims a result (5.15.3.2.3)."""

    type: ClassVar[str] = "result"
    value: Result


Action = MoveAction | TakebackAction | MarkAction | MessageAction | ResultAction


class Step(Model):
    """An event in a game (5.15.3); `time` counts seconds from its start."""

    action: Action
    time: StepTime | UnsetType = UNSET
    actor: Index | UnsetType = UNSET
    marks: list[Mark] | UnsetType = UNSET
    comment: str | UnsetType = UNSET


class Tree(Model, eq=False, kw_only=True):
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


class Document(Model, kw_only=True):
    """A wei7 text (5.2)."""

    format: limits.Format = "wei7"
    version: limits.Version = "3.0"
    size: Positive | Size | UnsetType = UNSET
    info: Info | UnsetType = UNSET
    tree: Tree

    @property
    def lines(self) -> tuple[int, int]:
        """The columns and rows of the board; 19 each without `size` (5.9)."""
        if isinstance(self.size, Size):
            return self.size.width, self.size.height
        side = limits.DEFAULT_SIZE if isinstance(self.size, UnsetType) else self.size
        return side, side


def build(document: Mapping[str, Any]) -> Document:
    """The model of a document of dicts and lists, as `from_sgf` gives it.

    Raises msgspec.ValidationError, a ValueError, for a value that its type excludes.
    """
    root = Tree()
    built = msgspec.convert({**document, "tree": {}}, Document)
    built.tree = root
    waiting = [(root, document["tree"])]
    while waiting:
        tree, given = waiting.pop()
        # Each tree is converted without its branches, because msgspec recurses.
        own = {name: value for name, value in given.items() if name != "branches"}
        found = msgspec.convert(own, Tree)
        tree.title, tree.pre, tree.steps = found.title, found.pre, found.steps
        if "branches" in given:
            tree.branches = [Tree() for _ in given["branches"]]
            waiting.extend(zip(tree.branches, given["branches"], strict=True))
    return built


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


def schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) of wei7, from the models."""
    found = msgspec.json.schema(Document)
    definitions = found["$defs"]
    # msgspec omits members with a default, but a text must have them.
    definitions["Document"]["required"] = [*objects()["document"].required]
    definitions["Tree"].update(_PROBLEM)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
