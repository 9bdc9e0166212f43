# cython: language_level=3, annotation_typing=False
"""From findings to a report.

Plain Python, and with the types of ``reporting.pxd`` compiled to C.
"""

from __future__ import annotations

from collections import Counter
from operator import itemgetter

from sgf_lark.charset import default_codec
from sgf_lark.diagnostics import Diagnostic, Language, Severity, Span, Told, told
from sgf_lark.flat import last_up_to
from sgf_lark.lazy import lazy
from sgf_lark.report import Report, TreeSummary
from sgf_lark.source_text import SourceText
from sgf_lark.validation.registry import Finding
from sgf_lark.validation.views import CollectionView
from sgf_lark.values import Context

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

#: Makes a named tuple of all its fields without the function that fills in defaults.
_new = tuple.__new__


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


def _diagnostics(
    collection: CollectionView,
    found: list[Found],
    language: Language,
    source: SourceText,
    severities: dict[str, Severity],
) -> list[Diagnostic]:
    trees = collection.trees
    several = len(trees) > 1
    made: list[Diagnostic] = []
    tree, first, codec = (0, 0, trees[0].context.codec) if trees else (None, None, "latin-1")
    key = language, codec
    for start, code, end, finding, node in found:
        if several:
            tree = collection.flat.tree_of(node)
            first, key = trees[tree].first, (language, trees[tree].context.codec)
        related: tuple[Span, ...] = ()
        if finding.related:
            related = tuple([source.span(first, last) for first, last in finding.related])
        name, message, number, fix = _told(code, finding, key)
        made.append(
            _new(
                Diagnostic,
                (
                    code,
                    name,
                    severities[code],
                    message,
                    source.span(start, end),
                    tree,
                    None if first is None else node - first,
                    finding.ident,
                    number,
                    fix,
                    related,
                    None,
                ),
            )
        )
    return made


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
        #: Of each tree what governs its reading, and CA, where nothing else is kept of it.
        self._trees: list[tuple[Context, bytes | None]] = []

    def __reduce__(self) -> tuple[object, ...]:
        return Report, (self.diagnostics, self.trees, self.source)

    @lazy
    def _counts(self) -> dict[Severity, int]:
        made_from = self._made_from
        if made_from is None:
            return Counter([found.severity for found in self.diagnostics])
        return Counter([self._severities[item[1]] for item in made_from[1]])

    @lazy
    def diagnostics(self) -> list[Diagnostic]:
        made_from = self._made_from
        if made_from is None:  # another thread was sooner
            known: list[Diagnostic] = self.__dict__["diagnostics"]
            return known
        collection, found, language = made_from
        source = self.__dict__.get("source")
        if source is None:
            source = self.__dict__["source"] = _source_of(collection)
        made: list[Diagnostic] = []
        if found:
            made = _diagnostics(collection, found, language, source, self._severities)
        self.__dict__["diagnostics"] = made
        # What the file was read to is no longer needed.
        self._trees = _said_of_trees(collection)
        self._made_from = None
        return made

    @lazy
    def trees(self) -> list[TreeSummary]:
        made_from = self._made_from
        return [
            TreeSummary(
                context.game,
                context.file_format,
                context.size,
                None if name is None else name.decode("latin-1"),
            )
            for context, name in (
                self._trees if made_from is None else _said_of_trees(made_from[0])
            )
        ]

    @lazy
    def source(self) -> SourceText:
        made_from = self._made_from
        if made_from is None:  # another thread was sooner
            made: SourceText = self.__dict__["source"]
            return made
        return _source_of(made_from[0])


def _source_of(collection: CollectionView) -> SourceText:
    reading, trees = collection.reading, collection.trees
    codec = trees[0].context.codec if len(trees) == 1 else _CodecAt(collection)
    # As the reading itself does, but sooner.
    return SourceText(reading.given, codec) if reading.places is None else reading.source(codec)


def _said_of_trees(collection: CollectionView) -> list[tuple[Context, bytes | None]]:
    return [(tree.context, tree.root.get("CA")) for tree in collection.trees]


class _CodecAt:
    """The codec in which columns are counted at a byte offset: that of its tree."""

    def __init__(self, collection: CollectionView) -> None:
        self.starts = [collection.flat.opening[root] for root in collection.flat.roots]
        self.codecs = [tree.context.codec for tree in collection.trees]

    def __call__(self, offset: int) -> str:
        if not self.starts:
            return default_codec()
        return self.codecs[max(0, last_up_to(self.starts, offset))]
