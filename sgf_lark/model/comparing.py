"""Whether nodes have the same content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.property import Property


def equal(first: Node, second: Node) -> bool:
    """Whether both nodes, and all after them, have the same content; see :meth:`Node.equals`."""
    pairs = [(first, second)]
    while pairs:
        one, two = pairs.pop()
        if len(one.children) != len(two.children) or not same_properties(one, two):
            return False
        pairs.extend(zip(one.children, two.children, strict=True))
    return True


def same_properties(one: Node, two: Node) -> bool:
    """Whether two nodes have the same properties in the same order, except CA."""
    first, second = compared(one), compared(two)
    return len(first) == len(second) and all(map(same_property, first, second))


def compared(node: Node) -> list[Property]:
    """The properties that are compared: all but CA."""
    return [entry for entry in node.properties if entry.ident != "CA"]


def same_property(one: Property, two: Property) -> bool:
    """Whether two properties have the same identifier and the same content."""
    if one.ident != two.ident:
        return False
    if one.raw == two.raw and one.tree.parsed.context == two.tree.parsed.context:
        return True
    return bool(content(one) == content(two))


def content(entry: Property) -> Any:
    """The typed value; of one that cannot be read, the text as written, in any charset."""
    if entry.definition is not None:
        try:
            return entry.value
        except ValueError:
            pass
    codec_of = entry.tree.parsed.context.codec_of
    return "as written", [raw.decode(codec_of(raw), "surrogateescape") for raw in entry.raw]
