"""Cached findings: what was found for some bytes holds for equal bytes in an equal context.

All that the accelerated validation keeps from one file to the next is here.
"""

from __future__ import annotations

from sgf_lark.engine.columns import PropertyCache
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.rules.registry import Finding, Rule
from sgf_lark.validation.findings import Located

#: Findings are cached for properties and nodes up to this many bytes.
LONGEST_PROPERTY = 48
LONGEST_NODE = 64

#: At most this many entries of each kind are kept.
_LIMIT = 50_000

#: The finding of a rule in a property, with offsets from the beginning of the property.
CachedFinding = tuple[int, int, str, Finding]

#: The identifiers of a node, whether it is the root, and whether it is a leaf.
NodeShape = tuple[tuple[bytes, ...], bool, bool]


class ShapeRules:
    """The rules that may report nodes of one shape.

    `definitions` are the identifiers and definitions of the properties; `rules` may report such
    a node, `rules_without_shared_points` also where no point is named twice. `point_lists`
    counts the properties that are lists of points; None where others name points too.
    """

    def __init__(
        self,
        definitions: tuple[tuple[str, PropertyDefinition | None], ...],
        rules: list[Rule],
        rules_without_shared_points: list[Rule],
    ) -> None:
        self.definitions = definitions
        self.rules = rules
        self.rules_without_shared_points = rules_without_shared_points
        known = [definition for _, definition in definitions if definition is not None]
        lists = [definition for definition in known if definition.list_kind]
        others = [definition for definition in known if definition.unique]
        self.point_lists = (
            len(lists) if all(definition.list_kind for definition in others) else None
        )


class FindingsCache:
    """The findings that are known in trees of one context."""

    def __init__(self, properties: PropertyCache) -> None:
        #: The findings of short properties, by their bytes.
        self.properties = properties
        #: The rules that may report nodes of a shape.
        self.shapes: dict[NodeShape, ShapeRules] = {}
        #: The bytes of short nodes without findings: of leaves, and of others.
        self.clean_leaves: set[bytes] = set()
        self.clean_nodes: set[bytes] = set()
        #: Codes of rules, with the bytes of all properties on which they depend, that report
        #: nothing for these.
        self.clean_for_rule: set[tuple[str, tuple[bytes, ...]]] = set()

    def add_property(self, data: bytes, start: int, found: list[Located]) -> None:
        """Cache the findings in the property that is written as `data` at offset `start`."""
        findings = self.properties.findings
        _make_room(findings)
        findings[data] = tuple(
            (each.start - start, each.end - start, each.code, each.finding) for each in found
        )

    def add_shape(self, shape: NodeShape, rules: ShapeRules) -> None:
        """Cache the rules that may report nodes of a shape."""
        _make_room(self.shapes)
        self.shapes[shape] = rules

    def add_clean_node(self, data: bytes, is_leaf: bool) -> None:
        """Cache that the node written as `data` has no findings."""
        nodes = self.clean_leaves if is_leaf else self.clean_nodes
        _make_room(nodes)
        nodes.add(data)

    def add_clean_for_rule(self, key: tuple[str, tuple[bytes, ...]]) -> None:
        """Cache that a rule reports nothing for these properties."""
        _make_room(self.clean_for_rule)
        self.clean_for_rule.add(key)


def _make_room(entries: dict[object, object] | set[object]) -> None:  # type: ignore[misc]
    if len(entries) >= _LIMIT:
        entries.clear()
