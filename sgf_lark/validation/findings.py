"""From findings to diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import NamedTuple

from sgf_lark.diagnostics import Diagnostic, Language, Severity, texts_of
from sgf_lark.model.collection import Collection
from sgf_lark.rules.registry import Finding


class Located(NamedTuple):
    """A finding of the rule of that code, where it is: byte offsets and the number of the node,
    or -1. The offsets override those of the finding, which can be shared."""

    start: int
    code: str
    end: int
    finding: Finding
    node: int

    def placed(self) -> Finding:
        """The finding with these offsets."""
        finding = self.finding
        if (finding.start, finding.end) == (self.start, self.end):
            return finding
        return replace(finding, start=self.start, end=self.end)


#: The order of findings in a report.
by_place = itemgetter(0, 1, 2)


def diagnostics_of(
    found: Sequence[Located],
    collection: Collection,
    severities: dict[str, Severity],
    language: Language,
) -> list[Diagnostic]:
    """The diagnostics for these findings, with the texts of the catalogue."""
    if not found:
        return []
    source, flat = collection.source, collection.flat
    roots, codecs = flat.roots, collection.file.codecs
    made: list[Diagnostic] = []
    for start, code, end, finding, node in found:
        tree = flat.tree_of(node) if roots else None
        codec = codecs[tree] if tree is not None else "latin-1"
        name, message, sgfc, fix = texts_of(
            code, finding.ident, finding.sgfc, finding.values, language, codec
        )
        made.append(
            Diagnostic(
                code,
                name,
                severities[code],
                message,
                source.span(start, end),
                tree,
                None if tree is None else node - roots[tree],
                finding.ident,
                sgfc,
                fix,
                tuple(source.span(*place) for place in finding.related),
            )
        )
    return made
