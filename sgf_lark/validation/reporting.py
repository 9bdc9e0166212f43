"""From findings to a report."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from sgf_lark.charset import default_codec
from sgf_lark.diagnostics import Diagnostic, Language, Severity, SourceText, make, shorten
from sgf_lark.report import Report, TreeSummary
from sgf_lark.validation.views import CollectionView, Finding

#: Where it starts, its code, where it ends, what was found at some such place, and the
#: node, or -1.
Found = tuple[int, str, int, Finding, int]

by_place = itemgetter(0, 1, 2)


class RunReport(Report):
    """The report of a validation. Its parts are made when they are asked for."""

    def __init__(
        self,
        collection: CollectionView,
        found: list[Found],
        severities: dict[str, Severity],
        language: Language,
    ) -> None:
        self._made_from: tuple[CollectionView, list[Found], Language] | None
        self._made_from = collection, found, language
        self._severities = severities

    def __reduce__(self) -> tuple[object, ...]:
        return Report, (self.diagnostics, self.trees, self.source)

    def __getattr__(self, name: str) -> Any:
        made_from = self.__dict__.get("_made_from")
        if name not in _PARTS or made_from is None:
            raise AttributeError(name)
        part = self.__dict__[name] = _PARTS[name](self, *made_from)
        if all(part in self.__dict__ for part in _PARTS):
            # What the file was read to is no longer needed.
            self._made_from = None
        return part

    def _make_diagnostics(
        self, collection: CollectionView, found: list[Found], language: Language
    ) -> list[Diagnostic]:
        source, severities = self.source, self._severities
        self.trees = self._make_trees(collection)
        self._counts = self._make_counts(collection, found)
        return [
            _diagnostic(collection, source, item, severities[item[1]], language) for item in found
        ]

    def _make_counts(
        self, collection: CollectionView, found: list[Found], *_: object
    ) -> dict[Severity, int]:
        return Counter(self._severities[code] for _, code, _, _, _ in found)

    def _make_trees(self, collection: CollectionView, *_: object) -> list[TreeSummary]:
        return [
            TreeSummary(
                tree.context.game,
                tree.file_format,
                tree.context.size,
                tree.root["CA"].decode("latin-1") if "CA" in tree.root else None,
            )
            for tree in collection.trees
        ]

    def _make_source(self, collection: CollectionView, *_: object) -> SourceText:
        return collection.reading.source(_CodecAt(collection))


_PARTS: dict[str, Callable[..., Any]] = {
    "_counts": RunReport._make_counts,
    "diagnostics": RunReport._make_diagnostics,
    "trees": RunReport._make_trees,
    "source": RunReport._make_source,
}


def _diagnostic(
    collection: CollectionView,
    source: SourceText,
    item: Found,
    severity: Severity,
    language: Language,
) -> Diagnostic:
    start, code, end, finding, node = item
    _, _, values, ident, sgfc, related, _ = finding
    trees = collection.trees
    tree = tree_of(collection, node) if len(trees) > 1 else 0
    if values:
        codec = trees[tree].context.codec if trees else "latin-1"
        values = {
            key: shorten(value.decode(codec, "replace")) if isinstance(value, bytes) else value
            for key, value in values.items()
        }
    return make(
        code,
        severity,
        source.span(start, end),
        tree=tree if trees else None,
        node=node - trees[tree].first if trees else None,
        ident=ident,
        sgfc=sgfc,
        related=tuple(source.span(*place) for place in related) if related else (),
        language=language,
        **values,
    )


def node_at(collection: CollectionView, offset: int) -> int:
    """The last node that begins at `offset` or before it, or the first of all."""
    return max(0, bisect_right(collection.flat.node_start, offset) - 1)


def tree_of(collection: CollectionView, node: int) -> int:
    """The number of the game tree that a node is in."""
    return max(0, bisect_right(collection.flat.roots, node) - 1)


class _CodecAt:
    """The codec in which columns are counted at a byte offset: that of its tree."""

    def __init__(self, collection: CollectionView) -> None:
        self.starts = [collection.flat.opening[root] for root in collection.flat.roots]
        self.codecs = [tree.context.codec for tree in collection.trees]

    def __call__(self, offset: int) -> str:
        if not self.starts:
            return default_codec()
        return self.codecs[max(0, bisect_right(self.starts, offset) - 1)]
