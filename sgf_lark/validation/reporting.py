"""From findings to a report.

Plain Python, and with the types of ``reporting.pxd`` compiled to C.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from sgf_lark.diagnostics import Diagnostic, Language, Severity, Span, Told, told
from sgf_lark.flat import last_up_to
from sgf_lark.rules.registry import Finding
from sgf_lark.text.charsets import default_codec
from sgf_lark.text.positions import SourceText
from sgf_lark.validation.report import Report, TreeSummary
from sgf_lark.validation.trees import CollectionView
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
    found: list[Found],
    roots: list[int],
    codecs: list[str],
    language: Language,
    source: SourceText,
    severities: dict[str, Severity],
) -> list[Diagnostic]:
    """What is said of these findings; `roots` and `codecs` are those of the trees."""
    several = len(roots) > 1
    made: list[Diagnostic] = []
    tree, first, codec = (0, roots[0], codecs[0]) if roots else (None, None, "latin-1")
    key = language, codec
    for start, code, end, finding, node in found:
        if several:
            tree = max(0, last_up_to(roots, node))
            first, key = roots[tree], (language, codecs[tree])
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
    """The report of a validation, which keeps nothing of what the file was read to. Its
    parts are made when they are asked for."""

    _found: list[Found] | None = None
    _severities: dict[str, Severity]
    _language: Language

    def __init__(
        self,
        collection: CollectionView,
        found: list[Found],
        severities: dict[str, Severity],
        language: Language,
    ) -> None:
        #: Of each tree its first node, what governs its reading, and CA.
        self._trees = _said_of(collection)
        self.source = _source_of(collection)
        if found:
            self._found, self._severities, self._language = found, severities, language
        else:
            self.diagnostics = []

    def __reduce__(self) -> tuple[object, ...]:
        return Report, (self.diagnostics, self.trees, self.source)

    @cached_property
    def _counts(self) -> dict[Severity, int]:
        found = self._found
        if found is None:
            return Counter([said.severity for said in self.diagnostics])
        return Counter([self._severities[item[1]] for item in found])

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        found = self._found
        if found is None:  # another thread was sooner
            known: list[Diagnostic] = self.__dict__["diagnostics"]
            return known
        roots = [first for first, _, _ in self._trees]
        codecs = [context.codec for _, context, _ in self._trees]
        made = _diagnostics(found, roots, codecs, self._language, self.source, self._severities)
        self.__dict__["diagnostics"] = made
        self._found = None
        return made

    @cached_property
    def trees(self) -> list[TreeSummary]:
        return [
            TreeSummary(
                context.game,
                context.file_format,
                context.size,
                None if name is None else name.decode("latin-1"),
            )
            for _, context, name in self._trees
        ]


def _said_of(collection: CollectionView) -> list[tuple[int, Context, bytes | None]]:
    said = []
    for tree in collection.trees:
        said.append((tree.first, tree.context, tree.root.get("CA")))
    return said


def _source_of(collection: CollectionView) -> SourceText:
    codecs = [tree.context.codec for tree in collection.trees]
    codec: str | _CodecAt = codecs[0] if codecs else default_codec()
    if len(set(codecs)) > 1:
        opening = collection.flat.opening
        codec = _CodecAt([opening[tree.first] for tree in collection.trees], codecs)
    if collection.is_plain:
        return SourceText(collection.columns.data, codec)
    return collection.reading.source(codec)


@dataclass(frozen=True)
class _CodecAt:
    """The codec in which columns are counted at a byte offset: that of its tree."""

    starts: list[int]
    codecs: list[str]

    def __call__(self, offset: int) -> str:
        return self.codecs[max(0, last_up_to(self.starts, offset))]
