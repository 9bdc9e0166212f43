"""Cached findings: what was found for some bytes holds for equal bytes in an equal context.

All that the accelerated validation keeps from one file to the next is here."""

from __future__ import annotations

from functools import lru_cache

from sgf_lark.caches import SharedLimit
from sgf_lark.engine.columns import PropertyCache
from sgf_lark.engine.node_filter import CleanNodeFilter
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.node_filters import node_filter_of
from sgf_lark.model.values import Context, reader
from sgf_lark.rules.registry import Rule
from sgf_lark.validation.derivation import clean_tables
from sgf_lark.validation.report import PlacedFinding
from sgf_lark.validation.runner import ActiveRules

#: Findings are cached for properties up to this many bytes.
LONGEST_PROPERTY = 128

#: For all contexts together at most this number of entries are kept.
_KEPT = SharedLimit(50_000)

#: The identifiers of a node, and whether it is the root, is a leaf, and has a move of the color
#: of the move before it.
NodeShape = tuple[tuple[bytes, ...], bool, bool, bool]


class ShapeRules:
    """What is known of all nodes of one shape.

    `definitions` are the definitions of its properties. `rules` may report such a node;
    `without_shared_points` are those of them that may do so where no point is named twice.
    """

    def __init__(
        self,
        definitions: list[PropertyDefinition | None],
        rules: list[Rule],
        without_shared_points: list[Rule],
    ) -> None:
        self.rules = rules
        self.without_shared_points = without_shared_points
        naming = [each for each in definitions if each is not None and each.unique]
        #: How many properties are lists of points; None if others name points, too.
        self.point_lists = len(naming) if all(each.list_kind for each in naming) else None


class FindingsCache:
    """What the accelerated validation knows of trees of one context: the filter that finds their
    nodes that need checking, and the findings that are known.

    `clean_if` has, for each identifier, how its properties are written if nothing is found in
    them (:class:`sgf_lark.engine.kinds.CleanIf`).
    """

    def __init__(self, node_filter: CleanNodeFilter, clean_if: dict[bytes, int]) -> None:
        self.node_filter = node_filter
        #: The findings of short properties, by their bytes.
        self.properties = PropertyCache(LONGEST_PROPERTY, node_filter.points)
        self.properties.clean_if.update(clean_if)
        #: What is known of nodes, by their shape.
        self.shapes: dict[NodeShape, ShapeRules] = {}
        _KEPT.register(self)

    def clear(self) -> None:
        """Forget all findings that are kept."""
        self.properties.findings.clear()
        self.shapes.clear()

    def add_property(self, data: bytes, start: int, found: list[PlacedFinding]) -> None:
        """Cache what was found in the property that is written as `data` at offset `start`."""
        _KEPT.make_room()
        self.properties.findings[data] = tuple(
            (each.start - start, each.end - start, each.code, each.finding) for each in found
        )

    def add_shape(self, shape: NodeShape, rules: ShapeRules) -> None:
        """Cache what is known of nodes of a shape."""
        _KEPT.make_room()
        self.shapes[shape] = rules


@lru_cache(maxsize=64)
def findings_cache(rules: ActiveRules, context: Context) -> FindingsCache:
    """What is known of trees of that context under these rules."""
    clean_if, bits = clean_tables(rules, context.game, context.file_format, context.program)
    return FindingsCache(node_filter_of(context, bits), clean_if)


def clear() -> None:
    """Forget all findings, so that the next file is validated as the first one is."""
    findings_cache.cache_clear()
    reader.clear_caches()
