"""What a rule is: a function that is registered under its code, with what it needs to report
anything, and the findings that it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, Flag, auto
from typing import Any, Protocol, TypeVar

from sgf_lark.diagnostics import Language, Texts, texts_of
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue


@dataclass(slots=True, eq=False)
class Finding:
    """A violation: the bytes from offset `start` to `end`, and what fills its message.

    `ident` is the property concerned, `sgfc` overrides the number of SGFC in the catalogue,
    `related` are the offsets of other places that belong to it. `node` is the number of the
    node in the file, where the rule that reports it was asked about another node or a whole
    tree.
    """

    start: int
    end: int
    values: dict[str, object] = field(default_factory=dict)
    ident: str | None = None
    sgfc: int | None = None
    related: tuple[tuple[int, int], ...] = ()
    node: int | None = None
    #: Its texts in a language, with values decoded in a codec: findings are reused.
    _texts: tuple[Language, str, Texts] | None = None

    def texts(self, code: str, language: Language, codec: str) -> Texts:
        """The texts of the catalogue for a finding of the rule of that code; values that are
        bytes are decoded in `codec`."""
        known = self._texts
        if known is None or known[0] != language or known[1] != codec:
            texts = texts_of(code, self.ident, self.sgfc, self.values, language, codec)
            self._texts = known = language, codec, texts
        return known[2]

    def with_related(self, *places: tuple[int, int]) -> Finding:
        """The same finding with these related places."""
        return replace(self, related=places, _texts=None)

    def in_node(self, node: Node) -> Finding:
        """The same finding, reported for that node."""
        return replace(self, node=node.number)


def at(place: Property | PropValue, sgfc: int | None = None, **values: object) -> Finding:
    """A finding at a whole property, or at a value without its brackets.

    The message can name the `value`; `values` fill its other placeholders.
    """
    if isinstance(place, PropValue):
        values.setdefault("value", place.raw)
        return Finding(*place.offsets, values, place.property.ident, sgfc)
    return Finding(*place.offsets, values, place.ident, sgfc)


class Scope(Enum):
    """What a rule is asked about, one after the other.

    The first VALUE rule that reports a value has the last word on it; CONTENT rules are asked
    about values that no VALUE rule reported. All other rules are independent of each other.
    A PATH rule is given a game tree and returns a function that is called for each of its nodes
    in pre-order, with the board before that node, and keeps what it has to know of the nodes
    above.
    """

    VALUE = auto()
    CONTENT = auto()
    PROPERTY = auto()
    NODE = auto()
    PATH = auto()
    TREE = auto()
    COLLECTION = auto()


class Needs(Flag):
    """Conditions without which a rule reports nothing.

    They never change what is reported, only where the accelerated validation may leave a
    rule out.
    """

    NOTHING = 0

    # Of a collection
    #: It has at least two trees.
    SEVERAL_TREES = auto()
    #: The file as a whole is stored in a charset other than that of its texts.
    WHOLE_FILE_CHARSET = auto()
    #: Its first bytes determine the charset, as a byte order mark does.
    BYTE_ORDER_MARK = auto()

    # Of a tree
    #: Some byte of the file is not ASCII.
    NON_ASCII = auto()
    #: The root has no FF.
    NO_FILE_FORMAT = auto()
    #: A node other than the root has a property of type game-info.
    INFO_BELOW_ROOT = auto()
    #: A node that adds one stone follows directly on another such node.
    SINGLE_STONES = auto()
    #: A move or a stone is put on a point where the board already has one, or a point that is
    #: empty is emptied. A PATH rule that needs it is asked about such nodes only.
    OCCUPIED = auto()

    # Of a node
    #: It is the root.
    ROOT = auto()
    #: It is not the root.
    NOT_ROOT = auto()
    #: No node follows.
    LEAF = auto()
    #: It has no property.
    EMPTY = auto()
    #: It has no move.
    NO_MOVE = auto()
    #: A move in it has the color of the move before it.
    OUT_OF_TURN = auto()
    #: Its only property is a pass.
    ONLY_PASS = auto()
    #: Two of its properties have the same identifier.
    REPEATED_IDENTIFIER = auto()
    #: Two of its properties name the same point, or a point is named other than by itself.
    SHARED_POINT = auto()


class Plain(Flag):
    """Kinds of plain value, which the accelerated validation recognizes by their bytes."""

    NONE = 0
    #: One text with a visible character, without control characters, all of it decodable.
    TEXT = auto()
    #: One number of at most 15 digits.
    NUMBER = auto()
    #: The same, or with a point between two digits.
    REAL = auto()
    #: One move of Go on a point of the board, or a pass as this file format writes it.
    MOVE = auto()
    #: A list of different points of the board, one by one.
    POINTS = auto()
    #: The same with a label of one or two ASCII letters or digits for each.
    LABELS = auto()
    ANY = TEXT | NUMBER | REAL | MOVE | POINTS | LABELS


#: Whether a rule may report a property of that definition.
Selector = Callable[[PropertyDefinition], bool]


def every(definition: PropertyDefinition) -> bool:
    """All properties, also those without definition."""
    return True


def kinds(*wanted: str) -> Selector:
    """Properties in whose value expression one of these types occurs."""
    return lambda definition: not definition.kinds.isdisjoint(wanted)


def formats(*wanted: str) -> Selector:
    """Properties of one of these formats."""
    return lambda definition: definition.format in wanted


def uniques(*wanted: str) -> Selector:
    """Properties that name points, lines or labels of one of these groups."""
    return lambda definition: definition.unique in wanted


def types(*wanted: str) -> Selector:
    """Properties of one of these property types."""
    return lambda definition: definition.type in wanted


def idents(*wanted: str) -> Selector:
    """Properties of one of these identifiers."""
    return lambda definition: definition.ident in wanted


def exclusive(wanted: str) -> Selector:
    """Properties of a group of which a node may have one."""
    return lambda definition: definition.exclusive == wanted


def annotates_move(definition: PropertyDefinition) -> bool:
    """Properties that say something of the move in the same node."""
    return definition.needs_move


def plays(definition: PropertyDefinition) -> bool:
    """Properties that play a move."""
    return definition.exclusive == "move" and definition.type == "move"


def composes(definition: PropertyDefinition) -> bool:
    """Properties that take composed values."""
    return any(alternative.composed for alternative in definition.alternatives)


def takes_many(definition: PropertyDefinition) -> bool:
    """Properties that take lists."""
    return definition.takes_many


def takes_one(definition: PropertyDefinition) -> bool:
    """Properties that take one value."""
    return not definition.takes_many


def may_be_empty(definition: PropertyDefinition) -> bool:
    """Properties that may have one empty value in the place of a list, or of a value."""
    return definition.alternatives[0].empty


def not_text(definition: PropertyDefinition) -> bool:
    """Properties whose value is more than one plain text."""
    return not definition.is_text


def two(selector: Selector) -> tuple[Selector, Selector]:
    """For `having`: two properties that the selector accepts."""
    return selector, selector


@dataclass(frozen=True, slots=True)
class Rule:
    """A registered rule function, and where it can report anything."""

    code: str
    scope: Scope
    function: Callable[..., Any]
    about: Selector
    having: tuple[Selector, ...]
    needs: Needs
    ignores: Plain
    depends_on: tuple[str, ...]


#: The rules of each scope, in the order in which they are asked.
RULES: dict[Scope, list[Rule]] = {scope: [] for scope in Scope}

Function = TypeVar("Function", bound=Callable[..., Any])


def rule(
    code: str,
    scope: Scope,
    about: Selector = every,
    *,
    having: tuple[Selector, ...] = (),
    needs: Needs = Needs.NOTHING,
    ignores: Plain = Plain.NONE,
    depends_on: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Registers a function as the rule of that code in the catalogue.

    The function gives a Finding or None (VALUE, CONTENT), or yields Findings. The other
    arguments only say where it can report nothing, so that the accelerated validation need not
    ask it there. Without them it is asked about everything. The plain validation heeds none of
    them but `about`, and tests hold both against each other.

    - `about` (VALUE, CONTENT, PROPERTY): the properties that it can report. Only a property
      rule without it is asked about properties that have no definition.
    - `having` (NODE): the node has a different property for each of these selectors.
    - `needs`: conditions that must hold.
    - `ignores` (VALUE, CONTENT, PROPERTY): kinds of plain value among which it makes no
      difference: in a tree of one context it reports all of them for an identifier, or none.
    - `depends_on` (NODE): the identifiers of all properties on which the result depends, where
      it depends on nothing else but the tree's context.

    Rules of properties and values may depend on nothing but the property and the tree's
    context, since findings are reused for equal bytes.
    """

    def register(function: Function) -> Function:
        RULES[scope].append(Rule(code, scope, function, about, having, needs, ignores, depends_on))
        return function

    return register


class Stones(Protocol):
    """A board of which rules see what is on a point."""

    def __getitem__(self, point: tuple[int, int], /) -> int:
        """EMPTY, BLACK or WHITE at (column, row), 0-based."""


#: What a PATH rule returns: called for each node, with the board before it; None in games
#: without a board that moves change.
PathVisitor = Callable[[Node, Stones | None], Iterator[Finding]]
