"""How rules are registered: the scope of a rule, the conditions that it declares, and the
findings that it yields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from sgf_lark.diagnostics import Language, Texts
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT


@dataclass(slots=True, eq=False)
class Finding:
    """A violation: the bytes from offset `start` to `end`, and the values for its message.

    `values` fill the placeholders of the message in the catalogue. `ident` is the identifier
    of the property concerned. `related` are the spans of other places that belong to the
    violation. `node` is the number of its node in the file; a rule sets it if it was called for
    another node, a tree or a collection.
    """

    start: int
    end: int
    values: dict[str, object] = field(default_factory=dict)
    ident: str | None = None
    related: tuple[tuple[int, int], ...] = ()
    node: int | None = None
    #: The texts of its diagnostics, once they were asked for, and for which code, language, codec
    #: and way of parsing they are.
    texts: tuple[tuple[str, Language, str, bool], Texts] | None = field(
        default=None, init=False, repr=False
    )


def at(
    place: Property | PropValue,
    *,
    related: tuple[int, int] | None = None,
    node: int | None = None,
    **values: object,
) -> Finding:
    """A finding at a whole property, or at a value without its brackets.

    `values` fill the placeholders of the message; at a value, `value` need not be given.
    """
    if isinstance(place, PropValue):
        values.setdefault("value", place.raw)
    ident = place.property.ident if isinstance(place, PropValue) else place.ident
    return Finding(*place.offsets, values, ident, (related,) if related else (), node)


class Scope(Enum):
    """What a rule function is called for: each value, each property, each node and so on.

    For each value the VALUE rules are called until one of them reports it; the CONTENT rules
    are called for the values that none of them reports. All other rules are independent of
    each other. A POSITION rule is called with a node and the board before it, of which only the
    cells are known. It reports only nodes that play on a point that has a stone, or set a point up
    to what it already is; the accelerated validation does not call it for others.
    """

    VALUE = auto()
    CONTENT = auto()
    PROPERTY = auto()
    NODE = auto()
    POSITION = auto()
    TREE = auto()
    COLLECTION = auto()


class Needs(Flag):
    """Conditions that must hold for a rule to report anything.

    They never change what is reported: the plain validation ignores them. The accelerated
    validation does not call a rule for a file, tree or node in which one of them does not hold.
    """

    NOTHING = 0

    # Conditions on the collection
    #: It has at least two trees.
    SEVERAL_TREES = auto()
    #: The file was decoded as a whole, because of a charset such as UTF-16.
    WHOLE_FILE_CHARSET = auto()
    #: The file begins with a byte order mark, or with other bytes that determine its charset.
    BYTE_ORDER_MARK = auto()

    # Conditions on the game tree
    #: Some byte of the file is not ASCII.
    NON_ASCII = auto()
    #: The root has no FF.
    NO_FILE_FORMAT = auto()
    #: It is known which program wrote it.
    PROGRAM = auto()
    #: One of its values has a "[" after a capital letter.
    BRACKET_IN_VALUE = auto()
    #: A node other than the root has a property of type game-info.
    INFO_BELOW_ROOT = auto()
    #: A node that sets up one stone is the child of another such node.
    SINGLE_STONE_SETUPS = auto()

    # Conditions on the node
    #: The node is the root.
    ROOT = auto()
    #: The node is not the root.
    NOT_ROOT = auto()
    #: The node has no children.
    LEAF = auto()
    #: The node has no properties.
    EMPTY = auto()
    #: The node has no move.
    NO_MOVE = auto()
    #: A move in the node has the color of the move before it.
    OUT_OF_TURN = auto()
    #: The only property of the node is a pass.
    ONLY_PASS = auto()
    #: Two properties of the node have the same identifier.
    REPEATED_IDENTIFIER = auto()
    #: Two properties of the node list the same point, or one of them has a compressed point list.
    #: In a game without a known notation each text is a point.
    SHARED_POINT = auto()


class CleanForm(Flag):
    """Frequent forms of a property in which few rules find anything: the accelerated validation
    recognizes them, and calls no rule that ignores them."""

    NONE = 0
    #: One text with a visible character and without control characters, valid in its charset.
    TEXT = auto()
    #: One Number of at most 15 digits.
    NUMBER = auto()
    #: One such Number, or a Real of that length.
    REAL = auto()
    #: One move to a point of the board, or a pass of Go in the form of the file format.
    MOVE = auto()
    #: A list of different points of the board, not compressed.
    POINTS = auto()
    #: Such a list in which each point has a label of one or two ASCII letters or digits.
    LABELS = auto()
    #: One text that is a day as YYYY-MM-DD, with a month from 1 to 12 and a day from 1 to 30, in
    #: February to 28.
    DATE = auto()
    ANY = TEXT | NUMBER | REAL | MOVE | POINTS | LABELS | DATE


#: Selects the properties that a rule applies to, by their definitions.
Selector = Callable[[PropertyDefinition], bool]


def kinds(*wanted: str) -> Selector:
    """Properties in whose value expression one of these types occurs."""
    return lambda definition: not definition.kinds.isdisjoint(wanted)


def where(**wanted: object) -> Selector:
    """Properties whose definition has these attributes, as :meth:`Node.select` selects them:
    ``where(type="setup")``. Of several values in a tuple it has one."""
    values = {name: each if isinstance(each, tuple) else (each,) for name, each in wanted.items()}
    return lambda definition: all(
        getattr(definition, name) in allowed for name, allowed in values.items()
    )


#: Properties that play a move.
plays = where(is_move=True)
#: Properties whose values are not plain texts; composed values with texts count too.
not_text = where(is_text=False)


def two(selector: Selector) -> tuple[Selector, Selector]:
    """For `having`: two different properties that the selector selects."""
    return selector, selector


class Rule(NamedTuple):
    """A registered rule function with its declarations; see :func:`rule`."""

    code: str
    scope: Scope
    function: Callable[..., Any]
    about: Selector | None
    having: tuple[Selector, ...]
    needs: Needs
    ignores: CleanForm
    once: bool = False


#: The rules of each scope, in the order in which they are called.
RULES: dict[Scope, list[Rule]] = {scope: [] for scope in Scope}

Function = TypeVar("Function", bound=Callable[..., Any])

#: What a function returns that reports nothing, where that is not an empty list.
_NOTHING = {Scope.VALUE: None, Scope.CONTENT: None}


def rule(
    code: str,
    scope: Scope,
    about: Selector | None = None,
    *,
    having: tuple[Selector, ...] = (),
    needs: Needs = Needs.NOTHING,
    ignores: CleanForm = CleanForm.NONE,
    once: bool = False,
    since: int = 0,
    until: int = LATEST_FILE_FORMAT,
    **given: object,
) -> Callable[[Function], Function]:
    """Registers a function as the rule of that code in the catalogue.

    The function returns a Finding or None (VALUE, CONTENT), or yields Findings (all other
    scopes). These declarations select what it is called for:

    - `about` (VALUE, CONTENT, PROPERTY): the properties. A PROPERTY rule without it is also
      called for properties that have no definition.
    - `since` and `until`: the first and the last file format of its trees; not for COLLECTION.

    These only allow the accelerated validation to leave out calls; the plain validation ignores
    them, and tests compare the findings of both:

    - `having` (NODE): the function reports nothing unless the node has a different property
      for each of these selectors.
    - `needs`: the function reports nothing unless these conditions hold.
    - `ignores` (VALUE, CONTENT, PROPERTY): forms that the function does not distinguish. In one
      context it reports all values of these forms in the properties of an identifier, or none
      of them.

    `once`: of the findings of the rule in a file the first one of each identifier is reported.
    `given` are further arguments of the function, where several rules have one.

    The result of a PROPERTY rule may depend only on the property and on the context of the tree,
    that of a VALUE or CONTENT rule only on the value, the identifier and the context, because the
    accelerated validation reuses findings for equal bytes.
    """

    def register(function: Function) -> Function:
        in_all_formats = (since, until) == (0, LATEST_FILE_FORMAT)

        @wraps(function)
        def of_rule(place: Any, *more: Any) -> Any:
            if not in_all_formats:
                tree = place if isinstance(place, GameTree) else place.tree
                if not since <= tree.file_format <= until:
                    return _NOTHING.get(scope, ())
            return function(place, *more, **given)

        # Most rules are called directly, which is faster.
        called = function if in_all_formats and not given else of_rule
        RULES[scope].append(Rule(code, scope, called, about, having, needs, ignores, once))
        return function

    return register
