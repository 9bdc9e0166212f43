"""From findings to a report."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from sgf_lark.charset import default_codec
from sgf_lark.diagnostics import Diagnostic, Language, Severity, SourceText, Told, build, told
from sgf_lark.report import Report, TreeSummary
from sgf_lark.validation.registry import Finding
from sgf_lark.validation.views import CollectionView

#: Where it starts, its code, where it ends, what was found at some such place, and the
#: node, or -1.
Found = tuple[int, str, int, Finding, int]

by_place = itemgetter(0, 1, 2)


#: What was said for the latest findings, which are the same ones again where the rules
#: remember them: language and codec, the finding, and the texts.
_TOLD: dict[int, tuple[tuple[Language, str], Finding, Told]] = {}
_REMEMBERED = 20_000
#: What is said of a longer value is not kept.
_SHORT = 300


def _told(code: str, finding: Finding, key: tuple[Language, str]) -> Told:
    known = _TOLD.get(id(finding))
    if known is not None and known[1] is finding and known[0] == key:
        return known[2]
    language, codec = key
    said = told(code, finding.ident, finding.sgfc, finding.values, language, codec)
    if all(len(value) <= _SHORT for value in finding.values.values() if isinstance(value, bytes)):
        if len(_TOLD) >= _REMEMBERED:
            _TOLD.clear()
        _TOLD[id(finding)] = key, finding, said
    return said


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
        if name not in _PARTS or "_made_from" not in self.__dict__:
            raise AttributeError(name)
        part = self.__dict__[name] = _PARTS[name](self, *(self._made_from or ()))
        if name == "diagnostics":
            # What the file was read to is no longer needed.
            self._made_from = None
        return part

    def _make_counts(self, *made_from: Any) -> dict[Severity, int]:
        if not made_from:
            return Counter([found.severity for found in self.diagnostics])
        return Counter([self._severities[item[1]] for item in made_from[1]])

    def _make_diagnostics(
        self, collection: CollectionView, found: list[Found], language: Language
    ) -> list[Diagnostic]:
        # Of what the file was read to nothing else is needed any more.
        self.trees = self._make_trees(collection)
        source, severities, trees = self.source, self._severities, collection.trees
        made: list[Diagnostic] = []
        if not found:
            return made
        tree, first, codec = (0, 0, trees[0].context.codec) if trees else (None, None, "latin-1")
        span, key = source.span, (language, codec)
        for start, code, end, finding, node in found:
            if len(trees) > 1:
                tree = tree_of(collection, node)
                first, key = trees[tree].first, (language, trees[tree].context.codec)
            places = finding.related
            made.append(
                build(
                    code,
                    severities[code],
                    span(start, end),
                    tree,
                    None if first is None else node - first,
                    finding.ident,
                    tuple([span(*place) for place in places]) if places else (),
                    _told(code, finding, key),
                )
            )
        return made

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
        if len(collection.trees) == 1:
            return collection.reading.source(collection.trees[0].context.codec)
        return collection.reading.source(_CodecAt(collection))


_PARTS: dict[str, Callable[..., Any]] = {
    "_counts": RunReport._make_counts,
    "diagnostics": RunReport._make_diagnostics,
    "trees": RunReport._make_trees,
    "source": RunReport._make_source,
}


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
