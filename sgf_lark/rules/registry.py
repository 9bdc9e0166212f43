"""What a rule is: a function that is registered under its code, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from sgf_lark.grammar import PropertyDefinition

if TYPE_CHECKING:
    from sgf_lark.validation.views import NodeView


class Finding(NamedTuple):
    """What a rule found: the bytes from `start` to `end`, and what its message names."""

    start: int
    end: int
    values: dict[str, object]
    ident: str | None = None
    sgfc: int | None = None
    related: tuple[tuple[int, int], ...] = ()
    node: int | None = None


Scope = Literal["value", "content", "property", "node", "path", "tree", "collection"]
Function = TypeVar("Function", bound=Callable[..., Any])


class Registered(NamedTuple):
    """A rule function, its code, and which properties it can speak of."""

    code: str
    function: Callable[..., Any]
    about: Callable[[PropertyDefinition], bool]
    when: str = ""
    shape: Callable[[NodeView], object] | None = None
    reads: tuple[str, ...] = ()


#: The rules of each scope in the order of definition.
RULES: dict[Scope, list[Registered]] = {
    "value": [],
    "content": [],
    "property": [],
    "node": [],
    "path": [],
    "tree": [],
    "collection": [],
}


def every(definition: PropertyDefinition) -> bool:
    return True


def kinds(*wanted: str) -> Callable[[PropertyDefinition], bool]:
    """Properties in whose value expression one of these types occurs."""
    return lambda definition: not definition.kinds.isdisjoint(wanted)


def formats(*wanted: str) -> Callable[[PropertyDefinition], bool]:
    """Properties of one of these formats."""
    return lambda definition: definition.format in wanted


def uniques(*wanted: str) -> Callable[[PropertyDefinition], bool]:
    """Properties that name points, lines or labels of one of these groups."""
    return lambda definition: definition.unique in wanted


def composes(definition: PropertyDefinition) -> bool:
    """Properties that take composed values."""
    return any(alternative.composed for alternative in definition.alternatives)


def takes_many(definition: PropertyDefinition) -> bool:
    """Properties that take lists."""
    return definition.takes_many


def not_text(definition: PropertyDefinition) -> bool:
    """Properties whose value is more than one plain text."""
    return not definition.is_text


def several_of(unique: str) -> Callable[[NodeView], bool]:
    """Nodes in which two properties name points, or stones, of that group."""
    return lambda node: len(node.of_group(unique)) > 1


def rule(
    code: str,
    scope: Scope,
    about: Callable[[PropertyDefinition], bool] = every,
    *,
    when: str = "",
    shape: Callable[[NodeView], object] | Literal["all"] | None = None,
    reads: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Registers a function as the rule of that code.

    `about` tells of which properties a value, content or property rule can speak at all
    (without it a property rule is asked about those that nobody knows, too),
    `when` what there has to be in a tree before a path rule can: game "info" below
    the root, or "single" stones that are set up in two nodes, one behind the other;
    or in a node of Go: stones or points where the "board" has them already, for a path
    rule, which then is asked about such nodes alone, or a move out of "turn", for a
    node rule; or points that are "shared" by lists of one node, for a node rule; or in a
    collection: "several" trees, a file that is "stored" in a charset other than its
    text's, or one "marked" by how it begins; or in a file with a tree: bytes "beyond"
    ASCII; or in a tree: its file format, where that is "unsaid". `shape` is for node
    rules: what the shape of a node, its identifiers in their order and whether it
    is a root or a leaf, has to be before the rule can speak; "all" means that what it
    says depends on nothing else. `reads` are the identifiers of the properties at which a
    node rule looks, if what it says depends on nothing but them and the tree's Context.

    Of the "value" rules the first that speaks of a value has the last word;
    those of "content" then all look at values of which no rule spoke. All other
    rules are independent of each other. Each gives a Finding or None, or yields
    Findings. A "path" rule is given a tree and returns a function that is called
    for each of its nodes in pre-order, with the board before the node, and keeps
    what it has to know of the nodes above. Rules of properties, values and
    content may look at nothing but the property and the tree's Context, so that
    what they said of a property holds for the same one elsewhere.
    """

    def register(function: Function) -> Function:
        def speaks(node: NodeView) -> bool:
            return any(True for _ in function(node))

        RULES[scope].append(
            Registered(code, function, about, when, speaks if shape == "all" else shape, reads)
        )
        return function

    return register


#: What a "path" rule returns: called for each node, with the board before it.
PathRule = Callable[["NodeView", Any], Iterator[Finding]]
